"""First and last by a date: "which was installed first", "the latest outage"."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.measuring import described_by_adjective
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.templates.common import counted_or_listed, finish, limit_of
from tiers.graphrag.reading.templates.focus import asked_type
from trivium.domain.question import Span
from trivium.domain.schema import PropertyKind
from trivium.language.text import stems

_FIRST: Final = frozenset({"first", "earliest", "oldest", "longest"})
_LAST: Final = frozenset({"last", "latest", "newest", "recent", "recently", "lately"})
_ORDINAL: Final = frozenset({"first", "last"})
"""Words that are as often said of days and steps as of the order of things."""
_SURE: Final = 0.8
_FAR_BEEN: Final = 6
"""Words from "has" to "longest"."""


def earliest(draft: Draft) -> Plan | None:
    """Read the first or the last of what is asked for, by a date that it has."""
    sketch = draft.sketch
    at = next((i for i, t in enumerate(sketch.tokens) if _is_order(draft, i, t.lower)), None)
    focus = asked_type(draft) if at is not None and not sketch.question.times else None
    name = _date(draft, focus, at) if at is not None and focus else None
    if at is None or focus is None or name is None:
        return None
    draft.used |= {
        c.span for c in draft.cues("most", "least", "rank") if abs(c.span.first - at) <= 1
    }
    is_first = sketch.tokens[at].lower in _FIRST
    nodes = members(draft, focus)
    is_day = sketch.schema.node_types[focus].properties[name].kind is PropertyKind.DATE
    numbers = "node_days" if is_day else "node_values"
    days = draft.plan.add(numbers, nodes=nodes, property=name)
    said = f"{draft.said[-1]}, the {'first' if is_first else 'last'} by {name}"
    limit = limit_of(draft)
    if limit and limit > 1:
        ranked = draft.plan.add("rank_scores", scores=days, highest_first=not is_first, limit=limit)
        found = draft.plan.add("members_of", scores=ranked)
        return counted_or_listed(draft, found, "earliest", said)
    draft.plan.add("leaders", scores=days, highest=not is_first)
    return finish(draft, Form.NODES, "earliest", said)


def _is_order(draft: Draft, index: int, word: str) -> bool:
    """Whether a word asks for the first or the last of things, rather than for a first day."""
    sketch = draft.sketch
    if word == "longest":
        is_tenure = sketch.words(index + 1, index + 2) in (["ago"], ["serving"], ["standing"])
        return is_tenure or _has_been(draft, index)
    if word in {"recent", "recently"}:
        return sketch.words(index - 1, index) == ["most"]
    if word in _ORDINAL:
        after = sketch.words(index + 1, index + 2)
        ends = index + 1 in sketch.breaks or index + 1 == len(sketch.tokens) or after == ["to"]
        before = [p for p in sketch.properties if p.span.last == index and p.score >= _SURE]
        return bool(ends or before or _is_to_be(draft, index))
    return word in _FIRST | _LAST


def _has_been(draft: Draft, index: int) -> bool:
    """Whether it is asked what has been so for longest: "has been open longest"."""
    before = draft.sketch.words(index - _FAR_BEEN, index)
    ends = index + 1 == len(draft.sketch.tokens) or index + 1 in draft.sketch.breaks
    return ends and "been" in before and bool({"has", "have"} & set(before))


def _is_to_be(draft: Draft, index: int) -> bool:
    """Whether the first of a type to be something is meant: "the first cable to be laid"."""
    word = draft.sketch.type_after(index + 1, within=1)
    after = draft.sketch.words(word.span.last, word.span.last + 2) if word else []
    return after[:1] == ["to"] or after in (["that", "was"], ["which", "was"], ["we", "had"])


def _date(draft: Draft, focus: str, at: int) -> str | None:
    """Return the date property that tells the order: named, else the only one, or an event's."""
    sketch = draft.sketch
    kind = sketch.schema.node_types[focus]
    dated = [p.name for p in kind.properties.values() if p.kind is PropertyKind.DATE]
    years = [
        p.name
        for p in kind.properties.values()
        if p.kind is PropertyKind.NUMBER and "year" in stems(p.description)
    ]
    is_to_be = _is_to_be(draft, at)
    named = [
        p
        for p in sketch.properties
        if focus in p.owners and (p.name in dated or (is_to_be and p.name in years))
    ]
    if named:
        return max(named, key=lambda p: (p.score, -abs(p.span.first - at))).name
    if sketch.tokens[at].lower in _ORDINAL:
        return None
    if kind.is_event and sketch.schema.risk.started_property in dated:
        return sketch.schema.risk.started_property
    by_number = described_by_adjective(draft, focus, Span(first=at, last=at + 1))
    if any(m.is_own for m in by_number):
        return None
    is_other = any(t.type != focus for t in sketch.types)
    return dated[0] if len(dated) == 1 and not is_other else None
