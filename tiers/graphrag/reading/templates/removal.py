"""What if: who could step in, what is left without, what a fault reaches."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.again import self_relations
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import members, resolve
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Anchor, Sketch
from tiers.graphrag.reading.statement import number_owners
from tiers.graphrag.reading.supporting import supported
from tiers.graphrag.reading.templates.common import (
    counted_or_listed,
    finish,
    limit_of,
    settled,
    starts_as_yes_no,
)
from tiers.graphrag.reading.tree import Variable, said_path
from tiers.graphrag.reading.voice import directed, repeated
from trivium.domain.question import Span

_ELSEWHERE: Final = frozenset({"else", "elsewhere", "anywhere", "anyone", "anybody"})

_SURE: Final = 0.9
_WIDE: Final = ("downstream", "everything", "removal", "upstream", "impact")


def stand_ins(draft: Draft) -> Plan | None:
    """Read who could take over, by what they do for others of the kind."""
    if not draft.cues("alternatives") or not draft.sketch.anchors:
        return None
    focus = draft.sketch.focus
    named = {t.name for t in draft.sketch.relations}
    for anchor in settled(draft):
        if self_relations(draft, anchor.type) & named:
            return None
        for hop in draft.sketch.paths.feeders(anchor.type):
            if anchor.ids and (focus is None or hop.to_type == focus.type):
                nodes = draft.plan.add(
                    "alternatives", node=anchor.ids[0], hop=hop, as_of=draft.when
                )
                said = f"{hop.to_type} that could stand in for {anchor.label}"
                return counted_or_listed(draft, nodes, "alternatives", said)
    return None


def removal(draft: Draft) -> Plan | None:
    """Read what is left without, when something is taken out."""
    sketch = draft.sketch
    if not _leaves_without(draft) or not sketch.anchors or sketch.focus is None:
        return None
    focus = sketch.focus.type
    removed = removed_of(draft, focus)
    if not removed:
        return None
    draft.used |= {
        c.span for c in draft.cues("left_without", "removal", "hypothetical", "negation")
    }
    nodes = draft.union([draft.anchor_set(a) for a in removed])
    rest = [a for a in sketch.anchors if a not in removed]
    path = draft.path(removed[0].type, focus)
    gone = Variable(type=removed[0].type, span=removed[0].span, anchor=removed[0])
    path = supported(draft, path, gone, Variable(type=focus, span=sketch.focus.span))
    said = f"{focus} left with nothing without {draft.names(removed)} ({said_path(path)})"
    if rest:
        return counted_or_listed(
            draft, _lost_of(draft, focus, removed, nodes), "left without", said
        )
    cascade = draft.plan.add(
        "simulate_removal", nodes=nodes, path=draft.hops(path), as_of=draft.when
    )
    lost = draft.plan.add("left_without", cascade=cascade)
    tree = grow(draft, focus, without=removed)
    if tree.conditions:
        others = draft.everything(focus, tuple(tree.conditions))
        lost = draft.plan.add("combine", how="intersection", sets=(lost, others))
    return counted_or_listed(draft, lost, "left without", said)


def worst_loss(draft: Draft) -> Plan | None:
    """Read "which supplier would hurt us most if we lost it": whose fault reaches most."""
    sketch = draft.sketch
    focus = sketch.focus.type if sketch.focus else None
    others = {t.type for t in sketch.types} - {focus}
    is_lost = draft.cues("hypothetical", "left_without") or _supposes(draft)
    is_asked = draft.cues("most") and is_lost
    if not is_asked or focus is None or others or sketch.anchors or draft.cues("count"):
        return None
    nodes = members(draft, focus)
    scores = draft.plan.add("count_effects", nodes=nodes, types=(), as_of=draft.when)
    draft.plan.add("rank_scores", scores=scores, limit=limit_of(draft) or 1)
    said = f"{draft.said[-1]} by how much a fault of each reaches, most first"
    return finish(draft, Form.RANKING, "worst loss", said)


def _supposes(draft: Draft) -> bool:
    """Whether something is said to be lost, and not only over: "the most recently closed event"."""
    words = set(draft.sketch.words(0, len(draft.sketch.tokens)))
    return bool(draft.cues("removal")) and bool({"would", "could", "loss", "losing"} & words)


def _leaves_without(draft: Draft) -> bool:
    """Whether what has nothing left is asked for: said so, or "then ... nobody"."""
    sketch = draft.sketch
    start = sketch.focus.span.first if sketch.focus else 0
    is_told = any(a.span.last <= b <= start for a in sketch.anchors for b in sketch.breaks)
    if any(not _loses_one(sketch, c.span) for c in draft.cues("left_without")):
        return is_told or bool(draft.cues("removal", "hypothetical")) or not draft.cues("negation")
    words = draft.cue_words("negation")
    empty = words & {"nobody", "nothing", "none", "no"} or _has_not_any(sketch, start)
    opens = sketch.words(0, 1) == ["without"]
    if opens and is_told and {"lack", "lacks"} & words:
        return True
    if words and _ELSEWHERE & set(sketch.words(start, 99)) and draft.cues("removal"):
        return is_told
    would = {"would", "then", "will", "could", "can"} & set(draft.sketch.words(0, 99))
    would |= {"all"} if draft.sketch.question.text.rstrip(" ?.").endswith("at all") else set()
    return bool(draft.cues("removal", "hypothetical") and is_told and empty and would)


def _has_not_any(sketch: Sketch, start: int) -> bool:
    """Whether what is asked for has not a single one of what is taken out: "not by any team"."""
    gone = {a.type for a in sketch.anchors}
    negated = [c.span.last for c in sketch.question.cues_of("negation") if c.span.first > start]
    return any(
        {"any", "single"} & set(sketch.words(at, word.span.first))
        for word in sketch.types
        for at in negated
        if word.type in gone and at < word.span.first
    )


def _loses_one(sketch: Sketch, cue: Span) -> bool:
    """Whether one of several is lost, and the others may stay: "would lose a lawyer"."""
    is_loss = sketch.words(cue.last - 1, cue.last) in (["lose"], ["loses"])
    return is_loss and sketch.words(cue.last, cue.last + 1) in (["a"], ["an"], ["one"], ["some"])


def removed_of(draft: Draft, focus: str) -> list[Anchor]:
    """Return the anchors that are taken out: those nearest to the word that says so."""
    anchors = [a for a in draft.sketch.anchors if a.type != focus]
    cues = draft.cues("removal", "hypothetical")
    if not anchors or not cues or len({a.type for a in anchors}) == 1:
        return anchors
    near = min(anchors, key=lambda a: min(abs(a.span.first - c.span.first) for c in cues))
    return [a for a in anchors if a.type == near.type]


def _lost_of(draft: Draft, focus: str, removed: list[Anchor], nodes: Ref) -> Ref:
    """Return what has something now, within all else that is said, and nothing afterwards."""
    tree = grow(draft, focus, without=removed)
    for _, branch in tree.all_branches():
        branch.is_negated = False
    place = resolve(draft, tree)
    hits = draft.lead(nodes, draft.path(removed[0].type, focus))
    others = draft.plan.add("set_complement", type=removed[0].type, nodes=nodes, as_of=draft.when)
    for variable in list(tree.walk())[1:]:
        way = draft.way(removed[0].type, variable.type)
        if way and len(way.hops) == 1:
            near = draft.lead(resolve(draft, variable), way.back())
            others = draft.plan.add("combine", how="intersection", sets=(others, near))
    still = draft.lead(others, draft.path(removed[0].type, focus))
    had = draft.plan.add("combine", how="intersection", sets=(place, hits))
    return draft.plan.add("combine", how="difference", sets=(had, still))


def spreading(draft: Draft) -> Plan | None:
    """Read all that a fault reaches, or all that something rests on, over several types."""
    sketch = draft.sketch
    wanted = tuple(dict.fromkeys(t.type for t in sketch.wanted))
    anchors = [a for a in sketch.anchors if a.type not in wanted or len(wanted) > 1]
    if draft.cues("sum", "average") and any(p.score >= _SURE for p in sketch.properties):
        return None  # "add up the limits of everything that"
    if not _is_wide(draft, wanted, anchors) or _asks_less(draft, wanted, anchors):
        return None
    told = {o for s in draft.stated for o, _ in s.owners}
    if wanted and (not draft.cues(*_WIDE) or (len(wanted) > 1 and told & set(wanted))):
        return _several(draft, wanted)
    up = draft.cues("upstream") and not draft.cues(
        "downstream", "removal", "hypothetical", "impact"
    )
    direction = "upstream" if up else "downstream"
    types = wanted
    if _says_everything(draft):
        types = tuple(dict.fromkeys(t.type for t in sketch.types if t.type != anchors[0].type))
    chain = _own_chain(draft, anchors) or _chain(draft, anchors, types)
    if chain:
        return chain
    draft.plan.add(
        "subgraph",
        nodes=draft.union([draft.anchor_set(a) for a in anchors]),
        direction=direction,
        types=types,
        as_of=draft.when,
    )
    said = f"everything {direction} of {draft.names(anchors)}"
    return finish(draft, Form.NODES, direction, said + (f": {', '.join(types)}" if types else ""))


def _is_wide(draft: Draft, wanted: tuple[str, ...], anchors: list[Anchor]) -> bool:
    """Whether all that one thing reaches, or several that fail together, is asked for."""
    is_one = len(wanted) == 1 and not _says_everything(draft)
    if len({a.type for a in anchors}) != 1 or is_one:
        return False
    if len(anchors) > 1 and not draft.cues("removal", "impact", "downstream"):
        return False
    return bool(draft.cues(*_WIDE)) or len(wanted) > 1


def _asks_less(draft: Draft, wanted: tuple[str, ...], anchors: list[Anchor]) -> bool:
    """Whether a truth, a person, a number, or what is joined directly is asked for."""
    sketch = draft.sketch
    is_all = draft.cues("everything") and draft.cues("impact", "downstream", "upstream")
    is_open = not (wanted or is_all or _says_everything(draft))
    others = [t for t in sketch.types if t.type != anchors[0].type]
    if starts_as_yes_no(draft) or draft.cues("count") or sketch.asked_in_vain or _adds_up(draft):
        return True
    if not wanted and (sketch.values or _asks_person(draft)):
        return True
    return is_open and bool(others or draft.cues("direct"))


def _adds_up(draft: Draft) -> bool:
    """Whether a number is added up that is named first: "Tonnes that reach X, all added up"."""
    sketch = draft.sketch
    held = [p for p in sketch.properties if number_owners(sketch, p)]
    if draft.cues("sum"):
        return any(p.span.first <= 1 for p in held)
    return any(sketch.words(p.span.first - 1, p.span.first) == ["remaining"] for p in held)


def _asks_person(draft: Draft) -> bool:
    return bool(draft.sketch.relations) and bool({"who", "whom"} & set(draft.sketch.words(0, 99)))


def _own_chain(draft: Draft, anchors: list[Anchor]) -> Plan | None:
    """Follow a relation of a type with itself to its end: "everything that follows X"."""
    start = anchors[0].type
    if draft.sketch.wanted or len(anchors) > 1:
        return None
    steps = {h.relation: h for other, h, _ in draft.sketch.paths.hops_from(start) if other == start}
    named = next((n for n in draft.sketch.relation_names() if n in steps), None)
    if named is None:
        return None
    path = TypedPath(hops=(steps[named],), types=(start, start), cost=1)
    path = repeated(directed(draft.sketch, path, anchors[0].span))
    nodes = draft.anchor_set(anchors[0])
    draft.plan.add("combine", how="difference", sets=(draft.lead(nodes, path.back()), nodes))
    said = f"all {start} that {named} leads to, step by step, from {anchors[0].label}"
    return finish(draft, Form.NODES, "own chain", said)


def _chain(draft: Draft, anchors: list[Anchor], types: tuple[str, ...]) -> Plan | None:
    """Follow the way on which several types are named, each a step on from the one before it."""
    start = anchors[0].type
    if len(types) < 2 or start in types:
        return None
    nodes = draft.union([draft.anchor_set(a) for a in anchors])
    found, here = [], start
    for node_type in types:
        path = draft.way(here, node_type)
        if path is None or len(path.hops) != 1:
            return None
        nodes = draft.lead(nodes, path)
        found.append(nodes)
        here = node_type
    draft.plan.add("combine", how="union", sets=tuple(found))
    said = f"{', '.join(types)} on the way from {draft.names(anchors)}"
    return finish(draft, Form.NODES, "chain", said)


def _several(draft: Draft, wanted: tuple[str, ...]) -> Plan:
    """Read several types asked for side by side, each with all that is said."""
    draft.plan.add("combine", how="union", sets=tuple(members(draft, t) for t in wanted))
    return finish(draft, Form.NODES, "several types", "; ".join(draft.said))


def _says_everything(draft: Draft) -> bool:
    """Whether all is asked for, with a list of types after it or none."""
    words = draft.sketch.words(0, 9)
    runs = [c for c in draft.cues("upstream", "downstream") if c.span.first <= 1]
    is_list = bool(runs) and any(2 <= s <= 8 for s in draft.sketch.stops)
    says = ("everything" in words and draft.cues("everything")) or is_list
    return bool(says) and not (draft.sketch.focus and _asks_type(draft))


def _asks_type(draft: Draft) -> bool:
    focus = draft.sketch.focus
    before = draft.sketch.words(focus.span.first - 3, focus.span.first) if focus else []
    return bool(set(before) & {"which", "what"})
