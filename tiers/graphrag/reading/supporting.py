"""Chooses among relations that join the same two types by which of them holds of what is named."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.traversal import Hop, find_nodes
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.paths import Arrival, TypedPath
from tiers.graphrag.reading.tree import Variable

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
    """Return another way where a name never had the last step, which nobody asks for in words.

    It ends with a step that the name has: a fault that struck a substation reaches the parks
    through it, though others strike parks.
    """
    last = path.hops[-1]
    named = {t.name for t in draft.sketch.relations}
    if child.anchor is None or not child.anchor.ids or last.relation in named:
        return path
    arrivals = _arrivals(draft, child.type, child.anchor.ids)
    if not arrivals or (path.types[-2], last.relation, last.outgoing) in arrivals:
        return path
    return draft.way(path.types[0], path.types[-1], arrivals=arrivals) or path


def _arrivals(draft: Draft, node_type: str, ids: Sequence[str]) -> frozenset[Arrival]:
    """Return the steps that lead to any of some entities, at any time."""
    view = draft.scope.view
    found = set()
    for _, hop, _ in draft.sketch.paths.hops_from(node_type):
        for node_id in ids:
            edges = view.edges(node_id, hop.relation, outgoing=hop.outgoing)[:_MAX_LOOKED_AT]
            others = (view.node(e.target if hop.outgoing else e.source) for e in edges)
            found |= {(o.type, hop.relation, not hop.outgoing) for o in others if o}
    return frozenset(found)


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
