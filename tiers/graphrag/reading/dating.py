"""Statements on dates and years: "due in Q4 2025", "built before 2010"."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.ages import of_age
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.sketch import PropertyWord, Sketch
from tiers.graphrag.reading.statement import Statement, number_owners, property_of, stated
from tiers.graphrag.reading.timing import bounds_of
from trivium.domain.question import TimeExpression, TimeRelation
from trivium.domain.schema import PropertyKind
from trivium.language.text import spoken, stem, stems
from trivium.language.words import asked_by_verb, general_words, name_phrases

_EXPIRING: Final = frozenset(stem(w) for w in ("lapse", "expire", "ends", "runs", "due", "falls"))
_PARTS: Final = frozenset({"end", "start", "beginning"})
"""Parts of a period: "at the end of 2024" says no property."""
_STARTING: Final = frozenset(
    stem(w) for w in ("begin", "began", "start", "started", "broke", "happen", "occur", "strike",
                      "struck", "logged", "reported", "found", "open", "opened", "arose")
)  # fmt: skip
_ENDING: Final = frozenset(
    stem(w)
    for w in ("end", "ended", "over", "closed", "resolved", "finished", "cleared", "stopped")
)
_PLAIN: Final = frozenset(stem(w) for w in ("first", "last", "day", "date", "year", "time"))
"""Words in the descriptions of dates that tell none from another."""
_LIGHT: Final = frozenset(
    stem(w) for w in ("put", "take", "taken", "bring", "brought", "come", "came", "get", "got",
                      "made", "set", "go", "went", "gave", "given")
)  # fmt: skip
"""Verbs that say a day with the word after them alone: "put in before 2000"."""
_UNTIL_DAY: Final = frozenset({"on", "in", "at", "the", "of", "day", "still", "during", "back"})
"""Words between "open" and the day on which something was."""
_TEMPORAL: Final = frozenset({"since", "until", "from", "before", "after", "till"})
"""Words that lead to a day, though a property's name may hold one: "live since"."""
_OWN_NAME: Final = 1.0
_NEAR: Final = 3
_NEAR_EXPIRY: Final = 8
"""How many words may stand between a property and its day; more where one says "expires"."""


def dates(sketch: Sketch) -> Iterator[Statement]:
    """Give "due in Q4 2025" and "built before 2010"."""
    for time in sketch.question.times:
        words = sorted(_free(sketch), key=lambda w: -w.span.first)
        if _is_of_open_events(sketch, time):
            continue
        aged = of_age(sketch, time)
        if aged:
            yield aged
            continue
        near = (_of_time(sketch, w, time) for w in words if _is_near(sketch, w, time))
        found = [s for s in near if s]
        named = next((s for s in found if _is_of_named(sketch, s)), None)
        statement = named or _of_own_date(sketch, time) or next(iter(found), None)
        if statement:
            yield from _of_years(statement, time)


def _is_of_open_events(sketch: Sketch, time: TimeExpression) -> bool:
    """Whether events that were open on a day are meant, not those that began on it."""
    if time.relation is not TimeRelation.ON:
        return False
    for cue in sketch.question.cues_of("open"):
        before = set(sketch.words(cue.span.first - 3, cue.span.first))
        between = set(sketch.words(cue.span.last, time.span.first))
        if before & BE and cue.span.last <= time.span.first and between <= _UNTIL_DAY:
            return any(sketch.schema.node_types[t.type].is_event for t in sketch.types)
    return False


def _is_of_named(sketch: Sketch, statement: Statement) -> bool:
    """Whether what has the property is named, or joins what is."""
    here = sketch.named_types
    relations = sketch.schema.relation_types
    return any(
        owner in here or (owner in relations and any(here & set(e) for e in relations[owner].ends))
        for owner, _ in statement.owners
    )


def _of_own_date(sketch: Sketch, time: TimeExpression) -> Statement | None:
    """Read a time of the date of what the words before it describe: of the noun, or the focus.

    "Outages that started after March", "clients that joined before 2012 and still order".
    """
    before = [t for t in sketch.types if t.span.last <= time.span.first]
    is_own = bool(before) and _has_clause(sketch, before[-1].span.last, time.span.first)
    if before and (is_own or len(sketch.question.times) > 1):
        found = _of_owner_date(sketch, time, before[-1].type, before[-1].span.last)
        if found:
            return found
    is_one_of_two = time.relation is TimeRelation.ON and len(sketch.question.times) > 1
    if sketch.focus is None or is_one_of_two:
        return None
    first = max((b for b in sketch.stops if b <= time.span.first), default=0)
    return _of_owner_date(sketch, time, sketch.focus.type, first)


def _has_clause(sketch: Sketch, first: int, last: int) -> bool:
    """Whether all words from a noun to a day are a clause of its own: "an audit that began in"."""
    words = sketch.words(first, last)
    is_led = bool(words) and words[0] in {"that", "which", "who"}
    return (
        is_led and not {"and", "but", "or"} & set(words) and not sketch.is_parted(first, last - 1)
    )


def _of_owner_date(
    sketch: Sketch, time: TimeExpression, owner: str, first: int
) -> Statement | None:
    """Read a time of the date of a type that the words from ``first`` on describe."""
    kind = sketch.schema.node_types[owner]
    names = dates_asked(sketch, owner, first, time.span.first)
    for name in (n for n in names if n in kind.properties):
        word = PropertyWord(span=time.span, name=name, owners=(owner,), score=_OWN_NAME)
        is_day = is_dated(sketch, owner, name)
        if is_day or "year" in stems(kind.properties[name].description):
            return _of_time(sketch, word, time)
    return None


def dates_asked(sketch: Sketch, owner: str, first: int, last: int) -> list[str]:
    """Return the properties of a type that words from ``first`` until ``last`` ask a day of."""
    kind = sketch.schema.node_types[owner]
    named = {i for t in sketch.types for i in t.span} | {i for a in sketch.anchors for i in a.span}
    named |= _deeds(sketch)
    said = {t.stem for i, t in enumerate(sketch.tokens) if first <= i < last and i not in named}
    if kind.is_event:
        begin, end = bounds_of(sketch.schema, owner)
        return [n for n, words in ((end, _ENDING), (begin, _STARTING)) if n and said & words]
    joins = any(first <= t.span.first < last for t in sketch.relations)
    asked = set() if joins else _asked_by_verb(sketch, first, last)
    pairs = {p for p in pairwise(t.stem for t in sketch.tokens[first:last]) if p[0] in _LIGHT}
    said -= general_words().stop_stems | _PLAIN | {stem(w) for w in _TEMPORAL}
    return [
        p.name
        for p in kind.properties.values()
        if said & set(stems(f"{spoken(p.name)} {p.description}"))
        or asked & name_phrases(p.name)
        or pairs & set(pairwise(stems(p.description)))
    ]


def _asked_by_verb(sketch: Sketch, first: int, last: int) -> set[tuple[str, ...]]:
    """Return the words in the names of what verbs ask for: "joined" for ``since``."""
    tokens = sketch.tokens
    parts = {i for i in range(first, last) if tokens[i].lower in _TEMPORAL or _is_part(sketch, i)}
    said = [tokens[i].stem for i in range(first, last) if i not in parts]
    pairs = {(s,) for s in said} | set(pairwise(said))
    return asked_by_verb(pairs)


def _is_part(sketch: Sketch, at: int) -> bool:
    """Whether a word is a part of a period, and no verb: "the end of 2024"."""
    around = sketch.words(at - 1, at) + sketch.words(at + 1, at + 2)
    return sketch.tokens[at].lower in _PARTS and bool({"the", "of"} & set(around))


def _free(sketch: Sketch) -> list[PropertyWord]:
    """Return the properties whose words name nothing else: a "release" is no day of release."""
    taken = [t.span for t in sketch.types] + [t.span for t in sketch.question.times]
    here = {t.type for t in sketch.types} | {t.name for t in sketch.relations}
    deeds = _deeds(sketch)
    return [
        w
        for w in sketch.properties
        if not any(w.span.overlaps(s) for s in taken)
        and not (w.score < _OWN_NAME and deeds & set(w.span))
        and (w.score >= _OWN_NAME or sketch.tokens[w.span.first].lower not in _TEMPORAL)
        and (sketch.tokens[w.span.first].lower != "dated" or here & set(w.owners))
    ]


def _deeds(sketch: Sketch) -> set[int]:
    """Return the words for what something named does, or is done to it: "did X air in 2025"."""
    own, relations = {a.type for a in sketch.anchors}, sketch.schema.relation_types
    return {
        i
        for word in sketch.relations
        if word.score >= _OWN_NAME and any(own & set(ends) for ends in relations[word.name].ends)
        for i in word.span
    }


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
    owners = [(o, word.name) for o in word.owners if is_dated(sketch, o, word.name)]
    if owners:
        return _dated(sketch, word, time, owners)
    years = [(o, word.name) for o in number_owners(sketch, word)]
    is_year = len(time.span) == 1 or time.moment.day.endswith("-01-01")
    is_long = time.moment.day[:4] != time.moment.last_day[:4]  # "the nineties"
    is_year = is_year and (is_long or any(sketch.tokens[i].lower.isdigit() for i in time.span))
    if years and word.score >= 0.8 and is_year and time.moment.last_day.endswith("-12-31"):
        return _of_year(sketch, word, time, years)
    return None


def is_dated(sketch: Sketch, owner: str, name: str) -> bool:
    """Whether a property of a type or a relation holds days, or periods."""
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
        TimeRelation.SINCE: (Test.AT_LEAST, time.moment.day),
    }
    test, value = tests[time.relation]
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
        TimeRelation.SINCE: Test.AT_LEAST,
    }
    return stated(
        sketch, word.span, owners, tests[time.relation], year, spans=(time.span,), by_property=True
    )


def _of_years(statement: Statement, time: TimeExpression) -> Iterator[Statement]:
    """Give a statement of one year, or that a number lies between the first and the last."""
    first, last = (float(day[:4]) for day in (time.moment.day, time.moment.last_day))
    if statement.test is not Test.EQUALS or first == last:
        yield statement
        return
    yield replace(statement, test=Test.AT_LEAST, value=first)
    yield replace(statement, test=Test.AT_MOST, value=last)
