"""What a server of the Messages API says, checked: messages, calls of tools, and faults."""

import json
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field, NonNegativeInt, ValidationError

from trivium.domain.errors import DependencyError, ModelOutputError

PASSING_TYPES: Final = frozenset({"api_error", "overloaded_error", "rate_limit_error"})
"""Faults after which asking again may help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What the model said, and what it cost."""

    text: str
    """Never blank; of a tool's call, its arguments as a JSON object."""
    input_tokens: int
    """Without those read from or written to the prompt cache."""
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    model: str
    """The model that answered, as the server names it."""


class PassingError(Exception):
    """A failure after which asking again may help."""

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


_Count = Annotated[NonNegativeInt, BeforeValidator(lambda value: value or 0)]
"""Servers other than Anthropic's leave counts out, or null."""


class _Block(BaseModel):
    type: str
    text: str = ""
    name: str = ""
    input: dict[str, object] | None = None


class _Usage(BaseModel):
    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cache_read_input_tokens: _Count = 0
    cache_creation_input_tokens: _Count = 0


class _Message(BaseModel):
    """The part of a reply that counts; ``max_tokens`` and a refusal are no finished answers."""

    type: Literal["message"]
    model: Annotated[str, Field(min_length=1)]
    content: list[_Block]
    stop_reason: Literal["end_turn", "stop_sequence", "tool_use"]
    usage: _Usage = Field(default_factory=_Usage)


class _Fault(BaseModel):
    """What an error body says; some servers send one with status 200."""

    class Kind(BaseModel):
        type: str

    type: Literal["error"]
    error: Kind


def completion(body: bytes) -> Completion:
    """Return the text of a finished message, and what it cost.

    Raises:
        ModelOutputError: it is none, or empty.
        DependencyError, PassingError: the body tells of a fault.
    """
    message = _message(body)
    text = "".join(block.text for block in message.content if block.type == "text").strip()
    if not text or message.stop_reason == "tool_use":
        raise ModelOutputError("the model's reply is empty")
    return _with_cost(message, text)


def tool_call(body: bytes, tool: str) -> Completion:
    """Return the arguments with which a message calls a tool, as JSON, and what it cost.

    Raises:
        ModelOutputError: it calls no such tool, or is no finished message.
        DependencyError, PassingError: the body tells of a fault.
    """
    message = _message(body)
    calls = (b.input for b in message.content if b.type == "tool_use" and b.name == tool)
    arguments = next((call for call in calls if call is not None), None)
    if arguments is None:
        raise ModelOutputError(f"the model's reply does not call {tool!r}")
    return _with_cost(message, json.dumps(arguments, ensure_ascii=False))


def _message(body: bytes) -> _Message:
    try:
        return _Message.model_validate_json(body)
    except ValidationError as error:
        _raise_if_fault(body)
        faults = error.errors(include_url=False, include_input=False)
        where = ", ".join(".".join(map(str, fault["loc"])) or "body" for fault in faults)
        raise ModelOutputError(f"the model's reply is not a finished message: {where}") from error


def _with_cost(message: _Message, text: str) -> Completion:
    return Completion(
        text=text,
        input_tokens=message.usage.input_tokens,
        output_tokens=message.usage.output_tokens,
        cache_read_tokens=message.usage.cache_read_input_tokens,
        cache_write_tokens=message.usage.cache_creation_input_tokens,
        model=message.model,
    )


def _raise_if_fault(body: bytes) -> None:
    try:
        kind = _Fault.model_validate_json(body).error.type
    except ValidationError:
        return
    message = f"the model's server answered {kind}"
    raise PassingError(message) if kind in PASSING_TYPES else DependencyError(message)
