"""Where the risk of one entity comes from: what is upstream of it, and the events there."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiers.graphrag.arrays import of_types
from tiers.graphrag.levels import along, distinct, n_along
from tiers.graphrag.operators.effects import effect_of, felt_by
from tiers.graphrag.projection import Projections, read_projections
from tiers.graphrag.view import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where the risk of one entity comes from."""

    events: Sequence[str]
    """Those that disturb something upstream at once, open or not."""
    n_pairs: Sequence[Sequence[int]]
    """By how far a source is, then by event, in how many pairs of a part and its source the event
    disturbs the source; first those up to one hop away, last all that are beyond the others.
    """
    disturbed: frozenset[str]
    """What they disturb at once of what is upstream, or of the entity itself."""


def sources_of(scope: Scope, target: str, n_decays: int) -> Sources:
    """Return where the risk of an entity comes from, by ``n_decays`` distances, as time allows.

    It goes up from the entity, so that it costs what is upstream of it and not what there is;
    over the arrays, once they were read for a computation.
    """
    kept = read_projections(scope)
    if kept is not None and scope.has(target):
        return _sources_in(scope, kept, target, n_decays)
    hops, n_parts = {target: 0}, Counter[str]()
    pairs: list[tuple[str, str]] = []
    queue = deque([target])
    while queue and not scope.budget.is_spent:
        here = queue.popleft()
        near, events = felt_by(scope, here)
        above = {other for other, _ in near}
        n_parts.update(above)
        new = [node_id for node_id in above if node_id not in hops]
        hops |= dict.fromkeys(new, hops[here] + 1)
        queue.extend(new)
        pairs += [(event, here) for event in {event for event, _ in events}]
    n_parts[target] = 1  # with itself alone, whatever else feels its fault
    place = {event: n for n, event in enumerate(dict.fromkeys(event for event, _ in pairs))}
    n_pairs = [[0] * len(place) for _ in range(n_decays)]
    for event, source in pairs:
        n_pairs[min(max(hops[source], 1), n_decays) - 1][place[event]] += n_parts[source]
    return Sources(
        events=tuple(place), n_pairs=n_pairs, disturbed=frozenset(source for _, source in pairs)
    )


def _sources_in(scope: Scope, kept: Projections, target: str, n_decays: int) -> Sources:
    """Find the same over the arrays."""
    arrays, row = kept.arrays, kept.arrays.row_of[target]
    upstream = kept.upstream(scope.moment, lambda name: effect_of(scope.schema, name))
    kinds = {name for name, kind in scope.schema.node_types.items() if kind.is_event}
    steps, n_parts = np.zeros((2, len(arrays.ids)), dtype=np.int32)
    rim = np.array([row])
    steps[rim] = 1
    pairs = [np.zeros((2, 0), dtype=np.int64)]
    while len(rim) and scope.budget.look(int(n_along(upstream, rim).sum())):
        depth = steps[rim[0]] + 1
        here, above = along(upstream, rim)
        is_event = of_types(arrays.types, arrays.type_of[above], kinds)
        pairs.append(np.stack([above[is_event], here[is_event]]))
        above, counts = np.unique(above[~is_event], return_counts=True)
        n_parts[above] += counts
        rim = above[steps[above] == 0]
        steps[rim] = depth
    n_parts[row] = 1
    events, sources = np.concatenate(pairs, axis=1)
    events, place = np.unique(events, return_inverse=True)
    far = np.clip(steps[sources] - 1, 1, n_decays) - 1
    n_pairs = np.zeros((n_decays, len(events)), dtype=np.int64)
    np.add.at(n_pairs, (far, place), n_parts[sources])
    return Sources(
        events=arrays.ids[events].tolist(),
        n_pairs=n_pairs.tolist(),
        disturbed=frozenset(arrays.ids[distinct(sources)].tolist()),
    )
