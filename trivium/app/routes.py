"""The door: ask, look an answer up, rate it, and see how the service is."""

import asyncio
import json
from collections.abc import Mapping
from typing import Final, cast

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from feedback.ratings import Rating, RatingOutcome
from trivium.app.leaving import unless_left
from trivium.app.models import (
    AskRequest,
    Problem,
    RatingRequest,
    RatingResponse,
    parse,
)
from trivium.app.service import Service
from trivium.domain.deadline import Deadline
from trivium.domain.door import response
from trivium.domain.errors import DeadlineError, NotFoundError

_JSON: Final = "application/json"
_TENANT: Final = "default"
_PRINCIPAL: Final = "anonymous"
_GRACE_S: Final = 0.05
"""What a request may take past its deadline to say that it is past."""

routes = APIRouter()


def service_of(request: Request) -> Service:
    """Return the service that answers ``request``."""
    return cast("Service", request.app.state.service)  # the lifespan puts it there


def _takes(model: type[BaseModel]) -> dict[str, object]:
    """Describe the body of a route that reads it itself."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {_JSON: {"schema": schema}}}}


def _problems(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Describe the problems that a route may answer with."""
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    content = {"application/problem+json": {"schema": schema}}
    return {status: {"description": "Problem", "content": content} for status in statuses}


def _as_json(value: Mapping[str, object], status: int = 200) -> Response:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, media_type=_JSON)


async def _body(request: Request) -> bytes:
    """Return the body, refusing a large one before it is read whole."""
    limit = service_of(request).settings.max_body_bytes
    media = request.headers.get("content-type", _JSON).partition(";")[0].strip().casefold()
    if media and not (media == _JSON or media.endswith("+json")):
        raise HTTPException(415, f"The body must be {_JSON}, not {media[:80]}.")
    coding = request.headers.get("content-encoding", "identity").strip().casefold()
    if coding not in {"", "identity"}:
        raise HTTPException(415, f"The body must be plain, not {coding[:80]}.")
    length = request.headers.get("content-length", "")[:20]
    if length.isdecimal() and int(length) > limit:
        raise HTTPException(413, f"The body has {length} bytes; {limit} are taken at most.")
    seconds = service_of(request).settings.deadline_s
    try:
        async with asyncio.timeout(seconds):
            return await _read(request, limit)
    except TimeoutError as error:
        told = f"The body did not come within {seconds:g} s."
        raise HTTPException(408, told, {"Connection": "close"}) from error


async def _read(request: Request, limit: int) -> bytes:
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > limit:
            raise HTTPException(413, f"The body has more than {limit} bytes.")
    return bytes(read)


@routes.post(
    "/ask",
    openapi_extra=_takes(AskRequest),
    responses=_problems(400, 408, 413, 415, 422, 503),
    summary="Answer a question",
)
async def ask(request: Request) -> Response:
    """Answer a question from the tiers that it needs, with all that is needed to check it."""
    service = service_of(request)
    asked = parse(AskRequest, await _body(request))
    question = asked.to_question(tenant=_TENANT, principal=_PRINCIPAL)
    if again := await service.pipeline.recall(question):
        service.metrics.remembered.inc()
        return Response(again.body, media_type=_JSON)
    seconds = service.settings.deadline_s
    try:
        async with asyncio.timeout(seconds + _GRACE_S):
            work = service.pipeline.ask(question, Deadline.after(seconds))
            answer = await unless_left(request, work)
    except TimeoutError as error:
        raise DeadlineError(f"There was no answer within {seconds:g} s.") from error
    service.metrics.count(answer)
    return _as_json(response(answer))


@routes.get("/answers/{answer_id}", responses=_problems(404, 503), summary="Look an answer up")
async def answer(request: Request, answer_id: str) -> Response:
    """Give an answer again, with the question that it was an answer to."""
    service = service_of(request)
    found = (
        await service.answers.get(answer_id, _TENANT) if service.ids.is_ours(answer_id) else None
    )
    if found is None:
        raise NotFoundError(f"There is no answer {answer_id[:80]!r}.")
    kept = cast("dict[str, object]", found["response"])  # as the journal keeps it
    asked = {"question": found["question"], "asked_at": found["at"], "as_of": found["as_of"]}
    return _as_json({**kept, "asked": asked})


@routes.post(
    "/answers/{answer_id}/rating",
    openapi_extra=_takes(RatingRequest),
    responses={
        **_problems(400, 404, 408, 413, 415, 422, 503),
        200: {"model": RatingResponse, "description": "It was changed, or said before"},
        201: {"model": RatingResponse, "description": "It was rated for the first time"},
    },
    status_code=201,
    summary="Rate an answer",
)
async def rate(request: Request, answer_id: str) -> Response:
    """Keep one rating a person for an answer; the last one counts, all are kept."""
    service = service_of(request)
    said = parse(RatingRequest, await _body(request))
    if not service.ids.is_ours(answer_id):
        raise NotFoundError(f"There is no answer {answer_id[:80]!r}.")
    outcome = await service.ratings.rate(
        Rating(
            answer_id=answer_id,
            tenant=_TENANT,
            rater=said.rater,
            thumb=said.rating,
            reason=said.reason,
            comment=said.comment,
            tiers=None if said.tiers is None else tuple(said.tiers),
            answer=said.answer,
            at=service.now().isoformat(),
        )
    )
    status = 201 if outcome is RatingOutcome.CREATED else 200
    return _as_json({"outcome": outcome.value}, status)


@routes.get("/livez", summary="Whether the process runs")
async def livez() -> dict[str, str]:
    """Say that the process runs."""
    return {"status": "ok"}


@routes.get("/readyz", responses=_problems(503), summary="Whether it can answer, part by part")
async def readyz(request: Request) -> Response:
    """Say of each part whether it answers; 503 when one does not."""
    service = service_of(request)
    parts = await service.knowledge.check()
    is_ready = all(state == "ok" for state in parts.values())
    state = {
        "status": "ok" if is_ready else "not ready",
        "knowledge_version": service.knowledge.version,
        "parts": parts,
    }
    return _as_json(state, 200 if is_ready else 503)


@routes.get("/metrics", summary="Metrics for Prometheus")
async def metrics(request: Request) -> Response:
    """Give the metrics in Prometheus' text form."""
    service = service_of(request)
    service.metrics.version.set(service.knowledge.version)
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")
