"""Operators that find ways between two entities: the shortest and the cheapest."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final, TypeVar

from tiers.graphrag.budget import Limit
from tiers.graphrag.levels import before, places_between
from tiers.graphrag.operators.effects import effect_neighbors
from tiers.graphrag.operators.figures import Formula, figure
from tiers.graphrag.operators.traversal import NodeSet, in_order
from tiers.graphrag.projection import Projections, read_projections
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge

_Parents = Mapping[str, Sequence[str]]
_Near = Callable[[str], Sequence[tuple[str, Edge]]]
_Place = TypeVar("_Place")

_MANY: Final = 10_000
"""Entities from which a shortest path is found sooner over the arrays: at 1,100 it takes 1.4 ms
there and 0.5 ms without, at 10,000 the same, at 100,000 4 ms and 13 ms (CPU, median of 200)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """The cheapest ways between two entities, and what each of them costs."""

    paths: tuple[NodeSet, ...]
    cost: float
    """Not a number when there is no way."""


def shortest_path(
    scope: Scope,
    *,
    source: str,
    target: str,
    directed: bool = False,
    relations: Sequence[str] = (),
) -> tuple[NodeSet, ...]:
    """Return every shortest path between two entities; none when they are not connected.

    Past a hundred, the rest is cut and noted. Event types are not passed through.
    ``directed`` follows the effects from ``source`` to ``target`` only; ``relations`` are the only
    types walked, all when empty.

    Example: ``shortest_path(source="a", target="b")`` gives ``(("a", "m", "b"),)``.
    Source: the paper's Table XII (undirected there).
    """
    if not scope.has(source) or not scope.has(target):
        return ()
    kept = read_projections(scope) if not (directed or relations) else None
    if kept is not None and len(kept.arrays.ids) >= _MANY:
        return _shortest_in(scope, kept, source, target)

    def near(node_id: str, *, ahead: bool = True) -> Sequence[tuple[str, Edge]]:
        around = _around(scope, node_id, directed=directed, ahead=ahead)
        return [step for step in around if step[1].type in relations] if relations else around

    start, end = _Side.at(source), _Side.at(target)
    while not (met := start.steps.keys() & end.steps.keys()):
        side, other, ahead = (start, end, True) if start.is_smaller(end) else (end, start, False)
        side.grow(scope, other, partial(near, ahead=ahead))
        if not side.rim or scope.budget.is_spent:
            return ()
    return _shown(scope, _joined(start, end, met), target, near)


def _shortest_in(scope: Scope, kept: Projections, source: str, target: str) -> tuple[NodeSet, ...]:
    """Find the same over the arrays, which takes a tenth of the time around a hub."""
    graph = kept.at(scope.moment)
    events = {name for name, kind in scope.schema.node_types.items() if kind.is_event}
    end, near = graph.row(target), graph.adjacency
    places = places_between(
        near, graph.row(source), end, lambda rows: graph.of_types(rows, events), scope.budget.look
    )
    if places is None:
        return ()
    found = sorted(_unwind(scope, cache(lambda row: before(near, places, row).tolist()), end))
    pairs = {pair for path in found for pair in pairwise(path)}
    fewer_first = (sorted(pair, key=graph.degrees.__getitem__) for pair in pairs)
    _note(
        scope,
        (
            edge
            for a, b in fewer_first
            for edge in scope.joining(graph.ids[a], graph.ids[b], kept.arrays.relations)
        ),
    )
    return tuple(tuple(graph.ids[list(path)].tolist()) for path in found)


@dataclass(slots=True)
class _Side:
    """What was reached from one of the two ends, level by level."""

    steps: dict[str, list[str]]
    """By entity, those one relation nearer to the end."""
    rim: Sequence[str]
    """The level that was reached last."""

    @classmethod
    def at(cls, end: str) -> "_Side":
        return cls({end: []}, [end])

    def is_smaller(self, other: "_Side") -> bool:
        return len(self.rim) <= len(other.rim)

    def grow(self, scope: Scope, other: "_Side", near: _Near) -> None:
        """Add what is one relation further; events are ends alone."""
        found: dict[str, list[str]] = {}
        for here in self.rim:
            around = near(here)
            if not scope.budget.look(len(around)):
                return
            for there, _ in around:
                if there in self.steps:
                    continue
                if there in found:
                    found[there].append(here)
                elif not other.steps.get(there, True) or not _is_event(scope, there):
                    found[there] = [here]
        self.steps.update(found)
        self.rim = sorted(found)


def _joined(start: _Side, end: _Side, met: Iterable[str]) -> _Parents:
    """Return what comes before each entity on a way through one where the two sides ``met``."""
    parents = dict(start.steps)
    level = set(met)
    while level:
        beyond: dict[str, list[str]] = {}
        for here in sorted(level):
            for there in dict.fromkeys(end.steps[here]):
                beyond.setdefault(there, []).append(here)
        parents.update(beyond)
        level = set(beyond)
    return parents


def weighted_path(
    scope: Scope,
    *,
    source: str,
    target: str,
    property: str | Formula,  # noqa: A002  # the schema's word
    relations: Sequence[str] = (),
    directed: bool = False,
) -> Ways:
    """Return the cheapest ways between two entities by a number on each relation, in its unit.

    Of equally cheap ways those with the fewest hops count, all of them. A relation without the
    number, or with one below zero, cannot be walked; of parallel ones the cheapest counts.
    ``relations`` are the only types walked, all when empty. Event types are not passed through.
    ``directed`` follows the effects from ``source`` to ``target`` only.

    Example: ``weighted_path(source="a", target="b", property="km")``.
    Source: Dijkstra 1959.
    """
    if not scope.has(source) or not scope.has(target):
        return Ways(paths=(), cost=math.nan)
    dear = _Prices(scope, property, tuple(relations), directed)
    cost, parents = _cheapest(scope, source, target, dear)
    if math.isnan(cost) or scope.budget.is_spent:
        return Ways(paths=(), cost=math.nan)
    return Ways(paths=_shown(scope, parents, target, dear.near), cost=cost)


@dataclass(frozen=True, slots=True)
class _Prices:
    """What it costs to go from one entity to the next."""

    scope: Scope
    property: str | Formula
    relations: tuple[str, ...]
    directed: bool

    def of(self, node_id: str) -> dict[str, float]:
        """Return each neighbour with the least that it costs to go there, in their order."""
        prices: dict[str, float] = {}
        for other, edge in _around(self.scope, node_id, directed=self.directed):
            if not self.scope.budget.look(1):
                return {}
            price = self._price(edge)
            if price is not None:
                prices[other] = min(price, prices.get(other, price))
        return dict(sorted(prices.items()))

    def near(self, node_id: str) -> Iterable[tuple[str, Edge]]:
        """Give the relations that cost the least to each neighbour."""
        prices = self.of(node_id)
        for other, edge in _around(self.scope, node_id, directed=self.directed):
            if other in prices and self._price(edge) == prices[other]:
                yield other, edge

    def _price(self, edge: Edge) -> float | None:
        if self.relations and edge.type not in self.relations:
            return None
        price = figure(self.scope, edge, self.property)
        return price if price is not None and price >= 0 else None


def _cheapest(
    scope: Scope, source: str, target: str, prices: _Prices
) -> tuple[float, dict[str, list[str]]]:
    """Return what the cheapest way costs, and before each entity those that come before it.

    Cost comes before hops, so that a way that costs nothing never turns in a circle.
    """
    best: dict[str, tuple[float, int]] = {source: (0.0, 0)}
    parents: dict[str, list[str]] = {source: []}
    done: set[str] = set()
    heap = [(0.0, 0, source)]
    while heap:
        cost, hops, here = heappop(heap)
        if here == target:
            return cost, parents
        if here in done or (here != source and _is_event(scope, here)):
            continue
        done.add(here)
        for other, price in prices.of(here).items():
            if not scope.budget.look(1):
                return math.nan, parents
            reached = (round(cost + price, 9), hops + 1)
            if other not in best or reached < best[other]:
                best[other], parents[other] = reached, [here]
                heappush(heap, (*reached, other))
            elif reached == best[other]:
                parents[other].append(here)
    return math.nan, parents


def _around(
    scope: Scope, node_id: str, *, directed: bool, ahead: bool = True
) -> list[tuple[str, Edge]]:
    """Return what an entity is joined to; where effects direct, what is ``ahead``, or behind."""
    if directed:
        return list(effect_neighbors(scope, node_id, downstream=ahead))
    out = [(e.target, e) for e in scope.edges(node_id, None, outgoing=True)]
    return out + [(e.source, e) for e in scope.edges(node_id, None, outgoing=False)]


def _is_event(scope: Scope, node_id: str) -> bool:
    node = scope.there(node_id)
    return node is not None and scope.schema.node_types[node.type].is_event


def _shown(
    scope: Scope,
    parents: _Parents,
    target: str,
    near: Callable[[str], Iterable[tuple[str, Edge]]],
) -> tuple[NodeSet, ...]:
    """Return the paths that lead to ``target``, and keep their relations as provenance."""
    paths = tuple(sorted(_unwind(scope, parents.__getitem__, target)))
    steps = {pair for path in paths for pair in pairwise(path)}
    walked = (
        edge
        for here in sorted({here for here, _ in steps})
        for other, edge in near(here)
        if (here, other) in steps
    )
    _note(scope, walked)
    return paths


def _note(scope: Scope, walked: Iterable[Edge]) -> None:
    for edge in in_order(walked):
        scope.note(edge)


def _unwind(
    scope: Scope, before: Callable[[_Place], Sequence[_Place]], end: _Place
) -> list[tuple[_Place, ...]]:
    """Return the ways to ``end`` from what nothing comes ``before``, as many as are allowed."""
    most = scope.budget.max_paths
    paths: list[tuple[_Place, ...]] = [(end,)]
    while before(paths[0][0]):
        paths = [(p, *path) for path in paths for p in dict.fromkeys(before(path[0]))]
        if len(paths) > most:
            scope.budget.cut(Limit.PATHS, f"more than {most} paths equally good", most)
            paths = paths[:most]
    return paths
