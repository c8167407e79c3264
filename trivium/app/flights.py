"""One piece of work for all who want the same at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

_T = TypeVar("_T")


@dataclass(slots=True)
class _Flight(Generic[_T]):
    task: asyncio.Task[_T]
    n_waiting: int = 0


class Flights(Generic[_T]):
    """Work under way, by what it is for.

    It goes on while anybody waits for it, whoever began it. Where it fails, or is cancelled by
    others, those who came later try once more, again together.
    """

    def __init__(self) -> None:
        self._flights: dict[Hashable, _Flight[_T]] = {}
        self._looks: dict[Hashable, asyncio.Future[_T | None]] = {}
        self.n_ended = 0
        """How many are over: what was looked up before may be known since."""

    async def look(
        self, key: Hashable, recall: Callable[[], Awaitable[_T | None]]
    ) -> tuple[_T | None, bool]:
        """Return what ``recall`` finds, looked up once for all, and whether it was for this one.

        It takes no task of its own, so that what is known costs little. Where the one that looks
        leaves or fails, the others have found nothing.
        """
        if (other := self._looks.get(key)) is not None:
            return await asyncio.shield(other), False
        mine = self._looks[key] = asyncio.get_running_loop().create_future()
        found: _T | None = None
        try:
            found = await recall()
        finally:
            del self._looks[key]
            mine.set_result(found)
        return found, True

    async def share(self, key: Hashable, work: Callable[[], Awaitable[_T]]) -> tuple[_T, bool]:
        """Return what ``work`` returns, and whether it was done for this caller.

        Raises:
            Exception: what it raised, where it was this caller's, or failed twice.
        """
        flight = self._flights.get(key)
        if flight is None:
            return await self._wait(key, self._begin(key, work)), True
        try:
            return await self._wait(key, flight), False
        except asyncio.CancelledError:
            if not flight.task.cancelled() or _is_cancelled():
                raise
        except Exception:  # noqa: BLE001, S110  # the first one's failure need not be ours
            pass
        later = self._flights.get(key)
        if later is not None:
            return await self._wait(key, later), False
        return await self._wait(key, self._begin(key, work)), True

    def _begin(self, key: Hashable, work: Callable[[], Awaitable[_T]]) -> _Flight[_T]:
        async def run() -> _T:
            return await work()

        flight = _Flight(asyncio.create_task(run()))
        self._flights[key] = flight
        flight.task.add_done_callback(lambda _: self._end(key, flight))
        return flight

    def _end(self, key: Hashable, flight: _Flight[_T]) -> None:
        self.n_ended += 1
        if self._flights.get(key) is flight:
            del self._flights[key]

    async def _wait(self, key: Hashable, flight: _Flight[_T]) -> _T:
        flight.n_waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.n_waiting -= 1
            if not flight.n_waiting and not flight.task.done():
                self._end(key, flight)
                flight.task.cancel()


def _is_cancelled() -> bool:
    """Whether it is the caller who is cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
