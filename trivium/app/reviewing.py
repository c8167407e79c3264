"""The queue of misroutes from the command line, read beside whoever serves the home."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TextIO

from feedback.diagnosis import named
from feedback.export import exported
from feedback.misroutes import Misroutes
from feedback.ratings import Ratings
from feedback.reports import Report
from trivium.app.home import Home
from trivium.app.misrouting import ExportQuery, MisroutesQuery
from trivium.app.settings import Settings
from trivium.app.terminal import say
from trivium.domain.errors import HomeError, InputError

_WIDEST: Final = 80


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
