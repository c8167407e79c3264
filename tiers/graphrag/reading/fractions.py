"""Shares of one number that another is held against: "more than half of", "80 percent of"."""

from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.comparisons import comparison
from tiers.graphrag.reading.sketch import Sketch
from trivium.domain.question import Cue

_FRACTIONS: Final = {
    "half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10,
    "twice": 2.0, "double": 2.0,
}  # fmt: skip
_PERCENT: Final = frozenset({"percent", "pct", "%"})
_SKIPPED: Final = frozenset({"of", "the", "a", "an", "one", "their", "its", "his", "her", "cent"})


def _fraction_at(sketch: Sketch, at: int) -> tuple[float, int] | None:
    """Return the share that words at a place say, and where the words of the whole begin.

    Every share but "half", "twice" and "double" needs its "of".
    """
    first = at
    while sketch.words(at, at + 1) and sketch.words(at, at + 1)[0] in {"a", "an", "one"}:
        at += 1
    said = sketch.words(at, at + 1)
    factor = _FRACTIONS.get(said[0]) if said else None
    last = at + 1
    if factor is None:
        quantity = next((q for q in sketch.question.quantities if q.span.first == first), None)
        if quantity is None:
            return None
        last = quantity.span.last
        after = sketch.words(last, last + 2)
        is_sign = sketch.question.text[sketch.tokens[last - 1].end :].lstrip().startswith("%")
        if not (is_sign or after[:1] == ["percent"] or after == ["per", "cent"] or
                set(after[:1]) & _PERCENT):  # fmt: skip
            return None
        factor = quantity.number / 100
        last += 0 if is_sign and not set(after[:1]) & _PERCENT else 1 + (after == ["per", "cent"])
    needs_of = not said or said[0] not in {"half", "twice", "double"}
    if needs_of and sketch.words(last, last + 1) != ["of"]:
        return None
    while sketch.words(last, last + 1) and sketch.words(last, last + 1)[0] in _SKIPPED:
        last += 1
    return factor, last


def share_compared(sketch: Sketch, at: int) -> tuple[int, Test, float, int] | None:
    """Return where a comparison with a share that ends at ``at`` begins, and what it says."""
    found = _fraction_at(sketch, at + 1)
    cue = _cue_before(sketch, at + 1)
    return (cue.span.first, comparison(sketch, cue), *found) if found and cue else None


def _cue_before(sketch: Sketch, at: int) -> Cue | None:
    cues = sketch.question.cues_of("above", "below")
    return next((c for c in cues if c.span.last == at), None)
