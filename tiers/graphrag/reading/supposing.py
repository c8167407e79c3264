"""What a question supposes of events: that they are over, open again, or of another severity."""

from dataclasses import dataclass
from typing import Final

from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Anchor, Refusal, Sketch
from trivium.domain.evidence import Reason
from trivium.language.text import fold
from trivium.language.words import general_words

_SUPPOSING: Final = frozenset(
    {"if", "suppose", "supposing", "imagine", "assume", "assuming", "say", "once", "were", "would",
     "after", "had", "should", "pretend", "when"}
)  # fmt: skip
_IF: Final = frozenset({"if", "suppose", "supposing", "imagine", "assume", "assuming"})
_ENDING: Final = frozenset(
    {"finish", "finishes", "stopped", "stops", "stop", "cleared", "clears", "settled", "settles",
     "solved", "fixed", "lifted", "went", "vanished", "disappeared", "happened", "existed", "exist",
     "closes", "close", "ends", "resolve", "resolves", "dealt", "out", "passed", "passes",
     "abated", "abates", "subsided", "contained", "repaired"}
)  # fmt: skip
"""Words after an event that say it is over, beside those of the risk vocabulary."""
_CLOSING: Final = frozenset(
    {"close", "closed", "closing", "resolve", "resolved", "resolving", "end", "ended", "ending",
     "settle", "settled", "settling", "remove", "removed", "removing", "fix", "fixed"}
)  # fmt: skip
_LEAVING: Final = frozenset(
    {"without", "minus", "excluding", "ignoring", "discounting", "disregarding", "barring",
     "except", "leaving", "counting", "setting", "out", "aside"}
)  # fmt: skip
_AGAIN: Final = frozenset({"reopened", "reopens", "reopen", "again", "returned", "returns", "back"})
_NOT_TO: Final = frozenset({"from", "of", "than", "not"})
"""Words before the severity that an event no longer has: "from high to critical"."""
_DETERMINERS: Final = frozenset({"the", "a", "an", "our", "both", "this", "that"})
_NEAR: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """What is supposed of some events."""

    events: tuple[Anchor, ...]
    severity: str | None = None
    """The severity that they would have."""
    is_over: bool = False
    """Whether they would be over; otherwise, without a severity, they would be open."""


def named_events(sketch: Sketch) -> tuple[Anchor, ...]:
    """Return the events that a question names."""
    types = sketch.schema.node_types
    return tuple(a for a in sketch.anchors if a.ids and types[a.type].is_event)


def supposed(sketch: Sketch) -> Supposed | None:
    """Return what a question supposes of the events that it names.

    Raises:
        Refusal: it supposes something that is not understood.
    """
    events = named_events(sketch)
    if not events:
        return None
    is_left_out = any(_LEAVING & set(_before(sketch, e)) for e in events)
    if is_left_out:
        return Supposed(events=events, is_over=True)
    words = set(sketch.words(0, len(sketch.tokens)))
    if not _SUPPOSING & words:
        return None
    after = _after(sketch, events[-1])
    severity = _severity(sketch, after)
    if severity is not None:
        return Supposed(events=events, severity=severity)
    if _AGAIN & set(after):
        return Supposed(events=events)
    ended = _ENDING | general_words().over_values
    is_closed = any(_CLOSING & set(_before(sketch, e)) for e in events)
    if is_closed or ended & set(after):
        return Supposed(events=events, is_over=True)
    if words & _IF:
        told = f"What is supposed of {events[0].label} is not understood."
        raise Refusal(Reason.NOT_IN_SCHEMA, told)
    return None


def _before(sketch: Sketch, event: Anchor) -> list[str]:
    """Return the words right before an event, without determiners."""
    before = sketch.words(event.span.first - _NEAR - 1, event.span.first)
    return [w for w in before if w not in _DETERMINERS][-_NEAR:]


def _after(sketch: Sketch, event: Anchor) -> list[str]:
    """Return the words after an event, to the end of its clause."""
    end = min((b for b in sketch.breaks if b > event.span.last), default=len(sketch.tokens))
    return sketch.words(event.span.last, end)


def _severity(sketch: Sketch, after: list[str]) -> str | None:
    """Return the severity that an event would have: "upgraded to critical"."""
    scale = {fold(s) for s in sketch.schema.risk.weights}
    previous = ["", *after]
    found = [w for w, p in zip(after, previous, strict=False) if w in scale and p not in _NOT_TO]
    return found[-1] if found else None


def risk_scores(draft: Draft, nodes: Ref) -> Ref:
    """Return the risk scores of ``nodes``, under what the question supposes of events."""
    told = supposed(draft.sketch)
    if told is None:
        return draft.plan.add("propagate_risk", nodes=nodes, as_of=draft.when)
    events = draft.union([draft.anchor_set(e) for e in told.events])
    if told.severity is not None:
        return draft.plan.add(
            "propagate_risk",
            nodes=nodes,
            regraded=events,
            severity=told.severity,
            as_of=draft.when,
        )
    happening = draft.plan.add("open_events", types=(), as_of=draft.when)
    how = "difference" if told.is_over else "union"
    counted = draft.plan.add("combine", how=how, sets=(happening, events))
    return draft.plan.add("propagate_risk", nodes=nodes, events=counted, as_of=draft.when)


def risk_shares(draft: Draft, nodes: Ref) -> Ref:
    """Return what of the risk scores of ``nodes`` comes from the events that are named."""
    events = draft.union([draft.anchor_set(e) for e in named_events(draft.sketch)])
    happening = draft.plan.add("open_events", types=(), as_of=draft.when)
    counted = draft.plan.add("combine", how="intersection", sets=(happening, events))
    return draft.plan.add("propagate_risk", nodes=nodes, events=counted, as_of=draft.when)
