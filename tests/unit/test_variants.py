"""Wording matters where it should, and nowhere else, on questions that are read rightly."""

import pytest

from bench.sets import SETS
from bench.variants import ALTERING, KEEPING, right_ones, vary
from tests.conftest import SEED, SOAK

SOME = SETS if SOAK > 1 else SETS[1:5]
COUNT = 1_000 if SOAK > 1 else 120


@pytest.fixture(scope="module")
def questions() -> list:  # type: ignore[type-arg]  # of the bench's own kind
    return right_ones(SOME)


def test_other_wordings_are_answered_alike(questions: list):  # type: ignore[type-arg]  # see above
    varied = list(vary(questions, KEEPING, COUNT, SEED))
    wrong = [(v.kind, v.after) for v in varied if not v.is_fine]
    assert len(wrong) <= 0.05 * len(varied), wrong


def test_what_alters_the_meaning_alters_the_plan(questions: list):  # type: ignore[type-arg]  # see above
    varied = list(vary(questions, ALTERING, COUNT, SEED))
    wrong = [(v.kind, v.after) for v in varied if not v.is_fine]
    assert len(wrong) <= 0.1 * len(varied), wrong
