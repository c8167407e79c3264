"""What a template is, and how one is read from what a file says."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.toolbox import OPERATORS
from trivium.domain.errors import DataError
from trivium.domain.schema import PropertyKind

Json: TypeAlias = dict[str, object]
SLOT: Final = re.compile(r"\{(\w+)\}")
"""How a slot stands in a text."""


class SlotKind(StrEnum):
    """What may stand in a slot."""

    ENTITY = "entity"
    """The id of an entity."""
    TYPE = "type"
    RELATION = "relation"
    PROPERTY = "property"
    VALUE = "value"
    NUMBER = "number"
    DATE = "date"
    """A day, a month, a quarter, a year, or ``first/last`` day."""
    DIRECTION = "direction"
    """``out`` or ``in``: with a relation or against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A hole of a template, and what may fill it.

    ``of``, ``joins``, ``start`` and ``end`` are names of the schema, or ``{slot}`` for what fills
    another slot before this one.
    """

    name: str
    kind: SlotKind
    of: str | None = None
    """The type of an entity, what has a property, the property of a value, the relation that a
    direction is of."""
    joins: tuple[str, ...] = ()
    """The types at the ends of a relation, one or both."""
    start: str | None = None
    """The type that a direction, or a relation, leads from."""
    end: str | None = None
    """The type that a direction, or a relation, leads to."""
    holds: PropertyKind | None = None
    """What the values of a property are."""
    one_of: tuple[str, ...] = ()
    """The only values, where they are the operator's and not the schema's."""
    is_event: bool = False
    """Whether a type must be one of events."""
    is_many: bool = False
    """Whether it takes a list."""
    is_optional: bool = False
    default: object = None

    @property
    def is_told_by_schema(self) -> bool:
        """Whether the schema can say what fills it: the way in which a relation leads to a type."""
        return self.kind is SlotKind.DIRECTION and not self.is_optional


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A plan with holes."""

    name: str
    says: str
    """What it finds, in one English sentence with ``{slot}``."""
    slots: tuple[Slot, ...]
    asks: tuple[str, ...]
    """Ways of asking for it, with ``{slot}``."""
    form: Form
    plan: tuple[Json, ...]
    """Steps as ``Plan.to_json`` gives them, with ``{slot}`` as arguments."""
    shape: str
    """The known shape that it covers."""
    place: str
    """The file that it stands in."""
    beside: str | None = None
    also: tuple[Json, ...] = ()

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators of its steps, in order."""
        return tuple(str(step["operator"]) for step in self.plan)


class _SlotForm(BaseModel):
    """A slot as a file gives it."""

    model_config = ConfigDict(extra="forbid")

    kind: SlotKind
    of: str | None = None
    joins: list[str] = Field(default=[], max_length=2)
    start: str | None = Field(None, alias="from")
    end: str | None = Field(None, alias="to")
    holds: PropertyKind | None = None
    one_of: list[str] = []
    event: bool = False
    many: bool = False
    default: object = None

    def to_slot(self, name: str) -> Slot:
        return Slot(
            name=name,
            kind=self.kind,
            of=self.of,
            joins=tuple(self.joins),
            start=self.start,
            end=self.end,
            holds=self.holds,
            one_of=tuple(self.one_of),
            is_event=self.event,
            is_many=self.many,
            is_optional="default" in self.model_fields_set,
            default=self.default,
        )


class _StepForm(BaseModel):
    """A step as a file gives it."""

    model_config = ConfigDict(extra="forbid")

    step: str
    operator: str
    arguments: Json = {}
    as_of: str | None = None


class _TemplateForm(BaseModel):
    """A template as a file gives it."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z]\w*$")]
    says: Annotated[str, Field(min_length=1)]
    slots: dict[Annotated[str, Field(pattern=r"^[a-z]\w*$")], _SlotForm] = {}
    asks: Annotated[list[str], Field(min_length=2, max_length=6)]
    form: Form
    plan: Annotated[list[_StepForm], Field(min_length=1)]
    shape: Annotated[str, Field(min_length=1)] = "the installation's own"
    beside: str | None = None
    also: list[Json] = []


def template_from(raw: object, place: str) -> Template:
    """Return the template that an entry of a file gives.

    Raises:
        DataError: it is none; with each fault as ``(where, what)``.
    """
    try:
        form = _TemplateForm.model_validate(raw)
    except ValidationError as error:
        named = raw.get("name") if isinstance(raw, Mapping) else None
        faults = [(".".join(map(str, e["loc"])), e["msg"]) for e in error.errors()]
        raise _refusal(place, str(named or "without a name"), faults) from error
    template = Template(
        name=form.name,
        says=form.says,
        slots=tuple(slot.to_slot(name) for name, slot in form.slots.items()),
        asks=tuple(form.asks),
        form=form.form,
        plan=tuple(step.model_dump(exclude_none=True) for step in form.plan),
        shape=form.shape,
        place=place,
        beside=form.beside,
        also=tuple(form.also),
    )
    if faults := list(_faults(template)):
        raise _refusal(place, template.name, faults)
    return template


def _refusal(place: str, name: str, faults: Sequence[tuple[str, str]]) -> DataError:
    where, what = faults[0]
    return DataError(f"{place}: template {name}: {where}: {what}", faults)


def slots_in(form: object) -> set[str]:
    """Return the slots that a text, or a part of a plan, names."""
    if isinstance(form, str):
        return set(SLOT.findall(form))
    if isinstance(form, Mapping):
        return slots_in(list(form.values()))
    if isinstance(form, Sequence):
        return {name for item in form for name in slots_in(item)}
    return set()


def _faults(template: Template) -> Iterator[tuple[str, str]]:
    """Say where what a template names is not there."""
    known = {slot.name for slot in template.slots}
    for where, part in (("says", template.says), ("asks", template.asks), ("plan", template.plan)):
        for name in sorted(slots_in(part) - known):
            yield where, f"there is no slot {name!r}"
    for name in sorted(known - slots_in(template.plan) - _constraining(template)):
        yield f"slots.{name}", "the plan has no place for it"
    for step in template.plan:
        if step["operator"] not in OPERATORS:
            yield f"plan.{step['step']}", f"no operator is called {step['operator']!r}"
    yield from _late(template)
    needed = {s.name for s in template.slots if not (s.is_optional or s.is_told_by_schema)}
    for ask in template.asks:
        for name in sorted(needed - slots_in(ask)):
            yield "asks", f"{ask!r} does not say the slot {name!r}"


def _constraining(template: Template) -> set[str]:
    return {name for slot in template.slots for name in slots_in(_bounds(slot))}


def _late(template: Template) -> Iterator[tuple[str, str]]:
    """Say which slots are bounded by one that does not come before them."""
    seen: set[str] = set()
    for slot in template.slots:
        for name in sorted(slots_in(_bounds(slot)) - seen):
            yield f"slots.{slot.name}", f"no slot {name!r} comes before it"
        seen.add(slot.name)


def _bounds(slot: Slot) -> list[str]:
    return [name for name in (slot.of, slot.start, slot.end, *slot.joins) if name is not None]
