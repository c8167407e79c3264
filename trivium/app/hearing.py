"""What the router is trained on, out of the queue of misroutes."""

from collections import Counter

from feedback.claims import Record
from feedback.labels import Labelled
from feedback.misroutes import Misroutes, ReportFilter
from feedback.reports import ReportState
from trivium.app.retraining import Evidence


async def evidence_of(queue: Misroutes) -> Evidence:
    """Return what admins decided, what raters propose, and how often each of them was right.

    Raises:
        DependencyError: the database did not answer.
    """
    confirmed = [label async for label in queue.labelled()]
    proposed: list[Labelled] = []
    decided: Counter[str] = Counter()
    right: Counter[str] = Counter()
    async for report in queue.all(ReportFilter()):
        said, rater = report.rating.tiers, report.rating.rater
        if said is None:
            continue
        if report.verdict is not None and report.verdict.tiers is not None:
            decided[rater] += 1
            right[rater] += said == report.verdict.tiers
        elif report.state is ReportState.OPEN:
            label = report.labelled(said, report.rating.at)
            proposed += [label] if label else []
    records = {rater: Record(right[rater], n) for rater, n in decided.items()}
    return Evidence(confirmed, proposed, records)
