"""Places: how many are worked on, who waits, and who is refused before anything was done."""

import asyncio

import pytest

from trivium.app.places import Places
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError


async def test_no_more_are_worked_on_than_there_are_places_and_in_the_order_they_came():
    places, done = Places(2), list[int]()
    n_most = n_now = 0

    async def work(number: int) -> None:
        nonlocal n_most, n_now
        async with places.mine(Deadline.after(60)):
            n_now += 1
            n_most = max(n_most, n_now)
            await asyncio.sleep(0)
            n_now -= 1
            done.append(number)

    await asyncio.gather(*(work(number) for number in range(9)))

    assert n_most == 2
    assert done == list(range(9))


async def test_who_waits_for_half_its_time_is_refused_and_takes_no_place():
    places = Places(1)
    async with places.mine(Deadline.after(60)):
        with pytest.raises(DependencyError, match="in time"):
            async with places.mine(Deadline.after(0.02)):
                raise AssertionError

    async with places.mine(Deadline.after(60)):
        pass


async def test_a_place_is_given_back_when_the_work_fails_or_is_left():
    places = Places(1)
    with pytest.raises(ZeroDivisionError):
        async with places.mine(Deadline.after(60)):
            raise ZeroDivisionError
    leaving = asyncio.create_task(_held(places))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)

    async with places.mine(Deadline.after(60)):
        pass


async def _held(places: Places) -> None:
    async with places.mine(Deadline.after(60)):
        await asyncio.Event().wait()
