"""What is supposed of one or all of a kind: any one gone, or all taken over by another."""

from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.sketch import TypeWord
from tiers.graphrag.reading.templates.common import counted_or_listed
from tiers.graphrag.reading.tree import Branch, Variable, said

_ANY_ONE: Final = frozenset({"one", "a", "an", "any", "single", "some"})
_NOTHING: Final = frozenset({"nobody", "nothing", "none", "noone", "no", "without"})
_ALL: Final = frozenset({"all", "every", "everything", "each", "whole"})
_NEAR: Final = 3
"""Words between what is lost and the verb that says so, at most."""
_TAKEN: Final = ("removal", "hypothetical", "left_without", "negation", "single", "impact")


def one_lost(draft: Draft) -> Plan | None:
    """Read "which lines would have nobody to drive them if one crew fell ill"."""
    sketch = draft.sketch
    if sketch.focus is None or not _has_nothing(draft) or not draft.cues("hypothetical"):
        return None
    focus, lost = sketch.focus.type, _lost(draft)
    if lost is None or lost.type == focus or any(a.type == lost.type for a in sketch.anchors):
        return None
    draft.used |= {c.span for c in draft.cues(*_TAKEN)}
    tree = grow(draft, focus)
    branch = next((b for b in tree.branches if b.child.type == lost.type), None)
    if branch is None:
        path = draft.path(focus, lost.type)
        child = Variable(type=lost.type, span=lost.span)
        branch = Branch(child=child, path=path, span=lost.span)
        tree.branches.append(branch)
    branch.count, branch.is_negated = (Test.EQUALS, 1.0), False
    return counted_or_listed(draft, resolve(draft, tree), "has one to lose", said(tree))


def taken_over(draft: Draft) -> Plan | None:
    """Read "if X took over all of Y's contracts, which would X have": those of both."""
    sketch = draft.sketch
    names = list({a.ids: a for a in sketch.anchors if a.ids}.values())
    words = set(sketch.words(0, len(sketch.tokens)))
    is_supposed = draft.cues("hypothetical") and "would" in words and words & _ALL
    if len(names) != 2 or sketch.focus is None or not is_supposed:
        return None
    focus, own = sketch.focus.type, names[0].type
    if own != names[1].type or focus == own:
        return None
    tree = grow(draft, focus, without=sketch.anchors)
    reached = draft.lead(draft.union([draft.anchor_set(a) for a in names]), draft.path(own, focus))
    nodes = draft.plan.add("combine", how="intersection", sets=(resolve(draft, tree), reached))
    return counted_or_listed(draft, nodes, "taken over", f"{focus} of {draft.names(names)}")


def _has_nothing(draft: Draft) -> bool:
    """Whether what has nothing left is asked for."""
    return bool(draft.cues("left_without") or draft.cue_words("negation") & _NOTHING)


def _lost(draft: Draft) -> TypeWord | None:
    """Return the type of which any one is lost: "if one crew fell ill", "if we lost a crew"."""
    sketch = draft.sketch
    for cue in draft.cues("removal"):
        if sketch.words(cue.span.first - 1, cue.span.first) == ["would"]:
            continue  # "which clients would lose a lawyer"
        for word in sketch.types:
            before = sketch.words(word.span.first - 2, word.span.first)
            after, ahead = cue.span.first - word.span.last, word.span.first - cue.span.last
            is_near = 0 <= after <= _NEAR or 0 <= ahead <= _NEAR
            if is_near and set(before) & _ANY_ONE and word.is_singular:
                return word
    return None
