"""A server that is killed at any point has all that it acknowledged, once and whole."""

import asyncio
import statistics
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.conftest import SEED, SOAK
from tests.crash.history import History
from tests.crash.looking import animals_of, ratings_of
from tests.crash.server import Server, gone, is_running
from tests.crash.traffic import (
    Traffic,
    Work,
    ask_and_rate,
    change_graph,
    kill_at_random,
    load_versions,
)
from tests.crash.versions import every_tier_says, version_of, write_version

N_KILLS = 2 * SOAK
READY_WITHIN_S = 5.0 if SOAK > 1 else 20.0
"""`make soak` runs one test at a time; beside other tests a start has half the machine or less."""


@pytest.mark.slow
async def test_what_was_acknowledged_outlives_every_kill(tmp_path: Path, encoder_dir: Path):
    rng = Random(SEED)
    print(f"\n{N_KILLS} kills, TRIVIUM_SEED={SEED}")
    story = _Story(tmp_path, rng)
    await story.begin()
    try:
        for number in range(N_KILLS):
            kill = story.kill_under_traffic if number % 2 == 0 else story.kill_in_a_load
            await kill()
            await story.start_again()
    finally:
        await story.end()

    print(f"{story.traffic.history.n_done} of {story.traffic.history.n_begun} acknowledged")
    told("ready after s", story.ready_s)
    told("computed s", story.cpu_s)
    assert max(story.ready_s) <= READY_WITHIN_S
    for pid in story.pids:
        await gone(pid)
        assert not is_running(pid)


class _Story:
    """One home from kill to kill."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.home, self.data = folder / "home", folder / "data"
        self.rng = rng
        self.traffic = Traffic(History(), rng, data=self.data)
        self.works: list[Work] = [ask_and_rate] * 4
        self.server: Server
        self.ready_s: list[float] = []
        self.cpu_s: list[float] = []
        self.pids: list[int] = []

    async def begin(self) -> None:
        self.traffic.history.begin("zoo", 0)
        self.server = await Server.start(self.home, load=write_version(self.data, 0))
        self.traffic.history.done("zoo", 0)
        self._note()
        async with self.server.client() as client:
            if "/admin/mutations" in (await client.get("/openapi.json")).json()["paths"]:
                self.works += [change_graph, load_versions]

    async def kill_under_traffic(self) -> None:
        await kill_at_random(self.server, self.traffic, self.works)

    async def kill_in_a_load(self) -> None:
        await self.server.kill()
        self.traffic.version += 1
        version = self.traffic.version
        self.traffic.history.begin("zoo", version)
        place = write_version(self.data, version, n_more=self.rng.choice((0, 300)))
        self.server = await Server.launch(self.home, load=place)
        try:
            async with asyncio.timeout(self.rng.uniform(0.3, 1.1) * max(self.ready_s)):
                await self.server.ready()
            self.traffic.history.done("zoo", version)
        except TimeoutError:
            self.pids.append(self.server.pid)
        finally:
            await self.server.kill()

    async def start_again(self) -> None:
        self.server = await Server.start(self.home)
        self._note()
        version = await version_of(self.home, self.data)
        current, history = await asyncio.to_thread(ratings_of, self.home)
        animals = await animals_of(self.home)
        wrong = self.traffic.history.check({**current, **animals, "zoo": version})
        wrong += [f"{comment!r} was kept {n} times" for comment, n in history.items() if n != 1]
        wrong += [f"{c!r} was lost" for c in self.traffic.comments if c not in history]
        assert wrong == []
        async with self.server.client() as client:
            assert version is not None
            await every_tier_says(client, version)
            await self._look_up_some(client)

    async def _look_up_some(self, client: httpx.AsyncClient) -> None:
        """An answer is there whole, or lost with the crash."""
        for answer_id, text in list(self.traffic.answers.items())[-5:]:
            found = await client.get(f"/answers/{answer_id}")
            assert found.status_code in {200, 404}, found.text
            assert found.status_code == 404 or found.json()["answer"] == text

    async def end(self) -> None:
        await self.server.stop()

    def _note(self) -> None:
        self.ready_s.append(self.server.ready_s)
        self.cpu_s.append(self.server.cpu_s)
        self.pids += [self.server.pid, *self.server.redis_pids]


def told(what: str, numbers: list[float]) -> None:
    ordered = sorted(numbers)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    print(
        f"{what}: median {statistics.median(ordered):.2f}, p95 {p95:.2f}, most {ordered[-1]:.2f}, "
        f"n {len(ordered)}"
    )
