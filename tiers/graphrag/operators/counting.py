"""Operators that count what typed paths lead to, one by one or for a whole type at once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from tiers.graphrag.operators.traversal import Hop, NodeSet, Scores, step
from tiers.graphrag.projection import KeepsProjections
from tiers.graphrag.view import Scope

_MANY: Final = 64
"""Entities from which ends are counted on the arrays of the graph."""
_BATCH: Final = 4_096
"""Entities whose ends are counted between two looks at the clock."""


def count_edges(
    scope: Scope, *, nodes: NodeSet, path: Sequence[Hop], within: NodeSet | None = None
) -> Scores:
    """Return how many distinct entities each of ``nodes`` has at the end of ``path``.

    ``within`` are the only ones that count; ``None`` counts all. One hop is the in- or
    out-degree by relation.

    Example: ``count_edges(nodes=["p1"], path=[{"relation": "SUPPLIES", "direction": "in"}])``.
    Source: the paper's Table XII, Definition 2.
    """
    if _is_computed(scope, nodes, path):
        return _computed(scope, nodes, path, within)
    allowed = None if within is None else set(within)

    def counted(node_id: str) -> float:
        ends = walk(scope, (node_id,), path)
        return float(len(ends if allowed is None else ends & allowed))

    return scored(scope, nodes, counted)


def scored(scope: Scope, nodes: Iterable[str], score: Callable[[str], float | None]) -> Scores:
    """Score entities one by one; what the budget does not let finish is left out whole.

    ``None`` leaves an entity out for good: it has no score.
    """
    found = []
    for node_id in nodes:
        value = score(node_id)
        if not scope.budget.look(1):
            break
        if value is not None:
            found.append((node_id, value))
    return tuple(found)


def walk(scope: Scope, nodes: Iterable[str], path: Sequence[Hop]) -> set[str]:
    """Return the ends of a path, for counting: nothing is kept or counted as touched."""
    frontier = set(nodes)
    for hop in path:
        frontier = _ends(scope, frontier, hop)
    return frontier


def _ends(scope: Scope, nodes: Iterable[str], hop: Hop) -> set[str]:
    """Return what one hop leads to, without the relations where that is quicker."""
    if hop.repeat or hop.where:
        return set(step(scope, nodes, hop))
    ends: set[str] = set()
    for node_id in nodes:
        edges = scope.edges(node_id, hop.relation, outgoing=hop.outgoing)
        ends.update([edge.target if hop.outgoing else edge.source for edge in edges])
    if hop.to_type is None:
        return ends
    return {n for n in ends if (node := scope.there(n)) and node.type == hop.to_type}


def _is_computed(scope: Scope, nodes: NodeSet, path: Sequence[Hop]) -> bool:
    """Whether ends are counted on the arrays of the graph: for many entities, along plain hops."""
    is_plain = bool(path) and not any(hop.where or hop.repeat for hop in path)
    return is_plain and len(nodes) >= _MANY and isinstance(scope.view, KeepsProjections)


def _computed(scope: Scope, nodes: NodeSet, path: Sequence[Hop], within: NodeSet | None) -> Scores:
    """Count the ends of a path from many entities at once: sparse matrices, multiplied.

    What a multiplication would look at is counted before it is done, as a walk counts it.
    """
    assert isinstance(scope.view, KeepsProjections), "see _is_computed"
    projections, budget = scope.view.projections, scope.budget
    row_of = projections.arrays.row_of
    first, *others = (
        projections.step(scope.moment, hop.relation, hop.to_type, outgoing=hop.outgoing)
        for hop in path
    )
    is_counted = np.full(len(row_of), within is None, dtype=np.int64)
    if within is not None:
        is_counted[[row_of[n] for n in within if n in row_of]] = 1
    scores: list[tuple[str, float]] = []
    for at in range(0, len(nodes), _BATCH):
        batch = nodes[at : at + _BATCH]
        known = [n for n in batch if n in row_of]
        near = first[[row_of[n] for n in known]]
        for onward in others:
            if not budget.look(int(np.diff(onward.indptr)[near.indices].sum())):
                return tuple(scores)
            near @= onward
        if not budget.look(near.nnz + len(batch)) or budget.is_late():
            return tuple(scores)
        counts = dict(zip(known, (near.astype(np.int64) @ is_counted).tolist(), strict=True))
        scores += [(n, float(counts.get(n, 0))) for n in batch]
    return tuple(scores)
