"""Budgets of plans: scans and walks, what is cut and how it is said, estimates, openness."""

import itertools
from typing import Any

import pytest

from tests.unit.test_graph_cases import graph_of
from tiers.graphrag.budget import Budget, Limit
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.removal import simulate_removal
from tiers.graphrag.operators.risk import open_events
from tiers.graphrag.operators.traversal import Hop, follow
from tiers.graphrag.operators.trends import trend
from tiers.graphrag.plans.plan import Argument, Plan, PlanBuilder, PlanRun, run
from tiers.graphrag.reading.explaining import Trail
from tiers.graphrag.reading.reader import PlanReader
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.tier import GraphTier
from tiers.graphrag.view import Scope
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierStatus
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node, Value
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.question import Question, Understood
from trivium.domain.schema import (
    NodeType,
    Property,
    PropertyKind,
    RelationType,
    RiskModel,
    Schema,
)
from trivium.domain.time import Moment

OUT, BACK = (Hop(relation="KNOWS", outgoing=outgoing) for outgoing in (True, False))


def ran(scope: Scope, *calls: tuple[str, dict[str, Argument]], form: Form = Form.NODES) -> PlanRun:
    builder = PlanBuilder()
    for operator, arguments in calls:
        builder.add(operator, as_of=None, **arguments)
    plan = Plan(steps=tuple(builder.steps), form=form, understood="", template="")
    return run(plan, scope)


def star(n: int, **more: Any) -> Scope:
    return graph_of(*(("HUB", f"n{i:05}") for i in range(n)), **more)


# --- walks and scans -----------------------------------------------------------------------------


def test_a_count_over_a_whole_type_is_exact_past_the_entities_of_a_walk():
    scope = star(1_100)
    outcome = ran(
        scope,
        ("aggregate_over_type", {"type": "T", "path": (BACK,)}),
        ("find_nodes", {"type": "T"}),
    )
    counts: Any = outcome.outcomes["s1"]
    assert (len(counts), sum(n for _, n in counts)) == (1_101, 1_100)
    assert not scope.budget.is_exhausted


def test_a_walk_from_a_whole_type_is_exact_and_one_from_a_name_is_cut():
    scope = star(1_100)
    builder = PlanBuilder()
    everything = builder.add("find_nodes", type="T")
    builder.add("follow", nodes=everything, path=(OUT,))
    plan = Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")
    assert len(run(plan, scope).result.to_json()["ids"]) == 1_100  # type: ignore[arg-type]  # a list
    assert not scope.budget.is_exhausted

    outcome = ran(scope, ("follow", {"nodes": ("HUB",), "path": (OUT,)}))
    assert len(outcome.result.to_json()["ids"]) == 500  # type: ignore[arg-type]  # a list
    (cut,) = scope.budget.cuts
    assert (cut.limit, cut.most, cut.step, cut.operator) == (Limit.NODES, 500, "s1", "follow")


def test_a_hub_leaves_something_for_the_hops_after_it():
    pairs = [("A", f"m{i:03}") for i in range(40)] + [(f"m{i:03}", f"z{i:03}") for i in range(40)]
    scope = graph_of(*pairs, max_nodes=20)
    found = follow(scope, nodes=("A",), path=(OUT, OUT))
    assert found == tuple(f"z{i:03}" for i in range(10))
    assert [cut.limit for cut in scope.budget.cuts] == [Limit.NODES]


def test_a_hop_may_be_limited_by_itself():
    scope = star(30)
    few = Scope(
        view=scope.view, schema=scope.schema, moment=scope.moment, budget=Budget(max_per_hop=7)
    )
    assert len(follow(few, nodes=("HUB",), path=(OUT,))) == 7
    assert [cut.why for cut in few.budget.cuts] == ["more than 7 entities in one hop"]


def test_a_chain_ends_after_five_hops_and_it_is_told_how_to_go_on():
    scope = graph_of(*itertools.pairwise("ABCDEFGHI"))
    outcome = ran(scope, ("subgraph", {"nodes": ("A",)}))
    assert outcome.result.to_json()["ids"] == list("BCDEF")
    assert [cut.why for cut in scope.budget.cuts] == ["more than 5 hops"]
    (narrower,) = outcome.narrower
    assert narrower.startswith("To go further,")


def test_a_hub_of_a_scan_is_counted_relation_by_relation():
    scope = star(4_000)
    scope.budget.is_scan, scope.budget.max_relations = True, 2_500
    assert len(follow(scope, nodes=("HUB",), path=(OUT,))) < 4_000
    assert [cut.limit for cut in scope.budget.cuts] == [Limit.RELATIONS]


def test_a_hub_is_not_read_once_the_budget_is_spent():
    scope = star(3_000)
    scope.budget.is_spent = True
    assert list(scope.each_edge("HUB", "KNOWS", outgoing=True)) == []


def test_a_relation_once_or_more_goes_as_far_as_it_leads():
    scope = graph_of(*itertools.pairwise("ABCDEFGHI"))
    many = Hop(relation="KNOWS", outgoing=True, repeat="+")
    outcome = ran(scope, ("follow", {"nodes": ("A",), "path": (many,)}))
    assert outcome.result.to_json()["ids"] == list("BCDEFGHI")


def test_relations_that_are_not_shown_are_told_of_and_the_result_is_whole():
    scope = graph_of(*(("HUB", f"n{i}") for i in range(9)), max_nodes=3)
    outcome = ran(
        scope,
        ("path_values", {"nodes": (), "path": (), "property": "kind", "how": "sum"}),
        ("aggregate_over_type", {"type": "T", "path": (OUT,)}),
    )
    assert not scope.budget.is_relations_cut
    outcome = ran(scope, ("changes_between", {
        "first": Moment.of("1999-01-01"), "second": Moment.of("2000-01-01"), "change": "began",
    }), ("find_nodes", {}))  # fmt: skip
    assert outcome.outcomes["s1"] == ()
    for edge in scope.all_edges():
        scope.note(edge)
    assert (len(scope.budget.relations), scope.budget.is_relations_cut) == (6, True)
    assert not scope.budget.is_exhausted


# --- what is said --------------------------------------------------------------------------------


def test_a_question_is_narrowed_in_the_words_of_the_schema():
    kind = Property(name="club_kind", kind=PropertyKind.CATEGORY, values=("chess", "rowing"))
    schema = Schema(
        node_types={
            "YouthClub": NodeType(name="YouthClub", properties={"club_kind": kind}),
            "Town": NodeType(name="Town"),
        },
        relation_types={"KNOWS": RelationType(name="KNOWS", ends=(("Town", "YouthClub"),))},
    )
    pairs = [("HUB", f"n{i}") for i in range(9)]
    types = {"HUB": "Town", **{f"n{i}": "YouthClub" for i in range(9)}}
    small = graph_of(*pairs, types=types, max_nodes=3)
    scope = Scope(view=small.view, schema=schema, moment=small.moment, budget=Budget(max_nodes=3))
    hop = Hop(relation="KNOWS", outgoing=True, to_type="YouthClub")

    outcome = ran(scope, ("follow", {"nodes": ("HUB",), "path": (hop,)}))
    (narrower,) = outcome.narrower
    assert narrower == (
        "To see all of less, name one youth club "
        "or ask only for each youth club whose club kind is chess."
    )


def test_a_plan_that_will_look_at_much_says_so_before_and_is_run_all_the_same():
    scope = star(2_000)
    outcome = ran(scope, ("follow", {"nodes": ("HUB",), "path": (OUT, BACK, OUT)}))
    assert outcome.forecast is not None
    assert outcome.trace[0]["estimate"] == {"entities": 1, "relations": 3}
    whole = ran(scope, ("aggregate_over_type", {"type": "T", "path": (OUT, BACK)}))
    assert whole.forecast is not None
    assert whole.forecast.n_relations == pytest.approx(4_000, rel=0.01)
    few = Scope(
        view=scope.view, schema=scope.schema, moment=scope.moment,
        budget=Budget(max_relations=1_000),
    )  # fmt: skip
    beyond = ran(few, ("aggregate_over_type", {"type": "T", "path": (OUT, BACK)}))
    assert beyond.forecast is not None
    assert beyond.forecast.is_beyond
    assert [cut.limit for cut in few.budget.cuts] == [Limit.RELATIONS]


# --- removal -------------------------------------------------------------------------------------


def test_what_loses_its_only_one_is_told_from_what_loses_all():
    scope = graph_of(("A", "P"), ("A", "Q"), ("B", "Q"))
    both = simulate_removal(scope, nodes=("A", "B"), path=(OUT,))
    assert (both.lost, both.only) == (("P", "Q"), ("P",))
    assert both.levels == (("A", "B"), ("P", "Q"))
    along = simulate_removal(graph_of(("A", "P"), ("P", "Z"), ("B", "Z")), nodes=("A",))
    assert (along.reached, along.lost, along.only) == (("P", "Z"), ("P",), ("P",))


# --- what is kept of a graph ---------------------------------------------------------------------


def test_a_change_is_seen_by_the_next_plan():
    scope = graph_of(("A", "B"))
    assert follow(scope, nodes=("A",), path=(OUT,)) == ("B",)
    graph = scope.view
    assert isinstance(graph, MemoryGraph)
    graph.take([Change(kind=ChangeKind.DROP_EDGE, key="e0")], 9)
    later = Scope(view=graph, schema=scope.schema, moment=scope.moment)
    assert follow(later, nodes=("A",), path=(OUT,)) == ()
    assert (graph.n_relations("KNOWS"), graph.n_relations(), graph.n_nodes("T")) == (0, 0, 2)


# --- openness ------------------------------------------------------------------------------------


def event_scope(today: str | None, moment: str, **properties: Value) -> Scope:
    event = Node(id="e", type="Storm", name="e", properties=properties)
    graph = MemoryGraph()
    payload = node_payload(event, None, None)
    graph.take([Change(kind=ChangeKind.PUT_NODE, key="e", payload=payload)], 1)
    schema = Schema(
        node_types={"Storm": NodeType(name="Storm", is_event=True)},
        risk=RiskModel(open_values=("active",)),
    )
    day = Moment.of(today) if today else None
    return Scope(view=graph, schema=schema, moment=Moment.of(moment), today=day)


OVER: dict[str, Value] = {"status": "resolved", "date": "2024-01-10"}


@pytest.mark.parametrize("today", ["2024-12-01", None])
@pytest.mark.parametrize(
    ("moment", "properties", "is_open"),
    [
        ("2024-02-01", {**OVER, "ended_date": "2024-03-01"}, True),
        ("2024-04-01", {**OVER, "ended_date": "2024-03-01"}, False),
        ("2024-02-01", {"status": "active", "date": "2024-05-01"}, False),
        ("2024-06-01", {"status": "active", "date": "2024-05-01"}, True),
        ("2024-12-01", {"status": "active", "date": "2024-05-01"}, True),
        ("2024-12-01", {"status": "resolved", "date": "2024-05-01"}, False),
        ("2024-06-01", {"date": "2024-05-01"}, True),
    ],
)  # fmt: skip
def test_an_event_was_open_on_a_past_day_by_its_dates(
    today: str | None, moment: str, properties: dict[str, Value], is_open
):
    """Without ``as_of`` in the schema, the status of today says nothing of a past day."""
    assert open_events(event_scope(today, moment, **properties)) == (("e",) if is_open else ())


# --- trends --------------------------------------------------------------------------------------


def test_what_fell_while_its_peers_rose_is_found():
    orders = {"c1": (3, 1), "c2": (1, 3), "c3": (5, 2), "c4": (2, 1)}
    kinds = {"c1": "bakery", "c2": "bakery", "c3": "mill", "c4": "mill"}
    pairs, days = [], []
    for client, (before, after) in orders.items():
        for n in range(before + after):
            pairs.append((client, f"o-{client}-{n}"))
            days.append(("2024-02-01" if n < before else "2024-05-01", None))
    scope = graph_of(*pairs, days=days, kinds={**kinds})
    first, second = Moment.of("2024-02-01"), Moment.of("2024-05-01")
    found = trend(
        scope, nodes=tuple(orders), relation="KNOWS", outgoing=True, first=first, second=second,
        peers="kind",
    )  # fmt: skip
    assert found == (("c1", -2.0),)
    assert len(scope.budget.relations) == 4


def test_edges_between_two_are_each_a_step_of_a_price():
    edges = [
        Edge(key=k, source=a, target=b, type="KNOWS", properties={"km": km})
        for k, a, b, km in [
            ("1", "A", "B", 5), ("2", "A", "C", 1), ("3", "C", "B", 2), ("4", "A", "B", None),
            ("5", "C", "B", -9),
        ]
    ]  # fmt: skip
    scope = graph_of(("A", "B"), ("A", "C"))
    graph = scope.view
    assert isinstance(graph, MemoryGraph)
    graph.take(
        [Change(kind=ChangeKind.PUT_EDGE, key=e.key, payload=edge_payload(e, None, None))
         for e in edges], 9,
    )  # fmt: skip
    km = {"km": Property(name="km", kind=PropertyKind.NUMBER)}
    known = RelationType(name="KNOWS", ends=(("T", "T"),), properties=km)
    schema = Schema(node_types=scope.schema.node_types, relation_types={"KNOWS": known})
    priced = Scope(view=graph, schema=schema, moment=scope.moment)
    arguments: dict[str, Argument] = {"source": "A", "target": "B", "property": "km"}

    outcome = ran(priced, ("weighted_path", arguments), form=Form.PATH)
    assert outcome.result.to_json()["path"] == ["A", "C", "B"]
    cost = ran(priced, ("weighted_path", arguments), form=Form.NUMBER)
    assert cost.result.to_json()["number"] == 3


# --- what the tier says --------------------------------------------------------------------------


class Planned(PlanReader):
    """Reads every question into one plan."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan

    def read(self, question: Any, scope: Scope, trail: Trail | None = None) -> Plan:
        return self._plan


async def test_an_answer_from_a_hub_says_that_it_is_a_part_and_how_to_narrow_it():
    """G21."""
    scope = star(3_000)
    builder = PlanBuilder()
    builder.add("subgraph", nodes=("HUB",))
    plan = Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")
    assert isinstance(scope.view, MemoryGraph)
    tier = GraphTier(scope.view, lambda: scope.schema, reader=Planned(plan))
    question = Understood(question=Question(text=""), text="", moment=scope.moment)

    result = await tier.retrieve(question, Deadline.after(60))
    assert result.status is TierStatus.PARTIAL
    assert (result.why or "").startswith(
        "Only a part was looked at: more than 500 entities (step s1, subgraph). To see all of less,"
    )
    budget: Any = result.trace["budget"]
    (cut,) = budget["cut"]
    assert (cut["limit"], cut["most"], cut["returned"]) == ("nodes", 500, 500)
    assert budget["estimate"] == {"relations": 2, "beyond": False}


async def test_a_number_that_time_did_not_allow_is_no_miss():
    scope = star(3_000)
    builder = PlanBuilder()
    scores = builder.add("propagate_risk", type="T")
    builder.add("reduce_scores", scores=scores, how="mean")
    plan = Plan(steps=tuple(builder.steps), form=Form.NUMBER, understood="", template="")
    assert isinstance(scope.view, MemoryGraph)
    tier = GraphTier(scope.view, lambda: scope.schema, reader=Planned(plan))
    question = Understood(question=Question(text=""), text="", moment=scope.moment)

    result = await tier.retrieve(question, Deadline(at=0.0))
    assert result.status is TierStatus.PARTIAL
    assert "the time given" in (result.why or "")
