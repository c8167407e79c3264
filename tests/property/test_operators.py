"""Operators that walk, count and choose, held against their definitions by enumeration."""

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.worlds import (
    EFFECTS,
    TYPES,
    Thing,
    World,
    day,
    numbers,
    period,
    shortest,
    simple_paths,
    worlds,
)
from tiers.graphrag.operators import counting, ways
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.effects import reach
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import OPERATORS
from tiers.graphrag.projection import KeepsProjections, projection_of, read_projections
from tiers.graphrag.view import Budget
from trivium.domain.knowledge import Edge
from trivium.domain.time import Moment

Scores = tuple[tuple[str, float], ...]


def call(name: str, world: World, **arguments: object) -> Any:  # each operator gives its own
    return OPERATORS[name](world.scope, **arguments)


def keys(edges: tuple[Edge, ...]) -> list[str]:
    return [edge.key for edge in edges]


def test_every_operator_has_a_twin():
    tests = Path(__file__).parent.glob("test_operators*.py")
    text = "".join(path.read_text("utf-8") for path in tests)
    assert [name for name in OPERATORS if f'"{name}"' not in text] == []


# --- finding -------------------------------------------------------------------------------------

TESTS: Final[dict[Test, Callable[[Any, Any], bool]]] = {
    Test.EQUALS: lambda value, wanted: value == wanted,
    Test.DIFFERS: lambda value, wanted: value != wanted,
    Test.ABOVE: lambda value, wanted: value > wanted,
    Test.AT_LEAST: lambda value, wanted: value >= wanted,
    Test.BELOW: lambda value, wanted: value < wanted,
    Test.AT_MOST: lambda value, wanted: value <= wanted,
}


def a_condition(world: World, name: str) -> tuple[Condition, Callable[[Thing], bool]]:
    """A condition on a number, and what it means; a text and a number have no order."""
    test = world.rng.choice(list(TESTS))
    wanted = world.rng.choice([-1, 0, 1, 2, 2.5])

    def meets(thing: Thing) -> bool:
        value = thing.properties.get(name)
        if value is None:
            return test is Test.DIFFERS
        if isinstance(value, str):
            is_same = value == str(wanted)
            return {Test.EQUALS: is_same, Test.DIFFERS: not is_same}.get(test, False)
        return TESTS[test](value, wanted)

    return Condition(property=name, test=test, value=wanted), meets


@given(worlds(), st.sampled_from([None, *TYPES, "Unknown"]))
def test_find_nodes(world: World, node_type: str | None):
    condition, meets = a_condition(world, "size")
    types = [] if node_type is None else [node_type]
    there = world.ids(*types)

    assert call("find_nodes", world, type=node_type) == tuple(there)
    found = call("find_nodes", world, type=node_type, where=(condition,))
    assert found == tuple(i for i in there if meets(world.nodes[i]))


@given(worlds())
def test_find_nodes_by_their_ids_takes_those_that_are_gone(world: World):
    ids = (*world.some(), "nobody", *world.some())
    known = sorted({i for i in ids if i in world.nodes})

    assert call("find_nodes", world, ids=ids) == tuple(known)
    parts = tuple(i for i in known if world.nodes[i].type == "Part")
    assert call("find_nodes", world, ids=ids, type="Part") == parts
    assert call("find_nodes", world, ids=()) == ()


@given(worlds())
def test_get_node(world: World):
    thing = world.nodes[world.one()]
    wanted = {"id": thing.key, "type": thing.type, "name": thing.key, **thing.properties}
    assert call("get_node", world, id=thing.key) == wanted


@given(worlds(), st.sampled_from([None, *EFFECTS]), st.sampled_from(["in", "out", "both"]))
def test_get_neighbors(world: World, relation: str | None, direction: str):
    nodes = world.some()
    wanted = set()
    for e in world.holding(relation):
        if e.source in nodes and direction != "in":
            wanted.add(e.target)
        if e.target in nodes and direction != "out":
            wanted.add(e.source)

    found = call("get_neighbors", world, nodes=nodes, relation=relation, direction=direction)
    assert found == tuple(sorted(wanted))


# --- walking -------------------------------------------------------------------------------------


@given(worlds())
def test_follow(world: World):
    nodes, path = world.some(), world.path(("", "", "+", "*"))
    assert call("follow", world, nodes=nodes, path=path) == tuple(sorted(world.walk(nodes, path)))


@given(worlds())
def test_follow_takes_only_relations_that_meet_its_conditions(world: World):
    nodes, hop = world.some(), world.hop()
    condition, meets = a_condition(world, "quantity")
    kept = {e.key for e in world.edges if meets(e)}
    wanted = {b for a, b, key in world.links(hop) if a in nodes and key in kept}

    path = (
        Hop(relation=hop.relation, outgoing=hop.outgoing, to_type=hop.to_type, where=(condition,)),
    )
    assert call("follow", world, nodes=nodes, path=path) == tuple(sorted(wanted))


@given(worlds())
def test_follow_shows_the_relations_that_it_went_along(world: World):
    nodes, path = world.some(), world.path()
    went: set[str] = set()
    for n, hop in enumerate(path):
        start = world.walk(nodes, path[:n])
        went |= {key for a, _, key in world.links(hop) if a in start}

    call("follow", world, nodes=nodes, path=path)
    wanted = {(e.source, e.type, e.target) for e in world.edges if e.key in went}
    assert set(world.scope.budget.relations) == wanted


@given(worlds(n_nodes=12, n_edges=30), st.integers(0, 3))
def test_follow_past_its_budget_gives_a_part_and_says_so(world: World, most: int):
    nodes, path = world.some(), world.path()
    full = world.walk(nodes, path)
    scope, twin = world.with_budget(most)

    found = OPERATORS["follow"](scope, nodes=nodes, path=path)
    assert isinstance(found, tuple)
    assert set(found) <= full
    assert len(scope.budget.touched) <= most
    assert scope.budget.is_exhausted or set(found) == full
    assert found == OPERATORS["follow"](twin, nodes=nodes, path=path)
    assert (scope.budget.touched, scope.budget.cuts) == (twin.budget.touched, twin.budget.cuts)


@given(worlds(n_nodes=12, n_edges=30), st.integers(0, 3))
def test_subgraph_past_its_budget_gives_the_nearest_and_says_so(world: World, most: int):
    nodes = world.some()
    distances = world.distances(nodes, downstream=True)
    full = sorted((d, n) for n, d in distances.items() if n not in nodes)
    scope, twin = world.with_budget(most)

    for each in (scope, twin):
        found = OPERATORS["subgraph"](each, nodes=nodes)
        assert found == tuple(sorted(n for _, n in full[:most]))
        assert each.budget.is_exhausted == (len(full) > most)


@given(worlds(n_edges=30), st.sampled_from(list(EFFECTS)))
def test_relations_come_in_one_order_from_every_store(world: World, relation: str):
    nodes, (_, moment) = world.some(), period(world.rng)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("filter_edges_by_date", {"period": moment}),
        ("relations_between", {"sources": nodes, "targets": tuple(world.nodes)}),
        ("relation_values", {"property": "quantity", "targets": nodes}),
    ]
    for name, arguments in calls:
        found, same = (
            OPERATORS[name](scope, relation=relation, **arguments)
            for scope in (world.scope, world.twin)
        )
        assert found == same
    assert list(world.scope.budget.relations) == list(world.twin.budget.relations)


@given(worlds(), st.booleans(), st.sampled_from([None, 0, 1, 2]))
def test_reach(world: World, downstream, max_hops: int | None):
    nodes = world.some()
    distances = world.distances(nodes, downstream=downstream)
    wanted = {n: d for n, d in distances.items() if max_hops is None or d <= max_hops}

    assert reach(world.scope, nodes, downstream=downstream, max_hops=max_hops) == wanted


@given(worlds(), st.sampled_from(["downstream", "upstream"]), st.sampled_from([None, 1, 2]))
def test_subgraph(world: World, direction: str, max_hops: int | None):
    nodes = world.some()
    is_down = direction == "downstream"
    distances = world.distances(nodes, downstream=is_down)
    inside = {n for n, d in distances.items() if max_hops is None or d <= max_hops}

    found = call("subgraph", world, nodes=nodes, direction=direction, max_hops=max_hops)
    assert found == tuple(sorted(inside - set(nodes)))
    parts = call(
        "subgraph", world, nodes=nodes, direction=direction, max_hops=max_hops, types=("Part",)
    )
    assert parts == tuple(n for n in found if world.nodes[n].type == "Part")


@given(worlds(), st.sampled_from([(), ("Part",), ("Maker", "Site")]))
def test_count_effects(world: World, types: tuple[str, ...]):
    nodes = (*world.some(), "nobody")

    def felt(node: str) -> float:
        reached = [n for n in world.distances([node], downstream=True) if n != node]
        return float(sum(not types or world.nodes[n].type in types for n in reached))

    wanted = tuple((n, felt(n)) for n in nodes if world.there(n))
    assert call("count_effects", world, nodes=nodes, types=types) == wanted


@given(worlds(), st.sampled_from(["downstream", "upstream"]))
def test_subgraph_shows_every_relation_within_it(world: World, direction: str):
    nodes = world.some()
    inside = world.distances(nodes, downstream=direction == "downstream")
    wanted = {
        (e.source, e.type, e.target)
        for e in world.holding()
        if EFFECTS[e.type] != "none"
        and {e.source, e.target} <= set(inside)
        and not (direction == "upstream" and world.is_event(world.cause(e)))
    }

    call("subgraph", world, nodes=nodes, direction=direction)
    assert set(world.scope.budget.relations) == wanted


@given(worlds(), st.sampled_from([0, 64]))
def test_count_edges(world: World, many: int):
    """From few entities by walks, from many by matrices: the same."""
    nodes, path, within = (*world.some(), "nobody"), world.path(("", "", "+")), world.some()
    walked = {n: world.walk((n,), path) if n in world.nodes or not path else set() for n in nodes}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_MANY", many)
        assert call("count_edges", world, nodes=nodes, path=path) == tuple(
            (n, float(len(walked[n]))) for n in nodes
        )
        assert call("count_edges", world, nodes=nodes, path=path, within=within) == tuple(
            (n, float(len(walked[n] & set(within)))) for n in nodes
        )


@given(worlds(), st.sampled_from(TYPES))
def test_set_complement(world: World, node_type: str):
    nodes = world.some()
    wanted = [n for n in world.ids(node_type) if n not in nodes]
    assert call("set_complement", world, type=node_type, nodes=nodes) == tuple(wanted)


@given(worlds())
def test_combine(world: World):
    a, b, c = world.some(), world.some(), world.some()

    def combined(how: str) -> set[str]:
        return set(call("combine", world, how=how, sets=(a, b, c)))

    for n in world.nodes:
        assert (n in combined("union")) == (n in a or n in b or n in c)
        assert (n in combined("intersection")) == (n in a and n in b and n in c)
        assert (n in combined("difference")) == (n in a and n not in b and n not in c)
    assert call("combine", world, how="union", sets=(a,)) == tuple(sorted(a))


# --- the shortest way ----------------------------------------------------------------------------


@given(worlds(n_nodes=7))
def test_shortest_path(world: World):
    a, b = world.one(), world.one()
    found = simple_paths(world.near(), a, b)
    wanted = shortest([p for p in found if not any(world.is_event(n) for n in p[1:-1])])

    assert call("shortest_path", world, source=a, target=b) == tuple(wanted)
    turned = call("shortest_path", world, source=b, target=a)
    assert sorted(path[::-1] for path in turned) == wanted


@given(worlds(n_nodes=12, n_edges=60), st.integers(1, 4))
def test_shortest_path_is_the_same_over_the_arrays(world: World, max_paths: int):
    """Once a version was read for a computation, paths are found there: the same, cut the same."""
    kept = next(s for s in (world.scope, world.twin) if isinstance(s.view, KeepsProjections))

    def found() -> list[object]:
        scope = replace(kept, budget=Budget(max_paths=max_paths))
        paths = [
            OPERATORS["shortest_path"](scope, source=a, target=b)
            for a in world.ids()
            for b in world.ids()
        ]
        return [paths, scope.budget.cuts, scope.budget.relations]

    walked = found()
    assert read_projections(kept) is None
    projection_of(kept)
    assert read_projections(kept) is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ways, "_MANY", 1)
        patch.setattr(ways._Side, "grow", None)  # what walks without the arrays
        assert found() == walked


@given(worlds(n_nodes=7))
def test_shortest_path_along_the_effects(world: World):
    a, b = world.one(), world.one()
    felt = world.felt(downstream=True)
    ahead = {n: {y for x, y in felt if x == n} for n in world.ids()}
    found = simple_paths(ahead, a, b)
    wanted = shortest([p for p in found if not any(world.is_event(n) for n in p[1:-1])])

    assert call("shortest_path", world, source=a, target=b, directed=True) == tuple(wanted)


@given(worlds())
def test_hops_of(world: World):
    paths = call("shortest_path", world, source=world.one(), target=world.one())
    hops = call("hops_of", world, paths=paths)
    assert math.isnan(hops) if not paths else hops == len(paths[0]) - 1
    ends = {path[0] for path in paths} | {path[-1] for path in paths}
    passed = call("passed_by", world, paths=paths)
    assert list(passed) == sorted({n for path in paths for n in path} - ends)


# --- time ----------------------------------------------------------------------------------------


@given(worlds(n_edges=30), st.sampled_from(list(EFFECTS)))
def test_filter_edges_by_date(world: World, relation: str):
    ticks, moment = period(world.rng)
    own = [e for e in world.edges if e.type == relation and e.ticks]
    held = {e.key for e in own if e.ticks & ticks}
    began = {e.key for e in own if e.bounds[0] is not None and min(e.ticks) in ticks}
    ended = {e.key for e in own if e.bounds[1] is not None and max(e.ticks) in ticks}

    for change, wanted in (("held", held), ("began", began), ("ended", ended)):
        found = call("filter_edges_by_date", world, relation=relation, period=moment, change=change)
        assert sorted(keys(found)) == sorted(wanted)
        ends, among = _some_ends(world)
        some: Any = call(
            "filter_edges_by_date", world, relation=relation, period=moment, change=change, **ends
        )
        assert keys(some) == [key for key in keys(found) if key in among]


@given(worlds(n_edges=30), st.sampled_from([None, *EFFECTS]))
def test_changes_between(world: World, relation: str | None):
    (a, first), (b, second) = period(world.rng), period(world.rng)
    at = [{e.key for e in replace(world, now=ticks).holding(relation)} for ticks in (a, b)]

    for change, wanted in (("began", at[1] - at[0]), ("ended", at[0] - at[1])):
        found = call(
            "changes_between", world, first=first, second=second, change=change, relation=relation
        )
        assert sorted(keys(found)) == sorted(wanted)
        ends, among = _some_ends(world)
        some: Any = call(
            "changes_between", world, first=first, second=second, change=change, relation=relation,
            **ends,
        )  # fmt: skip
        assert keys(some) == [key for key in keys(found) if key in among]


def _some_ends(world: World) -> tuple[dict[str, Any], set[str]]:
    """Sets of ends, or none, and the keys of the relations that lead from one to the other."""
    ends = {
        "sources": world.rng.choice([None, world.some()]),
        "targets": world.rng.choice([None, world.some()]),
    }
    sources, targets = ends["sources"], ends["targets"]
    return ends, {
        e.key
        for e in world.edges
        if (sources is None or e.source in sources) and (targets is None or e.target in targets)
    }


@given(worlds(n_nodes=4, n_edges=24), st.sampled_from(list(EFFECTS)), st.booleans())
def test_relations_between(world: World, relation: str, past):
    sources, targets = world.some(), world.some()
    ever = [
        e
        for e in world.edges
        if e.type == relation
        and e.source in sources
        and e.target in targets
        and e.ticks
        and min(e.ticks) <= max(world.now)
    ]
    current = [e for e in ever if e.ticks & world.now]
    with_end = [e for e in ever if e.bounds[1] is not None]
    wanted = (with_end if past else current) or ever

    found = call(
        "relations_between", world, relation=relation, sources=sources, targets=targets, past=past
    )
    assert sorted(keys(found)) == sorted(e.key for e in wanted)


@given(worlds(n_edges=20))
def test_day_of(world: World):
    edges = tuple(
        e for n in world.scope.view.nodes() for e in world.scope.view.edges(n.id, outgoing=True)
    )
    starts = [e.bounds[0] for e in world.edges if e.bounds[0] is not None]
    ends = [e.bounds[1] - 1 for e in world.edges if e.bounds[1] is not None]

    first, last = (call("day_of", world, edges=edges, which=which) for which in ("first", "last"))
    assert first == (day(min(starts)) if starts else None)
    assert last == (day(max(ends)) if ends else None)


@given(worlds(n_edges=20))
def test_begun(world: World):
    edges = tuple(
        e for n in world.scope.view.nodes() for e in world.scope.view.edges(n.id, outgoing=True)
    )
    starts = {e.key: e.bounds[0] for e in world.edges if e.bounds[0] is not None and e.ticks}

    for which, pick in (("first", min), ("last", max)):
        found = call("begun", world, edges=edges, which=which)
        day = pick(starts.values(), default=None)
        assert set(keys(found)) <= {key for key, start in starts.items() if start == day}
        assert bool(found) is any(e.key in starts for e in edges)


@given(worlds())
def test_a_step_looks_at_its_own_moment(world: World):
    other = world.scope.at(Moment.of("2024-03-12"))
    assert other.moment.text == "2024-03-12"
    assert other.budget is world.scope.budget
    assert world.scope.at(None) is world.scope


# --- numbers -------------------------------------------------------------------------------------


@given(worlds(), st.sampled_from(TYPES))
def test_aggregate_over_type(world: World, node_type: str):
    path, nodes = world.path(), world.some()
    condition, meets = a_condition(world, "size")

    def counted(ids: list[str]) -> Scores:
        return tuple((n, float(len(world.walk((n,), path)))) for n in ids)

    members = world.ids(node_type)
    assert call("aggregate_over_type", world, type=node_type, path=path) == counted(members)
    chosen = [n for n in members if meets(world.nodes[n])]
    assert call(
        "aggregate_over_type", world, type=node_type, path=path, where=(condition,)
    ) == counted(chosen)
    assert call("aggregate_over_type", world, type=node_type, path=path, nodes=nodes) == counted(
        list(nodes)
    )


@given(worlds())
def test_node_values(world: World):
    nodes = (*world.some(), "nobody")
    wanted = [(n, v) for n in nodes[:-1] for v in numbers([world.nodes[n]], "size")]
    assert call("node_values", world, nodes=nodes, property="size") == tuple(wanted)


@given(worlds())
def test_subtract_scores(world: World):
    a, b = ({n: float(world.rng.randrange(9)) for n in world.some()} for _ in "ab")
    wanted = {n: a[n] - b[n] for n in a.keys() & b.keys()}
    found = call(
        "subtract_scores", world, scores=tuple(sorted(a.items())), minus=tuple(sorted(b.items()))
    )
    assert found == tuple(sorted(wanted.items()))


@given(worlds())
def test_node_days(world: World):
    nodes = (*world.some(), "nobody")
    told = {n: world.nodes[n].properties.get("date") for n in nodes[:-1]}
    epoch = date(1970, 1, 1)
    wanted = [(n, float((date.fromisoformat(str(v)) - epoch).days)) for n, v in told.items() if v]
    assert call("node_days", world, nodes=nodes, property="date") == tuple(wanted)


@given(worlds(n_edges=30), st.sampled_from(list(EFFECTS)), st.booleans(), st.booleans())
def test_relation_values(world: World, relation: str, all_sources, all_targets):
    sources = None if all_sources else world.some()
    targets = None if all_targets else world.some()
    condition, meets = a_condition(world, "quantity")
    between = [
        e
        for e in world.holding(relation)
        if (sources is None or e.source in sources) and (targets is None or e.target in targets)
    ]

    def found(**arguments: object) -> list[tuple[str, float]]:
        values = call(
            "relation_values",
            world,
            relation=relation,
            property="quantity",
            sources=sources,
            targets=targets,
            **arguments,
        )
        return sorted((edge.key, value) for edge, value in values)

    assert found() == sorted((e.key, v) for e in between for v in numbers([e], "quantity"))
    chosen = [e for e in between if meets(e)]
    assert found(where=(condition,)) == sorted(
        (e.key, v) for e in chosen for v in numbers([e], "quantity")
    )


REDUCE: Final[dict[str, Callable[[list[float]], float]]] = {
    "count": len,
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "min": min,
    "max": max,
}


@given(worlds(n_nodes=4, n_edges=30), st.sampled_from(list(EFFECTS)), st.sampled_from(list(REDUCE)))
def test_group_by(world: World, relation: str, how: str):
    nodes, within = world.some(), world.rng.choice([None, world.some()])
    outgoing = world.rng.random() < 0.5
    wanted = []
    for n in nodes:
        own = [
            e
            for e in world.holding(relation)
            if n == (e.source if outgoing else e.target)
            and (within is None or (e.target if outgoing else e.source) in within)
        ]
        if values := numbers(own, "quantity"):
            wanted.append((n, pytest.approx(REDUCE[how](values))))

    found = call(
        "group_by",
        world,
        nodes=nodes,
        relation=relation,
        property="quantity",
        how=how,
        outgoing=outgoing,
        within=within,
    )
    assert found == tuple(wanted)


@given(worlds(), st.sampled_from(list(REDUCE)))
def test_path_values(world: World, how: str):
    nodes, path = world.some(), world.path()
    within = world.rng.choice([None, world.some()])
    wanted = []
    for n in nodes:
        ends = sorted(world.walk((n,), path))
        counted = [world.nodes[m] for m in ends if within is None or m in within]
        if values := numbers(counted, "size"):
            wanted.append((n, pytest.approx(REDUCE[how](values))))

    found = call(
        "path_values", world, nodes=nodes, path=path, property="size", how=how, within=within
    )
    assert found == tuple(wanted)


# --- scores --------------------------------------------------------------------------------------

scores = st.dictionaries(st.text(max_size=3), st.sampled_from([-1.5, 0.0, 1.0, 2.0, 3.0])).map(
    lambda found: tuple(found.items())
)
EMPTY: Final[Any] = None  # these operators look at no graph


def test_scores_need_no_graph():
    assert OPERATORS["count_nodes"](EMPTY, nodes=("a", "b")) == 2.0


@given(scores, st.booleans(), st.sampled_from([None, 0, 1, 2, 3]))
def test_rank_scores(given_scores: Scores, highest_first, limit: int | None):
    ranked = OPERATORS["rank_scores"](
        EMPTY, scores=given_scores, highest_first=highest_first, limit=limit
    )
    assert isinstance(ranked, tuple)

    def n_ahead(pair: tuple[str, float]) -> int:
        return sum(v > pair[1] if highest_first else v < pair[1] for _, v in given_scores)

    kept = [p for p in given_scores if limit is None or n_ahead(p) < limit]
    assert sorted(ranked) == sorted(kept)
    for (a, x), (b, y) in pairwise(ranked):
        assert a < b if x == y else (x > y) is highest_first


@given(scores, st.sampled_from(list(TESTS)), st.sampled_from([-1.5, 0.0, 1.0, 2.5]))
def test_select(given_scores: Scores, test: Test, value: float):
    wanted = sorted(key for key, score in given_scores if TESTS[test](score, value))
    assert OPERATORS["select"](EMPTY, scores=given_scores, test=test, value=value) == tuple(wanted)


@given(scores)
def test_leaders_spread_and_members(given_scores: Scores):
    values = [v for _, v in given_scores]
    for highest, best in ((True, max(values, default=0)), (False, min(values, default=0))):
        wanted = tuple(sorted(key for key, v in given_scores if v == best))
        assert OPERATORS["leaders"](EMPTY, scores=given_scores, highest=highest) == wanted
    assert OPERATORS["members_of"](EMPTY, scores=given_scores) == tuple(sorted(dict(given_scores)))
    spread = OPERATORS["spread"](EMPTY, scores=given_scores)
    assert isinstance(spread, float)
    assert math.isnan(spread) if not values else spread == max(values) - min(values)


@given(scores, st.sampled_from(list(REDUCE)))
def test_reduce_scores(given_scores: Scores, how: str):
    values = [v for _, v in given_scores]
    reduced = OPERATORS["reduce_scores"](EMPTY, scores=given_scores, how=how)
    assert isinstance(reduced, float)
    if values:
        assert reduced == pytest.approx(REDUCE[how](values))
    elif how in {"count", "sum"}:
        assert reduced == 0
    else:
        assert math.isnan(reduced)


@given(worlds(n_edges=20))
def test_ends_of(world: World):
    edges = tuple(world.scope.all_edges())
    for end in ("source", "target"):
        wanted = {getattr(e, end) for e in world.holding()}
        assert set(call("ends_of", world, edges=edges, end=end)) == wanted


@given(scores)
def test_compare_values(given_scores: Scores):
    known = dict(given_scores)
    a, b = "a", "b"
    found: Any = OPERATORS["compare_values"](EMPTY, a=a, b=b, name="size", scores=given_scores)
    assert found.values == {"size": (known.get(a), known.get(b))}
    if a in known and b in known and known[a] != known[b]:
        assert known[found.shared["higher"][0]] > known[found.shared["lower"][0]]
    else:
        assert found.shared == {}
