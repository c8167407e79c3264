"""What has the same as something named: "in the same country as X", "the same score as X"."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.scoring import risk_phrases
from tiers.graphrag.reading.sketch import Anchor, Sketch
from tiers.graphrag.reading.supposing import risk_scores
from tiers.graphrag.reading.tree import Bound
from trivium.domain.question import Span

_MAX_SAID: Final = 4
"""Words between "same" and "as"."""


def likenesses(draft: Draft) -> Iterator[Bound]:
    """Give what must be the same as of something named: a property, or the risk score."""
    sketch = draft.sketch
    for anchor in sketch.anchors:
        said = _said_same(sketch, anchor)
        if said is None or len(anchor.ids) != 1:
            continue
        before = [t for t in sketch.types if t.span.last <= said.first]
        host = before[-1].type if before else sketch.focus.type if sketch.focus else anchor.type
        span = Span(first=said.first - 1, last=anchor.span.last)
        if any(p.overlaps(said) for p in risk_phrases(sketch)):
            narrow = partial(_same_risk, anchor)
            yield Bound(type=host, span=span, said=f"risk as {anchor.label}", narrow=narrow)
            continue
        names = {o: w.name for w in sketch.properties if w.span.overlaps(said) for o in w.owners}
        if host in names and anchor.type in names:
            like = partial(_same_value, anchor, names[anchor.type], names[host])
            told = f"{names[host]} as {anchor.label}"
            yield Bound(type=host, span=span, said=told, narrow=like)


def _said_same(sketch: Sketch, anchor: Anchor) -> Span | None:
    """Return the words between "same" and "as X"."""
    last = anchor.span.first
    while last and sketch.tokens[last - 1].lower in {"the", "that", "of"}:
        last -= 1
    words = sketch.words(last - _MAX_SAID - 2, last)
    if words[-1:] != ["as"] or "same" not in words:
        return None
    first = last - len(words) + words.index("same") + 1
    return Span(first=first, last=last - 1) if first < last - 1 else None


def _same_value(anchor: Anchor, own: str, name: str, draft: Draft, nodes: Ref) -> Ref:
    """Keep, beside the anchor, what has its value in a property."""
    node = draft.scope.view.node(anchor.ids[0])
    value = node.properties.get(own) if node else None
    where = (Condition(property=name, test=Test.EQUALS, value=value),)
    types = {t.type for t in draft.sketch.types} | {anchor.type}
    owners = [t for t in types if name in draft.sketch.schema.node_types[t].properties]
    alike = draft.union([draft.everything(t, where) for t in sorted(owners)])
    same = draft.plan.add("combine", how="intersection", sets=(nodes, alike))
    return draft.plan.add("combine", how="difference", sets=(same, draft.anchor_set(anchor)))


def _same_risk(anchor: Anchor, draft: Draft, nodes: Ref) -> Ref:
    """Keep, beside the anchor, what has its risk score."""
    own = draft.plan.add(
        "reduce_scores", scores=risk_scores(draft, draft.anchor_set(anchor)), how="sum"
    )
    same = draft.plan.add("select", scores=risk_scores(draft, nodes), test=Test.EQUALS, value=own)
    return draft.plan.add("combine", how="difference", sets=(same, draft.anchor_set(anchor)))
