"""A plan: a small program of typed operators, validated before it runs, that says itself."""

import inspect
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias, get_type_hints

from tiers.graphrag.executing import call
from tiers.graphrag.kinds import fits
from tiers.graphrag.operators import answers, computing, dated, grouping, risk, traversal
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.view import Scope
from trivium.domain.errors import PlanError
from trivium.domain.knowledge import Edge
from trivium.domain.result import Comparison, Result
from trivium.domain.schema import Schema
from trivium.domain.time import Moment

Operator: TypeAlias = Callable[..., object]

OPERATORS: Final[Mapping[str, Operator]] = {
    function.__name__: function
    for function in (
        traversal.find_nodes,
        traversal.get_node,
        traversal.get_neighbors,
        traversal.follow,
        traversal.subgraph,
        traversal.count_edges,
        traversal.set_complement,
        traversal.combine,
        traversal.shortest_path,
        dated.filter_edges_by_date,
        dated.relations_between,
        dated.changes_between,
        risk.open_events,
        risk.propagate_risk,
        grouping.aggregate_over_type,
        grouping.node_values,
        grouping.path_values,
        grouping.relation_values,
        grouping.group_by,
        computing.simulate_removal,
        computing.subgraph_diff,
        computing.compare_along,
        computing.alternatives,
        computing.betweenness,
        computing.pagerank,
        computing.degree,
        computing.connected_components,
        computing.cut_points,
        answers.rank_scores,
        answers.select,
        answers.leaders,
        answers.count_nodes,
        answers.reduce_scores,
        answers.spread,
        answers.ends_of,
        answers.left_without,
        answers.compare_values,
        answers.day_of,
        answers.hops_of,
        answers.first_groups,
        answers.members_of,
    )
}
"""Every operator by its name; the signature of each is the one truth on its arguments."""


@dataclass(frozen=True, slots=True)
class Ref:
    """The outcome of an earlier step, by its name."""

    step: str


Argument: TypeAlias = (
    "str | int | float | bool | Ref | Hop | Condition | Test | Moment | tuple[Argument, ...] | None"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call of an operator; ``as_of`` looks at another moment than the question's."""

    name: str
    operator: str
    arguments: Mapping[str, Argument]
    as_of: Moment | None = None

    def to_json(self) -> dict[str, object]:
        """Return the form that answers show."""
        form: dict[str, object] = {
            "step": self.name,
            "operator": self.operator,
            "arguments": {key: _plain(value) for key, value in self.arguments.items()},
        }
        if self.as_of:
            form["as_of"] = self.as_of.text
        return form


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps in order; ``answer`` turns the outcome of the last one into a result.

    ``also`` names further steps whose outcomes stand beside the answer, each with its form.
    """

    steps: tuple[Step, ...]
    form: answers.Form
    understood: str
    """The question as it was understood, in one sentence."""
    template: str
    """The shape that the plan is an instance of."""
    beside: str | None = None
    """The step whose entities stand beside a yes or no."""
    also: tuple[tuple[str, answers.Form], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRun:
    """What a plan gave, and how."""

    result: Result
    also: tuple[Result, ...]
    trace: tuple[Mapping[str, object], ...]
    outcomes: Mapping[str, object] = field(default_factory=dict)


class PlanBuilder:
    """Collects steps and names them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, operator: str, *, as_of: Moment | None = None, **arguments: Argument) -> Ref:
        """Add a step and return a reference to its outcome; an equal step is used again."""
        for step in self.steps:
            if (step.operator, step.as_of) == (operator, as_of) and step.arguments == arguments:
                return Ref(step.name)
        step = Step(
            name=f"s{len(self.steps) + 1}", operator=operator, arguments=arguments, as_of=as_of
        )
        self.steps.append(step)
        return Ref(step.name)


def validate(plan: Plan, schema: Schema) -> None:
    """Check operators, arguments, references, types and relations.

    Raises:
        PlanError: with each fault as ``(step, what)``.
    """
    faults: list[tuple[str, str]] = []
    known: set[str] = set()
    for step in plan.steps:
        faults += [(step.name, fault) for fault in _faults(step, schema, known)]
        if step.name in known:
            faults.append((step.name, "another step is called so"))
        known.add(step.name)
    if not plan.steps:
        faults.append(("plan", "it has no step"))
    shown = [name for name in (plan.beside, *(name for name, _ in plan.also)) if name is not None]
    faults += [("plan", f"it has no step {name!r}") for name in shown if name not in known]
    if faults:
        where, what = faults[0]
        raise PlanError(f"{where}: {what}", faults)


def _faults(step: Step, schema: Schema, known: set[str]) -> list[str]:
    operator = OPERATORS.get(step.operator)
    if operator is None:
        return [f"no operator is called {step.operator!r}"]
    faults = []
    try:
        inspect.signature(operator).bind(None, **step.arguments)
    except TypeError as error:
        faults.append(str(error))
    faults += _misfits(step.operator, step.arguments)
    for value in _flat(tuple(step.arguments.values())):
        if isinstance(value, Ref) and value.step not in known:
            faults.append(f"step {value.step!r} does not come before it")
    types, relations = _named(step)
    faults += [f"the schema has no type {n!r}" for n in types if n not in schema.node_types]
    faults += [
        f"the schema has no relation {n!r}" for n in relations if n not in schema.relation_types
    ]
    return faults


def _named(step: Step) -> tuple[list[Argument], list[Argument]]:
    """Return the types and the relations that a step names."""
    hops = [value for value in _flat(tuple(step.arguments.values())) if isinstance(value, Hop)]
    types = _flat([step.arguments.get(key) for key in ("type", "types", "without")])
    relations = [step.arguments.get("relation"), *(hop.relation for hop in hops)]
    named = [name for name in [*types, *(hop.to_type for hop in hops)] if isinstance(name, str)]
    return [*named], [name for name in relations if isinstance(name, str)]


@cache
def _hints(operator: str) -> Mapping[str, object]:
    return get_type_hints(OPERATORS[operator])


def _misfits(operator: str, arguments: Mapping[str, object]) -> list[str]:
    """Say which arguments are not of the kind that the operator takes."""
    hints = _hints(operator)
    return [
        f"{key} cannot be {value!r:.80}"
        for key, value in arguments.items()
        if key in hints and not fits(value, hints[key], later=Ref)
    ]


def _flat(values: Sequence[Argument]) -> list[Argument]:
    found: list[Argument] = []
    for value in values:
        found += _flat(value) if isinstance(value, tuple) else [value]
    return found


def run(plan: Plan, scope: Scope) -> PlanRun:
    """Run a plan in a scope.

    Raises:
        PlanError: it does not fit the schema, or a step got what it cannot use.
    """
    validate(plan, scope.schema)
    outcomes: dict[str, object] = {}
    trace = []
    for step in plan.steps:
        started = time.perf_counter()
        arguments = {key: _resolved(value, outcomes) for key, value in step.arguments.items()}
        if misfits := _misfits(step.operator, arguments):
            raise PlanError(f"{step.name}: {misfits[0]}", [(step.name, what) for what in misfits])
        outcome = call(step.name, OPERATORS[step.operator], scope.at(step.as_of), arguments)
        outcomes[step.name] = outcome
        took_ms = (time.perf_counter() - started) * 1000
        trace.append({**step.to_json(), "outcome": _outline(outcome), "ms": round(took_ms, 3)})
    last = plan.steps[-1].name
    beside = outcomes[plan.beside] if plan.beside else None
    return PlanRun(
        result=answers.result_of(plan.form, outcomes[last], beside),
        also=tuple(answers.result_of(form, outcomes[name], None) for name, form in plan.also),
        trace=tuple(trace),
        outcomes=outcomes,
    )


def _resolved(value: Argument, outcomes: Mapping[str, object]) -> object:
    if isinstance(value, Ref):
        return outcomes[value.step]
    if isinstance(value, tuple):
        return tuple(_resolved(item, outcomes) for item in value)
    return value


def _plain(value: object) -> object:
    match value:
        case Ref():
            return f"${value.step}"
        case Hop() | Condition():
            return value.to_json()
        case Moment():
            return value.text
        case tuple():
            return [_plain(item) for item in value]
        case _:
            return value


def _outline(outcome: object, limit: int = 50) -> object:
    """Say what a step gave: how much, and the first of it."""
    match outcome:
        case computing.Cascade():
            return {"reached": len(outcome.reached), "lost": list(outcome.lost[:limit])}
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
