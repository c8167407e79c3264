"""The queue of misroutes from the command line, read beside whoever serves the home."""

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TextIO

from feedback.diagnosis import Kind, named
from feedback.export import ExportForm, exported
from feedback.misroutes import Misroutes
from feedback.ratings import Ratings
from feedback.reports import Report, ReportState
from trivium.app.arguments import Commands, given
from trivium.app.home import Home
from trivium.app.misrouting import ExportQuery, MisroutesQuery
from trivium.app.models import parse
from trivium.app.settings import Settings
from trivium.app.terminal import say
from trivium.domain.errors import HomeError, InputError
from trivium.domain.question import TierName

_WIDEST: Final = 80


def add_to(commands: Commands) -> None:
    """Add ``trivium misroutes`` to the command line."""
    misroutes = commands.add_parser("misroutes", help="list or export what was rated down")
    misroutes.set_defaults(run=_review)
    steps = misroutes.add_subparsers(dest="step", required=True, metavar="STEP")
    listing = steps.add_parser("list", help="print reports, oldest first")
    listing.add_argument("--after", type=int, metavar="N", help="those after report number N")
    listing.add_argument("--limit", type=int, metavar="N", help="N at most (100)")
    listing.add_argument("--json", action="store_true", help="print all that is known of them")
    export = steps.add_parser("export", help="write all reports, with labels and comments")
    export.add_argument("file", metavar="FILE", help='the file to write; "-" for stdout')
    export.add_argument("--format", choices=list(ExportForm), help="csv is the default")
    for step in (listing, export):
        step.add_argument("--state", choices=list(ReportState))
        step.add_argument("--kind", choices=list(Kind), help="what seems to have gone wrong")
        step.add_argument("--given", choices=list(TierName), help="those that went to this tier")
        step.add_argument("--proposed", choices=list(TierName), help="those proposed for this tier")
        step.add_argument("--rater", help="those of this rater")
        step.add_argument("--tenant", help="those of this tenant")
        step.add_argument("--since", metavar="DATE", help="those opened from then on")


async def _review(options: argparse.Namespace, settings: Settings) -> int:
    """List or export misroute reports."""
    if options.step == "list":
        listed = parse(MisroutesQuery, given(options, MisroutesQuery.model_fields))
        return await list_misroutes(settings, listed, as_json=options.json)
    asked = parse(ExportQuery, given(options, ExportQuery.model_fields))
    return await export_misroutes(settings, asked, options.file)


async def list_misroutes(settings: Settings, asked: MisroutesQuery, *, as_json: bool) -> int:
    """Print reports, one a line."""
    async with _queue(settings) as queue:
        found = await queue.find(asked.to_filter(None))
    for report in found:
        print(json.dumps(report.to_json()) if as_json else _line(report))
    if len(found) == asked.limit:
        say(f"There may be more: --after {found[-1].number} lists them.")
    return 0


async def export_misroutes(settings: Settings, asked: ExportQuery, name: str) -> int:
    """Write reports to a file, or to standard output."""
    async with _queue(settings) as queue:
        lines = exported(queue.all(asked.to_filter(None)), asked.format)
        if name == "-":
            await _write(lines, sys.stdout)
            return 0
        try:
            file = await asyncio.to_thread(Path(name).open, "w", -1, "utf-8", "replace", "")
            with file:
                await _write(lines, file)
        except OSError as error:
            raise InputError(f"{name} cannot be written: {error.strerror}") from error
    return 0


async def _write(lines: AsyncIterator[str], file: TextIO) -> None:
    async for line in lines:
        file.write(line)


@asynccontextmanager
async def _queue(settings: Settings) -> AsyncIterator[Misroutes]:
    if not settings.database_url and not settings.home.is_dir():
        raise HomeError(f"there is no home at {settings.home}: load a data set first")
    url = settings.database_url or Home(settings.home.absolute()).sqlite("answers")
    ratings = await Ratings.open(url)
    try:
        yield Misroutes(ratings.database)
    finally:
        await ratings.close()


def _line(report: Report) -> str:
    analysis = report.analysis
    if analysis is None:
        return f"{report.id}  {report.state}  not analysed yet  {report.rating.rater}"
    route = "+".join(analysis.route.get("tiers", ())) or "none"
    label = "?" if analysis.proposed is None else named(analysis.proposed)
    asked = (analysis.question or "its trace was lost")[:_WIDEST]
    told = f"{analysis.kind}: {route} -> {label}"
    return f"{report.id}  {report.state}  {told}  {report.rating.rater}  {asked!r}"
