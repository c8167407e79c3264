"""Labelled questions: what admins decided, as the trainer takes it."""

from dataclasses import dataclass

from trivium.domain.question import TierName, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A question, and the tiers that an admin says it should have gone to."""

    id: str
    question: str
    history: tuple[Turn, ...]
    tiers: tuple[TierName, ...]
    """Maybe none: then no tier should have been asked."""
    rater: str
    at: str
    """When it was decided, ISO in UTC."""
    tenant: str
