"""Numbers held against others: of something named, of the average, of the thing itself.

"Which parts cost more than the gearbox", "a rating below the average", "more suppliers than X",
"whose measured availability is below their SLA".
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from tiers.graphrag.operators.conditions import NEGATED, TURNED, Test
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.crowning import crowned
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.fractions import share_compared
from tiers.graphrag.reading.likening import likenesses
from tiers.graphrag.reading.listing import NOT
from tiers.graphrag.reading.measuring import Measure, numbers_said, towards
from tiers.graphrag.reading.outdoing import against_all, against_number
from tiers.graphrag.reading.overfull import overfull
from tiers.graphrag.reading.pairing import best_pair, date_named, limit_pair
from tiers.graphrag.reading.scoring import risk_bounds
from tiers.graphrag.reading.sketch import Anchor, Sketch, TypeWord
from tiers.graphrag.reading.tree import Bound
from trivium.domain.question import Span
from trivium.language.words import asked_by_adjective

_MORE: Final = frozenset(
    {"later", "more", "higher", "greater", "longer", "larger", "bigger", "above", "over", "exceeds",
     "exceed", "beyond", "exceeding"}
)  # fmt: skip
_LESS: Final = frozenset(
    {"earlier", "less", "lower", "fewer", "smaller", "shorter", "below", "under"}
)
_BOUNDING: Final = frozenset(
    {"above", "below", "over", "under", "exceeds", "exceed", "exceeding", "beyond"}
)
"""Words that hold one number against another without "than"."""
_IN_TIME: Final = frozenset({"later", "earlier", "sooner"})
_SKIPPED: Final = frozenset(
    {"the", "our", "that", "those", "of", "an", "a", "its", "their", "than"}
)
_MAX_DENIED: Final = 4
"""Words from "not" to the comparison that it denies."""
_MAX_BEFORE: Final = 7
"""Words from a comparative to "than"."""
_NEAR: Final = 4
_NEAR_EVENT: Final = 6
"""Words from "under" to the event that something has."""
_MAX_AFTER: Final = 9
"""Words that tell the number that another is held against."""


def bounded(sketch: Sketch, draft: Draft) -> tuple[Sketch, tuple[Bound, ...]]:
    """Return the bounds that a question sets by other numbers, and the question without them."""
    numbers = (_bound(draft, at) for at in range(len(sketch.tokens)))
    found = [*likenesses(draft), *overfull(draft), *risk_bounds(draft), *crowned(draft)]
    found += [b for b in numbers if b]
    bounds = tuple(
        b for i, b in enumerate(found) if not any(b.span.overlaps(o.span) for o in found[:i])
    )
    if not bounds:
        return sketch, ()

    def is_free(span: Span) -> bool:
        return not any(span.overlaps(b.span) for b in bounds)

    numbers_left = tuple(q for q in sketch.question.quantities if is_free(q.span))
    kept = replace(
        sketch,
        question=replace(sketch.question, quantities=numbers_left),
        anchors=tuple(a for a in sketch.anchors if is_free(a.span)),
        types=tuple(t for t in sketch.types if is_free(t.span)),
        wanted=tuple(t for t in sketch.wanted if is_free(t.span)),
        properties=tuple(p for p in sketch.properties if is_free(p.span)),
        values=tuple(v for v in sketch.values if not any(v.span in b.values for b in bounds)),
        unread=tuple(s for s in sketch.unread if is_free(s)),
    )
    return kept, bounds


def _bound(draft: Draft, at: int) -> Bound | None:
    """Return the bound whose last word before the other number stands at ``at``."""
    sketch = draft.sketch
    share = share_compared(sketch, at)
    if share is not None:
        return _against_share(draft, *share)
    word = sketch.tokens[at].lower
    if word != "than" and (word not in _BOUNDING or _is_of_event(sketch, at)):
        return None
    first, test = (at, _direction(sketch, at)) if word != "than" else _comparative(sketch, at)
    if test is None:
        return None
    test = NEGATED[test] if _is_denied(sketch, first) else test
    after = at + 1
    while after < len(sketch.tokens) and sketch.tokens[after].lower in _SKIPPED:
        after += 1
    return (
        _against_average(draft, first, at, after, test)
        or against_all(draft, first, at, test)
        or against_number(draft, first, at, test)
        or _against_other(draft, first, at, after, test)
        or _against_own(draft, first, after, test)
    )


def _is_of_event(sketch: Sketch, at: int) -> bool:
    """Whether "under" only says which event something has: "under an open high alert"."""
    events = [t for t in sketch.types if sketch.schema.node_types[t.type].is_event]
    return sketch.tokens[at].lower == "under" and any(
        0 < t.span.first - at <= _NEAR_EVENT for t in events
    )


def _is_denied(sketch: Sketch, first: int) -> bool:
    """Whether a comparison is denied right before it: "not reserved above what he may settle"."""
    named = [t.span.last for t in sketch.types if t.span.last <= first]
    start = max([first - _MAX_DENIED, *sketch.breaks & set(range(first)), *named])
    denials = sketch.question.cues_of("negation")
    return any(start <= c.span.first < first and NOT & _said(sketch, c.span) for c in denials)


def _said(sketch: Sketch, span: Span) -> set[str]:
    return set(sketch.words(span.first, span.last))


def _comparative(sketch: Sketch, than: int) -> tuple[int, Test | None]:
    """Return where the comparative before "than" stands, and what it says."""
    for index in range(than - 1, max(-1, than - _MAX_BEFORE), -1):
        if index + 1 in sketch.breaks:
            break
        test = _direction(sketch, index)
        if test is not None:
            if index and sketch.tokens[index - 1].lower == "less":
                return index - 1, TURNED[test]
            return index, test
    return than, None


def _direction(sketch: Sketch, index: int) -> Test | None:
    """Return what a word compares towards: "higher", "cheaper", "below"."""
    word = sketch.tokens[index].lower
    if word in _MORE or word in _LESS:
        return Test.ABOVE if word in _MORE else Test.BELOW
    if sketch.words(index + 1, index + 2) != ["than"]:
        return None
    _, is_low = next(asked_by_adjective(sketch.tokens[index].stem), (None, None))
    return None if is_low is None else Test.BELOW if is_low else Test.ABOVE


# --- against what -------------------------------------------------------------------------------


def _against_average(draft: Draft, first: int, at: int, after: int, test: Test) -> Bound | None:
    """Read "than the average component", "below average"."""
    sketch = draft.sketch
    cue = next((c for c in sketch.question.cues_of("average") if c.span.first == after), None)
    if cue is None:
        return None
    word = next((t for t in sketch.types if 0 <= t.span.first - cue.span.last <= 1), None)
    own = [t for t in sketch.types if t.span.last <= first]
    host = word.type if word else own[-1].type if own else None
    if host is None or not any(t.type == host for t in own):
        return None
    last = word.span.last if word else cue.span.last
    near = Span(first=first, last=min(last + _NEAR, len(sketch.tokens)))
    measure = _measure(draft, host, near, at)
    if measure is None:
        return None
    is_before = first - _NEAR < measure.span.first < first
    return Bound(
        type=host,
        span=Span(first=measure.span.first if is_before else first, last=last),
        said=f"{measure.name} {test.value} the average",
        narrow=partial(_narrow, measure, test, None),
    )


def _against_other(draft: Draft, first: int, at: int, after: int, test: Test) -> Bound | None:
    """Read "cheaper than X", "more suppliers than X"."""
    sketch = draft.sketch
    other = next((a for a in sketch.anchors if a.span.first == after and len(a.ids) == 1), None)
    is_of = sketch.words(at + 1, at + 3) == ["that", "of"]
    if other is None or not (is_of or sketch.tokens[at].lower == "than"):
        return None
    hosts = [t for t in sketch.types if t.type == other.type and t.span.last <= first]
    alike = [a for a in sketch.anchors if a.type == other.type]
    if not hosts or len(alike) > 1:
        return None
    span = Span(first=first, last=other.span.last)
    counted = next(
        (t for t in sketch.types if first < t.span.first < at and t.type != other.type), None
    )
    if counted and sketch.tokens[first].lower in {"more", "less", "fewer"}:
        narrow: Callable[[Draft, Ref], Ref] = partial(_narrow_counted, counted, test, other)
        said = f"number of {counted.type} {test.value} that of {other.label}"
        return Bound(type=other.type, span=span, said=said, narrow=narrow)
    measure = _measure(draft, other.type, span, at)
    if measure is None:
        return None
    test = towards(sketch.tokens[first].stem, measure, test)
    said = f"{measure.name} {test.value} that of {other.label}"
    narrow = partial(_narrow, measure, test, other)
    return Bound(type=other.type, span=span, said=said, narrow=narrow)


def _against_own(draft: Draft, first: int, after: int, test: Test) -> Bound | None:
    """Read "whose measured availability is below their SLA": two numbers of the same thing.

    One of them may be of a relation, or of what it leads to: "more a bottle than its list price".
    """
    sketch = draft.sketch
    if any(first - 2 <= q.span.first <= after + 1 for q in sketch.question.quantities):
        return None
    for word in reversed([t for t in sketch.types if t.span.last <= first]):
        start = max(word.span.last, first - _MAX_BEFORE)
        end = min(
            [b for b in sketch.breaks if b > after] + [after + _MAX_AFTER, len(sketch.tokens)]
        )
        span = Span(first=start, last=max(end, after + 1))
        dates = [date_named(draft, word.type, *at) for at in ((start, first + 1), (after, end))]
        is_in_time = sketch.tokens[first].lower in _IN_TIME and dates[0] != dates[1]
        if is_in_time and dates[0] and dates[1]:
            narrow = partial(_narrow_dates, dates[0], dates[1], test)
            said = f"{dates[0]} {test.value} {dates[1]}"
            return Bound(type=word.type, span=span, said=said, narrow=narrow)
        sides = ((start, first), (after, end))
        pair = best_pair(draft, word.type, *sides, test)
        if pair is None:
            pair, span = (
                limit_pair(draft, word.type, (after, end), test),
                Span(first=first, last=end),
            )
        if pair is not None:
            said, scores = pair
            narrow = partial(_narrow_pair, scores, test)
            return Bound(type=word.type, span=span, said=said, narrow=narrow)
    return None


def _against_share(draft: Draft, first: int, test: Test, share: float, after: int) -> Bound | None:
    """Read "more than half of their fibres lit", "peak above 80 percent of capacity"."""
    sketch = draft.sketch
    end = min([b for b in sketch.breaks if b > after] + [after + _MAX_AFTER, len(sketch.tokens)])
    for word in reversed([t for t in sketch.types if t.span.last <= first]):
        start = max(word.span.last, first - _MAX_BEFORE)
        before, whole, rest = (start, first), (after, after + 1), (after + 1, end)
        for left, right in ((before, whole), (rest, whole), (before, (after, end))):
            pair = best_pair(draft, word.type, left, right, test, share=share)
            if pair is not None:
                narrow = partial(_narrow_pair, pair[1], test)
                span = Span(first=start, last=end)
                return Bound(type=word.type, span=span, said=pair[0], narrow=narrow)
    return None


def _measure(draft: Draft, node_type: str, span: Span, at: int) -> Measure | None:
    """Return the number that a comparison with another of its kind is about."""
    near = Span(first=max(0, span.first - 3), last=min(span.last + 2, len(draft.sketch.tokens)))
    comparative = Span(first=span.first, last=max(at, span.first + 1))
    found = numbers_said(draft, node_type, near, comparative)
    return next((m for m in found if m.holder is None or draft.way(node_type, m.holder)), None)


# --- the steps ----------------------------------------------------------------------------------


def _narrow(measure: Measure, test: Test, other: Anchor | None, draft: Draft, nodes: Ref) -> Ref:
    """Keep what has more, or less, of a number than another, or than the average of its type."""
    scores = measure.scores(draft, nodes, "sum")
    others = draft.anchor_set(other) if other else draft.everything(measure.node_type)
    bounds = measure.scores(draft, others, "sum")
    bound = draft.plan.add("reduce_scores", scores=bounds, how="mean")
    return draft.plan.add("select", scores=scores, test=test, value=bound)


def _narrow_counted(counted: TypeWord, test: Test, other: Anchor, draft: Draft, nodes: Ref) -> Ref:
    """Keep what has more, or fewer, of a type than another."""
    path = draft.hops(draft.path(other.type, counted.type))
    scores = draft.plan.add("count_edges", nodes=nodes, path=path, as_of=draft.when)
    own = draft.plan.add("count_edges", nodes=draft.anchor_set(other), path=path, as_of=draft.when)
    bound = draft.plan.add("reduce_scores", scores=own, how="sum")
    return draft.plan.add("select", scores=scores, test=test, value=bound)


def _narrow_pair(pair: Callable[[Draft, Ref], Ref], test: Test, draft: Draft, nodes: Ref) -> Ref:
    """Keep what has more, or less, of one number than of another."""
    return draft.plan.add("select", scores=pair(draft, nodes), test=test, value=0.0)


def _narrow_dates(left: str, right: str, test: Test, draft: Draft, nodes: Ref) -> Ref:
    """Keep what has one day after, or before, another."""
    days = (draft.plan.add("node_days", nodes=nodes, property=name) for name in (left, right))
    scores = draft.plan.add("subtract_scores", scores=next(days), minus=next(days))
    return draft.plan.add("select", scores=scores, test=test, value=0.0)
