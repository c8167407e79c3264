"""Levels held against each other: "rated below high", "medium or worse", "B or better"."""

from collections.abc import Mapping
from typing import Final

from tiers.graphrag.reading.sketch import Sketch, ValueWord
from tiers.graphrag.reading.statement import property_of
from trivium.domain.schema import Property, Schema
from trivium.language.text import fold
from trivium.language.words import general_words

_ABOVE: Final = frozenset({"above", "over", "exceeding", "beyond"})
_BELOW: Final = frozenset({"below", "under", "beneath"})
_MORE: Final = frozenset({"higher", "more", "greater", "up", *_ABOVE})
_LESS: Final = frozenset({"lower", "less", "down", *_BELOW})
_GRADED: Final = {"better": True, "worse": False}
"""Words that say which end is good: of grades the first letter, of a severity the mildest."""


def levels_beyond(sketch: Sketch, word: ValueWord) -> tuple[str, ...] | None:
    """Return the values that a level lets in; ``None``: it is said for itself alone."""
    item = next((p for o, n in word.owners if (p := property_of(sketch, o, n))), None)
    ranks = _ranks(sketch.schema, item) if item else {}
    own = ranks.get(fold(word.value))
    if item is None or own is None:
        return None
    is_grade = len(fold(word.value)) == 1
    first, last = word.span.first, word.span.last
    before, after = sketch.words(first - 2, first), sketch.words(last, last + 2)
    named = next((p.span.last for p in sketch.properties if p.span.first == last), last)
    if named > last:  # "high severity or worse"
        after = sketch.words(named, named + 2)
    if before[-1:] == ["than"]:
        up, is_own = _direction(before[0], is_grade=is_grade), False
    elif after[:1] in (["or"], ["and"]) and after[1:]:
        up, is_own = _direction(after[1], is_grade=is_grade), True
    elif before in (["at", "least"], ["at", "most"]):
        up, is_own = before[1] == "least", True
    else:
        said = before[-1] if before else ""
        up, is_own = (said in _ABOVE if said in _ABOVE | _BELOW else None), False
    if up is None:
        return None
    return tuple(
        value
        for value in item.values
        if ((rank := ranks[fold(value)] - own) == 0 and is_own) or (rank > 0 if up else rank < 0)
    )


def levels_left(sketch: Sketch, word: ValueWord, levels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the other values of the property that some levels are of."""
    item = next((p for o, n in word.owners if (p := property_of(sketch, o, n))), None)
    return tuple(v for v in item.values if v not in levels) if item else ()


def _direction(said: str, *, is_grade: bool) -> bool | None:
    """Return whether a word means more of what is ranked; ``None``: it compares nothing."""
    if said in _GRADED:
        return _GRADED[said] is is_grade
    return True if said in _MORE else False if said in _LESS else None


def _ranks(schema: Schema, item: Property) -> Mapping[str, float]:
    """Return how high each value of a property stands; nothing, where they are no levels."""
    weights = {**general_words().severity, **schema.risk.weights}
    values = [fold(v) for v in item.values]
    if values and all(v in weights for v in values):
        return {v: weights[v] for v in values}
    if values and all(len(v) == 1 and v.isalpha() for v in values):
        return {v: -float(ord(v)) for v in values}
    return {}
