"""Runs data sets' own questions end to end: ``python -m bench.suite [DIR ...|--every] [--show]``.

It is ``trivium eval`` with the example as its data set, and what other benches share of it.
"""

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from bench.sets import KEPT, SUITES, SUITES_FIRST_SIGHT
from trivium.app.bootstrap import open_service
from trivium.app.evaluating import evaluate, told
from trivium.app.loading import SUITE
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.app.suite import read_suite
from trivium.knowledge.dataset import read_dataset


@contextlib.asynccontextmanager
async def opened(directory: Path) -> AsyncIterator[Service]:
    """Open a service in a home of its own that knows a data set."""
    with tempfile.TemporaryDirectory(prefix="trivium-suite-") as folder:
        settings = Settings.model_validate({"home": Path(folder) / "home"})
        async with open_service(settings) as service:
            await service.knowledge.load(read_dataset(directory))
            yield service


async def _run(directory: Path, *, is_shown: bool) -> None:
    rows = await read_suite(directory / SUITE)
    for line in told(await evaluate(Settings(), directory, rows), is_shown=is_shown):
        print(line)


def main() -> None:
    """Print what is right and what is wrong, by tiers and by category."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="*", type=Path, default=[Path("examples/aerospace")])
    parser.add_argument("--every", action="store_true", help="all suites of the repository")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    for directory in SUITES if options.every else options.directories:
        if directory.name in SUITES_FIRST_SIGHT:
            print(f"{directory.name}: {SUITES_FIRST_SIGHT[directory.name]} of 80 at first sight")
        is_shown = options.show and directory.name not in KEPT
        asyncio.run(_run(directory, is_shown=is_shown))


if __name__ == "__main__":
    main()
