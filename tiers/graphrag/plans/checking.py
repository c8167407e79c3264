"""Checks a plan before it runs: its operators and arguments, and the schema's names in them."""

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition
from tiers.graphrag.operators.figures import At, Formula, Group, Operand
from tiers.graphrag.operators.traversal import Hop, NodeSet, Scores
from tiers.graphrag.operators.ways import Ways
from tiers.graphrag.plans.kinds import fits
from tiers.graphrag.plans.steps import Argument, Plan, Ref, Step, flat
from tiers.graphrag.plans.toolbox import OPERATORS, gives, hints_of
from trivium.domain.errors import PlanError
from trivium.domain.result import Comparison
from trivium.domain.schema import Schema

_FORMS: Mapping[Form, tuple[object, ...]] = {
    Form.NODES: (NodeSet,),
    Form.RANKING: (Scores,),
    Form.NUMBER: (float, Ways),
    Form.BOOLEAN: (NodeSet,),
    Form.DATE: (str | None,),
    Form.PATH: (tuple[NodeSet, ...], Ways),
    Form.COMPARISON: (Comparison,),
}
"""What each form is made of."""
_OF_RELATIONS = frozenset({"relation_values", "group_by", "weighted_path", "trend"})
"""Operators whose ``property``, ``where`` and the like are those of relations."""


def validate(plan: Plan, schema: Schema) -> None:
    """Check operators, arguments, references, types, relations and properties.

    Raises:
        PlanError: with each fault as ``(step, what)``.
    """
    faults: list[tuple[str, str]] = []
    known: set[str] = set()
    for step in plan.steps:
        faults += [(step.name, fault) for fault in _faults(step, schema, known)]
        if step.name in known:
            faults.append((step.name, "another step is called so"))
        known.add(step.name)
    if not plan.steps:
        faults.append(("plan", "it has no step"))
    shown = [name for name in (plan.beside, *(name for name, _ in plan.also)) if name is not None]
    faults += [("plan", f"it has no step {name!r}") for name in shown if name not in known]
    if faults:
        where, what = faults[0]
        raise PlanError(f"{where}: {what}", faults)


def see_that_it_ends_well(plan: Plan) -> None:
    """Check that the steps that are shown give what their forms are made of, by their signatures.

    Raises:
        PlanError: one does not.
    """
    given = {step.name: gives(step.operator) for step in plan.steps}
    shown = [(step.name, plan.form) for step in plan.steps[-1:]]
    shown += [*plan.also, *([(plan.beside, Form.NODES)] if plan.beside is not None else [])]
    for n, (name, form) in enumerate(shown):
        if name in given and given[name] not in _FORMS[form]:
            who = "the last step" if n == 0 else f"step {name!r}"
            raise PlanError(f"{who} gives no {form.value}: say another form, or add a step")


def misfits(operator: str, arguments: Mapping[str, object]) -> list[str]:
    """Say which arguments are not of the kind that the operator takes."""
    hints = hints_of(operator)
    return [
        f"{key} cannot be {value!r:.80}"
        for key, value in arguments.items()
        if key in hints and not fits(value, hints[key], later=Ref)
    ]


def _faults(step: Step, schema: Schema, known: set[str]) -> list[str]:
    operator = OPERATORS.get(step.operator)
    if operator is None:
        return [f"no operator is called {step.operator!r}"]
    faults = []
    try:
        inspect.signature(operator).bind(None, **step.arguments)
    except TypeError as error:
        faults.append(str(error))
    faults += misfits(step.operator, step.arguments)
    for value in flat(tuple(step.arguments.values())):
        if isinstance(value, Ref) and value.step not in known:
            faults.append(f"step {value.step!r} does not come before it")
    types, relations = types_of(step), relations_of(step)
    faults += [f"the schema has no type {n!r}" for n in types if n not in schema.node_types]
    faults += [
        f"the schema has no relation {n!r}" for n in relations if n not in schema.relation_types
    ]
    return faults or list(_unknown_properties(step, schema))


def hops_in(step: Step) -> list[Hop]:
    """Return the hops that a step names."""
    return [value for value in flat(tuple(step.arguments.values())) if isinstance(value, Hop)]


def types_of(step: Step) -> list[str]:
    """Return the types of entities that a step names."""
    types = flat([step.arguments.get(key) for key in ("type", "types", "without")])
    return [name for name in [*types, *(h.to_type for h in hops_in(step))] if isinstance(name, str)]


def relations_of(step: Step) -> list[str]:
    """Return the types of relations that a step names."""
    own = flat([step.arguments.get(key) for key in ("relation", "relations")])
    return [name for name in [*own, *(h.relation for h in hops_in(step))] if isinstance(name, str)]


def _unknown_properties(step: Step, schema: Schema) -> Iterator[str]:
    """Say which properties neither the type nor the relation meant has."""
    of_nodes = _of_types(schema, [t for t in [step.arguments.get("type")] if isinstance(t, str)])
    any_node = _of_types(schema, [])
    is_on_relations = step.operator in _OF_RELATIONS or "edges" in step.arguments
    own = _of_relations(schema, relations_of(step)) if is_on_relations else of_nodes
    for key, value in step.arguments.items():
        if key in {"property", "date"}:
            yield from _not_in(_leaves(value), own, any_node)
        elif key == "peers" and isinstance(value, str):
            yield from _not_in([value], any_node, any_node)
        elif isinstance(value, Group) and value.property is not None:
            yield from _not_in([value.property], any_node if value.end else own, any_node)
        elif key == "where":
            yield from _not_in(_tested(flat([value])), own, any_node)
    for hop in hops_in(step):
        yield from _not_in(_tested(hop.where), _of_relations(schema, [hop.relation]), any_node)


def _tested(values: Sequence[Argument]) -> list[str]:
    return [value.property for value in values if isinstance(value, Condition)]


def _leaves(value: "Argument | Operand") -> list[str | At]:
    """Return the properties that a formula rests on."""
    match value:
        case Formula():
            return [*_leaves(value.left), *_leaves(value.right)]
        case At():
            return [value]
        case str():
            return [value]
        case _:
            return []


def _not_in(
    names: Iterable[str | At], own: frozenset[str], any_node: frozenset[str]
) -> Iterator[str]:
    for item in names:
        name, known = (item.property, any_node) if isinstance(item, At) else (item, own)
        if name not in known:
            yield f"the schema has no property {name!r} there"


def _of_types(schema: Schema, types: Sequence[str]) -> frozenset[str]:
    """Return the properties of some types of entities, or of any."""
    meant = [schema.node_types[name] for name in types] or schema.node_types.values()
    return frozenset(item.name for node_type in meant for item in node_type.properties.values())


def _of_relations(schema: Schema, relations: Sequence[str]) -> frozenset[str]:
    """Return the properties of some types of relations, or of any."""
    meant = [schema.relation_types[name] for name in relations] or schema.relation_types.values()
    return frozenset(item.name for relation in meant for item in relation.properties.values())
