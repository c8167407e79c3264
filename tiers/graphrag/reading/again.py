"""Whether a type that is named again means other entities than before."""

from typing import Final

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Sketch, TypeWord

_POINTING: Final = frozenset({"that", "this", "those", "these", "such", "same", "both", "them"})
_SOMEBODY: Final = frozenset({"someone", "somebody", "anyone", "anybody"})
_FRESH: Final = frozenset({"a", "an", "another", "other", "some", "any", "one", "no"})


def self_relations(draft: Draft, node_type: str) -> set[str]:
    """Return the relations that join entities of a type to each other."""
    hops = draft.sketch.paths.hops_from(node_type)
    return {hop.relation for other, hop, _ in hops if other == node_type}


def names_somebody(draft: Draft, word: TypeWord) -> bool:
    """Whether "somebody" stands for another one of a type: "who supervises somebody that"."""
    joined = self_relations(draft, word.type) & {t.name for t in draft.sketch.relations}
    said = set(draft.sketch.words(word.span.first, word.span.last))
    return bool(joined) and said <= _SOMEBODY


def is_fresh(draft: Draft, word: TypeWord) -> bool:
    """Whether a type named again means other entities: of a relation with itself, or of another.

    "What do flights of X and flights of Y have in common".
    """
    is_shared = draft.sketch.has("shared") or _is_joined_as_well(draft.sketch, word)
    if is_shared and _is_of_another(draft.sketch, word):
        return True
    if word.relation or _is_none(draft.sketch, word.span.first):
        return True
    if names_somebody(draft, word):
        return True
    before = set(draft.sketch.words(word.span.first - 2, word.span.first))
    if before & _POINTING or "only" in before:
        return False
    joins = self_relations(draft, word.type)
    is_named = any(t.name in joins for t in draft.sketch.relations)
    return bool(joins) and is_named and bool(before & _FRESH or not word.is_singular)


def _is_none(sketch: Sketch, at: int) -> bool:
    """Whether a noun is denied beside the same one: "something from X but nothing from Y"."""
    before = sketch.words(at - 3, at + 1)
    is_denied = before[-1:] == ["nothing"] or before[-2:-1] == ["no"]
    return is_denied and bool({"but", "and"} & set(before[:-1]))


def _is_joined_as_well(sketch: Sketch, word: TypeWord) -> bool:
    """Whether "as well as" stands before a noun, and a preposition perhaps."""
    before = sketch.words(word.span.first - 4, word.span.first)
    return any(before[i : i + 3] == ["as", "well", "as"] for i in (0, 1))


def _is_of_another(sketch: Sketch, word: TypeWord) -> bool:
    """Whether a type is named again after "and", each time before a name of its own."""
    before = [
        t.span.last for t in sketch.types if t.type == word.type and t.span.last < word.span.first
    ]
    names = [a.span.first for a in sketch.anchors if a.ids]
    is_joined = sketch.words(word.span.first - 1, word.span.first) == ["and"]
    is_joined = is_joined or _is_joined_as_well(sketch, word)
    is_apart = bool(before) and any(before[-1] <= n < word.span.first for n in names)
    return is_joined and is_apart and any(n >= word.span.last for n in names)
