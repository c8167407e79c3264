"""The graph in memory: the default store."""

import asyncio
import gc
import threading
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Final, TypeAlias

from tiers.graphrag.arrays import arrays_of
from tiers.graphrag.collector import collector_at_rest
from tiers.graphrag.projection import Projections
from tiers.graphrag.stores.snapshot import Snapshot, read_snapshot, write_snapshot
from tiers.graphrag.view import GraphView, Kept
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_from_payload, node_from_payload
from trivium.domain.time import Moment

_Key: TypeAlias = str
"""The data set that says a relation, and the key that it has there."""
_PARTED: Final = "\0"
_MAX_MOMENTS: Final = 4
"""Moments at which what was read is kept; most questions are about today."""
_MANY: Final = 1_000
"""Changes at once after which what is there is left out of the search for cycles."""
_Near: TypeAlias = dict[str, dict[str, list[Edge]]]
"""By type, then by entity, the relations in the order of their other ends and keys."""
_BY_TARGET: Final = attrgetter("target", "key")
_BY_SOURCE: Final = attrgetter("source", "key")


class MemoryGraph:
    """Implements ``GraphView`` and ``Projection``: typed, dated, with parallel relations.

    One lock keeps a change and a running plan apart, so that a plan sees one version. Several
    data sets may say an entity: the last one to speak holds, and it is gone when none does.

    It is plain dictionaries and sorted lists: at a million entities a MultiDiGraph of NetworkX,
    which this once was, took two and a half times the memory (``bench/graph_scale.py``).
    """

    name = "graph"
    engine = "memory"

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.projections = Projections(lambda: arrays_of(self.nodes(), list(self._edges.values())))
        self._reset()

    def _reset(self) -> None:
        self._said: dict[str, tuple[tuple[str, Node], ...]] = {}
        """What each data set says of an entity, in order."""
        self._by_type: dict[str, dict[str, None]] = defaultdict(dict)
        self._edges: dict[_Key, Edge] = {}
        self._out: _Near = defaultdict(dict)
        self._in: _Near = defaultdict(dict)
        self._waiting: dict[str, dict[_Key, Edge]] = {}
        self._waits_for: dict[_Key, str] = {}
        self._n_relations: Counter[str] = Counter()
        self._sources: set[str] = set()
        """The data sets that ever said a relation."""
        self._watermark = 0
        self._saved: int | None = None
        """The watermark of the file that was read or written."""
        self._forget()

    def _forget(self) -> None:
        """Forget what was read of the graph as it was."""
        self._kept: dict[Moment, Kept] = {}
        self.projections.forget()

    @contextmanager
    def reading(self) -> Iterator[GraphView]:
        """Hold the graph still while a plan runs."""
        with self._lock:
            yield self

    def node(self, node_id: str) -> Node | None:
        """Return an entity; see ``GraphView``."""
        said = self._said.get(node_id)
        return said[-1][1] if said else None

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give entities in the order of their ids; see ``GraphView``."""
        ids = self._said if node_type is None else self._by_type.get(node_type, {})
        return (self._said[i][-1][1] for i in sorted(ids))

    def edges(self, node_id: str, relation: str | None = None, *, outgoing: bool) -> Sequence[Edge]:
        """Return relations of an entity; see ``GraphView``."""
        near = self._out if outgoing else self._in
        if relation is not None:
            return near[relation].get(node_id, ()) if relation in near else ()
        own = [edges for of_type in near.values() if (edges := of_type.get(node_id))]
        return own[0] if len(own) == 1 else list(chain.from_iterable(own))

    def __len__(self) -> int:
        return len(self._said)

    @property
    def n_edges(self) -> int:
        """How many relations there are, expired ones included."""
        return len(self._edges)

    def n_nodes(self, node_type: str | None = None) -> int:
        """Return how many entities there are of a type; see ``Counted``."""
        return len(self) if node_type is None else len(self._by_type.get(node_type, {}))

    def n_relations(self, relation: str | None = None) -> int:
        """Return how many relations there are of a type; see ``Counted``."""
        return len(self._edges) if relation is None else self._n_relations[relation]

    def kept(self, moment: Moment) -> Kept:
        """Return what plans read at a moment, until the next change; see ``Keeping``."""
        kept = self._kept.pop(moment, None) or Kept()
        self._kept[moment] = kept  # the last one asked for stands last
        while len(self._kept) > _MAX_MOMENTS:
            self._kept.pop(next(iter(self._kept)))
        return kept

    def save(self, path: Path) -> None:
        """Write all that is held to a file, for ``restore``, if it changed since.

        Raises:
            OSError: it could not be written; the file is as before.
        """
        with self._lock:
            if self._watermark == self._saved:
                return
            edges = dict(self._edges)
            for waiting in self._waiting.values():
                edges |= waiting
            held = Snapshot(watermark=self._watermark, said=self._said, edges=edges)
            write_snapshot(path, held)
            self._saved = self._watermark

    def restore(self, path: Path) -> None:
        """Hold what a file holds in place of what is held now.

        Raises:
            DataError: the file is damaged; nothing was changed.
            OSError: the file cannot be read; nothing was changed.
        """
        with collector_at_rest():
            held = read_snapshot(path)
            with self._lock:
                self._reset()
                self._said = dict(held.said)
                for node_id, said in held.said.items():
                    self._by_type[said[-1][1].type][node_id] = None
                for key, edge in held.edges.items():
                    if self._hold(edge, key):
                        self._out[edge.type].setdefault(edge.source, []).append(edge)
                        self._in[edge.type].setdefault(edge.target, []).append(edge)
                for near, order in ((self._out, _BY_TARGET), (self._in, _BY_SOURCE)):
                    for edges in chain.from_iterable(own.values() for own in near.values()):
                        edges.sort(key=order)
                self._watermark = self._saved = held.watermark
            gc.freeze()  # at a million entities a look takes seconds, in the middle of a question

    async def watermark(self) -> int:
        """Return the last change applied; see ``Projection``."""
        return self._watermark

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Apply changes at once: a reader sees all of them or none; see ``Projection``.

        It waits for running plans off the loop.
        """
        await asyncio.to_thread(self.take, changes, upto)

    def take(self, changes: Sequence[Change], upto: int) -> None:
        """Apply changes and move the watermark; nothing is, when one of them cannot be read."""
        puts = [_put_of(change) for change in changes]
        with self._lock:
            for change, put in zip(changes, puts, strict=True):
                self._apply(change, put)
            self._watermark = upto
            if changes:
                self._forget()
        if len(changes) >= _MANY:
            gc.freeze()

    async def clear(self) -> None:
        """Forget everything; see ``Projection``."""
        await asyncio.to_thread(self._clear)

    def _clear(self) -> None:
        with self._lock:
            self._reset()

    def _apply(self, change: Change, put: Node | Edge | None) -> None:
        key = _key(change.source, change.key)
        match put:
            case Node():
                self._put_node(put, change.source)
            case Edge():
                self._put_edge(put, key)
            case None if change.kind is ChangeKind.DROP_NODE:
                self._drop_node(change.key, change.source)
            case None if change.kind is ChangeKind.DROP_EDGE:
                self._drop_edge(key)
            case None:
                pass

    def _put_node(self, node: Node, source: str) -> None:
        self._unsay(node.id, source)
        self._said[node.id] = (*self._said.get(node.id, ()), (source, node))
        self._by_type[node.type][node.id] = None
        if node.id in self._waiting:
            for key, edge in self._waiting.pop(node.id).items():
                self._put_edge(edge, key)

    def _unsay(self, node_id: str, source: str) -> None:
        """Forget what a data set says of an entity, and under which type it stood."""
        before = self.node(node_id)
        if before is None:
            return
        self._by_type[before.type].pop(node_id, None)
        left = tuple(own for own in self._said[node_id] if own[0] != source)
        if left:
            self._said[node_id] = left
        else:
            del self._said[node_id]

    def _drop_node(self, node_id: str, source: str) -> None:
        """Forget what a data set says of an entity; with the last word go its relations."""
        self._unsay(node_id, source)
        other = self.node(node_id)
        if other is not None:
            self._by_type[other.type][node_id] = None
            return
        for key in self._keys_at(node_id):
            self._drop_edge(key)

    def _keys_at(self, node_id: str) -> list[_Key]:
        """Return the keys of all relations of an entity, those that wait for an end too."""
        waiting = ((k, e) for edges in self._waiting.values() for k, e in edges.items())
        found = [key for key, edge in waiting if node_id in {edge.source, edge.target}]
        near = (e for outgoing in (True, False) for e in self.edges(node_id, outgoing=outgoing))
        return [*found, *map(self._key_of, near)]

    def _key_of(self, edge: Edge) -> _Key:
        keys = (_key(source, edge.key) for source in self._sources)
        return next(key for key in keys if self._edges.get(key) is edge)

    def _put_edge(self, edge: Edge, key: _Key) -> None:
        """Add a relation; one whose end is not there yet waits for it."""
        self._drop_edge(key)
        if self._hold(edge, key):
            insort(self._out[edge.type].setdefault(edge.source, []), edge, key=_BY_TARGET)
            insort(self._in[edge.type].setdefault(edge.target, []), edge, key=_BY_SOURCE)

    def _hold(self, edge: Edge, key: _Key) -> bool:
        """Hold a relation, and tell whether both of its ends are there; else it waits for one."""
        for end in (edge.source, edge.target):
            if end not in self._said:
                self._waiting.setdefault(end, {})[key] = edge
                self._waits_for[key] = end
                return False
        self._edges[key] = edge
        self._n_relations[edge.type] += 1
        self._sources.add(key[: key.index(_PARTED)])
        return True

    def _drop_edge(self, key: _Key) -> None:
        edge = self._edges.pop(key, None)
        if edge is not None:
            self._n_relations[edge.type] -= 1
            _take_out(self._out[edge.type], edge.source, edge, _BY_TARGET)
            _take_out(self._in[edge.type], edge.target, edge, _BY_SOURCE)
        elif key in self._waits_for:
            self._waiting.get(self._waits_for.pop(key), {}).pop(key, None)


def _take_out(
    near: dict[str, list[Edge]], node_id: str, edge: Edge, order: Callable[[Edge], tuple[str, str]]
) -> None:
    edges = near[node_id]
    place = bisect_left(edges, order(edge), key=order)
    while edges[place] is not edge:  # two data sets may say one under the same key
        place += 1
    del edges[place]
    if not edges:
        del near[node_id]


def _key(source: str, key: str) -> _Key:
    return f"{source}{_PARTED}{key}"


def _put_of(change: Change) -> Node | Edge | None:
    if change.kind is ChangeKind.PUT_NODE:
        return node_from_payload(change.payload)
    if change.kind is ChangeKind.PUT_EDGE:
        return edge_from_payload(change.key, change.payload)
    return None
