"""What the journal holds around some entities, as mutations see it and change it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from trivium.domain.knowledge import LOADER, Change, ChangeKind
from trivium.domain.payloads import schema_from_payload
from trivium.domain.schema import Schema
from trivium.knowledge.inference import merge
from trivium.knowledge.tables import DROPS, PUTS, ItemKind, ends_of, item_kind

Payload: TypeAlias = Mapping[str, object]
_RESTING: Final = (ItemKind.EDGE, ItemKind.FACT, ItemKind.ALIAS)
"""What cannot be without the entities that it touches."""


class Item(NamedTuple):
    """What identifies an item of the journal."""

    kind: ItemKind
    source: str
    key: str

    @classmethod
    def of(cls, change: Change) -> "Item":
        """Return the item that a change is about."""
        return cls(item_kind(change.kind), change.source, change.key)

    def put(self, payload: Payload, author: str = LOADER) -> Change:
        """Return the change that puts it."""
        kind = PUTS[self.kind]
        return Change(kind=kind, key=self.key, payload=payload, source=self.source, author=author)

    def drop(self, author: str) -> Change:
        """Return the change that drops it."""
        return Change(kind=DROPS[self.kind], key=self.key, source=self.source, author=author)


@dataclass(slots=True)
class Held:
    """Items by what they rest on; of one entity's, the last to be written comes last."""

    schema: Schema
    _payloads: dict[Item, Payload] = field(default_factory=dict)
    _resting: dict[str, dict[Item, None]] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Iterable[Change]) -> "Held":
        """Return what puts say, given in the order in which they were written."""
        puts = tuple(items)
        schemas = [c for c in puts if c.kind is ChangeKind.SET_SCHEMA]
        held = cls(merge([schema_from_payload(change.payload) for change in schemas]))
        for change in puts:
            held.take(change)
        return held

    def take(self, change: Change) -> None:
        """Hold what is so after a change."""
        item = Item.of(change)
        before = self._payloads.pop(item, None)
        if before is not None:
            for end in ends_of(item.put(before)):
                self._resting[end].pop(item, None)
        if change.kind in DROPS.values():
            return
        self._payloads[item] = change.payload
        for end in ends_of(change):
            self._resting.setdefault(end, {})[item] = None

    def payload(self, item: Item) -> Payload | None:
        """Return what is held of an item; ``None`` for nothing."""
        return self._payloads.get(item)

    def said(self, item: Item) -> Payload:
        """Return what is held of an item that is there."""
        return self._payloads[item]

    def alike(self, item: Item) -> tuple[Item, ...]:
        """Return the items of the same kind and key, whoever says them."""
        return tuple(i for i in self._payloads if (i.kind, i.key) == (item.kind, item.key))

    def nodes(self, entity: str) -> Iterator[Item]:
        """Give what each source says of an entity, the last to speak first."""
        found = [i for i in self._resting.get(entity, ()) if i.kind is ItemKind.NODE]
        yield from reversed(found)

    def node(self, entity: str) -> Item | None:
        """Return what holds of an entity; ``None`` when it is not there."""
        return next(self.nodes(entity), None)

    def type_of(self, entity: str) -> str | None:
        """Return the type of an entity; ``None`` when it is not there."""
        item = self.node(entity)
        return None if item is None else str(self._payloads[item]["type"])

    def all_of(self, kind: ItemKind) -> tuple[Payload, ...]:
        """Return what is held of all items of a kind."""
        return tuple(payload for item, payload in self._payloads.items() if item.kind is kind)

    def resting_on(self, entity: str) -> tuple[Item, ...]:
        """Return the relations, facts and aliases of an entity."""
        return tuple(i for i in self._resting.get(entity, ()) if i.kind in _RESTING)

    def relations(self, source: str, relation: str, target: str) -> tuple[Item, ...]:
        """Return the relations of a type from one entity to another."""
        wanted = (source, relation, target)
        return tuple(
            item
            for item in self._resting.get(source, ())
            if item.kind is ItemKind.EDGE and _triple(self._payloads[item]) == wanted
        )


def _triple(payload: Payload) -> tuple[object, object, object]:
    return payload.get("source"), payload.get("type"), payload.get("target")


def completed(changes: Sequence[Change], held: Held) -> tuple[Change, ...]:
    """Return ``changes`` with what dropping entities takes besides.

    Right before the drop of an entity that nobody says any more, what rests on it is dropped.
    Where another source still says it, that one speaks again, so that it holds from then on.

    Args:
        changes: what is to be done.
        held: what there was before of the entities that are dropped and of what rests on them;
            it is changed on the way.
    """
    dropped = {change.key for change in changes if change.kind is ChangeKind.DROP_NODE}
    holders = {entity: held.node(entity) for entity in dropped}
    for change in changes:
        if change.kind in DROPS.values() or not dropped.isdisjoint(ends_of(change)):
            held.take(change)
    whole: list[Change] = []
    for change in changes:
        if change.kind is ChangeKind.DROP_NODE:
            left = held.node(change.key)
            if left is None:
                whole += _falls(change, held)
            elif holders[change.key] == Item.of(change):
                whole += (left.drop(change.author), left.put(held.said(left), change.author))
        whole.append(change)
    return tuple(whole)


def _falls(drop: Change, held: Held) -> Iterator[Change]:
    """Give drops of what rests on a dropped entity; each once."""
    for item in held.resting_on(drop.key):
        fall = item.drop(drop.author)
        held.take(fall)
        yield fall
