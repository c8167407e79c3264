"""What went wrong with an answer that was rated down, and which tiers it should have gone to.

A proposal weighs what each tier says when it is asked alone against what the router believed. It
is a naive Bayes estimate over the sets of tiers: a weakened prior, which is the router's belief,
times how much more often a tier that is needed says so than one that is not.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final, TypeAlias

from feedback.ratings import RatingReason
from trivium.domain.answer import AnswerStatus
from trivium.domain.evidence import Reason
from trivium.domain.question import TierName

Tiers: TypeAlias = tuple[TierName, ...]


class Kind(StrEnum):
    """Where an answer went wrong."""

    ROUTING = "routing"
    RETRIEVAL = "retrieval"
    READING = "reading"
    SYNTHESIS = "synthesis"
    DATA = "data"
    UNKNOWN = "unknown"
    """The trace of the answer was lost."""


class Strength(StrEnum):
    """How surely a tier that was asked alone knows the answer."""

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


SETS: Final[tuple[Tiers, ...]] = tuple(
    tiers for n in range(len(TierName) + 1) for tiers in combinations(TierName, n)
)
WEIGHTS: Final[Mapping[tuple[TierName, Strength], float]] = {
    (TierName.CAG, Strength.NONE): -2.3,
    (TierName.CAG, Strength.STRONG): 1.9,
    (TierName.RAG, Strength.NONE): -3.9,
    (TierName.RAG, Strength.WEAK): 0.2,
    (TierName.RAG, Strength.STRONG): 1.9,
    (TierName.GRAPH, Strength.NONE): -1.6,
    (TierName.GRAPH, Strength.WEAK): -0.6,
    (TierName.GRAPH, Strength.STRONG): 1.1,
}
"""Log of how much likelier a tier answers so where it is needed than where it is not; measured by
``bench.misroutes`` on 242 questions of three data sets."""
SURE: Final[Mapping[TierName, float]] = {TierName.RAG: 0.6, TierName.GRAPH: 0.9}
"""From which similarity of a passage, or confidence in a plan, an answer is strong."""

_BELIEF: Final = 0.4
"""How much the router's belief weighs where it chose what was rated down."""
_BY_SIZE: Final = (3.0, 0.0, 4.0, 6.0)
"""What no, two and three tiers cost there against one: most questions need one."""
_DOWN: Final = 2.0
"""What the route given loses by a thumb down that does not say why."""
_RATER: Final = 3.0
"""What the set gains that the rater names: odds of 20, as of one who is right 4 times of 5."""
_LEAST: Final = 0.01
"""Probabilities nearer to 0 or 1 are no surer; the four were tried on the same 242 questions."""

_BY_REASON: Final[Mapping[RatingReason, Kind]] = {
    RatingReason.OUTDATED: Kind.DATA,
    RatingReason.UNCLEAR: Kind.SYNTHESIS,
    RatingReason.WRONG_SOURCE: Kind.RETRIEVAL,
    RatingReason.INCOMPLETE: Kind.RETRIEVAL,
}
_SAYS_ENOUGH: Final = frozenset({RatingReason.OUTDATED, RatingReason.UNCLEAR})
"""Reasons that say that the route was right."""
_BY_ABSTENTION: Final[Mapping[str, Kind]] = {
    Reason.UNKNOWN_ENTITY: Kind.READING,
    Reason.AMBIGUOUS: Kind.READING,
    Reason.NOT_IN_SCHEMA: Kind.READING,
    Reason.NO_EVIDENCE: Kind.DATA,
    Reason.OUT_OF_SCOPE: Kind.DATA,
}
_BY_TIER: Final[Mapping[TierName, Kind]] = {
    TierName.GRAPH: Kind.READING,
    TierName.RAG: Kind.RETRIEVAL,
    TierName.CAG: Kind.DATA,
}
"""How the answers of a tier go wrong where nothing tells more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is known of an answer that was rated down."""

    route: Tiers
    probabilities: Mapping[TierName, float]
    """What the router believed; empty where it had no model."""
    strengths: Mapping[TierName, Strength]
    """What each tier says alone; one that could not be asked is not in it."""
    status: AnswerStatus
    abstained: str | None = None
    """Why the answer abstained."""
    is_degraded: bool = False
    is_misread: bool = False
    """Whether the rater says that words were misread."""
    reason: RatingReason | None = None
    tiers: Tiers | None = None
    """What the rater says it should have gone to."""

    @property
    def is_misroute(self) -> bool:
        """Whether the rater says that the route was wrong."""
        return self.reason is RatingReason.WRONG_TIER or self.tiers not in {None, self.route}

    @property
    def is_well_routed(self) -> bool:
        """Whether what the rater says leaves the route alone."""
        return self.tiers == self.route or self.reason in _SAYS_ENOUGH or self.is_misread


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What went wrong, the label proposed, and in words why."""

    kind: Kind
    proposed: Tiers
    why: tuple[str, ...]


def diagnose(case: Case) -> Diagnosis:
    """Say what went wrong, and propose a label; where the route was right it is the route."""
    proposed = case.route
    if case.is_misroute or not case.is_well_routed:
        proposed = propose(case)
    if proposed != case.route:
        return Diagnosis(Kind.ROUTING, proposed, _reasons(case, proposed))
    kind, why = _other_kind(case)
    return Diagnosis(kind, proposed, (why, "nothing speaks for another route"))


def propose(case: Case, weights: Mapping[tuple[TierName, Strength], float] = WEIGHTS) -> Tiers:
    """Return the tiers that the question most probably needs, maybe those it went to."""
    is_believed = case.route == max(SETS, key=lambda tiers: _belief(case, tiers))
    scores = {}
    for tiers in SETS:
        score = _belief(case, tiers) * (_BELIEF if is_believed else 1.0)
        score -= _BY_SIZE[len(tiers)] if is_believed else 0.0
        score += sum(weights[t, case.strengths[t]] for t in tiers if t in case.strengths)
        scores[tiers] = score + (_RATER if tiers == case.tiers else 0.0)
    if case.is_misroute:
        del scores[case.route]
    else:
        scores[case.route] -= _DOWN
    return max(scores, key=lambda tiers: scores[tiers])


def _belief(case: Case, tiers: Tiers) -> float:
    """Return how much likelier the router thinks ``tiers`` than none, as a logarithm."""
    return sum(_log_odds(case.probabilities.get(tier, 0.5)) for tier in tiers)


def _log_odds(probability: float) -> float:
    p = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(p / (1 - p))


def _reasons(case: Case, proposed: Tiers) -> tuple[str, ...]:
    told = []
    if case.tiers is not None:
        told.append(f"the rater would have asked {named(case.tiers)}")
    elif case.reason is RatingReason.WRONG_TIER:
        told.append("the rater says that the route was wrong")
    for tier, strength in case.strengths.items():
        said = "has no answer" if strength is Strength.NONE else f"has a {strength} answer"
        if (strength is not Strength.NONE) == (tier in proposed):
            told.append(f"{tier} alone {said}")
    second = max((s for s in SETS if s != case.route), key=lambda tiers: _belief(case, tiers))
    if case.probabilities and second == proposed:
        told.append("the router thinks it the likeliest other route")
    return tuple(told)


def _other_kind(case: Case) -> tuple[Kind, str]:
    """Say what went wrong where the route did not, and why that is thought."""
    if case.is_misread:
        return Kind.READING, "the rater says that words were misread"
    if case.reason is not None and case.reason in _BY_REASON:
        return _BY_REASON[case.reason], f"the rater's reason is {case.reason}"
    if case.is_degraded:
        return Kind.RETRIEVAL, "something that it needed could not be asked"
    if case.abstained is not None and case.abstained in _BY_ABSTENTION:
        return _BY_ABSTENTION[case.abstained], f"it abstained: {case.abstained}"
    for tier, kind in _BY_TIER.items():
        if tier in case.route:
            return kind, f"answers from {tier} go wrong so most often"
    return Kind.DATA, "no tier was asked, and none seems to know it"


def named(tiers: Tiers) -> str:
    """Name tiers for a person.

    >>> named((TierName.CAG, TierName.RAG)), named(())
    ('cag and rag', 'no tier')
    """
    return " and ".join(tiers) or "no tier"
