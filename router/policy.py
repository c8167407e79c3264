"""From probabilities to the tiers to ask: what may change without training."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from router.model import TierSet

_NOTHING: Final[TierSet] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How sure the router must be.

    Attributes:
        refuse_at: the least probability of "no tier" at which a question is refused; below it, the
            best other set is asked, because a needless search costs less than a refusal.
    """

    refuse_at: float = 0.5

    def choose(self, sets: Mapping[TierSet, float]) -> TierSet:
        """Return the most probable set of tiers.

        >>> from trivium.domain.question import TierName
        >>> Policy().choose({(): 0.4, (TierName.CAG,): 0.35, (TierName.RAG,): 0.25})
        (<TierName.CAG: 'cag'>,)
        """
        best = max(sets, key=lambda tiers: sets[tiers])
        if best == _NOTHING and sets[best] < self.refuse_at and len(sets) > 1:
            return max((tiers for tiers in sets if tiers), key=lambda tiers: sets[tiers])
        return best
