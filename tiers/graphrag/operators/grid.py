"""What each of some events adds to the risk of everything that it reaches, from the events down."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tiers.graphrag.arrays import of_types
from tiers.graphrag.centrality import Floats
from tiers.graphrag.levels import Ints, along, distinct
from tiers.graphrag.operators.effects import effect_of
from tiers.graphrag.operators.risk import disturbed
from tiers.graphrag.operators.traversal import NodeSet
from tiers.graphrag.projection import projections_of
from tiers.graphrag.view import Scope

_AT_ONCE: Final = 64
"""Starts that go down at once: each is a bit of one number."""
_Bits = NDArray[np.uint64]


def risk_grid(scope: Scope, *, events: NodeSet) -> Mapping[str, Sequence[float]] | None:
    """Return what each event adds to the risk score of all that it reaches, but events; no unit.

    Shape: for each entity that any event adds to, one number for each of ``events``, in their
    order. ``None``, where the time did not allow all of it.
    Source: the paper's Eq. (1), whose outer sum is taken event by event.
    """
    kept = projections_of(scope)
    row_of = kept.arrays.row_of
    felt: dict[int, list[tuple[int, float]]] = {}
    for column, event in enumerate(events):
        for other, weight in disturbed(scope, event):
            felt.setdefault(row_of[other], []).append((column, weight))
    arrays = kept.arrays
    upstream = kept.upstream(scope.moment, lambda name: effect_of(scope.schema, name))
    kinds = {name for name, kind in scope.schema.node_types.items() if kind.is_event}
    passed = ~of_types(arrays.types, arrays.type_of, kinds)
    rows = _reached(scope, upstream.T.tocsr(), np.array(sorted(felt), dtype=np.int64), passed)
    # What is reached, by itself: its places are those in ``rows``.
    walk = _Walk(scope=scope, below=upstream[rows][:, rows].T.tocsr())
    grid = np.zeros((len(rows), len(events)))
    for place, values in walk.factors(np.flatnonzero(np.isin(rows, list(felt)))):
        for column, weight in felt[rows[place]]:
            grid[:, column] += weight * values
    if scope.budget.is_late():
        return None
    grid = np.round(grid, 10)
    is_hit = grid.any(axis=1)
    return dict(zip(arrays.ids[rows[is_hit]].tolist(), grid[is_hit].tolist(), strict=True))


def _reached(
    scope: Scope, below: sparse.csr_array, starts: Ints, passed: NDArray[np.bool_]
) -> Ints:
    """Return the rows that are reached, starts included, over those that may be passed."""
    seen = np.zeros(len(passed), dtype=np.bool_)
    rim = starts[passed[starts]]
    while len(rim) and not scope.budget.is_late():
        seen[rim] = True
        near = along(below, rim)[1]
        rim = distinct(near[passed[near] & ~seen[near]])
    return np.flatnonzero(seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """Goes down from many rows at once, as long as there is time."""

    scope: Scope
    below: sparse.csr_array
    """What feels a fault of each row at once."""

    def factors(self, sources: Ints) -> Iterator[tuple[int, Floats]]:
        """Give, for each source, by what a weight on it counts for each row; in several parts.

        It is the decay, times the parts of the source that the row rests on.
        """
        decay = np.array([0.0, *self.scope.schema.risk.decay])
        for first in range(0, len(sources), _AT_ONCE):
            group = sources[first : first + _AT_ONCE]
            far = self._hops(group, len(decay) - 1)
            of, parts = along(self.below, group)
            for at in range(0, len(distinct(parts)), _AT_ONCE):
                some = distinct(parts)[at : at + _AT_ONCE]
                resting = self._down(some)[0]
                is_here = np.isin(parts, some)
                bits = np.uint64(1) << np.searchsorted(some, parts[is_here]).astype(np.uint64)
                for n, source in enumerate(group):
                    mine = np.bitwise_or.reduce(bits[of[is_here] == source])
                    if mine:
                        yield source, decay[far[n]] * np.bitwise_count(resting & mine)
                if self.scope.budget.is_late():
                    return
            for source in group:
                alone = np.zeros(far.shape[1])
                alone[source] = decay[1]
                yield source, alone

    def _hops(self, group: Ints, most: int) -> NDArray[np.uint8]:
        """Return how far each row is from each of a group, ``most`` where it is further; else 0."""
        far = np.zeros((len(group), self.below.shape[0]), dtype=np.uint8)
        for hops, (rim, fresh) in enumerate(self._down(group)[1][1:], start=1):
            for n in range(len(group)):
                far[n, rim[fresh >> np.uint64(n) & np.uint64(1) > 0]] = min(hops, most)
        return far

    def _down(self, starts: Ints) -> tuple[_Bits, list[tuple[Ints, _Bits]]]:
        """Return which starts reach each row, themselves included, and which do so at each step."""
        found = np.zeros(self.below.shape[0], dtype=np.uint64)
        fresh = np.zeros_like(found)
        rim: Ints = starts
        new: _Bits = np.uint64(1) << np.arange(len(starts), dtype=np.uint64)
        levels = []
        while len(rim) and not self.scope.budget.is_late():
            found[rim] |= new
            levels.append((rim, new))
            fresh[rim] = new
            here, near = along(self.below, rim)
            next_rim = distinct(near)
            carried = fresh[here]
            fresh[rim] = 0
            np.bitwise_or.at(fresh, near, carried)
            reached: _Bits = np.bitwise_and(fresh[next_rim], ~found[next_rim])
            fresh[next_rim] = 0
            rim, new = next_rim[np.flatnonzero(reached)], reached[np.flatnonzero(reached)]
        return found, levels
