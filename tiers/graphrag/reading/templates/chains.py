"""All that hangs on something, told kind by kind: "the tours that need it and their artists"."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import DOER_ENDINGS, NOT
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Anchor, Refusal, Sketch, TypeWord
from tiers.graphrag.reading.templates.common import finish, starts_as_yes_no
from trivium.domain.evidence import Reason
from trivium.domain.question import Span, Term

_ONE_LIST: Final = frozenset({"one", "single", "same"})
_BACK: Final = frozenset({"those", "them", "these", "their"})
_WHOEVER: Final = frozenset({"whoever", "who", "whom"})
_GAIN: Final = 0.7
_DEPTH_COST: Final = 0.3
"""For hanging a kind on one named earlier than the last."""


@dataclass(slots=True)
class _Kind:
    """One kind of thing in a list, and what the words up to the next one say of it."""

    type: str
    span: Span
    end: int
    heads: list[str] = field(default_factory=list)
    """The kinds named again with it: "the services that run on those hosts"."""


def told_by_kinds(draft: Draft) -> Plan | None:
    """Read all that hangs on one thing, each kind a step on from it or from an earlier kind.

    Raises:
        Refusal: one of the kinds is none of the schema.
    """
    sketch = draft.sketch
    anchors = [a for a in sketch.anchors if a.ids]
    if len(anchors) != 1 or len(sketch.anchors) != 1 or _asks_else(draft):
        return None
    kinds = _kinds(draft, anchors[0])
    missed = _missed(sketch, kinds[0].span.first) if kinds else None
    if missed:
        raise Refusal(Reason.NOT_IN_SCHEMA, f"The schema has no {missed!r}.")
    types = {k.type for k in kinds}
    if draft.cue_words("negation") & NOT or len(kinds) < 2 or types & {"", anchors[0].type}:
        return None
    sets: dict[str, Ref] = {anchors[0].type: draft.anchor_set(anchors[0])}
    for kind in kinds:
        found = _of_kind(draft, kind, sets)
        if found is None:
            return None
        sets[kind.type] = found
    draft.plan.add("combine", how="union", sets=tuple(sets[k.type] for k in kinds))
    said = f"{', '.join(k.type for k in kinds)} that hang on {anchors[0].label}"
    return finish(draft, Form.NODES, "told by kinds", said)


def _asks_else(draft: Draft) -> bool:
    """Whether a truth, a number, or a part of the kinds only is asked for."""
    is_less = draft.cues("count", "sum", "average", "most", "least", "rank", "risk", "single")
    is_narrow = draft.stated or draft.bounds or draft.cues("hypothetical", "open", "path")
    return bool(is_less or is_narrow) or starts_as_yes_no(draft)


def _kinds(draft: Draft, anchor: Anchor) -> list[_Kind]:
    """Return the kinds listed; none where the question lists none."""
    sketch = draft.sketch
    start = _list_start(draft)
    if start is None:
        return []
    end = min(
        (c.span.first for c in draft.cues("exception", "negation") if c.span.first > start),
        default=len(sketch.tokens),
    )
    found: list[_Kind] = []
    for span, node_type in _named(sketch, start, end, anchor.type):
        known = next((k for k in found if k.type == node_type), None)
        if known is None:
            if found:
                found[-1].end = span.first
            found.append(_Kind(node_type, span, end))
        elif known is not found[-1]:
            found[-1].heads.append(node_type)
    return found


def _missed(sketch: Sketch, start: int) -> str | None:
    """Return a noun of the list that nothing explains: "the hampers stored there"."""
    found = (
        sketch.question.words(s)
        for s in sketch.unread
        if s.first >= start and {"the", "their", "its"} & set(sketch.words(s.first - 1, s.first))
    )
    return next(found, None)


def _list_start(draft: Draft) -> int | None:
    """Return where a list of kinds begins: after the mark that announces it, else at once."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    is_one = any(w == "list" and _ONE_LIST & set(words[i - 1 : i]) for i, w in enumerate(words))
    is_wide = bool(draft.cues("downstream", "upstream", "impact", "everything"))
    for stop in sorted(sketch.stops - {0}):
        types = {t.type for t in sketch.types if t.span.first >= stop}
        is_told = is_wide and not {"which", "what"} & set(sketch.words(stop, len(sketch.tokens)))
        if types and (is_told or is_one) and not _asks_before(sketch, stop):
            return stop
    return 0 if is_one else None


def _asks_before(sketch: Sketch, stop: int) -> bool:
    """Whether what is asked for is named before the list: "which incidents reach it?"."""
    return any(
        t.span.last <= stop
        and {"which", "what"} & set(sketch.words(t.span.first - 3, t.span.first))
        for t in sketch.types
    )


def _named(sketch: Sketch, start: int, end: int, first: str) -> Iterator[tuple[Span, str]]:
    """Give the types named in a list, and those told by who does something to the one before."""
    last = first
    words: list[TypeWord | Term] = [*sketch.types, *sketch.relations]
    seen: set[int] = set()
    for word in sorted(words, key=lambda w: (w.span.first, isinstance(w, Term), -w.score)):
        if not start <= word.span.first < end or word.span.first in seen:
            continue
        node_type = word.type if isinstance(word, TypeWord) else _doer(sketch, word, last)
        if node_type is not None:
            seen |= set(word.span)
            yield word.span, node_type
            last = node_type if isinstance(word, TypeWord) else last


def _doer(sketch: Sketch, verb: Term, last: str) -> str | None:
    """Return who does something to a kind: "whoever wrote them", "their headliners".

    It is empty where somebody is asked for who does something to another kind.
    """
    word = sketch.tokens[verb.span.first].lower
    is_person = bool(_WHOEVER & set(sketch.words(verb.span.first - 1, verb.span.first)))
    if not is_person and not word.endswith(DOER_ENDINGS):
        return None
    ends = sketch.schema.relation_types[verb.name].ends
    others = {s if t == last else t for s, t in ends if last in {s, t}} - {last}
    return others.pop() if len(others) == 1 else "" if is_person else None


def _of_kind(draft: Draft, kind: _Kind, sets: dict[str, Ref]) -> Ref | None:
    """Return the entities of one kind, from what it is said to hang on."""
    verbs = [t for t in draft.sketch.relations if kind.span.first <= t.span.first < kind.end]
    gains = {t.name: _GAIN for t in verbs}
    if kind.heads:
        ways = [w for head in kind.heads for w in _ways(draft, head, kind.type, gains)]
        starts = [way.types[0] for way in ways]
        if not ways:
            return None
        return draft.union([draft.lead(sets[s], way) for s, way in zip(starts, ways, strict=True)])
    heads = list(sets)
    before = draft.sketch.words(kind.span.first - 1, kind.span.first)
    inside = draft.sketch.words(kind.span.last, kind.end)
    if (_BACK & set(before) or _BACK & set(inside)) and len(heads) > 1:
        heads = heads[1:]
    costs = [
        (way.cost + _DEPTH_COST * depth, depth, way)
        for depth, head in enumerate(reversed(heads))
        if (way := draft.way(head, kind.type, gains=gains))
    ]
    if not costs:
        return None
    way = min(costs, key=lambda c: c[:2])[2]
    return draft.lead(sets[way.types[0]], way)


def _ways(draft: Draft, head: str, node_type: str, gains: dict[str, float]) -> list[TypedPath]:
    """Return the relations named that join two kinds: "read or write"; else the best way."""
    hops: list[Hop] = [
        hop
        for other, hop, _ in draft.sketch.paths.hops_from(head)
        if other == node_type and hop.relation in gains
    ]
    if hops:
        return [TypedPath(hops=(h,), types=(head, node_type), cost=1) for h in hops]
    way = draft.way(head, node_type, gains=gains)
    return [way] if way else []
