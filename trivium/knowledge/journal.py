"""The knowledge journal: every change to what is known, and the state that they add up to."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from trivium.domain.errors import ConflictError, DataError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.gateway.sql import Database, lock, storable
from trivium.knowledge.changelog import Changelog
from trivium.knowledge.tables import (
    CHANGES,
    ITEMS,
    PUTS,
    TABLES,
    TOUCHES,
    ItemKind,
    change_of,
    item_id,
    item_kind,
    touch_rows,
)

_BATCH: Final = 500
"""Changes in one round of statements: 2000 took as long, and held the event loop twice as long."""
_ABSENT: Final = ""
"""The hash of what is not there."""

_HEAD: Final = sa.select(sa.func.coalesce(sa.func.max(CHANGES.c.sequence), 0).label("head"))


class OvertakenError(ConflictError):
    """Another process wrote to the journal meanwhile."""


class KnowledgeJournal:
    """Keeps changes in order; it is the commit point of everything that is known."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.changelog = Changelog(database)

    @classmethod
    async def open(cls, url: str, *, schema: str | None = None) -> "KnowledgeJournal":
        """Open the journal at ``url``, and create its tables when they are missing.

        Raises:
            InputError: ``url`` or ``schema`` cannot be used.
            DependencyError: the database did not answer.
        """
        database = await Database.open(url, TABLES, schema=schema)
        await database.write(_note_touches)
        return cls(database)

    async def close(self) -> None:
        """Close the connections."""
        await self._database.close()

    async def append(
        self, changes: Sequence[Change], *, at: str, head: int | None = None
    ) -> tuple[Change, ...]:
        """Write ``changes`` in one transaction; when this returns they are durable.

        A put of what is stored already and a drop of what is absent are left out.

        Args:
            changes: what to do, in order.
            at: the time of the changes, ISO in UTC.
            head: the last change that they were thought out upon; ``None`` for any.

        Returns:
            The changes that took effect, with their sequence numbers.

        Raises:
            OvertakenError: another process wrote after ``head``; nothing was written.
            DataError: a key or a payload cannot be kept; nothing was written.
            DependencyError: the database did not answer; nothing was written.
        """
        if not changes:
            return ()
        return tuple(await self._database.write(partial(_append, changes, at, head)))

    def alone(self) -> AbstractAsyncContextManager[None]:
        """Let one process at a time bring what follows this journal up to it.

        Raises:
            DependencyError: the database did not answer.
        """
        return self._database.alone("projections")

    async def head(self) -> int:
        """Return the number of the last change; 0 when there is none.

        Raises:
            DependencyError: the database did not answer.
        """
        (row,) = await self._database.rows(_HEAD)
        return int(row["head"])

    async def since(self, sequence: int, *, limit: int = 1000) -> tuple[Change, ...]:
        """Return up to ``limit`` changes after ``sequence``, in order.

        Raises:
            DependencyError: the database did not answer.
        """
        query = sa.select(CHANGES).where(CHANGES.c.sequence > sequence)
        rows = await self._database.rows(query.order_by(CHANGES.c.sequence).limit(limit))
        return tuple(change_of(ChangeKind(row["kind"]), row) for row in rows)

    async def state(self, kinds: Sequence[ChangeKind] | None = None) -> AsyncIterator[Change]:
        """Give all that is there now, or what ``kinds`` are about, as puts in order of sequence.

        It is read in pages. An item that changes meanwhile comes at its new place, or not at
        all, so take ``head`` first and go on with ``since`` from there.

        Raises:
            DependencyError: the database did not answer.
        """
        query = sa.select(ITEMS).order_by(ITEMS.c.sequence).limit(_BATCH)
        if kinds is not None:
            query = query.where(ITEMS.c.kind.in_({item_kind(kind).value for kind in kinds}))
        last = 0
        while rows := await self._database.rows(query.where(ITEMS.c.sequence > last)):
            for row in rows:
                yield change_of(PUTS[ItemKind(row["kind"])], row)
            last = rows[-1]["sequence"]

    async def hashes(self, source: str) -> Mapping[tuple[ItemKind, str], str]:
        """Return the content hash of each item of ``source``, by kind and key.

        Raises:
            DependencyError: the database did not answer.
        """
        query = sa.select(ITEMS.c.kind, ITEMS.c.key, ITEMS.c.hash)
        rows = await self._database.rows(query.where(ITEMS.c.source == storable(source)))
        return {(ItemKind(row["kind"]), row["key"]): row["hash"] for row in rows}


def content_hash(payload: Mapping[str, object]) -> str:
    """Return the SHA-256 of ``payload``, whatever the order of its keys.

    Raises:
        DataError: ``payload`` is not JSON; NaN and infinity are not.
    """
    return sha256(_json(payload, sort_keys=True).encode()).hexdigest()


class _Entry(NamedTuple):
    """A change, ready to be compared with what is stored."""

    change: Change
    item: str
    payload: str | None
    """JSON; none for a drop."""
    hash: str


class _Stored(NamedTuple):
    """What is there under one item's id."""

    payload: str | None = None
    hash: str = _ABSENT


class _Move(NamedTuple):
    """An entry that takes effect."""

    entry: _Entry
    sequence: int
    before: str | None


async def _append(
    changes: Sequence[Change], at: str, expected: int | None, connection: AsyncConnection
) -> list[Change]:
    await lock(connection, CHANGES)
    head = (await connection.execute(_HEAD)).scalar_one()
    if expected not in {None, head}:
        raise OvertakenError("the knowledge was changed by somebody else meanwhile: try again")
    written: list[Change] = []
    for start in range(0, len(changes), _BATCH):
        entries = await asyncio.to_thread(_entries, changes[start : start + _BATCH])
        stored = await _stored(connection, entries)
        moves = _fold(entries, stored, after=head + len(written))
        await _write(connection, moves, stored, at)
        written += [replace(move.entry.change, sequence=move.sequence) for move in moves]
    return written


def _entries(changes: Sequence[Change]) -> list[_Entry]:
    return [_entry(change) for change in changes]


def _entry(change: Change) -> _Entry:
    for words in (change.key, change.source, change.author):
        if words != storable(words):
            raise DataError(f"{words!r} holds characters that cannot be kept")
    is_drop = change.kind.startswith("drop_")
    return _Entry(
        change=change,
        item=item_id(item_kind(change.kind), change.source, change.key),
        payload=None if is_drop else _json(change.payload),
        hash=_ABSENT if is_drop else content_hash(change.payload),
    )


def _fold(entries: Sequence[_Entry], stored: Mapping[str, _Stored], *, after: int) -> list[_Move]:
    """Return what takes effect, given what is stored, numbered from just after ``after``."""
    state = dict(stored)
    moves: list[_Move] = []
    for entry in entries:
        current = state.get(entry.item, _Stored())
        if entry.hash == current.hash:
            continue
        moves.append(_Move(entry, after + len(moves) + 1, current.payload))
        state[entry.item] = _Stored(entry.payload, entry.hash)
    return moves


async def _stored(connection: AsyncConnection, entries: Sequence[_Entry]) -> dict[str, _Stored]:
    ids = {entry.item for entry in entries}
    query = sa.select(ITEMS.c.id, ITEMS.c.payload, ITEMS.c.hash).where(ITEMS.c.id.in_(ids))
    rows = await connection.execute(query)
    return {row.id: _Stored(row.payload, row.hash) for row in rows}


async def _write(
    connection: AsyncConnection, moves: Sequence[_Move], stored: Mapping[str, _Stored], at: str
) -> None:
    last = {move.entry.item: move for move in moves}
    if replaced := last.keys() & stored.keys():
        await connection.execute(sa.delete(ITEMS).where(ITEMS.c.id.in_(replaced)))
        await _untouch(connection, [(last[item].entry.change, stored[item]) for item in replaced])
    if moves:
        await connection.execute(sa.insert(CHANGES), [_change_row(move, at) for move in moves])
    if items := [_item_row(move) for move in last.values() if move.entry.payload]:
        await connection.execute(sa.insert(ITEMS), items)
        puts = (move.entry.change for move in last.values() if move.entry.payload)
        await _touch(connection, puts)


async def _untouch(connection: AsyncConnection, replaced: Sequence[tuple[Change, _Stored]]) -> None:
    """Forget what items touched as they were before."""
    rows = [
        row
        for change, before in replaced
        for row in touch_rows(
            replace(
                change,
                kind=PUTS[item_kind(change.kind)],
                payload=json.loads(before.payload or "{}"),
            )
        )
    ]
    for start in range(0, len(rows), _BATCH):
        part = rows[start : start + _BATCH]
        await connection.execute(
            sa.delete(TOUCHES).where(
                TOUCHES.c.entity.in_({row["entity"] for row in part}),
                TOUCHES.c.item.in_({row["item"] for row in part}),
            )
        )


async def _touch(connection: AsyncConnection, puts: Iterable[Change]) -> None:
    if rows := [row for change in puts for row in touch_rows(change)]:
        await connection.execute(sa.insert(TOUCHES), rows)


async def _note_touches(connection: AsyncConnection) -> None:
    """Note what the items of a journal touch that was written before this was kept."""
    if (await connection.execute(sa.select(TOUCHES).limit(1))).first():
        return
    last = 0
    query = sa.select(ITEMS).order_by(ITEMS.c.sequence).limit(_BATCH)
    while rows := (await connection.execute(query.where(ITEMS.c.sequence > last))).mappings().all():
        await _touch(connection, [change_of(PUTS[ItemKind(row["kind"])], row) for row in rows])
        last = rows[-1]["sequence"]


def _change_row(move: _Move, at: str) -> dict[str, object]:
    return {**_row(move), "kind": move.entry.change.kind.value, "at": at, "before": move.before}


def _item_row(move: _Move) -> dict[str, object]:
    kind = item_kind(move.entry.change.kind).value
    return {**_row(move), "id": move.entry.item, "kind": kind, "hash": move.entry.hash}


def _row(move: _Move) -> dict[str, object]:
    change = move.entry.change
    return {
        "sequence": move.sequence,
        "key": change.key,
        "source": change.source,
        "author": change.author,
        "payload": move.entry.payload or "{}",
    }


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


_dumps: Final = partial(json.dumps, separators=(",", ":"), allow_nan=False, default=_plain)


def _json(payload: Mapping[str, object], *, sort_keys: bool = False) -> str:
    try:
        return _dumps(payload, sort_keys=sort_keys)
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(f"the payload is not JSON: {error}") from error
