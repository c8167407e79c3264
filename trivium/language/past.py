"""Whether a question asks for what held before now, and not for what holds."""

import re
from typing import Final

from trivium.domain.question import Cue, Understood
from trivium.language.text import is_past

_OF_ORDER: Final = frozenset({"before", "prior", "earlier"})
"""Words that also put one thing before another: "how many days before an examination"."""
_PAST: Final = frozenset({"was", "were", "did", "had", "used"})
_PRESENT: Final = frozenset({"do", "does", "may", "must", "can", "will", "shall", "has", "have"})
"""Verbs of the sentence that "before" stands in, by which it is told of now."""
_STOPPED: Final = re.compile(r"[.!?;](?:\s|$)")


def asks_of_the_past(question: Understood) -> bool:
    """Whether it says "formerly", "ever" or the like.

    "Before" is of the past at the end of a question, or in one that is told in the past.
    """
    return question.has("ever") or any(
        _is_of_the_past(question, cue) for cue in question.cues_of("before_now")
    )


def asks_of_the_one_before(question: Understood) -> bool:
    """Whether it asks what held just before now: "formerly", or "before" at its end."""
    return any(_is_of_now(question, cue) for cue in question.cues_of("before_now"))


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
