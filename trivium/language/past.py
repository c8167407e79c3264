"""Whether a question asks for what held before now, and not for what holds."""

from typing import Final

from trivium.domain.question import Cue, Understood
from trivium.language.text import is_past

_OF_ORDER: Final = frozenset({"before", "prior", "earlier"})
"""Words that also put one thing before another: "how many days before an examination"."""
_PAST: Final = frozenset({"was", "were", "did", "had", "used"})


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
    words = [token.lower for token in question.tokens]
    return _is_of_now(question, cue) or any(word in _PAST or is_past(word) for word in words)
