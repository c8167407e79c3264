"""Operators that compute over the structure: comparison, alternatives, centrality."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from tiers.graphrag import centrality
from tiers.graphrag.operators.effects import reach
from tiers.graphrag.operators.grouping import rank
from tiers.graphrag.operators.traversal import (
    Hop,
    NodeSet,
    Scores,
    find_nodes,
    follow,
    in_order,
    step,
)
from tiers.graphrag.projection import projection_of
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge, Value
from trivium.domain.result import Comparison
from trivium.domain.schema import Property, PropertyKind
from trivium.language.text import fold, spoken, stems
from trivium.language.words import general_words

_KIND_WORDS = frozenset({"type", "kind", "category", "class", "family", "genre", "speciality"})


def subgraph_diff(scope: Scope, *, a: str, b: str, types: Sequence[str] = ()) -> Comparison:
    """Compare what two entities rest on and what rests on them, type by type.

    ``counts`` are per type; ``values`` hold the depth of what they rest on and in how many
    places it stands. A computation: it goes as far as the effects do.

    Example: ``subgraph_diff(a="p1", b="p2", types=["Plant"])``.
    Source: the paper's Table XIV, Definition 4.
    """
    sides = [_surroundings(scope, node_id) for node_id in (a, b)]
    groups = [_by_type(scope, {*up, *down}, (a, b)) for up, down in sides]
    names = [n for n in scope.schema.node_types if any(n in g for g in groups)]
    chosen = [n for n in names if not types or n in types]
    pairs = {n: (groups[0].get(n, set()), groups[1].get(n, set())) for n in chosen}
    values = {} if types else _whereabouts(scope, [up for up, _ in sides], names)
    if scope.budget.is_spent:  # a number that could not be finished is left out
        return Comparison(a=a, b=b)
    return Comparison(
        a=a,
        b=b,
        counts={n: (len(x), len(y)) for n, (x, y) in pairs.items()},
        values=values,
        shared={n: tuple(sorted(x & y)) for n, (x, y) in pairs.items()},
        only_a={n: tuple(sorted(x - y)) for n, (x, y) in pairs.items()},
        only_b={n: tuple(sorted(y - x)) for n, (x, y) in pairs.items()},
    )


def compare_along(
    scope: Scope,
    *,
    a: str,
    b: str,
    types: Sequence[str],
    paths: Sequence[Sequence[Hop]],
    within: Sequence[NodeSet | None] = (),
) -> Comparison:
    """Compare what typed paths lead to from two entities, a type to each path.

    ``within``, where given, are the only entities of each type that count.

    Example: ``compare_along(a="p1", b="p2", types=["Maker"], paths=[[{"relation": "SUPPLIES",
    "direction": "in"}]])``.
    Source: the paper's Definition 4, along paths that the question names.
    """
    found: dict[str, tuple[set[str], set[str]]] = {}
    allowed = list(within) or [None] * len(types)
    for name, path, only in zip(types, paths, allowed, strict=True):
        first, second = (set(follow(scope, nodes=(n,), path=path)) for n in (a, b))
        if only is not None:
            first, second = first & set(only), second & set(only)
        found[name] = (first, second)
    return Comparison(
        a=a,
        b=b,
        counts={n: (len(x), len(y)) for n, (x, y) in found.items()},
        shared={n: tuple(sorted(x & y)) for n, (x, y) in found.items()},
        only_a={n: tuple(sorted(x - y)) for n, (x, y) in found.items()},
        only_b={n: tuple(sorted(y - x)) for n, (x, y) in found.items()},
    )


def _surroundings(scope: Scope, node_id: str) -> tuple[dict[str, int], dict[str, int]]:
    up = reach(scope, (node_id,), downstream=False)
    down = reach(scope, (node_id,), downstream=True)
    return {k: v for k, v in up.items() if v}, {k: v for k, v in down.items() if v}


def _whereabouts(
    scope: Scope, ups: Sequence[Mapping[str, int]], types: Sequence[str]
) -> dict[str, tuple[Value, Value]]:
    """Return how far back two entities go, and in how many places what they rest on stands."""
    depths = [max(up.values(), default=0) for up in ups]
    found: dict[str, tuple[Value, Value]] = {"depth": (depths[0], depths[1])}
    for place in _place_properties(scope, types):
        spread = [len(_places(scope, up, place)) for up in ups]
        found[place] = (spread[0], spread[1])
    return found


def _by_type(scope: Scope, nodes: Iterable[str], without: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for node_id in set(nodes) - set(without):
        if not scope.budget.look(1):
            break
        node = scope.view.node(node_id)
        if node is not None:
            found.setdefault(node.type, set()).add(node_id)
    return found


def _place_properties(scope: Scope, types: Sequence[str]) -> list[str]:
    """Return the properties that say where something is, in at least two of the types."""
    seen = Counter(
        item.name
        for name in types
        for item in scope.schema.node_types[name].properties.values()
        if spoken(item.name) in general_words().places
    )
    return [name for name, n in seen.items() if n >= 2]


def _places(scope: Scope, nodes: Iterable[str], place: str) -> set[str]:
    found = (scope.view.node(node_id) for node_id in nodes if scope.budget.look(1))
    return {str(v) for n in found if n and (v := n.properties.get(place)) is not None}


def kind_property(scope: Scope, node_type: str) -> Property | None:
    """Return the property that says what kind of its type an entity is."""
    properties = scope.schema.node_types[node_type].properties.values()
    return next(
        (
            p
            for p in properties
            if p.kind is PropertyKind.CATEGORY and _KIND_WORDS & set(spoken(p.name).split())
        ),
        None,
    )


def alternatives(scope: Scope, *, node: str, hop: Hop) -> NodeSet:
    """Return who could stand in for what ``hop`` leads to from an entity.

    They are those who do the same for another entity of its kind; when there are none, those
    whose own description names the kind.

    Example: ``alternatives(node="p1", hop={"relation": "SUPPLIES", "direction": "in"})``.
    Source: the paper's Algorithm 1, Definition 2.
    """
    target = scope.view.node(node)
    kind = kind_property(scope, target.type) if target else None
    current = set(step(scope, (node,), hop))
    if target is None or kind is None:
        return ()
    value = target.properties.get(kind.name)
    if value is None:
        return ()
    alike = [
        n.id
        for n in scope.active(target.type)
        if n.id != node and n.properties.get(kind.name) == value
    ]
    reached = step(scope, alike, hop)
    found = sorted(set(reached) - current)
    for node_id in found:
        for edge in in_order(reached[node_id]):
            scope.note(edge)
    return tuple(found) if found else _by_description(scope, hop, str(value), current)


def _by_description(scope: Scope, hop: Hop, kind: str, current: set[str]) -> NodeSet:
    """Return those whose text properties name the kind in their own words."""
    wanted = {w for w in stems(kind) if len(w) > 3 and w not in general_words().stop}
    found = []
    for node_id in find_nodes(scope, type=hop.to_type):
        node = scope.view.node(node_id)
        texts = [v for v in (node.properties.values() if node else ()) if isinstance(v, str)]
        said = {w for text in texts if len(text.split()) > 1 for w in stems(fold(text))}
        if node_id not in current and wanted and wanted <= said:
            found.append(node_id)
    return tuple(found)


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
    groups = (tuple(graph.ids[rows].tolist()) for rows in centrality.components(graph.adjacency))
    return tuple(sorted(groups, key=lambda g: (-len(g), g)))


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
