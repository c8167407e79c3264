"""Operators as tools: schemas from signatures, plans read back from JSON, what is refused."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.plans import plans
from tests.property.worlds import World, schema, worlds
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.figures import At, Formula, Group
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.decoding import moment_from, plan_from_json, step_from_json
from tiers.graphrag.plans.plan import OPERATORS, Argument, Plan, Ref, Step, validate
from tiers.graphrag.plans.toolbox import hints_of, schema_of, tools
from trivium.domain.errors import InputError, PlanError
from trivium.domain.time import ANY_TIME


def one(operator: str, **arguments: Argument) -> Plan:
    step = Step(name="a", operator=operator, arguments=arguments)
    return Plan(steps=(step,), form=Form.NODES, understood="", template="")


def again(plan: Plan) -> Plan:
    return plan_from_json(json.loads(json.dumps(plan.to_json())))


# --- schemas -------------------------------------------------------------------------------------


@pytest.mark.parametrize("operator", list(OPERATORS))
def test_an_operator_tells_what_it_takes_and_gives(operator: str):
    form: Any = schema_of(operator)
    text = json.dumps(form)

    assert set(form["properties"]) == set(hints_of(operator))
    assert set(form["required"]) <= set(form["properties"])
    assert form["description"].strip()
    named = set(re.findall(r"#/\$defs/(\w+)", text))
    assert named == set(form["$defs"])


PAPERS = (
    "find_nodes", "get_node", "get_neighbors", "shortest_path", "subgraph", "count_edges",
    "set_complement", "filter_edges_by_date", "propagate_risk", "simulate_removal",
    "subgraph_diff", "aggregate_over_type", "betweenness", "pagerank", "connected_components",
)  # fmt: skip
OURS = (
    "follow", "combine", "group_by", "alternatives", "changes_between", "weighted_path",
    "cut_points", "communities", "trend",
)  # fmt: skip


@pytest.mark.parametrize("operator", [*PAPERS, *OURS])
def test_the_operators_of_the_design_are_there_with_their_source(operator: str):
    form: Any = schema_of(operator)
    assert "Source:" in form["description"]


def test_every_operator_is_a_tool_that_takes_a_moment():
    found: Any = tools()
    assert [tool["name"] for tool in found] == list(OPERATORS)
    assert all("as_of" in tool["input_schema"]["properties"] for tool in found)
    assert "as_of" not in json.dumps(schema_of("find_nodes"))


def test_a_schema_says_the_shapes():
    form: Any = schema_of("follow")
    assert form["required"] == ["nodes", "path"]
    nodes, outcome = form["properties"]["nodes"]["anyOf"]
    assert nodes["items"] == {"type": "string"}
    assert outcome == {"$ref": "#/$defs/Outcome"}
    assert form["$defs"]["Hop"]["required"] == ["relation", "direction"]


# --- there and back ------------------------------------------------------------------------------


@given(worlds(), st.data())
def test_a_plan_is_read_back_as_it_was(world: World, data: st.DataObject):
    plan = data.draw(plans(world))
    assert again(plan) == plan


SHAPES: list[tuple[str, dict[str, Argument]]] = [
    ("find_nodes", {"ids": ("$s1", "$$s1", "$", "a")}),
    ("get_node", {"id": "$$"}),
    ("find_nodes", {"where": (Condition(property="$p", test=Test.IN, value=("$a", 1, None)),)}),
    ("combine", {"how": "union", "sets": (Ref("a"), ("$b",))}),
    ("follow", {"nodes": Ref("z"), "path": (Hop(relation="R", outgoing=False, repeat="+"),)}),
    ("filter_edges_by_date", {"relation": "R", "period": ANY_TIME}),
    ("node_values", {"nodes": (), "property": Formula(left="n", how="/", right=2.5)}),
    ("relation_values", {"relation": "R", "property": Formula(
        left=At(end="source", property="$x"), how="*",
        right=Formula(left="y", how="-", right="z"))}),
    ("aggregate_over_type", {"type": "T", "by": Group(property="day", bucket="quarter")}),
    ("compare_along", {"a": "x", "b": "y", "types": ("T",), "paths": ((),), "within": (None,)}),
    ("rank_scores", {"scores": (("a", 1.5),), "limit": None, "highest_first": False}),
    ("select", {"scores": Ref("q"), "test": Test.AT_LEAST, "value": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "arguments"), SHAPES)
def test_every_shape_of_argument_is_read_back(operator: str, arguments: dict[str, Argument]):
    plan = one(operator, **arguments)
    assert again(plan) == plan


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024-02-16", "2024-02-16", "2024-02-16"),
        ("2024-Q1", "2024-01-01", "2024-03-31"),
        ("2024-01-01/2024-02-29", "2024-01-01", "2024-02-29"),
        ("2024-06-01T00:30:00+02:00", "2024-05-31", "2024-05-31"),
    ],
)
def test_a_moment_is_a_day_an_instant_or_a_period(text: str, first: str, last: str):
    moment = moment_from(text)
    assert (moment.day, moment.last_day) == (first, last)


@pytest.mark.parametrize("text", ["", "soon", "2024-02-30", "2024-05-01/2024-04-01", 5, None])
def test_what_is_no_moment_is_refused(text: object):
    with pytest.raises(InputError, match="no day, instant or period"):
        moment_from(text)


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        None, [], "plan", {}, {"steps": {}}, {"steps": [1]}, {"steps": [], "form": "poem"},
        {"steps": [], "also": {}}, {"steps": [], "also": [{"step": "a"}]},
        {"steps": [{"step": "a", "operator": "fly"}]},
        {"steps": [{"step": "a", "operator": "find_nodes", "arguments": {"depth": 3}}]},
        {"steps": [{"step": "a", "operator": "find_nodes", "as_of": "soon"}]},
    ],
)  # fmt: skip
def test_what_is_no_plan_is_refused(form: object):
    with pytest.raises(PlanError):
        plan_from_json(form)


@pytest.mark.parametrize(
    ("operator", "arguments"),
    [
        ("follow", {"nodes": "m", "path": []}),
        ("follow", {"nodes": ["m"], "path": [{"relation": "R"}]}),
        ("follow", {"nodes": ["m"], "path": [{"relation": "R", "direction": "up"}]}),
        ("follow", {"nodes": ["m"], "path": [{"relation": 1, "direction": "in"}]}),
        ("follow", {"nodes": ["m"], "path": [{"relation": "R", "direction": "in", "x": 1}]}),
        ("find_nodes", {"where": [{"property": "n", "test": "~"}]}),
        ("find_nodes", {"where": [{"test": "="}]}),
        ("rank_scores", {"scores": [["m", 1.0]], "limit": True}),
        ("rank_scores", {"scores": [["m"]]}),
        ("node_values", {"nodes": [], "property": {"left": "a", "how": "^", "right": 2}}),
        ("filter_edges_by_date", {"relation": "R", "period": "x"}),
        ("combine", {"how": "xor", "sets": []}),
    ],
)
def test_an_argument_of_another_kind_is_refused(operator: str, arguments: dict[str, object]):
    with pytest.raises(PlanError, match=r"^a: "):
        step_from_json({"step": "a", "operator": operator, "arguments": arguments})


# --- properties ----------------------------------------------------------------------------------


def faults(plan: Plan) -> list[str]:
    try:
        validate(plan, schema())
    except PlanError as error:
        return [what for _, what in error.errors]
    return []


UNKNOWN: list[tuple[str, dict[str, Argument]]] = [
    ("find_nodes", {"type": "Maker", "where": (Condition(property="ghost", value=1),)}),
    ("find_nodes", {"type": "Part", "where": (Condition(property="country", value="Peru"),)}),
    ("follow", {"nodes": ("m",), "path": (
        Hop(relation="FEEDS", outgoing=True, where=(Condition(property="size", value=1),)),)}),
    ("relation_values", {"relation": "FEEDS", "property": "size"}),
    ("relation_values", {"relation": "FEEDS", "property": Formula(
        left="quantity", how="*", right=At(end="target", property="quantity"))}),
    ("group_by", {"nodes": ("m",), "relation": "FEEDS", "property": None, "how": "count",
                  "outgoing": True, "by": Group(property="size", bucket="year")}),
    ("weighted_path", {"source": "m", "target": "p", "property": "size"}),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "arguments"), UNKNOWN)
def test_only_properties_of_the_schema_are_named(operator: str, arguments: dict[str, Argument]):
    (fault,) = faults(one(operator, **arguments))
    assert fault.startswith("the schema has no property ")
