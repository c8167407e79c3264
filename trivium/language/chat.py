"""What people write around a question, and that asks for nothing: a greeting, a reason, thanks."""

import re
from collections.abc import Sequence
from typing import Final

from trivium.domain.question import Span, TermKind, Token, Understood
from trivium.language.words import general_words

_ENDS: Final = re.compile(r"[.!?;:]\s|[.!?;:]$|\s[-–—]\s")
_CHATTING: Final = frozenset(
    {"i", "me", "my", "we", "us", "hi", "hello", "hey", "hiya", "morning", "afternoon", "please",
     "thanks", "thank", "cheers", "sorry", "quick", "question"}
)  # fmt: skip
"""Words of which a sentence beside a question has one."""
_QUESTION_WORDS: Final = frozenset(
    {"what", "which", "who", "whom", "whose", "where", "when", "why", "how"}
)
_IDLE_KINDS: Final = frozenset({"greeting", "thanks", "assistant", "yes_no", "now", "document",
                                "contents", "profile", "narrative"})  # fmt: skip
"""Kinds of cue that may stand in it."""


def asked_part(reading: Understood) -> str | None:
    """Return the text without what stands around the question; ``None`` where nothing does.

    What names something of the domain, a number or a time is never left out.
    """
    sentences = _sentences(reading.text, reading.tokens)
    kept = list(sentences)
    while len(kept) > 1 and _is_idle(reading, kept[0]):
        kept.pop(0)
    while len(kept) > 1 and _is_idle(reading, kept[-1]):
        kept.pop()
    if len(kept) == len(sentences) or not _asks(reading, kept):
        return None
    start = reading.tokens[kept[0].first].start
    ahead = reading.tokens[kept[-1].last :]
    return reading.text[start : ahead[0].start if ahead else None].strip()


def _sentences(text: str, tokens: Sequence[Token]) -> list[Span]:
    found, first = [], 0
    for index in range(1, len(tokens)):
        if _ENDS.search(text[tokens[index - 1].end : tokens[index].start]):
            found.append(Span(first=first, last=index))
            first = index
    return [*found, Span(first=first, last=len(tokens))] if tokens else []


def _is_idle(reading: Understood, sentence: Span) -> bool:
    words = {reading.tokens[i].lower for i in sentence}
    verbs = reading.terms_of(TermKind.RELATION)
    telling = [
        *(m.span for m in reading.mentions),
        *(t.span for t in reading.terms if t not in verbs),
        *(t.span for t in reading.times),
        *(q.span for q in reading.quantities if reading.words(q.span).casefold() != "one"),
        *(c.span for c in reading.cues if c.kind not in _IDLE_KINDS),
    ]
    is_chat = bool(words & _CHATTING) and not words & _QUESTION_WORDS
    return is_chat and not any(span.overlaps(sentence) for span in telling)


def _asks(reading: Understood, kept: Sequence[Span]) -> bool:
    """Whether what is kept has a word that says something."""
    tokens = (reading.tokens[i] for sentence in kept for i in sentence)
    return any(general_words().is_content(token) for token in tokens)
