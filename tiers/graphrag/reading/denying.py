"""Comparisons that are denied: "not older than 2015" is of that year or younger."""

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.conditions import NEGATED, Test
from tiers.graphrag.reading.listing import NOT
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import Statement

_NOT: Final = NOT | {"neither", "nor"}
_OF: Final = frozenset({"a", "an", "the", "of"})
_FAR: Final = 2
"""Words between a denial and the comparison that it turns: "not released after"."""


def denied(sketch: Sketch, statement: Statement) -> Statement:
    """Turn a comparison that is denied right before it: "not older than 2015"."""
    if statement.test is Test.EQUALS or statement.test not in NEGATED:
        return statement
    first = statement.span.first
    named_at = {i for p in sketch.properties for i in p.span}
    near = [
        c.span
        for c in sketch.question.cues_of("negation")
        if 0 <= _n_between(sketch, c.span.last, first, named_at) <= _FAR
        and not sketch.is_parted(c.span.first, first)
        and set(sketch.words(c.span.first, c.span.last)) & _NOT
    ]
    named = [t.span for t in sketch.types] + [a.span for a in sketch.anchors]
    free = [s for s in near if not any(s.last <= n.first < first for n in named)]
    if not free:
        return statement
    return replace(statement, test=NEGATED[statement.test], spans=statement.spans | {free[-1]})


def _n_between(sketch: Sketch, last: int, first: int, named: AbstractSet[int]) -> int:
    """Return how many words part two places; "a wage of" before a number says its property."""
    between = set(range(last, first))
    if between & named:
        between -= named | {i for i in between if sketch.tokens[i].lower in _OF}
    return len(between) if last <= first else -1
