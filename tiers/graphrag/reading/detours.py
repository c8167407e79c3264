"""What says nothing new: "directly or through one of her pupils", "boats, not piers, that"."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Understood

_JOINTS: Final = (("by", "way", "of"), ("through",), ("via",), ("by",))
_ANY: Final = frozenset(
    {"one", "another", "some", "somebody", "someone", "other", "others", "any", "her", "his",
     "their", "its", "a", "an"}
)  # fmt: skip
"""Words with which such a way is told: no one thing is meant."""
_LONGEST: Final = 7
_GOING_ON: Final = frozenset({"that", "which", "who", "whose", "are", "is", "do", "does", "did"})


def without_detours(question: Understood, breaks: frozenset[int]) -> Understood:
    """Return a question without the types, values and verbs of "or through one of her pupils".

    They tell that a relation is followed on, which the cue for a closure says already; nor does
    "directly or" name who directs something.
    """
    inside = {i for span in _detours(question, breaks) for i in span}
    adverbs = {i for c in question.cues_of("closure") if len(c.span) > 1 for i in c.span}
    terms = tuple(
        t
        for t in question.terms
        if (not inside & set(t.span) or _is_number(t))
        and not (t.kind is TermKind.RELATION and adverbs >= set(t.span))
    )
    return replace(question, terms=terms)


def without_asides(question: Understood, breaks: frozenset[int]) -> Understood:
    """Return a question without what only says which noun is meant: "boats, not piers, that"."""
    ends = {t.span.last for t in question.terms_of(TermKind.TYPE)}
    words = [t.lower for t in question.tokens]
    inside: set[int] = set()
    for at in sorted(breaks & ends):
        last = min((b for b in breaks if b > at), default=len(words))
        noun = at + 1 + (words[at + 1 : at + 2] in (["the"], ["our"]))
        named = Span(first=noun, last=last)
        is_noun = any(t.span == named for t in question.terms_of(TermKind.TYPE))
        if words[at] == "not" and is_noun and last < len(words):
            inside |= set(range(at, last))
    return _without(question, inside) if inside else question


def _without(question: Understood, inside: AbstractSet[int]) -> Understood:
    """Return a question without the terms and cues at some words."""
    return replace(
        question,
        terms=tuple(t for t in question.terms if not inside & set(t.span)),
        cues=tuple(c for c in question.cues if not inside & set(c.span)),
    )


def _is_number(term: Term) -> bool:
    return term.kind is TermKind.PROPERTY


def _detours(question: Understood, breaks: frozenset[int]) -> list[Span]:
    words = [t.lower for t in question.tokens]
    closures = {i for c in question.cues_of("closure") for i in c.span}
    found = []
    for index, word in enumerate(words):
        said = (j for j in _JOINTS if tuple(words[index + 1 : index + 1 + len(j)]) == j)
        at = index + 1 + len(next(said, ()))
        if word != "or" or at == index + 1 or not set(words[at : at + 1]) & _ANY:
            continue
        last = _end(words, at + 1, breaks)
        if closures & set(range(index - 2, last)):
            found.append(Span(first=index, last=last))
    return found


def _end(words: Sequence[str], at: int, breaks: frozenset[int]) -> int:
    """Return where such a phrase ends: at a mark, an "and", or the next verb."""
    last = at
    while (
        last < min(len(words), at + _LONGEST)
        and last not in breaks
        and words[last] not in _GOING_ON | {"and"}
    ):
        last += 1
    return last
