"""Readings of words that do not hold, whatever else is named: of generic nouns, of open events."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from tiers.graphrag.reading.cueing import is_within
from trivium.domain.question import Mention, Span, Term, TermKind, Understood
from trivium.domain.schema import Schema
from trivium.language.spelling import english
from trivium.language.text import is_participle, stem, stems
from trivium.language.words import general_words

BIDDING: Final = frozenset({"give", "show", "list", "name", "tell", "find", "take", "get", "put"})
_WHOSE: Final = frozenset({"their", "its", "his", "her", "our", "your", "my", "s"})
_SURE: Final = 0.9
_POINTING: Final = frozenset({"the", "our", "this", "that"})
"""Words before a noun that may stand for one thing: "the flood"."""
_TEMPORAL: Final = frozenset({"before", "after", "since", "until", "till", "during", "by"})


def open_events(question: Understood, schema: Schema) -> AbstractSet[Span]:
    """Return the words "open" that are said of events, which is no day of opening."""
    if not any(schema.node_types[t.name].is_event for t in question.terms_of(TermKind.TYPE)):
        return frozenset()
    cues = {c.span for c in question.cues_of("open")}
    return {s for s in cues if not is_participle(question.tokens[s.last - 1].lower)}


def is_only_generic(question: Understood, term: Term) -> bool:
    """Whether a noun that may stand for anything only has the stem of a value or a property."""
    word = question.tokens[term.span.first]
    if len(term.span) > 1 or word.stem not in general_words().generic:
        return False
    said = f"{term.name.replace('_', ' ')} {term.value or ''}".casefold().split()
    is_alike = word.lower.rstrip("s") in {w.rstrip("s") for w in said}
    return word.stem in map(stem, said) and not is_alike and term.kind is not TermKind.TYPE


def is_bidding(question: Understood, term: Term, breaks: frozenset[int]) -> bool:
    """Whether a verb only opens a sentence that asks for something: "give me the list"."""
    opens = term.span.first == 0 or term.span.first in breaks
    said = question.tokens[term.span.first].lower
    return term.kind is TermKind.RELATION and opens and said in BIDDING


def is_lasting(question: Understood, term: Term) -> bool:
    """Whether a verb only says how long: "longest-serving", "the longest standing"."""
    before = [t.lower for t in question.tokens[max(0, term.span.first - 1) : term.span.first]]
    is_ing = question.tokens[term.span.first].lower in {"serving", "standing", "running", "lasting"}
    return is_ing and before in (["longest"], ["shortest"])


def leads_to_time(question: Understood, term: Term) -> bool:
    """Whether a word only says how a time is meant: "before 2012"."""
    is_leading = {t.lower for t in question.tokens[term.span.first : term.span.last]} <= _TEMPORAL
    return is_leading and any(0 <= t.span.first - term.span.last <= 1 for t in question.times)


def is_scale(question: Understood, term: Term) -> bool:
    """Whether a word only says in what an amount is told: "in thousands of euros"."""
    before = [t.lower for t in question.tokens[max(0, term.span.first - 1) : term.span.first]]
    after = [t.lower for t in question.tokens[term.span.last : term.span.last + 2]]
    is_unit = len(after) == 2 and after[0] == "of" and after[1] in general_words().units
    said = question.tokens[term.span.first].stem
    return before == ["in"] and is_unit and said in {stem(s) for s in general_words().scales}


def is_own(question: Understood, term: Term) -> bool:
    """Whether "own" only says whose something is: "racks of their own", "its own farm"."""
    before = [t.lower for t in question.tokens[max(0, term.span.first - 1) : term.span.first]]
    is_it = question.tokens[term.span.first].lower == "own" and len(term.span) == 1
    return is_it and bool(before) and before[0] in _WHOSE


def is_part_of_phrase(
    question: Understood, schema: Schema, term: Term, phrases: Sequence[Span]
) -> bool:
    """Whether a word for a relation is one of a phrase that the relation does not say whole."""
    told = stems(schema.relation_types[term.name].description)
    for phrase in phrases:
        said = tuple(question.tokens[i].stem for i in phrase)
        starts = range(len(told) - len(said) + 1)
        if is_within(term.span, [phrase]) and not any(
            told[i : i + len(said)] == said for i in starts
        ):
            return term.score < _SURE
    return False


def is_beside_another(question: Understood, total: Term) -> bool:
    """Whether "total" only says that another number is summed: "the total insured value"."""
    return any(
        p.score >= _SURE and total.span.last <= p.span.first <= total.span.last + 2
        for p in question.terms_of(TermKind.PROPERTY)
    )


def is_small_word(question: Understood, mention: Mention) -> bool:
    """Whether a word of English is a part of a name, but small where names are written large."""
    first = mention.span.first
    token = question.tokens[first]
    is_part = bool(mention.candidates) and mention.candidates[0].score < 1
    before = question.tokens[first - 1].lower if first else ""
    is_small = token.text[0].islower() and token.lower in english() and before not in _POINTING
    return (
        len(mention.span) == 1
        and is_part
        and is_small
        and any(
            m.candidates and m is not mention and question.tokens[m.span.first].text[0].isupper()
            for m in question.mentions
        )
    )
