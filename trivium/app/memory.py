"""The answer memory over HTTP: for whoever may administer."""

import json

from fastapi import APIRouter, Request
from starlette.responses import Response

from trivium.app.admin import parameters
from trivium.app.bodies import as_json, body_of, problems, takes
from trivium.app.models import parse
from trivium.app.remembering import ExplainRequest, InvalidateRequest, MemoryQuery, Remembering
from trivium.app.routes import service_of

routes = APIRouter(prefix="/admin/memory")


@routes.get(
    "",
    openapi_extra=parameters(MemoryQuery),
    responses=problems(403, 422, 503),
    summary="List remembered answers, with what each rests on",
)
async def remembered(request: Request) -> Response:
    """Give remembered answers of all tenants, without what they say."""
    asked = parse(MemoryQuery, json.dumps(dict(request.query_params)).encode())
    return as_json(await Remembering(service_of(request)).find(asked))


@routes.get("/statistics", responses=problems(403, 503), summary="How often answers are recalled")
async def statistics(request: Request) -> Response:
    """Count the answers that are remembered, and those that were recalled."""
    return as_json(await Remembering(service_of(request)).statistics())


@routes.post(
    "/explain",
    openapi_extra=takes(ExplainRequest),
    responses=problems(400, 403, 413, 415, 422, 503),
    summary="Say why a question is recalled, or is not",
)
async def explain(request: Request) -> Response:
    """Give the gist of a question, what it is recalled by, and what nearest others differ in."""
    service = service_of(request)
    asked = parse(ExplainRequest, await body_of(request, service.settings))
    return as_json(await Remembering(service).explain(asked))


@routes.post(
    "/invalidate",
    openapi_extra=takes(InvalidateRequest),
    responses=problems(400, 403, 413, 415, 422, 503),
    summary="Forget what shows an entity or cites a document",
)
async def invalidate(request: Request) -> Response:
    """Forget answers, or say with ``dry_run`` which would go; the next ones are made anew."""
    service = service_of(request)
    asked = parse(InvalidateRequest, await body_of(request, service.settings))
    return as_json(await Remembering(service).invalidate(asked))


@routes.get("/{key}", responses=problems(403, 404, 503), summary="Look a remembered answer up")
async def show(request: Request, key: str) -> Response:
    """Give one remembered answer as it would be given."""
    return as_json(await Remembering(service_of(request)).show(key))


@routes.delete("/{key}", responses=problems(403, 404, 503), summary="Forget one answer")
async def forget(request: Request, key: str) -> Response:
    """Forget one answer; 404 when it is not remembered."""
    return as_json(await Remembering(service_of(request)).forget(key))
