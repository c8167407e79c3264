"""A data set's own questions, and what is wrong with the answers to them.

An answer is right when it has what the row's gold asks of each tier: the graph's exact result, the
values that must stand in the text, the documents that must be cited, and what must and must not be
said.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from trivium.app import grading
from trivium.domain.errors import InputError
from trivium.domain.question import Question, TierName, Turn

Row: TypeAlias = Mapping[str, Any]  # Any: JSON
Answer: TypeAlias = Mapping[str, Any]  # Any: JSON

_GRAPH: Final = ("ids", "ranking", "number", "bool", "path", "compare", "date")
_AROUND: Final = re.compile(r"^[^\w-]+|[^\w]+$")
"""Marks before and after a number: brackets, stops, signs of money."""
_LONGEST: Final = 200


class Aspect(StrEnum):
    """What of an answer may be wrong."""

    ANSWER = "answer"
    """There is none: it failed, it abstained, or it did not where it should have."""
    RESULT = "result"
    VALUES = "values"
    CITATIONS = "citations"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with an answer."""

    aspect: Aspect
    what: str


def faults(row: Row, answer: Answer) -> tuple[Fault, ...]:
    """Return what of a row's gold an answer lacks; nothing when it is right."""
    gold = row["gold"]
    is_abstention = answer["status"] == "abstained"
    reason = answer["reason"] if is_abstention else None
    if gold.get("abstain") or row.get("tiers", ["graph"]) == ["graph"]:
        if grading.is_right(gold, answer["result"], reason):
            return ()
        is_answer = bool(gold.get("abstain")) or is_abstention
        aspect = Aspect.ANSWER if is_answer else Aspect.RESULT
        got = f"it abstained ({reason})" if is_abstention else _short(answer["result"])
        return (Fault(aspect, f"{got}, not {_short(gold)}"),)
    return (
        *_values(gold, answer),
        *_citations(gold, answer),
        *_text(gold, answer),
        *_result({key: gold[key] for key in _GRAPH if key in gold}, answer),
    )


def is_right(row: Row, answer: Answer) -> bool:
    """Whether an answer has all that a row's gold asks for."""
    return not faults(row, answer)


def _values(gold: Row, answer: Answer) -> Iterator[Fault]:
    told = json.dumps(answer["result"].get("values", []), ensure_ascii=False)
    said = f"{answer['answer']} {told}"
    if "values" in gold and answer["status"] == "abstained":
        yield Fault(Aspect.ANSWER, f"it abstained ({answer['reason']})")
        return
    for value in gold.get("values", ()):
        if not stands(said, value):
            yield Fault(Aspect.VALUES, f"{value!r} is not told")


def _citations(gold: Row, answer: Answer) -> Iterator[Fault]:
    cited = {c["source"] for c in answer["citations"] if c["tier"] == "rag"}
    for document in gold.get("docs", ()):
        if document not in cited:
            yield Fault(Aspect.CITATIONS, f"{document} is not cited")


def _text(gold: Row, answer: Answer) -> Iterator[Fault]:
    said = answer["answer"]
    for part in gold.get("contains", ()):
        if not stands(said, part):
            yield Fault(Aspect.TEXT, f"{part!r} is not said")
    for part in gold.get("not_contains", ()):
        if stands(said, part):
            yield Fault(Aspect.TEXT, f"{part!r} is said")


def _result(gold: Row, answer: Answer) -> Iterator[Fault]:
    if not gold:
        return
    result = answer["results"].get("graph") or answer["result"]
    is_said = "number" in gold and stands(answer["answer"], gold["number"])
    if not (grading.is_right(gold, result, None) or is_said):
        yield Fault(Aspect.RESULT, f"{_short(result)}, not {_short(gold)}")


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def stands(text: str, value: object) -> bool:
    """Whether a value stands in a text: a number as one of its own, a date in any usual form.

    >>> stands("It takes 1,250 days.", 1250), stands("120 days", "20"), stands("£2.40.", "2.4")
    (True, False, True)
    """
    said = text.casefold()
    wanted = str(value).casefold()
    with contextlib.suppress(ValueError):
        number = float(wanted)
        words = (_AROUND.sub("", w) for w in said.replace(",", "").split())
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


async def read_suite(path: Path) -> Sequence[Row]:
    """Return the rows of a suite.

    Raises:
        InputError: it cannot be read, or has rows that are no questions with gold; with each.
    """
    try:
        text = await asyncio.to_thread(path.read_text, "utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8") from error
    rows, wrong = list[Row](), list[tuple[str, str]]()
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if line.strip():
                rows.append(_row(json.loads(line), number))
        except ValueError as error:
            wrong.append((f"line {number}", f"it is no JSON: {error}"))
        except InputError as error:
            wrong.append((f"line {number}", str(error)))
    if wrong or not rows:
        told = f"{len(wrong)} rows cannot be used" if wrong else "it has no question"
        raise InputError(f"{path}: {told}", wrong)
    return rows


def _row(raw: object, number: int) -> Row:
    """Return a row with its id."""
    if not isinstance(raw, dict) or not isinstance(raw.get("gold"), dict):
        raise InputError('a row is an object with "query" and "gold"')
    query, tiers = raw.get("query") or raw.get("question"), raw.get("tiers")
    if not isinstance(query, str) or not query.strip():
        raise InputError('"query" is the question')
    if tiers is not None and not (isinstance(tiers, list) and set(tiers) <= set(TierName)):
        raise InputError(f'"tiers" is a list of {", ".join(TierName)}')
    return {**raw, "query": query, "id": str(raw.get("id", number))}
