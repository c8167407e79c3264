"""The known shapes of questions: each template reads a sketch and drafts a plan, or passes.

They are tried in order; the first that holds gives the plan. What a template does not know of
is left to ``members``: filters, time, negation and counts combine with every shape.
"""

from collections.abc import Callable
from typing import Final, Literal

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plan import Plan, Ref
from tiers.graphrag.reading.constraints import counted_path, members, path_from, said_path
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Anchor, PropertyWord, Refusal, TypeWord
from trivium.domain.evidence import Reason
from trivium.domain.question import Cue
from trivium.domain.schema import PropertyKind, RelationType

Template = Callable[[Draft], Plan | None]

_YES_NO: Final = frozenset(
    {
        "is",
        "are",
        "was",
        "were",
        "do",
        "does",
        "did",
        "can",
        "could",
        "has",
        "have",
        "will",
        "would",
    }
)


def finish(
    draft: Draft,
    form: Form,
    template: str,
    understood: str,
    *,
    beside: Ref | None = None,
    also: tuple[tuple[Ref, Form], ...] = (),
) -> Plan:
    """Return the plan that a draft has become."""
    at = f", as of {draft.when.text}" if draft.when else ""
    return Plan(
        steps=tuple(draft.plan.steps),
        form=form,
        understood=understood + at,
        template=template,
        beside=beside.step if beside else None,
        also=tuple((ref.step, kind) for ref, kind in also),
    )


def starts_as_yes_no(draft: Draft) -> bool:
    """Whether the question asks for yes or no."""
    words = [t.lower for t in draft.sketch.question.tokens]
    first_wh = next((i for i, w in enumerate(words) if w in {"which", "what", "who", "how"}), 99)
    first = next((i for i, w in enumerate(words[:9]) if w in _YES_NO), 99)
    if first == 0:
        return True
    led_in = draft.cues("exception", "negation") or draft.sketch.question.times
    return bool(led_in) and first < first_wh and first <= 6 and not draft.sketch.has("hypothetical")


# --- structure -----------------------------------------------------------------------------------


def centrality(draft: Draft) -> Plan | None:
    """Read bottlenecks, hubs, influence, loose ends, islands, cut points."""
    sketch = draft.sketch
    without = tuple(
        t.type
        for cue in draft.cues("exception")
        if (t := sketch.type_after(cue.span.last, within=2))
    )
    focus = sketch.focus.type if sketch.focus and sketch.focus.type not in without else None
    operator = next(
        (
            name
            for kind, name in (
                ("bottleneck", "betweenness"),
                ("influence", "pagerank"),
                ("articulation", "cut_points"),
                ("components", "connected_components"),
                ("degree", "degree"),
            )
            if draft.cues(kind)
        ),
        None,
    )
    if operator is None or sketch.anchors or draft.cues("distance", "compare"):
        return None
    if operator == "degree" and focus and len(sketch.types) > 1 + len(without):
        return None
    return _central(draft, operator, focus, without)


def _central(
    draft: Draft, operator: str, focus: str | None, without: tuple[str, ...]
) -> Plan | None:
    if operator == "connected_components":
        groups = draft.plan.add(operator, without=without, as_of=draft.when)
        draft.plan.add("first_groups", groups=groups, largest=False)
        return finish(draft, Form.NODES, "islands", "what does not hang together with the rest")
    if operator == "cut_points":
        draft.plan.add(operator, type=focus, without=without, as_of=draft.when)
        return finish(draft, Form.NODES, "cut points", "without what the graph falls apart")
    scores = draft.plan.add(operator, type=focus, without=without, as_of=draft.when)
    single = operator == "degree" and draft.cues("single")
    counted = draft.quantity_after(0, within=99) if operator == "degree" else None
    if single:
        draft.plan.add("select", scores=scores, test=Test.EQUALS, value=1.0)
        return finish(draft, Form.NODES, "degree", "what has a single relation")
    limit = _limit(draft)
    if limit or (operator == "degree" and counted and draft.cues("above")):
        draft.plan.add("rank_scores", scores=scores, limit=limit)
        return finish(draft, Form.RANKING, operator, f"the {limit} highest by {operator}")
    draft.plan.add("leaders", scores=scores, highest=not draft.cues("least"))
    return finish(draft, Form.NODES, operator, f"the highest by {operator}")


# --- risk ----------------------------------------------------------------------------------------


def risk(draft: Draft) -> Plan | None:
    """Read risk scores: of one, of all, the riskiest, how far apart."""
    sketch = draft.sketch
    has_events = any(t.is_event for t in sketch.schema.node_types.values())
    is_threshold = bool(draft.cues("above", "below")) and draft.cues("score", "risk")
    if not has_events or not (draft.cues("score") or _is_risk_superlative(draft)) or is_threshold:
        return None
    rated = [a for a in sketch.anchors if not sketch.schema.node_types[a.type].is_event]
    if rated:
        sets = [draft.anchor_set(a) for a in rated]
        nodes = draft.plan.add("combine", how="union", sets=tuple(sets)) if sets[1:] else sets[0]
        scores = draft.plan.add("propagate_risk", nodes=nodes, as_of=draft.when)
        if len(rated) == 1 and rated[0].ids:
            draft.plan.add("reduce_scores", scores=scores, how="sum")
            return finish(draft, Form.NUMBER, "risk score", f"the risk score of {rated[0].label}")
        return finish(draft, Form.RANKING, "risk scores", f"risk scores of {draft.names(rated)}")
    if sketch.focus is None:
        return None
    focus = sketch.focus.type
    nodes = members(draft, focus)
    scores = draft.plan.add("propagate_risk", nodes=nodes, as_of=draft.when)
    if draft.cues("difference"):
        draft.plan.add("spread", scores=scores)
        return finish(draft, Form.NUMBER, "risk spread", f"highest less lowest risk of {focus}")
    is_least = bool(draft.cues("least", "ascending"))
    limit = _limit(draft)
    draft.plan.add("rank_scores", scores=scores, highest_first=not is_least, limit=limit)
    return finish(draft, Form.RANKING, "risk scores", f"risk scores of {focus}")


def _is_risk_superlative(draft: Draft) -> bool:
    words = {t.lower for t in draft.sketch.question.tokens}
    is_superlative = bool(words & {"riskiest", "safest"}) or bool(
        draft.cues("risk") and draft.cues("most", "least", "rank")
    )
    return is_superlative and not any(p.name for p in draft.sketch.properties if p.score >= 1)


def _limit(draft: Draft) -> int | None:
    """Return the k of "top k", "two least", "k most"."""
    for cue in draft.cues("most", "least"):
        for quantity in draft.sketch.question.quantities:
            if (
                abs(quantity.span.first - cue.span.last) <= 1
                or abs(cue.span.first - quantity.span.last) <= 1
            ):
                if quantity.number >= 1 and quantity.span not in draft.used:
                    return int(quantity.number)
    return None


# --- two things ----------------------------------------------------------------------------------


def compare(draft: Draft) -> Plan | None:
    """Read a comparison of two things, over all they rest on or over what is named."""
    sketch = draft.sketch
    if len(sketch.anchors) != 2 or not all(len(a.ids) == 1 for a in _settled(draft)):
        return None
    a, b = _settled(draft)
    if a.type != b.type:
        return None
    number = _compared_number(draft, a)
    is_which = bool(draft.cues("above", "below", "most", "least", "average", "compare"))
    if number and is_which and not draft.cues("unique"):
        return _compare_numbers(draft, a, b, number)
    if draft.cues("unique") and sketch.focus and not draft.cues("compare"):
        return _only_one_of(draft, a, b, sketch.focus.type)
    if not draft.cues("compare"):
        return None
    types = tuple(dict.fromkeys(t.type for t in sketch.types if t.type != a.type))
    draft.plan.add("subgraph_diff", a=a.ids[0], b=b.ids[0], types=types, as_of=draft.when)
    what = ", ".join(types) or "all that they rest on and that rests on them"
    return finish(draft, Form.COMPARISON, "compare", f"{a.label} against {b.label}: {what}")


def _settled(draft: Draft) -> list[Anchor]:
    """Return the anchors, those described with one entity behind them named by it."""
    found = []
    for anchor in draft.sketch.anchors:
        if anchor.ids:
            found.append(anchor)
            continue
        ids = described_ids(draft, anchor)
        found.append(
            Anchor(span=anchor.span, type=anchor.type, ids=ids, label=anchor.label)
            if len(ids) == 1
            else anchor
        )
    return found


def described_ids(draft: Draft, anchor: Anchor) -> tuple[str, ...]:
    """Return the entities that an anchor describes, at the moment asked for."""
    from tiers.graphrag.operators.traversal import find_nodes

    return find_nodes(draft.scope.at(draft.when), type=anchor.type, where=anchor.conditions)


def _compared_number(draft: Draft, a: Anchor) -> tuple[str, RelationType | None] | None:
    """Return the number property, of the type or of a relation that it has, that is compared."""
    schema = draft.sketch.schema
    for word in sorted(draft.sketch.properties, key=lambda w: -w.score):
        own = schema.node_types[a.type].properties.get(word.name)
        if own and own.kind is PropertyKind.NUMBER:
            return word.name, None
        for owner in word.owners:
            relation = schema.relation_types.get(owner)
            if relation and _is_number(relation, word.name) and _touches(relation, a.type):
                return word.name, relation
    return None


def _is_number(relation: RelationType, name: str) -> bool:
    item = relation.properties.get(name)
    return item is not None and item.kind is PropertyKind.NUMBER


def _touches(relation: RelationType, node_type: str) -> bool:
    return any(node_type in ends for ends in relation.ends)


def _compare_numbers(
    draft: Draft, a: Anchor, b: Anchor, number: tuple[str, RelationType | None]
) -> Plan:
    name, relation = number
    nodes = draft.plan.add("find_nodes", ids=(a.ids[0], b.ids[0]))
    if relation is None:
        scores = draft.plan.add("node_values", nodes=nodes, property=name)
        shown = name
    else:
        how = "sum" if draft.cues("sum") else "mean"
        outgoing = any(source == a.type for source, _ in relation.ends)
        scores = draft.plan.add(
            "group_by",
            nodes=nodes,
            relation=relation.name,
            property=name,
            how=how,
            outgoing=outgoing,
            as_of=draft.when,
        )
        shown = f"{'total' if how == 'sum' else 'average'}_{name}"
    draft.plan.add("compare_values", a=a.ids[0], b=b.ids[0], name=shown, scores=scores)
    return finish(draft, Form.COMPARISON, "compare values", f"{shown}: {a.label} against {b.label}")


def _only_one_of(draft: Draft, a: Anchor, b: Anchor, focus: str) -> Plan:
    """Read "what A has that B does not"."""
    sets = [draft.lead(draft.anchor_set(x), path_from(draft, x, focus)) for x in (a, b)]
    draft.plan.add("combine", how="difference", sets=tuple(sets))
    return finish(draft, Form.NODES, "difference", f"{focus} of {a.label} and not of {b.label}")


def connection(draft: Draft) -> Plan | None:
    """Read a path between two things, or how far apart they are."""
    if not draft.cues("path", "distance") or len(draft.sketch.anchors) != 2:
        return None
    a, b = _settled(draft)
    if len(a.ids) != 1 or len(b.ids) != 1:
        return None
    if draft.sketch.focus and not draft.cues("distance") and _asks_for_type(draft):
        return None
    paths = draft.plan.add(
        "shortest_path", source=a.ids[0], target=b.ids[0], directed=False, as_of=draft.when
    )
    if draft.cues("distance"):
        draft.plan.add("hops_of", paths=paths)
        return finish(draft, Form.NUMBER, "distance", f"hops between {a.label} and {b.label}")
    return finish(draft, Form.PATH, "path", f"the shortest ways from {a.label} to {b.label}")


def _asks_for_type(draft: Draft) -> bool:
    words = [t.lower for t in draft.sketch.question.tokens]
    focus = draft.sketch.focus
    return (
        focus is not None
        and focus.span.first > 0
        and words[focus.span.first - 1] in {"which", "what"}
    )


# --- time ----------------------------------------------------------------------------------------


def date_of(draft: Draft) -> Plan | None:
    """Read since when, or until when, a relation holds."""
    until = draft.cues("until_when")
    if not draft.cues("since_when", "until_when") or not draft.sketch.anchors:
        return None
    anchors = _settled(draft)
    relation = _relation_between(draft, anchors)
    if relation is None or len(anchors) < 2:
        return None
    sides = {}
    for anchor in anchors:
        sides["sources" if any(s == anchor.type for s, _ in relation.ends) else "targets"] = anchor
    if len(sides) < 2:
        return None
    edges = draft.plan.add(
        "relations_between",
        relation=relation.name,
        sources=draft.anchor_set(sides["sources"]),
        targets=draft.anchor_set(sides["targets"]),
        past=bool(until),
    )
    draft.plan.add("day_of", edges=edges, which="last" if until else "first")
    which = "until" if until else "since"
    return finish(
        draft,
        Form.DATE,
        f"{which} when",
        f"{which} when {relation.name} joins {draft.names(anchors)}",
    )


def _relation_between(draft: Draft, anchors: list[Anchor]) -> RelationType | None:
    """Return the relation that joins two anchors directly, a named one first."""
    types = {a.type for a in anchors}
    named = draft.sketch.relation_names()
    fitting = [
        r
        for r in draft.sketch.schema.relation_types.values()
        if any({s, t} == types or (len(types) == 1 and types <= {s, t}) for s, t in r.ends)
    ]
    fitting.sort(key=lambda r: r.name not in named)
    return fitting[0] if fitting else None


def changed(draft: Draft) -> Plan | None:
    """Read what began, ended, or passed from one to another in a period."""
    sketch = draft.sketch
    times = sketch.question.times
    handover = draft.cues("handover")
    kinds = draft.cues("began", "ended")
    if not times or not sketch.focus or not (handover or kinds):
        return None
    relation = _changing_relation(draft, sketch.focus.type)
    if relation is None:
        return None
    period = times[0].moment
    end = "target" if any(t == sketch.focus.type for _, t in relation.ends) else "source"
    wanted: list[Literal["began", "ended"]] = (
        ["ended", "began"] if handover else ["began" if kinds[0].kind == "began" else "ended"]
    )
    sets = []
    for change in wanted:
        edges = draft.plan.add(
            "filter_edges_by_date", relation=relation.name, period=period, change=change
        )
        sets.append(draft.plan.add("ends_of", edges=edges, end=end))
    draft.when = None
    result = (
        draft.plan.add("combine", how="intersection", sets=tuple(sets)) if sets[1:] else sets[0]
    )
    anchors = [a for a in sketch.anchors if a.type != sketch.focus.type]
    if anchors or sketch.values:
        others = members(draft, sketch.focus.type)
        result = draft.plan.add("combine", how="intersection", sets=(result, others))
    said = f"{sketch.focus.type} whose {relation.name} {' and '.join(wanted)} within {period.text}"
    return _counted_or_listed(draft, result, "changes", said)


def _changing_relation(draft: Draft, focus: str) -> RelationType | None:
    named = draft.sketch.relation_names()
    others = {t.type for t in draft.sketch.types if t.type != focus}
    fitting = [r for r in draft.sketch.schema.relation_types.values() if _touches(r, focus)]
    fitting.sort(
        key=lambda r: (
            r.name not in named[:1],
            not any(o in ends for o in others for ends in r.ends),
            r.name not in named,
        )
    )
    return fitting[0] if fitting else None


def before(draft: Draft) -> Plan | None:
    """Read who had a relation before, now or at no named time."""
    sketch = draft.sketch
    if not draft.cues("before_now") or sketch.question.times or not sketch.anchors:
        return None
    focus = _asked_type(draft)
    if focus is None:
        return None
    anchor = sketch.anchors[0]
    path = path_from(draft, anchor, focus)
    start = draft.anchor_set(anchor)
    now = draft.lead(start, path)
    ever = draft.plan.add("follow", nodes=start, path=path.hops, as_of=_up_to(draft))
    former = draft.plan.add("combine", how="difference", sets=(ever, now))
    said = f"{focus} joined to {anchor.label} ({said_path(path)})"
    if draft.cues("now") or "and" in {t.lower for t in sketch.question.tokens}:
        current = draft.plan.add("combine", how="union", sets=(now,))
        return (
            finish(
                draft,
                Form.NODES,
                "now and before",
                f"{said} now, and before",
                also=((former, Form.NODES),),
            )
            if current
            else None
        )
    return finish(draft, Form.NODES, "before", f"{said} before, no longer")


def _up_to(draft: Draft):  # type: ignore[no-untyped-def]  # a Moment
    from trivium.domain.time import Moment

    return Moment(-(2**62), draft.scope.moment.end, f"any time up to {draft.scope.moment.day}")


# --- what if -------------------------------------------------------------------------------------


def stand_ins(draft: Draft) -> Plan | None:
    """Read who could take over, by what they do for others of the kind."""
    if not draft.cues("alternatives") or not draft.sketch.anchors:
        return None
    focus = draft.sketch.focus
    for anchor in _settled(draft):
        for hop in draft.sketch.paths.feeders(anchor.type):
            if focus is None or hop.to_type == focus.type:
                draft.plan.add("alternatives", node=anchor.ids[0], hop=hop, as_of=draft.when)
                said = f"{hop.to_type} that could stand in for {anchor.label}"
                return finish(draft, Form.NODES, "alternatives", said)
    return None


def removal(draft: Draft) -> Plan | None:
    """Read what is left without, when something is taken out."""
    sketch = draft.sketch
    if not draft.cues("left_without") or not sketch.anchors or sketch.focus is None:
        return None
    if not draft.cues("removal", "hypothetical", "left_without"):
        return None
    focus = sketch.focus.type
    removed = [a for a in sketch.anchors if a.type != focus]
    if not removed or len({a.type for a in removed}) > 1:
        return None
    path = draft.path(removed[0].type, focus)
    sets = tuple(draft.anchor_set(a) for a in removed)
    nodes = draft.plan.add("combine", how="union", sets=sets) if sets[1:] else sets[0]
    cascade = draft.plan.add("simulate_removal", nodes=nodes, path=path.hops, as_of=draft.when)
    lost = draft.plan.add("left_without", cascade=cascade)
    said = f"{focus} left with nothing without {draft.names(removed)} ({said_path(path)})"
    if draft.type_conditions(focus):
        others = draft.everything(focus, draft.type_conditions(focus))
        lost = draft.plan.add("combine", how="intersection", sets=(lost, others))
    return _counted_or_listed(draft, lost, "left without", said)


def spreading(draft: Draft) -> Plan | None:
    """Read all that a fault reaches, or all that something rests on, over several types."""
    sketch = draft.sketch
    wanted = tuple(dict.fromkeys(t.type for t in sketch.types))
    is_wide = draft.cues("downstream", "everything", "removal") or draft.cues("upstream", "impact")
    if len(sketch.anchors) != 1 or not is_wide or len(wanted) == 1:
        return None
    anchor = sketch.anchors[0]
    if len(wanted) > 1 and not (draft.cues("downstream", "everything") or _is_list(draft)):
        return None
    up = draft.cues("upstream") and not draft.cues(
        "downstream", "removal", "hypothetical", "impact"
    )
    direction = "upstream" if up else "downstream"
    types = tuple(t for t in wanted if t != anchor.type)
    draft.plan.add(
        "subgraph",
        nodes=draft.anchor_set(anchor),
        direction=direction,
        types=types,
        as_of=draft.when,
    )
    said = f"everything {direction} of {anchor.label}"
    return finish(draft, Form.NODES, direction, said + (f": {', '.join(types)}" if types else ""))


def _is_list(draft: Draft) -> bool:
    """Whether types stand side by side: "parts, plants and customers"."""
    spans = [t.span for t in draft.sketch.types]
    return len(spans) > 2 and all(
        b.first - a.last <= 2 for a, b in zip(spans, spans[1:], strict=False)
    )


# --- numbers -------------------------------------------------------------------------------------


def measured(draft: Draft) -> Plan | None:
    """Read a number in a property: on one relation, summed or averaged over many."""
    sketch = draft.sketch
    how = _how(draft)
    for word in sorted(sketch.properties, key=lambda w: (-w.score, w.span.first)):
        is_asked = bool(draft.cues("count", "sum", "average")) or how is not None
        if not is_asked:
            continue
        plan = _edge_number(draft, word, how) or _node_number(draft, word, how)
        if plan:
            return plan
    return None


def _how(draft: Draft) -> str | None:
    if draft.cues("average"):
        return "mean"
    return "sum" if draft.cues("sum") else None


def _edge_number(draft: Draft, word: PropertyWord, how: str | None) -> Plan | None:
    """Read a number on relations between what is named."""
    schema = draft.sketch.schema
    owners = [
        r for o in word.owners if (r := schema.relation_types.get(o)) and _is_number(r, word.name)
    ]
    if not owners or (how is None and not draft.cues("count")):
        return None
    if _counts_focus(draft, word):
        return None
    relation = owners[0]
    source, target = relation.ends[0]
    sides: dict[str, Ref] = {}
    for anchor in draft.sketch.anchors:
        for side, node_type in (("sources", source), ("targets", target)):
            if anchor.type == node_type and side not in sides:
                sides[side] = draft.anchor_set(anchor)
                draft.used.add(anchor.span)
    others = [a for a in draft.sketch.anchors if a.span not in draft.used]
    if others or draft.sketch.values:
        node_type, side = (source, "sources") if "sources" not in sides else (target, "targets")
        if side not in sides:
            sides[side] = members(draft, node_type)
    edges = draft.plan.add(
        "relation_values", relation=relation.name, property=word.name, as_of=draft.when, **sides
    )
    draft.plan.add("reduce_scores", scores=edges, how=how or "sum")
    said = f"{how or 'sum'} of {word.name} on {relation.name}"
    return finish(draft, Form.NUMBER, "relation number", said)


def _counts_focus(draft: Draft, word: PropertyWord) -> bool:
    """Whether "how many" counts entities of a type rather than the property."""
    focus = draft.sketch.focus
    if focus is None or not draft.cues("count"):
        return False
    cue = draft.cues("count")[0]
    return cue.span.last <= focus.span.first <= cue.span.last + 2 and word.score < 0.9


def _node_number(draft: Draft, word: PropertyWord, how: str | None) -> Plan | None:
    schema = draft.sketch.schema
    owners = [
        o
        for o in word.owners
        if (t := schema.node_types.get(o)) and t.properties[word.name].kind is PropertyKind.NUMBER
    ]
    if not owners or how is None:
        return None
    named = [o for o in owners if any(t.type == o for t in draft.sketch.types)]
    focus = (named or owners)[0]
    nodes = members(draft, focus)
    scores = draft.plan.add("node_values", nodes=nodes, property=word.name)
    draft.plan.add("reduce_scores", scores=scores, how=how)
    return finish(draft, Form.NUMBER, "property number", f"{how} of {word.name} over {focus}")


def ranking(draft: Draft) -> Plan | None:
    """Read most and least: by number of things joined, or by a property."""
    sketch = draft.sketch
    cues = draft.cues("most", "least") or draft.cues("rank")
    if not cues:
        return None
    per = _per_each(draft)
    focus = per or (sketch.focus.type if sketch.focus else None)
    if focus is None:
        return None
    measure = _measure(draft, focus, cues[0])
    if measure is None:
        return None
    scores, what = measure
    least = bool(draft.cues("least", "ascending")) and not draft.cues("most")
    limit = _limit(draft)
    draft.plan.add("rank_scores", scores=scores, highest_first=not least, limit=limit)
    return finish(
        draft, Form.RANKING, "ranking", f"{focus} by {what}, {'least' if least else 'most'} first"
    )


def _per_each(draft: Draft) -> str | None:
    """Return the type after "each" or "per": "how many customers does each event reach"."""
    for cue in draft.cues("rank"):
        if draft.sketch.question.words(cue.span).casefold() in {"each", "per"}:
            word = draft.sketch.type_after(cue.span.last, within=2)
            if word:
                return word.type
    return None


def _measure(draft: Draft, focus: str, cue: Cue) -> tuple[Ref, str] | None:
    """Return the scores that a superlative goes by, and their name."""
    sketch = draft.sketch
    by_property = _property_measure(draft, focus, cue)
    counted = _counted_type(draft, focus, cue)
    if by_property and (counted is None or _is_closer(by_property[0], counted, cue)):
        word, relation = by_property
        nodes = members(draft, focus)
        if relation is None:
            return draft.plan.add("node_values", nodes=nodes, property=word.name), word.name
        how = "mean" if draft.cues("average") else ("sum" if draft.cues("sum") else _extreme(cue))
        outgoing = any(source == focus for source, _ in relation.ends)
        scores = draft.plan.add(
            "group_by",
            nodes=nodes,
            relation=relation.name,
            property=word.name,
            how=how,
            outgoing=outgoing,
            as_of=draft.when,
        )
        return scores, f"{how} of {word.name}"
    path = draft.path(focus, counted.type) if counted else None
    if path is None and sketch.relations:
        path = _named_hop(draft, focus)
    if path is None:
        return None
    if counted:
        draft.used.add(counted.span)
    nodes = members(draft, focus)
    scores = draft.plan.add("count_edges", nodes=nodes, path=path.hops, as_of=draft.when)
    return scores, f"number of {path.types[-1]} ({said_path(path)})"


def _named_hop(draft: Draft, focus: str) -> TypedPath | None:
    """Return the one hop of the relation that the question names, from a type."""
    for name in draft.sketch.relation_names():
        for other, hop, _ in draft.sketch.paths.hops_from(focus):
            if hop.relation == name:
                return TypedPath(
                    hops=(Hop(relation=name, outgoing=hop.outgoing, to_type=other),),
                    types=(focus, other),
                    cost=1,
                )
    return None


def _extreme(cue: Cue) -> str:
    return "min" if cue.kind == "least" else "max"


def _counted_type(draft: Draft, focus: str, cue: Cue) -> TypeWord | None:
    others = [t for t in draft.sketch.types if t.type != focus and not _event_filter(draft, t)]
    after = [t for t in others if t.span.first >= cue.span.first]
    how_many = [
        t for t in others if any(0 <= t.span.first - c.span.last <= 1 for c in draft.cues("count"))
    ]
    return (how_many or after or others or [None])[0]  # type: ignore[list-item]  # None stands for no type


def _event_filter(draft: Draft, word: TypeWord) -> bool:
    is_event = draft.sketch.schema.node_types[word.type].is_event
    return is_event and any(abs(word.span.first - c.span.last) <= 2 for c in draft.cues("open"))


def _property_measure(
    draft: Draft, focus: str, cue: Cue
) -> tuple[PropertyWord, RelationType | None] | None:
    schema = draft.sketch.schema
    near = [w for w in draft.sketch.properties if -6 <= w.span.first - cue.span.last <= 4]
    for word in sorted(near, key=lambda w: (-w.score, abs(w.span.first - cue.span.last))):
        own = schema.node_types[focus].properties.get(word.name)
        if own and own.kind is PropertyKind.NUMBER:
            return word, None
        for owner in word.owners:
            relation = schema.relation_types.get(owner)
            if relation and _is_number(relation, word.name) and _touches(relation, focus):
                return word, relation
    return None


def _is_closer(word: PropertyWord, counted: TypeWord, cue: Cue) -> bool:
    return abs(word.span.first - cue.span.last) <= abs(counted.span.first - cue.span.last)


# --- the plain question --------------------------------------------------------------------------


def plain(draft: Draft) -> Plan | None:
    """Read which, how many, or whether: all that the question says, combined."""
    focus = _asked_type(draft)
    if focus is None:
        return None
    if starts_as_yes_no(draft):
        return _yes_no(draft, focus)
    result = members(draft, focus)
    said = f"{focus}: " + "; ".join(draft.said)
    return _counted_or_listed(draft, result, "plain", said)


def _asked_type(draft: Draft) -> str | None:
    """Return the type asked for: named, or the other end of the relation named."""
    sketch = draft.sketch
    if sketch.focus:
        return sketch.focus.type
    for name in sketch.relation_names():
        relation = sketch.schema.relation_types[name]
        for anchor in sketch.anchors:
            for source, target in relation.ends:
                if anchor.type == source == target:
                    return source
                if anchor.type in {source, target}:
                    return target if anchor.type == source else source
    return None


def _yes_no(draft: Draft, focus: str) -> Plan | None:
    sketch = draft.sketch
    single = draft.cues("single")
    if single and any(
        "backup" in sketch.question.words(c.span) or "second" in sketch.question.words(c.span)
        for c in single
    ):
        fed = [t for t in sketch.types if t.type != focus]
        own = fed[0].type if fed else focus
        draft.used |= {c.span for c in single}
        path = draft.path(own, focus) if own != focus else counted_path(draft, focus, single[0])
        if path is None:
            return None
        nodes = members(draft, own)
        scores = draft.plan.add("count_edges", nodes=nodes, path=path.hops, as_of=draft.when)
        chosen = draft.plan.add("select", scores=scores, test=Test.ABOVE, value=1.0)
        return finish(
            draft, Form.BOOLEAN, "has several", f"{own} with more than one {focus}", beside=chosen
        )
    result = members(draft, focus)
    said = f"whether there is a {focus}: " + "; ".join(draft.said)
    return finish(draft, Form.BOOLEAN, "whether", said, beside=result)


def _counted_or_listed(draft: Draft, nodes: Ref, template: str, said: str) -> Plan:
    if _counts(draft):
        draft.plan.add("count_nodes", nodes=nodes)
        return finish(
            draft,
            Form.NUMBER,
            f"{template}, counted",
            f"how many {said}",
            also=((nodes, Form.NODES),),
        )
    if starts_as_yes_no(draft):
        return finish(draft, Form.BOOLEAN, f"{template}, whether", said, beside=nodes)
    if draft.plan.steps[-1].name != nodes.step:
        draft.plan.add("combine", how="union", sets=(nodes,))
    return finish(draft, Form.NODES, template, said)


def _counts(draft: Draft) -> bool:
    """Whether "how many" is asked, rather than said by the way."""
    tokens = draft.sketch.question.tokens
    for cue in draft.cues("count"):
        text = draft.sketch.question.words(cue.span).casefold()
        if text in {"how many", "number of"} or cue.span.first == 0:
            focus = draft.sketch.focus
            return focus is None or focus.span.first >= cue.span.first or text == "how many"
    return bool(tokens) and False


def refuse_unread(draft: Draft) -> Plan | None:
    """Refuse a question of which too little was understood.

    Raises:
        Refusal: always, with what was not understood.
    """
    words = [draft.sketch.question.words(span) for span in draft.sketch.unread]
    if not draft.sketch.anchors and words:
        raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {' '.join(words[:4])!r}.")
    raise Refusal(
        Reason.NOT_IN_SCHEMA,
        "The schema has no type or relation that answers this.",
    )


TEMPLATES: Final[tuple[Template, ...]] = (
    compare,
    connection,
    date_of,
    changed,
    before,
    stand_ins,
    removal,
    centrality,
    risk,
    spreading,
    measured,
    ranking,
    plain,
    refuse_unread,
)
