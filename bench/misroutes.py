"""Measures the labels proposed for misroutes: ``python -m bench.misroutes [DIR …] [--show]``.

Every labelled question is answered by a wrong route: the router's own where it is wrong, else the
next that it thinks of. The answer is rated down, and the report of the analyst is held against the
label. Other ways of rating, and a router that is as sure of the wrong route as it was of the right
one, are told from the same reports. "Elsewhere" weighs tiers by the other data sets alone.
"""

import argparse
import asyncio
import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from bench.sets import DOCUMENTED
from bench.suite import opened
from feedback.diagnosis import SETS, WEIGHTS, Case, Strength, Tiers, diagnose, propose
from feedback.misroutes import ReportFilter
from feedback.ratings import Rating, RatingReason, Thumb
from feedback.reports import Report
from router.model import tier_set
from trivium.app.loading import SUITE
from trivium.app.service import Service
from trivium.app.suite import Row, question_of, read_suite
from trivium.domain.answer import AnswerStatus
from trivium.domain.deadline import Deadline
from trivium.domain.question import TierName, Understood
from trivium.domain.route import Decider, RouteDecision

_SECONDS: Final = 30
_WRONG_RATERS: Final = 5
"""One rater of so many names wrong tiers."""
_SMOOTH: Final = 1.0

Weights: TypeAlias = Mapping[tuple[TierName, Strength], float]


@dataclass(frozen=True, slots=True)
class FixedRouter:
    """A ``Router`` that has decided."""

    decision: RouteDecision

    def route(self, _question: Understood) -> RouteDecision:
        """Return what it has decided."""
        return self.decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A misroute, and what the analyst proposed for it after a bare thumb down."""

    domain: str
    row: Row
    case: Case
    proposed: Tiers
    is_own: bool
    """Whether the router itself took the wrong route."""

    @property
    def gold(self) -> Tiers:
        """The label."""
        return tier_set(self.row["tiers"])

    @property
    def believed(self) -> Case:
        """The same with a router that is as sure of the wrong route as it was of the right one."""
        p = self.case.probabilities
        differ = set(self.gold) ^ set(self.case.route)
        is_sure = all((p[t] >= 0.5) == (t in self.case.route) for t in differ)
        turned = p if is_sure else {t: 1 - v if t in differ else v for t, v in p.items()}
        return replace(self.case, probabilities=turned)


async def plant(directory: Path) -> list[Planted]:
    """Plant a misroute for each question of a data set, and have the analyst look at it."""
    rows = await read_suite(directory / SUITE)
    async with opened(directory) as service:
        asked = dict([await _misled(service, row) for row in rows])
        await service.analyst.work()
        reports = [report async for report in service.misroutes.all(ReportFilter())]
    return [_planted(directory.name, *asked[r.rating.answer_id], r) for r in reports]


async def _misled(service: Service, row: Row) -> tuple[str, tuple[Row, bool]]:
    """Answer a question by a wrong route and rate the answer down.

    Returns:
        The answer's id, the row, and whether the router itself took that route.
    """
    question, deadline = question_of(row), Deadline.after(_SECONDS)
    understood = await service.pipeline.reader.understand(question, deadline)
    decision = service.pipeline.router.route(understood)
    route = _wrong(decision, tier_set(row["tiers"]))
    fixed = replace(decision, tiers=route, parts={}, decided_by=Decider.MODEL)
    pipeline = replace(service.pipeline, router=FixedRouter(fixed))
    answer = await pipeline.ask(question, deadline)
    await service.ratings.rate(
        Rating(
            answer_id=answer.id,
            tenant=question.tenant,
            rater="bench",
            thumb=Thumb.DOWN,
            reason=None,
            at=service.now().isoformat(),
        )
    )
    return answer.id, (row, route == decision.tiers)


def _wrong(decision: RouteDecision, gold: Tiers) -> Tiers:
    if decision.tiers != gold:
        return decision.tiers
    p = decision.probabilities

    def likely(tiers: Tiers) -> float:
        return math.prod(p.get(t, 0.5) if t in tiers else 1 - p.get(t, 0.5) for t in TierName)

    return max((tiers for tiers in SETS if tiers != gold), key=likely)


def _planted(domain: str, row: Row, is_own: bool, report: Report) -> Planted:  # noqa: FBT001  # as kept
    analysis = report.analysis
    assert analysis is not None
    assert analysis.proposed is not None
    said = analysis.alone.items()
    case = Case(
        route=tier_set(analysis.route["tiers"]),
        probabilities={TierName(t): p for t, p in analysis.route["probabilities"].items()},
        strengths={TierName(t): Strength(s["support"]) for t, s in said if "support" in s},
        status=AnswerStatus(analysis.given["status"]),
        abstained=analysis.given["reason"],
    )
    return Planted(domain=domain, row=row, case=case, proposed=analysis.proposed, is_own=is_own)


def weighed(planted: Sequence[Planted]) -> Weights:
    """Return how much likelier a tier answers so where it is needed than where it is not."""
    seen: Counter[tuple[bool, TierName, Strength]] = Counter()
    for one in planted:
        for tier, strength in one.case.strengths.items():
            seen[tier in one.gold, tier, strength] += 1

    def share(tier: TierName, strength: Strength, *, is_needed: bool) -> float:
        kinds = [kind for name, kind in WEIGHTS if name is tier]
        total = sum(seen[is_needed, tier, kind] + _SMOOTH for kind in kinds)
        return (seen[is_needed, tier, strength] + _SMOOTH) / total

    return {
        key: math.log(share(*key, is_needed=True) / share(*key, is_needed=False)) for key in WEIGHTS
    }


Told: TypeAlias = Callable[[Planted, int], Case]
"""Gives what is known of a misroute, rated in some way; the number tells raters apart."""


def _named(one: Planted, number: int) -> Case:
    """Have the rater name tiers; one of some raters names others."""
    is_wrong = number % _WRONG_RATERS == 0
    others = [tiers for tiers in SETS if tiers not in {one.gold, one.case.route}]
    return replace(one.case, tiers=others[number % len(others)] if is_wrong else one.gold)


WAYS: Final[Mapping[str, Told]] = {
    "a thumb alone": lambda one, _: one.case,
    "and “wrong tier”": lambda one, _: replace(one.case, reason=RatingReason.WRONG_TIER),
    "and the right tiers": lambda one, _: replace(one.case, tiers=one.gold),
    "and tiers, 1 of 5 wrong": _named,
}


def shares(planted: Sequence[Planted]) -> dict[str, tuple[float, float, float, float]]:
    """Return for each way of rating the share of right proposals.

    Of all, of the router's own misroutes, of all weighed by the other data sets alone, and of all
    where the router is sure of the wrong route.
    """
    elsewhere = {
        domain: weighed([one for one in planted if one.domain != domain])
        for domain in {one.domain for one in planted}
    }
    found = {}
    for name, told in WAYS.items():
        cases = [(one, told(one, at)) for at, one in enumerate(planted)]
        sure = [(one, told(replace(one, case=one.believed), at)) for at, one in enumerate(planted)]
        found[name] = (
            statistics.mean(diagnose(case).proposed == one.gold for one, case in cases),
            statistics.mean(
                diagnose(case).proposed == one.gold for one, case in cases if one.is_own
            ),
            statistics.mean(
                propose(case, elsewhere[one.domain]) == one.gold for one, case in cases
            ),
            statistics.mean(diagnose(case).proposed == one.gold for one, case in sure),
        )
    return found


def kept(planted: Sequence[Planted]) -> list[bool]:
    """Whether a right route that is rated down by a thumb alone keeps its label."""
    return [
        diagnose(replace(one.case, route=one.gold)).proposed == one.gold
        for one in planted
        if not one.is_own
    ]


def main() -> None:
    """Print the shares of right proposals, and the weights as measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="*", type=Path, default=DOCUMENTED)
    parser.add_argument("--show", action="store_true", help="print what was proposed wrongly")
    options = parser.parse_args()
    planted = [one for folder in options.directories for one in asyncio.run(plant(folder))]
    n_own = sum(one.is_own for one in planted)
    right = statistics.mean(one.proposed == one.gold for one in planted)
    print(f"{len(planted)} misroutes, {n_own} of them the router's own")
    print(f"reports that propose the label, after a thumb alone: {right:.3f}\n")
    print(f"{'rated by':26s}{'all':>8s}{'own':>8s}{'elsewhere':>11s}{'router sure':>13s}")
    for name, (every, own, elsewhere, sure) in shares(planted).items():
        print(f"{name:26s}{every:8.3f}{own:8.3f}{elsewhere:11.3f}{sure:13.3f}")
    stay = kept(planted)
    print(f"\nright routes rated down that stay: {sum(stay)} of {len(stay)}")
    print("weights as measured, beside those in use")
    for (tier, strength), weight in weighed(planted).items():
        print(f"  {tier:6s}{strength:8s}{weight:6.1f}{WEIGHTS[tier, strength]:6.1f}")
    if options.show:
        for one in planted:
            if one.proposed != one.gold:
                case = one.case
                print(f"{one.row['query'][:90]}\n  {case.route} -> {one.proposed}, not {one.gold}")
                print(f"  {dict(case.probabilities)} {dict(case.strengths)}")


if __name__ == "__main__":
    main()
