"""Days, instants and validity: when something holds, and when a question is about."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from trivium.domain.errors import InputError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_DAY: Final = timedelta(days=1) // _MICROSECOND
_FIRST: Final = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_FOREVER: Final = 2**62


def _instant(moment: datetime) -> int:
    """Microseconds since 1970 in UTC; a naive date-time is read as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def _read(value: str | date | datetime) -> date | datetime:
    """Return what a text names: a day, where it says no more than a day."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    try:
        return date.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(text)


def _day_of(microseconds: int) -> str:
    """Return the ISO date of an instant in UTC; beyond the calendar, its first or last day."""
    if not _FIRST <= microseconds <= _LAST:
        return (date.min if microseconds < _FIRST else date.max).isoformat()
    return (_EPOCH + microseconds * _MICROSECOND).date().isoformat()


def parse_instant(value: str | date | datetime, *, ends: bool = False) -> int:
    """Return ``value`` in microseconds since 1970.

    Args:
        value: an ISO date or date-time. A date-time without a zone is UTC.
        ends: whether ``value`` closes an interval. A plain date then counts to the end of
            its day, because a last valid day is valid itself.

    Raises:
        InputError: ``value`` is neither a date nor a date-time.

    >>> parse_instant("1970-01-02")
    86400000000
    >>> parse_instant("1970-01-01", ends=True)
    86400000000
    """
    try:
        read = _read(value)
        if isinstance(read, datetime):
            return _instant(read)
        day = _instant(datetime(read.year, read.month, read.day, tzinfo=UTC))
        return day + _DAY if ends else day
    except (ValueError, OverflowError, AttributeError) as error:
        raise InputError(f"{value!r:.60} is not an ISO date or date-time") from error


@dataclass(frozen=True, slots=True)
class Moment:
    """What a question is about: an instant, a day or a longer period.

    Attributes:
        start: first microsecond since 1970.
        end: first microsecond after it; equal to ``start`` for an instant.
        text: the ISO text to show.
    """

    start: int
    end: int
    text: str

    @classmethod
    def of(cls, value: "str | date | datetime") -> "Moment":
        """Return the day or the instant that ``value`` names.

        Raises:
            InputError: ``value`` is neither a date nor a date-time.
        """
        start = parse_instant(value)
        end = parse_instant(value, ends=True)  # the same, unless it is a day
        return cls(start, end, value.strip() if isinstance(value, str) else value.isoformat())

    @classmethod
    def between(cls, first: date, last: date) -> "Moment":
        """Return the period from ``first`` to ``last``, both days included."""
        text = f"{first.isoformat()}/{last.isoformat()}" if first != last else first.isoformat()
        return cls(parse_instant(first), parse_instant(last, ends=True), text)

    @property
    def day(self) -> str:
        """The ISO date on which the moment begins."""
        return _day_of(self.start)

    @property
    def last_day(self) -> str:
        """The ISO date on which the moment ends."""
        return _day_of(max(self.start, self.end - 1))


@dataclass(frozen=True, slots=True)
class Validity:
    """When something holds: from ``start`` until just before ``end``.

    Both are microseconds since 1970; the defaults are unbounded.
    """

    start: int = -_FOREVER
    end: int = _FOREVER

    @classmethod
    def of(cls, valid_from: str | None, valid_to: str | None) -> "Validity":
        """Read two ISO texts; ``None`` and blank are unbounded.

        A plain date in ``valid_to`` is the last valid day; a date-time is the first instant
        at which it is no longer valid.

        Raises:
            InputError: one of them is not an ISO date or date-time.
        """
        first, last = (valid_from or "").strip(), (valid_to or "").strip()
        start = parse_instant(first) if first else -_FOREVER
        end = parse_instant(last, ends=True) if last else _FOREVER
        return cls(start, end)

    def holds(self, moment: Moment) -> bool:
        """Whether this holds at some time within ``moment``; an empty interval never does."""
        if self.is_empty:
            return False
        if moment.start == moment.end:
            return self.start <= moment.start < self.end
        return self.start < moment.end and self.end > moment.start

    def has_begun(self, moment: Moment) -> bool:
        """Whether this held within ``moment`` or before; an empty interval never did."""
        return not self.is_empty and self.start < max(moment.end, moment.start + 1)

    @property
    def is_empty(self) -> bool:
        """Whether it ends before it begins, so that it never holds."""
        return self.start >= self.end

    @property
    def has_start(self) -> bool:
        """Whether there is a first instant."""
        return self.start > -_FOREVER

    @property
    def has_end(self) -> bool:
        """Whether there is a last instant."""
        return self.end < _FOREVER

    @property
    def first_day(self) -> str | None:
        """The ISO date, in UTC, on which this begins to hold; ``None`` when unbounded."""
        return _day_of(self.start) if self.has_start else None

    @property
    def last_day(self) -> str | None:
        """The ISO date, in UTC, on which this still holds; ``None`` when unbounded."""
        return _day_of(self.end - 1) if self.has_end else None


ALWAYS: Final = Validity()
"""Unbounded validity."""

ANY_TIME: Final = Moment(-_FOREVER, _FOREVER, "any time")
"""The moment that every non-empty validity overlaps."""
