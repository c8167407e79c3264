"""Relations asked about by what they are called: "how many agreements", "the oldest contract"."""

from collections import defaultdict
from typing import Final, Literal

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import AUXILIARIES, BE, RELATING
from tiers.graphrag.reading.templates.common import finish
from trivium.domain.question import Span
from trivium.domain.schema import RelationType
from trivium.domain.time import Moment
from trivium.language.words import general_words

_OF_OURS: Final = frozenset(
    {"of", "our", "the", "all", "current", "today's", "today", "s", "running"}
)
_FIRST: Final = frozenset({"oldest", "earliest", "longest"})
_LAST: Final = frozenset({"newest", "latest", "youngest"})
_SURE: Final = 0.8
_NEAR: Final = 3
_FAR_US: Final = 5
"""Words from "been with us" to "longest"."""


def counted_agreements(draft: Draft) -> Plan | None:
    """Read "how many of our supply agreements are long-term": so many relations."""
    sketch = draft.sketch
    cue = next((c for c in draft.cues("count") if c.span.first <= 1), None)
    noun = _noun(draft, cue.span.last) if cue else None
    if noun is None or sketch.focus is not None or draft.cues("most", "least", "rank"):
        return None
    span, relation = noun
    after = sketch.words(span.last, span.last + 1)
    is_plural = sketch.tokens[span.last - 1].lower.endswith("s")
    if not is_plural or not set(after) <= BE | AUXILIARIES | RELATING | {"that", "which"}:
        return None
    values = draft.plan.add(
        "relation_values", relation=relation.name, property=None,
        where=draft.relation_conditions(relation.name), as_of=draft.when, **_sides(draft, relation),
    )  # fmt: skip
    draft.plan.add("reduce_scores", scores=values, how="sum")
    return finish(draft, Form.NUMBER, "relations, counted", f"how many {relation.name}")


def oldest_agreement(draft: Draft) -> Plan | None:
    """Read "the oldest of our supply agreements": what it joins, or since when."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    at = next((i for i, w in enumerate(words) if w in _FIRST | _LAST), None)
    if at is None:
        return _first_to(draft)
    is_again = words[at + 1 : at + 2] == ["one"]
    nouns = range(at) if is_again else range(at + 1, min(at + 2, len(words)))
    if words[at] == "longest":  # the longest film is no film that began first
        nouns = range(0)
    noun = next((n for i in nouns if (n := _noun(draft, i))), None)
    relation = noun[1] if noun else _tenure(draft, at) or _longest_doing(draft, at)
    if relation is None:
        return None
    return _begun(draft, relation, "first" if words[at] in _FIRST else "last", draft.when)


def _begun(
    draft: Draft, relation: RelationType, which: Literal["first", "last"], when: Moment | None
) -> Plan:
    """Return the plan for what a relation joins that began first, or last, or for its day."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    draft.when = when
    sides = {
        side: draft.everything(end)
        for side, end in zip(("sources", "targets"), relation.ends[0], strict=True)
    } | _sides(draft, relation)
    edges = draft.plan.add("relations_between", relation=relation.name, as_of=when, **sides)
    edges = draft.plan.add("begun", edges=edges, which=which)
    told = f"the {which} {relation.name} to begin"
    if words[:1] == ["when"] or draft.cues("since_when"):
        draft.plan.add("day_of", edges=edges, which="first")
        return finish(draft, Form.DATE, "begun when", told)
    wanted = sketch.focus.type if sketch.focus else None
    is_whose = wanted is None and any(
        a.type in {s for s, _ in relation.ends} for a in sketch.anchors
    )
    is_target = is_whose or (wanted is not None and wanted in {t for _, t in relation.ends})
    end = "target" if is_target else "source"
    draft.plan.add("ends_of", edges=edges, end=end)
    return finish(draft, Form.NODES, "begun", f"the {end} of {told}")


def _tenure(draft: Draft, at: int) -> RelationType | None:
    """Return what joins us to those who "have been with us the longest": their first relation."""
    sketch = draft.sketch
    before = sketch.words(at - _FAR_US, at)
    if sketch.focus is None or "been" not in before or not {"us", "with"} <= set(before):
        return None
    hops = sketch.paths.hops_from(sketch.focus.type)
    types = sketch.schema.node_types
    own = [h for other, h, _ in hops if h.outgoing and not types[other].is_event]
    return sketch.schema.relation_types[own[0].relation] if own else None


def _first_to(draft: Draft) -> Plan | None:
    """Read "who supplied X first", "who was the first to supply X": of all that ever did."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    at = next((i for i, w in enumerate(words) if w == "first"), None)
    if at is None or words[:1] not in (["who"], ["which"], ["what"]):
        return None
    is_to = words[at + 1 : at + 2] == ["to"] and words[at - 1] == "the"
    relation = _done(draft, range(at) if not is_to else range(at, len(words)))
    ends = at + 1 == len(words) or at + 1 in draft.sketch.breaks
    if relation is None or not (is_to or ends):
        return None
    return _begun(draft, relation, "first", draft.up_to_now())


def _longest_doing(draft: Draft, at: int) -> RelationType | None:
    """Return what is done to "have supplied us the longest", where it stands at the end."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    ends = at + 1 == len(words) or at + 1 in draft.sketch.breaks
    is_had = bool({"has", "have"} & set(words[:at]))
    return _done(draft, range(at)) if words[at] == "longest" and ends and is_had else None


def _done(draft: Draft, within: range) -> RelationType | None:
    """Return the one relation that is named by a verb, where all that is said is at its ends."""
    sketch = draft.sketch
    relations = sketch.schema.relation_types
    named = sketch.named_types
    found = [
        relations[t.name]
        for t in sorted(sketch.relations, key=lambda t: -t.score)
        if t.score >= _SURE and t.span.first in within
    ]
    fitting = [r for r in found if any(named <= set(ends) for ends in r.ends) and named]
    is_plain = not (draft.stated or draft.bounds or sketch.question.times)
    return fitting[0] if fitting and is_plain else None


def _noun(draft: Draft, start: int) -> tuple[Span, RelationType] | None:
    """Return the words from ``start`` on that call a relation, and which one."""
    sketch = draft.sketch
    first = start
    while first < start + _NEAR + 1 and sketch.words(first, first + 1) and _is_lead(draft, first):
        first += 1
    scores: dict[str, float] = defaultdict(float)
    last = first
    while found := [t for t in sketch.relations if t.span.first == last]:
        for term in found:
            scores[term.name] += term.score
        last = max(t.span.last for t in found)
    typed = {i for t in sketch.types for i in t.span}
    if not scores or typed & set(range(first, last)):
        return None
    noun = sketch.tokens[last - 1].stem
    is_sure = noun in general_words().deals or max(scores.values()) >= _SURE
    if noun in sketch.glossary.measured or not is_sure:
        return None
    best = max(scores, key=lambda name: scores[name])
    return Span(first=first, last=last), sketch.schema.relation_types[best]


def _is_lead(draft: Draft, index: int) -> bool:
    states = draft.sketch.question.cues_of("open", "now")
    is_state = any(index in c.span for c in states)
    return draft.sketch.tokens[index].lower in _OF_OURS or is_state


def _sides(draft: Draft, relation: RelationType) -> dict[str, Ref]:
    """Return what is named at the ends of a relation; of "mentors", whose they are."""
    sides: dict[str, Ref] = {}
    for side, ends in (
        ("sources", {s for s, _ in relation.ends}),
        ("targets", {t for _, t in relation.ends}),
    ):
        named = [a for a in draft.sketch.anchors if a.type in ends]
        is_doer = side == "sources" and any(s == t for s, t in relation.ends)
        if named and not is_doer:
            sides[side] = draft.union([draft.anchor_set(a) for a in named])
    return sides
