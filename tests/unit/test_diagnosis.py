"""What went wrong with an answer that was rated down, and the label proposed."""

from dataclasses import replace

import pytest

from feedback.diagnosis import SETS, Case, Kind, Strength, diagnose, propose
from feedback.ratings import RatingReason
from trivium.domain.answer import AnswerStatus
from trivium.domain.question import TierName

CAG, RAG, GRAPH = TierName
NONE, WEAK, STRONG = Strength
SURE_OF_GRAPH = {CAG: 0.02, RAG: 0.05, GRAPH: 0.97}
CASE = Case(
    route=(GRAPH,),
    probabilities=SURE_OF_GRAPH,
    strengths={CAG: NONE, RAG: STRONG, GRAPH: NONE},
    status=AnswerStatus.ANSWERED,
)
WELL = replace(CASE, strengths={CAG: NONE, RAG: NONE, GRAPH: STRONG})


def test_a_route_that_knows_nothing_gives_way_to_a_tier_that_does():
    found = diagnose(CASE)

    assert (found.kind, found.proposed) == (Kind.ROUTING, (RAG,))
    assert "rag alone has a strong answer" in found.why
    assert "graph alone has no answer" in found.why


def test_a_route_that_answers_stays_after_a_thumb_alone():
    found = diagnose(WELL)

    assert (found.kind, found.proposed) == (Kind.READING, (GRAPH,))


def test_a_rater_who_says_that_the_route_was_wrong_is_believed():
    wrong = replace(WELL, reason=RatingReason.WRONG_TIER)

    assert diagnose(wrong).kind is Kind.ROUTING
    assert all(
        propose(replace(wrong, route=route, strengths=case.strengths)) != route
        for route in SETS
        for case in (CASE, WELL)
    )


def test_the_tiers_that_a_rater_names_are_proposed_against_a_sure_router():
    named = replace(WELL, tiers=(CAG,), strengths={CAG: STRONG, RAG: WEAK, GRAPH: STRONG})

    found = diagnose(named)

    assert (found.kind, found.proposed) == (Kind.ROUTING, (CAG,))
    assert found.why[0] == "the rater would have asked cag"


def test_a_rater_who_names_a_tier_that_knows_nothing_is_not_followed_blindly():
    named = replace(CASE, tiers=(CAG,), probabilities={CAG: 0.01, RAG: 0.6, GRAPH: 0.6})

    assert diagnose(named).proposed == (RAG,)


def test_what_a_router_believes_weighs_where_it_was_overruled():
    overruled = replace(CASE, route=(RAG,), strengths=dict.fromkeys(TierName, STRONG))

    found = diagnose(overruled)

    assert found.proposed == (GRAPH,)
    assert "the router thinks it the likeliest other route" in found.why


def test_without_a_belief_what_the_tiers_say_decides():
    assert propose(replace(CASE, probabilities={}, route=(CAG,))) == (RAG,)


def test_a_tier_that_could_not_be_asked_says_nothing():
    assert propose(replace(CASE, strengths={RAG: STRONG})) == (RAG,)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"reason": RatingReason.OUTDATED}, Kind.DATA),
        ({"reason": RatingReason.UNCLEAR}, Kind.SYNTHESIS),
        ({"reason": RatingReason.WRONG_SOURCE}, Kind.RETRIEVAL),
        ({"reason": RatingReason.INCOMPLETE}, Kind.RETRIEVAL),
        ({"reason": RatingReason.WRONG_ANSWER}, Kind.READING),
        ({"is_misread": True, "reason": RatingReason.OUTDATED}, Kind.READING),
        ({"tiers": (GRAPH,)}, Kind.READING),
        ({"is_degraded": True}, Kind.RETRIEVAL),
        ({"abstained": "unknown_entity"}, Kind.READING),
        ({"abstained": "no_evidence"}, Kind.DATA),
        ({"route": (RAG,), "probabilities": {RAG: 0.99}, "tiers": (RAG,)}, Kind.RETRIEVAL),
        ({"route": (CAG,), "probabilities": {CAG: 0.99}, "tiers": (CAG,)}, Kind.DATA),
        ({"route": (), "probabilities": {}, "tiers": ()}, Kind.DATA),
    ],
)
def test_where_the_route_was_right_it_is_told_what_else_was_wrong(
    change: dict[str, object], kind: Kind
):
    case = replace(WELL, **change)  # type: ignore[arg-type]  # the values are those of the fields

    found = diagnose(case)

    assert (found.kind, found.proposed) == (kind, case.route)
