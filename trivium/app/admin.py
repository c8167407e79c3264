"""Changing the knowledge over HTTP."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from trivium.app.access import caller_of
from trivium.app.administration import Administration
from trivium.app.bodies import as_json, body_of, parameters, problems, takes
from trivium.app.correcting import (
    Correcting,
    CorrectionsQuery,
    CorrectionsResponse,
    DecisionRequest,
    DecisionResponse,
)
from trivium.app.intake import queried, sent, service_of, signed
from trivium.app.models import OverviewQuery, parse
from trivium.app.mutating import (
    ChangesQuery,
    ChangesResponse,
    LoadRequest,
    MutationsRequest,
    UndoRequest,
)
from trivium.app.retraining import RetrainingResponse, VersionsResponse
from trivium.domain.deadline import Deadline

routes = APIRouter(prefix="/admin")


@routes.post(
    "/mutations",
    openapi_extra=takes(MutationsRequest),
    responses={
        **problems(400, 403, 409, 413, 415, 422, 503),
        200: {"model": ChangesResponse, "description": "What changed; nothing, if it was so"},
    },
    summary="Change the graph: all of some mutations, or none",
)
async def mutate(request: Request) -> Response:
    """Make mutations; what comes back names every change, with before and after."""
    service = service_of(request)
    asked = await sent(request, MutationsRequest)
    return as_json(await Administration(service).mutate(signed(request, asked)))


@routes.get(
    "/changes",
    openapi_extra=parameters(ChangesQuery),
    responses={**problems(403, 422, 503), 200: {"model": ChangesResponse}},
    summary="Read the changelog",
)
async def changes(request: Request) -> Response:
    """Give changes in order, each with its time, author, before and after."""
    asked = queried(request, ChangesQuery)
    return as_json(await Administration(service_of(request)).changes(asked))


@routes.post(
    "/changes/{sequence:int}/undo",
    responses={**problems(400, 403, 404, 409, 503), 200: {"model": ChangesResponse}},
    summary="Take a change back",
)
async def undo(request: Request, sequence: int) -> Response:
    """Write the inverse of a change; 409 when something was changed, or built on it, since."""
    service = service_of(request)
    body = await body_of(request, service.settings)
    asked = parse(UndoRequest, body) if body.strip() else UndoRequest()
    return as_json(await Administration(service).undo(sequence, signed(request, asked)))


@routes.get(
    "/corrections",
    openapi_extra=parameters(CorrectionsQuery),
    responses={**problems(403, 422, 503), 200: {"model": CorrectionsResponse}},
    summary="List what raters say was misread, and nobody decided about",
)
async def corrections(request: Request) -> Response:
    """Give open corrections, oldest first, each with its question and its rater."""
    asked = queried(request, CorrectionsQuery)
    correcting = Correcting(service_of(request), caller_of(request).tenant)
    return as_json(await correcting.open_ones(asked))


@routes.post(
    "/corrections/{correction_id}",
    openapi_extra=takes(DecisionRequest),
    responses={
        **problems(400, 403, 404, 409, 413, 415, 422, 503),
        200: {"model": DecisionResponse, "description": "It is decided so, now or before"},
    },
    summary="Make an alias of a correction, or dismiss it",
)
async def decide(request: Request, correction_id: str) -> Response:
    """Decide about a correction; 409 when it was decided otherwise, or cannot be learned."""
    service = service_of(request)
    asked = await sent(request, DecisionRequest)
    correcting = Correcting(service, caller_of(request).tenant)
    return as_json(await correcting.decide(correction_id, signed(request, asked)))


@routes.post(
    "/router/retrain",
    responses={
        **problems(403, 409, 503),
        200: {"model": RetrainingResponse, "description": "Promoted or refused, and why"},
    },
    summary="Train the router from all confirmed labels; promote it if it is no worse",
)
async def retrain(request: Request) -> Response:
    """Train a challenger; the report comes when that is done. 409 while another is trained."""
    return as_json(await service_of(request).retraining.retrain())


@routes.get(
    "/router/versions",
    responses={**problems(403, 503), 200: {"model": VersionsResponse}},
    summary="List the versions of the router with their cards",
)
async def versions(request: Request) -> Response:
    """Give every version, the shipped one first, and say which one serves."""
    return as_json(await service_of(request).retraining.versions())


@routes.post(
    "/router/rollback",
    responses={**problems(403, 409, 503), 200: {"model": VersionsResponse}},
    summary="Let the router that served before serve again",
)
async def rollback(request: Request) -> Response:
    """Go one step back; 409 when the shipped one serves."""
    return as_json(await service_of(request).retraining.rollback())


@routes.post(
    "/router/versions/{version}/promote",
    responses={**problems(403, 404, 409, 503), 200: {"model": VersionsResponse}},
    summary="Let a version of the router serve",
)
async def promote(request: Request, version: str) -> Response:
    """Let a version serve without the gate; 409 when its file is damaged."""
    return as_json(await service_of(request).retraining.promote(version))


@routes.post(
    "/load",
    openapi_extra=takes(LoadRequest),
    responses=problems(400, 403, 409, 413, 415, 422, 503),
    summary="Load a data set from a directory of this machine",
)
async def load(request: Request) -> Response:
    """Load a data set; 409 when its schema changed and would change answers of its suite."""
    service = service_of(request)
    asked = await sent(request, LoadRequest)
    return as_json(await Administration(service).load(asked))


@routes.get("/graph", responses=problems(403, 503), summary="Export the graph as node-link JSON")
async def graph(request: Request) -> Response:
    """Give all entities and relations, valid and expired, in the form that a data set may have."""
    return as_json(await Administration(service_of(request)).graph())


@routes.get(
    "/overview",
    openapi_extra=parameters(OverviewQuery),
    responses=problems(403, 422, 503),
    summary="See the graph as a whole, and what is at risk",
)
async def overview(request: Request) -> Response:
    """Give the most connected entities, what holds among them, and the risk from open events."""
    service = service_of(request)
    asked = queried(request, OverviewQuery)
    deadline = Deadline.after(service.settings.deadline_s)
    work = service.graph.overview(
        asked.as_of, asked.most, deadline, with_risk=asked.risk, after=asked.after
    )
    return as_json((await service.in_time(work)).to_json())
