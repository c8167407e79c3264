"""One thing stated of a property, and the look-up of properties."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.reading.sketch import PropertyWord, Sketch
from trivium.domain.question import Span
from trivium.domain.schema import Property, PropertyKind
from trivium.language.words import is_money

_BEFORE_NUMBER: Final = frozenset(
    {"the", "their", "its", "total", "combined", "overall", "yearly", "annual"}
)
_ENOUGH_OVERLAP: Final = 0.7
_SURE: Final = 0.8
"""How well a property must be named to speak for what has it."""
_NAMED_GAIN: Final = 0.5
"""For the type that has a property, when it is named."""
_END_GAIN: Final = 0.3
"""For each end of the relation that has a property, when it is named."""


Stated: TypeAlias = str | float | tuple[str, ...]
"""What a property is held against: a value, or the values of which one will do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing stated of a property, and who may have that property."""

    span: Span
    owners: tuple[tuple[str, str], ...]
    """``(type or relation, property)`` pairs, best first."""
    relations: frozenset[str]
    """Those of the owners that are relations, when no type that is named has the property."""
    test: Test
    value: Stated
    spans: frozenset[Span]
    """The words that it accounts for."""
    by_property: bool = False
    """Whether the property itself is named beside it."""
    is_partial: bool = False
    """Whether only a part of a value is said."""

    def condition(self, name: str) -> Condition:
        """Return it as a condition on a property."""
        return Condition(property=name, test=self.test, value=self.value)

    def relation_property(self, relation: str) -> str | None:
        """Return the property of a relation that it is stated of."""
        if relation not in self.relations:
            return None
        return next((name for owner, name in self.owners if owner == relation), None)


def stated(  # noqa: PLR0913  # the parts of one statement
    sketch: Sketch,
    span: Span,
    owners: Iterable[tuple[str, str]],
    test: Test,
    value: Stated,
    *,
    spans: Iterable[Span] = (),
    by_property: bool = False,
    is_partial: bool = False,
) -> Statement:
    """Return a statement; ``owners`` come best first."""
    pairs = tuple(dict.fromkeys(owners))
    types = {t.type for t in sketch.types} | {a.type for a in sketch.anchors if a.conditions}
    is_of_type = any(o in types for o, _ in pairs)
    relations = frozenset(o for o, _ in pairs if o in sketch.schema.relation_types)
    return Statement(
        span=span,
        owners=pairs,
        relations=frozenset() if is_of_type else relations,
        test=test,
        value=value,
        spans=frozenset(spans) | {span},
        by_property=by_property,
        is_partial=is_partial,
    )


def described_numbers(
    sketch: Sketch,
    said: frozenset[str],
    *,
    enough: float = _ENOUGH_OVERLAP,
    is_of_things: bool = False,
) -> list[tuple[str, str]]:
    """Return the number properties whose names, units and descriptions share most words.

    Those of the types and relations that the question names come before others. With
    ``is_of_things``, no amounts of money are among them.
    """
    here = sketch.named_types | {t.name for t in sketch.relations}
    here |= {o for w in sketch.properties if w.score >= _SURE for o in w.owners}
    typed = {sketch.tokens[i].stem for t in sketch.types for i in t.span}
    typed |= {sketch.tokens[i].stem for a in sketch.anchors for i in a.span}
    said = said - typed
    scored = []
    for owner, name in sketch.glossary.numbers():
        score = sketch.glossary.overlap(owner, name, said)
        if score >= enough and not (is_of_things and is_amount(sketch, owner, name)):
            scored.append((score + _presence(sketch, owner, here), owner, name))
    best = max((score for score, _, _ in scored), default=0.0)
    return [(o, n) for score, o, n in scored if score >= best - 1e-9]


def _presence(sketch: Sketch, owner: str, here: set[str]) -> float:
    """Return what speaks for an owner: that it is named, or that its ends are."""
    relation = sketch.schema.relation_types.get(owner)
    if relation is None:
        return _NAMED_GAIN if owner in here else 0.0
    n_ends = max((len(here & set(ends)) for ends in relation.ends), default=0)
    return _END_GAIN * n_ends + (0.1 if owner in here else 0.0)


def is_number(sketch: Sketch, owner: str, name: str) -> bool:
    """Whether a property of a type or a relation holds numbers."""
    item = property_of(sketch, owner, name)
    return item is not None and item.kind is PropertyKind.NUMBER


def number_owners(sketch: Sketch, word: PropertyWord) -> list[str]:
    """Return the types and relations in which a property that is named holds numbers."""
    return [o for o in word.owners if is_number(sketch, o, word.name)]


def is_amount(sketch: Sketch, owner: str, name: str) -> bool:
    """Whether a property holds amounts of money."""
    item = property_of(sketch, owner, name)
    return item is not None and is_money(item.unit)


def property_of(sketch: Sketch, owner: str, name: str) -> Property | None:
    """Return a property of a type or of a relation."""
    holder = sketch.schema.owner(owner)
    return holder.properties.get(name) if holder else None


def clause(sketch: Sketch, span: Span) -> tuple[int, int]:
    """Return where the part of the sentence around ``span`` begins and ends."""
    first = max((b for b in sketch.breaks if b <= span.first), default=0)
    last = min((b for b in sketch.breaks if b >= span.last), default=len(sketch.tokens))
    return first, last


def is_after_by(sketch: Sketch, word: Span) -> bool:
    """Whether a number is what a question orders by: "rank the halls we rent by total rent"."""
    before = sketch.words(word.first - 4, word.first)
    while before and before[-1] in _BEFORE_NUMBER:
        before.pop()
    return before[-1:] == ["by"]
