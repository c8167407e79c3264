"""The sentences of passages that answer a question, word for word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tiers.rag.ranking import Ranked, coverage, rarity
from tiers.rag.sentences import Sentence, sentences
from trivium.language.text import stems

_CONTEXT: Final = 0.5
"""Weight of a term that stands in what introduces a sentence, not in itself."""
_NEAR: Final = 0.8
"""Share of the best sentence's score that a further one must reach."""
_PASSAGE: Final = 0.5
"""Weight of the passage's score beside the sentence's own."""
MAX_STATEMENTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence of a document: the document's ``text[start:end]``."""

    text: str
    document: str
    start: int
    end: int
    score: float


def extract(terms: Sequence[str], passages: Sequence[Ranked]) -> tuple[Statement, ...]:
    """Return up to three sentences of ``passages`` that best answer, best first."""
    cut = [
        (passage, sentence) for passage in passages for sentence in sentences(passage.chunk.text)
    ]
    own = [frozenset(stems(sentence.text)) for _, sentence in cut]
    weights = rarity(terms, own)
    candidates = [
        _statement(passage, sentence, _score(passage, sentence, words, weights))
        for (passage, sentence), words in zip(cut, own, strict=True)
    ]
    candidates.sort(key=lambda statement: -statement.score)
    near = [c for c in candidates if c.score >= _NEAR * candidates[0].score]
    return tuple(near[:MAX_STATEMENTS])


def _score(
    passage: Ranked, sentence: Sentence, words: frozenset[str], weights: dict[str, float]
) -> float:
    chunk = passage.chunk
    context = frozenset(stems(f"{sentence.lead} {chunk.heading} {chunk.title}"))
    with_context = coverage(words | context, weights)
    alone = coverage(words, weights)
    return alone + _CONTEXT * (with_context - alone) + _PASSAGE * passage.score


def _statement(passage: Ranked, sentence: Sentence, score: float) -> Statement:
    offset = passage.chunk.start
    return Statement(
        text=sentence.text,
        document=passage.chunk.document,
        start=offset + sentence.start,
        end=offset + sentence.end,
        score=score,
    )
