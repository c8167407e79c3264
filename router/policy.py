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
        clauses_at: pairs of how sure one clause must be of a tier to add it, and how sure the whole
            question must be of it beside. Measured across domains by ``bench.routing``: 0.786
            exact sets without, 0.795 with the first pair, 0.792 with the second alone.
    """

    refuse_at: float = 0.5
    clauses_at: tuple[tuple[float, float], ...] = ((0.7, 0.4), (0.9, 0.05))

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
        best = {tier: max(want[tier] for want in wants) for tier in TierName}
        return tuple(
            tier
            for tier in TierName
            if tier in tiers
            or any(best[tier] >= part and whole[tier] >= all_ for part, all_ in self.clauses_at)
        )
