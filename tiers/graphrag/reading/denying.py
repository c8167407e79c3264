"""Comparisons that are denied, "not older than 2015", and a denial that only tells of a fault."""

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.conditions import NEGATED, Test
from tiers.graphrag.reading.listing import NOT
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import Statement
from trivium.domain.question import Cue

_NOT: Final = NOT | {"neither", "nor"}
_OF: Final = frozenset({"a", "an", "the", "of"})
_GETTING: Final = frozenset(
    {"get", "receive", "obtain", "run", "work", "operate", "function", "open", "start"}
)
_ABLE: Final = frozenset({"be", "able", "to", "any", "longer"})
"""What one would do, had nothing failed, and the words before it."""
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


def goes_without(sketch: Sketch, cue: Cue) -> bool:
    """Whether a fault takes what somebody else would get: "who would not get their milk if"."""
    said = sketch.words(cue.span.first - 1, cue.span.last)
    after = [w for w in sketch.words(cue.span.last, cue.span.last + 3) if w not in _ABLE]
    is_modal = bool({"would", "will", "wouldn", "won", "wont", "wouldnt"} & set(said))
    return is_modal and bool(_GETTING & set(after[:1])) and sketch.has("removal")
