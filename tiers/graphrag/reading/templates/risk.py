"""Risk scores: of one, of all, the riskiest, above or below a threshold, how far apart."""

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.stating import comparison
from tiers.graphrag.reading.templates.common import counted_or_listed, finish, limit_of


def risk(draft: Draft) -> Plan | None:
    """Read a question about risk scores."""
    sketch = draft.sketch
    has_events = any(t.is_event for t in sketch.schema.node_types.values())
    if not has_events or not (draft.cues("score") or _is_risk_superlative(draft)):
        return None
    if any(p.score >= 0.8 for p in sketch.properties) and not draft.cues("risk"):
        return None
    rated = [a for a in sketch.anchors if not sketch.schema.node_types[a.type].is_event]
    if rated and (sketch.focus is None or sketch.focus.type in {a.type for a in rated}):
        return _rated(draft, rated)
    if sketch.focus is None:
        return None
    return _threshold(draft, sketch.focus.type) or _ranked(draft, sketch.focus.type)


def _rated(draft: Draft, rated: list[Anchor]) -> Plan:
    nodes = draft.union([draft.anchor_set(a) for a in rated])
    scores = draft.plan.add("propagate_risk", nodes=nodes, as_of=draft.when)
    if len(rated) == 1 and rated[0].ids:
        draft.plan.add("reduce_scores", scores=scores, how="sum")
        return finish(draft, Form.NUMBER, "risk score", f"the risk score of {rated[0].label}")
    if draft.cues("difference") and len(rated) == 2:
        draft.plan.add("spread", scores=scores)
        return finish(draft, Form.NUMBER, "risk spread", f"between {draft.names(rated)}")
    return finish(draft, Form.RANKING, "risk scores", f"risk scores of {draft.names(rated)}")


def _threshold(draft: Draft, focus: str) -> Plan | None:
    """Read "score under 1 on risk", with all else that is said of the type."""
    sketch = draft.sketch
    for cue in draft.cues("above", "below"):
        quantity = draft.quantity_after(cue.span.last, within=1)
        if quantity is None or sketch.type_after(quantity.span.last, within=1):
            continue
        draft.used |= {cue.span, quantity.span} | {c.span for c in draft.cues("score", "risk")}
        nodes = members(draft, focus)
        scores = draft.plan.add("propagate_risk", nodes=nodes, as_of=draft.when)
        test = comparison(sketch, cue)
        chosen = draft.plan.add("select", scores=scores, test=test, value=quantity.number)
        told = f"{focus} with risk {test.value} {quantity.number:g}: " + "; ".join(draft.said)
        return counted_or_listed(draft, chosen, "risk threshold", told)
    return None


def _ranked(draft: Draft, focus: str) -> Plan:
    nodes = members(draft, focus)
    scores = draft.plan.add("propagate_risk", nodes=nodes, as_of=draft.when)
    if draft.cues("difference"):
        draft.plan.add("spread", scores=scores)
        return finish(draft, Form.NUMBER, "risk spread", f"highest less lowest risk of {focus}")
    if draft.cues("average"):
        draft.plan.add("reduce_scores", scores=scores, how="mean")
        return finish(draft, Form.NUMBER, "mean risk", f"mean risk of {focus}")
    is_least = bool(draft.cues("least", "ascending"))
    draft.plan.add("rank_scores", scores=scores, highest_first=not is_least, limit=limit_of(draft))
    return finish(draft, Form.RANKING, "risk scores", f"risk scores of {focus}")


def _is_risk_superlative(draft: Draft) -> bool:
    words = {t.lower for t in draft.sketch.tokens}
    is_superlative = bool(words & {"riskiest", "safest"}) or bool(
        draft.cues("risk") and draft.cues("most", "least", "rank")
    )
    return is_superlative and not any(p.name for p in draft.sketch.properties if p.score >= 1)
