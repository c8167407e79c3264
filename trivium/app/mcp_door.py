"""The MCP door at ``/mcp``: every request stands alone, there are no sessions.

A request whose Host or Origin is not ours is refused: a page of somebody else could have the
browser of its reader send it.
"""

from typing import Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from trivium.app.access import Caller, caller_of
from trivium.app.bodies import body_of
from trivium.app.hosts import NOT_OURS, names_of, origins_of
from trivium.app.mcp_server import mcp_server
from trivium.app.problems import problem
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.app.tools import Tools

_REFUSED: Final = {
    421: NOT_OURS,
    403: "Pages of this Origin may not ask. If it is yours, name it in TRIVIUM_CORS_ORIGINS.",
}


class McpDoor:
    """An ASGI application: MCP's streamable HTTP over the tools of a service."""

    def __init__(self, service: Service) -> None:
        self._settings = service.settings
        self._server = mcp_server(Tools(service), _caller)
        self._security = TransportSecurityMiddleware(_ours(service.settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request.

        The SDK's manager serves within its ``run`` alone, and runs just once: one for each request
        needs no lifespan of the application, and leaves nothing behind.
        """
        request = Request(scope, receive)
        if (refusal := await self._refusal(request)) is not None:
            await refusal(scope, receive, send)
            return
        body = await body_of(request, self._settings)
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, _again(body, receive), send)

    async def _refusal(self, request: Request) -> Response | None:
        refused = await self._security.validate_request(request)
        if refused is None:
            return None
        return problem(refused.status_code, _REFUSED[refused.status_code])


def _caller(request: Request | None) -> Caller:
    assert request is not None
    return caller_of(request)


def _ours(settings: Settings) -> TransportSecuritySettings:
    """Return the hosts that this service is called by, at any port, and their pages."""
    hosts = [form for name in names_of(settings) for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    origins += origins_of(settings)
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read once more, and then what comes after it."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return left.pop() if left else await receive()

    return next_message
