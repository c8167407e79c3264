"""The graph in memory, on NetworkX: the default store."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

import networkx as nx

from tiers.graphrag.projection import Projections, arrays_of
from tiers.graphrag.view import GraphView
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_from_payload, node_from_payload

_Key: TypeAlias = str
"""The data set that says a relation, and the key that it has there."""


class NetworkXGraph:
    """Implements ``GraphView`` and ``Projection``: typed, dated, with parallel relations.

    One lock keeps a change and a running plan apart, so that a plan sees one version. Several
    data sets may say an entity: the last one to speak holds, and it is gone when none does.
    """

    name = "graph"

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.projections = Projections(lambda: arrays_of(self.nodes(), self._all_edges()))
        self._reset()

    def _reset(self) -> None:
        # The attributes of an entity are what each data set says of it, in order.
        self._graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        self._by_type: dict[str, dict[str, None]] = defaultdict(dict)
        self._ends: dict[_Key, tuple[str, str]] = {}
        self._waiting: dict[str, dict[_Key, Edge]] = {}
        self._waits_for: dict[_Key, str] = {}
        self._watermark = 0
        self.projections.forget()

    @contextmanager
    def reading(self) -> Iterator[GraphView]:
        """Hold the graph still while a plan runs."""
        with self._lock:
            yield self

    def node(self, node_id: str) -> Node | None:
        """Return an entity; see ``GraphView``."""
        said = self._graph.nodes.get(node_id)
        return next(reversed(said.values())) if said else None

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give entities in the order of their ids; see ``GraphView``."""
        ids = self._graph.nodes if node_type is None else self._by_type.get(node_type, {})
        return (node for i in sorted(ids) if (node := self.node(i)) is not None)

    def edges(self, node_id: str, *, outgoing: bool) -> Iterable[Edge]:
        """Give relations of an entity; see ``GraphView``."""
        neighbours: Mapping[str, Mapping[_Key, Mapping[str, Edge]]] = (
            self._graph.succ if outgoing else self._graph.pred
        ).get(node_id, {})
        for parallel in neighbours.values():
            for attributes in parallel.values():
                yield attributes["edge"]

    def _all_edges(self) -> Iterable[Edge]:
        for node_id in self._graph:
            yield from self.edges(node_id, outgoing=True)

    def __len__(self) -> int:
        return int(self._graph.number_of_nodes())

    @property
    def n_edges(self) -> int:
        """How many relations there are, expired ones included."""
        return int(self._graph.number_of_edges())

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
                self.projections.forget()

    async def clear(self) -> None:
        """Forget everything; see ``Projection``."""
        await asyncio.to_thread(self._clear)

    def _clear(self) -> None:
        with self._lock:
            self._reset()

    def _apply(self, change: Change, put: Node | Edge | None) -> None:
        key = f"{change.source}\0{change.key}"
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
        self._graph.add_node(node.id)
        self._graph.nodes[node.id][source] = node
        self._by_type[node.type][node.id] = None
        for key, edge in list(self._waiting.pop(node.id, {}).items()):
            self._put_edge(edge, key)

    def _unsay(self, node_id: str, source: str) -> None:
        before = self.node(node_id)
        if before is not None:
            self._by_type[before.type].pop(node_id, None)
            self._graph.nodes[node_id].pop(source, None)

    def _drop_node(self, node_id: str, source: str) -> None:
        """Forget what a data set says of an entity; with the last word go its relations."""
        self._unsay(node_id, source)
        other = self.node(node_id)
        if other is not None:
            self._by_type[other.type][node_id] = None
            return
        for key in self._keys_at(node_id):
            self._drop_edge(key)
        if node_id in self._graph:
            self._graph.remove_node(node_id)

    def _keys_at(self, node_id: str) -> list[_Key]:
        """Return the keys of all relations of an entity, those that wait for an end too."""
        waiting = ((k, e) for edges in self._waiting.values() for k, e in edges.items())
        found = [key for key, edge in waiting if node_id in {edge.source, edge.target}]
        for neighbours in (self._graph.succ, self._graph.pred):
            found += [key for parallel in neighbours.get(node_id, {}).values() for key in parallel]
        return found

    def _put_edge(self, edge: Edge, key: _Key) -> None:
        """Add a relation; one whose end is not there yet waits for it."""
        self._drop_edge(key)
        for end in (edge.source, edge.target):
            if end not in self._graph:
                self._waiting.setdefault(end, {})[key] = edge
                self._waits_for[key] = end
                return
        self._graph.add_edge(edge.source, edge.target, key=key, edge=edge)
        self._ends[key] = (edge.source, edge.target)

    def _drop_edge(self, key: _Key) -> None:
        ends = self._ends.pop(key, None)
        if ends is not None:
            self._graph.remove_edge(*ends, key=key)
        waiting = self._waiting.get(self._waits_for.pop(key, ""), {})
        waiting.pop(key, None)


def _put_of(change: Change) -> Node | Edge | None:
    if change.kind is ChangeKind.PUT_NODE:
        return node_from_payload(change.payload)
    if change.kind is ChangeKind.PUT_EDGE:
        return edge_from_payload(change.key, change.payload)
    return None
