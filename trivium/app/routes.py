"""The door: ask, look an answer up, rate it, and see how the service is."""

from functools import partial
from typing import cast

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from feedback.ratings import Rating, RatingOutcome
from trivium.app.access import Caller, caller_of, is_stranger
from trivium.app.bodies import JSON, as_json, problems, takes
from trivium.app.intake import sent, service_of
from trivium.app.leaving import unless_left
from trivium.app.models import AskRequest, RatingRequest, RatingResponse
from trivium.app.replies import AskResponse, gives
from trivium.app.requests import note
from trivium.app.service import rendered
from trivium.app.streaming import streamed, wants_events
from trivium.domain.errors import NotFoundError

routes = APIRouter()


@routes.post(
    "/ask",
    openapi_extra=takes(AskRequest),
    responses={
        **gives(AskResponse, "ask", events="ask_events"),
        **problems(400, 408, 413, 415, 422, 503),
    },
    summary="Answer a question",
)
async def ask(request: Request) -> Response:
    """Answer a question from the tiers that it needs, with all that is needed to check it.

    As server-sent events where `stream` or `Accept: text/event-stream` asks for them: `route`,
    `source` …, `delta` … (which joined are the answer's text), `answer` (the whole response),
    `done`; or `error` with the problem, once the stream has begun.
    """
    service = service_of(request)
    asked = await sent(request, AskRequest)
    caller = caller_of(request)
    question = asked.to_question(tenant=caller.tenant, principal=caller.principal)
    if wants_events(request, asked.stream):
        return streamed(request, service, question, asked.deadline_s)
    given = await service.ask(question, asked.deadline_s, watched=partial(unless_left, request))
    note(request, given)
    return Response(rendered(given), media_type=JSON)


@routes.get("/answers/{answer_id}", responses=problems(404, 503), summary="Look an answer up")
async def answer(request: Request, answer_id: str) -> Response:
    """Give an answer again, with the question that it was an answer to."""
    service, caller = service_of(request), caller_of(request)
    found = None
    if service.ids.is_ours(answer_id):
        found = await service.in_time(service.answers.get(answer_id, caller.tenant))
    if found is None:
        raise _no_answer(answer_id)
    _see_that_it_may(caller, found["principal"])
    kept = cast("dict[str, object]", found["response"])  # as the journal keeps it
    asked = {"question": found["question"], "asked_at": found["at"], "as_of": found["as_of"]}
    return as_json({**kept, "asked": asked})


@routes.post(
    "/answers/{answer_id}/rating",
    openapi_extra=takes(RatingRequest),
    responses={
        **problems(400, 404, 408, 413, 415, 422, 503),
        200: {"model": RatingResponse, "description": "It was changed, or said before"},
        201: {"model": RatingResponse, "description": "It was rated for the first time"},
    },
    status_code=201,
    summary="Rate an answer",
)
async def rate(request: Request, answer_id: str) -> Response:
    """Keep one rating a person for an answer; the last one counts, all are kept."""
    service, caller = service_of(request), caller_of(request)
    said = await sent(request, RatingRequest)
    if not service.ids.is_ours(answer_id):
        raise _no_answer(answer_id)
    asker = await service.in_time(service.answers.asker_of(answer_id))
    if asker is not None:  # else its trace is to come, or was lost; it is rated all the same
        if asker.tenant != caller.tenant:
            raise _no_answer(answer_id)
        _see_that_it_may(caller, asker.principal)
    rating = Rating(
        answer_id=answer_id,
        tenant=caller.tenant,
        rater=caller.name or said.rater,
        thumb=said.rating,
        reason=said.reason,
        comment=said.comment,
        tiers=None if said.tiers is None else tuple(said.tiers),
        answer=said.answer,
        at=service.now().isoformat(),
    )
    misread = tuple(one.to_alias() for one in said.misread)
    outcome = await service.in_time(service.ratings.rate(rating, misread))
    service.analyst.wake()
    status = 201 if outcome is RatingOutcome.CREATED else 200
    return as_json({"outcome": outcome.value}, status)


def _no_answer(answer_id: str) -> NotFoundError:
    return NotFoundError(f"There is no answer {answer_id[:80]!r}.")


def _see_that_it_may(caller: Caller, principal: object) -> None:
    """Leave answers to who asked for them, and to analysts."""
    if not caller.may_see(principal):
        raise HTTPException(403, "Somebody else asked for this answer: it needs the role analyst.")


@routes.get("/livez", summary="Whether the process runs")
async def livez() -> dict[str, str]:
    """Say that the process runs."""
    return {"status": "ok"}


@routes.get("/readyz", responses=problems(503), summary="Whether it can answer, part by part")
async def readyz(request: Request) -> Response:
    """Say of each part how it is; 503 when questions should not be sent here."""
    service = service_of(request)
    health = await service.health.look()
    version = service.knowledge.version
    state = {"knowledge_version": version, **health.to_json()}
    if is_stranger(request):
        state = {"status": state["status"]}
    return as_json(state, 200 if health.is_ready else 503)


@routes.get("/metrics", response_class=PlainTextResponse, summary="Metrics for Prometheus")
async def metrics(request: Request) -> Response:
    """Give the metrics in Prometheus' text form."""
    service = service_of(request)
    service.metrics.watch(await service.health.look())
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")
