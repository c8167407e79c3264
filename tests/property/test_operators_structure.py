"""Operators that compute over the structure, held against their definitions by enumeration."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.test_operators import call
from tests.property.worlds import (
    DECAY,
    EFFECTS,
    TODAY,
    TYPES,
    WEIGHTS,
    World,
    pieces,
    schema,
    shortest,
    simple_paths,
    worlds,
)
from tiers.graphrag.operators.grid import risk_grid
from tiers.graphrag.operators.removal import Cascade
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import OPERATORS
from tiers.graphrag.projection import KeepsProjections, projection_of
from tiers.graphrag.view import Budget
from trivium.domain.result import Comparison

# --- risk ----------------------------------------------------------------------------------------


def open_events(world: World) -> list[str]:
    """By status today and later, where there is one; by first and last day before."""
    is_today = min(world.now) >= TODAY
    found = []
    for n in world.ids("Hazard"):
        properties = world.nodes[n].properties
        status, started, ended = map(properties.get, ("status", "date", "ended_date"))
        if is_today and status is not None:
            is_open = status == "Active"
        else:
            days = {f"2024-03-{10 + tick // 2:02}" for tick in world.now}
            first, last = str(started or ""), str(ended or "9999")
            is_open = any(first <= d <= last for d in days) and first <= last
        if is_open:
            found.append(n)
    return found


@given(worlds())
def test_open_events(world: World):
    assert call("open_events", world) == tuple(open_events(world))
    assert call("open_events", world, types=("Hazard",)) == tuple(open_events(world))
    assert call("open_events", world, types=("Maker", "Unknown")) == ()


def severity(world: World, event: str) -> str:
    return str(world.nodes[event].properties.get("severity")).lower()


def risk(world: World, target: str, events: list[str], regraded: Mapping[str, str] = {}) -> float:
    """Eq. (1): over the pairs of a part and its source, and the events on that source."""
    felt = world.felt(downstream=True)
    upstream = world.distances((target,), downstream=False)
    total = 0.0
    for source, hops in upstream.items():
        parts = {b for a, b in felt if a == source and b in upstream} if hops else {target}
        weights = [
            WEIGHTS.get(regraded.get(event) or severity(world, event), 0.0)
            for event in events
            if (event, source) in felt
        ]
        total += sum(weights) * len(parts) * DECAY[min(max(hops, 1), len(DECAY)) - 1]
    return total


@given(worlds(n_nodes=8, n_edges=24), st.sampled_from([None, *TYPES]))
def test_propagate_risk(world: World, node_type: str | None):
    nodes, events = world.some(), world.some("Hazard")

    def ranked(targets: tuple[str, ...], disturbing: list[str]) -> list[tuple[str, Any]]:
        scores = {n: risk(world, n, disturbing) for n in targets}
        return [(n, pytest.approx(score)) for n, score in scores.items()]

    def same(found: tuple[tuple[str, float], ...], wanted: list[tuple[str, Any]]) -> None:
        assert sorted(found) == sorted(wanted, key=lambda pair: pair[0])
        assert list(found) == sorted(found, key=lambda pair: (-pair[1], pair[0]))

    types = [] if node_type is None else [node_type]
    everything = ranked(tuple(world.ids(*types)), open_events(world))
    same(call("propagate_risk", world, type=node_type), everything)
    same(call("propagate_risk", world, nodes=nodes), ranked(nodes, open_events(world)))
    same(call("propagate_risk", world, nodes=nodes, events=events), ranked(nodes, list(events)))
    assert call("propagate_risk", world, nodes=()) == ()


@given(worlds(n_nodes=8, n_edges=24), st.sampled_from([*WEIGHTS, "unknown"]))
def test_propagate_risk_of_other_severities(world: World, grade: str):
    nodes, regraded = world.some(), world.some("Hazard")
    found = call("propagate_risk", world, nodes=nodes, regraded=regraded, severity=grade.upper())
    graded = dict.fromkeys(regraded, grade)
    wanted = {n: pytest.approx(risk(world, n, open_events(world), graded)) for n in nodes}
    assert dict(found) == wanted


@given(worlds(n_nodes=8, n_edges=24))
def test_risk_by_event(world: World):
    nodes, events = world.some(), world.some("Hazard")
    for given_events, told in ((None, open_events(world)), (events, list(events))):
        found = call("risk_by_event", world, nodes=nodes, events=given_events)
        shares = {e: pytest.approx(sum(risk(world, n, [e]) for n in nodes)) for e in told}
        assert dict(found) == shares
        assert list(found) == sorted(found, key=lambda pair: (-pair[1], pair[0]))


@given(worlds(n_nodes=10, n_edges=40))
def test_the_grid_of_risk_holds_what_each_event_adds_to_all_that_it_reaches(world: World):
    events = world.some("Hazard")
    wanted = {}
    for n in world.ids():
        row = [risk(world, n, [event]) for event in events]
        if not world.is_event(n) and any(row):
            wanted[n] = pytest.approx(row)

    for scope in (world.scope, world.twin):
        assert dict(risk_grid(scope, events=events) or {}) == wanted


@given(worlds(n_nodes=8))
def test_severity_weights(world: World):
    nodes = world.some()
    found = call("severity_weights", world, nodes=nodes)
    wanted = {n: WEIGHTS[s] for n in nodes if (s := severity(world, n)) in WEIGHTS}
    assert list(found) == sorted(wanted.items(), key=lambda pair: (-pair[1], pair[0]))


@given(worlds(n_nodes=10, n_edges=50))
def test_the_risk_of_one_is_the_same_over_the_arrays(world: World):
    """Once a version was read for a computation; and so are the relations that are shown."""
    kept = next(s for s in (world.scope, world.twin) if isinstance(s.view, KeepsProjections))

    def found() -> list[object]:
        scopes = {n: replace(kept, budget=Budget()) for n in world.ids()}
        scores = [OPERATORS["propagate_risk"](s, nodes=(n,)) for n, s in scopes.items()]
        return [scores, *(s.budget.relations for s in scopes.values())]

    walked = found()
    projection_of(kept)
    assert found() == walked


@given(worlds(n_nodes=10, n_edges=50))
def test_the_risk_of_one_shows_how_the_open_events_upstream_of_it_disturb(world: World):
    target, felt = world.one(), world.felt(downstream=True)
    upstream = world.distances((target,), downstream=False)
    call("propagate_risk", world, nodes=(target,))

    shown = {(source, other) for source, _, other in world.scope.budget.relations}
    wanted = {(e, n) for e, n in felt if e in open_events(world) and n in upstream}
    assert {tuple(sorted(pair)) for pair in shown} == {tuple(sorted(pair)) for pair in wanted}


# --- removal, comparison, alternatives -----------------------------------------------------------


@given(worlds(n_nodes=6, n_edges=40), st.booleans())
def test_simulate_removal(world: World, is_chain):
    nodes, path = world.some(), world.path(("", "", "+", "*"))
    if is_chain:
        nodes = tuple(world.rng.sample(world.ids(), min(len(world.ids()), world.rng.randint(1, 2))))
        feeds = Hop(relation="FEEDS", outgoing=True)
        path = (feeds,) * world.rng.randint(1, 3)
    gone, lost = set(nodes), set(nodes)
    for n, hop in enumerate(path):
        touched = world.walk(tuple(lost), (hop,))
        back = Hop(relation=hop.relation, outgoing=not hop.outgoing)
        had = {t: {b for a, b, _ in world.links(back) if a == t} for t in touched}
        now = set(lost) if hop.repeat == "*" else set()
        for _ in range(len(world.nodes) if hop.repeat else 1):
            now |= {t for t in touched if had[t] <= gone | now}
        lost, gone = now, gone | now
        assert call("simulate_removal", world, nodes=nodes, path=path[: n + 1]).reached == tuple(
            sorted(world.walk(nodes, path[: n + 1]))
        )

    found = call("simulate_removal", world, nodes=nodes, path=path)
    assert found.lost == tuple(sorted(lost))
    assert call("left_without", world, cascade=found) == found.lost


def test_left_without_gives_what_is_lost():
    scope: Any = None  # it looks at no graph
    cascade = Cascade(reached=("a", "b"), lost=("b",))
    assert OPERATORS["left_without"](scope, cascade=cascade) == ("b",)


def split(world: World, found: set[str], node_type: str) -> set[str]:
    return {n for n in found if world.nodes[n].type == node_type}


@given(worlds(n_edges=24), st.sampled_from([(), ("Part",), ("Maker", "Site")]))
def test_subgraph_diff(world: World, types: tuple[str, ...]):
    a, b = world.one(), world.one()
    up = [world.distances((n,), downstream=False) for n in (a, b)]
    down = [world.distances((n,), downstream=True) for n in (a, b)]
    around = [(set(u) | set(d)) - {a, b} for u, d in zip(up, down, strict=True)]
    seen = [t for t in TYPES if any(split(world, side, t) for side in around)]
    chosen = [t for t in seen if not types or t in types]
    pairs = {t: (split(world, around[0], t), split(world, around[1], t)) for t in chosen}

    found: Comparison = call("subgraph_diff", world, a=a, b=b, types=types)
    assert (found.a, found.b) == (a, b)
    same_pairs(found, pairs)
    if types:
        assert found.values == {}
        return
    depths = tuple(max(u.values()) for u in up)
    assert found.values["depth"] == depths
    countries = [
        {world.nodes[n].properties.get("country") for n, hops in u.items() if hops} - {None}
        for u in up
    ]
    if {"Maker", "Site"} <= set(seen):
        assert found.values["country"] == tuple(map(len, countries))


def same_pairs(found: Comparison, pairs: dict[str, tuple[set[str], set[str]]]) -> None:
    assert found.counts == {t: (len(x), len(y)) for t, (x, y) in pairs.items()}
    assert found.shared == {t: tuple(sorted(x & y)) for t, (x, y) in pairs.items()}
    assert found.only_a == {t: tuple(sorted(x - y)) for t, (x, y) in pairs.items()}
    assert found.only_b == {t: tuple(sorted(y - x)) for t, (x, y) in pairs.items()}


@given(worlds(n_edges=24))
def test_compare_along(world: World):
    a, b = world.one(), world.one()
    names = ("first", "second")
    paths = (world.path(), world.path())
    within: tuple[tuple[str, ...] | None, ...] = world.rng.choice([(), (None, world.some())])
    pairs = {}
    for i, name in enumerate(names):
        only = set(within[i] or ()) if within and within[i] is not None else set(world.nodes)
        pairs[name] = (world.walk((a,), paths[i]) & only, world.walk((b,), paths[i]) & only)

    same_pairs(
        call("compare_along", world, a=a, b=b, types=names, paths=paths, within=within), pairs
    )


@given(worlds(n_nodes=9, n_edges=60), st.sampled_from(["SUPPLIES", "USES"]), st.booleans())
def test_alternatives(world: World, relation: str, outgoing):
    """Algorithm 1: who does it for another of the kind; else who is described by the kind."""
    node = world.rng.choice(
        sorted(n for n in world.nodes if world.nodes[n].type == "Part") or ["n0"]
    )
    hop = Hop(relation=relation, outgoing=outgoing, to_type="Maker")
    kind = world.nodes[node].properties.get("part_kind")
    current = world.walk((node,), (hop,))
    wanted: set[str] = set()
    if world.nodes[node].type == "Part" and kind is not None:
        alike = [n for n in world.ids("Part") if world.nodes[n].properties.get("part_kind") == kind]
        wanted = world.walk([n for n in alike if n != node], (hop,)) - current
        if not wanted:
            said = {
                n: str(world.nodes[n].properties.get("words") or "") for n in world.ids("Maker")
            }
            wanted = {n for n, words in said.items() if " " in words and str(kind) in words}
            wanted -= current

    assert call("alternatives", world, node=node, hop=hop) == tuple(sorted(wanted))


# --- the graph as a whole ------------------------------------------------------------------------


def without(world: World) -> tuple[str, ...]:
    return world.rng.choice([(), ("Hazard",), ("Part", "Hazard"), TYPES])


def of_type(world: World, scores: dict[str, float], node_type: str | None) -> dict[str, Any]:
    return {
        n: pytest.approx(score, abs=1e-4)
        for n, score in scores.items()
        if node_type in {None, world.nodes[n].type}
    }


@given(worlds(n_nodes=7), st.sampled_from([None, "Part"]))
def test_betweenness(world: World, node_type: str | None):
    out = without(world)
    near = world.near(out)
    scores = dict.fromkeys(near, 0.0)
    for a, b in combinations(near, 2):
        paths = shortest(list(simple_paths(near, a, b)))
        for n in set(near) - {a, b}:
            scores[n] += sum(n in path for path in paths) / len(paths) if paths else 0
    n_pairs = (len(near) - 1) * (len(near) - 2) / 2
    shares = {n: score / n_pairs if n_pairs > 0 else 0.0 for n, score in scores.items()}

    found = call("betweenness", world, type=node_type, without=out)
    assert dict(found) == of_type(world, shares, node_type)
    in_order_of_score(found)
    in_order_of_score(call("betweenness", world, type=node_type, without=out, limit=2), found)


def in_order_of_score(
    found: tuple[tuple[str, float], ...], whole: tuple[tuple[str, float], ...] = ()
) -> None:
    """Highest first; of a whole, the first two with what ties with the second."""
    assert list(found) == sorted(found, key=lambda pair: (-round(pair[1], 9), pair[0]))
    if whole:
        last = round(whole[:2][-1][1], 9)
        assert found == tuple(pair for pair in whole if round(pair[1], 9) >= last)


@given(worlds(), st.sampled_from([None, "Part"]))
def test_pagerank(world: World, node_type: str | None):
    out = without(world)
    near = world.near(out)
    n = len(near)
    scores = dict.fromkeys(near, 1 / max(n, 1))
    for _ in range(200):
        loose = sum(scores[i] for i, others in near.items() if not others)
        scores = {
            i: 0.15 / n
            + 0.85 * (loose / n + sum(scores[j] / len(near[j]) for j in near if i in near[j]))
            for i in near
        }
    assert math.fsum(scores.values()) == pytest.approx(1 if n else 0)

    found = call("pagerank", world, type=node_type, without=out)
    assert dict(found) == of_type(world, scores, node_type)
    in_order_of_score(found)
    in_order_of_score(call("pagerank", world, type=node_type, without=out, limit=2), found)


@given(worlds(n_edges=24), st.sampled_from([None, "Part"]))
def test_degree(world: World, node_type: str | None):
    out = without(world)
    kept = set(world.near(out))
    count = Counter(
        n for e in world.holding() if {e.source, e.target} <= kept for n in {e.source, e.target}
    )
    found = call("degree", world, type=node_type, without=out)
    assert dict(found) == of_type(world, {n: float(count[n]) for n in kept}, node_type)
    in_order_of_score(found)
    in_order_of_score(call("degree", world, type=node_type, without=out, limit=2), found)


@given(worlds(n_edges=24), st.sampled_from(["in", "out"]), st.sampled_from(sorted(EFFECTS)))
def test_degree_of_one_side_over_some_relations(world: World, side: str, relation: str):
    kept = set(world.near())
    count = Counter(
        e.target if side == "in" else e.source
        for e in world.holding()
        if {e.source, e.target} <= kept and e.type == relation
    )
    found = call("degree", world, side=side, relations=(relation,))
    assert dict(found) == {n: float(count[n]) for n in kept}
    in_order_of_score(found)


@given(worlds())
def test_diameter(world: World):
    out = without(world)
    near = world.near(out)
    steps = [
        len(path) - 1
        for a, b in combinations(near, 2)
        for path in shortest(list(simple_paths(near, a, b)))
    ]
    found = call("diameter", world, without=out)
    assert found == max(steps, default=0) if near else math.isnan(found)


@given(worlds())
def test_connected_components_when_one_is_removed(world: World):
    gone = world.one()
    near = {i: others - {gone} for i, others in world.near().items() if i != gone}
    wanted = sorted((tuple(sorted(g)) for g in pieces(near)), key=lambda g: (-len(g), g))
    assert call("connected_components", world, removed=(gone,)) == tuple(wanted)


@given(worlds())
def test_connected_components(world: World):
    out = without(world)
    wanted = sorted((tuple(sorted(g)) for g in pieces(world.near(out))), key=lambda g: (-len(g), g))

    found = call("connected_components", world, without=out)
    assert found == tuple(wanted)
    largest = call("first_groups", world, groups=found)
    others = call("first_groups", world, groups=found, largest=False)
    assert largest == (wanted[0] if wanted else ())
    assert others == tuple(sorted(n for group in wanted[1:] for n in group))


@given(worlds(), st.sampled_from([None, "Part"]), st.sets(st.sampled_from(sorted(EFFECTS))))
def test_connected_components_of_a_type_or_over_some_relations(
    world: World, node_type: str | None, relations: set[str]
):
    out = without(world)
    near: dict[str, set[str]] = {
        i: set() for i in world.near(out) if node_type in {None, world.nodes[i].type}
    }
    for e in world.holding():
        if e.source in near and e.target in near and (not relations or e.type in relations):
            near[e.source].add(e.target)
            near[e.target].add(e.source)
    wanted = sorted((tuple(sorted(g)) for g in pieces(near)), key=lambda g: (-len(g), g))

    found = call(
        "connected_components",
        world,
        without=out,
        type=node_type,
        relations=tuple(sorted(relations)),
    )
    assert found == tuple(wanted)
    assert call("count_groups", world, groups=found) == len(wanted)
    assert call("count_groups", world, groups=found, least=2) == sum(len(g) > 1 for g in wanted)
    for group in wanted:
        assert call("groups_with", world, groups=found, nodes=group[:1]) == group


@given(worlds(), st.sampled_from([None, "Part"]))
def test_cut_points(world: World, node_type: str | None):
    out = without(world)
    near = world.near(out)
    wanted = []
    for n in near:
        rest = {i: others - {n} for i, others in near.items() if i != n}
        if len(pieces(rest)) > len(pieces(near)) and node_type in {None, world.nodes[n].type}:
            wanted.append(n)

    assert call("cut_points", world, type=node_type, without=out) == tuple(sorted(wanted))


# --- without a fixed now -------------------------------------------------------------------------


@given(worlds())
def test_an_event_without_a_status_is_open_from_its_first_to_its_last_day(world: World):
    scope = replace(world.scope, schema=schema(as_of=None))
    bare = [n for n in world.ids("Hazard") if world.nodes[n].properties.get("status") is None]
    found: Any = OPERATORS["open_events"](scope)
    assert [n for n in found if n in bare] == [n for n in open_events(world) if n in bare]


@given(worlds())
def test_merge_comparisons(world: World):
    a, b = world.one(), world.one()
    scores = tuple((n, float(i)) for i, n in enumerate(world.ids()))
    known = dict(scores)
    compare_values: Any = OPERATORS["compare_values"]
    first = compare_values(world.scope, a=a, b=b, name="size", scores=scores)
    second = call("subgraph_diff", world, a=a, b=b, types=("Part",))
    merged = call("merge_comparisons", world, comparisons=(first, second))
    assert merged.values == {"size": (known.get(a), known.get(b))}
    assert merged.counts == second.counts
    assert merged.only_a == second.only_a
    assert dict(merged.shared) == {**second.shared, **first.shared}
