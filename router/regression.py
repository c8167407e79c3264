"""Multinomial logistic regression on many sparse columns and a few dense ones, by L-BFGS."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from threadpoolctl import threadpool_limits

Floats = NDArray[np.float32]

_MAX_STEPS: Final = 60
"""More overfit: 120 with weaker regularisation lost a point across domains."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What a model is fitted on or scores: a sparse part and a dense part, either may be empty."""

    sparse: csr_matrix
    dense: Floats

    def take(self, index: NDArray[np.int64]) -> "Rows":
        """Return some of the rows."""
        return Rows(self.sparse[index], self.dense[index])


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model: ``sparse`` (columns, classes), ``dense`` (columns, classes), ``bias``."""

    sparse: Floats
    dense: Floats
    bias: Floats

    def probabilities(self, rows: Rows) -> Floats:
        """Return the probability of each class, row by row."""
        return softmax(self.scores(rows))

    def scores(self, rows: Rows) -> Floats:
        """Return the score of each class, row by row: (rows, classes)."""
        result: Floats = rows.sparse @ self.sparse + rows.dense @ self.dense + self.bias
        return result


def softmax(scores: Floats) -> Floats:
    """Return scores as probabilities, row by row."""
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Floats = (grown / grown.sum(axis=1, keepdims=True)).astype(np.float32)
    return result


def fit(
    rows: Rows, target: NDArray[np.int64], n_classes: int, weight: Floats, strength: float
) -> Fit:
    """Fit to classes; ``strength`` is the inverse of the regularisation."""
    wanted = np.zeros((len(target), n_classes), dtype=np.float32)
    wanted[np.arange(len(target)), target] = 1
    return fit_soft(rows, wanted, weight, strength)


def fit_soft(
    rows: Rows,
    wanted: Floats,
    weight: Floats,
    strength: float,
    offset: Floats | None = None,
    start: Fit | None = None,
) -> Fit:
    """Fit to the probability that each class should have, row by row: (rows, classes).

    With an ``offset``, the scores (rows, classes) of another model, what comes back is to be added
    to that model; then the bias is held small too. From a ``start`` that is near, it takes less.
    """
    n_classes = wanted.shape[1]
    held = slice(None, -1) if offset is None else slice(None)
    base = np.float32(0) if offset is None else offset
    sparse, flipped = rows.sparse.tocsr(), rows.sparse.T.tocsr()
    n_sparse, n_dense = sparse.shape[1], rows.dense.shape[1]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        table = flat.reshape(-1, n_classes).astype(np.float32)
        model = _model(table, n_sparse)
        found = softmax(model.scores(rows) + base)
        missed = -(wanted * np.log(np.maximum(found, 1e-9))).sum(axis=1)
        error = weight[:, None] * (found - wanted)
        slope = np.vstack([flipped @ error, rows.dense.T @ error, error.sum(axis=0)[None]])
        slope[held] += table[held] / strength
        value = float((weight * missed).sum() + (table[held] ** 2).sum() / (2 * strength))
        return value, slope.astype(np.float64).ravel()

    first = np.zeros((n_sparse + n_dense + 1) * n_classes)
    if start is not None:
        first = np.vstack([start.sparse, start.dense, start.bias]).astype(np.float64).ravel()
    options = {"maxiter": _MAX_STEPS, "ftol": 1e-5}
    with threadpool_limits(limits=1):  # ten times slower with two where others want the cores
        best = minimize(loss, first, jac=True, method="L-BFGS-B", options=options).x
    return _model(best.reshape(-1, n_classes).astype(np.float32), n_sparse)


def _model(table: Floats, n_sparse: int) -> Fit:
    return Fit(table[:n_sparse], table[n_sparse:-1], table[-1])
