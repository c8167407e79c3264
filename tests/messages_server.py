"""A local server that speaks the Anthropic Messages API from a script, faults included."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Any, Self

_DRIP_S = 0.01
_JSON = {"content-type": "application/json"}


class Manner(StrEnum):
    """How a reply is sent."""

    WHOLE = "whole"
    HANG = "hang"
    """The request is read, and nothing is ever said."""
    DRIP = "drip"
    """A blank every 10 ms, for ever: a read timeout never fires."""
    CUT = "cut"
    """The connection ends in the middle of the body."""
    DROP = "drop"
    """The connection ends before a reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One step of the script."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: _JSON)
    manner: Manner = Manner.WHOLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request, as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]  # Any: the JSON that tests look into


def message(text: str = "Fine [1].", **changes: object) -> dict[str, object]:
    """Return a whole message of the API, with ``changes`` over it."""
    whole: dict[str, object] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-1",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 11,
            "output_tokens": 7,
            "cache_read_input_tokens": 5,
            "cache_creation_input_tokens": 3,
        },
    }
    return whole | changes


def json_reply(value: object, *, status: int = 200, **headers: str) -> Reply:
    """Answer with ``value``; underscores in the names of ``headers`` are hyphens."""
    extra = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(body=json.dumps(value).encode(), status=status, headers=_JSON | extra)


def ok(text: str = "Fine [1].", **changes: object) -> Reply:
    """Answer as the API does."""
    return json_reply(message(text, **changes))


def status(code: int, kind: str = "api_error", **headers: str) -> Reply:
    """Answer with an error status and the API's error body."""
    error = {"type": "error", "error": {"type": kind, "message": "scripted"}}
    return json_reply(error, status=code, **headers)


def overloaded(code: int = 529) -> Reply:
    """Answer that the service is overloaded; with ``code`` 200, only in the body."""
    return status(code, "overloaded_error")


def hang() -> Reply:
    """Never answer."""
    return Reply(manner=Manner.HANG)


def drip() -> Reply:
    """Answer for ever."""
    return Reply(manner=Manner.DRIP)


def cut() -> Reply:
    """Stop in the middle of a good message."""
    return Reply(body=json.dumps(message()).encode(), manner=Manner.CUT)


def drop() -> Reply:
    """Close the connection instead of answering."""
    return Reply(manner=Manner.DROP)


def not_json() -> Reply:
    """Answer 200 with a body that is called JSON and is none."""
    return Reply(body=b'{"id": "msg_1", "content": [')


def html() -> Reply:
    """Answer 200 with a web page, as a proxy's login does."""
    return Reply(body=b"<html>Sign in</html>", headers={"content-type": "text/html"})


def unasked_stream() -> Reply:
    """Answer 200 with a stream that nobody asked for, and that tells of a fault."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "scripted"}}
    body = f"event: error\ndata: {json.dumps(error)}\n\n"
    return Reply(body=body.encode(), headers={"content-type": "text/event-stream"})


def empty_object() -> Reply:
    """Answer ``{}``."""
    return json_reply({})


def no_content() -> Reply:
    """Answer a message whose content is null."""
    return ok(content=None)


def empty_text() -> Reply:
    """Answer a message that says nothing."""
    return ok("  ")


class MessagesServer:
    """Answers from ``script`` in order, the last step again and again; keeps the requests.

    An async context manager on a free port of the loopback; ``script`` may be changed at any time.
    """

    def __init__(self, *script: Reply) -> None:
        self.script: Sequence[Reply] = script or (ok(),)
        self.requests: list[Request] = []
        self.asked = asyncio.Event()
        self.left = asyncio.Event()
        """Set when a client left that was never answered."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """The base URL to give to a client."""
        return f"http://127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends; never raises, so that nothing is logged."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while (request := await _read(reader)) is not None:
                reply = self.script[min(len(self.requests), len(self.script) - 1)]
                self.requests.append(request)
                self.asked.set()
                if reply.manner is Manner.HANG:
                    await reader.read()
                    self.left.set()
                    return
                await _send(reply, writer)
        except (asyncio.CancelledError, ConnectionError):
            pass  # the test is over, or the client has left
        finally:
            self._tasks.discard(task)
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ")
    pairs = (line.split(": ", 1) for line in lines)
    headers = {name.lower(): value for name, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method=method, path=path, headers=headers, body=json.loads(body or b"{}"))


async def _send(reply: Reply, writer: asyncio.StreamWriter) -> None:
    match reply.manner:
        case Manner.WHOLE:
            writer.write(_head(reply, len(reply.body)) + reply.body)
            await writer.drain()
        case Manner.HANG:
            raise AssertionError  # it sends nothing
        case Manner.DRIP:
            writer.write(_head(reply, 10**9))
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(_DRIP_S)
        case Manner.CUT:
            writer.write(_head(reply, len(reply.body)) + reply.body[: len(reply.body) // 2])
            await writer.drain()
            raise ConnectionAbortedError
        case Manner.DROP:
            raise ConnectionAbortedError


def _head(reply: Reply, n_bytes: int) -> bytes:
    headers = {**reply.headers, "content-length": str(n_bytes)}
    lines = [f"HTTP/1.1 {reply.status} Scripted", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
