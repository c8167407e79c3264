"""Cheapest ways, trends, groups, formulas and communities, held against their definitions."""

import itertools
import math
from fractions import Fraction
from typing import Any, Final, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.test_operators import REDUCE, call
from tests.property.worlds import (
    EFFECTS,
    N_TICKS,
    TYPES,
    Thing,
    World,
    day,
    numbers,
    pieces,
    simple_paths,
    worlds,
)
from tiers.graphrag.operators.figures import At, Formula, Group
from tiers.graphrag.operators.removal import Cascade
from tiers.graphrag.operators.ways import Ways
from trivium.domain.time import Moment

# --- the cheapest way ----------------------------------------------------------------------------


def prices(world: World, relations: tuple[str, ...]) -> dict[frozenset[str], Fraction]:
    """The least price between any two, direction aside."""
    found: dict[frozenset[str], Fraction] = {}
    for e in world.holding():
        for value in numbers([e], "quantity"):
            if value >= 0 and (not relations or e.type in relations):
                pair = frozenset({e.source, e.target})
                found[pair] = min(found.get(pair, Fraction(value)), Fraction(value))
    return found


@given(worlds(n_nodes=7, n_edges=24), st.sampled_from([(), ("FEEDS", "KNOWS"), ("SUPPLIES",)]))
def test_weighted_path(world: World, relations: tuple[str, ...]):
    a, b = world.one(), world.one()
    price = prices(world, relations)
    near = {
        n: {m for m in world.ids() if frozenset({n, m}) in price and m != n} for n in world.ids()
    }
    costs = {
        path: (sum(price[frozenset(pair)] for pair in itertools.pairwise(path)), len(path))
        for path in simple_paths(near, a, b)
        if not any(world.is_event(n) for n in path[1:-1])
    }
    best = min(costs.values(), default=(Fraction(0), 0))

    found: Ways = call(
        "weighted_path", world, source=a, target=b, property="quantity", relations=relations
    )
    assert found.paths == tuple(sorted(p for p, cost in costs.items() if cost == best))
    assert found.cost == best[0] if costs else math.isnan(found.cost)
    walked = {frozenset({s, t}) for s, _, t in world.scope.budget.relations}
    assert walked == {frozenset(pair) for p in found.paths for pair in itertools.pairwise(p)}


@given(worlds(n_nodes=7, n_edges=24))
def test_weighted_path_along_the_effects(world: World):
    a, b = world.one(), world.one()
    price: dict[tuple[str, str], float] = {}
    for e in world.holding():
        if EFFECTS[e.type] != "none":
            cause = world.cause(e)
            pair = (cause, e.target if cause == e.source else e.source)
            for value in numbers([e], "quantity"):
                if value >= 0:
                    price[pair] = min(value, price.get(pair, value))
    ahead = {n: {y for x, y in price if x == n} for n in world.ids()}
    costs = [
        sum(price[pair] for pair in itertools.pairwise(path))
        for path in simple_paths(ahead, a, b)
        if not any(world.is_event(n) for n in path[1:-1])
    ]

    found: Ways = call(
        "weighted_path", world, source=a, target=b, property="quantity", directed=True
    )
    assert found.cost == min(costs) if costs else math.isnan(found.cost)


# --- arithmetic and groups -----------------------------------------------------------------------

TIMES: Final = Formula(left="quantity", how="*", right="price")
EACH_END: Final = Formula(
    left=At(end="target", property="size"), how="-", right=Formula(left="price", how="/", right=2.0)
)


def value_of(thing: Thing, name: str) -> float | None:
    return next(iter(numbers([thing], name)), None)


def times(world: World, e: Thing) -> float | None:
    quantity, price = value_of(e, "quantity"), value_of(e, "price")
    return None if quantity is None or price is None else quantity * price


def each_end(world: World, e: Thing) -> float | None:
    size, price = value_of(world.nodes[e.target], "size"), value_of(e, "price")
    return None if size is None or price is None else size - price / 2


FORMULAS: Final = {"times": (TIMES, times), "each end": (EACH_END, each_end)}


@given(worlds(n_edges=30), st.sampled_from(list(EFFECTS)), st.sampled_from(list(FORMULAS)))
def test_relation_values_by_a_formula(world: World, relation: str, name: str):
    formula, meant = FORMULAS[name]
    found = call("relation_values", world, relation=relation, property=formula)
    wanted = [(e.key, meant(world, e)) for e in world.holding(relation)]
    assert sorted((edge.key, value) for edge, value in found) == sorted(
        (key, pytest.approx(value)) for key, value in wanted if value is not None
    )


@given(worlds())
def test_node_values_by_a_formula(world: World):
    doubled = Formula(left="size", how="/", right="size")
    found = dict(call("node_values", world, nodes=tuple(world.nodes), property=doubled))
    assert found == {n: 1.0 for n, thing in world.nodes.items() if value_of(thing, "size")}


def bucket(text: object, size: str) -> str | None:
    """Dates of the worlds lie in March 2024; "2024" is a year and "2024-Q1" a quarter."""
    known = {
        **{day(t): {"year": "2024", "quarter": "2024-Q1", "month": "2024-03", "day": day(t)}
           for t in range(N_TICKS)},
        "2024": {"year": "2024"},
        "2024-Q1": {"year": "2024", "quarter": "2024-Q1"},
        "2024-03": {"year": "2024", "quarter": "2024-Q1", "month": "2024-03"},
    }  # fmt: skip
    return known.get(str(text), {}).get(size)


def grouped(rows: list[tuple[str | None, float]], how: str) -> list[tuple[str, Any]]:
    names = sorted({name for name, _ in rows if name is not None})
    return [(n, pytest.approx(REDUCE[how]([v for m, v in rows if m == n]))) for n in names]


Size = Literal["year", "quarter", "month", "day"]
sizes = st.sampled_from(["year", "quarter", "month", "day"])


@given(worlds(n_edges=40), st.sampled_from(list(REDUCE)), sizes, st.booleans())
def test_group_by_time(world: World, how: str, size: Size, outgoing):
    nodes = world.some()
    own = [e for e in world.holding("FEEDS") if (e.source if outgoing else e.target) in nodes]
    arguments: dict[str, object] = {
        "nodes": nodes, "relation": "FEEDS", "how": how, "outgoing": outgoing
    }  # fmt: skip

    found = call(
        "group_by", world, property=TIMES, by=Group(property="day", bucket=size), **arguments
    )
    rows = [(bucket(e.properties.get("day"), size), times(world, e)) for e in own]
    assert list(found) == grouped([(g, v) for g, v in rows if v is not None], how)

    began = call("group_by", world, property=None, by=Group(bucket=size), **arguments)
    firsts = [e.bounds[0] for e in own if e.bounds[0] is not None]
    assert list(began) == grouped([(bucket(day(t), size), 1.0) for t in firsts], how)


@given(worlds(n_edges=40), st.sampled_from(list(REDUCE)))
def test_group_by_what_is_at_an_end(world: World, how: str):
    nodes = world.some()
    own = [e for e in world.holding("FEEDS") if e.source in nodes]
    arguments: dict[str, object] = {
        "nodes": nodes, "relation": "FEEDS", "how": how, "outgoing": True, "property": "quantity"
    }  # fmt: skip
    amounts = [(e, value) for e in own for value in numbers([e], "quantity")]

    by_target = call("group_by", world, by=Group(end="target"), **arguments)
    assert list(by_target) == grouped([(e.target, v) for e, v in amounts], how)
    country = Group(end="target", property="country")
    by_country = call("group_by", world, by=country, **arguments)
    places = [(world.nodes[e.target].properties.get("country"), v) for e, v in amounts]
    assert list(by_country) == grouped([(None if p is None else str(p), v) for p, v in places], how)


@given(worlds(), st.sampled_from(TYPES), st.sampled_from(list(REDUCE)), sizes)
def test_aggregate_over_type_by_groups(world: World, node_type: str, how: str, size: Size):
    members = world.ids(node_type)
    known = [world.nodes[n] for n in members]
    by = Group(property="date", bucket=size)

    counted = call("aggregate_over_type", world, type=node_type, by=by, how="count")
    rows = [(bucket(thing.properties.get("date"), size), 1.0) for thing in known]
    assert list(counted) == grouped(rows, "count")
    valued = call("aggregate_over_type", world, type=node_type, by=by, how=how, property="size")
    rows = [
        (bucket(thing.properties.get("date"), size), value)
        for thing in known
        for value in numbers([thing], "size")
    ]
    assert list(valued) == grouped(rows, how)
    path = world.path()
    walked = call(
        "aggregate_over_type", world, type=node_type, path=path, how=how,
        by=Group(property="status"),
    )  # fmt: skip
    ends = [(world.nodes[n].properties.get("status"), world.walk((n,), path)) for n in members]
    assert list(walked) == grouped(
        [(None if s is None else str(s), float(len(e))) for s, e in ends], how
    )


# --- trends --------------------------------------------------------------------------------------


def half(first: int, last: int) -> tuple[range, Moment]:
    start, end = Moment.of(day(first)), Moment.of(day(last))
    return range(first, last + 2), Moment(start.start, end.end, f"{start.text}/{end.text}")


@given(worlds(n_nodes=6, n_edges=50), st.booleans(), st.sampled_from([None, "country"]))
def test_trend(world: World, by_property, peers: str | None):
    nodes = world.some()
    (a, first), (b, second) = half(0, 4), half(6, 10)
    price = "price" if by_property else None

    def began(e: Thing) -> int | None:
        if e.bounds[0] is None or not e.ticks or e.bounds[0] > max(world.now):
            return None
        return e.bounds[0]

    def had(n: str, ticks: range) -> float:
        own = [e for e in world.edges if e.type == "FEEDS" and e.source == n and began(e) in ticks]
        return math.fsum(numbers(own, "price")) if by_property else float(len(own))

    changes = {n: had(n, b) - had(n, a) for n in nodes}

    def alike(n: str, m: str) -> bool:
        mine, other = (world.nodes[i].properties.get("country") for i in (n, m))
        return peers is None or (mine is not None and mine == other)

    def of_peers(n: str) -> float:
        return math.fsum(changes[m] for m in nodes if m != n and alike(n, m))

    for change, sign in (("fell", 1), ("rose", -1)):
        found = call(
            "trend", world, nodes=nodes, relation="FEEDS", outgoing=True, first=first,
            second=second, property=price, peers=peers, change=change,
        )  # fmt: skip
        assert dict(found) == {
            n: pytest.approx(own)
            for n, own in changes.items()
            if sign * own < 0 and sign * of_peers(n) > 0
        }
        assert list(found) == sorted(found, key=lambda pair: (sign * pair[1], pair[0]))


@given(worlds(n_nodes=5, n_edges=50))
def test_trend_by_a_date_of_the_relations(world: World):
    nodes = tuple(sorted(world.nodes))
    (_, first), (_, second) = half(0, 4), half(6, 10)
    until = max(world.now)

    def had(n: str, days: list[str], last: int) -> int:
        """A relation that lies within the period and not after the moment, by its day."""
        own = [
            e for e in world.edges
            if e.type == "FEEDS" and e.source == n and e.ticks and min(e.ticks) <= until
        ]  # fmt: skip
        return sum(e.properties.get("day") in days[: last + 1] for e in own)

    known = [day(t) for t in range(0, 12, 2)]
    now = until // 2
    changes = {n: had(n, known[3:], now - 3) - had(n, known[:3], min(now, 2)) for n in nodes}
    if now < 3:
        changes = {n: -had(n, known[:3], min(now, 2)) for n in nodes}
    found = call(
        "trend", world, nodes=nodes, relation="FEEDS", outgoing=True, first=first, second=second,
        date="day",
    )  # fmt: skip
    total = sum(changes.values())
    assert dict(found) == {n: float(c) for n, c in changes.items() if c < 0 and total - c > 0}


# --- removal without a path ----------------------------------------------------------------------


@given(worlds(n_nodes=7, n_edges=30))
def test_a_removal_runs_along_all_effects(world: World):
    nodes = world.some()
    felt = world.distances(nodes, downstream=True)
    supports: dict[str, dict[str, set[str]]] = {}
    for e in world.holding():
        if EFFECTS[e.type] != "none" and not world.is_event(world.cause(e)):
            other = e.target if world.cause(e) == e.source else e.source
            supports.setdefault(other, {}).setdefault(e.type, set()).add(world.cause(e))
    gone = set(nodes)
    for _ in world.nodes:
        gone |= {n for n in felt if any(own <= gone for own in supports.get(n, {}).values())}
    lost = gone - set(nodes)
    single = {n for n in lost if any(own <= gone and len(own) == 1 for own in supports[n].values())}

    found: Cascade = call("simulate_removal", world, nodes=nodes)
    assert set(found.reached) == set(felt) - set(nodes)
    assert (set(found.lost), set(found.only)) == (lost, single)
    assert [set(level) for level in found.levels] == [
        {n for n, d in felt.items() if d == hops} for hops in sorted(set(felt.values()))
    ]


# --- communities ---------------------------------------------------------------------------------


@given(worlds(n_nodes=12, n_edges=24), st.sampled_from([(), ("Hazard",), TYPES]))
def test_communities(world: World, without: tuple[str, ...]):
    """Each entity is in one; one hangs together; finer ones lie within coarser ones."""
    near = world.near(without)
    levels = [call("communities", world, level=level, without=without) for level in (0, 1, 2)]

    for groups in levels:
        assert sorted(n for group in groups for n in group) == sorted(near)
        for group in groups:
            assert len(pieces({n: near[n] & set(group) for n in group})) == 1
        assert list(groups) == sorted(groups, key=lambda g: (-len(g), g))
    for coarse, fine in itertools.pairwise(levels):
        assert all(any(set(f) <= set(c) for c in coarse) for f in fine)
    assert levels[0] == call("communities", world, without=without)
