"""The HTTP application: routes, problems, observation, and the OpenAPI that describes them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from trivium.app import (
    admin,
    bodies,
    completions,
    memory,
    misroutes,
    problems,
    showing,
)
from trivium.app.access import Access, role_for
from trivium.app.admission import ALWAYS, Admission, Room
from trivium.app.bootstrap import VERSION
from trivium.app.chats import ChatRequest
from trivium.app.correcting import DecisionRequest
from trivium.app.hosts import names_of, origins_of
from trivium.app.misrouting import BulkRequest, ExportQuery, MisroutesQuery, StepRequest
from trivium.app.models import AskRequest, HistoryTurn, OverviewQuery, Problem, RatingRequest
from trivium.app.mutating import LoadRequest, MutationsRequest, UndoRequest
from trivium.app.openai_errors import PREFIX, OpenAiErrors
from trivium.app.rates import SHARED_LIMITS, Buckets, GuardedTokens, Limited
from trivium.app.remembering import ExplainRequest, InvalidateRequest, MemoryQuery
from trivium.app.replies import (
    AskResponse,
    ChatResponse,
    OpenAiError,
    OpenAiModel,
    OpenAiModels,
    openai_problems,
)
from trivium.app.requests import Observed
from trivium.app.routes import routes
from trivium.app.service import Service
from trivium.gateway.limits import Guard

_READ = (
    AskRequest,
    HistoryTurn,
    RatingRequest,
    ChatRequest,
    AskResponse,
    ChatResponse,
    OpenAiModel,
    OpenAiModels,
    OpenAiError,
    Problem,
    MutationsRequest,
    UndoRequest,
    LoadRequest,
    DecisionRequest,
    StepRequest,
    BulkRequest,
    ExplainRequest,
    InvalidateRequest,
    MemoryQuery,
    MisroutesQuery,
    ExportQuery,
    OverviewQuery,
)
"""Models of bodies and queries that routes read, or write, themselves."""
_METHODS = ("GET", "POST", "DELETE")
_REF = "#/components/schemas/{model}"
_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
"""The two ways to show a key, where there are keys."""


class TriviumApp(FastAPI):
    """FastAPI, with the bodies that routes read themselves in its OpenAPI."""

    def openapi(self) -> dict[str, Any]:  # Any: FastAPI's own type
        """Return the OpenAPI document; it is made once."""
        if self.openapi_schema is None:
            document = get_openapi(
                title=self.title,
                version=self.version,
                description=self.description,
                routes=self.routes,
            )
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            for model in _READ:
                schema = model.model_json_schema(ref_template=_REF)
                schemas.update(schema.pop("$defs", {}))
                schemas[model.__name__] = schema
            _secure(document)
            self.openapi_schema = document
        return self.openapi_schema


def _secure(document: dict[str, Any]) -> None:  # Any: FastAPI's own type
    """Say of each operation which role it needs, and how it is refused."""
    document["components"]["securitySchemes"] = _SCHEMES
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if (role := role_for(method.upper(), path)) is None:
                operation["security"] = []
                continue
            operation["security"] = [{name: []} for name in _SCHEMES]
            operation["x-role"] = role.value
            describe = openai_problems if path.startswith(PREFIX) else bodies.problems
            refused = (401, 403) if path in ALWAYS else (401, 403, 429)
            for status, described in describe(*refused).items():
                operation["responses"].setdefault(str(status), described)


def create_app(service: Service, room: Room | None = None) -> ASGIApp:
    """Return the application that serves an open service: its routes, behind their layers.

    ``room`` is what it keeps count in of the requests that it is answering.
    """
    app = routed(service)
    if per_minute := service.settings.rate_limit:
        app.add_middleware(Limited, buckets=Buckets(per_minute), shared=_shared_tokens(service))
    paths = [route.path for route in app.routes if isinstance(route, Route | Mount)]
    guarded = _shared_with_pages(Access(app, service.keys, names_of(service.settings)), service)
    room = room or Room(service.settings.max_requests)
    admitted = Admission(guarded, room, service.metrics)
    return Observed(OpenAiErrors(admitted), service.metrics, service.tracing, paths)


def _shared_tokens(service: Service) -> GuardedTokens | None:
    if not service.settings.redis_url:
        return None
    guard = Guard("rates", limits=SHARED_LIMITS, on_change=service.metrics.guard_state)
    return GuardedTokens(service.redis, guard)


def _shared_with_pages(app: ASGIApp, service: Service) -> ASGIApp:
    """Let browsers show pages of others what comes back, where the settings name these."""
    if not (origins := origins_of(service.settings)):
        return app
    told = ("Mcp-Session-Id", "RateLimit-Remaining", "Retry-After", "WWW-Authenticate")
    return CORSMiddleware(
        app, origins, allow_methods=_METHODS, allow_headers=("*",), expose_headers=told
    )


def routed(service: Service) -> FastAPI:
    """Return all routes, and no layer that guards them."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = service
        yield

    app = TriviumApp(
        title="Trivium",
        version=VERSION,
        description="Answers questions from facts, documents and a graph; each can be checked.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        # Our spans hold no query string, which may quote a question; FastAPI's would.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.service = service
    app.include_router(showing.routes)
    app.include_router(routes)
    app.include_router(completions.routes)
    app.include_router(admin.routes)
    app.include_router(memory.routes)
    app.include_router(misroutes.routes)
    app.router.routes.append(Route("/mcp", _McpDoor(service), methods=["POST"]))
    problems.install(app)
    return app


class _McpDoor:
    """The MCP door, made for the first who comes: its SDK takes 0.7 s to import."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._door: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if self._door is None:
            self._door = await asyncio.to_thread(_mcp_door, self._service)
        await self._door(scope, receive, send)


def _mcp_door(service: Service) -> ASGIApp:
    from trivium.app.mcp_door import McpDoor  # noqa: PLC0415  # see above

    return McpDoor(service)
