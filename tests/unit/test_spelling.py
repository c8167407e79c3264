"""Slips of the pen are mended where the word means something here, and nowhere else."""

import pytest

from trivium.domain.question import Token
from trivium.language.spelling import Speller, english
from trivium.language.text import tokenize

SPELLER = Speller(
    ["supplier", "relation", "trial", "connected", "budget", "operate", "month", "mouth"]
)


def mended(word: str) -> str:
    (token,) = tokenize(word)
    assert isinstance(token, Token)
    return SPELLER.mended(token).lower


@pytest.mark.parametrize(
    ("slip", "word"),
    [
        ("suplier", "supplier"),
        ("suppliers", "suppliers"),
        ("supliers", "suppliers"),
        ("relatins", "relations"),
        ("conneced", "connected"),
        ("buddget", "budget"),
        ("bugdet", "budget"),
        ("oerated", "operated"),
    ],
)
def test_a_slip_is_mended(slip: str, word: str):
    assert mended(slip) == word


@pytest.mark.parametrize(
    "word",
    ["trails", "bridget", "budgie", "dubget", "mnth", "moth", "mopth", "zupplier"],
    ids=[
        "an English word", "a name", "another word", "the first letter is wrong", "too short",
        "a short word", "two words might be meant", "the first letter is wrong too",
    ],
)  # fmt: skip
def test_what_is_no_slip_stays(word: str):
    assert mended(word) == word


def test_common_words_are_english():
    assert {"which", "supplier", "trails"} < english()
    assert "supllier" not in english()
