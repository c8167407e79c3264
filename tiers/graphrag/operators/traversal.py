"""Operators that walk: find, follow, reach, count, complement, path, and filter by date."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tiers.graphrag.operators.conditions import Condition, meets
from tiers.graphrag.view import Scope
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Edge, Value
from trivium.domain.schema import Effect

_MAX_PATHS: Final = 100

NodeSet = tuple[str, ...]
Scores = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One step along a relation."""

    relation: str
    outgoing: bool
    to_type: str | None = None
    where: tuple[Condition, ...] = ()
    """On the properties of the relation."""
    repeat: Literal["", "+", "*"] = ""
    """``+``: one step or more, of a relation that joins a type to itself; ``*``: none or more."""

    def to_json(self) -> dict[str, object]:
        """Return the form that plans show."""
        form: dict[str, object] = {
            "relation": self.relation,
            "direction": "out" if self.outgoing else "in",
        }
        if self.to_type:
            form["to"] = self.to_type
        if self.repeat:
            form["repeat"] = self.repeat
        if self.where:
            form["where"] = [condition.to_json() for condition in self.where]
        return form


def find_nodes(
    scope: Scope,
    *,
    type: str | None = None,  # noqa: A002  # the schema's word
    where: Sequence[Condition] = (),
    ids: Sequence[str] | None = None,
) -> NodeSet:
    """Return the entities of a type that are there at the moment and meet ``where``.

    With ``ids``, those of them that are known, whether they are there at the moment or not.

    Example: ``find_nodes(type="Supplier", where=[tier = 1])``.
    Source: the paper's Table XII.
    """
    if ids is not None:
        found = [n for n in map(scope.view.node, dict.fromkeys(ids)) if n is not None]
        nodes = [n for n in found if type is None or n.type == type]
    else:
        nodes = list(scope.active(type))
    return tuple(sorted(n.id for n in nodes if meets(n.properties, where)))


def get_node(scope: Scope, *, id: str) -> dict[str, Value]:  # noqa: A002  # the schema's word
    """Return the properties of an entity, with its id, type and name.

    Raises:
        PlanError: nothing has that id.

    Source: the paper's Table XII.
    """
    node = scope.view.node(id)
    if node is None:
        raise PlanError(f"no entity has the id {id!r}")
    return {"id": node.id, "type": node.type, "name": node.name, **node.properties}


def get_neighbors(
    scope: Scope,
    *,
    nodes: NodeSet,
    relation: str | None = None,
    direction: Literal["out", "in", "both"] = "both",
) -> NodeSet:
    """Return what is one relation away, the entities themselves left out unless they loop.

    Source: the paper's Table XII.
    """
    found: set[str] = set()
    for node_id in nodes:
        for outgoing in (True, False):
            if direction == ("in" if outgoing else "out"):
                continue
            for edge in scope.edges(node_id, relation, outgoing=outgoing):
                found.add(edge.target if outgoing else edge.source)
    return tuple(sorted(found))


def step(scope: Scope, nodes: Iterable[str], hop: Hop) -> dict[str, list[Edge]]:
    """Return what one hop leads to, each with the relations that lead there."""
    if not hop.repeat:
        return _step(scope, nodes, hop)
    start = list(nodes)
    found: dict[str, list[Edge]] = {n: [] for n in start} if hop.repeat == "*" else {}
    seen: set[str] = set(found)
    frontier: Iterable[str] = start
    while frontier:
        reached = _step(scope, frontier, hop)
        frontier = [n for n in reached if n not in seen]
        seen.update(frontier)
        for node_id, edges in reached.items():
            found.setdefault(node_id, []).extend(edges)
    return found


def _step(scope: Scope, nodes: Iterable[str], hop: Hop) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for node_id in nodes:
        for edge in scope.edges(node_id, hop.relation, outgoing=hop.outgoing):
            other = edge.target if hop.outgoing else edge.source
            node = scope.view.node(other)
            if node is None or not scope.holds(node):
                continue
            if (hop.to_type is None or node.type == hop.to_type) and meets(
                edge.properties, hop.where
            ):
                found.setdefault(other, []).append(edge)
    return found


def in_order(edges: Iterable[Edge]) -> list[Edge]:
    """Return relations in an order that no store decides."""
    return sorted(edges, key=lambda e: (e.source, e.type, e.target, e.key))


def follow(
    scope: Scope,
    *,
    nodes: NodeSet,
    path: Sequence[Hop],
    keep: Callable[[str], bool] | None = None,
) -> NodeSet:
    """Return what a typed path of relations leads to from ``nodes``, each once.

    Every relation on the way holds at the moment. What is passed is counted against the
    budget and kept as provenance.

    Example: ``follow(nodes=[EVT-001], path=[AFFECTS out, SUPPLIES out])``.
    """
    frontier: Iterable[str] = nodes
    for hop in path:
        reached = step(scope, frontier, hop)
        near = sorted(reached)
        frontier = [n for n in near if scope.budget.take(n) and (keep is None or keep(n))]
        for node_id in frontier:
            for edge in in_order(reached[node_id]):
                scope.note(edge)
    return tuple(sorted(frontier))


def effect_neighbors(scope: Scope, node_id: str, *, downstream: bool) -> Iterable[tuple[str, Edge]]:
    """Give what feels a fault of an entity at once, or whose fault it feels; no event upstream."""
    for outgoing in (True, False):
        runs = Effect.FORWARD if outgoing is downstream else Effect.BACKWARD
        for edge in scope.edges(node_id, None, outgoing=outgoing):
            relation = scope.schema.relation_types.get(edge.type)
            effect = relation.effect if relation else Effect.FORWARD
            other = scope.view.node(edge.target if outgoing else edge.source)
            if effect is runs and other is not None and scope.holds(other):
                is_event = scope.schema.node_types[other.type].is_event
                if not (is_event and not downstream):
                    yield other.id, edge


def reach(
    scope: Scope, nodes: Iterable[str], *, downstream: bool, max_hops: int | None = None
) -> dict[str, int]:
    """Return how many hops away everything is along the effects, the start included as 0."""
    distance = dict.fromkeys(nodes, 0)
    queue = deque(distance)
    while queue:
        here = queue.popleft()
        if max_hops is not None and distance[here] >= max_hops:
            continue
        for other, _ in effect_neighbors(scope, here, downstream=downstream):
            if other not in distance:
                distance[other] = distance[here] + 1
                queue.append(other)
    return distance


def subgraph(
    scope: Scope,
    *,
    nodes: NodeSet,
    direction: Literal["downstream", "upstream"] = "downstream",
    types: Sequence[str] = (),
    max_hops: int | None = None,
) -> NodeSet:
    """Return what a fault of ``nodes`` reaches, or what they rest on; themselves left out.

    Source: the paper's Table XII and Definition 3.
    """
    found = reach(scope, nodes, downstream=direction == "downstream", max_hops=max_hops)
    start = set(nodes)
    kept = []
    nearest_first = sorted(found, key=lambda node_id: (found[node_id], node_id))
    for node_id in nearest_first:
        node = scope.view.node(node_id)
        if node_id in start or node is None or (types and node.type not in types):
            continue
        if scope.budget.take(node_id):
            kept.append(node_id)
    for node_id in nearest_first:
        near = effect_neighbors(scope, node_id, downstream=direction == "downstream")
        for edge in in_order(edge for other, edge in near if other in found):
            scope.note(edge)
    return tuple(sorted(kept))


def count_edges(
    scope: Scope, *, nodes: NodeSet, path: Sequence[Hop], within: NodeSet | None = None
) -> Scores:
    """Return how many distinct entities each of ``nodes`` has at the end of ``path``.

    ``within`` are the only ones that count; ``None`` counts all. One hop is the in- or
    out-degree by relation. Source: the paper's Table XII, Definition 2.
    """
    allowed = None if within is None else set(within)
    found = []
    for node_id in nodes:
        ends = _walk(scope, (node_id,), path)
        found.append((node_id, float(len(ends if allowed is None else ends & allowed))))
    return tuple(found)


def _walk(scope: Scope, nodes: Iterable[str], path: Sequence[Hop]) -> set[str]:
    frontier = set(nodes)
    for hop in path:
        frontier = set(step(scope, frontier, hop))
    return frontier


def set_complement(
    scope: Scope,
    *,
    type: str,  # noqa: A002  # the schema's word
    nodes: NodeSet,
    where: Sequence[Condition] = (),
) -> NodeSet:
    """Return the entities of a type that are there at the moment and are not in ``nodes``.

    Source: the paper's Table XII, Definition 3.
    """
    out = set(nodes)
    return tuple(i for i in find_nodes(scope, type=type, where=where) if i not in out)


def combine(
    scope: Scope,  # noqa: ARG001  # every operator takes it
    *,
    how: Literal["union", "intersection", "difference"],
    sets: Sequence[NodeSet],
) -> NodeSet:
    """Return the union, the intersection, or the first set less the others.

    Raises:
        PlanError: there is no set.
    """
    if not sets:
        raise PlanError("there is no set to combine")
    first, *others = (set(s) for s in sets)
    for other in others:
        if how == "union":
            first |= other
        elif how == "intersection":
            first &= other
        else:
            first -= other
    return tuple(sorted(first))


def shortest_path(
    scope: Scope, *, source: str, target: str, directed: bool = False
) -> tuple[tuple[str, ...], ...]:
    """Return every shortest path between two entities; none when they are not connected.

    Past a hundred, the rest is cut and noted. Event types are not passed through.
    ``directed`` follows the effects from ``source`` to ``target`` only.

    Source: the paper's Table XII (undirected there).
    """
    parents: dict[str, list[str]] = {source: []}
    level = [source]
    while level and target not in parents:
        found: dict[str, list[str]] = {}
        for here in level:
            for other in _around(scope, here, directed=directed):
                if other not in parents and (other == target or not _is_event(scope, other)):
                    found.setdefault(other, []).append(here)
        parents.update(found)
        level = sorted(found)
    if target not in parents or not scope.has(source):
        return ()
    return tuple(sorted(_unwind(scope, parents, target)))


def _around(scope: Scope, node_id: str, *, directed: bool) -> NodeSet:
    if directed:
        found = {o for o, _ in effect_neighbors(scope, node_id, downstream=True)}
        return tuple(sorted(found))
    near = get_neighbors(scope, nodes=(node_id,))
    return tuple(n for n in near if (node := scope.view.node(n)) and scope.holds(node))


def _is_event(scope: Scope, node_id: str) -> bool:
    node = scope.view.node(node_id)
    return node is not None and scope.schema.node_types[node.type].is_event


def _unwind(scope: Scope, parents: dict[str, list[str]], end: str) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = [(end,)]
    while parents[paths[0][0]]:
        paths = [(p, *path) for path in paths for p in dict.fromkeys(parents[path[0]])]
        if len(paths) > _MAX_PATHS:
            scope.budget.cut(f"more than {_MAX_PATHS} shortest paths")
            paths = paths[:_MAX_PATHS]
    return paths
