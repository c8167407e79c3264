"""Which end of a relation a name stands at, told by the verb's voice; and chains of relations."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Literal

from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.reading.lines import is_source_told
from tiers.graphrag.reading.listing import BE, DOER_ENDINGS
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import Sketch
from trivium.domain.question import Span, Term
from trivium.domain.schema import Effect
from trivium.language.text import is_participle, spoken, stems
from trivium.language.words import general_words

_FROM: Final = frozenset({"from", "off"})
_TO: Final = frozenset({"to", "into", "onto", "towards"})
_RECEIVING: Final = frozenset({"receive", "receives", "get", "gets", "obtain", "obtains"})
_OF_MANY: Final = frozenset({"get", "have", "receive", "are", "were"})
_OF_ONE: Final = frozenset({"gets", "has", "receives", "is", "was"})
"""Verbs that are said of several, and of one."""
_FEELING: Final = frozenset(
    {"feel", "feels", "felt", "affected", "hit", "suffer", "suffers", "hurt", "impacted", "dragged"}
)
_HAVING: Final = frozenset({"have", "has", "had", "got"})
_NOUN: Final = frozenset({"a", "an", "any", "no", "another"})
_DOING: Final = frozenset({"do", "does", "did", "doesn", "doesnt", "didn", "didnt", "don", "dont"})
_BEFORE_OTHERS: Final = frozenset(
    {"any", "some", "other", "others", "another", "of", "the", "single"}
)
"""Words between "to" and what it leads to: "not passed on to any other depot"."""
_ALIKE: Final = 4
"""Letters by which a noun and its verb are told to belong together."""
_BOTH_WAYS: Final = (
    "both ways", "either way", "both directions", "either direction", "two way", "mutual"
)  # fmt: skip
_AGENT_ENDINGS: Final = (*DOER_ENDINGS, "head", "heads")


def directed(sketch: Sketch, path: TypedPath, item: Span) -> TypedPath:
    """Return a path with its relations of a type with itself turned as the question says.

    Args:
        sketch: the question.
        path: from the head to the item.
        item: where the item stands.
    """
    hops = []
    for hop, start, end in zip(path.hops, path.types, path.types[1:], strict=False):
        is_own = start == end and len(path.hops) == 1
        hops.append(replace(hop, outgoing=not acts(sketch, hop, item)) if is_own else hop)
    return TypedPath(hops=tuple(hops), types=path.types, cost=path.cost)


def as_doer(path: TypedPath) -> TypedPath:
    """Return a path of one relation of a type with itself to who does what the relation says."""
    hop = path.hops[0]
    is_turned = spoken(hop.relation).split()[-1:] == ["by"]
    return replace(path, hops=(replace(hop, outgoing=is_turned),))


def acts(sketch: Sketch, hop: Hop, item: Span) -> bool:
    """Whether the item is the source of the relation, as the verb between the two tells."""
    relation = sketch.schema.relation_types[hop.relation]
    told = is_source_told(relation, sketch.words(0, len(sketch.tokens)), item)
    if told is not None:
        return told
    verb = _verb(sketch, hop, item)
    if verb is None:
        before = set(sketch.words(item.first - 1, item.first))
        receives = bool(_RECEIVING & set(sketch.words(item.last, item.last + 2)))
        return bool(before & _FROM) or (bool(before & _DOING) and not receives)
    is_source = not _is_theirs(sketch, item, verb.span) and _is_subject(sketch, verb, item)
    is_turned = spoken(hop.relation).split()[-1:] == ["by"] or _is_told_backwards(sketch, verb)
    return is_source is not is_turned


def _is_told_backwards(sketch: Sketch, verb: Term) -> bool:
    """Whether a verb is from a description in which the target does it.

    "The second manages the first", "The first was copied from the second" and "copied by" it.
    """
    relation = sketch.schema.relation_types[verb.name]
    word = sketch.tokens[verb.span.first].stem
    if word in stems(spoken(relation.name)):
        return False
    told = stems(relation.description)
    at = {w: told.index(w) for w in ("first", "second") if w in told}
    if len(at) != 2 or word not in told:
        return False
    return (at["second"] < at["first"]) is not _is_undergone(relation.description, word)


def _is_undergone(description: str, verb: str) -> bool:
    """Whether a description tells a verb in the passive: "was identified by"."""
    said = spoken(description).split()
    return any(
        be in BE and after == "by" and stems(done) == (verb,)
        for be, done, after in zip(said, said[1:], said[2:], strict=False)
    )


def _verb(sketch: Sketch, hop: Hop, item: Span) -> Term | None:
    terms = [t for t in sketch.relations if t.name == hop.relation and t.span != item]
    if set(sketch.words(item.first, item.last)) & {"her", "his", "its", "their"}:
        terms = [t for t in terms if t.span.first != item.last] or terms
    return min(terms, key=lambda t: (abs(t.span.first - item.first), -t.score), default=None)


def _is_subject(sketch: Sketch, verb: Term, item: Span) -> bool:
    """Whether the item does what the verb says, rather than having it done to it."""
    comes_first = item.first < verb.span.first
    at = item.first
    while 0 < at <= len(sketch.tokens) and sketch.tokens[at - 1].lower in _BEFORE_OTHERS:
        at -= 1
    lead_in = set(sketch.words(at - 2, item.first))
    if lead_in & _FROM or lead_in & _TO:
        is_received = spoken(verb.name).split()[-1:] in (["from"], ["under"])
        return bool(lead_in & _FROM) is not is_received
    if is_passive(sketch, verb.span):
        return not comes_first
    word = sketch.tokens[verb.span.first].lower
    between = set(sketch.words(item.last, verb.span.first))
    has_one = between & _HAVING and between & _NOUN
    if comes_first and (has_one or _owns(sketch, item, verb.span)) and not is_participle(word):
        return _is_role(sketch, verb)  # "does X have a mentor": somebody mentors X
    if "as" in sketch.words(item.last, verb.span.first):
        return word.endswith(_AGENT_ENDINGS)
    after = sketch.words(verb.span.last, verb.span.last + 1)
    if after in (["of"], ["for"]) and not comes_first and not is_participle(word):
        is_named_so = spoken(verb.name).split()[-1:] == ["of"]
        if word.endswith(_AGENT_ENDINGS) and _is_role(sketch, verb):
            return True
        return not word.endswith(_AGENT_ENDINGS) and not is_named_so
    around = sketch.words(item.first - 1, item.first) + sketch.words(item.last, item.last + 1)
    return comes_first or bool(set(around) & _DOING)


def _is_theirs(sketch: Sketch, item: Span, verb: Span) -> bool:
    """Whether those asked for do what a verb says: "which would feel it, whether they send ..."."""
    focus = sketch.focus.span.first if sketch.focus else verb.first
    return max(item.first, focus) < verb.first and sketch.words(verb.first - 1, verb.first) == [
        "they"
    ]


def _owns(sketch: Sketch, item: Span, noun: Span) -> bool:
    """Whether a name stands in the genitive right before a noun: "X's mentor"."""
    tokens, text = sketch.tokens, sketch.question.text
    between = text[tokens[item.last - 1].end : tokens[noun.first].start]
    return between.strip().casefold() in {"'s", "\u2019s", "'", "\u2019"}


def _is_role(sketch: Sketch, verb: Term) -> bool:
    """Whether a noun says what the target is to the source: the "manager" of who reports to one."""
    said = sketch.tokens[verb.span.first].stem
    return not any(said[:_ALIKE] == part[:_ALIKE] for part in stems(spoken(verb.name)))


def is_passive(sketch: Sketch, verb: Span) -> bool:
    """Whether a verb is passive: after a form of "to be", before "by", or right after its noun."""
    before = sketch.words(verb.first - 3, verb.first)
    end = min((b for b in sketch.breaks if b >= verb.last), default=len(sketch.tokens))
    after = sketch.words(verb.last, min(verb.last + 4, end))
    word = sketch.tokens[verb.first].lower
    if any(joint == "by" and then != "way" for joint, then in pairwise([*after, ""][:4])):
        return True
    return (is_participle(word) or word == "run") and bool(set(before) & BE)


def disagrees(sketch: Sketch, noun: Span) -> bool:
    """Whether the verb right after a type is one of another number: "at a house get"."""
    word = next((t for t in sketch.types if t.span == noun), None)
    after = set(sketch.words(noun.last, noun.last + 1))
    return word is not None and bool(after & (_OF_MANY if word.is_singular else _OF_ONE))


def felt(sketch: Sketch, path: TypedPath) -> TypedPath | None:
    """Turn a relation of a type with itself as a fault runs, where "feels it" asks for that."""
    is_own = len(path.hops) == 1 and path.types[0] == path.types[1]
    if not (is_own and sketch.has("removal") and sketch.has("closure")):
        return None
    if not any(t.lower in _FEELING for t in sketch.tokens):
        return None
    effect = sketch.schema.relation_types[path.hops[0].relation].effect
    told = [t.span for t in sketch.relations if t.name == path.hops[0].relation]
    if effect is Effect.NONE or any(sketch.words(s.first - 1, s.first) == ["they"] for s in told):
        return None
    hop = replace(path.hops[0], outgoing=effect is Effect.BACKWARD)
    return replace(path, hops=(hop,))


def is_mutual(sketch: Sketch, path: TypedPath) -> bool:
    """Whether a path is one relation of a type with itself that holds both ways.

    Its verb tells ("borders"), or its description ("can be driven both ways").
    """
    if len(path.hops) != 1 or path.types[0] != path.types[1]:
        return False
    relation = sketch.schema.relation_types[path.hops[0].relation]
    told = relation.description.casefold().replace("-", " ")
    is_told = any(f"{phrase} " in f"{told.rstrip('.')} " for phrase in _BOTH_WAYS)
    return is_told or stems(spoken(relation.name))[0] in general_words().mutual


def repeated(path: TypedPath) -> TypedPath:
    """Return a path whose relations of a type with itself are followed as often as they go."""
    hops = [
        replace(hop, repeat="+") if start == end else hop
        for hop, start, end in zip(path.hops, path.types, path.types[1:], strict=False)
    ]
    return TypedPath(hops=tuple(hops), types=path.types, cost=path.cost)


def spread(sketch: Sketch, path: TypedPath, *, is_everywhere: bool = False) -> TypedPath:
    """Return a path on which what feels a fault of its like is reached too.

    That is so of what fails; with ``is_everywhere``, of every type on the way.

    The path leads from what fails to what feels it.
    """
    hops: list[Hop] = []
    types: list[str] = [path.types[0]]
    for index, node_type in enumerate(path.types[:-1]):
        own = _own_effect(sketch, node_type)
        is_own_hop = path.types[index + 1] == node_type
        if own and not is_own_hop and (is_everywhere or index == 0):
            hops.append(own)
            types.append(node_type)
        hop = path.hops[index]
        again: Literal["+", "*"] = "+" if len(path.hops) == 1 else "*"
        hops.append(replace(hop, repeat=again) if is_own_hop else hop)
        types.append(path.types[index + 1])
    return TypedPath(hops=tuple(hops), types=tuple(types), cost=path.cost)


def _own_effect(sketch: Sketch, node_type: str) -> Hop | None:
    """Return the step from an entity to those of its type that need it, none or more times."""
    found: Sequence[tuple[str, Hop, Effect]] = sketch.paths.hops_from(node_type)
    for other, hop, effect in found:
        relation = sketch.schema.relation_types[hop.relation]
        if other == node_type and effect is Effect.FORWARD and relation.effect is Effect.BACKWARD:
            return replace(hop, repeat="*")
    return None


def turned(path: TypedPath) -> TypedPath:
    """Return the same relation, followed the other way."""
    hop = path.hops[0]
    return replace(path, hops=(replace(hop, outgoing=not hop.outgoing),))
