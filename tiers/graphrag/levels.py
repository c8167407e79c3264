"""Walks over sparse matrices, a whole level at a time, so that a hub costs no more than its row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy import sparse

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int32]


def along(matrix: "sparse.csr_array", rows: Ints) -> tuple[Ints, Ints]:
    """Return the entries of some rows, row after row: the row and the column of each."""
    starts, counts = matrix.indptr[rows], n_along(matrix, rows)
    first = np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return np.repeat(rows, counts), matrix.indices[first + np.arange(len(first))]


def n_along(matrix: "sparse.csr_array", rows: Ints) -> Ints:
    """Return how many entries each of some rows has."""
    counts: Ints = matrix.indptr[rows + 1] - matrix.indptr[rows]
    return counts


def distinct(rows: Ints) -> Ints:
    """Return rows in order, each once: a tenth of the time of ``np.unique``, which hashes them."""
    ordered = np.sort(rows)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def places_between(
    adjacency: "sparse.csr_array",
    source: int,
    target: int,
    is_end: Callable[[Ints], Flags],
    look: Callable[[int], bool],
) -> Places | None:
    """Return the place of each row on the shortest ways between two rows, ``source`` being 1.

    From ``target``, what stands ``before`` leads back along all shortest ways, and along no other.
    ``None`` when the rows are not joined, or when ``look``, which is told how many
    entries are read next, says to stop. What ``is_end`` is not passed through.

    Source: bidirectional breadth-first search, Pohl 1971.
    """
    n = int(adjacency.shape[0])
    start, end = _Side.at(source, n), _Side.at(target, n)
    met = start.rim[end.steps[start.rim] > 0]
    while not len(met):
        is_start = start.cost(adjacency) <= end.cost(adjacency)
        side, other = (start, end) if is_start else (end, start)
        if not look(side.cost(adjacency)):
            return None
        side.grow(adjacency, other, is_end)
        if not len(side.rim):
            return None
        met = side.rim[other.steps[side.rim] > 0]
    return _joined(adjacency, start.steps, end.steps, met)


def before(adjacency: "sparse.csr_array", places: Places, row: int) -> Ints:
    """Return the rows that come before one on the shortest ways, in order."""
    near: Ints = adjacency.indices[adjacency.indptr[row] : adjacency.indptr[row + 1]]
    return near[places[near] == places[row] - 1] if places[row] > 1 else near[:0]


@dataclass(slots=True)
class _Side:
    """What was reached from one of the two ends."""

    steps: Places
    """By row, the steps from the end and one more; 0 where it was not reached."""
    rim: Ints
    """The level that was reached last."""

    @classmethod
    def at(cls, end: int, n: int) -> "_Side":
        steps = np.zeros(n, dtype=np.int32)
        steps[end] = 1
        return cls(steps, np.array([end]))

    def cost(self, adjacency: "sparse.csr_array") -> int:
        """Return how many entries the next level reads."""
        return int(n_along(adjacency, self.rim).sum())

    def grow(
        self, adjacency: "sparse.csr_array", other: "_Side", is_end: Callable[[Ints], Flags]
    ) -> None:
        depth = self.steps[self.rim[0]] + 1
        near = along(adjacency, self.rim)[1]
        near = distinct(near[self.steps[near] == 0])
        self.rim = near[~is_end(near) | (other.steps[near] == 1)]
        self.steps[self.rim] = depth


def _joined(adjacency: "sparse.csr_array", places: Places, to_end: Places, met: Ints) -> Places:
    """Go on from where the two sides met, straight to the end; ``places`` gets the places there."""
    level, place = met, places[met[0]]
    for left in range(int(to_end[met[0]]) - 1, 0, -1):
        near = along(adjacency, level)[1]
        level, place = distinct(near[to_end[near] == left]), place + 1
        places[level] = place
    return places
