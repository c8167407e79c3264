"""The relations that counts rest on, kept as provenance once it is known what the answer names."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, cast

from tiers.graphrag.operators.traversal import Hop, NodeSet, Scores, in_order, step
from tiers.graphrag.plans.steps import Plan, Ref, Step
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge

_MAX_COUNTED: Final = 100
"""Entities whose counted relations are kept; counting looks at many more."""


def keep_counted(
    plan: Plan, outcomes: Mapping[str, object], named: Collection[str], scope: Scope
) -> None:
    """Note the relations that were counted for the entities that an answer names.

    Where it names none, as the mean of counts, those of all that were counted. The answer is whole
    already: where there is no time for all of them, that cuts no more than what is kept.
    """
    n_cuts = len(scope.budget.cuts)
    for one in plan.steps:
        if one.operator != "count_edges":
            continue
        scores = cast("Scores", outcomes[one.name])
        counted = [node_id for node_id, number in scores if number]
        wanted = [n for n in counted if n in named] if named else counted
        scope.budget.is_relations_cut |= len(wanted) > _MAX_COUNTED
        within = _resolved(one, "within", outcomes)
        path = cast("Sequence[Hop]", one.arguments["path"])
        for node_id in wanted[:_MAX_COUNTED]:
            _keep(scope.at(one.as_of), node_id, path, within)
    if len(scope.budget.cuts) > n_cuts:
        del scope.budget.cuts[n_cuts:]
        scope.budget.is_relations_cut = True


def _resolved(one: Step, key: str, outcomes: Mapping[str, object]) -> frozenset[str] | None:
    given = one.arguments.get(key)
    nodes = outcomes[given.step] if isinstance(given, Ref) else given
    return None if nodes is None else frozenset(cast("NodeSet", nodes))


def _keep(scope: Scope, node_id: str, path: Sequence[Hop], within: frozenset[str] | None) -> None:
    """Note the relations on the ways from an entity to the ends that count."""
    layers: list[Mapping[str, Sequence[Edge]]] = []
    frontier: Iterable[str] = (node_id,)
    for hop in path:
        layers.append(step(scope, frontier, hop))
        frontier = layers[-1]
    ends = set(frontier) if within is None else set(frontier) & within
    for hop, reached in zip(reversed(path), reversed(layers), strict=True):
        kept = [edge for end in sorted(ends) for edge in reached[end]]
        for edge in in_order(kept):
            scope.note(edge)
        ends = set() if hop.repeat else {e.source if hop.outgoing else e.target for e in kept}
