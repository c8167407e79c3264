"""Where the risk of one entity comes from: what is upstream of it, and the events there."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiers.graphrag.arrays import of_types
from tiers.graphrag.levels import along, n_along
from tiers.graphrag.operators.effects import effect_of, felt_by
from tiers.graphrag.projection import Projections, read_projections
from tiers.graphrag.view import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Each event, open or not, with an entity that it disturbs and that is upstream of another.

    An entity counts as upstream of itself. The four columns are as long as there are such pairs.
    """

    events: Sequence[str]
    entities: Sequence[str]
    hops: Sequence[int]
    """From the entity to the other one."""
    n_parts: Sequence[int]
    """How many of those upstream, the other one among them, feel the entity's fault at once."""


def sources_of(scope: Scope, target: str) -> Sources:
    """Return where the risk of an entity comes from, as far as there is time.

    It goes up from the entity, so that it costs what is upstream of it and not what there is;
    over the arrays, once they were read for a computation.
    """
    kept = read_projections(scope)
    if kept is not None and scope.has(target):
        return _sources_in(scope, kept, target)
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
    return Sources(
        events=[event for event, _ in pairs],
        entities=[source for _, source in pairs],
        hops=[hops[source] for _, source in pairs],
        n_parts=[n_parts[source] for _, source in pairs],
    )


def _sources_in(scope: Scope, kept: Projections, target: str) -> Sources:
    """Find the same over the arrays."""
    arrays = kept.arrays
    upstream = kept.upstream(scope.moment, lambda name: effect_of(scope.schema, name))
    kinds = {name for name, kind in scope.schema.node_types.items() if kind.is_event}
    steps, n_parts = np.zeros((2, len(arrays.ids)), dtype=np.int32)
    rim = np.array([arrays.row_of[target]])
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
    events, sources = np.concatenate(pairs, axis=1)
    return Sources(
        events=arrays.ids[events].tolist(),
        entities=arrays.ids[sources].tolist(),
        hops=(steps[sources] - 1).tolist(),
        n_parts=n_parts[sources].tolist(),
    )
