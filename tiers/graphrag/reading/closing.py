"""The end of a question that only asks again which one is meant: "and if so, which is it?"."""

from dataclasses import replace
from typing import Final

from tiers.graphrag.reading.terms import marks
from trivium.domain.question import Understood

_ASKING: Final = frozenset({"which", "what", "whats", "name"})
_AROUND: Final = _ASKING | {
    "and", "if", "so", "is", "are", "s", "it", "they", "them", "that", "those", "one", "ones",
    "called", "the", "its", "their", "would", "be", "say", "tell", "me", "us", "please", "exactly",
    "by", "names",
}  # fmt: skip
_LEAST: Final = 3
"""Words of a question before its end."""


def cut_closing(question: Understood) -> Understood:
    """Return a question without the end that only asks which one is meant, where it has one."""
    breaks, _ = marks(question)
    words = [t.lower for t in question.tokens]
    at = next((b for b in sorted(breaks) if b >= _LEAST and _only_asks(set(words[b:]))), None)
    if at is None:
        return question
    return replace(
        question,
        text=question.text[: question.tokens[at].start],
        tokens=question.tokens[:at],
        mentions=tuple(m for m in question.mentions if m.span.last <= at),
        terms=tuple(t for t in question.terms if t.span.last <= at),
        cues=tuple(c for c in question.cues if c.span.last <= at),
        times=tuple(t for t in question.times if t.span.last <= at),
        quantities=tuple(q for q in question.quantities if q.span.last <= at),
    )


def _only_asks(words: set[str]) -> bool:
    return (bool(words & _ASKING) and words <= _AROUND) or ("tie" in words and "if" in words)
