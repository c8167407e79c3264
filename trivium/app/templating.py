"""Templates on the command line: which there are, whether they fit, which answers they change."""

import argparse
import asyncio
import shutil
import tempfile
from pathlib import Path

from tiers.graphrag.templates.book import TemplateBook
from tiers.graphrag.templates.loading import RefusedTemplate, read_file
from trivium.app.arguments import Commands
from trivium.app.bootstrap import open_service
from trivium.app.loading import SUITE, answers_of, differences, for_trial, load_into, suite_of
from trivium.app.routing import lexicon_at
from trivium.app.settings import Settings
from trivium.app.terminal import Bars, say
from trivium.domain.errors import HomeError
from trivium.domain.schema import Schema
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of


def add_to(commands: Commands) -> None:
    """Add ``trivium templates`` to the command line."""
    parts = commands.add_parser("templates", help="list templates of plans, or check a file")
    parts.set_defaults(run=_templates)
    parts.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file to check")
    parts.add_argument(
        "--data", type=Path, metavar="DIR",
        help="hold them against this data set; of a file, show which answers of its suite change",
    )  # fmt: skip


async def _templates(options: argparse.Namespace, settings: Settings) -> int:
    if options.file is None:
        return await list_templates(settings, options.data)
    return await check_templates(settings, options.file, options.data)


async def list_templates(settings: Settings, data: Path | None) -> int:
    """Print every template, and whether it fits the schema of a data set or of the home."""
    schema = await _schema(settings, data)
    fitting = TemplateBook.open(settings.templates).fitting(schema)
    for template in fitting.all:
        print(f"{template.name} ({template.place}): {template.says} [{template.shape}]")
    _show_refused(fitting.refused)
    return 0


async def check_templates(settings: Settings, file: Path, data: Path | None) -> int:
    """Check the templates of a file, and show the answers of the data set's suite that they change.

    Returns:
        1 when one of them is refused; an answer that differs is for a person to judge.
    """
    fitting = TemplateBook(read_file(file)).fitting(await _schema(settings, data))
    for template in fitting.own:
        print(f"{template.name}: it fits")
    refused = tuple(item for item in fitting.refused if item.place == file.name)
    _show_refused(refused)
    if refused or data is None:
        return 1 if refused else 0
    suite = data / SUITE
    if not await asyncio.to_thread(suite.is_file):
        say(f"{data} has no {SUITE}: no answers were compared.")
        return 0
    n_asked, differing = await _differing(settings, file, data)
    for key, what in differing:
        print(f"{key}: {what}")
    say(f"{len(differing)} of {n_asked} answers differ.")
    return 0


def _show_refused(refused: tuple[RefusedTemplate, ...]) -> None:
    for item in refused:
        print(f"not used: {item.why}")


async def _schema(settings: Settings, data: Path | None) -> Schema:
    if data is not None:
        return lexicon_of((await asyncio.to_thread(read_dataset, data)).changes).schema
    if not settings.home.is_dir():
        raise HomeError(f"there is no home at {settings.home}: name a data set with --data DIR")
    return (await lexicon_at(settings)).schema


async def _differing(
    settings: Settings, file: Path, data: Path
) -> tuple[int, list[tuple[str, str]]]:
    """Answer the suite of a data set without a file of templates and with it.

    Returns:
        how many questions there are, and those whose answers differ.
    """
    rows = suite_of(await asyncio.to_thread((data / SUITE).read_text, "utf-8-sig"))
    with tempfile.TemporaryDirectory(prefix="trivium-") as name, Bars() as bars:
        folder = Path(name)
        without, with_it = folder / "without", folder / "with"
        await asyncio.to_thread(_copied, settings.templates, file, without, with_it)
        trial = for_trial(settings, folder)
        async with open_service(trial.model_copy(update={"templates": without}), bars) as service:
            await load_into(service, data, is_accepted=True, progress=bars)
            before = await answers_of(service, rows)
        async with open_service(trial.model_copy(update={"templates": with_it}), bars) as service:
            after = await answers_of(service, rows)
    return len(rows), differences(rows, before, after)


def _copied(own: Path | None, file: Path, without: Path, with_it: Path) -> None:
    """Make two folders of templates: the installation's own, and the same with ``file``."""
    others = [f for f in own.iterdir() if f.is_file() and f.name != file.name] if own else []
    for folder in (without, with_it):
        folder.mkdir()
        for other in others:
            shutil.copy(other, folder / other.name)
    shutil.copy(file, with_it / file.name)
