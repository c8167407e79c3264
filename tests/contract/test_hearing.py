"""What the trainer hears out of ratings, the queue of misroutes and answers, on each database."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from feedback.claims import Record
from feedback.labels import Labelled
from feedback.misroutes import Misroutes
from feedback.ratings import Ratings
from tests.contract.test_misroutes import (
    ANALYSIS,
    CONFIRM,
    CORRECT,
    DISMISS,
    DOWN,
    EVERY,
    NOW,
    UNDO,
    UP,
    opened,
    queue,
    take,
)
from trivium.app.hearing import Hearing
from trivium.app.retraining import Evidence
from trivium.domain.question import TierName, Turn

__all__ = ["queue"]

CAG, RAG, GRAPH = TierName
NOTHING = Evidence([], [], {}, [])


@dataclass(frozen=True)
class Told:
    """``Traces`` of answers that all went to the graph, but for what was changed."""

    changed: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    async def get(self, answer_id: str, _tenant: str) -> dict[str, Any] | None:  # Any: JSON
        if answer_id == "ans_lost":
            return None
        route = {"tiers": ["graph"], "decided_by": "model", **self.changed.get(answer_id, {})}
        history = [{"role": "user", "content": "And the keepers?"}]
        return {
            "question": f"Who, {answer_id}?",
            "history": history,
            "response": {"route": route},
        }


@pytest.fixture
def ear(ratings: Ratings, queue: Misroutes) -> Hearing:
    return Hearing(queue, ratings, Told())


async def test_without_a_rating_nothing_is_heard(ear: Hearing):
    assert await ear.evidence() == NOTHING
    assert await ear.n_confirmed() == 0


async def test_labels_are_what_admins_decided_and_what_raters_propose(
    ratings: Ratings, queue: Misroutes, ear: Hearing
):
    for rater, tiers, step in (
        ("ann", (RAG,), CONFIRM),
        ("bob", (GRAPH,), CORRECT),
        ("cid", (CAG,), DISMISS),
        ("dan", (CAG,), None),
        ("eva", None, None),
        ("fay", None, CONFIRM),
    ):
        report = await opened(ratings, replace(DOWN, rater=rater, tiers=tiers))
        if step:
            await take(queue, step, report)

    heard = await ear.evidence()

    confirmed = [(label.rater, label.tiers) for label in heard.confirmed]
    assert confirmed == [("ann", (RAG,)), ("bob", (CAG, RAG)), ("fay", (RAG,))]
    (proposed,) = heard.proposed
    assert (proposed.rater, proposed.tiers, proposed.at) == ("dan", (CAG,), DOWN.at)
    assert proposed.question == ANALYSIS.question
    assert heard.records == {"ann": Record(1, 1), "bob": Record(0, 1)}
    assert await ear.n_confirmed() == len(heard.confirmed)


async def test_a_label_is_the_question_with_its_history_until_it_is_undone(
    ratings: Ratings, queue: Misroutes, ear: Hearing
):
    report = await take(queue, CORRECT, await opened(ratings))

    assert (await ear.evidence()).confirmed == [
        Labelled(
            id=report.id,
            question="How late may it be?",
            history=(Turn("user", "And the contract?"),),
            tiers=(CAG, RAG),
            rater="ann",
            at="2026-08-01T12:00:00.000000+00:00",
            tenant="acme",
        )
    ]
    await take(queue, UNDO, report)
    assert (await ear.evidence()).confirmed == []


async def test_a_proposal_that_was_taken_back_or_lost_its_question_is_not_heard(
    ratings: Ratings, ear: Hearing
):
    await opened(ratings, replace(DOWN, rater="ann", tiers=(CAG,)))
    await ratings.rate(replace(UP, rater="ann", tiers=(CAG,)))
    await opened(ratings, replace(DOWN, rater="bob", tiers=(CAG,)), None)
    lost = replace(ANALYSIS, question=None, proposed=None)
    await opened(ratings, replace(DOWN, rater="cid", tiers=(CAG,)), lost)

    assert await ear.evidence() == NOTHING


async def test_a_rater_is_held_to_all_decisions(ratings: Ratings, queue: Misroutes, ear: Hearing):
    for number in range(3):
        said = replace(DOWN, answer_id=f"ans_{number}", rater="ann", tiers=(RAG,))
        await ratings.rate(said)
    for report, step in zip(
        [report async for report in queue.all(EVERY)], (CONFIRM, CORRECT, CONFIRM), strict=True
    ):
        await queue.keep(report, ANALYSIS, ())
        await take(queue, step, report)

    assert (await ear.evidence()).records == {"ann": Record(2, 3)}


@pytest.mark.parametrize("later", [replace(DOWN, tiers=(CAG, RAG)), replace(UP, tiers=None)])
async def test_what_a_rater_says_after_the_decision_does_not_better_the_record(
    ratings: Ratings, queue: Misroutes, ear: Hearing, later
):
    await ratings.rate(replace(DOWN, tiers=(CAG,), at=(NOW - timedelta(hours=1)).isoformat()))
    await take(queue, CORRECT, await opened(ratings, replace(DOWN, tiers=(GRAPH,))))

    await ratings.rate(replace(later, at=UP.at))

    assert (await ear.evidence()).records == {"ann": Record(0, 1)}


async def test_a_rater_who_said_nothing_before_the_decision_has_no_record_of_it(
    ratings: Ratings, queue: Misroutes, ear: Hearing
):
    await take(queue, CORRECT, await opened(ratings))

    await ratings.rate(replace(DOWN, tiers=(CAG, RAG), at=UP.at))

    assert (await ear.evidence()).records == {}


async def test_a_thumb_up_speaks_for_the_route_that_the_model_chose(
    ratings: Ratings, queue: Misroutes
):
    changed: dict[str, dict[str, object]] = {
        "ans_pinned": {"decided_by": "rule"},
        "ans_both": {"tiers": ["graph", "cag"]},
    }
    for name, tiers in (
        ("ans_1", None),
        ("ans_2", (GRAPH,)),
        ("ans_3", (CAG,)),
        ("ans_both", None),
        ("ans_pinned", None),
        ("ans_lost", None),
    ):
        await ratings.rate(replace(UP, answer_id=name, tiers=tiers))

    heard = await Hearing(queue, ratings, Told(changed)).evidence()

    said = {label.id: label.tiers for label in heard.liked}
    assert said == {"ans_1": (GRAPH,), "ans_2": (GRAPH,), "ans_both": (CAG, GRAPH)}
    first = next(label for label in heard.liked if label.id == "ans_1")
    assert (first.question, first.history) == ("Who, ans_1?", (Turn("user", "And the keepers?"),))
    assert (first.rater, first.tenant, first.at) == ("ann", "acme", UP.at)
    assert (heard.confirmed, heard.proposed) == ([], [])


async def test_a_thumb_up_is_not_heard_beside_an_admins_decision_about_the_answer(
    ratings: Ratings, queue: Misroutes, ear: Hearing
):
    await take(queue, CORRECT, await opened(ratings))
    await ratings.rate(replace(UP, rater="bob"))

    assert (await ear.evidence()).liked == []
