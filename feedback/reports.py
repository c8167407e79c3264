"""Misroute reports: an answer that was rated down, what went wrong, and what was decided."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from sqlalchemy import RowMapping

from feedback.diagnosis import Kind, Tiers
from feedback.labels import Labelled
from feedback.ratings import Rating, rating_of
from feedback.tables import read_tiers
from trivium.domain.question import Turn

Json: TypeAlias = Mapping[str, Any]  # Any: JSON


class ReportState(StrEnum):
    """Where a report stands."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    """The label proposed is right."""
    CORRECTED = "corrected"
    """Another label is right."""
    DISMISSED = "dismissed"
    """There is nothing to learn from it."""
    WITHDRAWN = "withdrawn"
    """Nobody decided, and the rater thinks better of the answer now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What was found out about an answer that was rated down."""

    question: str | None
    """Nothing where the trace of the answer was lost."""
    history: tuple[Turn, ...] = ()
    as_of: str | None = None
    given: Json
    """The answer: ``status, reason, answer, result``, cut where they are long."""
    route: Json
    """What the router believed: ``tiers, probabilities, decided_by, model_version, reasons``."""
    alone: Mapping[str, Json]
    """What each tier says when it alone is asked: as ``given``, with its ``support``."""
    kind: Kind
    proposed: Tiers | None
    """The label proposed; nothing where the trace was lost."""
    why: tuple[str, ...]
    similar: tuple[Json, ...] = ()
    """Reports of similar questions, nearest first: ``id, question, state, given, tiers, score``."""
    at: str

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        return asdict(self)

    @classmethod
    def of_json(cls, told: Json) -> "Analysis":
        """Read what ``to_json`` gave."""
        proposed = told["proposed"]
        read = {
            "history": tuple(Turn(**turn) for turn in told["history"]),
            "kind": Kind(told["kind"]),
            "proposed": None if proposed is None else read_tiers(json.dumps(proposed)),
            "why": tuple(told["why"]),
            "similar": tuple(told["similar"]),
        }
        return cls(**{**told, **read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Who looks at a report, and until when nobody else decides about it."""

    by: str
    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an admin decided; ``tiers`` is the label, none at all where it was dismissed."""

    tiers: Tiers | None
    by: str
    at: str
    comment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A low rating on its way to a label."""

    id: str
    number: int
    """Reports are numbered in the order in which they were opened."""
    reported_at: str
    state: ReportState
    rating: Rating
    """What the rater says now."""
    analysis: Analysis | None = None
    """Nothing until it was analysed."""
    claim: Claim | None = None
    """The last one, maybe expired."""
    verdict: Verdict | None = None

    def labelled(self, tiers: Tiers, at: str) -> Labelled | None:
        """Return its question with a label of that time; nothing where the question was lost."""
        analysis, rating = self.analysis, self.rating
        if analysis is None or not analysis.question:
            return None
        return Labelled(
            id=self.id,
            question=analysis.question,
            history=analysis.history,
            tiers=tiers,
            rater=rating.rater,
            at=at,
            tenant=rating.tenant,
        )

    def to_json(self) -> dict[str, object]:
        """Return the door's form."""
        return {
            "id": self.id,
            "number": self.number,
            "state": self.state,
            "reported_at": self.reported_at,
            "rating": asdict(self.rating),
            "analysis": self.analysis and self.analysis.to_json(),
            "claim": self.claim and asdict(self.claim),
            "verdict": self.verdict and asdict(self.verdict),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that an admin did with a report."""

    action: str
    by: str
    at: str
    tiers: Tiers | None = None
    comment: str | None = None


def report_of(row: RowMapping) -> Report:
    """Return the report of a row that joins it with its current rating."""
    analysis, until = row["analysis"], row["claimed_until"]
    return Report(
        id=row["id"],
        number=row["number"],
        reported_at=row["reported_at"],
        state=ReportState(row["shown_state"]),
        rating=rating_of(row),
        analysis=Analysis.of_json(json.loads(analysis)) if analysis else None,
        claim=Claim(by=row["claimed_by"], until=until) if until else None,
        verdict=_verdict(row),
    )


def event_of(row: RowMapping) -> Event:
    """Return what a row of the history tells."""
    label = row["label"]
    return Event(
        action=row["action"],
        by=row["by"],
        at=row["at"],
        tiers=None if label is None else read_tiers(label),
        comment=row["note"],
    )


def _verdict(row: RowMapping) -> Verdict | None:
    if row["decided_by"] is None:
        return None
    label = row["label"]
    return Verdict(
        tiers=None if label is None else read_tiers(label),
        by=row["decided_by"],
        at=row["decided_at"],
        comment=row["note"],
    )
