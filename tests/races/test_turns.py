"""Equal questions at once in two processes are answered once, whoever leaves or dies."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass

import pytest
from redis.asyncio import Redis

from tests.races.process import Place, popped

N = 500
"""In each of two processes."""


@dataclass(frozen=True, slots=True)
class Race:
    """Two processes that ask the same, and the Redis on which they meet."""

    redis: Redis
    prefix: str
    processes: tuple[Process, ...]

    async def begun(self) -> Process:
        """Return the process that begins to work at the answer, when one does."""
        pid = int(await popped(self.redis, f"{self.prefix}:begun"))
        return next(p for p in self.processes if p.pid == pid)

    async def end(self, answer: str) -> None:
        """Let one work end, with an answer."""
        await self.redis.rpush(f"{self.prefix}:tokens", answer)

    async def n_begun(self) -> int:
        """How often work was begun that nobody was told of yet."""
        return int(await self.redis.llen(f"{self.prefix}:begun"))

    def other(self, process: Process) -> Process:
        """Return the process that is not this one."""
        return next(p for p in self.processes if p is not process)


@pytest.fixture
async def race(place: Place) -> AsyncIterator[Race]:
    told = json.dumps({"place": asdict(place), "n": N})
    redis = Redis.from_url(place.redis_url, socket_timeout=None)
    async with asyncio.timeout(60):
        processes = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.races.asking", told, stdin=PIPE, stdout=PIPE
            )
            for _ in range(2)
        ]
        for process in processes:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"asking\n"
        yield Race(redis, place.prefix, tuple(processes))
        for process in processes:
            if process.returncode is None:
                process.kill()
            await process.wait()
    await redis.unlink(f"{place.prefix}:begun", f"{place.prefix}:tokens")
    await redis.aclose()


async def answers(process: Process) -> dict[str, int]:
    assert process.stdout is not None
    told: dict[str, int] = json.loads(await process.stdout.readline())
    return told


async def test_a_thousand_in_two_processes_share_one(race: Race):
    await race.begun()
    await race.end("one")

    assert [await answers(process) for process in race.processes] == [{"one": N}] * 2
    assert await race.n_begun() == 0


async def test_where_the_one_that_answers_dies_the_other_does(race: Race):
    first = await race.begun()
    first.kill()
    second = await race.begun()
    await race.end("two")

    assert second is race.other(first)
    assert await answers(second) == {"two": N}
    assert await race.n_begun() == 0


async def test_where_all_of_one_process_leave_the_other_answers(race: Race):
    first = await race.begun()
    assert first.stdin is not None
    first.stdin.write(b"leave\n")
    await first.stdin.drain()
    second = await race.begun()
    await race.end("two")

    assert second is race.other(first)
    assert await answers(second) == {"two": N}
    assert await answers(first) == {"": N}
    assert await race.n_begun() == 0
