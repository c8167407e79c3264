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
        refuse_at: the least probability of "no tier" at which a question is refused, however likely
            another set is. Across domains, on nearly the shipped examples, 0.25 refused 221 of 222
            off-topic rows and 18 of 1,731 others; 0.2 refused 221 and 21, 0.35 refused 218 and 13.
        unsure_at: the least probability of the best set; below it nothing is decided, and every
            tier that may well be needed is asked.
        share_at: what "may well be needed" is: the least probability of a tier.
    """

    refuse_at: float = 0.25
    unsure_at: float = 0.25
    share_at: float = 0.3

    def choose(self, sets: Mapping[TierSet, float]) -> TierSet:
        """Return the most probable set of tiers, or none where that is likely enough.

        >>> Policy().choose({(): 0.2, (TierName.CAG,): 0.45, (TierName.RAG,): 0.35})
        (<TierName.CAG: 'cag'>,)
        """
        asked = {tiers: p for tiers, p in sets.items() if tiers}
        if sets.get(_NOTHING, 0.0) >= self.refuse_at or not asked:
            return _NOTHING
        return max(asked, key=lambda tiers: asked[tiers])

    def decide(self, judged: Judgement) -> tuple[TierSet, bool]:
        """Return the tiers to ask, and whether that was decided rather than left open."""
        best = self.choose(judged.sets)
        if best == _NOTHING or judged.sets[best] >= self.unsure_at:
            return best, True
        wide = tuple(tier for tier in TierName if judged.tiers[tier] >= self.share_at)
        return wide or tuple(TierName), False
