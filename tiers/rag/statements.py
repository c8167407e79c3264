"""The sentences of passages that answer a question, word for word."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tiers.rag.ranking import Need, Ranked, coverage, share_of, weigh
from tiers.rag.sentences import Sentence, sentences
from tiers.rag.wording import telling
from trivium.language.text import stem, stems
from trivium.language.times import MONTHS
from trivium.language.words import general_words

MAX_STATEMENTS: Final = 3
_BEHIND: Final = 0.5
"""How far behind the best sentence a further one may score."""
_CONTEXT: Final = 0.6
"""Weight of a term that stands in what introduces a sentence, not in itself."""
_LEAD: Final = 0.2
_FIRST: Final = 0.15
_NUMBER: Final = 0.2
_FRAGMENT: Final = -0.3
"""Weights beside the coverage and the passage's score, which have 1; measured as in ranking."""
_MIN_WORDS: Final = 4
"""Telling words under which a sentence is a fragment."""
_CLOSED: Final = re.compile(r"[.!?:;]\W*$")
_DIGIT: Final = re.compile(r"\d")
_LISTED: Final = 6
"""Sentences that may be said of a section that lists what is asked for: grounds, findings."""
_ASKED: Final = 0.5
"""Share of its heading that must be asked for."""
_LISTS: Final = re.compile(r"\bwhy\b|\w{3,}(?<!s)s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """A sentence of a document: the document's ``text[start:end]``."""

    text: str
    passage: int
    """Its passage's place among those given."""
    document: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: int
    passage: Ranked
    sentence: Sentence
    words: frozenset[str]


def extract(need: Need, passages: Sequence[Ranked]) -> tuple[Extract, ...]:
    """Return up to three sentences of ``passages`` that best answer, best first.

    Superseded passages say nothing, unless the question asks for the past or there are no others.
    """
    is_past = need.asks_past or all(passage.is_superseded for passage in passages)
    candidates = [c for c in _candidates(passages) if is_past or not c.passage.is_superseded]
    weights = weigh(need.terms, [candidate.words for candidate in candidates])
    scored = [_extract(c, _score(c, need, weights)) for c in candidates]
    scored.sort(key=lambda extract: -extract.score)
    near = [s for s in scored if s.score >= scored[0].score - _BEHIND]
    if not _is_list(passages[0], need):
        return tuple(near[:MAX_STATEMENTS])
    listed = [extract for extract in near if extract.passage == 0]
    return tuple(e for n, e in enumerate(near) if n < MAX_STATEMENTS or e in listed[:_LISTED])


def _candidates(passages: Sequence[Ranked]) -> Iterator[_Candidate]:
    for index, passage in enumerate(passages):
        for sentence, words in _cut(passage.chunk.text):
            yield _Candidate(index, passage, sentence, words)


@lru_cache(maxsize=1_024)
def _cut(text: str) -> tuple[tuple[Sentence, frozenset[str]], ...]:
    """Return the sentences of a chunk, each with its stems; without any, all of it is one."""
    whole = Sentence(text=text, start=0, end=len(text))
    return tuple((s, frozenset(stems(s.text))) for s in sentences(text) or (whole,))


def _score(candidate: _Candidate, need: Need, weights: dict[str, float]) -> float:
    chunk, sentence = candidate.passage.chunk, candidate.sentence
    context = frozenset(stems(f"{sentence.lead} {chunk.heading} {chunk.title}"))
    alone = coverage(candidate.words, weights)
    score = candidate.passage.score + alone
    score += _CONTEXT * (coverage(candidate.words | context, weights) - alone)
    score += _LEAD * share_of(telling(sentence.lead), need.words)
    score += _FIRST * sentence.is_first
    score += _NUMBER * (need.wants_number and _has_number(candidate))
    return score + _FRAGMENT * _is_fragment(candidate)


def _is_list(passage: Ranked, need: Need) -> bool:
    """Whether the heading asked for names several things, or why: each sentence may be one."""
    own = passage.chunk.heading.rsplit(" > ", 1)[-1]
    named = {word for many in _LISTS.findall(own) for word in telling(many)}
    return passage.headed >= _ASKED and not named.isdisjoint(need.words)


def _has_number(candidate: _Candidate) -> bool:
    words = candidate.words
    return bool(_DIGIT.search(candidate.sentence.text) or words & _numerals())


@lru_cache(maxsize=1)
def _numerals() -> frozenset[str]:
    """The stems of number words and of months."""
    return frozenset(stem(word) for word in (*general_words().numbers, *MONTHS))


def _is_fragment(candidate: _Candidate) -> bool:
    """Whether it is no sentence: a salutation, a date, a heading in bold, a signature."""
    text = candidate.sentence.text
    is_broken = "\n" in text and not _CLOSED.search(text)
    return is_broken or len(telling(text)) < _MIN_WORDS


def _extract(candidate: _Candidate, score: float) -> Extract:
    chunk, sentence = candidate.passage.chunk, candidate.sentence
    return Extract(
        text=sentence.text,
        passage=candidate.index,
        document=chunk.document,
        start=chunk.start + sentence.start,
        end=chunk.start + sentence.end,
        score=score,
    )
