"""Steps of plans as parameterised Cypher: values are parameters, names come from the schema."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, TypeAlias

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.stores.dialects import Dialect
from trivium.domain.errors import InputError, PlanError
from trivium.domain.knowledge import Value
from trivium.domain.time import ALWAYS, Moment
from trivium.language.text import fold
from trivium.language.times import period_of

_SYMBOLS: Final[Mapping[Test, str]] = {
    Test.ABOVE: ">",
    Test.AT_LEAST: ">=",
    Test.BELOW: "<",
    Test.AT_MOST: "<=",
}
_SETS: Final = {
    "union": "UNWIND {a} AS id RETURN id UNION UNWIND {b} AS id RETURN id",
    "intersection": "UNWIND {a} AS id WITH id WHERE id IN {b} RETURN DISTINCT id",
    "difference": "UNWIND {a} AS id WITH id WHERE NOT id IN {b} RETURN DISTINCT id",
}
Facets: TypeAlias = Mapping[str, Mapping[str, object]]


def facets_of(properties: Mapping[str, Value]) -> Facets:
    """Return properties in the forms in which queries compare them; see ``dialects.FACETS``."""
    known = {key: value for key, value in properties.items() if value is not None}
    spans = {key: span for key, value in known.items() if (span := _span(str(value)))}
    return {
        "words": {key: fold(str(value)) for key, value in known.items()},
        "texts": {key: value for key, value in known.items() if isinstance(value, str)},
        "numbers": {
            key: float(value)
            for key, value in known.items()
            if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max
        },
        "firsts": {key: span.start for key, span in spans.items()},
        "lasts": {key: span.end for key, span in spans.items()},
    }


def _span(text: str) -> Moment | None:
    try:
        return period_of(text) or Moment.of(text)
    except InputError:
        return None


@dataclass(slots=True)
class Parameters:
    """The values of a plan's queries, each under its name."""

    values: dict[str, object] = field(default_factory=dict)

    def of(self, value: object) -> str:
        """Return the name of a parameter with this value; an equal one is used again."""
        for name, known in self.values.items():
            if type(known) is type(value) and known == value:
                return f"${name}"
        name = f"p{len(self.values) + 1}"
        self.values[name] = value
        return f"${name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Writes the queries of one moment in one dialect.

    Sets of entities are given by the name of a parameter, such as ``$s1``.
    """

    dialect: Dialect
    moment: Moment
    parameters: Parameters

    def find(
        self,
        *,
        node_type: str | None,
        where: Sequence[Condition] = (),
        ids: str | None = None,
        but: str | None = None,
    ) -> str:
        """Return the entities that are there, or those of ``ids``, there or not: ``id``."""
        tests = [] if ids else [self._holds("n")]
        if node_type is not None:
            tests.append(f"n.type = {self.parameters.of(node_type)}")
        if but:
            tests.append(f"NOT n.id IN {but}")
        tests += [self._test("n", condition) for condition in where]
        start = f"UNWIND {ids} AS id\nMATCH (n:Entity {{id: id}})" if ids else "MATCH (n:Entity)"
        told = f"\nWHERE {' AND '.join(tests)}" if tests else ""
        return f"{start}{told}\nRETURN DISTINCT n.id AS id"

    def hop(self, nodes: str, hop: Hop) -> str:
        """Return what one hop leads to: ``start, id``."""
        found = f"{self._start(nodes)}{self._match(0, hop)}"
        return f"{found}\nRETURN DISTINCT n0.id AS start, n1.id AS id"

    def count(self, nodes: str, path: Sequence[Hop], within: str | None = None) -> str:
        """Return how many distinct entities the path leads to from each: ``start, n``."""
        lines = [self._start(nodes)]
        for index, hop in enumerate(path):
            lines.append(self._match(index, hop))
            if index + 1 < len(path):
                lines.append(f"\nWITH DISTINCT start, n{index + 1}\n")
        last = f"n{len(path)}"
        if within:
            lines.append(f" AND {last}.id IN {within}")
        return "".join([*lines, f"\nRETURN start, count(DISTINCT {last}.id) AS n"])

    def neighbors(self, nodes: str, relation: str | None, *, outgoing: bool) -> str:
        """Return what is one relation away: ``id``."""
        name = f":{self.dialect.relation(relation)}" if relation is not None else ""
        pattern = self._pattern(0, name, outgoing=outgoing)
        tests = " AND ".join(self._holds(v) for v in ("n0", "r1", "n1"))
        return f"{self._start(nodes)}MATCH {pattern}\nWHERE {tests}\nRETURN DISTINCT n1.id AS id"

    def relations(
        self, relation: str, where: Sequence[Condition], nodes: str | None, *, outgoing: bool
    ) -> str:
        """Return relations that hold, of some entities or of all: ``said``."""
        name = f":{self.dialect.relation(relation)}"
        start = self._start(nodes) if nodes else ""
        bound = None if nodes else "(n0:Entity)"
        tests = [self._holds(v) for v in ("n0", "r1", "n1")]
        tests += [self._test("r1", condition) for condition in where]
        return (
            f"{start}MATCH {self._pattern(0, name, outgoing=outgoing, start=bound)}\n"
            f"WHERE {' AND '.join(tests)}\nRETURN r1.said AS said"
        )

    def changed(self, relation: str, period: Moment, change: str) -> str:
        """Return relations that began, ended or held within a period: ``said``."""
        start, end = self.parameters.of(period.start), self.parameters.of(period.end)
        after = self.parameters.of(max(period.end, period.start + 1))
        first, last = self.parameters.of(ALWAYS.start), self.parameters.of(ALWAYS.end)
        tests = {
            "held": f"r.since < {after} AND r.until > {start}",
            "began": f"r.since > {first} AND r.since >= {start} AND r.since < {end}",
            "ended": f"r.until < {last} AND r.until > {start} AND r.until <= {end}",
        }
        name = self.dialect.relation(relation)
        return (
            f"MATCH (a:Entity)-[r:{name}]->(b:Entity)\n"
            f"WHERE r.since < r.until AND {tests[change]}\n"
            "RETURN r.said AS said"
        )

    def all_relations(self) -> str:
        """Return all that holds: ``source, target``."""
        tests = " AND ".join(self._holds(variable) for variable in "arb")
        return (
            f"MATCH (a:Entity)-[r]->(b:Entity)\nWHERE {tests}\n"
            "RETURN a.id AS source, b.id AS target"
        )

    def numbers(self, nodes: str, name: str) -> str:
        """Return the number that each entity has in a property: ``id, number``."""
        key, dialect = self.parameters.of(name), self.dialect
        is_truth = self._compared("n", "words", key, f"IN {self.parameters.of(['false', 'true'])}")
        return (
            f"UNWIND {nodes} AS id\nMATCH (n:Entity {{id: id}})\n"
            f"WHERE {dialect.has('n', 'numbers', key)} AND NOT {is_truth}\n"
            f"RETURN id, {dialect.value('n', 'numbers', key)} AS number"
        )

    @staticmethod
    def combined(how: str, a: str, b: str) -> str:
        """Return the union, intersection or difference of two sets: ``id``."""
        return _SETS[how].format(a=a, b=b)

    def _start(self, nodes: str) -> str:
        return f"UNWIND {nodes} AS start\n"

    def _match(self, index: int, hop: Hop) -> str:
        """Return the clause of a hop from ``n<index>``; the first one starts at ``start``."""
        far, name = f"n{index + 1}", f":{self.dialect.relation(hop.relation)}"
        bound = None if index == 0 else f"(n{index})"
        tests = [self._holds(f"n{index}"), self._holds(f"r{index + 1}"), self._holds(far)]
        if hop.to_type is not None:
            tests.append(f"{far}.type = {self.parameters.of(hop.to_type)}")
        tests += [self._test(f"r{index + 1}", condition) for condition in hop.where]
        pattern = self._pattern(index, name, outgoing=hop.outgoing, start=bound)
        return f"MATCH {pattern}\nWHERE {' AND '.join(tests)}"

    @staticmethod
    def _pattern(index: int, name: str, *, outgoing: bool, start: str | None = None) -> str:
        left, right = ("-", "->") if outgoing else ("<-", "-")
        near = start or f"(n{index}:Entity {{id: start}})"
        return f"{near}{left}[r{index + 1}{name}]{right}(n{index + 1}:Entity)"

    def _holds(self, variable: str) -> str:
        after = self.parameters.of(max(self.moment.end, self.moment.start + 1))
        start = self.parameters.of(self.moment.start)
        return f"{variable}.since < {after} AND {variable}.until > {start}"

    def _test(self, variable: str, condition: Condition) -> str:
        """Return a condition that means what ``conditions.meets`` means."""
        wanted, key = condition.value, self.parameters.of(condition.property)
        match condition.test:
            case Test.EQUALS:
                return self._same(variable, key, _one(wanted))
            case Test.DIFFERS:
                if wanted is None:
                    return self.dialect.has(variable, "words", key)
                return f"NOT {self._same(variable, key, _one(wanted))}"
            case Test.IN:
                options = wanted if isinstance(wanted, tuple) else (wanted,)
                any_of = [self._same(variable, key, option) for option in options]
                return f"({' OR '.join(any_of)})" if any_of else "false"
            case Test.CONTAINS:
                return self._contains(variable, key, fold(str(_one(wanted))))
            case Test.WITHIN:
                return self._within(variable, key, str(_one(wanted)))
            case _:
                return self._ordered(variable, key, condition.test, _one(wanted))

    def _compared(self, variable: str, facet: str, key: str, test: str) -> str:
        has, value = (f(variable, facet, key) for f in (self.dialect.has, self.dialect.value))
        return f"({has} AND {value} {test})"

    def _same(self, variable: str, key: str, wanted: Value) -> str:
        if wanted is None:
            return "false"
        words = self._compared(variable, "words", key, f"= {self.parameters.of(fold(str(wanted)))}")
        if isinstance(wanted, str):
            return words
        numbers = self._compared(variable, "numbers", key, f"= {self.parameters.of(float(wanted))}")
        return f"({numbers} OR ({self.dialect.has(variable, 'texts', key)} AND {words}))"

    def _contains(self, variable: str, key: str, part: str) -> str:
        if not part:  # which every text contains, and in Ladybug none
            return self.dialect.has(variable, "words", key)
        return self._compared(variable, "words", key, f"CONTAINS {self.parameters.of(part)}")

    def _ordered(self, variable: str, key: str, test: Test, wanted: Value) -> str:
        if isinstance(wanted, (int, float)):
            other = self.parameters.of(float(wanted))
            return self._compared(variable, "numbers", key, f"{_SYMBOLS[test]} {other}")
        other = self.parameters.of(str(wanted))
        return self._compared(variable, "texts", key, f"{_SYMBOLS[test]} {other}")

    def _within(self, variable: str, key: str, period: str) -> str:
        first, _, last = period.partition("/")
        try:
            wanted = Moment.between(date.fromisoformat(first), date.fromisoformat(last or first))
        except ValueError as error:
            raise PlanError(f"{period!r} is no period") from error
        begins = self._compared(variable, "firsts", key, f">= {self.parameters.of(wanted.start)}")
        ends = self._compared(variable, "lasts", key, f"<= {self.parameters.of(wanted.end)}")
        return f"{begins} AND {ends}"


def _one(value: Value | tuple[Value, ...]) -> Value:
    if isinstance(value, tuple):
        raise PlanError("this test takes one value, not several")
    return value
