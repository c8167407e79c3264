"""The facts as a projection of the knowledge journal."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

from tiers.cag.layers import Layers, cuts, edit, plain_fact, puts_of, said_of
from tiers.cag.sheets import (
    DATA_SETS,
    MEMBER,
    OWN,
    SAID,
    TYPE,
    is_hidden,
    twin,
)
from trivium.domain.knowledge import Change, ChangeKind, Fact, Value
from trivium.domain.payloads import schema_from_payload

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


_Edits: TypeAlias = dict[str, list[Change]]
"""The changes of each entity, in order."""


class FactProjection:
    """Keeps the fact store: one fact for each property of a node, and the explicit facts.

    Where several data sets say a node, the last to speak holds; when it falls silent, the one
    before it does. The facts go with the last of them.
    An explicit fact hides the node's own value of the same name, which comes back when the fact
    is dropped; where several give one, the last holds. What a node says is as of its data set.
    """

    name = "facts"

    def __init__(self, store: FactWriter) -> None:
        self._store = store
        self._written: set[str] | None = None
        """All entities in the store, while that is known: others need no reading."""
        self._at = 0
        """Up to where this wrote; a store that is elsewhere was written by another process."""

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
        elif before != self._at:
            self._written = None
        dates = {fact.attribute: fact.value for fact in await self._store.facts(DATA_SETS)}
        edits = _by_entity(changes)
        for change in changes:
            if change.kind is ChangeKind.SET_SCHEMA:
                await self._redate(change, dates, edits)
        dated = [plain_fact(DATA_SETS, name, value) for name, value in dates.items()]
        entities = sorted(edits)
        for start in range(0, len(entities), _SLICE):
            is_last = start + _SLICE >= len(entities)
            part = {entity: edits[entity] for entity in entities[start : start + _SLICE]}
            await self._write(part, dates, dated if is_last else [], upto if is_last else before)
        if not entities:
            await self._store.apply(puts=dated, watermark=upto)
        self._at = upto

    async def clear(self) -> None:
        """Forget everything; the watermark is 0."""
        await self._store.clear()
        self._written, self._at = set(), 0

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
                edit(entity, layers, change)
            puts += puts_of(entity, layers, dates)
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

    async def _read(self, entities: Sequence[str]) -> dict[str, Layers]:
        """Return what is known of some entities, a few reads at a time."""
        found = {entity: Layers() for entity in entities}
        kept = [e for e in entities if self._written is None or e in self._written]
        for start in range(0, len(kept), _AT_ONCE):
            part = kept[start : start + _AT_ONCE]
            layers = await asyncio.gather(*(self._layers(entity) for entity in part))
            found.update(zip(part, layers, strict=True))
        return found

    async def _layers(self, entity: str) -> Layers:
        layers = Layers()
        for fact in await self._store.facts(twin(entity)):
            name = fact.attribute
            if name.startswith(SAID):
                attribute = name.removeprefix(SAID)
                layers.explicit[attribute] = said_of(entity, attribute, str(fact.value))
            elif name.startswith(OWN):
                attribute = name.removeprefix(OWN)
                layers.own[attribute] = replace(fact, entity=entity, attribute=attribute)
            else:
                layers.twin[name] = fact.value
        for fact in await self._store.facts(entity):
            if fact.attribute not in layers.own:
                layers.own[fact.attribute] = fact
            elif fact.attribute not in layers.explicit:
                layers.explicit[fact.attribute] = {"": fact}  # kept before sayers were
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
            yield from (entity for entity, _ in cuts(change.key))
        case _:
            pass
