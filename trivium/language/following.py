"""Follow-ups: a question that means nothing without the one before it, completed from that."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, TypeAlias, TypeVar

from trivium.domain.question import (
    Cue,
    Mention,
    Quantity,
    Span,
    Term,
    TermKind,
    TimeExpression,
    Understood,
)
from trivium.language.text import visible
from trivium.language.words import general_words

_Spanned = TypeVar("_Spanned", Mention, Term, TimeExpression, Quantity, Cue)
Read: TypeAlias = Callable[[str], Understood]
"""Reads a text as of the moment of the question."""

_FOLLOW_UP_OPENERS: Final = frozenset(
    {"and", "but", "or", "so", "then", "ok", "what", "how", "und", "et", "y"}
)
_LONGEST: Final = 8
"""Words of a question that its first word alone makes a follow-up."""
_ASKING: Final = frozenset({"who", "whom", "whose", "where", "when", "why", "which"})
_PRONOUNS: Final = frozenset(
    {"it", "its", "they", "them", "their", "theirs", "he", "she", "his", "her", "that", "those",
     "these", "this", "there", "one", "ones", "same"}
)  # fmt: skip
_OF_ONE: Final = frozenset({"it", "its", "he", "she", "him", "his", "her"})
_OWNING: Final = frozenset({"its", "his"})
_OF_FIRM: Final = frozenset({"they", "them", "their"})
"""What points back at the name of a firm, where nothing else is named before."""
_FIRST_PERSON: Final = frozenset({"i", "im", "we"})
_PLURAL: Final = frozenset({"them", "these", "those"})
_OPENING: Final = 5
"""Words at the start among which "of those" points back, whatever else a question names."""


def completed(reading: Understood, before: str, read: Read) -> Understood:
    """Return a question, completed from the one before it where it follows up on that."""
    if _names_alone(reading):
        return _put_in_place(reading, read(before), read)
    if not _is_follow_up(reading):
        return reading
    told = read(before)
    named = _with_name(reading, told, read) if _asks_anew(reading) else None
    return named or _joined(reading, told)


def about_named(reading: Understood, sentences: Sequence[Span]) -> str | None:
    """Return what follows a reason for asking, with the name that stands in the reason.

    "I take over Keystone on Monday. What does it cost?" asks what Keystone costs. ``None`` where
    nothing points back so: no name or several, or what is said of it is supposed, or of a time.
    """
    if len(sentences) < 2 or not _is_reason(reading, sentences[0]):
        return None
    (name,) = (m for m in reading.mentions if m.span.overlaps(sentences[0]))
    start = sentences[0].last
    spans = [m.span for m in reading.mentions] + [t.span for t in reading.terms_of(TermKind.TYPE)]
    first_own = min((s.first for s in spans if s.first >= start), default=len(reading.tokens))
    words = {i: reading.tokens[i].lower for i in range(start, len(reading.tokens))}
    pointing = [i for i, word in words.items() if word in _OF_ONE]
    if not pointing or min(pointing) < first_own:  # "which clinics send it their cases"
        ends = {s.last for s in spans}
        pointing += [
            i
            for i, word in words.items()
            if word in _OF_FIRM and (i < first_own or (word == "they" and i in ends))
        ]
    if not pointing or min(pointing) > first_own + _OPENING:
        return None
    text, end = "", reading.tokens[start].start
    for token in (reading.tokens[i] for i in sorted(pointing)):
        owned = "'s" if token.lower in _OWNING | {"their"} else ""
        text += f"{reading.text[end : token.start]}{reading.words(name.span)}{owned}"
        end = token.end
    return text + reading.text[end:]


def _is_reason(reading: Understood, sentence: Span) -> bool:
    """Whether a sentence says why somebody asks, of one name: "I meet Fenwick today."."""
    opener = reading.tokens[sentence.first].lower
    named = [m for m in reading.mentions if m.span.overlaps(sentence)]
    cues = reading.cues_of("hypothetical", "removal", "negation", "exception")
    told = [c.span for c in cues] + [t.span for t in reading.times]
    is_plain = not any(span.overlaps(sentence) for span in told)
    is_named = len(named) == 1 and len(named[0].best) == 1
    return opener in _FIRST_PERSON and is_plain and is_named


def begins_at(question: Understood) -> int:
    """Return where the words of a follow-up begin in the text that it was completed to.

    It is 0 where nothing was put before them.
    """
    if not question.question.history:
        return 0
    own = visible(question.question.text)
    is_completed = len(question.text) > len(own) and question.text.endswith(own)
    return len(question.text) - len(own) if is_completed else 0


def _is_follow_up(reading: Understood) -> bool:
    words = [t.lower for t in reading.tokens]
    if not words:
        return False
    n_openers = sum(word in _FOLLOW_UP_OPENERS for word in words[:2])
    opens = words[0] in _FOLLOW_UP_OPENERS and len(words) <= _LONGEST * n_openers
    points_back = any(w in _PRONOUNS for w in words)
    names_nothing = not reading.mentions
    of_those = any(a == "of" and b in _PLURAL for a, b in pairwise(words[:_OPENING]))
    return of_those or (names_nothing and (opens or points_back or len(words) <= 5))


def _names_alone(reading: Understood) -> bool:
    """Whether a follow-up says only what it is about now: "and for X?", "what about X?"."""
    named = {i for m in reading.mentions if m.candidates for i in m.span}
    rest = [t for i, t in enumerate(reading.tokens) if i not in named]
    asks = any(t.lower in _ASKING or general_words().is_content(t) for t in rest)
    is_about = reading.has("profile", "count", "yes_no", "removal", "hypothetical")
    return bool(named) and len(rest) <= 4 and not asks and not is_about


def _put_in_place(reading: Understood, before: Understood, read: Read) -> Understood:
    """Ask the question before again of what a follow-up names, in place of the last of its kind."""
    own = next(m for m in reading.mentions if m.candidates)
    types = {c.type for c in own.best}
    named = [m for m in before.mentions if m.candidates]
    alike = [m for m in named if types & {c.type for c in m.best}] or named[:1]
    if not alike:
        return _joined(reading, before)
    span = alike[-1].span
    start, end = before.tokens[span.first].start, before.tokens[span.last - 1].end
    text = f"{before.text[:start]}{reading.words(own.span)}{before.text[end:]}"
    return read(text)


def _joined(reading: Understood, before: Understood) -> Understood:
    """Join a follow-up to the question before it; its own words come last and win."""
    joined = f"{before.text} {reading.text}"
    shift, offset = len(before.tokens), len(before.text) + 1
    moved = tuple(replace(t, start=t.start + offset, end=t.end + offset) for t in reading.tokens)
    own_types = {t.name for t in reading.terms_of(TermKind.TYPE)}
    carried = before.cues if not reading.cues else ()
    dropped = {TermKind.TYPE} if own_types else set()
    if _asks_anew(reading):
        dropped.add(TermKind.RELATION)
    return replace(
        before,
        text=joined,
        tokens=before.tokens + moved,
        mentions=before.mentions + tuple(_moved(m, shift) for m in reading.mentions),
        terms=tuple(t for t in before.terms if t.kind not in dropped)
        + tuple(_moved(t, shift) for t in reading.terms),
        times=tuple(_moved(t, shift) for t in reading.times) or before.times,
        quantities=before.quantities + tuple(_moved(q, shift) for q in reading.quantities),
        cues=carried + tuple(_moved(c, shift) for c in reading.cues),
    )


def _with_name(reading: Understood, before: Understood, read: Read) -> Understood | None:
    """Read a follow-up with the one name of the question before it in place of its pronoun."""
    named = [m for m in before.mentions if m.candidates]
    at = next((t for t in reading.tokens if t.lower in _OF_ONE), None)
    if len(named) != 1 or at is None or (before.times and not reading.times):
        return None
    name = before.words(named[0].span) + ("'s" if at.lower in _OWNING else "")
    return read(f"{reading.text[: at.start]}{name}{reading.text[at.end :]}")


def _asks_anew(reading: Understood) -> bool:
    """Whether a follow-up asks something else of the same thing: "and who makes it?"."""
    words = {t.lower for t in reading.tokens}
    return (
        bool(words & _OF_ONE)
        and bool(words & _ASKING)
        and bool(reading.terms_of(TermKind.RELATION))
    )


def _moved(item: _Spanned, by: int) -> _Spanned:
    return replace(item, span=Span(first=item.span.first + by, last=item.span.last + by))
