"""What a tier found: evidence with its source, freshness, and a trace of how it was found."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from trivium.domain.knowledge import Fact
from trivium.domain.question import TierName
from trivium.domain.result import Result


class TierStatus(StrEnum):
    """How a tier did."""

    HIT = "hit"
    MISS = "miss"
    PARTIAL = "partial"
    UNAVAILABLE = "unavailable"


class Reason(StrEnum):
    """Why there is no answer."""

    UNKNOWN_ENTITY = "unknown_entity"
    NOT_IN_SCHEMA = "not_in_schema"
    AMBIGUOUS = "ambiguous"
    OUT_OF_SCOPE = "out_of_scope"
    NO_EVIDENCE = "no_evidence"


ASKS_BACK: Final = frozenset({Reason.AMBIGUOUS, Reason.UNKNOWN_ENTITY})
"""Why there is no answer until the one who asks says whom or what they mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk of a document, as retrieved."""

    document: str
    title: str
    text: str
    score: float
    date: str | None = None
    heading: str = ""
    start: int = 0
    """First character in the document's text."""
    end: int = 0
    said: tuple[tuple[int, int], ...] = ()
    """Where the sentences that answer start and end, in the document's text too."""
    is_superseded: bool = False
    superseded_by: str | None = None
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Subgraph:
    """Entities and relations that a computed answer rests on."""

    nodes: tuple[str, ...]
    relations: tuple[tuple[str, str, str], ...] = ()
    """``(source, type, target)``."""
    names: Mapping[str, str] = field(default_factory=dict)


Evidence: TypeAlias = Fact | Passage | Subgraph


class FreshnessKind(StrEnum):
    """How a source is kept up to date."""

    LIVE = "live"
    BATCH = "batch"
    STATIC = "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How fresh one source is."""

    source: str
    as_of: str
    kind: FreshnessKind


def freshness_of(facts: Iterable[Fact]) -> tuple[Freshness, ...]:
    """Return how fresh the sources of facts are, each once; facts without a date tell nothing."""
    dates = dict.fromkeys((f.source, f.as_of) for f in facts)
    return tuple(
        Freshness(source=source, as_of=as_of, kind=FreshnessKind.BATCH)
        for source, as_of in dates
        if as_of
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSheet:
    """All facts of one entity that the asker may see."""

    entity: str
    type: str
    name: str
    facts: tuple[Fact, ...]
    """In the order of their attributes' names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateEntity:
    """An entity offered when a name fits several."""

    id: str
    type: str
    name: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that says a part of the result, with what it rests on."""

    text: str
    evidence: tuple[int, ...] = ()
    """Indexes into the evidence of the tier's result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TierResult:
    """What one tier says to one question."""

    tier: TierName
    status: TierStatus
    evidence: tuple[Evidence, ...] = ()
    result: Result | None = None
    also: tuple[Result, ...] = ()
    statements: tuple[Statement, ...] = ()
    """Sentences that say the result, best first, for composing without a model."""
    sheets: tuple[FactSheet, ...] = ()
    """Of the entities that it is about, in the order of their ids: what a model may tell beside."""
    reason: Reason | None = None
    """Why it is a miss."""
    why: str | None = None
    """In words: why it is a miss, partial or unavailable."""
    degraded: str | None = None
    """In words: what it had to do without."""
    read_as: str | None = None
    """In words: how the question was read, where that may not be what was meant."""
    is_hinted: bool = False
    """Whether the question names nothing of what it tells, but only hints at it."""
    candidates: tuple[CandidateEntity, ...] = ()
    freshness: tuple[Freshness, ...] = ()
    usage: Mapping[str, object] = field(default_factory=dict)
    """What a model cost: its name and tokens; nothing where none was asked."""
    trace: Mapping[str, object] = field(default_factory=dict)
    """What a person needs to check it: for the graph the plan, its Cypher and its budget."""

    @property
    def has_answer(self) -> bool:
        """Whether the tier answered, if only in part."""
        return self.status in {TierStatus.HIT, TierStatus.PARTIAL}
