"""The tables of ratings and of what they open, which are written in one transaction."""

import json
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Column, MetaData, Table, Text

from trivium.domain.question import TierName

LONGEST_KEY: Final = 256
"""Characters; the three keys together fit an index of Postgres."""
KEY: Final = ("answer_id", "tenant", "rater")

TABLES: Final = MetaData()


def _keys(*, primary: bool) -> tuple[Column[str], ...]:
    return tuple(
        Column(name, sa.String(LONGEST_KEY), primary_key=primary, nullable=False) for name in KEY
    )


def _content() -> tuple[Column[str], ...]:
    return (
        Column("thumb", Text, nullable=False),
        Column("reason", Text),
        Column("comment", Text),
        Column("tiers", Text),
        Column("answer", Text),
        Column("at", Text, nullable=False),
    )


RATINGS: Final = Table("ratings", TABLES, *_keys(primary=True), *_content())
RATING_HISTORY: Final = Table(
    "rating_history",
    TABLES,
    Column("number", sa.Integer, primary_key=True),
    *_keys(primary=False),
    *_content(),
    sa.Index("rating_history_of_answer", "answer_id"),
)
MISROUTES: Final = Table(
    "misroutes",
    TABLES,
    Column("number", sa.Integer, primary_key=True),
    Column("id", sa.String(32), nullable=False, unique=True),
    *_keys(primary=False),
    Column("reported_at", Text, nullable=False),
    Column("state", sa.String(16), nullable=False, index=True),
    Column("analysed_for", Text),  # the time of the rating that the analysis knows
    Column("analysis", Text),
    Column("kind", sa.String(16)),
    Column("given", Text),
    Column("proposed", Text),
    Column("vector", sa.LargeBinary),
    Column("claimed_by", Text),
    Column("claimed_until", Text),
    Column("label", Text),
    Column("note", Text),
    Column("decided_by", Text),
    Column("decided_at", Text),
)
"""One report for each answer and rater; what the rater says stands in ``RATINGS`` alone."""
MISROUTE_HISTORY: Final = Table(
    "misroute_history",
    TABLES,
    Column("number", sa.Integer, primary_key=True),
    Column("id", sa.String(32), nullable=False, index=True),
    Column("action", sa.String(16), nullable=False),
    Column("label", Text),
    Column("note", Text),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)


def tiers_text(tiers: Sequence[TierName]) -> str:
    """Write each tier once, in the order in which answers name them."""
    return json.dumps([tier.value for tier in TierName if tier in tiers])


def read_tiers(words: str) -> tuple[TierName, ...]:
    """Read what ``tiers_text`` wrote."""
    return tuple(TierName(name) for name in json.loads(words))
