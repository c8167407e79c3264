"""Judges the answers of architectures: the exact answer, the entities named, the task's measure.

An architecture that computes gives a structured result. One that retrieves or writes gives a text,
which is taken for what the question asks of it: the entities that it names, in their order, as the
one linker finds them, but for those that the question names itself.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench import scoring
from trivium.app.grading import is_right
from trivium.app.suite import stands
from trivium.language.names import NameIndex

CAUSAL: Final = frozenset({"what_if", "downstream", "impact", "multi_hop", "disruption"})
"""Categories that ask what follows from what: here causal coverage is measured."""

_MARKS: Final = re.compile(r"[,;:()\[\]|→]|->|\s[-–—]\s")
"""What stands between names, and seldom within one."""

Json = Any  # whatever JSON holds
Gold = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an architecture says to one question."""

    text: str
    result: Mapping[str, Json] | None = None
    """The door's form; ``None`` where the architecture gives text alone."""
    reason: str | None = None
    """Why it abstains."""
    failed: str | None = None
    """Why it could not work at all, such as a model that did not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What one answer is worth; a measure that the question does not call for is ``None``."""

    is_exact: bool
    f1: float
    """Over the entities of gold and of the question; the paper's Table XVIII has both, too."""
    f1_beyond: float
    """The same without those of the question on either side: to repeat it earns nothing."""
    ranking: float | None = None
    completeness: float | None = None
    coverage: float | None = None


class Judge:
    """Marks answers about the entities of one data set."""

    def __init__(self, names: NameIndex) -> None:
        self._names = names

    def marks(self, row: Mapping[str, Json], asked: Collection[str], answer: Answer) -> Marks:
        """Return the marks of an answer.

        Args:
            row: the question, with its ``gold`` and ``category``.
            asked: the entities that the question names.
            answer: what was said.
        """
        gold: Gold = row["gold"]
        if not answer.text or answer.reason or answer.failed:
            return _silent(row, is_exact=is_right(gold, {}, answer.reason) and not answer.failed)
        named = self.named(answer.text)
        others = [key for key in named if key not in asked]
        structured, wanted = answer.result or {}, self._wanted(gold)
        return Marks(
            is_exact=self._is_exact(gold, asked, answer, named),
            f1=max(scoring.entity_f1(s | set(asked), named) for s in wanted),
            f1_beyond=max(scoring.entity_f1(s - set(asked), others) for s in wanted),
            ranking=scoring.ranking_accuracy(
                [(key, number) for key, number in gold["ranking"]],
                _order(structured) if answer.result is not None else others,
            )
            if "ranking" in gold
            else None,
            completeness=_completeness(gold, answer, named) if "compare" in gold else None,
            coverage=scoring.causal_coverage(_effects(gold), others) if _is_causal(row) else None,
        )

    def named(self, text: str) -> list[str]:
        """Return the entities that a text names in full or by id, each once, in order."""
        return list(dict.fromkeys(key for line in text.splitlines() for key in self._tag(line)))

    def _tag(self, line: str) -> Sequence[str]:
        """Return what a line names; between marks first, so that ids in a row stay apart."""
        parts = [*_MARKS.split(line), line]
        return tuple(dict.fromkeys(key for part in parts for key in self._names.tag(part)))

    def _wanted(self, gold: Gold) -> list[set[str]]:
        """Return the sets of entities that a right answer names; one of them is enough.

        Of a ranking whose leaders are asked for, the leaders are.
        """
        if "path" in gold:
            ways = gold["path"]
            return [set(way) for way in (ways if isinstance(ways[0], list) else [ways])]
        key = next((key for key in ("top", "ids") if key in gold), None)
        rest = {k: v for k, v in gold.items() if k != "ranking"} if key else gold
        return [{text for text in _texts(rest) if text in self._names}]

    def _is_exact(
        self, gold: Gold, asked: Collection[str], answer: Answer, named: Sequence[str]
    ) -> bool:
        if answer.result is not None:
            return is_right(gold, answer.result, None)
        if "compare" in gold:
            return scoring.told_completeness(gold["compare"], answer.text, named) == 1.0
        if "number" in gold:
            return stands(answer.text, gold["number"])
        return is_right(gold, self._read(gold, asked, answer.text, named), None)

    def _read(
        self, gold: Gold, asked: Collection[str], text: str, named: Sequence[str]
    ) -> Mapping[str, Json]:
        """Return what a text is taken for, by what the question asks for."""
        if "path" in gold:
            return {"kind": "path", "path": named}
        if "ranking" in gold and "ids" not in gold and "top" not in gold:
            return {"kind": "ranking", "ranking": list(self._ranked(text))}
        return {"kind": "nodes", "ids": [key for key in named if key not in asked]}

    def _ranked(self, text: str) -> Iterator[tuple[str, float]]:
        """Give the lines that name one entity, each with the last number that stands in it."""
        for line in text.splitlines():
            found = self._tag(line)
            if len(found) != 1:
                continue
            rest = line.replace(self._names.name(found[0]), "").replace(found[0], "")
            if numbers := re.findall(r"\d+(?:\.\d+)?", rest):
                yield found[0], float(numbers[-1])


def _silent(row: Mapping[str, Json], *, is_exact: bool) -> Marks:
    """Return the marks of no answer: to say nothing is not to say that there is none."""
    gold = row["gold"]
    return Marks(
        is_exact=is_exact,
        f1=0.0,
        f1_beyond=0.0,
        ranking=0.0 if "ranking" in gold else None,
        completeness=0.0 if "compare" in gold else None,
        coverage=0.0 if _is_causal(row) else None,
    )


def _is_causal(row: Mapping[str, Json]) -> bool:
    return row.get("category") in CAUSAL and "ids" in row["gold"]


def _order(result: Mapping[str, Json]) -> list[str]:
    """Return the entities of a structured result, the first of a ranking first."""
    return [key for key, _ in result.get("ranking", [])] or list(result.get("ids", []))


def _completeness(gold: Gold, answer: Answer, named: Sequence[str]) -> float:
    if answer.result is None:
        return scoring.told_completeness(gold["compare"], answer.text, named)
    return scoring.completeness(gold["compare"], answer.result.get("comparison") or {})


def _effects(gold: Gold) -> set[str]:
    return {*gold["ids"], *gold.get("via", ())}


def _texts(value: Json) -> Iterator[str]:
    """Give every text in nested JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
