"""The analyst of misroutes: what it asks, what it keeps, and what it lives through."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from feedback.analyst import Analyst
from feedback.diagnosis import Kind
from feedback.misroutes import Misroutes, ReportFilter
from feedback.ratings import Rating, Ratings, Thumb
from feedback.reports import Report
from tests.fakes import HashEncoder, SteppingClock
from trivium.domain.answer import Answer, AnswerStatus
from trivium.domain.deadline import Deadline
from trivium.domain.door import response
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import Reason
from trivium.domain.question import Question, TierName, Turn
from trivium.domain.result import Number, Prose
from trivium.domain.route import Decider, RouteDecision

CAG, RAG, GRAPH = TierName
GIVEN = Answer(
    id="ans_1",
    status=AnswerStatus.ABSTAINED,
    text="The graph holds no answer.",
    route=RouteDecision(
        tiers=(GRAPH,),
        decided_by=Decider.MODEL,
        probabilities={CAG: 0.1, RAG: 0.2, GRAPH: 0.9},
        model_version="v7",
    ),
    result=Prose(),
    reason=Reason.NOT_IN_SCHEMA,
)
FOUND = replace(
    GIVEN,
    status=AnswerStatus.ANSWERED,
    text="60 days. [1]" + 2_000 * "x",
    reason=None,
    result=Number(60),
    evidence={"rag": {"passages": [{"similarity": 0.8}]}},
)
TRACE = {
    "question": "How late may it be?",
    "history": [{"role": "user", "content": "And the contract?"}],
    "as_of": None,
    "tenant": "acme",
    "principal": "ann",
    "response": response(GIVEN),
}


class Traces(dict[str, dict[str, Any]]):
    """A journal of answers, in a dictionary."""

    async def get(self, answer_id: str, tenant: str) -> dict[str, Any] | None:  # type: ignore[override]
        return super().get(answer_id)


class Asker:
    """Says what it was told to for each tier; an error is raised."""

    def __init__(self, answers: Mapping[TierName, Answer | Exception]) -> None:
        self.answers = answers
        self.asked: list[Question] = []

    async def ask(self, question: Question, deadline: Deadline) -> Answer:
        self.asked.append(question)
        (tier,) = question.tiers or ()
        answer = self.answers[tier]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
async def ratings(tmp_path: Path) -> AsyncIterator[Ratings]:
    opened = await Ratings.open(f"sqlite:///{tmp_path / 'answers.sqlite'}")
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def analyst(ratings: Ratings, clock: SteppingClock) -> Analyst:
    return Analyst(
        queue=Misroutes(ratings.database),
        traces=Traces({"ans_1": TRACE, "ans_2": TRACE}),
        asker=Asker({CAG: GIVEN, RAG: FOUND, GRAPH: GIVEN}),
        encoder=HashEncoder(),
        now=clock,
    )


async def rate(ratings: Ratings, clock: SteppingClock, **more: Any) -> None:
    said = {"answer_id": "ans_1", "tenant": "acme", "rater": "ann", "thumb": Thumb.DOWN}
    await ratings.rate(Rating(**{**said, "at": clock().isoformat(), **more}))


async def reports(analyst: Analyst) -> list[Report]:
    return list(await analyst.queue.find(ReportFilter()))


async def test_a_report_carries_all_that_an_admin_decides_by(
    analyst: Analyst, ratings: Ratings, clock: SteppingClock
):
    await rate(ratings, clock)

    assert await analyst.work() == 1

    (report,) = await reports(analyst)
    found = report.analysis
    assert found is not None
    assert (found.question, found.history) == (
        "How late may it be?",
        (Turn("user", "And the contract?"),),
    )
    assert found.given["reason"] == "not_in_schema"
    assert found.route["probabilities"] == {"cag": 0.1, "rag": 0.2, "graph": 0.9}
    assert found.route["model_version"] == "v7"
    assert {tier: said["status"] for tier, said in found.alone.items()} == {
        "cag": "abstained",
        "rag": "answered",
        "graph": "abstained",
    }
    assert found.alone["rag"]["result"] == {"kind": "number", "number": 60, "unit": None}
    assert found.alone["rag"]["support"] == "strong"
    assert len(found.alone["rag"]["answer"]) == 1_000
    assert (found.kind, found.proposed) == (Kind.ROUTING, (RAG,))
    assert found.why


async def test_each_tier_is_asked_once_as_the_rater_was_who_asked(
    analyst: Analyst, ratings: Ratings, clock: SteppingClock
):
    await rate(ratings, clock)
    await analyst.work()
    assert await analyst.work() == 0

    assert isinstance(analyst.asker, Asker)
    assert [q.tiers for q in analyst.asker.asked] == [(CAG,), (RAG,), (GRAPH,)]
    assert {(q.tenant, q.principal, q.text) for q in analyst.asker.asked} == {
        ("acme", "ann", "How late may it be?")
    }


async def test_similar_cases_are_told(analyst: Analyst, ratings: Ratings, clock: SteppingClock):
    await rate(ratings, clock)
    await rate(ratings, clock, rater="bob")

    await analyst.work()

    first, second = await reports(analyst)
    assert first.analysis is not None
    assert second.analysis is not None
    assert first.analysis.similar == ()
    assert [case["id"] for case in second.analysis.similar] == [first.id]


async def test_a_tier_that_cannot_be_asked_is_unavailable_and_the_rest_goes_on(
    analyst: Analyst, ratings: Ratings, clock: SteppingClock
):
    broken = Asker({CAG: DependencyError("no store"), RAG: FOUND, GRAPH: GIVEN})
    await rate(ratings, clock)

    await replace(analyst, asker=broken).work()

    (report,) = await reports(analyst)
    assert report.analysis is not None
    assert report.analysis.alone["cag"] == {"status": "unavailable", "reason": "no store"}
    assert report.analysis.proposed == (RAG,)


async def test_one_that_cannot_be_analysed_holds_up_no_other_and_stays_pending(
    analyst: Analyst, ratings: Ratings, clock: SteppingClock
):
    await rate(ratings, clock, answer_id="ans_bad")
    await rate(ratings, clock)

    with_bad = replace(analyst, traces=Traces({"ans_bad": {}, "ans_1": TRACE}))
    assert await with_bad.work() == 1

    bad, good = await reports(analyst)
    assert (bad.analysis, good.analysis is not None) == (None, True)
    assert [report.id for report, _ in await analyst.queue.pending(9)] == [bad.id]


async def test_a_trace_may_come_after_its_rating_and_is_lost_after_a_minute(
    analyst: Analyst, ratings: Ratings, clock: SteppingClock
):
    await rate(ratings, clock, answer_id="ans_late")
    await rate(ratings, clock, answer_id="ans_lost")
    assert await analyst.work() == 0

    assert isinstance(analyst.traces, Traces)
    analyst.traces["ans_late"] = TRACE
    clock.step(61)
    assert await analyst.work() == 2

    late, lost = await reports(analyst)
    assert late.analysis is not None
    assert late.analysis.kind is Kind.ROUTING
    assert lost.analysis is not None
    assert (lost.analysis.kind, lost.analysis.proposed) == (Kind.UNKNOWN, None)


class Watched(Misroutes):
    """A queue that tells of each analysis that it keeps."""

    def __init__(self, ratings: Ratings) -> None:
        super().__init__(ratings.database)
        self.kept: asyncio.Queue[str] = asyncio.Queue()

    async def keep(self, report: Report, *rest: Any) -> None:
        await super().keep(report, *rest)
        await self.kept.put(report.rating.rater)


async def test_what_waits_is_analysed_when_work_begins_and_when_it_is_woken(
    analyst: Analyst, ratings: Ratings, clock: SteppingClock
):
    queue = Watched(ratings)
    await rate(ratings, clock)

    async with asyncio.timeout(30), replace(analyst, queue=queue).at_work():
        assert await queue.kept.get() == "ann"
        await rate(ratings, clock, rater="bob")
        analyst.wake()
        assert await queue.kept.get() == "bob"
