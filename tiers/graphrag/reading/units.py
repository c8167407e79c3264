"""Units said after numbers, and the properties that are in them."""

from tiers.graphrag.reading.rates import holds_for, is_rate
from tiers.graphrag.reading.sketch import PropertyWord, Sketch
from tiers.graphrag.reading.statement import property_of
from trivium.domain.question import Quantity
from trivium.language.text import spoken
from trivium.language.words import asked_by_adjective, general_words, is_money, name_phrases


def unit_after(sketch: Sketch, quantity: Quantity) -> str | None:
    """Return the unit said after a number: of "2,000 thousand euros" the euros."""
    words = sketch.words(quantity.span.last, quantity.span.last + 2)
    units, scales = general_words().units, general_words().scales
    if words[1:] and words[0] in scales and words[0] not in units:
        return units.get(words[1])
    return units.get(words[0]) if words else None


def units_of(name: str) -> set[str]:
    """Return the units in a property's name: euros and kilograms in ``price_eur_kg``."""
    said = [general_words().units.get(part, "") for part in spoken(name).split()]
    is_priced = len(said) > 1 and bool(said[-1]) and is_money(said[-2] or None)
    units = said[:-1] if is_priced else said  # a price in euros, for a kilogram
    return {form for unit in units for form in _forms(unit)}


def _forms(unit: str) -> set[str]:
    """Return a unit, and what it counts thousands or millions of: ``thousand EUR``."""
    first, _, rest = unit.partition(" ")
    return {unit, rest} if first in general_words().scales else {unit}


def scaled(sketch: Sketch, quantity: Quantity, owner: tuple[str, str]) -> float:
    """Return a number in the unit of a property: "5 million" of euros."""
    after = sketch.words(quantity.span.last, quantity.span.last + 1)
    scale = general_words().scales.get(after[0], 1.0) if after else 1.0
    item = property_of(sketch, *owner)
    unit = general_words().units.get(after[0]) if after else None
    if unit and unit in units_of(owner[1]):
        return quantity.number  # "20 m long": metres, where a length is in metres
    if unit and (factor := factor_to(unit, units_of(owner[1]))):
        return round(quantity.number * factor, 9)
    unit_scale = general_words().scales.get((item.unit or "").split(" ")[0], 1.0) if item else 1.0
    return quantity.number * scale / unit_scale if scale > 1 else quantity.number


def has_unit(sketch: Sketch, owner: str, name: str, quantity: Quantity) -> bool:
    """Whether the unit said after a number, if any, is that of a property."""
    unit = unit_after(sketch, quantity)
    item = property_of(sketch, owner, name)
    if unit is None or item is None or item.unit is None:
        return True
    return unit in _forms(item.unit) or factor_to(unit, _forms(item.unit)) is not None


def factor_to(unit: str, others: set[str]) -> float | None:
    """Return how many of one of some other units a unit is: a kilometre is 1,000 metres."""
    known = general_words().conversions.get(unit, {})
    return next((factor for other, factor in known.items() if other in others), None)


def is_in_unit(sketch: Sketch, word: PropertyWord, quantity: Quantity) -> bool:
    """Whether a property is in the unit said after a number, and is not that word itself."""
    unit = unit_after(sketch, quantity)
    return word.span.first != quantity.span.last and unit in units_of(word.name)


def by_unit(sketch: Sketch, quantity: Quantity) -> list[tuple[str, str]]:
    """Return the one number of the nearest type before that has the unit said: "over 30 euros"."""
    unit = unit_after(sketch, quantity)
    typed = [t.type for t in sketch.types if t.span.last <= quantity.span.first]
    if unit is None or not typed:
        return []
    held = [(o, n) for o, n in sketch.glossary.numbers() if o == typed[-1]]
    fitting = [(o, n) for o, n in held if unit in units_of(n)]
    fitting = fitting or [(o, n) for o, n in held if factor_to(unit, units_of(n))]
    said = [t.stem for t in sketch.tokens[quantity.span.last + 1 : quantity.span.last + 2]]
    wanted = {p for word in said for m, _ in asked_by_adjective(word) for p in m.of}
    told = [(o, n) for o, n in fitting if name_phrases(n) & wanted]
    return told or (fitting if len(fitting) == 1 else [])


def by_unit_between(
    sketch: Sketch, quantity: Quantity, here: set[str], *, converts: bool = False
) -> list[tuple[str, str]]:
    """Return the one number in the unit said on a relation between two types that are named.

    With ``converts``, the one in a unit that it can be turned into.
    """
    unit = unit_after(sketch, quantity)
    relations = sketch.schema.relation_types
    near = [
        (o, n)
        for o, n in sketch.glossary.numbers()
        if o in relations and any(here & set(ends) for ends in relations[o].ends)
    ]
    fitting = [(o, n) for o, n in near if unit in units_of(n)]
    at = quantity.span.last + 2
    if is_rate(sketch.tokens, at):  # "1,800 euros a month": no other fee is told for a month
        timed = [(o, n) for o, n in fitting if holds_for(n, {sketch.tokens[at].stem})]
        fitting = timed or fitting
    if converts:
        fitting = [(o, n) for o, n in near if unit and factor_to(unit, units_of(n))]
    joining = [(o, n) for o, n in fitting if any(set(e) <= here for e in relations[o].ends)]
    chosen = joining or fitting
    return chosen if unit and len(chosen) == 1 else []
