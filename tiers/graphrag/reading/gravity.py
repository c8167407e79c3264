"""Superlatives of severity, and which events they are said of: "the gravest", "the most severe"."""

from typing import Final

from tiers.graphrag.reading.sketch import Sketch, TypeWord
from trivium.domain.question import Span
from trivium.language.text import fold
from trivium.language.words import ends_asked

_DEGREES: Final = frozenset({"most", "least"})
_OF: Final = frozenset(
    {"of", "the", "all", "our", "those", "these", "among", "one", "is", "are", "was", "were"}
)
_WITH: Final = frozenset({"has", "have", "had", "with", "of", "the"})
"""Words between an event and its severity: "that has the highest severity"."""
_WORST: Final = "worst"


def superlative(sketch: Sketch, word: TypeWord) -> tuple[Span, bool] | None:
    """Return where a superlative of severity is said of the events, and whether it is the least."""
    for at in range(len(sketch.tokens)):
        found = _degree(sketch, at)
        if found is None:
            continue
        span, is_least = found
        small = _OF | {w for c in sketch.question.cues_of("open", "closed")
                       for w in sketch.words(c.span.first, c.span.last)}  # fmt: skip
        small |= {w for q in sketch.question.quantities
                  for w in sketch.words(q.span.first, q.span.last)}  # fmt: skip
        before = set(sketch.words(span.last, word.span.first)) <= small
        is_before = span.last <= word.span.first and before
        after = sketch.words(word.span.last, span.first)
        ends = span.last == len(sketch.tokens) or span.last in sketch.breaks
        is_after = word.span.last <= span.first and ends and set(after[-2:]) <= _WITH | small
        is_after = is_after and bool(after)
        if is_before or is_after:
            return span, is_least
    return None


def _degree(sketch: Sketch, at: int) -> tuple[Span, bool] | None:
    """Return the superlative of severity that begins at a word: "most serious", "mildest"."""
    words = sketch.words(at, at + 2)
    if words[0] == _WORST:
        return Span(first=at, last=at + 1), False
    is_least_degree = words[0] == "least"
    if words[0] in _DEGREES and len(words) > 1:
        is_low = _is_low(sketch, at + 1)
        if is_low is not None:
            return Span(first=at, last=at + 2), is_low is not is_least_degree
        return None
    named = {p.span.first: p for p in sketch.properties}.get(at + 1)
    is_severity = named is not None and named.name == sketch.schema.risk.severity_property
    cue = next((c for c in sketch.question.cues_of("most", "least") if c.span.last == at + 1), None)
    if is_severity and named and cue:
        return Span(first=cue.span.first, last=named.span.last), cue.kind == "least"
    is_low = _is_low(sketch, at) if words[0].endswith("st") else None
    return None if is_low is None else (Span(first=at, last=at + 1), is_low)


def _is_low(sketch: Sketch, at: int) -> bool | None:
    """Return whether an adjective means little severity; ``None``: it speaks of something else."""
    told = ends_asked(sketch.tokens[at].stem, sketch.schema.risk.severity_property)
    found = next(iter(told), None)
    weights = {fold(k): w for k, w in sketch.schema.risk.weights.items()}
    own = weights.get(sketch.tokens[at].lower)
    if found is None and own is not None:
        return own < max(weights.values()) / 2
    return found
