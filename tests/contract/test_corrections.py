"""Corrections, on each kind of database."""

import asyncio
from dataclasses import replace

import pytest

from feedback.corrections import Correction, CorrectionState
from feedback.ratings import Rating, RatingOutcome, Ratings, Thumb
from tests.contract.conftest import SqlPlace
from trivium.domain.alias import Alias, Meaning, Meant
from trivium.domain.errors import ConflictError, DependencyError, NotFoundError

RATING = Rating(
    answer_id="ans_1", tenant="acme", rater="ann", thumb=Thumb.DOWN, at="2026-08-01T12:00:00+00:00"
)
BIRD = Alias(words="Big bird", means=Meaning(kind=Meant.ENTITY, name="A-2"))
MASS = Alias(words="mass", means=Meaning(kind=Meant.PROPERTY, name="weight_kg", of="Animal"))
LATER = "2026-08-02T09:00:00+00:00"
CONFIRMED, DISMISSED = CorrectionState.CONFIRMED, CorrectionState.DISMISSED


async def the_one(ratings: Ratings) -> Correction:
    (found,) = await ratings.corrections.open_ones("acme")
    return found


async def test_what_a_rating_says_was_misread_is_open_at_once(ratings: Ratings, second: Ratings):
    assert await ratings.rate(RATING, [BIRD]) is RatingOutcome.CREATED

    found = await the_one(second)

    assert (found.alias, found.rater, found.answer_id, found.at) == (
        BIRD,
        "ann",
        "ans_1",
        RATING.at,
    )
    assert found.state is CorrectionState.OPEN
    assert await second.corrections.get(found.id, "acme") == found


async def test_a_retry_says_nothing_new_and_a_further_correction_does(ratings: Ratings):
    await ratings.rate(RATING, [BIRD])

    again = await ratings.rate(replace(RATING, at=LATER), [BIRD, BIRD])
    more = await ratings.rate(replace(RATING, at=LATER), [BIRD, MASS])

    assert (again, more) == (RatingOutcome.UNCHANGED, RatingOutcome.CHANGED)
    found = await ratings.corrections.open_ones("acme")
    assert [(c.alias, c.at) for c in found] == [(BIRD, RATING.at), (MASS, LATER)]
    assert len(await ratings.corrections.open_ones("acme", limit=1)) == 1


async def test_each_rater_and_each_tenant_has_corrections_of_its_own(ratings: Ratings):
    await ratings.rate(RATING, [BIRD])
    await ratings.rate(replace(RATING, rater="bob", at=LATER), [BIRD])
    await ratings.rate(replace(RATING, tenant="other"), [BIRD])

    found = await ratings.corrections.open_ones("acme")

    assert [c.rater for c in found] == ["ann", "bob"]
    with pytest.raises(NotFoundError):
        await ratings.corrections.get(found[0].id, "other")
    with pytest.raises(NotFoundError):
        await ratings.corrections.get("cor_0", "acme")


async def test_a_decision_closes_it_and_the_same_again_changes_nothing(ratings: Ratings):
    await ratings.rate(RATING, [BIRD])
    found = await the_one(ratings)

    first = await ratings.corrections.decide(found, CONFIRMED, by="eve", at=LATER)
    again = await ratings.corrections.decide(found, CONFIRMED, by="bob", at=RATING.at)

    assert (first.state, first.decided_by, first.decided_at) == (CONFIRMED, "eve", LATER)
    assert again == first
    assert await ratings.corrections.open_ones("acme") == ()


async def test_another_decision_is_a_conflict(ratings: Ratings):
    await ratings.rate(RATING, [BIRD])
    found = await the_one(ratings)
    await ratings.corrections.decide(found, DISMISSED, by="eve", at=LATER)

    with pytest.raises(ConflictError, match="dismissed by eve"):
        await ratings.corrections.decide(found, CONFIRMED, by="bob", at=LATER)


async def test_a_correction_said_again_does_not_open_what_was_decided(ratings: Ratings):
    await ratings.rate(RATING, [BIRD])
    found = await the_one(ratings)
    await ratings.corrections.decide(found, DISMISSED, by="eve", at=LATER)

    assert await ratings.rate(RATING, [BIRD]) is RatingOutcome.UNCHANGED
    assert await ratings.corrections.open_ones("acme") == ()


async def test_of_two_decisions_at_once_one_holds(ratings: Ratings, second: Ratings):
    await ratings.rate(RATING, [BIRD])
    found = await the_one(ratings)

    outcomes = await asyncio.gather(
        ratings.corrections.decide(found, CONFIRMED, by="eve", at=LATER),
        second.corrections.decide(found, DISMISSED, by="bob", at=LATER),
        return_exceptions=True,
    )

    decided = await ratings.corrections.get(found.id, "acme")
    assert [type(o) for o in outcomes].count(ConflictError) == 1
    assert decided in outcomes


async def test_a_rating_and_its_corrections_are_kept_together_or_not_at_all(
    ratings: Ratings, sql_place: SqlPlace
):
    await sql_place.execute("DROP TABLE corrections")

    with pytest.raises(DependencyError):
        await ratings.rate(RATING, [BIRD])

    assert await ratings.of("ans_1", "acme") == ()


async def test_odd_characters_are_kept_as_a_database_can(ratings: Ratings):
    odd = Alias(words="a\x00\ud800", means=Meaning(kind=Meant.TYPE, name="b\x00"))
    await ratings.rate(replace(RATING, rater="c\x00"), [odd])

    assert await ratings.rate(replace(RATING, rater="c\x00"), [odd]) is RatingOutcome.UNCHANGED
    assert (await the_one(ratings)).alias.words == "a\ufffd\ufffd"
