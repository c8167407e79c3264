"""How grave events are: the worst of them, the mildest, or all in order."""

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.gravity import superlative
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.scoring import risk_phrases
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.templates.common import finish, limit_of, starts_as_yes_no
from trivium.domain.question import Span


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
    found = by or superlative(sketch, word)
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
