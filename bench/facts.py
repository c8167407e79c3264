"""Asks the fact tier and prints what is right, by kind: ``python -m bench.facts [--show]``.

Suites that are named after it are asked alone.
"""

import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests.fakes import HashEncoder, MemoryFactStore
from tiers.cag.projection import FactProjection
from tiers.cag.tier import CagTier
from trivium.app.suite import question_of
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.result import Number, Ranking, Values
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import Lexicon, QuestionReader

ROOT: Final = Path(__file__).parents[1]
SUITES: Final = (
    ("aerospace", ROOT / "examples/aerospace", ROOT / "examples/aerospace/questions.jsonl"),
    ("hospital", ROOT / "router/examples/hospital", ROOT / "bench/questions/facts_hospital.jsonl"),
    ("shipping", ROOT / "router/examples/shipping", ROOT / "bench/questions/facts_shipping.jsonl"),
    ("grid", ROOT / "router/examples/grid", ROOT / "bench/questions/facts_grid.jsonl"),
    *(
        (
            name,
            ROOT / f"bench/questions/domains/{name}",
            ROOT / f"bench/questions/facts_{name}.jsonl",
        )
        for name in ("construction", "ferries", "airport")
    ),
)
_SOFT: Final = frozenset({"unknown_entity", "not_in_schema", "no_evidence"})
"""Reasons that differ by a hair; ``ambiguous`` is none of them."""

Row: TypeAlias = Mapping[str, Any]  # a row of a suite; ``gold`` has many shapes


@cache
def encoder() -> OnnxEncoder:
    """Return the one encoder of a bench."""
    return OnnxEncoder.open(ROOT / "models/encoder")


async def known_of(directory: Path) -> tuple[Lexicon, MemoryFactStore]:
    """Return the words and the facts of one data set."""
    changes = [
        replace(change, sequence=n) for n, change in enumerate(read_dataset(directory).changes, 1)
    ]
    store = MemoryFactStore()
    await FactProjection(store).apply(changes, len(changes))
    return lexicon_of(changes), store


async def open_suite(directory: Path) -> tuple[QuestionReader, CagTier]:
    """Return a reader and a fact tier that know one data set."""
    lexicon, store = await known_of(directory)
    return QuestionReader(HashEncoder(), lexicon), CagTier(store, lexicon, encoder())


def is_right(gold: Mapping[str, Any], got: TierResult) -> bool:
    """Whether a result has what a right answer must have, and abstains where it must."""
    if gold.get("abstain"):
        reason = got.reason.value if got.reason else ""
        alike = reason == gold["reason"] or {reason, gold["reason"]} <= _SOFT
        return got.status is TierStatus.MISS and alike
    if got.status is TierStatus.MISS or not all(_stands(got, v) for v in gold["values"]):
        return False
    first = got.statements[0].text
    if "truth" in gold and not first.startswith("Yes" if gold["truth"] else "No"):
        return False
    if "leader" in gold and f"({gold['leader']})" not in first.split(":", maxsplit=1)[0]:
        return False
    if "node" in gold and gold["node"] not in _entities(got):
        return False
    if "history" in gold and not _tells(got, gold["history"], gold.get("change")):
        return False
    if "unit" in gold and not any(
        set(gold["unit"].split()) <= set((u or "").split()) for u in _units(got)
    ):
        return False
    return not gold.get("ordered") or _entities(got)[: len(gold["nodes"])] == gold["nodes"]


def _entities(got: TierResult) -> list[str]:
    for result in (got.result, *got.also):
        match result:
            case Ranking(pairs=pairs):
                return [entity for entity, _ in pairs]
            case Values(values=values):
                return [v.entity for v in values]
            case _:
                continue
    return []


def _tells(got: TierResult, history: Sequence[Sequence[object]], change: float | None) -> bool:
    """Whether the result is a history, each value with its day, and the change is said."""
    told = [
        [v.as_of, v.value]
        for r in (got.result, *got.also)
        if isinstance(r, Values)
        for v in r.values
    ]
    return told == history and (change is None or _stands(got, change))


def _units(got: TierResult) -> Iterator[str | None]:
    for result in (got.result, *got.also):
        match result:
            case Number(unit=unit):
                yield unit
            case Values(values=values):
                yield from (v.unit for v in values)
            case _:
                continue


def _stands(got: TierResult, value: object) -> bool:
    """Whether a value stands in what is said: a number as one of its own, a date in any form."""
    said = " ".join(s.text for s in got.statements).casefold()
    if isinstance(value, int | float):
        words = (word.strip("().,:;%") for word in said.replace(",", "").split())
        return any(_number(word) == round(float(value), 4) for word in words)
    text = str(value).casefold()
    return text in said or _spelt(text) in said


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _spelt(text: str) -> str:
    try:
        return f"{date.fromisoformat(text):%d %B %Y}".lstrip("0").casefold()
    except ValueError:
        return text


def _rows(path: Path) -> list[Row]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [row for row in rows if row["tiers"] == ["cag"]]


async def run(name: str, directory: Path, path: Path, *, show: bool) -> dict[str, list[bool]]:
    """Ask one suite; return right or wrong by kind."""
    reader, tier = await open_suite(directory)
    tally: dict[str, list[bool]] = defaultdict(list)
    for row in _rows(path):
        got = await tier.retrieve(reader.read(question_of(row)), Deadline.after(5))
        right = is_right(row["gold"], got)
        tally["abstention" if row["gold"].get("abstain") else row["category"]].append(right)
        if show and not right:
            said = " | ".join(s.text for s in got.statements[:4])
            print(f"WRONG {row['id']} {row['query']}\n  {row['gold']}")
            print(f"  {got.reason} {got.why} {said}")
    _print(name, tally)
    return tally


def _print(name: str, tally: Mapping[str, Sequence[bool]]) -> None:
    for kind, marks in sorted(tally.items()):
        print(f"{name:10} {kind:12} {sum(marks):3} of {len(marks)}")


def _share(marks: Iterable[bool]) -> str:
    kept = list(marks)
    return f"{sum(kept)} of {len(kept)} = {sum(kept) / max(1, len(kept)):.3f}"


async def main(names: Sequence[str], *, show: bool) -> None:
    """Ask every suite, or those of ``names``, and print the shares."""
    begin = time.perf_counter()
    tallies = [await run(*suite, show=show) for suite in SUITES if suite[0] in (names or suite)]
    seconds = time.perf_counter() - begin
    marks = [(kind, m) for tally in tallies for kind, kept in tally.items() for m in kept]
    print("values      ", _share(m for kind, m in marks if kind != "abstention"))
    print("abstentions ", _share(m for kind, m in marks if kind == "abstention"))
    print(f"{1000 * seconds / len(marks):.1f} ms a question, data sets read included")


if __name__ == "__main__":
    given = sys.argv[1:]
    asyncio.run(main([name for name in given if name != "--show"], show="--show" in given))
