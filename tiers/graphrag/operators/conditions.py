"""Conditions on the properties of entities and relations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, assert_never

from trivium.domain.errors import InputError, PlanError
from trivium.domain.knowledge import Value
from trivium.domain.time import Moment
from trivium.language.text import fold
from trivium.language.times import period_of


class Test(StrEnum):
    """How a property value is held against the value of a condition."""

    __test__ = False  # not a test class, whatever pytest thinks

    EQUALS = "="
    DIFFERS = "!="
    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="
    CONTAINS = "contains"
    IN = "in"
    WITHIN = "within"
    """A date or a quarter that lies within a period, given as ``first day/last day``."""


NEGATED: Final = {
    Test.ABOVE: Test.AT_MOST,
    Test.AT_MOST: Test.ABOVE,
    Test.BELOW: Test.AT_LEAST,
    Test.AT_LEAST: Test.BELOW,
    Test.EQUALS: Test.DIFFERS,
}
"""What holds of a number where a test of it does not."""
TURNED: Final = {Test.ABOVE: Test.BELOW, Test.BELOW: Test.ABOVE}
"""What holds of the second of two numbers where a test holds of the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """``property test value``; a property that is absent fails every test but ``!=``."""

    property: str
    test: Test = Test.EQUALS
    value: Value | tuple[Value, ...] = None

    def to_json(self) -> dict[str, object]:
        """Return the form that plans show."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {"property": self.property, "test": self.test.value, "value": value}


def meets(properties: Mapping[str, Value], conditions: Sequence[Condition]) -> bool:
    """Whether ``properties`` meet all ``conditions``.

    >>> meets({"tier": 1}, [Condition(property="tier", test=Test.AT_MOST, value=1)])
    True
    """
    return all(_meets(properties.get(c.property), c) for c in conditions)


def _meets(value: Value, condition: Condition) -> bool:
    wanted = condition.value
    match condition.test:
        case Test.EQUALS:
            return value is not None and _same(value, _one(wanted))
        case Test.DIFFERS:
            return not _same(value, _one(wanted))
        case Test.IN:
            options = wanted if isinstance(wanted, tuple) else (wanted,)
            return value is not None and any(_same(value, option) for option in options)
        case Test.CONTAINS:
            return value is not None and fold(str(_one(wanted))) in fold(str(value))
        case Test.WITHIN:
            return value is not None and _within(str(value), str(_one(wanted)))
        case Test.ABOVE | Test.AT_LEAST | Test.BELOW | Test.AT_MOST:
            return value is not None and _ordered(value, condition.test, _one(wanted))
        case _ as unreachable:
            assert_never(unreachable)


def _one(value: Value | tuple[Value, ...]) -> Value:
    if isinstance(value, tuple):
        raise PlanError("this test takes one value, not several")
    return value


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        return fold(a) == fold(b)
    if isinstance(a, str) or isinstance(b, str):
        return a is not None and b is not None and fold(str(a)) == fold(str(b))
    return a == b


def _ordered(value: Value, test: Test, wanted: Value) -> bool:
    """Compare numbers as numbers, and other values as texts (ISO dates sort as such)."""
    if isinstance(value, (int, float)) and isinstance(wanted, (int, float)):
        left, right = float(value), float(wanted)
        return _compare(left - right, test)
    if isinstance(value, (int, float)) or isinstance(wanted, (int, float)):
        return False
    a, b = str(value), str(wanted)
    return _compare((a > b) - (a < b), test)


def _compare(difference: float, test: Test) -> bool:
    if test is Test.ABOVE:
        return difference > 0
    if test is Test.AT_LEAST:
        return difference >= 0
    return difference < 0 if test is Test.BELOW else difference <= 0


def _within(value: str, period: str) -> bool:
    """Whether a date, date-time, month or quarter as text lies within a period."""
    first, _, last = period.partition("/")
    try:
        wanted = Moment.between(date.fromisoformat(first), date.fromisoformat(last or first))
    except ValueError as error:
        raise PlanError(f"{period!r} is no period") from error
    try:
        moment = period_of(value) or Moment.of(value)
    except InputError:
        return False
    return wanted.start <= moment.start and moment.end <= wanted.end
