"""What is known of one entity in layers, and how the changes of the journal edit them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tiers.cag.kept import fact_of, row_of
from tiers.cag.sheets import (
    ACL,
    DATA_SET,
    EARLIER,
    MEMBER,
    OWN,
    PUBLIC,
    RESTRICTED,
    SAID,
    SINCE,
    TYPE,
    UNTIL,
    attribute_sheet,
    kind_of,
    twin,
)
from trivium.domain.knowledge import Change, ChangeKind, Fact, Value
from trivium.domain.payloads import fact_from_payload, node_from_payload
from trivium.domain.schema import PropertyKind
from trivium.language.units import unit_of
from trivium.language.words import general_words


@dataclass(slots=True)
class Layers:
    """What is known of one entity: by its node, and by explicit facts, which win."""

    twin: dict[str, Value] = field(default_factory=dict)
    """Of the node: its type, its data set, when it holds, who may see it."""
    own: dict[str, Fact] = field(default_factory=dict)
    explicit: dict[str, dict[str, Fact]] = field(default_factory=dict)
    """By attribute, then by the data set or caller that says it; the last one holds."""


_Said: TypeAlias = list[Any]  # Any: JSON
"""What one data set says of an entity: its twin, and its attributes as value, unit, version."""


def cuts(key: str) -> Iterator[tuple[str, str]]:
    """Give the entity and attribute that a key may mean: either may have a bar in it."""
    for index, character in enumerate(key):
        if character == "|":
            yield key[:index], key[index + 1 :]


def edit(entity: str, layers: Layers, change: Change) -> None:
    """Apply one change to the layers of an entity."""
    match change.kind:
        case ChangeKind.PUT_NODE:
            _put_node(layers, change)
        case ChangeKind.DROP_NODE:
            _drop_node(entity, layers, _others(layers, change.source))
        case ChangeKind.PUT_FACT:
            fact = fact_from_payload(change.payload, change.sequence)
            _unsay(layers, fact.attribute, change.source)
            if fact.value is not None:
                earlier = tuple(_with_unit(before) for before in fact.earlier)
                said = layers.explicit.setdefault(fact.attribute, {})
                said[change.source] = replace(_with_unit(fact), earlier=earlier)
        case _:
            for attribute in [a for e, a in cuts(change.key) if e == entity]:
                _unsay(layers, attribute, change.source)


def _unsay(layers: Layers, attribute: str, source: str) -> None:
    """Forget what one data set or caller says of an attribute; the one before it holds again."""
    said = layers.explicit.get(attribute, {})
    for said_by in (source, ""):
        said.pop(said_by, None)
    if not said:
        layers.explicit.pop(attribute, None)


def _others(layers: Layers, source: str) -> list[_Said]:
    """Return what data sets other than ``source`` say of an entity, in order."""
    found: list[_Said] = json.loads(str(layers.twin.get(EARLIER, "[]")))
    if layers.twin:
        twin_ = {name: layers.twin[name] for name in sorted(layers.twin) if name != EARLIER}
        own = [[n, f.value, f.unit, f.version] for n, f in sorted(layers.own.items())]
        found.append([twin_, own])
    return [said for said in found if said[0][DATA_SET] != source]


def _drop_node(entity: str, layers: Layers, others: Sequence[_Said]) -> None:
    """Go back to what the last of ``others`` says; without any, everything goes."""
    if not others:
        layers.twin, layers.own, layers.explicit = {}, {}, {}
        return
    *before, (twin_, own) = others
    layers.twin = twin_ | ({EARLIER: json.dumps(before)} if before else {})
    layers.own = {
        name: Fact(
            entity=entity,
            attribute=name,
            value=value,
            unit=unit,
            source=f"node {entity}",
            version=version,
        )
        for name, value, unit, version in own
    }


def _put_node(layers: Layers, change: Change) -> None:
    node = node_from_payload(change.payload)
    others = _others(layers, change.source)
    layers.twin = {TYPE: node.type, DATA_SET: change.source, MEMBER: 1}
    if others:
        layers.twin[EARLIER] = json.dumps(others)
    if node.validity.has_start:
        layers.twin[SINCE] = node.validity.start
    if node.validity.has_end:
        layers.twin[UNTIL] = node.validity.end
    if node.acl and PUBLIC not in node.acl:
        layers.twin |= {ACL: json.dumps(node.acl), RESTRICTED: 1}
    layers.own = {
        name: Fact(
            entity=node.id,
            attribute=name,
            value=value,
            unit=_unit(name, value),
            source=f"node {node.id}",
            version=change.sequence,
        )
        for name, value in node.properties.items()
        if value is not None
    }


def _with_unit(fact: Fact) -> Fact:
    return replace(fact, unit=fact.unit or _unit(fact.attribute, fact.value))


def _unit(attribute: str, value: Value) -> str | None:
    """Return the unit that the name of an attribute tells, where its value is a number."""
    is_number = kind_of(value) is PropertyKind.NUMBER
    return unit_of(attribute, general_words().units) if is_number else None


def puts_of(entity: str, layers: Layers, dates: Mapping[str, Value]) -> Iterator[Fact]:
    """Give all that is to be kept of an entity: its sheet, its twin, what it brings its type."""
    as_of = dates.get(str(layers.twin.get(DATA_SET, "")))
    own = {
        name: replace(fact, as_of=None if as_of is None else str(as_of))
        for name, fact in layers.own.items()
    }
    holding = {name: next(reversed(said.values())) for name, said in layers.explicit.items()}
    yield from (own | holding).values()
    for name, value in layers.twin.items():
        yield plain_fact(twin(entity), name, value)
    for name, fact in holding.items():
        yield plain_fact(twin(entity), SAID + name, _written(layers.explicit[name]))
        hidden = own.get(name) or plain_fact(entity, name, None)
        yield replace(hidden, entity=twin(entity), attribute=OWN + name)
        if TYPE in layers.twin:
            sheet = attribute_sheet(str(layers.twin[TYPE]))
            yield replace(plain_fact(sheet, name, kind_of(fact.value).value), unit=fact.unit)


def _written(said: Mapping[str, Fact]) -> str:
    return json.dumps([[said_by, *row_of(fact)] for said_by, fact in said.items()])


def said_of(entity: str, attribute: str, written: str) -> dict[str, Fact]:
    """Return who says which explicit fact of an attribute, from the form in which it is kept."""
    rows = json.loads(written)
    return {said_by: fact_of(entity, attribute, row) for said_by, *row in rows}


def plain_fact(entity: str, attribute: str, value: Value) -> Fact:
    """Return a fact without unit, date and source: one that is kept for ourselves."""
    return Fact(entity=entity, attribute=attribute, value=value)
