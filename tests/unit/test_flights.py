"""Equal work at the same time is done once, whoever leaves or fails."""

import asyncio
from collections.abc import Callable

from trivium.app.flights import Flights


class Work:
    """Counts how often it is done; it ends when it is told to."""

    def __init__(self, *failures: Exception | None) -> None:
        self.n_begun = self.n_cancelled = 0
        self.may_end = asyncio.Event()
        self._failures = list(failures)

    async def __call__(self) -> int:
        self.n_begun += 1
        begun = self.n_begun
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.n_cancelled += 1
            raise
        failure = self._failures.pop(0) if self._failures else None
        if failure is not None:
            raise failure
        return begun


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not is_so():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0)


async def test_a_thousand_at_once_share_one():
    flights, work = Flights[int](), Work()
    asking = [asyncio.create_task(flights.share("q", work)) for _ in range(1_000)]
    await until(lambda: work.n_begun == 1)
    work.may_end.set()

    found = await asyncio.gather(*asking)

    assert work.n_begun == 1
    assert [answer for answer, _ in found] == [1] * 1_000
    assert sum(is_own for _, is_own in found) == 1


async def test_what_is_known_is_looked_up_once_for_all_at_once():
    flights, work = Flights[int](), Work()
    looking = [asyncio.create_task(flights.look("q", work)) for _ in range(50)]
    await until(lambda: work.n_begun == 1)
    work.may_end.set()

    assert sorted(await asyncio.gather(*looking)) == [(1, False)] * 49 + [(1, True)]
    assert await flights.look("q", work) == (2, True)


async def test_where_the_one_that_looks_leaves_the_others_have_found_nothing():
    flights, work = Flights[int](), Work()
    first, *rest = (asyncio.create_task(flights.look("q", work)) for _ in range(3))
    await until(lambda: work.n_begun == 1)
    first.cancel()

    assert await asyncio.gather(*rest) == [(None, False)] * 2


async def test_others_and_later_ones_do_not_share():
    flights, work = Flights[int](), Work()
    work.may_end.set()
    assert await flights.share("q", work) == (1, True)
    assert await flights.share("q", work) == (2, True)
    assert await flights.share("other", work) == (3, True)


async def test_the_first_may_leave():
    flights, work = Flights[int](), Work()
    first, *rest = (asyncio.create_task(flights.share("q", work)) for _ in range(50))
    await until(lambda: work.n_begun == 1)
    first.cancel()
    await until(first.done)
    work.may_end.set()

    assert await asyncio.gather(*rest) == [(1, False)] * 49
    assert (work.n_begun, work.n_cancelled) == (1, 0)


async def test_when_all_have_left_the_work_ends():
    flights, work = Flights[int](), Work()
    asking = [asyncio.create_task(flights.share("q", work)) for _ in range(3)]
    await until(lambda: work.n_begun == 1)
    for task in asking:
        task.cancel()
    await until(lambda: work.n_cancelled == 1)
    work.may_end.set()
    assert await flights.share("q", work) == (2, True)


async def test_where_the_first_fails_the_others_try_once_more_together():
    flights, work = Flights[int](), Work(ValueError("first"))
    asking = [asyncio.create_task(flights.share("q", work)) for _ in range(100)]
    await until(lambda: work.n_begun == 1)
    work.may_end.set()

    found = await asyncio.gather(*asking, return_exceptions=True)

    assert isinstance(found[0], ValueError)
    assert {answer for answer, _ in found[1:]} == {2}  # type: ignore[misc]  # no exceptions there
    assert work.n_begun == 2


async def test_what_fails_twice_fails_for_all():
    flights, work = Flights[int](), Work(ValueError("first"), ValueError("second"))
    asking = [asyncio.create_task(flights.share("q", work)) for _ in range(10)]
    await until(lambda: work.n_begun == 1)
    work.may_end.set()

    found = await asyncio.gather(*asking, return_exceptions=True)

    assert [str(error) for error in found] == ["first"] + ["second"] * 9
