"""What a question says of the number that it asks for, wherever it says it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import AUXILIARIES, BE
from tiers.graphrag.reading.rates import holds_for, is_rate, periods_said
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import property_of
from tiers.graphrag.reading.summing import PAYING
from tiers.graphrag.reading.units import factor_to, units_of
from trivium.domain.question import Token
from trivium.domain.schema import Property
from trivium.language.text import spoken, stem, stems
from trivium.language.units import PERIODS
from trivium.language.words import (
    asked_by_adjective,
    asked_by_verb,
    general_words,
    is_money,
    name_phrases,
)

_SURE: Final = 0.8
_ELSEWHERE: Final = 0.5
"""What a word is worth that stands where no number is asked for."""
_ANYWHERE: Final = 0.9
"""The same, where no "how many" says where one is."""
_MAX_ASKED: Final = 6
"""Words after "how many" that may tell the number."""
_STEP: Final = 0.03
"""What a word is worth less for each that stands between it and "how many"."""
_AFTER_OF: Final = 0.7
"""What a word is worth that says what the number is of: "the price of a meal"."""
_COVERED: Final = 0.9
"""For all words of a number's name, said apart."""
_LEFT_OUT: Final = 0.2
"""For the words of a number's name that are not said."""
_PLAIN: Final = 0.1
"""For each plain word of a number's name: "low" of ``estimate_low``."""
_TOLD: Final = 0.2
"""For each word that a number is described by, up to the next."""
_MAX_TOLD: Final = 0.6
_ADJECTIVE: Final = 0.9
_VERB: Final = 0.5
_UNIT: Final = 0.6
_NEAR_UNIT: Final = 0.4
"""For a unit that can be turned into the one that is said."""
_OTHER_UNIT: Final = 0.3
_PERIOD: Final = 0.4
_MONEY: Final = 0.5
_PIECES: Final = 0.5
_TIMES: Final = frozenset({"minute", "hour", "day", "week", "month", "year"})
_SIGNS: Final = frozenset("$€£¥")
_NO_ADJECTIVES: Final = frozenset({"many", "much", "often", "far", "long"})
_COUNTED: Final = frozenset(stems("units pieces items pcs things"))
_COUNTING: Final = frozenset(stems("quantity qty amount number units pieces items pcs"))
"""What numbers of pieces are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question says of the number that it asks for."""

    sketch: Sketch
    worth: Mapping[int, float]
    """How much a word counts, by its place; names count nothing."""
    said: Mapping[str, float]
    """The same by its stem."""
    units: frozenset[str]
    """The units that it is asked for in."""
    periods: frozenset[str]
    """The times that it is to hold for, as stems."""
    adjective: frozenset[tuple[str, ...]]
    """What stands in the names of numbers that "how deep" asks for."""
    verb: frozenset[tuple[str, ...]]
    """The same for verbs: "costs", "holds"."""
    is_money: bool
    """Whether an amount of money is asked for."""
    is_paid: bool
    """Whether nothing but money can be: "what does X earn"."""
    is_much: bool
    """Whether no time can be, nor what is not named: "how much does X take"."""
    is_of_pieces: bool
    """Whether a number of pieces is asked for: "how many units"."""
    is_of_things: bool
    """Whether "how many" asks for no amount of money."""

    def score(self, owner: str, name: str) -> float:
        """Return what the words of the question say for a number."""
        item = property_of(self.sketch, owner, name)
        if item is None or (self.is_of_things and is_money(item.unit)):
            return 0.0
        named = max(self._named(owner, item), self._by_word(name))
        _, _, per = (item.unit or "").partition(" per ")
        is_no_sum = named < _VERB and bool(per) and per not in PERIODS
        if self.is_much and (is_no_sum if is_money(item.unit) else named < _VERB or _is_time(name)):
            return 0.0
        if self.is_paid and not is_money(item.unit):
            return 0.0
        score = named + self._told(owner, name)
        score += self._in_unit(name) + self._for_time(name)
        if self.is_of_pieces and _COUNTING & set(stems(spoken(name))):
            score += _PIECES
        return score + (_MONEY if self.is_money and is_money(item.unit) else 0.0)

    def is_by_word(self, name: str) -> bool:
        """Whether an adjective or a verb asks for a number."""
        return self._by_word(name) > 0

    def is_asked(self, at: int) -> bool:
        """Whether a word stands where a number is asked for."""
        return self.worth.get(at, 0.0) >= _ANYWHERE

    def _named(self, owner: str, item: Property) -> float:
        """Return how well a number is named: by one word for it, or by all of its own."""
        named = max(
            (
                word.score * max(self.worth.get(i, 0.0) for i in word.span)
                for word in self.sketch.properties
                if word.name == item.name and owner in word.owners
                if self.sketch.words(word.span.first, word.span.last) != ["money"]
                if not is_rate(self.sketch.tokens, word.span.first)
            ),
            default=0.0,
        )
        parts = _telling(item.name)
        share = sum(self.said.get(part, 0.0) for part in parts) / max(1, len(parts))
        left_out = sum(part not in self.said for part in parts) / max(1, len(parts))
        best = max(named, _COVERED * share)
        return best - _LEFT_OUT * left_out if best else 0.0

    def _by_word(self, name: str) -> float:
        phrases = name_phrases(name)
        if self.adjective:  # "how far": nothing that a verb asks for
            return _ADJECTIVE if self.adjective & phrases else 0.0
        return _VERB if self.verb & phrases else 0.0

    def _told(self, owner: str, name: str) -> float:
        """Return what is said of a number beside its name."""
        words = self.sketch.glossary.told(owner, name) - _telling(name)
        told = sum(self.said.get(word, 0.0) for word in words)
        plain = self.said.keys() & set(stems(spoken(name))) & general_words().stop_stems
        return min(_MAX_TOLD, _TOLD * told) + _PLAIN * len(plain)

    def _in_unit(self, name: str) -> float:
        own = units_of(name)
        if self.units & own:
            return _UNIT
        if any(factor_to(unit, own) for unit in self.units):
            return _NEAR_UNIT
        return -_OTHER_UNIT if self.units and own - {""} else 0.0

    def _for_time(self, name: str) -> float:
        if not self.periods:
            return 0.0
        if holds_for(name, set(self.periods)):
            return _PERIOD
        return -_PERIOD if holds_for(name, set(general_words().periods)) else 0.0


def asked(draft: Draft) -> Asked:
    """Return what a question says of the number that it asks for."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    worth = dict(_worth(draft))
    units = frozenset(_units(draft))
    is_paid = asks_money(draft) or any(words[i] == "money" for i in worth)
    counts_things = ("how", "many") in set(pairwise(words))
    said: dict[str, float] = {}
    for at, value in worth.items():
        word = sketch.tokens[at].stem
        said[word] = max(said.get(word, 0.0), value)
    return Asked(
        sketch=sketch,
        worth=worth,
        said=said,
        units=units,
        periods=frozenset(periods_said(sketch.tokens)),
        adjective=frozenset(_by_adjective(sketch)),
        verb=frozenset(asked_by_verb(set(_doing(draft)))),
        is_money=is_paid or _in_money(draft),
        is_paid=_is_paid(sketch),
        is_much=is_paid and not units,
        is_of_pieces=any(
            token.stem in _COUNTED
            for cue in draft.cues("count", "sum")
            for token in sketch.tokens[cue.span.last : cue.span.last + 1]
        ),
        is_of_things=counts_things and not any(map(is_money, units)),
    )


def asks_money(draft: Draft) -> bool:
    """Whether an amount of money is asked for: "how much does", "what do we pay"."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    if _is_paid(sketch):
        return True
    asks = [c for c in draft.cues("count") if words[c.span.last - 1] == "much"]
    return bool(asks) and not sketch.type_after(asks[0].span.last, within=0)


def _is_paid(sketch: Sketch) -> bool:
    """Whether it is asked what somebody pays or earns."""
    words = sketch.words(0, len(sketch.tokens))
    is_done = words[:1] == ["what"] and words[1:2] in (["do"], ["does"], ["did"])
    return is_done and bool(PAYING & set(words))


def _is_time(name: str) -> bool:
    """Whether a number is one of hours, days or the like."""
    return any((unit or "").removesuffix("s") in _TIMES for unit in units_of(name))


def _telling(name: str) -> frozenset[str]:
    """Return the words of a number's name that say what it is: ``price`` of price_per_spot_eur."""
    measured, _, _ = spoken(name).partition(" per ")
    words = {stem(w) for w in measured.split() if w not in general_words().units}
    return frozenset(words - general_words().stop_stems)


def _units(draft: Draft) -> Iterator[str]:
    """Give the units that a number is asked for in: "how many kilometres", "in euros"."""
    sketch = draft.sketch
    places = [c.span.last for c in draft.cues("count")]
    places += [i + 1 for i, t in enumerate(sketch.tokens) if t.lower == "in"]
    for at in (at for at in places if at < len(sketch.tokens)):
        token = sketch.tokens[at]
        after = next(iter(sketch.tokens[at + 1 : at + 2]), None)
        power = after.text if after and after.start == token.end else ""  # "m2"
        units = general_words().units
        unit = units.get(f"{token.lower}{power}") or units.get(token.lower)
        if unit and not _is_sum(sketch, token):
            yield unit


def _is_sum(sketch: Sketch, token: Token) -> bool:
    """Whether the sign of a currency stands at a word: "in $m"."""
    text = sketch.question.text
    return bool(_SIGNS & {*text[token.start - 1 : token.start], *text[token.end : token.end + 1]})


def _in_money(draft: Draft) -> bool:
    """Whether a number is asked for in millions of a currency."""
    pairs = pairwise(draft.sketch.tokens)
    return any(one.lower == "in" and _is_sum(draft.sketch, other) for one, other in pairs)


def _by_adjective(sketch: Sketch) -> Iterator[tuple[str, ...]]:
    """Give what stands in the names of numbers that "how deep" asks for."""
    for one, other in pairwise(sketch.tokens):
        if one.lower == "how" and other.lower not in _NO_ADJECTIVES:
            yield from (p for m, _ in asked_by_adjective(other.stem) for p in m.of)


def _doing(draft: Draft) -> Iterator[tuple[str, ...]]:
    """Give the words that may be verbs which ask for a number, each alone and with the next.

    Of what is counted, with each word after it: "how many people, temps aside, work there". A
    word that opens a sentence tells what to do: "take the boats".
    """
    tokens = draft.sketch.tokens
    cued = {i for c in draft.sketch.question.cues for i in c.span} | {0}
    for at, token in enumerate(tokens):
        if at not in cued and token.lower != "money":
            yield (token.stem,)
    yield from ((one.stem, other.stem) for one, other in pairwise(tokens))
    for cue in draft.cues("count"):
        yield from ((tokens[cue.span.last].stem, t.stem) for t in tokens[cue.span.last + 1 :])


def _worth(draft: Draft) -> Iterator[tuple[int, float]]:
    """Give how much each word counts for a number that is asked for."""
    sketch = draft.sketch
    named = {i for p in sketch.properties if p.score >= _SURE for i in p.span}
    taken = {i for t in sketch.types for i in t.span} - named
    taken |= {i for a in sketch.anchors for i in a.span}
    taken |= {i for s in draft.stated for span in s.spans for i in span}
    taken |= {i for t in sketch.question.times for i in t.span}
    places = dict(_asked_places(draft))
    elsewhere = _ELSEWHERE if draft.cues("count") else _ANYWHERE
    for at in range(len(sketch.tokens)):
        if at not in taken:
            yield at, places.get(at, elsewhere)


def _asked_places(draft: Draft) -> Iterator[tuple[int, float]]:
    """Give the words after "how many" or "average", each with what it is worth."""
    sketch = draft.sketch
    ends = {a.span.first for a in sketch.anchors} | set(sketch.breaks) | {len(sketch.tokens)}
    ends |= {i for i, t in enumerate(sketch.tokens) if t.lower in AUXILIARIES | BE and i > 1}
    starts = [c.span.last for c in draft.cues("count", "sum", "average")]
    for start in sorted(starts, reverse=True):
        end = min(end for end in ends | {start + _MAX_ASKED} if end >= start)
        is_of = False
        for at in range(start, end):
            is_of = is_of or (at > start and sketch.tokens[at].lower == "of")
            yield at, (_AFTER_OF if is_of else 1.0) - _STEP * (at - start)
