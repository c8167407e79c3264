"""Whether an event that is named goes on: "is the strike still running", "is the flood over"."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.templates.common import finish, starts_as_yes_no

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
