"""Answer ids are ours or they are not, whatever text is asked about."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedback.answer_ids import AnswerIds
from tests.fakes import SteppingClock
from trivium.domain.errors import InputError


def ids(secret: bytes = b"a secret") -> AnswerIds:
    return AnswerIds(secret, lambda n: b"\x07" * n, SteppingClock())


def test_a_new_id_is_ours():
    assert ids().is_ours(ids().new())


def test_an_id_is_short_plain_text():
    assert re.fullmatch("ans_[A-Za-z0-9_-]{1,60}", ids().new())


def test_the_clock_may_be_left_out():
    made = AnswerIds(b"a secret", bytes).new()

    assert ids().is_ours(made)


def test_a_later_id_sorts_after_an_earlier_one():
    clock = SteppingClock()
    falling = iter([b"\xff", b"\x00"])
    made = AnswerIds(b"a secret", lambda n: next(falling) * n, clock)

    first = made.new()
    clock.step(0.001)
    second = made.new()

    assert first < second


def test_an_id_of_another_secret_is_not_ours():
    assert not ids().is_ours(ids(b"another secret").new())


@pytest.mark.parametrize("position", [4, 20, 35, 37, 56])
def test_an_id_with_one_other_digit_is_not_ours(position: int):
    genuine = ids().new()
    other = "0" if genuine[position] != "0" else "1"

    assert not ids().is_ours(genuine[:position] + other + genuine[position + 1 :])


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "ans_",
        "ans__",
        "ans_" + "0" * 32,
        "\ud800",
        "a\x00b",
        "ans_" + "٣" * 32 + "_" + "٣" * 20,
    ],
)
def test_odd_text_is_not_ours(odd: str):
    assert not ids().is_ours(odd)


def test_an_id_in_other_dress_is_not_ours():
    genuine = ids().new()

    assert not any(map(ids().is_ours, (genuine + "\n", " " + genuine, genuine.upper())))


def test_a_very_long_text_is_not_ours():
    assert not ids().is_ours("ans_" + "a" * 1_000_000)


@given(st.text(st.characters(codec=None), max_size=100))
def test_no_text_raises(text: str):
    assert not ids().is_ours(text)


def test_an_empty_secret_is_refused():
    with pytest.raises(InputError):
        ids(b"")
