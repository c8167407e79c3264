"""Slips of the pen: an unknown word that is one slip away from a word that means something here."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from typing import Final

from rapidfuzz.distance import OSA

from trivium.domain.question import Token
from trivium.language.text import fold, stem

_MIN_LENGTH: Final = 5
"""Letters below which one slip makes another word too easily."""
_ENDINGS: Final = ("s", "es", "d", "ed", "r", "er", "ing", "ly")
"""What the list of English words leaves out where it has the bare word."""
_ODD_SHARE: Final = 0.25
"""Of the words of an English question, that may be none of English."""
_SWAPPED: Final = {"teh": "the", "hte": "the", "adn": "and", "taht": "that", "waht": "what",
                   "whcih": "which", "thsi": "this"}  # fmt: skip
"""Short words that are typed in haste."""
_CONFUSED: Final = {"loose": "lose", "looses": "loses", "loosing": "losing"}
_OBJECTS: Final = frozenset(
    {"their", "its", "the", "all", "every", "any", "a", "an", "our", "his", "her", "both", "one",
     "some", "no"}
)  # fmt: skip
"""Words with which begins what is lost."""
_MAX_KEPT: Final = 10_000


@lru_cache(maxsize=1)
def english() -> frozenset[str]:
    """Return the common words of English, of four letters and more.

    Source: the whole words in the vocabulary of BERT, uncased (Apache 2.0).
    """
    file = resources.files("trivium.language").joinpath("english.txt")
    return frozenset(file.read_text("utf-8").split())


class Speller:
    """Mends slips in words that a schema, or the general words, have a meaning for."""

    def __init__(self, words: Iterable[str]) -> None:
        self._near: dict[tuple[str, int], list[str]] = defaultdict(list)
        """By first letter and length."""
        self._known: set[str] = set()
        for word in {fold(w) for w in words}:
            self._known |= {word, stem(word)}
            if len(word) >= _MIN_LENGTH - 1 and word.isalpha():
                for form in _forms(word):
                    self._near[form[0], len(form)].append(form)
        self._mends: dict[str, str | None] = {}

    def mended(
        self, tokens: Sequence[Token], is_in_name: Callable[[str], bool] = lambda _: False
    ) -> tuple[Token, ...]:
        """Return words, each as the one that it misspells by a slip past its first letter.

        A slip is a letter too many, left out, wrong, or two swapped. What several words might be
        meant by stays as it is, and so does what is written as a name, or stands in one. Where
        many words are none of English, the question is in another language.
        """
        is_loud = all(t.text.isupper() for t in tokens if t.text.isalpha())
        odd = [
            index
            for index, token in enumerate(tokens)
            if not (index and token.text[0].isupper() and not is_loud)
            and not is_in_name(token.lower)
            and self._is_odd(token)
        ]
        if len(odd) > _ODD_SHARE * len(tokens):
            return tuple(tokens)
        mended = {index: self._mended(tokens[index]) for index in odd}
        meant = (i for i, t in enumerate(tokens) if t.text in _SWAPPED or _is_confused(tokens, i))
        mended |= {i: _meant(tokens[i]) for i in meant}
        return tuple(mended.get(index, token) for index, token in enumerate(tokens))

    def _mended(self, token: Token) -> Token:
        word = token.lower
        if word not in self._mends:
            if len(self._mends) > _MAX_KEPT:
                self._mends.clear()
            self._mends[word] = self._nearest(word)
        mend = self._mends[word]
        return replace(token, lower=mend, stem=stem(mend)) if mend else token

    def _is_odd(self, token: Token) -> bool:
        """Whether a word, long enough to tell, is none of those given, nor of English."""
        word = token.lower
        if len(word) < _MIN_LENGTH or not word.isalpha():
            return False
        if word in self._known or token.stem in self._known or word in english():
            return False
        return not any(word.endswith(e) and word.removesuffix(e) in english() for e in _ENDINGS)

    def _nearest(self, word: str) -> str | None:
        lengths = (len(word) - 1, len(word), len(word) + 1)
        near = {
            other
            for length in lengths
            for other in self._near.get((word[0], length), ())
            if OSA.distance(word, other, score_cutoff=1) == 1
        }
        swapped = {other for other in near if sorted(other) == sorted(word)}
        near = swapped or near  # two letters swapped is the likeliest slip
        return near.pop() if len({stem(other) for other in near}) == 1 else None


def _is_confused(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is written for another that sounds like it: "loose their only supplier"."""
    return (
        tokens[at].lower in _CONFUSED
        and at + 1 < len(tokens)
        and tokens[at + 1].lower in _OBJECTS
        and not (at and tokens[at - 1].lower in _OBJECTS)
    )


def _meant(token: Token) -> Token:
    meant = (_SWAPPED | _CONFUSED)[token.lower]
    return replace(token, lower=meant, stem=stem(meant))


def _forms(word: str) -> tuple[str, ...]:
    """Return a word with its plural and its forms as a verb, as far as they are regular."""
    bare = word.removesuffix("e")
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return word, plural, f"{bare}ed", f"{bare}ing"
