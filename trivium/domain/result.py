"""What an answer *is*, for programs: one class for each result kind of the door."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from trivium.domain.knowledge import Value

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Nodes:
    """The exact set of entities asked for; empty means none."""

    ids: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {"kind": "nodes", "ids": list(self.ids)}


@dataclass(frozen=True, slots=True)
class Ranking:
    """Entities with a number each, in the order asked for."""

    pairs: tuple[tuple[str, float], ...]

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {"kind": "ranking", "ranking": [[key, tidy(number)] for key, number in self.pairs]}


@dataclass(frozen=True, slots=True)
class Number:
    """One number, with its unit where it has one."""

    number: float
    unit: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {"kind": "number", "number": tidy(self.number), "unit": self.unit}


@dataclass(frozen=True, slots=True)
class Truth:
    """Yes or no, with the entities asked for beside it."""

    value: bool
    ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {"kind": "boolean", "value": self.value, "ids": list(self.ids)}


@dataclass(frozen=True, slots=True)
class Day:
    """A date."""

    date: str

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {"kind": "date", "date": self.date}


@dataclass(frozen=True, slots=True)
class Paths:
    """The shortest ways between two entities; the first stands for all. Empty: not connected."""

    paths: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        first = list(self.paths[0]) if self.paths else []
        return {"kind": "path", "path": first, "paths": [list(path) for path in self.paths]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two entities side by side."""

    a: str
    b: str
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    values: Mapping[str, tuple[Value, Value]] = field(default_factory=dict)
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    only_a: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    only_b: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {
            "kind": "comparison",
            "comparison": {
                "a": self.a,
                "b": self.b,
                "counts": {key: list(pair) for key, pair in self.counts.items()},
                "values": {key: [tidy(v) for v in pair] for key, pair in self.values.items()},
                "shared": _lists(self.shared),
                "only_a": _lists(self.only_a),
                "only_b": _lists(self.only_b),
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FactValue:
    """One value of a ``Values`` result."""

    entity: str
    attribute: str
    value: Value
    unit: str | None = None
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Values:
    """Facts."""

    values: tuple[FactValue, ...]

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {
            "kind": "values",
            "values": [
                {
                    "entity": v.entity,
                    "attribute": v.attribute,
                    "value": v.value,
                    "unit": v.unit,
                    "as_of": v.as_of,
                }
                for v in self.values
            ],
        }


@dataclass(frozen=True, slots=True)
class Prose:
    """No structured result: the text alone answers."""

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {"kind": "none"}


Result: TypeAlias = Nodes | Ranking | Number | Truth | Day | Paths | Comparison | Values | Prose


def tidy(value: _T) -> _T | int | float:
    """Round a float to 4 decimals, and show a whole one as an int.

    >>> tidy(2.0), tidy(0.30000000000000004), tidy("x")
    (2, 0.3, 'x')
    """
    if isinstance(value, float):
        rounded = round(value, 4)
        return int(rounded) if rounded.is_integer() else rounded
    return value


def _lists(groups: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {key: list(members) for key, members in groups.items()}
