"""After a change is acknowledged, no process on the same Redis gives the answer before it."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from dataclasses import asdict
from typing import Any

from tests.conftest import SEED, SOAK
from tests.races.process import Place

N_PROCESSES, N_TASKS = 2, 4
N_STEPS = 10_000 if SOAK > 1 else 400
LIMIT_S = 600


async def test_no_process_gives_an_answer_from_before_an_acknowledged_change(place: Place):
    names = [[f"tank-{p}{t}" for t in range(N_TASKS)] for p in range(N_PROCESSES)]
    every = [name for own in names for name in own]

    async with asyncio.timeout(LIMIT_S):
        seen = await asyncio.gather(*(_raced(place, own, every) for own in names))

    print(f"of {N_STEPS} steps in {N_PROCESSES} processes (TRIVIUM_SEED={SEED}): {seen}")  # noqa: T201
    assert [told["stale"] for told in seen] == [[], []]
    for told in seen:
        assert told["writes"] + told["reads"] == N_STEPS // N_PROCESSES  # nothing unacknowledged
        assert told["exact"] + told["alike"] > 0
        assert told["kept"] > 0


async def _raced(place: Place, own: list[str], every: list[str]) -> dict[str, Any]:
    n_steps = N_STEPS // N_PROCESSES // N_TASKS
    made = {"place": asdict(place), "seed": SEED, "own": own, "every": every, "n_steps": n_steps}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.races.racing", json.dumps(made), stdout=PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    told: dict[str, Any] = json.loads(out.splitlines()[-1])
    return told
