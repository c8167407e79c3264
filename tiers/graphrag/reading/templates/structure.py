"""Questions about the structure: bottlenecks, hubs, influence, loose ends, islands, cut points."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.plans.plan import Argument, Plan
from tiers.graphrag.reading.again import self_relations
from tiers.graphrag.reading.comparisons import compared, comparison
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.templates.common import (
    counted_or_listed,
    finish,
    limit_of,
    starts_as_yes_no,
)
from tiers.graphrag.reading.templates.kept import (
    excepted_types,
    included_types,
    kept_relations,
    linking,
    side_of,
)

_OPERATORS: Final = (
    ("bottleneck", "betweenness"),
    ("influence", "pagerank"),
    ("articulation", "cut_points"),
    ("components", "connected_components"),
    ("degree", "degree"),
)

_ALONE: Final = frozenset({"no", "none", "alone", "single", "singles", "lone", "without"})
"""Words for what has no link, where it is left out."""
_ANY: Final = frozenset({"anything", "any", "all", "everything", "anyone"})


def centrality(draft: Draft) -> Plan | None:
    """Read a question about the structure of the graph."""
    sketch = draft.sketch
    without = excepted_types(draft)
    kind, operator = next(((k, name) for k, name in _OPERATORS if draft.cues(k)), ("", None))
    asked = sketch.focus if kind and not _is_in_cue(draft, kind) else None
    focus = asked.type if asked and asked.type not in without else None
    if operator is None or sketch.anchors or draft.cues("distance", "compare"):
        return None
    if operator == "degree" and not _is_of_all_links(draft, focus, without):
        return None
    return _central(draft, operator, focus, without)


def _is_in_cue(draft: Draft, kind: str) -> bool:
    """Whether the type asked for is a part of the words for the structure: "choke point"."""
    focus = draft.sketch.focus
    return focus is not None and any(c.span.overlaps(focus.span) for c in draft.cues(kind))


def _is_least(draft: Draft) -> bool:
    """Whether the lowest are asked for; "shortest paths" are no such thing."""
    words = [draft.sketch.question.words(c.span).casefold() for c in draft.cues("least")]
    return any(word != "shortest" for word in words) and not draft.cues("most")


def _is_of_all_links(draft: Draft, focus: str | None, without: tuple[str, ...]) -> bool:
    """Whether links of every kind are counted, not those to one type, nor one relation."""
    sketch = draft.sketch
    aside = set(without) | included_types(draft)
    named = {t.type for t in sketch.types} - aside
    if focus and len(named) > 1 and not (draft.cues("single") and named <= _wanted(draft)):
        return False
    words = sketch.words(0, len(sketch.tokens))
    beats_all = {"more", "than"} <= set(words) and _ANY & set(words)
    kinds = ("most", "least", "single", "rank", "above", "negation", "incoming", "outgoing")
    is_ranked = beats_all or draft.cues(*kinds, "all_links") or _bound(draft)
    return bool(is_ranked) and not draft.cues("risk")


def _wanted(draft: Draft) -> set[str]:
    """Return the types asked for side by side: "which clinics and homes"."""
    return {t.type for t in draft.sketch.wanted}


def _among(draft: Draft, node_type: str) -> tuple[str, ...]:
    """Return the relations of a type with itself: the one named, else all."""
    own = sorted(self_relations(draft, node_type))
    named = [name for name in draft.sketch.relation_names() if name in own]
    return tuple(named[:1] or own)


def _central(
    draft: Draft, operator: str, focus: str | None, without: tuple[str, ...]
) -> Plan | None:
    if operator == "connected_components":
        return _pieces(draft, without)
    if operator == "cut_points":
        kept = kept_relations(draft)
        draft.plan.add(operator, type=focus, without=without, relations=kept, as_of=draft.when)
        return finish(draft, Form.NODES, "cut points", "without what the graph falls apart")
    bound = _bound(draft) if operator == "degree" else None
    if bound is not None:
        scores = draft.plan.add(operator, type=focus, without=without, as_of=draft.when)
        found = draft.plan.add("select", scores=scores, test=bound[0], value=bound[1])
        told = f"{focus or 'what'} with a number of relations {bound[0].value} {bound[1]:g}"
        return counted_or_listed(draft, found, "degree", told)
    is_single, is_none = draft.cues("single"), draft.cues("negation")
    if operator == "degree" and (is_single or (is_none and not draft.cues("most", "least"))):
        return _with_few(draft, focus, without, is_single=bool(is_single))
    wanted, is_least = limit_of(draft) or 1, _is_least(draft)
    is_list = wanted > 1 or (draft.cues("rank") and not draft.cues("most", "least"))
    limit = None if is_least or (is_list and wanted == 1) else wanted
    seen: dict[str, Argument] = {"type": focus, "without": without, "limit": limit}
    if operator == "degree":
        seen |= {"side": side_of(draft), "relations": kept_relations(draft)}
    scores = draft.plan.add(operator, **seen, as_of=draft.when)
    end = "lowest" if is_least else "highest"
    if not is_list:
        draft.plan.add("leaders", scores=scores, highest=not is_least)
        return finish(draft, Form.NODES, operator, f"the {end} by {operator}")
    most = wanted if wanted > 1 else None
    draft.plan.add("rank_scores", scores=scores, highest_first=not is_least, limit=most)
    told = f"the {most} {end}" if most else "all"
    return finish(draft, Form.RANKING, operator, f"{told} by {operator}")


def _pieces(draft: Draft, without: tuple[str, ...]) -> Plan:
    """Read how many groups hang together, or what is not in the largest."""
    if link := linking(draft):
        groups = draft.plan.add("connected_components", relations=(link,), as_of=draft.when)
        draft.plan.add("count_groups", groups=groups, least=2)
        return finish(draft, Form.NUMBER, "pieces", f"how many pieces hang together by {link}")
    named = [t for t in draft.sketch.types if t.type not in without]
    own = named[0].type if named and draft.cues("count") else None
    relations = _among(draft, own) if own else ()
    groups = draft.plan.add(
        "connected_components", without=without, type=own, relations=relations, as_of=draft.when
    )
    if draft.cues("count"):
        draft.plan.add("count_groups", groups=groups, least=2 if _leaves_out_alone(draft) else 1)
        of = f" of {own}" if own else ""
        return finish(draft, Form.NUMBER, "pieces", f"how many pieces{of} hang together")
    draft.plan.add("first_groups", groups=groups, largest=False)
    return finish(draft, Form.NODES, "islands", "what does not hang together with the rest")


def _bound(draft: Draft) -> tuple[Test, float] | None:
    """Return what the number of links is held against: "fewer than three connections"."""
    sketch = draft.sketch
    links = [c.span.first for c in draft.cues("degree")]
    for cue in draft.cues("above", "below", "equal"):
        quantity = compared(sketch, cue)
        last = max(quantity.span.last, cue.span.last) if quantity else 0
        if quantity is not None and any(0 <= at - last <= 1 for at in links):
            return comparison(sketch, cue), quantity.number
    return None


def _leaves_out_alone(draft: Draft) -> bool:
    """Whether what hangs together with nothing is left out: "leave out those with no link"."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    left = [i for i, w in enumerate(words) if w in {"left", "leave", "leaving", "not", "without"}]
    is_out = any(words[i + 1 : i + 2] in (["out"], ["counting"], ["counted"]) for i in left)
    return bool(draft.cues("nonzero")) or (is_out and bool(_ALONE & set(words)))


def _with_few(
    draft: Draft, focus: str | None, without: tuple[str, ...], *, is_single: bool
) -> Plan:
    """Read "has a single relation", or none at all."""
    sets = []
    for node_type in sorted(_wanted(draft)) if focus and is_single else [focus]:
        scores = draft.plan.add("degree", type=node_type, without=without, as_of=draft.when)
        kept = draft.plan.add("select", scores=scores, test=Test.EQUALS, value=float(is_single))
        sets.append(kept)
    draft.union(sets)
    is_asked = not is_single and starts_as_yes_no(draft)
    form = Form.BOOLEAN if is_asked else Form.NODES
    told = "what has a single relation" if is_single else "what has no relation"
    return finish(draft, form, "degree", told)
