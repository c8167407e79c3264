"""The HTTP application: routes, problems, observation, and the OpenAPI that describes them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from trivium.app import admin, misroutes, problems
from trivium.app.admission import Admission
from trivium.app.bootstrap import VERSION
from trivium.app.correcting import DecisionRequest
from trivium.app.misrouting import BulkRequest, ExportQuery, MisroutesQuery, StepRequest
from trivium.app.models import AskRequest, HistoryTurn, Problem, RatingRequest
from trivium.app.mutating import LoadRequest, MutationsRequest, UndoRequest
from trivium.app.requests import Observed
from trivium.app.routes import routes
from trivium.app.service import Service

_READ = (
    AskRequest,
    HistoryTurn,
    RatingRequest,
    Problem,
    MutationsRequest,
    UndoRequest,
    LoadRequest,
    DecisionRequest,
    StepRequest,
    BulkRequest,
    MisroutesQuery,
    ExportQuery,
)
"""Models of bodies and queries that routes read themselves."""
_REF = "#/components/schemas/{model}"


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
            self.openapi_schema = document
        return self.openapi_schema


def create_app(service: Service) -> ASGIApp:
    """Return the application that serves an open service."""

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
    app.include_router(routes)
    app.include_router(admin.routes)
    app.include_router(misroutes.routes)
    problems.install(app)
    paths = [route.path for route in app.routes if isinstance(route, Route | Mount)]
    admitted = Admission(app, service.settings.max_requests, service.metrics)
    return Observed(admitted, service.metrics, service.tracing, paths)
