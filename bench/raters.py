"""Simulated ratings of routes: what raters say, and what an admin makes of it.

A rating is a question, the route it was given, a thumb, and for a down the tiers that the rater
proposes. A wrong one flips the thumb: up where the route is wrong, down with a wrong proposal where
it is right. One report in ten reaches an admin, who is right 98 times in 100.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from feedback.claims import Claim, Record
from feedback.gate import Gated
from router.batch import Batch
from router.model import RouterModel, TierSet

_ADMIN_SEES: Final = 0.1
_ADMIN_RIGHT: Final = 0.98


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating, and what an admin made of the report, if one saw it."""

    at: int
    route: TierSet
    rater: str
    proposal: TierSet | None
    """None for a thumb up."""
    verdict: TierSet | None

    @property
    def said(self) -> TierSet:
        """The tiers that the question needs, as far as this tells."""
        if self.verdict is not None:
            return self.verdict
        return self.route if self.proposal is None else self.proposal


class Crowd:
    """Raters, some of whose ratings are wrong, and an admin."""

    def __init__(self, sets: Sequence[TierSet], noise: float, seed: int) -> None:
        self._sets, self._noise, self._dice = sets, noise, random.Random(f"{seed} {noise}")

    def rate(
        self, model: RouterModel, rows: Sequence[Gated], places: Sequence[int], rater: str = ""
    ) -> Iterator[Rated]:
        """Rate the routes that a model gives some questions; by one rater, or by any."""
        said = Batch([rows[at].seen for at in places]).routes(model) if places else []
        for at, route in zip(places, said, strict=True):
            yield self._rated(at, rows[at], route, rater or f"rater {self._dice.randrange(20)}")

    def _rated(self, at: int, row: Gated, route: TierSet, rater: str) -> Rated:
        is_wrong = self._dice.random() < self._noise
        if (route == row.tiers) != is_wrong:
            return Rated(at, route, rater, None, None)
        proposal = self._other(row.tiers) if is_wrong else row.tiers
        verdict = None
        if self._dice.random() < _ADMIN_SEES:
            is_right = self._dice.random() < _ADMIN_RIGHT
            verdict = row.tiers if is_right else self._other(row.tiers)
        return Rated(at, route, rater, proposal, verdict)

    def _other(self, tiers: TierSet) -> TierSet:
        return self._dice.choice([own for own in self._sets if own != tiers])


def claims_of(ratings: Sequence[Rated], rows: Sequence[Gated]) -> list[Claim]:
    """Return what the ratings say: by the admin who decided, else by the rater."""
    return [
        Claim(
            id=f"{n:05d}",
            seen=rows[rated.at].seen,
            tiers=rated.said,
            rater=rated.rater,
            is_confirmed=rated.verdict is not None,
            is_thumb=rated.proposal is None,
        )
        for n, rated in enumerate(ratings)
    ]


def records_of(ratings: Sequence[Rated]) -> dict[str, Record]:
    """Return how each rater did where an admin decided."""
    found: dict[str, Record] = {}
    for rated in ratings:
        if rated.verdict is not None:
            old = found.get(rated.rater, Record(0, 0))
            is_right = rated.proposal == rated.verdict
            found[rated.rater] = Record(old.n_right + is_right, old.n_decided + 1)
    return found
