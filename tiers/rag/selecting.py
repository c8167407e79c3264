"""Which of the chunks that answer best are read for an answer."""

from collections.abc import Iterator, Sequence
from typing import Final

from tiers.rag.ranking import Ranked

_NEAR: Final = 0.6
"""Share of the best score that a passage must reach."""
_COMPLETES: Final = 0.25
"""Share of the question that a further chunk of the best document must add. Of 338 questions of
nine data sets one more is answered; with 0.15 one is lost."""
_A_CHUNK_MORE: Final = 0.9
"""A second chunk of a document must come this near to its first."""


def select(ranked: Sequence[Ranked], limit: int) -> tuple[Ranked, ...]:
    """Return up to ``limit`` that come near the best.

    A second chunk of a document is taken only where it is about as good as its first, or where it
    has what the others lack.
    """
    chosen: list[Ranked] = []
    for item in ranked:
        if item.score < _NEAR * ranked[0].score:
            break
        same = [other for other in chosen if other.chunk.document == item.chunk.document]
        if not same or (len(same) == 1 and item.score >= _A_CHUNK_MORE * same[0].score):
            chosen.append(item)
    chosen = chosen[:limit]
    more = _completing(ranked, chosen) if 0 < len(chosen) < limit else ()
    return (*chosen, *more)


def _completing(ranked: Sequence[Ranked], chosen: Sequence[Ranked]) -> Iterator[Ranked]:
    """Give another chunk of the best document that has much of the question that none other has."""
    told = {term for item in chosen for term in item.told}
    rest = [
        item
        for item in ranked
        if item not in chosen
        and item.chunk.document == chosen[0].chunk.document
        and not item.is_superseded
    ]
    new = {n: sum(s for t, s in item.told.items() if t not in told) for n, item in enumerate(rest)}
    most = max(new, key=lambda n: new[n], default=None)
    if most is not None and new[most] >= _COMPLETES:
        yield rest[most]
