"""Slips of the pen are mended where the word means something here, and nowhere else."""

import pytest

from trivium.language.spelling import Speller, english
from trivium.language.text import tokenize

SPELLER = Speller(
    ["supplier", "relation", "trial", "connected", "budget", "operate", "month", "mouth"]
)


def mended(word: str) -> str:
    first, *_ = SPELLER.mended(tokenize(f"{word} of our own house"))
    return first.lower


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


def test_names_are_left_to_the_linker():
    words = tokenize("Which suplier has Suplier of ours")
    assert [t.lower for t in SPELLER.mended(words)][1:4] == ["supplier", "has", "suplier"]
    assert SPELLER.mended(words, lambda word: word == "suplier") == tuple(words)


def test_another_language_is_left_alone():
    words = tokenize("welche suplier haben wir noch")
    assert SPELLER.mended(words) == tuple(words)


def test_common_words_are_english():
    assert {"which", "supplier", "trails"} < english()
    assert "supllier" not in english()
