"""What the doors give, described for the OpenAPI document; examples are in ``examples.yaml``."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from trivium.app.bodies import JSON, problems
from trivium.app.streaming import EVENTS
from trivium.domain.answer import AnswerStatus
from trivium.domain.evidence import Reason
from trivium.domain.question import TierName
from trivium.language.shipped import shipped

_EVENT: Final = {
    "type": "object",
    "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
    "required": ["data"],
}
"""A server-sent event; its data is JSON, but for the last of the OpenAI door."""
Described = dict[str, Any]  # Any: a form that depends on its kind or tier


class AskResponse(BaseModel):
    """One answer, with all that is needed to check it."""

    id: str
    cache: Described = Field(
        description="Whether it was remembered; for which other words, and how near they are."
    )
    status: AnswerStatus
    reason: Reason | None = Field(description="Why it abstains.")
    candidates: list[Described] = Field(description="Entities that may be meant.")
    answer: str = Field(description="The text, with [1] markers.")
    result: Described = Field(description="The answer for programs; its form is told by kind.")
    also: list[Described] = Field(description="Further results.")
    results: dict[TierName, Described] = Field(description="The result of each tier.")
    route: Described = Field(description="The tiers, the part of each, probabilities, reasons.")
    citations: list[Described] = Field(description="What each marker points to.")
    evidence: dict[TierName, Described] = Field(description="How each tier found it.")
    conflicts: list[Described] = Field(description="What was superseded, and why.")
    freshness: list[Described] = Field(description="How old each source is.")
    degraded: list[Described] = Field(description="What could not do its part.")
    usage: Described = Field(description="Tokens that a model took.")
    timings_ms: dict[str, float] = Field(description="Time by stage, in milliseconds.")


class ChatChoice(BaseModel):
    """The one reply."""

    index: int
    message: Described = Field(description="Role, content and annotations (url_citation).")
    logprobs: None
    finish_reason: Literal["stop"]


class ChatResponse(BaseModel):
    """A chat completion; its id is the answer's."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChatChoice]
    usage: Described


class OpenAiModel(BaseModel):
    """A model of the OpenAI door."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class OpenAiModels(BaseModel):
    """All of them."""

    object: Literal["list"]
    data: list[OpenAiModel]


class OpenAiFault(BaseModel):
    """What is wrong."""

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAiError(BaseModel):
    """An error of the OpenAI door."""

    error: OpenAiFault


def gives(
    model: type[BaseModel], example: str, events: str | None = None
) -> dict[int | str, dict[str, Any]]:  # Any: FastAPI's own type
    """Describe what a route gives, and its stream where it has one."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    content = {JSON: {"schema": schema, "example": examples()[example]}}
    if events is not None:
        content[EVENTS] = {"itemSchema": _EVENT, "example": examples()[events]}
    return {200: {"description": "What was asked for", "content": content}}


openai_problems: Final = partial(problems, model=OpenAiError, media=JSON)
"""Describes the problems that a route of the OpenAI door may answer with."""


@cache
def examples() -> Mapping[str, Any]:  # Any: JSON
    """Return the examples."""
    found: Mapping[str, Any] = shipped("trivium.app", "examples.yaml")
    return found
