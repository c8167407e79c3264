"""How risk spreads from open events over the effects of relations."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from tiers.graphrag.operators.effects import effect_neighbors, reach
from tiers.graphrag.operators.sources import Sources, sources_of
from tiers.graphrag.operators.traversal import NodeSet, Scores, find_nodes
from tiers.graphrag.view import Scope
from trivium.domain.errors import InputError
from trivium.domain.knowledge import Node
from trivium.domain.time import Validity
from trivium.language.text import fold

_BATCH: Final = 1_024
"""Entities scored in one pass."""
_FEW: Final = 8
"""Entities up to which each is scored alone: at a million entities a look at all open events takes
as long as 3 of them without the arrays, and as 15 with them."""


def is_open(scope: Scope, event: Node) -> bool:
    """Whether an event is open at the moment.

    Today and later the status decides, where there is one; before, the event's first and last
    day do, both included. Where nobody knows which day is today, the last day decides where
    there is one, and else the status, from the first day on.
    """
    risk, now = scope.schema.risk, scope.now
    status = event.properties.get(risk.status_property)
    ended = event.properties.get(risk.ended_property)
    is_of_status = fold(str(status)) in _folded(risk.open_values)
    if status is not None and now is not None and scope.moment.start >= now.start:
        return is_of_status
    started = event.properties.get(risk.started_property)
    try:
        validity = Validity.of(str(started) if started else None, str(ended) if ended else None)
    except InputError:
        return False
    is_told_by_status = now is None and status is not None and not ended
    return validity.holds(scope.moment) and (is_of_status or not is_told_by_status)


@lru_cache(maxsize=64)
def _folded(values: tuple[str, ...]) -> frozenset[str]:
    return frozenset(fold(value) for value in values)


def open_events(scope: Scope, *, types: Sequence[str] = ()) -> NodeSet:
    """Return the events that are open at the moment, of some types or of all.

    Example: ``open_events(types=["Storm"])`` gives ``("e1", "e7")``.
    Source: the paper's Definition 5 ("active risk events").
    """
    kinds = (t.name for t in scope.schema.node_types.values() if t.is_event)
    names = [name for name in kinds if not types or name in types]
    found = (n for name in names for n in scope.active(name) if is_open(scope, n))
    return tuple(sorted(node.id for node in found))


def severity_weight(scope: Scope, event: Node) -> float:
    """Return how much an event weighs; an unknown severity weighs nothing."""
    value = event.properties.get(scope.schema.risk.severity_property)
    return scope.schema.risk.weights.get(fold(str(value)), 0.0)


def propagate_risk(
    scope: Scope,
    *,
    type: str | None = None,  # noqa: A002  # the schema's word
    nodes: NodeSet | None = None,
    events: NodeSet | None = None,
    regraded: NodeSet = (),
    severity: str | None = None,
) -> Scores:
    """Return a risk score for each entity of a type, or of ``nodes``, highest first; no unit.

    R(p) = Σ over (part, source) pairs upstream of p, Σ over open events on the source, of
    severity weight × decay by the hops between p and the source. Pairs count once, however
    many ways lead to them. Weights, decay and what is open are the schema's. ``events``, where
    given, count in place of the open ones; those of ``regraded`` weigh as if their severity
    were ``severity``.

    Example: ``propagate_risk(type="Product")`` gives ``(("p2", 2.45), ("p1", 0.0))``.
    Source: the paper's Eq. (1), Definition 5.
    """
    if nodes is not None and events is None and not regraded and len(nodes) <= _FEW:
        return _in_order(_scores_of_few(scope, nodes))
    targets = find_nodes(scope, type=type) if nodes is None else nodes
    happening = open_events(scope) if events is None else events
    weights: dict[str, float] = {}
    for event in happening:
        for other, weight in disturbed(scope, event, severity if event in regraded else None):
            weights[other] = weights.get(other, 0.0) + weight
    scores: list[tuple[str, float]] = []
    for first in range(0, len(targets), _BATCH):
        batch = targets[first : first + _BATCH]
        scored = _scores(scope, batch, weights)
        if scope.budget.is_spent:  # what could not be finished is left out whole
            break
        scores += zip(batch, scored, strict=True)
    return _in_order(scores)


def _in_order(scores: Iterable[tuple[str, float]]) -> Scores:
    return tuple(sorted(scores, key=lambda pair: (-pair[1], pair[0])))


def risk_by_event(scope: Scope, *, nodes: NodeSet, events: NodeSet | None = None) -> Scores:
    """Return what each open event adds to the risk scores of ``nodes`` in sum, most first; no unit.

    ``events``, where given, are the only ones told of. One that adds nothing has 0.

    Example: ``risk_by_event(nodes=["p2"])`` gives ``(("e1", 0.7), ("e7", 0.0))``.
    Source: the paper's Eq. (1), whose outer sums are taken event by event.
    """
    happening = open_events(scope) if events is None else tuple(sorted(set(events)))
    hit = {event: disturbed(scope, event) for event in happening}
    felt = dict.fromkeys((other for pairs in hit.values() for other, _ in pairs), 0.0)
    for first in range(0, len(nodes), _BATCH):
        for source, _, factor in _factors(scope, nodes[first : first + _BATCH], tuple(felt)):
            felt[source] += factor
    if scope.budget.is_spent:  # a sum that could not be finished is left out
        return ()
    shares = {e: sum(w * felt[other] for other, w in pairs) for e, pairs in hit.items()}
    return tuple(
        sorted(((e, round(s, 10)) for e, s in shares.items()), key=lambda p: (-p[1], p[0]))
    )


def severity_weights(scope: Scope, *, nodes: NodeSet) -> Scores:
    """Return how much each event weighs, gravest first; without a known severity it is left out.

    Example: ``severity_weights(nodes=["e1", "e2"])`` gives ``(("e2", 1.0), ("e1", 0.4))``.
    Source: the schema's scale of severities.
    """
    risk = scope.schema.risk
    found = []
    for event in filter(None, map(scope.view.node, nodes)):
        weight = risk.weights.get(fold(str(event.properties.get(risk.severity_property))))
        if weight is not None:
            found.append((event.id, weight))
    return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0])))


def disturbed(
    scope: Scope, event_id: str, severity: str | None = None
) -> Sequence[tuple[str, float]]:
    """Return what an event disturbs at once, with the weight that it puts there.

    It weighs as its severity says, or as ``severity`` does.
    """
    event = scope.view.node(event_id)
    if event is None:
        return []
    weight = severity_weight(scope, event)
    if severity is not None:
        weight = scope.schema.risk.weights.get(fold(severity), 0.0)
    near = dict(effect_neighbors(scope, event_id, downstream=True))
    for other in sorted(near):
        scope.note(near[other])
    return [(other, weight) for other in sorted(near)]


def _scores_of_few(scope: Scope, targets: NodeSet) -> list[tuple[str, float]]:
    """Score targets one by one from what is upstream of each, without a look at all events."""
    weights, decays = scope.weights(), scope.schema.risk.decay
    scores: list[tuple[str, float]] = []
    all_found = []
    for target in targets:
        found = sources_of(scope, target, len(decays))
        if scope.budget.is_spent:  # what could not be finished is left out whole
            break
        for event in found.events:
            if event not in weights:
                weights[event] = _weight_if_open(scope, event)
        weighed = [weights[event] or 0.0 for event in found.events]
        parts = (
            weight * decay * n_pairs
            for decay, by_event in zip(decays, found.n_pairs, strict=True)
            for weight, n_pairs in zip(weighed, by_event, strict=True)
            if weight and n_pairs
        )
        scores.append((target, round(math.fsum(parts), 10)))
        all_found.append(found)
    _note_disturbed(scope, all_found)
    return scores


def _weight_if_open(scope: Scope, event_id: str) -> float | None:
    event = scope.there(event_id)
    return severity_weight(scope, event) if event and is_open(scope, event) else None


def _note_disturbed(scope: Scope, found: Sequence[Sources]) -> None:
    """Keep the relations by which open events disturb as provenance, as many as are kept."""
    weights = scope.weights()
    events = {event for sources in found for event in sources.events}
    disturbed = {entity for sources in found for entity in sources.disturbed}
    for event in sorted(event for event in events if weights[event] is not None):
        if scope.budget.is_relations_cut:
            return
        near = effect_neighbors(scope, event, downstream=True)
        shown = {other: edge for other, edge in near if other in disturbed}
        for other in sorted(shown):
            scope.note(shown[other])


def _scores(scope: Scope, targets: NodeSet, weights: Mapping[str, float]) -> list[float]:
    """Score all targets in one pass."""
    scores = [0.0] * len(targets)
    for source, target, factor in _factors(scope, targets, tuple(weights)):
        scores[target] += weights[source] * factor
    return [round(score, 10) for score in scores]


def _factors(
    scope: Scope, targets: NodeSet, sources: Sequence[str]
) -> Iterator[tuple[str, int, float]]:
    """Give by what the weight on a source counts for a target, which is given by its place.

    It is the decay, times the parts that the source has upstream of the target. All targets go
    in one pass: a set of them is the bits of one number.
    """
    reached, at_hops = _spread_up(scope, targets, sources)
    decay = scope.schema.risk.decay
    for source, found in at_hops.items():
        if not found:
            continue
        parts = {other for other, _ in effect_neighbors(scope, source, downstream=True)}
        counted = [reached[part] for part in parts if part in reached]
        for hops, bits in found:
            factor = decay[min(max(hops, 1), len(decay)) - 1]
            for target in _bits(bits):
                n_parts = sum(part >> target & 1 for part in counted) if hops else 1
                yield source, target, factor * n_parts


_Reached: TypeAlias = dict[str, int]
_AtHops: TypeAlias = dict[str, list[tuple[int, int]]]


def _spread_up(scope: Scope, targets: NodeSet, sources: Iterable[str]) -> tuple[_Reached, _AtHops]:
    """Go up from all targets at once, hop by hop; from many, along what the sources can reach.

    Returns:
        for each entity the targets that it is upstream of, itself among them, and for each
        source the targets by the hops between; targets are bits, the first one the lowest.
    """
    at_hops: _AtHops = {source: [] for source in sources}
    is_few = len(targets) <= len(at_hops)  # then going up from them is shorter than going down
    below = None if is_few else reach(scope, sources, downstream=True)
    new: dict[str, int] = {}
    for n, target in enumerate(targets):
        new[target] = new.get(target, 0) | 1 << n
    reached, hops = dict(new), 0
    while new:
        for source in at_hops.keys() & new.keys():
            at_hops[source].append((hops, new[source]))
        above: dict[str, int] = {}
        for here, bits in new.items():
            if below is not None and here not in below:
                continue
            for other, _ in effect_neighbors(scope, here, downstream=False):
                above[other] = above.get(other, 0) | bits
        new = {n: fresh for n, bits in above.items() if (fresh := bits & ~reached.get(n, 0))}
        for node_id, bits in new.items():
            reached[node_id] = reached.get(node_id, 0) | bits
        hops += 1
    return reached, at_hops


def _bits(bits: int) -> Iterator[int]:
    """Give the places of the bits that are set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
