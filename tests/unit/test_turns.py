"""Who answers among several processes, with stores of a test's own."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.fakes import MemoryFactStore
from tiers.cag.turns import Turns
from trivium.domain.errors import DependencyError


async def nothing() -> str | None:
    return None


def saying(text: str) -> Callable[[], Awaitable[str]]:
    async def work() -> str:
        return text

    return work


class Dead(MemoryFactStore):
    async def add(self, key: str, value: bytes, *, ttl_s: int) -> bool:
        raise DependencyError("dead")


async def test_without_a_store_each_works_for_itself():
    assert await Turns(Dead()).share("q", nothing, saying("own"), wait_s=5) == "own"


async def test_where_there_is_nothing_to_remember_the_others_do_not_wait():
    store = MemoryFactStore()
    assert await Turns(store).share("q", nothing, saying("first"), wait_s=5) == "first"
    assert await Turns(store).share("q", nothing, saying("second"), wait_s=3600) == "second"


async def test_what_another_remembered_is_given():
    store = MemoryFactStore()
    await store.add("turn:q", b"busy", ttl_s=60)
    looks: list[str | None] = [None, "theirs"]

    async def recall() -> str | None:
        return looks.pop(0)

    assert await Turns(store).share("q", recall, saying("own"), wait_s=3600) == "theirs"


async def test_another_is_not_waited_for_longer_than_was_said():
    store = MemoryFactStore()
    await store.add("turn:q", b"busy", ttl_s=60)
    assert await Turns(store).share("q", nothing, saying("own"), wait_s=0.01) == "own"


async def test_a_turn_that_failed_or_was_left_is_free_at_once():
    store = MemoryFactStore()

    async def failing() -> str:
        raise ValueError("no")

    async def leaving() -> str:
        raise asyncio.CancelledError

    for work, error in ((failing, ValueError), (leaving, asyncio.CancelledError)):
        with pytest.raises(error):
            await Turns(store).share("q", nothing, work, wait_s=5)
        assert await store.get("turn:q") is None
