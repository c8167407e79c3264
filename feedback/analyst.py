"""The analyst: finds out what went wrong with answers that were rated down, one at a time.

It works off the requests' path. What it has to do stands in the queue, so that a crash loses
nothing: reports that are not analysed are taken up at the next start.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

import structlog

from feedback.diagnosis import SURE, Case, Diagnosis, Kind, Strength, diagnose
from feedback.misroutes import Misroutes
from feedback.reports import Analysis, Json, Report
from router.model import tier_set
from trivium.domain.answer import Answer, AnswerStatus
from trivium.domain.deadline import Deadline
from trivium.domain.door import body
from trivium.domain.errors import DependencyError, TriviumError
from trivium.domain.ports import Encoder
from trivium.domain.question import Question, TierName, Turn, Vector

_BATCH: Final = 20
_TIER_S: Final = 5.0
"""For one tier to say what it knows."""
_ENCODE_S: Final = 5.0
_EVERY_S: Final = 60.0
"""How often it looks for what other processes, or failures, left."""
_TRACE_S: Final = 60.0
"""How long the trace of an answer may come after its rating; then it is lost."""
_LONGEST_TEXT: Final = 1_000
_LONGEST_RESULT: Final = 2_000
"""Characters of JSON."""
_ANSWERED: Final = {AnswerStatus.ANSWERED, AnswerStatus.PARTIAL}

_log = structlog.get_logger(__name__)


class Asker(Protocol):
    """Answers a question from the tiers that it names, and keeps nothing of it."""

    async def ask(self, question: Question, deadline: Deadline) -> Answer:
        """Return the answer.

        Raises:
            DependencyError: no tier that was named can be asked now.
        """
        ...


class Traces(Protocol):
    """Where answers are kept; see ``SqlAnswerJournal``."""

    async def get(self, answer_id: str, tenant: str) -> dict[str, Any] | None:
        """Return what is kept of an answer, or nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyst:
    """Analyses what the queue holds; ``wake`` tells it of something new."""

    queue: Misroutes
    traces: Traces
    asker: Asker
    encoder: Encoder
    now: Callable[[], datetime]
    """Gives the time, with its zone."""
    _has_work: asyncio.Event = field(default_factory=asyncio.Event)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    def wake(self) -> None:
        """Have it look at the queue; it returns at once."""
        self._has_work.set()

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Analyse in the background until the end of the block; what is left waits in the queue."""
        task = asyncio.create_task(self._run(), name="misroute analyst")
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def work(self) -> int:
        """Analyse what is pending, oldest first; return how many reports that were.

        Raises:
            DependencyError: the database did not answer; the rest stays pending.
        """
        async with self._one_at_a_time:
            return await self._work()

    async def _work(self) -> int:
        n_done, last = 0, 0
        while pending := await self.queue.pending(_BATCH, after=last):
            for report, is_misread in pending:
                last = report.number
                try:
                    n_done += await self._analyse(report, is_misread=is_misread)
                except DependencyError:
                    raise
                except Exception:  # noqa: BLE001  # one that cannot be analysed must not hold up the rest
                    _log.exception("misroute_analysis_crashed", id=report.id)
        return n_done

    async def _run(self) -> None:
        while True:
            self._has_work.clear()
            try:
                await self.work()
            except DependencyError as error:
                _log.warning("misroutes_not_analysed", error=str(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(_EVERY_S):
                    await self._has_work.wait()

    async def _analyse(self, report: Report, *, is_misread: bool) -> bool:
        """Find out about one report and keep it; return whether that was done."""
        rating = report.rating
        trace = await self.traces.get(rating.answer_id, rating.tenant)
        if trace is None:
            opened = datetime.fromisoformat(report.reported_at)
            if self.now() < opened + timedelta(seconds=_TRACE_S):
                return False
            await self.queue.keep(report, self._lost(), ())
            return True
        vector = await self._encoded(trace["question"])
        alone = await self._alone(_question_of(trace))
        diagnosis = diagnose(_case(report, trace, alone, is_misread=is_misread))
        similar = await self.queue.similar(report, vector)
        analysis = _analysis(trace, alone, diagnosis, similar, self.now().isoformat())
        await self.queue.keep(report, analysis, vector)
        return True

    async def _alone(self, question: Question) -> dict[TierName, Json]:
        """Ask each tier alone, in order; one that fails or is late is unavailable."""
        found: dict[TierName, Json] = {}
        for tier in TierName:
            try:
                async with asyncio.timeout(_TIER_S):
                    asked = replace(question, tiers=(tier,))
                    answer = await self.asker.ask(asked, Deadline.after(_TIER_S))
                told = body(answer)
                found[tier] = {**_short(told), "support": _strength(tier, told)}
            except (TriviumError, TimeoutError) as error:
                why = str(error) or f"it did not answer within {_TIER_S:g} s"
                found[tier] = {"status": "unavailable", "reason": why}
        return found

    async def _encoded(self, text: str) -> Vector:
        """Return the embedding of a text; none where the encoder does not answer."""
        try:
            async with asyncio.timeout(_ENCODE_S):
                (vector,) = await self.encoder.encode([text])
                return vector
        except (TriviumError, TimeoutError):
            return ()

    def _lost(self) -> Analysis:
        return Analysis(
            question=None,
            given={},
            route={},
            alone={},
            kind=Kind.UNKNOWN,
            proposed=None,
            why=("the trace of the answer was lost, as in a crash",),
            at=self.now().isoformat(),
        )


def _question_of(trace: Json) -> Question:
    return Question(
        text=trace["question"],
        history=tuple(Turn(**turn) for turn in trace["history"]),
        as_of=trace["as_of"],
        tenant=trace["tenant"],
        principal=trace["principal"],
    )


def _case(report: Report, trace: Json, alone: Mapping[TierName, Json], *, is_misread: bool) -> Case:
    given = trace["response"]
    believed = given["route"]["probabilities"]
    return Case(
        route=tier_set(given["route"]["tiers"]),
        probabilities={TierName(tier): p for tier, p in believed.items()},
        strengths={t: Strength(said["support"]) for t, said in alone.items() if "support" in said},
        status=AnswerStatus(given["status"]),
        abstained=given["reason"],
        is_degraded=bool(given["degraded"]),
        is_misread=is_misread,
        reason=report.rating.reason,
        tiers=report.rating.tiers,
    )


def _analysis(
    trace: Json,
    alone: Mapping[TierName, Json],
    diagnosis: Diagnosis,
    similar: tuple[Json, ...],
    at: str,
) -> Analysis:
    question, given = _question_of(trace), trace["response"]
    return Analysis(
        question=question.text,
        history=question.history,
        as_of=question.as_of,
        given=_short(given),
        route=given["route"],
        alone={tier.value: said for tier, said in alone.items()},
        kind=diagnosis.kind,
        proposed=diagnosis.proposed,
        why=diagnosis.why,
        similar=similar,
        at=at,
    )


def _short(told: Json) -> dict[str, object]:
    """Return what is kept of an answer in the door's form."""
    result = told["result"]
    is_long = len(json.dumps(result)) > _LONGEST_RESULT
    return {
        "status": told["status"],
        "reason": told["reason"],
        "answer": told["answer"][:_LONGEST_TEXT],
        "result": {"kind": result["kind"], "is_cut": True} if is_long else result,
    }


def _strength(tier: TierName, told: Json) -> Strength:
    """Say how surely a tier that was asked alone answered."""
    if told["status"] not in _ANSWERED:
        return Strength.NONE
    if tier not in SURE:
        return Strength.STRONG
    seen = told["evidence"].get(tier, {})
    if tier is TierName.RAG:
        sure = max((p["similarity"] for p in seen.get("passages", ())[:1]), default=0.0)
    else:
        sure = seen.get("confidence") or 0.0
    return Strength.STRONG if sure >= SURE[tier] else Strength.WEAK
