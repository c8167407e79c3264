"""Many questions judged at once, for training and gating; the same as one by one."""

from collections.abc import Sequence

import numpy as np

from router import regression
from router.features import N_SLOTS, Features
from router.model import Floats, Judgement, RouterModel, TierSet, Weights, named, signs
from router.policy import Policy
from router.seen import Seen
from router.training import fit_of, rows_of


class Batch:
    """Questions, as rows that any model can score; all are encoded, or none."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        self._is_encoded = all(item.whole.vector.size for item in seen)
        self._whole = _rows([item.whole for item in seen], with_vector=self._is_encoded)
        self._clauses = _rows([c for item in seen for c in item.clauses], with_vector=False)
        self._ends = np.cumsum([0, *(len(item.clauses) for item in seen)])

    def routes(self, model: RouterModel) -> list[TierSet]:
        """Return the tiers that a model sends each question to."""
        policy = Policy()
        told = (named(model.sets, row) for row in self._probabilities(model))
        return [policy.decide(Judgement.of(sets, model.temperatures))[0] for sets in told]

    def _probabilities(self, model: RouterModel) -> Floats:
        """Return the probability of each tier set: (questions, sets)."""
        whole = _scored(model.whole if self._is_encoded else model.clause, self._whole)
        clauses = _scored(model.clause, self._clauses)
        found = signs(model.sets, whole, clauses, self._ends)
        return regression.softmax(found @ model.join.weights + model.join.bias)


def _rows(found: Sequence[Features], *, with_vector: bool) -> regression.Rows:
    return rows_of(found, np.arange(N_SLOTS), with_vector=with_vector)


def _scored(weights: Weights, rows: regression.Rows) -> Floats:
    return fit_of(weights, with_vector=bool(rows.dense.shape[1])).probabilities(rows)
