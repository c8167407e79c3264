"""Operators over validity: what began, ended, held or changed, and since when."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, assert_never

from tiers.graphrag.operators.traversal import NodeSet, in_order
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge
from trivium.domain.time import Moment, Validity


def filter_edges_by_date(
    scope: Scope,
    *,
    relation: str,
    period: Moment,
    change: Literal["began", "ended", "held"] = "held",
    sources: NodeSet | None = None,
    targets: NodeSet | None = None,
) -> tuple[Edge, ...]:
    """Return the relations of a type that began, ended or held within ``period``.

    Expired ones are among them; one that never held did nothing. A set of ends that is ``None``
    is everything.

    Example: ``filter_edges_by_date(relation="SUPPLIES", period="2024-01-01/2024-03-31",
    change="ended")``.
    Source: the paper's Table XII.
    """
    found = (edge for edge in _ever(scope, relation) if _is_in(edge.validity, period, change))
    return joining(in_order(found), sources, targets)


def joining(
    edges: Iterable[Edge], sources: NodeSet | None, targets: NodeSet | None
) -> tuple[Edge, ...]:
    """Return those relations that lead from one set to another; ``None`` is everything."""
    starts = None if sources is None else set(sources)
    ends = None if targets is None else set(targets)
    return tuple(
        edge
        for edge in edges
        if (starts is None or edge.source in starts) and (ends is None or edge.target in ends)
    )


def _ever(scope: Scope, relation: str) -> Iterator[Edge]:
    """Give every relation of a type, whenever it holds, while there is time."""
    for node in scope.view.nodes():
        if not scope.budget.look(1):
            return
        for edge in scope.view.edges(node.id, relation, outgoing=True):
            if not scope.budget.look(1):
                return
            yield edge


def _is_in(validity: Validity, period: Moment, change: Literal["began", "ended", "held"]) -> bool:
    if validity.is_empty:
        return False
    match change:
        case "held":
            return validity.holds(period)
        case "began":
            return validity.has_start and period.start <= validity.start < period.end
        case "ended":
            return validity.has_end and period.start < validity.end <= period.end
        case _ as unreachable:
            assert_never(unreachable)


def relations_between(
    scope: Scope, *, relation: str, sources: NodeSet, targets: NodeSet, past: bool = False
) -> tuple[Edge, ...]:
    """Return the relations of a type between two sets that hold at the moment.

    With ``past``, those that have an end. When there is none, all that ever held are given;
    what begins later than the moment is never among them.

    Example: ``relations_between(relation="SUPPLIES", sources=["m1"], targets=["p1"])``.
    Source: the paper's Definition of temporal freshness (Table IV), with Cypher's MATCH.
    """
    wanted = set(targets)
    found = in_order(
        edge
        for node_id in sources
        for edge in scope.view.edges(node_id, relation, outgoing=True)
        if scope.budget.look(1) and edge.target in wanted and edge.validity.has_begun(scope.moment)
    )
    current = [edge for edge in found if edge.validity.holds(scope.moment)]
    if past:
        return tuple(edge for edge in found if edge.validity.has_end) or tuple(found)
    return tuple(current or found)


def begun(
    scope: Scope, *, edges: Sequence[Edge], which: Literal["first", "last"]
) -> tuple[Edge, ...]:
    """Return, of some relations, those that began first, or last; all that began on that day.

    Those without a first day are left out.

    Example: ``begun(edges=relations_between(...), which="last")``.
    Source: Cypher's ORDER BY on the first day of validity, with ties.
    """
    dated = [e for e in edges if e.validity.has_start and not e.validity.is_empty]
    starts = [edge.validity.start for edge in dated]
    day = (min if which == "first" else max)(starts, default=0)
    found = tuple(edge for edge in dated if edge.validity.start == day)
    for edge in found:
        scope.note(edge)
    return found


def changes_between(  # noqa: PLR0913  # a query of its own: between when, of what, among whom
    scope: Scope,
    *,
    first: Moment,
    second: Moment,
    change: Literal["began", "ended"],
    relation: str | None = None,
    sources: NodeSet | None = None,
    targets: NodeSet | None = None,
) -> tuple[Edge, ...]:
    """Return the relations that hold at one of two moments and not at the other.

    ``began``: at the second alone; ``ended``: at the first alone. What came and went between the
    two is neither. Without ``relation``, those of every type; a set of ends that is ``None`` is
    everything.

    Example: ``changes_between(first=2023-12-31, second=2024-12-01, change="ended")``.
    Source: set difference of the graph as of two days (DESIGN.md, "ours beyond the paper").
    """
    here, there = (second, first) if change == "began" else (first, second)
    before = {edge.key for edge in scope.at(there).all_edges(relation)}
    changed = in_order(e for e in scope.at(here).all_edges(relation) if e.key not in before)
    found = joining(changed, sources, targets)
    for edge in found:
        scope.note(edge)
    return found
