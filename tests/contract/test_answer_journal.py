"""The answer journal, on each kind of database."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from feedback.journal import SqlAnswerJournal
from tests.contract.conftest import SqlPlace
from tests.fakes import SteppingClock
from trivium.domain.answer import Answer, AnswerStatus
from trivium.domain.errors import DependencyError
from trivium.domain.question import Question, TierName, Turn
from trivium.domain.result import Prose
from trivium.domain.route import Decider, RouteDecision

QUESTION = Question(
    text="How long is the lead time?",
    history=(Turn("user", "Hello"),),
    as_of="2026-02-16",
    tenant="acme",
    principal="ann",
)


def an_answer(answer_id: str = "ans_1", text: str = "25 days") -> Answer:
    route = RouteDecision(
        tiers=(TierName.CAG, TierName.GRAPH), decided_by=Decider.MODEL, model_version="v7"
    )
    return Answer(
        id=answer_id,
        status=AnswerStatus.ANSWERED,
        text=text,
        route=route,
        result=Prose(),
        is_cached=True,
    )


def render(answer: Answer) -> dict[str, object]:
    if answer.text == "unrenderable":
        raise KeyError(answer.id)
    return {"id": answer.id, "answer": answer.text, "scores": (0.5, 1)}


async def open_journal(place: SqlPlace, capacity: int = 100) -> SqlAnswerJournal:
    return await SqlAnswerJournal.open(
        place.url, render=render, clock=SteppingClock(), schema=place.schema, capacity=capacity
    )


@pytest.fixture
async def journal(sql_place: SqlPlace) -> AsyncIterator[SqlAnswerJournal]:
    opened = await open_journal(sql_place)
    yield opened
    await opened.close()


async def stored(place: SqlPlace, answer_id: str) -> dict[str, object] | None:
    """Return what is in the database, as another process sees it."""
    other = await open_journal(place)
    found = await other.get(answer_id, "acme")
    await other.close()
    return found


async def test_an_answer_can_be_looked_up_at_once(journal: SqlAnswerJournal):
    journal.record(QUESTION, an_answer())

    assert journal.n_pending == 1
    assert await journal.get("ans_1", "acme") == {
        "id": "ans_1",
        "tenant": "acme",
        "principal": "ann",
        "at": "2026-08-01T12:00:00.000+00:00",
        "question": "How long is the lead time?",
        "history": [{"role": "user", "content": "Hello"}],
        "as_of": "2026-02-16",
        "response": {"id": "ans_1", "answer": "25 days", "scores": [0.5, 1]},
        "model_version": "v7",
        "tiers": ["cag", "graph"],
        "is_cached": True,
    }


async def test_a_written_answer_looks_like_a_pending_one(
    journal: SqlAnswerJournal, sql_place: SqlPlace
):
    journal.record(QUESTION, an_answer())
    pending = await journal.get("ans_1", "acme")

    await journal.flush()

    assert journal.n_pending == 0
    assert await journal.get("ans_1", "acme") == pending == await stored(sql_place, "ans_1")


async def test_another_tenant_sees_neither_pending_nor_written_answers(journal: SqlAnswerJournal):
    journal.record(QUESTION, an_answer())
    assert await journal.get("ans_1", "other") is None

    await journal.flush()

    assert await journal.get("ans_1", "other") is None


async def test_who_asked_is_known_before_and_after_it_is_written(journal: SqlAnswerJournal):
    journal.record(QUESTION, an_answer())
    pending = await journal.asker_of("ans_1")

    await journal.flush()

    assert pending == await journal.asker_of("ans_1") == ("acme", "ann")


@pytest.mark.parametrize("answer_id", ["ans_2", "", "a\x00", "\ud800"])
async def test_an_unknown_answer_is_nothing(journal: SqlAnswerJournal, answer_id: str):
    assert await journal.get(answer_id, "acme") is None
    assert await journal.asker_of(answer_id) is None


async def test_answers_are_written_in_the_background(sql_place: SqlPlace):
    is_rendered = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(answer: Answer) -> dict[str, object]:
        loop.call_soon_threadsafe(is_rendered.set)
        return render(answer)

    journal = await SqlAnswerJournal.open(
        sql_place.url, render=tell, clock=SteppingClock(), schema=sql_place.schema
    )
    journal.record(QUESTION, an_answer())

    async with asyncio.timeout(5):
        await is_rendered.wait()
    await journal.close()


async def test_closing_writes_what_is_pending(sql_place: SqlPlace):
    journal = await open_journal(sql_place, capacity=1000)
    for i in range(500):
        journal.record(QUESTION, an_answer(f"ans_{i}"))

    await journal.close()

    assert await stored(sql_place, "ans_0") is not None
    assert await stored(sql_place, "ans_499") is not None


async def test_closing_twice_is_harmless(journal: SqlAnswerJournal):
    await journal.close()


async def test_a_failing_database_loses_nothing_that_is_queued(
    journal: SqlAnswerJournal, sql_place: SqlPlace
):
    await sql_place.execute("DROP TABLE answers")
    journal.record(QUESTION, an_answer("ans_1"))
    with pytest.raises(DependencyError):
        await journal.flush()
    journal.record(QUESTION, an_answer("ans_2"))

    assert await journal.get("ans_1", "acme") is not None
    await (await open_journal(sql_place)).close()  # makes the table again
    await journal.flush()

    assert await stored(sql_place, "ans_1") is not None
    assert await stored(sql_place, "ans_2") is not None
    assert journal.n_dropped == 0


async def test_the_background_tries_again_after_a_failure(sql_place: SqlPlace):
    attempts = asyncio.Semaphore(0)
    loop = asyncio.get_running_loop()

    def tell(answer: Answer) -> dict[str, object]:
        loop.call_soon_threadsafe(attempts.release)
        return render(answer)

    journal = await SqlAnswerJournal.open(
        sql_place.url, render=tell, clock=SteppingClock(), schema=sql_place.schema
    )
    await sql_place.execute("DROP TABLE answers")
    with capture_logs() as logs:
        journal.record(QUESTION, an_answer())
        async with asyncio.timeout(5):
            await attempts.acquire()
            await attempts.acquire()
        await (await open_journal(sql_place)).close()  # makes the table again
        await journal.close()

    assert logs[0]["event"] == "answers_not_written"
    assert await stored(sql_place, "ans_1") is not None


async def test_a_full_queue_drops_the_oldest_and_says_so_once(sql_place: SqlPlace):
    journal = await open_journal(sql_place, capacity=2)

    with capture_logs() as logs:
        for i in range(5):
            journal.record(QUESTION, an_answer(f"ans_{i}"))
    await journal.close()

    assert journal.n_dropped == 3
    assert [log["event"] for log in logs] == ["answers_dropped"]
    assert await stored(sql_place, "ans_2") is None
    assert await stored(sql_place, "ans_3") is not None


async def test_a_queue_that_fills_while_the_database_fails_drops_the_oldest(sql_place: SqlPlace):
    journal = await open_journal(sql_place, capacity=2)
    await sql_place.execute("DROP TABLE answers")
    for i in range(2):
        journal.record(QUESTION, an_answer(f"ans_{i}"))
    with pytest.raises(DependencyError):
        await journal.flush()

    journal.record(QUESTION, an_answer("ans_2"))

    assert journal.n_dropped == 1
    assert journal._queued.keys() == {"ans_1", "ans_2"}
    await (await open_journal(sql_place)).close()  # makes the table again
    await journal.close()


async def test_closing_over_a_failing_database_says_what_is_lost(sql_place: SqlPlace):
    journal = await open_journal(sql_place)
    await sql_place.execute("DROP TABLE answers")
    journal.record(QUESTION, an_answer())

    with capture_logs() as logs:
        await journal.close()

    assert (logs[-1]["event"], logs[-1]["n"]) == ("answers_lost", 1)


async def test_an_answer_that_cannot_be_rendered_does_not_hold_up_the_rest(
    journal: SqlAnswerJournal, sql_place: SqlPlace
):
    journal.record(QUESTION, an_answer("ans_1", "unrenderable"))
    journal.record(QUESTION, an_answer("ans_2"))

    with capture_logs() as logs:
        await journal.flush()

    assert await stored(sql_place, "ans_2") is not None
    assert (journal.n_dropped, journal.n_pending) == (1, 0)
    assert [log["event"] for log in logs] == ["answer_not_rendered"]


async def test_odd_characters_are_replaced(journal: SqlAnswerJournal):
    odd = Question(text="a\x00b\ud800", tenant="acme", history=(Turn("user", "\x00"),))
    journal.record(odd, an_answer(text="\ud800"))

    await journal.flush()

    kept = await journal.get("ans_1", "acme")
    assert kept is not None
    assert kept["question"] == "a\ufffdb\ufffd"


async def test_an_answer_that_is_recorded_twice_is_kept_once(journal: SqlAnswerJournal):
    journal.record(QUESTION, an_answer())
    await journal.flush()

    journal.record(QUESTION, an_answer())
    await journal.flush()

    assert await journal.get("ans_1", "acme") is not None
    assert journal.n_dropped == 0
