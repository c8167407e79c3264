"""Every fault of the model that we know, at the door: the composed answer, marked, and in time."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest

from synthesis.composer import Composer
from synthesis.with_model import ModelWriter
from tests import messages_server as say
from tests.conftest import LATE_S
from tests.faults.conftest import House
from tests.integration.test_chat import FAULTS
from tests.messages_server import MessagesServer, Reply
from trivium.app.http import create_app
from trivium.gateway.chat import ClaudeChat

DEADLINE_S = 1.0
QUESTION = {"question": "What fine does a visitor pay who feeds an animal?", "tiers": ["rag"]}
UNFOUNDED = {
    "an unknown number": say.ok("A visitor pays 75 euros [1]."),
    "an unknown marker alone": say.ok("A visitor pays 60 euros [7]."),
    "a link": say.ok("See https://evil.example/?q=60 [1]."),
    "an image": say.ok("![60](https://evil.example/60.png) [1]."),
    "that it is not there": say.ok("NOT IN EVIDENCE"),
    "a rate limit past all deadlines": say.status(429, "rate_limit_error", retry_after="600"),
}
"""What is told to be wrong only when it is read."""
MATRIX: dict[str, Reply] = {name: reply for name, (reply, _, _) in FAULTS.items()} | UNFOUNDED


@asynccontextmanager
async def written_by(house: House, server: MessagesServer) -> AsyncIterator[httpx.AsyncClient]:
    """Give the door of the house with a model behind it that nobody has called yet."""
    chat = ClaudeChat.open(api_key="sk-test", model="claude-test", base_url=server.url)
    composer = Composer(house.service.ids.new, ModelWriter(chat))
    pipeline = replace(house.service.pipeline, synthesizer=composer)
    settings = house.service.settings.model_copy(update={"deadline_s": DEADLINE_S})
    app = create_app(replace(house.service, pipeline=pipeline, settings=settings))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:
            yield client
    finally:
        await chat.close()


async def test_every_fault_of_the_model_ends_in_the_composed_answer_and_is_not_remembered(
    house: House,
):
    composed = (await house.client.post("/ask", json=QUESTION)).json()
    await house.client.post("/admin/memory/invalidate", json={"everything": True})
    wrong = []
    for name, reply in MATRIX.items():
        async with MessagesServer(reply) as server, written_by(house, server) as client:
            for attempt in ("new", "again"):  # what was remembered would not be degraded
                started = time.perf_counter()
                response = await client.post("/ask", json=QUESTION)
                late_s = time.perf_counter() - started - DEADLINE_S
                answer = response.json()
                marked = [d["tier"] for d in answer.get("degraded", ())] == ["llm"]
                is_composed = answer.get("answer") == composed["answer"]
                is_new = answer.get("cache") == {"hit": False}
                if not (marked and is_composed and is_new and late_s < LATE_S):
                    wrong.append((name, attempt, response.status_code, late_s, answer))

    assert composed["degraded"] == []
    assert wrong == []


async def test_an_answer_that_a_model_wrote_is_remembered(house: House):
    reply = say.ok("A visitor pays 60 euros [1].")
    async with MessagesServer(reply) as server, written_by(house, server) as client:
        first = (await client.post("/ask", json=QUESTION)).json()
        again = (await client.post("/ask", json=QUESTION)).json()

    assert (first["answer"], first["degraded"]) == ("A visitor pays 60 euros [1].", [])
    assert (again["answer"], again["cache"]["hit"]) == (first["answer"], True)
    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", ["hang", "HTML", "429"])
async def test_a_stream_and_the_openai_door_give_the_composed_answer_too(house: House, fault: str):
    chat = {"model": "trivium-rag", "messages": [{"role": "user", "content": QUESTION["question"]}]}
    body = {**QUESTION, "stream": True}
    async with MessagesServer(MATRIX[fault]) as server, written_by(house, server) as client:
        streamed = (await client.post("/ask", json=body)).text
        completed = (await client.post("/v1/chat/completions", json=chat)).json()

    assert '"degraded":[{"tier":"llm"' in streamed.replace(" ", "")
    assert "event: done" in streamed
    assert "60 euros" in completed["choices"][0]["message"]["content"]
