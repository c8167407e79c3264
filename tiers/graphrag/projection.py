"""The graph as arrays: what whole-graph computations run on, kept until the graph changes."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, runtime_checkable

import numpy as np
import scipy
from numpy.typing import NDArray

from tiers.graphrag.arrays import GraphArrays, arrays_of, of_types
from tiers.graphrag.centrality import Floats, Shares
from tiers.graphrag.collector import collector_at_rest
from tiers.graphrag.levels import Flags, Ints
from tiers.graphrag.view import GraphView, Scope
from trivium.domain.schema import Effect
from trivium.domain.time import Moment

if TYPE_CHECKING:
    from scipy import sparse  # 0.2 s to import: at run time, when the first graph is made of it

_KEPT: Final = 4
"""Projections kept of one version: a million entities take about 100 MB each."""
_KEPT_STEPS: Final = 16
"""Steps kept of one version: a million relations take about 20 MB each."""
_Made = TypeVar("_Made")


@dataclass(slots=True, kw_only=True)
class Projection:
    """What holds at one moment, undirected, as a sparse matrix, with what was computed on it."""

    ids: NDArray[np.object_]
    """In order; row and column ``i`` of the matrix are ``ids[i]``."""
    types: tuple[str, ...]
    type_of: Ints
    adjacency: "sparse.csr_array"
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
        return of_types(self.types, self.type_of[rows], node_types)

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
        with collector_at_rest():
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
        self._upstream: dict[object, sparse.csr_array] = {}
        self._classes: dict[Moment, tuple[int, int]] = {}

    def step(
        self, moment: Moment, relation: str, to_type: str | None, *, outgoing: bool
    ) -> "sparse.csr_array":
        """Return what one relation leads to at a moment: from each row to the marked columns."""
        key = self._class_of(moment), relation, to_type, outgoing
        return _kept(
            self._steps,
            key,
            lambda: _stepped(self.arrays, moment, relation, to_type, outgoing=outgoing),
            _KEPT_STEPS,
        )

    def upstream(self, moment: Moment, effect_of: Callable[[str], Effect]) -> "sparse.csr_array":
        """Return what each row feels the faults of at a moment, relations having these effects."""
        effects = tuple(map(effect_of, self.arrays.relations))
        key = self._class_of(moment), effects
        return _kept(self._upstream, key, lambda: _felt(self.arrays, moment, effects), _KEPT)

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
        return _kept(
            self._known, key, lambda: _projected(self.arrays, moment, without, relations), _KEPT
        )


def _kept(known: dict[object, _Made], key: object, make: Callable[[], _Made], most: int) -> _Made:
    """Return what is known, or make it; what was asked for longest ago is forgotten."""
    found = known.pop(key, None)
    known[key] = found = make() if found is None else found
    while len(known) > most:
        del known[next(iter(known))]
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
    return projections_of(scope).at(scope.moment, without, relations or None)


def projections_of(scope: Scope) -> Projections:
    """Return those of the version that a scope looks at, made now where they are not kept."""
    view = scope.view
    return view.projections if isinstance(view, KeepsProjections) else Projections(_reader(view))


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
    there, joined = arrays.holding(moment, ~np.isin(arrays.type_of, codes))
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
) -> "sparse.csr_array":
    _, joined = arrays.holding(moment)
    joined &= arrays.relation_of == _code(arrays.relations, relation)
    a, b = arrays.sources[joined], arrays.targets[joined]
    if not outgoing:
        a, b = b, a
    if to_type is not None:
        of_type = arrays.type_of[b] == _code(arrays.types, to_type)
        a, b = a[of_type], b[of_type]
    return _marked(a, b, len(arrays.ids))


def _felt(arrays: GraphArrays, moment: Moment, effects: Sequence[Effect]) -> "sparse.csr_array":
    _, joined = arrays.holding(moment)
    ahead, back = (
        joined & np.array([effect is way for effect in effects], dtype=np.bool_)[arrays.relation_of]
        for way in (Effect.FORWARD, Effect.BACKWARD)
    )
    sources, targets = arrays.sources, arrays.targets
    feels = np.concatenate([targets[ahead], sources[back]])
    felt = np.concatenate([sources[ahead], targets[back]])
    return _marked(feels, felt, len(arrays.ids))


def _marked(a: Ints, b: Ints, size: int) -> "sparse.csr_array":
    marks, ends = np.ones(len(a), dtype=np.bool_), (a.astype(np.int32), b.astype(np.int32))
    return scipy.sparse.coo_array((marks, ends), shape=(size, size)).tocsr()


def _code(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else -1


def _symmetric(a: Ints, b: Ints, size: int) -> "sparse.csr_array":
    ones = np.ones(2 * len(a))
    a, b = a.astype(np.int32), b.astype(np.int32)
    both = np.concatenate([a, b]), np.concatenate([b, a])
    matrix = scipy.sparse.coo_array((ones, both), shape=(size, size)).tocsr()
    matrix.data[:] = 1.0
    return matrix
