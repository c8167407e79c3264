"""Runs a data set's own questions end to end: ``python -m bench.suite [DIR] [--show]``.

A row is right when the answer has what its gold asks of each tier: the graph's exact result, the
values that must stand in the text, the documents that must be cited, and what must and must not be
said.
"""

import argparse
import asyncio
import contextlib
import json
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from bench import grading
from trivium.app.bootstrap import open_service
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.domain.deadline import Deadline
from trivium.domain.door import response
from trivium.domain.question import Question, Turn
from trivium.knowledge.dataset import read_dataset

_GRAPH: Final = ("ids", "ranking", "number", "bool", "path", "compare", "date")

Row = Mapping[str, Any]  # JSON
Answer = Mapping[str, Any]  # JSON


def is_right(row: Row, answer: Answer) -> bool:
    """Whether an answer has all that a row's gold asks for."""
    gold = row["gold"]
    is_graph_alone = row.get("tiers", ["graph"]) == ["graph"]
    if gold.get("abstain") or is_graph_alone:
        reason = answer["reason"] if answer["status"] == "abstained" else None
        return grading.is_right(gold, answer["result"], reason)
    return (
        _says_values(gold, answer)
        and _cites(gold, answer)
        and _computes({key: gold[key] for key in _GRAPH if key in gold}, answer)
    )


def _says_values(gold: Row, answer: Answer) -> bool:
    if "values" not in gold:
        return True
    told = json.dumps(answer["result"].get("values", []), ensure_ascii=False)
    said = f"{answer['answer']} {told}"
    return answer["status"] != "abstained" and all(stands(said, v) for v in gold["values"])


def _cites(gold: Row, answer: Answer) -> bool:
    cited = {c["source"] for c in answer["citations"] if c["tier"] == "rag"}
    said = answer["answer"]
    return (
        set(gold.get("docs", ())) <= cited
        and all(stands(said, part) for part in gold.get("contains", ()))
        and not any(stands(said, part) for part in gold.get("not_contains", ()))
    )


def _computes(gold: Row, answer: Answer) -> bool:
    if not gold:
        return True
    result = answer["results"].get("graph") or answer["result"]
    is_said = "number" in gold and stands(answer["answer"], gold["number"])
    return grading.is_right(gold, result, None) or is_said


def stands(text: str, value: object) -> bool:
    """Whether a value stands in a text: a number as one of its own, a date in any usual form.

    >>> stands("It takes 1,250 days.", 1250), stands("120 days", "20")
    (True, False)
    """
    said = text.casefold()
    wanted = str(value).casefold()
    with contextlib.suppress(ValueError):
        number = float(wanted)
        words = (w.strip("().,:;%[]$€") for w in said.replace(",", "").split())
        return any(_same(word, number) for word in words)
    with contextlib.suppress(ValueError):
        return any(form.casefold() in said for form in _spelt(date.fromisoformat(wanted)))
    return wanted in said


def _same(word: str, number: float) -> bool:
    with contextlib.suppress(ValueError):
        return abs(float(word) - number) <= 0.005
    return False


def _spelt(day: date) -> Iterator[str]:
    yield day.isoformat()
    for month in ("%B", "%b"):
        yield f"{day.day} {day.strftime(month)} {day.year}"
        yield f"{day.strftime(month)} {day.day}, {day.year}"


def question_of(row: Row) -> Question:
    """Return the question of a row."""
    turns = tuple(Turn(t["role"], t["content"]) for t in row.get("history") or ())
    return Question(text=row["query"], history=turns, as_of=row.get("as_of"))


@contextlib.asynccontextmanager
async def opened(directory: Path) -> AsyncIterator[Service]:
    """Open a service in a home of its own that knows a data set."""
    with tempfile.TemporaryDirectory(prefix="trivium-suite-") as folder:
        settings = Settings.model_validate({"home": Path(folder) / "home"})
        async with open_service(settings) as service:
            await service.knowledge.load(read_dataset(directory))
            yield service


async def run(directory: Path) -> Sequence[tuple[Row, Answer]]:
    """Answer every question of a data set."""
    lines = (directory / "questions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    async with opened(directory) as service:
        return [
            (row, response(await service.pipeline.ask(question_of(row), Deadline.after(30))))
            for row in rows
        ]


def main() -> None:
    """Print the share that is right, by tiers, and how many went the right way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=Path("examples/aerospace"))
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    tally: dict[str, list[bool]] = defaultdict(list)
    n_routed = 0
    outcomes = asyncio.run(run(options.directory))
    for row, answer in outcomes:
        right = is_right(row, answer)
        tally["+".join(row["tiers"]) or "none"].append(right)
        n_routed += answer["route"]["tiers"] == row["tiers"]
        if options.show and not right:
            print(f"WRONG {row['id']} {row['tiers']} | {row['query']}")
            print(f"      gold {json.dumps(row['gold'])[:220]}")
            print(f"      got  {answer['route']['tiers']} {answer['status']} {answer['reason']}")
            print(f"      {json.dumps(answer['result'])[:200]} | {answer['answer'][:300]!r}")
    for name in sorted(tally):
        print(f"{name:16s} {sum(tally[name]):3d} / {len(tally[name])}")
    n_right = sum(sum(marks) for marks in tally.values())
    print(f"right answers    {n_right} / {len(outcomes)} = {n_right / len(outcomes):.3f}")
    print(f"right routes     {n_routed} / {len(outcomes)} = {n_routed / len(outcomes):.3f}")


if __name__ == "__main__":
    main()
