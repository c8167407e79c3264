"""Operators that count, sum and rank over properties of entities and of relations."""

from collections.abc import Iterable, Sequence
from typing import Literal

from tiers.graphrag.operators.conditions import Condition, Test, meets
from tiers.graphrag.operators.traversal import (
    Hop,
    NodeSet,
    Scores,
    count_edges,
    find_nodes,
    follow,
    in_order,
)
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge

Measure = Literal["count", "sum", "mean", "min", "max"]


def aggregate_over_type(
    scope: Scope,
    *,
    type: str,  # noqa: A002  # the schema's word
    path: Sequence[Hop],
    where: Sequence[Condition] = (),
    nodes: NodeSet | None = None,
) -> Scores:
    """Return, for each entity of a type, how many distinct entities ``path`` leads to.

    Source: the paper's Table XIV.
    """
    members = find_nodes(scope, type=type, where=where) if nodes is None else nodes
    return count_edges(scope, nodes=members, path=path)


def node_values(scope: Scope, *, nodes: NodeSet, property: str) -> Scores:  # noqa: A002
    """Return the number that each entity has in a property; those without one are left out."""
    found = []
    for node_id in nodes:
        node = scope.view.node(node_id)
        value = node.properties.get(property) if node else None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append((node_id, float(value)))
    return tuple(found)


def path_values(
    scope: Scope,
    *,
    nodes: NodeSet,
    path: Sequence[Hop],
    property: str,  # noqa: A002  # the schema's word
    how: Measure,
    within: NodeSet | None = None,
) -> Scores:
    """Return, for each entity, the numbers of what ``path`` leads to reduced to one.

    ``within`` are the only ones that count; entities that lead to no number are left out.
    """
    allowed = None if within is None else set(within)
    found = []
    for node_id in nodes:
        ends = follow(scope, nodes=(node_id,), path=path)
        counted = tuple(n for n in ends if allowed is None or n in allowed)
        values = [value for _, value in node_values(scope, nodes=counted, property=property)]
        if values:
            found.append((node_id, measure(values, how)))
    return tuple(found)


def relation_values(
    scope: Scope,
    *,
    relation: str,
    property: str,  # noqa: A002  # the schema's word
    sources: NodeSet | None = None,
    targets: NodeSet | None = None,
    where: Sequence[Condition] = (),
) -> tuple[tuple[Edge, float], ...]:
    """Return the number in a property of each relation that holds between the two sets.

    A set that is ``None`` is everything.
    """
    allowed = None if targets is None else set(targets)
    found = []
    for edge in in_order(_between(scope, relation, sources, targets)):
        value = edge.properties.get(property)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        is_between = allowed is None or edge.target in allowed
        if is_number and is_between and meets(edge.properties, where):
            found.append((edge, float(value)))  # type: ignore[arg-type]  # a number, seen above
            scope.note(edge)
    return tuple(found)


def _between(
    scope: Scope, relation: str, sources: NodeSet | None, targets: NodeSet | None
) -> Iterable[Edge]:
    if sources is not None:
        for node_id in sources:
            yield from scope.edges(node_id, relation, outgoing=True)
    elif targets is not None:
        for node_id in targets:
            yield from scope.edges(node_id, relation, outgoing=False)
    else:
        yield from scope.all_edges(relation)


def measure(values: Sequence[float], how: Measure) -> float:
    """Reduce numbers to one; the sum and the count of none are 0, the others not defined.

    >>> measure([1.0, 2.0], "mean")
    1.5
    """
    match how:
        case "count":
            return float(len(values))
        case "sum":
            return float(sum(values))
        case "mean":
            return sum(values) / len(values) if values else float("nan")
        case "min":
            return min(values, default=float("nan"))
        case "max":
            return max(values, default=float("nan"))


def group_by(  # noqa: PLR0913  # a query of its own: what, over which relations, reduced how
    scope: Scope,
    *,
    nodes: NodeSet,
    relation: str,
    property: str,  # noqa: A002  # the schema's word
    how: Measure,
    outgoing: bool,
    where: Sequence[Condition] = (),
    within: NodeSet | None = None,
) -> Scores:
    """Return, for each entity, its relations' numbers reduced to one; none for those without.

    ``within`` are the only other ends that count; ``None`` counts all.
    """
    found = []
    for node_id in nodes:
        own = (node_id,)
        values = relation_values(
            scope,
            relation=relation,
            property=property,
            sources=own if outgoing else within,
            targets=within if outgoing else own,
            where=where,
        )
        if values:
            found.append((node_id, measure([value for _, value in values], how)))
    return tuple(found)


def rank(scores: Scores, *, highest_first: bool = True, limit: int | None = None) -> Scores:
    """Return scores in order, equal ones by id; with a limit, what ties with the last stays.

    >>> rank((("a", 1.0), ("b", 2.0), ("c", 1.0)), limit=2)
    (('b', 2.0), ('a', 1.0), ('c', 1.0))
    """
    sign = -1 if highest_first else 1
    ordered = sorted(scores, key=lambda pair: (sign * pair[1], pair[0]))
    if limit is None or limit >= len(ordered):
        return tuple(ordered)
    if limit <= 0:
        return ()
    last = ordered[limit - 1][1]
    return tuple(p for i, p in enumerate(ordered) if i < limit or abs(p[1] - last) < 1e-9)


def having(scores: Scores, *, test: Test, value: float) -> NodeSet:
    """Return the entities whose score meets a test.

    >>> having((("a", 1.0), ("b", 2.0)), test=Test.EQUALS, value=1)
    ('a',)
    """
    condition = Condition(property="score", test=test, value=value)
    return tuple(sorted(key for key, score in scores if meets({"score": score}, [condition])))
