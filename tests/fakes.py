"""Fakes: small, deterministic implementations of the ports."""

import hashlib
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from trivium.domain.answer import Answer, Remembered
from trivium.domain.knowledge import Fact
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

    async def get(self, key: str) -> bytes | None:
        expires, value = self._memory.get(key, (0.0, b""))
        return value if self._clock() < expires else None

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        self._memory[key] = (self._clock() + ttl_s, value)

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
        self.records: list[tuple[Question, Answer]] = []

    def record(self, question: Question, answer: Answer | Remembered) -> None:
        self.records.append((question, answer))
