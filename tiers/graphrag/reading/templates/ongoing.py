"""How long events go on: whether one is over, and which of them lasted longest."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.templates.common import finish, starts_as_yes_no
from tiers.graphrag.reading.timing import bounds_of

_LASTING: Final = frozenset(
    {"last", "lasted", "lasting", "went", "go", "take", "took", "on", "open", "kept", "out"}
)
_OVER: Final = frozenset({"over", "past", "ended", "finished"})


def goes_on(draft: Draft) -> Plan | None:
    """Read whether one event is open, or over."""
    sketch = draft.sketch
    cues = [*draft.cues("open", "closed", "ended")]
    if len(sketch.anchors) != 1 or sketch.types or not cues or not starts_as_yes_no(draft):
        return None
    event = sketch.anchors[0]
    is_event = sketch.schema.node_types[event.type].is_event and len(event.ids) == 1
    if not is_event or sketch.relations or draft.stated or cues[0].span.first < event.span.last:
        return None
    nodes = draft.anchor_set(event)
    going_on = draft.plan.add("open_events", types=(event.type,), as_of=draft.when)
    is_over = not draft.cues("open")
    is_over ^= bool(draft.cues("negation")) and not set(sketch.words(0, 99)) & _OVER
    how = "difference" if is_over else "intersection"
    found = draft.plan.add("combine", how=how, sets=(nodes, going_on))
    said = f"{event.label}, {'over' if is_over else 'going on'}"
    return finish(draft, Form.BOOLEAN, "goes on, whether", said, beside=found)


def longest_lasting(draft: Draft) -> Plan | None:
    """Read "which event went on the longest": of those that have ended, by their days."""
    sketch = draft.sketch
    word = sketch.focus
    if word is None or not sketch.schema.node_types[word.type].is_event:
        return None
    words = sketch.words(0, len(sketch.tokens))
    at = next((i for i, w in enumerate(words) if w in {"longest", "shortest"}), None)
    begin, end = bounds_of(sketch.schema, word.type)
    if at is None or not (begin and end) or not _LASTING & set(words[max(0, at - 6) : at + 3]):
        return None
    draft.used |= {c.span for c in draft.cues("most", "least", "open")}
    when, draft.when = draft.when, draft.when or draft.up_to_now()  # they have ended
    nodes = members(draft, word.type)
    draft.when = when
    first, last = (draft.plan.add("node_days", nodes=nodes, property=name) for name in (begin, end))
    days = draft.plan.add("subtract_scores", scores=last, minus=first)
    is_longest = words[at] == "longest"
    draft.plan.add("leaders", scores=days, highest=is_longest)
    said = f"{draft.said[-1]}, the one that lasted {words[at]}"
    return finish(draft, Form.NODES, "lasting", said)
