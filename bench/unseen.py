"""Routes rows of domains that the router never learns in: ``python -m bench.unseen [FILE ...]``.

The shipped model is measured as it serves. Nothing is made of these domains' schemas, and what
went wrong on the files read by default stays unread: a fault that was looked at is no longer
unseen.
"""

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.sets import ROUTES
from router.model import TierSet, tier_set
from router.router import LearnedRouter
from trivium.app.settings import Settings
from trivium.app.suite import Row, question_of
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader


async def routed(files: Sequence[Path]) -> list[tuple[Row, TierSet]]:
    """Return the rows of some files with their routes; a file's rows are of one domain."""
    settings = Settings()
    encoder = OnnxEncoder.open(settings.encoder_dir, precision=settings.encoder_precision)
    router = LearnedRouter.shipped()
    found = []
    for file in files:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        data = read_dataset(Path("bench/questions/domains") / rows[0]["domain"])
        reader = QuestionReader(encoder, lexicon_of(data.changes), lambda: datetime.now(UTC))
        for row in rows:
            read = await reader.encoded(question_of(row))
            found.append((row, router.route(read).tiers))
    return found


def report(found: Sequence[tuple[Row, TierSet]], *, is_shown: bool) -> Iterator[str]:
    """Give how many routes are right, by domain and by label, and those that are not."""
    for title in ("domain", "label"):
        marks: dict[str, list[bool]] = defaultdict(list)
        for row, tiers in found:
            marks[row["domain"] if title == "domain" else _named(row["tiers"])].append(
                _is_right(row, tiers)
            )
        for name, own in sorted(marks.items()):
            yield f"{name:16s}{sum(own):4d} of {len(own)}"
    yield f"{'all':16s}{sum(_is_right(*item) for item in found):4d} of {len(found)}"
    for row, tiers in found if is_shown else ():
        if not _is_right(row, tiers):
            yield f"  {row['domain']}: {_named(row['tiers'])} -> {_named(tiers)}: {row['query']}"


def _is_right(row: Row, tiers: TierSet) -> bool:
    return tiers in map(tier_set, (row["tiers"], *row["also_ok"]))


def _named(tiers: Sequence[str]) -> str:
    return "+".join(tiers) or "none"


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=ROUTES)
    parser.add_argument("--wrong", action="store_true", help="list the rows that went wrong")
    options = parser.parse_args()
    for line in report(asyncio.run(routed(options.files)), is_shown=options.wrong):
        print(line)


if __name__ == "__main__":
    main()
