"""Whether what is over is to count as well: "in all, resolved ones included"."""

from typing import Final

from tiers.graphrag.reading.sketch import Sketch
from trivium.domain.question import Span
from trivium.language.words import general_words

AS_WELL: Final = (["as", "well"], ["included"], ["too"], ["and", "all"])
"""What says after a type that it counts as well."""
_AFTER: Final = (*AS_WELL, ["counted", "in"])
_BEFORE: Final = frozenset({"including", "counting", "include", "count"})
_ONES: Final = frozenset({"ones", "and", "those", "that", "are"})
_NEAR: Final = 2


def includes_past(sketch: Sketch) -> bool:
    """Whether events that are over are said to count too in a total, or in a ranking."""
    is_total = sketch.has("sum", "average", "most", "least", "rank")
    return is_total and any(_is_included(sketch, span) for span in _over(sketch))


def _over(sketch: Sketch) -> list[Span]:
    """Return the words for what has ended: states of events that are not open, and "past"."""
    schema, general = sketch.schema, general_words()
    states = [
        word.span
        for word in sketch.values
        for owner, name in word.owners
        if owner in schema.node_types
        and schema.node_types[owner].is_event
        and name == schema.risk.status_property
        and word.value.casefold() not in general.open_values
    ]
    cues = sketch.question.cues_of("closed", "before_now", "ended")
    nouns = {t.span.first for t in sketch.types if schema.node_types[t.type].is_event}
    return states + [c.span for c in cues if c.span.last in nouns]


def _is_included(sketch: Sketch, span: Span) -> bool:
    noun = sketch.type_after(span.last, within=0)
    last = noun.span.last if noun else span.last
    while sketch.words(last, last + 1) and sketch.tokens[last].lower in _ONES:
        last += 1
    after = sketch.words(last, last + _NEAR)
    before = sketch.words(span.first - _NEAR, span.first)
    return any(after[: len(said)] == said for said in _AFTER) or bool(_BEFORE & set(before))
