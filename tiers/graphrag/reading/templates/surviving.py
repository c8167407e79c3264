"""What goes on when something is taken out: what still has one of what it rests on."""

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.sketch import Anchor
from tiers.graphrag.reading.supporting import supported
from tiers.graphrag.reading.templates.common import counted_or_listed
from tiers.graphrag.reading.templates.removal import removed_of
from tiers.graphrag.reading.tree import Branch, Variable, said, said_path
from trivium.domain.question import Span


def survivors(draft: Draft) -> Plan | None:
    """Read "which tours still have a haulier without X", "which would keep going"."""
    sketch = draft.sketch
    told = draft.cues("remaining")
    is_taken = draft.cues("removal", "hypothetical") or sketch.words(0, 1) == ["without"]
    is_other = draft.cues("left_without", "single", "plural", "distance", "path", "closure")
    if not told or not is_taken or is_other or sketch.focus is None:
        return None
    removed = removed_of(draft, sketch.focus.type)
    if not removed:
        return None
    return _surviving(draft, sketch.focus.type, removed, told[0].span)


def dwindled(draft: Draft) -> Plan | None:
    """Read "down to one supplier if X stopped": what has something of X now, and one thing else."""
    sketch = draft.sketch
    told = [c for c in draft.cues("single") if _is_what_is_left(draft, c.span)]
    if not told or not draft.cues("removal", "hypothetical") or sketch.focus is None:
        return None
    focus = sketch.focus.type
    removed = removed_of(draft, focus)
    if not removed or len(sketch.anchors) > len(removed):
        return None
    path = draft.path(focus, removed[0].type)
    if len(path.hops) != 1:
        return None
    nodes = draft.union([draft.anchor_set(a) for a in removed])
    others = draft.plan.add("set_complement", type=removed[0].type, nodes=nodes, as_of=draft.when)
    had = draft.lead(nodes, path.back())
    scores = draft.plan.add(
        "count_edges", nodes=had, path=draft.hops(path), within=others, as_of=draft.when
    )
    left = draft.plan.add("select", scores=scores, test=Test.EQUALS, value=1.0)
    said = f"{focus} with one {removed[0].type} left without {draft.names(removed)}"
    return counted_or_listed(draft, left, "down to one", said)


def _is_what_is_left(draft: Draft, count: Span) -> bool:
    """Whether a count is of what is left: "down to a single", "left with only one"."""
    said = draft.sketch.words(count.first - 2, count.last)
    return any(said[i : i + 2] in (["down", "to"], ["left", "with"]) for i in range(len(said)))


def _surviving(draft: Draft, focus: str, removed: list[Anchor], told: Span) -> Plan | None:
    """Take what would be left without out of all that has something now."""
    taken = draft.cues("removal", "hypothetical", "negation", "remaining", "above")
    draft.used |= {c.span for c in taken}
    draft.used |= {q.span for q in draft.sketch.question.quantities if q.span.first >= told.first}
    gone = Variable(type=removed[0].type, span=removed[0].span, anchor=removed[0])
    path = draft.path(gone.type, focus)
    path = supported(draft, path, gone, Variable(type=focus, span=Span(first=0, last=0)))
    nodes = draft.union([draft.anchor_set(a) for a in removed])
    cascade = draft.plan.add(
        "simulate_removal", nodes=nodes, path=draft.hops(path), as_of=draft.when
    )
    lost = draft.plan.add("left_without", cascade=cascade)
    tree = grow(draft, focus, without=removed)
    if not any(b.path.types[-1] == gone.type for b in tree.branches):
        back = path.back()
        some = Variable(type=gone.type, span=told)
        tree.branches.append(Branch(child=some, path=back, span=told))
    kept = draft.plan.add("combine", how="difference", sets=(resolve(draft, tree), lost))
    words = f"{said(tree)}, less what is left without {draft.names(removed)} ({said_path(path)})"
    return counted_or_listed(draft, kept, "still has", words)
