"""Whether a question asks for what held before now, and not for what holds."""

import re
from typing import Final

from trivium.domain.question import Cue, TimeExpression, Understood
from trivium.language.text import is_past

_OF_ORDER: Final = frozenset({"before", "prior", "earlier"})
"""Words that also put one thing before another: "how many days before an examination"."""
_PAST: Final = frozenset({"was", "were", "did", "had", "used"})
_PRESENT: Final = frozenset({"do", "does", "may", "must", "can", "will", "shall", "has", "have"})
"""Verbs of the sentence that "before" stands in, by which it is told of now."""
_OLD: Final = frozenset({"old", "older", "former", "previous", "earlier", "superseded", "outdated"})
_EDITIONS: Final = frozenset({"edition", "editions", "version", "versions", "terms", "rules"})
"""Beside documents of all kinds, what may be an old one that something replaced."""
_OF: Final = frozenset({"from", "of", "dated"})
_WORDS_BETWEEN: Final = 3
"""Words that may stand between "old" and what is old: "the old standing notice"."""
_STOPPED: Final = re.compile(r"[.!?;](?:\s|$)")


def asks_of_the_past(question: Understood) -> bool:
    """Whether it says "formerly", "ever" or the like, or names an old edition.

    "Before" is of the past at the end of a question, or in one that is told in the past.
    """
    is_told = any(_is_of_the_past(question, cue) for cue in question.cues_of("before_now"))
    return question.has("ever") or is_told or _names_an_old_edition(question)


def is_of_an_edition(question: Understood, time: TimeExpression) -> bool:
    """Whether a time tells which edition of a document is meant: "the notice from 2023"."""
    first = time.span.first
    is_behind = question.tokens[first - 1].lower in _OF if first else False
    return first - is_behind in _ends_of_documents(question)


def asks_of_the_one_before(question: Understood) -> bool:
    """Whether it asks what held just before now: "formerly", or "before" at its end."""
    return any(_is_of_now(question, cue) for cue in question.cues_of("before_now"))


def _names_an_old_edition(question: Understood) -> bool:
    """Whether "old" or the like stands before a document of some kind: "the old house rules"."""
    ends = _ends_of_documents(question)
    return any(
        not ends.isdisjoint(range(index + 2, index + 3 + _WORDS_BETWEEN))
        for index, token in enumerate(question.tokens)
        if token.lower in _OLD
    )


def _ends_of_documents(question: Understood) -> frozenset[int]:
    """Return the places behind words for documents and their editions."""
    editions = (n for n, t in enumerate(question.tokens, 1) if t.lower in _EDITIONS)
    return frozenset([*editions, *(cue.span.last for cue in question.cues_of("document"))])


def _is_of_now(question: Understood, cue: Cue) -> bool:
    word = question.tokens[cue.span.last - 1].lower
    return word not in _OF_ORDER or cue.span.last == len(question.tokens)


def _is_of_the_past(question: Understood, cue: Cue) -> bool:
    if _is_of_now(question, cue):
        return True
    words = _sentence_around(question, cue)
    is_told_of_now = not _PRESENT.isdisjoint(words) and _PAST.isdisjoint(words)
    return not is_told_of_now and any(word in _PAST or is_past(word) for word in words)


def _sentence_around(question: Understood, cue: Cue) -> tuple[str, ...]:
    """Return the words of the sentence that a cue stands in: what is told before it is another."""
    ends = list(_STOPPED.finditer(question.text))
    start = question.tokens[cue.span.first].start
    first = max((end.end() for end in ends if end.end() <= start), default=0)
    last = min((end.start() for end in ends if end.start() > start), default=len(question.text))
    return tuple(t.lower for t in question.tokens if first <= t.start < last)
