"""Where words stand in a question, which tells nouns from verbs, and states from deeds."""

from collections.abc import Set as AbstractSet
from typing import Final

from trivium.domain.question import Span, TermKind, Understood
from trivium.language.text import is_participle

_DETERMINERS: Final = frozenset(
    {"earlier", "later", "other", "further", "such", "these", "those", "both", "any", "no",
     "which", "what", "whose", "many", "the", "all", "every", "our", "their", "its", "a",
     "an", "of", "most", "fewest", "least", "more", "fewer", "several", "two", "three", "some",
     "one", "each", "own"}
)  # fmt: skip
"""Words before a noun, which tell it from a verb of the same form."""
_PREPOSITIONS: Final = frozenset({"in", "from", "for", "with", "behind", "without", "between"})
_SAYING: Final = frozenset(
    {
        "in",
        "of",
        "with",
        "without",
        "that",
        "which",
        "whose",
        "where",
        "for",
        "from",
        "who",
        "by",
        "over",
        "under",
        "worth",
    }
)
"""Words after a noun with which a question opens."""
_ABLE: Final = frozenset({"can", "cannot", "could", "can't", "couldn't", "t", "will", "won't"})


def able(question: Understood) -> AbstractSet[Span]:
    """Return the values that are verbs after "can" or "cannot": "X can't deliver"."""
    return {
        t.span
        for t in question.terms_of(TermKind.VALUE)
        if t.span.first
        and question.tokens[t.span.first - 1].lower in _ABLE
        and not is_participle(question.tokens[t.span.first].lower)
    }


def states(question: Understood) -> AbstractSet[Span]:
    """Return the values that end a clause as the state of the noun before: "that is signed"."""
    types = {(t.span.last, t.name) for t in question.terms_of(TermKind.TYPE)}
    found = set()
    for value in question.terms_of(TermKind.VALUE):
        first, last = value.span.first, value.span.last
        words = [t.lower for t in question.tokens[max(0, first - 2) : last + 1]]
        is_said = words[:2] in (["that", "is"], ["that", "are"], ["which", "is"], ["which", "are"])
        is_last = not set(words[2 + len(value.span) :]) & _SAYING
        if is_said and is_last and (first - 2, value.owner) in types:
            found.add(value.span)
    return found


def nouns(question: Understood, breaks: frozenset[int]) -> AbstractSet[Span]:
    """Return the words that stand where a noun does: after a determiner, in a list, first."""
    return {
        t.span
        for t in question.terms
        if (
            question.tokens[t.span.first - 1].lower in _DETERMINERS | _PREPOSITIONS
            or t.span.first in breaks
            or _is_listed(question, t.span)
            if t.span.first
            else _opens_phrase(question, t.span)
        )
    }


def before_states(question: Understood, first: int) -> list[str]:
    """Return the word before a noun and its states, if there is one: "an" of "an open strike"."""
    states = {i for c in question.cues_of("open", "closed") for i in c.span}
    while first and first - 1 in states:
        first -= 1
    return [t.lower for t in question.tokens[max(0, first - 1) : first]]


def _is_listed(question: Understood, span: Span) -> bool:
    """Whether a word follows a type and "and", and ends what is said: "lenders and shows"."""
    is_last = span.last >= len(question.tokens)
    is_joined = question.tokens[span.first - 1].lower in {"and", "or"}
    types = {t.span.last for t in question.terms_of(TermKind.TYPE)}
    return is_last and is_joined and span.first - 1 in types


def _opens_phrase(question: Understood, span: Span) -> bool:
    """Whether a question opens with a noun of which something is said: "films in prep"."""
    after = [t.lower for t in question.tokens[span.last : span.last + 1]]
    return bool(after) and after[0] in _SAYING
