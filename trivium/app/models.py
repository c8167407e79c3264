"""What requests hold, checked at the door and turned into the domain's types at once."""

import json
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated, Final, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from feedback.ratings import RatingReason, Thumb
from trivium.app.faults import said
from trivium.app.meanings import MisreadRequest
from trivium.domain.errors import InputError
from trivium.domain.question import MemoryUse, Question, TierName, Turn
from trivium.domain.time import Moment
from trivium.language.text import is_blank

_T = TypeVar("_T", bound=BaseModel)

_ALIKE: Final = 0.8
"""How alike a misspelt key is: ``tier``, ``asof``, ``question_``; ``title`` is not ``tiers``."""

Text = Annotated[str, Field(max_length=100_000)]


def _is_a_time(value: str) -> str:
    try:
        Moment.of(value)
    except InputError as error:
        raise ValueError(str(error)) from error
    return value


When = Annotated[
    str,
    AfterValidator(_is_a_time),
    WithJsonSchema({"type": "string", "anyOf": [{"format": "date"}, {"format": "date-time"}]}),
]


class NotJsonError(InputError):
    """The body is not JSON at all."""


class _Model(BaseModel):
    """Unknown keys are ignored, but for those that seem to be a known one misspelt."""

    model_config = ConfigDict(extra="allow", frozen=True)

    @model_validator(mode="after")
    def _has_no_misspelt_key(self) -> Self:
        for key in self.model_extra or ():
            meant = meant_by(key, type(self).model_fields.keys() - self.model_fields_set)
            if meant:
                raise ValueError(f"unknown key {key!r}; is {meant!r} meant?")
        return self


def meant_by(key: str, known: Iterable[str]) -> str | None:
    """Return the known key that ``key`` seems to be, misspelt.

    >>> meant_by("asOf", ["as_of", "tiers"]), meant_by("title", ["as_of", "tiers"])
    ('as_of', None)
    """
    near = get_close_matches(key[:20].casefold(), known, n=1, cutoff=_ALIKE)
    return near[0] if near else None


class HistoryTurn(_Model):
    """One message before the question."""

    role: Literal["user", "assistant", "system"]
    content: Text


class AskRequest(_Model):
    """A question, and what may go with it."""

    question: Text = Field(examples=["Which customers are not affected by the Thailand flood?"])
    history: list[HistoryTurn] = Field(default_factory=list, max_length=200)
    as_of: When | None = Field(None, description="A date or a date-time.", examples=["2024-02-16"])
    tiers: list[TierName] | None = Field(
        None, min_length=1, description="Instead of the router's choice."
    )
    deadline_s: float | None = Field(
        None, ge=0.1, le=600, description="How long the caller waits, in seconds.", examples=[2.5]
    )
    memory: MemoryUse = Field(
        MemoryUse.ALIKE,
        description="What may be recalled: the same question in other words too, in the same words "
        "alone, or nothing.",
    )
    stream: bool | None = Field(
        None, description="Whether as server-sent events; left out, as the Accept header says."
    )

    @field_validator("question")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if is_blank(value):
            raise ValueError("the question is blank")
        return value

    def to_question(self, *, tenant: str, principal: str) -> Question:
        """Return the domain's question."""
        chosen = None if self.tiers is None else frozenset(self.tiers)
        return Question(
            text=self.question,
            history=tuple(Turn(turn.role, turn.content) for turn in self.history),
            as_of=self.as_of,
            tiers=None if chosen is None else tuple(t for t in TierName if t in chosen),
            tenant=tenant,
            principal=principal,
            memory=self.memory,
        )


class OverviewQuery(_Model):
    """Which graph is shown as a whole."""

    as_of: When | None = Field(None, description="A date or a date-time; now, if left out.")
    most: int = Field(400, ge=1, le=2_000, description="Entities that are shown at most.")
    after: int = Field(
        0, ge=0, le=2**31 - 1, description="With risk: how many of those most at risk come before."
    )
    risk: bool = Field(False, description="Whether with what each open event puts at risk.")


class RatingRequest(_Model):
    """What a person says of an answer."""

    rating: Thumb
    reason: RatingReason | None = None
    comment: Annotated[str, Field(max_length=10_000)] | None = None
    tiers: list[TierName] | None = Field(None, description="The tiers it should have gone to.")
    answer: Text | None = Field(None, description="What it should have said.")
    rater: Annotated[str, Field(min_length=1, max_length=200)] = "anonymous"
    misread: list[MisreadRequest] = Field(
        default_factory=list,
        max_length=20,
        description="Words that were misread; an admin decides whether they are learned.",
    )


class RatingResponse(_Model):
    """What became of a rating."""

    outcome: Literal["created", "changed", "unchanged"]


class Problem(_Model):
    """An error, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, str]] = Field(default_factory=list)


def parse(model: type[_T], raw: bytes, *, is_text: bool = False) -> _T:
    """Return the model that a body holds.

    A number, or a truth, in quotes is one where ``is_text`` says that all is text, as in a query.

    Raises:
        NotJsonError: the body is not JSON.
        InputError: it is, and does not fit; with each fault.
    """
    try:
        return model.model_validate_json(raw, strict=not is_text)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        if any(fault["type"] == "json_invalid" for fault in faults):
            raise NotJsonError(f"The body is not JSON: {faults[0]['msg']}") from error
        told = [(".".join(map(str, f["loc"])) or "body", said(f)) for f in faults]
        where, what = told[0]
        if faults[0]["type"] == "missing" and len(faults[0]["loc"]) == 1:
            what += _hint(where, raw)
        raise InputError(f"{where}: {what}", told) from error


def _hint(missing: str, raw: bytes) -> str:
    """Say which key of a body seems to be the missing one."""
    for key in json.loads(raw):
        if meant_by(key, [missing]):
            return f"; is {key[:20]!r} meant for it?"
    return ""
