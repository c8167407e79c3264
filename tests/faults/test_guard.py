"""The guard: what it lets through, when it opens, and how it closes again."""

import asyncio

import pytest

from tests.fakes import SteppingClock
from trivium.domain.errors import DependencyError, InputError
from trivium.gateway.limits import Guard, GuardState, Limits


class Clock(SteppingClock):
    """A monotonic clock in seconds."""

    def seconds(self) -> float:
        return self.now.timestamp()


async def works() -> str:
    return "done"


async def fails() -> str:
    raise DependencyError("it is down")


async def crashes() -> str:
    raise RuntimeError("boom")


async def refuses() -> str:
    raise InputError("the question is wrong")


async def hangs() -> str:
    await asyncio.Event().wait()
    return "never"


async def test_failures_in_a_row_open_it_and_a_probe_closes_it():
    clock = Clock()
    guard = Guard("store", limits=Limits(n_failures=3, rest_s=1), clock=clock.seconds)
    for _ in range(3):
        with pytest.raises(DependencyError, match="it is down"):
            await guard.call(fails)
    assert guard.state.value == "open"

    with pytest.raises(DependencyError, match=r"not asked for a moment.*it is down"):
        await guard.call(works)
    clock.step(1)

    assert await guard.call(works) == "done"
    assert guard.state is GuardState.CLOSED


async def test_a_success_between_failures_keeps_it_closed():
    guard = Guard("store", limits=Limits(n_failures=2))
    for _ in range(3):
        with pytest.raises(DependencyError):
            await guard.call(fails)
        await guard.call(works)

    assert guard.state is GuardState.CLOSED


async def test_one_probe_at_a_time_and_a_failed_one_opens_it_again():
    clock = Clock()
    guard = Guard("store", limits=Limits(n_failures=1, rest_s=1, probe_s=30), clock=clock.seconds)
    with pytest.raises(DependencyError):
        await guard.call(fails)
    clock.step(1)
    gate = asyncio.Event()

    async def waits() -> str:
        await gate.wait()
        raise DependencyError("still down")

    probe = asyncio.create_task(guard.call(waits))
    await asyncio.sleep(0)
    with pytest.raises(DependencyError, match="not asked for a moment"):
        await guard.call(works)
    gate.set()
    with pytest.raises(DependencyError, match="still down"):
        await probe

    assert guard.state is GuardState.OPEN


async def test_what_crashes_is_a_failure_of_the_dependency_not_of_the_request():
    guard = Guard("store")

    with pytest.raises(DependencyError, match="RuntimeError"):
        await guard.call(crashes)


async def test_an_error_of_the_caller_is_no_failure():
    guard = Guard("store", limits=Limits(n_failures=1))
    with pytest.raises(InputError):
        await guard.call(refuses)

    assert guard.state is GuardState.CLOSED


async def test_a_caller_that_leaves_soon_does_not_open_it():
    guard = Guard("store", limits=Limits(n_failures=1))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await guard.call(hangs)

    assert guard.state is GuardState.CLOSED
    await asyncio.sleep(0.01)
    assert guard.n_running == 0


async def test_a_stall_opens_it_and_lets_those_go_who_wait():
    clock = Clock()
    guard = Guard("store", limits=Limits(n_calls=2, stall_s=2), clock=clock.seconds)
    stuck = [asyncio.create_task(guard.call(hangs)) for _ in range(2)]
    await asyncio.sleep(0)
    clock.step(2)

    with pytest.raises(DependencyError, match="stalled"):
        await guard.call(works)

    for task in stuck:
        with pytest.raises(DependencyError, match="stalled"):
            await task
    assert guard.state is GuardState.OPEN
    assert guard.n_running == 0


async def test_many_at_once_after_a_quiet_time_are_no_stall():
    clock = Clock()
    guard = Guard("store", limits=Limits(n_calls=2, stall_s=2), clock=clock.seconds)
    await guard.call(works)
    clock.step(60)
    gate = asyncio.Event()

    async def waits() -> str:
        await gate.wait()
        return "here"

    calls = [asyncio.create_task(guard.call(waits)) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()

    assert await asyncio.gather(*calls) == ["here"] * 3
    assert guard.state is GuardState.CLOSED


async def test_a_call_waits_for_a_place_and_no_longer_than_it_has_patience():
    guard = Guard("store", limits=Limits(n_calls=1, patience_s=0.01))
    stuck = asyncio.create_task(guard.call(hangs))
    await asyncio.sleep(0)

    with pytest.raises(DependencyError, match="more to do"):
        await guard.call(works)

    stuck.cancel()
    await asyncio.gather(stuck, return_exceptions=True)
    assert await guard.call(works) == "done"


async def test_those_who_wait_for_a_place_are_refused_when_it_opens():
    guard = Guard("store", limits=Limits(n_calls=1, n_failures=1))
    gate, n_called = asyncio.Event(), 0

    async def fails_late() -> str:
        nonlocal n_called
        n_called += 1
        await gate.wait()
        raise DependencyError("it is down")

    calls = [asyncio.create_task(guard.call(fails_late)) for _ in range(10)]
    await asyncio.sleep(0)
    gate.set()
    for call in calls:
        with pytest.raises(DependencyError, match="it is down"):
            await call

    assert n_called == 2  # the place of the first went to the second before its failure was seen
    assert guard.n_running == 0


async def test_what_does_not_end_when_it_is_given_up_keeps_its_place():
    guard = Guard("store", limits=Limits(n_calls=1, patience_s=0.01))
    gate = asyncio.Event()

    async def stubborn() -> str:
        while not gate.is_set():
            try:
                await gate.wait()
            except asyncio.CancelledError:
                continue
        return "late"

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await guard.call(stubborn)
    assert guard.n_running == 1
    with pytest.raises(DependencyError):
        await guard.call(works)
    gate.set()
    await asyncio.sleep(0.01)

    assert await guard.call(works) == "done"
