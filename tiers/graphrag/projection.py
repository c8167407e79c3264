"""The graph as arrays: what whole-graph computations run on, kept until the graph changes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tiers.graphrag.centrality import Floats, Ints, Shares
from tiers.graphrag.view import GraphView, Scope
from trivium.domain.knowledge import Edge, Node
from trivium.domain.time import Moment

Flags: TypeAlias = NDArray[np.bool_]

_KEPT: Final = 4
"""Projections kept of one version: a million entities take about 100 MB each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """When each of many things holds, as two arrays of microseconds."""

    starts: Ints
    ends: Ints

    def holding(self, moment: Moment) -> Flags:
        """Return which hold at a moment; see ``Validity.holds``."""
        is_some = self.starts < self.ends
        return is_some & (self.starts < _after(moment)) & (self.ends > moment.start)


def _after(moment: Moment) -> int:
    """Return the first microsecond after a moment; an instant is one microsecond long."""
    return max(moment.end, moment.start + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphArrays:
    """One version of a graph: all entities in the order of their ids, and all relations."""

    ids: NDArray[np.object_]
    types: tuple[str, ...]
    type_of: Ints
    nodes: Spans
    sources: Ints
    """Positions in ``ids``."""
    targets: Ints
    relations: tuple[str, ...]
    relation_of: Ints
    edges: Spans

    def moment_class(self, moment: Moment) -> tuple[int, int]:
        """Return what all moments share at which the same things hold.

        It is how many of the bounds have begun, and how many have passed.
        """
        starts = np.unique(np.concatenate([self.nodes.starts, self.edges.starts]))
        ends = np.unique(np.concatenate([self.nodes.ends, self.edges.ends]))
        begun = np.searchsorted(starts, _after(moment), "left")
        return int(begun), int(np.searchsorted(ends, moment.start, "right"))


class _Codes:
    """Numbers names in the order in which they come."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}

    def of(self, name: str) -> int:
        return self.names.setdefault(name, len(self.names))


def arrays_of(nodes: Iterable[Node], edges: Iterable[Edge]) -> GraphArrays:
    """Return the arrays of entities, given in the order of their ids, and of relations."""
    return arrays_from(
        ((n.id, n.type, n.validity.start, n.validity.end) for n in nodes),
        ((e.source, e.target, e.type, e.validity.start, e.validity.end) for e in edges),
    )


def arrays_from(
    nodes: Iterable[tuple[str, str, int, int]], edges: Iterable[tuple[str, str, str, int, int]]
) -> GraphArrays:
    """Return the arrays of rows: ``id, type, start, end`` and ``source, target, type, start, end``.

    What ends before it begins never holds, and is left out or never there.
    """
    types, relations = _Codes(), _Codes()
    index: dict[str, int] = {}
    node_rows: list[tuple[int, int, int]] = []
    for node_id, name, start, end in nodes:
        index[node_id] = len(index)
        node_rows.append((types.of(name), start, end))
    joined = (
        (index[source], index[target], relations.of(name), start, end)
        for source, target, name, start, end in edges
        if start < end
    )
    type_of, *node_bounds = _columns(iter(node_rows), 3)
    sources, targets, relation_of, *edge_bounds = _columns(joined, 5)
    return GraphArrays(
        ids=np.array(list(index), dtype=object),
        types=tuple(types.names),
        type_of=type_of,
        nodes=Spans(starts=node_bounds[0], ends=node_bounds[1]),
        sources=sources,
        targets=targets,
        relations=tuple(relations.names),
        relation_of=relation_of,
        edges=Spans(starts=edge_bounds[0], ends=edge_bounds[1]),
    )


def _columns(rows: Iterator[tuple[int, ...]], width: int) -> list[Ints]:
    flat = np.fromiter((value for row in rows for value in row), dtype=np.int64)
    return [np.ascontiguousarray(column) for column in flat.reshape(-1, width).T]


@dataclass(slots=True, kw_only=True)
class Projection:
    """What holds at one moment, undirected, as a sparse matrix, with what was computed on it."""

    ids: NDArray[np.object_]
    """In order; row and column ``i`` of the matrix are ``ids[i]``."""
    types: tuple[str, ...]
    type_of: Ints
    adjacency: sparse.csr_array
    """1 where two are joined, however often; a relation to oneself stands on the diagonal."""
    degrees: Floats
    """Relations of each; parallel ones count each, and one to itself once."""
    ranks: Floats | None = None
    """The PageRank of each."""
    shares: Shares | None = None
    """The betweenness of each."""

    def __len__(self) -> int:
        return len(self.ids)

    def of_type(self, node_type: str | None) -> Ints:
        """Return the positions of a type's entities, or of all."""
        if node_type is None:
            return np.arange(len(self))
        code = self.types.index(node_type) if node_type in self.types else -1
        return np.flatnonzero(self.type_of == code)

    def ranked(self, values: Floats, node_type: str | None) -> tuple[tuple[str, float], ...]:
        """Return each entity of a type with its value, highest first, equal ones by id."""
        rows = self.of_type(node_type)
        rows = rows[np.argsort(-np.round(values[rows], 9), kind="stable")]
        return tuple(zip(self.ids[rows].tolist(), values[rows].tolist(), strict=True))


class Projections:
    """The projections of one version of a graph, made when they are first asked for."""

    def __init__(self, read: Callable[[], GraphArrays]) -> None:
        self._read = read
        self.forget()

    def forget(self) -> None:
        """Start anew: the graph has changed."""
        self._arrays: GraphArrays | None = None
        self._known: dict[object, Projection] = {}
        self._classes: dict[Moment, tuple[int, int]] = {}

    def at(
        self, moment: Moment, without: Sequence[str] = (), relations: Sequence[str] | None = None
    ) -> Projection:
        """Return what holds at a moment, some types left out, along some relations or all."""
        if self._arrays is None:
            self._arrays = self._read()
        if moment not in self._classes:
            self._classes[moment] = self._arrays.moment_class(moment)
        along = None if relations is None else frozenset(relations)
        key = self._classes[moment], frozenset(without), along
        found = self._known.pop(key, None) or _projected(self._arrays, moment, without, relations)
        self._known[key] = found
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return found


@runtime_checkable
class KeepsProjections(Protocol):
    """A view that keeps its projections until it changes."""

    @property
    def projections(self) -> Projections:
        """The projections of the version that is there now."""
        ...


def projection_of(scope: Scope, without: Sequence[str] = ()) -> Projection:
    """Return the undirected graph of all that holds at the moment, some types left out."""
    view = scope.view
    kept = view.projections if isinstance(view, KeepsProjections) else Projections(_reader(view))
    return kept.at(scope.moment, without)


def _reader(view: GraphView) -> Callable[[], GraphArrays]:
    return lambda: arrays_of(
        view.nodes(), (e for n in view.nodes() for e in view.edges(n.id, outgoing=True))
    )


def _projected(
    arrays: GraphArrays, moment: Moment, without: Sequence[str], relations: Sequence[str] | None
) -> Projection:
    codes = [code for code, name in enumerate(arrays.types) if name in without]
    there = arrays.nodes.holding(moment) & ~np.isin(arrays.type_of, codes)
    joined = arrays.edges.holding(moment) & there[arrays.sources] & there[arrays.targets]
    if relations is not None:
        codes = [code for code, name in enumerate(arrays.relations) if name in relations]
        joined &= np.isin(arrays.relation_of, codes)
    rows = np.flatnonzero(there)
    place = np.cumsum(there) - 1
    a, b = place[arrays.sources[joined]], place[arrays.targets[joined]]
    loops = a == b
    degrees = np.bincount(a, minlength=len(rows)) + np.bincount(b[~loops], minlength=len(rows))
    return Projection(
        ids=arrays.ids[rows],
        types=arrays.types,
        type_of=arrays.type_of[rows],
        adjacency=_symmetric(a, b, len(rows)),
        degrees=degrees.astype(np.float64),
    )


def _symmetric(a: Ints, b: Ints, size: int) -> sparse.csr_array:
    ones = np.ones(2 * len(a))
    both = np.concatenate([a, b]), np.concatenate([b, a])
    matrix = sparse.coo_array((ones, both), shape=(size, size)).tocsr()
    matrix.data[:] = 1.0
    return matrix
