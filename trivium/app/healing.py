"""Watches over what the service stands on, and brings back what failed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
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
    task = asyncio.create_task(_heal(remedies, every_s), name="healing")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _heal(remedies: Sequence[Remedy], every_s: float) -> None:
    failing: set[int] = set()
    while True:
        await asyncio.sleep(every_s)
        for number, remedy in enumerate(remedies):
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
