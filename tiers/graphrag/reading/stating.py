"""All that a question states of properties: values, numbers, dates, flags."""

from collections.abc import Iterator, Sequence
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.reading.comparisons import of_numbers
from tiers.graphrag.reading.dating import dates
from tiers.graphrag.reading.denying import denied
from tiers.graphrag.reading.flagging import flags
from tiers.graphrag.reading.levels import levels_beyond, levels_left
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.sketch import Sketch, ValueWord, gap
from tiers.graphrag.reading.statement import Statement, stated
from trivium.domain.question import Span

_FAR_DENIAL: Final = 3
_RATED: Final = frozenset(
    {"rated", "graded", "marked", "classed", "ranked", "classified", "as", "that", "which", "still"}
)
"""Words between a noun and its value, beside "are"."""


def statements(sketch: Sketch, told: Sequence[Statement] = ()) -> tuple[Statement, ...]:
    """Return all that a question states of properties, ``told`` too, in the order of the text."""
    found = [*told, *_of_values(sketch), *of_numbers(sketch), *dates(sketch), *flags(sketch)]
    return tuple(sorted((denied(sketch, s) for s in found), key=lambda s: s.span.first))


def _of_values(sketch: Sketch) -> Iterator[Statement]:
    for word in sketch.values:
        is_open = sketch.words(word.span.last, word.span.last + 2) == ["or", "not"]
        if _is_determiner(sketch, word) or _is_included(sketch, word):
            continue
        if is_open or sketch.words(word.span.first - 3, word.span.first)[:2] == ["not", "even"]:
            continue
        near = [p for p in sketch.properties if gap(p.span, word.span) <= 2]
        told = [o for o in word.owners if any(p.name == o[1] and o[0] in p.owners for p in near)]
        said_of = _said_of(sketch, word)
        told = [o for o in told if said_of in {None, o[0]}]
        beyond, denial = levels_beyond(sketch, word), _denial_before(sketch, word)
        if beyond is not None and denial is not None:
            beyond = levels_left(sketch, word, beyond)
        yield stated(
            sketch,
            word.span,
            _ordered(sketch, word, told),
            Test.EQUALS if beyond is None else Test.IN,
            word.value if beyond is None else beyond,
            spans=() if beyond is None or denial is None else (denial,),
            by_property=bool(told),
            is_partial=word.score < 0.88,
        )


def _denial_before(sketch: Sketch, word: ValueWord) -> Span | None:
    """Return the negation of a value right before it: "not rated below high"."""
    typed = [t.span.first for t in sketch.types]
    near = [
        c.span
        for c in sketch.question.cues_of("negation")
        if 0 <= word.span.first - c.span.last <= _FAR_DENIAL
        and not any(c.span.last <= at < word.span.first for at in typed)
    ]
    return near[-1] if near else None


def _said_of(sketch: Sketch, word: ValueWord) -> str | None:
    """Return the type that a value is said of outright: "how many of the events are rated high"."""
    before = [t for t in sketch.types if t.span.last <= word.span.first]
    if not before or before[-1].type not in {o for o, _ in word.owners}:
        return None
    between = set(sketch.words(before[-1].span.last, word.span.first))
    states = sketch.question.cues_of("open", "closed")
    between -= {w for c in states for w in sketch.words(c.span.first, c.span.last)}
    return before[-1].type if between & BE and between <= BE | _RATED else None


def _is_included(sketch: Sketch, word: ValueWord) -> bool:
    """Whether a value is only said to count too: "the draft included", "past events too"."""
    noun = sketch.type_after(word.span.last, within=0)
    is_own = noun is not None and noun.type in {o for o, _ in word.owners}
    last = noun.span.last if noun is not None and is_own else word.span.last
    said = sketch.words(last, last + 1)
    before = sketch.words(word.span.first - 2, word.span.first)
    return said in (["included"], ["too"]) or bool({"including"} & set(before))


def _is_determiner(sketch: Sketch, word: ValueWord) -> bool:
    """Whether the value "no" only denies the noun after it: "runs no plant"."""
    is_no = sketch.words(word.span.first, word.span.last) == ["no"]
    return is_no and sketch.type_after(word.span.last, within=2) is not None


def _ordered(
    sketch: Sketch, word: ValueWord, told: list[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Put owners in order: whose property is named, whose type is beside, asked for, named."""
    beside = {t.type for t in sketch.types if gap(t.span, word.span) <= 1}
    named = {t.type for t in sketch.types}
    focus = sketch.focus.type if sketch.focus else ""
    pool = told or list(word.owners)
    return tuple(sorted(pool, key=lambda o: (o[0] not in beside, o[0] != focus, o[0] not in named)))
