"""The unit of the number that a plan ends in, as far as the schema tells it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.figures import At, Formula, Operand
from tiers.graphrag.plans.steps import Argument, Plan, Ref, Step
from trivium.domain.result import Number, Result
from trivium.domain.schema import Property, Schema
from trivium.language.words import is_money

_PASSING: Final = ("scores", "of")
"""Arguments whose numbers an operator reduces or orders, and leaves in their unit."""
_COUNTING: Final = "count"


def in_its_unit(result: Result, plan: Plan, step: str, schema: Schema) -> Result:
    """Return a number with the unit of the property that a step computed it over."""
    if not isinstance(result, Number) or result.unit is not None:
        return result
    unit = _unit_of({s.name: s for s in plan.steps}, step, schema)
    return replace(result, unit=unit) if unit else result


def _unit_of(steps: Mapping[str, Step], name: str, schema: Schema) -> str | None:
    arguments = steps[name].arguments
    if arguments.get("how") == _COUNTING:
        return None
    wanted = arguments.get("property")
    if isinstance(wanted, str | Formula) and arguments.get("by") is None:
        return _unit_in(wanted, _holders(arguments, schema))
    passed = next((v for key in _PASSING if isinstance(v := arguments.get(key), Ref)), None)
    return _unit_of(steps, passed.step, schema) if passed else None


def _holders(
    arguments: Mapping[str, Argument], schema: Schema
) -> tuple[Mapping[str, Property], ...]:
    """Return the properties of the relation that a step is on, else of every type."""
    relation = schema.relation_types.get(str(arguments.get("relation")))
    if relation is not None:
        return (relation.properties,)
    return tuple(node_type.properties for node_type in schema.node_types.values())


def _unit_in(wanted: Operand, holders: Iterable[Mapping[str, Property]]) -> str | None:
    """Return the unit of a property, where all that have it agree; of a sum of money, the money."""
    match wanted:
        case str():
            units = {held[wanted].unit for held in holders if wanted in held}
            return units.pop() if len(units) == 1 else None
        case Formula(left=left, how="*", right=right) if not _has_other(left, right):
            units = {_unit_in(left, holders), _unit_in(right, holders)} - {None}
            unit = units.pop() if len(units) == 1 else None
            return unit.split(" per ")[0] if unit and is_money(unit) else None
        case _:
            return None


def _has_other(*operands: Operand) -> bool:
    """Whether one is no property of the thing itself, so that its unit is not looked for."""
    return any(isinstance(o, At | Formula) or not isinstance(o, str) for o in operands)
