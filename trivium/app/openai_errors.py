"""Problems, told to clients of the OpenAI door in the shape that they know."""

import json
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trivium.app.bodies import JSON

PREFIX: Final = "/v1/"
_KINDS: Final = {
    401: ("authentication_error", "invalid_api_key"),
    403: ("permission_error", "permission_denied"),
    404: ("not_found_error", "not_found"),
    429: ("rate_limit_error", "rate_limit_exceeded"),
}
"""The type and the code of an error, by its status; others by its class."""


class OpenAiErrors:
    """An ASGI layer: whatever refuses a request of that door, the client can read why."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and scope["path"].startswith(PREFIX):
            send = _Translating(send).tell
        await self._app(scope, receive, send)


class _Translating:
    """Passes a response on; one that is a problem is held until it is whole, and translated."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def tell(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            if headers.get("content-type", "") == "application/problem+json":
                self._start = message
                return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if not message.get("more_body", False):
            await self._send_translated(self._start)

    async def _send_translated(self, start: Message) -> None:
        body = json.dumps(error_of(json.loads(self._body)), ensure_ascii=False).encode()
        headers = MutableHeaders(raw=start["headers"])
        headers["content-type"], headers["content-length"] = JSON, str(len(body))
        await self._send({**start, "status": _status(start["status"]), "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body, "more_body": False})


def error_of(problem: dict[str, Any]) -> dict[str, object]:  # Any: JSON
    """Return a problem in OpenAI's shape.

    >>> error_of({"status": 404, "detail": "No such model."})["error"]["type"]
    'not_found_error'
    """
    status, faults = problem["status"], problem.get("errors") or [{}]
    usual = ("server_error", None) if status >= 500 else ("invalid_request_error", None)
    kind, code = _KINDS.get(status, usual)
    message, param = problem["detail"], faults[0].get("where")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _status(status: int) -> int:
    """Return the status that OpenAI has for it: there, what does not fit is a bad request."""
    return 400 if status == 422 else status
