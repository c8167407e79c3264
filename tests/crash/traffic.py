"""Mixed traffic over HTTP: several clients that ask, rate, change their minds and say it again.

A 503 acknowledges nothing: what was said may have happened or not.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeAlias

import httpx

from tests.crash.history import History
from tests.crash.server import Server
from tests.crash.versions import write_version

QUESTIONS = (
    "How heavy is Kiki?",
    "Which animals live in Savannah Hall?",
    "What fine does a visitor pay who feeds an animal?",
    "How many animals does Bruno Falk feed?",
    "Who feeds Tembo and what is fed at half past two?",
)


@dataclass(slots=True)
class Traffic:
    """What the clients share: the history, chance, and all comments that were acknowledged."""

    history: History
    rng: Random
    comments: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    """By id, the text of each answer that was returned."""
    n_said: int = 0
    data: Path = Path()
    """Where the versions of the data set are written."""
    version: int = 0
    """The last that was written."""


Work: TypeAlias = Callable[[Traffic, httpx.AsyncClient, str], Awaitable[None]]
"""One client's work, for ever; it is given a name of its own."""


async def ask_and_rate(traffic: Traffic, client: httpx.AsyncClient, name: str) -> None:
    """Ask, and rate most of what comes back: some twice the same, some another way."""
    while True:
        asked = await client.post("/ask", json={"question": traffic.rng.choice(QUESTIONS)})
        if not _is_done(asked):
            continue
        answer = asked.json()
        traffic.answers[answer["id"]] = answer["answer"]
        for thumb in traffic.rng.choice(((), ("up",), ("down",), ("up", "down"))):
            await rate(traffic, client, answer["id"], name, thumb)


async def rate(
    traffic: Traffic, client: httpx.AsyncClient, answer: str, name: str, thumb: str
) -> None:
    """Rate an answer, now and then twice, as after a reply that was lost."""
    traffic.n_said += 1
    comment = f"{name} says {traffic.n_said}"
    said = {"rating": thumb, "rater": name, "comment": comment}
    key = ("rating", answer, name)
    traffic.history.begin(key, comment)
    rated = await client.post(f"/answers/{answer}/rating", json=said)
    if not _is_done(rated):
        return
    traffic.history.done(key, comment)
    traffic.comments.append(comment)
    if traffic.rng.random() < 0.3:
        again = await client.post(f"/answers/{answer}/rating", json=said)
        assert not _is_done(again) or again.json() == {"outcome": "unchanged"}


async def change_graph(traffic: Traffic, client: httpx.AsyncClient, name: str) -> None:
    """Add animals with the house that they live in, both or none; remove some again."""
    while True:
        traffic.n_said += 1
        animal = f"{name}-{traffic.n_said}"
        add = [
            {"op": "add_entity", "id": animal, "type": "Animal", "name": f"Pet {traffic.n_said}"},
            {"op": "add_relationship", "source": animal, "type": "LIVES_IN", "target": "H-1"},
        ]
        await _mutate(traffic, client, animal, add, "there")
        if traffic.rng.random() < 0.3:
            await _mutate(traffic, client, animal, [{"op": "remove_entity", "id": animal}], None)


async def _mutate(
    traffic: Traffic,
    client: httpx.AsyncClient,
    animal: str,
    mutations: list[dict[str, str]],
    afterwards: str | None,
) -> None:
    key = ("animal", animal)
    traffic.history.begin(key, afterwards)
    done = await client.post("/admin/mutations", json={"mutations": mutations})
    if _is_done(done):
        traffic.history.done(key, afterwards)


async def load_versions(traffic: Traffic, client: httpx.AsyncClient, name: str) -> None:
    """Load one version of the data set after the other."""
    while True:
        traffic.version += 1
        version = traffic.version
        place = await asyncio.to_thread(
            write_version, traffic.data, version, n_more=traffic.rng.choice((0, 200))
        )
        traffic.history.begin("zoo", version)
        body = {"directory": str(place), "accept": True}
        loaded = await client.post("/admin/load", json=body)
        if _is_done(loaded):
            traffic.history.done("zoo", version)


def _is_done(response: httpx.Response) -> bool:
    """Say whether a request was acknowledged; anything but that and 503 is a fault."""
    assert response.status_code in {200, 201, 503}, response.text
    return response.status_code != 503


async def kill_at_random(
    server: Server, traffic: Traffic, works: Sequence[Work], *, most: int = 40
) -> None:
    """Put ``works`` on a server, and kill it at a random point: what it was doing is cut short."""
    reached = traffic.history.mark(traffic.rng.randint(1, most))
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_until_the_end(work, server, traffic, f"{work.__name__}-{n}"))
            for n, work in enumerate(works)
        ]
        async with asyncio.timeout(60):
            await reached.wait()
        await asyncio.sleep(traffic.rng.uniform(0, 0.03))  # a point in the middle of something
        await server.kill()
        await asyncio.wait(tasks)


async def _until_the_end(work: Work, server: Server, traffic: Traffic, name: str) -> None:
    with contextlib.suppress(httpx.TransportError):  # the server is gone
        async with server.client() as client:
            await work(traffic, client, name)
