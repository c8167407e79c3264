"""Labelled questions: what admins decided and raters propose, as the trainer takes it."""

from dataclasses import dataclass

from trivium.domain.question import TierName, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A question, and the tiers that it should have gone to, as an admin or a rater says."""

    id: str
    question: str
    history: tuple[Turn, ...]
    tiers: tuple[TierName, ...]
    """Maybe none: then no tier should have been asked."""
    rater: str
    at: str
    """When that was said, ISO in UTC."""
    tenant: str
