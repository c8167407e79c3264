"""How grave events are: the worst of them, the mildest, or all in order."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.scoring import risk_phrases
from tiers.graphrag.reading.sketch import Sketch, TypeWord
from tiers.graphrag.reading.templates.common import finish, limit_of, starts_as_yes_no
from trivium.domain.question import Span
from trivium.language.text import fold
from trivium.language.words import ends_asked

_DEGREES: Final = frozenset({"most", "least"})
_OF: Final = frozenset(
    {"of", "the", "all", "our", "those", "these", "among", "one", "is", "are", "was", "were"}
)
_WORST: Final = "worst"


def gravest(draft: Draft) -> Plan | None:
    """Read "the most serious of the open events", "rank the incidents by severity"."""
    sketch = draft.sketch
    word = next((t for t in sketch.types if sketch.schema.node_types[t.type].is_event), None)
    if word is None or (sketch.focus and sketch.focus.type != word.type):
        return None
    if sketch.schema.risk.severity_property not in sketch.schema.node_types[word.type].properties:
        return None
    if starts_as_yes_no(draft) or draft.cues("count", "bottleneck") or risk_phrases(sketch):
        return None
    by = _ordering(sketch)
    found = by or _superlative(draft, word)
    if found is None:
        return None
    span, is_least = found
    limit = limit_of(draft)
    draft.used |= {c.span for c in draft.cues("most", "least", "rank") if c.span.overlaps(span)}
    nodes = members(draft, word.type)
    if draft.when is not None:
        happening = draft.plan.add("open_events", types=(word.type,), as_of=draft.when)
        nodes = draft.plan.add("combine", how="intersection", sets=(nodes, happening))
    scores = draft.plan.add("severity_weights", nodes=nodes)
    told = f"{draft.said[-1]}, {'mildest' if is_least else 'gravest'} first"
    if by is not None:
        draft.plan.add("rank_scores", scores=scores, highest_first=not is_least)
        return finish(draft, Form.RANKING, "by severity", told)
    if limit is not None:
        ranked = draft.plan.add(
            "rank_scores", scores=scores, highest_first=not is_least, limit=limit
        )
        draft.plan.add("members_of", scores=ranked)
    else:
        draft.plan.add("leaders", scores=scores, highest=not is_least)
    return finish(draft, Form.NODES, "gravest", told)


def _ordering(sketch: Sketch) -> tuple[Span, bool] | None:
    """Return where an order by severity is asked for, and whether the mildest come first."""
    for word in sketch.properties:
        if word.name != sketch.schema.risk.severity_property:
            continue
        if sketch.words(word.span.first - 1, word.span.first) == ["by"]:
            return word.span, sketch.has("ascending")
    return None


def _superlative(draft: Draft, word: TypeWord) -> tuple[Span, bool] | None:
    """Return where a superlative of severity is said of the events, and whether it is the least."""
    sketch = draft.sketch
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
        is_after = word.span.last <= span.first and ends and set(after[-2:]) <= _OF and after
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
