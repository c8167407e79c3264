"""Entities that a question names by what they are, not by name: "the freighter"."""

from collections.abc import Sequence
from dataclasses import replace

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.reading.draft import merged
from tiers.graphrag.reading.nouns import is_object, says_kind
from tiers.graphrag.reading.sketch import Anchor, Sketch, TypeWord, ValueWord, gap
from trivium.domain.question import Span, Understood
from trivium.domain.schema import Schema
from trivium.language.phrases import PART
from trivium.language.text import stems


def described(
    question: Understood,
    schema: Schema,
    values: Sequence[ValueWord],
    types: Sequence[TypeWord],
    focus: TypeWord | None,
) -> tuple[list[Anchor], tuple[ValueWord, ...]]:
    """Turn values that stand for entities ("the freighter") into anchors; return the rest too.

    A value stands for entities where it says their kind, no other type is named beside it, and
    the type that has it is not the one asked for.
    """
    anchors: list[Anchor] = []
    rest: list[ValueWord] = []
    for word in values:
        owners = [(o, p) for o, p in word.owners if o in schema.node_types]
        is_of_focus = focus is not None and any(o == focus.type for o, _ in word.owners)
        before = question.tokens[max(0, word.span.first - 2) : word.span.first]
        is_named = any(t.lower in {"the", "a", "an", "our"} for t in before)
        is_plural = question.tokens[word.span.last - 1].lower.endswith("s")
        beside = [t for t in types if gap(t.span, word.span) <= 1]
        is_one_type = len({o for o, _ in owners}) == 1
        ends = [a.span.last for a in anchors]
        is_noun = is_named or is_plural or is_object(question, schema, word, ends)
        is_kind = is_one_type and says_kind(schema, *owners[0]) and is_noun
        is_kind = is_kind and _has_head(question, word)
        if is_kind and _says_what_it_is(question, word.span, owners[0][0]):
            continue
        if not is_kind or is_of_focus or beside:
            rest.append(word)
            continue
        owner, name = owners[0]
        condition = Condition(property=name, test=Test.EQUALS, value=word.value)
        anchors.append(
            Anchor(span=word.span, type=owner, conditions=(condition,), label=word.value)
        )
    return _as_one(anchors), tuple(rest)


def _has_head(question: Understood, word: ValueWord) -> bool:
    """Whether a word that is a part of a value is its noun: "the jet", but not "the business"."""
    is_part = word.score == PART and len(word.span) == 1
    return not is_part or question.tokens[word.span.first].stem in stems(word.value)[-1:]


def _as_one(anchors: Sequence[Anchor]) -> list[Anchor]:
    """Join what the same words may stand for: "the jet", a regional or a business jet."""
    found: dict[tuple[Span, str], list[Anchor]] = {}
    for anchor in anchors:
        found.setdefault((anchor.span, anchor.type), []).append(anchor)
    return [either(same) for same in found.values()]


def either(anchors: Sequence[Anchor]) -> Anchor:
    """Return, of what is described in several ways, all that any of them describes, as one."""
    return replace(
        anchors[0],
        conditions=tuple(merged([c for anchor in anchors for c in anchor.conditions])),
        label=" or ".join(anchor.label for anchor in anchors),
    )


def supposed(sketch: Sketch) -> Sketch:
    """Return a sketch in which what is supposed to be gone is an entity: "the Rotterdam depot".

    It is told by a value before its type, in a clause before the question.
    """
    focus = sketch.focus
    if focus is None or sketch.anchors or not sketch.has("removal", "hypothetical"):
        return sketch
    for word in sketch.types:
        ends = [b for b in sketch.breaks if word.span.last <= b <= focus.span.first]
        value = next((v for v in sketch.values if v.span.last == word.span.first), None)
        name = next((p for o, p in value.owners if o == word.type), None) if value else None
        is_one = value is not None and sketch.words(value.span.first - 1, value.span.first) == [
            "the"
        ]
        if value is None or name is None or not (ends and is_one and word.is_singular):
            continue
        where = Condition(property=name, test=Test.EQUALS, value=value.value)
        span = Span(first=value.span.first, last=word.span.last)
        gone = Anchor(span=span, type=word.type, conditions=(where,), label=value.value)
        return replace(
            sketch,
            anchors=(gone,),
            types=tuple(t for t in sketch.types if t is not word),
            values=tuple(v for v in sketch.values if v is not value),
        )
    return sketch


def _says_what_it_is(question: Understood, span: Span, owner: str) -> bool:
    """Whether a kind only goes with a name of its type, right before it: "the Skua trawler"."""
    return any(
        m.span.last == span.first and any(c.type == owner for c in m.best)
        for m in question.mentions
        if m.candidates
    )
