"""Days, instants and validity: when something holds, and when a question is about."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from trivium.domain.errors import InputError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FOREVER: Final = 2**62


def _instant(moment: datetime) -> int:
    """Microseconds since 1970 in UTC; a naive date-time is read as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def _is_plain_date(text: str) -> bool:
    return len(text) == 10 and text[4] == "-" and text[7] == "-"


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
        if isinstance(value, str):
            text = value.strip()
            if _is_plain_date(text):
                value = date.fromisoformat(text)
            else:
                value = datetime.fromisoformat(text)
        if isinstance(value, datetime):
            return _instant(value)
        day = datetime(value.year, value.month, value.day, tzinfo=UTC)
        return _instant(day + timedelta(days=1) if ends else day)
    except (ValueError, OverflowError, AttributeError) as error:
        raise InputError(f"{value!r} is not an ISO date or date-time") from error


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
        text = value.strip() if isinstance(value, str) else value.isoformat()
        start = parse_instant(value)
        is_day = not isinstance(value, datetime) and _is_plain_date(text)
        return cls(start, parse_instant(value, ends=True) if is_day else start, text)

    @classmethod
    def between(cls, first: date, last: date) -> "Moment":
        """Return the period from ``first`` to ``last``, both days included."""
        text = f"{first.isoformat()}/{last.isoformat()}" if first != last else first.isoformat()
        return cls(parse_instant(first), parse_instant(last, ends=True), text)

    @property
    def day(self) -> str:
        """The ISO date on which the moment begins."""
        return (_EPOCH + self.start * _MICROSECOND).date().isoformat()

    @property
    def last_day(self) -> str:
        """The ISO date on which the moment ends."""
        return (_EPOCH + max(self.start, self.end - 1) * _MICROSECOND).date().isoformat()


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
        start = parse_instant(valid_from) if valid_from else -_FOREVER
        end = parse_instant(valid_to, ends=True) if valid_to else _FOREVER
        return cls(start, end)

    def holds(self, moment: Moment) -> bool:
        """Whether this holds at some time within ``moment``; an empty interval never does."""
        if self.start >= self.end:
            return False
        if moment.start == moment.end:
            return self.start <= moment.start < self.end
        return self.start < moment.end and self.end > moment.start

    @property
    def has_start(self) -> bool:
        """Whether there is a first instant."""
        return self.start > -_FOREVER

    @property
    def has_end(self) -> bool:
        """Whether there is a last instant."""
        return self.end < _FOREVER


ALWAYS: Final = Validity()
"""Unbounded validity."""

ANY_TIME: Final = Moment(-_FOREVER, _FOREVER, "any time")
"""The moment that every non-empty validity overlaps."""
