"""What can no longer be made once something is gone: all that goes into it is needed."""

from typing import Final

from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.supporting import supported
from tiers.graphrag.reading.templates.common import counted_or_listed
from tiers.graphrag.reading.templates.removal import removed_of
from tiers.graphrag.reading.tree import Variable, said_path
from trivium.language.text import spoken, stem, stems
from trivium.language.words import general_words

_MAKING: Final = frozenset(
    stem(w) for w in ("build", "built", "make", "made", "assemble", "produce", "manufacture",
                      "finish", "complete", "cook", "brew", "bake")
)  # fmt: skip
_NOT: Final = (["no", "longer"], ["not"], ["cannot"], ["can", "t"], ["couldn", "t"], ["never"],
               ["can't"], ["couldn't"], ["cant"])  # fmt: skip
_BETWEEN: Final = frozenset({"be", "we", "longer", "any", "more", "it", "they", "then"})
_TAKEN: Final = ("removal", "hypothetical", "left_without", "negation", "comparative")


def unmade(draft: Draft) -> Plan | None:
    """Read "which products could we no longer build without X"."""
    sketch = draft.sketch
    if sketch.focus is None or not _cannot_make(sketch):
        return None
    is_taken = draft.cues("removal", "hypothetical") or "without" in sketch.words(0, 99)
    removed = removed_of(draft, sketch.focus.type) if is_taken else []
    if not removed or len(removed) < len(sketch.anchors):
        return None
    focus, gone = sketch.focus.type, removed[0]
    path = draft.path(gone.type, focus)
    start = Variable(type=gone.type, span=gone.span, anchor=gone)
    path = supported(draft, path, start, Variable(type=focus, span=sketch.focus.span))
    draft.used |= {c.span for c in draft.cues(*_TAKEN)}
    lost = _lost(draft, draft.union([draft.anchor_set(a) for a in removed]), draft.hops(path))
    tree = grow(draft, focus, without=removed)
    if not tree.is_bare:
        sets = (lost, resolve(draft, tree))
        lost = draft.plan.add("combine", how="intersection", sets=sets)
    said = f"{focus} that cannot be made without {draft.names(removed)} ({said_path(path)})"
    return counted_or_listed(draft, lost, "unmade", said)


def _cannot_make(sketch: Sketch) -> bool:
    """Whether what can no longer be made is asked for: "could no longer be built"."""
    for index, token in enumerate(sketch.tokens):
        before = sketch.words(index - 4, index)
        while before and before[-1] in _BETWEEN - {"longer"}:
            before.pop()
        if token.stem in _MAKING and any(before[-len(no) :] == no for no in _NOT):
            return True
    return False


def _lost(draft: Draft, nodes: Ref, hops: tuple[Hop, ...]) -> Ref:
    """Return what is lost at the end of a way: at each step all, or any one, must be lost."""
    pending: list[Hop] = []
    for hop in hops:
        if not _needs_all(hop):
            pending.append(hop)
            continue
        nodes = draft.plan.add("follow", nodes=_left(draft, nodes, pending), path=(hop,))
        pending = []
    return _left(draft, nodes, pending)


def _left(draft: Draft, nodes: Ref, hops: list[Hop]) -> Ref:
    if not hops:
        return nodes
    cascade = draft.plan.add("simulate_removal", nodes=nodes, path=tuple(hops), as_of=draft.when)
    return draft.plan.add("left_without", cascade=cascade)


def _needs_all(hop: Hop) -> bool:
    """Whether a step leads to what needs each of several: from a part to what requires it."""
    return not hop.outgoing and stems(spoken(hop.relation))[0] in general_words().needing
