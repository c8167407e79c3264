"""Operators that walk along effects: what feels a fault, and what something rests on."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from typing import Final, Literal

from tiers.graphrag.operators.counting import scored
from tiers.graphrag.operators.traversal import NodeSet, Scores, in_order, place_of
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge
from trivium.domain.schema import Effect, Schema

_MANY: Final = 2_000
"""Relations of one entity beyond which only the first are kept as provenance: sorting all those of
a hub would take longer than the time given."""


def effect_neighbors(scope: Scope, node_id: str, *, downstream: bool) -> Sequence[tuple[str, Edge]]:
    """Return what feels a fault of an entity at once, or whose fault it feels; no event upstream.

    Each pair is ``(the other, the relation)``.
    """
    return scope.effects(
        node_id, lambda: _effects(scope, node_id, downstream=downstream), downstream=downstream
    )


def effect_of(schema: Schema, relation: str) -> Effect:
    """Return which way effects run along a type of relation, one unknown to the schema too."""
    known = schema.relation_types.get(relation)
    return known.effect if known else Effect.FORWARD


def _effects(scope: Scope, node_id: str, *, downstream: bool) -> list[tuple[str, Edge]]:
    if downstream:
        return _running(scope, node_id, downstream=True)
    return felt_by(scope, node_id)[0]


def felt_by(scope: Scope, node_id: str) -> tuple[list[tuple[str, Edge]], list[tuple[str, Edge]]]:
    """Return whose faults an entity feels at once, and apart from them the events that it feels."""
    neighbors: list[tuple[str, Edge]] = []
    events: list[tuple[str, Edge]] = []
    for other, edge in _running(scope, node_id, downstream=False):
        (events if _is_event(scope, other) else neighbors).append((other, edge))
    return neighbors, events


def _running(scope: Scope, node_id: str, *, downstream: bool) -> list[tuple[str, Edge]]:
    """Return what effects run to from an entity, or come from to it, events among them."""
    out, into = Effect.FORWARD, Effect.BACKWARD
    if not downstream:
        out, into = into, out
    leaving = scope.edges_of(node_id, partial(_runs, scope.schema, out), outgoing=True)
    entering = scope.edges_of(node_id, partial(_runs, scope.schema, into), outgoing=False)
    return [(edge.target, edge) for edge in leaving] + [(edge.source, edge) for edge in entering]


def _runs(schema: Schema, way: Effect, relation: str) -> bool:
    return effect_of(schema, relation) is way


def _is_event(scope: Scope, node_id: str) -> bool:
    node = scope.there(node_id)
    return node is not None and scope.schema.node_types[node.type].is_event


def reach(
    scope: Scope, nodes: Iterable[str], *, downstream: bool, max_hops: int | None = None
) -> dict[str, int]:
    """Return how many hops away everything is along the effects, the start included as 0.

    A computation: it ends with the time, not with the entities that a walk may touch.
    """
    distance = dict.fromkeys(nodes, 0)
    queue = deque(distance)
    while queue and not scope.budget.is_spent:
        here = queue.popleft()
        if max_hops is not None and distance[here] >= max_hops:
            continue
        for other, _ in effect_neighbors(scope, here, downstream=downstream):
            if other not in distance and scope.budget.look(1):
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

    The nearest come first when the budget does not allow all. Without ``max_hops`` it goes as
    far as the budget says, and notes when there is more.

    Example: ``subgraph(nodes=["e1"], direction="downstream", types=["Plant"], max_hops=4)``.
    Source: the paper's Table XII and Definition 3.
    """
    is_down = direction == "downstream"
    far = scope.budget.hops if max_hops is None else max_hops
    found = reach(scope, nodes, downstream=is_down, max_hops=far + (max_hops is None))
    if max_hops is None and any(hops > far for hops in found.values()):
        scope.budget.cut_hops()
        found = {node_id: hops for node_id, hops in found.items() if hops <= far}
    nearest_first = _in_reach(scope, found, len(nodes))
    kept = _nearest(scope, nearest_first, set(nodes), types)
    _note_within(scope, nearest_first, found, is_down=is_down)
    return kept


def _in_reach(scope: Scope, found: Mapping[str, int], n_starts: int) -> Sequence[str]:
    """Return what was reached, nearest first; once the time is up, as many as can be given."""

    def distance(node_id: str) -> tuple[int, str]:
        return found[node_id], node_id

    if scope.budget.is_late():
        return nsmallest(scope.budget.max_nodes + n_starts + 1, found, key=distance)
    return sorted(found, key=distance)


def _nearest(
    scope: Scope, nearest_first: Sequence[str], start: set[str], types: Sequence[str]
) -> NodeSet:
    asked = [
        node_id
        for node_id in nearest_first
        if node_id not in start
        and (node := scope.there(node_id)) is not None
        and (not types or node.type in types)
    ]
    return tuple(sorted(scope.budget.admit(asked)))


def _note_within(
    scope: Scope, nearest_first: Sequence[str], found: Mapping[str, int], *, is_down: bool
) -> None:
    """Keep the relations among what was found as provenance, as many as are kept."""
    for node_id in nearest_first:
        if scope.budget.is_relations_cut:
            return
        near = effect_neighbors(scope, node_id, downstream=is_down)
        within = (edge for other, edge in near if other in found)
        first = in_order(within) if len(near) <= _MANY else nsmallest(_MANY, within, key=place_of)
        for edge in first:
            scope.note(edge)


def count_effects(scope: Scope, *, nodes: NodeSet, types: Sequence[str] = ()) -> Scores:
    """Return how many entities, of some types or of all, a fault of each entity reaches.

    A computation: it goes as far as the effects do; what the time did not allow is left out.

    Example: ``count_effects(nodes=["m1"], types=["Plant"])`` gives ``(("m1", 2.0),)``.
    Source: the paper's Table XIV (simulate_removal), of each entity in turn.
    """

    def counted(node_id: str) -> float | None:
        if not scope.has(node_id):
            return None
        found = reach(scope, (node_id,), downstream=True)
        reached = (scope.there(other) for other, hops in found.items() if hops)
        return float(
            sum(node is not None and (not types or node.type in types) for node in reached)
        )

    return scored(scope, nodes, counted)
