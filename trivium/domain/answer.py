"""One answer that can be checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from trivium.domain.evidence import CandidateEntity, Freshness, Reason
from trivium.domain.question import TierName
from trivium.domain.result import Result
from trivium.domain.route import RouteDecision


class AnswerStatus(StrEnum):
    """Whether the question was answered."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    ABSTAINED = "abstained"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What a ``[marker]`` in the answer points to; ``detail`` depends on the tier."""

    marker: int
    tier: TierName
    detail: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {"marker": self.marker, "tier": self.tier.value, **self.detail}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two sources that differ: what holds, what it replaces, and why."""

    current: Mapping[str, object]
    superseded: Mapping[str, object]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded:
    """A tier or a model that could not do its part."""

    tier: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to one question, with all that is needed to check it."""

    id: str
    status: AnswerStatus
    text: str
    route: RouteDecision
    result: Result
    also: tuple[Result, ...] = ()
    results: Mapping[TierName, Result] = field(default_factory=dict)
    reason: Reason | None = None
    candidates: tuple[CandidateEntity, ...] = ()
    citations: tuple[Citation, ...] = ()
    evidence: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    freshness: tuple[Freshness, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    is_cached: bool = False
    usage: Mapping[str, object] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remembered:
    """An answer given again from memory: an id of its own, and the response as JSON."""

    id: str
    body: bytes
