"""Composing an answer without a model: every statement, with the markers of what it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from synthesis.conflicts import find_conflicts, is_past_asked
from synthesis.inert import quoted
from synthesis.showing import citation_detail, evidence_text
from trivium.domain.answer import Citation
from trivium.domain.evidence import Evidence, FactSheet, Passage, TierResult, TierStatus
from trivium.domain.question import TierName, Understood
from trivium.domain.route import RouteDecision

ORDER: Final = (TierName.CAG, TierName.GRAPH, TierName.RAG)
"""Facts first, then relations as computed, then documents in their own words."""
_MISSED: Final = {
    TierName.CAG: "The facts hold no answer to this part.",
    TierName.GRAPH: "The graph holds no answer to this part.",
    TierName.RAG: "The documents hold no answer to this part.",
}


@dataclass(slots=True)
class Composed:
    """The answer being written: sentences with markers, and what the markers point to."""

    lines: list[str] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    sources: list[tuple[int, str]] = field(default_factory=list)
    """Each marker with the evidence as text, for a model."""
    doubts: list[str] = field(default_factory=list)
    """How the question was read, where that may not be what was meant; no model leaves it out."""
    sheets: tuple[FactSheet, ...] = ()
    """All that is known of the entities that facts answer about, for a model too."""

    def cite(self, tier: TierName, evidence: Evidence) -> str:
        """Return the marker of a piece of evidence, a new one where it has none yet."""
        detail = citation_detail(evidence)
        for known in self.citations:
            if known.tier is tier and known.detail == detail:
                return f"[{known.marker}]"
        marker = len(self.citations) + 1
        self.citations.append(Citation(marker=marker, tier=tier, detail=detail))
        return f"[{marker}]"


def composed(
    question: Understood, decision: RouteDecision, results: Mapping[TierName, TierResult]
) -> Composed:
    """Write every statement with the markers of what it rests on, tier by tier."""
    told = Composed()
    missing = []
    for tier in results if decision.is_in_turn else ORDER:
        result = results.get(tier)
        if result is None:
            continue
        if result.has_answer:
            _write_tier(told, question, result)
        elif tier in decision.tiers:
            missing.append(_missed(result))
    down = [r for r in results.values() if r.status is TierStatus.UNAVAILABLE]
    told.lines += map(quoted, map(_missed, down) if fell_through(decision, results) else missing)
    conflicts = find_conflicts(results)
    if conflicts and not is_past_asked(question):
        told.lines.append("An older source differs from this; what holds now is given.")
    return told


def fell_through(decision: RouteDecision, results: Mapping[TierName, TierResult]) -> bool:
    """Whether a tier that was not routed to answered in the place of those that were."""
    return any(t not in decision.tiers and r.has_answer for t, r in results.items())


def _missed(result: TierResult) -> str:
    if result.status is TierStatus.UNAVAILABLE:
        return f"{label(result.tier)} could not be asked: {result.why}"
    return f"{_MISSED[result.tier]} {result.why or ''}".rstrip()


def _write_tier(told: Composed, question: Understood, result: TierResult) -> None:
    told.sheets += result.sheets
    hidden = set() if is_past_asked(question) else _stale(result)
    lines = []
    for statement in result.statements:
        if statement.evidence and set(statement.evidence) <= hidden:
            continue
        kept = [i for i in statement.evidence if i not in hidden]
        markers = "".join(told.cite(result.tier, result.evidence[i]) for i in kept)
        lines.append(_marked(quoted(statement.text), markers))
        for i in kept:
            marker = int(told.cite(result.tier, result.evidence[i])[1:-1])
            said = f"{statement.text}\n{evidence_text(result.evidence[i])}"
            told.sources.append((marker, said))
    if result.why and result.status is TierStatus.PARTIAL:
        lines.append(quoted(result.why))
    if result.read_as:
        told.doubts.append(f"I read this as: {quoted(result.read_as)}.")
    joint = "\n" if any("\n" in line for line in lines) else " "
    if lines:
        told.lines.append(joint.join(lines))


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


def label(tier: TierName) -> str:
    """Return what a tier is called in an answer."""
    return {"cag": "The facts", "rag": "The documents", "graph": "The graph"}[tier.value]
