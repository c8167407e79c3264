"""Whether a question asks how a value developed, which way, and over what time."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import Final

from tiers.cag.forms import degrees
from tiers.cag.wording import Wording
from trivium.domain.question import TimeExpression, TimeRelation
from trivium.domain.time import Moment
from trivium.language.periods import told_from_today
from trivium.language.words import COURSE

_HIGHER: Final = frozenset({"more", "higher", "greater", "bigger", "larger", "later"})
_LOWER: Final = frozenset({"less", "fewer", "lower", "smaller", "earlier", "sooner"})
_JUDGING: Final = {"better": "better", "worse": "worse"}
_PAIR: Final = 2
_ROLLING: Final = frozenset({"last", "past"})
_FROM_THEN_ON: Final = frozenset({TimeRelation.SINCE, TimeRelation.AFTER})
_SPANNING: Final = frozenset({"over", "throughout", "between", "during"})
"""Words before a time over which something is told, rather than at its end."""
_THAT: Final = frozenset({"that", "this", "then", "the", "it", "last"})


class Wish(StrEnum):
    """What of a history is asked for."""

    COURSE = "course"
    """The values over a time, and how the last differs from the first."""
    LATEST = "latest"
    """When it last changed, and from what to what."""
    BEFORE = "before"
    """What it was before it last changed."""
    TWO_TIMES = "two times"
    """How it was at one time against another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A time over which something is told, in microseconds since 1970; ``None`` is open."""

    start: int | None = None
    first_end: int | None = None
    """Up to where a value still counts as the first: the end of March in "since March"."""
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """What a question asks of the history of a value."""

    wish: Wish
    way: str | None = None
    """``up``, ``down``, ``better``, ``worse``, or the adjective that says it; none: any way."""
    window: Window = Window()
    times: tuple[Moment, Moment] | None = None
    """Of two times, the one that the question is about, and the one that it is held against."""
    is_told: bool = True
    """Whether a word says that something changed; else only a time does."""


def development(wording: Wording, used: Collection[int] = ()) -> Development | None:
    """Return what the question asks of a history; ``None`` where it asks for a value alone.

    ``used`` are the words that say of what.
    """
    turns = [i for i in wording.turning if i in wording.own and i not in used]
    way = next((w for i in turns if (w := wording.turning[i]) != COURSE), None)
    if _is_before_change(wording):
        return Development(wish=Wish.BEFORE)
    if turns and wording.question.has("when", "since_when"):
        return Development(wish=Wish.LATEST, way=way)
    times = _times(wording)
    against = _against(wording, times)
    if against is not None:
        return Development(wish=Wish.TWO_TIMES, way=comparative(wording), times=against)
    if turns:
        return Development(wish=Wish.COURSE, way=way, window=_window(times))
    if any(_spans(wording, time) for time in times):
        return Development(wish=Wish.COURSE, window=_window(times), is_told=False)
    if len(times) == _PAIR:
        first, second = (time.moment for time in times)
        return Development(wish=Wish.TWO_TIMES, times=(first, second), is_told=False)
    return None


def _is_before_change(wording: Wording) -> bool:
    """Whether it ends in "before that", "before the last change" or "before it rose"."""
    words = [token.lower for token in wording.tokens]
    if "before" not in words:
        return False
    at = len(words) - 1 - words[::-1].index("before")
    rest = range(at + 1, len(words))
    is_said = all(i in wording.turning or words[i] in _THAT for i in rest)
    return is_said and len(rest) > 0 and not wording.question.has("when")


def _times(wording: Wording) -> list[TimeExpression]:
    """Return the times named, each in the year that it means.

    One without a year is of the year that the next one says: "between June and September 2024".
    """
    now = wording.question.moment
    times = sorted(_told_times(wording, now), key=lambda time: time.span.first)
    for n, (time, following) in enumerate(pairwise(times)):
        if not _has_year(wording, time) and _has_year(wording, following):
            times[n] = replace(time, moment=_before(time.moment, following.moment))
    return times


def _told_times(wording: Wording, now: Moment) -> Iterator[TimeExpression]:
    """Give the times; "the last year", of which things are told, is the twelve months to now."""
    today = date.fromisoformat(now.day)
    for time in wording.question.times:
        first, unit = time.span.first, wording.tokens[time.span.last - 1].lower
        is_rolling = wording.tokens[first].lower in _ROLLING and len(time.span) == _PAIR
        rolling = told_from_today(["last", "1", unit], today) if is_rolling else None
        after_the = first > 0 and wording.tokens[first - 1].lower == "the"
        yield replace(time, moment=rolling[1]) if rolling and after_the else time


def _has_year(wording: Wording, time: TimeExpression) -> bool:
    return any(re.fullmatch(r"(19|20)\d\d", wording.tokens[i].lower) for i in time.span)


def _before(moment: Moment, following: Moment) -> Moment:
    """Return a day or period without a year as the last one up to another."""
    first, last = (date.fromisoformat(day) for day in (moment.day, moment.last_day))
    end = date.fromisoformat(following.last_day)
    years = end.year - first.year
    try:
        moved = [day.replace(year=day.year + years) for day in (first, last)]
        back = [day.replace(year=day.year - 1) for day in moved]
    except ValueError:  # the 29th of February
        return moment
    return Moment.between(*(back if moved[0] > end else moved))


def _against(wording: Wording, times: Sequence[TimeExpression]) -> tuple[Moment, Moment] | None:
    """Return the two times of "higher in March than in June"; one alone is held against now."""
    than = next((i for i, t in enumerate(wording.tokens) if t.lower == "than"), None)
    if than is None or not 1 <= len(times) <= _PAIR:
        return None
    before = [t.moment for t in times if t.span.first < than]
    after = [t.moment for t in times if t.span.first > than]
    if len(after) != 1:
        return None
    return (before or [wording.question.moment])[0], after[0]


def comparative(wording: Wording) -> str | None:
    """Return which way a comparative goes: ``up``, ``down``, or the word itself."""
    for token in wording.tokens:
        word = token.lower
        if word in _HIGHER or word in _LOWER:
            return "up" if word in _HIGHER else "down"
        if word in _JUDGING:
            return _JUDGING[word]
    compared = (wording.tokens[c.span.first].lower for c in wording.cues("comparative"))
    return next((word for word in compared if degrees(word)), None)


def _spans(wording: Wording, time: TimeExpression) -> bool:
    """Whether something is told over a time: "over the last three years", "since 2024"."""
    before = [t.lower for t in wording.tokens[max(0, time.span.first - 2) : time.span.first]]
    return time.relation is TimeRelation.SINCE or bool(_SPANNING & set(before))


def _window(times: Sequence[TimeExpression]) -> Window:
    if not times:
        return Window()
    first, last = times[0], times[-1]
    if len(times) > 1:
        return Window(start=first.moment.start, first_end=first.moment.end, end=last.moment.end)
    if first.relation in _FROM_THEN_ON:
        is_after = first.relation is TimeRelation.AFTER
        start = first.moment.end if is_after else first.moment.start
        return Window(start=start, first_end=first.moment.end)
    if first.relation is TimeRelation.BEFORE:
        return Window(end=first.moment.start)
    day = Moment.of(first.moment.day)
    return Window(start=day.start, first_end=day.end, end=first.moment.end)
