"""The type that a question asks for: named, or the end of a relation that is."""

from typing import Final

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.templates.common import starts_as_yes_no
from tiers.graphrag.reading.voice import is_passive
from trivium.domain.question import Term
from trivium.language.descriptions import describes_person
from trivium.language.text import is_participle, spoken, stems

_SURE: Final = 0.8
_LACKING_COST: Final = 0.2
"""For an end of a relation that what is named has to other types only."""
_FAR_SAME: Final = 5
"""Words from "same" to what something has it in common with."""


def asked_type(draft: Draft) -> str | None:
    """Return the type asked for: named, or an end of the relation named."""
    if draft.sketch.focus:
        return _place_of(draft) or _possessor(draft) or draft.sketch.focus.type
    alike = _alike(draft)
    if alike:
        return alike
    is_pair = len(draft.sketch.anchors) == 2 and not draft.cues("exception", "shared")
    if starts_as_yes_no(draft) and is_pair:
        return draft.sketch.anchors[0].type
    if starts_as_yes_no(draft) and (_is_told_of(draft) or _is_sourced(draft)):
        return draft.sketch.anchors[0].type
    relations = [t for t in draft.sketch.relations if not _misses(draft, t)]
    named = [(t.name, t.score - _mismatch(draft, t), t.span.first) for t in relations]
    named += [(r, 0.5, s.span.first) for s in draft.stated for r in s.relations]
    after_who = [t for t in named if _follows_who(draft, t[2])]
    present = _present(draft)
    ends = [end for term in after_who or named if (end := _end_of(draft, present, *term))]
    if draft.sketch.has("removal"):  # "who is affected if X closes" asks for no event
        ends = [e for e in ends if not draft.sketch.schema.node_types[e[1]].is_event]
    if ends:
        return min(ends)[1]
    return (
        _source_of(draft)
        or _told_of(draft)
        or _sole_neighbour(draft)
        or _person_beside(draft)
        or _sole_event(draft)
        or _sole_owner(draft)
    )


def _alike(draft: Draft) -> str | None:
    """Return the type of X, for "who works at the same place as X"."""
    sketch = draft.sketch
    for anchor in sketch.anchors:
        before = sketch.words(anchor.span.first - _FAR_SAME, anchor.span.first)
        if before[-1:] == ["as"] and "same" in before:
            return anchor.type
    return None


def _is_told_of(draft: Draft) -> bool:
    """Whether a property of the one thing that is named is stated: "does X have over 50 beds"."""
    anchors = draft.sketch.anchors
    if len(anchors) != 1 or draft.sketch.types:
        return False
    return any(o == anchors[0].type for s in draft.stated for o, _ in s.owners)


def _is_sourced(draft: Draft) -> bool:
    """Whether the one thing that is named is what is supplied: "is X single-sourced"."""
    asks_whom = {"who", "whom", "from"} & set(draft.sketch.words(0, len(draft.sketch.tokens)))
    if len(draft.sketch.anchors) != 1 or draft.sketch.types or asks_whom:
        return False
    ends = [draft.sketch.tokens[c.span.last - 1].lower for c in draft.cues("single", "plural")]
    return bool({"source", "sourced"} & set(ends))


def _place_of(draft: Draft) -> str | None:
    """Return the type that "where" asks for: what the relation said of the one name leads to."""
    sketch = draft.sketch
    own = sketch.anchors[0].type if len(sketch.anchors) == 1 else None
    at = next((i for i, t in enumerate(sketch.tokens) if t.lower == "where"), None)
    opens = at is not None and (at == 0 or at in sketch.breaks)
    others = [t for t in sketch.types if t.span.first != at]  # "where" may name a type itself
    if not opens or own is None or any(t.type != own for t in others):
        return None
    ends = [
        target
        for term in sorted(sketch.relations, key=lambda t: -t.score)
        for source, target in sketch.schema.relation_types[term.name].ends
        if source == own != target
    ]
    return ends[0] if ends else None


def _sole_owner(draft: Draft) -> str | None:
    """Return the one type that has the number named: "who has the fewest hours"."""
    sketch = draft.sketch
    is_who = sketch.words(0, 1) == ["who"] and bool(draft.cues("most", "least"))
    if not is_who or sketch.types or sketch.anchors or sketch.relations:
        return None
    named = [p for p in sketch.properties if p.score >= _SURE]
    owners = {o for p in named for o in p.owners}
    return owners.pop() if len(owners) == 1 and owners <= set(sketch.schema.node_types) else None


def _sole_event(draft: Draft) -> str | None:
    """Return the one type of event, for "what was still open in May"."""
    sketch = draft.sketch
    events = [t.name for t in sketch.schema.node_types.values() if t.is_event]
    is_asked = "what" in sketch.words(0, len(sketch.tokens))
    is_bare = not (sketch.types or sketch.anchors)
    return events[0] if len(events) == 1 and is_asked and is_bare and draft.cues("open") else None


def _follows_who(draft: Draft, at: int) -> bool:
    """Whether a verb is the one of "who": "licensed to nobody: who wrote them"."""
    return bool({"who", "whom", "whose"} & set(draft.sketch.words(at - 2, at)))


def _source_of(draft: Draft) -> str | None:
    """Return the type that a thing comes from, for "where do we get X from"."""
    sketch = draft.sketch
    is_asked = sketch.words(0, 1) == ["where"] and sketch.words(len(sketch.tokens) - 1, 999) == [
        "from"
    ]
    if not is_asked or len(sketch.anchors) != 1 or sketch.types:
        return None
    feeders = [hop.to_type for hop in sketch.paths.feeders(sketch.anchors[0].type)]
    return feeders[0] if feeders else None


def _told_of(draft: Draft) -> str | None:
    """Return the type whose description says the verb: "who sells", where vendors sell."""
    sketch = draft.sketch
    unread = {sketch.tokens[i].stem for span in sketch.unread for i in span}
    present = sketch.named_types
    told = [
        t.name
        for t in sketch.schema.node_types.values()
        if t.name not in present and unread & set(stems(t.description))
    ]
    return told[0] if len(told) == 1 and present else None


def _sole_neighbour(draft: Draft) -> str | None:
    """Return the one type that what is named is joined to, for "what does X sell"."""
    sketch = draft.sketch
    if len({a.type for a in sketch.anchors}) != 1 or sketch.types or len(sketch.unread) > 1:
        return None
    if sketch.words(0, 1) not in (["what"], ["who"], ["whom"]):
        return None
    own, types = sketch.anchors[0].type, sketch.schema.node_types
    others = {o for o, _, _ in sketch.paths.hops_from(own) if not types[o].is_event}
    return others.pop() if len(others) == 1 and own not in others else None


def _person_beside(draft: Draft) -> str | None:
    """Return the one type of people that what is named is joined to: "who is in charge of X"."""
    sketch = draft.sketch
    opens = sketch.words(0, 1) in (["who"], ["whose"], ["whom"])
    if not opens or len(sketch.anchors) != 1 or sketch.unread or sketch.has("removal"):
        return None
    types = sketch.schema.node_types
    others = {o for o, _, _ in sketch.paths.hops_from(sketch.anchors[0].type)}
    workers = sketch.glossary.workforce
    people = [o for o in others if o == workers or describes_person(types[o].description)]
    return people[0] if len(people) == 1 else None


def _possessor(draft: Draft) -> str | None:
    """Return the type asked for by "whose policies": named later, else what leads to them."""
    sketch = draft.sketch
    focus = sketch.focus
    if focus is None or sketch.words(focus.span.first - 1, focus.span.first) != ["whose"]:
        return None
    named = [t.type for t in sketch.types if t.span.first > focus.span.last]
    triples = list(sketch.schema.triples())
    ends = [s for s, _, t in triples if t == focus.type]
    ends += [t for s, _, t in triples if s == focus.type]
    named_alone = {a.type for a in sketch.anchors} | {focus.type}
    owners = [e for e in ends if e not in named_alone and not sketch.schema.node_types[e].is_event]
    beyond = [e for e in owners if _leads_through(draft, focus.type, e)]
    return next((s for s in owners if s in named), next(iter([*beyond, *owners]), None))


def _leads_through(draft: Draft, node_type: str, end: str) -> bool:
    """Whether the way from something named to a type passes another one."""
    ways = [draft.way(a.type, end) for a in draft.sketch.anchors]
    return any(way is not None and node_type in way.types[1:-1] for way in ways)


def _misses(draft: Draft, term: Term) -> bool:
    """Whether a word for a relation is a verb of what that relation does not join.

    "Who manages the plant" asks for no truck, where "manage" is a word for trucks on rounds.
    """
    sketch = draft.sketch
    after = next((a for a in sketch.anchors if 0 <= a.span.first - term.span.last <= 1), None)
    before = sketch.words(term.span.first - 2, term.span.first)
    before = before[:-1] if set(before[-1:]) & BE else before
    opens = bool({"who", "whom"} & set(before[-1:]))
    ends = {e for pair in sketch.schema.relation_types[term.name].ends for e in pair}
    done_to = next((a for a in sketch.anchors if a.span.last == term.span.first), None)
    if done_to is not None and term.score <= _SURE and not sketch.types:  # "what is X insured for"
        is_passive_of = bool(BE & set(sketch.words(done_to.span.first - 2, done_to.span.first)))
        if is_passive_of and is_participle(sketch.tokens[term.span.first].lower):
            return done_to.type not in ends
    return opens and after is not None and term.score <= _SURE and after.type not in ends


def _mismatch(draft: Draft, term: Term) -> float:
    """Return how ill a relation fits the name after its verb, which should be its target."""
    sketch = draft.sketch
    ends = sketch.schema.relation_types[term.name].ends
    done_to = next((t for t in sketch.types if 0 <= t.span.first - term.span.last <= 1), None)
    if done_to is not None and not any(done_to.type in pair for pair in ends):
        return 0.5
    after = next((a for a in sketch.anchors if 0 <= a.span.first - term.span.last <= 1), None)
    if after is None or is_passive(sketch, term.span) or spoken(term.name).endswith(" by"):
        return 0.0
    is_target = any(after.type == target for _, target in ends)
    is_source = any(after.type == source for source, _ in ends)
    return 0.5 if is_source and not is_target else 0.0


def _present(draft: Draft) -> list[str]:
    """Return the types that are named, by themselves or by a name that is not excepted."""
    excepted = [c.span for c in draft.cues("exception", "before_now")]
    return [t.type for t in draft.sketch.types] + [
        a.type
        for a in draft.sketch.anchors
        if not any(0 <= a.span.first - s.last <= 2 for s in excepted)
    ]


def _end_of(
    draft: Draft, present: list[str], name: str, score: float, at: int
) -> tuple[tuple[float, int], str] | None:
    """Return the end of a relation that is asked for, and how ill it fits.

    It is the other end than what is named; with neither named, the one farther from it.
    """
    sketch = draft.sketch
    relation = sketch.schema.relation_types[name]
    best: tuple[tuple[float, int], str] | None = None
    for source, target in relation.ends:
        if source in present and target in present and source != target:
            continue
        if source in present or target in present:
            end = source if target in present else target
            cost = _LACKING_COST * (len(relation.ends) > 1 and _lacks(draft, name, end))
        else:
            cost, end = _farther(draft, source, target, present)
        ranked = (cost - 2 * score, at), end
        best = ranked if best is None else min(best, ranked)
    return best


def _lacks(draft: Draft, name: str, end: str) -> bool:
    """Whether what is named has a relation to others, but to none of a type.

    "What does X sponsor" asks for pens, where sponsors give to animals or pens, and X to pens.
    """
    scope = draft.scope.at(draft.when)
    ids = [i for a in draft.sketch.anchors for i in a.ids]
    edges = [(e.target if out else e.source) for i in ids for out in (True, False)
             for e in scope.edges(i, name, outgoing=out)]  # fmt: skip
    nodes = [draft.scope.view.node(other) for other in edges]
    return bool(nodes) and not any(node is not None and node.type == end for node in nodes)


def _farther(draft: Draft, source: str, target: str, present: list[str]) -> tuple[float, str]:
    ways = {e: [draft.way(e, p) for p in present] for e in (source, target)}
    costs = {e: min((w.cost for w in found if w), default=9.0) for e, found in ways.items()}
    return min(costs.values()), max(costs, key=lambda e: costs[e])
