"""What says nothing new: "directly or through one of her pupils", "boats, not piers, that"."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Understood

_JOINTS: Final = (("by", "way", "of"), ("through",), ("via",), ("by",))
_ANY: Final = frozenset(
    {"one", "another", "some", "somebody", "someone", "other", "others", "any", "her", "his",
     "their", "its", "a", "an"}
)  # fmt: skip
"""Words with which such a way is told: no one thing is meant."""
_LONGEST: Final = 7
_LEAVING: Final = frozenset(
    {
        "aside",
        "out",
        "the",
        "any",
        "all",
        "our",
        "count",
        "counting",
        "please",
        "alone",
        "for",
        "now",
    }
)
"""Words around a kind that is left aside: "leaving the herds aside"."""
_STRUCTURAL: Final = (
    "path", "distance", "degree", "influence", "bottleneck", "articulation", "components",
    "diameter", "cut_off", "everything", "upstream", "downstream",
)  # fmt: skip
"""Kinds of question for which it matters what is left out of the graph."""
_SURE: Final = 0.8
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
    if not question.has(*_STRUCTURAL):
        inside |= _left_aside(question, breaks)
    return _without(question, inside) if inside else question


def _left_aside(question: Understood, breaks: frozenset[int]) -> set[int]:
    """Return the words of a clause that only leaves a kind aside: "(don't count farms)".

    Of what is asked for nothing is taken away by it, where another kind is asked for.
    """
    typed = [t for t in question.terms_of(TermKind.TYPE) if t.score >= _SURE]
    inside: set[int] = set()
    for first, last in pairwise(sorted({0, *breaks, len(question.tokens)})):
        cues = [
            c
            for c in question.cues_of("exception", "negation", "count")
            if first <= c.span.first and c.span.last <= last
        ]
        cued = {i for c in cues for i in c.span}
        nouns = [t for t in typed if first <= t.span.first and t.span.last <= last]
        left = set(range(first, last)) - cued - {i for t in nouns for i in t.span}
        kinds = {c.kind for c in cues}
        is_told = "exception" in kinds or {"negation", "count"} <= kinds
        is_told |= question.tokens[last - 1].lower == "aside"
        is_told &= question.tokens[first].lower != "but"
        is_aside = is_told and all(question.tokens[i].lower in _LEAVING for i in left)
        others = {t.name for t in typed} - {t.name for t in nouns}
        if is_aside and len({t.name for t in nouns}) == 1 and others:
            inside |= set(range(first, last))
    return inside


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
