"""Says a plan as parameterised Cypher: values are parameters, names come from the schema alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plan import Argument, Plan, Ref, Step
from trivium.domain.time import Moment

_SYMBOLS: Final[Mapping[Test, str]] = {
    Test.EQUALS: "=",
    Test.DIFFERS: "<>",
    Test.ABOVE: ">",
    Test.AT_LEAST: ">=",
    Test.BELOW: "<",
    Test.AT_MOST: "<=",
    Test.CONTAINS: "CONTAINS",
    Test.IN: "IN",
}
_LENGTHS: Final = {"": "", "+": "*1..", "*": "*0.."}
"""How often a relation is repeated."""
_SET_OPERATIONS: Final = {
    "intersection": "[x IN {a} WHERE x IN {b}]",
    "difference": "[x IN {a} WHERE NOT x IN {b}]",
    "union": "{a} + [x IN {b} WHERE NOT x IN {a}]",
}


@dataclass(slots=True)
class _Query:
    lines: list[str] = field(default_factory=list)
    parameters: dict[str, object] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)

    def parameter(self, value: object) -> str:
        """Return the name of a parameter with this value; an equal one is used again."""
        for name, known in self.parameters.items():
            if known == value and type(known) is type(value):
                return f"${name}"
        name = f"p{len(self.parameters) + 1}"
        self.parameters[name] = value
        return f"${name}"

    def carry(self, name: str, expression: str) -> None:
        """Close a clause: keep the sets so far and add one."""
        kept = ", ".join([*self.carried, f"{expression} AS {name}"])
        self.lines.append(f"WITH {kept}")
        self.carried.append(name)


def to_cypher(plan: Plan, moment: Moment) -> tuple[str, dict[str, object]]:
    """Return the query that a plan is, with its parameters.

    A computation stands as a comment that names the algorithm, its arguments and the step's
    set, because Cypher itself has no words for it.
    """
    query = _Query()
    for step in plan.steps:
        at = step.as_of or moment
        _say(query, step, (query.parameter(at.day), query.parameter(at.last_day)))
    query.lines.append(f"RETURN {query.carried[-1]}" if query.carried else "RETURN NULL")
    return "\n".join(query.lines), query.parameters


def _say(query: _Query, step: Step, when: tuple[str, str]) -> None:
    match step.operator:
        case "find_nodes":
            _find(query, step, when)
        case "follow":
            _follow(query, step, when)
        case "set_complement":
            _complement(query, step, when)
        case "combine":
            _combine(query, step)
        case "aggregate_over_type" | "count_edges":
            _count(query, step, when)
        case _:
            _compute(query, step)


def quoted(name: str) -> str:
    """Quote a name of the schema for Cypher.

    >>> quoted("A`b")
    '`A``b`'
    """
    return "`" + name.replace("`", "``") + "`"


def _valid(variable: str, when: tuple[str, str]) -> str:
    first, last = when
    return (
        f"coalesce({variable}.valid_from <= {last}, true) AND "
        f"coalesce({variable}.valid_to >= {first}, true)"
    )


def _find(query: _Query, step: Step, when: tuple[str, str]) -> None:
    ids, node_type = step.arguments.get("ids"), step.arguments.get("type")
    label = f":{quoted(node_type)}" if isinstance(node_type, str) else ""
    tests = [_valid("n", when)] if ids is None else []
    if ids is not None:
        tests.append(f"n.id IN {query.parameter(list(_tuple(ids)))}")
    tests += [_test(query, "n", c) for c in _conditions(step)]
    query.lines.append(f"MATCH (n{label}) WHERE {' AND '.join(tests)}")
    query.carry(step.name, "collect(DISTINCT n.id)")


def _tuple(value: Argument) -> tuple[Argument, ...]:
    return value if isinstance(value, tuple) else (value,)


def _conditions(step: Step) -> list[Condition]:
    return [c for c in _tuple(step.arguments.get("where", ())) if isinstance(c, Condition)]


def _test(query: _Query, variable: str, condition: Condition) -> str:
    left = f"{variable}.{quoted(condition.property)}"
    if condition.test is Test.WITHIN:
        first, _, last = str(condition.value).partition("/")
        return f"{query.parameter(first)} <= {left} <= {query.parameter(last)}"
    value = list(condition.value) if isinstance(condition.value, tuple) else condition.value
    return f"{left} {_SYMBOLS[condition.test]} {query.parameter(value)}"


def _pattern(query: _Query, path: Sequence[Argument], when: tuple[str, str]) -> tuple[str, str]:
    """Return the pattern of a path from ``n0`` and its tests."""
    pattern, tests = "(n0)", ["n0.id = start"]
    hops = [hop for hop in path if isinstance(hop, Hop)]
    for index, hop in enumerate(hops, start=1):
        name = f"r{index}"
        relation = f"[{name}:{quoted(hop.relation)}{_LENGTHS[hop.repeat]}]"
        left, right = ("-", "->") if hop.outgoing else ("<-", "-")
        label = f":{quoted(hop.to_type)}" if hop.to_type else ""
        pattern += f"{left}{relation}{right}(n{index}{label})"
        own = [_valid("r" if hop.repeat else name, when)]
        own += [_test(query, "r" if hop.repeat else name, condition) for condition in hop.where]
        told = " AND ".join(own)
        tests.append(f"all(r IN {name} WHERE {told})" if hop.repeat else told)
    return pattern, " AND ".join(tests)


def _ref(value: Argument) -> str:
    return value.step if isinstance(value, Ref) else "[]"


def _follow(query: _Query, step: Step, when: tuple[str, str]) -> None:
    path = _tuple(step.arguments["path"])
    pattern, tests = _pattern(query, path, when)
    query.lines.append(f"UNWIND {_ref(step.arguments['nodes'])} AS start")
    query.lines.append(f"OPTIONAL MATCH {pattern} WHERE {tests}")
    query.carry(step.name, f"collect(DISTINCT n{len(path)}.id)")


def _complement(query: _Query, step: Step, when: tuple[str, str]) -> None:
    label = quoted(str(step.arguments["type"]))
    out = _ref(step.arguments["nodes"])
    query.lines.append(f"MATCH (n:{label}) WHERE NOT n.id IN {out} AND {_valid('n', when)}")
    query.carry(step.name, "collect(DISTINCT n.id)")


def _combine(query: _Query, step: Step) -> None:
    first, *others = (_ref(item) for item in _tuple(step.arguments["sets"]))
    expression = first
    for other in others:
        form = _SET_OPERATIONS[str(step.arguments["how"])]
        expression = form.format(a=f"({expression})" if expression != first else first, b=other)
    query.carry(step.name, expression)


def _count(query: _Query, step: Step, when: tuple[str, str]) -> None:
    path = _tuple(step.arguments["path"])
    pattern, tests = _pattern(query, path, when)
    nodes = step.arguments.get("nodes")
    if isinstance(nodes, Ref):
        query.lines.append(f"UNWIND {nodes.step} AS start")
    else:
        label = quoted(str(step.arguments["type"]))
        query.lines.append(f"MATCH (n:{label}) WHERE {_valid('n', when)}")
        query.lines.append(f"WITH {', '.join([*query.carried, 'n.id AS start'])}")
    query.lines.append(f"OPTIONAL MATCH {pattern} WHERE {tests}")
    counted = ", ".join([*query.carried, "start", f"count(DISTINCT n{len(path)}.id) AS n"])
    query.lines.append(f"WITH {counted}")
    query.carry(step.name, "collect([start, n])")


def _compute(query: _Query, step: Step) -> None:
    shown = ", ".join(f"{key}: {value}" for key, value in _shown(step).items())
    query.lines.append(f"// {step.name} = {step.operator}({shown})")


def _shown(step: Step) -> dict[str, object]:
    arguments = step.to_json()["arguments"]
    assert isinstance(arguments, dict)
    return {key: value for key, value in arguments.items() if value not in (None, [], ())}
