"""Everyday words that are written short: "ext. 214" is an extension."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Final

import yaml

from tiers.rag.sparse import hashed
from trivium.language.text import stem

_FILE: Final = "abbreviations.yaml"


def full(term: str) -> str:
    """Return the stem of the word that a short one stands for, or the stem itself.

    >>> full("ext"), full("pump")
    ('extens', 'pump')
    """
    return _full().get(term, term)


def spelt_out(stems: Iterable[str]) -> frozenset[str]:
    """Return stems with those of short forms as those of the words they stand for.

    >>> sorted(spelt_out(["ext", "tel", "pump"]))
    ['extens', 'pump', 'telephon']
    """
    return frozenset(map(full, stems))


def spelt_out_numbers(terms: Collection[int]) -> frozenset[int]:
    """Return the same of terms that are kept as numbers; see ``sparse.hashed``."""
    numbers = _full_numbers()
    short = numbers.keys() & terms
    return (frozenset(terms) - short).union(numbers[term] for term in short)


def with_short_forms(stems: Collection[str]) -> frozenset[str]:
    """Return stems with those of the short forms that stand for them.

    >>> sorted(with_short_forms(["extens"]))
    ['ext', 'extens', 'extn']
    """
    return frozenset(stems) | {short for short, word in _full().items() if word in stems}


def with_full_stop() -> tuple[str, ...]:
    """Return the short forms that are written with a full stop, without it."""
    return tuple(short for forms in _read()["stopped"].values() for short in forms)


@lru_cache(maxsize=1)
def _read() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return each word with its short forms, by how these are written; the file is read once."""
    text = resources.files("tiers.rag").joinpath(_FILE).read_text("utf-8")
    read: Mapping[str, Mapping[str, Sequence[str]]] = yaml.safe_load(text)
    return read


@lru_cache(maxsize=1)
def _full() -> Mapping[str, str]:
    """Return the stem of the word that each short stem stands for."""
    return {
        stem(short): stem(word.casefold())
        for words in _read().values()
        for word, forms in words.items()
        for short in forms
    }


@lru_cache(maxsize=1)
def _full_numbers() -> Mapping[int, int]:
    return {hashed(short): hashed(word) for short, word in _full().items()}
