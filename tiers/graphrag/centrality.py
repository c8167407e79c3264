"""Computations on a sparse graph: PageRank, betweenness, components and cut points."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import rustworkx as rx
import scipy
from numpy.typing import NDArray

from tiers.graphrag.levels import Ints, along, distinct

if TYPE_CHECKING:
    from scipy import sparse

Floats: TypeAlias = NDArray[np.float64]

EXACT_UP_TO: Final = 5_000
"""Entities up to which betweenness is exact."""
SAMPLE: Final = 128
"""Entities from which it is estimated beyond."""
_AT_ONCE: Final = 100_000_000
"""Entities times relations that are computed in one piece: 1.3 s on 2 cores at 90 million."""
_DAMPING: Final = 0.85
_TOLERANCE: Final = 1e-6
_TOLERANT_UP_TO: Final = 2_000


def pagerank(adjacency: "sparse.csr_array", max_rounds: int = 200) -> Floats:
    """Return the PageRank of each row of a symmetric matrix.

    The rule that ends it is that of NetworkX up to 2,000 entities, where the tolerance grows
    with their number; beyond, it grows no further, because at a million it would end at once.

    Source: Page et al. 1999, damping 0.85, by power iteration.
    """
    n = int(adjacency.shape[0])
    if n == 0:
        return np.zeros(0)
    weights = np.asarray(adjacency.sum(axis=1), dtype=np.float64)
    loose = weights == 0
    shares = np.divide(1.0, weights, out=np.zeros(n), where=~loose)
    ranks = np.full(n, 1.0 / n)
    for _ in range(max_rounds):
        before = ranks
        flown = adjacency @ (before * shares) + before[loose].sum() / n
        ranks = _DAMPING * flown + (1.0 - _DAMPING) / n
        if np.abs(ranks - before).sum() < min(n, _TOLERANT_UP_TO) * _TOLERANCE:
            break
    return ranks


def components(adjacency: "sparse.csr_array") -> tuple[Ints, Ints]:
    """Return the rows of each group that hangs together, group after group, and the size of each.

    The largest group comes first, equal ones by their first row; rows are in order within each.
    """
    n_groups, labels = scipy.sparse.csgraph.connected_components(adjacency, directed=False)
    sizes = np.bincount(labels, minlength=n_groups)
    rows = np.argsort(labels, kind="stable")
    ordered = np.lexsort((rows[np.cumsum(sizes) - sizes], -sizes))
    place = np.empty(n_groups, dtype=np.int32)
    place[ordered] = np.arange(n_groups)
    return np.argsort(place[labels], kind="stable"), sizes[ordered]


def cut_points(adjacency: "sparse.csr_array") -> Ints:
    """Return the rows without which the graph falls into more pieces.

    Source: Hopcroft and Tarjan 1973.
    """
    return np.array(sorted(rx.articulation_points(_native(adjacency))), dtype=np.int64)


def diameter(adjacency: "sparse.csr_array", is_late: Callable[[], bool]) -> float:
    """Return the greatest number of steps between two rows that are joined.

    Not a number when there are no rows, or when it is late.
    """
    n = int(adjacency.shape[0])
    farthest = 0 if n else math.nan
    for source in range(n):
        paths = np.zeros(n)
        paths[source] = 1.0
        steps = sum(1 for _, reached in _levels(adjacency, source, paths) if len(reached))
        farthest = max(farthest, steps)
        if is_late():
            return math.nan
    return float(farthest)


def _native(adjacency: "sparse.csr_array") -> "rx.PyGraph[None, None]":
    above = scipy.sparse.triu(adjacency, k=1).tocoo()
    graph: rx.PyGraph[None, None] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * int(adjacency.shape[0]))
    graph.add_edges_from_no_data(list(zip(above.row.tolist(), above.col.tolist(), strict=True)))
    return graph


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """On which share of all shortest paths each row lies."""

    values: Floats
    n_sources: int
    """Rows from which paths were counted; all of them when it is exact."""
    is_cut: bool = False
    """Whether the time ran out."""
    error: float | None = 0.0
    """The largest standard error of a value; 0 when it is exact, ``None`` when it is not known."""


def betweenness(adjacency: "sparse.csr_array", is_late: Callable[[], bool]) -> Shares:
    """Return the betweenness of each row: exact up to 5,000 rows, beyond estimated from a sample.

    When it is late, the estimate rests on what was counted until then.

    Source: Freeman 1977, by Brandes 2001; the sample is Brandes and Pich 2007, seeded.
    """
    n = int(adjacency.shape[0])
    if n <= EXACT_UP_TO and n * adjacency.nnz <= _AT_ONCE:
        found = rx.betweenness_centrality(_native(adjacency))
        return Shares(values=np.array([found[i] for i in range(n)]), n_sources=n)
    size = n if n <= EXACT_UP_TO else SAMPLE
    sources = np.random.default_rng(0).permutation(n)[:size]
    total, squares, done = np.zeros(n), np.zeros(n), 0
    for source in sources:
        part = _dependencies(adjacency, int(source), is_late)
        if part is None:
            break
        total += part
        squares += part * part
        done += 1
    return _estimate(total, squares, done, is_cut=done < size)


def _estimate(total: Floats, squares: Floats, done: int, *, is_cut: bool) -> Shares:
    n = len(total)
    scale = 1.0 / ((n - 1) * (n - 2))
    mean = total / max(done, 1)
    spread = np.maximum(squares / max(done, 1) - mean * mean, 0.0) / max(done - 1, 1)
    error = n * scale * float(np.sqrt(spread.max() * (1.0 - done / n)))
    return Shares(
        values=mean * n * scale,
        n_sources=done,
        is_cut=is_cut,
        error=error if done > 1 else None,
    )


def _dependencies(
    adjacency: "sparse.csr_array", source: int, is_late: Callable[[], bool]
) -> Floats | None:
    """Return how many shortest paths from a row lie on each other one; ``None`` when it is late."""
    n = int(adjacency.shape[0])
    paths, depends = np.zeros(n), np.zeros(n)
    paths[source] = 1.0
    levels = []
    for level in _levels(adjacency, source, paths):
        levels.append(level)
        if is_late():
            return None
    for parents, children in reversed(levels):
        _add(depends, parents, paths[parents] / paths[children] * (1.0 + depends[children]))
    depends[source] = 0.0
    return depends


def _levels(
    adjacency: "sparse.csr_array", source: int, paths: Floats
) -> Iterator[tuple[Ints, Ints]]:
    """Give the steps of all shortest paths, level by level, and count the paths on the way."""
    is_seen = np.zeros(len(paths), dtype=bool)
    is_seen[source] = True
    level = np.array([source])
    while len(level):
        parents, children = along(adjacency, level)
        is_new = ~is_seen[children]
        parents, children = parents[is_new], children[is_new]
        _add(paths, children, paths[parents])
        level = distinct(children)
        is_seen[level] = True
        yield parents, children


def _add(sums: Floats, rows: Ints, values: Floats) -> None:
    """Add values to rows that may stand there twice; few at a time leave the others untouched."""
    if len(rows) < len(sums) // 8:
        np.add.at(sums, rows, values)
    else:
        sums += np.bincount(rows, weights=values, minlength=len(sums))
