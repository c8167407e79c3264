"""Which attributes the words of a question ask for, clause by clause."""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from tiers.cag.attributes import (
    NAME,
    SAID,
    VAGUE,
    WORD,
    full_names,
    is_typo,
    measures_of,
    name_words,
    weight,
)
from tiers.cag.forms import degrees
from tiers.cag.wording import SURE, TIME_UNITS, Wording
from trivium.domain.question import TermKind
from trivium.domain.schema import Property, PropertyKind
from trivium.language.expecting import Sort, expected
from trivium.language.words import general_words, is_money

_TELLING: Final = 0.5
"""Least that a word must speak for an attribute to ask for it."""
_NAMED: Final = 1.5
"""How much more what is named in full weighs than what is hinted at."""
_ENOUGH: Final = 0.5
"""Share of what a clause asks that a hint must explain."""
_FOREIGN: Final = 5
"""Unknown words to a known one that make a clause no English."""
_HELPING: Final = frozenset({"do", "does", "did", "will", "would", "can", "could", "must"})
_DOERS: Final = frozenset({"we", "they", "it", "you", "i", "he", "she"})
_ADVERBS: Final = frozenset({"first", "ever", "last", "usually", "normally", "now", "once"})
"""Words between who does something and the verb."""
_BINDING: Final = frozenset({Sort.SHARE, Sort.MONEY, Sort.HOUR})
"""Sorts of value that not even an attribute's own name overrules: "what share of the budget"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An attribute that a question asks for, and by which of its words."""

    attribute: Property
    words: frozenset[int]
    score: float
    named: frozenset[int]
    """The words that are its name, or a word for it, in full; none where it is only hinted at."""

    @property
    def is_named(self) -> bool:
        """Whether it is asked for by name."""
        return bool(self.named)

    @property
    def core(self) -> frozenset[int]:
        """The words that stand for it."""
        return self.named or self.words


def match(
    wording: Wording, node_type: str, attributes: Mapping[str, Property]
) -> tuple[Match, ...]:
    """Return the attributes of a type that the question asks for, in the order of its words.

    Clause by clause, the attribute that explains most is taken: by its name, else, when it
    explains enough of the clause, by words of its description, synonyms and the like.
    """
    found = _by_clause(wording, node_type, attributes)
    if not found and not wording.is_follow_up:
        spans = [m.span for m in wording.mentions]
        rest = wording.sentence_of(spans) if spans else range(len(wording.tokens))
        found = list(_Clause(wording, node_type, attributes, rest).matches())
    aside = [m for m in found if not m.is_named and _is_aside(wording, node_type, m)]
    if len(aside) < len(found):
        found = [m for m in found if m not in aside]
    best: dict[str, Match] = {}
    for item in found:
        known = best.get(item.attribute.name)
        if known is None or known.score < item.score:
            best[item.attribute.name] = item
    return tuple(sorted(best.values(), key=lambda m: min(m.words)))


def _by_clause(wording: Wording, node_type: str, attributes: Mapping[str, Property]) -> list[Match]:
    """Match clause by clause; what a follow-up asks itself stands for what was asked before."""
    own = [c for c in wording.clauses if c[0] >= wording.own_from]
    found = [m for c in own for m in _Clause(wording, node_type, attributes, c).matches()]
    if not found and not any(wording.unread(node_type, c) for c in own):
        before = [c for c in wording.clauses if c not in own]
        found = [m for c in before for m in _Clause(wording, node_type, attributes, c).matches()]
    return found


def _is_aside(wording: Wording, node_type: str, item: Match) -> bool:
    """Whether an attribute is hinted at only by a superlative, or by its value beside a name."""
    valued = wording.valued(node_type)
    if all(degrees(wording.tokens[i].lower) for i in item.words):
        return True
    clauses = [c for c in wording.clauses if item.words & set(c)]
    is_by_name = any(wording.named & set(c) for c in clauses)
    return is_by_name and all(i in valued for i in item.words)


class _Clause:
    """A part of a question, held against the attributes of a type."""

    def __init__(
        self,
        wording: Wording,
        node_type: str,
        attributes: Mapping[str, Property],
        indexes: Collection[int],
    ) -> None:
        self._wording = wording
        self._attributes = attributes
        self._expected = expected(wording.question, tuple(indexes))
        self._rest = [i for i in indexes if i not in wording.named]
        unread = wording.unread(node_type, self._rest)
        self._asked = [i for i in unread if i not in wording.turning]
        self._valued = wording.valued(node_type)
        self._weights: dict[tuple[str, str], float] = {}

    def matches(self) -> Iterator[Match]:
        """Give what the clause asks for: the best first, then what it names besides."""
        is_first = True
        while found := [m for m in self._scored() if m.is_named or is_first]:
            top = max(m.score for m in found)
            best = [m for m in found if m.score > top - 1e-9]
            yield from [m for m in best if m.words == best[0].words][:3]
            self._rest = [i for i in self._rest if i not in best[0].words]
            self._asked = [i for i in self._asked if i not in best[0].words]
            is_first = False

    @cached_property
    def _telling(self) -> dict[int, float]:
        """How telling each word is: the fewer attributes it fits, the more."""
        n = len(self._attributes)
        telling = {}
        for index in self._rest:
            n_fit = sum(self._fit(a, index) >= _TELLING for a in self._attributes.values())
            is_head = index in self._wording.heads
            telling[index] = math.log(1 + n / max(1, n_fit)) * (2 if is_head else 1)
        return telling

    def _fit(self, attribute: Property, index: int) -> float:
        """Return how much a word speaks for an attribute; a value speaks for its own alone."""
        token = self._wording.tokens[index]
        if index in self._valued and token.lower not in name_words(attribute):
            return SAID if attribute.name in self._valued[index] else 0.0
        key = (attribute.name, token.lower)
        if key not in self._weights:
            self._weights[key] = weight(attribute, token)
        return self._weights[key]

    def _scored(self) -> Iterator[Match]:
        telling = self._telling
        for attribute in self._attributes.values():
            hits = {i: w for i in self._rest if (w := self._fit(attribute, i)) > 0}
            hits |= dict.fromkeys(self._phrases(attribute), SAID)
            hits |= {i: NAME for found in self._parted(attribute).values() for i in found}
            named = self._named(attribute)
            if not self._is_asked(attribute, hits, named):
                continue
            mass = sum(w * telling[i] for i, w in hits.items())
            is_less = self._is_many and self._is_measured(attribute, hits)
            yield Match(
                attribute=attribute,
                words=frozenset(hits) | named,
                score=mass * (_NAMED if named else 1) * (0.5 if is_less else 1),
                named=named,
            )

    @cached_property
    def _is_many(self) -> bool:
        """Whether it asks "how many", which one asks of what is counted."""
        return any(
            a.lower == "how" and b.lower == "many" for a, b in pairwise(self._wording.tokens)
        )

    def _is_measured(self, attribute: Property, hits: Collection[int]) -> bool:
        """Whether an attribute is an amount of money, or measured in what the clause says not."""
        units = general_words().units
        is_said = any(self._wording.tokens[i].lower in units for i in hits)
        return is_money(attribute.unit) or (attribute.unit in units.values() and not is_said)

    def _is_asked(
        self, attribute: Property, hits: Mapping[int, float], named: frozenset[int]
    ) -> bool:
        """Whether the clause asks for an attribute, rather than for something else."""
        if self._wording.asks_duration and not _may_last(attribute):
            return False
        is_firm = bool(named) and self._expected.sort not in _BINDING
        if not is_firm and not self._expected.allows(attribute):
            return False
        other = {i for i in self._asked if i not in hits and i not in named}
        if named:
            return not (self._is_compound(named, other, before=False) or _is_drowned(hits, other))
        if not any(self._is_telling(attribute, i) for i in hits):
            return False
        is_part = any(w >= WORD for w in hits.values())
        if self._is_compound(hits, other, before=not is_part):
            return False
        unexplained = sum(self._telling[i] for i in other)
        explained = sum(self._telling[i] for i, w in hits.items() if w > VAGUE)
        share = explained / (explained + unexplained)
        return share > _ENOUGH or (is_part and share >= _ENOUGH)

    def _is_telling(self, attribute: Property, index: int) -> bool:
        """Whether a word that fits asks for something, rather than only stands there."""
        token = self._wording.tokens[index]
        if index in self._phrases(attribute):
            return True
        if self._wording.is_content(index) or token.stem == "where":
            return self._fit(attribute, index) >= _TELLING
        measures = measures_of(attribute)
        if index and self._wording.tokens[index - 1].lower == "how":
            return any(token.stem in m.high | m.low or (token.stem,) in m.said for m in measures)
        asks_amount = self._wording.asks_when or self._wording.asks_amount
        return asks_amount and any((token.stem,) in m.said for m in measures)

    def _is_compound(self, hits: Collection[int], other: Collection[int], *, before: bool) -> bool:
        """Whether a word beside makes something else of it: "credit rating", "revenue growth"."""
        periods = general_words().periods
        others = {i for i in other if self._wording.tokens[i].stem not in periods}
        nouns = [i for i in hits if not self._is_verb(i)]
        after = any(i + 1 in others and self._wording.is_joined(i) for i in nouns)
        return after or (
            before and any(i - 1 in others and self._wording.is_joined(i - 1) for i in hits)
        )

    def _is_verb(self, index: int) -> bool:
        """Whether a word is what a named thing or we do: "did X first welcome guests"."""
        words = [t.lower for t in self._wording.tokens]
        before = index - 1 if index and words[index - 1] not in _ADVERBS else index - 2
        is_of_it = before in self._wording.named or words[max(before, 0)] in _DOERS
        return before > 0 and is_of_it and bool(_HELPING & set(words[:before]))

    def _phrases(self, attribute: Property) -> frozenset[int]:
        """Return the words of phrases, such as "run out", that ask for what it measures."""
        phrases = {p for m in measures_of(attribute) for p in m.said if len(p) > 1}
        spans = (span for p in phrases for span in _runs(self._wording, p))
        return frozenset(i for span in spans for i in span if i in self._rest)

    def _named(self, attribute: Property) -> frozenset[int]:
        """Return the words that say the attribute's name, or another word for it, in full."""
        spans = [
            frozenset(t.span)
            for t in self._wording.question.terms_of(TermKind.PROPERTY, TermKind.FACT)
            if t.name == attribute.name and t.score >= SURE
        ]
        for phrase in full_names(attribute):
            spans += _runs(self._wording, phrase)
        spans += self._scattered(attribute)
        allowed = {i for i in self._rest if i not in self._valued or self._fit(attribute, i) > 0}
        return max((s for s in spans if s and s <= allowed), key=len, default=frozenset())

    def _scattered(self, attribute: Property) -> Iterator[frozenset[int]]:
        """Give the words of a longer name where all stand in the clause, in any order."""
        words = name_words(attribute)
        if len(words) < 2:
            return
        tokens, parted = self._wording.tokens, self._parted(attribute)
        places: list[list[tuple[int, ...]]] = [
            [(i,) for i in self._rest if tokens[i].stem == part or is_typo(tokens[i].lower, word)]
            or ([parted[word]] if word in parted else [])
            for word, part in words.items()
        ]
        if all(places):
            yield frozenset(i for found in places for i in found[0])

    def _parted(self, attribute: Property) -> dict[str, tuple[int, int]]:
        """Return where a word of the name is said as a verb of two: "picked up" for a pickup."""
        tokens = self._wording.tokens
        pairs = [(i, i + 1) for i in self._rest if i + 1 in self._rest]
        said = {tokens[a].stem + tokens[b].lower: (a, b) for a, b in pairs}
        return {word: said[word] for word in name_words(attribute) if word in said}


def _may_last(attribute: Property) -> bool:
    """Whether an attribute may be a length of time: a percentage is none."""
    unit = (attribute.unit or "").split(" per ")[0]
    return attribute.kind is not PropertyKind.NUMBER or not unit or unit in TIME_UNITS


def _is_drowned(hits: Collection[int], other: Collection[int]) -> bool:
    """Whether hardly a word of a clause is known, as in another language."""
    return len(other) >= _FOREIGN and len(other) > _FOREIGN * len(hits)


def _runs(wording: Wording, phrase: tuple[str, ...]) -> Iterator[frozenset[int]]:
    """Give the places where a phrase stands in the question."""
    for first in wording.places.get(phrase[0], ()) if phrase else ():
        last = first + len(phrase)
        if tuple(t.stem for t in wording.tokens[first:last]) == phrase:
            yield frozenset(range(first, last))
