"""Claims: what raters and admins say that questions need."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from router.model import TierSet
from router.seen import Seen

LEAST_CONFIRMED: Final = 5
"""Confirmed questions without which nothing is trained."""
TOO_FEW: Final = (
    f"too few questions were confirmed: at least {LEAST_CONFIRMED} of two labels are needed"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """That a question needs these tiers.

    Attributes:
        id: of the answer that was rated.
        is_confirmed: whether an admin said so; else it is a rater's proposal.
        is_thumb: whether it is a bare thumb up for the tiers that were asked. It is no label: it
            says where the router did well.
    """

    id: str
    seen: Seen
    tiers: TierSet
    rater: str
    is_confirmed: bool
    is_thumb: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """How a rater did, where an admin decided."""

    n_right: int
    n_decided: int


def suffices(claims: Sequence[Claim]) -> bool:
    """Return whether admins confirmed enough to train on: five questions of two labels."""
    confirmed = [claim.tiers for claim in claims if claim.is_confirmed]
    return len(confirmed) >= LEAST_CONFIRMED and len(set(confirmed)) > 1
