"""The graph as arrays: what whole-graph computations run on, kept until the graph changes."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tiers.graphrag.centrality import Floats, Shares
from tiers.graphrag.levels import Flags, Ints
from tiers.graphrag.view import GraphView, Scope
from trivium.domain.knowledge import Edge, Node
from trivium.domain.time import Moment

_BOUNDS: Final = ("validity.start", "validity.end")
_KEPT: Final = 4
"""Projections kept of one version: a million entities take about 100 MB each."""
_KEPT_STEPS: Final = 16
"""Steps kept of one version: a million relations take about 20 MB each."""


@dataclass(frozen=True, slots=True)
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

    row_of: Mapping[str, int]
    """The place of each entity, in the order of their ids."""
    ids: NDArray[np.object_]
    types: tuple[str, ...]
    type_of: Ints
    nodes: Spans
    sources: Ints
    """Rows of entities."""
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


class _Codes(dict[str, int]):
    """Numbers names in the order in which they come."""

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self)
        return code

    def of(self, names: Iterable[str]) -> Ints:
        return np.fromiter(map(self.__getitem__, names), dtype=np.int64)


def arrays_of(nodes: Iterable[Node], edges: Sequence[Edge]) -> GraphArrays:
    """Return the arrays of entities, given in the order of their ids, and of relations."""
    things = list(nodes)
    return arrays_from(
        [map(attrgetter(name), things) for name in ("id", "type", *_BOUNDS)],
        [map(attrgetter(name), edges) for name in ("source", "target", "type", *_BOUNDS)],
    )


def arrays_from(nodes: Sequence[Iterable[Any]], edges: Sequence[Iterable[Any]]) -> GraphArrays:
    """Return the arrays of columns: id, type, start, end; and source, target, type, start, end.

    What ends before it begins never holds, and is left out or never there.
    """
    ids, of_type, *node_bounds = nodes
    ends_a, ends_b, of_relation, *edge_bounds = edges
    index, types, relations = _Codes(), _Codes(), _Codes()
    index.of(ids)
    type_of, sources, targets = types.of(of_type), index.of(ends_a), index.of(ends_b)
    relation_of = relations.of(of_relation)
    first, last = (np.fromiter(bound, dtype=np.int64) for bound in edge_bounds)
    ever = first < last
    return GraphArrays(
        row_of=index,
        ids=np.array(list(index), dtype=object),
        types=tuple(types),
        type_of=type_of,
        nodes=Spans(*(np.fromiter(bound, dtype=np.int64) for bound in node_bounds)),
        sources=sources[ever],
        targets=targets[ever],
        relations=tuple(relations),
        relation_of=relation_of[ever],
        edges=Spans(first[ever], last[ever]),
    )


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
    incoming: Floats
    """Relations that lead to each; one to itself counts."""
    outgoing: Floats
    """Relations that start from each."""
    ranks: Floats | None = None
    """The PageRank of each."""
    shares: Shares | None = None
    """The betweenness of each."""

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, node_id: str) -> int:
        """Return the position of an entity that is there."""
        return int(np.searchsorted(self.ids, node_id))

    def of_types(self, rows: Ints, node_types: Collection[str]) -> Flags:
        """Return which of some positions are of one of some types."""
        is_one = np.array([name in node_types for name in self.types], dtype=np.bool_)
        return is_one[self.type_of[rows]]

    def of_type(self, node_type: str | None) -> Ints:
        """Return the positions of a type's entities, or of all."""
        if node_type is None:
            return np.arange(len(self))
        return np.flatnonzero(self.type_of == _code(self.types, node_type))

    def ranked(
        self, values: Floats, node_type: str | None, limit: int | None = None
    ) -> tuple[tuple[str, float], ...]:
        """Return each entity of a type with its value, highest first, equal ones by id.

        With a limit, what ties with the last stays.
        """
        rows, values = self.of_type(node_type), np.round(values, 9)
        if limit is not None and 0 < limit < len(rows):
            rows = rows[values[rows] >= np.partition(values[rows], -limit)[-limit]]
        rows = rows[np.argsort(-values[rows], kind="stable")]
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
        self._steps: dict[object, sparse.csr_array] = {}
        self._classes: dict[Moment, tuple[int, int]] = {}

    def step(
        self, moment: Moment, relation: str, to_type: str | None, *, outgoing: bool
    ) -> sparse.csr_array:
        """Return what one relation leads to at a moment: from each row to the marked columns."""
        key = self._class_of(moment), relation, to_type, outgoing
        found = self._steps.pop(key, None)
        if found is None:
            found = _stepped(self.arrays, moment, relation, to_type, outgoing=outgoing)
        self._steps[key] = found
        while len(self._steps) > _KEPT_STEPS:
            del self._steps[next(iter(self._steps))]
        return found

    @property
    def is_read(self) -> bool:
        """Whether this version was read."""
        return self._arrays is not None

    @property
    def arrays(self) -> GraphArrays:
        """The arrays of this version."""
        if self._arrays is None:
            self._arrays = self._read()
        return self._arrays

    def _class_of(self, moment: Moment) -> tuple[int, int]:
        if moment not in self._classes:
            self._classes[moment] = self.arrays.moment_class(moment)
        return self._classes[moment]

    def at(
        self, moment: Moment, without: Sequence[str] = (), relations: Sequence[str] | None = None
    ) -> Projection:
        """Return what holds at a moment, some types left out, along some relations or all."""
        along = None if relations is None else frozenset(relations)
        key = self._class_of(moment), frozenset(without), along
        found = self._known.pop(key, None) or _projected(self.arrays, moment, without, relations)
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


def projection_of(
    scope: Scope, without: Sequence[str] = (), relations: Sequence[str] = ()
) -> Projection:
    """Return the undirected graph of all that holds at the moment, some types left out.

    ``relations`` are the only ones that join, all when empty.
    """
    view = scope.view
    kept = view.projections if isinstance(view, KeepsProjections) else Projections(_reader(view))
    return kept.at(scope.moment, without, relations or None)


def read_projections(scope: Scope) -> Projections | None:
    """Return what is kept of a version that was read before; ``None`` where it was not.

    Reading a large graph takes longer than a walk, which can do without.
    """
    view = scope.view
    kept = view.projections if isinstance(view, KeepsProjections) else None
    return kept if kept is not None and kept.is_read else None


def _reader(view: GraphView) -> Callable[[], GraphArrays]:
    return lambda: arrays_of(
        view.nodes(), [e for n in view.nodes() for e in view.edges(n.id, outgoing=True)]
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
    outgoing = np.bincount(a, minlength=len(rows)).astype(np.float64)
    incoming = np.bincount(b, minlength=len(rows)).astype(np.float64)
    both = outgoing + np.bincount(b[~loops], minlength=len(rows))
    return Projection(
        ids=arrays.ids[rows],
        types=arrays.types,
        type_of=arrays.type_of[rows],
        adjacency=_symmetric(a, b, len(rows)),
        degrees=both,
        incoming=incoming,
        outgoing=outgoing,
    )


def _stepped(
    arrays: GraphArrays, moment: Moment, relation: str, to_type: str | None, *, outgoing: bool
) -> sparse.csr_array:
    there = arrays.nodes.holding(moment)
    joined = arrays.edges.holding(moment) & there[arrays.sources] & there[arrays.targets]
    joined &= arrays.relation_of == _code(arrays.relations, relation)
    a, b = arrays.sources[joined], arrays.targets[joined]
    if not outgoing:
        a, b = b, a
    if to_type is not None:
        of_type = arrays.type_of[b] == _code(arrays.types, to_type)
        a, b = a[of_type], b[of_type]
    size = len(arrays.ids)
    marks = np.ones(len(a), dtype=np.bool_)
    return sparse.coo_array((marks, (a, b)), shape=(size, size)).tocsr()


def _code(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else -1


def _symmetric(a: Ints, b: Ints, size: int) -> sparse.csr_array:
    ones = np.ones(2 * len(a))
    both = np.concatenate([a, b]), np.concatenate([b, a])
    matrix = sparse.coo_array((ones, both), shape=(size, size)).tocsr()
    matrix.data[:] = 1.0
    return matrix
