"""A pool of threads for one kind of blocking work, so that one that hangs starves no other."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TypeVar

_T = TypeVar("_T")


class Threads:
    """Runs blocking calls off the event loop, at most ``n`` at a time; the rest wait in order.

    ``asyncio.to_thread`` has one pool for all: a few calls that hang there stop the encoder, the
    stores and name resolution together.
    """

    def __init__(self, name: str, n: int) -> None:
        self._pool = ThreadPoolExecutor(n, thread_name_prefix=name)

    async def run(self, call: Callable[[], _T]) -> _T:
        """Return what ``call`` returns, with the caller's context variables set.

        A caller that is cancelled goes at once; a call that has begun goes on to its end.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, partial(copy_context().run, call))
