"""The facts as a projection of the knowledge journal."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeAlias

from tiers.cag.sheets import (
    ACL,
    DATA_SET,
    DATA_SETS,
    EARLIER,
    MEMBER,
    OWN,
    PUBLIC,
    RESTRICTED,
    SINCE,
    TYPE,
    UNTIL,
    attribute_sheet,
    is_hidden,
    kind_of,
    twin,
)
from trivium.domain.knowledge import Change, ChangeKind, Fact, Value
from trivium.domain.payloads import fact_from_payload, node_from_payload, schema_from_payload
from trivium.domain.schema import PropertyKind
from trivium.language.vocabulary import unit_of
from trivium.language.words import general_words

_SLICE: Final = 300
"""Entities in one write, a twin to each; see ``RedisStore.apply``."""
_AT_ONCE: Final = 16
_MAX_REMEMBERED: Final = 1_000_000


class FactWriter(Protocol):
    """Where facts are kept.

    Every method raises ``DependencyError`` when the store does not answer.
    """

    async def facts(self, entity: str) -> tuple[Fact, ...]:
        """Return what is known of ``entity``."""
        ...

    async def ranking(
        self, node_type: str, attribute: str, *, limit: int | None = None, ascending: bool = False
    ) -> tuple[tuple[str, float], ...]:
        """Return the entities of a type with their number."""
        ...

    async def apply(
        self,
        *,
        puts: Sequence[Fact] = (),
        drops: Sequence[tuple[str, str]] = (),
        dropped_entities: Sequence[str] = (),
        types: Mapping[str, str] | None = None,
        watermark: int,
    ) -> None:
        """Drop whole entities, then put facts and types and set the watermark, all or nothing."""
        ...

    async def watermark(self) -> int:
        """Return the number of the last change applied; 0 for none."""
        ...

    async def clear(self) -> None:
        """Forget everything; the watermark is 0."""
        ...


@dataclass(slots=True)
class _Layers:
    """What is known of one entity: by its node, and by explicit facts, which win."""

    twin: dict[str, Value] = field(default_factory=dict)
    """Of the node: its type, its data set, when it holds, who may see it."""
    own: dict[str, Fact] = field(default_factory=dict)
    explicit: dict[str, Fact] = field(default_factory=dict)


_Said: TypeAlias = list[Any]  # Any: JSON
"""What one data set says of an entity: its twin, and its attributes as value, unit, version."""
_Edits: TypeAlias = dict[str, list[Change]]
"""The changes of each entity, in order."""


class FactProjection:
    """Keeps the fact store: one fact for each property of a node, and the explicit facts.

    Where several data sets say a node, the last to speak holds; when it falls silent, the one
    before it does. The facts go with the last of them.
    An explicit fact hides the node's own value of the same name, which comes back when the fact
    is dropped. What a node says is as of its data set.
    """

    name = "facts"

    def __init__(self, store: FactWriter) -> None:
        self._store = store
        self._written: set[str] | None = None
        """All entities in the store, while that is known: others need no reading."""

    async def watermark(self) -> int:
        """Return the sequence number up to which changes are applied; 0 for none."""
        return await self._store.watermark()

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Apply ``changes`` in order and move the watermark to ``upto``; see ``Projection``.

        A large batch is written in slices. Only the last moves the watermark, and each puts
        whole entities, so that a batch cut short is simply applied again.
        """
        before = await self._store.watermark()
        if before == 0:
            await self.clear()  # a first batch that was cut short may have left something
        dates = {fact.attribute: fact.value for fact in await self._store.facts(DATA_SETS)}
        edits = _by_entity(changes)
        for change in changes:
            if change.kind is ChangeKind.SET_SCHEMA:
                await self._redate(change, dates, edits)
        dated = [_fact(DATA_SETS, name, value) for name, value in dates.items()]
        entities = sorted(edits)
        for start in range(0, len(entities), _SLICE):
            is_last = start + _SLICE >= len(entities)
            part = {entity: edits[entity] for entity in entities[start : start + _SLICE]}
            await self._write(part, dates, dated if is_last else [], upto if is_last else before)
        if not entities:
            await self._store.apply(puts=dated, watermark=upto)

    async def clear(self) -> None:
        """Forget everything; the watermark is 0."""
        await self._store.clear()
        self._written = set()

    async def _redate(self, change: Change, dates: dict[str, Value], edits: _Edits) -> None:
        """Take the date of a data set; what its nodes said before is as of then too."""
        schema = schema_from_payload(change.payload)
        if dates.get(change.source) == schema.as_of:
            return
        dates[change.source] = schema.as_of
        for node_type in schema.node_types:
            for key, _ in await self._store.ranking(twin(node_type), MEMBER):
                edits.setdefault(key.removeprefix(twin("")), [])

    async def _write(
        self, edits: _Edits, dates: Mapping[str, Value], others: Sequence[Fact], watermark: int
    ) -> None:
        """Put the sheets and twins of some entities as they are after their changes."""
        puts: list[Fact] = list(others)
        types: dict[str, str] = {}
        for entity, layers in (await self._read(list(edits))).items():
            for change in edits[entity]:
                _edit(entity, layers, change)
            puts += _puts(entity, layers, dates)
            if TYPE in layers.twin:
                node_type = str(layers.twin[TYPE])
                types |= {entity: node_type, twin(entity): twin(node_type)}
        written, self._written = self._written, None
        await self._store.apply(
            puts=puts,
            dropped_entities=[key for entity in edits for key in (entity, twin(entity))],
            types=types,
            watermark=watermark,
        )
        if written is not None and len(written) < _MAX_REMEMBERED:
            written.update(edits)
            self._written = written

    async def _read(self, entities: Sequence[str]) -> dict[str, _Layers]:
        """Return what is known of some entities, a few reads at a time."""
        found = {entity: _Layers() for entity in entities}
        kept = [e for e in entities if self._written is None or e in self._written]
        for start in range(0, len(kept), _AT_ONCE):
            part = kept[start : start + _AT_ONCE]
            layers = await asyncio.gather(*(self._layers(entity) for entity in part))
            found.update(zip(part, layers, strict=True))
        return found

    async def _layers(self, entity: str) -> _Layers:
        layers = _Layers()
        for fact in await self._store.facts(twin(entity)):
            attribute = fact.attribute.removeprefix(OWN)
            if attribute == fact.attribute:
                layers.twin[attribute] = fact.value
            else:
                layers.own[attribute] = replace(fact, entity=entity, attribute=attribute)
        for fact in await self._store.facts(entity):
            is_explicit = fact.attribute in layers.own
            (layers.explicit if is_explicit else layers.own)[fact.attribute] = fact
        layers.own = {name: fact for name, fact in layers.own.items() if fact.value is not None}
        return layers


def _by_entity(changes: Sequence[Change]) -> _Edits:
    edits: _Edits = defaultdict(list)
    for change in changes:
        for entity in _touched(change):
            if not is_hidden(entity):
                edits[entity].append(change)
    return edits


def _touched(change: Change) -> Iterator[str]:
    """Give the entities that a change is about; the key of a dropped fact may be cut in ways."""
    match change.kind:
        case ChangeKind.PUT_NODE:
            yield str(change.payload["id"])
        case ChangeKind.DROP_NODE:
            yield change.key
        case ChangeKind.PUT_FACT:
            yield str(change.payload["entity"])
        case ChangeKind.DROP_FACT:
            yield from (entity for entity, _ in _cuts(change.key))
        case _:
            pass


def _cuts(key: str) -> Iterator[tuple[str, str]]:
    """Give the entity and attribute that a key may mean: either may have a bar in it."""
    for index, character in enumerate(key):
        if character == "|":
            yield key[:index], key[index + 1 :]


def _edit(entity: str, layers: _Layers, change: Change) -> None:
    match change.kind:
        case ChangeKind.PUT_NODE:
            _put_node(layers, change)
        case ChangeKind.DROP_NODE:
            _drop_node(entity, layers, _others(layers, change.source))
        case ChangeKind.PUT_FACT:
            fact = fact_from_payload(change.payload, change.sequence)
            layers.explicit.pop(fact.attribute, None)
            if fact.value is not None:
                unit = fact.unit or _unit(fact.attribute, fact.value)
                layers.explicit[fact.attribute] = replace(fact, unit=unit)
        case _:
            for attribute in [a for e, a in _cuts(change.key) if e == entity]:
                layers.explicit.pop(attribute, None)


def _others(layers: _Layers, source: str) -> list[_Said]:
    """Return what data sets other than ``source`` say of an entity, in order."""
    found: list[_Said] = json.loads(str(layers.twin.get(EARLIER, "[]")))
    if layers.twin:
        twin_ = {name: layers.twin[name] for name in sorted(layers.twin) if name != EARLIER}
        own = [[n, f.value, f.unit, f.version] for n, f in sorted(layers.own.items())]
        found.append([twin_, own])
    return [said for said in found if said[0][DATA_SET] != source]


def _drop_node(entity: str, layers: _Layers, others: Sequence[_Said]) -> None:
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


def _put_node(layers: _Layers, change: Change) -> None:
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


def _unit(attribute: str, value: Value) -> str | None:
    """Return the unit that the name of an attribute tells, where its value is a number."""
    is_number = kind_of(value) is PropertyKind.NUMBER
    return unit_of(attribute, general_words().units) if is_number else None


def _puts(entity: str, layers: _Layers, dates: Mapping[str, Value]) -> Iterator[Fact]:
    """Give all that is to be kept of an entity: its sheet, its twin, what it brings its type."""
    as_of = dates.get(str(layers.twin.get(DATA_SET, "")))
    own = {
        name: replace(fact, as_of=None if as_of is None else str(as_of))
        for name, fact in layers.own.items()
    }
    yield from (own | layers.explicit).values()
    for name, value in layers.twin.items():
        yield _fact(twin(entity), name, value)
    for name, fact in layers.explicit.items():
        hidden = own.get(name) or _fact(entity, name, None)
        yield replace(hidden, entity=twin(entity), attribute=OWN + name)
        if TYPE in layers.twin:
            sheet = attribute_sheet(str(layers.twin[TYPE]))
            yield replace(_fact(sheet, name, kind_of(fact.value).value), unit=fact.unit)


def _fact(entity: str, attribute: str, value: Value) -> Fact:
    return Fact(entity=entity, attribute=attribute, value=value)
