"""Two times held together: then and not now, who came before whom, the first or last day of one."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, Literal

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.templates.common import counted_or_listed, finish, relation_between
from tiers.graphrag.reading.templates.focus import asked_type
from trivium.domain.question import TimeExpression, TimeRelation
from trivium.domain.schema import RelationType
from trivium.domain.time import Moment

_DAY: Final = timedelta(days=1)
_NOT: Final = frozenset({"no", "none", "not", "nothing", "nobody", "n't", "t", "never"})
_NOW: Final = frozenset({"now", "today", "anymore", "nowadays", "currently", "present"})
_ELSEWHERE: Final = (
    ["elsewhere"],
    ["somewhere", "else"],
    ["someone", "else"],
    ["somebody", "else"],
)
"""Words that put something in another place, or with another one."""
_GONE: Final = (["no", "longer"], ["any", "more"], ["any", "longer"])
_NEAR: Final = 6
"""Words from a "not" to the "any more" that belongs to it."""
_TURNS: Final = frozenset({"but", "and", "that", "which", "who", "though", "yet"})
"""Words that turn from what held at one time to what holds at the other."""


def then_and_now(draft: Draft) -> Plan | None:
    """Read what held on a day and holds no longer, or holds now and did not then."""
    time = _day_then(draft)
    focus = asked_type(draft) if time else None
    kept = _kept(draft, time) if time and focus else None
    if time is None or focus is None or kept is None:
        return None
    denied = set(_denials(draft))
    draft.used |= {c.span for c in draft.cues("negation", "left_without", "open", "now")}
    draft.used |= {c.span for c in draft.cues("exception", "unique") if denied & set(c.span)}
    draft.when = time.moment
    then = members(draft, focus)
    draft.when = None
    now = members(draft, focus)
    sets = (then, now) if kept == "then" else (now, then)
    result = draft.plan.add("combine", how="difference", sets=sets)
    day = time.moment.text
    told = f"on {day}, not now" if kept == "then" else f"now, not on {day}"
    return counted_or_listed(draft, result, "then and now", f"{draft.said[0]} {told}")


def _day_then(draft: Draft) -> TimeExpression | None:
    """Return the one day before today that a question names."""
    times = draft.sketch.question.times
    dated = {span for statement in draft.stated for span in statement.spans}
    if len(times) != 1 or times[0].span in dated or times[0].relation is not TimeRelation.ON:
        return None
    return times[0] if times[0].moment.end <= draft.scope.moment.start else None


def _denials(draft: Draft) -> list[int]:
    """Return where something is denied."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    gone = _gone(words)
    nots = [i for i, w in enumerate(words) if w in _NOT and i not in gone]
    gone = [i for i in gone if not any(i - _NEAR <= n < i for n in nots)]
    gone += [i for i in range(len(words)) if any(words[i : i + len(e)] == e for e in _ELSEWHERE)]
    return [*gone, *nots]


def _gone(words: Sequence[str]) -> list[int]:
    """Return where words say that something is over: "no longer", "not … any more"."""
    return [i for i in range(len(words)) if list(words[i : i + 2]) in _GONE]


def _kept(draft: Draft, time: TimeExpression) -> Literal["then", "now"] | None:
    """Return of which of two times the question keeps what does not hold at the other."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    denials = _denials(draft)
    if len(denials) != 1:
        return None
    at = denials[0]
    after = set(words[at:])
    if at > time.span.first:
        turns = _TURNS & set(words[time.span.last : at + 1])
        is_now = any(i >= at for i in _gone(words)) or bool(after & _NOW)
        return "then" if turns and is_now else None
    now = next((i for i, w in enumerate(words[:at]) if w in _NOW), None)
    return "now" if now is not None and _TURNS & set(words[now:at]) else None


def succession(draft: Draft) -> Plan | None:
    """Read "from whom did X take over Y" and "who took Y over from X": who was before or after."""
    sketch = draft.sketch
    cues = [c for c in draft.cues("began", "alternatives") if _takes_over(draft, c.span.first)]
    if not cues or len(sketch.anchors) != 2 or sketch.question.times or draft.cues("hypothetical"):
        return None
    words = set(sketch.words(0, len(sketch.tokens)))
    left = next((a for a in sketch.anchors if _is_after_from(draft, a)), None)
    came = next((a for a in sketch.anchors if a.span.last == cues[0].span.first), None)
    own = left or (came if "from" in words else None)
    if own is None or not words & {"who", "whom", "which"} or _is_asked_of(draft, own):
        return None
    thing = next(a for a in sketch.anchors if a is not own)
    is_alike = own.type == thing.type
    relation = None if is_alike else relation_between(draft, {own.type, thing.type})
    held = _held(draft, relation, own, thing) if relation else None
    if relation is None or held is None:
        return None
    day = held[1] + _DAY if left else held[0] - _DAY
    return _at_day(draft, own, thing, relation, day)


def _is_after_from(draft: Draft, anchor: Anchor) -> bool:
    return "from" in draft.sketch.words(anchor.span.first - 2, anchor.span.first)


def _takes_over(draft: Draft, at: int) -> bool:
    words = draft.sketch.words(at, at + 8)
    return words[:1] in (["take"], ["took"], ["taken"], ["takes"]) and "over" in words


def _is_asked_of(draft: Draft, own: Anchor) -> bool:
    """Whether the type asked for is none that the name could have followed."""
    focus = draft.sketch.focus
    return focus is not None and focus.type != own.type


def _held(
    draft: Draft, relation: RelationType, own: Anchor, thing: Anchor
) -> tuple[date, date] | None:
    """Return the first and the last day on which a name had a thing, both far off if unknown."""
    if len(own.ids) != 1 or len(thing.ids) != 1:
        return None
    outgoing = any(s == own.type for s, _ in relation.ends)
    found = [
        e
        for e in draft.scope.view.edges(own.ids[0], relation.name, outgoing=outgoing)
        if thing.ids[0] in {e.source, e.target}
    ]
    firsts = [e.validity.first_day for e in found if e.validity.first_day]
    lasts = [e.validity.last_day for e in found if e.validity.last_day]
    if not firsts and not lasts:
        return None
    first = date.fromisoformat(min(firsts)) if firsts else date.min + _DAY
    return first, date.fromisoformat(max(lasts)) if lasts else date.max - _DAY


def _at_day(draft: Draft, own: Anchor, thing: Anchor, relation: RelationType, day: date) -> Plan:
    """Return the plan for who else had a thing on a day."""
    outgoing = any(s == thing.type for s, _ in relation.ends)
    hop = Hop(relation=relation.name, outgoing=outgoing, to_type=own.type)
    moment = Moment.between(day, day)
    reached = draft.plan.add("follow", nodes=draft.anchor_set(thing), path=(hop,), as_of=moment)
    draft.plan.add("combine", how="difference", sets=(reached, draft.anchor_set(own)))
    said = f"{own.type} with {relation.name} of {thing.label} on {moment.text}"
    return finish(draft, Form.NODES, "succession", said)


def days_of_one(draft: Draft) -> Plan | None:
    """Read "the last day on which X supplied us": of all that a relation joins to one name."""
    sketch = draft.sketch
    asks = draft.cues("since_when", "until_when")
    if not asks or len(sketch.anchors) != 1 or sketch.question.times:
        return None
    own = sketch.anchors[0]
    relations = sketch.schema.relation_types
    named = [relations[n] for n in sketch.relation_names() if relations[n].joins(own.type)]
    if not named:
        return None
    ends = next(e for e in named[0].ends if own.type in e)
    other = ends[1] if ends[0] == own.type else ends[0]
    if {t.type for t in sketch.types} - {own.type, other} or own.type == other:
        return None
    sides = [draft.anchor_set(own), draft.everything(other)]
    is_last = bool(draft.cues("until_when"))
    edges = draft.plan.add(
        "relations_between",
        relation=named[0].name,
        sources=sides[0] if ends[0] == own.type else sides[1],
        targets=sides[1] if ends[0] == own.type else sides[0],
        past=is_last,
    )
    draft.plan.add("day_of", edges=edges, which="last" if is_last else "first")
    which = "until" if is_last else "since"
    return finish(draft, Form.DATE, f"{which} when", f"{which} when {named[0].name} of {own.label}")
