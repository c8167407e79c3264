"""For how long a number holds: "5,000 a day", "hours a week"."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Token, Understood
from trivium.language.text import spoken, stems
from trivium.language.words import general_words

_SURE: Final = 0.9


def is_rate(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word only says for how long a number holds: "5,000 a day", "per day"."""
    is_led_in = 0 < at < len(tokens) and tokens[at - 1].lower in {"a", "an", "per", "each", "every"}
    return is_led_in and tokens[at].stem in general_words().periods


def periods_said(tokens: Sequence[Token]) -> set[str]:
    """Return the times for which numbers are said to hold, as stems."""
    return {t.stem for i, t in enumerate(tokens) if is_rate(tokens, i)}


def counted_periods(question: Understood) -> frozenset[Span]:
    """Return the values that only are a length of time: "100 days", "costs most a year".

    "Once a year" and "every year" may be values, for they say how often.
    """
    tokens = question.tokens
    numbers = {q.span.last for q in question.quantities}

    def is_length(at: int) -> bool:
        is_led = at > 0 and tokens[at - 1].lower in {"a", "per"} and at - 1 not in numbers
        return tokens[at].stem in general_words().periods and (at in numbers or is_led)

    values = question.terms_of(TermKind.VALUE)
    return frozenset(t.span for t in values if is_length(t.span.first))


def holds_for(name: str, periods: set[str]) -> bool:
    """Whether a number is told for one of some times: ``doses_per_month``.

    What is counted in them is not: ``shelf_life_months``.
    """
    words = spoken(name).split()
    is_length = len(words) > 1 and words[-1].endswith("s")
    return bool(periods & set(stems(" ".join(words[:-1] if is_length else words))))


def without_named_times(question: Understood) -> Understood:
    """Leave out the times that are a part of a number's name: "cases last year"."""
    named = [t.span for t in question.terms_of(TermKind.PROPERTY) if t.score >= _SURE]
    times = tuple(
        t
        for t in question.times
        if not any(n.first <= t.span.first and t.span.last <= n.last for n in named)
    )
    return question if len(times) == len(question.times) else replace(question, times=times)


def told_for_time(question: Understood) -> Understood:
    """Keep, of the numbers that the same words name, those told for the time that is said.

    "Tonnes a year" are those of ``tonnes_year``, not of ``tonnes_week``.
    """
    said = periods_said(question.tokens)
    if len(said) != 1:
        return question
    by_span: dict[Span, list[Term]] = defaultdict(list)
    for term in question.terms_of(TermKind.PROPERTY):
        by_span[term.span].append(term)
    left_out = {
        id(t)
        for same in by_span.values()
        if any(_is_told(t, said) for t in same)
        for t in same
        if not _is_told(t, said)
    }
    return replace(question, terms=tuple(t for t in question.terms if id(t) not in left_out))


def _is_told(term: Term, periods: set[str]) -> bool:
    """Whether the last word of a property's name is the time that its number holds for."""
    words = stems(spoken(term.name))
    return len(words) > 1 and words[-1] in periods
