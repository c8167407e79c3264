"""Operators that count, sum and rank over properties of entities and of relations."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from tiers.graphrag.operators.conditions import Condition, Test, meets
from tiers.graphrag.operators.counting import count_edges, scored
from tiers.graphrag.operators.figures import Formula, Group, figure, group_of, moment_of
from tiers.graphrag.operators.traversal import Hop, NodeSet, Scores, find_nodes, in_order, step
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge

_DAY: Final = 86_400_000_000
"""Microseconds."""
Measure = Literal["count", "sum", "mean", "min", "max"]


def aggregate_over_type(  # noqa: PLR0913  # a query of its own, as group_by
    scope: Scope,
    *,
    type: str,  # noqa: A002  # the schema's word
    path: Sequence[Hop] = (),
    property: str | Formula | None = None,  # noqa: A002  # the schema's word
    how: Measure = "count",
    by: Group | None = None,
    where: Sequence[Condition] = (),
    nodes: NodeSet | None = None,
) -> Scores:
    """Return a number for each entity of a type, or for each group of them.

    The number of an entity is that of its ``property``, else how many distinct entities ``path``
    leads to: 1 with no path. With ``by`` the numbers of a group are reduced to one, as ``how``
    says, and the groups are in order of their names; without it ``how`` says nothing. Scans the
    type: it ends with the time, not with the entities that a walk may touch.

    Example: ``aggregate_over_type(type="Plant", by={"property": "opened", "bucket": "year"})``
    gives ``(("2019", 2.0), ("2021", 1.0))``.
    Source: the paper's Table XIV.
    """
    members = find_nodes(scope, type=type, where=where) if nodes is None else nodes
    if property is None:
        scores = count_edges(scope, nodes=members, path=path)
    else:
        scores = node_values(scope, nodes=members, property=property)
    if by is None:
        return scores
    return _grouped(_named(scope, scores, by), how)


def _named(scope: Scope, scores: Scores, by: Group) -> Iterator[tuple[str | None, float]]:
    for node_id, score in scores:
        node = scope.view.node(node_id)
        yield group_of(scope, node, by) if node else None, score


def _grouped(rows: Iterable[tuple[str | None, float]], how: Measure) -> Scores:
    """Reduce numbers by group, in order; those in no group are left out."""
    groups: dict[str, list[float]] = {}
    for group, value in rows:
        if group is not None:
            groups.setdefault(group, []).append(value)
    return tuple((group, measure(groups[group], how)) for group in sorted(groups))


def node_values(
    scope: Scope,
    *,
    nodes: NodeSet,
    property: str | Formula,  # noqa: A002  # the schema's word
) -> Scores:
    """Return the number that each entity has in a property; those without one are left out.

    Example: ``node_values(nodes=["p1"], property="size")`` gives ``(("p1", 2.5),)``.
    Source: Cypher's property access.
    """

    def valued(node_id: str) -> float | None:
        node = scope.view.node(node_id)
        return figure(scope, node, property) if node else None

    return scored(scope, nodes, valued)


def node_days(
    scope: Scope,
    *,
    nodes: NodeSet,
    property: str,  # noqa: A002  # the schema's word
) -> Scores:
    """Return the day that each entity has in a property, in days since 1970-01-01.

    Of a month or a year its first day counts; those without a day are left out.

    Example: ``node_days(nodes=["p1"], property="opened")`` gives ``(("p1", 19782.0),)``.
    Source: Cypher's date().epochSeconds, in days.
    """

    def day_of(node_id: str) -> float | None:
        node = scope.view.node(node_id)
        value = node.properties.get(property) if node else None
        moment = moment_of(str(value)) if value is not None else None
        return float(moment.start // _DAY) if moment else None

    return scored(scope, nodes, day_of)


def path_values(
    scope: Scope,
    *,
    nodes: NodeSet,
    path: Sequence[Hop],
    property: str | Formula,  # noqa: A002  # the schema's word
    how: Measure,
    within: NodeSet | None = None,
) -> Scores:
    """Return, for each entity, the numbers of what ``path`` leads to reduced to one.

    ``within`` are the only ones that count; entities that lead to no number are left out. What
    two ways lead to counts once.

    Example: ``path_values(nodes=["m1"], path=[{"relation": "MAKES", "direction": "out"}],
    property="size", how="mean")``.
    Source: Cypher's aggregation over a MATCH.
    """
    allowed = None if within is None else set(within)

    def reduced(node_id: str) -> float | None:
        ends = _walked(scope, node_id, path)
        counted = sorted(ends if allowed is None else ends & allowed)
        values = [value for _, value in node_values(scope, nodes=tuple(counted), property=property)]
        return measure(values, how) if values else None

    return scored(scope, nodes, reduced)


def _walked(scope: Scope, node_id: str, path: Sequence[Hop]) -> set[str]:
    """Return the ends of a path, and keep its relations as provenance."""
    frontier = {node_id}
    for hop in path:
        reached = step(scope, frontier, hop)
        for near in sorted(reached):
            for edge in in_order(reached[near]):
                scope.note(edge)
        frontier = set(reached)
    return frontier


def relation_values(
    scope: Scope,
    *,
    relation: str,
    property: str | Formula | None,  # noqa: A002  # the schema's word
    sources: NodeSet | None = None,
    targets: NodeSet | None = None,
    where: Sequence[Condition] = (),
) -> tuple[tuple[Edge, float], ...]:
    """Return the number in a property of each relation that holds between the two sets.

    A set that is ``None`` is everything. Without ``property``, each relation counts as 1.

    Example: ``relation_values(relation="SUPPLIES", property="quantity", targets=["p1"])``.
    Source: Cypher's property access.
    """
    allowed = None if targets is None else set(targets)
    asked = (
        edge
        for edge in _between(scope, relation, sources, targets)
        if allowed is None or edge.target in allowed
    )
    return tuple(_valued(scope, asked, property, where))


def _valued(
    scope: Scope,
    edges: Iterable[Edge],
    property: str | Formula | None,  # noqa: A002  # the schema's word
    where: Sequence[Condition],
) -> Iterator[tuple[Edge, float]]:
    """Give relations with their numbers, in order, and keep them as provenance."""
    for edge in in_order(edges):
        value = 1.0 if property is None else figure(scope, edge, property)
        if value is not None and meets(edge.properties, where):
            scope.note(edge)
            yield edge, value


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
    property: str | Formula | None,  # noqa: A002  # the schema's word
    how: Measure,
    outgoing: bool,
    by: Group | None = None,
    where: Sequence[Condition] = (),
    within: NodeSet | None = None,
) -> Scores:
    """Return, for each entity or group, its relations' numbers reduced to one.

    ``within`` are the only other ends that count; ``None`` counts all. Without ``property``,
    each relation counts as 1. With ``by``, all relations of ``nodes`` are grouped by a property
    of theirs or of an end, or by time, and the groups are in order of their names. There is no
    number for an entity or a group without relations.

    Example: ``group_by(nodes=["c1"], relation="ORDERS", outgoing=True, how="sum", property={"left":
    "quantity", "how": "*", "right": {"end": "target", "property": "price"}}, by={"property":
    "day", "bucket": "month"})`` gives ``(("2024-01", 120.0), ("2024-02", 90.0))``.
    Source: SQL's GROUP BY.
    """
    allowed = None if within is None else set(within)

    def valued(node_id: str) -> list[tuple[Edge, float]]:
        edges = scope.edges(node_id, relation, outgoing=outgoing)
        asked = (
            e for e in edges if allowed is None or (e.target if outgoing else e.source) in allowed
        )
        return list(_valued(scope, asked, property, where))

    if by is not None:
        rows = (row for node_id in dict.fromkeys(nodes) for row in valued(node_id))
        return _grouped(((group_of(scope, edge, by), value) for edge, value in rows), how)

    def reduced(node_id: str) -> float | None:
        values = [value for _, value in valued(node_id)]
        return measure(values, how) if values else None

    return scored(scope, nodes, reduced)


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
    meeting = {v for v in {score for _, score in scores} if meets({"score": v}, [condition])}
    return tuple(sorted(key for key, score in scores if score in meeting))
