"""Checks what a mutation says against the schema, and notes each fault with its place."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

from trivium.domain.errors import InputError
from trivium.domain.knowledge import Value
from trivium.domain.schema import Property, PropertyKind, Schema
from trivium.domain.time import Validity, parse_instant
from trivium.knowledge.files import as_key, as_value

_MAX_TOLD: Final = 12
"""Names that a fault lists at most."""
_RESERVED: Final = frozenset({"id", "type", "name", "aliases", "acl", "source", "target"})


@dataclass(slots=True)
class Faults:
    """What is wrong with a request, each with its place."""

    where: str = ""
    """The place of the mutation that is looked at."""
    found: list[tuple[str, str]] = field(default_factory=list)

    def add(self, field_name: str, what: str) -> None:
        """Note a fault."""
        self.found.append((f"{self.where}.{field_name}", what))

    def refuse(self) -> None:
        """Raise all that was found as one error.

        Raises:
            InputError: something was found.
        """
        if not self.found:
            return
        where, what = self.found[0]
        more = f" (and {len(self.found) - 1} more)" if len(self.found) > 1 else ""
        raise InputError(f"{where}: {what}{more}", self.found)


def checked_id(value: str, field_name: str, faults: Faults) -> str:
    """Return an id as it is kept."""
    key = as_key(value)
    if key is None:
        faults.add(
            field_name, f"{value[:80]!r} is no id: it is blank, or holds what cannot be kept"
        )
    return key or ""


def checked_properties(
    given: Mapping[str, object], known: Mapping[str, Property], owner: str, faults: Faults
) -> dict[str, Value]:
    """Return properties as they are kept."""
    kept: dict[str, Value] = {}
    for name, value in given.items():
        where = f"properties.{name}"
        if name in _RESERVED or name not in known:
            faults.add(where, f"{owner} has no such property; it has {told(known)}")
        elif fault := _fault(value, known[name]):
            faults.add(where, fault)
        else:
            kept[name] = as_value(value)
    return kept


def checked_bounds(valid_from: str | None, valid_to: str | None, faults: Faults) -> bool:
    """Return whether a validity can be read and holds at some time."""
    n_before = len(faults.found)
    for name, value in (("valid_from", valid_from), ("valid_to", valid_to)):
        if value is not None and not _is_date(value):
            faults.add(name, f"{value[:80]!r} is not an ISO date or date-time")
    if len(faults.found) == n_before and Validity.of(valid_from, valid_to).is_empty:
        faults.add("valid_to", f"{valid_to} is before {valid_from}: it would never hold")
    return len(faults.found) == n_before


def checked_ends(
    schema: Schema, relation: str, source: str | None, target: str | None, faults: Faults
) -> None:
    """See that a relation may join two types; ``None`` is an end that was a fault already."""
    known = schema.relation_types.get(relation)
    if known is None:
        faults.add("type", f"there is no relation {relation!r}; there are "
                   f"{told(schema.relation_types)}")  # fmt: skip
    elif source and target and known.ends and (source, target) not in known.ends:
        ends = told([f"{a} to {b}" for a, b in known.ends])
        faults.add("type", f"{relation} does not lead from {source} to {target}, but from {ends}")


def told(names: Sequence[str] | Mapping[str, object]) -> str:
    """Return names as a list to read, cut where it is long."""
    listed = list(names)
    rest = f" and {len(listed) - _MAX_TOLD} more" if len(listed) > _MAX_TOLD else ""
    return (", ".join(listed[:_MAX_TOLD]) + rest) or "none"


def _fault(value: object, known: Property) -> str | None:
    """Say why a value is not for a property; ``None`` when it is."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a number that can be kept"
    if isinstance(value, list):
        inner = (_fault(item, known) for item in value if not isinstance(item, list))
        is_flat = not any(isinstance(item, (list, dict)) for item in value)
        return next(filter(None, inner), None) if is_flat else "a list may hold values alone"
    if value is not None and not isinstance(value, (str, int, float)):
        return "a value is a text, a number, true, false, null, or a list of them"
    return None if value is None or _fits(value, known.kind) else _wanted(value, known.kind)


def _fits(value: Value, kind: PropertyKind) -> bool:
    match kind:
        case PropertyKind.TEXT | PropertyKind.CATEGORY:
            return True
        case PropertyKind.NUMBER:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case PropertyKind.BOOLEAN:
            return isinstance(value, bool)
        case PropertyKind.DATE:
            return isinstance(value, str) and _is_date(value)
        case _:
            assert_never(kind)


def _wanted(value: Value, kind: PropertyKind) -> str:
    asked = {PropertyKind.NUMBER: "a number", PropertyKind.BOOLEAN: "true or false"}
    return f"{value!r:.80} is not {asked.get(kind, 'an ISO date or date-time')}"


def _is_date(value: str) -> bool:
    try:
        parse_instant(value)
    except InputError:
        return False
    return True
