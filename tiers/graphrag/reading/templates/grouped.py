"""A number for each value of a property: "how many sites per region", "average price by colour"."""

from collections.abc import Sequence
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.figures import Group
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.measuring import Measure, numbers_said
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.sketch import PropertyWord, Sketch
from tiers.graphrag.reading.templates.common import counts_type, finish, least_first, limit_of
from tiers.graphrag.reading.tree import said
from trivium.domain.question import Span
from trivium.domain.schema import PropertyKind
from trivium.language.text import spoken, stem, stems

_EACH: Final = frozenset({"each", "per", "every"})
_CLASSES: Final = frozenset(
    {"year", "vintage", "tier", "level", "class", "grade", "month", "quarter", "built"}
)
"""Words in the names of numbers that few things share, and that things fall into groups by."""
_SURE: Final = 0.8
_MAX_OPENING: Final = 8
"""Words before a measure's group in which it may be named."""


def grouped(draft: Draft) -> Plan | None:
    """Read a count, a sum or an average for each value of a property of what is asked for."""
    word = _group(draft) or _asked_value(draft)
    focus = _owner(draft.sketch, word) if word else None
    if word is None or focus is None:
        return None
    draft.used |= {c.span for c in draft.cues("rank", "single", "plural") if _is_at(word, c.span)}
    how = "mean" if draft.cues("average") else "sum"
    measure = None if counts_type(draft) else _measure(draft, focus, word)
    tree = grow(draft, focus)
    nodes = resolve(draft, tree)
    scores = draft.plan.add(
        "aggregate_over_type",
        type=focus,
        property=measure.name if measure else None,
        how=how if measure else "count",
        by=Group(property=word.name),
        nodes=nodes,
        as_of=draft.when,
    )
    first = not least_first(draft)
    draft.plan.add("rank_scores", scores=scores, highest_first=first, limit=_limit(draft, word))
    what = f"{how} of {measure.name} of" if measure else "number of"
    return finish(draft, Form.RANKING, "grouped", f"{what} {said(tree)} for each {word.name}")


def _group(draft: Draft) -> PropertyWord | None:
    """Return the property after "per", "in each" or, where something is summed up, "by"."""
    sketch = draft.sketch
    sums_up = draft.cues("count", "sum", "average", "breakdown")
    typed = {i for t in sketch.types for i in t.span}
    for word in sorted(sketch.properties, key=lambda w: -w.score):
        before = sketch.words(word.span.first - 1, word.span.first)
        is_each = bool(_EACH & set(before)) or (before == ["by"] and bool(sums_up))
        if is_each and word.score >= _SURE and word.span.first not in typed:
            return word
    return None


def _asked_value(draft: Draft) -> PropertyWord | None:
    """Return the property in "which region has the most sites", "which crew ran the most lines"."""
    sketch = draft.sketch
    cues = draft.cues("most", "least")
    if not cues or sketch.words(0, 1) not in (["which"], ["what"]):
        return None
    word = next((w for w in sketch.properties if w.span.first == 1 and w.score >= _SURE), None)
    if word is None or not any(t.span.first > word.span.last for t in sketch.types):
        return None
    between = [w for w in sketch.words(word.span.last, cues[0].span.first) if w != "the"]
    return (
        word
        if between in (["has"], ["have"], ["had"], ["do"], ["did"])
        or _is_verb(sketch, word, between)
        else None
    )


def _is_verb(sketch: Sketch, word: PropertyWord, between: Sequence[str]) -> bool:
    """Whether one verb alone stands after a word: "which carrier carried the most"."""
    return len(between) == 1 and any(t.span.first == word.span.last for t in sketch.relations)


def _owner(sketch: Sketch, word: PropertyWord) -> str | None:
    """Return the type whose entities fall into groups: the one asked for, else the first named."""
    named = [t.type for t in (*sketch.wanted, *sketch.types)]
    return next((t for t in named if t in word.owners and _is_groupable(sketch, t, word)), None)


def _is_groupable(sketch: Sketch, owner: str, word: PropertyWord) -> bool:
    kind = sketch.schema.node_types[owner].properties[word.name].kind
    is_class = bool({stem(w) for w in _CLASSES} & set(stems(spoken(word.name))))
    return kind in {PropertyKind.CATEGORY, PropertyKind.BOOLEAN} or is_class


def _measure(draft: Draft, focus: str, word: PropertyWord) -> Measure | None:
    """Return the number that is summed or averaged, where one is named."""
    near = Span(first=max(0, word.span.first - _MAX_OPENING), last=word.span.first)
    found: Sequence[Measure] = list(numbers_said(draft, focus, near, None))
    own = (m for m in found if m.is_own and m.name != word.name)
    return next(own, None)


def _is_at(word: PropertyWord, span: Span) -> bool:
    return span.last == word.span.first


def _limit(draft: Draft, word: PropertyWord) -> int | None:
    """Return how many groups are asked for: one for "which region has the most"."""
    asks_one = draft.sketch.words(0, 1) in (["which"], ["what"]) and word.span.first == 1
    return limit_of(draft) or (1 if asks_one else None)
