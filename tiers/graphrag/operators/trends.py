"""What fell while its peers rose: two periods held against a peer group."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from tiers.graphrag.operators.figures import Formula, Group, figure, group_of, moment_of
from tiers.graphrag.operators.traversal import NodeSet, Scores, in_order
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge
from trivium.domain.time import Moment

_TIE: Final = 1e-9
"""What sums of the same numbers may differ by."""


def trend(  # noqa: PLR0913  # a query of its own: whose relations, in which periods, against whom
    scope: Scope,
    *,
    nodes: NodeSet,
    relation: str,
    outgoing: bool,
    first: Moment,
    second: Moment,
    property: str | Formula | None = None,  # noqa: A002  # the schema's word
    date: str | None = None,
    peers: str | None = None,
    change: Literal["fell", "rose"] = "fell",
) -> Scores:
    """Return what fell from the first period to the second while its peers rose, and by how much.

    What an entity has in a period is the sum of ``property`` over its relations of that period,
    in the property's unit, or their number without one. A relation is of the period in which its
    property ``date`` lies, or without one in which it began to hold, also when it has ended
    since; nothing later than the moment counts. Its peers are the others of ``nodes`` with the
    same value of the property ``peers``, all others without it; they rose when their sum did.
    ``change="rose"`` asks the opposite. The greatest change comes first.

    Example: ``trend(nodes=["c1", "c2"], relation="ORDERS", outgoing=True, first="2024-Q1",
    second="2024-Q2", peers="industry")`` gives ``(("c1", -3.0),)``.
    Source: the case study's "order frequency dropped while their industry peers increased
    orders".
    """
    sign = 1 if change == "fell" else -1
    changes: dict[str, float] = {}
    edges: dict[str, list[Edge]] = {}
    for node_id in dict.fromkeys(nodes):
        own = list(_dated(scope, node_id, relation, date, outgoing=outgoing))
        before, after = ([e for e, at in own if _lies(at, period)] for period in (first, second))
        changes[node_id] = _sum(scope, after, property) - _sum(scope, before, property)
        edges[node_id] = before + after
    if scope.budget.is_spent:  # without all peers, none can be told
        return ()
    of_peers = _of_peers(scope, changes, peers)
    found = [
        (node_id, own)
        for node_id, own in changes.items()
        if -sign * own > _TIE and sign * of_peers[node_id] > _TIE
    ]
    for node_id, _ in found:
        for edge in in_order(edges[node_id]):
            scope.note(edge)
    return tuple(sorted(found, key=lambda pair: (sign * pair[1], pair[0])))


def _dated(
    scope: Scope, node_id: str, relation: str, date: str | None, *, outgoing: bool
) -> Iterator[tuple[Edge, Moment]]:
    """Give the relations of an entity up to the moment, each with the time it is counted at."""
    for edge in scope.view.edges(node_id, relation, outgoing=outgoing):
        if not scope.budget.look(1):
            return
        if not edge.validity.has_begun(scope.moment):
            continue
        text = edge.properties.get(date) if date else edge.validity.first_day
        at = moment_of(str(text)) if text is not None else None
        if at is not None and at.start < max(scope.moment.end, scope.moment.start + 1):
            yield edge, at


def _lies(at: Moment, period: Moment) -> bool:
    return period.start <= at.start and max(at.end, at.start + 1) <= period.end


def _sum(scope: Scope, edges: list[Edge], property: str | Formula | None) -> float:  # noqa: A002
    if property is None:
        return float(len(edges))
    values = (figure(scope, edge, property) for edge in in_order(edges))
    return float(sum(value for value in values if value is not None))


def _of_peers(scope: Scope, changes: Mapping[str, float], peers: str | None) -> dict[str, float]:
    """Return by how much the peers of each entity rose together; nobody's peers did not."""
    groups = {node_id: _peer_group(scope, node_id, peers) for node_id in changes}
    totals: dict[str, float] = {}
    for node_id, group in groups.items():
        if group is not None:
            totals[group] = totals.get(group, 0.0) + changes[node_id]
    return {
        node_id: totals[group] - changes[node_id] if group is not None else 0.0
        for node_id, group in groups.items()
    }


def _peer_group(scope: Scope, node_id: str, peers: str | None) -> str | None:
    if peers is None:
        return ""
    node = scope.view.node(node_id)
    return group_of(scope, node, Group(property=peers)) if node else None
