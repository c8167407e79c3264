"""Watches over what the service stands on, and brings back what failed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

import structlog

from trivium.domain.errors import TriviumError

_EVERY_S: Final = 1.0

_log = structlog.get_logger(__name__)

Remedy = Callable[[], Awaitable[None]]
"""Mends something if it needs that; it costs little when it does not."""


@asynccontextmanager
async def healing(remedies: Sequence[Remedy], *, every_s: float = _EVERY_S) -> AsyncIterator[None]:
    """Apply ``remedies`` in order, again and again, until the end of the block."""
    is_over = asyncio.Event()
    task = asyncio.create_task(_heal(remedies, every_s, is_over), name="healing")
    try:
        yield
    finally:
        is_over.set()
        task.cancel()
        await asyncio.wait({task})


async def _heal(remedies: Sequence[Remedy], every_s: float, is_over: asyncio.Event) -> None:
    """Apply remedies until the task is cancelled; or until it is over, should one swallow that."""
    failing: set[int] = set()
    while not is_over.is_set():
        await asyncio.sleep(every_s)
        for number, remedy in enumerate(remedies):
            if is_over.is_set():
                return
            try:
                await remedy()
            except TriviumError as error:
                if number not in failing:  # once for each time that it begins to fail
                    _log.warning("healing_failed", error=str(error))
                failing.add(number)
            except Exception:  # noqa: BLE001  # the watch must go on, whatever happens to what it watches
                _log.exception("healing_crashed")
                failing.add(number)
            else:
                failing.discard(number)
