"""One service: everything that the doors need, and how it answers in time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias, TypeVar

from feedback.analyst import Analyst
from feedback.answer_ids import AnswerIds
from feedback.journal import SqlAnswerJournal
from feedback.misroutes import Misroutes
from feedback.ratings import Ratings
from tiers.cag.memory import VerifiedMemory
from tiers.cag.store import RedisStore
from tiers.cag.turns import Turns
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.tier import GraphTier
from trivium.app.auditing import MemoryAudit
from trivium.app.flights import Flights
from trivium.app.health import HealthWatch
from trivium.app.home import Home
from trivium.app.keys import Keyring
from trivium.app.observing import Metrics
from trivium.app.places import Places
from trivium.app.retraining import Retraining
from trivium.app.settings import Settings
from trivium.app.tracing import Tracing
from trivium.domain.answer import Answer, Remembered
from trivium.domain.deadline import Deadline
from trivium.domain.door import kept_of, told
from trivium.domain.errors import DeadlineError, InputError
from trivium.domain.question import HOME_TENANT, MemoryUse, Question
from trivium.domain.time import Moment
from trivium.gateway.limits import Guard
from trivium.knowledge.service import Knowledge
from trivium.language.reading import Lexicon
from trivium.pipeline import Decided, Pipeline, unheard

_T = TypeVar("_T")
Operate: TypeAlias = Callable[[Plan, Moment | None, Deadline], Awaitable[dict[str, object]]]

Given: TypeAlias = Answer | Remembered
Shared: TypeAlias = tuple[Given, bool]
"""An answer, and whether it was made for the one who has it."""
Watched: TypeAlias = Callable[[Awaitable[Shared]], Awaitable[Shared]]

_GRACE_S: Final = 0.05
"""What a request may take past its deadline to say that it is past."""

_WAIT_SHARE: Final = 0.5
"""Of its time, what a question waits at most for another process that answers it."""


async def _simply(work: Awaitable[Shared]) -> Shared:
    return await work


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Everything that the doors need."""

    settings: Settings
    pipeline: Pipeline
    apart: Pipeline
    """What answers tenants that have no knowledge in this home."""
    operate: Operate
    """Runs a plan over the graph that a program made."""
    knowledge: Knowledge
    graph: GraphTier
    """What shows the graph as a whole."""
    answers: SqlAnswerJournal
    ratings: Ratings
    misroutes: Misroutes
    analyst: Analyst
    ids: AnswerIds
    lexicon: Lexicon
    retraining: Retraining
    memory: VerifiedMemory
    redis: RedisStore
    home: Home
    now: Callable[[], datetime]
    places: Places
    guards: tuple[Guard, ...] = ()
    health: HealthWatch
    keys: Keyring = field(default_factory=Keyring)
    metrics: Metrics = field(default_factory=Metrics)
    tracing: Tracing = field(default_factory=Tracing)
    flights: Flights[Answer | Remembered] = field(default_factory=Flights)
    """Questions that are being answered, for those who ask the same meanwhile."""
    audit: MemoryAudit | None = None
    """Looks after some of what memory gives."""
    turns: Turns | None = None
    """Who answers among the processes on one Redis, where there may be several."""

    async def ask(
        self,
        question: Question,
        seconds: float | None = None,
        decided: Decided = unheard,
        watched: Watched = _simply,
        *,
        is_held: bool = False,
    ) -> Answer | Remembered:
        """Return the answer to a question, new or remembered, within ``seconds``.

        ``decided`` is told the route of a new answer as soon as it is known. ``watched`` waits for
        what takes long, and may give it up. The time of a question that is held, as a stream is,
        and says no time, begins when it is its turn.

        Raises:
            InputError: ``seconds`` is more than the settings allow.
            DeadlineError: there was no answer in time.
            DependencyError: nothing that could answer can be asked now.
        """
        longest = self.settings.max_deadline_s
        if seconds is not None and seconds > longest:
            told = f"at most {longest:g} s can be waited for"
            raise InputError(f"deadline_s: {told}", [("deadline_s", told)])
        work_s = seconds or self.settings.deadline_s
        patience_s = longest if is_held and seconds is None else work_s
        answer = self._answer(question, work_s, Deadline.after(patience_s), decided, watched)
        return await self.in_time(answer, patience_s)

    def pipeline_of(self, tenant: str) -> Pipeline:
        """Return what answers a tenant."""
        return self.pipeline if tenant == HOME_TENANT else self.apart

    async def _answer(
        self,
        question: Question,
        work_s: float,
        patience: Deadline,
        decided: Decided,
        watched: Watched,
    ) -> Answer | Remembered:
        pipeline, n_ended = self.pipeline_of(question.tenant), self.flights.n_ended
        key = question, pipeline.version()
        again, is_own = await self.flights.look(key, lambda: pipeline.recall(question))
        if isinstance(again, Remembered):
            again = again if is_own else pipeline.repeated(question, again.kept)
            self._note_hit(question, again)
            return again

        async def new() -> Given:
            async with self.places.mine(patience):
                found = None
                deadline = Deadline.after(min(work_s, patience.remaining_s))
                if self.flights.n_ended != n_ended:  # maybe it was this that was answered
                    found = await pipeline.recall(question)
                if found is not None:
                    return found
                work = self._in_turn(pipeline, question, deadline, decided)
                return await self.in_time(work, work_s)

        answer, is_own = await watched(self._shared(pipeline, question, new))
        if not is_own:
            if isinstance(answer, Remembered):
                answer = pipeline.repeated(question, answer.kept, answer.alike)
            else:
                answer = pipeline.repeated(question, kept_of(answer))
        if isinstance(answer, Remembered):
            self._note_hit(question, answer)
        else:
            self.metrics.count(answer)
        return answer

    def _note_hit(self, question: Question, answer: Remembered) -> None:
        self.metrics.remembered.inc()
        if self.audit is not None:
            self.audit.saw(question, answer)

    async def _shared(
        self, pipeline: Pipeline, question: Question, new: Callable[[], Awaitable[Given]]
    ) -> Shared:
        """Return one answer for all who ask the same now."""
        if question.memory is MemoryUse.OFF or self.settings.memory_ttl_s == 0:
            return await new(), True
        return await self.flights.share((question, pipeline.version()), new)

    async def _in_turn(
        self, pipeline: Pipeline, question: Question, deadline: Deadline, decided: Decided
    ) -> Answer | Remembered:
        """Return a new answer, or what another process makes of the question meanwhile."""
        if self.turns is None or question.memory is MemoryUse.OFF:
            return await pipeline.answer(question, deadline, decided)
        return await self.turns.share(
            self.memory.key(question, pipeline.version()),
            lambda: pipeline.recall(question),
            lambda: pipeline.answer(question, deadline, decided),
            wait_s=_WAIT_SHARE * deadline.remaining_s,
        )

    async def in_time(self, work: Awaitable[_T], seconds: float | None = None) -> _T:
        """Return what ``work`` returns, if it does so in time.

        Raises:
            DeadlineError: it does not.
        """
        seconds = seconds or self.settings.deadline_s
        try:
            async with asyncio.timeout(seconds + _GRACE_S):
                return await work
        except TimeoutError as error:
            raise DeadlineError(f"There was no answer within {seconds:g} s.") from error


def rendered(answer: Answer | Remembered) -> bytes:
    """Return the response that an answer is, as JSON."""
    if isinstance(answer, Remembered):
        return answer.body
    return told(answer)
