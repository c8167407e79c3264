"""One answer that can be checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from trivium.domain.evidence import CandidateEntity, Freshness, Reason
from trivium.domain.question import Question, TierName, Understood
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
class Alike:
    """What memory keeps of an answer to other words that ask the same."""

    body: bytes
    question: str
    """The other words."""
    similarity: float
    """Cosine, at most 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of an answer that is to be remembered."""

    question: Question
    """As it was asked."""
    understood: Understood
    version: int
    """Of the knowledge."""
    rests_on: Sequence[str] = ()
    """``entity:ID`` and ``document:ID`` of all that the answer shows."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """An answer given again from memory: an id of its own, and the response as JSON."""

    id: str
    body: bytes
    kept: bytes = b""
    """The end of the response, which is the same for all to whom it is given."""
    alike: Alike | None = None


def is_whole(answer: Answer) -> bool:
    """Whether an answer may be remembered: nothing is lacking, and nothing failed on the way."""
    return answer.status is AnswerStatus.ANSWERED and not answer.degraded


def rests_on(answer: Answer) -> tuple[str, ...]:
    """Return what an answer shows: ``entity:ID`` and ``document:ID``, each once."""
    found: list[str] = []
    for citation in answer.citations:
        detail = citation.detail
        if "passage" in detail:
            found.append(f"document:{detail['source']}")
        if "entity" in detail:
            found.append(f"entity:{detail['entity']}")
        found += _entities(detail.get("nodes"))
    for trace in answer.evidence.values():
        found += [*_entities(trace.get("nodes")), *_entities(trace.get("entities"))]
    return tuple(dict.fromkeys(found))


def _entities(ids: object) -> list[str]:
    return [f"entity:{i}" for i in ids if isinstance(i, str)] if isinstance(ids, list) else []
