"""The graph as a whole, as much as a person can take in, with what open events put at risk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import Final

from tiers.graphrag.operators.grid import risk_grid
from tiers.graphrag.operators.risk import open_events, severity_weight
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Node

_MOST_SCANNED: Final = 20_000
"""Entities among which the most connected are looked for."""
_MOST_EVENTS: Final = 20
"""Open events that are shown, and whose risk is added up: the gravest."""
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
    """Open events, the gravest first, as many as are looked at."""
    n_open: int
    """Events that are open."""
    weights: Sequence[float]
    """The severity weight of each event."""
    risk: Mapping[str, Sequence[float]] | None
    """What each event adds to the risk score of an entity, where any adds something; ``None``
    where it was not asked for, or could not be finished in time."""
    n_at_risk: int | None = None
    """Entities that any of the events adds to; ``None`` as above."""

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
                "n_open": self.n_open,
                "scores": self.risk,
                "n_at_risk": self.n_at_risk,
            },
        }


def overview(scope: Scope, *, most: int, with_risk: bool, after: int = 0) -> Overview:
    """Return the ``most`` connected entities that are there, and what holds among them.

    With risk, those that open events put most at risk come first, from place ``after`` on, and
    with ``after`` there are no others. It is added up for all that the gravest open events reach.
    """
    events, n_open = _gravest(scope)
    ids = tuple(event.id for event in events)
    grid = risk_grid(scope, events=ids) if with_risk and not scope.budget.is_spent else None
    ranked = sorted(grid, key=lambda key: (-sum(grid[key]), key)) if grid else []
    page = [node for key in ranked[after : after + most] if (node := scope.there(key)) is not None]
    others, n_scanned = ([], len(page)) if after else _connected(scope, most)
    known = {node.id for node in page}
    nodes = [*page, *(node for node in others if node.id not in known)][:most]
    relations = _among(scope, nodes)
    n_kept = most * _MOST_RELATIONS
    is_cut = len(nodes) < n_scanned or after + len(page) < len(ranked)
    return Overview(
        as_of=scope.moment.text,
        nodes=nodes,
        relations=relations[:n_kept],
        is_cut=is_cut or len(relations) > n_kept or scope.budget.is_spent,
        events=events,
        n_open=n_open,
        weights=[severity_weight(scope, event) for event in events],
        risk=None if grid is None else {node.id: grid[node.id] for node in page},
        n_at_risk=None if grid is None else len(grid),
    )


def _connected(scope: Scope, most: int) -> tuple[Sequence[Node], int]:
    """Return the most connected entities, and among how many they were looked for."""
    scanned = list(islice(scope.active(), _MOST_SCANNED + 1))
    if len(scanned) <= most:
        return scanned, len(scanned)
    return nlargest(most, scanned, lambda node: _degree(scope, node)), len(scanned)


def _among(scope: Scope, nodes: Sequence[Node]) -> list[tuple[str, str, str]]:
    shown = {node.id for node in nodes}
    return [
        (edge.source, edge.type, edge.target)
        for node in nodes
        for edge in scope.edges(node.id, None, outgoing=True)
        if edge.target in shown
    ]


def _gravest(scope: Scope) -> tuple[Sequence[Node], int]:
    """Return the gravest open events, and how many are open."""
    found = [node for node in map(scope.there, open_events(scope)) if node is not None]
    return nlargest(_MOST_EVENTS, found, lambda event: severity_weight(scope, event)), len(found)


def _degree(scope: Scope, node: Node) -> int:
    """Return how many relations an entity has; they are not kept, for there may be very many."""
    return sum(len(scope.edges_of(node.id, lambda _: True, outgoing=way)) for way in (True, False))


def _named(node: Node) -> dict[str, object]:
    return {"id": node.id, "type": node.type, "name": node.name}
