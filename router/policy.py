"""From probabilities to the tiers to ask: what may change without training."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from router.model import Judgement, TierSet
from trivium.domain.question import TierName

_NOTHING: Final[TierSet] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How sure the router must be.

    Attributes:
        refuse_at: the least probability of "no tier" at which a question is refused; below it, the
            best other set is asked, because a needless search costs less than a refusal.
        unsure_at: the least probability of the best set; below it nothing is decided, and every
            tier that may well be needed is asked.
        share_at: what "may well be needed" is: the least probability of a tier.
    """

    refuse_at: float = 0.5
    unsure_at: float = 0.25
    share_at: float = 0.3

    def choose(self, sets: Mapping[TierSet, float]) -> TierSet:
        """Return the most probable set of tiers.

        >>> Policy().choose({(): 0.4, (TierName.CAG,): 0.35, (TierName.RAG,): 0.25})
        (<TierName.CAG: 'cag'>,)
        """
        best = max(sets, key=lambda tiers: sets[tiers])
        if best == _NOTHING and sets[best] < self.refuse_at and len(sets) > 1:
            return max((tiers for tiers in sets if tiers), key=lambda tiers: sets[tiers])
        return best

    def decide(self, judged: Judgement) -> tuple[TierSet, bool]:
        """Return the tiers to ask, and whether that was decided rather than left open."""
        best = self.choose(judged.sets)
        if judged.sets[best] >= self.unsure_at:
            return best, True
        wide = tuple(tier for tier in TierName if judged.tiers[tier] >= self.share_at)
        return wide or tuple(TierName), False
