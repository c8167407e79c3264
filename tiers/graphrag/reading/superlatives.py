"""The number that things are put in order by, or that is told for each of them."""

from collections.abc import Sequence
from typing import Final

from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.measuring import (
    Measure,
    defined_by_adjective,
    described_by_adjective,
    measures_named,
    measures_of,
)
from tiers.graphrag.reading.rates import is_rate
from tiers.graphrag.reading.sketch import PropertyWord, gap
from tiers.graphrag.reading.statement import (
    clause,
    described_numbers,
    is_after_by,
    number_owners,
)
from trivium.domain.question import Span
from trivium.domain.schema import PropertyKind
from trivium.language.text import is_participle, spoken, stems
from trivium.language.words import general_words, is_money

_SURE: Final = 0.8
_BETTER: Final = 2.0
"""How well a description must tell a number to go before one that is named in part."""
_NEAR_TOLD: Final = 3
"""Words before and after a superlative that may tell all of a number."""


def measure_near(draft: Draft, node_type: str, cue: Span) -> Measure | None:
    """Return the number that a superlative goes by: named near it, else described there."""
    sketch = draft.sketch
    is_ordered = cue.first <= 1 and bool(draft.cues("rank"))
    near = [
        w
        for w in sketch.properties
        if (-6 <= w.span.first - cue.last <= 4 or (is_ordered and is_after_by(sketch, w.span)))
        and (node_type in w.owners or not w.span.overlaps(cue))
    ]
    better = told_whole(draft, node_type, cue)
    if better is None and _are_partial(near):
        better = _well_described(draft, node_type, cue)
    named = better or _named_near(draft, node_type, cue, near)
    if named is not None:
        return named
    first, last = clause(sketch, cue)
    said = frozenset(
        t.stem for t in sketch.tokens[max(first, cue.first - 4) : min(last, cue.last + 4)]
    )
    own = Span(first=cue.first, last=min(last, cue.last + 1))
    fitting = [m for m in described_by_adjective(draft, node_type, own) if m.holder is None]
    by_own = sorted(fitting, key=lambda m: m.relation is not None)
    if by_own:
        return by_own[0]
    next_word = frozenset(t.stem for t in sketch.tokens[cue.last : min(last, cue.last + 1)])
    for words, enough in ((said, 1.4), (next_word, 0.7), (_after_by(draft), 0.7)):
        for owner, name in described_numbers(sketch, words, enough=enough):
            found = next(measures_of(draft, node_type, [owner], name, cue), None)
            if found and (enough > 1 or found.holder is None):
                return found
    return next(defined_by_adjective(draft, node_type, own), None)


def _named_near(
    draft: Draft, node_type: str, cue: Span, near: Sequence[PropertyWord]
) -> Measure | None:
    """Return the number that is named best near a superlative."""
    ranks = {id(w): (-w.score, not w.span.overlaps(cue), gap(w.span, cue)) for w in near}
    for word in sorted(near, key=lambda w: ranks[id(w)]):
        if is_rate(draft.sketch.tokens, word.span.first):
            continue
        found = next(measures_named(draft, node_type, word), None)
        if found:
            return found
    return None


def _are_partial(near: Sequence[PropertyWord]) -> bool:
    """Whether numbers are named, and by a part of their names alone: "value" of several."""
    return bool(near) and all(w.score < _SURE for w in near)


def _well_described(draft: Draft, node_type: str, cue: Span) -> Measure | None:
    """Return the number that the words around a superlative tell well: "value of the orders"."""
    sketch = draft.sketch
    first, last = clause(sketch, cue)
    said = frozenset(t.stem for t in sketch.tokens[max(first, cue.first - 4) : last])
    for owner, name in described_numbers(sketch, said, enough=_BETTER):
        found = next(measures_of(draft, node_type, [owner], name, cue), None)
        if found is not None and found.holder is None:
            return found
    return None


def number_after_count(draft: Draft, node_type: str) -> Measure | None:
    """Return the number in "how many riders a day": right after the words that count."""
    sketch = draft.sketch
    for cue in draft.cues("count"):
        at = cue.span.last
        for word in sketch.properties:
            is_next = word.score >= _SURE and 0 <= word.span.first - at <= 1
            if is_next and number_owners(sketch, word):
                return next(measures_named(draft, node_type, word), None)
        if any(is_participle(t.lower) for t in sketch.tokens[at : at + 1]):
            continue
        is_much = draft.sketch.words(at - 1, at) == ["much"]
        words = frozenset(t.stem for t in sketch.tokens[at : at + (6 if is_much else 3)])
        for owner, name in described_numbers(sketch, words, enough=1.0):
            return next(measures_of(draft, node_type, [owner], name, cue.span), None)
    return None


def money_of(draft: Draft, node_type: str, said: frozenset[str]) -> Measure | None:
    """Return the amount of money on the relation of a type that says most of some words."""
    relations = draft.sketch.schema.relation_types.values()
    near = [r for r in relations if r.joins(node_type)]
    said -= general_words().stop_stems
    scored = [
        (len(said & set(stems(f"{spoken(r.name)} {r.description}"))), r.name, p.name)
        for r in near
        for p in r.properties.values()
        if p.kind is PropertyKind.NUMBER and is_money(p.unit)
    ]
    n_said, owner, name = max(scored, default=(0, "", ""))
    span = Span(first=0, last=0)
    return next(measures_of(draft, node_type, [owner], name, span), None) if n_said else None


def told_whole(draft: Draft, node_type: str, cue: Span) -> Measure | None:
    """Return the number of which all is said around a superlative: "loses the most days"."""
    sketch = draft.sketch
    first, last = clause(sketch, cue)
    near = sketch.tokens[max(first, cue.first - _NEAR_TOLD) : min(last, cue.last + _NEAR_TOLD)]
    said = frozenset(t.stem for t in near)
    for owner, name in sketch.glossary.told_whole(said):
        found = next(measures_of(draft, node_type, [owner], name, cue), None)
        if found is not None and found.holder is None:
            return found
    return None


def _after_by(draft: Draft) -> frozenset[str]:
    """Return the words after "by" or "by how much", where an order is asked for."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    if "by" not in words or not draft.cues("rank", "most", "least"):
        return frozenset()
    at = words.index("by") + 1
    while at < len(words) and words[at] in {"how", "much", "many", "the", "their", "its", "total"}:
        at += 1
    return frozenset(t.stem for t in draft.sketch.tokens[at : at + 3])
