"""Years that say how old something is: "older than 2015", "our pre-2000 trains"."""

from datetime import date
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.listing import BE, RELATING
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import Statement, stated
from trivium.domain.question import Quantity, Span, TimeExpression
from trivium.language.text import spoken, stem, stems
from trivium.language.words import Measure, general_words, name_phrases

_BY_YEAR: Final = {"pre": Test.BELOW, "post": Test.ABOVE}
_FROM: Final = {("from", "before"): Test.BELOW, ("from", "after"): Test.ABOVE}
_SINCE_MADE: Final = {
    "before": Test.BELOW, "after": Test.ABOVE, "since": Test.AT_LEAST, "in": Test.EQUALS,
}  # fmt: skip


def of_age(sketch: Sketch, time: TimeExpression) -> Statement | None:
    """Read a year as the one in which something was built, founded, opened."""
    told = _of_comparative(sketch, time) or _of_epoch(sketch, time) or _of_making(sketch, time)
    if told is None:
        return None
    owner, test, span = told
    names = {p for m in _ages() for p in m.of}
    held = [n for o, n in sketch.glossary.numbers() if o == owner]
    years = [(owner, n) for n in held if name_phrases(n) & names]
    year = float(date.fromisoformat(time.moment.day).year)
    if not years:
        return None
    return stated(sketch, time.span, years, test, year, spans=(span,), by_property=True)


def years_of_age(sketch: Sketch, cue: Span, quantity: Quantity) -> list[tuple[str, str]]:
    """Return the age that a bare number after a noun is held against: "officers over 45"."""
    words = sketch.words(cue.first, quantity.span.last)
    host = next((t for t in sketch.types if t.span.last == cue.first), None)
    at = quantity.span.last
    verbs = {t.span.first for t in sketch.relations}
    is_bare = at >= len(sketch.tokens) or at in sketch.breaks | verbs
    is_bare = is_bare or sketch.tokens[at].lower in RELATING | BE | {"and", "or", "who", "that"}
    if host is None or not is_bare or words[:1] not in (["over"], ["under"], ["above"], ["below"]):
        return []
    numbers = sketch.glossary.numbers()
    return [(o, n) for o, n in numbers if o == host.type and "age" in stems(spoken(n))]


def _of_making(sketch: Sketch, time: TimeExpression) -> tuple[str, Test, Span] | None:
    """Read "works made before 1900", "bridges built since 1990": a year of the noun before."""
    at = time.span.first
    words = sketch.words(at - 2, at)
    test = _SINCE_MADE.get(words[-1]) if words else None
    is_year = at == time.span.last - 1
    if test is None or not is_year or words[0] not in general_words().making:
        return None
    ends = [at - 2, at - 3] if set(sketch.words(at - 3, at - 2)) & BE else [at - 2]
    word = next((t for t in sketch.types if t.span.last in ends), None)
    return (word.type, test, Span(first=at - 2, last=time.span.last)) if word else None


def _ages() -> list[Measure]:
    return [m for m in general_words().measures if ("built",) in m.of or (stem("built"),) in m.of]


def _of_comparative(sketch: Sketch, time: TimeExpression) -> tuple[str, Test, Span] | None:
    """Read "older than 2015", said of what is asked for."""
    at = time.span.first
    if sketch.words(at - 1, at) != ["than"] or sketch.focus is None or at < 2:
        return None
    word = stem(sketch.tokens[at - 2].lower.removesuffix("er"))
    is_low = any(word in m.low for m in _ages())
    if not is_low and not any(word in m.high for m in _ages()):
        return None
    return sketch.focus.type, Test.BELOW if is_low else Test.ABOVE, time.span


def _of_epoch(sketch: Sketch, time: TimeExpression) -> tuple[str, Test, Span] | None:
    """Read "pre-2000 trains" and "trains from before 2000"."""
    at = time.span.first
    word = sketch.type_after(time.span.last, within=1)
    test = next((_BY_YEAR[w] for w in sketch.words(at - 1, at) if w in _BY_YEAR), None)
    if test is not None and word is not None:
        return word.type, test, Span(first=at - 1, last=time.span.last)
    test = _FROM.get(tuple(sketch.words(at - 2, at)))  # type: ignore[arg-type]  # two words
    nouns = [t for t in sketch.types if set(sketch.words(t.span.last, at - 2)) <= BE]
    before = next((t for t in nouns if t.span.last <= at - 2), None)
    if test is None or before is None:
        return None
    return before.type, test, Span(first=at - 2, last=time.span.last)
