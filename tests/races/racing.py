"""Readers and writers in one process: ``python -m tests.races.racing '{…}'`` prints what was seen.

Each task is now a reader, now a writer of an entity of its own, whose level only rises. A writer
tells what was acknowledged; a reader looks that up before it asks, and may be told no less.
"""

import asyncio
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass, field

from tests.races.process import Place, Process, level_of, opened
from trivium.app.healing import healing
from trivium.domain.answer import Answer, Remembered
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.question import Question

_SHARE_OF_WRITES = 0.15
_TTL_S = 600
_WORDINGS = ("What is the level of {}?", "Please tell me the level of {}", "level of {}")


@dataclass(frozen=True, slots=True)
class Run:
    """What one process does."""

    place: Place
    seed: int
    own: list[str]
    """The entities that its tasks write, one each."""
    every: list[str]
    n_steps: int
    """Of each task."""


@dataclass(slots=True)
class Seen:
    """What came of it."""

    stale: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


async def run(made: Run) -> dict[str, object]:
    """Run all tasks; return what was stale, and how often what was done."""
    seen = Seen()
    async with opened(made.place) as process:
        async with healing([process.knowledge.heal], every_s=0.02), asyncio.TaskGroup() as group:
            for entity in made.own:
                rng = random.Random(f"{made.seed} {entity}")
                group.create_task(_steps(process, made, entity, rng, seen))
        return {"stale": seen.stale, **seen.counts, **process.memory.counts}


async def _steps(process: Process, made: Run, own: str, rng: random.Random, seen: Seen) -> None:
    level = 0
    for _ in range(made.n_steps):
        if rng.random() < _SHARE_OF_WRITES:
            level += 1
            await _write(process, own, level, seen)
        else:
            await _read(process, rng.choice(made.every), rng.choice(_WORDINGS), seen)


async def _write(process: Process, entity: str, level: int, seen: Seen) -> None:
    try:
        await process.knowledge.commit([level_of(entity, level)])
    except DependencyError as error:  # kept, and not acknowledged
        seen.counts[f"unacknowledged: {error}"] += 1
        return
    await process.store.set(f"acknowledged {entity}", str(level).encode(), ttl_s=_TTL_S)
    seen.counts["writes"] += 1


async def _read(process: Process, entity: str, wording: str, seen: Seen) -> None:
    least = int(await process.store.get(f"acknowledged {entity}") or 0)
    question = Question(text=wording.format(entity))
    again = await process.pipeline.recall(question)
    told = _told(again or await process.pipeline.answer(question, Deadline.after(30)))
    seen.counts["reads"] += 1
    if told < least:
        seen.stale.append(f"{entity}: {told} after {least}, {again}")


def _told(answer: Answer | Remembered) -> int:
    text = json.loads(answer.body)["answer"] if isinstance(answer, Remembered) else answer.text
    return int(text)


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    made = Run(**{**told, "place": Place(**told["place"])})
    print(json.dumps(asyncio.run(run(made))))  # noqa: T201  # what the test reads
