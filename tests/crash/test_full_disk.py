"""A full disk: what is written is refused with a clear word, reading goes on, room heals it.

A limit on the size of files that a process may write stands for the disk.
"""

import asyncio
import os
import resource
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import cycle
from pathlib import Path

import pytest

from tests.crash.server import children, serving
from tests.crash.versions import write_version
from tests.e2e.conftest import settings_for
from trivium.app.bootstrap import open_service
from trivium.app.service import Service
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.question import Question, TierName
from trivium.knowledge.dataset import DataSet, read_dataset

GRAPH = TierName.GRAPH


@pytest.mark.slow
async def test_a_server_without_room_answers_and_refuses_ratings(tmp_path: Path, encoder_dir: Path):
    home = tmp_path / "home"
    async with serving(home, load=write_version(tmp_path, 0)) as server, server.client() as client:
        with no_room(server.pid):
            asked = await client.post("/ask", json={"question": "How heavy is Kiki?"})
            answer = asked.json()
            kept = await client.get(f"/answers/{answer['id']}")
            refused = await client.post(f"/answers/{answer['id']}/rating", json={"rating": "up"})
        rated = await client.post(f"/answers/{answer['id']}/rating", json={"rating": "up"})

    assert "100 kg" in answer["answer"]
    assert kept.json()["answer"] == answer["answer"]
    assert refused.status_code == 503
    assert refused.headers["retry-after"]
    assert "disk is full" in refused.json()["detail"]
    assert rated.status_code == 201
    assert answers_on_disk(home) == [answer["id"]]
    assert "Traceback" not in server.log


async def test_a_redis_without_room_takes_no_load_and_its_tier_says_so(
    tmp_path: Path, encoder_dir: Path
):
    first, second = (read_dataset(write_version(tmp_path, version)) for version in (0, 1))
    before = set(children(os.getpid()))
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        (redis,) = set(children(os.getpid())) - before
        await service.knowledge.load(first)
        with no_room(redis):
            with pytest.raises(DependencyError, match="disk is full"):
                await load_until_refused(service, [second, first])
            fact = await weight_or_why_not(service)
            assert " kg" in fact or "disk is full" in fact
            assert "Ice Cave" in await told(service, "In which house does Nanuk live?", GRAPH)
        async with asyncio.timeout(30):
            await load_until_taken(service, second)
        assert "101 kg" in await weight(service)


async def test_an_index_without_room_takes_no_load_and_heals(tmp_path: Path, encoder_dir: Path):
    first, second = (read_dataset(write_version(tmp_path, version)) for version in (0, 1))
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        await service.knowledge.load(first)
        with no_room(os.getpid()), pytest.raises(DependencyError, match="disk is full"):
            await service.knowledge.load(second)
        assert "100 kg" in await weight(service)
        await service.knowledge.load(second)
        assert "101 kg" in await weight(service)


@contextmanager
def no_room(pid: int) -> Iterator[None]:
    """Let a process write to no file."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


async def load_until_refused(service: Service, datasets: Sequence[DataSet]) -> None:
    """Load in turn: Redis refuses what comes after the first write that its log did not take."""
    async with asyncio.timeout(30):
        for dataset in cycle(datasets):
            await service.knowledge.load(dataset)


async def load_until_taken(service: Service, dataset: DataSet) -> None:
    """Load until it is taken: Redis tries its disk again once a second."""
    while True:
        try:
            await service.knowledge.load(dataset)
        except DependencyError:
            continue
        return


async def weight(service: Service) -> str:
    return await told(service, "How heavy is Kiki?", TierName.CAG)


async def weight_or_why_not(service: Service) -> str:
    """Ask for a fact; a tier that lags behind the journal may say so instead."""
    try:
        return await weight(service)
    except DependencyError as error:
        return str(error)


async def told(service: Service, question: str, tier: TierName) -> str:
    asked = Question(text=question, tiers=(tier,))
    return (await service.pipeline.ask(asked, Deadline.after(20))).text


def answers_on_disk(home: Path) -> list[str]:
    with closing(sqlite3.connect(home / "answers.sqlite")) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM answers")]
