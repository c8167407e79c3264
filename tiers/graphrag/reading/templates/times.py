"""Questions about time: what changed, and who was it before."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, Literal

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.templates.common import counted_or_listed, finish
from tiers.graphrag.reading.templates.focus import asked_type
from tiers.graphrag.reading.voice import directed
from trivium.domain.question import Cue, TimeExpression, TimeRelation
from trivium.domain.schema import RelationType
from trivium.domain.time import Moment

_DAY: Final = timedelta(days=1)
_DONE: Final = frozenset({"already", "since", "meanwhile"})
"""Words by which something has ended before today."""
_FAR_DONE: Final = 2
_SURE: Final = 0.8
_NO_LONGER: Final = (["no", "longer"], ["not", "anymore"], ["no", "more"], ["not", "now"])
_OTHER: Final[Mapping[str, str]] = {"source": "target", "target": "source"}


def changed(draft: Draft) -> Plan | None:
    """Read what began, ended, or passed from one to another in a period."""
    sketch = draft.sketch
    times = _undated(draft)
    handover = draft.cues("handover")
    kinds = [c for c in draft.cues("began", "ended") if _is_of_relation(draft, c)]
    is_told = bool(times) and bool(handover or kinds or _has_since(draft, times))
    is_gone = _is_gone(draft, kinds)
    focus = asked_type(draft) if is_told or is_gone or _is_to_come(draft) else None
    if focus is None:
        return None
    relation = _changing_relation(draft, focus)
    if relation is None:
        return None
    end = _changing_end(draft, relation, focus)
    wanted: list[Literal["began", "ended"]] = (
        ["ended", "began"] if handover else ["ended" if _ends(kinds) else "began"]
    )
    beside = _other_end(draft, relation, focus, end)
    ends = {f"{_OTHER[end]}s": draft.union([draft.anchor_set(a) for a in beside])} if beside else {}
    if beside and len(times) > 1 and len(wanted) == 1:
        return _new_or_gone(draft, relation.name, end, beside, times, wanted[0])
    sets = []
    for change in wanted:
        edges, period = _changes(draft, relation.name, change, times, ends)
        sets.append(draft.plan.add("ends_of", edges=edges, end=end))
    draft.when = None
    result = sets[0]
    if len(sets) > 1:
        result = draft.plan.add("combine", how="intersection", sets=tuple(sets))
    draft.used |= {t.span for t in sketch.types if t.type != focus}
    if [a for a in _with(draft, relation, focus) if a not in beside] or sketch.values:
        draft.when = draft.up_to_now()
        others = members(draft, focus, without=beside)
        draft.when = None
        result = draft.plan.add("combine", how="intersection", sets=(result, others))
    of = f" of {draft.names(beside)}" if beside else ""
    of += f", {draft.said[-1]}," if draft.said else ""
    said = f"{focus} whose {relation.name}{of} {' and '.join(wanted)} {period}"
    return counted_or_listed(draft, result, "changes", said)


def _new_or_gone(
    draft: Draft,
    relation: str,
    end: Literal["source", "target"],
    beside: Sequence[Anchor],
    times: Sequence[TimeExpression],
    change: Literal["began", "ended"],
) -> Plan:
    """Read what something has on one of two days and not on the other: "new on its list"."""
    nodes = draft.union([draft.anchor_set(a) for a in beside])
    hop = Hop(relation=relation, outgoing=end == "target")
    then, now = (
        draft.plan.add("follow", nodes=nodes, path=(hop,), as_of=time.moment) for time in times[:2]
    )
    sets = (now, then) if change == "began" else (then, now)
    draft.when = None
    result = draft.plan.add("combine", how="difference", sets=sets)
    days = f"{times[0].moment.text} and {times[1].moment.text}"
    said = f"what {relation} of {draft.names(beside)} {change} between {days}"
    return counted_or_listed(draft, result, "changes", said)


def _undated(draft: Draft) -> list[TimeExpression]:
    """Return the times that say nothing of a property of what is named."""
    sketch = draft.sketch
    named = {t.type for t in sketch.types} | set(sketch.relation_names())
    named |= {asked} if (asked := asked_type(draft)) else set()
    stated = [s for s in draft.stated if named & {owner for owner, _ in s.owners}]
    dated = {span for statement in stated for span in statement.spans}
    return [t for t in sketch.question.times if t.span not in dated]


def _has_since(draft: Draft, times: Sequence[TimeExpression]) -> bool:
    """Whether what came to be since a time is asked for: "since May, who has taken command"."""
    words = set(draft.sketch.words(0, len(draft.sketch.tokens)))
    is_open = times[0].relation in {TimeRelation.SINCE, TimeRelation.AFTER}
    return is_open and bool(words & {"has", "have"}) and bool(draft.sketch.relations)


def _is_to_come(draft: Draft) -> bool:
    """Whether what begins only after today is asked for."""
    return bool(draft.cues("to_come")) and not draft.sketch.question.times


def _is_gone(draft: Draft, cues: Sequence[Cue]) -> bool:
    """Whether what has ended by today is asked for: "whose lease has already run out"."""
    sketch = draft.sketch
    is_done = any(
        c.kind == "ended" and _DONE & set(sketch.words(c.span.first - _FAR_DONE, c.span.first))
        for c in cues
    )
    named = [t for t in sketch.relations if t.score >= _SURE]
    return is_done and bool(named) and not sketch.question.times and not sketch.values


def _ends(cues: Sequence[Cue]) -> bool:
    return bool(cues) and cues[0].kind == "ended"


def _other_end(
    draft: Draft, relation: RelationType, focus: str, end: Literal["source", "target"]
) -> list[Anchor]:
    """Return what is named at the other end of a relation that changed."""
    ends = [(s, t) for s, t in relation.ends if focus == (s if end == "source" else t)]
    others = {t if end == "source" else s for s, t in ends}
    return [a for a in _with(draft, relation, focus) if a.type in others]


def _is_own(relation: RelationType, node_type: str) -> bool:
    """Whether a relation joins a type to itself."""
    return (node_type, node_type) in relation.ends


def _with(draft: Draft, relation: RelationType, focus: str) -> list[Anchor]:
    """Return what is named beside the type that changed."""
    is_own = _is_own(relation, focus)
    return [a for a in draft.sketch.anchors if a.type != focus or is_own]


def _changing_end(draft: Draft, relation: RelationType, focus: str) -> Literal["source", "target"]:
    """Return the end of a relation that is asked for; the verb tells it of like and like."""
    anchor = next((a for a in draft.sketch.anchors if a.type == focus), None)
    if _is_own(relation, focus) and anchor is not None:
        hop = Hop(relation=relation.name, outgoing=True, to_type=focus)
        path = TypedPath(hops=(hop,), types=(focus, focus), cost=1)
        return "source" if directed(draft.sketch, path, anchor.span).hops[0].outgoing else "target"
    return "target" if any(t == focus for _, t in relation.ends) else "source"


def _changes(
    draft: Draft,
    relation: str,
    change: Literal["began", "ended"],
    times: Sequence[TimeExpression],
    ends: dict[str, Any],
) -> tuple[Ref, str]:
    """Return the relations that began or ended within a period, or between two days."""
    is_till_now = len(times) == 1 and _is_till_now(draft, times[0])
    if len(times) > 1 or is_till_now:
        now = draft.scope.moment
        first, second = (times[0].moment, now if is_till_now else times[1].moment)
        first, second = sorted((first, second), key=lambda moment: moment.start)
        edges = draft.plan.add(
            "changes_between", first=first, second=second, change=change, relation=relation, **ends
        )
        return edges, f"between {first.text} and {second.text}"
    period = _period(draft, times[0] if times else None, change)
    if change == "ended" and draft.cues("handover"):
        start = max(date.fromisoformat(period.day), date.min + _DAY)
        period = Moment.between(start - _DAY, date.fromisoformat(period.last_day))
    edges = draft.plan.add(
        "filter_edges_by_date", relation=relation, period=period, change=change, **ends
    )
    return edges, f"within {period.text}"


def _is_till_now(draft: Draft, time: TimeExpression) -> bool:
    """Whether a day is held against today: "a different owner today from that of May"."""
    is_on = time.relation is TimeRelation.ON
    return is_on and bool(draft.cues("handover")) and bool(draft.cues("now"))


def _period(draft: Draft, time: TimeExpression | None, change: Literal["began", "ended"]) -> Moment:
    """Return the days on which something may have begun or ended.

    They run up to today, or on without end, where "ends" says that what is to come is meant too.
    """
    today = date.fromisoformat(draft.scope.moment.last_day)
    if time is None and draft.cues("to_come"):
        return Moment.between(today + _DAY, date.max)
    if time is None:
        return Moment.between(date.min, today - _DAY)
    first, last = date.fromisoformat(time.moment.day), date.fromisoformat(time.moment.last_day)
    match time.relation:
        case TimeRelation.ON:
            return time.moment
        case TimeRelation.BEFORE:
            is_open = change == "ended" and first > today
            return Moment.between(today if is_open else date.min, first - _DAY)
        case TimeRelation.AFTER | TimeRelation.SINCE:
            start = first if time.relation is TimeRelation.SINCE else last + _DAY
            return Moment.between(start, date.max if start > today else today)


def _is_of_relation(draft: Draft, cue: Cue) -> bool:
    """Whether a beginning or an end is said of a relation, not of a day or a name."""
    inside = [t.span for t in draft.sketch.question.times]
    inside += [a.span for a in draft.sketch.anchors]
    words = draft.sketch.words(cue.span.first, cue.span.last + 1)
    is_period = words[0] in {"end", "start", "begin"} and words[-1] == "of"
    return not is_period and not any(cue.span.overlaps(s) for s in inside)


def _changing_relation(draft: Draft, focus: str) -> RelationType | None:
    named = draft.sketch.relation_names()
    named += tuple(r for s in draft.stated for r in sorted(s.relations))
    others = {t.type for t in draft.sketch.types if t.type != focus}
    others |= {a.type for a in draft.sketch.anchors}
    is_moved = bool(draft.cues("handover"))  # "moved to another station"
    fitting = [r for r in draft.sketch.schema.relation_types.values() if r.joins(focus)]
    fitting.sort(
        key=lambda r: (
            is_moved and not any(o in ends for o in others for ends in r.ends),
            r.name not in named[:1],
            not any(o in ends for o in others for ends in r.ends),
            r.name not in named,
        )
    )
    return fitting[0] if fitting else None


def _predecessor(draft: Draft) -> Plan | None:
    """Read "who headed X before Y": who else did, up to now, and no longer does."""
    sketch = draft.sketch
    cues = [c for c in draft.cues("before_now") if not _is_earlier(draft, c)]
    focus = asked_type(draft)
    if not cues or focus is None or len(sketch.anchors) != 2 or sketch.question.times:
        return None
    later = next(a for a in sketch.anchors if 0 <= a.span.first - cues[0].span.last <= 1)
    if later.type != focus:
        return None
    draft.used |= {c.span for c in cues}
    now = members(draft, focus, without=(later,))
    draft.when = draft.up_to_now()
    ever = members(draft, focus, without=(later,))
    draft.when = None
    sets = (ever, now, draft.anchor_set(later))
    draft.plan.add("combine", how="difference", sets=sets)
    return finish(draft, Form.NODES, "before", f"{draft.said[0]} before {later.label}")


def _is_earlier(draft: Draft, cue: Cue) -> bool:
    """Whether "before" is said of time, not of a thing that stands before another."""
    return not any(0 <= a.span.first - cue.span.last <= 1 for a in draft.sketch.anchors)


def _is_gone_since(draft: Draft) -> bool:
    """Whether a denial only says that what held before is over: "used to, but no longer do"."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    at = next((i for i in range(len(words)) if words[i : i + 2] in _NO_LONGER), None)
    rest = words[at + 2 :] if at is not None else ["?"]
    return set(rest) <= {"do", "does", "is", "are", "now", "today", "so"}


def _has_none_now(draft: Draft) -> bool:
    """Whether what has none today is asked for: "had a contract at some time but has none now"."""
    sketch = draft.sketch
    told = next((c.span.last for c in draft.cues("before_now")), 0)
    is_denied = any(c.span.first >= told for c in sketch.question.cues_of("negation"))
    is_turn = bool({"but", "and", "yet"} & set(sketch.words(told, len(sketch.tokens))))
    return is_denied and is_turn and len(sketch.types) > 1


def before(draft: Draft) -> Plan | None:
    """Read who had a relation before, now or at no named time."""
    sketch = draft.sketch
    if predecessor := _predecessor(draft):
        return predecessor
    cues = [c for c in draft.cues("before_now") if _is_earlier(draft, c)]
    has_none_now = _has_none_now(draft)  # before any of its words is taken
    if not cues or sketch.question.times or not (sketch.anchors or has_none_now):
        return None
    if has_none_now:
        draft.used |= {c.span for c in draft.cues("negation", "left_without", "plural")}
    focus = asked_type(draft)
    if focus is None or any(a.type == focus for a in sketch.anchors):
        return None
    draft.used |= {c.span for c in draft.cues("before_now")}
    if _is_gone_since(draft):
        draft.used |= {c.span for c in draft.cues("negation")}
    now = members(draft, focus)
    draft.when = draft.up_to_now()
    ever = members(draft, focus)
    draft.when = None
    former = draft.plan.add("combine", how="difference", sets=(ever, now))
    said = draft.said[0] if draft.said else focus
    is_both = draft.cues("now") and not has_none_now
    if is_both or "and" in {t.lower for t in sketch.tokens}:
        draft.plan.add("combine", how="union", sets=(now, now))
        also = ((former, Form.NODES),)
        return finish(draft, Form.NODES, "now and before", f"{said} now, and before", also=also)
    return finish(draft, Form.NODES, "before", f"{said} before, no longer")
