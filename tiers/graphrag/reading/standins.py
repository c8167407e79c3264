"""Pronouns that stand for a type which what is said around them tells: "working on something"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tiers.graphrag.reading.listing import AUXILIARIES, BE
from tiers.graphrag.reading.paths import SchemaPaths
from tiers.graphrag.reading.sketch import TypeWord
from trivium.domain.question import Span, Term, TermKind, Understood
from trivium.domain.schema import NodeType, Schema
from trivium.language.descriptions import describes_person
from trivium.language.text import fold, spoken, stems

_THINGS: Final = frozenset({"anything", "something", "things", "nothing"})
_PEOPLE: Final = frozenset({"anybody", "anyone", "somebody", "someone"})
_PLACING: Final = frozenset({"from", "at", "in", "on"})
_LEADING: Final = frozenset(
    {"from", "in", "at", "on", "by", "of", "out", "under", "that", "which", "to", "into"}
)
"""Words after a pronoun that go on to tell what it stands for."""
_FILLING: Final = BE | AUXILIARIES | {"ll", "the", "that", "which", "s", "we", "our", "of", "ours"}
_SETTING_ASIDE: Final = (("but",), ("except",), ("besides",), ("apart", "from"), ("other", "than"))
_OBJECTS: Final = frozenset(stems("object item thing piece article product good"))
"""What the description of a type calls it where it is a thing among others."""
_HEAD: Final = re.compile(r"^an? (?:[a-z]+ ){0,2}?([a-z]+)(?: of\b| who\b|[.,;]|$)")
"""The noun by which a description says what something is."""
_DOING: Final = ("er", "or", "ist", "ian")
_LIKELY: Final = 0.8
_FAR: Final = 2
_NEVER: Final = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """What a question names beside its pronouns, by place."""

    question: Understood
    verbs: Sequence[Term]
    things: Sequence[tuple[Span, frozenset[str]]]
    """Names and nouns, each with the types that it may be of."""
    schema: Schema
    paths: SchemaPaths

    def after(self, at: int) -> tuple[Span, frozenset[str]] | None:
        """Return the first thing named at or after a word."""
        return next((t for t in self.things if t[0].first >= at), None)

    def with_thing(self, span: Span, node_type: str) -> "_Named":
        """Return the same with one thing more."""
        things = sorted([*self.things, (span, frozenset({node_type}))], key=lambda t: t[0].first)
        return replace(self, things=things)

    def before(self, at: int) -> frozenset[str]:
        """Return the types of the last thing named before a word."""
        return next((t for s, t in reversed(self.things) if s.last <= at), frozenset())


def stand_ins(
    question: Understood,
    terms: Sequence[Term],
    types: Sequence[TypeWord],
    schema: Schema,
    paths: SchemaPaths,
) -> Iterator[TypeWord]:
    """Give the type of "something from X", "anything that X did", "working on things".

    A verb before the pronoun or after it tells the type, or what it is set beside ("anything
    but X"); of several types, the one nearest to the name that follows.
    """
    things = [(m.span, frozenset(c.type for c in m.best)) for m in question.mentions if m.best]
    things += [(t.span, frozenset({t.type})) for t in types]
    verbs = [t for t in terms if t.kind is TermKind.RELATION and t.score >= _LIKELY]
    things.sort(key=lambda t: t[0].first)
    named = _Named(question=question, verbs=verbs, things=things, schema=schema, paths=paths)
    taken = {i for span, _ in things for i in span}
    for index, token in enumerate(question.tokens):
        if token.lower in _THINGS | _PEOPLE and index not in taken:
            is_thing = token.lower in _THINGS
            found = _type_of(named, index) if is_thing else _person_of(named, index)
            if found is not None:
                span = Span(first=index, last=index + 1)
                named = named.with_thing(span, found)
                yield TypeWord(span=span, type=found, is_singular=True, score=_LIKELY)


def _type_of(named: _Named, at: int) -> str | None:
    words = [t.lower for t in named.question.tokens[at : at + 2]]
    aside = _set_aside(named, at) if words[0] != "nothing" else _said_alike(named, at)
    if aside is not None:
        return aside
    leads = words[1:] != [] and words[1] in _LEADING and words != ["nothing", "of"]
    after = named.after(at + 1)
    if not leads or after is None or _is_filler(named, at, after[1]):
        return None
    told = _done_to(named, at) or _doing(named, at) or _done_by(named, after)
    if not told and words[1] in {"that", "which"}:
        return None
    present = {t for _, types in named.things for t in types}
    fitting = told or {
        k.name
        for k in named.schema.node_types.values()
        if not (k.is_event or describes_person(k.description) or k.name in present)
    }
    return _nearest(named, fitting, at)


def _person_of(named: _Named, at: int) -> str | None:
    """Return the type of "anybody at X", "somebody from X": of people, the one nearest."""
    after = [t.lower for t in named.question.tokens[at + 1 : at + 2]]
    kinds = named.schema.node_types.values()
    people = {k.name for k in kinds if describes_person(k.description) or _is_doer(k)}
    is_led = bool(set(after) & _PLACING) and named.after(at + 1) is not None
    return _nearest(named, people, at) if is_led and people else None


def _is_doer(kind: NodeType) -> bool:
    """Whether a type is called after what one does, or described so: "a performer"."""
    nouns = [spoken(kind.name).split()[-1], *_HEAD.findall(fold(kind.description))]
    return any(noun.endswith(_DOING) for noun in nouns) and not kind.is_event


def _set_aside(named: _Named, at: int) -> str | None:
    """Return the type of X in "anything but X", "anything of ours apart from X"."""
    tokens = named.question.tokens
    for span, types in named.things:
        before = [t.lower for t in tokens[max(at + 1, span.first - 3) : span.first]]
        before = before[:-1] if before[-1:] == ["the"] else before
        is_aside = any(tuple(before[-len(w) :]) == w for w in _SETTING_ASIDE)
        if is_aside and span.first > at and len(types) == 1:
            return next(iter(types))
    return None


def _said_alike(named: _Named, at: int) -> str | None:
    """Return the type of "finds" in "finds from X but nothing from Y"."""
    words = [t.lower for t in named.question.tokens]
    is_joined = bool({"but", "and"} & set(words[max(0, at - 2) : at]))
    for span, types in reversed(named.things):
        is_alike = words[span.last : span.last + 1] == words[at + 1 : at + 2]
        if is_joined and span.last <= at and is_alike and len(types) == 1:
            return next(iter(types))
    return None


def _is_filler(named: _Named, at: int, after: frozenset[str]) -> bool:
    """Whether a verb joins what does it to what follows the pronoun: "gets something from X"."""
    doers, pairs = named.before(at), _pairs(named, at)
    is_joined = any((s in doers and t in after) or (t in doers and s in after) for s, t in pairs)
    own = {s for s, _, t in named.schema.triples() if s == t}
    return is_joined or bool(not pairs and doers & after & own)


def _pairs(named: _Named, at: int) -> list[tuple[str, str]]:
    """Return the ends of what the verb right before a pronoun may mean."""
    verbs = [v for v in named.verbs if v.span.last == at]
    return [p for v in verbs for p in named.schema.relation_types[v.name].ends]


def _done_to(named: _Named, at: int) -> set[str]:
    """Return the types of what the verb right before a pronoun is done to."""
    first = min((v.span.first for v in named.verbs if v.span.last == at), default=at)
    doers, pairs = named.before(first), _pairs(named, at)
    if not doers:
        return {t for _, t in pairs}
    found = {t for s, t in pairs if s in doers} | {s for s, t in pairs if t in doers}
    return {t for t in found if not _leads_back(named, t, doers, at)}


def _leads_back(named: _Named, node_type: str, doers: frozenset[str], at: int) -> bool:
    """Whether the way on from a type goes back over what does it: an order, for its products."""
    after = named.after(at + 1)
    ways = [named.paths.best(node_type, t) for t in (after[1] if after else ())]
    return any(w is not None and doers & set(w.types[1:-1]) for w in ways)


def _doing(named: _Named, at: int) -> set[str]:
    """Return the types of what a verb after a pronoun is said of: "things that came out of X"."""
    tokens = named.question.tokens
    start = at + 1
    while start < len(tokens) and tokens[start].lower in _FILLING:
        start += 1
    verbs = [v for v in named.verbs if v.span.first == start]
    return {s for v in verbs for s, _ in named.schema.relation_types[v.name].ends}


def _done_by(named: _Named, thing: tuple[Span, frozenset[str]]) -> set[str]:
    """Return the types of what the thing after a pronoun does something to: "that X bought"."""
    span, types = thing
    verbs = [v for v in named.verbs if v.span.first == span.last]
    pairs = [p for v in verbs for p in named.schema.relation_types[v.name].ends]
    return {t for s, t in pairs if s in types} | {s for s, t in pairs if t in types}


def _nearest(named: _Named, fitting: set[str], at: int) -> str | None:
    """Return the one type nearest to the names around a pronoun; the one after it counts first."""
    if len(fitting) == 1:
        return next(iter(fitting))
    others = [thing for thing in named.things if thing[0].first > at][:_FAR]
    cost = {t: sum(_far(named, t, *o) for o in others) - _is_object(named, t) for t in fitting}
    best = sorted(fitting, key=lambda t: cost[t])
    is_clear = len(best) > 1 and cost[best[0]] < cost[best[1]] and cost[best[0]] < _NEVER
    return best[0] if is_clear else None


def _far(named: _Named, node_type: str, span: Span, types: frozenset[str]) -> float:
    """Return how many steps a type is from a thing; a relation's own preposition is nearer."""
    ways = [w for t in types if (w := named.paths.best(node_type, t))]
    joint = [t.lower for t in named.question.tokens[max(0, span.first - 2) : span.first]]
    direct = [spoken(w.hops[0].relation) for w in ways if len(w.hops) == 1]
    is_led = any(set(name.split()[-1:]) & set(joint) for name in direct)
    return min((len(w.hops) for w in ways), default=_NEVER) - 0.5 * is_led


def _is_object(named: _Named, node_type: str) -> float:
    """Return what it counts that a type is described as a thing: "an object out of the ground"."""
    told = stems(named.schema.node_types[node_type].description)[:3]
    return 0.5 * bool(_OBJECTS & set(told))
