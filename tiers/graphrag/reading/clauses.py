"""Clauses that say which type is asked for, or that only tell more of a noun."""

from collections.abc import Sequence
from typing import Final

from tiers.graphrag.reading.listing import RELATING
from tiers.graphrag.reading.sketch import TypeWord
from trivium.domain.question import Understood

NOUN_ASKING: Final = frozenset({"which", "what", "whose"})
PERSON_ASKING: Final = frozenset({"who", "whom"})
DETERMINERS: Final = frozenset({"the", "our", "a", "an", "of", "all", "other", "any", "these"})
_HAPPENING: Final = frozenset(
    {"happens", "happen", "becomes", "become", "mean", "means", "about", "effect", "impact"}
)
_HAPPENING_WITH: Final = frozenset(
    {"does", "do", "would", "will", "that", "this", "it", "is", "be", "the", "have", "has", "to",
     "for", "of", "on", "with", "our", "all", "then", "s"}
)  # fmt: skip
_BIDDING: Final = frozenset({"need", "want", "me", "name", "list", "us", "after"})
_FAR_END: Final = 7
"""Words of a last clause that asks: "and if so out of which ones"."""
_CLOSING: Final = frozenset({"please", "only", "that", "is"})
"""Words after a type that is a sentence of its own: "Estates, please"."""


def meant_type(words: Sequence[str], types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type of "I mean the lots that ...", and of "of the buyers that ..., who ..."."""
    for word in types:
        start = word.span.first
        while start and words[start - 1] in (DETERMINERS | {"those", "only", "just"}) - {"of"}:
            start -= 1
        before = list(words[max(0, start - 2) : start])
        if before == ["i", "mean"] or before in (
            ["who", "among"],
            ["who", "of"],
            ["whom", "among"],
        ):
            return word
        if (
            before[-1:] in (["of"], ["among"])
            and start == 1
            and {"who", "which"} & set(words[word.span.last :])
        ):
            return word
    return None


def touched_type(words: Sequence[str], start: int, types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type in "what happens to our ships", "what does it mean for the routes"."""
    for word in types:
        between = words[start : word.span.first]
        is_told = bool(set(between) & _HAPPENING) and set(between) <= _HAPPENING | _HAPPENING_WITH
        if is_told and word.span.first > start:
            return word
    return None


def relatives(
    types: Sequence[TypeWord], words: Sequence[str], breaks: frozenset[int]
) -> frozenset[int]:
    """Return where "who", "which" or "whose" refers to the noun just before it."""
    nouns = {t.span.last for t in types}
    first_noun = min(nouns, default=len(words))
    clause = min((b for b in breaks if b > 0), default=len(words))
    opens_with_noun = any(t.span.first in {0, 1} for t in types)
    found: set[int] = set()
    is_asked = False
    for index, word in enumerate(words):
        if word not in NOUN_ASKING | PERSON_ASKING:
            continue
        before = words[index - 1] if index else ""
        noun_end = index - 1 if before in RELATING else index
        goes_on = before in {"and", "or", "but"} and not is_asked and first_noun < index
        opens = opens_with_noun and 0 < index < clause and word != "whom"
        follows = index not in breaks and noun_end in nouns
        if word != "what" and (goes_on or opens or follows):
            found.add(index)
        else:
            is_asked = True
    return frozenset(found)


def type_bid_for(
    question: Understood, words: Sequence[str], types: Sequence[TypeWord]
) -> TypeWord | None:
    """Return the type of a sentence after the question: "I need the plants", "Name the crews"."""
    for word in types:
        start = word.span.first
        while start and words[start - 1] in {"the", "our"}:
            start -= 1
        is_bid = bool(words[start - 1 : start]) and words[start - 1] in _BIDDING
        is_last = set(words[word.span.last :]) <= _CLOSING
        if is_bid and is_last and "?" in question.text[: question.tokens[start - 1].start]:
            return word
    return None


def type_after_joint(words: Sequence[str], types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type of "from farms" where a question ends in "and if so from which ones"."""
    end = list(words[-_FAR_END:])
    while end and end[-1] in {"ones", "one"}:
        end.pop()
    if not end or end.pop() not in NOUN_ASKING | PERSON_ASKING:
        return None
    joint = end.pop() if end and end[-1] in RELATING else ""
    if end[-1:] == ["out"]:
        end.pop()
    led = [t for t in types if list(words[t.span.first - 1 : t.span.first]) == [joint]]
    return led[-1] if led and end[-2:] == ["if", "so"] else None


def is_said_alone(question: Understood, words: Sequence[str], word: TypeWord) -> bool:
    """Whether a sentence after the question says only of what type: "Just the contractors"."""
    span = word.span
    opening = list(words[max(0, span.first - 4) : span.first])
    while opening and opening[-1] in {"the", "our"}:
        opening.pop()
    opening = opening[-2:]
    end = question.tokens[span.first].start
    is_whole = question.text[:end].rstrip().endswith("?") and set(words[span.last :]) <= _CLOSING
    is_only = (
        is_whole
        or opening[-1:] in (["just"], ["only"])
        or words[span.last : span.last + 1] == ["only"]
    )
    return is_only and "?" in question.text[:end]
