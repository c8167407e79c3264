"""Days asked for: since when a relation holds, when it is due, when something began or ended."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.dating import dates_asked, is_dated
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.summing import amount_of
from tiers.graphrag.reading.templates.common import finish, relation_between, settled
from trivium.domain.schema import RelationType

_TO_COME: Final = frozenset({"is", "are", "will", "does", "do", "shall", "must", "should"})
_OPENING: Final = 4
"""Words with which a question for a day opens."""
_DAYS: Final = frozenset({"day", "date"})
_ENDING: Final = frozenset(
    {"last", "stop", "stops", "stopped", "end", "ends", "ended", "cease", "ceases", "ceased",
     "until", "till", "expire", "expires", "expired", "lapse", "lapses", "lapsed", "finish",
     "finishes", "finished", "terminate", "terminates", "leave", "leaves", "left"}
)  # fmt: skip
_RUNNING: Final = frozenset({"run", "runs", "ran", "running"})
_SURE: Final = 0.8


def date_of(draft: Draft) -> Plan | None:
    """Read since when, or until when, a relation holds."""
    is_end = bool(draft.cues("until_when"))
    anchors = settled(draft)
    asks_when = draft.sketch.words(0, 1) == ["when"] or _asks_day(draft)
    if not (draft.cues("since_when", "until_when") or asks_when) or len(anchors) < 2:
        return None
    if asks_when and (_is_of_end(draft) or draft.cues("ended")):
        is_end = True
    relation = relation_between(draft, {a.type for a in anchors})
    if relation is None:
        return None
    sides: dict[str, Anchor] = {}
    for anchor in anchors:
        sides["sources" if any(s == anchor.type for s, _ in relation.ends) else "targets"] = anchor
    if len(sides) < 2:
        sides = {"sources": anchors[0], "targets": anchors[1]}
    due = None if is_end else _due(draft, relation)
    edges = draft.plan.add(
        "relations_between",
        relation=relation.name,
        sources=draft.union([draft.anchor_set(a) for a in sides.values()]),
        targets=draft.union([draft.anchor_set(a) for a in sides.values()]),
        past=is_end,
    )
    also = _amount_too(draft, relation, sides)
    draft.plan.add("day_of", edges=edges, which="last" if is_end else "first", property=due)
    if due is not None:
        said = f"{due} of {relation.name} between {draft.names(anchors)}"
        return finish(draft, Form.DATE, "due when", said, also=also)
    which = "until" if is_end else "since"
    said = f"{which} when {relation.name} joins {draft.names(anchors)}"
    return finish(draft, Form.DATE, f"{which} when", said, also=also)


def _asks_day(draft: Draft) -> bool:
    """Whether a day is asked for: "on what day", "until which date"."""
    words = draft.sketch.words(0, _OPENING)
    return any(
        words[i : i + 1] in (["what"], ["which"]) and set(words[i + 1 : i + 2]) & _DAYS
        for i in range(len(words))
    )


def _is_of_end(draft: Draft) -> bool:
    """Whether the day asked for is the last one: "end", "expire", "run out"."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    runs_out = any(w in _RUNNING and words[i + 1 : i + 2] == ["out"] for i, w in enumerate(words))
    return runs_out or bool(_ENDING & set(words))


def _due(draft: Draft, relation: RelationType) -> str | None:
    """Return the day on a relation that is still to come: "when does X go to Y"."""
    asks = draft.sketch.words(0, 2)
    if asks[:1] != ["when"] or not set(asks[1:]) & _TO_COME:
        return None
    schema = draft.sketch.schema
    bounds = {*schema.valid_from, *schema.valid_to}
    held = [n for n in relation.properties if is_dated(draft.sketch, relation.name, n)]
    found = [name for name in held if name not in bounds]
    return found[0] if len(found) == 1 else None


def _amount_too(
    draft: Draft, relation: RelationType, sides: dict[str, Anchor]
) -> tuple[tuple[Ref, Form], ...]:
    """Return the amount on a relation, where it is asked for too: "when, and how many"."""
    amount = amount_of(relation) if draft.cues("count") else None
    if amount is None:
        return ()
    ends = {side: draft.anchor_set(anchor) for side, anchor in sides.items()}
    values = draft.plan.add(
        "relation_values", relation=relation.name, property=amount.name, as_of=draft.when, **ends
    )
    return ((draft.plan.add("reduce_scores", scores=values, how="sum"), Form.NUMBER),)


def day_told(draft: Draft) -> Plan | None:
    """Read "when did the strike end" of a day that the one thing named has in a property."""
    sketch = draft.sketch
    anchors = settled(draft)
    is_asked = sketch.words(0, 1) == ["when"] or bool(draft.cues("since_when", "until_when"))
    is_plain = len(anchors) == 1 and len(anchors[0].ids) == 1 and not sketch.question.times
    if not (is_asked and is_plain) or sketch.types or sketch.wanted:
        return None
    own = anchors[0]
    names = dates_asked(sketch, own.type, 0, len(sketch.tokens))
    named = any(t.score >= _SURE for t in sketch.relations)
    if named or not names or not is_dated(sketch, own.type, names[0]):
        return None
    draft.plan.add("day_of", nodes=draft.anchor_set(own), which="first", property=names[0])
    return finish(draft, Form.DATE, "day", f"{names[0]} of {own.label}")
