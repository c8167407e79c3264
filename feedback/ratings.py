"""Ratings: what people think of answers, kept for good before it is acknowledged."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Column, RowMapping, Table, Text
from sqlalchemy.ext.asyncio import AsyncConnection

from feedback.corrections import TABLES, Corrections, keep
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


_LONGEST_KEY: Final = 256
"""Characters; the three keys together fit an index of Postgres."""
_KEY: Final = ("answer_id", "tenant", "rater")


def _content() -> tuple[Column[str], ...]:
    return (
        Column("thumb", Text, nullable=False),
        Column("reason", Text),
        Column("comment", Text),
        Column("tiers", Text),
        Column("answer", Text),
        Column("at", Text, nullable=False),
    )


_CURRENT: Final = Table(
    "ratings",
    TABLES,
    *(Column(name, sa.String(_LONGEST_KEY), primary_key=True) for name in _KEY),
    *_content(),
)
_HISTORY: Final = Table(
    "rating_history",
    TABLES,
    Column("number", sa.Integer, primary_key=True),
    *(Column(name, sa.String(_LONGEST_KEY), nullable=False) for name in _KEY),
    *_content(),
    sa.Index("rating_history_of_answer", "answer_id"),
)


class Ratings:
    """Keeps one current rating for each answer and rater, and all that came before it."""

    def __init__(self, database: Database) -> None:
        self._database = database
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
        await self._database.close()

    async def rate(self, rating: Rating, misread: Sequence[Alias] = ()) -> RatingOutcome:
        """Keep ``rating`` and what it says was ``misread``; when this returns it is durable.

        Whether the answer exists is for the caller to check. A rating that says the same as
        the current one changes nothing, whenever it was given. A correction stays until it is
        decided about, whatever its rater says later of the answer.

        Raises:
            InputError: an ``up`` has a reason, or a key is too long.
            DependencyError: the database did not answer; nothing was kept.
        """
        _check(rating)
        return await self._database.write(partial(_keep, _row(rating), misread))

    async def of(self, answer_id: str, tenant: str) -> tuple[Rating, ...]:
        """Return the current ratings of an answer, oldest first.

        Raises:
            DependencyError: the database did not answer.
        """
        return await self._ratings(_CURRENT, answer_id, tenant, _CURRENT.c.at, _CURRENT.c.rater)

    async def history(self, answer_id: str, tenant: str) -> tuple[Rating, ...]:
        """Return every rating that an answer was ever given, in their order.

        Raises:
            DependencyError: the database did not answer.
        """
        return await self._ratings(_HISTORY, answer_id, tenant, _HISTORY.c.number)

    async def _ratings(
        self, table: Table, answer_id: str, tenant: str, *order: Column[Any]
    ) -> tuple[Rating, ...]:
        query = sa.select(table).where(
            table.c.answer_id == storable(answer_id), table.c.tenant == storable(tenant)
        )
        rows = await self._database.rows(query.order_by(*order))
        return tuple(_rating(row) for row in rows)


async def _keep(
    row: Mapping[str, str | None], misread: Sequence[Alias], connection: AsyncConnection
) -> RatingOutcome:
    outcome = await _put(row, connection)
    if outcome is not RatingOutcome.UNCHANGED:
        await connection.execute(sa.insert(_HISTORY), row)
    is_corrected = await keep(row, misread, connection)
    is_same = outcome is RatingOutcome.UNCHANGED
    return RatingOutcome.CHANGED if is_same and is_corrected else outcome


async def _put(row: Mapping[str, object], connection: AsyncConnection) -> RatingOutcome:
    """Make ``row`` the current rating; the insert also waits for one that is being made."""
    insert = insert_new(connection, _CURRENT).values(row).returning(_CURRENT.c.at)
    if (await connection.execute(insert)).first():
        return RatingOutcome.CREATED
    is_same_key = sa.and_(*(_CURRENT.c[name] == row[name] for name in _KEY))
    query = sa.select(_CURRENT).where(is_same_key).with_for_update()
    current = (await connection.execute(query)).mappings().one()
    if all(current[name] == value for name, value in row.items() if name != "at"):
        return RatingOutcome.UNCHANGED
    await connection.execute(sa.update(_CURRENT).where(is_same_key).values(row))
    return RatingOutcome.CHANGED


def _check(rating: Rating) -> None:
    errors = [
        (name, f"is longer than {_LONGEST_KEY} characters")
        for name in _KEY
        if len(getattr(rating, name)) > _LONGEST_KEY
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
        "tiers": None if rating.tiers is None else _tiers_text(rating.tiers),
        "answer": rating.answer and storable(rating.answer),
        "at": rating.at,
    }


def _tiers_text(tiers: tuple[TierName, ...]) -> str:
    """Write each tier once, in the order in which answers name them."""
    return json.dumps([tier.value for tier in TierName if tier in tiers])


def _rating(row: RowMapping) -> Rating:
    return Rating(
        answer_id=row["answer_id"],
        tenant=row["tenant"],
        rater=row["rater"],
        thumb=Thumb(row["thumb"]),
        reason=RatingReason(row["reason"]) if row["reason"] else None,
        comment=row["comment"],
        tiers=None if row["tiers"] is None else _read_tiers(row["tiers"]),
        answer=row["answer"],
        at=row["at"],
    )


def _read_tiers(words: str) -> tuple[TierName, ...]:
    return tuple(TierName(name) for name in json.loads(words))
