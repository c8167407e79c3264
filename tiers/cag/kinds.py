"""Which kind of result answers a question about named entities: a number, a day, a comparison."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tiers.cag.findings import Entity, values_of
from tiers.cag.matching import Match
from tiers.cag.sheets import kind_of
from tiers.cag.wording import Wording
from trivium.domain.errors import InputError
from trivium.domain.knowledge import Fact, Value
from trivium.domain.result import Comparison, Day, Number, Result
from trivium.domain.schema import PropertyKind
from trivium.domain.time import Moment

_MANY: Final = frozenset({"many", "much", "often"})
_COMPARING: Final = frozenset(
    {"more", "less", "fewer", "than", "versus", "vs", "or", "better", "worse", "same"}
)
_DAYS: Final = frozenset({"day", "date", "month", "year"})


def results_of_one(wording: Wording, entity: Entity, item: Match, fact: Fact) -> tuple[Result, ...]:
    """Return the results of a question that one fact answers, what it asks for first.

    "How many" and "how much" ask for a number, "when" for a day. All facts give values, which
    also stand beside those two.
    """
    values = values_of([fact])
    number = number_of(fact)
    if number is not None and _asks_how_much(wording, entity, item, fact):
        return (number, values)
    day = day_of(fact.value)
    if day is not None and _asks_when(wording):
        return (day, values)
    return (values,)


def results_of_several(
    wording: Wording, entities: Sequence[Entity], facts: Sequence[Fact], *, is_compared: bool
) -> tuple[Result, ...]:
    """Return the results of a question that several facts answer, what it asks for first.

    Two that are compared give a comparison. By how much they differ comes before it, unless the
    question asks which it is first.
    """
    values = values_of(facts)
    if not is_compared or len(entities) != 2:
        return (values,)
    comparison = _comparison(entities, facts)
    gap = difference(wording, entities, facts)
    if gap is None:
        return (comparison, values)
    is_choice = any(wording.tokens[i].lower == "which" for i in wording.own)
    return (comparison, gap, values) if is_choice else (gap, comparison, values)


def asks_to_compare(wording: Wording) -> bool:
    """Whether the question weighs things against each other."""
    kinds = ("compare", "comparative", "most", "least", "above", "below")
    is_said = any(token.lower in _COMPARING for token in wording.tokens)
    return is_said or bool(wording.cues(*kinds)) or asks_by_how_much(wording)


def difference(
    wording: Wording, entities: Sequence[Entity], facts: Sequence[Fact]
) -> Number | None:
    """Return by how much one number of two entities differs, never below 0.

    ``None`` where that is not asked, or where they are no numbers of one unit.
    """
    is_one = len({f.attribute for f in facts}) == 1
    if not (is_one and len(entities) == len(facts) == 2 and asks_by_how_much(wording)):
        return None
    gap = _gap(*facts)
    return None if gap is None else Number(abs(gap.number), gap.unit)


def _comparison(entities: Sequence[Entity], facts: Sequence[Fact]) -> Comparison:
    """Compare two entities; ``shared`` names the higher where it is so in all that differs."""
    a, b = (entity.id for entity in entities)
    sides = [{f.attribute: f for f in facts if f.entity == entity} for entity in (a, b)]
    values: dict[str, tuple[Value, Value]] = {}
    higher: set[str] = set()
    for name in dict.fromkeys(f.attribute for f in facts):
        first, second = (side.get(name) for side in sides)
        values[name] = (first.value if first else None, second.value if second else None)
        gap = _gap(first, second)
        if gap is not None and gap.number:
            higher.add(a if gap.number > 0 else b)
    shared: dict[str, tuple[str, ...]] = {}
    if len(higher) == 1:
        (leader,) = higher
        shared = {"higher": (leader,), "lower": (b if leader == a else a,)}
    return Comparison(a=a, b=b, values=values, shared=shared)


def _gap(first: Fact | None, second: Fact | None) -> Number | None:
    """Return one number less another; ``None`` where they are none, or have other units."""
    a, b = (number_of(fact) if fact else None for fact in (first, second))
    return Number(a.number - b.number, a.unit) if a and b and a.unit == b.unit else None


def number_of(fact: Fact) -> Number | None:
    """Return a fact as a number; ``None`` where it is none."""
    value = fact.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Number(value, fact.unit)


def day_of(value: Value) -> Day | None:
    """Return a value as a day; ``None`` where it is none."""
    if kind_of(value) is not PropertyKind.DATE:
        return None
    try:
        return Day(Moment.of(str(value)).day)
    except InputError:
        return None


def _asks_how_much(wording: Wording, entity: Entity, item: Match, fact: Fact) -> bool:
    """Whether "how many", "how much", or "how hot" of what has a unit, asks for an attribute."""
    if asks_by_how_much(wording):
        return False
    for index in _after_how(wording):
        if index in item.words and fact.unit:
            return True
        if wording.tokens[index].lower in _MANY:
            clause = next(c for c in wording.clauses if index in c)
            other = set(wording.unread(entity.type, clause)) - item.words
            if not other or item.words & set(clause):
                return True
    return False


def asks_by_how_much(wording: Wording) -> bool:
    """Whether the question asks for a difference: "by how much", "how many more"."""
    compared = {cue.span.first for cue in wording.cues("comparative", "above", "below")}
    by = {i + 2 for i, token in enumerate(wording.tokens) if token.lower == "by"}
    return bool(wording.cues("difference")) or any(
        wording.tokens[i].lower in _MANY and (i in by or i + 1 in compared)
        for i in _after_how(wording)
    )


def _asks_when(wording: Wording) -> bool:
    """Whether the question asks since when, until when, or on what day."""
    cues = wording.cues("when", "since_when", "until_when")
    if any(cue.span.first in wording.own for cue in cues):
        return True
    words = [wording.tokens[i].lower for i in wording.own]
    return any(a in {"what", "which"} and b in _DAYS for a, b in pairwise(words))


def _after_how(wording: Wording) -> list[int]:
    """Return the words of the question itself that follow "how"."""
    own = wording.own
    return [i for i in own if i - 1 in own and wording.tokens[i - 1].lower == "how"]
