"""The queue of misroutes: what requests hold, and what comes of them."""

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from feedback.deciding import CLAIM_S, Action, Step
from feedback.diagnosis import Kind
from feedback.export import ExportForm, exported
from feedback.misroutes import ReportFilter
from feedback.reports import Report, ReportState
from trivium.app.models import When
from trivium.app.mutating import Author
from trivium.app.problems import problem_of
from trivium.app.service import Service
from trivium.domain.errors import TriviumError
from trivium.domain.question import TierName
from trivium.domain.time import Moment

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST: Final = 500
"""Reports that one request takes a step with."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WantedReports(_Model):
    """Which reports are exported."""

    state: ReportState | None = None
    kind: Kind | None = None
    given: TierName | None = Field(None, description="Those that went to this tier.")
    proposed: TierName | None = Field(None, description="Those proposed for this tier.")
    rater: str | None = None
    tenant: str | None = Field(None, description="Where the caller has none of its own.")
    since: When | None = Field(None, description="A date or a date-time: those opened from then.")

    @field_validator("since")
    @classmethod
    def _from_its_start(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            start = _EPOCH + timedelta(microseconds=Moment.of(value).start)
        except OverflowError as error:
            raise ValueError(str(error)) from error
        return start.isoformat(timespec="microseconds")

    def to_filter(self, tenant: str | None) -> ReportFilter:
        """Return the domain's filter; a caller with a tenant sees that one alone."""
        wanted = self.model_dump(exclude={"format"})
        return ReportFilter(**{**wanted, "tenant": self.tenant if tenant is None else tenant})


class MisroutesQuery(WantedReports):
    """Which reports are listed, and how many."""

    after: int = Field(0, ge=0, le=2**31 - 1, description="Those with a greater number.")
    limit: int = Field(100, ge=1, le=1_000)


class ExportQuery(WantedReports):
    """Which reports are exported, and as what."""

    format: ExportForm = ExportForm.CSV


class StepRequest(_Model):
    """What an admin does with a report."""

    action: Action
    author: Author = "admin"
    tiers: tuple[TierName, ...] | None = Field(
        None,
        description="To correct: the tiers it should have gone to, maybe none. To confirm: those "
        "that were seen proposed; others are refused.",
    )
    comment: Annotated[str, Field(max_length=10_000)] | None = None
    claim_s: float = Field(CLAIM_S, gt=0, le=86_400, description="How long a claim holds.")

    @model_validator(mode="after")
    def _has_tiers_where_it_needs_them(self) -> Self:
        if self.action is Action.CORRECT and self.tiers is None:
            raise ValueError("a correction needs tiers, maybe []")
        if self.tiers is not None and self.action not in {Action.CORRECT, Action.CONFIRM}:
            raise ValueError(f"tiers do not go with {self.action}")
        return self


class BulkRequest(StepRequest):
    """What an admin does with several reports."""

    ids: list[str] = Field(min_length=1, max_length=_MOST)


class MisrouteResponse(_Model):
    """A report: the rating, its analysis, who claimed it, what was decided; maybe its history."""

    id: str
    number: int
    state: ReportState
    reported_at: str
    rating: dict[str, object]
    analysis: dict[str, object] | None = Field(description="None until it was analysed.")
    claim: dict[str, object] | None
    verdict: dict[str, object] | None
    history: list[dict[str, object]] | None = None


class MisroutesResponse(_Model):
    """Reports in the order in which they were opened."""

    misroutes: list[MisrouteResponse]
    after: int | None = Field(description="Ask for those after it next; None at the end.")


class BulkResponse(_Model):
    """For each id, in order, the report as it is now or the problem that kept it as it was."""

    n_done: int
    results: list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Misrouting:
    """Lists, decides about and exports the reports of a tenant, or of all where it is none."""

    service: Service
    tenant: str | None = None

    async def find(self, asked: MisroutesQuery) -> dict[str, object]:
        """Return the reports that are asked for."""
        found = await self.service.misroutes.find(asked.to_filter(self.tenant))
        is_more = len(found) == asked.limit
        return {
            "misroutes": [report.to_json() for report in found],
            "after": found[-1].number if is_more else None,
        }

    async def get(self, report_id: str) -> dict[str, object]:
        """Return a report with its history.

        Raises:
            NotFoundError: there is no such report.
        """
        report = await self.service.misroutes.get(report_id, self.tenant)
        events = await self.service.misroutes.history(report.id)
        return {**report.to_json(), "history": [asdict(event) for event in events]}

    async def take(self, report_id: str, asked: StepRequest) -> dict[str, object]:
        """Take a step with a report; the same again changes nothing.

        Raises:
            NotFoundError: there is no such report.
            ConflictError: somebody else claimed it or decided otherwise.
        """
        step = self._step(asked)
        (outcome,) = await self.service.misroutes.take(step, [report_id], self.tenant)
        if isinstance(outcome, TriviumError):
            raise outcome
        return outcome.to_json()

    async def take_each(self, asked: BulkRequest) -> dict[str, object]:
        """Take a step with each of several reports; what keeps one stops no other."""
        step = self._step(asked)
        outcomes = await self.service.misroutes.take(step, asked.ids, self.tenant)
        results = [
            {"id": report_id, **_told(outcome)}
            for report_id, outcome in zip(asked.ids, outcomes, strict=True)
        ]
        n_done = sum(isinstance(outcome, Report) for outcome in outcomes)
        return {"n_done": n_done, "results": results}

    def export(self, asked: ExportQuery) -> AsyncIterator[str]:
        """Give all the reports that are asked for, line by line."""
        return exported(self.service.misroutes.all(asked.to_filter(self.tenant)), asked.format)

    def _step(self, asked: StepRequest) -> Step:
        tiers = asked.tiers
        return Step(
            action=asked.action,
            by=asked.author,
            at=self.service.now(),
            tiers=None if tiers is None else tuple(tier for tier in TierName if tier in tiers),
            comment=asked.comment,
            claim_s=asked.claim_s,
        )


def _told(outcome: Report | TriviumError) -> dict[str, object]:
    if isinstance(outcome, TriviumError):
        return {"error": problem_of(outcome)}
    return {"misroute": outcome.to_json()}
