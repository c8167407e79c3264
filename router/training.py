"""Trains the router on labelled questions."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from router.features import N_SLOTS, Features, features
from router.model import SLOT_SCALE, VECTOR_SCALE, RouterModel, TierSet, Weights
from trivium.domain.errors import DataError
from trivium.domain.question import TierName, Understood

_STRENGTH: Final = 3.0
"""Inverse of the regularisation; 3 and 10 are alike across domains."""
_FOLDS: Final = 5
_MIN_ROWS: Final = 50
_MIN_COUNT: Final = 3
"""A slot in fewer rows is left out; 1 lost half a point across domains in six times the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A labelled question: the tiers that it needs, and other sets that are right too."""

    question: Understood
    tiers: TierSet
    also_ok: tuple[TierSet, ...] = ()
    group: str = ""
    """Its domain: calibration never sees a domain that it was fitted on."""

    def accepts(self, tiers: TierSet) -> bool:
        """Whether a route is right."""
        return tiers == self.tiers or tiers in self.also_ok


def train(examples: Sequence[Example], *, created_at: str) -> RouterModel:
    """Return a calibrated model; the same examples give the same model.

    Raises:
        DataError: there are too few examples, or all have one label.
    """
    labels = [example.tiers for example in examples]
    sets = tuple(sorted(set(labels), key=lambda tiers: (len(tiers), tiers)))
    if len(examples) < _MIN_ROWS or len(sets) < 2:
        raise DataError(f"{len(examples)} examples of {len(sets)} labels are too few to train on")
    found = [features(example.question) for example in examples]
    target = np.array([sets.index(label) for label in labels])
    groups = np.array([example.group for example in examples])
    has_vectors = all(f.vector.size for f in found)
    whole = _fit(_matrix(found, with_vector=has_vectors), target, groups, len(sets))
    clause = _fit(_matrix(found, with_vector=False), target, groups, len(sets))
    digest = _digest(examples)
    return RouterModel(
        version=f"{created_at[:10]}-{digest[:8]}",
        sets=sets,
        whole=whole,
        clause=clause,
        card={
            "created_at": created_at,
            "n_examples": len(examples),
            "domains": sorted(set(map(str, groups))),
            "examples_sha256": digest,
        },
    )


@dataclass(frozen=True, slots=True)
class _Matrix:
    """Examples as rows, with the slots that are common enough, and the encoding."""

    values: NDArray[np.float32]
    slots: NDArray[np.int64]
    """The slot of each of the first columns."""


def _matrix(found: Sequence[Features], *, with_vector: bool) -> _Matrix:
    counts = np.zeros(N_SLOTS, dtype=np.int64)
    for item in found:
        counts[item.slots] += 1
    kept = np.flatnonzero(counts >= _MIN_COUNT)
    column = np.full(N_SLOTS, -1, dtype=np.int64)
    column[kept] = np.arange(kept.size)
    values = np.zeros((len(found), kept.size), dtype=np.float32)
    for index, item in enumerate(found):
        own = column[item.slots]
        values[index, own[own >= 0]] = SLOT_SCALE / np.sqrt(max(1, item.slots.size))
    if with_vector:
        vectors = np.stack([item.vector for item in found]) * VECTOR_SCALE
        values = np.hstack([values, vectors.astype(np.float32)])
    return _Matrix(values, kept)


def _fit(
    matrix: _Matrix, target: NDArray[np.int64], groups: NDArray[np.str_], n_sets: int
) -> Weights:
    """Fit on all rows, with a temperature that is right for rows of domains not fitted on."""
    temperature = _temperature(matrix.values, target, groups, n_sets)
    model = _regression().fit(matrix.values, target)
    is_two = len(model.classes_) == 2
    columns = _two(model.coef_[0]) if is_two else model.coef_.T
    weights = np.zeros((matrix.values.shape[1], n_sets), dtype=np.float32)
    bias = np.full(n_sets, -20.0, dtype=np.float32)
    weights[:, model.classes_] = columns
    bias[model.classes_] = _two(model.intercept_[0]) if is_two else model.intercept_
    slots = np.zeros((N_SLOTS, n_sets), dtype=np.float32)
    slots[matrix.slots] = weights[: matrix.slots.size]
    return Weights(slots, weights[matrix.slots.size :], bias, temperature)


def _two(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spread the one column of a two-class model over two."""
    return np.stack([-value / 2, value / 2], axis=-1)


def _regression() -> LogisticRegression:
    return LogisticRegression(C=_STRENGTH, max_iter=400, tol=1e-3)


def _temperature(
    matrix: NDArray[np.float32],
    target: NDArray[np.int64],
    groups: NDArray[np.str_],
    n_sets: int,
) -> float:
    """Return the temperature under which out-of-domain predictions are calibrated."""
    n_groups = len(set(groups))
    if n_groups < 2:
        return 1.0
    scores = np.full((len(target), n_sets), -20.0)
    for fitted, held in GroupKFold(min(_FOLDS, n_groups)).split(matrix, target, groups):
        model = _regression().fit(matrix[fitted], target[fitted])
        decided = model.decision_function(matrix[held])
        if decided.ndim == 1:
            decided = _two(decided)
        scores[np.ix_(held, model.classes_)] = decided

    def loss(log_temperature: float) -> float:
        scaled = scores / np.exp(log_temperature)
        scaled -= scaled.max(axis=1, keepdims=True)
        log_p = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        return float(-log_p[np.arange(len(target)), target].mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))


def _digest(examples: Sequence[Example]) -> str:
    digest = hashlib.sha256()
    for example in examples:
        label = "+".join(tier.value for tier in example.tiers)
        digest.update(f"{example.group}\0{example.question.text}\0{label}\n".encode())
    return digest.hexdigest()


def tier_set(names: Sequence[str]) -> TierSet:
    """Return a label as a set of tiers, in their order."""
    return tuple(tier for tier in TierName if tier.value in names)
