"""Operators that compute over the structure of the graph: centrality, pieces, cut points, width."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal

import numpy as np

from tiers.graphrag import centrality
from tiers.graphrag.collector import collector_at_rest
from tiers.graphrag.operators.grouping import rank
from tiers.graphrag.operators.traversal import NodeSet, Scores
from tiers.graphrag.projection import projection_of
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge


def betweenness(
    scope: Scope,
    *,
    type: str | None = None,  # noqa: A002  # the schema's word
    without: Sequence[str] = (),
    limit: int | None = None,
) -> Scores:
    """Return on which share of all shortest paths each entity lies, from 0 to 1.

    ``limit`` gives so many of the highest, and what ties with the last. Exact up to 5,000
    entities; beyond, or when the time runs out, an estimate, which is noted.

    Source: the paper's Table XIV; Freeman 1977, by Brandes 2001.
    """
    graph = projection_of(scope, without)
    known = graph.shares or centrality.betweenness(graph.adjacency, scope.budget.is_late)
    if not known.is_cut:
        graph.shares = known
    if known.n_sources < len(graph):
        error = "not known" if known.error is None else f"at most {known.error:.2g}"
        scope.budget.notes.append(
            f"Betweenness is estimated from {known.n_sources} of {len(graph)} entities; "
            f"its standard error is {error}"
        )
    return graph.ranked(known.values, type, limit)


def pagerank(
    scope: Scope,
    *,
    type: str | None = None,  # noqa: A002  # the schema's word
    without: Sequence[str] = (),
    limit: int | None = None,
) -> Scores:
    """Return the PageRank of each entity, undirected, damping 0.85.

    ``limit`` gives so many of the highest, and what ties with the last.

    Source: the paper's Table XIV; Page et al. 1999.
    """
    graph = projection_of(scope, without)
    if graph.ranks is None:
        graph.ranks = centrality.pagerank(graph.adjacency)
    return graph.ranked(graph.ranks, type, limit)


def degree(  # noqa: PLR0913  # each narrows what is counted or shown
    scope: Scope,
    *,
    type: str | None = None,  # noqa: A002  # the schema's word
    without: Sequence[str] = (),
    relations: Sequence[str] = (),
    side: Literal["both", "in", "out"] = "both",
    nodes: NodeSet | None = None,
    limit: int | None = None,
) -> Scores:
    """Return how many relations each entity has at the moment.

    Parallel ones count each, and one to itself once. ``relations`` are the only ones counted, all
    when empty; ``side`` counts those that lead to it, or that start from it. ``nodes`` are the
    only ones scored. ``limit`` gives so many of the highest, and what ties with the last.
    """
    graph = projection_of(scope, without, relations)
    counted = {"both": graph.degrees, "in": graph.incoming, "out": graph.outgoing}
    if nodes is None:
        return graph.ranked(counted[side], type, limit)
    asked = set(nodes)
    scores = tuple(pair for pair in graph.ranked(counted[side], type) if pair[0] in asked)
    return rank(scores, limit=limit)


def diameter(scope: Scope, *, without: Sequence[str] = (), relations: Sequence[str] = ()) -> float:
    """Return the steps between the two entities farthest apart of those joined at all.

    Direction aside. Not a number when there are none, or when the time runs out.

    Source: the greatest of all shortest paths; Harary 1969.
    """
    graph = projection_of(scope, without, relations)
    return centrality.diameter(graph.adjacency, scope.budget.is_late)


def connected_components(
    scope: Scope,
    *,
    without: Sequence[str] = (),
    type: str | None = None,  # noqa: A002  # the schema's word
    relations: Sequence[str] = (),
    removed: NodeSet = (),
) -> tuple[NodeSet, ...]:
    """Return the groups that hang together, direction aside, largest first.

    ``type`` looks at the entities of one type and the relations among them alone, ``relations``
    at these relations alone; what has none is a group of its own. ``removed`` are taken out.

    Example: ``connected_components(type="Station", relations=["NEXT_TO"])``.
    Source: the paper's Table XIV.
    """
    if type is not None or relations or removed:
        left = {n.id for n in scope.active(type) if n.type not in without} - set(removed)
        return _pieces(scope, left, frozenset(relations))
    graph = projection_of(scope, without)
    rows, sizes = centrality.components(graph.adjacency)
    with collector_at_rest():
        names = iter(graph.ids[rows].tolist())
        return tuple(tuple(islice(names, size)) for size in sizes.tolist())


def _pieces(scope: Scope, left: set[str], relations: frozenset[str]) -> tuple[NodeSet, ...]:
    """Return the groups of some entities that relations join; none when the time runs out."""
    members = frozenset(left)
    groups = []
    while left:
        group, rim = set[str](), {min(left)}
        while rim:
            group |= rim
            around = (e for here in sorted(rim) for e in _joined_by(scope, here, relations))
            rim = {end for edge in around for end in (edge.source, edge.target)} & members - group
        groups.append(tuple(sorted(group)))
        left -= group
    if scope.budget.is_spent:
        return ()
    return tuple(sorted(groups, key=lambda g: (-len(g), g)))


def _joined_by(scope: Scope, node_id: str, relations: frozenset[str]) -> Iterator[Edge]:
    for outgoing in (True, False):
        for edge in scope.edges(node_id, None, outgoing=outgoing):
            if scope.budget.look(1) and (not relations or edge.type in relations):
                yield edge


def cut_points(
    scope: Scope,
    *,
    type: str | None = None,  # noqa: A002  # the schema's word
    without: Sequence[str] = (),
    relations: Sequence[str] = (),
) -> NodeSet:
    """Return the entities without which the graph falls into more pieces.

    ``relations`` are the only ones that join, all when empty.

    Source: Hopcroft and Tarjan 1973.
    """
    graph = projection_of(scope, without, relations)
    rows = np.intersect1d(centrality.cut_points(graph.adjacency), graph.of_type(type))
    return tuple(graph.ids[rows].tolist())
