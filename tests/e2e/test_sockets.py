"""What no HTTP client sends, sent byte by byte to a real server on loopback."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import httpx
import pytest

from trivium.app.commands import Server
from trivium.app.service import Service
from trivium.app.serving import Connection
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult
from trivium.domain.question import TierName, Understood

BOUND_S = 60
"""More than any of these may take; what is waited for comes far sooner."""
BODY = b'{"question": "Who feeds Tembo?", "tiers": ["graph"]}'
HEAD = b"POST /ask HTTP/1.1\r\nHost: zoo\r\nContent-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY


class Telling(Server):
    """The server, telling when and where it serves."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self.serves = asyncio.Event()
        self.port = 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.port = self.servers[0].sockets[0].getsockname()[1]
        self.serves.set()


@dataclass
class Reply:
    status: int
    body: bytes

    @classmethod
    def of(cls, raw: bytes) -> "Reply":
        head, _, body = raw.partition(b"\r\n\r\n")
        return cls(int(head.split()[1]), body)


@asynccontextmanager
async def serving(service: Service, *, deadline_s: float) -> AsyncIterator[int]:
    """Serve on a free port."""
    settings = service.settings.model_copy(update={"port": 0, "deadline_s": deadline_s})
    server = Telling(replace(service, settings=settings))
    task = asyncio.create_task(server.serve())
    await asyncio.wait_for(server.serves.wait(), BOUND_S)
    try:
        yield server.port
    finally:
        server.should_exit = True
        await asyncio.wait_for(task, BOUND_S)


@pytest.fixture
async def port(zoo: Service, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """Where the zoo is served, with little patience."""
    monkeypatch.setattr(Connection, "head_s", 0.3)
    async with serving(zoo, deadline_s=0.5) as port:
        yield port


@pytest.fixture
async def patient(zoo: Service) -> AsyncIterator[int]:
    """Where the zoo is served, with time for answers."""
    async with serving(zoo, deadline_s=60) as port:
        yield port


async def send(port: int, *parts: bytes) -> bytes:
    """Send some bytes; return all that comes back until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), BOUND_S)
    finally:
        writer.close()


async def drip(port: int, start: bytes, again: bytes) -> bytes:
    """Send a start, then more and more; return all that comes back until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    reading = asyncio.create_task(reader.read())
    writer.write(start)
    try:
        async with asyncio.timeout(BOUND_S):
            while not (await asyncio.wait({reading}, timeout=0.05))[0]:
                writer.write(again)
        return reading.result()
    except ConnectionResetError:  # it closed while more was on the way, which may cost its answer
        return b""
    finally:
        writer.close()


async def is_well(port: int) -> bool:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=BOUND_S) as client:
        return (await client.get("/livez")).status_code == 200


@pytest.mark.parametrize(
    "half",
    [b"", b"P", b"POST /ask HTTP/1.1\r\nHost: zoo\r\n", b"GET /livez HTTP/1.1\r\nHost: zoo\r\nX: "],
)
async def test_half_a_head_ends_by_a_bound(port: int, half: bytes):
    reply = Reply.of(await send(port, half))

    assert reply.status == 408
    assert "did not come" in json.loads(reply.body)["detail"]
    assert await is_well(port)


async def test_a_head_that_drips_after_an_answer_ends_by_a_bound(port: int):
    raw = await drip(port, b"GET /livez HTTP/1.1\r\nHost: zoo\r\n\r\n", b"G")

    assert raw.startswith(b"HTTP/1.1 200")
    assert await is_well(port)


@pytest.mark.parametrize("coding", [b"Content-Length: 5000\r\n\r\n", CHUNKED + b"1\r\n{\r\n"])
async def test_a_body_that_stops_is_waited_for_by_a_bound(port: int, coding: bytes):
    reply = Reply.of(await send(port, HEAD + coding))

    assert reply.status == 408
    assert json.loads(reply.body)["detail"] == "The body did not come within 0.5 s."


@pytest.mark.parametrize(
    ("start", "again"),
    [(b"Content-Length: 5000\r\n\r\n", b" "), (CHUNKED, b"1\r\n \r\n")],
)
async def test_a_body_that_drips_is_waited_for_by_a_bound(port: int, start: bytes, again: bytes):
    raw = await drip(port, HEAD + start, again)

    assert not raw or Reply.of(raw).status == 408
    assert await is_well(port)


async def test_a_chunked_body_without_end_is_refused_when_it_is_too_large(port: int):
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"

    raw = await drip(port, HEAD + CHUNKED, chunk)

    assert not raw or Reply.of(raw).status == 413
    assert await is_well(port)


GARBAGE = (
    b"\x00" * 100,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xff" * 500,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /livez\r\n\r\n",
    b"GET /a b HTTP/1.1\r\nHost: zoo\r\n\r\n",
    b"GET /livez HTTP/1.1\r\n\r\n",
    "GET /ü HTTP/1.1\r\nHost: zoo\r\n\r\n".encode(),
    b"GET /livez HTTP/1.1\r\nHost: zoo\r\n" + b"X: " + b"a" * 20_000,
    b"GET /livez HTTP/1.1\r\nHost: zoo\r\n" + b"X-A: 1\r\n" * 2_500,
    b"GET /" + b"a" * 20_000,
    b"GET /livez HTTP/1.1\r\nHost: zoo\r\nX: a\x00b\r\n\r\n",
    b"GET /livez HTTP/1.1\r\nHost: zoo\r\nX : a\r\n\r\n",
    HEAD + b"Content-Length: -1\r\n\r\n",
    HEAD + b"Content-Length: 1e9\r\n\r\n",
    HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
    HEAD + b"Transfer-Encoding: gzip\r\n\r\n",
)


async def test_what_is_no_http_is_a_problem(port: int):
    for garbage in GARBAGE:
        reply = Reply.of(await send(port, garbage))
        assert reply.status in {400, 404, 501}, garbage[:80]
        assert json.loads(reply.body.partition(b"HTTP/1.1")[0])["status"] == reply.status
    assert await is_well(port)


@pytest.mark.parametrize("length", [b"9" * 15, b"0" * 10 + b"99999999"])
async def test_an_absurd_length_is_refused_before_the_body_comes(port: int, length: bytes):
    reply = Reply.of(
        await send(port, HEAD + b"Connection: close\r\nContent-Length: %b\r\n\r\n" % length)
    )

    assert reply.status == 413


async def test_garbage_after_a_request_costs_only_itself(patient: int):
    raw = await send(patient, WHOLE + b"\x00garbage\r\n\r\n")

    first, _, rest = raw.partition(b"HTTP/1.1 400")
    assert first.startswith(b"HTTP/1.1 200")
    assert b"problem+json" in rest


async def test_requests_in_a_row_are_all_answered(patient: int):
    raw = await send(patient, WHOLE * 5 + WHOLE.replace(b"Host", b"Connection: close\r\nHost", 1))

    assert raw.count(b"HTTP/1.1 200") == 6


async def test_a_bad_chunk_is_a_problem(port: int):
    raw = await send(port, HEAD + CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n")

    assert Reply.of(raw).status == 400


async def test_http_1_0_is_answered(patient: int):
    old = WHOLE.replace(b"HTTP/1.1", b"HTTP/1.0").replace(b"Host: zoo\r\n", b"")

    reply = Reply.of(await send(patient, old))

    assert (reply.status, json.loads(reply.body)["result"]["ids"]) == (200, ["K-1"])


async def test_a_client_that_asks_whether_to_go_on_is_told_so(patient: int):
    head = HEAD + b"Expect: 100-continue\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"

    raw = await send(patient, head % len(BODY), BODY)

    assert raw.startswith(b"HTTP/1.1 100")
    assert b"HTTP/1.1 200" in raw


async def test_a_client_that_leaves_within_its_body_is_no_fault_of_ours(port: int, zoo: Service):
    for _ in range(20):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(WHOLE[:-5])
        await writer.drain()
        writer.close()
    assert await is_well(port)

    text = zoo.metrics.text()
    assert b'status="5xx"' not in text


class Endless:
    """A tier that never answers, and notes that it was given up."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()
        raise AssertionError


async def test_a_client_that_leaves_ends_the_work_for_it(zoo: Service):
    endless = Endless()
    tiers = {**zoo.pipeline.tiers, TierName.GRAPH: endless}
    service = replace(zoo, pipeline=replace(zoo.pipeline, tiers=tiers))
    async with serving(service, deadline_s=100) as port:
        before = len(asyncio.all_tasks())
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(WHOLE)
        await asyncio.wait_for(endless.begun.wait(), BOUND_S)

        writer.close()

        await asyncio.wait_for(endless.ended.wait(), BOUND_S)
        await writer.wait_closed()
        for _ in range(100):  # turns of the loop, in which tasks end
            await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) <= before


@pytest.fixture
async def crowded(zoo: Service) -> AsyncIterator[int]:
    """Where the zoo is served in one place, which is taken by who sends no body."""
    settings = zoo.settings.model_copy(update={"max_requests": 1})
    async with serving(replace(zoo, settings=settings), deadline_s=60) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"Content-Length: 9\r\n\r\n")
        await said(port, b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")  # it came after that
        yield port
        writer.close()


async def said(port: int, sent: bytes) -> int:
    """Return the status of the first reply of a connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(BOUND_S):
        head = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    return Reply.of(head).status


async def one_reply(reader: asyncio.StreamReader) -> Reply:
    async with asyncio.timeout(BOUND_S):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        return Reply.of(head + await reader.readexactly(length))


async def test_a_connection_that_was_refused_for_want_of_room_can_ask_again(crowded: int):
    reader, writer = await asyncio.open_connection("127.0.0.1", crowded)
    replies = []
    for _ in range(3):
        writer.write(WHOLE)
        replies.append(await one_reply(reader))
    writer.write(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    alive = await one_reply(reader)
    writer.close()

    assert [reply.status for reply in replies] == [503] * 3
    assert "more are not taken" in json.loads(replies[0].body)["detail"]
    assert alive.status == 200


async def test_a_refused_question_has_its_id_and_is_counted(crowded: int):
    named = WHOLE.replace(b"Host: zoo", b"Host: zoo\r\nX-Request-ID: mine-1\r\nConnection: close")
    reader, writer = await asyncio.open_connection("127.0.0.1", crowded)
    writer.write(named)
    async with asyncio.timeout(BOUND_S):
        raw = await reader.read()  # it is closed, as was asked
    writer.close()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{crowded}") as client:
        metrics = (await client.get("/metrics")).text

    assert b"x-request-id: mine-1\r\n" in raw
    assert b"retry-after: 2\r\n" in raw
    assert 'trivium_requests_total{method="POST",route="/ask",status="5xx"}' in metrics


@pytest.mark.parametrize(
    ("odd", "status"),
    [
        (HEAD + CHUNKED, 503),
        (HEAD + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\n12345", 400),
        (HEAD + b"Content-Length: 900\r\n\r\n{", 503),
        (WHOLE + WHOLE, 503),
    ],
)
async def test_what_is_not_one_whole_question_is_read_as_http_even_without_room(
    crowded: int, odd: bytes, status: int
):
    assert await said(crowded, odd) == status
