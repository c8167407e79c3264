"""Says how a question that was cut short can be narrowed, in the schema's own words."""

from collections.abc import Sequence
from typing import assert_never

from tiers.graphrag.budget import Cut, Limit
from tiers.graphrag.plans.checking import relations_of, types_of
from tiers.graphrag.plans.steps import Plan
from trivium.domain.schema import NodeType, PropertyKind, Schema
from trivium.language.text import spoken


def narrower(plan: Plan, cut: Cut, schema: Schema) -> str:
    """Return a sentence on how to ask for less than what was cut."""
    types = _types_at(plan, cut, schema)
    kept = _only_those(types)
    match cut.limit:
        case Limit.NODES | Limit.PER_HOP:
            one = f"name one {spoken(types[0].name)}" if types else "name one to start from"
            return f"To see all of less, {_either(one, kept)}."
        case Limit.HOPS:
            names = _either(*(spoken(item.name) for item in types[:3]))
            asked = f"ask for one kind of what it leads to, such as {names}" if names else ""
            return f"To go further, {_either('start from something nearer', asked)}."
        case Limit.TIME | Limit.RELATIONS:
            one = f"ask about one {spoken(types[0].name)} instead of all" if types else ""
            return f"To have it computed in the time, {_either(one or 'name one thing', kept)}."
        case Limit.PATHS:
            return "To see the others, name something that the way must pass."
        case _ as unreachable:
            assert_never(unreachable)


def _types_at(plan: Plan, cut: Cut, schema: Schema) -> list[NodeType]:
    """Return the types that the cut step is about, else those that the plan is."""
    at = [step for step in plan.steps if step.name == cut.step]
    for steps in (at, list(plan.steps)):
        names = [name for step in steps for name in types_of(step)]
        for step in steps:
            for relation in relations_of(step):
                names += [name for pair in schema.relation_types[relation].ends for name in pair]
        if names:
            return [schema.node_types[n] for n in dict.fromkeys(names) if n in schema.node_types]
    return [node_type for node_type in schema.node_types.values() if not node_type.is_event]


def _only_those(types: Sequence[NodeType]) -> str:
    """Return "only a plant whose country is Peru" for the first type that has a category."""
    for node_type in types:
        for item in node_type.properties.values():
            if item.kind is PropertyKind.CATEGORY and item.values:
                whose = f"{spoken(item.name)} is {item.values[0]}"
                return f"ask only for each {spoken(node_type.name)} whose {whose}"
    return ""


def _either(*ways: str) -> str:
    return " or ".join(way for way in ways if way)
