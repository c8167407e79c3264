"""Events that are only told by the state they leave something in: "which pumps were down"."""

from collections.abc import Iterator
from typing import Final

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import gap
from tiers.graphrag.reading.tree import Branch, Variable
from trivium.domain.question import Span, TimeRelation

_STATES: Final = frozenset({"down", "impaired", "crippled", "paralysed", "paralyzed"})
"""States of what is out, beside the words of a loss and of an impact."""
_PREDICATES: Final = frozenset(
    {"out", "offline", "unavailable", "grounded", "closed", "shut", "affected", "hit", "disrupted",
     "hurt", "exposed"}
)  # fmt: skip
"""Words with which such a cue says a state, and not what somebody did."""
_WHILE: Final = frozenset(
    {"right", "now", "currently", "still", "also", "today", "then", "on", "in", "at", "the", "by",
     "actually", "again", "all", "both", "not", "been", "badly", "back"}
)  # fmt: skip
"""Words between a verb and such a state, and from a state to its time."""
_FAR: Final = 3


def imply_faults(draft: Draft, root: Variable) -> None:
    """Hang the event that a state tells of, on what is said to be in that state.

    Those open now are meant, or those that went on at the time that is named.
    """
    for span in _states(draft):
        heads = [v for v in root.walk() if v.anchor is None and v.span.last <= span.first]
        if not heads or any(_is_told(draft, v) for v in root.walk()):
            return
        head = min(heads, key=lambda v: gap(v.span, span))
        events = list(_events(draft, head.type))
        if len({path.types[-1] for path in events}) != 1:
            return
        child = Variable(type=events[0].types[-1], span=span)
        child.is_open = draft.when is None
        branch = Branch(child=child, path=events[0], span=span, others=tuple(events[1:]))
        head.branches.append(branch)
        draft.used |= {c.span for c in draft.cues("removal", "impact", "closed", "left_without")
                       if c.span.overlaps(span)}  # fmt: skip


def _is_told(draft: Draft, variable: Variable) -> bool:
    """Whether an event, or anything that may be what fails, is named."""
    is_event = draft.sketch.schema.node_types[variable.type].is_event
    return is_event or bool(variable.anchor and draft.sketch.has("hypothetical"))


def _states(draft: Draft) -> Iterator[Span]:
    """Give the words that say that something is out: after "is", with a time or nothing after."""
    sketch = draft.sketch
    if sketch.has("hypothetical", "most", "least", "risk", "score"):
        return
    cues = [c.span for c in draft.cues("removal", "impact") if _is_state(draft, c.span)]
    cues += [Span(first=i, last=i + 1) for i, t in enumerate(sketch.tokens) if t.lower in _STATES]
    told = [s.span for s in draft.stated] + [t.span for t in sketch.types]
    for span in cues:
        before = sketch.words(span.first - _FAR, span.first)
        while before and before[-1] in _WHILE:
            before.pop()
        is_said = bool(set(before[-1:]) & BE) or before[-2:] in (["are", "there"], ["be", "there"])
        if is_said and _ends(draft, span.last) and not any(span.overlaps(s) for s in told):
            yield span


def _is_state(draft: Draft, cue: Span) -> bool:
    return draft.sketch.tokens[cue.first].lower in _PREDICATES


def _ends(draft: Draft, at: int) -> bool:
    """Whether nothing follows a state in its clause but when that is so."""
    sketch = draft.sketch
    end = min((b for b in sketch.breaks if b >= at), default=len(sketch.tokens))
    times = {i for t in sketch.question.times if t.relation is TimeRelation.ON for i in t.span}
    times |= {i for c in sketch.question.cues_of("now") for i in c.span}
    return all(i in times or sketch.tokens[i].lower in _WHILE for i in range(at, end))


def _events(draft: Draft, node_type: str) -> Iterator[TypedPath]:
    """Give the steps from the events that strike a type to it."""
    types = draft.sketch.schema.node_types
    for other, hop, _ in draft.sketch.paths.hops_from(node_type):
        if types[other].is_event:
            yield TypedPath(hops=(hop,), types=(node_type, other), cost=1)
