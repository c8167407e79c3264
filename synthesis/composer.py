"""Joins what the tiers found into one answer: composed, or written by a model from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

import structlog

from synthesis.citing import renumbered
from synthesis.composing import ORDER, Composed, composed, fell_through, label
from synthesis.conflicts import find_conflicts
from synthesis.fact_sheets import Prefix
from synthesis.inert import inert, quoted
from trivium.domain.answer import Answer, AnswerStatus, Degraded
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DeadlineError, DependencyError, ModelOutputError
from trivium.domain.evidence import Reason, TierResult, TierStatus, freshness_of
from trivium.domain.prompting import added
from trivium.domain.question import TierName, Understood
from trivium.domain.result import Prose, Result
from trivium.domain.route import RouteDecision

_REASONS: Final = (
    Reason.AMBIGUOUS,
    Reason.UNKNOWN_ENTITY,
    Reason.NOT_IN_SCHEMA,
    Reason.NO_EVIDENCE,
    Reason.OUT_OF_SCOPE,
)
"""Which reason is told when tiers abstain for several: the one that helps most."""
_OUT_OF_SCOPE: Final = (
    "I answer questions about what this installation knows: its facts, its documents and the "
    "relations between its entities. This does not seem to be one."
)

_TO_GIVE_S: Final = 0.1
"""What is kept of the time given, to give the composed answer in when the model fails."""

_log = structlog.get_logger(__name__)


class Written(Protocol):
    """What a writer gives."""

    @property
    def text(self) -> str:
        """The answer, with ``[n]`` markers."""
        ...

    @property
    def used(self) -> tuple[int, ...]:
        """The markers that the text has, in the order in which they come first."""
        ...

    @property
    def usage(self) -> Mapping[str, object]:
        """Tokens used."""
        ...


class Writer(Protocol):
    """Writes an answer from evidence alone."""

    async def write(
        self,
        question: str,
        evidence: Sequence[tuple[int, str]],
        deadline: Deadline,
        prefix: Prefix,
    ) -> Written:
        """Return a text in which every citation and number is in the evidence or the sheets.

        Raises:
            DependencyError: the model did not answer.
            DeadlineError: it did not in time.
            ModelOutputError: what it wrote cannot be used.
        """
        ...


class Composer:
    """Implements ``Synthesizer``."""

    def __init__(self, new_id: Callable[[], str], writer: Writer | None = None) -> None:
        self._new_id = new_id
        self._writer = writer

    async def compose(
        self,
        question: Understood,
        decision: RouteDecision,
        results: Mapping[TierName, TierResult],
        deadline: Deadline,
    ) -> Answer:
        """Return the answer; see ``Synthesizer``."""
        answered = [results[t] for t in ORDER if t in results and results[t].has_answer]
        if not answered:
            return self._abstain(decision, results)
        told = composed(question, decision, results)
        text = "\n\n".join([*told.lines, *told.doubts])
        answer = _answer(self._new_id(), text, decision, results)
        answer = replace(answer, citations=tuple(told.citations))
        if self._writer is None:
            return answer
        return await self._written(self._writer, question, answer, told, deadline)

    async def _written(
        self,
        writer: Writer,
        question: Understood,
        answer: Answer,
        told: Composed,
        deadline: Deadline,
    ) -> Answer:
        """Let a model write from the evidence; if it fails, the composed answer stands, marked."""
        prefix = Prefix.of(told.sheets)
        markers = prefix.markers_of(answer.citations)
        evidence = [(markers[marker], text) for marker, text in told.sources]
        try:
            by = deadline.sooner(min(_TO_GIVE_S, deadline.remaining_s / 4))
            written = await writer.write(question.question.text, evidence, by, prefix)
        except (DependencyError, DeadlineError, ModelOutputError) as error:
            _log.warning("model_not_used", error=type(error).__name__)
            note = Degraded(tier="llm", reason=f"llm_error: {error}")
            return replace(answer, degraded=(*answer.degraded, note))
        facts = prefix.facts
        citable = {**prefix.citations, **{markers[c.marker]: c for c in answer.citations}}
        cited = [replace(citable[marker], marker=n) for n, marker in enumerate(written.used, 1)]
        fresh = freshness_of(facts[marker] for marker in written.used if marker in facts)
        text = inert(renumbered(written.text, written.used))
        return replace(
            answer,
            text="\n\n".join([text, *told.doubts]),
            citations=tuple(cited),
            freshness=tuple(dict.fromkeys((*answer.freshness, *fresh))),
            usage=added([answer.usage, written.usage]),
        )

    def _abstain(self, decision: RouteDecision, results: Mapping[TierName, TierResult]) -> Answer:
        missed = [r for r in results.values() if r.status is TierStatus.MISS]
        down = [r for r in results.values() if r.status is TierStatus.UNAVAILABLE]
        reasons = [r.reason for r in missed if r.reason]
        reason = next((r for r in _REASONS if r in reasons), Reason.NO_EVIDENCE)
        if not results:
            reason = Reason.OUT_OF_SCOPE
        telling = next((r for r in missed if r.reason is reason), None)
        lines = [_OUT_OF_SCOPE] if not results else [_abstention(reason, telling)]
        lines += [f"{label(r.tier)} could not be asked: {r.why}" for r in down]
        return Answer(
            id=self._new_id(),
            status=AnswerStatus.ABSTAINED,
            text=quoted("\n\n".join(lines)),
            route=decision,
            result=Prose(),
            reason=reason,
            candidates=telling.candidates if telling else (),
            evidence={r.tier.value: r.trace for r in results.values() if r.trace},
            degraded=_degraded(results),
        )


def _abstention(reason: Reason, telling: TierResult | None) -> str:
    why = (telling.why if telling else None) or "Nothing was found that answers this."
    if reason is Reason.AMBIGUOUS and telling and telling.candidates:
        listed = "\n".join(f"- {c.name} ({c.id}, {c.type})" for c in telling.candidates)
        return f"Which one is meant?\n{listed}"
    return why


def _degraded(results: Mapping[TierName, TierResult]) -> tuple[Degraded, ...]:
    down = (r for r in results.values() if r.status is TierStatus.UNAVAILABLE or r.degraded)
    return tuple(
        Degraded(tier=r.tier.value, reason=r.degraded or r.why or "unavailable") for r in down
    )


def _answer(
    answer_id: str,
    text: str,
    decision: RouteDecision,
    results: Mapping[TierName, TierResult],
) -> Answer:
    found: dict[TierName, Result] = {
        tier: r.result for tier, r in results.items() if r.result is not None and r.has_answer
    }
    main = found.get(TierName.GRAPH) or found.get(TierName.CAG) or Prose()
    others = [r for tier, r in found.items() if r is not main]
    also = [a for r in results.values() if r.has_answer for a in r.also]
    asked = [results[t].status for t in decision.tiers if t in results]
    is_short = any(status is not TierStatus.HIT for status in asked)
    is_down = TierStatus.UNAVAILABLE in asked
    is_partial = is_down or (is_short and not fell_through(decision, results))
    return Answer(
        id=answer_id,
        status=AnswerStatus.PARTIAL if is_partial else AnswerStatus.ANSWERED,
        text=text,
        route=decision,
        result=main,
        also=(*also, *others),
        results=found,
        evidence={t.value: r.trace for t, r in results.items() if r.trace},
        conflicts=find_conflicts(results),
        usage=added([r.usage for r in results.values()]),
        freshness=tuple(dict.fromkeys(f for r in results.values() for f in r.freshness)),
        degraded=_degraded(results),
    )
