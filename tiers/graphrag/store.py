"""The graph in memory, on NetworkX: the default store."""

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import networkx as nx

from tiers.graphrag.view import GraphView
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_from_payload, node_from_payload


class NetworkXGraph:
    """Implements ``GraphView`` and ``Projection``: typed, dated, with parallel relations.

    One lock keeps a change and a running plan apart, so that a plan sees one version.
    """

    name = "graph"

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._reset()

    def _reset(self) -> None:
        self._graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        self._by_type: dict[str, dict[str, None]] = defaultdict(dict)
        self._ends: dict[str, tuple[str, str]] = {}
        self._waiting: dict[str, dict[str, Edge]] = defaultdict(dict)
        self._watermark = 0

    @contextmanager
    def reading(self) -> Iterator[GraphView]:
        """Hold the graph still while a plan runs."""
        with self._lock:
            yield self

    def node(self, node_id: str) -> Node | None:
        """Return an entity; see ``GraphView``."""
        attributes = self._graph.nodes.get(node_id)
        return attributes["node"] if attributes else None

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give entities in the order of their ids; see ``GraphView``."""
        ids = self._graph.nodes if node_type is None else self._by_type.get(node_type, {})
        return (self._graph.nodes[i]["node"] for i in sorted(ids))

    def edges(self, node_id: str, *, outgoing: bool) -> Iterable[Edge]:
        """Give relations of an entity; see ``GraphView``."""
        neighbours: Mapping[str, Mapping[str, Mapping[str, Edge]]] = (
            self._graph.succ if outgoing else self._graph.pred
        ).get(node_id, {})
        for parallel in neighbours.values():
            for attributes in parallel.values():
                yield attributes["edge"]

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
        """Apply changes at once: a reader sees all of them or none; see ``Projection``."""
        with self._lock:
            for change in changes:
                self._apply(change)
            self._watermark = upto

    async def clear(self) -> None:
        """Forget everything; see ``Projection``."""
        with self._lock:
            self._reset()

    def _apply(self, change: Change) -> None:
        match change.kind:
            case ChangeKind.PUT_NODE:
                self._put_node(node_from_payload(change.payload))
            case ChangeKind.DROP_NODE:
                self._drop_node(change.key)
            case ChangeKind.PUT_EDGE:
                self._put_edge(edge_from_payload(change.key, change.payload))
            case ChangeKind.DROP_EDGE:
                self._drop_edge(change.key)
            case _:
                pass

    def _put_node(self, node: Node) -> None:
        before = self.node(node.id)
        if before is not None:
            self._by_type[before.type].pop(node.id, None)
        self._graph.add_node(node.id, node=node)
        self._by_type[node.type][node.id] = None
        for edge in list(self._waiting.pop(node.id, {}).values()):
            self._put_edge(edge)

    def _drop_node(self, node_id: str) -> None:
        node = self.node(node_id)
        if node is None:
            return
        for outgoing in (True, False):
            for edge in list(self.edges(node_id, outgoing=outgoing)):
                self._drop_edge(edge.key)
        self._by_type[node.type].pop(node_id, None)
        self._graph.remove_node(node_id)

    def _put_edge(self, edge: Edge) -> None:
        """Add a relation; one whose end is not there yet waits for it."""
        self._drop_edge(edge.key)
        for end in (edge.source, edge.target):
            if end not in self._graph:
                self._waiting[end][edge.key] = edge
                return
        self._graph.add_edge(edge.source, edge.target, key=edge.key, edge=edge)
        self._ends[edge.key] = (edge.source, edge.target)

    def _drop_edge(self, key: str) -> None:
        ends = self._ends.pop(key, None)
        if ends is not None:
            self._graph.remove_edge(*ends, key=key)
        for waiting in self._waiting.values():
            waiting.pop(key, None)
