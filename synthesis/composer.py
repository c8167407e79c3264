"""Joins what the tiers found into one answer: composed, or written by a model from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import structlog

from synthesis.conflicts import find_conflicts, is_past_asked
from synthesis.inert import inert, quoted
from synthesis.showing import citation_detail, evidence_text
from trivium.domain.answer import Answer, AnswerStatus, Citation, Degraded
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DeadlineError, DependencyError, ModelOutputError
from trivium.domain.evidence import Evidence, Passage, Reason, TierResult, TierStatus
from trivium.domain.prompting import added
from trivium.domain.question import TierName, Understood
from trivium.domain.result import Prose, Result
from trivium.domain.route import RouteDecision

_ORDER: Final = (TierName.CAG, TierName.GRAPH, TierName.RAG)
"""Facts first, then relations as computed, then documents in their own words."""
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
_MISSED: Final = {
    TierName.CAG: "The facts hold no answer to this part.",
    TierName.GRAPH: "The graph holds no answer to this part.",
    TierName.RAG: "The documents hold no answer to this part.",
}

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
        """The markers that the text has."""
        ...

    @property
    def usage(self) -> Mapping[str, object]:
        """Tokens used."""
        ...


class Writer(Protocol):
    """Writes an answer from evidence alone."""

    async def write(
        self, question: str, evidence: Sequence[tuple[int, str]], deadline: Deadline
    ) -> Written:
        """Return a text in which every citation and number is in the evidence.

        Raises:
            DependencyError: the model did not answer.
            DeadlineError: it did not in time.
            ModelOutputError: what it wrote cannot be used.
        """
        ...


@dataclass(slots=True)
class _Sheet:
    """The answer being written: sentences with markers, and what the markers point to."""

    lines: list[str] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    sources: list[tuple[int, str]] = field(default_factory=list)
    """Each marker with the evidence as text, for a model."""
    doubts: list[str] = field(default_factory=list)
    """How the question was read, where that may not be what was meant; no model leaves it out."""

    def cite(self, tier: TierName, evidence: Evidence) -> str:
        """Return the marker of a piece of evidence, a new one where it has none yet."""
        detail = citation_detail(evidence)
        for known in self.citations:
            if known.tier is tier and known.detail == detail:
                return f"[{known.marker}]"
        marker = len(self.citations) + 1
        self.citations.append(Citation(marker=marker, tier=tier, detail=detail))
        return f"[{marker}]"


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
        answered = [results[t] for t in _ORDER if t in results and _has_answer(results[t])]
        if not answered:
            return self._abstain(decision, results)
        sheet = _write_sheet(question, decision, results)
        text = "\n\n".join([*sheet.lines, *sheet.doubts])
        answer = _answer(self._new_id(), text, decision, results)
        answer = replace(answer, citations=tuple(sheet.citations))
        if self._writer is None:
            return answer
        return await self._written(self._writer, question, answer, sheet, deadline)

    async def _written(
        self,
        writer: Writer,
        question: Understood,
        answer: Answer,
        sheet: _Sheet,
        deadline: Deadline,
    ) -> Answer:
        """Let a model write from the sheet; when it fails, the composed answer stands, marked."""
        try:
            by = deadline.sooner(min(_TO_GIVE_S, deadline.remaining_s / 4))
            written = await writer.write(question.question.text, sheet.sources, by)
        except (DependencyError, DeadlineError, ModelOutputError) as error:
            _log.warning("model_not_used", error=type(error).__name__)
            note = Degraded(tier="llm", reason=f"llm_error: {error}")
            return replace(answer, degraded=(*answer.degraded, note))
        cited = tuple(c for c in answer.citations if c.marker in written.used)
        usage = added([answer.usage, written.usage])
        text = "\n\n".join([inert(written.text), *sheet.doubts])
        return replace(answer, text=text, citations=cited, usage=usage)

    def _abstain(self, decision: RouteDecision, results: Mapping[TierName, TierResult]) -> Answer:
        missed = [r for r in results.values() if r.status is TierStatus.MISS]
        down = [r for r in results.values() if r.status is TierStatus.UNAVAILABLE]
        reasons = [r.reason for r in missed if r.reason]
        reason = next((r for r in _REASONS if r in reasons), Reason.NO_EVIDENCE)
        if not results:
            reason = Reason.OUT_OF_SCOPE
        telling = next((r for r in missed if r.reason is reason), None)
        lines = [_OUT_OF_SCOPE] if not results else [_abstention(reason, telling)]
        lines += [f"{_label(r.tier)} could not be asked: {r.why}" for r in down]
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


def _has_answer(result: TierResult) -> bool:
    return result.status in {TierStatus.HIT, TierStatus.PARTIAL}


def _abstention(reason: Reason, telling: TierResult | None) -> str:
    why = (telling.why if telling else None) or "Nothing was found that answers this."
    if reason is Reason.AMBIGUOUS and telling and telling.candidates:
        listed = "\n".join(f"- {c.name} ({c.id}, {c.type})" for c in telling.candidates)
        return f"Which one is meant?\n{listed}"
    return why


def _label(tier: TierName) -> str:
    return {"cag": "The facts", "rag": "The documents", "graph": "The graph"}[tier.value]


def _degraded(results: Mapping[TierName, TierResult]) -> tuple[Degraded, ...]:
    down = (r for r in results.values() if r.status is TierStatus.UNAVAILABLE or r.degraded)
    return tuple(
        Degraded(tier=r.tier.value, reason=r.degraded or r.why or "unavailable") for r in down
    )


def _write_sheet(
    question: Understood, decision: RouteDecision, results: Mapping[TierName, TierResult]
) -> _Sheet:
    """Write every statement with the markers of what it rests on, tier by tier."""
    sheet = _Sheet()
    missing = []
    for tier in results if decision.is_in_turn else _ORDER:
        result = results.get(tier)
        if result is None:
            continue
        if _has_answer(result):
            _write_tier(sheet, question, result)
        elif tier in decision.tiers:
            missing.append(_missed(result))
    down = [r for r in results.values() if r.status is TierStatus.UNAVAILABLE]
    sheet.lines += map(quoted, map(_missed, down) if _fell_through(decision, results) else missing)
    conflicts = find_conflicts(results)
    if conflicts and not is_past_asked(question):
        sheet.lines.append("An older source differs from this; what holds now is given.")
    return sheet


def _fell_through(decision: RouteDecision, results: Mapping[TierName, TierResult]) -> bool:
    """Whether a tier that was not routed to answered in the place of those that were."""
    return any(t not in decision.tiers and _has_answer(r) for t, r in results.items())


def _missed(result: TierResult) -> str:
    if result.status is TierStatus.UNAVAILABLE:
        return f"{_label(result.tier)} could not be asked: {result.why}"
    return f"{_MISSED[result.tier]} {result.why or ''}".rstrip()


def _write_tier(sheet: _Sheet, question: Understood, result: TierResult) -> None:
    hidden = set() if is_past_asked(question) else _stale(result)
    lines = []
    for statement in result.statements:
        if statement.evidence and set(statement.evidence) <= hidden:
            continue
        kept = [i for i in statement.evidence if i not in hidden]
        markers = "".join(sheet.cite(result.tier, result.evidence[i]) for i in kept)
        lines.append(_marked(quoted(statement.text), markers))
        for i in kept:
            marker = int(sheet.cite(result.tier, result.evidence[i])[1:-1])
            said = f"{statement.text}\n{evidence_text(result.evidence[i])}"
            sheet.sources.append((marker, said))
    if result.why and result.status is TierStatus.PARTIAL:
        lines.append(quoted(result.why))
    if result.read_as:
        sheet.doubts.append(f"I read this as: {quoted(result.read_as)}.")
    joint = "\n" if any("\n" in line for line in lines) else " "
    if lines:
        sheet.lines.append(joint.join(lines))


def _marked(text: str, markers: str) -> str:
    """Put markers behind a sentence, or behind the last line of a list.

    >>> _marked("It is 25.", "[1]")
    'It is 25. [1]'
    """
    return f"{text} {markers}" if markers else text


def _stale(result: TierResult) -> set[int]:
    """Return the indexes of passages that a document at hand has superseded."""
    current = {
        e.document for e in result.evidence if isinstance(e, Passage) and not e.is_superseded
    }
    return {
        i
        for i, e in enumerate(result.evidence)
        if isinstance(e, Passage) and e.is_superseded and current
    }


def _answer(
    answer_id: str,
    text: str,
    decision: RouteDecision,
    results: Mapping[TierName, TierResult],
) -> Answer:
    found: dict[TierName, Result] = {
        tier: r.result for tier, r in results.items() if r.result is not None and _has_answer(r)
    }
    main = found.get(TierName.GRAPH) or found.get(TierName.CAG) or Prose()
    others = [r for tier, r in found.items() if r is not main]
    also = [a for r in results.values() if _has_answer(r) for a in r.also]
    asked = [results[t].status for t in decision.tiers if t in results]
    is_short = any(status is not TierStatus.HIT for status in asked)
    is_down = TierStatus.UNAVAILABLE in asked
    is_partial = is_down or (is_short and not _fell_through(decision, results))
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
