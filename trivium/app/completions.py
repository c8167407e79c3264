"""The OpenAI door: ``/v1/chat/completions`` and ``/v1/models``, for clients of that shape."""

import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import APIRouter, Request
from fastapi.sse import format_sse_event
from starlette.responses import Response

from trivium.app.access import caller_of
from trivium.app.background import Prompt, prompt_in, title_of
from trivium.app.bodies import as_json, takes
from trivium.app.chats import MODELS, ChatRequest, Completion, completion_of, usage_of
from trivium.app.intake import sent, service_of
from trivium.app.leaving import unless_left
from trivium.app.openai_errors import error_of
from trivium.app.replies import ChatResponse, OpenAiModel, OpenAiModels, gives, openai_problems
from trivium.app.requests import note, note_background
from trivium.app.service import rendered
from trivium.app.streaming import EventStream, Tell
from trivium.domain.door import encoded
from trivium.domain.errors import NotFoundError
from trivium.domain.question import Question

routes = APIRouter(prefix="/v1")

_DONE: Final = format_sse_event(data_str="[DONE]")


@routes.post(
    "/chat/completions",
    openapi_extra=takes(ChatRequest),
    responses={
        **gives(ChatResponse, "chat", events="chat_events"),
        **openai_problems(400, 404, 408, 413, 415, 503),
    },
    summary="Answer the last question of a conversation",
)
async def complete(request: Request) -> Response:
    """Answer as ``/ask`` does, in the shape of OpenAI's chat completions, streamed or whole."""
    asked = await sent(request, ChatRequest)
    work = _replying(request, asked)
    if asked.stream:
        return _streamed(request, asked, work)
    return as_json((await unless_left(request, work())).to_json())


@routes.get("/models", responses=gives(OpenAiModels, "models"), summary="The models of this door")
async def models() -> dict[str, object]:
    """Name the models: the router's choice, and each tier by itself."""
    return {"object": "list", "data": [_described(model) for model in MODELS]}


@routes.get(
    "/models/{model}",
    responses={**gives(OpenAiModel, "model"), **openai_problems(404)},
    summary="One model of this door",
)
async def model(model: str) -> dict[str, object]:
    """Say that a model is there."""
    if model not in MODELS:
        raise NotFoundError(f"There is no model {model[:80]!r}, but {', '.join(MODELS)}.")
    return _described(model)


def _described(model: str) -> dict[str, object]:
    return {"id": model, "object": "model", "created": 0, "owned_by": "trivium"}


def _replying(request: Request, asked: ChatRequest) -> Callable[[], Awaitable[Completion]]:
    """Return what replies; a front end's own prompt is no question, and nothing is asked.

    Raises:
        InputError: nobody asks anything.
        NotFoundError: there is no such model.
    """
    service, caller, tiers = service_of(request), caller_of(request), asked.tiers
    created = int(service.now().timestamp())
    text, history = asked.conversation()
    orders = [m.text for m in asked.messages if m.role in {"system", "developer"}]
    prompt = prompt_in([text, *orders])

    async def reply() -> Completion:
        if prompt is not None:
            note_background(request, prompt.kind)
            said = [turn.content for turn in history if turn.role == "user"]
            return _in_the_background(prompt, title_of(text, said), asked.model, created)
        question = Question(
            text=text,
            history=history,
            tiers=tiers,
            tenant=caller.tenant,
            principal=caller.principal,
        )
        given = await service.ask(question, is_held=bool(asked.stream))
        note(request, given)
        return completion_of(
            json.loads(rendered(given)),
            model=asked.model,
            created=created,
            base_url=str(request.base_url),
        )

    return reply


def _in_the_background(prompt: Prompt, title: str, model: str, created: int) -> Completion:
    return Completion(
        id=f"chatcmpl-{secrets.token_hex(12)}",
        model=model,
        created=created,
        content=prompt.answer(title),
        usage=usage_of({}),
    )


def _streamed(
    request: Request, asked: ChatRequest, work: Callable[[], Awaitable[Completion]]
) -> EventStream:
    async def tell_all(tell: Tell) -> None:
        for chunk in (await work()).chunks(with_usage=asked.has_usage):
            tell(_event(chunk))
        tell(_DONE)

    return EventStream(request, tell_all, lambda problem: _event(error_of(problem)))


def _event(value: dict[str, object]) -> bytes:
    return format_sse_event(data_str=encoded(value).decode())
