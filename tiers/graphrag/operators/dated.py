"""Operators over validity: what began, ended, held or changed, and since when."""

from typing import Literal

from tiers.graphrag.operators.traversal import NodeSet, in_order
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge
from trivium.domain.time import Moment


def filter_edges_by_date(
    scope: Scope,
    *,
    relation: str,
    period: Moment,
    change: Literal["began", "ended", "held"] = "held",
) -> tuple[Edge, ...]:
    """Return the relations of a type that began, ended or held within ``period``.

    Expired ones are among them; one that never held did nothing. Source: the paper's Table XII.
    """
    found = []
    for node in scope.view.nodes():
        for edge in scope.view.edges(node.id, outgoing=True):
            validity = edge.validity
            if edge.type != relation or validity.is_empty:
                continue
            if change == "held":
                is_in = validity.holds(period)
            elif change == "began":
                is_in = validity.has_start and period.start <= validity.start < period.end
            else:
                is_in = validity.has_end and period.start < validity.end <= period.end
            if is_in:
                found.append(edge)
    return tuple(in_order(found))


def relations_between(
    scope: Scope, *, relation: str, sources: NodeSet, targets: NodeSet, past: bool = False
) -> tuple[Edge, ...]:
    """Return the relations of a type between two sets that hold at the moment.

    With ``past``, those that have an end. When there is none, all that ever held are given;
    what begins later than the moment is never among them.
    """
    wanted = set(targets)
    found = in_order(
        edge
        for node_id in sources
        for edge in scope.view.edges(node_id, outgoing=True)
        if edge.type == relation and edge.target in wanted and edge.validity.has_begun(scope.moment)
    )
    current = [edge for edge in found if edge.validity.holds(scope.moment)]
    if past:
        return tuple(edge for edge in found if edge.validity.has_end) or tuple(found)
    return tuple(current or found)


def changes_between(
    scope: Scope,
    *,
    first: Moment,
    second: Moment,
    change: Literal["began", "ended"],
    relation: str | None = None,
) -> tuple[Edge, ...]:
    """Return the relations that hold at one of two moments and not at the other.

    ``began``: at the second alone; ``ended``: at the first alone. What came and went between the
    two is neither. Without ``relation``, those of every type.

    Example: ``changes_between(first=2023-12-31, second=2024-12-01, change="ended")``.
    Source: set difference of the graph as of two days (DESIGN.md, "ours beyond the paper").
    """
    here, there = (second, first) if change == "began" else (first, second)
    before = {edge.key for edge in scope.at(there).all_edges(relation)}
    found = in_order(e for e in scope.at(here).all_edges(relation) if e.key not in before)
    for edge in found:
        scope.note(edge)
    return tuple(found)
