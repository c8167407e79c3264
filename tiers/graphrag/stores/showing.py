"""Shows a plan as the Cypher that a store would run for it."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, cast

from tiers.graphrag.operators.conditions import Condition
from tiers.graphrag.operators.figures import Formula, Group
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Argument, Plan, Ref, Step
from tiers.graphrag.stores.cypher import Parameters, Query
from tiers.graphrag.stores.dialects import Neo4jCypher
from trivium.domain.time import Moment

Shown: TypeAlias = Callable[[Query, Step], list[str]]

_OVER_ALL: Final = frozenset(
    {"betweenness", "pagerank", "degree", "diameter", "connected_components", "cut_points"}
)


def to_cypher(plan: Plan, moment: Moment) -> tuple[str, dict[str, object]]:
    """Return the queries that a plan is, with their parameters.

    ``$s1`` is what the step ``s1`` returned. What Cypher has no words for, an algorithm, a formula
    or a group, stands as a comment with its arguments, and the query of what it is computed over.
    """
    parameters = Parameters()
    shown: list[str] = []
    for step in plan.steps:
        query = Query(dialect=Neo4jCypher(), moment=step.as_of or moment, parameters=parameters)
        show = _SHOWN.get(step.operator)
        if show is None or _goes_beyond_cypher(step):
            lines = [_comment(query, step)]
        else:
            lines = [f"// {step.name} = {step.operator}"]
        shown.append("\n".join([*lines, *(show(query, step) if show else ())]))
    return ";\n".join(shown), parameters.values


def _goes_beyond_cypher(step: Step) -> bool:
    return any(isinstance(value, (Formula, Group)) for value in step.arguments.values())


def _comment(query: Query, step: Step) -> str:
    arguments = cast("Mapping[str, object]", step.to_json()["arguments"])  # as to_json makes it
    told = ", ".join(f"{k}: {v}" for k, v in arguments.items() if v not in (None, [], ()))
    line = " ".join(f"// {step.name} = {step.operator}({told})".split())
    return f"{line}, over\n{query.all_relations()}" if step.operator in _OVER_ALL else line


def _set(query: Query, value: Argument) -> str:
    return f"${value.step}" if isinstance(value, Ref) else query.parameters.of(list(_all(value)))


def _all(value: Argument) -> tuple[Argument, ...]:
    return value if isinstance(value, tuple) else (value,)


def _where(step: Step) -> list[Condition]:
    return [c for c in _all(step.arguments.get("where", ())) if isinstance(c, Condition)]


def _hops(step: Step) -> list[Hop]:
    return [hop for hop in _all(step.arguments.get("path", ())) if isinstance(hop, Hop)]


def _text(step: Step, key: str) -> str | None:
    value = step.arguments.get(key)
    return value if isinstance(value, str) else None


def _find(query: Query, step: Step) -> list[str]:
    ids = step.arguments.get("ids")
    named = None if ids is None else _set(query, ids)
    return [query.find(node_type=_text(step, "type"), where=_where(step), ids=named)]


def _complement(query: Query, step: Step) -> list[str]:
    but = _set(query, step.arguments["nodes"])
    return [query.find(node_type=_text(step, "type"), where=_where(step), but=but)]


def _follow(query: Query, step: Step) -> list[str]:
    start, lines = _set(query, step.arguments["nodes"]), []
    for index, hop in enumerate(_hops(step), start=1):
        if index > 1:
            lines.append(f"// and on, from what that returned: {start}")
        lines.append(query.hop(start, hop))
        if hop.repeat:
            lines.append("// again from what is new, until nothing is")
        start = f"${step.name}_{index}"
    return lines


def _count(query: Query, step: Step) -> list[str]:
    nodes, within = _set(query, step.arguments["nodes"]), step.arguments.get("within")
    only = None if within is None else _set(query, within)
    return [query.count(nodes, _hops(step), only)]


def _aggregate(query: Query, step: Step) -> list[str]:
    nodes, path, lines = step.arguments.get("nodes"), _hops(step), []
    if nodes is None:
        lines.append(query.find(node_type=_text(step, "type"), where=_where(step)))
    start = f"${step.name}_1" if nodes is None else _set(query, nodes)
    name, numbers = step.arguments.get("property"), []
    if isinstance(name, str):
        numbers.append(query.numbers(start, name))
    elif name is None and path:
        numbers.append(query.count(start, path))
    if lines and numbers:
        lines.append(f"// counted from each of what that returned: {start}")
    return lines + numbers


def _combine(query: Query, step: Step) -> list[str]:
    first, *others = (_set(query, item) for item in _all(step.arguments["sets"]))
    return [query.combined(str(step.arguments["how"]), first, other) for other in others]


def _neighbors(query: Query, step: Step) -> list[str]:
    nodes, direction = _set(query, step.arguments["nodes"]), step.arguments.get("direction")
    return [
        query.neighbors(nodes, _text(step, "relation"), outgoing=outgoing)
        for outgoing in (True, False)
        if direction != ("in" if outgoing else "out")
    ]


def _values(query: Query, step: Step) -> list[str]:
    name = step.arguments["property"]
    return (
        [query.numbers(_set(query, step.arguments["nodes"]), name)] if isinstance(name, str) else []
    )


def _relations(query: Query, step: Step) -> list[str]:
    sources, targets = step.arguments.get("sources"), step.arguments.get("targets")
    nodes = sources if sources is not None else targets
    named = None if nodes is None else _set(query, nodes)
    outgoing = sources is not None or targets is None
    relation = str(step.arguments["relation"])
    return [query.relations(relation, _where(step), named, outgoing=outgoing)]


def _group(query: Query, step: Step) -> list[str]:
    nodes, outgoing = _set(query, step.arguments["nodes"]), bool(step.arguments["outgoing"])
    relation = str(step.arguments["relation"])
    return [query.relations(relation, _where(step), nodes, outgoing=outgoing)]


def _changed(query: Query, step: Step) -> list[str]:
    period = step.arguments["period"]
    assert isinstance(period, Moment), "the plan was validated"
    change = str(step.arguments.get("change", "held"))
    return [query.changed(str(step.arguments["relation"]), period, change)]


_SHOWN: Final[Mapping[str, Shown]] = {
    "find_nodes": _find,
    "set_complement": _complement,
    "follow": _follow,
    "count_edges": _count,
    "aggregate_over_type": _aggregate,
    "combine": _combine,
    "get_neighbors": _neighbors,
    "node_values": _values,
    "relation_values": _relations,
    "group_by": _group,
    "filter_edges_by_date": _changed,
}
