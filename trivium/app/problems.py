"""Errors as problem+json (RFC 9457): the one table from our errors to HTTP."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

import structlog
from fastapi import FastAPI, Request
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Match

from trivium.app.models import NotJsonError
from trivium.domain.errors import (
    ConflictError,
    DeadlineError,
    DependencyError,
    HomeError,
    InputError,
    ModelOutputError,
    NotFoundError,
    TriviumError,
)

STATUS: Final[Mapping[type[TriviumError], int]] = {
    NotJsonError: 400,
    NotFoundError: 404,
    ConflictError: 409,
    InputError: 422,
    ModelOutputError: 502,
    DependencyError: 503,
    DeadlineError: 503,
    HomeError: 503,
}
"""Looked up along the error's classes, the nearest first."""
_RETRY_AFTER_S: Final = 2

_log = structlog.get_logger(__name__)


def problem(
    status: int,
    detail: str,
    errors: tuple[tuple[str, str], ...] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a problem response."""
    body = described(status, detail, errors)
    if status in {429, 503}:
        headers = {"Retry-After": str(_RETRY_AFTER_S), **(headers or {})}
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return Response(text, status, headers, media_type="application/problem+json")


def described(
    status: int, detail: str, errors: Sequence[tuple[str, str]] = ()
) -> dict[str, object]:
    """Return a problem as JSON."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "errors": [{"where": where, "what": what} for where, what in errors],
    }


def problem_of(error: TriviumError) -> dict[str, object]:
    """Return the problem that an error is told as, the same by every door."""
    errors = error.errors if isinstance(error, InputError) else ()
    return described(status_of(error), str(error), errors)


def status_of(error: TriviumError) -> int:
    """Return the HTTP status of an error."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def install(app: FastAPI) -> None:
    """Answer every error of ``app`` with a problem."""
    app.add_exception_handler(TriviumError, _ours)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(ClientDisconnect, _left)
    app.add_exception_handler(Exception, _unforeseen)


async def _ours(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TriviumError)
    status = status_of(error)
    if status >= 500:
        _log.warning("request_failed", error=str(error))
    errors = error.errors if isinstance(error, (InputError, ConflictError)) else ()
    return problem(status, str(error), errors)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = error.detail
    if error.status_code == 404 and detail == "Not Found":
        detail = f"There is nothing at {request.url.path[:80]}."
    headers = error.headers
    if error.status_code == 405:
        detail = f"{request.method} is not for {request.url.path[:80]}."
        headers = {"Allow": ", ".join(_allowed(request))}
    return problem(error.status_code, str(detail), headers=headers)


def _allowed(request: Request) -> list[str]:
    """Return the methods of all routes of a path; the router tells those of the first alone."""
    routes = [
        route
        for route in iter_route_contexts(request.app.routes)
        if route.matches(request.scope)[0] is Match.PARTIAL
    ]
    here = (route.methods or () for route in routes if route.path == routes[0].path)
    return sorted({method for methods in here for method in methods})


async def _left(_request: Request, _error: Exception) -> Response:
    """Give what nobody reads any more; it is counted as the client's fault."""
    return problem(400, "The client left before it was answered.")


async def _unforeseen(_request: Request, error: Exception) -> Response:
    _log.error("request_crashed", exc_info=error)
    return problem(500, "This should not happen. The log has the details.")
