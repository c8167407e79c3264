"""The words by which gists are compared, from ``gist_words.yaml``, and words without inflection."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from trivium.language.shipped import shipped
from trivium.language.text import is_past, stem

_DOUBLED: Final = re.compile(r"([bdfgmnprt])\1$")
_NEEDS_E: Final = re.compile(r"(?:[^aeiou]at|bl|iz|[cguvz]|[^s]s)$")
_SHORT: Final = re.compile(r"^[^aeiou]*[aeiouy][^aeiouwxy]$")
_VOWEL: Final = re.compile(r"[aeiouy]")


@dataclass(frozen=True, slots=True, kw_only=True)
class GistWords:
    """What ``gist_words.yaml`` says."""

    courtesy: re.Pattern[str]
    """At the beginning or the end of the words of a question, one space between them."""
    phrases: Mapping[str, str]
    """Each wording to what stands for it."""
    wordings: re.Pattern[str]
    counting: re.Pattern[str]
    """At the beginning, for "how many"."""
    light: frozenset[str]
    same: Mapping[str, str]
    """Each word, without inflection, to the one that stands for all of its meaning."""
    amounts: frozenset[str]
    """Nouns that name nothing but an amount."""
    deals: frozenset[str]
    """What one has with somebody, said before or behind whom."""
    unchanged: frozenset[str]
    """Verbs whose participle is the verb itself."""
    personal: re.Pattern[str]


@lru_cache(maxsize=1)
def gist_words() -> GistWords:
    """Return the words, read once."""
    told = shipped("tiers.cag", "gist_words.yaml")
    phrases = {said: meant for meant, many in told["phrases"].items() for said in many}
    before, after = _any_of(told["before"]), _any_of(told["after"])
    many = rf"(?:{_any_of(told['before_many'])}) (?=(?!prices )\S+[^s]s |(?!price )\S+ \S+[^s]s$)"
    return GistWords(
        courtesy=re.compile(rf"^(?:{before}) (?=\S)|^{many}|(?<=\S) (?:{after})$"),
        phrases=phrases,
        wordings=_whole(phrases),
        counting=re.compile(rf"^(?:{_any_of(told['counting'])})(?!\S)"),
        light=frozenset(told["light"]),
        same={base_of(word): base_of(group[0]) for group in told["same"] for word in group},
        amounts=frozenset(told["amounts"]),
        deals=frozenset(told["deals"]),
        unchanged=frozenset(told["unchanged"]),
        personal=_whole(told["personal"]),
    )


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(p) for p in sorted(phrases, key=len, reverse=True))


def _whole(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{_any_of(phrases)})(?!\S)")


@lru_cache(maxsize=16_384)
def singular_of(word: str) -> str:
    """Return a noun without its plural, and a verb without the "s" of the third person.

    What it does not know stays as it is: two forms of a word may be taken for two words, two
    words never for one.

    >>> [singular_of(w) for w in ("supplies", "boxes", "prices", "status", "production")]
    ['supply', 'box', 'price', 'status', 'production']
    """
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if re.search(r"(?:ss|sh|ch|x|zz)es$", word):
        return word[:-2]
    return word[:-1] if re.search(r"[^suis]s$", word) and len(word) > 3 else word


@lru_cache(maxsize=16_384)
def base_of(verb: str) -> str:
    """Return a verb without any inflection; see ``singular_of``.

    >>> [base_of(w) for w in ("supplied", "using", "shipped", "made", "need")]
    ['supply', 'use', 'ship', 'make', 'need']
    """
    if is_past(verb):
        return stem(verb)
    if verb.endswith("ied") and len(verb) > 4:
        return f"{verb[:-3]}y"
    rest = re.sub(r"(?:(?<!e)ed|ing)$", "", verb)
    if rest == verb or len(verb) < 4 or not _VOWEL.search(rest):
        return singular_of(verb)
    if _DOUBLED.search(rest):
        return rest[:-1]
    return f"{rest}e" if _NEEDS_E.search(rest) or _SHORT.search(rest) else rest
