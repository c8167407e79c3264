"""Mutations: what a caller wants changed in the graph, and which entities that is about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from trivium.domain.alias import Meaning, Meant


@dataclass(frozen=True, slots=True, kw_only=True)
class AddEntity:
    """Put an entity, whole: what it was before is replaced."""

    id: str
    type: str
    name: str | None = None
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, object] = field(default_factory=dict)
    valid_from: str | None = None
    valid_to: str | None = None
    acl: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveEntity:
    """Drop an entity with its relations and facts."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRelationship:
    """Put a relation; one with the same ends, type and beginning, or the same key, is replaced."""

    source: str
    type: str
    target: str
    key: str | None = None
    properties: Mapping[str, object] = field(default_factory=dict)
    valid_from: str | None = None
    valid_to: str | None = None
    acl: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireRelationship:
    """End a relation: it stays, and is found when its time is asked for."""

    source: str
    type: str
    target: str
    key: str | None = None
    """Which one, where several are alike."""
    valid_to: str | None = None
    """The last day, or the first instant after; now when it is not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddEvent:
    """Put an event and its relations to what it affects."""

    id: str
    type: str | None = None
    """May be left out where the schema has one type of events."""
    name: str | None = None
    severity: str | None = None
    date: str | None = None
    properties: Mapping[str, object] = field(default_factory=dict)
    affects: tuple[str, ...] = ()
    relation: str | None = None
    """May be left out where one type of relation fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAlias:
    """Learn words for something that is known."""

    words: str
    means: Meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveAlias:
    """Forget words that were learned for something."""

    words: str
    means: Meaning


Mutation: TypeAlias = (
    AddEntity
    | RemoveEntity
    | AddRelationship
    | ExpireRelationship
    | AddEvent
    | AddAlias
    | RemoveAlias
)


def aliases(mutations: Sequence[Mutation]) -> tuple[AddAlias | RemoveAlias, ...]:
    """Return the mutations that learn or forget words."""
    return tuple(m for m in mutations if isinstance(m, (AddAlias, RemoveAlias)))


def named(mutations: Sequence[Mutation]) -> frozenset[str]:
    """Return the ids of the entities that mutations name."""
    return frozenset(end for mutation in mutations for end in _ends(mutation))


def removed(mutations: Sequence[Mutation]) -> frozenset[str]:
    """Return the ids of the entities that mutations remove."""
    return frozenset(m.id for m in mutations if isinstance(m, RemoveEntity))


def joined(mutations: Sequence[Mutation]) -> frozenset[tuple[str, str]]:
    """Return the pairs of entities whose relations mutations are about."""
    found: set[tuple[str, str]] = set()
    for mutation in mutations:
        match mutation:
            case AddRelationship() | ExpireRelationship():
                found.add((mutation.source, mutation.target))
            case AddEvent():
                found |= {(mutation.id, target) for target in mutation.affects}
            case _:
                pass
    return frozenset(found)


def _ends(mutation: Mutation) -> Iterator[str]:
    match mutation:
        case AddRelationship() | ExpireRelationship():
            yield from (mutation.source, mutation.target)
        case AddEvent():
            yield from (mutation.id, *mutation.affects)
        case AddAlias() | RemoveAlias():
            if mutation.means.kind is Meant.ENTITY:
                yield mutation.means.name
        case _:
            yield mutation.id
