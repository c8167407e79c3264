"""Answers as server-sent events: what is told, in which order, and what leaving ends."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthesis.composer import Composer
from synthesis.with_model import ModelWriter
from tests import messages_server as say
from tests.conftest import logged
from tests.e2e.doors import asking
from tests.e2e.test_sockets import BOUND_S, Endless, serving
from tests.messages_server import MessagesServer
from trivium.app.apart import EmptyTier
from trivium.app.http import create_app
from trivium.app.places import Places
from trivium.app.service import Service
from trivium.app.streaming import EventStream, pieces
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import TierResult
from trivium.domain.ports import Tier
from trivium.domain.question import TierName, Understood
from trivium.gateway.chat import ClaudeChat

QUESTION = {"question": "Which animals does Amelia Stone feed?", "tiers": ["graph"]}
EVENTS = {"accept": "text/event-stream"}

Event = tuple[str, Any]


class Failing:
    """A tier that fails as it is told to."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        raise self.error


def with_tiers(service: Service, *names: TierName, tier: Tier) -> Service:
    tiers = {**service.pipeline.tiers, **dict.fromkeys(names, tier)}
    return replace(service, pipeline=replace(service.pipeline, tiers=tiers))


def events(text: str) -> list[Event]:
    """Return the events of a stream with their data."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


async def streamed(client: httpx.AsyncClient, body: Any, **headers: str) -> list[Event]:
    response = await client.post("/ask", json=body, headers=headers)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-cache, no-store"
    return events(response.text)


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        {"question": "Who feeds Nanuk, and when are polar bears fed?", "tiers": ["rag", "graph"]},
        {"question": "Which animals does K-77 feed?", "tiers": ["graph"]},
        {"question": "Who feeds Tembo?"},
    ],
)
@pytest.mark.parametrize("turn", ["new", "remembered"])
async def test_a_stream_tells_route_sources_text_and_the_whole_answer(
    client: httpx.AsyncClient, question: dict[str, Any], turn: str
):
    if turn == "remembered":
        await client.post("/ask", json=question)

    told = await streamed(client, {**question, "stream": True})

    names = [name for name, _ in told]
    assert names == sorted(names, key=["route", "source", "delta", "answer", "done"].index)
    assert names.count("route") == names.count("answer") == names.count("done") == 1
    answer = dict(told)["answer"]
    assert told[0] == ("route", answer["route"])
    assert [data for name, data in told if name == "source"] == answer["citations"]
    assert "".join(data["text"] for name, data in told if name == "delta") == answer["answer"]
    whole = (await client.post("/ask", json=question)).json()
    differing = {"id", "cache", "timings_ms"}
    assert {k: v for k, v in answer.items() if k not in differing} == {
        k: v for k, v in whole.items() if k not in differing
    }
    assert (await client.get(f"/answers/{answer['id']}")).status_code == 200


@given(st.text())
def test_pieces_joined_are_the_text(text: str):
    assert "".join(pieces(text)) == text


@pytest.mark.parametrize(
    ("accept", "asked", "expected"),
    [
        ("text/event-stream", None, "text/event-stream"),
        ("application/json, Text/Event-Stream;q=0.9", None, "text/event-stream"),
        ("text/event-stream", False, "application/json"),
        ("application/json", True, "text/event-stream"),
        ("*/*", None, "application/json"),
    ],
)
async def test_the_body_says_whether_to_stream_else_the_accept_header_does(
    client: httpx.AsyncClient, accept: str, asked: object, expected: str
):
    response = await client.post(
        "/ask", json={**QUESTION, "stream": asked}, headers={"accept": accept}
    )

    assert response.headers["content-type"].partition(";")[0] == expected


async def test_what_fails_before_the_stream_begins_is_a_problem(client: httpx.AsyncClient):
    bad = await client.post("/ask", json={"question": ""}, headers=EVENTS)
    long = await client.post("/ask", json={**QUESTION, "deadline_s": 599}, headers=EVENTS)

    assert (bad.status_code, long.status_code) == (422, 422)
    assert long.headers["content-type"] == "application/problem+json"


async def test_what_fails_later_is_an_event_with_the_problem(zoo: Service):
    broken = with_tiers(zoo, *TierName, tier=Failing(DependencyError("it is away")))
    async with asking(create_app(broken)) as client:
        told = await streamed(client, QUESTION, **EVENTS)

    assert [name for name, _ in told] == ["route", "error"]
    assert (told[-1][1]["status"], told[-1][1]["title"]) == (503, "Service Unavailable")
    assert "it is away" in told[-1][1]["detail"]


async def test_what_should_not_happen_is_an_event_that_quotes_nothing(zoo: Service):
    broken = with_tiers(zoo, *TierName, tier=Failing(RuntimeError("secret")))
    async with asking(create_app(broken)) as client:
        told = await streamed(client, QUESTION, **EVENTS)

    assert [name for name, _ in told] == ["route", "error"]
    assert told[-1][1]["status"] == 500
    assert "secret" not in json.dumps(told)


async def test_past_its_deadline_a_stream_ends_with_the_problem(zoo: Service):
    async with asking(create_app(with_tiers(zoo, *TierName, tier=Endless()))) as client:
        told = await streamed(client, {**QUESTION, "deadline_s": 0.3}, **EVENTS)

    assert [name for name, _ in told] == ["route", "error"]
    assert told[-1][1]["status"] == 503


class Waiting:
    """A tier that waits until it may go on."""

    def __init__(self, tier: Tier) -> None:
        self.tier = tier
        self.may_go_on = asyncio.Event()

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        await self.may_go_on.wait()
        return await self.tier.retrieve(question, deadline)


async def test_the_route_is_told_before_the_tiers_answer_and_silence_has_a_heartbeat(
    zoo: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(EventStream, "heartbeat_s", 0.05)
    waiting = Waiting(zoo.pipeline.tiers[TierName.GRAPH])
    text = ""
    async with serving(with_tiers(zoo, TierName.GRAPH, tier=waiting), deadline_s=BOUND_S) as port:
        url = f"http://127.0.0.1:{port}/ask"
        async with (
            httpx.AsyncClient(timeout=BOUND_S) as client,
            client.stream("POST", url, json=QUESTION, headers=EVENTS) as response,
        ):
            async for part in response.aiter_text():
                text += part
                if ": ping" in text:
                    waiting.may_go_on.set()

    assert text.startswith("event: route\n")
    assert text.index(": ping") < text.index("event: answer")
    assert [name for name, _ in events(text)][-2:] == ["answer", "done"]


async def test_two_hundred_streams_are_held_at_once(zoo: Service):
    waiting = Waiting(EmptyTier(TierName.GRAPH))
    many = with_tiers(replace(zoo, places=Places(200)), TierName.GRAPH, tier=waiting)
    n_begun = 0

    async def hold(client: httpx.AsyncClient, url: str) -> list[Event]:
        nonlocal n_begun
        text = ""
        async with client.stream("POST", url, json=QUESTION, headers=EVENTS) as response:
            async for part in response.aiter_text():
                n_begun += not text
                text += part
                if n_begun == 200:
                    waiting.may_go_on.set()
        return events(text)

    limits = httpx.Limits(max_connections=200)
    async with (
        serving(many, deadline_s=BOUND_S) as port,
        httpx.AsyncClient(timeout=BOUND_S, limits=limits) as client,
    ):
        url = f"http://127.0.0.1:{port}/ask"
        told = await asyncio.gather(*(hold(client, url) for _ in range(200)))

    assert all([name for name, _ in one][-2:] == ["answer", "done"] for one in told)
    assert len({dict(one)["answer"]["id"] for one in told}) == 200


async def test_a_stream_waits_for_its_turn_where_others_are_refused(zoo: Service):
    places, settings = Places(1), zoo.settings.model_copy(update={"deadline_s": 1.0})
    few = replace(zoo, places=places, settings=settings)
    async with asking(create_app(few)) as client:
        async with places.mine(Deadline.after(60)):
            held = asyncio.create_task(client.post("/ask", json={**QUESTION, "stream": True}))
            refused = await client.post("/ask", json={**QUESTION, "as_of": "2026-01-01"})
            assert not held.done()
        told = await held

    assert refused.status_code == 503
    assert [name for name, _ in events(told.text)][-2:] == ["answer", "done"]


# --- clients that leave --------------------------------------------------------------------------

DOORS = [
    ("/ask", QUESTION),
    ("/ask", {**QUESTION, "stream": True}),
]


@asynccontextmanager
async def writing(service: Service, server: MessagesServer) -> AsyncIterator[Service]:
    """Give a service whose answers a model writes."""
    chat = ClaudeChat.open(api_key="sk-test", model="claude-test", base_url=server.url)
    writer = Composer(service.ids.new, ModelWriter(chat))
    try:
        yield replace(service, pipeline=replace(service.pipeline, synthesizer=writer))
    finally:
        await chat.close()


async def leave(port: int, path: str, body: Any, when: asyncio.Event) -> None:
    """Send a request, and leave without its answer as soon as ``when`` is."""
    raw = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: zoo\r\nContent-Length: {len(raw)}\r\n\r\n"
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head.encode() + raw)
    await asyncio.wait_for(when.wait(), BOUND_S)
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(("path", "body"), DOORS)
async def test_a_client_that_leaves_ends_the_work_of_the_tiers(zoo: Service, path: str, body: Any):
    endless = Endless()
    async with serving(with_tiers(zoo, *TierName, tier=endless), deadline_s=100) as port:
        await leave(port, path, body, endless.begun)

        await asyncio.wait_for(endless.ended.wait(), BOUND_S)


async def test_the_log_says_that_a_client_left_its_stream(zoo: Service, stream: io.StringIO):
    endless = Endless()
    async with serving(with_tiers(zoo, *TierName, tier=endless), deadline_s=100) as port:
        await leave(port, "/ask", {**QUESTION, "stream": True}, endless.begun)
        await asyncio.wait_for(endless.ended.wait(), BOUND_S)

    (line,) = [line for line in logged(stream) if line["event"] == "request"]
    assert (line["status"], line["left"]) == (200, True)


@pytest.mark.parametrize(("path", "body"), DOORS)
async def test_a_client_that_leaves_ends_the_work_of_the_model(zoo: Service, path: str, body: Any):
    async with (
        MessagesServer(say.hang()) as server,
        writing(zoo, server) as service,
        serving(service, deadline_s=100) as port,
    ):
        await leave(port, path, body, server.asked)

        await asyncio.wait_for(server.left.wait(), BOUND_S)


async def test_what_a_model_says_unfounded_is_never_told(zoo: Service):
    async with (
        MessagesServer(say.ok("She feeds two [1]. She earns 99999 a year [1].")) as server,
        writing(zoo, server) as service,
        asking(create_app(service)) as client,
    ):
        told = await streamed(client, QUESTION, **EVENTS)

    answer = dict(told)["answer"]
    assert "99999" not in json.dumps([data for name, data in told if name == "delta"])
    assert [one["tier"] for one in answer["degraded"]] == ["llm"]
    assert "".join(data["text"] for name, data in told if name == "delta") == answer["answer"]
