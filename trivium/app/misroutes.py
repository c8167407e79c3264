"""The queue of misroutes over HTTP: for whoever may administer."""

from collections.abc import AsyncIterator
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from feedback.export import MEDIA
from trivium.app.bodies import as_json, parameters, problems, takes
from trivium.app.intake import queried, sent, service_of, signed
from trivium.app.misrouting import (
    BulkRequest,
    BulkResponse,
    ExportQuery,
    MisrouteResponse,
    MisroutesQuery,
    MisroutesResponse,
    Misrouting,
    StepRequest,
)

routes = APIRouter(prefix="/admin/misroutes")

_FILE: Final = {
    "description": "A file",
    "content": {
        media.partition(";")[0]: {"schema": {"type": "string"}} for media in MEDIA.values()
    },
}


def _misrouting(request: Request) -> Misrouting:
    """Return the queue of all tenants: admins are those of the installation."""
    return Misrouting(service_of(request))


@routes.get(
    "",
    openapi_extra=parameters(MisroutesQuery),
    responses={**problems(403, 422, 503), 200: {"model": MisroutesResponse}},
    summary="List misroute reports",
)
async def misroutes(request: Request) -> Response:
    """Give reports, oldest first, each with its rating, its analysis and what was decided."""
    asked = queried(request, MisroutesQuery)
    return as_json(await _misrouting(request).find(asked))


@routes.post(
    "",
    openapi_extra=takes(BulkRequest),
    responses={
        **problems(400, 403, 413, 415, 422, 503),
        200: {"model": BulkResponse, "description": "What became of each"},
    },
    summary="Claim, confirm, correct, dismiss or undo several reports",
)
async def take_each(request: Request) -> Response:
    """Take a step with each that it can be taken with, and say of the others why not."""
    asked = await sent(request, BulkRequest)
    return as_json(await _misrouting(request).take_each(signed(request, asked)))


@routes.get(
    "/export",
    openapi_extra=parameters(ExportQuery),
    response_class=Response,
    responses={**problems(403, 422, 503), 200: _FILE},
    summary="Export misroute reports as CSV or JSON Lines",
)
async def export(request: Request) -> Response:
    """Give reports with labels, comments, rater, times and model version."""
    asked = queried(request, ExportQuery)
    lines = _misrouting(request).export(asked)
    first = await anext(lines, "")  # a database that does not answer is a problem, not a short file
    headers = {"Content-Disposition": f'attachment; filename="misroutes.{asked.format}"'}
    return StreamingResponse(_bytes(first, lines), headers=headers, media_type=MEDIA[asked.format])


@routes.get(
    "/{report_id}",
    responses={**problems(403, 404, 503), 200: {"model": MisrouteResponse}},
    summary="Look a misroute report up",
)
async def misroute(request: Request, report_id: str) -> Response:
    """Give a report with the history of what admins did with it."""
    return as_json(await _misrouting(request).get(report_id))


@routes.post(
    "/{report_id}",
    openapi_extra=takes(StepRequest),
    responses={
        **problems(400, 403, 404, 409, 413, 415, 422, 503),
        200: {"model": MisrouteResponse, "description": "It is so, now or before"},
    },
    summary="Claim, confirm, correct, dismiss or undo a report",
)
async def take(request: Request, report_id: str) -> Response:
    """Take a step with a report; 409 when somebody else claimed it or decided otherwise."""
    asked = await sent(request, StepRequest)
    return as_json(await _misrouting(request).take(report_id, signed(request, asked)))


async def _bytes(first: str, lines: AsyncIterator[str]) -> AsyncIterator[bytes]:
    yield first.encode("utf-8", "replace")
    async for line in lines:
        yield line.encode("utf-8", "replace")
