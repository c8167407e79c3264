"""Plans: what is refused before it runs, how steps hand on, and how a plan says itself."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from tests.fakes import DictGraph
from tests.property.worlds import World, schema, worlds
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Argument, Plan, PlanBuilder, Ref, Step, run, validate
from tiers.graphrag.view import Scope
from trivium.domain.errors import InputError, PlanError
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.result import Day, Nodes, Number, Prose, Ranking, Truth
from trivium.domain.time import Moment

SCHEMA = schema()
SUPPLIES = Hop(relation="SUPPLIES", outgoing=True)


def step(name: str, operator: str, **arguments: Argument) -> Step:
    return Step(name=name, operator=operator, arguments=arguments)


def plan_of(*steps: Step, form: Form = Form.NODES, **more: Any) -> Plan:  # what a plan can say
    return Plan(steps=steps, form=form, understood="", template="", **more)


def faults(*steps: Step, **more: Any) -> list[tuple[str, str]]:  # as plan_of
    try:
        validate(plan_of(*steps, **more), SCHEMA)
    except PlanError as error:
        return list(error.errors)
    return []


def test_a_refusal_tells_the_first_fault():
    with pytest.raises(PlanError, match=r"^plan: it has no step$"):
        validate(plan_of(), SCHEMA)


def small_graph() -> Scope:
    """Maker m supplies parts p and q; n is a maker of nothing."""
    nodes = {"m": "Maker", "n": "Maker", "p": "Part", "q": "Part"}
    changes = [
        Change(
            kind=ChangeKind.PUT_NODE,
            key=key,
            payload=node_payload(
                Node(id=key, type=node_type, name=key.upper(), properties={"size": n}), None, None
            ),
        )
        for n, (key, node_type) in enumerate(nodes.items())
    ]
    for target in "pq":
        edge = Edge(key=target, source="m", target=target, type="SUPPLIES", properties={"n": 2.5})
        payload = edge_payload(edge, None, None)
        changes.append(Change(kind=ChangeKind.PUT_EDGE, key=target, payload=payload))
    graph = DictGraph()
    graph.take(changes, len(changes))
    return Scope(view=graph, schema=SCHEMA, moment=Moment.of("2024-03-13"))


# --- what is refused -----------------------------------------------------------------------------


def test_a_sound_plan_has_no_fault():
    assert (
        faults(
            step("a", "find_nodes", type="Maker", where=(Condition(property="size", value=1),)),
            step("b", "follow", nodes=Ref("a"), path=(SUPPLIES,)),
            step("c", "combine", how="union", sets=(Ref("a"), Ref("b"))),
            beside="a",
            also=(("b", Form.NODES),),
        )
        == []
    )


def test_a_plan_has_a_step():
    assert faults() == [("plan", "it has no step")]


@pytest.mark.parametrize("name", ["", "drop_everything", "__import__", "find_nodes ", "FIND_NODES"])
def test_an_unknown_operator_is_a_fault(name: str):
    assert faults(step("a", name)) == [("a", f"no operator is called {name!r}")]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"nodes": ("m",)},
        {"nodes": ("m",), "path": (), "depth": 3},
        {"nodes": ("m",), "path": (), "scope": None},
    ],
)
def test_missing_and_unknown_arguments_are_faults(arguments: dict[str, Argument]):
    assert {where for where, _ in faults(step("a", "follow", **arguments))} == {"a"}


def test_a_reference_points_back():
    for name in ("a", "b", "z", ""):
        found = faults(
            step("a", "follow", nodes=Ref(name), path=()), step("b", "find_nodes", type="Maker")
        )
        assert found == [("a", f"step {name!r} does not come before it")]
    found = faults(step("a", "combine", how="union", sets=(("m",), Ref("z"))))
    assert found == [("a", "step 'z' does not come before it")]


def test_two_steps_are_not_called_alike():
    found = faults(step("a", "find_nodes", type="Maker"), step("a", "find_nodes", type="Part"))
    assert found == [("a", "another step is called so")]


def test_what_stands_beside_the_answer_is_a_step():
    only = step("a", "find_nodes", type="Maker")
    assert faults(only, beside="z") == [("plan", "it has no step 'z'")]
    assert faults(only, also=(("y", Form.NODES),)) == [("plan", "it has no step 'y'")]


HOSTILE = [
    "x` SET n.admin = true //",
    "SUPPLIES`\t]->() DETACH DELETE n //",
    "Maker) DETACH DELETE n //",
    "Ｍaker",
    "maker",
    "",
    "' OR 1=1",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_only_types_of_the_schema_are_named(name: str):
    """S03."""
    fault = f"the schema has no type {name!r}"
    assert faults(step("a", "find_nodes", type=name)) == [("a", fault)]
    assert faults(step("a", "subgraph", nodes=("m",), types=("Maker", name))) == [("a", fault)]
    assert faults(step("a", "betweenness", without=(name,))) == [("a", fault)]
    hop = Hop(relation="SUPPLIES", outgoing=True, to_type=name)
    assert faults(step("a", "follow", nodes=("m",), path=(hop,))) == [("a", fault)]


@pytest.mark.parametrize("name", HOSTILE)
def test_only_relations_of_the_schema_are_named(name: str):
    """S06."""
    fault = f"the schema has no relation {name!r}"
    hop = Hop(relation=name, outgoing=True)
    assert faults(step("a", "follow", nodes=("m",), path=(SUPPLIES, hop))) == [("a", fault)]
    assert faults(step("a", "get_neighbors", nodes=("m",), relation=name)) == [("a", fault)]


@pytest.mark.parametrize(
    ("operator", "arguments"),
    [
        ("get_neighbors", {"nodes": "m"}),
        ("get_neighbors", {"nodes": ("m",), "direction": "sideways"}),
        ("get_neighbors", {"nodes": (1, 2)}),
        ("combine", {"how": "xor", "sets": (("m",), ("n",))}),
        ("combine", {"how": "union", "sets": ("m", "n")}),
        ("follow", {"nodes": ("m",), "path": ("SUPPLIES",)}),
        ("follow", {"nodes": ("m",), "path": SUPPLIES}),
        ("find_nodes", {"type": "Maker", "where": ("size = 1",)}),
        ("find_nodes", {"type": 5}),
        ("rank_scores", {"scores": (("m", 1.0),), "limit": "3"}),
        ("rank_scores", {"scores": (("m", 1.0),), "limit": True}),
        ("rank_scores", {"scores": ("m", "n")}),
        ("select", {"scores": (("m", 1.0),), "test": "=", "value": 1}),
        ("filter_edges_by_date", {"relation": "SUPPLIES", "period": "2024"}),
        ("group_by", {"nodes": ("m",), "relation": "SUPPLIES", "property": "n", "how": "median",
                      "outgoing": True}),
        ("shortest_path", {"source": ("m",), "target": "p"}),
    ],
)  # fmt: skip
def test_an_argument_of_another_kind_is_a_fault(operator: str, arguments: dict[str, Argument]):
    found = faults(step("a", operator, **arguments))
    assert [where for where, _ in found] == ["a"]
    assert "cannot be" in found[0][1]


def test_every_fault_is_told():
    found = faults(
        step("a", "find_nodes", type="Ghost"),
        step("b", "fly"),
        step("c", "follow", nodes=Ref("z"), path=(Hop(relation="HAUNTS", outgoing=True),)),
    )
    assert [where for where, _ in found] == ["a", "b", "c", "c"]


# --- running -------------------------------------------------------------------------------------


def test_a_plan_that_is_refused_runs_no_step():
    scope = small_graph()
    with pytest.raises(PlanError):
        run(plan_of(step("a", "follow", nodes=("m",), path=(SUPPLIES,)), step("b", "fly")), scope)
    assert not scope.budget.touched


@pytest.mark.parametrize(
    "steps",
    [
        (step("a", "get_node", id="nobody"),),
        (step("a", "get_node", id="m"), step("b", "follow", nodes=Ref("a"), path=())),
        (step("a", "find_nodes"), step("b", "rank_scores", scores=Ref("a"))),
        (step("a", "combine", how="union", sets=()),),
        (step("a", "find_nodes", where=(Condition(property="size", value=(1, 2)),)),),
        (step("a", "find_nodes", where=(Condition(property="size", test=Test.WITHIN, value="x"),)),
         step("b", "count_nodes", nodes=Ref("a"))),
    ],
)  # fmt: skip
def test_a_step_that_gets_what_it_cannot_use_is_told_of(steps: tuple[Step, ...]):
    with pytest.raises(InputError):
        run(plan_of(*steps), small_graph())


@pytest.mark.parametrize(
    ("form", "steps"),
    [
        (Form.NUMBER, (step("a", "find_nodes"),)),
        (Form.NUMBER, (step("a", "get_node", id="m"),)),
    ],
)
def test_an_outcome_that_does_not_fit_the_form_is_told_of(form: Form, steps: tuple[Step, ...]):
    with pytest.raises(PlanError):
        run(plan_of(*steps, form=form), small_graph())


def test_steps_hand_on_what_they_found():
    outcome = run(
        plan_of(
            step("makers", "find_nodes", type="Maker"),
            step("parts", "follow", nodes=Ref("makers"), path=(SUPPLIES,)),
            step("all", "combine", how="union", sets=(Ref("makers"), Ref("parts"))),
        ),
        small_graph(),
    )
    assert outcome.result == Nodes(("m", "n", "p", "q"))
    assert outcome.outcomes["parts"] == ("p", "q")
    assert [entry["step"] for entry in outcome.trace] == ["makers", "parts", "all"]


def test_a_step_may_look_at_another_moment():
    edge = Edge(key="k", source="m", target="p", type="SUPPLIES")
    payload = edge_payload(edge, None, "2024-01-31")
    scope = small_graph()
    assert isinstance(scope.view, DictGraph)
    scope.view.take([Change(kind=ChangeKind.PUT_EDGE, key="p", payload=payload)], 9)
    now = step("a", "follow", nodes=("m",), path=(SUPPLIES,))
    then = Step(name="b", operator="follow", arguments=now.arguments, as_of=Moment.of("2024-01-31"))

    outcomes = run(plan_of(now, then), scope).outcomes
    assert outcomes == {"a": ("q",), "b": ("p", "q")}


NONE = step("a", "find_nodes", type="Site")
NONE_SCORED = step("b", "node_values", nodes=Ref("a"), property="size")


@pytest.mark.parametrize(
    ("form", "steps", "result"),
    [
        (Form.NODES, (NONE,), Nodes(())),
        (Form.BOOLEAN, (NONE,), Truth(False)),
        (Form.RANKING, (NONE, NONE_SCORED), Ranking(())),
        (Form.NUMBER, (NONE, step("b", "count_nodes", nodes=Ref("a"))), Number(0)),
        (Form.NUMBER, (NONE, NONE_SCORED, step("c", "reduce_scores", scores=Ref("b"), how="sum")),
         Number(0)),
        (Form.NUMBER, (NONE, NONE_SCORED, step("c", "reduce_scores", scores=Ref("b"), how="mean")),
         Prose()),
        (Form.NUMBER, (NONE, NONE_SCORED, step("c", "spread", scores=Ref("b"))), Prose()),
        (Form.DATE, (step("b", "day_of", edges=(), which="first"),), Prose()),
    ],
)  # fmt: skip
def test_nothing_found_is_an_answer(form: Form, steps: tuple[Step, ...], result: object):
    outcome = run(plan_of(*steps, form=form), small_graph())
    assert outcome.result == result
    assert_json(outcome.trace)


def test_a_yes_or_no_names_what_is_asked_for_beside_it():
    steps = (step("a", "find_nodes", type="Part"), step("b", "find_nodes", type="Maker"))
    assert run(plan_of(*steps, form=Form.BOOLEAN), small_graph()).result == Truth(True, ("m", "n"))
    beside = run(plan_of(*steps, form=Form.BOOLEAN, beside="a"), small_graph()).result
    assert beside == Truth(True, ("p", "q"))


def test_further_outcomes_stand_beside_the_answer():
    steps = (
        step("a", "find_nodes", type="Maker"),
        step("b", "count_nodes", nodes=Ref("a")),
    )
    outcome = run(plan_of(*steps, form=Form.NUMBER, also=(("a", Form.NODES),)), small_graph())
    assert (outcome.result, outcome.also) == (Number(2), (Nodes(("m", "n")),))


# --- building ------------------------------------------------------------------------------------


def test_an_equal_step_is_used_again():
    plan = PlanBuilder()
    first = plan.add("find_nodes", type="Maker")
    assert plan.add("find_nodes", type="Maker") == first
    then = plan.add("find_nodes", type="Maker", as_of=Moment.of("2024-01-01"))
    others = [plan.add("find_nodes", type="Part"), plan.add("follow", nodes=first, path=())]
    assert len({first, then, *others}) == len(plan.steps) == 4


# --- saying itself -------------------------------------------------------------------------------


def assert_json(value: object) -> None:
    text = json.dumps(value, allow_nan=False)
    assert json.loads(text) is not None


def test_a_step_says_itself_in_json():
    hop = Hop(
        relation="SUPPLIES",
        outgoing=False,
        to_type="Maker",
        where=(Condition(property="n", test=Test.IN, value=("a", 1, None)),),
    )
    said = Step(
        name="s2",
        operator="follow",
        arguments={"nodes": Ref("s1"), "path": (hop,), "sets": (("a",), Ref("s1"))},
        as_of=Moment.of("2024-03-13"),
    ).to_json()

    assert said == {
        "step": "s2",
        "operator": "follow",
        "arguments": {
            "nodes": "$s1",
            "path": [
                {
                    "relation": "SUPPLIES",
                    "direction": "in",
                    "to": "Maker",
                    "where": [{"property": "n", "test": "in", "value": ["a", 1, None]}],
                }
            ],
            "sets": [["a"], "$s1"],
        },
        "as_of": "2024-03-13",
    }
    assert_json(said)


def test_a_trace_shows_the_first_of_much():
    outcome = run(plan_of(step("a", "find_nodes")), small_graph())
    (entry,) = outcome.trace
    assert entry["outcome"] == {"n": 4, "first": ["m", "n", "p", "q"]}


EVERY_KIND_OF_OUTCOME: list[tuple[str, Callable[[World], dict[str, Argument]]]] = [
    ("find_nodes", lambda w: {}),
    ("get_node", lambda w: {"id": w.one()}),
    ("count_edges", lambda w: {"nodes": w.some(), "path": w.path()}),
    ("shortest_path", lambda w: {"source": w.one(), "target": w.one()}),
    ("filter_edges_by_date", lambda w: {"relation": "FEEDS", "period": w.moment}),
    ("relation_values", lambda w: {"relation": "FEEDS", "property": "quantity"}),
    ("simulate_removal", lambda w: {"nodes": w.some(), "path": w.path()}),
    ("subgraph_diff", lambda w: {"a": w.one(), "b": w.one()}),
    ("connected_components", lambda w: {}),
    ("pagerank", lambda w: {}),
    ("spread", lambda w: {"scores": ()}),
]


@given(worlds())
def test_the_trace_of_any_outcome_is_json(world: World):
    """A08: and never the bare token NaN."""
    for operator, arguments in EVERY_KIND_OF_OUTCOME:
        plan = plan_of(
            step("a", operator, **arguments(world)), step("z", "find_nodes", type="Maker")
        )
        outcome = run(plan, world.scope)
        assert_json(outcome.trace)
        assert_json(outcome.result.to_json())


@pytest.mark.parametrize("text", ["O'Hara's \"Best\" Bolts \\ Co", "..data", "Café", "$p1", "\x00"])
def test_values_are_kept_as_they_are(text: str):
    """G01: a value is never read as anything else."""
    condition = Condition(property="words", value=text)
    outcome = run(plan_of(step("a", "find_nodes", where=(condition,))), small_graph())
    (entry,) = outcome.trace
    assert json.loads(json.dumps(entry))["arguments"]["where"] == [
        {"property": "words", "test": "=", "value": text}
    ]


def test_a_day_is_an_answer():
    steps = (
        step("a", "filter_edges_by_date", relation="SUPPLIES", period=Moment.of("2024-03-13")),
        step("b", "day_of", edges=Ref("a"), which="first"),
    )
    scope = small_graph()
    edge = Edge(key="p", source="m", target="p", type="SUPPLIES")
    payload = edge_payload(edge, "2024-02-17", None)
    assert isinstance(scope.view, DictGraph)
    scope.view.take([Change(kind=ChangeKind.PUT_EDGE, key="p", payload=payload)], 9)
    assert run(plan_of(*steps, form=Form.DATE), scope).result == Day("2024-02-17")
