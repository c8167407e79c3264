"""Where a question speaks of risk scores, what has them, and what number they are held against."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from tiers.graphrag.operators.conditions import NEGATED, Test
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.comparisons import compared, comparison
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Anchor, Sketch, TypeWord
from tiers.graphrag.reading.supposing import risk_scores
from tiers.graphrag.reading.tree import Bound
from trivium.domain.question import Quantity, Span

_SURE: Final = 0.8
_DEGREES: Final = frozenset({"most", "least", "more", "less"})
_OF: Final = frozenset({"of", "for", "among", "amongst", "across", "over", "has", "have", "does"})
_ALL: Final = frozenset({"all", "the", "our", "those", "these", "any", "every", "each", "a", "an"})
_PARTITIVE: Final = frozenset({"of", "for", "among", "amongst", "across"})
_IS: Final = frozenset(
    {"of", "is", "are", "was", "that", "which", "at", "a", "an", "it", "lies", "stands", "value"}
)
"""Words between a score and the number that it is held against."""
_ON: Final = frozenset({"on", "for", "in", "of", "at", "the", "their", "its"})
"""Words between a number and "risk": "above 1 on risk"."""
_RISKIER: Final = {"riskier": Test.ABOVE, "safer": Test.BELOW}
_LEADING: Final = frozenset(
    {"a", "an", "the", "have", "has", "had", "is", "are", "do", "does", "currently", "now", "not",
     "no", "never"}
)  # fmt: skip
_RELATIVE: Final = frozenset({"that", "which", "who", "whose", "with", "having", "of", "at"})
"""Words that say a score of the noun right before them."""


def risk_phrases(sketch: Sketch) -> tuple[Span, ...]:
    """Return where risk or its score is said, overlapping cues as one; "at risk" is no score."""
    if not any(t.is_event for t in sketch.schema.node_types.values()):
        return ()
    sure = [p.span for p in sketch.properties if p.score >= _SURE]
    if sure and not sketch.has("risk"):
        return ()  # "the score of" something else
    taken = [*sure, *(t.span for t in sketch.types), *(a.span for a in sketch.anchors)]
    merged: list[Span] = []
    for cue in sorted(sketch.question.cues_of("risk", "score"), key=lambda c: c.span.first):
        if any(cue.span.overlaps(s) for s in taken):
            continue
        before = sketch.words(cue.span.first - 2, cue.span.first)
        if before[-1:] == ["at"] and before[0] not in _DEGREES:
            continue
        if merged and cue.span.first <= merged[-1].last:
            last = max(merged[-1].last, cue.span.last)
            merged[-1] = Span(first=merged[-1].first, last=last)
        else:
            merged.append(cue.span)
    return tuple(merged)


def scored(sketch: Sketch) -> Anchor | TypeWord | None:
    """Return what a score is of: "the risk score of X", "X's risk score", "how risky is X"."""
    types = sketch.schema.node_types
    named: list[Anchor | TypeWord] = [*sketch.anchors, *sketch.types]
    things = [t for t in named if not types[t.type].is_event]
    if sketch.words(0, 1) and sketch.tokens[0].lower in _PARTITIVE:
        opening = [
            t for t in sketch.types if t in things and set(sketch.words(1, t.span.first)) <= _ALL
        ]
        if opening:
            return opening[0]
    for phrase in risk_phrases(sketch):
        at = phrase.last
        while at < len(sketch.tokens) and sketch.tokens[at].lower in _ALL | _OF | {"is", "are"}:
            at += 1
        after = [t for t in things if t.span.first <= at < t.span.last and at > phrase.last]
        owner = [t for t in things if t.span.last == phrase.first]
        found = next(iter(after or owner), None)
        if found is not None:
            return next(
                (a for a in sketch.anchors if a.type == found.type and _is_beside(a, found)), found
            )
    return None


def _is_beside(anchor: Anchor, thing: Anchor | TypeWord) -> bool:
    """Whether a type only says what the name after it is: "the product X"."""
    return anchor.span.first == thing.span.last


# --- bounds --------------------------------------------------------------------------------------


def risk_bounds(draft: Draft) -> Iterator[Bound]:
    """Give the numbers that risk scores are held against: "a risk score over 0.5"."""
    sketch = draft.sketch
    phrases = risk_phrases(sketch)
    for span, test, quantity in _comparisons(sketch) if phrases else ():
        near = [p for p in phrases if _is_held(sketch, p, span)]
        if not near or sketch.type_after(quantity.span.last, within=0):
            continue
        whole = Span(
            first=min(span.first, *(p.first for p in near)),
            last=max(span.last, *(p.last for p in near)),
        )
        denial = next(
            (c for c in draft.cues("negation") if 0 <= whole.first - c.span.last <= 1
             and sketch.words(c.span.last, whole.first) in ([], ["a"], ["have"], ["has"])),
            None,
        )  # fmt: skip
        host = _host(sketch, whole)
        if host is None:
            continue
        if denial:
            whole = Span(first=denial.span.first, last=whole.last)
        told = NEGATED[test] if denial else test
        said = f"risk {told.value} {quantity.number:g}"
        narrow = partial(_narrow, told, quantity.number)
        yield Bound(type=host, span=whole, said=said, narrow=narrow)


def _comparisons(sketch: Sketch) -> Iterator[tuple[Span, Test, Quantity]]:
    """Give the numbers that something is held against, with the words that say how."""
    for cue in sketch.question.cues_of("above", "below", "equal"):
        quantity = compared(sketch, cue)
        if quantity is not None:
            first = min(cue.span.first, quantity.span.first)
            last = max(cue.span.last, quantity.span.last)
            yield Span(first=first, last=last), comparison(sketch, cue), quantity
    for quantity in sketch.question.quantities:
        first, last = quantity.span.first, quantity.span.last
        before = sketch.words(first - 2, first)
        if before[-1:] == ["than"] and before[0] in _RISKIER:
            yield Span(first=first - 2, last=last), _RISKIER[before[0]], quantity
        elif before[-1:] in (["of"], ["score"], ["scores"], ["scoring"]) and sketch.words(
            last, last + 1
        ) != ["or"]:
            yield Span(first=first - 1, last=last), Test.EQUALS, quantity


def _is_held(sketch: Sketch, phrase: Span, span: Span) -> bool:
    """Whether a comparison is one of a score: "risk score above 1", "above 1 on risk"."""
    if phrase.overlaps(span):
        return True
    if phrase.last <= span.first:
        return set(sketch.words(phrase.last, span.first)) <= _IS
    between = sketch.words(span.last, phrase.first)
    return bool(between) and set(between) <= _ON


def _host(sketch: Sketch, span: Span) -> str | None:
    """Return the type whose scores are meant: the noun before a relative clause, or the focus."""
    types = sketch.schema.node_types
    own = [t for t in sketch.types if not types[t.type].is_event]
    before = [t for t in own if t.span.last <= span.first]
    focus = sketch.focus.type if sketch.focus else None
    if not before:
        return focus or next((t.type for t in own), None)
    lead = sketch.words(before[-1].span.last, span.first)
    while lead and lead[-1] in _LEADING:
        lead.pop()
    if not lead or lead[-1] in _RELATIVE or focus is None or types[focus].is_event:
        return before[-1].type
    return focus


def _narrow(test: Test, number: float, draft: Draft, nodes: Ref) -> Ref:
    """Keep what has such a risk score."""
    scores = risk_scores(draft, nodes)
    return draft.plan.add("select", scores=scores, test=test, value=number)
