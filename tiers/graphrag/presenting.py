"""What the graph tier gives for a plan that ran, or for a refusal, with all that checks it."""

from collections.abc import Mapping, Sequence
from typing import Final

from tiers.graphrag.plans.grounding import keep_counted
from tiers.graphrag.plans.plan import Plan, PlanRun
from tiers.graphrag.reading.claims import Claim
from tiers.graphrag.reading.explaining import Trail, told
from tiers.graphrag.reading.reader import Refused
from tiers.graphrag.saying import say
from tiers.graphrag.stores.running import RunsCypher
from tiers.graphrag.stores.showing import to_cypher
from tiers.graphrag.view import Scope
from trivium.domain.evidence import (
    Freshness,
    FreshnessKind,
    Reason,
    Statement,
    Subgraph,
    TierResult,
    TierStatus,
)
from trivium.domain.question import TierName, Understood
from trivium.domain.result import (
    Comparison,
    Day,
    Nodes,
    Number,
    Paths,
    Prose,
    Ranking,
    Result,
    Truth,
)
from trivium.language.plurals import plural
from trivium.language.text import spoken

_MAX_PASSED: Final = 12
"""Entities passed on the way that the text names; the evidence has all."""
_MAX_SHOWN: Final = 100
"""Ids of one parameter that an answer shows."""


def words_of(question: Understood, trail: Trail, claims: Sequence[Claim]) -> Mapping[str, object]:
    """Return the question as it was read, and how each word of it was understood."""
    return {"question": question.text, "words": told(question, trail, claims)}


def refused_as(refused: Refused, words: Mapping[str, object]) -> TierResult:
    """Return the tier's result where there is no plan."""
    return TierResult(
        tier=TierName.GRAPH,
        status=TierStatus.MISS,
        reason=refused.reason,
        why=refused.why,
        candidates=refused.candidates,
        trace={"understood": None, **words, "refused": refused.why},
    )


def shown(plan: Plan, outcome: PlanRun, scope: Scope, words: Mapping[str, object]) -> TierResult:
    """Return the tier's result for a plan that ran, with all that checks it."""
    named = {n for told in (outcome.result, *outcome.also) for n in ids_of(told)}
    keep_counted(plan, outcome.outcomes, named, scope)
    subgraph = _subgraph(plan, outcome, scope)
    if isinstance(outcome.result, Prose) and not scope.budget.is_exhausted:
        return TierResult(
            tier=TierName.GRAPH,
            status=TierStatus.MISS,
            reason=Reason.NO_EVIDENCE,
            why="The relations that this needs hold no such value.",
            trace=_trace(plan, outcome, scope, words, subgraph),
        )
    cut = cut_of(outcome, scope)
    return TierResult(
        tier=TierName.GRAPH,
        status=TierStatus.PARTIAL if cut else TierStatus.HIT,
        evidence=(subgraph,),
        result=outcome.result,
        also=outcome.also,
        statements=_statements(plan, outcome, scope),
        why=cut,
        freshness=_freshness(scope),
        trace=_trace(plan, outcome, scope, words, subgraph),
    )


def cut_of(outcome: PlanRun, scope: Scope) -> str | None:
    """Say what was cut, at which step, and how to ask for less; ``None`` when all is there."""
    cuts = scope.budget.cuts
    if not cuts:
        return None
    reasons = (f"{cut.why} (step {cut.step}, {cut.operator})" for cut in cuts)
    return " ".join([f"Only a part was looked at: {'; '.join(reasons)}.", *outcome.narrower])


def _statements(plan: Plan, outcome: PlanRun, scope: Scope) -> tuple[Statement, ...]:
    def name(node_id: str) -> str:
        node = scope.view.node(node_id)
        return node.name if node else node_id

    said = [say(outcome.result, name)]
    counted = _counted(outcome, scope)
    if counted is not None:
        said = [f"{said[0].removesuffix('.')} {counted}: {say(outcome.also[0], name)}"]
    elif isinstance(outcome.result, (Number, Day)):
        said[0] = f"{said[0].removesuffix('.')}: {plan.understood}."
    said += [f"Beside it: {say(also, name)}" for also in outcome.also[counted is not None :]]
    passed = _passed(outcome, scope)
    if passed and isinstance(outcome.result, (Nodes, Truth)):
        shown = ", ".join(f"{name(n)} ({n})" for n in passed)
        said.append(f"It rests on relations with {shown}.")
    said += [f"{note}." for note in dict.fromkeys(scope.budget.notes)]
    if scope.budget.is_relations_cut:
        n_shown = len(scope.budget.relations)
        said.append(f"It rests on more than {n_shown:,} relations; the first of them are shown.")
    return tuple(Statement(text, (0,)) for text in said)


def _counted(outcome: PlanRun, scope: Scope) -> str | None:
    """Return what a number counts, where the entities beside it are those: "factories"."""
    result, beside = outcome.result, outcome.also[0] if outcome.also else None
    if not (isinstance(result, Number) and isinstance(beside, Nodes) and beside.ids):
        return None
    nodes = [scope.view.node(n) for n in beside.ids]
    types = {node.type for node in nodes if node is not None}
    if len(types) != 1 or result.number != len(beside.ids):
        return None
    noun = spoken(types.pop())
    return noun if result.number == 1 else plural(noun)


def _passed(outcome: PlanRun, scope: Scope) -> tuple[str, ...]:
    """Return what lies on the way, when it is little enough to name."""
    answer = set(ids_of(outcome.result))
    ends = {end for s, _, t in scope.budget.relations for end in (s, t)}
    between = sorted(ends - answer)
    return tuple(between) if answer and 0 < len(between) <= _MAX_PASSED else ()


def ids_of(result: Result) -> tuple[str, ...]:
    """Return the entities that a result names."""
    match result:
        case Nodes() | Truth():
            return result.ids
        case Ranking():
            return tuple(key for key, _ in result.pairs)
        case Paths():
            return tuple(dict.fromkeys(n for path in result.paths for n in path))
        case Comparison():
            shared = (n for ids in result.shared.values() for n in ids)
            return tuple(dict.fromkeys([result.a, result.b, *shared]))
        case _:
            return ()


def _subgraph(plan: Plan, outcome: PlanRun, scope: Scope) -> Subgraph:
    """Return what an answer rests on: what it names, what its question does, and the relations."""
    relations = tuple(scope.budget.relations)
    ends = (end for s, _, t in relations for end in (s, t))
    named = [n for result in (outcome.result, *outcome.also) for n in ids_of(result)]
    asked = (n for step in plan.steps for n in step.named)
    found = ((n, scope.view.node(n)) for n in dict.fromkeys([*named, *ends, *asked]))
    names = {n: node.name for n, node in found if node is not None}  # values of a group are none
    return Subgraph(nodes=tuple(names), relations=relations, names=names)


def _freshness(scope: Scope) -> tuple[Freshness, ...]:
    as_of = scope.schema.as_of
    return (
        Freshness(
            source=f"graph {scope.schema.name}",
            as_of=as_of or scope.moment.day,
            kind=FreshnessKind.STATIC if as_of else FreshnessKind.BATCH,
        ),
    )


def _trace(
    plan: Plan,
    outcome: PlanRun,
    scope: Scope,
    words: Mapping[str, object],
    subgraph: Subgraph,
) -> dict[str, object]:
    budget = scope.budget
    return {
        "understood": plan.understood,
        **words,
        "template": plan.template,
        "plan": [dict(step) for step in outcome.trace],
        **cypher_of(plan, scope),
        "as_of": scope.moment.text,
        "notes": list(dict.fromkeys(budget.notes)),
        "nodes": list(subgraph.nodes),
        "budget": spent(outcome, scope, len(ids_of(outcome.result))),
    }


def spent(outcome: PlanRun, scope: Scope, returned: int) -> dict[str, object]:
    """Say what was allowed, what was used, what was cut, and how to ask for less."""
    budget, ahead = scope.budget, outcome.forecast
    return {
        "nodes": len(budget.touched),
        "limit": budget.max_nodes,
        "exhausted": budget.is_exhausted,
        "cut": [{**cut.to_json(), "returned": returned} for cut in budget.cuts],
        "narrower": list(outcome.narrower),
        "relations": {
            "looked_at": budget.n_looked_at,
            "limit": budget.max_relations,
            "shown": len(budget.relations),
            "all_shown": not budget.is_relations_cut,
        },
        "estimate": ahead and {"relations": ahead.n_relations, "beyond": ahead.is_beyond},
    }


def cypher_of(plan: Plan, scope: Scope) -> dict[str, object]:
    """Return the queries that ran, or, where the graph is in memory, that would have."""
    if isinstance(scope.view, RunsCypher):
        run = scope.view.cypher
        return {
            "cypher": run.text,
            "parameters": {name: _short(value) for name, value in run.parameters.values.items()},
            "engine": run.engine,
            "cypher_executed": run.has_run,
            "not_in_cypher": list(run.uncompiled),
        }
    cypher, parameters = to_cypher(plan, scope.moment)
    return {
        "cypher": cypher,
        "parameters": parameters,
        "engine": "memory",
        "cypher_executed": False,
    }


def _short(value: object) -> object:
    """Return a parameter as it is shown: of a long list, the first of it and how many more."""
    if not isinstance(value, list) or len(value) <= _MAX_SHOWN:
        return value
    return [*value[:_MAX_SHOWN], f"… and {len(value) - _MAX_SHOWN} more"]
