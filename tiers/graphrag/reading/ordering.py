"""What an order is of: the type that a number is told for each of, and the number put first.

"Yearly fees by maker", "copies sold per imprint", "rank the halls by the number of bags they draw".
"""

from collections.abc import Iterator
from typing import Final

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.each import divided_by
from tiers.graphrag.reading.measuring import Measure, measures_named, measures_of
from tiers.graphrag.reading.rates import is_rate
from tiers.graphrag.reading.statement import described_numbers
from tiers.graphrag.reading.summing import adds_up
from tiers.graphrag.reading.superlatives import money_of
from trivium.domain.question import Span
from trivium.language.words import general_words

_SURE: Final = 0.8
_MAX_BY: Final = 5
"""Words after "by" that may name a number."""
_MAX_OPENING: Final = 6
"""Words before "per" that may say what is measured."""


def counts_number(draft: Draft, first: int, last: int) -> bool:
    """Whether a number is counted before a type is named: "the number of bags our mills draw"."""
    sketch = draft.sketch
    named = {
        i for p in sketch.properties if p.score >= _SURE or p.span.first == first for i in p.span
    }
    taken = {i for v in sketch.values for i in v.span} | {i for t in sketch.types for i in t.span}
    units = general_words().units
    return any(
        i not in taken and (i in named or sketch.tokens[i].lower in units)
        for i in range(first, last)
    )


def ordered_by(draft: Draft, node_type: str) -> Measure | None:
    """Return the amount named after "by", where an order is asked for: "rank X by the Y of Z"."""
    sketch = draft.sketch
    if not any(c.span.first in sketch.stops for c in draft.cues("rank")):
        return None
    words = sketch.words(0, len(sketch.tokens))
    for at in (i + 1 for i, w in enumerate(words) if w == "by"):
        end = min([t.span.first for t in sketch.types if t.span.first >= at] + [at + _MAX_BY])
        found = next(_amounts_between(draft, node_type, at, end), None)
        if found is not None:
            return found
    return None


def _amounts_between(draft: Draft, node_type: str, first: int, last: int) -> Iterator[Measure]:
    """Give the amounts on relations of a type that some words tell whole, or name."""
    sketch, span = draft.sketch, Span(first=first, last=last)
    said = frozenset(t.stem for t in sketch.tokens[first:last])
    whole = sketch.glossary.told_whole(said)
    found = [m for o, n in whole for m in measures_of(draft, node_type, [o], n, span)]
    for word in sorted(sketch.properties, key=lambda w: w.span.first):
        is_here = first <= word.span.first < last and word.score >= _SURE
        if is_here and not is_rate(sketch.tokens, word.span.first):
            found += measures_named(draft, node_type, word)
    yield from (m for m in found if m.relation is not None and adds_up(m.name))


def opening_number(draft: Draft, node_type: str) -> Measure | None:
    """Return the number that stands before "per" or "of each": "copies sold per imprint"."""
    sketch = draft.sketch
    divided = divided_by(draft)
    if divided is not None and divided.type == node_type:
        return _opening(draft, node_type, divided.span.first - 1)
    for cue in draft.cues("rank"):
        said = sketch.question.words(cue.span).casefold()
        if said not in {"each", "per"} or not 0 < cue.span.first <= _MAX_OPENING:
            continue
        if any(c.span.first < cue.span.first for c in draft.cues("count", "most", "least")):
            continue
        return _opening(draft, node_type, cue.span.first)
    return None


def _opening(draft: Draft, node_type: str, end: int) -> Measure | None:
    """Return the number of a type that the words before a place tell."""
    sketch = draft.sketch
    typed = {i for t in sketch.types for i in t.span}
    stems_said = [t.stem for i, t in enumerate(sketch.tokens[:end]) if i not in typed]
    units = general_words().units
    stems_said += [units.get(t.lower, "") for t in sketch.tokens[:end]]
    for owner, name in described_numbers(sketch, frozenset(stems_said), enough=1.0):
        span = Span(first=0, last=end)
        found = next(measures_of(draft, node_type, [owner], name, span), None)
        if found:
            return found
    if "money" in sketch.words(0, end):
        return money_of(draft, node_type, frozenset(stems_said))
    return None
