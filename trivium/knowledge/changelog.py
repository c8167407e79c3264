"""Reads the knowledge journal: its changes with before and after, and what is held of entities."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy import RowMapping

from trivium.domain.knowledge import LOADER, Change, ChangeKind
from trivium.gateway.sql import Database, storable
from trivium.knowledge.tables import (
    CHANGES,
    ITEMS,
    PUTS,
    TOUCHES,
    ItemKind,
    change_of,
    entity_digest,
    item_id,
    item_kind,
)

Payload: TypeAlias = Mapping[str, object]
_BATCH: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A change as it was written: when, and what was there before."""

    change: Change
    at: str
    before: Payload | None
    """``None`` when nothing was there."""

    @property
    def after(self) -> Payload | None:
        """What was there from then on; ``None`` for a drop."""
        return self.change.payload if self.change.kind in PUTS.values() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilter:
    """Which changes are asked for; ``None`` is any."""

    since: int = 0
    limit: int = 100
    kinds: tuple[ChangeKind, ...] | None = None
    key: str | None = None
    source: str | None = None
    author: str | None = None


class Changelog:
    """What happened to the knowledge, and what it adds up to around some entities.

    Every method raises ``DependencyError`` when the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def changes(self, wanted: ChangeFilter) -> tuple[Recorded, ...]:
        """Return changes in the order in which they were written."""
        query = sa.select(CHANGES).where(CHANGES.c.sequence > wanted.since)
        if wanted.kinds is not None:
            query = query.where(CHANGES.c.kind.in_([kind.value for kind in wanted.kinds]))
        for name in ("key", "source", "author"):
            value = getattr(wanted, name)
            if value is not None:
                query = query.where(CHANGES.c[name] == storable(value))
        query = query.order_by(CHANGES.c.sequence).limit(wanted.limit)
        return tuple(_recorded(row) for row in await self._database.rows(query))

    async def around(self, sequence: int, *, within: int = 10_000) -> tuple[Recorded, ...]:
        """Return a change with those of the same moment and author right before and after it.

        Up to ``within`` on either side; nothing when there is no such change.
        """
        near = CHANGES.c.sequence.between(sequence - within, sequence + within)
        own = sa.select(CHANGES.c.at, CHANGES.c.author).where(CHANGES.c.sequence == sequence)
        here = own.subquery()
        query = sa.select(CHANGES).join(
            here, sa.and_(CHANGES.c.at == here.c.at, CHANGES.c.author == here.c.author)
        )
        rows = await self._database.rows(query.where(near).order_by(CHANGES.c.sequence))
        return tuple(_recorded(row) for row in rows)

    async def item(self, kind: ItemKind, source: str, key: str) -> Payload | None:
        """Return what is held under a kind, source and key; ``None`` for nothing."""
        query = sa.select(ITEMS.c.payload).where(ITEMS.c.id == item_id(kind, source, key))
        for row in await self._database.rows(query):
            payload: Payload = json.loads(row["payload"])
            return payload
        return None

    async def touching(
        self, entities: Collection[str], kinds: Collection[ItemKind]
    ) -> tuple[Change, ...]:
        """Return what is held that rests on some entities, as puts in order of sequence.

        The empty id stands for the home: the schemas rest on it.
        """
        names = [kind.value for kind in kinds]
        found: dict[int, Change] = {}
        for part in _parts(sorted({entity_digest(entity) for entity in entities})):
            items = sa.select(TOUCHES.c.item).where(
                TOUCHES.c.entity.in_(part), TOUCHES.c.kind.in_(names)
            )
            found |= await self._held(items)
        return tuple(found[sequence] for sequence in sorted(found))

    async def joining(self, pairs: Collection[tuple[str, str]]) -> tuple[Change, ...]:
        """Return the relations held between two entities of a pair, whatever their direction."""
        found: dict[int, Change] = {}
        one, two = TOUCHES.alias(), TOUCHES.alias()
        for a, b in sorted(set(pairs)):
            items = sa.select(one.c.item).where(
                one.c.item == two.c.item,
                one.c.kind == ItemKind.EDGE.value,
                one.c.entity == entity_digest(a),
                two.c.kind == ItemKind.EDGE.value,
                two.c.entity == entity_digest(b),
            )
            found |= await self._held(items)
        return tuple(found[sequence] for sequence in sorted(found))

    async def _held(self, items: sa.Select[tuple[str]]) -> dict[int, Change]:
        rows = await self._database.rows(sa.select(ITEMS).where(ITEMS.c.id.in_(items)))
        puts = (change_of(PUTS[ItemKind(row["kind"])], row) for row in rows)
        return {change.sequence: change for change in puts}

    async def overlaid(self, source: str) -> dict[tuple[ItemKind, str], Payload | None]:
        """Return the items of a data set that others than its loader changed, by kind and key.

        Each with what its files said last; ``None`` where they said nothing of it, or said
        that it is gone.
        """
        kept = CHANGES.c.source == storable(source)
        changed = sa.select(CHANGES.c.kind, CHANGES.c.key).distinct()
        rows = await self._database.rows(changed.where(kept, CHANGES.c.author != LOADER))
        said: dict[tuple[ItemKind, str], Payload | None] = {
            (item_kind(ChangeKind(row["kind"])), row["key"]): None for row in rows
        }
        for part in _parts(sorted({key for _, key in said})):
            query = sa.select(CHANGES).where(
                kept, CHANGES.c.author == LOADER, CHANGES.c.key.in_(part)
            )
            for row in await self._database.rows(query.order_by(CHANGES.c.sequence)):
                recorded = _recorded(row)
                item = (item_kind(recorded.change.kind), recorded.change.key)
                if item in said:
                    said[item] = recorded.after
        return said


def _recorded(row: RowMapping) -> Recorded:
    before: Payload | None = None if row["before"] is None else json.loads(row["before"])
    return Recorded(change=change_of(ChangeKind(row["kind"]), row), at=row["at"], before=before)


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]
