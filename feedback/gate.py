"""The gate: a challenger is promoted only if it is shown to be no worse than the champion."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from router.batch import Batch
from router.model import RouterModel, TierSet
from router.seen import Seen
from trivium.domain.question import TierName

MARGIN: Final = 0.01
"""What a challenger may lose, of 1."""
CONFIDENCE: Final = 0.95
"""How sure it must be that it loses no more, one-sided."""

Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Gated:
    """A question of the frozen gate set, and the tiers that it needs."""

    seen: Seen
    tiers: TierSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Champion and challenger on the same questions.

    Attributes:
        of: what was compared: ``all`` (exact sets), or a tier (asked where it is needed, and not
            elsewhere).
        champion: the share that it gets right; so ``challenger``.
        n_lost: questions that only the champion gets right; ``n_won``: only the challenger.
        least: the lower bound of what the challenger gains, of 1.
    """

    of: str
    champion: float
    challenger: float
    n_lost: int
    n_won: int
    least: float

    @property
    def is_passed(self) -> bool:
        """Whether the challenger is shown not to lose more than the margin."""
        return self.least >= -MARGIN

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        names = ("of", "champion", "challenger", "n_lost", "n_won", "least", "is_passed")
        return {name: getattr(self, name) for name in names}


class Gate:
    """The frozen gate set."""

    def __init__(self, rows: Sequence[Gated]) -> None:
        self.rows = tuple(rows)
        self._batch = Batch([row.seen for row in rows])

    def compare(self, champion: RouterModel, challenger: RouterModel) -> tuple[Comparison, ...]:
        """Compare two models: over all, then for each tier."""
        said = [self._batch.routes(model) for model in (champion, challenger)]
        return compare(said[0], said[1], [row.tiers for row in self.rows])

    def right(self, model: RouterModel) -> float:
        """Return the share of questions whose set of tiers is exactly right."""
        said = self._batch.routes(model)
        return float(_exact(said, [row.tiers for row in self.rows]).mean())


def compare(
    champion: Sequence[TierSet], challenger: Sequence[TierSet], labels: Sequence[TierSet]
) -> tuple[Comparison, ...]:
    """Compare the routes of two models with the labels: over all, then for each tier."""
    found = [_compared("all", _exact(champion, labels), _exact(challenger, labels))]
    for tier in TierName:
        marks = (_of_tier(tier, champion, labels), _of_tier(tier, challenger, labels))
        found.append(_compared(tier.value, *marks))
    return tuple(found)


def _exact(said: Sequence[TierSet], labels: Sequence[TierSet]) -> Marks:
    return np.array([tiers == label for tiers, label in zip(said, labels, strict=True)])


def _of_tier(tier: TierName, said: Sequence[TierSet], labels: Sequence[TierSet]) -> Marks:
    pairs = zip(said, labels, strict=True)
    return np.array([(tier in tiers) == (tier in label) for tiers, label in pairs])


def _compared(of: str, champion: Marks, challenger: Marks) -> Comparison:
    lost, won = int((champion & ~challenger).sum()), int((challenger & ~champion).sum())
    return Comparison(
        of=of,
        champion=float(champion.mean()),
        challenger=float(challenger.mean()),
        n_lost=lost,
        n_won=won,
        least=least_gain(lost, won, len(champion)),
    )


def least_gain(n_lost: int, n_won: int, n: int) -> float:
    """Return the lower bound of the gain in paired shares, with half a row added to each cell.

    Source: Agresti and Min 2005, "Simple improved confidence intervals for comparing matched
    proportions".

    >>> least_gain(0, 0, 2000) > -0.01, least_gain(60, 20, 2000) > -0.01
    (True, False)
    """
    lost, won, total = n_lost + 0.5, n_won + 0.5, n + 2
    gain = (won - lost) / total
    error = float(np.sqrt((lost + won) / total - gain**2) / np.sqrt(total))
    return gain - NormalDist().inv_cdf(CONFIDENCE) * error
