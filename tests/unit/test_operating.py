"""Operators called by a program: what is offered, and that no call of any kind is a crash."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import DictGraph
from tests.property.worlds import TYPES, World, schema, worlds
from tiers.graphrag.operating import ALONE, PLAN, operator_tools, outcome_of, plan_of
from tiers.graphrag.planner import TELLING
from tiers.graphrag.plans.toolbox import OPERATORS, tools
from tiers.graphrag.view import Scope
from trivium.domain.errors import InputError
from trivium.domain.time import Moment

Schema = Mapping[str, Any]  # JSON schema


def test_what_is_called_alone_is_offered_no_earlier_outcome():
    offered = operator_tools()
    alone = json.dumps(offered[:-1])

    assert [tool["name"] for tool in offered] == [*ALONE, PLAN]
    assert "Outcome" not in alone
    assert "an earlier step" not in alone
    assert {"find_nodes", "simulate_removal", "communities"} <= set(ALONE)
    assert not {"begun", "left_without", *TELLING} & set(ALONE)


def test_nothing_needed_is_lost_with_the_outcomes():
    whole = {tool["name"]: tool["input_schema"] for tool in tools(ALONE)}
    for tool in operator_tools()[:-1]:
        left: Any = tool["input_schema"]
        assert left["required"] == whole[tool["name"]]["required"]  # type: ignore[index]
        assert left["properties"].keys() == whole[tool["name"]]["properties"].keys()  # type: ignore[index]


def test_a_plan_says_which_form_it_ends_in():
    steps = [{"step": "s1", "operator": "find_nodes", "arguments": {"type": "Part"}}]

    plan, as_of = plan_of(PLAN, {"steps": steps, "form": "nodes", "as_of": "2024-Q1"})

    assert (plan.form.value, as_of and as_of.day) == ("nodes", "2024-01-01")
    with pytest.raises(InputError, match="the last step gives no number"):
        plan_of(PLAN, {"steps": steps, "form": "number"})
    with pytest.raises(InputError, match="step 's1' gives no path"):
        plan_of(PLAN, {"steps": steps, "also": [{"step": "s1", "form": "path"}]})


@pytest.mark.parametrize(
    ("operator", "arguments"),
    [
        ("compare_along", {"a": "n0", "b": "n1", "types": ["Part"], "paths": []}),
        ("compare_along", {"a": "n0", "b": "n1", "types": [], "paths": [], "within": [None]}),
        ("merge_comparisons", {"comparisons": []}),
    ],
)
def test_lists_that_do_not_go_together_are_refused(operator: str, arguments: dict[str, object]):
    steps = [{"step": "s1", "operator": operator, "arguments": arguments}]
    plan, _ = plan_of(PLAN, {"steps": steps, "form": "comparison"})

    with pytest.raises(InputError):
        outcome_of(plan, Scope(view=DictGraph(), schema=schema(), moment=Moment.of("2024-03-12")))


# --- any call ------------------------------------------------------------------------------------


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Draw a call that fits its schema, of one operator or of a plan with one that tells."""
    tool: Any = draw(st.sampled_from(operator_tools()[:-1]))
    arguments = draw(fitting(tool["input_schema"], tool["input_schema"]["$defs"]))
    if draw(st.booleans()):
        return tool["name"], arguments
    arguments.pop("as_of", None)
    last: Any = draw(st.sampled_from(tools(NEEDY)))
    told = draw(fitting(last["input_schema"], last["input_schema"]["$defs"]))
    told.pop("as_of", None)
    steps = [
        {"step": "s1", "operator": tool["name"], "arguments": arguments},
        {"step": "s2", "operator": last["name"], "arguments": told},
    ]
    forms = ("nodes", "ranking", "number", "boolean", "date", "path", "comparison")
    return PLAN, {"steps": steps, "form": draw(st.sampled_from(forms))}


NEEDY = tuple(name for name in OPERATORS if name not in ALONE)
TEXTS = st.sampled_from(["n0", "n1", "n2", "", "no", *TYPES, "SUPPLIES", "HITS", "size", "day"])
SIMPLE = {
    "boolean": st.booleans(),
    "integer": st.integers(-1, 5) | st.just(10**9),
    "number": st.sampled_from([0, 1.5, -1, 1e308]),
    "null": st.none(),
}


def fitting(form: Schema, known: Mapping[str, Schema]) -> st.SearchStrategy[Any]:
    """Return values that a schema allows."""
    if "$ref" in form:
        return st.deferred(lambda: fitting(known[form["$ref"].rpartition("/")[2]], known))
    if "anyOf" in form:
        return st.one_of([fitting(option, known) for option in form["anyOf"]])
    if "enum" in form:
        return st.sampled_from(form["enum"])
    if form["type"] == "string":
        days = st.sampled_from(["2024-03-12", "2024-03", "2024-03-10/2024-03-12"])
        return days if "format" in form else st.just("$s1") if "pattern" in form else TEXTS
    if form["type"] == "array":
        if "prefixItems" in form:
            return st.tuples(*(fitting(item, known) for item in form["prefixItems"])).map(list)
        return st.lists(fitting(form["items"], known), max_size=3)
    if form["type"] == "object":
        own = {key: fitting(part, known) for key, part in form["properties"].items()}
        needed = set(form.get("required", ()))
        return st.fixed_dictionaries(
            {key: own[key] for key in own if key in needed},
            optional={key: own[key] for key in own if key not in needed},
        )
    return SIMPLE[form["type"]]


@given(worlds(), calls())
def test_any_call_gives_json_or_is_refused(world: World, call: tuple[str, dict[str, Any]]):
    try:
        plan, as_of = plan_of(*call)
        told = outcome_of(plan, world.scope.at(as_of))
    except InputError:
        return
    assert {"outcome", "names", "as_of", "partial", "cypher", "budget"} <= told.keys()
    json.dumps(told, allow_nan=False)
