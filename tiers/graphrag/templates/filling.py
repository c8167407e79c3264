"""Fills a template: what may stand in each slot, and the plan that comes of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tiers.graphrag.plans.checking import validate
from tiers.graphrag.plans.decoding import moment_from, plan_from_json
from tiers.graphrag.plans.steps import Plan
from tiers.graphrag.templates.form import SLOT, Json, Slot, SlotKind, Template
from trivium.domain.errors import InputError, PlanError
from trivium.domain.question import Candidate
from trivium.domain.schema import Property, PropertyKind, Schema
from trivium.language.text import spoken

_GREATEST: Final = 1e300
"""Numbers beyond are a slip: sums of them are no numbers any more."""


@dataclass(slots=True, kw_only=True)
class Filling:
    """What fills the slots of a template, in order; each slot may look at those before it."""

    schema: Schema
    named: Mapping[str, Candidate] | None = None
    """The entities that may be named, by id; ``None`` for any."""
    values: dict[str, object] = field(default_factory=dict)

    def meant(self, name: str | None) -> str | None:
        """Return what a constraint names: itself, or what fills the slot."""
        match = SLOT.fullmatch(name) if name is not None else None
        value = self.values[match[1]] if match else name
        return None if value is None else str(value)

    def owner(self, slot: Slot) -> Mapping[str, Property] | None:
        """Return the properties of what a property slot is of; ``None`` when it is of nothing."""
        found = self.schema.owner(self.meant(slot.of) or "")
        return found.properties if found else None

    def called(self, name: str | None) -> list[Property]:
        """Return the properties of that name, whatever has them."""
        owned = (kind.properties for kind in self.schema.owners())
        return [known[name] for known in owned if name is not None and name in known]

    def ways(self, slot: Slot) -> tuple[str, ...]:
        """Return in which directions the relation of a slot leads between the types it names."""
        relation = self.schema.relation_types.get(self.meant(slot.of) or "")
        if relation is None:
            return ("out", "in")
        start, end = self.meant(slot.start), self.meant(slot.end)
        ends = {"out": relation.ends, "in": tuple((b, a) for a, b in relation.ends)}
        return tuple(
            way
            for way, pairs in ends.items()
            if any(start in {None, a} and end in {None, b} for a, b in pairs)
        )


def instantiate(
    template: Template,
    slots: Mapping[str, object],
    schema: Schema,
    named: Mapping[str, Candidate] | None = None,
) -> Plan:
    """Return the plan that a template is with its slots filled.

    ``named`` are the only entities that may be named, by id; ``None`` allows any.

    Raises:
        PlanError: a slot is missing, unknown, or filled with what it cannot hold, or the plan does
            not fit the schema; it says the file, the template and the slot or step.
    """
    filling = Filling(schema=schema, named=named)
    known = {slot.name for slot in template.slots}
    if unknown := sorted(slots.keys() - known):
        raise _refusal(template, f"it has no slot {unknown[0]!r}", unknown[0])
    for slot in template.slots:
        try:
            filling.values[slot.name] = value_of(slot, slots.get(slot.name), filling)
        except PlanError as error:
            raise _refusal(template, f"slot {slot.name!r}: {error}", slot.name) from error
    try:
        plan = plan_from_json(_filled(template, filling))
        validate(plan, schema)
    except PlanError as error:
        raise _refusal(template, str(error), "plan") from error
    return plan


def _refusal(template: Template, what: str, where: str) -> PlanError:
    return PlanError(f"{template.place}: template {template.name}: {what}", [(where, what)])


def value_of(slot: Slot, given: object, filling: Filling) -> object:
    """Return what fills a slot, its default where nothing is given.

    Raises:
        PlanError: nothing is, and there is no default; or it cannot stand there.
    """
    if given is None and slot.is_optional:
        return slot.default
    if given is None and slot.is_told_by_schema and len(filling.ways(slot)) == 1:
        given = filling.ways(slot)[0]
    if given is None:
        raise PlanError("it is not filled")
    check = _CHECKS[slot.kind]
    if not slot.is_many:
        return check(slot, given, filling)
    if not isinstance(given, (list, tuple)) or not given:
        raise PlanError(f"it takes a list, not {given!r:.80}")
    return [check(slot, item, filling) for item in given]


def _entity(slot: Slot, given: object, filling: Filling) -> object:
    if not isinstance(given, str):
        raise PlanError(f"{given!r:.80} is no id")
    wanted = filling.meant(slot.of)
    if wanted is not None and wanted not in filling.schema.node_types:
        raise PlanError(f"the schema has no type {wanted!r}")
    if filling.named is None:
        return given
    named = filling.named.get(given)
    if named is None:
        raise PlanError(f"the question names no entity {given!r:.80}")
    if wanted is not None and named.type != wanted:
        raise PlanError(f"{given!r} is a {named.type}, not a {wanted}")
    return given


def _type(slot: Slot, given: object, filling: Filling) -> object:
    known = filling.schema.node_types.get(given) if isinstance(given, str) else None
    if known is None:
        raise PlanError(f"the schema has no type {given!r:.80}")
    if slot.is_event and not known.is_event:
        raise PlanError(f"{given} is no type of events")
    return given


def _relation(slot: Slot, given: object, filling: Filling) -> object:
    known = filling.schema.relation_types.get(given) if isinstance(given, str) else None
    if known is None:
        raise PlanError(f"the schema has no relation {given!r:.80}")
    joined = [filling.meant(name) for name in slot.joins]
    if not any(_joins(joined, pair) for pair in known.ends):
        raise PlanError(f"{given} does not join {' and '.join(map(str, joined))}")
    start, end = filling.meant(slot.start), filling.meant(slot.end)
    if not any(start in {None, a} and end in {None, b} for a, b in known.ends):
        raise PlanError(f"{given} does not lead from {start or 'any'} to {end or 'any'}")
    return given


def _joins(wanted: list[str | None], pair: tuple[str, str]) -> bool:
    if len(wanted) == 2:
        return tuple(wanted) in {pair, pair[::-1]}
    return all(name in pair for name in wanted)


def _property(slot: Slot, given: object, filling: Filling) -> object:
    if not isinstance(given, str):
        raise PlanError(f"{given!r:.80} is no property")
    owned = filling.owner(slot)
    if owned is None:
        return given
    if given not in owned:
        raise PlanError(f"{filling.meant(slot.of)} has no property {given!r}")
    if slot.holds is not None and owned[given].kind is not slot.holds:
        raise PlanError(f"{given} is a {owned[given].kind}, not a {slot.holds}")
    return given


def _value(slot: Slot, given: object, filling: Filling) -> object:
    if slot.one_of:
        if given not in slot.one_of:
            raise PlanError(f"{given!r:.80} is none of {', '.join(slot.one_of)}")
        return given
    if not isinstance(given, (str, int, float)):
        raise PlanError(f"{given!r:.80} is no value")
    meant = filling.called(filling.meant(slot.of))
    is_of_numbers = bool(meant) and all(item.kind is PropertyKind.NUMBER for item in meant)
    return _number(slot, given, filling) if is_of_numbers else given


def _number(slot: Slot, given: object, filling: Filling) -> object:
    del slot, filling
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise PlanError(f"{given!r:.80} is no number")
    if not -_GREATEST < given < _GREATEST:
        raise PlanError(f"it is no number below {_GREATEST:g}")
    return int(given) if float(given).is_integer() else given


def _date(slot: Slot, given: object, filling: Filling) -> object:
    del slot, filling
    try:
        moment_from(given)
    except InputError as error:
        raise PlanError(str(error)) from error
    return given


def _direction(slot: Slot, given: object, filling: Filling) -> object:
    if given not in ("out", "in"):
        raise PlanError(f"{given!r:.80} is neither 'out' nor 'in'")
    if given not in filling.ways(slot):
        raise PlanError(f"{filling.meant(slot.of)} does not lead that way")
    return given


_Check: TypeAlias = Callable[[Slot, object, Filling], object]
_CHECKS: Final[Mapping[SlotKind, _Check]] = {
    SlotKind.ENTITY: _entity,
    SlotKind.TYPE: _type,
    SlotKind.RELATION: _relation,
    SlotKind.PROPERTY: _property,
    SlotKind.VALUE: _value,
    SlotKind.NUMBER: _number,
    SlotKind.DATE: _date,
    SlotKind.DIRECTION: _direction,
}


def _filled(template: Template, filling: Filling) -> Json:
    """Return a template as the JSON of a plan."""
    return {
        "steps": [_step(step, filling.values) for step in template.plan],
        "form": template.form.value,
        "understood": _said(template, filling),
        "template": template.name,
        "beside": template.beside,
        "also": list(template.also),
    }


def _step(step: Json, values: Mapping[str, object]) -> Json:
    arguments = step["arguments"]
    assert isinstance(arguments, Mapping), "the form was checked"
    filled = {key: _part(value, values) for key, value in arguments.items()}
    if isinstance(filled.get("outgoing"), str):  # operators on relations take a direction so
        filled["outgoing"] = filled["outgoing"] == "out"
    form: Json = {**step, "arguments": filled}
    as_of = _part(step.get("as_of"), values)
    return {key: value for key, value in {**form, "as_of": as_of}.items() if value is not None}


def _part(form: object, values: Mapping[str, object], *, is_within: bool = False) -> object:
    """Return a part of a plan with its slots filled; ``is_within`` a hop, a condition or the like.

    A value that begins like a reference is escaped, save where no reference can stand.
    """
    match form:
        case str() if whole := SLOT.fullmatch(form):
            value = values[whole[1]]
            return value if is_within else _escaped(value)
        case str():
            return SLOT.sub(lambda found: str(values[found[1]]), form)
        case list():
            return [_part(item, values, is_within=is_within) for item in form]
        case Mapping():
            return {key: _part(item, values, is_within=True) for key, item in form.items()}
        case _:
            return form


def _escaped(value: object) -> object:
    if isinstance(value, list):
        return [_escaped(item) for item in value]
    return f"${value}" if isinstance(value, str) and value.startswith("$") else value


def _said(template: Template, filling: Filling) -> str:
    """Return what the template says, with what fills its slots in words."""
    kinds = {slot.name: slot.kind for slot in template.slots}

    def label(name: str) -> str:
        value = filling.values[name]
        items = value if isinstance(value, list) else [value]
        return " and ".join(_label(kinds[name], item, filling) for item in items)

    return SLOT.sub(lambda found: label(found[1]), template.says)


def _label(kind: SlotKind, value: object, filling: Filling) -> str:
    if value is None:
        return "the day asked about" if kind is SlotKind.DATE else "any"
    if kind is SlotKind.ENTITY:
        named = (filling.named or {}).get(str(value))
        return f"{named.name} ({value})" if named else str(value)
    return spoken(str(value)) if kind in _SPOKEN else str(value)


_SPOKEN: Final = frozenset({SlotKind.TYPE, SlotKind.RELATION, SlotKind.PROPERTY})
