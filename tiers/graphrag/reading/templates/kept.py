"""What a question about the structure looks at: types left out, relations kept, arrows one way."""

from typing import Final, Literal

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.inclusion import AS_WELL
from tiers.graphrag.reading.statement import clause

_ONLY: Final = frozenset({"only", "solely", "just", "purely", "alone", "nothing"})
_NETWORK: Final = frozenset({"network", "map", "web", "grid", "system", "net", "links"})
"""Nouns for all that a relation joins: "the towing network"."""
_NAMED: Final = 0.6
_TWO: Final = 2
_ASIDE: Final = (["aside"], ["apart"], ["excluded"], ["excepted"])


def excepted_types(draft: Draft) -> tuple[str, ...]:
    """Return the types that a question leaves out of the graph: "leaving events aside"."""
    found = (draft.sketch.type_after(c.span.last, within=2) for c in draft.cues("exception"))
    types, words = draft.sketch.types, draft.sketch.words
    aside = (t for t in types if words(t.span.last, t.span.last + 1) in _ASIDE)
    return tuple(dict.fromkeys(t.type for t in (*found, *aside) if t))


def included_types(draft: Draft) -> frozenset[str]:
    """Return the types that a question only says are counted too: "events as well"."""
    sketch = draft.sketch
    found = set()
    for word in sketch.types:
        after = sketch.words(word.span.last, word.span.last + 2)
        before = sketch.words(word.span.first - 1, word.span.first)
        if before == ["including"] or any(after[: len(said)] == said for said in AS_WELL):
            found.add(word.type)
    return frozenset(found)


def kept_relations(draft: Draft) -> tuple[str, ...]:
    """Return the relations that alone count: "looking at the network links only"."""
    if draft.cues("all_links"):
        return ()
    sketch = draft.sketch
    kept = [
        t
        for t in sketch.relations
        if t.score >= _NAMED
        and (
            _ONLY & set(sketch.words(*clause(sketch, t.span)))
            or _NETWORK & set(sketch.words(t.span.last, t.span.last + 1))
        )
    ]
    best = max((t.score for t in kept), default=0.0)
    return tuple(dict.fromkeys(t.name for t in kept if t.score >= best - 1e-9))


def linking(draft: Draft) -> str | None:
    """Return the one relation that two types are put together by: "which farm is in which union".

    What has no such relation stands alone, and counts as no group.
    """
    named = {t.type for t in draft.sketch.types}
    if len(named) != _TWO or not draft.cues("count"):
        return None
    joining = [r.name for r in draft.sketch.schema.relations_between(named)]
    told = [name for name in draft.sketch.relation_names() if name in joining]
    return next(iter(told or joining), None) if told or len(joining) == 1 else None


def side_of(draft: Draft) -> Literal["both", "in", "out"]:
    """Return which ends of links count: "only the arrows that point in"."""
    if draft.cues("incoming"):
        return "in"
    return "out" if draft.cues("outgoing") else "both"
