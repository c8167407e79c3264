"""The graph tier: a question read into a plan, run, and shown with all that checks it."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime
from typing import Final, Protocol

from tiers.graphrag.judging import judged
from tiers.graphrag.plans.plan import Plan, PlanRun, run
from tiers.graphrag.reading.claims import Claim
from tiers.graphrag.reading.confidence import Read
from tiers.graphrag.reading.explaining import Trail, accounted, told
from tiers.graphrag.reading.reader import PlanReader, Refused
from tiers.graphrag.saying import say
from tiers.graphrag.stores.running import RunsCypher
from tiers.graphrag.stores.showing import to_cypher
from tiers.graphrag.view import Budget, GraphView, Scope
from trivium.domain.deadline import Deadline
from trivium.domain.errors import PlanError
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
from trivium.domain.schema import Schema
from trivium.domain.threads import Threads
from trivium.domain.time import Moment

_N_THREADS: Final = 4
_MAX_PASSED: Final = 12
"""Entities passed on the way that the text names; the evidence has all."""
_MAX_SHOWN: Final = 100
"""Ids of one parameter that an answer shows."""
_TO_SAY: Final = 0.1
"""Share of the time that a plan leaves: what it has by then is shown as a part, not lost."""


class GraphStore(Protocol):
    """A graph that can be held still while a plan runs."""

    def reading(self) -> AbstractContextManager[GraphView]:
        """Hold one version of the graph for reading."""
        ...


class ReadsTemplates(Protocol):
    """Knows questions that an installation has plans of its own for."""

    def read(self, question: Understood, schema: Schema) -> Plan | None:
        """Return the plan of a question that is asked just so; ``None`` for any other."""
        ...


class GraphTier:
    """Implements ``Tier`` over a graph store."""

    def __init__(
        self,
        store: GraphStore,
        schema: Callable[[], Schema],
        *,
        max_nodes: int = 500,
        reader: PlanReader | None = None,
        templates: ReadsTemplates | None = None,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
    ) -> None:
        self._store = store
        self._schema = schema
        self._max_nodes = max_nodes
        self._reader = reader or PlanReader()
        self._templates = templates
        self._threads = Threads("graph", _N_THREADS)
        self._today = today

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Read, run and show; off the loop, because a plan may compute for long."""
        return await self._threads.run(lambda: self._answer(question, deadline))

    async def carry_out(self, plan: Plan, question: Understood, deadline: Deadline) -> TierResult:
        """Run a plan that somebody else made of a question.

        Raises:
            PlanError: it cannot be run.
        """
        return await self._threads.run(lambda: self._carried_out(plan, question, deadline))

    def _carried_out(self, plan: Plan, question: Understood, deadline: Deadline) -> TierResult:
        with self._store.reading() as view:
            scope = self._scope(view, question, deadline)
            claims = accounted(question, Trail(), plan, scope.schema)
            words = _words(question, Trail(), claims)
            return _shown(plan, run(plan, scope), scope, words)

    def _answer(self, question: Understood, deadline: Deadline) -> TierResult:
        with self._store.reading() as view:
            scope = self._scope(view, question, deadline)
            trail = Trail()
            as_template = self._asked_as_a_template(question, scope)
            plan = as_template or self._reader.read(question, scope, trail)
            made = None if isinstance(plan, Refused) else plan
            claims = accounted(question, trail, made, scope.schema)
            words = _words(question, trail, claims)
            if isinstance(plan, Refused):
                return _refused(plan, words)
            try:
                outcome = run(plan, scope)
            except PlanError as error:
                return _refused(Refused(reason=Reason.NOT_IN_SCHEMA, why=str(error)), words)
            found = _shown(plan, outcome, scope, words)
            if trail.sketch is None or found.status is TierStatus.MISS:
                return found
            read = Read(sketch=trail.sketch, claims=claims, plan=plan, result=outcome.result)
            return judged(found, read)

    def _asked_as_a_template(self, question: Understood, scope: Scope) -> Plan | None:
        return self._templates.read(question, scope.schema) if self._templates else None

    def _scope(self, view: GraphView, question: Understood, deadline: Deadline) -> Scope:
        late = deadline.at - _TO_SAY * deadline.remaining_s
        return Scope(
            view=view,
            schema=self._schema(),
            moment=question.moment,
            budget=Budget(max_nodes=self._max_nodes, deadline=late, clock=time.monotonic),
            today=Moment.of(self._today()),
        )


def _words(question: Understood, trail: Trail, claims: Sequence[Claim]) -> Mapping[str, object]:
    """Return the question as it was read, and how each word of it was understood."""
    return {"question": question.text, "words": told(question, trail, claims)}


def _refused(refused: Refused, words: Mapping[str, object]) -> TierResult:
    return TierResult(
        tier=TierName.GRAPH,
        status=TierStatus.MISS,
        reason=refused.reason,
        why=refused.why,
        candidates=refused.candidates,
        trace={"understood": None, **words, "refused": refused.why},
    )


def _shown(plan: Plan, outcome: PlanRun, scope: Scope, words: Mapping[str, object]) -> TierResult:
    if isinstance(outcome.result, Prose) and not scope.budget.is_exhausted:
        return TierResult(
            tier=TierName.GRAPH,
            status=TierStatus.MISS,
            reason=Reason.NO_EVIDENCE,
            why="The relations that this needs hold no such value.",
            trace=_trace(plan, outcome, scope, words),
        )
    cut = _cut(outcome, scope)
    return TierResult(
        tier=TierName.GRAPH,
        status=TierStatus.PARTIAL if cut else TierStatus.HIT,
        evidence=(_subgraph(outcome, scope),),
        result=outcome.result,
        also=outcome.also,
        statements=_statements(plan, outcome, scope),
        why=cut,
        freshness=_freshness(scope),
        trace=_trace(plan, outcome, scope, words),
    )


def _cut(outcome: PlanRun, scope: Scope) -> str | None:
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
    if isinstance(outcome.result, (Number, Day)):
        said[0] = f"{said[0].removesuffix('.')}: {plan.understood}."
    said += [f"Beside it: {say(also, name)}" for also in outcome.also]
    passed = _passed(outcome, scope)
    if passed and isinstance(outcome.result, (Nodes, Truth)):
        shown = ", ".join(f"{name(n)} ({n})" for n in passed)
        said.append(f"It rests on relations with {shown}.")
    said += [f"{note}." for note in dict.fromkeys(scope.budget.notes)]
    if scope.budget.is_relations_cut:
        n_shown = len(scope.budget.relations)
        said.append(f"It rests on more than {n_shown:,} relations; the first of them are shown.")
    return tuple(Statement(text, (0,)) for text in said)


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
            return (result.a, result.b)
        case _:
            return ()


def _subgraph(outcome: PlanRun, scope: Scope) -> Subgraph:
    relations = tuple(scope.budget.relations)
    ends = (end for s, _, t in relations for end in (s, t))
    named = [n for result in (outcome.result, *outcome.also) for n in ids_of(result)]
    nodes = tuple(dict.fromkeys([*named, *ends]))
    found = ((n, scope.view.node(n)) for n in nodes)
    names = {n: node.name for n, node in found if node is not None}
    return Subgraph(nodes=nodes, relations=relations, names=names)


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
    plan: Plan, outcome: PlanRun, scope: Scope, words: Mapping[str, object]
) -> dict[str, object]:
    budget = scope.budget
    return {
        "understood": plan.understood,
        **words,
        "template": plan.template,
        "plan": [dict(step) for step in outcome.trace],
        **_cypher(plan, scope),
        "as_of": scope.moment.text,
        "notes": list(dict.fromkeys(budget.notes)),
        "nodes": list(_subgraph(outcome, scope).nodes),
        "budget": _spent(outcome, scope),
    }


def _spent(outcome: PlanRun, scope: Scope) -> dict[str, object]:
    """Say what was allowed, what was used, what was cut, and how to ask for less."""
    budget, ahead = scope.budget, outcome.forecast
    returned = len(ids_of(outcome.result))
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


def _cypher(plan: Plan, scope: Scope) -> dict[str, object]:
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
