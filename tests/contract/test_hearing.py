"""What the trainer hears out of the queue of misroutes, on each kind of database."""

from dataclasses import replace

from feedback.claims import Record
from feedback.misroutes import Misroutes
from feedback.ratings import Ratings
from tests.contract.test_misroutes import (
    ANALYSIS,
    CONFIRM,
    CORRECT,
    DISMISS,
    DOWN,
    EVERY,
    UP,
    opened,
    queue,
    take,
)
from trivium.app.hearing import evidence_of
from trivium.app.retraining import Evidence
from trivium.domain.question import TierName

__all__ = ["queue"]

CAG, RAG, GRAPH = TierName


async def test_without_a_report_nothing_is_heard(queue: Misroutes):
    assert await evidence_of(queue) == Evidence([], [], {})


async def test_labels_are_what_admins_decided_and_what_raters_propose(
    ratings: Ratings, queue: Misroutes
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

    heard = await evidence_of(queue)

    confirmed = [(label.rater, label.tiers) for label in heard.confirmed]
    assert confirmed == [("ann", (RAG,)), ("fay", (RAG,)), ("bob", (CAG, RAG))]
    (proposed,) = heard.proposed
    assert (proposed.rater, proposed.tiers, proposed.at) == ("dan", (CAG,), DOWN.at)
    assert proposed.question == ANALYSIS.question
    assert heard.records == {"ann": Record(1, 1), "bob": Record(0, 1)}


async def test_a_proposal_that_was_taken_back_or_lost_its_question_is_not_heard(
    ratings: Ratings, queue: Misroutes
):
    await opened(ratings, replace(DOWN, rater="ann", tiers=(CAG,)))
    await ratings.rate(replace(UP, rater="ann", tiers=(CAG,)))
    await opened(ratings, replace(DOWN, rater="bob", tiers=(CAG,)), None)
    lost = replace(ANALYSIS, question=None, proposed=None)
    await opened(ratings, replace(DOWN, rater="cid", tiers=(CAG,)), lost)

    assert await evidence_of(queue) == Evidence([], [], {})


async def test_a_rater_is_held_to_all_decisions(ratings: Ratings, queue: Misroutes):
    for number in range(3):
        said = replace(DOWN, answer_id=f"ans_{number}", rater="ann", tiers=(RAG,))
        await ratings.rate(said)
    for report, step in zip(
        [report async for report in queue.all(EVERY)], (CONFIRM, CORRECT, CONFIRM), strict=True
    ):
        await queue.keep(report, ANALYSIS, ())
        await take(queue, step, report)

    assert (await evidence_of(queue)).records == {"ann": Record(2, 3)}
