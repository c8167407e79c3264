"""What a reader may see, and which chunks upkeep touches: the one place where filters are made.

Each is a conjunction, the tenant always in it; a store translates it to its own classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from trivium.domain.time import Moment

PUBLIC: Final = "*"
"""Stands in ``acl`` of what everyone may read."""


@dataclass(frozen=True, slots=True)
class Among:
    """A field, or one of its values, is one of ``values``."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """A number is ``at_least``, ``above``, ``at_most`` and ``below`` the bounds given."""

    field: str
    at_least: int | None = None
    above: int | None = None
    at_most: int | None = None
    below: int | None = None


Condition: TypeAlias = Among | Within
Filter: TypeAlias = tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What may be seen: whose documents, valid when, and by whom."""

    tenant: str
    moment: Moment
    principals: tuple[str, ...] = ()
    """Names that may stand in ``acl``; what has no ``acl`` is public."""


def readable(reach: Reach, *, entities: Sequence[str] = ()) -> Filter:
    """Return the filter of what ``reach`` may see, of chunks that name ``entities`` if given."""
    moment = reach.moment
    is_instant = moment.start == moment.end
    begun = (
        Within(field="valid_from", at_most=moment.start)
        if is_instant
        else Within(field="valid_from", below=moment.end)
    )
    naming = (Among("entities", tuple(entities)),) if entities else ()
    return (
        Among("tenant", (reach.tenant,)),
        Among("acl", (PUBLIC, *reach.principals)),
        begun,
        Within(field="valid_to", above=moment.start),
        *naming,
    )


def of_documents(tenant: str, documents: Sequence[str], *, from_position: int = 0) -> Filter:
    """Return the filter of the chunks of ``documents``, from a place in each."""
    return (
        Among("tenant", (tenant,)),
        Among("document", tuple(documents)),
        Within(field="position", at_least=from_position),
    )


def heads(tenant: str, field: str, values: Sequence[str]) -> Filter:
    """Return the filter of the first chunks of documents whose ``field`` has one of ``values``."""
    return (
        Among("tenant", (tenant,)),
        Among(field, tuple(values)),
        Within(field="position", at_most=0),
    )
