"""Numbers stated of properties: "over 5 percent", "steeper than 30 degrees", "tier 2"."""

from collections.abc import Iterator, Sequence
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.ages import years_of_age
from tiers.graphrag.reading.rates import is_rate
from tiers.graphrag.reading.sketch import PropertyWord, Sketch, gap
from tiers.graphrag.reading.statement import (
    Statement,
    clause,
    described_numbers,
    number_owners,
    stated,
)
from tiers.graphrag.reading.units import (
    by_unit,
    by_unit_between,
    has_unit,
    is_in_unit,
    scaled,
    unit_after,
    units_of,
)
from trivium.domain.question import Cue, Quantity, Span
from trivium.language.text import spoken, stems
from trivium.language.words import (
    asked_by_adjective,
    asked_by_verb,
    general_words,
    is_money,
    name_phrases,
)

_PIECES: Final = frozenset({"unit", "units", "piece", "pieces", "item", "items", "copies"})
"""Words for things that are counted, of which no amount of money is told."""
_LEADING: Final = frozenset({"the", "a", "an", "its", "their", "of"})
"""Words around a property that leads to a number."""
_NEAR: Final = 6
_AT_LEAST: Final = frozenset(
    {
        "at least",
        "or more",
        "or longer",
        "or higher",
        "or larger",
        "no less than",
        "no fewer than",
        "not less than",
        "minimum",
    }
)
_AT_MOST: Final = frozenset(
    {
        "at most",
        "or less",
        "or shorter",
        "or lower",
        "or smaller",
        "or fewer",
        "up to",
        "no more than",
        "not more than",
        "maximum",
    }
)


def of_numbers(sketch: Sketch) -> Iterator[Statement]:
    """Give all numbers that a question states of properties."""
    yield from _of_bounds(sketch)
    yield from _of_comparatives(sketch)
    yield from _of_levels(sketch)


def _of_bounds(sketch: Sketch) -> Iterator[Statement]:
    """Give "more than 5 percent over budget": the property by its name, else by its words."""
    for cue in sketch.question.cues_of("above", "below", "equal"):
        quantity = compared(sketch, cue)
        if quantity is None or sketch.type_after(quantity.span.last, within=1):
            continue
        first, last = quantity.span.first, quantity.span.last
        if sketch.words(first, last + 1) == ["one", "of"]:
            continue  # "at least one of the things"
        owners = _measured(sketch, cue.span, quantity)
        if owners:
            span = Span(
                first=min(cue.span.first, quantity.span.first),
                last=max(cue.span.last, quantity.span.last),
            )
            yield stated(
                sketch,
                span,
                owners,
                comparison(sketch, cue),
                scaled(sketch, quantity, owners[0]),
                spans=(cue.span, quantity.span),
            )


def _of_comparatives(sketch: Sketch) -> Iterator[Statement]:
    """Give "steeper than 30 degrees": the number that an adjective asks for."""
    compared = sketch.question.cues_of("above", "below")
    for quantity in sketch.question.quantities:
        at = quantity.span.first - 2
        if at < 0 or sketch.tokens[at + 1].lower != "than":
            continue
        if any(c.span.last == quantity.span.first for c in compared):
            continue
        asked = list(asked_by_adjective(sketch.tokens[at].stem))
        owners = _measured_by(sketch, {p for m, _ in asked for p in m.of})
        owners = owners or (_of_its_unit(sketch, quantity) if asked else [])
        if owners and sketch.tokens[at].lower.endswith("r"):
            test = Test.BELOW if any(is_low for _, is_low in asked) else Test.ABOVE
            span = Span(first=at, last=quantity.span.last)
            number = scaled(sketch, quantity, owners[0])
            yield stated(sketch, span, owners[:1], test, number, spans=(quantity.span,))


def _measured_by(sketch: Sketch, names: set[tuple[str, ...]]) -> list[tuple[str, str]]:
    """Return the numbers of the types named that have one of some words in their names."""
    typed = {t.type for t in sketch.types}
    return [(o, n) for o, n in sketch.glossary.numbers() if o in typed and name_phrases(n) & names]


def _of_its_unit(sketch: Sketch, quantity: Quantity) -> list[tuple[str, str]]:
    """Return the number called by the unit that is said: "larger than 40 hectares"."""
    here = sketch.named_types
    named = [p for p in sketch.properties if p.span.first == quantity.span.last]
    found = [(o, p.name) for p in named for o in number_owners(sketch, p) if o in here]
    return found or by_unit(sketch, quantity)


def comparison(sketch: Sketch, cue: Cue) -> Test:
    """Return the comparison that a cue says."""
    words = sketch.question.words(cue.span).casefold()
    if cue.kind == "equal":
        return Test.EQUALS
    if cue.kind == "above":
        return Test.AT_LEAST if words in _AT_LEAST else Test.ABOVE
    return Test.AT_MOST if words in _AT_MOST else Test.BELOW


def compared(sketch: Sketch, cue: Cue) -> Quantity | None:
    """Return the number that a cue compares with: after it, or before "or more"."""
    for quantity in sketch.question.quantities:
        if 0 <= quantity.span.first - cue.span.last <= 2 or _is_of(sketch, cue, quantity):
            return quantity
        is_trailing = sketch.words(cue.span.first, cue.span.last)[0] == "or"
        after = sketch.words(quantity.span.last, cue.span.first)
        is_next = quantity.span.last <= cue.span.first and len(after) <= 1
        if is_trailing and (is_next or _is_unit_for_a_time(after)):
            return quantity
    return None


def _is_of(sketch: Sketch, cue: Cue, quantity: Quantity) -> bool:
    """Whether a number property alone leads from a cue to its number: "above the age of 30"."""
    named = {i for p in sketch.properties for i in p.span if number_owners(sketch, p)}
    between = range(cue.span.last, quantity.span.first)
    plain = [sketch.tokens[i].lower for i in between if i not in named]
    return bool(named & set(between)) and set(plain) <= _LEADING and plain[-1:] == ["of"]


def _is_unit_for_a_time(words: Sequence[str]) -> bool:
    """Whether words after a number are its unit, and for how long it holds: "euros a night"."""
    rest = list(words[1:] if words and words[0] in general_words().units else words)
    return len(rest) == 2 and rest[0] in {"a", "an", "per", "each", "every"}


def _measured(sketch: Sketch, cue: Span, quantity: Quantity) -> list[tuple[str, str]]:
    """Return the number properties that a comparison may be about, best first."""
    near = _named_near(sketch, cue)
    here = sketch.named_types | {t.type for t in sketch.wanted}
    rated = [(o, n) for o, n in _rates(sketch, quantity) if o in here]
    if sure := years_of_age(sketch, cue, quantity) or rated:
        return sure
    in_unit = by_unit(sketch, quantity)
    if in_unit and not any(is_in_unit(sketch, w, quantity) and here & set(w.owners) for w in near):
        return in_unit
    of_relation = by_unit_between(sketch, quantity, here)
    unit = unit_after(sketch, quantity)
    if of_relation and is_money(unit) and not any(unit in units_of(w.name) for w in near):
        return of_relation
    told = frozenset(t.stem for t in sketch.tokens[quantity.span.last : quantity.span.last + 1])
    of_these = [o for o in described_numbers(sketch, told) if o[0] in here]
    hosts = {t.type for t in sketch.types if 0 <= cue.first - t.span.last <= 1} or here
    of_host = [o for o in of_these if o[0] in hosts]
    if of_host and not any(hosts & set(w.owners) for w in near):
        return of_host
    elsewhere: list[tuple[str, str]] = []
    for word in sorted(near, key=lambda w: (-w.score, gap(w.span, cue))):
        owners = [(o, word.name) for o in number_owners(sketch, word)]
        fitting = [o for o in owners if has_unit(sketch, *o, quantity)]
        if any(o in here or o in sketch.schema.relation_types for o, _ in fitting):
            return fitting
        elsewhere = elsewhere or fitting
    first, last = clause(sketch, quantity.span)
    said = frozenset(t.stem for t in sketch.tokens[max(first, cue.first - 5) : last])
    is_of_things = bool(_PIECES & set(sketch.words(quantity.span.last, quantity.span.last + 1)))
    described = described_numbers(sketch, said, is_of_things=is_of_things)
    found = [o for o in described if has_unit(sketch, *o, quantity)]
    said_so = [o for o in _by_verb(sketch, cue) if has_unit(sketch, *o, quantity)]
    present = [o for o in found if o[0] in here] or said_so
    if of_relation and not any(unit in units_of(n) for _, n in present):
        return of_relation
    named = present or of_relation or elsewhere or found or by_unit(sketch, quantity)
    return named or by_unit_between(sketch, quantity, here, converts=True)


def _named_near(sketch: Sketch, cue: Span) -> list[PropertyWord]:
    """Return the properties that are named around a comparison, and are no rates."""
    return [
        w
        for w in sketch.properties
        if gap(w.span, cue) <= _NEAR and not sketch.is_parted(min(w.span.first, cue.first),
                                                            max(w.span.first, cue.first))
        and w.score >= 0.8 and not is_rate(sketch.tokens, w.span.first)
    ]  # fmt: skip


def _by_verb(sketch: Sketch, cue: Span) -> list[tuple[str, str]]:
    """Return the one number of a type named that a verb before a comparison asks for: "cost"."""
    said = {(t.stem,) for t in sketch.tokens[max(0, cue.first - 2) : cue.first]}
    found = _measured_by(sketch, asked_by_verb(said))
    return found if len(found) == 1 else []


def _rates(sketch: Sketch, quantity: Quantity) -> list[tuple[str, str]]:
    """Return the numbers that hold for a time, where one is said so: "5,000 a day"."""
    after = range(quantity.span.last, min(quantity.span.last + 4, len(sketch.tokens)))
    at = next((i for i in after if is_rate(sketch.tokens, i)), None)
    if at is None:
        return []
    period = frozenset({sketch.tokens[at].stem})
    return [(o, n) for o, n in sketch.glossary.numbers() if period < set(stems(spoken(n)))]


def _of_levels(sketch: Sketch) -> Iterator[Statement]:
    """Give ``property = number`` for "tier 2" and "a tier of 2"."""
    cues = sketch.question.cues_of("above", "below", "equal")
    bounds = [q for cue in cues if (q := compared(sketch, cue))]
    for word in sketch.properties:
        owners = [(o, word.name) for o in number_owners(sketch, word)]
        for quantity in (q for q in sketch.question.quantities if q not in bounds):
            between = sketch.words(word.span.last, quantity.span.first)
            is_next = quantity.span.first >= word.span.last and set(between) <= {
                "of",
                "is",
                "level",
            }
            if owners and is_next and len(between) <= 1:
                yield stated(
                    sketch,
                    quantity.span,
                    owners,
                    Test.EQUALS,
                    quantity.number,
                    spans=(word.span,),
                    by_property=True,
                )
