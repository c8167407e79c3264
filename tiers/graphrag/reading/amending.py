"""What is changed in the tree of a question once everything hangs in it."""

from dataclasses import replace
from itertools import pairwise
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import gap
from tiers.graphrag.reading.tree import Variable
from trivium.domain.question import Span

_OFFERING: Final = frozenset(
    {"or", "a", "an", "any", "the", "some", "one", "our", "of", "on", "at"}
)
"""Words between two things of which one is enough: "a hall or a town"."""
_RELATIVE: Final = frozenset({"that", "which", "who", "whose", "where"})
_SOLE: Final = frozenset({"single", "sole", "lone"})
_OTHER: Final = frozenset({"other", "others", "else", "another"})
_SHARING: Final = frozenset({"share", "shares", "sharing", "shared"})
_FAR_SAME: Final = 5
"""Words from "same" to what something has it in common with."""


def tell_of_the_one(draft: Draft, root: Variable) -> None:
    """Read "a single supplier that is under an event": it has one alone, and that one is."""
    for head, branch in list(root.all_branches()):
        child, span = branch.child, branch.child.span
        is_told = draft.sketch.words(span.last, span.last + 1) in (["that"], ["which"], ["who"])
        before = set(draft.sketch.words(span.first - 2, span.first))
        is_one = branch.count == (Test.EQUALS, 1.0)
        if is_one and is_told and before & _SOLE and child.branches:
            alone = Variable(type=child.type, span=Span(first=span.first, last=span.first))
            head.branches.append(replace(branch, child=alone))
            branch.count = None


def offer(draft: Draft, root: Variable) -> None:
    """Read "either on X's patch or kept by Y", "a hall or a town": one of two things is enough."""
    sketch = draft.sketch
    is_one_alone = sketch.has("exclusive")
    is_either = is_one_alone or "either" in sketch.words(0, len(sketch.tokens))
    for variable in root.walk():
        for before, branch in pairwise(variable.branches):
            between = sketch.words(before.child.span.last, branch.child.span.first)
            is_said = not (before.child.is_bare or branch.child.is_bare)
            is_plain = set(between) <= _OFFERING and before.path.hops[:1] and not branch.count
            is_or = "or" in between and "and" not in between
            branch.is_or = is_or and ((is_either and is_said) or bool(is_plain))
            branch.is_either = branch.is_or and is_one_alone
            if branch.is_or:
                _tell_of_both(draft, before.child, branch.child)
        if is_one_alone:
            _leave_one(variable)


def _tell_of_both(draft: Draft, first: Variable, last: Variable) -> None:
    """Say of two things what is said after them: "an animal or a herd in which it was found"."""
    clause = draft.sketch.words(last.span.last, last.span.last + 2)
    if not first.is_bare or not _RELATIVE & set(clause):
        return
    for branch in last.branches:
        relations = [h.relation for h in branch.path.hops]
        way = draft.way(first.type, branch.child.type, gains=dict.fromkeys(relations, 1.0))
        if way is not None and [h.relation for h in way.hops] == relations:
            first.branches.append(replace(branch, path=way))


def _leave_one(variable: Variable) -> None:
    """Read "X or Y, but not both" of names, and of values of one property."""
    for branch in [b for b in variable.branches if not (b.count or b.is_negated)]:
        child = branch.child
        if child.anchor is not None:
            branch.count = (Test.EQUALS, 1.0) if len(child.anchor.ids) > 1 else None
            continue
        of_two = next((c for c in child.conditions if c.test is Test.IN), None)
        if of_two is None or not isinstance(of_two.value, tuple):
            continue
        rest = [c for c in child.conditions if c is not of_two]
        at = variable.branches.index(branch)
        variable.branches[at : at + 1] = [
            replace(
                branch, child=replace(child, conditions=[one, *rest]), is_or=n > 0, is_either=n > 0
            )
            for n, v in enumerate(of_two.value)
            if (one := replace(of_two, test=Test.EQUALS, value=v))
        ]


def bind(draft: Draft, root: Variable) -> None:
    """Hold the numbers of what is asked for against others, each on the nearest of its type."""
    for bound in draft.bounds:
        hosts = [v for v in root.walk() if v.type == bound.type and v.anchor is None]
        if hosts:
            min(hosts, key=lambda v: gap(v.span, bound.span)).bounds.append(bound)


def leave_out_itself(draft: Draft, root: Variable) -> None:
    """Leave X out of "which others have the same Y as X", "which share a Y with X"."""
    sketch = draft.sketch
    is_other = _OTHER & set(sketch.words(root.span.first - 2, root.span.first))
    is_other |= _OTHER & set(sketch.words(root.span.last, root.span.last + 1))
    for variable in list(root.walk())[1:]:
        anchor = variable.anchor
        if anchor is None or anchor.type != root.type or not anchor.ids:
            continue
        before = sketch.words(anchor.span.first - _FAR_SAME, anchor.span.first)
        is_same = "as" in before[-2:] and "same" in before
        is_shared = "with" in before[-2:] and bool(_SHARING & set(before))
        if (is_same or is_shared or is_other) and anchor not in root.excluded:
            root.excluded.append(anchor)
