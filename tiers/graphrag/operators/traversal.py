"""Operators that walk: find, follow, complement and combine."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tiers.graphrag.operators.conditions import Condition, meets
from tiers.graphrag.view import Scope
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Edge, Value

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
    return tuple(sorted([n.id for n in nodes if not where or meets(n.properties, where)]))


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
    found: dict[str, list[Edge]] = {}
    for node_id in nodes:
        for outgoing in (True, False):
            if direction == ("in" if outgoing else "out"):
                continue
            for edge in scope.edges(node_id, relation, outgoing=outgoing):
                found.setdefault(edge.target if outgoing else edge.source, []).append(edge)
    return admitted(scope, sorted(found.items()))


def admitted(
    scope: Scope, reached: Iterable[tuple[str, Sequence[Edge]]], hops_left: int = 1
) -> NodeSet:
    """Return what the budget allows of what is reached, and keep how it was.

    ``reached`` is read no further than there is room, so that a walk costs what it may touch and
    not what there is.
    """
    budget, found, n_new = scope.budget, dict[str, list[Edge]](), 0
    room = budget.room
    for node_id, edges in reached:
        n_new += node_id not in found and node_id not in budget.touched
        found.setdefault(node_id, []).extend(edges)
        if n_new > room:
            break
    taken = budget.admit(sorted(found), hops_left=hops_left)
    for node_id in taken:
        for edge in in_order(found[node_id]):
            scope.note(edge)
    return tuple(taken)


def step(scope: Scope, nodes: Iterable[str], hop: Hop) -> dict[str, list[Edge]]:
    """Return what one hop leads to, each with the relations that lead there.

    A hop that repeats says how far it goes: as far as it leads.
    """
    return repeated(scope, nodes, hop, lambda near: _step(scope, near, hop))


def repeated(
    scope: Scope,
    nodes: Iterable[str],
    hop: Hop,
    once: Callable[[Sequence[str]], dict[str, list[Edge]]],
) -> dict[str, list[Edge]]:
    """Return what ``once`` leads to, again and again where the hop repeats, while there is time."""
    frontier = list(nodes)
    if not hop.repeat:
        return once(frontier)
    found: dict[str, list[Edge]] = {n: [] for n in frontier} if hop.repeat == "*" else {}
    seen: set[str] = set(found)
    while frontier:
        reached = once(frontier)
        if scope.budget.is_late():
            break
        frontier = [n for n in reached if n not in seen]
        seen.update(frontier)
        for node_id, edges in reached.items():
            found.setdefault(node_id, []).extend(edges)
    return found


def _step(scope: Scope, nodes: Iterable[str], hop: Hop) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for node_id in nodes:
        edges = scope.edges(node_id, hop.relation, outgoing=hop.outgoing)
        for other, edge in _passable(scope, edges, hop):
            found.setdefault(other, []).append(edge)
    return found


def _passable(scope: Scope, edges: Iterable[Edge], hop: Hop) -> Iterator[tuple[str, Edge]]:
    """Give the relations that a hop may take, each with what it leads to."""
    there, wanted, where = scope.there, hop.to_type, hop.where
    for edge in edges:
        other = edge.target if hop.outgoing else edge.source
        if wanted is not None and ((node := there(other)) is None or node.type != wanted):
            continue
        if not where or meets(edge.properties, where):
            yield other, edge


def _onward(scope: Scope, nodes: NodeSet, hop: Hop) -> Iterator[tuple[str, Sequence[Edge]]]:
    """Give what one hop leads to, in an order that no store decides: entity by entity, by id.

    A hop that repeats is walked to its end before anything is given.
    """
    if hop.repeat:
        yield from sorted(step(scope, nodes, hop).items())
        return
    for node_id in nodes:
        edges = scope.each_edge(node_id, hop.relation, outgoing=hop.outgoing)
        for other, edge in _passable(scope, edges, hop):
            yield other, (edge,)


def in_order(edges: Iterable[Edge]) -> list[Edge]:
    """Return relations in an order that no store decides."""
    return sorted(edges, key=place_of)


def place_of(edge: Edge) -> tuple[str, str, str, str]:
    """Return what tells the place of a relation in that order."""
    return edge.source, edge.type, edge.target, edge.key


def follow(scope: Scope, *, nodes: NodeSet, path: Sequence[Hop]) -> NodeSet:
    """Return what a typed path of relations leads to from ``nodes``, each once.

    Every relation on the way holds at the moment. What is passed is counted against the
    budget and kept as provenance.

    Example: ``follow(nodes=["e1"], path=[{"relation": "HITS", "direction": "out"}])``.
    Source: Cypher's MATCH over a path of typed relations; the paper's Definition 3.
    """
    frontier = tuple(sorted(nodes))
    for n, hop in enumerate(path):
        frontier = admitted(scope, _onward(scope, frontier, hop), len(path) - n)
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

    Example: ``combine(how="difference", sets=[["a", "b"], ["b"]])`` gives ``("a",)``.
    Source: set algebra; Cypher's list predicates.

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
