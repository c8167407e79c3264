"""The way of one question: recall, understand, route, retrieve, synthesise, remember, record."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import structlog
from opentelemetry.trace import Tracer

from trivium.chaining import Chain
from trivium.domain.answer import (
    Alike,
    Answer,
    Degraded,
    Known,
    Remembered,
    is_whole,
    rests_on,
)
from trivium.domain.deadline import Deadline
from trivium.domain.door import again, kept_of
from trivium.domain.errors import DeadlineError, DependencyError, NotAskedError
from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.ports import (
    AnswerJournal,
    AnswerMemory,
    Reader,
    Router,
    Synthesizer,
    Tier,
    Watcher,
)
from trivium.domain.question import MemoryUse, Question, TierName, Understood
from trivium.domain.route import Decider, RouteDecision
from trivium.stages import Clock, Unwatched, span_of
from trivium.widening import Whole, widened

_FIRST_SHARE: Final = 0.6
"""Of the time that is left after reading, for the tiers that were chosen."""
_RETRIEVE_SHARE: Final = 0.75
"""The same with those asked in their place; the rest is kept for synthesis."""
_OUTCOMES: Final = {
    TierStatus.HIT: "ok",
    TierStatus.PARTIAL: "ok",
    TierStatus.MISS: "miss",
    TierStatus.UNAVAILABLE: "failed",
}
"""How what a tier says is counted."""
_ASKED_TOO: Final = {
    TierName.CAG: "the facts were",
    TierName.RAG: "the documents were",
    TierName.GRAPH: "the graph was",
}

Decided: TypeAlias = Callable[[RouteDecision], None]
"""Hears where a question goes, as soon as that is decided."""

_log = structlog.get_logger(__name__)


def unheard(decision: RouteDecision) -> None:
    """Let a decision pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Answers questions. Every stage is a port, so that any can be replaced."""

    reader: Reader
    router: Router
    tiers: Mapping[TierName, Tier]
    synthesizer: Synthesizer
    memory: AnswerMemory
    journal: AnswerJournal
    version: Callable[[], int]
    """Gives the knowledge version."""
    new_id: Callable[[], str]
    watcher: Watcher = field(default_factory=Unwatched)
    tracer: Tracer | None = None
    """Makes the spans of stages and tiers; none where traces are off."""

    async def recall(self, question: Question) -> Remembered | None:
        """Return the answer remembered for exactly this question, under an id of its own.

        A memory that does not answer remembers nothing; it takes well under a second to say so.
        """
        if question.memory is MemoryUse.OFF:
            return None
        with Clock(self.watcher, self.tracer).stage("recall"):
            kept = await self.memory.recall(question, self.version())
        return None if kept is None else self.repeated(question, kept)

    def repeated(self, question: Question, kept: bytes, alike: Alike | None = None) -> Remembered:
        """Return an answer once more, under an id of its own; see ``trivium.domain.door.again``."""
        answer_id = self.new_id()
        repeated = Remembered(answer_id, again(answer_id, kept, alike), kept, alike)
        self.journal.record(question, repeated)
        return repeated

    async def answer(
        self, question: Question, deadline: Deadline, decided: Decided = unheard
    ) -> Answer | Remembered:
        """Return the answer remembered for other words that ask the same, else a new one.

        Raises:
            DependencyError: nothing that could answer it can be asked now.
        """
        clock, version = Clock(self.watcher, self.tracer), self.version()
        understood = await self._understood(question, deadline, clock)
        if question.memory is MemoryUse.ALIKE:
            with clock.stage("recall"):
                alike = await self.memory.recall_alike(understood, version)
            if alike is not None:
                return self.repeated(question, alike.body, alike)
        return await self._ask(understood, question, deadline, clock, decided)

    async def ask(
        self, question: Question, deadline: Deadline, decided: Decided = unheard
    ) -> Answer:
        """Answer ``question`` from every tier that it needs, before ``deadline``.

        An answer that saw the knowledge change is given again from what holds now, where there
        is time for that; such an answer is not remembered otherwise. ``decided`` then hears of
        both routes.

        Raises:
            DependencyError: nothing that could answer it can be asked now.
        """
        clock = Clock(self.watcher, self.tracer)
        understood = await self._understood(question, deadline, clock)
        return await self._ask(understood, question, deadline, clock, decided)

    async def _understood(self, question: Question, deadline: Deadline, clock: Clock) -> Understood:
        with clock.stage("understand"):
            return await self.reader.understand(question, deadline)

    async def _ask(
        self,
        understood: Understood,
        question: Question,
        deadline: Deadline,
        clock: Clock,
        decided: Decided,
    ) -> Answer:
        before, given_s = self.version(), deadline.remaining_s
        answer = await self._answer(understood, deadline, clock, decided)
        if self.version() != before and deadline.remaining_s > given_s / 2:
            before = self.version()
            understood = await self._understood(question, deadline, clock)
            answer = await self._answer(understood, deadline, clock, decided)
        answer = replace(answer, timings_ms=dict(clock.timings_ms))
        if self.version() == before and is_whole(answer):
            known = Known(
                question=question, understood=understood, version=before, rests_on=rests_on(answer)
            )
            with clock.stage("remember"):
                await self.memory.remember(known, kept_of(answer))
        self.journal.record(question, answer)
        return answer

    async def _answer(
        self, understood: Understood, deadline: Deadline, clock: Clock, decided: Decided
    ) -> Answer:
        with clock.stage("route"):
            decision = self.router.route(understood)
        decided(decision)
        chain = Chain(
            understand=lambda question: self._understood(question, deadline, clock),
            route=self.router.route,
            retrieve=lambda part, its: self._found(part, its, deadline),
            reader=self.reader,
        )
        with clock.stage("retrieve"):
            decision, results = await chain.asked(understood, decision)
        decision = _telling_of_others(decision, results)
        if results and all(r.status is TierStatus.UNAVAILABLE for r in results.values()):
            raise DependencyError(_nothing_can(results))
        with clock.stage("synthesise"):
            answer = await self.synthesizer.compose(understood, decision, results, deadline)
        return _without_encoding(answer, understood.unencoded) if understood.unencoded else answer

    async def _found(
        self, question: Understood, decision: RouteDecision, deadline: Deadline
    ) -> Mapping[TierName, TierResult]:
        """Ask the tiers that were chosen, and those that may know better."""
        left_s = deadline.remaining_s
        first, last = (Deadline.after(left_s * s) for s in (_FIRST_SHARE, _RETRIEVE_SHARE))
        results = await self._retrieve(question, decision, first)
        if decision.decided_by is Decider.CALLER:
            return results
        whole = Whole(
            question=question,
            decision=decision,
            tiers=self.tiers.keys(),
            ask_part=lambda tier, part: self._ask_tier(tier, self._part(question, part), last),
            read=lambda part: self._part(question, part),
        )
        return await widened(whole, results)

    async def _retrieve(
        self, question: Understood, decision: RouteDecision, budget: Deadline
    ) -> dict[TierName, TierResult]:
        """Ask the tiers side by side, each for its own part."""
        parts = {
            t: self._part(question, decision.parts.get(t, question.text)) for t in decision.tiers
        }
        async with asyncio.TaskGroup() as group:
            tasks = {
                tier: group.create_task(self._ask_tier(tier, parts[tier], budget))
                for tier in decision.tiers
            }
        return {tier: task.result() for tier, task in tasks.items()}

    def _part(self, question: Understood, part: str) -> Understood:
        """Read a part of a question, where it is not the whole.

        The vector is the whole question's, so that there is one encoder call.
        """
        if part in {question.text, question.question.text}:
            return question
        read = self.reader.read(replace(question.question, text=part))
        return replace(read, vector=question.vector, unencoded=question.unencoded)

    async def _ask_tier(
        self, name: TierName, question: Understood, deadline: Deadline
    ) -> TierResult:
        """Ask one tier; one that fails or takes too long is unavailable, and the rest goes on."""
        with span_of(self.tracer, f"tier {name.value}") as span:
            result, outcome = await self._try_tier(name, question, deadline)
            if span is not None:
                span.set_attribute("trivium.outcome", outcome)
        self.watcher.tier(name.value, outcome)
        return result

    async def _try_tier(
        self, name: TierName, question: Understood, deadline: Deadline
    ) -> tuple[TierResult, str]:
        """Return what a tier gives, and how that is counted."""
        try:
            async with asyncio.timeout(deadline.remaining_s):
                result = await self.tiers[name].retrieve(question, deadline)
        except TimeoutError:
            return _unavailable(name, "it took longer than its share of the time given"), "timeout"
        except NotAskedError as error:
            return _unavailable(name, str(error)), "refused"
        except (DependencyError, DeadlineError) as error:
            _log.info("tier_unavailable", tier=name.value, error=str(error))
            is_late = isinstance(error.__cause__, TimeoutError)
            return _unavailable(name, str(error)), "timeout" if is_late else "failed"
        return result, _OUTCOMES[result.status]


def _nothing_can(results: Mapping[TierName, TierResult]) -> str:
    told = "; ".join(f"{tier.value}: {result.why}" for tier, result in results.items())
    return f"Nothing that could answer this can be asked now ({told})."


def _telling_of_others(
    decision: RouteDecision, results: Mapping[TierName, TierResult]
) -> RouteDecision:
    """Say which tiers answered that were not chosen at first."""
    others = [
        f"{_ASKED_TOO[tier]} asked too, as what was chosen had no sure answer"
        for tier, result in results.items()
        if tier not in decision.tiers and result.has_answer
    ]
    return replace(decision, reasons=(*decision.reasons, *others)) if others else decision


def _without_encoding(answer: Answer, why: str) -> Answer:
    """Say that a question was routed by its words alone."""
    return replace(answer, degraded=(*answer.degraded, Degraded(tier="encoder", reason=why)))


def _unavailable(tier: TierName, why: str) -> TierResult:
    return TierResult(tier=tier, status=TierStatus.UNAVAILABLE, why=why)
