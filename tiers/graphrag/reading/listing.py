"""Small words that clauses are built with, and lists of nouns: "the lines and every stop"."""

from collections.abc import Sequence
from typing import Final

from tiers.graphrag.reading.sketch import TypeWord

BE: Final = frozenset({"is", "are", "was", "were", "be", "been", "being"})
AUXILIARIES: Final = frozenset(
    {"has", "have", "had", "do", "does", "did", "can", "could", "will", "would", "must", "should",
     "may", "might"}
)  # fmt: skip
RELATING: Final = frozenset({"for", "in", "on", "at", "to", "from", "of", "with", "by"})
"""Prepositions of a relative clause: "modules for which"."""
DOER_ENDINGS: Final = ("er", "ers", "or", "ors")
"""Endings of nouns for who does something: "suppliers", "an owner"."""
NOT: Final = frozenset({"not", "t", "never"})
SOLELY: Final = frozenset({"only", "solely", "exclusively"})
_LISTING: Final = frozenset({"every", "all", "its", "the", "each", "their", "any"})


def listed(
    words: Sequence[str],
    types: Sequence[TypeWord],
    first: TypeWord,
    breaks: frozenset[int],
) -> tuple[TypeWord, ...]:
    """Return the types of a list with things said between: "each line and every stop on it"."""
    found = [first]
    for word in types:
        before = words[word.span.first - 2 : word.span.first]
        is_new = word.span.first > found[-1].span.last and word.type not in {t.type for t in found}
        opens = _opens_item(words[found[-1].span.last : word.span.first])
        is_joined = set(words[found[-1].span.last : word.span.first]) <= {
            "and",
            "or",
            "the",
            "plus",
        }
        follows_comma = word.span.first - 1 in breaks and before[-1:] and before[-1] in _LISTING
        if is_new and (opens or is_joined or follows_comma):
            found.append(word)
    return tuple(found)


def _opens_item(between: Sequence[str]) -> bool:
    """Whether what stands before a noun opens the next item of a list: "and the raw water"."""
    at = max((i for i, w in enumerate(between) if w in {"and", "plus"}), default=-1)
    after = between[at + 1 :]
    is_plain = not set(after[1:]) & (RELATING | BE | AUXILIARIES)
    return at >= 0 and bool(after) and after[0] in _LISTING and len(after) <= 3 and is_plain


def side_by_side(
    words: Sequence[str], types: Sequence[TypeWord], first: TypeWord
) -> tuple[TypeWord, ...]:
    """Return the type and those joined to it: "products and customers"."""
    found = [first]
    for word in types:
        between = words[found[-1].span.last : word.span.first]
        is_next = word.span.first >= found[-1].span.last
        is_joined = set(between) <= {"and", "or", "the", "our", "which", "what"}
        has_comma = is_next and not between and word.span.first > found[-1].span.last
        asks_again = list(between[:2]) in (["and", "which"], ["and", "what"]) and len(between) <= 3
        if is_next and (is_joined or asks_again) and (between or has_comma):
            found.append(word)
    return tuple(found)
