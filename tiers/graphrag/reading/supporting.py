"""Chooses among relations that join the same two types by which of them holds of what is named."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.traversal import Hop, find_nodes
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.tree import Variable

_ABSENT_COST: Final = 2.0
"""For a relation that a name has not once."""
_MAX_LOOKED_AT: Final = 40
"""Entities that are looked at to see which relation they have."""


def supported(draft: Draft, path: TypedPath, head: Variable, child: Variable) -> TypedPath:
    """Return a path whose steps at both ends are relations that what stands there really has.

    It changes only a step that has others beside it, and that the question does not name, or that
    nothing there has: an "editor" is joined to a film by who cuts it, not by who directs it.
    """
    if not path.hops or path.types != (head.type, *path.types[1:-1], child.type):
        return path
    path = _reaching(draft, path, child)
    for at, variable, is_out in ((len(path.hops) - 1, child, False), (0, head, True)):
        hop = _best_hop(draft, path, at, variable, is_out=is_out)
        path = replace(path, hops=(*path.hops[:at], hop, *path.hops[at + 1 :]))
    return path


def _reaching(draft: Draft, path: TypedPath, child: Variable) -> TypedPath:
    """Return another way where a name has not one relation of the last step: of what it has."""
    last = path.hops[-1]
    named = {t.name for t in draft.sketch.relations}
    if (
        len(path.hops) == 1
        or child.anchor is None
        or not child.anchor.ids
        or last.relation in named
    ):
        return path
    if _ever(draft, child.anchor.ids, last):
        return path
    gains = {**draft.gains(), last.relation: -_ABSENT_COST}
    other = draft.way(path.types[0], path.types[-1], gains=gains)
    is_better = (
        other is not None
        and len(other.hops) <= len(path.hops)
        and _ever(draft, child.anchor.ids, other.hops[-1])
    )
    return other if other is not None and is_better else path


def _ever(draft: Draft, ids: Sequence[str], last: Hop) -> bool:
    """Whether any of some entities has, at any time, the relation of a step that ends there."""
    scope = draft.scope.at(draft.up_to_now())
    return any(scope.edges(i, last.relation, outgoing=not last.outgoing) for i in ids)


def _best_hop(draft: Draft, path: TypedPath, at: int, variable: Variable, *, is_out: bool) -> Hop:
    """Return the step at a place of a path, or the one beside it that ``variable`` has."""
    here, start, end = path.hops[at], path.types[at], path.types[at + 1]
    beside = [
        hop
        for other, hop, _ in draft.sketch.paths.hops_from(start)
        if other == end and hop.relation != here.relation
    ]
    if not beside or start == end:
        return here
    is_named = any(t.name == here.relation for t in draft.sketch.relations)
    ids = _entities(draft, variable)
    is_name = variable.anchor is not None and bool(variable.anchor.ids)
    if not ids or (is_named and (is_name or _share(draft, ids, here, is_out=is_out))):
        return here
    shares = [(_share(draft, ids, h, is_out=is_out), -i) for i, h in enumerate((here, *beside))]
    best = (here, *beside)[-max(shares)[1]]
    return replace(best, repeat=here.repeat) if best is not here else here


def _entities(draft: Draft, variable: Variable) -> Sequence[str]:
    """Return what a variable says of itself alone, a few at most."""
    if variable.anchor and variable.anchor.ids:
        return variable.anchor.ids
    where = variable.anchor.conditions if variable.anchor else tuple(variable.conditions)
    if not where:
        return ()
    scope = draft.scope.at(draft.when)
    return find_nodes(scope, type=variable.type, where=where)[:_MAX_LOOKED_AT]


def _share(draft: Draft, ids: Sequence[str], hop: Hop, *, is_out: bool) -> float:
    """Return the share of entities that have the relation of a step, which starts there or ends."""
    scope = draft.scope.at(draft.when)
    outgoing = hop.outgoing is is_out
    return sum(bool(scope.edges(i, hop.relation, outgoing=outgoing)) for i in ids) / len(ids)
