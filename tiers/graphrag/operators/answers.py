"""The last steps of plans: from sets and scores to a result of the door."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Literal, assert_never, cast

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.operators.grouping import Measure, having, measure, rank
from tiers.graphrag.operators.removal import Cascade
from tiers.graphrag.operators.traversal import NodeSet, Scores
from tiers.graphrag.operators.ways import Ways
from tiers.graphrag.view import Scope
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Edge
from trivium.domain.result import (
    Comparison,
    Day,
    Nodes,
    Number,
    Paths,
    Prose,
    Ranking,
    Result,
    Truth,
)

# Every operator takes the scope, also where it needs none: one signature for all.
# ruff: noqa: ARG001


class Form(StrEnum):
    """The result kind that a plan ends in."""

    NODES = "nodes"
    RANKING = "ranking"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    PATH = "path"
    COMPARISON = "comparison"


def result_of(form: Form, outcome: object, beside: object) -> Result:  # noqa: C901  # a branch a form
    """Return the outcome of a plan's last step as a result of the door.

    Raises:
        PlanError: the outcome does not fit the form.
    """
    try:
        match form:
            case Form.NODES:
                return Nodes(cast("NodeSet", outcome))
            case Form.RANKING:
                return Ranking(cast("Scores", outcome))
            case Form.NUMBER:
                cost = outcome.cost if isinstance(outcome, Ways) else outcome
                number = float(cast("float", cost))
                return Prose() if math.isnan(number) else Number(number)
            case Form.BOOLEAN:
                ids = cast("NodeSet", outcome)
                return Truth(bool(ids), cast("NodeSet", beside) if beside is not None else ids)
            case Form.DATE:
                return Day(cast("str", outcome)) if outcome else Prose()
            case Form.PATH:
                paths = outcome.paths if isinstance(outcome, Ways) else outcome
                return Paths(cast("tuple[NodeSet, ...]", paths))
            case Form.COMPARISON:
                return cast("Comparison", outcome)
            case _ as unreachable:
                assert_never(unreachable)
    except (TypeError, ValueError) as error:
        raise PlanError(f"the last step gives no {form}") from error


def rank_scores(
    scope: Scope,
    *,
    scores: Scores,
    highest_first: bool = True,
    limit: int | None = None,
    above: float | None = None,
) -> Scores:
    """Return scores in order; with a limit, what ties with the last stays.

    ``above`` leaves out what scores no more than that.
    """
    kept = tuple(pair for pair in scores if above is None or pair[1] > above)
    return rank(kept, highest_first=highest_first, limit=limit)


def select(scope: Scope, *, scores: Scores, test: Test, value: float) -> NodeSet:
    """Return the entities whose score meets a test."""
    return having(scores, test=test, value=value)


def leaders(scope: Scope, *, scores: Scores, highest: bool = True) -> NodeSet:
    """Return the entities with the highest score, or the lowest."""
    if not scores:
        return ()
    best = rank(scores, highest_first=highest, limit=1)
    return tuple(sorted(key for key, _ in best))


def count_nodes(scope: Scope, *, nodes: NodeSet) -> float:
    """Return how many entities there are."""
    return float(len(nodes))


def members_of(scope: Scope, *, scores: Scores) -> NodeSet:
    """Return the entities that have a score."""
    return tuple(sorted(key for key, _ in scores))


def reduce_scores(scope: Scope, *, scores: Sequence[tuple[object, float]], how: Measure) -> float:
    """Return the sum, mean, least or greatest of scores, or their number."""
    return measure([value for _, value in scores], how)


def spread(scope: Scope, *, scores: Scores) -> float:
    """Return the highest score less the lowest."""
    values = [value for _, value in scores]
    return max(values) - min(values) if values else math.nan


def ends_of(scope: Scope, *, edges: Sequence[Edge], end: Literal["source", "target"]) -> NodeSet:
    """Return what relations start from, or lead to."""
    for edge in edges:
        scope.note(edge)
    return tuple(sorted({edge.source if end == "source" else edge.target for edge in edges}))


def left_without(scope: Scope, *, cascade: Cascade) -> NodeSet:
    """Return what a removal leaves without anything of what it had."""
    return cascade.lost


def compare_values(scope: Scope, *, a: str, b: str, name: str, scores: Scores) -> Comparison:
    """Compare one number of two entities; ``values`` also name the higher and the lower."""
    known = dict(scores)
    first, second = known.get(a), known.get(b)
    only: dict[str, tuple[str, ...]] = {}
    if first is not None and second is not None and first != second:
        only = {"higher": (a if first > second else b,)}
        only["lower"] = (b if first > second else a,)
    return Comparison(a=a, b=b, values={name: (first, second)}, shared=only)


def merge_comparisons(scope: Scope, *, comparisons: Sequence[Comparison]) -> Comparison:
    """Return one comparison of two entities by all that several compare of the same two.

    Of figures and sets with one name, the first stand.

    Raises:
        PlanError: there is none.
    """
    if not comparisons:
        raise PlanError("there is no comparison to merge")
    merged = comparisons[0]
    for other in comparisons[1:]:
        merged = Comparison(
            a=merged.a,
            b=merged.b,
            counts={**other.counts, **merged.counts},
            values={**other.values, **merged.values},
            shared={**other.shared, **merged.shared},
            only_a={**other.only_a, **merged.only_a},
            only_b={**other.only_b, **merged.only_b},
        )
    return merged


def day_of(
    scope: Scope,
    *,
    edges: Sequence[Edge] = (),
    nodes: NodeSet = (),
    which: Literal["first", "last"],
    property: str | None = None,  # noqa: A002  # the schema's word
) -> str | None:
    """Return the first day on which relations hold, or the last; the widest bounds count.

    Those that have no such bound tell no day. With ``property``, the first or last day, or
    period, that entities or relations hold there.

    Example: ``day_of(nodes=["e1"], property="ended", which="last")`` gives ``"2024-02-03"``.
    """
    for edge in edges:
        scope.note(edge)
    pick = min if which == "first" else max
    if property is not None:
        found = [n for i in nodes if (n := scope.view.node(i))]
        held = [node.properties.get(property) for node in found]
        held += [edge.properties.get(property) for edge in edges]
        return pick((str(day) for day in held if day), default=None)
    bounds = (e.validity.first_day if which == "first" else e.validity.last_day for e in edges)
    return pick((day for day in bounds if day), default=None)


def hops_of(scope: Scope, *, paths: Sequence[NodeSet]) -> float:
    """Return how many relations the shortest path has; not a number when there is none."""
    return float(len(paths[0]) - 1) if paths else math.nan


def passed_by(scope: Scope, *, paths: Sequence[NodeSet]) -> NodeSet:
    """Return what lies on paths between their ends.

    Example: ``passed_by(paths=(("a", "m", "b"),))`` gives ``("m",)``.
    """
    return tuple(sorted({node_id for path in paths for node_id in path[1:-1]}))


def subtract_scores(scope: Scope, *, scores: Scores, minus: Scores) -> Scores:
    """Return what each entity scores in one less what it scores in another; both are needed.

    Example: ``subtract_scores(scores=(("p1", 5.0),), minus=(("p1", 2.0),))`` gives
    ``(("p1", 3.0),)``.
    """
    known = dict(minus)
    return tuple((key, value - known[key]) for key, value in scores if key in known)


def count_groups(scope: Scope, *, groups: Sequence[NodeSet], least: int = 1) -> float:
    """Return how many groups of at least so many members there are."""
    return float(sum(len(group) >= least for group in groups))


def groups_with(scope: Scope, *, groups: Sequence[NodeSet], nodes: NodeSet) -> NodeSet:
    """Return the members of the groups that hold one of ``nodes``.

    Example: ``groups_with(groups=(("a", "b"), ("c",)), nodes=("b",))`` gives ``("a", "b")``.
    """
    held = set(nodes)
    return tuple(sorted({i for group in groups if held & set(group) for i in group}))


def first_groups(scope: Scope, *, groups: Sequence[NodeSet], largest: bool = True) -> NodeSet:
    """Return the members of the largest group, or of all the others."""
    if not groups:
        return ()
    if largest:
        return groups[0]
    return tuple(sorted(node_id for group in groups[1:] for node_id in group))
