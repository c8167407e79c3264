"""What can no longer be reached from something once another thing is gone."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.again import self_relations
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.templates.common import counted_or_listed, finish, starts_as_yes_no

_FROM: Final = frozenset({"from", "to", "reach", "reaching", "of", "and"})
_THE: Final = frozenset({"the", "our"})
_NAMED: Final = 0.6
_OTHERS: Final = frozenset({"other", "others", "rest", "everybody", "everything", "everyone"})
_FAR_OFF: Final = 5
"""Words from "cut" to "off"."""


def cut_off(draft: Draft) -> Plan | None:
    """Read "close X: which stations could no longer be reached from Y"."""
    sketch = draft.sketch
    cue = next(iter(draft.cues("cut_off")), None)
    if cue is None or sketch.focus is None or starts_as_yes_no(draft):
        return None
    focus = sketch.focus.type
    origin = next((a for a in sketch.anchors if _is_origin(draft, a, cue.span.first)), None)
    removed = [a for a in sketch.anchors if origin and a.ids and not set(a.ids) & set(origin.ids)]
    relations = _joining(draft, focus, origin) if origin and removed else ()
    if origin is None or not relations:
        return None
    start = draft.anchor_set(origin)
    gone = draft.union([draft.anchor_set(a) for a in removed])
    node_type = focus if {a.type for a in (origin, *removed)} == {focus} else None
    now = _around(draft, start, node_type, relations, None)
    then = _around(draft, start, node_type, relations, gone)
    lost = draft.plan.add("combine", how="difference", sets=(now, then, gone))
    if node_type is None:
        sets = (lost, draft.everything(focus))
        lost = draft.plan.add("combine", how="intersection", sets=sets)
    said = f"{focus} cut off from {origin.label} without {draft.names(removed)}"
    return counted_or_listed(draft, lost, "cut off", f"{said} over {', '.join(relations)}")


def _around(
    draft: Draft, start: Ref, node_type: str | None, relations: tuple[str, ...], gone: Ref | None
) -> Ref:
    """Return all that hangs together with something, without what is gone."""
    groups = draft.plan.add(
        "connected_components",
        type=node_type,
        relations=relations,
        removed=gone or (),
        as_of=draft.when,
    )
    return draft.plan.add("groups_with", groups=groups, nodes=start)


def _is_origin(draft: Draft, anchor: Anchor, cue: int) -> bool:
    """Whether a name is what nothing leads to any more: "cut off from X"."""
    at = anchor.span.first
    while draft.sketch.words(at - 1, at) and draft.sketch.tokens[at - 1].lower in _THE:
        at -= 1
    before = set(draft.sketch.words(at - 1, at))
    return bool(anchor.ids) and anchor.span.first > cue and bool(before & _FROM)


def _joining(draft: Draft, focus: str, origin: Anchor) -> tuple[str, ...]:
    """Return the relations that a way may take: those named, else all among the same types."""
    types = {focus, origin.type}
    among = {
        r.name
        for r in draft.sketch.schema.relation_types.values()
        if any(origin.type in pair and set(pair) <= types for pair in r.ends)
        and (len(types) > 1 or any(s == t for s, t in r.ends))
    }
    named = {t.name for t in draft.sketch.relations if t.score >= _NAMED}
    return tuple(sorted(among & named or among))


def cutting_off(draft: Draft) -> Plan | None:
    """Read "is there a city whose loss would cut others off from the rest"."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    cuts = [i for i, w in enumerate(words) if w in {"cut", "cuts"}]
    is_said = any("off" in words[i + 2 : i + _FAR_OFF] for i in cuts)
    if not is_said or sketch.focus is None or sketch.anchors or not set(words) & _OTHERS:
        return None
    focus = sketch.focus.type
    own = self_relations(draft, focus)
    named = {t.name for t in sketch.relations if t.score >= _NAMED}
    relations = tuple(sorted(own & named or own))
    if not relations:
        return None
    cut = draft.plan.add("cut_points", type=focus, relations=relations, as_of=draft.when)
    draft.used |= {c.span for c in draft.cues("removal", "hypothetical", "exception")}
    said = f"{focus} that holds others together over {', '.join(relations)}"
    if starts_as_yes_no(draft):
        return finish(draft, Form.BOOLEAN, "cut points", said, beside=cut)
    return finish(draft, Form.NODES, "cut points", said)
