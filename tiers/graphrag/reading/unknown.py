"""Names of things that are not there: ids, and capitalised words that nothing is called by."""

from collections.abc import Collection, Iterator
from typing import Final

from tiers.graphrag.reading.sketch import Refusal, Sketch
from trivium.domain.evidence import Reason
from trivium.language.words import general_words

_WEEKDAYS: Final = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)
"""What is said of a day before the question restricts nothing: "I take it over on Monday."."""
_HALF: Final = 0.7
"""Below it, only the beginning of a word of a name is said: "carbon" of "CarbonWing"."""


def refuse_unknown(sketch: Sketch) -> None:
    """Refuse a question that names something, or asks for something, which is not there.

    Raises:
        Refusal: with the name.
    """
    for mention in sketch.question.mentions:
        if not mention.candidates:
            raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {mention.text!r}.")
    name = next(_half_known(sketch), None) or next(_unknown_names(sketch), None)
    if name:
        raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {name!r}.")
    if sketch.asked_in_vain:
        raise Refusal(Reason.NOT_IN_SCHEMA, f"The schema has no {sketch.asked_in_vain!r}.")


def _half_known(sketch: Sketch) -> Iterator[str]:
    """Give hyphenated words of which only a part is in a name: "payments-router"."""
    text, tokens = sketch.question.text, sketch.tokens
    unread = {s.first for s in sketch.unread}
    for mention in sketch.question.mentions:
        if mention.candidates[0].score >= 1 or not mention.span:
            continue
        if mention.candidates[0].score < _HALF and mention.span.last in unread:
            yield text[tokens[mention.span.first].start : tokens[mention.span.last].end]
        first, last = mention.span.first, mention.span.last - 1
        for a, b, other in ((last, last + 1, last + 1), (first - 1, first, first - 1)):
            is_there = a >= 0 and b < len(tokens) and other in unread
            if is_there and text[tokens[a].end : tokens[b].start] == "-":
                yield text[tokens[min(first, a)].start : tokens[max(last, b)].end]


def _unknown_names(sketch: Sketch) -> Iterator[str]:
    """Give runs of capitalised words within a sentence that are read as nothing else.

    Where every longer word is capitalised, capitals tell nothing.
    """
    tokens = sketch.tokens
    capital = {i for i, t in enumerate(tokens) if t.text[0].isupper()}
    long = [i for i, t in enumerate(tokens) if i and len(t.text) > 3 and t.text[0].isalpha()]
    if len(long) > 2 and all(i in capital for i in long):
        return
    unread = {s.first for s in sketch.unread}
    for index in sorted(capital & unread):
        token = tokens[index]
        if index in sketch.stops and not _goes_on(sketch, index, capital & unread):
            continue
        is_told = token.stem in sketch.glossary.words or token.lower in general_words().titles
        is_before = token.lower in _WEEKDAYS and any(stop > index for stop in sketch.stops)
        if not (is_told or is_before or token.lower in general_words().units):
            yield " ".join(tokens[i].text for i in _run(index, capital, sketch.stops))


def _goes_on(sketch: Sketch, index: int, unknown: set[int]) -> bool:
    """Whether a capital that begins a sentence is followed by another unknown one."""
    return index + 1 in unknown and index + 1 not in sketch.breaks


def _run(index: int, capital: set[int], stops: Collection[int]) -> range:
    """Return the run of capitals about a word, within its sentence."""
    first = last = index
    while first - 1 in capital and first not in stops:
        first -= 1
    while last + 1 in capital and last + 1 not in stops:
        last += 1
    return range(first, last + 1)
