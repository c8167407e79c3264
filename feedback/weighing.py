"""Weighs claims: how far each is believed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from feedback.claims import Claim, Record
from router.correction import Correction
from router.model import Floats

_ADMIN: Final = 0.98
"""How often an admin is right."""
_DOUBT: Final = 0.1
"""How often the model is taken to be wrong outright, whatever it believes."""
_MOST: Final = 0.2
"""The largest share of the weight that one rater has, where there are enough raters."""
_THUMB: Final = 0.3
"""What a thumb up weighs beside a label."""
_FOLDS: Final = 4
_ROUNDS: Final = 2


@dataclass(frozen=True, slots=True)
class Weighed:
    """What each claim counts in training, of 1, and which confirmed ones look wrong."""

    weight: Floats
    suspicious: frozenset[str]


def weigh(
    correction: Correction,
    claims: Sequence[Claim],
    labels: Sequence[int],
    records: Mapping[str, Record],
) -> Weighed:
    """Weigh claims by the probability that each is right.

    A claim is held against what a model says that was corrected by the other claims alone, and
    against how often its rater is right; whoever is wrong may say any other set. Claims and model
    are brought to agree in a few rounds. A confirmed label that looks wrong counts nothing.

    Source: Dawid and Skene 1979 (one coin for each rater), Raykar et al. 2010 (with a classifier).

    Args:
        correction: of the claims.
        claims: in the order in which the correction has them.
        labels: the place of each claim's set among the model's sets.
        records: by rater.
    """
    trust = np.array([_trust(claim, records) for claim in claims], dtype=np.float32)
    target, told = np.array(labels), correction.before()
    weight = _believed(claims, target, told, trust)
    for _ in range(_ROUNDS):
        told = correction.out_of_fold(weight, _FOLDS)
        weight = _believed(claims, target, told, trust)
    doubted = _suspicious(claims, target, told)
    weight[doubted] = 0
    ids = frozenset(claim.id for claim, is_one in zip(claims, doubted, strict=True) if is_one)
    return Weighed(weight, ids)


def _believed(
    claims: Sequence[Claim], target: NDArray[np.int64], told: Floats, trust: Floats
) -> Floats:
    """Return what each claim counts, by what a model says of all sets: (claims, sets)."""
    is_thumb = np.array([claim.is_thumb for claim in claims])
    n_others = np.where(is_thumb, 1, told.shape[1] - 1).astype(np.float32)
    own = (1 - _DOUBT) * told[np.arange(len(target)), target] + _DOUBT / told.shape[1]
    believed = _posterior(own, trust, n_others) * np.where(is_thumb, _THUMB, 1)
    return (believed * _capped(claims, believed)).astype(np.float32)


def _trust(claim: Claim, records: Mapping[str, Record]) -> float:
    return _ADMIN if claim.is_confirmed else records.get(claim.rater, Record(0, 0)).reliability


def _posterior(own: Floats, trust: Floats, n_others: Floats) -> Floats:
    """Return the probability that a claim is right, by Bayes' rule.

    Args:
        own: what the model believes of it.
        trust: how often whoever says it is right.
        n_others: how many other things they could have said: any other set, or thumb down.
    """
    for_it, against = own * trust, (1 - own) * (1 - trust) / n_others
    return (for_it / (for_it + against)).astype(np.float32)


def _capped(claims: Sequence[Claim], believed: Floats) -> Floats:
    """Return the factor that keeps each rater's proposals within a share of all weight."""
    total: dict[str, float] = defaultdict(float)
    for claim, belief in zip(claims, believed, strict=True):
        if not claim.is_confirmed:
            total[claim.rater] += float(belief)
    if len(total) < 2:
        return np.ones(len(claims), dtype=np.float32)
    share, every = max(_MOST, 1 / len(total)), float(believed.sum())
    factors = {
        rater: min(1.0, share / (1 - share) * (every - own) / max(own, 1e-9))
        for rater, own in total.items()
    }
    return np.array([1.0 if c.is_confirmed else factors[c.rater] for c in claims], dtype=np.float32)


def _suspicious(
    claims: Sequence[Claim], target: NDArray[np.int64], told: Floats
) -> NDArray[np.bool_]:
    """Return which confirmed labels are likely wrong, by confident learning.

    Source: Northcutt et al. 2021, "Confident learning".
    """
    from cleanlab.filter import find_label_issues  # noqa: PLC0415  # seconds; only training needs it

    found = np.zeros(len(claims), dtype=np.bool_)
    confirmed = np.flatnonzero([claim.is_confirmed for claim in claims])
    found[confirmed] = find_label_issues(
        target[confirmed], told[confirmed], filter_by="confident_learning", n_jobs=1
    )
    return found
