"""Which of the chunks found answer best, and in which order."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tiers.rag.store import ScoredChunk, StoredChunk
from trivium.domain.question import TimeRelation, Understood
from trivium.domain.time import Moment
from trivium.language.text import stems
from trivium.language.words import general_words

_SIMILARITY: Final = 1.0
_COVERAGE: Final = 1.0
_ENTITY: Final = 0.15
_OUTDATED: Final = 0.2
"""Weights of the score; ``bench/retrieval.py`` says how they were chosen."""
_A_CHUNK_MORE: Final = 0.9
"""A second chunk of a document must come this near to its first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What a question asks of the documents."""

    terms: tuple[str, ...]
    """Stems of its content words, each once, in order."""
    entities: tuple[str, ...]
    """Ids of the entities that it names."""
    at: Moment
    """The time that it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A chunk with its final score, from 0 to about 2."""

    chunk: StoredChunk
    score: float
    similarity: float
    coverage: float
    """Share of the question's terms that it has, weighted by their rarity; from 0 to 1."""
    is_superseded: bool = False


def need_of(question: Understood) -> Need:
    """Return what ``question`` asks of the documents."""
    words = general_words()
    content = [t.stem for t in question.tokens if words.is_content(t)]
    best = [mention.best for mention in question.mentions if mention.candidates]
    return Need(
        terms=tuple(dict.fromkeys(content or [t.stem for t in question.tokens])),
        entities=tuple(dict.fromkeys(c.id for candidates in best for c in candidates)),
        at=_time_of(question),
    )


def _time_of(question: Understood) -> Moment:
    """The first day or period that the question names, else its own moment."""
    for time in question.times:
        if time.relation is TimeRelation.ON:
            return time.moment
    return question.moment


def rank(found: Sequence[ScoredChunk], need: Need) -> tuple[Ranked, ...]:
    """Return the chunks best first; what is superseded at ``need.at`` follows what replaced it."""
    words = {item.chunk.point: frozenset(stems(_all_text(item.chunk))) for item in found}
    weights = rarity(need.terms, words.values())
    scored = [_scored(item, need, coverage(words[item.chunk.point], weights)) for item in found]
    return tuple(sorted(_settled(scored), key=lambda item: -item.score))


def rarity(terms: Iterable[str], texts: Iterable[Iterable[str]]) -> dict[str, float]:
    """Return the weight of each term: the fewer of ``texts`` have it, the more it says.

    Source: the IDF of BM25.
    """
    counts: Counter[str] = Counter()
    n_texts = 0
    for text in texts:
        counts.update(text)
        n_texts += 1
    return {
        term: math.log(1 + (n_texts - counts[term] + 0.5) / (counts[term] + 0.5)) for term in terms
    }


def coverage(words: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return the share of the weighted terms that ``words`` have, from 0 to 1."""
    total = sum(weights.values())
    present = frozenset(words)
    return sum(w for term, w in weights.items() if term in present) / total if total else 0.0


def select(ranked: Sequence[Ranked], limit: int) -> tuple[Ranked, ...]:
    """Return the best ``limit``, with a second chunk of a document only where it is as good."""
    chosen: list[Ranked] = []
    for item in ranked:
        same = [other for other in chosen if other.chunk.document == item.chunk.document]
        if not same or (len(same) == 1 and item.score >= _A_CHUNK_MORE * same[0].score):
            chosen.append(item)
    return tuple(chosen[:limit])


def _scored(item: ScoredChunk, need: Need, covered: float) -> Ranked:
    chunk = item.chunk
    named = len(set(need.entities) & set(chunk.entities)) / max(1, len(need.entities))
    score = _SIMILARITY * item.similarity + _COVERAGE * covered + _ENTITY * named
    if not chunk.validity.holds(need.at):
        score -= _OUTDATED
    return Ranked(
        chunk=chunk,
        score=score,
        similarity=item.similarity,
        coverage=covered,
        is_superseded=_is_superseded(chunk, need.at),
    )


def _is_superseded(chunk: StoredChunk, at: Moment) -> bool:
    if chunk.superseded_by is None:
        return False
    return chunk.superseded_on is None or chunk.superseded_on[:10] <= at.last_day


def _settled(scored: Sequence[Ranked]) -> list[Ranked]:
    """Give what replaces an outdated chunk the better score of the two, and that the worse."""
    best: dict[str, float] = {}
    for item in scored:
        best[item.chunk.document] = max(item.score, best.get(item.chunk.document, item.score))
    settled = []
    for item in scored:
        newer = item.chunk.superseded_by
        if item.is_superseded:
            ceiling = best.get(newer, item.score) if newer else item.score
            item = replace(item, score=min(item.score, ceiling) - _OUTDATED)
        settled.append(item)
    return settled


def _all_text(chunk: StoredChunk) -> str:
    return f"{chunk.title} {chunk.heading} {chunk.text} {chunk.date or ''}"
