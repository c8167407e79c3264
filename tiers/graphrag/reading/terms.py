"""Which readings of a question's words hold: cues, terms of the schema, and marks."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.reading.cueing import is_within
from tiers.graphrag.reading.listing import AUXILIARIES, BE, DOER_ENDINGS
from tiers.graphrag.reading.misread import (
    is_beside_another,
    is_bidding,
    is_lasting,
    is_only_generic,
    is_own,
    is_part_of_phrase,
    is_scale,
    leads_to_time,
    open_events,
)
from tiers.graphrag.reading.rates import counted_periods, told_for_time
from tiers.graphrag.reading.retelling import told_at_length
from tiers.graphrag.reading.sketch import gap
from tiers.graphrag.reading.standing import able, nouns, states
from trivium.domain.question import Span, Term, TermKind, Understood
from trivium.domain.schema import PropertyKind, Schema
from trivium.language.text import is_participle, spoken, stems
from trivium.language.words import general_words

_ENOUGH: Final = 0.6
_SURE: Final = 0.9
_LIKELY: Final = 0.8
WHOLE_VALUE: Final = 0.88
_TO_DAY: Final = frozenset(
    {"before", "after", "on", "by", "in", "at", "until", "the", "end", "start", "beginning", "of"}
)
_YEAR: Final = frozenset(stems("year"))
_NEAR_DAY: Final = 2
"""Words between a participle and its day: "released only after"."""


def marks(question: Understood) -> tuple[frozenset[int], frozenset[int]]:
    """Return the words before which a mark stands, and those that begin a sentence."""
    breaks, stops = set(), {0}
    for index in range(1, len(question.tokens)):
        before = question.tokens[index - 1]
        between = question.text[before.end : question.tokens[index].start]
        is_short_form = before.lower in general_words().titles | {"st"} and between.strip() == "."
        is_stop = bool(set(between) & set(";:?!—–")) or " - " in between or ". " in between
        if is_short_form:
            continue
        if is_stop or set(between) & set(",()"):
            breaks.add(index)
        if is_stop:
            stops.add(index)
    return frozenset(breaks), frozenset(stops)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Readings:
    """How the words of a question are read, by their place."""

    best: Mapping[Span, float]
    types: Mapping[Span, float]
    verbs: AbstractSet[Span]
    numbers: AbstractSet[Span]
    """Words that name a number, where the question is about numbers."""
    nouns: AbstractSet[Span]
    """Words that stand where a noun does."""
    adjectives: AbstractSet[Span]
    properties: Sequence[Term]
    named: AbstractSet[Span]
    """Words that are the very name of a property."""
    plain: AbstractSet[Span]
    """Types said with a word that carries no content elsewhere: "works", "shows"."""
    in_times: AbstractSet[Span]
    counted: AbstractSet[Span]
    """Words for a length of time, after a number or for a rate: "100 days", "most a year"."""
    predicates: AbstractSet[Span]
    """Words right after "who", which are verbs where they may be: "who coaches"."""
    done: AbstractSet[Span]
    """Verbs after "has": what something has done is no state of it."""
    able: AbstractSet[Span]
    """Verbs after "can" and "cannot": what something does is no state of it."""
    states: AbstractSet[Span]
    """Values that are said of the noun before: "a contract that is signed"."""
    dated: AbstractSet[Span]
    """Words that say a date property, with its day after them."""

    def is_best(self, term: Term) -> bool:
        """Whether no other reading of the words is better."""
        return term.score >= self.best[term.span] - 1e-9


def settled_terms(question: Understood, schema: Schema, breaks: frozenset[int]) -> tuple[Term, ...]:
    """Keep, where words have several readings, those that hold."""
    question = told_at_length(told_for_time(question), schema)
    readings = _readings(question, schema, breaks)
    of_all = [c.span for c in question.cues_of("all_links")]
    of_all += [c.span for c in question.cues_of("degree") if len(c.span) > 1]
    events = open_events(question, schema)
    totals = [c.span for c in question.cues_of("sum")]  # "in total" names no total
    counts = [c.span for c in question.cues_of("count") if len(c.span) > 1]  # "the number of"
    changes = [c.span for c in question.cues_of("ended", "began", "handover")]  # "run out"
    gone = [c.span for c in question.cues_of("removal") if len(c.span) > 1]  # "out of service"
    return tuple(
        t
        for t in question.terms
        if t.score >= _ENOUGH
        and _holds(t, readings)
        and not any(span.overlaps(t.span) for span in of_all)
        and not is_only_generic(question, t)
        and not is_bidding(question, t, breaks)
        and not leads_to_time(question, t)
        and not is_lasting(question, t)
        and not is_own(question, t)
        and not is_scale(question, t)
        and not (t.kind is TermKind.PROPERTY and t.span in events)
        and not (t.kind is TermKind.PROPERTY and is_within(t.span, totals))
        and not (
            t.kind is TermKind.PROPERTY and t.span in totals and is_beside_another(question, t)
        )
        and not (t.score < _LIKELY and is_within(t.span, counts))
        and not (t.kind is not TermKind.TYPE and is_within(t.span, changes))
        and not (t.kind is TermKind.RELATION and is_part_of_phrase(question, schema, t, gone))
    )


def _readings(question: Understood, schema: Schema, breaks: frozenset[int]) -> _Readings:
    """Return how the words of a question are read, by their place."""
    best: dict[Span, float] = {}
    for term in question.terms:
        if term.kind is TermKind.FACT:
            continue
        best[term.span] = max(best.get(term.span, 0.0), term.score)
    return _Readings(
        best=best,
        types={t.span: t.score for t in question.terms_of(TermKind.TYPE)},
        verbs={t.span for t in question.terms_of(TermKind.RELATION)},
        numbers=_measured_words(question, schema),
        nouns=nouns(question, breaks),
        adjectives=_adjectives(question),
        properties=question.terms_of(TermKind.PROPERTY),
        named={t.span for t in question.terms_of(TermKind.PROPERTY) if t.score >= 1},
        plain={
            t.span
            for t in question.terms_of(TermKind.TYPE)
            if t.score < _LIKELY and not general_words().is_content(question.tokens[t.span.first])
        },
        in_times=_in_times(question),
        counted=counted_periods(question),
        predicates={
            t.span
            for t in question.terms
            if t.span.first
            and question.tokens[t.span.first - 1].lower in {"who", "that"}
            and not set(_after(question, t.span)) & (BE | AUXILIARIES)
        },
        done=_done(question, schema),
        able=able(question),
        states=states(question),
        dated=_dated(question, schema),
    )


def _holds(term: Term, readings: _Readings) -> bool:
    """Whether a reading of a word stands beside its other readings."""
    match term.kind:
        case TermKind.RELATION:
            return _holds_as_relation(term, readings)
        case TermKind.PROPERTY:
            is_typed = readings.types.get(term.span, 0.0) >= term.score and term.score < _SURE
            is_dated = term.span in readings.dated
            return is_dated or (readings.is_best(term) and not is_typed)
        case TermKind.VALUE:
            return _holds_as_value(term, readings)
        case TermKind.FACT:
            return False
        case TermKind.TYPE if term.span in readings.plain and term.span not in readings.nouns:
            return False
        case TermKind.TYPE if term.span in readings.predicates & readings.verbs:
            return False
        case TermKind.TYPE:
            is_noun = term.span in readings.nouns and term.span in readings.verbs
            is_noun = is_noun and not (term.score < _LIKELY and term.span in readings.named)
            is_likely = readings.best[term.span] < WHOLE_VALUE and term.score >= _LIKELY
            return is_noun or is_likely or readings.is_best(term)


def _holds_as_relation(term: Term, readings: _Readings) -> bool:
    typed = readings.types.get(term.span, 0.0)
    is_noun = bool(typed) and term.span in readings.nouns
    if is_noun or term.span in readings.adjectives | readings.states:
        return False
    return readings.is_best(term) or typed < term.score


def _holds_as_value(term: Term, readings: _Readings) -> bool:
    typed = readings.types.get(term.span, 0.0)
    is_type = typed >= term.score and not _by_property(term, readings.properties)
    is_time = term.span in readings.in_times or term.span in readings.dated
    if is_type or is_time or term.span in readings.numbers | readings.counted:
        return False
    is_other = typed >= _LIKELY or term.span in readings.verbs
    if term.span in readings.done or (term.span in readings.able and term.score < 1):
        return False
    return readings.is_best(term) and not (term.score < WHOLE_VALUE and is_other)


def _after(question: Understood, span: Span) -> list[str]:
    """Return the word after a span, if any: a verb after "that" has no auxiliary there."""
    return [t.lower for t in question.tokens[span.last : span.last + 1]]


def _in_times(question: Understood) -> AbstractSet[Span]:
    """Return the values that are a part of a day or a period: "January" in "1 January 2025"."""
    return {
        v.span
        for v in question.terms_of(TermKind.VALUE)
        if any(t.span.overlaps(v.span) for t in question.times)
    }


def _dated(question: Understood, schema: Schema) -> AbstractSet[Span]:
    """Return the verbs that say a date property, with its day: "released after", "opens on"."""
    dated = {
        (owner.name, item.name)
        for owner in schema.owners()
        for item in owner.properties.values()
        if item.kind is PropertyKind.DATE or set(stems(item.description)) >= _YEAR
    }
    return {
        p.span
        for p in question.terms_of(TermKind.PROPERTY)
        if (p.owner, p.name) in dated
        and _is_dating(question.tokens[p.span.last - 1].lower, p)
        and any(_leads_to(question, p.span.last, t.span.first) for t in question.times)
    }


def _leads_to(question: Understood, last: int, first: int) -> bool:
    """Whether a day follows a word, or the end of a period does: "before the end of May"."""
    between = [t.lower for t in question.tokens[last:first]]
    return 0 <= first - last <= _NEAR_DAY or (0 < len(between) <= 5 and set(between) <= _TO_DAY)


def _is_dating(word: str, date: Term) -> bool:
    """Whether a word is a participle, or a verb that is the name of the date: "opens"."""
    named = {part for part in spoken(date.name).split() if part.endswith("s")}
    return is_participle(word) or bool({word, f"{word}s"} & named)


def _done(question: Understood, schema: Schema) -> AbstractSet[Span]:
    """Return the verbs that are no states: what something has done, or is done to what is named.

    "An incident has closed it", "rooms that are closed", where only incidents have that state.
    """
    types = {t.name for t in question.terms_of(TermKind.TYPE) if t.score >= _LIKELY}
    stateful = {(v.span, v.owner) for v in question.terms_of(TermKind.VALUE)}
    found = set()
    for term in question.terms_of(TermKind.RELATION):
        before = [t.lower for t in question.tokens[max(0, term.span.first - 1) : term.span.first]]
        ends = {end for pair in schema.relation_types[term.name].ends for end in pair}
        is_state = any((term.span, t) in stateful for t in types | {term.name})
        is_doer = question.tokens[term.span.last - 1].lower.endswith(DOER_ENDINGS)
        is_own = term.score >= _SURE and bool(types & ends) and not (is_state or is_doer)
        if is_own or before in (["has"], ["have"], ["had"]):
            found.add(term.span)
    return found


def _adjectives(question: Understood) -> AbstractSet[Span]:
    """Return the values that stand right before the type that has them: "running projects"."""
    types = {(t.span.first, t.name) for t in question.terms_of(TermKind.TYPE)}
    return {
        v.span
        for v in question.terms_of(TermKind.VALUE)
        if v.score >= WHOLE_VALUE and (v.span.last, v.owner) in types
    }


def _by_property(value: Term, properties: Sequence[Term]) -> bool:
    """Whether the property of a value is named beside it."""
    return any(
        p.name == value.name and p.span != value.span and gap(p.span, value.span) <= 2
        for p in properties
    )


def _measured_words(question: Understood, schema: Schema) -> AbstractSet[Span]:
    """Return the words that name a number, where the question is about numbers."""
    if not question.has("sum", "average", "most", "least", "above", "below"):
        return frozenset()
    return frozenset(
        t.span
        for t in question.terms_of(TermKind.PROPERTY)
        if t.score >= _SURE
        and (owner := schema.owner(t.owner or ""))
        and owner.properties[t.name].kind is PropertyKind.NUMBER
    )
