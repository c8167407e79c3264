"""Runs a plan: a small program of typed operators, checked before it runs, that says itself."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tiers.graphrag.operators import answers
from tiers.graphrag.operators.removal import Cascade
from tiers.graphrag.operators.ways import Ways
from tiers.graphrag.plans.checking import misfits, validate
from tiers.graphrag.plans.decoding import plan_from_json
from tiers.graphrag.plans.estimating import Forecast, forecast
from tiers.graphrag.plans.measured import in_its_unit
from tiers.graphrag.plans.narrowing import narrower
from tiers.graphrag.plans.steps import Argument, Plan, PlanBuilder, Ref, Step, flat
from tiers.graphrag.plans.toolbox import OPERATORS, Operator
from tiers.graphrag.stores.executing import call
from tiers.graphrag.view import Counted, Scope
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Edge
from trivium.domain.result import Comparison, Result

__all__ = [
    "OPERATORS", "Argument", "Operator", "Plan", "PlanBuilder", "PlanRun", "Ref", "Step",
    "outline", "plan_from_json", "run", "validate",
]  # fmt: skip

_LOOKUPS: Final = frozenset(
    {
        "find_nodes", "get_node", "get_neighbors", "follow", "combine", "count_nodes",
        "relations_between", "filter_edges_by_date", "day_of", "ends_of",
    }
)  # fmt: skip
"""Operators that look up; a plan with any other computes, and may go further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRun:
    """What a plan gave, and how."""

    result: Result
    also: tuple[Result, ...]
    trace: tuple[Mapping[str, object], ...]
    outcomes: Mapping[str, object] = field(default_factory=dict)
    forecast: Forecast | None = None
    """What it was estimated to look at; ``None`` when the graph does not know its own counts."""
    narrower: tuple[str, ...] = ()
    """How to ask for less, where something was cut."""


def run(plan: Plan, scope: Scope, clock: Callable[[], float] = time.perf_counter) -> PlanRun:
    """Run a plan in a scope; past the budget it gives what it has, and the cuts say what not.

    ``clock`` times the steps, in seconds.

    Raises:
        PlanError: it does not fit the schema, or a step got what it cannot use.
    """
    validate(plan, scope.schema)
    scans = _scans(plan)
    is_analytical = any(step.operator not in _LOOKUPS for step in plan.steps)
    scope.budget.is_analytical = is_analytical
    ahead = None
    if isinstance(scope.view, Counted):
        ahead = forecast(plan, scope.schema, scope.view, scope.budget, scans)
    outcomes: dict[str, object] = {}
    trace = []
    for step in plan.steps:
        scope.budget.begin(
            step.name, step.operator, is_scan=scans[step.name], is_analytical=is_analytical
        )
        started = clock()
        outcomes[step.name] = outcome = _outcome(step, scope, outcomes)
        took_ms = (clock() - started) * 1000
        entry = {**step.to_json(), "outcome": outline(outcome), "ms": round(took_ms, 3)}
        if ahead is not None:
            entry["estimate"] = ahead.steps[step.name].to_json()
        trace.append(entry)
    last = plan.steps[-1].name
    beside = outcomes[plan.beside] if plan.beside else None
    cuts = scope.budget.cuts
    result = in_its_unit(
        answers.result_of(plan.form, outcomes[last], beside), plan, last, scope.schema
    )
    also = tuple(
        in_its_unit(answers.result_of(form, outcomes[name], None), plan, name, scope.schema)
        for name, form in plan.also
    )
    return PlanRun(
        result=result,
        also=also,
        trace=tuple(trace),
        outcomes=outcomes,
        forecast=ahead,
        narrower=tuple(dict.fromkeys(narrower(plan, cut, scope.schema) for cut in cuts)),
    )


def _outcome(step: Step, scope: Scope, outcomes: Mapping[str, object]) -> object:
    arguments = {key: _resolved(value, outcomes) for key, value in step.arguments.items()}
    # An outcome is of one kind throughout, so that its first item stands for all.
    first = {
        key: value[:1]
        if isinstance(value, tuple) and step.arguments[key].__class__ is Ref
        else value
        for key, value in arguments.items()
    }
    if faults := misfits(step.operator, first):
        raise PlanError(f"{step.name}: {faults[0]}", [(step.name, what) for what in faults])
    return call(step.name, OPERATORS[step.operator], scope.at(step.as_of), arguments)


def _scans(plan: Plan) -> dict[str, bool]:
    """Return which steps start from whole types; the others start from what is named.

    What a scan looks at is not evidence for one answer but what a number is counted over, so
    that it has no limit on entities.
    """
    named: dict[str, bool] = {}
    for step in plan.steps:
        is_named = bool(step.named)
        after = any(
            named.get(value.step, False)
            for value in flat(tuple(step.arguments.values()))
            if isinstance(value, Ref)
        )
        named[step.name] = (is_named or after) and step.operator != "set_complement"
    return {name: not is_named for name, is_named in named.items()}


def _resolved(value: Argument, outcomes: Mapping[str, object]) -> object:
    if isinstance(value, Ref):
        return outcomes[value.step]
    if isinstance(value, tuple):
        return tuple(_resolved(item, outcomes) for item in value)
    return value


def outline(outcome: object, limit: int = 50) -> object:
    """Say what a step gave: how much, and the first of it."""
    match outcome:
        case Cascade():
            return {
                "reached": len(outcome.reached),
                "lost": list(outcome.lost[:limit]),
                "only": list(outcome.only[:limit]),
                "levels": [len(level) for level in outcome.levels],
            }
        case Ways():
            return {"paths": outline(outcome.paths, limit), "cost": _item(outcome.cost)}
        case Comparison():
            return {"counts": {k: list(v) for k, v in outcome.counts.items()}}
        case tuple():
            first = [_item(item) for item in outcome[:limit]]
            return {"n": len(outcome), "first": first}
        case _:
            return _item(outcome)


def _item(item: object) -> object:
    match item:
        case Edge():
            return [item.source, item.type, item.target]
        case tuple():
            return [_item(part) for part in item]
        case float():
            return item if math.isfinite(item) else None
        case _:
            return item
