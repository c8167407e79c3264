"""Which of the chunks found answer best, and in which order."""

import math
import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from typing import Final, TypeVar

from tiers.rag.abbreviations import full, with_short_forms
from tiers.rag.sparse import hashed
from tiers.rag.store import ScoredChunk, StoredChunk
from tiers.rag.wording import heads_of, telling
from trivium.domain.question import TimeRelation, Token, Understood
from trivium.domain.time import ANY_TIME, Moment
from trivium.language.past import asks_of_the_past, is_of_an_edition
from trivium.language.text import fold, is_word, stems
from trivium.language.words import asked_by_adjective, general_words

_Term = TypeVar("_Term", bound=Hashable)

_HEADING: Final = 0.3
_ENTITY: Final = 0.15
_OUTDATED: Final = 0.2
"""Weights beside similarity and coverage, which have 1. Measured with ``bench.retrieval``: within
half and twice these values nothing changes by more than one question in thirty, but without the
heading three of thirty lose the chunk that answers."""
_GERUND: Final = 0.5
"""What a term loses where the chunk has its gerund and not itself: that may be another thing."""
_NOWHERE: Final = 0.5
"""Weight of a term that no chunk found has, unless it is a name: it may have another word."""
_WHO: Final = frozenset({"who", "whom", "whose"})
_WHY: Final = re.compile(
    r"\b(?:why|how come|reasons?|(?:come|came) about|on what grounds|what (?:made|caused|led)"
    r"|what (?:is|was|were) the (?:root )?causes?|go(?:es)? wrong|went wrong|holding up)\b"
)
_OPENS: Final = frozenset(".:?!")
"""Marks behind which a capital makes no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What a question asks of the documents."""

    terms: Mapping[str, float]
    """Stems of its content words, spelt out, in order; a follow-up's own words count double."""
    words: frozenset[str]
    """The terms, the words that ask (why, how), and what stands for both in a heading."""
    gerunds: tuple[tuple[str, str, str], ...]
    """Each term that is no gerund, as the question says it, and its gerund."""
    names: tuple[frozenset[str], ...]
    """The terms of each name in it, by the capitals that names are written with."""
    strangers: tuple[str, ...]
    """Names in it that nothing known has."""
    asked: frozenset[str]
    """Its terms that are no part of a name."""
    entities: tuple[str, ...]
    """Ids of the entities that it names."""
    wants_number: bool
    """Whether it asks for a quantity or a date."""
    at: Moment
    """The time that it is about."""
    asks_who: bool = False
    """Whether it asks for somebody, who may be the sender of what answers."""
    asks_why: bool = False
    """Whether it asks for a reason, which may stand behind what came of it."""
    asks_past: bool = False
    """Whether what held before is wanted too, whenever that was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A chunk with its final score, from 0 to about 2."""

    chunk: StoredChunk
    score: float
    similarity: float
    coverage: float
    """Share of the question's terms that it has, weighted by their rarity; from 0 to 1."""
    told: Mapping[int, float] = field(default_factory=dict)
    """The shares of those that it has, one by one."""
    headed: float = 0.0
    """How much of its own heading is asked for, from 0 to 1."""
    reworded: float = 0.0
    """How much of it is asked for in other words than its own."""
    is_superseded: bool = False


def need_of(question: Understood) -> Need:
    """Return what ``question`` asks of the documents."""
    every = [t.stem for t in question.tokens]
    own = frozenset(stems(question.question.text)) if question.question.history else frozenset()
    content = [t.stem for t in _content(question)]
    asked = frozenset(telling(question.text))
    best = [mention.best for mention in question.mentions if mention.candidates]
    return Need(
        terms={full(term): 2.0 if term in own else 1.0 for term in content or every},
        words=asked | heads_of(asked),
        gerunds=tuple(
            (full(t.stem), t.lower, f"{t.lower}ing")
            for t in question.tokens
            if t.stem in content and not t.lower.endswith("ing")
        ),
        wants_number=question.has("count", "when", "since_when", "until_when")
        or _asks_how(question),
        names=_names(question),
        strangers=tuple(m.text for m in question.mentions if not m.candidates),
        asked=_asked(question),
        entities=tuple(dict.fromkeys(c.id for candidates in best for c in candidates)),
        at=_time_of(question),
        asks_who=any(t.lower in _WHO for t in question.tokens),
        asks_why=bool(_WHY.search(fold(question.text))),
        asks_past=asks_of_the_past(question)
        and not any(is_of_an_edition(question, time) for time in question.times),
    )


def _content(question: Understood) -> list[Token]:
    """Return the words that say something of their own; "don't" is none, though "don" may be."""
    return [
        token
        for token, after in zip_longest(question.tokens, question.tokens[1:])
        if general_words().is_content(token)
        and not (after and after.lower == "t" and after.start == token.end + 1)
    ]


def _asked(question: Understood) -> frozenset[str]:
    """Return the terms that are no part of a name: what is asked of what is named."""
    named = {index for mention in question.mentions for index in mention.span}
    places = {token.start for index, token in enumerate(question.tokens) if index in named}
    terms = {full(t.stem) for t in _content(question) if t.start not in places}
    return frozenset(terms.difference(*_names(question)))


def _names(question: Understood) -> tuple[frozenset[str], ...]:
    """Runs of words with a capital, the first word aside; none where all words have one."""
    general = general_words()
    content = [t for t in question.tokens if is_word(t) and general.is_content(t)]
    if all(token.text[0].isupper() for token in content):
        return ()
    runs: list[set[str]] = [set()]
    for before, token in pairwise(question.tokens):
        if not token.text[0].isupper() or before.text in _OPENS:
            runs.append(set())
        elif token in content and token.stem not in general.company_forms:
            runs[-1].add(full(token.stem))
    return tuple(frozenset(run) for run in runs if run)


def _asks_how(question: Understood) -> bool:
    """Whether it asks for a measure by an adjective: how long, how soon."""
    return any(
        how.lower == "how" and any(asked_by_adjective(adjective.stem))
        for how, adjective in pairwise(question.tokens)
    )


def _time_of(question: Understood) -> Moment:
    """The first day or period that the question names, else its own moment."""
    for time in question.times:
        if time.relation is TimeRelation.ON or is_of_an_edition(question, time):
            return time.moment
        if time.relation is TimeRelation.BEFORE:
            return Moment(ANY_TIME.start, time.moment.start, f"before {time.moment.text}")
    return question.moment


def rank(found: Sequence[ScoredChunk], need: Need) -> tuple[Ranked, ...]:
    """Return the chunks best first; what is superseded at ``need.at`` follows what replaced it."""
    named = frozenset().union(*need.names)
    numbers = {
        hashed(term): factor * (1.0 if term in named or _stands(term, found) else _NOWHERE)
        for term, factor in need.terms.items()
    }
    weights = weigh(numbers, [item.terms for item in found])
    scored = [_scored(item, need, weights) for item in found]
    settled = scored if need.asks_past else _settled(scored)
    return tuple(sorted(settled, key=lambda item: -item.score))


def is_strange(found: Sequence[ScoredChunk], need: Need) -> bool:
    """Whether what the question is about stands in no chunk found.

    It names something of which no single word does, or that nothing known is called and none says
    in full; or no word does, nor a heading, of what it asks of the thing that it names.
    """
    texts = [fold(item.chunk.text) for item in found] if need.strangers else []
    return (
        any(not any(_stands(term, found) for term in name) for name in need.names)
        or any(not any(fold(name) in text for text in texts) for name in need.strangers)
        or _asks_of_nothing(found, need)
    )


def _asks_of_nothing(found: Sequence[ScoredChunk], need: Need) -> bool:
    if not (need.asked and need.entities) or any(_stands(term, found) for term in need.asked):
        return False
    heads = heads_of(need.asked)
    return not any(heads.intersection(telling(item.chunk.heading)) for item in found)


def _stands(term: str, found: Sequence[ScoredChunk]) -> bool:
    forms = {hashed(form) for form in with_short_forms([term])}
    return any(not forms.isdisjoint(item.terms) for item in found)


def weigh(terms: Mapping[_Term, float], texts: Sequence[Collection[_Term]]) -> dict[_Term, float]:
    """Return the weight of each term: its factor times its rarity among ``texts``.

    Source: the IDF of BM25.
    """
    counts = {term: sum(term in text for text in texts) for term in terms}
    return {
        term: factor * math.log(1 + (len(texts) - counts[term] + 0.5) / (counts[term] + 0.5))
        for term, factor in terms.items()
    }


def coverage(words: Collection[_Term], weights: Mapping[_Term, float]) -> float:
    """Return the share of the weighted terms that ``words`` have, from 0 to 1."""
    total = sum(weights.values())
    return sum(w for term, w in weights.items() if term in words) / total if total else 0.0


def _covered(item: ScoredChunk, need: Need, weights: Mapping[int, float]) -> float:
    """Return the coverage of a chunk; what it has as a gerund, training for train, counts less."""
    covered = coverage(item.terms, weights)
    text = item.chunk.text.casefold()
    gerunds = [
        hashed(term)
        for term, word, gerund in need.gerunds
        if gerund in text and not re.search(rf"\b{re.escape(word)}s?\b", text)
    ]
    return covered - _GERUND * coverage(item.terms.intersection(gerunds), weights)


def share_of(words: Collection[str], asked: Collection[str]) -> float:
    """Return how many of the ``words`` of a heading or a lead are asked for, from 0 to 1."""
    return sum(word in asked for word in words) / len(words) if words else 0.0


def _scored(item: ScoredChunk, need: Need, weights: Mapping[int, float]) -> Ranked:
    chunk = item.chunk
    covered = _covered(item, need, weights)
    total = sum(weights.values()) or 1.0
    named = len(set(need.entities) & set(chunk.entities)) / max(1, len(need.entities))
    title = telling(chunk.title)
    section = [w for w in telling(chunk.heading.rsplit(" > ", 1)[-1]) if w not in title]
    headed = share_of(section, need.words)
    score = item.similarity + covered + _ENTITY * named + _HEADING * headed
    if not (need.asks_past or chunk.validity.holds(need.at)):
        score -= _OUTDATED
    return Ranked(
        chunk=chunk,
        score=score,
        similarity=item.similarity,
        coverage=covered,
        told={term: weight / total for term, weight in weights.items() if term in item.terms},
        headed=headed,
        reworded=share_of(section, need.words.difference(need.terms)),
        is_superseded=_is_superseded(chunk, need.at),
    )


def _is_superseded(chunk: StoredChunk, at: Moment) -> bool:
    if chunk.superseded_by is None:
        return False
    return chunk.superseded_on is None or chunk.superseded_on[:10] <= at.last_day


def _settled(scored: Sequence[Ranked]) -> list[Ranked]:
    """Put what is superseded below what replaced it."""
    best: dict[str | None, float] = {}
    for item in scored:
        best[item.chunk.document] = max(item.score, best.get(item.chunk.document, item.score))
    return [
        replace(
            item, score=min(item.score, best.get(item.chunk.superseded_by, item.score)) - _OUTDATED
        )
        if item.is_superseded
        else item
        for item in scored
    ]
