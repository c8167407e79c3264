"""Reads how a question in German, French or Spanish is built, word by word, as English."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from trivium.domain.question import Cue, Token, Understood
from trivium.language.shipped import shipped
from trivium.language.text import stem
from trivium.language.words import general_words

_ALSO_ENGLISH: Final = frozenset(
    {"war", "hat", "die", "den", "man", "tag", "also", "son", "plus", "pour", "sale", "para",
     "compte", "cause", "date", "manual", "guide", "archives", "convention", "super", "liste",
     "passe", "sous", "vale", "pasa", "personne", "politique", "brief", "stand", "yo"}
)  # fmt: skip
"""Words of the three languages that are English words too, so that no language shows by them."""
_FEW_WORDS: Final = 4


@lru_cache(maxsize=1)
def glosses() -> Mapping[str, Mapping[str, str]]:
    """Return, for each language, its words with their English; the file is read once."""
    found: Mapping[str, Mapping[str, str]] = shipped("router", "glosses.yaml")
    return found


@lru_cache(maxsize=1)
def _telling() -> Mapping[str, frozenset[str]]:
    """Return the words by which each language shows: not English ones, nor single letters."""
    shared = general_words().stop | _ALSO_ENGLISH
    return {
        language: frozenset(word for word in own if len(word) > 1 and word not in shared)
        for language, own in glosses().items()
    }


def language_of(question: Understood) -> str | None:
    """Return the language that a question is in, where it is one of those with glosses."""
    words = [token.lower for token in question.tokens]
    n_telling, best = max(
        (sum(word in telling for word in words), language)
        for language, telling in _telling().items()
    )
    if not n_telling:
        return None
    english, own = general_words().stop, glosses()[best]
    n_english = sum(word in english and word not in own for word in words)
    n_needed = 1 if len(words) <= _FEW_WORDS else 2
    return best if n_telling >= max(n_needed, n_english + 1) else None


def glossed(question: Understood, language: str) -> Understood:
    """Return the question with its foreign words of general meaning in English; names stay."""
    own = glosses()[language]
    named = {index for mention in question.mentions for index in mention.span}
    tokens = tuple(
        token if index in named else _glossed(token, own)
        for index, token in enumerate(question.tokens)
    )
    cues = tuple(Cue(span=span, kind=kind) for span, kind in general_words().cues.find(tokens))
    return replace(question, tokens=tokens, cues=cues)


def _glossed(token: Token, own: Mapping[str, str]) -> Token:
    english = own.get(token.lower)
    return token if english is None else replace(token, lower=english, stem=stem(english))
