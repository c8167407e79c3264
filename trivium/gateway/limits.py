"""What keeps one dependency from taking the service with it: a breaker and bounded concurrency."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

import structlog

from trivium.domain.errors import DependencyError, NotAskedError, TriviumError

_T = TypeVar("_T")

_SLOW_S: Final = 0.5
"""A call that its caller gave up counts as a failure of the dependency from here on; before, the
caller may just have been in a hurry."""

_log = structlog.get_logger(__name__)


class GuardState(StrEnum):
    """Whether a dependency is called."""

    CLOSED = "closed"
    """It is, as usual."""
    OPEN = "open"
    """It is not: it failed too often, and rests."""
    HALF_OPEN = "half_open"
    """One call tries whether it is back; the others are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a guard lets through."""

    n_calls: int = 32
    """At a time."""
    patience_s: float = 2.0
    """How long a call waits for a place."""
    n_failures: int = 5
    """In a row, until it opens."""
    stall_s: float = 2.0
    """How long all places may be taken without one getting free, until it opens."""
    rest_s: float = 1.0
    """From when it opens until a call is let through to try."""
    probe_s: float = 1.0
    """What that call may take."""


_USUAL: Final = Limits()


class Guard:
    """Calls one dependency: so many at a time, and not at all while it fails.

    After ``n_failures`` in a row, or when all ``n_calls`` places are taken and none got free for
    ``stall_s``, it opens: callers are refused at once, those that still wait too. After ``rest_s``
    one call is let through as a probe, for ``probe_s`` at most; if it succeeds the guard closes.
    So a dependency that is back is used again within ``rest_s`` + ``probe_s``.

    A call whose caller gives up is cancelled, and left alone if it does not end: it keeps its
    place until it does, so that what hangs cannot pile up.
    """

    def __init__(
        self,
        name: str,
        *,
        limits: Limits = _USUAL,
        on_change: Callable[[str, str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._on_change = on_change
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.n_calls)
        self._clock = clock
        self._state = GuardState.CLOSED
        self._n_failed = 0
        self._why = ""
        self._reported_at = 0.0
        self._ended_at = clock()
        """When a call last ended, well or not."""
        self._begun_at = self._ended_at
        """When one last began; where all places are taken, since then."""
        self._running: set[asyncio.Task[object]] = set()
        self._tell(self._state)

    @property
    def state(self) -> GuardState:
        """Whether it lets calls through."""
        return self._state

    @property
    def n_running(self) -> int:
        """How many calls are out, those that were given up but did not end included."""
        return len(self._running)

    async def call(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Return what ``work`` returns.

        Raises:
            DependencyError: it failed, or is not called now, and why.
        """
        if self._state is GuardState.CLOSED:
            return await self._within_limit(work)
        if (
            self._state is GuardState.HALF_OPEN
            or self._clock() - self._reported_at < self._limits.rest_s
        ):
            raise NotAskedError(f"it is not asked for a moment, since it failed: {self._why}")
        return await self._probe(work)

    async def _within_limit(self, work: Callable[[], Awaitable[_T]]) -> _T:
        if self._slots.locked():
            await self._wait_for_a_slot()
        else:
            await self._slots.acquire()
        return await self._run(work)

    async def _wait_for_a_slot(self) -> None:
        moved_at = max(self._begun_at, self._ended_at)
        if self._clock() - moved_at >= self._limits.stall_s:
            self._open("it stalled: every call to it is still waiting")
            for task in self._running:
                task.cancel()
            raise NotAskedError(self._why)
        try:
            async with asyncio.timeout(self._limits.patience_s):
                await self._slots.acquire()
        except TimeoutError as error:
            raise NotAskedError("it has more to do than it can now") from error
        if self._state is not GuardState.CLOSED:  # it failed meanwhile
            self._slots.release()
            raise NotAskedError(self._why)

    async def _probe(self, work: Callable[[], Awaitable[_T]]) -> _T:
        self._set(GuardState.HALF_OPEN)
        try:
            async with asyncio.timeout(self._limits.probe_s):
                await self._slots.acquire()
                return await self._run(work)
        except TimeoutError as error:
            self._open(f"it did not answer within {self._limits.probe_s:g} s")
            raise DependencyError(self._why) from error
        finally:
            if self._state is GuardState.HALF_OPEN:  # the caller left: the next one tries
                self._set(GuardState.OPEN)

    async def _run(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Run ``work`` in a task of its own; the place is free when that has ended."""
        started = self._begun_at = self._clock()
        task = asyncio.ensure_future(work())
        self._running.add(task)
        task.add_done_callback(self._ended)
        try:
            result = await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and not _is_cancelled_itself():
                raise DependencyError(self._why) from None
            task.cancel()
            if self._clock() - started >= _SLOW_S:
                self._failed("it did not answer in time")
            raise
        except DependencyError as error:
            self._failed(str(error))
            raise
        except TriviumError:
            self._succeeded()
            raise
        except Exception as error:
            _log.exception("dependency_crashed", dependency=self.name)
            self._failed(f"it failed unexpectedly ({type(error).__name__})")
            raise DependencyError(self._why) from error
        self._succeeded()
        return result

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._running.discard(task)
        self._ended_at = self._clock()
        self._slots.release()
        if not task.cancelled():
            task.exception()  # said once, so that asyncio does not say it again

    def _succeeded(self) -> None:
        self._n_failed = 0
        self._why = ""
        self._set(GuardState.CLOSED)

    def _failed(self, why: str) -> None:
        self._n_failed += 1
        self._why = why
        if self._state is GuardState.HALF_OPEN or self._n_failed >= self._limits.n_failures:
            self._open(why)

    def _open(self, why: str) -> None:
        self._why = why
        self._reported_at = self._clock()
        self._set(GuardState.OPEN)

    def _set(self, state: GuardState) -> None:
        if state is not self._state and GuardState.CLOSED in {state, self._state}:
            _log.warning("guard", dependency=self.name, state=state.value, why=self._why)
        if state is not self._state:
            self._tell(state)
        self._state = state

    def _tell(self, state: GuardState) -> None:
        if self._on_change:
            self._on_change(self.name, state.value)


def _is_cancelled_itself() -> bool:
    """Whether the running task was asked to end, rather than what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
