"""From probabilities to the tiers to ask: what may change without training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from router.model import TierSet, by_tier
from trivium.domain.question import TierName

_NOTHING: Final[TierSet] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How sure the router must be.

    Attributes:
        refuse_at: the least probability of "no tier" at which a question is refused; below it, the
            best other set is asked, because a needless search costs less than a refusal.
        clause_at: how sure one clause must be of a tier to add it, where
        whole_at: the whole question is as sure as this. Measured across domains by
            ``bench.routing``: 0.786 exact sets without, 0.795 with.
    """

    refuse_at: float = 0.5
    clause_at: float = 0.7
    whole_at: float = 0.4

    def choose(self, sets: Mapping[TierSet, float]) -> TierSet:
        """Return the most probable set of tiers.

        >>> Policy().choose({(): 0.4, (TierName.CAG,): 0.35, (TierName.RAG,): 0.25})
        (<TierName.CAG: 'cag'>,)
        """
        best = max(sets, key=lambda tiers: sets[tiers])
        if best == _NOTHING and sets[best] < self.refuse_at and len(sets) > 1:
            return max((tiers for tiers in sets if tiers), key=lambda tiers: sets[tiers])
        return best

    def widen(
        self,
        tiers: TierSet,
        sets: Mapping[TierSet, float],
        clauses: Sequence[Mapping[TierSet, float]],
    ) -> TierSet:
        """Return the tiers with those that a clause of the question is sure of."""
        if not tiers or len(clauses) < 2:
            return tiers
        whole, wants = by_tier(sets), [by_tier(clause) for clause in clauses]
        return tuple(
            tier
            for tier in TierName
            if tier in tiers
            or (whole[tier] >= self.whole_at and max(w[tier] for w in wants) >= self.clause_at)
        )
