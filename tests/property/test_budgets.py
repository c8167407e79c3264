"""Budgets and validity over random plans: what is cut is said, what is shown did hold."""

from dataclasses import replace
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.property.plans import plans
from tests.property.test_operators import call
from tests.property.worlds import World, worlds
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import OPERATORS, Plan, run
from tiers.graphrag.view import Budget
from trivium.domain.time import Moment

PERIODS = ("first", "second", "period")


def moments_of(plan: Plan, at: Moment) -> list[Moment]:
    """Every moment that a plan looks at: the question's, those of steps, those they name."""
    found = [at]
    for step in plan.steps:
        found += [step.as_of] if step.as_of else []
        found += [m for key in PERIODS if isinstance(m := step.arguments.get(key), Moment)]
    return found


@given(worlds(n_nodes=8, n_edges=24), st.data())
def test_no_relation_is_shown_that_did_not_hold(world: World, data: st.DataObject):
    plan = data.draw(plans(world))
    run(plan, world.scope)

    moments = moments_of(plan, world.scope.moment)
    holding = {
        (edge.source, edge.type, edge.target)
        for node in world.scope.view.nodes()
        for edge in world.scope.view.edges(node.id, outgoing=True)
        if any(edge.validity.holds(moment) for moment in moments)
    }
    assert set(world.scope.budget.relations) <= holding


@given(worlds(n_nodes=8, n_edges=24), st.data(), st.integers(0, 12))
def test_time_that_runs_out_anywhere_ends_the_plan_and_is_said(
    world: World, data: st.DataObject, ticks: int
):
    """However early it is, a plan gives what it has; nothing is lost without a word."""
    plan = data.draw(plans(world))
    whole = run(plan, world.scope).outcomes
    clock = count()
    late = Budget(deadline=float(ticks), clock=lambda: float(next(clock)), _next_look=0)
    late.max_nodes = late.max_per_hop = late.max_hops_analytical = 10_000
    cut = run(plan, replace(world.scope, budget=late)).outcomes

    if not late.is_exhausted:
        assert cut == whole
    assert all(item.step and item.operator for item in late.cuts)


COUNTING = ("count_edges", "path_values", "group_by")


@given(worlds(n_nodes=8, n_edges=40), st.integers(0, 80), st.sampled_from(COUNTING))
def test_a_number_that_is_given_is_never_a_part_of_one(world: World, most: int, name: str):
    """What a scan could not finish is left out whole."""
    hop = Hop(relation="FEEDS", outgoing=True)
    more: dict[str, dict[str, Any]] = {
        "count_edges": {"path": (hop, hop)},
        "path_values": {"path": (hop, hop), "property": "size", "how": "sum"},
        "group_by": {"relation": "FEEDS", "property": "quantity", "how": "sum", "outgoing": True},
    }
    nodes = tuple(sorted(world.nodes))
    whole = call(name, world, nodes=nodes, **more[name])
    budget = Budget(max_relations=most, _next_look=0)
    few: Any = OPERATORS[name](replace(world.scope, budget=budget), nodes=nodes, **more[name])

    assert set(few) <= set(whole)
    assert budget.is_exhausted or few == whole


@given(worlds(n_nodes=12, n_edges=30), st.integers(0, 4))
def test_the_hops_of_one_walk_share_what_is_left(world: World, most: int):
    nodes, path = world.some(), world.path()
    full = world.walk(nodes, path)
    budget = Budget(max_nodes=most, max_per_hop=max(1, most - 1))
    found: Any = OPERATORS["follow"](replace(world.scope, budget=budget), nodes=nodes, path=path)

    assert set(found) <= full
    assert len(budget.touched) <= most
    assert budget.is_exhausted or set(found) == full


@given(worlds(n_nodes=10, n_edges=30), st.integers(0, 3))
def test_a_walk_of_no_said_length_ends_at_the_hops_allowed(world: World, most: int):
    nodes = world.some()
    distances = world.distances(nodes, downstream=True)
    budget = Budget(max_nodes=1_000, max_hops=most)
    found: Any = OPERATORS["subgraph"](replace(world.scope, budget=budget), nodes=nodes)

    assert set(found) == {n for n, d in distances.items() if 0 < d <= most}
    assert budget.is_exhausted == any(d > most for d in distances.values())


@given(worlds(n_nodes=8, n_edges=24), st.data())
def test_a_plan_gives_the_same_on_every_store(world: World, data: st.DataObject):
    plan = data.draw(plans(world))
    assert run(plan, world.scope).outcomes == run(plan, world.twin).outcomes
