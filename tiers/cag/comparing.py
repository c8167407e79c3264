"""What is said of the values of several entities that a question weighs against each other."""

from collections.abc import Mapping, Sequence
from typing import Final

from tiers.cag.attributes import plain
from tiers.cag.changes import comparative
from tiers.cag.findings import Entity, dated, shown
from tiers.cag.histories import went
from tiers.cag.kinds import asks_to_compare, difference, number_of
from tiers.cag.matching import Match
from tiers.cag.sheets import kind_of
from tiers.cag.truths import asks_whether, has_alternatives
from tiers.cag.wording import Wording
from trivium.domain.evidence import Statement
from trivium.domain.knowledge import Fact
from trivium.domain.schema import Property, PropertyKind

_PAIR: Final = 2


def compared_values(
    wording: Wording,
    entities: Sequence[Entity],
    asked: Mapping[str, Sequence[Match]],
    facts: Sequence[Fact],
) -> tuple[Statement, ...]:
    """Say which of several entities has the greater value, or the less where that is asked.

    And by how much, or whether it is as the question says.
    """
    if not asks_to_compare(wording):
        return ()
    names = {e.id: e.label for e in entities}
    attributes = {m.attribute.name: m.attribute for found in asked.values() for m in found}
    way = comparative(wording)
    said = []
    for name in dict.fromkeys(f.attribute for f in facts):
        indexes = tuple(i for i, f in enumerate(facts) if f.attribute == name)
        if len(indexes) > 1:
            chosen = [facts[i] for i in indexes]
            is_low = way is not None and went(way, attributes[name], -1.0) is True
            text = _compared(chosen, names, is_low=is_low)
            truth = _truth(wording, entities, attributes[name], chosen, way)
            if truth is not None:
                text = f"{'Yes' if truth else 'No'}: {text}"
            said.append(Statement(text, indexes))
    gap = difference(wording, entities, facts)
    if gap is not None:
        said.append(Statement(f"The difference is {shown(gap.number, gap.unit)}.", (0, 1)))
    return tuple(said)


def _truth(
    wording: Wording,
    entities: Sequence[Entity],
    attribute: Property,
    facts: Sequence[Fact],
    way: str | None,
) -> bool | None:
    """Return whether "is A bigger than B" is so; ``None`` where that is not asked."""
    than = next((i for i, t in enumerate(wording.tokens) if t.lower == "than"), None)
    first, *_, last = sorted(entities, key=lambda e: e.span.first)
    is_between = than is not None and first.span.last <= than <= last.span.first
    is_asked = asks_whether(wording, first.span) and not has_alternatives(wording)
    if way is None or len(entities) != len(facts) or len(facts) != _PAIR:
        return None
    numbers = {f.entity: number.number for f in facts if (number := number_of(f))}
    if not (is_between and is_asked) or len(numbers) != _PAIR:
        return None
    return went(way, attribute, numbers[first.id] - numbers[last.id])


def _compared(facts: Sequence[Fact], names: Mapping[str, str], *, is_low: bool) -> str:
    name = plain(facts[0].attribute, facts[0].unit)
    numbers = [f for f in facts if number_of(f)]
    texts = {str(f.value) for f in facts}
    if len(texts) == 1:
        return f"The {name} is the same: {shown(facts[0].value, facts[0].unit)}."
    is_dated = all(kind_of(f.value) is PropertyKind.DATE for f in facts)
    if len(numbers) < len(facts) and not is_dated:
        return f"The {name} differs."
    ranked = sorted(facts, key=lambda f: f.value, reverse=not is_low)  # type: ignore[arg-type,return-value]  # all numbers, or all ISO dates
    rest = ", ".join(f"{shown(f.value, f.unit)} for {names[f.entity]}" for f in ranked[1:])
    words = ("earlier", "later") if is_dated else ("lower", "greater")
    return (
        f"{names[ranked[0].entity]} has the {words[not is_low]} {name}: "
        f"{shown(ranked[0].value, ranked[0].unit)} against {rest}{dated(ranked[0].as_of)}."
    )
