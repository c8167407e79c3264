"""The general words of English, read from ``general_words.yaml``, and phrases found by stems."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Generic, TypeVar

from trivium.domain.question import Span, Token
from trivium.language.shipped import shipped
from trivium.language.text import fold, spoken, stem, stems

_T = TypeVar("_T")


class PhraseIndex(Generic[_T]):
    """Phrases, each with a payload, found in a text by the stems of their words."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], _T, str | None]]] = {}

    def add(self, phrase: tuple[str, ...], payload: _T, *, literal: str | None = None) -> None:
        """Add a phrase, given as stems; an empty one is ignored.

        With ``literal``, its first word must stand in the text in just that form.
        """
        if phrase:
            self._by_first.setdefault(phrase[0], []).append((phrase, payload, literal))

    def __contains__(self, first_stem: str) -> bool:
        return first_stem in self._by_first

    def find(self, tokens: Sequence[Token]) -> Iterator[tuple[Span, _T]]:
        """Give every phrase in ``tokens``, overlapping ones included."""
        for index, token in enumerate(tokens):
            for phrase, payload, literal in self._by_first.get(token.stem, ()):
                last = index + len(phrase)
                is_meant = literal is None or token.lower == literal
                if (
                    is_meant
                    and last <= len(tokens)
                    and all(tokens[index + k].stem == part for k, part in enumerate(phrase))
                ):
                    yield Span(first=index, last=last), payload


_MONEY: Final = re.compile(r"\b(?!TEU)[A-Z]{3}\b")
"""The code of a currency; containers are counted in TEU."""


def is_money(unit: str | None) -> bool:
    """Whether what is in a unit is an amount of money.

    >>> is_money("thousand EUR"), is_money("pounds"), is_money("kg"), is_money(None)
    (True, True, False, False)
    """
    return any(_MONEY.search(general_words().units.get(w, w)) for w in (unit or "").split())


COURSE: Final = "any"
"""The way of words that say only that something changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Words that ask for attributes, all as stem phrases."""

    of: frozenset[tuple[str, ...]]
    """What stands in the names of these attributes."""
    high: frozenset[str]
    low: frozenset[str]
    """Adjectives, as stems, that ask for one and say which end of it."""
    said: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralWords:
    """What the file says, compiled."""

    stop: frozenset[str]
    """Folded words that carry no content."""
    stop_stems: frozenset[str]
    company_forms: frozenset[str]
    """Stems."""
    cues: PhraseIndex[str]
    synonyms: Mapping[str, frozenset[str]]
    """Stem of a noun to the phrases (stems joined by a space) used for it, itself left out."""
    verbs: Mapping[str, frozenset[str]]
    """The same for verbs, which name relations."""
    demonyms: Mapping[str, tuple[tuple[str, ...], ...]]
    """Stem of a place's last word to the stem phrases of its adjective: ``franc`` to french."""
    generic: frozenset[str]
    """Stems of nouns that may stand for anything."""
    titles: frozenset[str]
    """Folded forms of address before a person's name."""
    effects: Mapping[str, str]
    """Stem phrase of a verb, its parts joined by a space, to ``backward`` or ``none``."""
    mutual: frozenset[str]
    """Stems of verbs whose relations hold both ways."""
    lacking: Mapping[str, frozenset[str]]
    """Folded adjective for what lacks a relation to the stems of the verbs that may name it."""
    needing: frozenset[str]
    """Stems of verbs of which each relation is needed: a product requires all its parts."""
    places: frozenset[str]
    """Spoken names of properties that say where something is."""
    measures: tuple[Measure, ...]
    worse_when_high: frozenset[tuple[str, ...]]
    """Stem phrases in the names of attributes of which little is good."""
    vague: frozenset[str]
    """Folded words that ask for nothing of their own."""
    vague_stems: frozenset[str]
    turns: PhraseIndex[str]
    """What asks how a value developed, with the way that it went: ``up``, ``better``, ``any``."""
    periods: frozenset[str]
    """Stems of words for a length of time, such as ``month``."""
    room: tuple[str, ...]
    """Stems of words for what a thing has room for, in the names of numbers; the first is meant."""
    making: frozenset[str]
    """Participles that a year follows, in which something came to be: ``built``."""
    paying: frozenset[tuple[str, ...]]
    """Stem phrases that say that something is paid: ``charge``, ``set us back``."""
    shares: frozenset[str]
    """Stems of nouns that ask for a part of a whole: ``percentag``."""
    severity: Mapping[str, float]
    severity_properties: tuple[str, ...]
    open_values: tuple[str, ...]
    over_values: frozenset[str]
    started_properties: tuple[str, ...]
    ended_properties: tuple[str, ...]
    units: Mapping[str, str]
    """Last part of a property name to its unit."""
    deals: frozenset[str] = frozenset()
    """Stems of the nouns that a relation may be called by, whatever it is of."""
    conversions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """How many of another unit one of a unit is."""
    scales: Mapping[str, float] = field(default_factory=dict)
    """Words that multiply the number before them."""
    numbers: Mapping[str, float] = field(default_factory=dict)

    every: frozenset[str] = frozenset()
    """All single words of the file."""

    def is_content(self, token: Token) -> bool:
        """Whether the word says something of its own."""
        return token.lower not in self.stop


def _groups(groups: Sequence[Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return, for each word of a group, the others; all as stems."""
    found: dict[str, set[str]] = {}
    for group in groups:
        parts = [_phrase(str(word)) for word in group]
        for part in parts:
            found.setdefault(part, set()).update(other for other in parts if other != part)
    return {key: frozenset(others) for key, others in found.items()}


@lru_cache(maxsize=1)
def general_words() -> GeneralWords:
    """Return the general words; the file is read once."""
    raw = shipped("trivium.language", "general_words.yaml")
    risk = raw["risk"]
    return GeneralWords(
        stop=_folded(raw["stop"]),
        stop_stems=_stemmed(raw["stop"]),
        company_forms=_stemmed(raw["company_forms"] + raw["titles"]),
        cues=_cues(raw["cues"]),
        synonyms=_groups(raw["synonyms"]),
        verbs=_groups(raw["verbs"]),
        demonyms={_phrase(place): _phrases(words) for place, words in raw["demonyms"].items()},
        generic=_stemmed(raw["generic"]),
        titles=_folded(raw["titles"]),
        effects={_phrase(verb): way for way, verbs in raw["effects"].items() for verb in verbs},
        mutual=_stemmed(raw["mutual"]),
        lacking={adjective: _stemmed(verbs) for adjective, verbs in raw["lacking"].items()},
        needing=_stemmed(raw["needing"]),
        places=frozenset(raw["places"]),
        measures=tuple(_measure(item) for item in raw["measures"]),
        worse_when_high=frozenset(_phrases(raw["worse_when_high"])),
        vague=_folded(raw["vague"]),
        vague_stems=_stemmed(raw["vague"]),
        turns=_cues(raw["turns"]),
        periods=_stemmed(raw["periods"]),
        room=tuple(stem(word) for word in raw["room"]),
        making=_folded(raw["making"]),
        paying=frozenset(_phrases(raw["paying"])),
        shares=_stemmed(raw["shares"]),
        severity=risk["severity"],
        severity_properties=tuple(risk["severity_properties"]),
        open_values=tuple(risk["open"]),
        over_values=frozenset(risk["over"]),
        started_properties=tuple(risk["started"]),
        ended_properties=tuple(risk["ended"]),
        units=raw["units"],
        deals=_stemmed(raw["deals"]),
        conversions=raw["conversions"],
        scales={word: float(number) for word, number in raw["scales"].items()},
        numbers={word: float(number) for word, number in raw["numbers"].items()},
        every=frozenset(_every(raw)),
    )


def _folded(words: Sequence[str]) -> frozenset[str]:
    return frozenset(fold(word) for word in words)


def _stemmed(words: Sequence[str]) -> frozenset[str]:
    return frozenset(stem(fold(word)) for word in words)


def _phrase(said: str) -> str:
    return " ".join(stems(said))


def _phrases(said: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(stems(phrase) for phrase in said)


def _cues(raw: Mapping[str, Sequence[str]]) -> PhraseIndex[str]:
    """Return the phrases of each kind; after a "=", the first word must stand in just that form."""
    cues: PhraseIndex[str] = PhraseIndex()
    for kind, phrases in raw.items():
        for phrase in phrases:
            is_literal = phrase.startswith("=")
            cues.add(stems(phrase), kind, literal=phrase[1:].split()[0] if is_literal else None)
    return cues


def _every(raw: object) -> Iterator[str]:
    """Give all words in keys and values, however deep."""
    match raw:
        case str():
            yield from re.findall(r"[a-z]+", raw.casefold())
        case Mapping():
            for key, value in raw.items():
                yield from (*_every(key), *_every(value))
        case list():
            for item in raw:
                yield from _every(item)
        case _:
            pass


def asked_by_adjective(said: str) -> Iterator[tuple[Measure, bool]]:
    """Give what an adjective asks for, in any degree: "heavy", "heavier", "the heaviest".

    Args:
        said: the stem of the word.

    Returns:
        Each measure, and whether the word means its low end.
    """
    bare = {said, *_without_degree(said)}
    for measure in general_words().measures:
        if bare & (measure.high | measure.low):
            yield measure, bool(bare & measure.low)


def asked_by_verb(said: AbstractSet[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Return what stands in the names of the attributes that verbs ask for: "costs" for a price.

    Args:
        said: the stem phrases of the verbs.
    """
    return {phrase for m in general_words().measures if said & m.said for phrase in m.of}


def name_phrases(name: str) -> set[tuple[str, ...]]:
    """Return the words of an attribute's name, each as a stem phrase, as measures hold them.

    >>> sorted(name_phrases("price_eur"))
    [('eur',), ('price',)]
    """
    return {(part,) for part in stems(spoken(name))}


def ends_asked(said: str, name: str) -> list[bool]:
    """Return, for each measure of an attribute that an adjective asks for, whether its low end."""
    parts = name_phrases(name)
    return [is_low for measure, is_low in asked_by_adjective(said) if measure.of & parts]


def _without_degree(word: str) -> Iterator[str]:
    """Give what a comparative or a superlative may be made from: ``heavi`` to ``heavy``."""
    for ending in ("est", "er", "st", "r"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            bare = word[: -len(ending)]
            yield from (bare, bare + "e", bare[:-1] + "y", bare[:-1])


def _measure(item: Mapping[str, Sequence[str]]) -> Measure:
    return Measure(
        of=frozenset(_phrases(item["of"])),
        high=_stemmed(item["high"]),
        low=_stemmed(item["low"]),
        said=frozenset(_phrases(item["said"])),
    )
