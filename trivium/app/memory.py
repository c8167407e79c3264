"""The answer memory over HTTP: for whoever may administer."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from trivium.app.bodies import as_json, parameters, problems, takes
from trivium.app.intake import queried, sent, service_of
from trivium.app.remembering import ExplainRequest, InvalidateRequest, MemoryQuery, Remembering

routes = APIRouter(prefix="/admin/memory")


@routes.get(
    "",
    openapi_extra=parameters(MemoryQuery),
    responses=problems(403, 422, 503),
    summary="List remembered answers, with what each rests on",
)
async def remembered(request: Request) -> Response:
    """Give remembered answers of all tenants, without what they say."""
    asked = queried(request, MemoryQuery)
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
    asked = await sent(request, ExplainRequest)
    return as_json(await Remembering(service_of(request)).explain(asked))


@routes.post(
    "/invalidate",
    openapi_extra=takes(InvalidateRequest),
    responses=problems(400, 403, 413, 415, 422, 503),
    summary="Forget what shows an entity or cites a document",
)
async def invalidate(request: Request) -> Response:
    """Forget answers, or say with ``dry_run`` which would go; the next ones are made anew."""
    asked = await sent(request, InvalidateRequest)
    return as_json(await Remembering(service_of(request)).invalidate(asked))


@routes.get("/{key}", responses=problems(403, 404, 503), summary="Look a remembered answer up")
async def show(request: Request, key: str) -> Response:
    """Give one remembered answer as it would be given."""
    return as_json(await Remembering(service_of(request)).show(key))


@routes.delete("/{key}", responses=problems(403, 404, 503), summary="Forget one answer")
async def forget(request: Request, key: str) -> Response:
    """Forget one answer; 404 when it is not remembered."""
    return as_json(await Remembering(service_of(request)).forget(key))
