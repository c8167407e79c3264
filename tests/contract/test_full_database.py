"""A SQLite database without room: nothing is written in part, and room heals it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from feedback.ratings import Rating, Ratings, Thumb
from tests.contract.conftest import SqlPlace
from tests.contract.test_answer_journal import QUESTION, an_answer, open_journal, stored
from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.gateway.sql import Database
from trivium.knowledge.journal import KnowledgeJournal


async def test_a_commit_without_room_is_undone_and_can_be_repeated(tmp_path: Path):
    changes = [
        Change(kind=ChangeKind.PUT_NODE, key=f"n{n}", payload={"id": f"n{n}", "text": "x" * 500})
        for n in range(1200)
    ]
    journal = await KnowledgeJournal.open(f"sqlite:///{tmp_path / 'knowledge.sqlite'}")
    async with no_room(journal._database, n_pages=60):
        with pytest.raises(DependencyError, match="disk is full"):
            await journal.append(changes, at="2026-08-01T00:00:00+00:00")
        assert await journal.head() == 0
        assert [change async for change in journal.state()] == []

    assert len(await journal.append(changes, at="2026-08-01T00:00:00+00:00")) == 1200
    await journal.close()


async def test_a_rating_without_room_is_refused_and_earlier_ones_are_read(tmp_path: Path):
    ratings = await Ratings.open(f"sqlite:///{tmp_path / 'answers.sqlite'}")
    await ratings.rate(a_rating("ann", "good"))
    async with no_room(ratings.database, n_pages=1):
        with pytest.raises(DependencyError, match="disk is full"):
            await ratings.rate(a_rating("bob", "long " * 20_000))
        assert [rating.rater for rating in await ratings.of("ans_1", "t")] == ["ann"]

    await ratings.rate(a_rating("bob", "long " * 20_000))
    assert len(await ratings.of("ans_1", "t")) == 2
    await ratings.close()


async def test_answers_wait_in_memory_for_room_and_the_oldest_go_first(tmp_path: Path):
    place = SqlPlace(f"sqlite:///{tmp_path / 'answers.sqlite'}")
    journal = await open_journal(place, capacity=5)
    async with no_room(journal._database, n_pages=1):
        for n in range(8):
            journal.record(QUESTION, an_answer(f"ans_{n}", "long " * 10_000))
        with pytest.raises(DependencyError, match="disk is full"):
            await journal.flush()
        assert (journal.n_pending, journal.n_dropped) == (5, 3)
        assert await journal.get("ans_7", "acme") is not None

    await journal.flush()
    assert journal.n_pending == 0
    assert await stored(place, "ans_2") is None
    assert await stored(place, "ans_7") is not None
    await journal.close()


@asynccontextmanager
async def no_room(database: Database, *, n_pages: int) -> AsyncIterator[None]:
    """Let the database grow to ``n_pages``, or not at all where it is larger."""
    with limited(database, n_pages):
        await connect_anew(database)  # the limit is one of connections
        yield
    await connect_anew(database)


async def connect_anew(database: Database) -> None:
    """Close all connections, between two writes: one at work would be left open for ever."""
    async with database._one_writer:
        await database._engine.dispose()


@contextmanager
def limited(database: Database, n_pages: int) -> Iterator[None]:
    def limit(connection, _record: object) -> None:
        connection.cursor().execute(f"PRAGMA max_page_count = {n_pages}")

    engine = database._engine.sync_engine
    sa.event.listen(engine, "connect", limit)
    yield
    sa.event.remove(engine, "connect", limit)


def a_rating(rater: str, comment: str) -> Rating:
    return Rating(
        answer_id="ans_1", tenant="t", rater=rater, thumb=Thumb.UP, at="now", comment=comment
    )
