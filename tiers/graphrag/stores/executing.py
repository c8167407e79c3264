"""Runs the steps of a plan as Cypher in the store that holds the graph."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import signature
from operator import itemgetter
from typing import Any, Final, TypeAlias

from tiers.graphrag.operators.conditions import Condition
from tiers.graphrag.operators.dated import joining
from tiers.graphrag.operators.grouping import Measure, measure
from tiers.graphrag.operators.traversal import Hop, NodeSet, Scores, admitted, in_order, repeated
from tiers.graphrag.stores.running import CypherRun, Rows, RunsCypher, edge_of
from tiers.graphrag.view import Scope
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Edge
from trivium.domain.time import Moment

Call: TypeAlias = Callable[..., object]


def call(step: str, operator: Call, scope: Scope, arguments: Mapping[str, Any]) -> object:
    """Run the operator of a step in the store where that runs Cypher, else over the view."""
    if not isinstance(scope.view, RunsCypher):
        return operator(scope, **arguments)
    run, name = scope.view.cypher, operator.__name__
    compiled = _COMPILED.get(name)
    if compiled is not None and not _can_say(compiled, arguments):
        compiled = None
    run.queries.append(f"// {step} = {name}{'' if compiled else ', which is no query'}")
    if compiled is not None:
        return compiled(run, scope, **arguments)
    if operator.__module__.rpartition(".")[2] != "answers":
        run.uncompiled.append(name)
    return operator(scope, **arguments)


def _can_say(run: Callable[..., object], arguments: Mapping[str, object]) -> bool:
    """Whether a query has words for these arguments: not for groups, nor for formulas."""
    is_known = set(arguments) <= set(signature(run).parameters)
    return is_known and isinstance(arguments.get("property", ""), str)


def _find_nodes(
    run: CypherRun,
    scope: Scope,
    type: str | None = None,  # noqa: A002  # the schema's word
    where: Sequence[Condition] = (),
    ids: Sequence[str] | None = None,
) -> NodeSet:
    if ids is not None and not ids:
        return ()
    named = None if ids is None else run.of(ids)
    return run.ids(run.query(scope).find(node_type=type, where=where, ids=named))


def _set_complement(
    run: CypherRun,
    scope: Scope,
    type: str,  # noqa: A002  # the schema's word
    nodes: NodeSet,
    where: Sequence[Condition] = (),
) -> NodeSet:
    but = run.of(nodes) if nodes else None
    return run.ids(run.query(scope).find(node_type=type, where=where, but=but))


def _combine(run: CypherRun, scope: Scope, how: str, sets: Sequence[NodeSet]) -> NodeSet:
    if not sets:
        raise PlanError("there is no set to combine")
    found, *others = sets
    for other in others:
        if found and other:
            found = run.ids(run.query(scope).combined(how, run.of(found), run.of(other)))
        elif how == "union":
            found = found or other
        elif how == "intersection":
            found = ()
    return tuple(sorted(set(found)))


def _follow(run: CypherRun, scope: Scope, nodes: NodeSet, path: Sequence[Hop]) -> NodeSet:
    frontier: NodeSet = tuple(sorted(nodes))
    for n, hop in enumerate(path):
        frontier = admitted(scope, _outward(run, scope, frontier, hop), len(path) - n)
    return frontier


def _outward(
    run: CypherRun, scope: Scope, nodes: NodeSet, hop: Hop
) -> Iterator[tuple[str, Sequence[Edge]]]:
    """Give what one hop leads to in the order of ``traversal.follow``, by one query."""
    reached = sorted(_step(run, scope, nodes, hop).items())
    if hop.repeat:
        yield from reached
        return
    pairs = [(e.source if hop.outgoing else e.target, end, e) for end, own in reached for e in own]
    for _, end, edge in sorted(pairs, key=itemgetter(0)):
        yield end, (edge,)


def _step(run: CypherRun, scope: Scope, nodes: Iterable[str], hop: Hop) -> dict[str, list[Edge]]:
    """Return what ``traversal.step`` returns."""
    return repeated(scope, nodes, hop, lambda near: _hop(run, scope, near, hop))


def _hop(run: CypherRun, scope: Scope, nodes: Sequence[str], hop: Hop) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    if not nodes or not run.session.has_relation(hop.relation):
        return found
    named = run.of(nodes)
    for start, end in run.rows(run.query(scope).hop(named, hop)):
        source, target = (start, end) if hop.outgoing else (end, start)
        edge = Edge(key="", source=source, target=target, type=hop.relation)
        found.setdefault(end, []).append(edge)
    return found


def _count_edges(
    run: CypherRun,
    scope: Scope,
    nodes: NodeSet,
    path: Sequence[Hop],
    within: NodeSet | None = None,
) -> Scores:
    counts: Mapping[str, float] = {}
    if not path or any(hop.repeat for hop in path):
        counts = _counted(run, scope, nodes, path, within)
    elif nodes and within != () and all(run.session.has_relation(h.relation) for h in path):
        named, only = run.of(nodes), None if within is None else run.of(within)
        counts = _pairs(run.rows(run.query(scope).count(named, path, only)))
    return tuple((n, counts.get(n, 0.0)) for n in nodes)


def _pairs(rows: Rows) -> dict[str, float]:
    return {str(key): float(value) for key, value in rows}


def _counted(
    run: CypherRun, scope: Scope, nodes: NodeSet, path: Sequence[Hop], within: NodeSet | None
) -> dict[str, float]:
    """Count where a hop is repeated: each hop runs for all entities at once."""
    near: dict[str, set[str]] = {n: {n} for n in nodes}
    for hop in path:
        near = _onward(run, scope, near, hop)
    return {
        n: float(len(ends if within is None else ends & set(within))) for n, ends in near.items()
    }


def _onward(
    run: CypherRun, scope: Scope, near: Mapping[str, set[str]], hop: Hop
) -> dict[str, set[str]]:
    reached = _step(run, scope, sorted(set().union(*near.values())), hop)
    links: dict[str, set[str]] = {}
    for end, edges in reached.items():
        for edge in edges:
            links.setdefault(edge.source if hop.outgoing else edge.target, set()).add(end)
    return {n: _closed(ends, links, hop) for n, ends in near.items()}


def _closed(ends: set[str], links: Mapping[str, set[str]], hop: Hop) -> set[str]:
    found: set[str] = set(ends) if hop.repeat == "*" else set()
    frontier = ends
    while frontier:
        new = set().union(*(links.get(n, set()) for n in frontier)) - found
        found |= new
        frontier = new if hop.repeat else set()
    return found


def _aggregate_over_type(
    run: CypherRun,
    scope: Scope,
    type: str,  # noqa: A002  # the schema's word
    path: Sequence[Hop] = (),
    where: Sequence[Condition] = (),
    nodes: NodeSet | None = None,
) -> Scores:
    members = _find_nodes(run, scope, type, where) if nodes is None else nodes
    return _count_edges(run, scope, members, path)


def _get_neighbors(
    run: CypherRun,
    scope: Scope,
    nodes: NodeSet,
    relation: str | None = None,
    direction: str = "both",
) -> NodeSet:
    found: dict[str, list[Edge]] = {}
    for name in sorted(scope.schema.relation_types) if relation is None else [relation]:
        for outgoing in (True, False):
            if direction != ("in" if outgoing else "out"):
                near = _hop(run, scope, nodes, Hop(relation=name, outgoing=outgoing))
                for node_id, edges in near.items():
                    found.setdefault(node_id, []).extend(edges)
    return admitted(scope, sorted(found.items()))


def _node_values(
    run: CypherRun,
    scope: Scope,
    nodes: NodeSet,
    property: str,  # noqa: A002  # the schema's word
) -> Scores:
    if not nodes:
        return ()
    named = run.of(nodes)
    known = _pairs(run.rows(run.query(scope).numbers(named, property)))
    return tuple((n, known[n]) for n in nodes if n in known)


def _relation_values(  # noqa: PLR0913, PLR0917  # the operator's arguments, and the run
    run: CypherRun,
    scope: Scope,
    relation: str,
    property: str,  # noqa: A002  # the schema's word
    sources: NodeSet | None = None,
    targets: NodeSet | None = None,
    where: Sequence[Condition] = (),
) -> tuple[tuple[Edge, float], ...]:
    allowed = None if targets is None else set(targets)
    nodes, outgoing = (sources, True) if sources is not None else (targets, targets is None)
    found = []
    for edge in _edges(run, scope, relation, where, nodes, outgoing=outgoing):
        value = edge.properties.get(property)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and (allowed is None or edge.target in allowed):
            found.append((edge, float(value)))  # type: ignore[arg-type]  # a number, seen above
            scope.note(edge)
    return tuple(found)


def _edges(
    run: CypherRun,
    scope: Scope,
    relation: str,
    where: Sequence[Condition],
    nodes: NodeSet | None,
    *,
    outgoing: bool,
) -> list[Edge]:
    if nodes == () or not run.session.has_relation(relation):
        return []
    named = None if nodes is None else run.of(nodes)
    rows = run.rows(run.query(scope).relations(relation, where, named, outgoing=outgoing))
    return in_order(edge_of(row[0]) for row in rows)


def _group_by(  # noqa: PLR0913, PLR0917  # the operator's arguments, and the run
    run: CypherRun,
    scope: Scope,
    nodes: NodeSet,
    relation: str,
    property: str,  # noqa: A002  # the schema's word
    how: Measure,
    outgoing: bool,  # noqa: FBT001  # the operator's argument
    where: Sequence[Condition] = (),
    within: NodeSet | None = None,
) -> Scores:
    allowed = None if within is None else set(within)
    own: dict[str, list[Edge]] = {}
    for edge in _edges(run, scope, relation, where, nodes, outgoing=outgoing):
        node, other = (edge.source, edge.target) if outgoing else (edge.target, edge.source)
        if allowed is None or other in allowed:
            own.setdefault(node, []).append(edge)
    found = []
    for node_id in nodes:
        values = []
        for edge in own.get(node_id, ()):
            value = edge.properties.get(property)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                values.append(float(value))
                scope.note(edge)
        if values:
            found.append((node_id, measure(values, how)))
    return tuple(found)


def _filter_edges_by_date(  # noqa: PLR0913, PLR0917  # the operator's arguments, and the run
    run: CypherRun,
    scope: Scope,
    relation: str,
    period: Moment,
    change: str = "held",
    sources: NodeSet | None = None,
    targets: NodeSet | None = None,
) -> tuple[Edge, ...]:
    if not run.session.has_relation(relation):
        return ()
    rows = run.rows(run.query(scope).changed(relation, period, change))
    return joining(in_order(edge_of(row[0]) for row in rows), sources, targets)


_COMPILED: Final[Mapping[str, Callable[..., object]]] = {
    function.__name__[1:]: function
    for function in (
        _find_nodes,
        _set_complement,
        _combine,
        _follow,
        _count_edges,
        _aggregate_over_type,
        _get_neighbors,
        _node_values,
        _relation_values,
        _group_by,
        _filter_edges_by_date,
    )
}
