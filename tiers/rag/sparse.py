"""Sparse term vectors: BM25 without its IDF, which the engine adds."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from trivium.language.text import stems

_K: Final = 1.2
_B: Final = 0.75
"""Source: the usual BM25 constants (Robertson and Zaragoza, 2009)."""
_MEAN_LENGTH: Final = 60
"""Words in a chunk, title and heading included; measured on the example's documents."""


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term weights: ``values[i]`` is the weight of term ``indices[i]``, a 32-bit hash."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


def of_document(text: str) -> SparseVector:
    """Return the saturated term frequencies of ``text``."""
    counts = Counter(stems(text))
    norm = _K * (1 - _B + _B * counts.total() / _MEAN_LENGTH)
    return _vector((term, n * (_K + 1) / (n + norm)) for term, n in counts.items())


def of_query(terms: Iterable[str]) -> SparseVector:
    """Return weight 1 for each of ``terms``, which are stems."""
    return _vector((term, 1.0) for term in sorted(set(terms)))


def hashed(term: str) -> int:
    """Return the number of a term, 32 bits, the same in every process.

    >>> hashed("suppli")
    506575481
    """
    return int.from_bytes(blake2b(term.encode("utf-8", "replace"), digest_size=4).digest(), "big")


def _vector(weights: Iterable[tuple[str, float]]) -> SparseVector:
    """Hash the terms; two that share a hash share a weight."""
    weight_of: dict[int, float] = {}
    for term, weight in weights:
        index = hashed(term)
        weight_of[index] = max(weight, weight_of.get(index, 0.0))
    return SparseVector(tuple(weight_of), tuple(weight_of.values()))
