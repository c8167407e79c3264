"""Statements on dates and years ("due in Q4 2025") and on flags ("step-free rooms")."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.sketch import PropertyWord, Sketch, gap
from tiers.graphrag.reading.statement import Statement, is_number, property_of, stated
from trivium.domain.question import TimeExpression, TimeRelation
from trivium.domain.schema import PropertyKind
from trivium.language.text import spoken, stem, stems
from trivium.language.words import general_words

_POLES: Final = frozenset({"yes", "no", "true", "false"})
_DENIALS: Final = frozenset({"not", "no", "without", "isn", "aren", "never"})
_EXPIRING: Final = frozenset(stem(w) for w in ("lapse", "expire", "ends", "runs", "due", "falls"))
_PARTS: Final = frozenset({"end", "start", "beginning"})
"""Parts of a period: "at the end of 2024" says no property."""
_OWN_NAME: Final = 1.0
_NEAR: Final = 3
_NEAR_EXPIRY: Final = 8
"""How many words may stand between a property and its day; more where one says "expires"."""


def dates(sketch: Sketch) -> Iterator[Statement]:
    """Give "due in Q4 2025" and "built before 2010"."""
    for time in sketch.question.times:
        words = sorted(sketch.properties, key=lambda w: -w.span.first)
        aged = _of_age(sketch, time)
        if aged:
            yield aged
            continue
        found = (_of_time(sketch, w, time) for w in words if _is_near(sketch, w, time))
        statement = next((s for s in found if s), None)
        if statement:
            yield statement


def _of_age(sketch: Sketch, time: TimeExpression) -> Statement | None:
    """Read "older than 2015" of the year in which something was built or founded."""
    at = time.span.first
    if sketch.words(at - 1, at) != ["than"] or sketch.focus is None or at < 2:
        return None
    word = sketch.tokens[at - 2].lower.removesuffix("er")
    said = [m for m in general_words().measures if ("built",) in m.of or (stem("built"),) in m.of]
    low = any(stem(word) in m.low for m in said)
    if not low and not any(stem(word) in m.high for m in said):
        return None
    names = {p for m in said for p in m.of}
    owner = sketch.focus.type
    held = [n for o, n in sketch.glossary.numbers() if o == owner]
    years = [(owner, n) for n in held if {(part,) for part in stems(spoken(n))} & names]
    year = float(date.fromisoformat(time.moment.day).year)
    test = Test.BELOW if low else Test.ABOVE
    return stated(sketch, time.span, years, test, year, by_property=True) if years else None


def _is_near(sketch: Sketch, word: PropertyWord, time: TimeExpression) -> bool:
    between = sketch.tokens[word.span.last : time.span.first]
    if sketch.tokens[word.span.first].lower in _PARTS and [t.lower for t in between] == ["of"]:
        return False
    is_expiry = any(t.stem in _EXPIRING for t in between)
    return (
        0
        <= time.span.first - word.span.last
        <= (_NEAR_EXPIRY if is_expiry or word.score >= _OWN_NAME else _NEAR)
    )


def _of_time(sketch: Sketch, word: PropertyWord, time: TimeExpression) -> Statement | None:
    owners = [(o, word.name) for o in word.owners if _is_dated(sketch, o, word.name)]
    if owners:
        return _dated(sketch, word, time, owners)
    years = [(o, word.name) for o in word.owners if is_number(sketch, o, word.name)]
    if years and word.score >= 0.8 and len(time.span) == 1:
        return _of_year(sketch, word, time, years)
    return None


def _is_dated(sketch: Sketch, owner: str, name: str) -> bool:
    item = property_of(sketch, owner, name)
    if item is None:
        return False
    is_period = any(c.isdigit() for v in item.values for c in v)
    return item.kind is PropertyKind.DATE or is_period


def _dated(
    sketch: Sketch, word: PropertyWord, time: TimeExpression, owners: list[tuple[str, str]]
) -> Statement:
    tests: dict[TimeRelation, tuple[Test, str]] = {
        TimeRelation.ON: (Test.WITHIN, f"{time.moment.day}/{time.moment.last_day}"),
        TimeRelation.BEFORE: (Test.BELOW, time.moment.day),
        TimeRelation.AFTER: (Test.ABOVE, time.moment.last_day),
    }
    test, value = tests[time.relation]
    if time.relation is TimeRelation.AFTER and "since" in sketch.words(
        word.span.last, time.span.first
    ):
        test, value = Test.AT_LEAST, time.moment.day
    return stated(sketch, word.span, owners, test, value, spans=(time.span,), by_property=True)


def _of_year(
    sketch: Sketch, word: PropertyWord, time: TimeExpression, owners: list[tuple[str, str]]
) -> Statement:
    """Read a year as the number that a property holds."""
    year = float(date.fromisoformat(time.moment.day).year)
    tests = {
        TimeRelation.ON: Test.EQUALS,
        TimeRelation.BEFORE: Test.BELOW,
        TimeRelation.AFTER: Test.ABOVE,
    }
    return stated(
        sketch, word.span, owners, tests[time.relation], year, spans=(time.span,), by_property=True
    )


def flags(sketch: Sketch) -> Iterator[Statement]:
    """Give "step-free rooms" and "without sprinklers": properties that hold or do not."""
    for word in sketch.properties:
        owners = [(o, word.name) for o in word.owners if _is_flag(sketch, o, word.name)]
        if owners and not _has_value(sketch, word):
            yield _flag(sketch, word, owners)


def _has_value(sketch: Sketch, word: PropertyWord) -> bool:
    own = [v for v in sketch.values if any(name == word.name for _, name in v.owners)]
    return any(gap(v.span, word.span) <= 2 for v in own)


def _flag(sketch: Sketch, word: PropertyWord, owners: list[tuple[str, str]]) -> Statement:
    before = set(sketch.words(word.span.first - 2, word.span.first))
    is_denied = bool(_DENIALS & before)
    told = property_of(sketch, *owners[0])
    yes, no = _poles(told.values) if told and told.values else ("True", "False")
    cues = [
        c.span
        for c in sketch.question.cues_of("negation")
        if is_denied and 0 <= word.span.first - c.span.last <= 1
    ]
    value = no if is_denied else yes
    return stated(sketch, word.span, owners, Test.EQUALS, value, spans=cues, by_property=True)


def _is_flag(sketch: Sketch, owner: str, name: str) -> bool:
    item = property_of(sketch, owner, name)
    if item is None:
        return False
    is_two = bool(item.values) and {v.casefold() for v in item.values} <= _POLES
    return item.kind is PropertyKind.BOOLEAN or is_two


def _poles(values: tuple[str, ...]) -> tuple[str, str]:
    yes = next((v for v in values if v.casefold() in {"yes", "true"}), "yes")
    no = next((v for v in values if v.casefold() in {"no", "false"}), "no")
    return yes, no
