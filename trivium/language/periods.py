"""Periods of the calendar, and those that are told from today: "last year", "two weeks ago"."""

import calendar
from datetime import date, timedelta
from typing import Final

from trivium.domain.time import Moment
from trivium.language.words import general_words

CALENDAR: Final = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}
"""Which of the calendar's years, quarters, months or weeks."""
_ROLLING: Final = frozenset({"last", "past", "previous", "next"})
"""Words before a number of them, counted from today."""
_OF_CALENDAR: Final = frozenset({"week", "month", "quarter", "year"})
_UNITS_OF_TIME: Final = frozenset(
    f"{unit}{s}" for unit in ("day", "week", "month", "quarter", "year") for s in ("", "s")
)


def told_from_today(words: list[str], today: date) -> tuple[int, Moment] | None:
    """Read "last year", "this month", "the past 18 months", "two weeks ago" and "yesterday".

    Days to come stand in suppositions ("X fails tomorrow"), and are no time asked about.
    """
    first, *rest = words
    if first == "yesterday":
        day = _shifted(today, "day", -1)
        return 1, Moment.between(day, day)
    if first in CALENDAR and rest[:1] and rest[0] in _OF_CALENDAR:
        return 2, _calendar(_shifted(today, rest[0], CALENDAR[first]), rest[0])
    number = _count(first if first not in _ROLLING else rest[0] if rest else "")
    unit = (rest[1:2] if first in _ROLLING else rest[:1]) or [""]
    if number is None or unit[0] not in _UNITS_OF_TIME:
        return None
    try:
        if first not in _ROLLING:
            ago = _shifted(today, unit[0], -number)
            return (3, Moment.between(ago, ago)) if rest[1:2] == ["ago"] else None
        step = timedelta(days=1)
        if first == "next":
            return 3, Moment.between(today + step, _shifted(today, unit[0], number))
        return 3, Moment.between(_shifted(today, unit[0], -number) + step, today)
    except (ValueError, OverflowError):
        return None


def _count(word: str) -> int | None:
    found = general_words().numbers.get(word)
    return digits(word, 3) if found is None else int(found)


def _shifted(day: date, unit: str, number: int) -> date:
    """Return the day so many units later; in a shorter month its last day."""
    unit = unit.removesuffix("s")
    if unit in {"day", "week"}:
        return day + timedelta(days=number * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + number * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def _calendar(day: date, unit: str) -> Moment:
    """Return the year, quarter, month or week around a day."""
    match unit:
        case "year":
            return months_of(day.year, 1, 12)
        case "quarter":
            first = (day.month - 1) // 3 * 3 + 1
            return months_of(day.year, first, first + 2)
        case "month":
            return months_of(day.year, day.month, day.month)
        case _:
            monday = day - timedelta(days=day.weekday())
            return Moment.between(monday, monday + timedelta(days=6))


def months_of(year: int, first: int, last: int) -> Moment:
    """Return the period from the first month to the last, both in whole."""
    end = date(year, last, calendar.monthrange(year, last)[1])
    return Moment.between(date(year, first, 1), end)


def digits(word: str, width: int) -> int | None:
    """Return the number that a word of so many digits at most is."""
    return int(word) if word.isdecimal() and len(word) <= width else None
