"""What happens when entities are taken out: what feels it, and what is left without."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tiers.graphrag.operators.effects import effect_neighbors
from tiers.graphrag.operators.traversal import Hop, NodeSet, in_order, step
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Cascade:
    """What a removal does."""

    reached: NodeSet
    """All that feels it at the end of the path."""
    lost: NodeSet
    """What loses all that it had at the step before."""
    only: NodeSet = ()
    """Those of the lost that had one alone."""
    levels: tuple[NodeSet, ...] = ()
    """What feels it, step by step, what was taken out first."""


def simulate_removal(scope: Scope, *, nodes: NodeSet, path: Sequence[Hop] | None = None) -> Cascade:
    """Take entities out and say what feels it, what is left without, and what loses its only one.

    Along a ``path``, something is lost when every relation of a step that it had comes from what
    is lost already; the outcome is what stands at the path's end. Without one, the fault runs
    along all effects: something is lost when all that it had by a type of relation is lost, and
    the outcome is all but what was taken out. Events are no support.

    Example: ``simulate_removal(nodes=["m1", "m2"], path=[{"relation": "SUPPLIES", "direction":
    "out"}])`` gives ``Cascade(reached=("p1", "p2"), lost=("p1",), only=("p1",), …)``.
    Source: the paper's Table XIV.
    """
    return _along_effects(scope, nodes) if path is None else _along_path(scope, nodes, path)


def _along_path(scope: Scope, nodes: NodeSet, path: Sequence[Hop]) -> Cascade:
    lost: set[str] = set(nodes)
    gone: set[str] = set(nodes)
    only: set[str] = set()
    levels = [tuple(sorted(lost))]
    for n, hop in enumerate(path):
        had = _had(scope, lost, hop)
        lost = _left_with_none(lost, had, hop, gone)
        only = {node_id for node_id in lost if len(had.get(node_id, ())) == 1}
        gone |= lost
        touched = step(scope, levels[-1], hop)
        levels.append(_noted(scope, touched, len(path) - n))
        if scope.budget.cuts:
            lost, only = lost & set(levels[-1]), only & set(levels[-1])
    return Cascade(
        reached=levels[-1],
        lost=tuple(sorted(lost)),
        only=tuple(sorted(only)),
        levels=tuple(levels),
    )


def _noted(scope: Scope, touched: dict[str, list[Edge]], hops_left: int) -> NodeSet:
    admitted = scope.budget.admit(sorted(touched), hops_left=hops_left)
    for edge in in_order(edge for node_id in admitted for edge in touched[node_id]):
        scope.note(edge)
    return tuple(admitted)


def _had(scope: Scope, lost: Iterable[str], hop: Hop) -> dict[str, set[str]]:
    """Return what a hop leads to from ``lost``, each with all that it has by the same hop."""
    back = Hop(relation=hop.relation, outgoing=not hop.outgoing, where=hop.where)
    return {n: set(step(scope, (n,), back)) for n in step(scope, lost, hop)}


def _left_with_none(lost: set[str], had: dict[str, set[str]], hop: Hop, gone: set[str]) -> set[str]:
    """Return what has nothing but what is gone."""
    found = set(lost) if hop.repeat == "*" else set()
    while new := {n for n, own in had.items() if n not in found and own <= gone | found}:
        found |= new
        if not hop.repeat:
            break
    return found


def _along_effects(scope: Scope, nodes: NodeSet) -> Cascade:
    start = set(nodes)
    levels = _felt(scope, start)
    felt = {node_id for level in levels for node_id in level}
    gone, fresh = set(start), set(start)
    while fresh:
        near = {n for here in fresh for n, _ in effect_neighbors(scope, here, downstream=True)}
        fresh = {n for n in (near & felt) - gone if _emptied(scope, n, gone)}
        gone |= fresh
    lost = gone - start
    only = {n for n in lost if any(len(own) == 1 for own in _emptied(scope, n, gone))}
    return Cascade(
        reached=tuple(sorted(felt - start)),
        lost=tuple(sorted(lost)),
        only=tuple(sorted(only)),
        levels=levels,
    )


def _felt(scope: Scope, start: set[str]) -> tuple[NodeSet, ...]:
    """Return what feels a fault, step by step, and keep how; the start comes first."""
    levels = [tuple(sorted(start))]
    seen = set(start)
    while levels[-1]:
        touched: dict[str, list[Edge]] = {}
        for here in levels[-1]:
            for other, edge in effect_neighbors(scope, here, downstream=True):
                if other not in seen and scope.budget.look(1):
                    touched.setdefault(other, []).append(edge)
        levels.append(_noted(scope, touched, 1))
        seen.update(levels[-1])
    return tuple(levels[:-1])


def _emptied(scope: Scope, node_id: str, gone: set[str]) -> list[set[str]]:
    """Return what an entity had by each type of relation of which all is gone."""
    support: dict[str, set[str]] = {}
    for other, edge in effect_neighbors(scope, node_id, downstream=False):
        support.setdefault(edge.type, set()).add(other)
    return [own for own in support.values() if own <= gone]
