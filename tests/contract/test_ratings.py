"""Ratings, on each kind of database."""

import asyncio
from dataclasses import replace

import pytest

from feedback.ratings import Rating, RatingOutcome, RatingReason, Ratings, Thumb
from tests.contract.conftest import SqlPlace
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.question import TierName

DOWN = Rating(
    answer_id="ans_1",
    tenant="acme",
    rater="ann",
    thumb=Thumb.DOWN,
    reason=RatingReason.WRONG_TIER,
    comment="It is in the contract.",
    tiers=(TierName.RAG,),
    answer="60 days",
    at="2026-08-01T12:00:00+00:00",
)
UP = Rating(
    answer_id="ans_1", tenant="acme", rater="ann", thumb=Thumb.UP, at="2026-08-01T12:05:00+00:00"
)


async def test_a_first_rating_is_created(ratings: Ratings):
    assert await ratings.rate(DOWN) is RatingOutcome.CREATED
    assert await ratings.of("ans_1", "acme") == (DOWN,)
    assert await ratings.history("ans_1", "acme") == (DOWN,)


async def test_another_handle_sees_a_rating_as_soon_as_it_is_acknowledged(
    ratings: Ratings, second: Ratings
):
    await ratings.rate(DOWN)

    assert await second.of("ans_1", "acme") == (DOWN,)


async def test_a_retry_changes_nothing(ratings: Ratings):
    await ratings.rate(DOWN)

    outcome = await ratings.rate(replace(DOWN, at="2026-08-02T00:00:00+00:00"))

    assert outcome is RatingOutcome.UNCHANGED
    assert await ratings.of("ans_1", "acme") == (DOWN,)
    assert await ratings.history("ans_1", "acme") == (DOWN,)


async def test_a_second_thought_replaces_the_rating_and_keeps_the_first(ratings: Ratings):
    await ratings.rate(DOWN)

    assert await ratings.rate(UP) is RatingOutcome.CHANGED
    assert await ratings.of("ans_1", "acme") == (UP,)
    assert await ratings.history("ans_1", "acme") == (DOWN, UP)


async def test_a_thumb_that_turns_is_one_rating_and_a_retry_of_it_is_nothing(ratings: Ratings):
    """Case F01."""
    said = (UP, DOWN, replace(DOWN, at="2026-08-02T00:00:00+00:00"))

    outcomes = [await ratings.rate(rating) for rating in said]

    assert outcomes == [RatingOutcome.CREATED, RatingOutcome.CHANGED, RatingOutcome.UNCHANGED]
    assert await ratings.of("ans_1", "acme") == (DOWN,)
    assert await ratings.history("ans_1", "acme") == (UP, DOWN)


@pytest.mark.parametrize(
    "change",
    [
        {"reason": None},
        {"comment": None},
        {"comment": ""},
        {"tiers": None},
        {"tiers": ()},
        {"answer": "45 days"},
    ],
)
async def test_any_other_content_is_a_change(ratings: Ratings, change: dict[str, object]):
    other = replace(DOWN, **change)  # type: ignore[arg-type]  # the values are those of the fields
    await ratings.rate(DOWN)

    assert await ratings.rate(other) is RatingOutcome.CHANGED
    assert await ratings.of("ans_1", "acme") == (other,)


async def test_each_rater_has_a_rating(ratings: Ratings):
    await ratings.rate(DOWN)
    bob = replace(UP, rater="bob")

    assert await ratings.rate(bob) is RatingOutcome.CREATED
    assert await ratings.of("ans_1", "acme") == (DOWN, bob)


async def test_a_tenant_sees_its_own_ratings(ratings: Ratings):
    await ratings.rate(DOWN)

    assert await ratings.rate(replace(DOWN, tenant="other")) is RatingOutcome.CREATED
    assert await ratings.of("ans_1", "acme") == (DOWN,)
    assert await ratings.history("ans_1", "third") == ()


async def test_tiers_are_a_set(ratings: Ratings):
    await ratings.rate(replace(DOWN, tiers=(TierName.GRAPH, TierName.CAG)))

    again = replace(DOWN, tiers=(TierName.CAG, TierName.GRAPH, TierName.CAG))

    assert await ratings.rate(again) is RatingOutcome.UNCHANGED


async def test_an_up_with_a_reason_is_refused(ratings: Ratings):
    with pytest.raises(InputError) as refused:
        await ratings.rate(replace(UP, reason=RatingReason.UNCLEAR))

    assert [where for where, _ in refused.value.errors] == ["reason"]
    assert await ratings.of("ans_1", "acme") == ()


async def test_a_key_that_is_too_long_is_refused(ratings: Ratings):
    with pytest.raises(InputError):
        await ratings.rate(replace(UP, rater="x" * 257))


async def test_the_longest_keys_are_kept(ratings: Ratings):
    long = replace(UP, rater="😀" * 256, tenant="é" * 256)

    assert await ratings.rate(long) is RatingOutcome.CREATED
    assert await ratings.of("ans_1", "é" * 256) == (long,)


async def test_a_retry_with_odd_characters_changes_nothing(ratings: Ratings):
    odd = replace(DOWN, rater="a\x00", comment="b\ud800", answer="\x00")
    await ratings.rate(odd)

    assert await ratings.rate(odd) is RatingOutcome.UNCHANGED


async def test_equal_first_ratings_at_once_make_one(ratings: Ratings, second: Ratings):
    outcomes = await asyncio.gather(
        *(handle.rate(DOWN) for handle in (ratings, second) for _ in range(4))
    )

    assert sorted(outcomes) == [RatingOutcome.CREATED] + 7 * [RatingOutcome.UNCHANGED]
    assert await ratings.history("ans_1", "acme") == (DOWN,)


async def test_different_ratings_at_once_end_with_the_last_of_the_history(
    ratings: Ratings, second: Ratings
):
    given = [replace(DOWN, comment=str(i)) for i in range(8)]

    outcomes = await asyncio.gather(
        *((ratings, second)[i % 2].rate(rating) for i, rating in enumerate(given))
    )

    history = await ratings.history("ans_1", "acme")
    assert outcomes.count(RatingOutcome.CREATED) == 1
    assert set(history) == set(given)
    assert await ratings.of("ans_1", "acme") == history[-1:]


async def test_a_database_that_fails_is_a_dependency_error(ratings: Ratings, sql_place: SqlPlace):
    await sql_place.execute("DROP TABLE rating_history")

    with pytest.raises(DependencyError):
        await ratings.rate(DOWN)

    assert await ratings.of("ans_1", "acme") == ()
