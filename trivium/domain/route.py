"""Which tiers a question goes to, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from trivium.domain.question import TierName


class Decider(StrEnum):
    """What decided a route."""

    MODEL = "model"
    RULE = "rule"
    CALLER = "caller"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteDecision:
    """The tiers to ask (maybe none), and why."""

    tiers: tuple[TierName, ...]
    decided_by: Decider
    probabilities: Mapping[TierName, float] = field(default_factory=dict)
    """Calibrated: of all questions with 0.8 for a tier, 80 % need it."""
    parts: Mapping[TierName, str] = field(default_factory=dict)
    """The part of the question meant for each tier."""
    reasons: tuple[str, ...] = ()
    model_version: str | None = None
    is_in_turn: bool = False
    """Whether one tier was asked about what another found: then they are told in that order."""
