"""The watch over what the service stands on."""

import asyncio

from trivium.app.healing import healing
from trivium.domain.errors import DependencyError


async def test_a_remedy_that_swallows_its_end_does_not_keep_the_watch_going():
    is_mending = asyncio.Event()

    async def swallow() -> None:
        is_mending.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError as error:
            raise DependencyError("the store took too long") from error

    async with asyncio.timeout(5):
        async with healing([swallow, swallow], every_s=0):
            await is_mending.wait()


async def test_a_remedy_that_fails_is_tried_again_and_the_others_too():
    n_tried = [0, 0]
    is_enough = asyncio.Event()

    async def fail() -> None:
        n_tried[0] += 1
        raise ValueError("broken")

    async def work() -> None:
        n_tried[1] += 1
        if n_tried[1] == 3:
            is_enough.set()

    async with healing([fail, work], every_s=0):
        await is_enough.wait()

    assert n_tried[0] >= 3
