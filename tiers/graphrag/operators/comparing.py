"""Operators that compare two entities, and find who could stand in for one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tiers.graphrag.operators.effects import reach
from tiers.graphrag.operators.traversal import (
    Hop,
    NodeSet,
    find_nodes,
    follow,
    in_order,
    step,
)
from tiers.graphrag.view import Scope
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Value
from trivium.domain.result import Comparison
from trivium.domain.schema import Property, PropertyKind
from trivium.language.text import fold, spoken, stems
from trivium.language.words import general_words

_KIND_WORDS = frozenset({"type", "kind", "category", "class", "family", "genre", "speciality"})


def subgraph_diff(scope: Scope, *, a: str, b: str, types: Sequence[str] = ()) -> Comparison:
    """Compare what two entities rest on and what rests on them, type by type.

    ``counts`` are per type; ``values`` hold the depth of what they rest on and in how many
    places it stands. A computation: it goes as far as the effects do.

    Example: ``subgraph_diff(a="p1", b="p2", types=["Plant"])``.
    Source: the paper's Table XIV, Definition 4.
    """
    sides = [_surroundings(scope, node_id) for node_id in (a, b)]
    groups = [_by_type(scope, {*up, *down}, (a, b)) for up, down in sides]
    names = [n for n in scope.schema.node_types if any(n in g for g in groups)]
    chosen = [n for n in names if not types or n in types]
    pairs = {n: (groups[0].get(n, set()), groups[1].get(n, set())) for n in chosen}
    values = {} if types else _whereabouts(scope, [up for up, _ in sides], names)
    if scope.budget.is_spent:  # a number that could not be finished is left out
        return Comparison(a=a, b=b)
    return Comparison(
        a=a,
        b=b,
        counts={n: (len(x), len(y)) for n, (x, y) in pairs.items()},
        values=values,
        shared={n: tuple(sorted(x & y)) for n, (x, y) in pairs.items()},
        only_a={n: tuple(sorted(x - y)) for n, (x, y) in pairs.items()},
        only_b={n: tuple(sorted(y - x)) for n, (x, y) in pairs.items()},
    )


def compare_along(
    scope: Scope,
    *,
    a: str,
    b: str,
    types: Sequence[str],
    paths: Sequence[Sequence[Hop]],
    within: Sequence[NodeSet | None] = (),
) -> Comparison:
    """Compare what typed paths lead to from two entities, a type to each path.

    ``within``, where given, are the only entities of each type that count.

    Example: ``compare_along(a="p1", b="p2", types=["Maker"], paths=[[{"relation": "SUPPLIES",
    "direction": "in"}]])``.
    Source: the paper's Definition 4, along paths that the question names.

    Raises:
        PlanError: there is not one path, or not one ``within``, for each type.
    """
    found: dict[str, tuple[set[str], set[str]]] = {}
    allowed = list(within) or [None] * len(types)
    if not len(types) == len(paths) == len(allowed):
        raise PlanError("there must be one path, and one 'within' if any, for each type")
    for name, path, only in zip(types, paths, allowed, strict=True):
        first, second = (set(follow(scope, nodes=(n,), path=path)) for n in (a, b))
        if only is not None:
            first, second = first & set(only), second & set(only)
        found[name] = (first, second)
    return Comparison(
        a=a,
        b=b,
        counts={n: (len(x), len(y)) for n, (x, y) in found.items()},
        shared={n: tuple(sorted(x & y)) for n, (x, y) in found.items()},
        only_a={n: tuple(sorted(x - y)) for n, (x, y) in found.items()},
        only_b={n: tuple(sorted(y - x)) for n, (x, y) in found.items()},
    )


def _surroundings(scope: Scope, node_id: str) -> tuple[dict[str, int], dict[str, int]]:
    up = reach(scope, (node_id,), downstream=False)
    down = reach(scope, (node_id,), downstream=True)
    return {k: v for k, v in up.items() if v}, {k: v for k, v in down.items() if v}


def _whereabouts(
    scope: Scope, ups: Sequence[Mapping[str, int]], types: Sequence[str]
) -> dict[str, tuple[Value, Value]]:
    """Return how far back two entities go, and in how many places what they rest on stands."""
    depths = [max(up.values(), default=0) for up in ups]
    found: dict[str, tuple[Value, Value]] = {"depth": (depths[0], depths[1])}
    for place in _place_properties(scope, types):
        spread = [len(_places(scope, up, place)) for up in ups]
        found[place] = (spread[0], spread[1])
    return found


def _by_type(scope: Scope, nodes: Iterable[str], without: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for node_id in set(nodes) - set(without):
        if not scope.budget.look(1):
            break
        node = scope.view.node(node_id)
        if node is not None:
            found.setdefault(node.type, set()).add(node_id)
    return found


def _place_properties(scope: Scope, types: Sequence[str]) -> list[str]:
    """Return the properties that say where something is, in at least two of the types."""
    seen = Counter(
        item.name
        for name in types
        for item in scope.schema.node_types[name].properties.values()
        if spoken(item.name) in general_words().places
    )
    return [name for name, n in seen.items() if n >= 2]


def _places(scope: Scope, nodes: Iterable[str], place: str) -> set[str]:
    found = (scope.view.node(node_id) for node_id in nodes if scope.budget.look(1))
    return {str(v) for n in found if n and (v := n.properties.get(place)) is not None}


def kind_property(scope: Scope, node_type: str) -> Property | None:
    """Return the property that says what kind of its type an entity is."""
    properties = scope.schema.node_types[node_type].properties.values()
    return next(
        (
            p
            for p in properties
            if p.kind is PropertyKind.CATEGORY and _KIND_WORDS & set(spoken(p.name).split())
        ),
        None,
    )


def alternatives(scope: Scope, *, node: str, hop: Hop) -> NodeSet:
    """Return who could stand in for what ``hop`` leads to from an entity.

    They are those who do the same for another entity of its kind; when there are none, those
    whose own description names the kind.

    Example: ``alternatives(node="p1", hop={"relation": "SUPPLIES", "direction": "in"})``.
    Source: the paper's Algorithm 1, Definition 2.
    """
    target = scope.view.node(node)
    kind = kind_property(scope, target.type) if target else None
    current = set(step(scope, (node,), hop))
    if target is None or kind is None:
        return ()
    value = target.properties.get(kind.name)
    if value is None:
        return ()
    alike = [
        n.id
        for n in scope.active(target.type)
        if n.id != node and n.properties.get(kind.name) == value
    ]
    reached = step(scope, alike, hop)
    found = sorted(set(reached) - current)
    for node_id in found:
        for edge in in_order(reached[node_id]):
            scope.note(edge)
    return tuple(found) if found else _by_description(scope, hop, str(value), current)


def _by_description(scope: Scope, hop: Hop, kind: str, current: set[str]) -> NodeSet:
    """Return those whose text properties name the kind in their own words."""
    wanted = {w for w in stems(kind) if len(w) > 3 and w not in general_words().stop}
    found = []
    for node_id in find_nodes(scope, type=hop.to_type):
        node = scope.view.node(node_id)
        texts = [v for v in (node.properties.values() if node else ()) if isinstance(v, str)]
        said = {w for text in texts if len(text.split()) > 1 for w in stems(fold(text))}
        if node_id not in current and wanted and wanted <= said:
            found.append(node_id)
    return tuple(found)
