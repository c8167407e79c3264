"""The outermost layer: each request gets an id, a span, a line in the log, and is counted."""

import secrets
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import structlog
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trivium.app.observing import METHODS, OTHER, Metrics
from trivium.app.tracing import Tracing, finish, traceparent
from trivium.domain.answer import Answer, Remembered

_NOTES: Final = "trivium.notes"
_LONGEST_ID: Final = 64

_log = structlog.get_logger(__name__)


class Observed:
    """An ASGI layer that observes every request; ``paths`` are those without a route of ours."""

    def __init__(
        self, app: ASGIApp, metrics: Metrics, tracing: Tracing, paths: Iterable[str] = ()
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._tracing = tracing
        self._paths = tuple(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        own = request_id(headers.get("x-request-id", ""))
        request = _Seen(own, _method(scope), send)
        scope[_NOTES] = request.notes
        with (
            structlog.contextvars.bound_contextvars(request_id=request.id),
            self._tracing.request(request.method, headers) as span,
            self._metrics.in_flight.track_inprogress(),
        ):
            try:
                await self._app(scope, receive, request.tell)
            except Exception:
                if not request.is_whole:  # else it was logged and answered, and need not be told
                    raise
            finally:
                route = self._route(scope)
                if span is not None:
                    finish(span, method=request.method, route=route, status=request.status)
                self._note(request, route)

    def _note(self, request: "_Seen", route: str) -> None:
        seconds = time.perf_counter() - request.started
        tell_of(
            self._metrics,
            request.method,
            route,
            status=request.status,
            seconds=seconds,
            notes=request.notes,
        )

    def _route(self, scope: Scope) -> str:
        """Return the route's pattern, never the path: labels stay few."""
        if "route" in scope:
            return str(scope["route"].path)
        path = scope["path"]
        fits = (p for p in self._paths if path == p or path.startswith(f"{p}/"))
        return next(fits, OTHER)


def tell_of(
    metrics: Metrics,
    method: str,
    route: str,
    *,
    status: int,
    seconds: float,
    notes: Mapping[str, Any],  # Any: what a line of the log may hold
) -> None:
    """Count a request, and log a line of it."""
    metrics.requests.labels(method, route, f"{status // 100}xx").inc()
    metrics.seconds.labels(route).observe(seconds)
    ms = round(seconds * 1000, 2)
    _log.info("request", method=method, route=route, status=status, ms=ms, **notes)


class _Seen:
    """What is seen of one request."""

    def __init__(self, request_id: str, method: str, send: Send) -> None:
        self.id = request_id
        self.method = method
        self.notes: dict[str, Any] = {}  # Any: what a line of the log may hold
        self.status = 500
        self.is_whole = False
        self.started = time.perf_counter()
        self._send = send

    async def tell(self, message: Message) -> None:
        """Pass a message on, with the headers that name the request."""
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            headers = message.setdefault("headers", [])
            headers.append((b"x-request-id", self.id.encode()))
            if (context := traceparent()) is not None:
                headers.append((b"traceparent", context.encode()))
        elif message["type"] == "http.response.body":
            self.is_whole = not message.get("more_body", False)
        await self._send(message)


def note(request: Request, answer: Answer | Remembered) -> None:
    """Have the request's line in the log say which answer was given, from where."""
    notes = request.scope.setdefault(_NOTES, {})
    if isinstance(answer, Remembered):
        notes.update(answer=answer.id, remembered=True)
        return
    notes.update(
        answer=answer.id,
        answer_status=answer.status.value,
        tiers=[tier.value for tier in answer.route.tiers],
        degraded=[degraded.tier for degraded in answer.degraded],
    )


def note_left(request: Request) -> None:
    """Have the request's line in the log say that the client did not wait for the end."""
    request.scope.setdefault(_NOTES, {})["left"] = True


def note_background(request: Request, kind: str) -> None:
    """Have the request's line in the log say that a front end asked, for what, and no person."""
    request.scope.setdefault(_NOTES, {})["background"] = kind


def note_caller(scope: Scope, name: str) -> None:
    """Have the request's line in the log say whose key it came with."""
    scope.setdefault(_NOTES, {})["principal"] = name


def _method(scope: Scope) -> str:
    method = scope["method"]
    return method if method in METHODS else OTHER


def request_id(given: str) -> str:
    """Return the caller's id where it is plain, else a new one."""
    is_plain = given.isascii() and given.replace("-", "").isalnum()
    return given if is_plain and len(given) <= _LONGEST_ID else secrets.token_hex(8)
