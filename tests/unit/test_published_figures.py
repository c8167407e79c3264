"""Every figure that the paper publishes, out of plans run on the example data set.

The plans are put together by hand; the figures are those of the paper's Tables I, II, III and
XVIII and of its Fig. 1.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Argument, Plan, PlanBuilder, PlanRun, Ref, run
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Scope
from trivium.domain.result import Comparison, Nodes, Number, Paths, Ranking, Truth
from trivium.domain.time import Moment
from trivium.knowledge.dataset import DataSet, read_dataset

EXAMPLE = Path(__file__).parents[2] / "examples" / "aerospace"

HITS = Hop(relation="AFFECTS", outgoing=True, to_type="Supplier")
SUPPLIES = Hop(relation="SUPPLIES", outgoing=True, to_type="Component")
USED_BY = Hop(relation="USES", outgoing=False, to_type="Factory")
PRODUCES = Hop(relation="PRODUCES", outgoing=True, to_type="Product")
DELIVERS = Hop(relation="DELIVERS_TO", outgoing=True, to_type="Customer")
SUPPLIED_BY = Hop(relation="SUPPLIES", outgoing=False, to_type="Supplier")
USES = Hop(relation="USES", outgoing=True, to_type="Component")
PRODUCED_BY = Hop(relation="PRODUCES", outgoing=False, to_type="Factory")

CUSTOMERS = ("CUS-001", "CUS-002", "CUS-003", "CUS-004")


@pytest.fixture(scope="module")
def dataset() -> DataSet:
    return read_dataset(EXAMPLE)


@pytest.fixture(scope="module")
def graph(dataset: DataSet) -> MemoryGraph:
    loaded = MemoryGraph()
    loaded.take(dataset.changes, len(dataset.changes))
    return loaded


@pytest.fixture
def scope(graph: MemoryGraph, dataset: DataSet) -> Scope:
    assert dataset.schema.as_of is not None
    return Scope(view=graph, schema=dataset.schema, moment=Moment.of(dataset.schema.as_of))


@pytest.fixture
def plan() -> PlanBuilder:
    return PlanBuilder()


def ran(plan: PlanBuilder, scope: Scope, form: Form = Form.NODES) -> PlanRun:
    """Run the steps collected so far; nothing is cut."""
    steps = Plan(steps=tuple(plan.steps), form=form, understood="", template="")
    outcome = run(steps, scope)
    assert not scope.budget.is_exhausted
    return outcome


def nodes(plan: PlanBuilder, scope: Scope) -> tuple[str, ...]:
    result = ran(plan, scope).result
    assert isinstance(result, Nodes)
    return result.ids


def ranking(plan: PlanBuilder, scope: Scope) -> dict[str, float]:
    result = ran(plan, scope, Form.RANKING).result
    assert isinstance(result, Ranking)
    return dict(result.pairs)


def number(plan: PlanBuilder, scope: Scope) -> float:
    result = ran(plan, scope, Form.NUMBER).result
    assert isinstance(result, Number)
    return result.number


def named(plan: PlanBuilder, name: str, scope: Scope) -> Ref:
    """The one entity of that name."""
    (node,) = (n for n in scope.view.nodes() if n.name == name)
    return plan.add("find_nodes", ids=(node.id,))


def where(name: str, value: str) -> Argument:
    return (Condition(property=name, test=Test.EQUALS, value=value),)


# --- Tables II and III ---------------------------------------------------------------------------


def test_the_example_is_read_without_a_fault(dataset: DataSet):
    assert dataset.report.rejected == []
    assert dataset.report.warnings == []
    assert dataset.schema.as_of == "2024-12-01"


TYPES = {"Supplier": 8, "Component": 15, "Factory": 5, "Product": 6, "Customer": 4, "RiskEvent": 8}


@pytest.mark.parametrize(("node_type", "n"), TYPES.items())
def test_the_entities_of_each_type(scope: Scope, plan: PlanBuilder, node_type: str, n: int):
    plan.add("count_nodes", nodes=plan.add("find_nodes", type=node_type))
    assert number(plan, scope) == n


def test_46_entities_are_active(scope: Scope, plan: PlanBuilder):
    plan.add("count_nodes", nodes=plan.add("find_nodes"))
    assert number(plan, scope) == 46 == sum(TYPES.values())
    assert len(list(scope.view.nodes())) == 47


@pytest.mark.parametrize(
    ("relation", "n"),
    {"SUPPLIES": 15, "USES": 20, "PRODUCES": 13, "DELIVERS_TO": 8, "AFFECTS": 8}.items(),
)
def test_the_active_relations_of_each_type(scope: Scope, plan: PlanBuilder, relation: str, n: int):
    plan.add("filter_edges_by_date", relation=relation, period=scope.moment)
    (edges,) = ran(plan, scope, Form.RANKING).outcomes.values()
    assert isinstance(edges, tuple)
    assert len(edges) == n


def test_64_relations_are_active_and_two_expired(scope: Scope, graph: MemoryGraph):
    assert len(list(scope.all_edges())) == 64
    assert graph.n_edges == 64 + 2


# --- Q1 to Q11 -----------------------------------------------------------------------------------


def test_q1_what_the_thailand_flood_reaches(scope: Scope, plan: PlanBuilder):
    flood = plan.add("find_nodes", ids=("EVT-001",))
    parts = plan.add("follow", nodes=flood, path=(HITS, SUPPLIES))
    factories = plan.add("follow", nodes=parts, path=(USED_BY,))

    outcome = ran(plan, scope)
    assert outcome.result == Nodes(("FAC-005",))
    assert outcome.outcomes[parts.step] == ("CMP-004", "CMP-011")
    assert ("EVT-001", "AFFECTS", "SUP-004") in scope.budget.relations
    assert factories.step == plan.steps[-1].name


def test_the_blast_radius_of_the_flood_spans_nine_entities(scope: Scope, plan: PlanBuilder):
    plan.add("subgraph", nodes=plan.add("find_nodes", ids=("EVT-001",)))
    reached = nodes(plan, scope)
    assert len(reached) == 9
    assert Counter(i.partition("-")[0] for i in reached) == {
        "SUP": 1, "CMP": 2, "FAC": 1, "PRD": 2, "CUS": 3,
    }  # fmt: skip


DOWNSTREAM = {
    "Component": ("CMP-001", "CMP-006", "CMP-014"),
    "Factory": ("FAC-001", "FAC-004"),
    "Product": ("PRD-001", "PRD-002", "PRD-004", "PRD-005", "PRD-006"),
    "Customer": CUSTOMERS,
}


def test_q2_what_depends_on_techchip(scope: Scope, plan: PlanBuilder):
    techchip = named(plan, "TechChip Inc", scope)
    path = (SUPPLIES, USED_BY, PRODUCES, DELIVERS)
    layers = [plan.add("follow", nodes=techchip, path=path[: n + 1]) for n in range(4)]
    everything = plan.add("subgraph", nodes=techchip)

    outcomes = ran(plan, scope).outcomes
    assert [outcomes[layer.step] for layer in layers] == list(DOWNSTREAM.values())
    assert outcomes[everything.step] == tuple(sorted(sum(DOWNSTREAM.values(), ())))


def test_q2_the_removal_of_techchip_reaches_the_same(scope: Scope, plan: PlanBuilder):
    path = (SUPPLIES, USED_BY, PRODUCES, DELIVERS)
    cascade = plan.add("simulate_removal", nodes=named(plan, "TechChip Inc", scope), path=path[:1])
    plan.add("left_without", cascade=cascade)
    assert nodes(plan, scope) == DOWNSTREAM["Component"]


def test_q3_the_path_from_aerometal_to_the_narrowbody(scope: Scope, plan: PlanBuilder):
    plan.add("shortest_path", source="SUP-002", target="PRD-001")
    outcome = ran(plan, scope, Form.PATH)

    assert isinstance(outcome.result, Paths)
    assert ("SUP-002", "CMP-002", "FAC-001", "PRD-001") in outcome.result.paths
    assert outcome.result.paths == (
        ("SUP-002", "CMP-002", "FAC-001", "PRD-001"),
        ("SUP-002", "CMP-002", "FAC-003", "PRD-001"),
        ("SUP-002", "CMP-009", "FAC-003", "PRD-001"),
        ("SUP-002", "CMP-015", "FAC-003", "PRD-001"),
    )


def test_q3_it_takes_three_hops(scope: Scope, plan: PlanBuilder):
    plan.add("hops_of", paths=plan.add("shortest_path", source="SUP-002", target="PRD-001"))
    assert number(plan, scope) == 3


REACH = {"SUP-001": 5, "SUP-008": 5, "SUP-003": 4, "SUP-002": 3, "SUP-005": 3, "SUP-006": 3,
         "SUP-007": 3, "SUP-004": 2}  # fmt: skip


def test_q4_how_many_products_each_supplier_reaches(scope: Scope, plan: PlanBuilder):
    counts = plan.add("aggregate_over_type", type="Supplier", path=(SUPPLIES, USED_BY, PRODUCES))
    plan.add("rank_scores", scores=counts)
    assert list(ranking(plan, scope).items()) == list(REACH.items())


def test_q4_two_suppliers_reach_the_most(scope: Scope, plan: PlanBuilder):
    counts = plan.add("aggregate_over_type", type="Supplier", path=(SUPPLIES, USED_BY, PRODUCES))
    plan.add("leaders", scores=counts)
    assert nodes(plan, scope) == ("SUP-001", "SUP-008")


def test_q5_what_aerometal_supplies(scope: Scope, plan: PlanBuilder):
    plan.add("follow", nodes=named(plan, "AeroMetal Corp", scope), path=(SUPPLIES,))
    assert nodes(plan, scope) == ("CMP-002", "CMP-009", "CMP-015")


def test_q6_who_supplies_the_flight_control_unit_now_and_before(scope: Scope, plan: PlanBuilder):
    unit = plan.add("find_nodes", ids=("CMP-001",))
    handover = Moment.of("2024-02-16")
    then = plan.add("follow", nodes=unit, path=(SUPPLIED_BY,), as_of=handover)
    now = plan.add("follow", nodes=unit, path=(SUPPLIED_BY,))

    outcomes = ran(plan, scope).outcomes
    former = scope.view.node("SUP-009")
    assert former is not None
    assert former.name.startswith("ShenzenChip")
    assert outcomes[then.step] == ("SUP-009",)
    assert outcomes[now.step] == ("SUP-001",)


@pytest.mark.parametrize(
    ("supplier", "past", "which", "day"),
    [("SUP-001", False, "first", "2024-02-17"), ("SUP-009", True, "last", "2024-02-16")],
)
def test_q6_the_days_of_the_handover(
    scope: Scope,
    plan: PlanBuilder,
    supplier: str,
    past,
    which: str,
    day: str,
):
    edges = plan.add(
        "relations_between",
        relation="SUPPLIES",
        sources=(supplier,),
        targets=("CMP-001",),
        past=past,
    )
    plan.add("day_of", edges=edges, which=which)
    assert ran(plan, scope, Form.DATE).result.to_json() == {"kind": "date", "date": day}


def test_q7_there_is_no_alternative_for_the_flight_control_unit(scope: Scope, plan: PlanBuilder):
    plan.add("alternatives", node="CMP-001", hop=SUPPLIED_BY)
    assert nodes(plan, scope) == ()


def test_q7_techchip_alone_makes_parts_of_its_kind(scope: Scope, plan: PlanBuilder):
    same = where("component_type", "Electronic Assembly")
    plan.add(
        "follow", nodes=plan.add("find_nodes", type="Component", where=same), path=(SUPPLIED_BY,)
    )
    assert nodes(plan, scope) == ("SUP-001",)


def test_q8_every_component_has_a_single_supplier(scope: Scope, plan: PlanBuilder):
    counts = plan.add("aggregate_over_type", type="Component", path=(SUPPLIED_BY,))
    plan.add("count_nodes", nodes=plan.add("select", scores=counts, test=Test.EQUALS, value=1))
    assert number(plan, scope) == 15


@pytest.mark.parametrize(("level", "n"), [("high", 11), ("medium", 3), ("low", 1)])
def test_q8_by_criticality(scope: Scope, plan: PlanBuilder, level: str, n: int):
    counts = plan.add(
        "aggregate_over_type",
        type="Component",
        path=(SUPPLIED_BY,),
        where=where("criticality", level),
    )
    plan.add("count_nodes", nodes=plan.add("select", scores=counts, test=Test.EQUALS, value=1))
    assert number(plan, scope) == n


def test_q9_who_is_spared_by_the_flood(scope: Scope, plan: PlanBuilder):
    hit = plan.add("follow", nodes=("EVT-001",), path=(HITS, SUPPLIES, USED_BY, PRODUCES, DELIVERS))
    plan.add("set_complement", type="Customer", nodes=hit)
    assert ran(plan, scope).outcomes[hit.step] == CUSTOMERS[:3]
    assert ran(plan, scope, Form.BOOLEAN).result == Truth(True, ("CUS-004",))


def compared(scope: Scope, plan: PlanBuilder) -> Comparison:
    by_name = {n.name: n.id for n in scope.view.nodes()}
    plan.add("subgraph_diff", a=by_name["WideBird-X50"], b=by_name["RegionalJet-150"])
    result = ran(plan, scope, Form.COMPARISON).result
    assert isinstance(result, Comparison)
    return result


def test_q10_the_two_supply_chains(scope: Scope, plan: PlanBuilder):
    found = compared(scope, plan)
    assert found.counts == {
        "Supplier": (8, 2), "Component": (12, 4), "Factory": (4, 1), "Customer": (2, 1),
    }  # fmt: skip
    assert found.values == {"depth": (3, 3), "location": (8, 3)}
    assert found.shared["Supplier"] == ("SUP-001", "SUP-008")


SCORES: Mapping[str, float] = {
    "WideBird-X50": 1.19,
    "RegionalJet-150": 0.98,
    "ExecWing-7": 0.98,
    "SkyPatrol-UAV": 0.98,
    "CargoHawk-300": 0.70,
    "NarrowBody-900": 0.49,
}


def test_q11_the_risk_of_every_product(scope: Scope, plan: PlanBuilder):
    plan.add("propagate_risk", type="Product")
    scores = {}
    for product, score in ranking(plan, scope).items():
        node = scope.view.node(product)
        assert node is not None
        scores[node.name] = score
    assert scores == pytest.approx(SCORES)
    assert list(scores.values()) == pytest.approx(sorted(SCORES.values(), reverse=True))


def test_q11_rests_on_three_open_events(scope: Scope, plan: PlanBuilder):
    plan.add("open_events")
    open_now = nodes(plan, scope)
    severities = {scope.view.node(i).properties["severity"] for i in open_now}  # type: ignore[union-attr]  # found above
    assert (len(open_now), severities <= {"critical", "high"}) == (3, True)
