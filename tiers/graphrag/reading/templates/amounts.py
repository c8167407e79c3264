"""Numbers of what is named, told by a time, an adjective, a verb, or by what they count."""

from typing import Final

from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.measuring import described_by_adjective, described_by_verb
from tiers.graphrag.reading.rates import holds_for, periods_said
from tiers.graphrag.reading.statement import described_numbers
from tiers.graphrag.reading.summing import PAYING, adds_up, amount_of
from tiers.graphrag.reading.templates.totals import on_relation, over_type
from tiers.graphrag.reading.units import factor_to, units_of
from trivium.domain.question import Span
from trivium.domain.schema import PropertyKind, RelationType
from trivium.language.text import spoken, stems
from trivium.language.words import general_words, is_money

_PAIR: Final = 2

_SURE: Final = 0.9
_OF_ONE: Final = frozenset(stems("last this previous next current"))
"""Words in the names of numbers that hold for one period, and are no rates."""


def rate(draft: Draft, how: str | None) -> Plan | None:
    """Read "how many aircraft a year can X turn out": the one number of X told for that time."""
    if not draft.cues("count"):
        return None
    sketch = draft.sketch
    periods = periods_said(sketch.tokens)
    own = {a.type for a in sketch.anchors if a.ids and len(sketch.anchors) == 1}
    named = _named_on_relation(draft, own)
    if named is not None:
        return named
    found = [
        (o, n)
        for o, n in sketch.glossary.numbers()
        if o in own and holds_for(n, periods) and not _OF_ONE & set(stems(spoken(n)))
    ]
    if len(found) != 1:
        return _rate_of_relation(draft, periods, own)
    return over_type(draft, *found[0], how or "sum")


def _named_on_relation(draft: Draft, own: set[str]) -> Plan | None:
    """Read "how many litres a day does X take in": a relation's number, named right after."""
    sketch = draft.sketch
    ends = {c.span.last for c in draft.cues("count")}
    relations = sketch.schema.relation_types
    here = [p for p in sketch.properties if p.span.first in ends and p.score >= _SURE]
    if any(own & set(p.owners) for p in here):
        return None
    found = [
        (relations[o], p.name)
        for p in here
        for o in p.owners
        if o in relations and any(relations[o].joins(t) for t in own)
    ]
    return on_relation(draft, *found[0], "sum") if len(found) == 1 else None


def _rate_of_relation(draft: Draft, periods: set[str], own: set[str]) -> Plan | None:
    """Read "how much water does X supply a day": what the relation named holds for that time."""
    relations = draft.sketch.schema.relation_types
    for name in draft.sketch.relation_names():
        told = [
            n
            for o, n in draft.sketch.glossary.numbers()
            if o == name and periods & set(stems(spoken(n)))
        ]
        joins = any(own & set(ends) for ends in relations[name].ends)
        if len(told) == 1 and joins and draft.sketch.words(0, 2) == ["how", "much"]:
            return on_relation(draft, relations[name], told[0], "sum")
    return None


def of_noun(draft: Draft, how: str | None) -> Plan | None:
    """Read "the total stock of X", where stocking is a relation with an amount."""
    sketch = draft.sketch
    sums = {c.span.last for c in draft.cues("sum")}
    here = {a.type for a in sketch.anchors}
    for term in sketch.relations:
        relation = sketch.schema.relation_types[term.name]
        amount_said = amount_of(relation)
        is_noun = term.span.first in sums and sketch.words(term.span.last, term.span.last + 1) == [
            "of"
        ]
        if is_noun and term.score >= _SURE and amount_said and any(map(relation.joins, here)):
            return on_relation(draft, relation, amount_said.name, how or "sum")
    return None


def by_adjective(draft: Draft, how: str | None) -> Plan | None:
    """Read "how deep is X", "how old are our ships on average": the number that is asked for."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    at = next((i for i, w in enumerate(words[:-1]) if w == "how"), None)
    is_total = bool({"together", "altogether"} & set(words))  # "how long are they together"
    how = how or ("sum" if is_total else None)
    others = {"many", "much", "far", "often"} | (set() if is_total else {"long"})
    if at is None or words[at + 1] in others:
        return None
    here = [t.type for t in sketch.types] or [a.type for a in sketch.anchors]
    asked = Span(first=at + 1, last=at + 2)
    for node_type in dict.fromkeys(here):
        found = described_by_adjective(draft, node_type, asked)
        own = next((m for m in found if m.is_own), None)
        is_one = any(a.type == node_type for a in sketch.anchors)
        if own is not None and (how or is_one):
            return over_type(draft, node_type, own.name, how or "sum")
    return None


def by_verb(draft: Draft, how: str | None) -> Plan | None:
    """Read "what does X bring in", "what do our products cost on average"."""
    sketch = draft.sketch
    words = sketch.words(0, 3)
    is_asked = words[:1] in (["what"], ["how"]) and bool({"do", "does", "did"} & set(words))
    here = [a.type for a in sketch.anchors] or [t.type for t in sketch.types]
    is_asked = is_asked and not (words[:1] == ["what"] and _is_noun(draft, 1))
    if not is_asked or draft.cues("count") or len(set(here)) != 1 or sketch.relations:
        return None
    said = next(described_by_verb(draft, here[0]), None)
    is_one = bool(sketch.anchors)
    if said is None or not (how or is_one):
        return None
    return over_type(draft, here[0], said.name, how or "sum")


def _is_noun(draft: Draft, at: int) -> bool:
    """Whether the noun of what is asked for stands at a place: "what freight do we earn"."""
    return draft.sketch.words(at, at + 1) not in (["do"], ["does"], ["did"])


def told_whole(draft: Draft, how: str | None) -> Plan | None:
    """Read "how many days have been lost to fires": the one number of which all is said."""
    sketch = draft.sketch
    here = sketch.named_types
    if sketch.focus is not None:
        return None
    for cue in draft.cues("count"):
        if sketch.words(cue.span.first, cue.span.last) != ["how", "many"]:
            continue
        end = min([b for b in sketch.breaks if b > cue.span.last] + [len(sketch.tokens)])
        said = frozenset(t.stem for t in sketch.tokens[cue.span.last : end])
        whole = sketch.glossary.told_whole(said)
        relation = sketch.schema.relation_types.get(whole[0][0]) if len(whole) == 1 else None
        is_near = relation is not None and any(here & set(ends) for ends in relation.ends)
        if relation is not None and is_near and adds_up(whole[0][1]):
            return on_relation(draft, relation, whole[0][1], how or "sum")
    return None


def price_between(draft: Draft, how: str | None) -> Plan | None:
    """Read "what does X cost at Y", "how much is a seat on X at Y": money on what joins both."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    is_asked = words[:3] in (["how", "much", "is"], ["how", "much", "are"]) or _asks_money(draft)
    if not is_asked or len(sketch.anchors) != _PAIR or how or sketch.types:
        return None
    said = frozenset(t.stem for t in sketch.tokens)
    found = [
        (sketch.glossary.overlap(r.name, p.name, said), r.name, p.name)
        for r in sketch.schema.relations_between({a.type for a in sketch.anchors})
        for p in r.properties.values()
        if p.kind is PropertyKind.NUMBER and is_money(p.unit)
    ]
    best = [f for f in found if f[0] == max(g[0] for g in found)]
    if len(best) != 1:
        return None
    relation = sketch.schema.relation_types[best[0][1]]
    return on_relation(draft, relation, best[0][2], "max" if words[1:2] == ["much"] else "sum")


def amount(draft: Draft, how: str | None) -> Plan | None:
    """Read "how many X has Y": the amount on the relation that joins the two."""
    del how
    sketch = draft.sketch
    if len(sketch.anchors) != 2 or sketch.focus is not None:
        return None
    first, second = sketch.anchors
    for cue in draft.cues("count"):
        is_of_type = sketch.type_after(cue.span.last, within=1)
        found = _amount_relation(draft, first.type, second.type)
        if found and not is_of_type:
            relation, name = found
            return on_relation(draft, relation, name, "sum")
    opening = frozenset(t.stem for t in sketch.tokens[:4])
    for owner, name in described_numbers(sketch, opening, enough=1.4):
        named = sketch.schema.relation_types.get(owner)
        if named and joins_two(draft, named):
            return on_relation(draft, named, name, "sum")
    return None


def in_unit(draft: Draft, how: str | None) -> Plan | None:
    """Read "how many kilometres of black piste are there": the sum of what is in that unit."""
    sketch = draft.sketch
    cue = next(iter(draft.cues("count")), None)
    at = cue.span.last if cue else 0
    said = sketch.words(at, at + 1)
    unit = general_words().units.get(said[0]) if said else None
    word = sketch.type_after(at + 2, within=2) if sketch.words(at + 1, at + 2) == ["of"] else None
    if cue is None or unit is None or word is None:
        return None
    held = [n for o, n in sketch.glossary.numbers() if o == word.type]
    own = [n for n in held if unit in units_of(n)]
    near = own or [n for n in held if factor_to(unit, units_of(n))]
    if len(near) != 1:
        return None
    factor = None if own else factor_to(unit, units_of(near[0]))
    return over_type(draft, word.type, near[0], how or "sum", per=factor)


def much_of(draft: Draft, how: str | None) -> Plan | None:
    """Read "how much stout is there in tanks": the amount on the relation that joins the two."""
    sketch = draft.sketch
    ends = [c.span.last for c in draft.cues("count")]
    words = [t for t in sketch.types if t.span.first in ends]
    named = [a.type for a in sketch.anchors] + [t.type for t in sketch.types]
    if not words or sketch.words(words[0].span.first - 1, words[0].span.first) != ["much"]:
        return None
    units = {unit for w in sketch.tokens if (unit := general_words().units.get(w.lower))}
    found = [
        (r, p.name)
        for other in named
        if other != words[0].type
        for r in sketch.schema.relations_between({words[0].type, other})
        for p in r.properties.values()
        if p.kind is PropertyKind.NUMBER and adds_up(p.name)
    ]
    in_unit = [f for f in found if units & units_of(f[1])] or found
    return (
        on_relation(draft, *in_unit[0], how or "sum") if len(set(map(_key, in_unit))) == 1 else None
    )


def _key(found: tuple[RelationType, str]) -> tuple[str, str]:
    return found[0].name, found[1]


def money(draft: Draft, how: str | None) -> Plan | None:
    """Read "how much does X give", "what do we pay X": the amount of money on what joins them."""
    del how
    sketch = draft.sketch
    if not sketch.anchors or not _asks_money(draft):
        return None
    here = sketch.named_types
    anchored = {a.type for a in sketch.anchors}
    named = set(sketch.relation_names())
    found = [
        ((r.name not in named, not any(set(ends) <= here for ends in r.ends)), r, p.name)
        for r in sketch.schema.relation_types.values()
        if any(anchored & set(ends) for ends in r.ends)
        for p in r.properties.values()
        if p.kind is PropertyKind.NUMBER and is_money(p.unit)
    ]
    best = [f for f in found if f[0] == min(g[0] for g in found)]
    return on_relation(draft, *best[0][1:], "sum") if len(best) == 1 else None


def _asks_money(draft: Draft) -> bool:
    """Whether an amount of money is asked for: "how much does", "what do we pay"."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    pays = words[:1] == ["what"] and words[1:2] in (["do"], ["does"], ["did"])
    if pays and PAYING & set(words):
        return True
    asks = [c for c in draft.cues("count") if words[c.span.last - 1] == "much"]
    return bool(asks) and not sketch.type_after(asks[0].span.last, within=0)


def _amount_relation(draft: Draft, a: str, b: str) -> tuple[RelationType, str] | None:
    """Return the relation between two types that has one number, with its name."""
    named = draft.sketch.relation_names()
    fitting = [
        (r, numbers[0])
        for r in draft.sketch.schema.relations_between({a, b})
        if (numbers := [p.name for p in r.properties.values() if p.kind is PropertyKind.NUMBER])
    ]
    fitting.sort(key=lambda f: f[0].name not in named)
    return fitting[0] if fitting else None


def joins_two(draft: Draft, relation: RelationType) -> bool:
    """Whether a name stands at both ends of a relation."""
    types = [a.type for a in draft.sketch.anchors]
    return any(s in types and t in types and (s != t or len(types) > 1) for s, t in relation.ends)
