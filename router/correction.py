"""Corrects a trained model by labels given later, and holds it where it is elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from router import regression
from router.features import N_SLOTS
from router.model import Floats, RouterModel, TierSet, Weights
from router.seen import Seen
from router.training import fit_of, rows_of

_STRENGTH: Final = 0.1
"""Inverse of what holds the weights where they are; measured by ``bench.feedback``."""
_HOLD: Final = 0.05
"""What an anchor weighs beside a label; measured by ``bench.feedback``."""
_MIN_COUNT: Final = 2
"""A slot in fewer questions is left as it is."""


class Correction:
    """A model, labels that it does not know, and anchors: questions where it is to stay as it is.

    Every label is one of the model's sets. An anchor's target is what the model says itself, as in
    "Learning without forgetting", Li and Hoiem 2016.
    """

    def __init__(
        self,
        model: RouterModel,
        seen: Sequence[Seen],
        labels: Sequence[TierSet],
        anchors: Sequence[Seen],
    ) -> None:
        self._model = model
        self._n = len(seen)
        self._found = [item.whole for item in (*seen, *anchors)]
        self._target = np.array([model.sets.index(label) for label in labels], dtype=np.int64)
        counts = np.zeros(N_SLOTS, dtype=np.int64)
        for item in self._found:
            counts[item.slots] += 1
        self._kept = np.flatnonzero(counts >= _MIN_COUNT)
        self._whole = self._fitting(model.whole)
        self._folds: dict[int, regression.Fit] = {}

    def before(self) -> Floats:
        """Return what the model says of the labelled questions: (questions, sets)."""
        return regression.softmax(self._whole.offset[: self._n])

    def out_of_fold(self, weight: Floats, n_folds: int) -> Floats:
        """Return what models say that were corrected without the question: (questions, sets).

        Asked again with nearly the same weights, it begins where it ended.
        """
        found = self.before()
        fold = np.arange(self._n) % n_folds
        for number in range(min(n_folds, self._n)):
            held = np.flatnonzero(fold == number)
            without = weight.copy()
            without[held] = 0
            step = self._whole.step(self._target, without, self._folds.get(number))
            self._folds[number] = step
            rows = self._whole.rows.take(held)
            found[held] = regression.softmax(step.scores(rows) + self._whole.offset[held])
        return found

    def corrected(self, weight: Floats) -> RouterModel:
        """Return the model, corrected by the labels, each of its weight."""
        clause = self._fitting(self._model.clause)
        return replace(
            self._model,
            whole=self._whole.moved(self._whole.step(self._target, weight), self._kept),
            clause=clause.moved(clause.step(self._target, weight), self._kept),
        )

    def _fitting(self, weights: Weights) -> "_Fitting":
        with_vector = bool(weights.vector.size) and all(item.vector.size for item in self._found)
        every = rows_of(self._found, np.arange(N_SLOTS), with_vector=with_vector)
        rows = regression.Rows(every.sparse[:, self._kept], every.dense)
        offset = fit_of(weights, with_vector=with_vector).scores(every)
        return _Fitting(weights, rows, offset)


@dataclass(frozen=True, slots=True)
class _Fitting:
    """One of the two linear models, with the questions that it is corrected on, anchors last."""

    weights: Weights
    rows: regression.Rows
    offset: Floats
    """What it says of them, as scores: (questions, sets)."""

    def step(
        self, target: NDArray[np.int64], weight: Floats, start: regression.Fit | None = None
    ) -> regression.Fit:
        """Return what is to be added to the weights; labels of no weight are left out."""
        wanted = regression.softmax(self.offset)
        wanted[: len(target)] = 0
        wanted[np.arange(len(target)), target] = 1
        counted = np.concatenate(
            [weight, np.full(len(wanted) - len(target), _HOLD, dtype=np.float32)]
        )
        kept = np.flatnonzero(counted)
        rows, offset = self.rows.take(kept), self.offset[kept]
        return regression.fit_soft(rows, wanted[kept], counted[kept], _STRENGTH, offset, start)

    def moved(self, step: regression.Fit, kept: NDArray[np.int64]) -> Weights:
        """Return the weights after a step."""
        slots = self.weights.slots.copy()
        slots[kept] += step.sparse
        vector = self.weights.vector
        if step.dense.size:
            vector = vector + step.dense
        return Weights(slots, vector, self.weights.bias + step.bias)
