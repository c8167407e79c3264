"""One process at a time answers what several on the same Redis are asked at once.

The one whose turn it is says so in Redis for two seconds, again and again until it is through. The
others look whether it has remembered an answer. Where it dies its word runs out, and another takes
the turn; where it leaves, at once; where it has nothing to remember, each answers for itself.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, Protocol, TypeVar

from trivium.domain.errors import DependencyError

_T = TypeVar("_T")

_TURN_S: Final = 2
_RENEW_S: Final = 0.5
_THROUGH_S: Final = 1
_LOOK_S: Final = 0.025
"""Between two looks of those who wait: a new answer takes about as long."""
_BUSY: Final = b"busy"
_THROUGH: Final = b"through"


class TurnStore(Protocol):
    """Keeps bytes under a key for a while; each method raises ``DependencyError``."""

    async def add(self, key: str, value: bytes, *, ttl_s: int) -> bool:
        """Keep ``value`` where nothing is kept, and say whether it is kept now."""
        ...

    async def get(self, key: str) -> bytes | None:
        """Return what is kept under ``key``."""
        ...

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        """Keep ``value``; with 0 seconds, forget what was kept."""
        ...


class Turns:
    """Whose turn it is, by what it is for."""

    def __init__(self, store: TurnStore) -> None:
        self._store = store

    async def share(
        self,
        key: str,
        recall: Callable[[], Awaitable[_T | None]],
        work: Callable[[], Awaitable[_T]],
        *,
        wait_s: float,
    ) -> _T:
        """Return what another process remembers in its turn, else what ``work`` returns.

        It waits for another no longer than ``wait_s``, and not at all where Redis does not answer.
        """
        name = f"turn:{key}"
        found, is_ours = await self._wait(name, recall, wait_s)
        if found is not None:
            return found
        return await (self._take(name, work) if is_ours else work())

    async def _wait(
        self, name: str, recall: Callable[[], Awaitable[_T | None]], wait_s: float
    ) -> tuple[_T | None, bool]:
        """Return what another remembered, and whether the turn is ours."""
        try:
            async with asyncio.timeout(wait_s):
                while not await self._store.add(name, _BUSY, ttl_s=_TURN_S):
                    is_through = await self._store.get(name) == _THROUGH
                    found = await recall()  # after that look: who is through remembered before
                    if found is not None or is_through:
                        return found, False
                    await asyncio.sleep(_LOOK_S)
                return None, True
        except (TimeoutError, DependencyError):
            return None, False

    async def _take(self, name: str, work: Callable[[], Awaitable[_T]]) -> _T:
        renewing = asyncio.create_task(self._renew(name))
        seconds = 0
        try:
            done = await work()
            seconds = _THROUGH_S
            return done
        finally:
            renewing.cancel()
            with suppress(DependencyError):
                await self._store.set(name, _THROUGH, ttl_s=seconds)

    async def _renew(self, name: str) -> None:
        while True:
            await asyncio.sleep(_RENEW_S)
            with suppress(DependencyError):
                await self._store.set(name, _BUSY, ttl_s=_TURN_S)
