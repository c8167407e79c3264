"""Fills templates with what a schema has: whether one fits it at all, and with what."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from tiers.graphrag.templates.filling import Filling, instantiate, value_of
from tiers.graphrag.templates.form import Slot, SlotKind, Template
from trivium.domain.errors import PlanError
from trivium.domain.schema import Schema

Entities: TypeAlias = Callable[[str | None], Sequence[str]]
"""Gives ids of entities of a type, or of any."""

_MAX_TRIED: Final = 5_000
"""Fillings of single slots that are tried for one template."""
_A_DAY: Final = "2024-01-01"


def misfit(template: Template, schema: Schema) -> str | None:
    """Say why no filling of a template fits a schema; ``None`` when one does."""
    why = None
    try:
        for slots in islice(samples(template, schema, lambda _: ("an entity",)), _MAX_TRIED):
            try:
                instantiate(template, slots, schema)
            except PlanError as error:
                why = why or str(error)
            else:
                return None
    except PlanError as error:
        why = why or f"{template.place}: template {template.name}: {error}"
    return why


def samples(template: Template, schema: Schema, entities: Entities) -> Iterator[dict[str, object]]:
    """Give fillings of a template with what a schema has, the optional slots left out.

    Raises:
        PlanError: there is none; it says which slot nothing fits, and why.
    """
    search = _Search(template, Filling(schema=schema), entities)
    yield from search.fillings(0)
    if not search.n_found:
        raise PlanError(search.why)


class _Search:
    """Tries what may fill each slot in turn."""

    def __init__(self, template: Template, filling: Filling, entities: Entities) -> None:
        self._slots = template.slots
        self._filling = filling
        self._entities = entities
        self._deepest = -1
        self._n_tried = 0
        self.n_found = 0
        self.why = "nothing fits it"

    def fillings(self, at: int) -> Iterator[dict[str, object]]:
        """Give all fillings of the slots from ``at`` on."""
        values = self._filling.values
        if at == len(self._slots):
            self.n_found += 1
            yield {s.name: values[s.name] for s in self._slots if not s.is_optional}
            return
        slot = self._slots[at]
        for option in self._options(slot):
            self._n_tried += 1
            if self._n_tried > _MAX_TRIED:
                return
            try:
                values[slot.name] = value_of(slot, option, self._filling)
            except PlanError as error:
                if at >= self._deepest:
                    self._deepest, self.why = at, f"slot {slot.name!r}: {error}"
                continue
            yield from self.fillings(at + 1)

    def _options(self, slot: Slot) -> Sequence[object]:
        if slot.is_optional:
            return (None,)
        options = self._of_kind(slot)
        return [list(options)[:2]] if slot.is_many else options

    def _of_kind(self, slot: Slot) -> Sequence[object]:
        schema, filling = self._filling.schema, self._filling
        options: Mapping[SlotKind, Callable[[], Sequence[object]]] = {
            SlotKind.ENTITY: lambda: self._entities(filling.meant(slot.of)),
            SlotKind.TYPE: lambda: list(schema.node_types),
            SlotKind.RELATION: lambda: list(schema.relation_types),
            SlotKind.PROPERTY: lambda: self._properties(slot),
            SlotKind.VALUE: lambda: slot.one_of or self._values(slot),
            SlotKind.NUMBER: lambda: (1,),
            SlotKind.DATE: lambda: (_A_DAY,),
            SlotKind.DIRECTION: lambda: ("out", "in"),
        }
        return options[slot.kind]()

    def _properties(self, slot: Slot) -> list[str]:
        owned = self._filling.owner(slot)
        if owned is not None:
            return list(owned)
        types = self._filling.schema.node_types.values()
        return list(dict.fromkeys(name for kind in types for name in kind.properties))

    def _values(self, slot: Slot) -> Sequence[object]:
        known = self._filling.called(self._filling.meant(slot.of))
        return [value for item in known for value in item.values] or ("a value", 1)
