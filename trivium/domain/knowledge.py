"""What Trivium knows: entities, relations, facts, documents, and the changes that bring them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from trivium.domain.time import ALWAYS, Validity

Value: TypeAlias = str | int | float | bool | None
"""A property value. Lists are kept as their parts joined by a comma."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An entity of the graph."""

    id: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)
    validity: Validity = ALWAYS
    acl: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A relation between two entities; several of one type may join the same two."""

    key: str
    """Identifies the relation within its data set."""
    source: str
    target: str
    type: str
    properties: Mapping[str, Value] = field(default_factory=dict)
    validity: Validity = ALWAYS
    acl: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One attribute value of one entity, with its date and its source."""

    entity: str
    attribute: str
    value: Value
    unit: str | None = None
    as_of: str | None = None
    source: str = ""
    version: int = 0
    """The number of the change that brought it."""
    earlier: tuple["Fact", ...] = ()
    """What was said of the same at earlier dates, the oldest first; these have none themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text with its metadata, as loaded."""

    id: str
    title: str
    text: str
    date: str | None = None
    validity: Validity = ALWAYS
    supersedes: tuple[str, ...] = ()
    acl: tuple[str, ...] = ()
    path: str = ""


LOADER: Final = "loader"
"""The author of what the files of a data set say."""
MUTATIONS: Final = "mutations"
"""The source of what mutations bring that no data set says."""


class ChangeKind(StrEnum):
    """What a change does. Each is idempotent."""

    SET_SCHEMA = "set_schema"
    PUT_NODE = "put_node"
    DROP_NODE = "drop_node"
    PUT_EDGE = "put_edge"
    DROP_EDGE = "drop_edge"
    PUT_FACT = "put_fact"
    DROP_FACT = "drop_fact"
    PUT_DOCUMENT = "put_document"
    DROP_DOCUMENT = "drop_document"
    PUT_ALIAS = "put_alias"
    DROP_ALIAS = "drop_alias"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of the knowledge journal.

    ``payload`` is the JSON form of what is put (see ``trivium.domain.payloads``); a drop has
    none. ``key`` identifies the thing within its kind and source.
    """

    kind: ChangeKind
    key: str
    payload: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    """The data set or the caller that brought it."""
    author: str = LOADER
    sequence: int = 0
    """Its place in the journal, from 1; 0 before it is written."""
