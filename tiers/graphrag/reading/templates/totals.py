"""What a number asked for is computed over: a type, or the relations between what is named."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.figures import Formula
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.summing import SIDES, adds_up, ends_meant, narrowed_sides
from tiers.graphrag.reading.templates.common import finish
from trivium.domain.schema import RelationType

_WITHOUT: Final = frozenset({"without", "minus", "excluding", "except", "barring", "less"})
_NEAR_LOSS: Final = 3
"""Words from a name to the verb that says it is gone."""
LEFT: Final = frozenset({"left", "remain", "remains", "remaining"})
"""Words for what is asked for where something is gone."""


def over_type(
    draft: Draft, node_type: str, name: str, how: str, *, per: float | None = None
) -> Plan:
    """Return the plan for a number of a type, over those of it that the question means.

    ``per`` is how many of the number's unit one of the unit asked for is.
    """
    own = [a for a in draft.sketch.anchors if a.type == node_type]
    sets = [draft.anchor_set(a) for a in own] if all(a.ids for a in own) else []
    is_rest = bool(sets) and all(_is_gone(draft, a) for a in own)
    if is_rest:
        draft.used |= {c.span for c in draft.cues("removal", "negation", "exception")}
        kept = (members(draft, node_type, without=own), *sets)
        nodes = draft.plan.add("combine", how="difference", sets=kept)
    else:
        nodes = draft.union(sets) if sets else members(draft, node_type)
    number = name if per is None else Formula(left=name, how="/", right=per)
    scores = draft.plan.add("node_values", nodes=nodes, property=number)
    draft.plan.add("reduce_scores", scores=scores, how=how)
    rest = f", without {draft.names(own)}" if is_rest else ""
    said_so = f"{how} of {name} over {'; '.join(draft.said) or draft.names(own)}{rest}"
    return finish(draft, Form.NUMBER, "property number", said_so)


def _is_gone(draft: Draft, anchor: Anchor) -> bool:
    """Whether a name is left out of what is added up: "without X", "with X scrapped"."""
    before = set(draft.sketch.words(anchor.span.first - 2, anchor.span.first))
    after = range(anchor.span.last, anchor.span.last + _NEAR_LOSS)
    is_lost = any(c.span.first in after or c.span.last == anchor.span.first
                  for c in draft.cues("removal"))  # fmt: skip
    return bool(before & _WITHOUT) or is_lost


def on_relation(draft: Draft, relation: RelationType, name: str | Formula, how: str) -> Plan:
    """Read a number on the relations between what is named."""
    source, target = ends_meant(draft, relation)
    sides: dict[str, Ref] = narrowed_sides(draft, relation)
    for side, node_type in (("sources", source), ("targets", target)):
        for anchor in draft.sketch.anchors:
            if anchor.type == node_type and side not in sides and anchor.span not in draft.used:
                sides[side] = _left_of(draft, anchor)
                draft.used.add(anchor.span)
        is_event = draft.sketch.schema.node_types[node_type].is_event
        if is_event and side not in sides and draft.cues("open"):
            sides[side] = members(draft, node_type)
    others = [a for a in draft.sketch.anchors if a.span not in draft.used]
    others = [a for a in others if a.type not in (source, target) or len(sides) < len(SIDES)]
    is_told = draft.bounds or any(not s.relations for s in draft.stated)
    if others or is_told or _far_types(draft, relation):
        side, node_type = _nearer_side(
            draft, relation, {"sources": source, "targets": target}, sides
        )
        if side not in sides:
            sides[side] = members(draft, node_type)
        sides |= _told_sides(draft, {"sources": source, "targets": target}, sides)
    edges = draft.plan.add(
        "relation_values",
        relation=relation.name,
        property=name,
        where=draft.relation_conditions(relation.name),
        as_of=draft.when,
        **sides,
    )
    if len(sides) == len(SIDES):
        how = _of_one(name, how)
    draft.plan.add("reduce_scores", scores=edges, how=how)
    told = draft.said or [draft.names(draft.sketch.anchors) or "all"]
    named = name if isinstance(name, str) else f"{name.left} {name.how} {name.right}"
    what = named if how == "max" and len(sides) == len(SIDES) else f"{how} of {named}"
    said_so = f"{what} on {relation.name}: {'; '.join(told)}"
    return finish(draft, Form.NUMBER, "relation number", said_so)


def _of_one(name: str | Formula, how: str) -> str:
    """Return how the number of one relation is told: what is not joined has no price, not 0."""
    is_price = how == "sum" and isinstance(name, str) and not adds_up(name)
    return "max" if is_price else how


def _left_of(draft: Draft, anchor: Anchor) -> Ref:
    """Return an anchor's entities, or all others where it is gone and what is left is asked."""
    nodes = draft.anchor_set(anchor)
    words = set(draft.sketch.words(0, len(draft.sketch.tokens)))
    if not (draft.cues("removal") and words & LEFT):
        return nodes
    return draft.plan.add("set_complement", type=anchor.type, nodes=nodes, as_of=draft.when)


def _nearer_side(
    draft: Draft, relation: RelationType, ends: dict[str, str], taken: dict[str, Ref]
) -> tuple[str, str]:
    """Return the free end of a relation that is nearest to what else is named."""
    far = [a.type for a in draft.sketch.anchors if a.span not in draft.used]
    far += _far_types(draft, relation)
    named = {t.type for t in draft.sketch.types}

    told = _told(draft)

    def distance(side: str) -> tuple[bool, bool, float]:
        ways = [draft.way(node_type, ends[side]) for node_type in far]
        cost = sum(way.cost if way else 9.0 for way in ways)
        return ends[side] not in told & named, ends[side] not in named, cost

    free = [side for side in ends if side not in taken]
    chosen = min(free or list(ends), key=distance)
    return chosen, ends[chosen]


def _told(draft: Draft) -> set[str]:
    """Return the types of which a property is stated."""
    return {o for s in draft.stated if not s.relations for o, _ in s.owners[:1]}


def _told_sides(draft: Draft, ends: dict[str, str], taken: dict[str, Ref]) -> dict[str, Ref]:
    """Return the other named end too, where something is stated of it: "stout of our tied pubs"."""
    named = {t.type for t in draft.sketch.types} & _told(draft)
    draft.used -= {span for s in draft.stated for span in s.spans}
    free = {side: t for side, t in ends.items() if side not in taken and t in named}
    return {side: members(draft, node_type) for side, node_type in free.items()}


def _far_types(draft: Draft, relation: RelationType) -> list[str]:
    ends = {e for pair in relation.ends for e in pair}
    return [t.type for t in draft.sketch.types if t.type not in ends]
