"""Corrections: words that a rater says were misread, kept until an admin decides about them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from hashlib import sha256
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Column, RowMapping, Table, Text
from sqlalchemy.ext.asyncio import AsyncConnection

from feedback.tables import TABLES
from trivium.domain.alias import Alias, Meaning
from trivium.domain.errors import ConflictError, NotFoundError
from trivium.gateway.sql import Database, insert_new, storable


class CorrectionState(StrEnum):
    """Where a correction stands."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What one person says that words of one question mean."""

    id: str
    answer_id: str
    tenant: str
    rater: str
    alias: Alias
    at: str
    """When it was said, ISO in UTC."""
    state: CorrectionState = CorrectionState.OPEN
    decided_by: str | None = None
    decided_at: str | None = None


_N_DIGITS: Final = 20
"""80 bits of the digest that is the id: two corrections never share one."""

CORRECTIONS: Final = Table(
    "corrections",
    TABLES,
    Column("id", sa.String(32), primary_key=True),
    Column("answer_id", Text, nullable=False),
    Column("tenant", Text, nullable=False),
    Column("rater", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("means", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("state", sa.String(16), nullable=False, index=True),
    Column("decided_by", Text),
    Column("decided_at", Text),
)


class Corrections:
    """Keeps corrections; each is said once, and decided once.

    Every method raises ``DependencyError`` when the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open_ones(self, tenant: str, *, limit: int = 100) -> tuple[Correction, ...]:
        """Return those that nobody decided about, oldest first."""
        table = CORRECTIONS
        query = sa.select(table).where(
            table.c.tenant == storable(tenant), table.c.state == CorrectionState.OPEN.value
        )
        rows = await self._database.rows(query.order_by(table.c.at, table.c.id).limit(limit))
        return tuple(_correction(row) for row in rows)

    async def get(self, id: str, tenant: str) -> Correction:  # noqa: A002  # the word of the door
        """Return a correction.

        Raises:
            NotFoundError: there is none of that id.
        """
        query = sa.select(CORRECTIONS).where(
            CORRECTIONS.c.id == storable(id), CORRECTIONS.c.tenant == storable(tenant)
        )
        for row in await self._database.rows(query):
            return _correction(row)
        raise NotFoundError(f"There is no correction {id[:80]!r}.")

    async def decide(
        self, correction: Correction, state: CorrectionState, *, by: str, at: str
    ) -> Correction:
        """Close an open correction, and return it as it is then; the first decision holds.

        Raises:
            ConflictError: it was decided otherwise.
        """
        await self._database.write(partial(_close, correction.id, state, by, at))
        decided = await self.get(correction.id, correction.tenant)
        see_that_it_agrees(decided, state)
        return decided


def see_that_it_agrees(correction: Correction, state: CorrectionState) -> None:
    """See that a correction is open, or was decided so.

    Raises:
        ConflictError: it was decided otherwise.
    """
    if correction.state not in {CorrectionState.OPEN, state}:
        told = f"{correction.state} by {correction.decided_by} on {correction.decided_at}"
        raise ConflictError(f"The correction {correction.id} was {told}.")


async def keep(
    key: Mapping[str, str | None], said: Sequence[Alias], connection: AsyncConnection
) -> bool:
    """Keep what a rating says was misread; return whether any of it is new.

    Args:
        key: ``answer_id, tenant, rater`` and ``at``.
        said: what the words mean.
        connection: of the transaction that the rating is written in.
    """
    rows = {row["id"]: row for row in (_row(key, alias) for alias in said)}
    new = [await _insert(row, connection) for row in rows.values()]
    return any(new)


async def _insert(row: Mapping[str, str | None], connection: AsyncConnection) -> bool:
    insert = insert_new(connection, CORRECTIONS).values(row).returning(CORRECTIONS.c.id)
    return (await connection.execute(insert)).first() is not None


async def _close(
    id: str,  # noqa: A002  # the word of the door
    state: CorrectionState,
    by: str,
    at: str,
    connection: AsyncConnection,
) -> None:
    is_open = sa.and_(
        CORRECTIONS.c.id == storable(id), CORRECTIONS.c.state == CorrectionState.OPEN.value
    )
    decided = {"state": state.value, "decided_by": storable(by), "decided_at": at}
    await connection.execute(sa.update(CORRECTIONS).where(is_open).values(decided))


def _row(key: Mapping[str, str | None], alias: Alias) -> dict[str, str | None]:
    words = storable(alias.words)
    means = storable(json.dumps(alias.means.to_json(), sort_keys=True))
    parts = [key["answer_id"], key["tenant"], key["rater"], words.casefold(), means]
    digest = sha256(json.dumps(parts).encode()).hexdigest()[:_N_DIGITS]
    own = {name: key[name] for name in ("answer_id", "tenant", "rater", "at")}
    state = CorrectionState.OPEN.value
    return {**own, "id": f"cor_{digest}", "words": words, "means": means, "state": state}


def _correction(row: RowMapping) -> Correction:
    means = Meaning.of_json(json.loads(row["means"]))
    return Correction(
        id=row["id"],
        answer_id=row["answer_id"],
        tenant=row["tenant"],
        rater=row["rater"],
        alias=Alias(words=row["words"], means=means),
        at=row["at"],
        state=CorrectionState(row["state"]),
        decided_by=row["decided_by"],
        decided_at=row["decided_at"],
    )
