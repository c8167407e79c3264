"""Answers as server-sent events, told as they come to be."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final, TypeAlias

import structlog
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from trivium.app.leaving import unless_left
from trivium.app.problems import described, problem_of
from trivium.app.requests import note, note_left
from trivium.app.service import Service, rendered
from trivium.domain.door import encoded, route
from trivium.domain.errors import TriviumError
from trivium.domain.question import Question
from trivium.domain.route import RouteDecision

EVENTS: Final = "text/event-stream"
_HEADERS: Final = {"Cache-Control": "no-cache, no-store", "X-Accel-Buffering": "no"}
"""A stream is for one reader, now: nothing between may keep or gather it."""
_PIECE: Final = re.compile(r"(?:\S+\s*){1,6}|\s+")

Tell: TypeAlias = Callable[[bytes], None]
"""Takes one event, as it goes over the wire."""

_log = structlog.get_logger(__name__)


class EventStream(StreamingResponse):
    """A response that is told event by event while the work for it goes on.

    It begins with the first event; what fails before is answered with a status, as anywhere, and
    what fails later is told as ``failed`` says. A client that leaves cancels the work at once.
    """

    heartbeat_s: ClassVar[float] = 15.0
    """After so long without an event, a comment keeps proxies from closing the connection."""
    media_type = EVENTS

    def __init__(
        self,
        request: Request,
        work: Callable[[Tell], Awaitable[None]],
        failed: Callable[[dict[str, object]], bytes],
    ) -> None:
        super().__init__((), headers=_HEADERS)
        self._request = request
        self._work = work
        self._failed = failed
        self._is_begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell it all, or as much as the client waits for."""
        del scope, receive  # the request has them, and knows that its body was read
        try:
            await unless_left(self._request, self._tell_all(send))
        except ClientDisconnect:
            if not self._is_begun:
                raise
            note_left(self._request)

    async def _tell_all(self, send: Send) -> None:
        told: asyncio.Queue[bytes | None] = asyncio.Queue()
        work = asyncio.ensure_future(self._work(told.put_nowait))
        work.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (event := await self._next(told)) is not None:
                await self._send(event, send)
            if (error := work.exception()) is not None:
                if not self._is_begun:
                    raise error
                await self._send(self._failed(_problem(error)), send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _next(self, told: asyncio.Queue[bytes | None]) -> bytes | None:
        try:
            async with asyncio.timeout(self.heartbeat_s):
                return await told.get()
        except TimeoutError:
            return KEEPALIVE_COMMENT

    async def _send(self, event: bytes, send: Send) -> None:
        if not self._is_begun:
            self._is_begun = True
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
        await send({"type": "http.response.body", "body": event, "more_body": True})


def wants_events(request: Request, stream: bool | None) -> bool:  # noqa: FBT001  # as it was asked
    """Whether a client wants a stream: as its body says, else as its ``Accept`` does."""
    if stream is not None:
        return stream
    accepted = request.headers.get("accept", "").casefold().split(",")
    return any(media.partition(";")[0].strip() == EVENTS for media in accepted)


def streamed(
    request: Request, service: Service, question: Question, seconds: float | None
) -> EventStream:
    """Return the answer to a question as ``route, source …, delta …, answer, done``.

    The text is told once it is whole and checked; see ``docs/adr/0016-checked-then-told.md``.
    """

    async def work(tell: Tell) -> None:
        told = [b""]

        def tell_route(decision: bytes) -> None:
            if decision != told[-1]:
                told.append(decision)
                tell(_event("route", decision))

        def decided(decision: RouteDecision) -> None:
            tell_route(encoded(route(decision)))

        given = await service.ask(question, seconds, decided, is_held=True)
        note(request, given)
        whole = rendered(given)
        answer = json.loads(whole)
        tell_route(encoded(answer["route"]))  # remembered, or made again
        for citation in answer["citations"]:
            tell(_event("source", encoded(citation)))
        for piece in pieces(answer["answer"]):
            tell(_event("delta", encoded({"text": piece})))
        tell(_event("answer", whole))
        tell(_event("done", b"{}"))

    return EventStream(request, work, lambda problem: _event("error", encoded(problem)))


def pieces(text: str) -> list[str]:
    """Return a text in pieces of a few words, which joined are the text.

    >>> pieces("One, two and three. [1]")
    ['One, two and three. [1]']
    >>> "".join(pieces("  a  b c d e f g ")) == "  a  b c d e f g "
    True
    """
    return _PIECE.findall(text)


def _event(name: str, data: bytes) -> bytes:
    return format_sse_event(event=name, data_str=data.decode())


def _problem(error: BaseException) -> dict[str, object]:
    """Return what is told of an error that comes when the status was sent already."""
    if isinstance(error, TriviumError):
        problem = problem_of(error)
        _log.warning("request_failed", error=str(error))
        return problem
    _log.error("request_crashed", exc_info=error)
    return described(500, "This should not happen. The log has the details.")
