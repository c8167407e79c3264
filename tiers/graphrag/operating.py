"""Operators called by a program, one alone or several as a plan: JSON in, JSON out."""

from collections.abc import Iterator, Mapping
from typing import Final

from tiers.graphrag.briefing import MAX_STEPS, plan_tool
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.planner import TELLING
from tiers.graphrag.plans.checking import see_that_it_ends_well
from tiers.graphrag.plans.decoding import moment_from, plan_from_json, step_from_json
from tiers.graphrag.plans.plan import Plan, outline, run
from tiers.graphrag.plans.toolbox import MOMENT, OPERATORS, Json, tools
from tiers.graphrag.presenting import cut_of, cypher_of, spent
from tiers.graphrag.view import Scope
from trivium.domain.errors import PlanError
from trivium.domain.result import Comparison
from trivium.domain.time import Moment

ALONE: Final = tuple(
    str(tool["name"])
    for tool in tools(is_alone=True)
    if tool["name"] not in TELLING and "#/$defs/Outcome" not in str(tool["input_schema"])
)
"""What says something by itself; the others take outcomes of earlier steps, and need a plan."""
PLAN: Final = "run_plan"
"""The tool that takes several operators."""
_ALONE: Final = "one operator"
"""The template of one call: its outcome may be of any kind, and is no result."""
_MAX_SHOWN: Final = 500
"""Items of an outcome, and names, that are shown."""


def operator_tools() -> list[Json]:
    """Return the tools: name, description and input schema of each."""
    told = "Raises:\n    PlanError: "
    alone = [
        {**tool, "description": str(tool["description"]).split(told)[0].rstrip()}
        for tool in tools(ALONE, is_alone=True)
    ]
    return [*alone, _plan_tool()]


def _plan_tool() -> Json:
    form = plan_tool(tuple(OPERATORS), has_templates=False)["input_schema"]
    assert isinstance(form, dict)
    properties = form["properties"]
    assert isinstance(properties, dict)
    others = ", ".join(name for name in OPERATORS if name not in ALONE)
    return {
        "name": PLAN,
        "description": "Run several operators as one plan over the graph, in order. An argument "
        'may be the outcome of an earlier step, written as $ and its name: "$s1". The operators '
        "are the tools of the same names, with their arguments, and these that take outcomes: "
        f"{others}. `form` says what the last step's outcome is. A step may have its own `as_of`. "
        f"At most {MAX_STEPS} steps.",
        "input_schema": {**form, "properties": {**properties, "as_of": MOMENT}},
    }


def plan_of(tool: str, arguments: Mapping[str, object]) -> tuple[Plan, Moment | None]:
    """Return the plan that a call of a tool stands for, and the time that it looks at.

    Whether the plan fits a schema is not looked at yet.

    Raises:
        InputError: there is no such tool, or it takes no such arguments.
    """
    own = dict(arguments)
    as_of = own.pop("as_of", None)
    moment = None if as_of is None else moment_from(as_of)
    if tool == PLAN:
        plan = plan_from_json(own)
        if len(plan.steps) > MAX_STEPS:
            raise PlanError(f"the plan has {len(plan.steps)} steps, more than {MAX_STEPS}")
        see_that_it_ends_well(plan)
        return plan, moment
    step = step_from_json({"step": tool, "operator": tool, "arguments": own})
    return Plan(steps=(step,), form=Form.NODES, understood="", template=_ALONE), moment


def outcome_of(plan: Plan, scope: Scope) -> Json:
    """Run a plan; return what its last step gave, and all that checks it.

    Raises:
        PlanError: it does not fit the schema, or a step got what it cannot use.
    """
    ran = run(plan, scope)
    outcome = ran.outcomes[plan.steps[-1].name]
    shown = outcome.to_json() if isinstance(outcome, Comparison) else outline(outcome, _MAX_SHOWN)
    told: Json = {"outcome": shown, "names": _names(shown, scope)}
    if plan.template != _ALONE:
        told |= {"result": ran.result.to_json(), "steps": [dict(step) for step in ran.trace]}
    return {
        **told,
        "as_of": scope.moment.text,
        "partial": cut_of(ran, scope),
        "notes": list(dict.fromkeys(scope.budget.notes)),
        **cypher_of(plan, scope),
        "budget": spent(ran, scope, len(outcome) if isinstance(outcome, tuple) else 1),
    }


def _names(shown: object, scope: Scope) -> dict[str, str]:
    """Return the names of the entities whose ids stand in an outcome."""
    ids = list(dict.fromkeys(_texts(shown)))[:_MAX_SHOWN]
    found = ((text, scope.view.node(text)) for text in ids)
    return {text: node.name for text, node in found if node is not None}


def _texts(shown: object) -> Iterator[str]:
    match shown:
        case str():
            yield shown
        case Mapping():
            for item in shown.values():
                yield from _texts(item)
        case list() | tuple():
            for item in shown:
                yield from _texts(item)
