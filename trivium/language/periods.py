"""Periods of the calendar, and those that are told from today: "last year", "two weeks ago"."""

import calendar
import re
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
_FAR_UNITS: Final = frozenset({"month", "months", "year", "years"})
"""Units of a time to come; "within 30 days" is how long something takes."""
ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
         "tenth", "eleventh", "twelfth"), 1,
    )
}  # fmt: skip
_DECADES: Final = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
    "seventies": 70, "eighties": 80, "nineties": 90,
}  # fmt: skip
_CENTURIES: Final = {
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20,
}  # fmt: skip
_LAST_CENTURY: Final = 99
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The months in which seasons begin, in the north."""


def told_from_today(words: list[str], today: date) -> tuple[int, Moment] | None:
    """Read "last year", "this month", "the past 18 months", "two weeks ago" and "yesterday".

    Days to come stand in suppositions ("X fails tomorrow"), and are no time asked about.

    Raises:
        ValueError, OverflowError: it is beyond the first or the last year of the calendar.
    """
    first, *rest = words
    if first == "yesterday":
        day = _shifted(today, "day", -1)
        return 1, Moment.between(day, day)
    if first in CALENDAR and rest[:1] and rest[0] in _OF_CALENDAR:
        return 2, _calendar(_shifted(today, rest[0], CALENDAR[first]), rest[0])
    if first == "past" and rest[:1] and rest[0] in _OF_CALENDAR:
        return 2, Moment.between(_shifted(today, rest[0], -1) + timedelta(days=1), today)
    if first == "within":  # "within two years": the next two
        is_ahead = rest[1:2] and rest[1] in _FAR_UNITS and rest[2:3] != ["of"]
        return told_from_today(["next", *rest], today) if is_ahead else None
    number = _count(first if first not in _ROLLING else rest[0] if rest else "")
    unit = (rest[1:2] if first in _ROLLING else rest[:1]) or [""]
    if number is None or unit[0] not in _UNITS_OF_TIME:
        return None
    if first not in _ROLLING:
        ago = _shifted(today, unit[0], -number)
        return (3, Moment.between(ago, ago)) if rest[1:2] == ["ago"] else None
    step = timedelta(days=1)
    if first == "next":
        return 3, Moment.between(today + step, _shifted(today, unit[0], number))
    return 3, Moment.between(_shifted(today, unit[0], -number) + step, today)


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


def as_year(word: str) -> int | None:
    """Return the year that a word is, of this century or the last."""
    return int(word) if re.fullmatch(r"(?:19|20)\d\d", word) else None


def quarter_of_year(words: list[str], today: date) -> tuple[int, Moment] | None:
    """Read ``Q4 2025`` (cut into ``q``, ``4``, ``2025``) and ``2025-Q4``."""
    year: int | None
    if words[0] == "q" and len(words) > 1 and words[1] in {"1", "2", "3", "4"}:
        quarter, year = int(words[1]), as_year(words[2]) if len(words) > 2 else None
        used = 3 if year else 2
    elif as_year(words[0]) and words[1:2] == ["q"] and words[2:3] and words[2] in set("1234"):
        quarter, year, used = int(words[2]), int(words[0]), 3
    else:
        return None
    return used, months_of(year or today.year, quarter * 3 - 2, quarter * 3)


def part_of_year(words: list[str], today: date) -> tuple[int, Moment] | None:
    """Read ``third quarter of 2025``, ``first half of 2024`` and ``H1 2024``."""
    months = {"quarter": 3, "half": 6}
    if words[0] == "h" and words[1:2] and words[1] in set("12"):
        number, length, used = int(words[1]), months["half"], 2
    elif words[1:2] and words[1] in months and (words[0] in ORDINALS or words[0] == "last"):
        length, used = months[words[1]], 2
        number = ORDINALS.get(words[0], 12 // length)
    else:
        return None
    used += words[used : used + 1] == ["of"]
    year = as_year(words[used]) if len(words) > used else None
    if words[used : used + 2] in (["this", "year"], ["last", "year"], ["next", "year"]):
        year, used = today.year + CALENDAR[words[used]], used + 1
    if year is None or number * length > 12:
        return None
    return used + 1, months_of(year, number * length - length + 1, number * length)


def decade_or_century(words: list[str], today: date) -> tuple[int, Moment] | None:
    """Read ``the nineties``, ``1990s`` (cut into ``1990``, ``s``) and ``nineteenth century``."""
    decade = _DECADES.get(words[0])
    if decade is None and words[1:2] == ["s"] and words[0].endswith("0") and words[0].isdecimal():
        decade = int(words[0])
    if decade is not None:
        is_short = decade < 100  # "the 90s"
        year = decade + (1900 if decade > today.year % 100 else 2000) if is_short else decade
        used = 1 if words[0] in _DECADES else 2
        return used, Moment.between(date(year, 1, 1), date(year + 9, 12, 31))
    number, used = _CENTURIES.get(words[0]), 1
    if number is None and words[1:2] == ["th"]:
        number, used = digits(words[0], 2), 2
    if number is None or words[used : used + 1] != ["century"] or not 0 < number < _LAST_CENTURY:
        return None
    last = number * 100
    return used + 1, Moment.between(date(last - 99, 1, 1), date(last, 12, 31))


def season(words: list[str], today: date) -> tuple[int, Moment] | None:
    """Read ``spring 2020``, ``summer of 2020``, ``this summer`` and ``last winter``."""
    if words[0] in {"this", "last"} and words[1:2] and words[1] in _SEASONS:
        first = _SEASONS[words[1]]
        ended = (
            m for y in range(today.year, 0, -1) if (m := _season(y, first)).last_day < str(today)
        )
        return 2, _season(today.year, first) if words[0] == "this" else next(ended)
    used = 2 if words[1:2] == ["of"] else 1
    year = as_year(words[used]) if len(words) > used else None
    if words[0] not in _SEASONS or year is None:
        return None
    return used + 1, _season(year, _SEASONS[words[0]])


def _season(year: int, first: int) -> Moment:
    """Return the season that begins in a month; a winter ends in the year after."""
    if first < 12:
        return months_of(year, first, first + 2)
    end = date(year + 1, 2, calendar.monthrange(year + 1, 2)[1])
    return Moment.between(date(year, 12, 1), end)
