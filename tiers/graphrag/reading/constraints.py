"""What a question says of the type that it asks for, as sets, and their combination."""

from collections.abc import Iterable

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plan import Ref
from tiers.graphrag.reading.draft import Constraint, Draft
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Anchor, TypeWord
from trivium.domain.question import Cue, Span
from trivium.domain.schema import Effect


def members(draft: Draft, focus: str, *, without: Iterable[Anchor] = ()) -> Ref:
    """Return the entities of ``focus`` that meet all that the question says of them."""
    skipped = {anchor.span for anchor in without}
    base_conditions = draft.type_conditions(focus)
    found = list(_constraints(draft, focus, skipped))
    positive = [c.ref for c in found if not c.is_negated]
    negative = [c.ref for c in found if c.is_negated]
    if base_conditions or not positive:
        if not positive and not negative and not base_conditions:
            existing = _related(draft, focus)
            if existing is not None:
                positive.append(existing)
        if base_conditions or not positive:
            positive.insert(0, draft.everything(focus, base_conditions))
            draft.said.append(_said(focus, base_conditions))
    result = positive[0]
    if len(positive) > 1:
        result = draft.plan.add("combine", how="intersection", sets=tuple(positive))
    if negative:
        result = draft.plan.add("combine", how="difference", sets=(result, *negative))
    return result


def _said(focus: str, conditions: Iterable[object]) -> str:
    told = ", ".join(f"{c.property} {c.test.value} {c.value}" for c in conditions)  # type: ignore[attr-defined]  # conditions
    return f"{focus} with {told}" if told else f"all {focus}"


def _constraints(draft: Draft, focus: str, skipped: set[Span]) -> Iterable[Constraint]:
    yield from _count_constraints(draft, focus)
    for anchor in draft.sketch.anchors:
        if anchor.span in skipped or anchor.span in draft.used:
            continue
        yield _anchor_constraint(draft, focus, anchor)
    yield from _event_constraints(draft, focus)
    yield from _value_constraints(draft, focus)
    yield from _relation_constraints(draft, focus)


def _anchor_constraint(draft: Draft, focus: str, anchor: Anchor) -> Constraint:
    draft.used.add(anchor.span)
    start = draft.anchor_set(anchor)
    negated = _is_negated(draft, anchor.span)
    if anchor.type == focus and not _self_hop(draft, focus):
        excluded = negated or _is_excepted(draft, anchor.span)
        text = f"{'not ' if excluded else ''}{anchor.label}"
        return Constraint(start, anchor.span, excluded, text)
    path = path_from(draft, anchor, focus)
    draft.said.append(f"{'not ' if negated else ''}joined to {anchor.label} ({said_path(path)})")
    if negated:
        return Constraint(draft.lead(start, path), anchor.span, is_negated=True, text=anchor.label)
    return Constraint(draft.lead(start, path), anchor.span, is_negated=False, text=anchor.label)


def path_from(draft: Draft, anchor: Anchor, focus: str) -> TypedPath:
    """Return the way from an anchor to a type; a relation of a type with itself by its voice."""
    if anchor.type == focus:
        hop = _self_hop(draft, focus)
        if hop is not None:
            outgoing = _is_subject(draft, anchor)
            turned = Hop(relation=hop.relation, outgoing=outgoing, to_type=focus)
            return TypedPath(hops=(turned,), types=(focus, focus), cost=1)
    return draft.path(anchor.type, focus)


def _self_hop(draft: Draft, node_type: str) -> Hop | None:
    """Return the hop of a relation that joins a type to itself, the named one first."""
    named = draft.sketch.relation_names()
    hops = [h for other, h, _ in draft.sketch.paths.hops_from(node_type) if other == node_type]
    chosen = [h for h in hops if h.relation in named]
    return (chosen or hops or [None])[0]  # type: ignore[list-item]  # None stands for no hop


def _is_subject(draft: Draft, anchor: Anchor) -> bool:
    """Whether an anchor comes before the verb, so that it is what acts: "what does X call"."""
    verbs = [t.span.first for t in draft.sketch.relations]
    return bool(verbs) and anchor.span.first < max(verbs)


def said_path(path: TypedPath) -> str:
    """Say a path: ``Supplier → Component ← Factory``."""
    parts = [path.types[0]]
    for hop, node_type in zip(path.hops, path.types[1:], strict=True):
        mark = f" –{hop.relation}→ " if hop.outgoing else f" ←{hop.relation}– "
        parts += [mark, node_type]
    return "".join(parts)


def _is_negated(draft: Draft, span: Span) -> bool:
    """Whether a negation is said of what stands at ``span``: it is the next thing after it."""
    for cue in draft.cues("negation"):
        things = [a.span for a in draft.sketch.anchors]
        things += [v.span for v in draft.sketch.values]
        things += [t.span for t in draft.sketch.types if _is_event_type(draft, t)]
        later = [s for s in things if s.first >= cue.span.last]
        target = min(later, key=lambda s: s.first) if later else None
        if target is None:
            earlier = [s for s in things if s.last <= cue.span.first]
            target = max(earlier, key=lambda s: s.first) if earlier else None
        if target == span:
            return True
    return False


def _is_excepted(draft: Draft, span: Span) -> bool:
    return any(0 <= span.first - cue.span.last <= 2 for cue in draft.cues("exception"))


def _is_event_type(draft: Draft, word: TypeWord) -> bool:
    return draft.sketch.schema.node_types[word.type].is_event


def _event_constraints(draft: Draft, focus: str) -> Iterable[Constraint]:
    """Give the sets that open events reach, or the open ones among the events asked for."""
    for word in draft.sketch.types:
        if not _is_event_type(draft, word):
            continue
        opens = [c for c in draft.cues("open") if abs(word.span.first - c.span.last) <= 2]
        if not opens:
            continue
        draft.used.add(opens[0].span)
        happening = draft.plan.add("open_events", types=(word.type,), as_of=draft.when)
        if word.type == focus:
            yield Constraint(happening, word.span, is_negated=False, text="open")
        else:
            negated = _is_negated(draft, word.span)
            reached = draft.lead(happening, draft.path(word.type, focus))
            draft.said.append(f"{'not ' if negated else ''}reached by an open {word.type}")
            yield Constraint(reached, word.span, is_negated=negated, text="open events")


def _value_constraints(draft: Draft, focus: str) -> Iterable[Constraint]:
    """Give the sets that values of other types lead to, and values that must not be."""
    for value in draft.sketch.values:
        owner = draft.owner_of(value)
        if owner is None or value.span in draft.used:
            continue
        draft.used.add(value.span)
        node_type, name = owner
        anchor = Anchor(span=value.span, type=node_type, label=f"{name} {value.value}")
        where = draft.type_conditions(node_type)
        start = draft.everything(node_type, where) if where else None
        if start is None:
            continue
        negated = _is_negated(draft, value.span)
        if node_type == focus:
            yield Constraint(start, value.span, negated, value.value)
            continue
        path = draft.path(node_type, focus)
        draft.said.append(
            f"{'not ' if negated else ''}joined to {anchor.label} ({said_path(path)})"
        )
        yield Constraint(draft.lead(start, path), value.span, negated, value.value)


def _relation_constraints(draft: Draft, focus: str) -> Iterable[Constraint]:
    """Give the ends of relations whose own properties are said something of."""
    if any(step.operator == "follow" for step in draft.plan.steps):
        return
    for _, hop, _ in draft.sketch.paths.hops_from(focus):
        conditions = tuple(draft.relation_conditions(hop.relation))
        if conditions:
            back = Hop(
                relation=hop.relation, outgoing=not hop.outgoing, to_type=focus, where=conditions
            )
            others = draft.everything(hop.to_type or focus)
            reached = draft.plan.add("follow", nodes=others, path=(back,), as_of=draft.when)
            draft.said.append(_said(hop.relation, conditions))
            yield Constraint(reached, Span(first=0, last=0), is_negated=False, text=hop.relation)
            return


def _count_constraints(draft: Draft, focus: str) -> Iterable[Constraint]:
    """Give the sets of what has one, several, or so many of something."""
    for cue in draft.cues("single", "plural"):
        if cue.span in draft.used:
            continue
        path = counted_path(draft, focus, cue)
        if path is None:
            continue
        test, value = (Test.EQUALS, 1.0) if cue.kind == "single" else (Test.ABOVE, 1.0)
        yield _counted(draft, focus, path, test, value, cue)
    for cue in draft.cues("above", "below", "equal"):
        quantity = draft.quantity_after(cue.span.last)
        counted = draft.sketch.type_after(quantity.span.last, within=1) if quantity else None
        if quantity and counted and counted.type != focus:
            draft.used.add(quantity.span)
            test = Test.EQUALS if cue.kind == "equal" else draft.test(cue)
            path = draft.path(focus, counted.type)
            yield _counted(draft, focus, path, test, quantity.number, cue)
    for cue in draft.cues("negation"):
        counted = draft.sketch.type_after(cue.span.last, within=1)
        if counted and counted.type != focus and not _is_qualified(draft, counted):
            draft.used.add(counted.span)
            path = draft.path(focus, counted.type)
            yield _counted(draft, focus, path, Test.EQUALS, 0.0, cue)


def _is_qualified(draft: Draft, word: TypeWord) -> bool:
    """Whether something is said of a type just beside it."""
    things = [a.span for a in draft.sketch.anchors] + [v.span for v in draft.sketch.values]
    near = any(
        abs(s.first - word.span.last) <= 2 or abs(word.span.first - s.last) <= 1 for s in things
    )
    is_open = any(abs(word.span.first - c.span.last) <= 1 for c in draft.cues("open"))
    return near or is_open


def counted_path(draft: Draft, focus: str, cue: Cue) -> TypedPath | None:
    """Return the way to what a cue counts: the type named after it, else what feeds the focus."""
    later = [t for t in draft.sketch.types if 0 <= t.span.first - cue.span.last <= 4]
    later += [t for t in draft.sketch.types if t.span.overlaps(cue.span)]
    counted = next((t for t in later if t.type != focus), None)
    if counted:
        return draft.path(focus, counted.type)
    named = draft.sketch.relation_names()
    feeders = draft.sketch.paths.feeders(focus)
    chosen = [h for h in feeders if h.relation in named] or list(feeders)
    others = [
        (other, hop)
        for other, hop, effect in draft.sketch.paths.hops_from(focus)
        if hop.relation in named and effect is not Effect.NONE
    ]
    if chosen and chosen[0].to_type:
        return TypedPath(hops=(chosen[0],), types=(focus, chosen[0].to_type), cost=1)
    if others:
        return TypedPath(hops=(others[0][1],), types=(focus, others[0][0]), cost=1)
    return None


def _counted(  # noqa: PLR0913  # one count: of what, along what, held against what
    draft: Draft, focus: str, path: TypedPath, test: Test, value: float, cue: Cue
) -> Constraint:
    draft.used.add(cue.span)
    scores = draft.plan.add("aggregate_over_type", type=focus, path=path.hops, as_of=draft.when)
    chosen = draft.plan.add("select", scores=scores, test=test, value=value)
    draft.said.append(f"{focus} whose number of {path.types[-1]} {test.value} {value:g}")
    return Constraint(chosen, cue.span, is_negated=False, text=path.types[-1])


def _related(draft: Draft, focus: str) -> Ref | None:
    """Return what is joined to another type that the question names, where it says no more."""
    for word in draft.sketch.types:
        if word.type != focus and word.span not in draft.used and draft.sketch.relations:
            path = draft.path(word.type, focus)
            if len(path.hops) <= 2:
                draft.said.append(f"joined to a {word.type}")
                return draft.lead(draft.everything(word.type), path)
    return None
