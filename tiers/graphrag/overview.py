"""The graph as a whole, as much as a person can take in, with what open events put at risk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import Final

from tiers.graphrag.operators.risk import open_events, risk_grid, severity_weight
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Node

_MOST_SCANNED: Final = 20_000
"""Entities among which the most connected are looked for."""
_MOST_EVENTS: Final = 20
_MOST_RELATIONS: Final = 4
"""Relations shown for each entity that may be, on average."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Entities and the relations among them that hold at one moment."""

    as_of: str
    nodes: Sequence[Node]
    """The most connected first, where not all are shown."""
    relations: Sequence[tuple[str, str, str]]
    """As source, type and target."""
    is_cut: bool
    events: Sequence[Node]
    """Open events, the gravest first."""
    weights: Sequence[float]
    """The severity weight of each event."""
    risk: Mapping[str, Sequence[float]] | None
    """What each event adds to the risk score of an entity, where any adds something; ``None``
    where it was not asked for, or could not be finished in time."""

    def to_json(self) -> dict[str, object]:
        """Return the form that the door gives."""
        return {
            "as_of": self.as_of,
            "nodes": [_named(node) for node in self.nodes],
            "relations": self.relations,
            "is_cut": self.is_cut,
            "risk": {
                "events": [
                    {**_named(event), "weight": weight}
                    for event, weight in zip(self.events, self.weights, strict=True)
                ],
                "scores": self.risk,
            },
        }


def overview(scope: Scope, *, most: int, with_risk: bool) -> Overview:
    """Return the ``most`` connected entities that are there, and what holds among them.

    Their risk takes as long as the risk scores of all of them: seconds, in a large graph.
    """
    scanned = list(islice(scope.active(), _MOST_SCANNED + 1))
    nodes = (
        scanned if len(scanned) <= most else nlargest(most, scanned, lambda n: _degree(scope, n))
    )
    shown = {node.id for node in nodes}
    relations = [
        (edge.source, edge.type, edge.target)
        for node in nodes
        for edge in scope.edges(node.id, None, outgoing=True)
        if edge.target in shown
    ]
    events = _events(scope)
    n_kept = most * _MOST_RELATIONS
    return Overview(
        as_of=scope.moment.text,
        nodes=nodes,
        relations=relations[:n_kept],
        is_cut=len(nodes) < len(scanned) or len(relations) > n_kept or scope.budget.is_spent,
        events=events,
        weights=[severity_weight(scope, event) for event in events],
        risk=_risk(scope, nodes, events) if with_risk else None,
    )


def _events(scope: Scope) -> Sequence[Node]:
    found = [node for node in map(scope.there, open_events(scope)) if node is not None]
    return nlargest(_MOST_EVENTS, found, lambda event: severity_weight(scope, event))


def _risk(
    scope: Scope, nodes: Sequence[Node], events: Sequence[Node]
) -> Mapping[str, Sequence[float]] | None:
    kinds = {kind.name for kind in scope.schema.node_types.values() if kind.is_event}
    at_risk = tuple(sorted(node.id for node in nodes if node.type not in kinds))
    grid = risk_grid(scope, nodes=at_risk, events=tuple(event.id for event in events))
    return None if scope.budget.is_spent else grid


def _degree(scope: Scope, node: Node) -> int:
    """Return how many relations an entity has; they are not kept, for there may be very many."""
    return sum(len(scope.edges_of(node.id, lambda _: True, outgoing=way)) for way in (True, False))


def _named(node: Node) -> dict[str, object]:
    return {"id": node.id, "type": node.type, "name": node.name}
