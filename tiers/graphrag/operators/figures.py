"""Numbers worked out from properties, and the groups that values fall into."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, TypeAlias, assert_never

from tiers.graphrag.view import Scope
from trivium.domain.errors import InputError
from trivium.domain.knowledge import Edge, Node, Value
from trivium.domain.time import Moment
from trivium.language.times import period_of

Arithmetic = Literal["+", "-", "*", "/"]
Bucket = Literal["year", "quarter", "month", "day"]


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """A property of the entity at one end of a relation."""

    end: Literal["source", "target"]
    property: str

    def to_json(self) -> dict[str, object]:
        """Return the form that plans show."""
        return {"end": self.end, "property": self.property}


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """Arithmetic over properties, such as a quantity times a price.

    An operand is the name of a property of the thing itself, a property at one end of a
    relation, a number, or another formula. Where one of them is no number, there is no result;
    nor is there one for a division by zero.
    """

    left: "Operand"
    how: Arithmetic
    right: "Operand"

    def to_json(self) -> dict[str, object]:
        """Return the form that plans show."""
        return {"left": _shown(self.left), "how": self.how, "right": _shown(self.right)}


Operand: TypeAlias = str | float | At | Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What things are put together by: a property, or the time at which it lies.

    ``end`` takes the property from an end of a relation. Without ``property`` the group is the
    entity at that end, or, with a ``bucket``, the day on which the thing began to hold.
    """

    property: str | None = None
    end: Literal["source", "target"] | None = None
    bucket: Bucket | None = None

    def to_json(self) -> dict[str, object]:
        """Return the form that plans show."""
        parts = {"property": self.property, "end": self.end, "bucket": self.bucket}
        return {key: value for key, value in parts.items() if value is not None}


def _shown(operand: Operand) -> object:
    return operand.to_json() if isinstance(operand, (At, Formula)) else operand


def number(value: Value) -> float | None:
    """Return a value as a number; a truth value, a text and what is not finite are none.

    >>> number(2), number(True), number("2"), number(float("inf"))
    (2.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def figure(scope: Scope, thing: Node | Edge, wanted: Operand) -> float | None:
    """Return the number that a thing has in a property, or by a formula; ``None`` for none."""
    match wanted:
        case str():
            return number(thing.properties.get(wanted))
        case At():
            return number(_properties_at(scope, thing, wanted.end).get(wanted.property))
        case Formula():
            left, right = figure(scope, thing, wanted.left), figure(scope, thing, wanted.right)
            return None if left is None or right is None else _worked_out(left, wanted.how, right)
        case _:
            return number(wanted)


def _properties_at(scope: Scope, thing: Node | Edge, end: str) -> Mapping[str, Value]:
    if not isinstance(thing, Edge):
        return {}
    node = scope.view.node(thing.source if end == "source" else thing.target)
    return node.properties if node else {}


def _worked_out(left: float, how: Arithmetic, right: float) -> float | None:
    match how:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/":
            result = left / right if right else math.nan
        case _ as unreachable:
            assert_never(unreachable)
    return result if math.isfinite(result) else None


def group_of(scope: Scope, thing: Node | Edge, by: Group) -> str | None:
    """Return the group of a thing as a text that sorts; ``None`` when it is in none."""
    if by.property is None:
        return _group_itself(thing, by)
    own = thing.properties if by.end is None else _properties_at(scope, thing, by.end)
    value = own.get(by.property)
    if value is None:
        return None
    return bucket_of(str(value), by.bucket) if by.bucket else str(value)


def _group_itself(thing: Node | Edge, by: Group) -> str | None:
    if by.bucket:
        began = thing.validity.first_day
        return bucket_of(began, by.bucket) if began else None
    if isinstance(thing, Edge):
        return thing.target if by.end == "target" else thing.source
    return thing.id


_LONGEST_DAYS: Final[Mapping[Bucket, int]] = {"year": 366, "quarter": 92, "month": 31, "day": 1}
_DAY: Final = 86_400_000_000
"""Microseconds in a day."""


def bucket_of(text: str, bucket: Bucket) -> str | None:
    """Return the year, quarter, month or day in which a stored date lies.

    A period longer than the bucket lies in none, nor does a text that is no date.

    >>> bucket_of("2024-05-17", "quarter"), bucket_of("2024-Q2", "month"), bucket_of("x", "year")
    ('2024-Q2', None, None)
    """
    moment = moment_of(text)
    if moment is None or moment.end - moment.start > _LONGEST_DAYS[bucket] * _DAY:
        return None
    first = _label(date.fromisoformat(moment.day), bucket)
    return first if first == _label(date.fromisoformat(moment.last_day), bucket) else None


def _label(day: date, bucket: Bucket) -> str:
    match bucket:
        case "year":
            return f"{day.year:04}"
        case "quarter":
            return f"{day.year:04}-Q{(day.month + 2) // 3}"
        case "month":
            return f"{day.year:04}-{day.month:02}"
        case "day":
            return day.isoformat()
        case _ as unreachable:
            assert_never(unreachable)


def moment_of(text: str) -> Moment | None:
    """Return the day, instant, month, quarter or year that a stored text names."""
    try:
        return Moment.of(text)
    except InputError:
        return period_of(text)
