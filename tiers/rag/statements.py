"""The sentences of passages that answer a question, word for word."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tiers.rag.abbreviations import spelt_out
from tiers.rag.markdown import is_message_head
from tiers.rag.ranking import Need, Ranked, coverage, share_of, weigh
from tiers.rag.sentences import Sentence, sentences
from tiers.rag.stretches import stretch
from tiers.rag.wording import telling
from trivium.language.text import stem, stems
from trivium.language.times import MONTHS
from trivium.language.words import general_words

MAX_STATEMENTS: Final = 3
_BEHIND: Final = 0.5
"""How far behind the best sentence a further one may score."""
_BARE: Final = 0.1
"""The same for one that has no word of the question, under a heading that has none either."""
_CONTEXT: Final = 0.6
"""Weight of a term that stands in what introduces a sentence, not in itself."""
_LEAD: Final = 0.2
_FIRST: Final = 0.15
_NUMBER: Final = 0.2
_FRAGMENT: Final = -0.3
"""Weights beside the coverage and the passage's score, which have 1; measured as in ranking."""
_MIN_WORDS: Final = 4
"""Telling words under which a sentence is a fragment."""
_ROW: Final = 0.1
"""How much less of the terms than the best row of its table a row may have."""
_ROOM: Final = 90
"""Words that an answer may have before nothing is added for context any more."""
_CLOSED: Final = re.compile(r"[.!?:;]\W*$")
_DIGIT: Final = re.compile(r"\d")
_LISTED: Final = 6
"""Sentences that may be said of a section that lists what is asked for: grounds, findings."""
_ASKED: Final = 0.5
"""Share of its heading that must be asked for."""
_LISTS: Final = re.compile(r"\bwhy\b|\w{3,}(?<!s)s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """What is said of a document: sentences that stand together, its ``text[start:end]``."""

    text: str
    """As it stands there; a table row with the heads of its columns."""
    passage: int
    """Its passage's place among those given."""
    document: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    index: int
    """Of its passage."""
    passage: Ranked
    sentence: Sentence
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Scored:
    candidate: _Candidate
    own: float
    """Share of the terms that the sentence has itself."""
    score: float


def extract(need: Need, passages: Sequence[Ranked]) -> tuple[Extract, ...]:
    """Return the sentences of ``passages`` that best answer, best first, with what they lean on.

    Superseded passages say nothing, unless the question asks for the past or there are no others;
    nor does what came only later in the place of a passage that is asked for.
    """
    is_past = need.asks_past or all(passage.is_superseded for passage in passages)
    later = {p.chunk.superseded_by for p in passages if not (need.asks_past or p.is_superseded)}
    candidates = [
        c
        for c in _candidates(passages)
        if is_past or not (c.passage.is_superseded or c.passage.chunk.document in later)
    ]
    weights = weigh(need.terms, [candidate.words for candidate in candidates])
    scored = [_scored(c, need, weights) for c in candidates]
    scored.sort(key=lambda item: -item.score)
    best = scored[0].score
    near = [
        s
        for s in _of_tables(scored)
        if s.score >= best - (_BEHIND if _is_about(s, need) else _BARE)
    ]
    listed = [s for s in near if s.candidate.index == 0] if _is_list(passages[0], need) else []
    chosen = [s for n, s in enumerate(near) if n < MAX_STATEMENTS or s in listed[:_LISTED]]
    if need.asks_who:
        chosen = list(_with_senders(chosen, scored))
    return tuple(_stretches(chosen, candidates, asks_why=need.asks_why))


def _with_senders(chosen: Sequence[_Scored], scored: Sequence[_Scored]) -> Iterator[_Scored]:
    """Put the head of a message before what is said of it: who wrote it may be who is asked for."""
    for item in chosen:
        own = item.candidate
        heads = [
            other
            for other in scored
            if other.candidate.index == own.index
            and other.candidate.sentence.start <= own.sentence.start
            and is_message_head(other.candidate.sentence.text)
        ]
        yield from sorted(heads, key=lambda head: head.candidate.sentence.start)[-1:]
        yield item


def _of_tables(scored: Sequence[_Scored]) -> list[_Scored]:
    """Leave out rows that have less of what is asked than another row of their table."""
    most: dict[tuple[int, int], float] = {}
    for item in scored:
        if item.candidate.sentence.told:
            key = (item.candidate.index, item.candidate.sentence.part)
            most[key] = max(item.own, most.get(key, 0.0))
    return [
        item
        for item in scored
        if not item.candidate.sentence.told
        or item.own >= most[item.candidate.index, item.candidate.sentence.part] - _ROW
    ]


def _stretches(
    chosen: Sequence[_Scored], candidates: Sequence[_Candidate], *, asks_why: bool
) -> Iterator[Extract]:
    """Join what was chosen of one paragraph, with what it leans on, as far as there is room.

    Reasons stand behind what came of them: where they are asked for, the best one goes on.
    """
    room = _ROOM
    done: set[_Candidate] = set()
    for item in chosen:
        if item.candidate in done:
            continue
        passage = [c for c in candidates if c.index == item.candidate.index]
        span = stretch(
            [c.sentence for c in passage],
            passage.index(item.candidate),
            [passage.index(s.candidate) for s in chosen if s.candidate in passage],
            said=[place for place, c in enumerate(passage) if c in done],
            room=room,
            goes_on=asks_why,
        )
        said = [passage[place] for place in span]
        done.update(said)
        made = _extract(item, [candidate.sentence for candidate in said])
        room -= len(made.text.split())
        yield made


def _candidates(passages: Sequence[Ranked]) -> Iterator[_Candidate]:
    for index, passage in enumerate(passages):
        for sentence, words in _cut(passage.chunk.text, passage.chunk.head):
            yield _Candidate(index, passage, sentence, words)


@lru_cache(maxsize=1_024)
def _cut(text: str, head: str) -> tuple[tuple[Sentence, frozenset[str]], ...]:
    """Return the sentences of a chunk, each with its stems; without any, all of it is one."""
    whole = Sentence(text=text, start=0, end=len(text))
    return tuple((s, spelt_out(stems(s.text))) for s in sentences(text, head) or (whole,))


def _scored(candidate: _Candidate, need: Need, weights: dict[str, float]) -> _Scored:
    chunk, sentence = candidate.passage.chunk, candidate.sentence
    context = spelt_out(stems(f"{sentence.lead} {chunk.heading} {chunk.title}"))
    alone = coverage(candidate.words, weights)
    score = candidate.passage.score + alone
    score += _CONTEXT * (coverage(candidate.words | context, weights) - alone)
    score += _LEAD * share_of(telling(sentence.lead), need.words)
    score += _FIRST * sentence.is_first
    is_wanted = need.wants_number and _has_number(candidate)
    score += _NUMBER * is_wanted
    return _Scored(
        candidate, alone, score + _FRAGMENT * _is_fragment(candidate, is_wanted=is_wanted)
    )


def _is_about(item: _Scored, need: Need) -> bool:
    """Whether a sentence has a word of the question, or what stands above it has."""
    own = item.candidate
    led = share_of(telling(own.sentence.lead), need.words)
    return bool(item.own or own.passage.headed or led >= _ASKED)


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


def _is_fragment(candidate: _Candidate, *, is_wanted: bool) -> bool:
    """Whether it is no sentence: a salutation, a date, a heading in bold, a signature.

    A row of a table is none, nor is a short one that has the number which is asked for.
    """
    text = candidate.sentence.text
    is_closed = bool(_CLOSED.search(text))
    is_whole = bool(candidate.sentence.told) or (is_wanted and is_closed)
    return not is_whole and (("\n" in text and not is_closed) or len(telling(text)) < _MIN_WORDS)


def _extract(item: _Scored, said: Sequence[Sentence]) -> Extract:
    chunk = item.candidate.passage.chunk
    start, end = said[0].start, said[-1].end
    return Extract(
        text=said[0].told or chunk.text[start:end],
        passage=item.candidate.index,
        document=chunk.document,
        start=chunk.start + start,
        end=chunk.start + end,
        score=item.score,
    )
