"""What sections are headed with when they tell what a question asks for in other words."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final

from trivium.language.shipped import shipped
from trivium.language.text import is_word, stem, tokenize
from trivium.language.words import general_words

_ASKING: Final = frozenset({"why", "how", "when", "who", "where"})


@lru_cache(maxsize=8_192)
def telling(text: str) -> tuple[str, ...]:
    """Return the stems that say what a heading, a lead or a sentence is about."""
    is_content, heads = general_words().is_content, _heads()
    words = (token for token in tokenize(text) if is_word(token))
    return tuple(t.stem for t in words if is_content(t) or t.lower in _ASKING or t.stem in heads)


def heads_of(words: Collection[str]) -> frozenset[str]:
    """Return the other stems that sections on these stems are headed with.

    >>> sorted(heads_of(["guest"]))
    ['visitor']
    """
    heads = _heads()
    return frozenset(head for word in words for head in heads.get(word, ())).difference(words)


@lru_cache(maxsize=1)
def _heads() -> Mapping[str, frozenset[str]]:
    """Return for each stem those that stand for it; the file is read once."""
    groups = shipped("tiers.rag", "wording.yaml")
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        members = frozenset(stem(word) for word in group)
        found |= {member: found.get(member, frozenset()) | members for member in members}
    return found
