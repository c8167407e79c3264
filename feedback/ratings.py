"""Ratings: what people think of answers, kept for good before it is acknowledged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from hashlib import sha256
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Column, RowMapping, Table
from sqlalchemy.ext.asyncio import AsyncConnection

from feedback.corrections import Corrections, keep
from feedback.tables import (
    KEY,
    LONGEST_KEY,
    MISROUTES,
    RATING_HISTORY,
    RATINGS,
    TABLES,
    read_tiers,
    tiers_text,
)
from trivium.domain.alias import Alias
from trivium.domain.errors import InputError
from trivium.domain.question import TierName
from trivium.gateway.sql import Database, insert_new, storable


class Thumb(StrEnum):
    """Whether an answer was good."""

    UP = "up"
    DOWN = "down"


class RatingReason(StrEnum):
    """What was wrong with an answer."""

    WRONG_TIER = "wrong_tier"
    WRONG_SOURCE = "wrong_source"
    WRONG_ANSWER = "wrong_answer"
    INCOMPLETE = "incomplete"
    OUTDATED = "outdated"
    UNCLEAR = "unclear"
    OTHER = "other"


class RatingOutcome(StrEnum):
    """What a rating did."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    """The same was said before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What one person thinks of one answer."""

    answer_id: str
    tenant: str
    rater: str
    thumb: Thumb
    at: str
    """When, ISO in UTC."""
    reason: RatingReason | None = None
    comment: str | None = None
    tiers: tuple[TierName, ...] | None = None
    """The tiers that should have been asked, maybe none; ``None`` when the rater does not say."""
    answer: str | None = None
    """What the answer should have been."""


_N_DIGITS: Final = 20
"""80 bits of the digest that is a report's id: two never share one."""


class Ratings:
    """Keeps one current rating for each answer and rater, and all that came before it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        """Where ratings and what they open are kept together."""
        self.corrections = Corrections(database)
        """What ratings say was misread."""

    @classmethod
    async def open(cls, url: str, *, schema: str | None = None) -> "Ratings":
        """Open the ratings at ``url``, and create their tables when they are missing.

        Raises:
            InputError: ``url`` or ``schema`` cannot be used.
            DependencyError: the database did not answer.
        """
        return cls(await Database.open(url, TABLES, schema=schema))

    async def close(self) -> None:
        """Close the connections."""
        await self.database.close()

    async def rate(self, rating: Rating, misread: Sequence[Alias] = ()) -> RatingOutcome:
        """Keep ``rating`` and what it says was ``misread``; when this returns it is durable.

        A thumb down opens a misroute report in the same transaction.

        Whether the answer exists is for the caller to check. A rating that says the same as
        the current one changes nothing, whenever it was given. A correction stays until it is
        decided about, whatever its rater says later of the answer.

        Raises:
            InputError: an ``up`` has a reason, or a key is too long.
            DependencyError: the database did not answer; nothing was kept.
        """
        _check(rating)
        return await self.database.write(partial(_keep, _row(rating), misread))

    async def of(self, answer_id: str, tenant: str) -> tuple[Rating, ...]:
        """Return the current ratings of an answer, oldest first.

        Raises:
            DependencyError: the database did not answer.
        """
        return await self._ratings(RATINGS, answer_id, tenant, RATINGS.c.at, RATINGS.c.rater)

    async def history(self, answer_id: str, tenant: str) -> tuple[Rating, ...]:
        """Return every rating that an answer was ever given, in their order.

        Raises:
            DependencyError: the database did not answer.
        """
        return await self._ratings(RATING_HISTORY, answer_id, tenant, RATING_HISTORY.c.number)

    async def latest_up(self, limit: int) -> tuple[Rating, ...]:
        """Return the latest thumbs up that hold, of all tenants, latest first.

        Raises:
            DependencyError: the database did not answer.
        """
        query = sa.select(RATINGS).where(RATINGS.c.thumb == Thumb.UP.value)
        latest = query.order_by(RATINGS.c.at.desc(), *(RATINGS.c[name] for name in KEY))
        return tuple(rating_of(row) for row in await self.database.rows(latest.limit(limit)))

    async def _ratings(
        self, table: Table, answer_id: str, tenant: str, *order: Column[Any]
    ) -> tuple[Rating, ...]:
        query = sa.select(table).where(
            table.c.answer_id == storable(answer_id), table.c.tenant == storable(tenant)
        )
        rows = await self.database.rows(query.order_by(*order))
        return tuple(rating_of(row) for row in rows)


async def _keep(
    row: Mapping[str, str | None], misread: Sequence[Alias], connection: AsyncConnection
) -> RatingOutcome:
    outcome = await _put(row, connection)
    if outcome is not RatingOutcome.UNCHANGED:
        await connection.execute(sa.insert(RATING_HISTORY), row)
    if row["thumb"] == Thumb.DOWN:
        await connection.execute(insert_new(connection, MISROUTES).values(_report(row)))
    is_corrected = await keep(row, misread, connection)
    is_same = outcome is RatingOutcome.UNCHANGED
    return RatingOutcome.CHANGED if is_same and is_corrected else outcome


async def _put(row: Mapping[str, object], connection: AsyncConnection) -> RatingOutcome:
    """Make ``row`` the current rating; the insert also waits for one that is being made."""
    insert = insert_new(connection, RATINGS).values(row).returning(RATINGS.c.at)
    if (await connection.execute(insert)).first():
        return RatingOutcome.CREATED
    is_same_key = sa.and_(*(RATINGS.c[name] == row[name] for name in KEY))
    query = sa.select(RATINGS).where(is_same_key).with_for_update()
    current = (await connection.execute(query)).mappings().one()
    if all(current[name] == value for name, value in row.items() if name != "at"):
        return RatingOutcome.UNCHANGED
    await connection.execute(sa.update(RATINGS).where(is_same_key).values(row))
    return RatingOutcome.CHANGED


def _report(row: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the misroute report that a rating opens; its state is the queue's first."""
    key = {name: row[name] for name in KEY}
    digest = sha256("\0".join(str(part) for part in key.values()).encode()).hexdigest()
    opened = datetime.fromisoformat(str(row["at"])).astimezone(UTC)
    return {
        **key,
        "id": f"mis_{digest[:_N_DIGITS]}",
        "reported_at": opened.isoformat(timespec="microseconds"),
        "state": "open",
    }


def _check(rating: Rating) -> None:
    errors = [
        (name, f"is longer than {LONGEST_KEY} characters")
        for name in KEY
        if len(getattr(rating, name)) > LONGEST_KEY
    ]
    if rating.thumb is Thumb.UP and rating.reason is not None:
        errors.append(("reason", "goes with a thumb down"))
    if errors:
        raise InputError("the rating cannot be kept", errors)


def _row(rating: Rating) -> dict[str, str | None]:
    return {
        "answer_id": storable(rating.answer_id),
        "tenant": storable(rating.tenant),
        "rater": storable(rating.rater),
        "thumb": rating.thumb.value,
        "reason": rating.reason and rating.reason.value,
        "comment": rating.comment and storable(rating.comment),
        "tiers": None if rating.tiers is None else tiers_text(rating.tiers),
        "answer": rating.answer and storable(rating.answer),
        "at": rating.at,
    }


def rating_of(row: RowMapping) -> Rating:
    """Return the rating that a row of the current ones, or of their history, holds."""
    return Rating(
        answer_id=row["answer_id"],
        tenant=row["tenant"],
        rater=row["rater"],
        thumb=Thumb(row["thumb"]),
        reason=RatingReason(row["reason"]) if row["reason"] else None,
        comment=row["comment"],
        tiers=None if row["tiers"] is None else read_tiers(row["tiers"]),
        answer=row["answer"],
        at=row["at"],
    )
