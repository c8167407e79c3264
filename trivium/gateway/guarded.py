"""The ports behind guards: a tier, the encoder, the store of remembered answers."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import TierResult
from trivium.domain.ports import Encoder, Tier
from trivium.domain.question import Understood, Vector
from trivium.gateway.limits import Guard

_T = TypeVar("_T")

_BYTES_S: Final = 0.6
"""Remembering is worth no more waiting than this; a recall takes 0.3 ms."""


class ByteStore(Protocol):
    """Keeps bytes under a key for a while; see ``tiers.cag.memory``."""

    async def get(self, key: str, *, version: int | None = None) -> bytes | None:
        """Return what is kept under ``key``."""
        ...

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        """Keep ``value`` for ``ttl_s`` seconds from now."""
        ...

    async def set_all(self, values: Mapping[str, bytes], *, ttl_s: int) -> None:
        """Keep several values so."""
        ...

    async def add(self, key: str, value: bytes, *, ttl_s: int) -> bool:
        """Keep ``value`` where nothing is kept."""
        ...


class GuardedTier:
    """A ``Tier`` that is called through a guard, and not while what it knows is behind."""

    def __init__(self, tier: Tier, guard: Guard, lag: Callable[[], str | None]) -> None:
        self._tier = tier
        self._guard = guard
        self._lag = lag
        """Says why its store cannot be trusted now, or nothing."""

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Return what the tier knows; see ``Tier``."""
        return await self.call(lambda: self._tier.retrieve(question, deadline))

    async def call(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Return what other work on the tier's store returns, in the same bounds.

        Raises:
            DependencyError: it failed, or is not called now, and why.
        """
        if why := self._lag():
            raise DependencyError(why)
        return await self._guard.call(work)


class GuardedEncoder:
    """An ``Encoder`` that is called through a guard: for questions, one text at a time."""

    def __init__(self, encoder: Encoder, guard: Guard) -> None:
        self._encoder = encoder
        self._guard = guard

    async def encode(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return one vector for each text; see ``Encoder``."""
        return await self._guard.call(lambda: self._encoder.encode(texts))


class GuardedBytes:
    """A store of bytes that is called through a guard: it may cost no answer much time."""

    def __init__(self, store: ByteStore, guard: Guard) -> None:
        self._store = store
        self._guard = guard

    async def get(self, key: str, *, version: int | None = None) -> bytes | None:
        """Return what is kept under ``key``; see ``ByteStore``."""
        return await self._in_time(lambda: self._store.get(key, version=version))

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        """Keep ``value``; see ``ByteStore``."""
        await self._in_time(lambda: self._store.set(key, value, ttl_s=ttl_s))

    async def set_all(self, values: Mapping[str, bytes], *, ttl_s: int) -> None:
        """Keep several values; see ``ByteStore``."""
        await self._in_time(lambda: self._store.set_all(values, ttl_s=ttl_s))

    async def add(self, key: str, value: bytes, *, ttl_s: int) -> bool:
        """Keep ``value`` where nothing is kept, and say whether it is kept now."""
        return await self._in_time(lambda: self._store.add(key, value, ttl_s=ttl_s))

    async def _in_time(self, work: Callable[[], Awaitable[_T]]) -> _T:
        try:
            async with asyncio.timeout(_BYTES_S):
                return await self._guard.call(work)
        except TimeoutError as error:
            raise DependencyError(f"it did not answer within {_BYTES_S:g} s") from error
