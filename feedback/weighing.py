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
_DOUBT: Final = 0.02
"""How often the model is taken to be wrong outright, whatever it believes."""
_PRIOR: Final = (7.0, 3.0)
"""What is thought of all raters before any claim: right and wrong in ten."""
_ALIKE: Final = 10.0
"""Of how many claims it takes to tell a rater from the others."""
_MOST_RELIABLE: Final = 0.9
"""No rater is believed more: one who agrees a hundred times may mislead once."""
_MOST: Final = 0.2
"""The largest share of the weight that one rater has, where there are enough raters."""
_FOLDS: Final = 4
_ROUNDS: Final = 3
_STEPS: Final = 5
"""In which raters and their claims are brought to agree."""


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
    against how often its rater is right: where an admin decided, and as far as the model can tell,
    elsewhere. Whoever is wrong may say any other set; who is wrong with a thumb up, one thing.
    Claims, raters and model are brought to agree in a few rounds. A confirmed label that looks
    wrong counts nothing.

    Source: Dawid and Skene 1979 (one coin for each rater), Raykar et al. 2010 (with a classifier).

    Args:
        correction: of the claims.
        claims: in the order in which the correction has them.
        labels: the place of each claim's set among the model's sets.
        records: by rater.
    """
    target, told = np.array(labels), correction.before()
    weight = _believed(claims, target, told, records)
    for _ in range(_ROUNDS):
        told = correction.out_of_fold(weight, _FOLDS)
        weight = _believed(claims, target, told, records)
    doubted = _suspicious(claims, target, told)
    weight[doubted] = 0
    ids = frozenset(claim.id for claim, is_one in zip(claims, doubted, strict=True) if is_one)
    return Weighed(weight, ids)


def _believed(
    claims: Sequence[Claim],
    target: NDArray[np.int64],
    told: Floats,
    records: Mapping[str, Record],
) -> Floats:
    """Return what each claim counts, by what a model says of all sets: (claims, sets)."""
    is_thumb = np.array([claim.is_thumb for claim in claims])
    n_others = np.where(is_thumb, 1, told.shape[1] - 1).astype(np.float32)
    own = (1 - _DOUBT) * told[np.arange(len(target)), target] + _DOUBT / told.shape[1]
    reliable = _reliable((), np.zeros(0, dtype=np.float32), records)
    for _ in range(_STEPS):
        right = _posterior(own, _trust(claims, reliable), n_others)
        reliable = _reliable(claims, right, records)
    return (right * _capped(claims, right)).astype(np.float32)


def _trust(claims: Sequence[Claim], reliable: Mapping[str, float]) -> Floats:
    """Return how often whoever makes a claim is right, claim by claim."""
    unknown = _PRIOR[0] / sum(_PRIOR)
    trust = [_ADMIN if c.is_confirmed else reliable.get(c.rater, unknown) for c in claims]
    return np.array(trust, dtype=np.float32)


def _reliable(
    claims: Sequence[Claim], right: Floats, records: Mapping[str, Record]
) -> dict[str, float]:
    """Return how often each rater is right, drawn to what is known of all of them."""
    n_right = defaultdict(float, {rater: float(own.n_right) for rater, own in records.items()})
    n_said = defaultdict(float, {rater: float(own.n_decided) for rater, own in records.items()})
    for claim, belief in zip(claims, right, strict=True):
        if not claim.is_confirmed:
            n_right[claim.rater] += float(belief)
            n_said[claim.rater] += 1
    good, bad = _PRIOR
    every = (sum(n_right.values()) + good) / (sum(n_said.values()) + good + bad)
    return {
        rater: min((n_right[rater] + _ALIKE * every) / (n_said[rater] + _ALIKE), _MOST_RELIABLE)
        for rater in n_said
    }


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
