"""How risk spreads from open events over the effects of relations."""

from collections.abc import Iterable, Sequence

from tiers.graphrag.operators.traversal import (
    NodeSet,
    Scores,
    effect_neighbors,
    find_nodes,
    reach,
)
from tiers.graphrag.view import Scope
from trivium.domain.errors import InputError
from trivium.domain.knowledge import Node
from trivium.domain.time import Moment, Validity
from trivium.language.text import fold


def is_open(scope: Scope, event: Node) -> bool:
    """Whether an event is open at the moment.

    Today the status decides, where there is one; on a past day its first and last day do, both
    included.
    """
    risk = scope.schema.risk
    status = event.properties.get(risk.status_property)
    as_of = scope.schema.as_of
    is_now = as_of is None or scope.moment.start >= Moment.of(as_of).start
    if status is not None and is_now:
        return fold(str(status)) in {fold(value) for value in risk.open_values}
    started = event.properties.get(risk.started_property)
    ended = event.properties.get(risk.ended_property)
    try:
        validity = Validity.of(str(started) if started else None, str(ended) if ended else None)
    except InputError:
        return False
    return validity.holds(scope.moment)


def open_events(scope: Scope, *, types: Sequence[str] = ()) -> NodeSet:
    """Return the events that are open at the moment."""
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
) -> Scores:
    """Return a risk score for each entity of a type, or of ``nodes``, highest first.

    R(p) = Σ over (part, source) pairs upstream of p, Σ over open events on the source, of
    severity weight × decay by the hops between p and the source. Pairs count once, however
    many ways lead to them.

    Source: the paper's Eq. (1), Definition 5.
    """
    targets = find_nodes(scope, type=type) if nodes is None else nodes
    happening = open_events(scope) if events is None else events
    weights = _weights(scope, happening)
    scores = [(target, _score(scope, target, weights)) for target in targets]
    return tuple(sorted(scores, key=lambda pair: (-pair[1], pair[0])))


def _weights(scope: Scope, events: Iterable[str]) -> dict[str, float]:
    """Return the summed weight of the events on each entity that they disturb at once."""
    weights: dict[str, float] = {}
    for event_id in events:
        event = scope.view.node(event_id)
        if event is None:
            continue
        disturbed = {other for other, _ in effect_neighbors(scope, event_id, downstream=True)}
        for other in disturbed:
            weights[other] = weights.get(other, 0.0) + severity_weight(scope, event)
    return weights


def _score(scope: Scope, target: str, weights: dict[str, float]) -> float:
    distance = reach(scope, (target,), downstream=False)
    decay = scope.schema.risk.decay
    total = 0.0
    for source, weight in weights.items():
        if source not in distance:
            continue
        hops = distance[source]
        factor = decay[min(max(hops, 1), len(decay)) - 1]
        parts = {o for o, _ in effect_neighbors(scope, source, downstream=True) if o in distance}
        total += weight * factor * (len(parts) if hops else 1)
    return round(total, 10)
