"""Clients that leave: what is done for them is given up."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

_T = TypeVar("_T")


async def unless_left(request: Request, work: Awaitable[_T]) -> _T:
    """Return what ``work`` gives; cancel it when the client leaves before.

    Raises:
        ClientDisconnect: the client left.
    """
    task = asyncio.ensure_future(work)
    left = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({task, left}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        task.cancel()
        left.cancel()
        await asyncio.gather(task, left, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
