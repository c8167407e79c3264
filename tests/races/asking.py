"""Equal questions at once in one process: ``python -m tests.races.asking '{…}'``.

It prints ``asking`` once all have asked, and the answers when they have them; told ``leave``, all
who ask leave first. The answer waits for a token in Redis, so that a test says when it comes.
"""

import asyncio
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, replace

from redis.asyncio import Redis

from tests.races.process import Place, Process, opened, popped
from tiers.cag.turns import Turns
from trivium.app.flights import Flights
from trivium.domain.answer import Answer, Remembered
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.question import Question, TierName, Understood

QUESTION = Question(text="What is the level of tank-1?")
_WAIT_S = 60.0


@dataclass
class _Waits:
    """A ``Tier`` that tells that it was asked, and waits for a token."""

    redis: Redis
    prefix: str

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        await self.redis.rpush(f"{self.prefix}:begun", os.getpid())
        token = await popped(self.redis, f"{self.prefix}:tokens")
        return TierResult(tier=TierName.CAG, status=TierStatus.HIT, why=token)


async def run(place: Place, n: int) -> None:
    """Ask ``n`` times at once; print how often each answer was given."""
    redis = Redis.from_url(place.redis_url, socket_timeout=None)
    async with opened(place) as process:
        tiers = {TierName.CAG: _Waits(redis, place.prefix)}
        waiting = replace(process, pipeline=replace(process.pipeline, tiers=tiers))
        flights = Flights[Answer | Remembered]()
        asking = [asyncio.create_task(_ask(waiting, flights)) for _ in range(n)]
        leaving = asyncio.create_task(_leave_when_told(asking))
        print("asking", flush=True)  # noqa: T201  # what the test reads
        found = await asyncio.gather(*asking, return_exceptions=True)
        leaving.cancel()
        print(json.dumps(Counter(map(str, found))), flush=True)  # noqa: T201  # and this
    await redis.aclose()


async def _ask(process: Process, flights: Flights[Answer | Remembered]) -> str:
    """Ask as ``Service`` does."""
    pipeline, deadline = process.pipeline, Deadline.after(_WAIT_S)

    async def answered() -> Answer | Remembered:
        if (again := await pipeline.recall(QUESTION)) is not None:
            return again
        return await Turns(process.store).share(
            process.memory.key(QUESTION, pipeline.version()),
            lambda: pipeline.recall(QUESTION),
            lambda: pipeline.answer(QUESTION, deadline),
            wait_s=_WAIT_S / 2,
        )

    answer, _ = await flights.share(QUESTION, answered)
    return str(json.loads(answer.body)["answer"] if isinstance(answer, Remembered) else answer.text)


async def _leave_when_told(asking: list["asyncio.Task[str]"]) -> None:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    if await reader.readline() == b"leave\n":
        for task in asking:
            task.cancel()


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    asyncio.run(run(Place(**told["place"]), told["n"]))
