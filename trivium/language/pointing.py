"""What points back within one question: "who makes it, and where is that maker based?"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from trivium.domain.question import TermKind, Token, Understood
from trivium.language.parting import (
    ASKING,
    HEADING,
    OWNING,
    Place,
    Pointing,
    asks,
    at,
    heading,
    parts,
    word_at,
)
from trivium.language.words import general_words

_QUESTION: Final = frozenset({"who", "which", "what"})
_OF_ONE: Final = frozenset({"it", "its", "he", "she", "him", "his"})
_ALONE: Final = frozenset({"it", "he", "she", "him", "her", "they", "them"})
_THESE: Final = frozenset({"that", "this", "those", "these"})
_MANY: Final = frozenset({"those", "these", "them"})
_BEING: Final = frozenset({"is", "are", "was", "were", "be"})
_NO_THING: Final = frozenset(
    {"take", "takes", "took", "possible", "true", "likely", "safe", "allowed", "known", "said",
     "say", "says"}
)  # fmt: skip
"""Words beside an "it" that stands for nothing: "how long does it take", "is it true"."""
_TELLING: Final = frozenset(
    {"of", "that", "which", "who", "whose", "for", "with", "in", "from", "where", "it", "they",
     "he", "she", "by", "at"}
)  # fmt: skip
"""Words after a noun that tell which one is meant."""


def pointing(question: Understood) -> Pointing | None:
    """Return how a question falls in two where its last part points back at what the first finds.

    The first part asks for something, and the last names nothing before the word that points.
    """
    cut = list(parts(question))
    for (_, end), (start, stop) in pairwise(cut):
        is_two = asks(question, 0, end) and OWNING.isdisjoint(heading(question, start)[:1])
        places = tuple(_places(question, start))
        places = places or (tuple(_named_again(question, start)) if is_two else ())
        if not places or places[0].start >= stop or not _is_lead(question, end):
            continue
        first = next((m.span for m in question.mentions if at(question, m.span) >= start), None)
        if (first and at(question, first) < places[0].start) or _tells_again(question, start):
            continue
        return Pointing(
            lead=question.text[cut[0][0] : end].strip(" ,;:"),
            rest=question.text[start:],
            places=tuple(replace(p, start=p.start - start, end=p.end - start) for p in places),
            is_of_one=any(question.text[p.start : p.end].lower() in _OF_ONE for p in places),
            is_two_questions=is_two,
        )
    return None


def _tells_again(question: Understood, start: int) -> bool:
    """Whether what begins at ``start`` only asks for the names: "who are they", "list them"."""
    words = heading(question, start)
    if len(words) < 2 or words[0] not in ASKING:
        return False
    rest = words[2:] if words[1] in _BEING else words[1:]
    n_words = sum(t.start >= start for t in question.tokens)
    is_naming = words[0] not in _QUESTION or n_words <= HEADING
    return is_naming and bool(rest) and rest[0] in {"they", "them", "those", "these"}


def _is_lead(question: Understood, end: int) -> bool:
    """Whether what stands before ``end`` asks for things: by its verb, or by their type."""
    inside = [i for i, t in enumerate(question.tokens) if t.end <= end]
    is_asking = any(question.tokens[i].lower in ASKING for i in inside)
    types = question.terms_of(TermKind.TYPE)
    return is_asking or any(t.span.first in inside for t in types)


def _places(question: Understood, start: int) -> Iterator[Place]:
    """Give the words from ``start`` on that point back."""
    tokens, taken = question.tokens, -1
    for index, token in enumerate(tokens):
        if token.start < start or index < taken:
            continue
        last, before, after = _pointed(question, index)
        if last is None:
            continue
        taken = last
        yield Place(
            start=token.start,
            end=tokens[last - 1].end,
            before=before,
            after=after,
            types=_called(question, index, last),
        )


def _pointed(question: Understood, index: int) -> tuple[int | None, str, str]:
    """Return the end of the words from ``index`` that point back, and what goes around names."""
    tokens = question.tokens
    word, after = tokens[index].lower, word_at(tokens, index + 1)
    noun = _noun_end(question, index + 1)
    if word in OWNING and (word != "her" or _is_content(tokens, index + 1)):
        return index + 1, "", "'s"
    if word == "it" and _NO_THING & {after, word_at(tokens, index - 1), word_at(tokens, index + 2)}:
        return None, "", ""
    if word in _ALONE:
        return index + 1, "", ""
    if word == "each":
        return _each_end(question, index), "", ""
    if word == "there" and not _BEING & {after, word_at(tokens, index - 1)}:
        return index + 1, "at ", ""
    if word == "the" and after == "same":
        return _noun_end(question, index + 2), "", ""
    if word in _THESE and (noun or after in {"one", "ones"}):
        return noun or index + 2, "", ""
    is_bare = word in {"those", "these"} and not _is_content(tokens, index + 1)
    return (index + 1 if is_bare else None), "", ""


def _named_again(question: Understood, start: int) -> Iterator[Place]:
    """Give what comes again by its type alone: "who makes it, and what is the maker's rating"."""
    for index, token in enumerate(question.tokens):
        last = _noun_end(question, index + 1)
        if token.start < start or token.lower != "the" or last is None:
            continue
        if word_at(question.tokens, last) not in _TELLING:
            called = _called(question, index, last)
            end = question.tokens[last - 1].end
            yield Place(start=token.start, end=end, types=called)


def _each_end(question: Understood, index: int) -> int | None:
    """Return where "each", "each of them" or "each supplier" ends; "each other" is none."""
    tokens = question.tokens
    if word_at(tokens, index + 1) == "of" and word_at(tokens, index + 2) in _MANY:
        return index + 3
    if word_at(tokens, index + 1) in {"one", "other"}:
        return index + 2 if tokens[index + 1].lower == "one" else None
    return _noun_end(question, index + 1) or index + 1


def _noun_end(question: Understood, index: int) -> int | None:
    """Return where a word for a type that begins at ``index`` ends."""
    ends = [t.span.last for t in question.terms_of(TermKind.TYPE) if t.span.first == index]
    return max(ends, default=None)


def _called(question: Understood, index: int, last: int) -> frozenset[str]:
    """Return the types that the words from ``index`` until ``last`` name."""
    types = question.terms_of(TermKind.TYPE)
    return frozenset(t.name for t in types if index <= t.span.first and t.span.last <= last)


def _is_content(tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and general_words().is_content(tokens[index])
