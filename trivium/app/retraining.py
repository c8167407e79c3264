"""Retraining the router of an open service: versions, promotion, the way back."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import structlog
from pydantic import BaseModel, ConfigDict, Field

from feedback.claims import TOO_FEW, Claim, Record, suffices
from feedback.labels import Labelled
from router.model import RouterModel
from router.registry import Registry
from router.router import LearnedRouter
from router.seen import Seen
from trivium.domain.errors import ConflictError, DataError
from trivium.domain.ports import Encoder
from trivium.domain.question import Question
from trivium.language.reading import QuestionReader

if TYPE_CHECKING:
    from feedback.trainer import Report
    from trivium.app.gating import GateSets


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the router is trained on.

    Attributes:
        confirmed: labels of admins.
        proposed: labels of raters, about which nobody decided.
        records: of each rater, how often admins confirmed what was proposed.
        liked: the routes of answers with a thumb up.
    """

    confirmed: Sequence[Labelled] = ()
    proposed: Sequence[Labelled] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    liked: Sequence[Labelled] = ()


class Ear(Protocol):
    """Hears what people say of routes.

    Raises:
        DependencyError: the database did not answer.
    """

    async def n_confirmed(self) -> int:
        """Return how many labels admins decided."""
        ...

    async def evidence(self) -> Evidence:
        """Return all that was ever said."""
        ...


_log = structlog.get_logger(__name__)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ComparisonResponse(_Model):
    """Champion and challenger on the gate set: over all, or for one tier."""

    of: str
    champion: float
    challenger: float
    n_lost: int = Field(description="Questions that only the champion gets right.")
    n_won: int = Field(description="Questions that only the challenger gets right.")
    least: float = Field(description="The lower bound of the gain, of 1.")
    is_passed: bool


class RetrainingResponse(_Model):
    """What became of a training."""

    is_promoted: bool
    champion: str
    challenger: str | None
    reason: str | None = Field(description="Why it was refused; null when it serves.")
    margin: float
    confidence: float
    gate: list[ComparisonResponse]
    n_confirmed: int
    n_proposed: int
    suspicious: list[str] = Field(description="Answers whose confirmed label looks wrong.")
    raters: dict[str, float]


class VersionResponse(_Model):
    """A version of the router, and its card."""

    version: str
    is_serving: bool
    card: dict[str, object]


class VersionsResponse(_Model):
    """All versions, oldest first; the shipped one is the first."""

    versions: list[VersionResponse]


@dataclass(slots=True, kw_only=True)
class Retraining:
    """Trains the router of a service, one training at a time, off the event loop.

    Attributes:
        after: the number of labels confirmed since the last training at which the router is
            trained by itself; 0 for never.
    """

    registry: Registry
    router: LearnedRouter
    reader: QuestionReader
    encoder: Encoder
    ear: Ear
    after: int
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _sets: "GateSets | None" = None
    _n_seen: int = 0

    async def retrain(self) -> dict[str, object]:
        """Train a challenger from all that was said; return the report.

        Raises:
            ConflictError: a training is at work.
            DependencyError: a store, or the encoder, did not answer.
        """
        return (await self._trained(await self.ear.evidence())).to_json()

    async def retrain_when_due(self) -> None:
        """Train once there are enough new labels; what was refused is not tried again at once."""
        if not self.after or self._lock.locked():
            return
        if await self.ear.n_confirmed() >= self._n_seen + self.after:
            await self._trained(await self.ear.evidence())

    async def _trained(self, heard: Evidence) -> "Report":
        if self._lock.locked():
            raise ConflictError("The router is being trained: ask again when that is done.")
        async with self._lock:
            self._n_seen = len(heard.confirmed)
            claims = [await self._claim(own, is_confirmed=True) for own in heard.confirmed]
            claims += [await self._claim(own) for own in heard.proposed]
            claims += [await self._claim(own, is_thumb=True) for own in heard.liked]
            report = await self._judged(claims, heard.records)
            if report.is_promoted:
                self.router.serve(await asyncio.to_thread(self.registry.current))
            _log.info(
                "router_trained",
                is_promoted=report.is_promoted,
                challenger=report.challenger,
                reason=report.reason,
                n_confirmed=report.n_confirmed,
            )
            return report

    async def _judged(self, claims: Sequence[Claim], records: Mapping[str, Record]) -> "Report":
        from feedback.trainer import Report, retrain  # noqa: PLC0415  # scipy: not to serve
        from trivium.app.gating import gate_sets  # noqa: PLC0415  # as well

        if not suffices(claims):
            champion = await asyncio.to_thread(self.registry.current)
            return Report(champion=champion.version, reason=TOO_FEW)
        self._sets = self._sets or await gate_sets(self.encoder)
        sets = self._sets
        return await asyncio.to_thread(
            retrain, self.registry, claims, records, sets.anchors, sets.gate
        )

    async def _claim(
        self, label: Labelled, *, is_confirmed: bool = False, is_thumb: bool = False
    ) -> Claim:
        asked = Question(text=label.question, history=label.history, tenant=label.tenant)
        return Claim(
            id=label.id,
            seen=Seen.of(await self.reader.encoded(asked)),
            tiers=label.tiers,
            rater=label.rater,
            is_confirmed=is_confirmed,
            is_thumb=is_thumb,
        )

    async def versions(self) -> dict[str, object]:
        """Return all versions with their cards."""
        return await asyncio.to_thread(self._versions)

    def _versions(self) -> dict[str, object]:
        base = self.registry.base()
        cards: dict[str, Mapping[str, object]] = {base.version: base.card}
        cards |= {version: self.registry.card(version) for version in self.registry.versions()}
        return {
            "versions": [
                {
                    "version": version,
                    "is_serving": version == self.router.model_version,
                    "card": dict(card),
                }
                for version, card in cards.items()
            ]
        }

    async def promote(self, version: str) -> dict[str, object]:
        """Let a version serve; return all.

        Raises:
            NotFoundError: there is none of that name.
            ConflictError: its file is damaged; what served goes on.
        """
        return await self._change(lambda: self.registry.promote(version))

    async def rollback(self) -> dict[str, object]:
        """Let what served before serve again; return all.

        Raises:
            ConflictError: there is nothing to go back to, or its file is damaged.
        """
        return await self._change(self.registry.rollback)

    async def _change(self, step: Callable[[], RouterModel]) -> dict[str, object]:
        try:
            model = await asyncio.to_thread(step)
        except DataError as error:
            _log.error("router_model_unusable", error=str(error))
            raise ConflictError(f"This version cannot serve: {error}") from error
        self.router.serve(model)
        _log.info("router_serves", version=model.version)
        return await self.versions()
