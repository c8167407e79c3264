"""Fakes: small, deterministic implementations of the ports."""

import hashlib
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from trivium.domain.answer import Answer, Remembered
from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change, ChangeKind, Edge, Fact, Node
from trivium.domain.payloads import edge_from_payload, node_from_payload
from trivium.domain.question import Question, Vector


class HashEncoder:
    """An ``Encoder`` that hashes words into ``dimension`` buckets: shared words make texts near."""

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension
        self.n_encoded = 0

    async def encode(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        self.n_encoded += len(texts)
        return tuple(self._embed(text) for text in texts)

    def _embed(self, text: str) -> Vector:
        buckets = [0.0] * self.dimension
        for word in text.casefold().split() or [""]:
            digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
            buckets[int.from_bytes(digest, "big") % self.dimension] += 1.0
        length = math.sqrt(sum(x * x for x in buckets))
        return tuple(x / length for x in buckets)


class NoEncoder:
    """An ``Encoder`` that never answers: words alone must do."""

    async def encode(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        raise DependencyError("the encoder did not answer")


class MemoryFactStore:
    """What ``tiers.cag.store.RedisStore`` does, in plain dictionaries; the clock is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._facts: dict[tuple[str, str], Fact] = {}
        self._types: dict[str, str] = {}
        self._memory: dict[str, tuple[float, bytes]] = {}
        self._watermark = 0

    async def close(self) -> None:
        pass

    async def ping(self) -> None:
        pass

    async def apply(
        self,
        *,
        puts: Sequence[Fact] = (),
        drops: Sequence[tuple[str, str]] = (),
        dropped_entities: Sequence[str] = (),
        types: Mapping[str, str] | None = None,
        watermark: int,
    ) -> None:
        for key in [key for key in self._facts if key[0] in dropped_entities or key in drops]:
            del self._facts[key]
        for entity in dropped_entities:
            self._types.pop(entity, None)
        self._types.update(types or {})
        self._facts.update({(fact.entity, fact.attribute): fact for fact in puts})
        self._watermark = watermark

    async def facts(self, entity: str) -> tuple[Fact, ...]:
        return tuple(self._facts[key] for key in sorted(self._facts) if key[0] == entity)

    async def sheets(self, entities: Sequence[str]) -> tuple[tuple[Fact, ...], ...]:
        return tuple([await self.facts(entity) for entity in entities])

    async def ranking(
        self, node_type: str, attribute: str, *, limit: int | None = None, ascending: bool = False
    ) -> tuple[tuple[str, float], ...]:
        numbers = {
            fact.entity: float(fact.value)
            for fact in self._facts.values()
            if fact.attribute == attribute
            and self._types.get(fact.entity) == node_type
            and isinstance(fact.value, int | float)
            and not isinstance(fact.value, bool)
            and abs(fact.value) <= sys.float_info.max
        }
        sign = 1 if ascending else -1
        ranked = sorted(numbers.items(), key=lambda pair: (sign * pair[1], pair[0]))
        if limit is None or limit >= len(ranked):
            return tuple(ranked)
        last = ranked[limit - 1][1] if limit > 0 else math.nan
        return tuple(p for n, p in enumerate(ranked) if n < limit or p[1] == last)

    async def watermark(self) -> int:
        return self._watermark

    async def clear(self) -> None:
        self.__init__(self._clock)  # type: ignore[misc]  # as new

    async def get(self, key: str, *, version: int | None = None) -> bytes | None:
        expires, value = self._memory.get(key, (0.0, b""))
        is_of_another = version is not None and self._watermark != version
        return value if self._clock() < expires and not is_of_another else None

    async def items(self, start: str) -> dict[str, bytes]:
        kept = {key: await self.get(key) for key in self._memory if key.startswith(start)}
        return {key: value for key, value in kept.items() if value is not None}

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        self._memory[key] = (self._clock() + ttl_s, value)

    async def set_all(self, values: Mapping[str, bytes], *, ttl_s: int) -> None:
        for key, value in values.items():
            await self.set(key, value, ttl_s=ttl_s)

    async def add(self, key: str, value: bytes, *, ttl_s: int) -> bool:
        if await self.get(key) is not None:
            return False
        await self.set(key, value, ttl_s=ttl_s)
        return True

    async def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._memory.pop(key, None)


class SteppingClock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 8, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def step(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class ListAnswerJournal:
    """An ``AnswerJournal`` that keeps answers in a list."""

    def __init__(self) -> None:
        self.records: list[tuple[Question, Answer | Remembered]] = []

    def record(self, question: Question, answer: Answer | Remembered) -> None:
        self.records.append((question, answer))


class DictGraph:
    """What ``tiers.graphrag.stores.memory.MemoryGraph`` does, in two plain dictionaries.

    Every change makes new ones, so that a reader keeps its version. The types of relations come
    in an order that no other store has, so that nothing can rest on it.
    """

    name = "graph"

    def __init__(self) -> None:
        self._nodes: dict[tuple[str, str], Node] = {}
        """By id and by the data set that says it, in the order in which they were put."""
        self._edges: dict[tuple[str, str], Edge] = {}
        """By data set and key; those whose ends are not there yet, too."""
        self._watermark = 0

    @contextmanager
    def reading(self) -> Iterator["DictGraph"]:
        version = DictGraph()
        version._nodes, version._edges = self._nodes, self._edges
        yield version

    def node(self, node_id: str) -> Node | None:
        return next((n for n in reversed(self._nodes.values()) if n.id == node_id), None)

    def nodes(self, node_type: str | None = None) -> Iterator[Node]:
        latest = {node.id: node for node in self._nodes.values()}
        return (n for _, n in sorted(latest.items()) if node_type in {None, n.type})

    def edges(self, node_id: str, relation: str | None = None, *, outgoing: bool) -> list[Edge]:
        there = {node for node, _ in self._nodes}
        found = [
            edge
            for edge in self._edges.values()
            if (edge.source if outgoing else edge.target) == node_id
            and edge.source in there
            and edge.target in there
            and relation in {None, edge.type}
        ]
        found.sort(key=lambda e: (e.source, e.target, e.key))
        return sorted(found, key=lambda e: e.type, reverse=True)

    def __len__(self) -> int:
        return len({node for node, _ in self._nodes})

    @property
    def n_edges(self) -> int:
        return sum(1 for node in self.nodes() for _ in self.edges(node.id, outgoing=True))

    async def watermark(self) -> int:
        return self._watermark

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        self.take(changes, upto)

    def take(self, changes: Sequence[Change], upto: int) -> None:
        nodes, edges = dict(self._nodes), dict(self._edges)
        for change in changes:
            match change.kind:
                case ChangeKind.PUT_NODE:
                    nodes.pop((change.key, change.source), None)
                    nodes[change.key, change.source] = node_from_payload(change.payload)
                case ChangeKind.DROP_NODE:
                    nodes.pop((change.key, change.source), None)
                    if not any(node == change.key for node, _ in nodes):
                        edges = {
                            key: edge
                            for key, edge in edges.items()
                            if change.key not in {edge.source, edge.target}
                        }
                case ChangeKind.PUT_EDGE:
                    edge = edge_from_payload(change.key, change.payload)
                    edges[change.source, change.key] = edge
                case ChangeKind.DROP_EDGE:
                    edges.pop((change.source, change.key), None)
                case _:
                    pass
        self._nodes, self._edges, self._watermark = nodes, edges, upto

    async def clear(self) -> None:
        self._nodes, self._edges, self._watermark = {}, {}, 0
