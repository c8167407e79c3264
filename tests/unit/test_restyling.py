"""Questions written in other manners: the same each time, and the words of the question in them."""

import random

import pytest

from bench.restyling import STYLES


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_the_same_each_time(style: str):
    text = "Which keepers feed the elephants of Nanuk?"

    first, second = (STYLES[style](text, random.Random(1)) for _ in range(2))

    assert first == second


@pytest.mark.parametrize("style", ["lower case", "a mail before", "rambling"])
def test_the_question_stands_at_the_end(style: str):
    said = STYLES[style]("Which keepers feed Tembo?", random.Random(1))

    assert said.lower().endswith("which keepers feed tembo?")


def test_typos_change_a_word_or_two():
    words = ["Which", "keepers", "feed", "the", "elephants"]

    said = STYLES["two typos"](" ".join(words), random.Random(1)).split()

    assert 1 <= sum(a != b for a, b in zip(words, said, strict=True)) <= 2
