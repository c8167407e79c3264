"""Times that a question tells by an event: "after the strike was over", "during the flood"."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Final, Literal

from tiers.graphrag.reading.sketch import Anchor, Sketch
from tiers.graphrag.view import Scope
from trivium.domain.errors import InputError
from trivium.domain.question import Span, TimeExpression, TimeRelation
from trivium.domain.schema import PropertyKind, Schema
from trivium.domain.time import Moment
from trivium.language.text import spoken, stem, stems

_RELATIONS: Final[Mapping[str, TimeRelation]] = {
    **dict.fromkeys(("before", "until", "till"), TimeRelation.BEFORE),
    **dict.fromkeys(("after", "following"), TimeRelation.AFTER),
    "since": TimeRelation.SINCE,
    **dict.fromkeys(("during", "throughout", "while"), TimeRelation.ON),
}
_ENDS: Final = frozenset(
    {"over", "end", "ended", "ends", "closed", "resolved", "finished", "stopped"}
)
_BEGINS: Final = frozenset({"began", "begin", "started", "start", "broke", "hit", "struck"})
_BESIDE: Final = _ENDS | _BEGINS | {
    "was", "were", "had", "has", "is", "been", "out", "came", "come", "to", "an",
}  # fmt: skip
"""Words after an event that say which of its days is meant."""
_DETERMINERS: Final = frozenset({"the", "our", "that", "this", "last", "day", "of", "end", "start"})
_ENDING: Final = frozenset(
    stem(w) for w in ("end", "ended", "over", "closed", "resolved", "until", "cleared", "lifted")
)
_PAIR: Final = 2
_FAR_TODAY: Final = 6
"""Words from "between" to a day: "between today and the end of"."""
_PRONOUN: Final = ("while", "it", "was")


def timed(sketch: Sketch, scope: Scope) -> Sketch:
    """Return a sketch in which events that only tell a time have become times."""
    told = _between(sketch, scope)
    rest = [a for a in sketch.anchors if a.span not in told]
    told |= {a.span: time for a in rest if (time := _told(sketch, scope, a))}
    if not told:
        return sketch
    found = {time.span: time for time in told.values()}
    times = sorted([*sketch.question.times, *found.values()], key=lambda t: t.span.first)
    return replace(
        sketch,
        question=replace(sketch.question, times=tuple(times)),
        anchors=tuple(a for a in sketch.anchors if a.span not in told),
    )


def joined(sketch: Sketch, today: Moment) -> Sketch:
    """Return a sketch in which "between May and July" is one period, where no change is asked.

    "Between today and July" is one whatever is asked.
    """
    times = list(sketch.question.times)
    if len(times) == 1 and _is_from_today(sketch, times[0]):
        start, end = (date.fromisoformat(t) for t in (today.last_day, times[0].moment.last_day))
        whole = replace(times[0], moment=Moment.between(start, max(start, end)))
        return replace(sketch, question=replace(sketch.question, times=(whole,)))
    if len(times) != _PAIR or sketch.has("handover", "compare", "unique"):
        return sketch
    first, second = times
    before = set(sketch.words(first.span.first - 3, first.span.first))
    between = sketch.words(first.span.last, second.span.first)
    is_one = ("between" in before and between[:1] == ["and"]) or (
        "from" in before and between[:1] in (["to"], ["until"], ["till"])
    )
    start, end = (date.fromisoformat(t) for t in (first.moment.day, second.moment.last_day))
    if not is_one or len(between) > _PAIR or start > end:
        return sketch
    span = Span(first=first.span.first, last=second.span.last)
    whole = TimeExpression(span=span, moment=Moment.between(start, end))
    return replace(sketch, question=replace(sketch.question, times=(whole,)))


def _is_from_today(sketch: Sketch, time: TimeExpression) -> bool:
    """Whether a time ends a period that begins today: "between now and the end of May"."""
    before = sketch.words(time.span.first - _FAR_TODAY, time.span.first)
    return any(
        before[i] in {"between", "from"}
        and before[i + 1] in {"now", "today"}
        and before[i + 2] in {"and", "to", "until", "till"}
        for i in range(len(before) - 2)
    )


def _between(sketch: Sketch, scope: Scope) -> dict[Span, TimeExpression]:
    """Read "between the day that X broke and the day that Y began", by the two events."""
    events = [a for a in sketch.anchors if sketch.schema.node_types[a.type].is_event]
    if len(events) != 2 or any(len(a.ids) != 1 for a in events):
        return {}
    first, second = events
    before = sketch.words(first.span.first - 6, first.span.first)
    between = sketch.words(first.span.last, second.span.first)
    days = [_moment(scope, a.ids[0], TimeRelation.BEFORE, "start") for a in events]
    starts = sorted(date.fromisoformat(day.day) for day in days if day)
    if "between" not in before or "and" not in between or len(starts) < len(events):
        return {}
    last = second.span.last
    while last < len(sketch.tokens) and sketch.tokens[last].lower in _BESIDE:
        last += 1
    span = Span(first=first.span.first, last=last)
    time = TimeExpression(span=span, moment=Moment.between(starts[0], starts[1]))
    return {first.span: time, second.span: time}


def _told(sketch: Sketch, scope: Scope, anchor: Anchor) -> TimeExpression | None:
    if not sketch.schema.node_types[anchor.type].is_event or len(anchor.ids) != 1:
        return None
    at = anchor.span.first - 1
    while at >= 0 and sketch.tokens[at].lower in _DETERMINERS:
        at -= 1
    relation = _RELATIONS.get(sketch.tokens[at].lower) if at >= 0 else None
    relation = relation or _on_its_day(sketch, at, anchor)
    if relation is None:
        return _told_by_pronoun(sketch, scope, anchor)
    if relation is TimeRelation.AFTER and sketch.has("impact", "downstream"):
        return None
    last = anchor.span.last
    while last < len(sketch.tokens) and sketch.tokens[last].lower in _BESIDE:
        last += 1
        if last in sketch.breaks:
            break
    beside = set(sketch.words(anchor.span.last, last)) | set(sketch.words(at, anchor.span.first))
    edge: Literal["start", "end", "whole"] = (
        "end" if beside & _ENDS else "start" if beside & _BEGINS else "whole"
    )
    moment = _moment(scope, anchor.ids[0], relation, edge)
    is_day = relation is TimeRelation.ON and edge != "whole"
    span = Span(first=at if is_day else anchor.span.first, last=last)
    return TimeExpression(span=span, moment=moment, relation=relation) if moment else None


def _on_its_day(sketch: Sketch, at: int, anchor: Anchor) -> TimeRelation | None:
    """Read "on the day the strike began", "when the strike was over": the day itself is meant."""
    lead = sketch.words(at, anchor.span.first)
    after = set(sketch.words(anchor.span.last, anchor.span.last + 2))
    is_day = lead[:1] == ["on"] and "day" in lead
    is_when = lead[:1] == ["when"] and bool(after & (_ENDS | _BEGINS))
    return TimeRelation.ON if is_day or is_when else None


def _told_by_pronoun(sketch: Sketch, scope: Scope, anchor: Anchor) -> TimeExpression | None:
    """Read "X: what was picked while it was going on", where X is the only event named."""
    words = sketch.words(0, len(sketch.tokens))
    at = next((i for i in range(len(words)) if tuple(words[i : i + 3]) == _PRONOUN), None)
    events = [a for a in sketch.anchors if sketch.schema.node_types[a.type].is_event]
    if at is None or len(events) > 1 or anchor.span.first > at:
        return None
    moment = _moment(scope, anchor.ids[0], TimeRelation.ON, "whole")
    span = Span(first=at, last=min(at + 5, len(words)))
    return TimeExpression(span=span, moment=moment) if moment else None


def _moment(
    scope: Scope, event: str, relation: TimeRelation, edge: Literal["start", "end", "whole"]
) -> Moment | None:
    """Return the day or the days of an event that a relation to it is about, where known."""
    node = scope.view.node(event)
    if node is None:
        return None
    begin, end = bounds_of(scope.schema, node.type)
    started = _day(node.properties.get(begin)) if begin else None
    ended = _day(node.properties.get(end)) if end else None
    if relation is TimeRelation.ON and edge != "whole":
        day = started if edge == "start" else ended
        return Moment.between(day, day) if day else None
    if relation is TimeRelation.ON:
        last = ended or date.fromisoformat(scope.moment.last_day)
        return Moment.between(started, max(started, last)) if started else None
    is_late = edge == "end" or (edge == "whole" and relation is TimeRelation.AFTER)
    day = (ended or (None if edge == "end" else started)) if is_late else started
    return Moment.between(day, day) if day else None


def bounds_of(schema: Schema, node_type: str) -> tuple[str | None, str | None]:
    """Return the properties that hold the first and the last day of an event, where it has them."""
    kind, risk = schema.node_types[node_type], schema.risk
    dated = [p.name for p in kind.properties.values() if p.kind is PropertyKind.DATE]
    ends = [n for n in dated if set(stems(spoken(n))) & _ENDING]
    end = risk.ended_property if risk.ended_property in dated else next(iter(ends), None)
    starts = [n for n in dated if n != end]
    start = risk.started_property if risk.started_property in dated else next(iter(starts), None)
    return start, end


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(Moment.of(str(value)).day) if value else None
    except InputError:
        return None
