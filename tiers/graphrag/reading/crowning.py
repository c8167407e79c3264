"""A superlative within a condition: "which shops sell our cheapest tea", "our riskiest product"."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.gravity import superlative
from tiers.graphrag.reading.measuring import Measure, described_by_adjective
from tiers.graphrag.reading.sketch import TypeWord
from tiers.graphrag.reading.tree import Bound
from trivium.domain.question import Cue
from trivium.language.words import ends_asked

_OUR: Final = frozenset({"our", "your"})
"""With "the", a number for each is asked for: "which keeper has the heaviest hive"."""
_BY_RISK: Final = frozenset({"riskiest", "safest"})


def crowned(draft: Draft) -> Iterator[Bound]:
    """Give what narrows a type to its first by a number of its own: the cheapest of all cheeses."""
    sketch = draft.sketch
    yield from _gravest(draft)
    for cue in draft.cues("most", "least"):
        word = next((t for t in sketch.types if t.span.first == cue.span.last), None)
        if word is None or not _is_condition(draft, cue, word):
            continue
        said = sketch.tokens[cue.span.last - 1]
        if said.lower in _BY_RISK:
            yield Bound(
                type=word.type,
                span=cue.span,
                said=said.lower,
                narrow=partial(_by_risk, said.lower == "riskiest"),
            )
            continue
        found = described_by_adjective(draft, word.type, cue.span)
        own = next((m for m in found if m.is_own), None)
        if own is not None:
            yield Bound(
                type=word.type,
                span=cue.span,
                said=f"{cue.kind} {own.name}",
                narrow=partial(_first, own, _is_highest(cue, said.stem, own)),
            )


def _gravest(draft: Draft) -> Iterator[Bound]:
    """Give what narrows events to the worst: "the road that the most severe flood blocks"."""
    sketch = draft.sketch
    focus = sketch.focus
    for word in sketch.types:
        kind = sketch.schema.node_types[word.type]
        is_graded = kind.is_event and sketch.schema.risk.severity_property in kind.properties
        if not is_graded or focus is None or focus.type == word.type:
            continue
        found = superlative(sketch, word)
        if found is not None:
            span, is_least = found
            yield Bound(
                type=word.type,
                span=span,
                said="mildest" if is_least else "gravest",
                narrow=partial(_by_severity, not is_least),
            )


def _is_condition(draft: Draft, cue: Cue, word: TypeWord) -> bool:
    """Whether another type is asked for, and the superlative only tells which ones are meant."""
    sketch = draft.sketch
    focus = sketch.focus
    is_other = focus is not None and focus.type != word.type and focus.span.last <= cue.span.first
    is_other = is_other or (focus is None and draft.sketch.has("count"))
    before = sketch.words(cue.span.first - 1, cue.span.first)
    is_risk = sketch.tokens[cue.span.last - 1].lower in _BY_RISK and before == ["the"]
    return is_other and (is_risk or bool(_OUR & set(before)))


def _is_highest(cue: Cue, adjective: str, measure: Measure) -> bool:
    """Whether the highest number is meant: the oldest house is the one built first."""
    told = ends_asked(adjective, measure.name)
    return not told[0] if told else cue.kind == "most"


def _first(measure: Measure, highest: bool, draft: Draft, nodes: Ref) -> Ref:  # noqa: FBT001
    everything = draft.everything(measure.node_type)
    scores = draft.plan.add("node_values", nodes=everything, property=measure.name)
    first = draft.plan.add("leaders", scores=scores, highest=highest)
    return draft.plan.add("combine", how="intersection", sets=(nodes, first))


def _by_severity(highest: bool, draft: Draft, nodes: Ref) -> Ref:  # noqa: FBT001
    scores = draft.plan.add("severity_weights", nodes=nodes)
    return draft.plan.add("leaders", scores=scores, highest=highest)


def _by_risk(highest: bool, draft: Draft, nodes: Ref) -> Ref:  # noqa: FBT001
    scores = draft.plan.add("propagate_risk", nodes=nodes, as_of=draft.when)
    return draft.plan.add("leaders", scores=scores, highest=highest)
