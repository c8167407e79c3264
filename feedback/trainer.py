"""The trainer: makes a challenger of what was confirmed, and promotes it or refuses it."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

import numpy as np
import structlog
from threadpoolctl import threadpool_limits

from feedback.claims import TOO_FEW, Claim, Record, suffices
from feedback.gate import CONFIDENCE, MARGIN, Comparison, Gate
from feedback.weighing import weigh
from router.correction import Correction
from router.model import Floats, RouterModel, TierSet
from router.registry import Registry
from router.seen import Seen
from trivium.domain.errors import DataError

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of a training.

    Attributes:
        champion: the version that served when it began; ``challenger``: what was trained, if it
            could be.
        reason: why it was refused; ``None`` when it was promoted.
        comparisons: the gate's, empty where it did not come to that.
        n_confirmed: labels of admins that were used; ``n_proposed``: of raters alone.
        suspicious: ids of answers whose confirmed label is set aside for review.
        raters: what each rater's proposals weigh, in confirmed questions.
    """

    champion: str
    challenger: str | None = None
    reason: str | None = None
    comparisons: tuple[Comparison, ...] = ()
    n_confirmed: int = 0
    n_proposed: int = 0
    suspicious: tuple[str, ...] = ()
    raters: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_promoted(self) -> bool:
        """Whether the challenger serves now."""
        return self.reason is None

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        return {
            "is_promoted": self.is_promoted,
            "champion": self.champion,
            "challenger": self.challenger,
            "reason": self.reason,
            "margin": MARGIN,
            "confidence": CONFIDENCE,
            "gate": [comparison.to_json() for comparison in self.comparisons],
            "n_confirmed": self.n_confirmed,
            "n_proposed": self.n_proposed,
            "suspicious": list(self.suspicious),
            "raters": dict(self.raters),
        }


@dataclass(frozen=True, slots=True)
class Trained:
    """A challenger, and the report on how it was made."""

    model: RouterModel
    report: Report


def train_challenger(
    base: RouterModel,
    claims: Sequence[Claim],
    records: Mapping[str, Record],
    anchors: Sequence[Seen],
) -> Trained:
    """Correct the shipped model ``base`` by all claims; the same claims give the same model.

    Args:
        base: what is corrected; a claim of a set that it does not know is left out.
        claims: all that were ever made, not only the new ones.
        records: by rater.
        anchors: questions where the model is to stay as it is.

    Raises:
        DataError: there are too few confirmed labels, or all are one, or the fit failed.
    """
    told = sorted((c for c in claims if c.tiers in base.sets), key=_order)
    if not suffices(told):
        raise DataError(TOO_FEW)
    labels = [claim.tiers for claim in told]
    correction = Correction(base, [claim.seen for claim in told], labels, anchors)
    weighed = weigh(correction, told, [base.sets.index(label) for label in labels], records)
    model = correction.corrected(weighed.weight)
    if not all(np.isfinite(own.slots).all() for own in (model.whole, model.clause)):
        raise DataError("the fit did not converge")
    version = f"{base.version}+{_digest(base, told, weighed.weight)}"
    confirmed = sum(claim.is_confirmed for claim in told)
    report = Report(
        champion="",
        challenger=version,
        n_confirmed=confirmed,
        n_proposed=sum(not (c.is_confirmed or c.is_thumb) for c in told),
        suspicious=tuple(sorted(weighed.suspicious)),
        raters=_by_rater(told, weighed.weight.tolist()),
    )
    card = {**base.card, "corrects": base.version}
    return Trained(replace(model, version=version, card=card), report)


def _order(claim: Claim) -> tuple[str, str, bool, TierSet]:
    return claim.id, claim.rater, claim.is_confirmed, claim.tiers


def _by_rater(claims: Sequence[Claim], weight: Sequence[float]) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    for claim, own in zip(claims, weight, strict=True):
        if not (claim.is_confirmed or claim.is_thumb):
            total[claim.rater] += own
    return {rater: round(total[rater], 3) for rater in sorted(total)}


def _digest(base: RouterModel, claims: Sequence[Claim], weight: Floats) -> str:
    rows = [
        [claim.id, claim.rater, claim.tiers, claim.is_confirmed, round(float(own), 4)]
        for claim, own in zip(claims, weight, strict=True)
    ]
    return sha256(json.dumps([base.version, rows]).encode()).hexdigest()[:8]


def retrain(
    registry: Registry,
    claims: Sequence[Claim],
    records: Mapping[str, Record],
    anchors: Sequence[Seen],
    gate: Gate,
) -> Report:
    """Train a challenger, hold it against the champion, and promote it if it is no worse.

    What is compared is the file that would serve. Whatever goes wrong, the champion stays, one
    event is logged, and the report says why.
    """
    champion = registry.current()
    try:
        with threadpool_limits(1):  # the same on every machine; more threads are slower here
            trained = train_challenger(registry.base(), claims, records, anchors)
        report = replace(trained.report, champion=champion.version)
        if trained.model.version == champion.version:
            return replace(report, reason="nothing was said since the champion was trained")
        registry.keep(trained.model)
        compared = gate.compare(champion, registry.load(trained.model.version))
    except Exception as error:  # noqa: BLE001  # a failing fit must not touch what serves
        _log.error("router_not_trained", champion=champion.version, error=str(error))
        return Report(champion=champion.version, reason=f"it could not be trained: {error}")
    report = _judged(replace(report, comparisons=compared))
    if report.is_promoted and registry.current().version != champion.version:
        report = replace(report, reason="another version was put in service meanwhile")
    registry.describe(trained.model.version, {**trained.model.card, "training": report.to_json()})
    if report.is_promoted:
        registry.promote(trained.model.version)
    return report


def _judged(report: Report) -> Report:
    """Return the report with the reason why the challenger is refused, if it is."""
    failed = [c.of for c in report.comparisons if not c.is_passed]
    if not failed:
        return report
    reason = f"it may be worse by more than {MARGIN:.0%} ({', '.join(failed)})"
    _log.warning("router_refused", challenger=report.challenger, reason=reason)
    return replace(report, reason=reason)
