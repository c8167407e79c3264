"""Days and periods in a question."""

import calendar
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from trivium.domain.question import Span, TimeExpression, TimeRelation, Token
from trivium.domain.time import Moment
from trivium.language.periods import (
    CALENDAR,
    ORDINALS,
    as_year,
    decade_or_century,
    digits,
    months_of,
    part_of_year,
    quarter_of_year,
    season,
    told_from_today,
)
from trivium.language.text import tokenize
from trivium.language.words import general_words

MONTHS: Final = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_ORDINAL: Final = frozenset({"st", "nd", "rd", "th"})
_BEFORE: Final = frozenset({"before", "until", "prior", "pre", "till"})
_AFTER: Final = frozenset({"after", "post", "following"})
_SINCE: Final = frozenset({"since", "from", "starting"})
_LINKING: Final = frozenset(
    {"the", "of", "in", "on", "to", "day", "1st", "end", "start", "beginning", "early"}
)
_BEFORE_EDGE: Final = frozenset({"at", "by", "until", "till", "from", "since", "the", "to"})
"""Words before the noun "end", where no "of" follows it: "by end 2026"."""
_EDGES: Final = {"last": "end", "final": "end", "first": "start", "opening": "start"}
_VERBS_TOO: Final = frozenset({"may", "mar", "march"})
"""Months whose names are other words too: alone they need a word of time before them."""
_MONTH_FOLLOWS: Final = frozenset(
    {"in", "of", "by", "during", "last", "early", "late", "between", "than"}
)
_TO_MONTH: Final = frozenset({"and", "to", "until", "till"})
_LEADING_TO_YEAR: Final = frozenset({"before", "after", "since", "until", "till", "in", "by"})
_LONGEST: Final = 6
"""Words in the longest form: the 16 th of February 2024, and one to spare."""
_ANY_DAY: Final = date(2000, 1, 1)
"""Today, for what names its year itself."""


def find_times(tokens: Sequence[Token], today: date, text: str = "") -> tuple[TimeExpression, ...]:
    """Return the days and periods that ``tokens`` (words only, no marks) name.

    A month or day without a year is its last occurrence up to ``today``. Only with ``text``,
    from which the tokens are, can ``2024-02`` be told from a year and a number.
    """
    found: list[TimeExpression] = []
    index = 0
    while index < len(tokens):
        match = _match(tokens, index, today, text)
        if match is None:
            index += 1
            continue
        length, moment = match
        relation, n_after = _open_end(tokens, index + length)
        if relation is TimeRelation.BEFORE:
            moment = _day_after(moment)
        span = Span(first=index, last=index + length + n_after)
        relation = relation or _relation(tokens, index)
        found.append(TimeExpression(span=span, moment=moment, relation=relation))
        index = span.last
    return tuple(found)


def _open_end(tokens: Sequence[Token], index: int) -> tuple[TimeRelation | None, int]:
    """Read "2010 or later" and "2010 or before", with the words that it takes."""
    words = [t.lower for t in tokens[index : index + 2]]
    if words[:1] in (["onwards"], ["onward"]):
        return TimeRelation.SINCE, 1
    if words[:1] != ["or"] or len(words) < 2:
        return None, 0
    if words[1] in {"later", "after", "onwards", "newer", "since"}:
        return TimeRelation.SINCE, 2
    return (TimeRelation.BEFORE, 2) if words[1] in {"earlier", "before", "older"} else (None, 0)


def _day_after(moment: Moment) -> Moment:
    last = date.fromisoformat(moment.last_day)
    day = last + timedelta(days=1) if last < date.max else last
    return Moment.between(day, day)


def _match(
    tokens: Sequence[Token], index: int, today: date, text: str
) -> tuple[int, Moment] | None:
    """Return how many words name a time at ``index``, and which; none beyond the calendar."""
    try:
        return _longest_match(tokens, index, today, text)
    except (ValueError, OverflowError):  # before its first year, or after its last
        return None


def _longest_match(
    tokens: Sequence[Token], index: int, today: date, text: str
) -> tuple[int, Moment] | None:
    here = tokens[index : index + _LONGEST]
    words = [t.lower for t in here]
    found = _match_words(words, today) or told_from_today(words, today)
    found = found or _old_year(tokens, index, text)
    if found is None and words[0] == "today" and index:
        is_bound = tokens[index - 1].lower in _BEFORE | _AFTER  # "opens after today"
        return (1, Moment.between(today, today)) if is_bound else None
    if found is None:
        return _bare_month(tokens, index, today)
    is_year = found[0] == 1 and as_year(here[0].lower) is not None
    if is_year and len(here) > 1 and here[1].lower in general_words().units:
        return None  # "1900 metres"
    if is_year and len(here) > 1 and text[here[0].end : here[1].start] == "-":
        return _iso_month(here[0].lower, here[1].lower) or found
    return found


def _old_year(tokens: Sequence[Token], index: int, text: str) -> tuple[int, Moment] | None:
    """Read a year of earlier centuries, which is none without a word for a time before it.

    "Built before 1750", and at the end of what is said "in 1750".
    """
    word, before = tokens[index].lower, tokens[index - 1].lower if index else ""
    if not re.fullmatch(r"1[0-8]\d\d", word) or before not in _LEADING_TO_YEAR:
        return None
    after = tokens[index + 1 : index + 2]
    ends = not after or text[tokens[index].end : after[0].start].strip() != ""
    is_unit = bool(after) and after[0].lower in general_words().units
    if is_unit or (before in {"in", "by"} and not ends):
        return None
    return 1, months_of(int(word), 1, 12)


def _bare_month(tokens: Sequence[Token], index: int, today: date) -> tuple[int, Moment] | None:
    word = tokens[index].lower
    before = [t.lower for t in tokens[max(0, index - 2) : index]]
    is_month = before[-1:] and (
        before[-1] in _MONTH_FOLLOWS | _BEFORE | _AFTER | _SINCE
        or before == ["prior", "to"]
        or (before[0] in MONTHS and before[-1] in _TO_MONTH)  # "between January and March"
    )
    if word not in _VERBS_TOO or not is_month:
        return None
    month = MONTHS[word]
    return 1, months_of(_past_year(month, today), month, month)


def _iso_month(year: str, month: str) -> tuple[int, Moment] | None:
    number = digits(month, 2)
    if number is None or not 1 <= number <= 12:
        return None
    return 2, months_of(int(year), number, number)


def _match_words(words: list[str], today: date) -> tuple[int, Moment] | None:
    for reader in (
        _iso,
        _new_year,
        _day_month_year,
        _month_day_year,
        quarter_of_year,
        part_of_year,
        season,
        decade_or_century,
        _month_year,
        _year,
    ):
        result = reader(words, today)
        if result:
            return result
    return None


def _day(year: int, month: int, day: int) -> Moment | None:
    try:
        return Moment.between(date(year, month, day), date(year, month, day))
    except ValueError:
        return None


def _iso(words: list[str], today: date) -> tuple[int, Moment] | None:
    del today
    if len(words) < 3 or not as_year(words[0]):
        return None
    month, day = digits(words[1], 2), digits(words[2], 2)
    moment = _day(int(words[0]), month, day) if month and day else None
    return (3, moment) if moment else None


def _day_month_year(words: list[str], today: date) -> tuple[int, Moment] | None:
    day = digits(words[0], 2) or ORDINALS.get(words[0])
    rest = words[1:]
    used = 1
    while rest and (rest[0] in _ORDINAL or rest[0] == "of"):
        rest, used = rest[1:], used + 1
    if day is None or not rest or rest[0] not in MONTHS:
        return None
    month = MONTHS[rest[0]]
    year = as_year(rest[1]) if len(rest) > 1 else None
    if rest[1:3] in (["this", "year"], ["next", "year"], ["last", "year"]):
        moment = _day(today.year + CALENDAR[rest[1]], month, day)
        return (used + 3, moment) if moment else None
    moment = _day(year, month, day) if year else _past_day(month, day, today)
    return (used + (2 if year else 1), moment) if moment else None


def _new_year(words: list[str], today: date) -> tuple[int, Moment] | None:
    """Read "New Year's Eve 2024" and "New Year's Day"; without a year, the last one."""
    at = next((i for i, w in enumerate(words[:4]) if w in {"eve", "day"}), None)
    if at is None or [w for w in words[:at] if w != "s"] not in (["new", "year"], ["new", "years"]):
        return None
    month, day = (12, 31) if words[at] == "eve" else (1, 1)
    year = as_year(words[at + 1]) if len(words) > at + 1 else None
    moment = _day(year, month, day) if year else _past_day(month, day, today)
    return (at + (2 if year else 1), moment) if moment else None


def _month_day_year(words: list[str], today: date) -> tuple[int, Moment] | None:
    if words[0] not in MONTHS or len(words) < 2 or digits(words[1], 2) is None:
        return None
    month, rest = MONTHS[words[0]], words[2:]
    used = 2
    if rest and rest[0] in _ORDINAL:
        rest, used = rest[1:], used + 1
    year = as_year(rest[0]) if rest else None
    day = int(words[1])
    moment = _day(year, month, day) if year else _past_day(month, day, today)
    return (used + (1 if year else 0), moment) if moment else None


def _month_year(words: list[str], today: date) -> tuple[int, Moment] | None:
    if words[0] not in MONTHS:
        return None
    month = MONTHS[words[0]]
    if len(words) > 2 and words[1] in CALENDAR and words[2] == "year":
        return 3, months_of(today.year + CALENDAR[words[1]], month, month)
    year = as_year(words[1]) if len(words) > 1 else None
    if year is None and words[0] in _VERBS_TOO:
        return None
    return (2 if year else 1), months_of(year or _past_year(month, today), month, month)


def _year(words: list[str], today: date) -> tuple[int, Moment] | None:
    del today
    year = as_year(words[0])
    return (1, Moment.between(date(year, 1, 1), date(year, 12, 31))) if year else None


def _past_year(month: int, today: date) -> int:
    return today.year if month <= today.month else today.year - 1


def _past_day(month: int, day: int, today: date) -> Moment | None:
    """Return the last such day up to ``today``; a leap day may lie eight years back."""
    days = (_day(year, month, day) for year in range(today.year, max(0, today.year - 9), -1))
    return next((d for d in days if d and d.day <= today.isoformat()), None)


def _relation(tokens: Sequence[Token], index: int) -> TimeRelation:
    """Read the word before the time: ``before 2023``, ``since March``."""
    for back in range(index - 1, max(-1, index - _LONGEST), -1):
        word = tokens[back].lower
        if word in _BEFORE:
            return TimeRelation.BEFORE
        if word in _AFTER:
            return TimeRelation.AFTER
        if word in _SINCE:
            return TimeRelation.SINCE
        if word not in _LINKING:
            break
    return TimeRelation.ON


def narrowed(expression: TimeExpression, tokens: Sequence[Token]) -> Moment:
    """Return the moment, narrowed by ``end of`` or ``start of`` before it.

    "Deals that end this year" and "tours that start in May" say no such thing.
    """
    before = [t.lower for t in tokens[max(0, expression.span.first - 5) : expression.span.first]]
    moment = expression.moment
    is_of = False
    while before and before[-1] in {"the", "of"}:
        is_of = before.pop() == "of" or is_of
    if not is_of and not set(before[-2:-1]) & _BEFORE_EDGE:
        return moment
    is_day = is_of and before[-1:] == ["day"]
    before = [_EDGES.get(w, w) for w in before[-2:-1]] if is_day else before[-1:]
    if "end" in before:
        last = date.fromisoformat(moment.last_day)
        return Moment.between(last, last)
    if "start" in before or "beginning" in before:
        first = date.fromisoformat(moment.day)
        return Moment.between(first, first)
    return moment


def period_of(text: str) -> Moment | None:
    """Return the day, month, quarter or year that a stored value names, in full.

    >>> period_of("2025-Q4").text, period_of("2024-02-16").text, period_of("soon")
    ('2025-10-01/2025-12-31', '2024-02-16', None)
    """
    words = [token.lower for token in tokenize(text) if token.text[0].isalnum()]
    if not any(as_year(word) for word in words):
        return None
    if len(words) == 2 and as_year(words[0]) and digits(words[1], 2) is not None:
        month = _iso_month(*words)
        return month[1] if month else None
    result = _match_words(words, _ANY_DAY)
    return result[1] if result and result[0] == len(words) else None
