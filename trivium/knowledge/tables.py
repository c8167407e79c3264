"""The tables of the knowledge journal, and how their rows are changes."""

import json
from collections.abc import Iterator
from enum import StrEnum
from hashlib import sha256
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Column, MetaData, RowMapping, Table, Text

from trivium.domain.knowledge import Change, ChangeKind


class ItemKind(StrEnum):
    """What a change is about."""

    NODE = "node"
    EDGE = "edge"
    FACT = "fact"
    DOCUMENT = "document"
    SCHEMA = "schema"
    ALIAS = "alias"


_ITEM_KINDS: Final = {kind: ItemKind(kind.partition("_")[2]) for kind in ChangeKind}
PUTS: Final = {item: kind for kind, item in _ITEM_KINDS.items() if "drop" not in kind}
"""The change that puts an item."""
DROPS: Final = {item: kind for kind, item in _ITEM_KINDS.items() if "drop" in kind}
"""The change that drops an item; a schema is never dropped."""
_ENDS: Final = {
    ItemKind.EDGE: ("source", "target"),
    ItemKind.FACT: ("entity",),
}
"""What in a payload names the entities that an item touches."""


def _texts(*names: str) -> tuple[Column[str], ...]:
    return tuple(Column(name, Text, nullable=False) for name in names)


TABLES: Final = MetaData()
CHANGES: Final = Table(
    "changes",
    TABLES,
    Column("sequence", sa.BigInteger, primary_key=True, autoincrement=False),
    *_texts("kind", "key", "source", "author", "at", "payload"),
    Column("before", Text),
)
ITEMS: Final = Table(
    "items",
    TABLES,
    # A digest of kind, source and key, because an index of Postgres refuses long keys.
    Column("id", sa.String(64), primary_key=True),
    *_texts("kind", "source", "key", "author", "payload", "hash"),
    Column("sequence", sa.BigInteger, nullable=False, unique=True),
)
TOUCHES: Final = Table(
    "touches",
    TABLES,
    # A digest of the entity's id; of the empty id for what touches the whole home.
    Column("entity", sa.String(32), primary_key=True),
    Column("kind", sa.String(16), primary_key=True),
    Column("item", sa.String(64), primary_key=True),
    sqlite_with_rowid=False,  # the key is all there is
)
"""Which items rest on an entity: itself, its relations, its facts."""


def item_kind(kind: ChangeKind) -> ItemKind:
    """Return what changes of ``kind`` are about."""
    return _ITEM_KINDS[kind]


def item_id(kind: ItemKind, source: str, key: str) -> str:
    """Return the id under which an item is kept."""
    return sha256(f"{kind}\0{source}\0{key}".encode()).hexdigest()


def entity_digest(entity: str) -> str:
    """Return what stands for an entity in ``TOUCHES``."""
    return sha256(entity.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def ends_of(change: Change) -> tuple[str, ...]:
    """Return the ids of the entities that the item of a put touches.

    The empty one stands for the home, on which schemas and aliases of their words rest.
    """
    kind = item_kind(change.kind)
    if kind in {ItemKind.SCHEMA, ItemKind.NODE}:
        return ("" if kind is ItemKind.SCHEMA else change.key,)
    if kind is ItemKind.ALIAS:
        return (str(change.payload.get("entity", "")),)
    found = (change.payload.get(name) for name in _ENDS.get(kind, ()))
    return tuple(dict.fromkeys(end for end in found if isinstance(end, str)))


def touch_rows(change: Change) -> Iterator[dict[str, str]]:
    """Give the rows that say what the item of a put touches."""
    kind = item_kind(change.kind)
    item = item_id(kind, change.source, change.key)
    for end in ends_of(change):
        yield {"entity": entity_digest(end), "kind": kind.value, "item": item}


def change_of(kind: ChangeKind, row: RowMapping) -> Change:
    """Return a row of ``CHANGES`` or ``ITEMS`` as a change of ``kind``."""
    return Change(
        kind=kind,
        key=row["key"],
        payload=json.loads(row["payload"]),
        source=row["source"],
        author=row["author"],
        sequence=row["sequence"],
    )
