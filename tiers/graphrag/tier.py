"""The graph tier: a question read into a plan, run, and shown with all that checks it."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime
from typing import Final, Protocol

from tiers.graphrag.judging import judged
from tiers.graphrag.operating import outcome_of
from tiers.graphrag.overview import Overview, overview
from tiers.graphrag.plans.plan import Plan, run
from tiers.graphrag.plans.toolbox import Json
from tiers.graphrag.presenting import refused_as, shown, words_of
from tiers.graphrag.reading.confidence import Read
from tiers.graphrag.reading.explaining import Trail, accounted
from tiers.graphrag.reading.reader import PlanReader, Refused
from tiers.graphrag.view import Budget, GraphView, Scope
from trivium.domain.deadline import Deadline
from trivium.domain.errors import PlanError
from trivium.domain.evidence import Reason, TierResult, TierStatus
from trivium.domain.question import Understood
from trivium.domain.schema import Schema
from trivium.domain.threads import Threads
from trivium.domain.time import Moment

_N_THREADS: Final = 4
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

    async def operate(self, plan: Plan, as_of: Moment | None, deadline: Deadline) -> Json:
        """Run a plan that no question stands behind; ``None`` is the data set's day, or today.

        Raises:
            PlanError: it cannot be run.
        """
        return await self._threads.run(lambda: self._operated(plan, as_of, deadline))

    def _operated(self, plan: Plan, as_of: Moment | None, deadline: Deadline) -> Json:
        with self._store.reading() as view:
            scope = self._scope(view, as_of or self._now(), deadline)
            return outcome_of(plan, scope)

    async def overview(
        self,
        as_of: str | None,
        most: int,
        deadline: Deadline,
        *,
        with_risk: bool,
        after: int = 0,
    ) -> Overview:
        """Return the graph as a whole, at a moment or now, with ``most`` entities at most.

        With risk, those most at risk come first, from place ``after`` on.

        Raises:
            InputError: ``as_of`` is neither a date nor a date-time.
        """
        moment = Moment.of(as_of) if as_of else self._now()

        def look() -> Overview:
            with self._store.reading() as view:
                scope = self._scope(view, moment, deadline)
                return overview(scope, most=most, with_risk=with_risk, after=after)

        return await self._threads.run(look)

    def _carried_out(self, plan: Plan, question: Understood, deadline: Deadline) -> TierResult:
        with self._store.reading() as view:
            scope = self._scope(view, question.moment, deadline)
            claims = accounted(question, Trail(), plan, scope.schema)
            words = words_of(question, Trail(), claims)
            return shown(plan, run(plan, scope), scope, words)

    def _answer(self, question: Understood, deadline: Deadline) -> TierResult:
        with self._store.reading() as view:
            scope = self._scope(view, question.moment, deadline)
            trail = Trail()
            as_template = self._asked_as_a_template(question, scope)
            plan = as_template or self._reader.read(question, scope, trail)
            made = None if isinstance(plan, Refused) else plan
            claims = accounted(question, trail, made, scope.schema)
            words = words_of(question, trail, claims)
            if isinstance(plan, Refused):
                return refused_as(plan, words)
            try:
                outcome = run(plan, scope)
            except PlanError as error:
                return refused_as(Refused(reason=Reason.NOT_IN_SCHEMA, why=str(error)), words)
            found = shown(plan, outcome, scope, words)
            if trail.sketch is None or found.status is TierStatus.MISS:
                return found
            read = Read(sketch=trail.sketch, claims=claims, plan=plan, result=outcome.result)
            return judged(found, read)

    def _asked_as_a_template(self, question: Understood, scope: Scope) -> Plan | None:
        return self._templates.read(question, scope.schema) if self._templates else None

    def _now(self) -> Moment:
        """Return the data set's day, or today."""
        return Moment.of(self._schema().as_of or self._today())

    def _scope(self, view: GraphView, moment: Moment, deadline: Deadline) -> Scope:
        late = deadline.at - _TO_SAY * deadline.remaining_s
        return Scope(
            view=view,
            schema=self._schema(),
            moment=moment,
            budget=Budget(max_nodes=self._max_nodes, deadline=late, clock=time.monotonic),
            today=Moment.of(self._today()),
        )
