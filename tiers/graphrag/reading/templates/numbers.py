"""Numbers: in a property, on a relation, summed or averaged."""

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.measuring import described_by_adjective, numbers_said
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.sketch import PropertyWord
from tiers.graphrag.reading.statement import described_numbers, is_number
from tiers.graphrag.reading.summing import SIDES, ends_meant, narrowed_sides
from tiers.graphrag.reading.templates.common import finish, touches
from tiers.graphrag.reading.templates.rankings import counted_each, per_each, ranking_cues
from trivium.domain.question import Span
from trivium.domain.schema import PropertyKind, RelationType


def measured(draft: Draft) -> Plan | None:
    """Read a number: on one relation, summed or averaged over many."""
    how = _how(draft)
    is_ranked = draft.cues("most", "least") and draft.sketch.focus is not None
    if is_ranked:
        return None
    if ranking_cues(draft):
        return _mean_per(draft) if how == "mean" else None
    return _adjective(draft, how) or _amount(draft) or _named_number(draft, how) or _money(draft)


def _mean_per(draft: Draft) -> Plan | None:
    """Read "mean revenue per product": each has one, so their mean is meant."""
    owner = per_each(draft)
    if owner is None or draft.cues("most", "least"):
        return None
    each = counted_each(draft, owner) if draft.cues("count") else None
    if each is not None:
        draft.plan.add("reduce_scores", scores=each[0], how="mean")
        return finish(draft, Form.NUMBER, "mean of each", f"mean over {owner} of {each[1]}")
    if draft.cues("count"):
        return None
    said = Span(first=0, last=len(draft.sketch.tokens))
    found = numbers_said(draft, owner, said, None)
    own = next((m for m in found if m.relation is None and m.holder is None), None)
    is_other = any(t.type != owner for t in draft.sketch.types)
    if own is None or is_other or draft.cues("rank") != ranking_cues(draft)[:1]:
        return None
    return _over_type(draft, owner, own.name, "mean")


def _adjective(draft: Draft, how: str | None) -> Plan | None:
    """Read "how deep is X", "how old are our ships on average": the number that is asked for."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    at = next((i for i, w in enumerate(words[:-1]) if w == "how"), None)
    if at is None or words[at + 1] in {"many", "much", "long", "far", "often"}:
        return None
    here = [t.type for t in sketch.types] or [a.type for a in sketch.anchors]
    asked = Span(first=at + 1, last=at + 2)
    for node_type in dict.fromkeys(here):
        found = described_by_adjective(draft, node_type, asked)
        own = next((m for m in found if m.relation is None and m.holder is None), None)
        is_one = any(a.type == node_type for a in sketch.anchors)
        if own is not None and (how or is_one):
            return _over_type(draft, node_type, own.name, how or "sum")
    return None


def _how(draft: Draft) -> str | None:
    if draft.cues("average"):
        return "mean"
    return "sum" if draft.cues("sum") else None


def _amount(draft: Draft) -> Plan | None:
    """Read "how many X has Y": the amount on the relation that joins the two."""
    sketch = draft.sketch
    if len(sketch.anchors) != 2 or sketch.focus is not None:
        return None
    first, second = sketch.anchors
    for cue in draft.cues("count"):
        is_of_type = sketch.type_after(cue.span.last, within=1)
        found = _amount_relation(draft, first.type, second.type)
        if found and not is_of_type:
            relation, name = found
            return _on_relation(draft, relation, name, "sum")
    opening = frozenset(t.stem for t in sketch.tokens[:4])
    for owner, name in described_numbers(sketch, opening, enough=1.4):
        named = sketch.schema.relation_types.get(owner)
        if named and _joins_two(draft, named):
            return _on_relation(draft, named, name, "sum")
    return None


def _money(draft: Draft) -> Plan | None:
    """Read "how much does X give": the one amount of money on what joins X to others."""
    sketch = draft.sketch
    asks = [
        c for c in draft.cues("count") if sketch.words(c.span.last - 1, c.span.last) == ["much"]
    ]
    if not asks or not sketch.anchors or sketch.type_after(asks[0].span.last, within=0):
        return None
    types = {a.type for a in sketch.anchors}
    named = set(sketch.relation_names())
    found = [
        (r, p.name)
        for r in sketch.schema.relation_types.values()
        if any(types & set(ends) for ends in r.ends)
        for p in r.properties.values()
        if p.kind is PropertyKind.NUMBER and (p.unit or "").split(" ")[0].isupper()
    ]
    found = [f for f in found if f[0].name in named] or found
    return _on_relation(draft, *found[0], "sum") if len(found) == 1 else None


def _amount_relation(draft: Draft, a: str, b: str) -> tuple[RelationType, str] | None:
    """Return the relation between two types that has one number, with its name."""
    named = draft.sketch.relation_names()
    fitting = [
        (r, numbers[0])
        for r in draft.sketch.schema.relation_types.values()
        if any({s, t} == {a, b} for s, t in r.ends)
        and (numbers := [p.name for p in r.properties.values() if p.kind is PropertyKind.NUMBER])
    ]
    fitting.sort(key=lambda f: f[0].name not in named)
    return fitting[0] if fitting else None


def _named_number(draft: Draft, how: str | None) -> Plan | None:
    """Read a number that the question names, of what it says."""
    sketch = draft.sketch
    if how is None and (not _asks_number(draft) or _asks_which(draft)):
        return None
    typed = {t.type for t in sketch.types}
    far: tuple[list[str], str] | None = None
    for word in sorted(
        sketch.properties,
        key=lambda w: (
            not _is_between_names(draft, w),
            not _is_present(draft, w),
            not typed & set(w.owners),
            -w.score,
            w.span.first,
        ),
    ):
        owners = [o for o in word.owners if is_number(sketch, o, word.name)]
        is_verb = any(t.span == word.span and t.score >= word.score for t in sketch.relations)
        if not owners or is_verb or (how is None and not _is_asked(draft, word.span)):
            continue
        plan = _of_owner(draft, owners, word.name, how)
        if plan:
            return plan
        far = far or ((owners, word.name) if word.score >= 0.9 else None)
    if far:
        return _of_owner(draft, *far, how, is_far=True)
    if how is None and sketch.focus is not None:
        return None
    return _described_number(draft, how)


def _is_present(draft: Draft, word: PropertyWord) -> bool:
    """Whether what has a number is named, or joins what is."""
    here = {t.type for t in draft.sketch.types} | {a.type for a in draft.sketch.anchors}
    relations = draft.sketch.schema.relation_types
    joining = [relations[o] for o in word.owners if o in relations]
    return bool(here & set(word.owners)) or any(touches(r, t) for r in joining for t in here)


def _is_between_names(draft: Draft, word: PropertyWord) -> bool:
    """Whether a number is of a relation that joins two names of the question."""
    relations = draft.sketch.schema.relation_types
    return any(o in relations and _joins_two(draft, relations[o]) for o in word.owners)


def _described_number(draft: Draft, how: str | None) -> Plan | None:
    tokens = draft.sketch.tokens
    said_words = frozenset(t.stem for t in tokens)
    found = described_numbers(draft.sketch, said_words, enough=1.4)
    for cue in draft.cues("sum", "average", "count"):
        after = frozenset(t.stem for t in tokens[cue.span.last : cue.span.last + 2])
        found = found or described_numbers(draft.sketch, after)
    for name in dict.fromkeys(name for _, name in found):
        plan = _of_owner(draft, [o for o, n in found if n == name], name, how)
        if plan:
            return plan
    return None


def _asks_number(draft: Draft) -> bool:
    words = draft.sketch.words(0, 3)
    stated = {s for statement in draft.stated for s in statement.spans}
    opens = any(
        (
            p.span.first == 0
            or draft.sketch.words(0, p.span.first) in (["the"], ["total"])
            or any((a.span.first, a.span.last) == (0, p.span.first) for a in draft.sketch.anchors)
        )
        and p.score >= 0.8
        and p.span not in stated
        and not any(t.span.first < p.span.first for t in draft.sketch.types)
        for p in draft.sketch.properties
    )
    return bool(draft.cues("count")) or bool(set(words) & {"what", "how"}) or opens


def _asks_which(draft: Draft) -> bool:
    """Whether entities are asked for: "which plants", "what parts"."""
    focus = draft.sketch.focus
    if focus is None or draft.cues("count"):
        return False
    before = draft.sketch.words(focus.span.first - 1, focus.span.first)
    is_compound = any(p.span.first == focus.span.last for p in draft.sketch.properties)
    return before in (["which"], ["what"]) and not is_compound


def _is_asked(draft: Draft, span: Span) -> bool:
    """Whether a number is what is asked for: right after "how many", "how much" or "what"."""
    sketch = draft.sketch
    before = sketch.words(span.first - 3, span.first)
    focus = sketch.focus
    is_own = sketch.words(span.first - 2, span.first) == ["how", "many"]
    is_counted = focus is not None and draft.cues("count") and not is_own
    is_first = bool(set(before) & {"many", "much", "what", "which", "long", "number"})
    opens = (
        span.first <= 1
        or any(a.span.last == span.first for a in sketch.anchors)
        or (sketch.words(0, 1) == ["what"] and len(sketch.anchors) == 2)
    )
    return (is_first or opens) and not is_counted


def _of_owner(
    draft: Draft, owners: list[str], name: str, how: str | None, *, is_far: bool = False
) -> Plan | None:
    """Return the plan for a number of a relation, or of a type.

    ``is_far`` allows a relation of which neither end is named.
    """
    schema = draft.sketch.schema
    typed = [t.type for t in draft.sketch.types]
    here = typed + [a.type for a in draft.sketch.anchors]
    relations = [r for o in owners if (r := schema.relation_types.get(o))]
    types = [o for o in owners if o in schema.node_types]
    named = [o for o in types if o in typed] or [o for o in types if o in here]
    joined = [r for r in relations if is_far or _joins(r, here)]
    both = [r for r in joined if _joins_two(draft, r)]
    if both:
        return _on_relation(draft, both[0], name, how or "sum")
    if named or (types and not joined):
        return _over_type(draft, (named or types)[0], name, how or "sum")
    if joined:
        return _on_relation(draft, joined[0], name, how or "sum")
    return None


def _joins(relation: RelationType, here: list[str]) -> bool:
    return not here or any(set(ends) & set(here) for ends in relation.ends)


def _joins_two(draft: Draft, relation: RelationType) -> bool:
    """Whether a name stands at both ends of a relation."""
    types = [a.type for a in draft.sketch.anchors]
    return any(s in types and t in types and (s != t or len(types) > 1) for s, t in relation.ends)


def _over_type(draft: Draft, node_type: str, name: str, how: str) -> Plan | None:
    own = [a for a in draft.sketch.anchors if a.type == node_type]
    sets = [draft.anchor_set(a) for a in own] if all(a.ids for a in own) else []
    nodes = draft.union(sets) if sets else members(draft, node_type)
    scores = draft.plan.add("node_values", nodes=nodes, property=name)
    draft.plan.add("reduce_scores", scores=scores, how=how)
    said_so = f"{how} of {name} over {'; '.join(draft.said) or draft.names(own)}"
    return finish(draft, Form.NUMBER, "property number", said_so)


def _on_relation(draft: Draft, relation: RelationType, name: str, how: str) -> Plan:
    """Read a number on the relations between what is named."""
    source, target = ends_meant(draft, relation)
    sides: dict[str, Ref] = narrowed_sides(draft, relation)
    for side, node_type in (("sources", source), ("targets", target)):
        for anchor in draft.sketch.anchors:
            if anchor.type == node_type and side not in sides and anchor.span not in draft.used:
                sides[side] = draft.anchor_set(anchor)
                draft.used.add(anchor.span)
        is_event = draft.sketch.schema.node_types[node_type].is_event
        if is_event and side not in sides and draft.cues("open"):
            sides[side] = members(draft, node_type)
    others = [a for a in draft.sketch.anchors if a.span not in draft.used]
    others = [a for a in others if a.type not in (source, target) or len(sides) < len(SIDES)]
    if others or any(not s.relations for s in draft.stated) or _has_far_type(draft, relation):
        side, node_type = _nearer_side(draft, {"sources": source, "targets": target}, sides)
        if side not in sides:
            sides[side] = members(draft, node_type)
    edges = draft.plan.add(
        "relation_values",
        relation=relation.name,
        property=name,
        where=draft.relation_conditions(relation.name),
        as_of=draft.when,
        **sides,
    )
    draft.plan.add("reduce_scores", scores=edges, how=how)
    said_so = f"{how} of {name} on {relation.name}: {draft.names(draft.sketch.anchors)}"
    return finish(draft, Form.NUMBER, "relation number", said_so)


def _nearer_side(draft: Draft, ends: dict[str, str], taken: dict[str, Ref]) -> tuple[str, str]:
    """Return the free end of a relation that is nearest to what else is named."""
    far = [a.type for a in draft.sketch.anchors if a.span not in draft.used]
    named = {t.type for t in draft.sketch.types}

    def distance(side: str) -> tuple[bool, float]:
        ways = [draft.way(node_type, ends[side]) for node_type in far]
        cost = sum(way.cost if way else 9.0 for way in ways)
        return ends[side] not in named, cost

    free = [side for side in ends if side not in taken]
    chosen = min(free or list(ends), key=distance)
    return chosen, ends[chosen]


def _has_far_type(draft: Draft, relation: RelationType) -> bool:
    ends = {e for pair in relation.ends for e in pair}
    return any(t.type not in ends for t in draft.sketch.types)
