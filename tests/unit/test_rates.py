"""Token buckets: how much one caller may send, and when again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.app import rates
from trivium.app.rates import Buckets


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_full_bucket_is_emptied_at_once_and_then_filled_evenly():
    clock = Clock()
    buckets = Buckets(4, clock)

    taken = [buckets.take("ann") for _ in range(5)]
    assert [t.is_allowed for t in taken] == [True, True, True, True, False]
    assert [t.remaining for t in taken] == [3, 2, 1, 0, 0]
    assert [t.reset_s for t in taken] == [15, 30, 45, 60, 60]
    assert taken[-1].retry_s == 15

    clock.now += 14
    assert buckets.take("ann").retry_s == 1
    clock.now += 1
    assert buckets.take("ann").is_allowed
    assert not buckets.take("ann").is_allowed


def test_each_caller_has_a_bucket():
    buckets = Buckets(1, Clock())

    allowed = [buckets.take(who).is_allowed for who in ("ann", "ann", "ben")]

    assert allowed == [True, False, True]


def test_what_waits_is_never_paid_twice():
    clock = Clock()
    buckets = Buckets(2, clock)
    for _ in range(100):
        buckets.take("ann")

    clock.now += 30

    assert [buckets.take("ann").is_allowed for _ in range(2)] == [True, False]


def test_callers_that_are_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rates, "_N_BUCKETS", 10)
    clock = Clock()
    buckets = Buckets(1, clock)
    for number in range(10):
        buckets.take(str(number))

    clock.now += 61
    buckets.take("late")

    assert len(buckets) == 1


@given(per_minute=st.integers(1, 600), steps=st.lists(st.floats(0, 120), min_size=1, max_size=200))
def test_no_more_is_let_through_than_a_bucket_and_what_flowed_in(
    per_minute: int, steps: list[float]
):
    clock = Clock()
    buckets = Buckets(per_minute, clock)
    n_allowed = 0
    for step in steps:
        clock.now += step
        taken = buckets.take("ann")
        n_allowed += taken.is_allowed
        assert 0 <= taken.remaining < per_minute
        assert 0 <= taken.reset_s <= 60
        assert (taken.retry_s > 0) == (not taken.is_allowed)

    assert n_allowed <= per_minute + sum(steps) * per_minute / 60 + 1e-3
