"""The general words of English, read from ``general_words.yaml``, and phrases found by stems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Generic, TypeVar

import yaml

from trivium.domain.question import Span, Token
from trivium.language.text import fold, stem, stems

_T = TypeVar("_T")


class PhraseIndex(Generic[_T]):
    """Phrases, each with a payload, found in a text by the stems of their words."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], _T]]] = {}

    def add(self, phrase: tuple[str, ...], payload: _T) -> None:
        """Add a phrase, given as stems; an empty one is ignored."""
        if phrase:
            self._by_first.setdefault(phrase[0], []).append((phrase, payload))

    def __contains__(self, first_stem: str) -> bool:
        return first_stem in self._by_first

    def find(self, tokens: Sequence[Token]) -> Iterator[tuple[Span, _T]]:
        """Give every phrase in ``tokens``, overlapping ones included."""
        for index, token in enumerate(tokens):
            for phrase, payload in self._by_first.get(token.stem, ()):
                last = index + len(phrase)
                if last <= len(tokens) and all(
                    tokens[index + k].stem == part for k, part in enumerate(phrase)
                ):
                    yield Span(first=index, last=last), payload


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
    """Stem to the phrases (stems joined by a space) used for it, itself left out."""
    demonyms: Mapping[str, tuple[tuple[str, ...], ...]]
    """Stem of a place's last word to the stem phrases of its adjective: ``franc`` to french."""
    titles: frozenset[str]
    """Folded forms of address before a person's name."""
    effects: Mapping[str, str]
    """Stem phrase of a verb, its parts joined by a space, to ``backward`` or ``none``."""
    places: frozenset[str]
    """Spoken names of properties that say where something is."""
    severity: Mapping[str, float]
    severity_properties: tuple[str, ...]
    open_values: tuple[str, ...]
    started_properties: tuple[str, ...]
    ended_properties: tuple[str, ...]
    units: Mapping[str, str]
    """Last part of a property name to its unit."""
    numbers: Mapping[str, float] = field(default_factory=dict)

    def is_content(self, token: Token) -> bool:
        """Whether the word says something of its own."""
        return token.lower not in self.stop


@lru_cache(maxsize=1)
def general_words() -> GeneralWords:
    """Return the general words; the file is read once."""
    text = resources.files("trivium.language").joinpath("general_words.yaml").read_text("utf-8")
    raw = yaml.safe_load(text)
    cues: PhraseIndex[str] = PhraseIndex()
    for kind, phrases in raw["cues"].items():
        for phrase in phrases:
            cues.add(stems(phrase), kind)
    synonyms: dict[str, set[str]] = {}
    for group in raw["synonyms"]:
        parts = [" ".join(stems(str(word))) for word in group]
        for part in parts:
            synonyms.setdefault(part, set()).update(other for other in parts if other != part)
    risk = raw["risk"]
    return GeneralWords(
        stop=frozenset(fold(word) for word in raw["stop"]),
        stop_stems=frozenset(stem(fold(word)) for word in raw["stop"]),
        company_forms=frozenset(stem(word) for word in raw["company_forms"] + raw["titles"]),
        cues=cues,
        synonyms={key: frozenset(others) for key, others in synonyms.items()},
        demonyms={
            " ".join(stems(place)): tuple(stems(word) for word in words)
            for place, words in raw["demonyms"].items()
        },
        titles=frozenset(fold(word) for word in raw["titles"]),
        effects={
            " ".join(stems(verb)): direction
            for direction, verbs in raw["effects"].items()
            for verb in verbs
        },
        places=frozenset(raw["places"]),
        severity=risk["severity"],
        severity_properties=tuple(risk["severity_properties"]),
        open_values=tuple(risk["open"]),
        started_properties=tuple(risk["started"]),
        ended_properties=tuple(risk["ended"]),
        units=raw["units"],
        numbers={word: float(number) for word, number in raw["numbers"].items()},
    )
