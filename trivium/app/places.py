"""How many questions are worked on at a time; the others wait, and none so long that it fails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError

_WAIT_SHARE: Final = 0.5
"""Of the time given: what is worked on has the rest, and so is not worked on in vain."""


class Places:
    """Lets ``limit`` questions be worked on at a time, in the order in which they came.

    Work that is spread over too many is finished for none of them in time. So a question that
    waited for half of its time is refused before anything was done for it.
    """

    def __init__(self, limit: int) -> None:
        self._free = asyncio.Semaphore(limit)

    @asynccontextmanager
    async def mine(self, deadline: Deadline) -> AsyncIterator[None]:
        """Wait for a place, and hold it.

        Raises:
            DependencyError: none came in time.
        """
        try:
            async with asyncio.timeout(deadline.remaining_s * _WAIT_SHARE):
                await self._free.acquire()
        except TimeoutError as error:
            raise DependencyError("More is asked now than can be answered in time.") from error
        try:
            yield
        finally:
            self._free.release()
