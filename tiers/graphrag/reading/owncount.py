"""Counts of others of the same type: "more than one mentor", "mentor at least two keepers"."""

from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.comparisons import comparison
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.tree import Branch, Variable
from tiers.graphrag.reading.voice import as_doer
from trivium.domain.question import Span

_FAR_OBJECT: Final = 5
"""Words from a verb to what it is done to."""
_OTHERS: Final = frozenset({"other", "others", "different", "of", "our", "the"})
"""Words between a number and what it counts."""


def count_own(draft: Draft, root: Variable) -> None:
    """Count, of a relation of a type with itself, how many others of the type there must be."""
    for head, branch in root.all_branches():
        is_own = branch.child.type == head.type and len(branch.path.hops) == 1
        if not is_own or not branch.child.is_bare or branch.count is not None:
            continue
        if _count(draft, branch, branch.span):
            if not any(t.span == branch.span for t in draft.sketch.types):
                branch.path = as_doer(branch.path)
            continue
        for word in draft.sketch.types:
            is_near = 0 <= word.span.first - branch.span.last <= _FAR_OBJECT
            if word.type == head.type and is_near and _count(draft, branch, word.span):
                break


def denies_others(draft: Draft, root: Variable, cue: Span) -> bool:
    """Whether "no other" denies a relation with all others of the type: "cited by no other"."""
    word = draft.sketch.type_after(cue.last, within=0)
    is_own = word is not None and word.type == root.type and word.span != root.span
    return is_own and draft.sketch.words(cue.first, cue.last) == ["no", "other"]


def _count(draft: Draft, branch: Branch, noun: Span) -> bool:
    """Count a branch by the number right before a noun, where there is one."""
    at = noun.first
    while draft.sketch.words(at - 1, at) and draft.sketch.tokens[at - 1].lower in _OTHERS:
        at -= 1
    for cue in draft.cues("plural", "single"):
        if cue.span.last == at:
            branch.count = (Test.ABOVE if cue.kind == "plural" else Test.EQUALS, 1.0)
            draft.used.add(cue.span)
            return True
    number = next((q for q in draft.sketch.question.quantities if q.span.last == at), None)
    if number is None or number.span in draft.used:
        return False
    bounds = draft.cues("above", "below", "equal")
    bound = next((c for c in bounds if c.span.last == number.span.first), None)
    test = comparison(draft.sketch, bound) if bound else Test.AT_LEAST
    branch.count = (test, number.number)
    draft.used |= {number.span} | ({bound.span} if bound else set())
    return True


def seconds_denied(sketch: Sketch) -> list[Span]:
    """Return where a second one of the noun before is denied: "at one site, without a second"."""
    found = []
    for at, token in enumerate(sketch.tokens):
        if token.lower not in {"second", "backup"}:
            continue
        is_denied = sketch.words(at - 2, at) in (["without", "a"], ["with", "no"], ["has", "no"])
        last = at + 1 + (sketch.words(at + 1, at + 2) == ["one"])
        if is_denied and (last >= len(sketch.tokens) or last in sketch.breaks):
            found.append(Span(first=at - 2, last=last))
    return found
