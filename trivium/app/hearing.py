"""What the router is trained on, out of the queue of misroutes, the ratings and the answers."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from feedback.analyst import Traces
from feedback.claims import Record
from feedback.labels import Labelled
from feedback.misroutes import Misroutes, ReportFilter
from feedback.ratings import Rating, Ratings
from feedback.reports import Report, ReportState, Verdict
from router.model import TierSet, tier_set
from trivium.app.retraining import Evidence
from trivium.domain.question import Turn
from trivium.domain.route import Decider

_N_LIKED: Final = 2_000
"""The latest thumbs up that are heard; a question of each is encoded for a training."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """Implements ``Ear``: what admins decided, raters propose, and thumbs up say.

    Every method raises ``DependencyError`` when the database does not answer.
    """

    queue: Misroutes
    ratings: Ratings
    traces: Traces

    async def n_confirmed(self) -> int:
        """Return how many labels admins decided."""
        return await self.queue.n_labelled()

    async def evidence(self) -> Evidence:
        """Return all that was said, each report read once."""
        confirmed: list[Labelled] = []
        proposed: list[Labelled] = []
        decided: Counter[str] = Counter()
        right: Counter[str] = Counter()
        closed: set[tuple[str, str]] = set()
        async for report in self.queue.all(ReportFilter()):
            verdict, rating = report.verdict, report.rating
            if verdict is not None and verdict.tiers is not None:
                closed.add((rating.tenant, rating.answer_id))
                confirmed += _labelled(report, verdict.tiers, verdict.at)
                said = await self._before(rating, verdict)
                if said is not None:
                    decided[rating.rater] += 1
                    right[rating.rater] += said == verdict.tiers
            elif rating.tiers is not None and report.state is ReportState.OPEN:
                proposed += _labelled(report, rating.tiers, rating.at)
        records = {rater: Record(right[rater], n) for rater, n in decided.items()}
        liked = [label async for label in self._liked(closed)]
        return Evidence(confirmed, proposed, records, liked)

    async def _before(self, now: Rating, verdict: Verdict) -> TierSet | None:
        """Return the tiers that a rater named before an admin decided: hindsight is no merit."""
        if not _is_after(now.at, verdict.at):
            return now.tiers
        said = [
            one
            for one in await self.ratings.history(now.answer_id, now.tenant)
            if one.rater == now.rater and not _is_after(one.at, verdict.at)
        ]
        return said[-1].tiers if said else None

    async def _liked(self, closed: set[tuple[str, str]]) -> AsyncIterator[Labelled]:
        """Give the questions whose route a thumb up speaks for, with that route.

        The model must have chosen it. What an admin decided about an answer stands alone.
        """
        for rating in await self.ratings.latest_up(_N_LIKED):
            if (rating.tenant, rating.answer_id) in closed:
                continue
            trace = await self.traces.get(rating.answer_id, rating.tenant)
            if trace is None:
                continue
            route = trace["response"]["route"]
            given = tier_set(route["tiers"])
            if route["decided_by"] != Decider.MODEL or rating.tiers not in {None, given}:
                continue
            yield Labelled(
                id=rating.answer_id,
                question=trace["question"],
                history=tuple(Turn(**turn) for turn in trace["history"]),
                tiers=given,
                rater=rating.rater,
                at=rating.at,
                tenant=rating.tenant,
            )


def _labelled(report: Report, tiers: TierSet, at: str) -> list[Labelled]:
    label = report.labelled(tiers, at)
    return [label] if label else []


def _is_after(first: str, second: str) -> bool:
    return datetime.fromisoformat(first) > datetime.fromisoformat(second)
