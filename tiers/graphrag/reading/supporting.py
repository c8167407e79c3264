"""Chooses among relations that join the same two types by which of them holds of what is named."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.traversal import Hop, find_nodes
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.tree import Variable

_MAX_LOOKED_AT: Final = 40
"""Entities that are looked at to see which relation they have."""


def supported(draft: Draft, path: TypedPath, variable: Variable) -> TypedPath:
    """Return a path whose last step is a relation that what it leads to really has.

    It changes only a step that the question does not name, and that has others beside it: an
    "editor" is joined to a film by who cuts it, not by who directs it.
    """
    if not path.hops or path.types[-1] != variable.type:
        return path
    last = path.hops[-1]
    beside = [
        hop
        for other, hop, _ in draft.sketch.paths.hops_from(path.types[-2])
        if other == variable.type and hop.relation != last.relation
    ]
    is_named = any(t.name == last.relation for t in draft.sketch.relations)
    if not beside or is_named or path.types[-2] == variable.type:
        return path
    ids = _entities(draft, variable)
    shares = [(_share(draft, ids, hop), -i, hop) for i, hop in enumerate((last, *beside))]
    best = max(shares, key=lambda s: s[:2])[2] if ids else last
    if best is last:
        return path
    return replace(path, hops=(*path.hops[:-1], replace(best, repeat=last.repeat)))


def _entities(draft: Draft, variable: Variable) -> Sequence[str]:
    """Return what a variable says of itself alone, a few at most."""
    if variable.anchor and variable.anchor.ids:
        return variable.anchor.ids
    where = variable.anchor.conditions if variable.anchor else tuple(variable.conditions)
    if not where:
        return ()
    scope = draft.scope.at(draft.when)
    return find_nodes(scope, type=variable.type, where=where)[:_MAX_LOOKED_AT]


def _share(draft: Draft, ids: Sequence[str], hop: Hop) -> float:
    """Return the share of entities that a step leads to."""
    scope = draft.scope.at(draft.when)
    n_reached = sum(bool(scope.edges(i, hop.relation, outgoing=not hop.outgoing)) for i in ids)
    return n_reached / len(ids)
