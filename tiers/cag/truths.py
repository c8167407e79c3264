"""Yes or no on a value: whether what the question says of an entity is what is known of it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tiers.cag.attributes import is_state
from tiers.cag.findings import Entity, Found, sentence, values_of
from tiers.cag.matching import Match
from tiers.cag.wording import Wording
from trivium.domain.errors import InputError
from trivium.domain.evidence import Statement
from trivium.domain.knowledge import Fact
from trivium.domain.question import Span, TermKind, TimeExpression, TimeRelation
from trivium.domain.schema import Property, PropertyKind, Schema
from trivium.domain.time import Moment
from trivium.language.text import fold, stems
from trivium.language.words import general_words

_ASIDE: Final = frozenset(
    {"so", "and", "but", "hi", "hello", "hey", "please", "ok", "okay", "well"}
)
_BY_NOW: Final = frozenset({"still", "yet", "again", "already"})
_CONFIRMING: Final = frozenset({"confirm", "whether", "true", "correct", "verify"})


@dataclass(frozen=True, slots=True)
class _Verdict:
    fact: Fact
    is_true: bool | None
    """``None``: it cannot be told from the value."""


def judge(
    wording: Wording,
    schema: Schema,
    entity: Entity,
    facts: Mapping[str, Fact],
    asked: Sequence[Match],
    attributes: Mapping[str, Property],
) -> Found | None:
    """Return the values in question with yes or no; ``None`` when it is no such question."""
    if not asks_whether(wording, entity.span):
        return None
    verdicts = _verdicts(wording, schema, entity, facts, asked, attributes)
    if not verdicts:
        return None
    truth = _joint([v.is_true for v in verdicts])
    if truth is None and asked and any(v.fact.attribute not in _names(asked) for v in verdicts):
        return None
    if has_alternatives(wording):
        truth = None
    held = [v.fact for v in verdicts]
    besides = [m.attribute.name for m in asked if m.is_named and m.attribute.name in facts]
    held += [facts[name] for name in besides if name not in {f.attribute for f in held}]
    said = [sentence(fact, entity.label) for fact in held]
    if truth is not None:
        said[0] = f"{'Yes' if truth else 'No'}: {said[0][0].lower()}{said[0][1:]}"
    return Found(
        shape="yes_no",
        facts=tuple(held),
        result=values_of(held),
        statements=tuple(Statement(text, (n,)) for n, text in enumerate(said)),
        trace={"entities": [entity.id], "truth": truth},
        words=frozenset(range(len(wording.tokens))),
    )


def _names(asked: Sequence[Match]) -> set[str]:
    return {m.attribute.name for m in asked}


def _joint(truths: Sequence[bool | None]) -> bool | None:
    """Return whether all hold: one that does not decides, one that cannot be told hides."""
    if any(t is False for t in truths):
        return False
    return None if None in truths else True


def has_alternatives(wording: Wording) -> bool:
    """Whether the question offers a choice, as in "open or closed"."""
    words = [t.lower for t in wording.tokens]
    after = [b for a, b in pairwise(words) if a == "or"]
    return any(word not in {"not", "no"} for word in after)


def asks_whether(wording: Wording, span: Span) -> bool:
    """Whether the sentence opens with a verb, or asks to confirm."""
    if (_CONFIRMING | {"still"}) & {wording.tokens[i].lower for i in wording.own}:
        return True
    openers = {wording.tokens[c.span.first].lower for c in wording.cues("yes_no")}
    inside = set(wording.sentence_of([span]))
    for clause in wording.clauses:
        told = [wording.tokens[i].lower for i in clause if wording.tokens[i].lower not in _ASIDE]
        is_own = clause[0] in wording.own and (inside & set(clause) or wording.is_follow_up)
        if len(told) > 1 and told[0] in openers and is_own:
            return True
    return False


def _verdicts(
    wording: Wording,
    schema: Schema,
    entity: Entity,
    facts: Mapping[str, Fact],
    asked: Sequence[Match],
    attributes: Mapping[str, Property],
) -> list[_Verdict]:
    """Return what can be said to the question, by the surest reading that says something."""
    held = [m for m in asked if m.attribute.name in facts]
    named = [_by_attribute(wording, m, facts[m.attribute.name]) for m in held if m.is_named]
    readings = (
        _by_list(wording, facts, attributes),
        (v for v in named if v.is_true is not None and wording.question.times),
        _by_value(wording, entity, facts),
        (v for v in named if v.is_true is not None),
        list(_by_state(wording, schema, facts))[:1],
        (_by_attribute(wording, m, facts[m.attribute.name]) for m in held),
        () if held else _state_of(wording, schema, facts),
    )
    return next((found for reading in readings if (found := list(reading))), [])


def _state_of(wording: Wording, schema: Schema, facts: Mapping[str, Fact]) -> Iterator[_Verdict]:
    """Give the state of an entity where the question asks whether something is so by now."""
    if _BY_NOW & {t.lower for t in wording.tokens}:
        for attribute, fact in facts.items():
            if attribute == schema.risk.status_property or is_state(attribute):
                yield _Verdict(fact, None)


def _by_value(wording: Wording, entity: Entity, facts: Mapping[str, Fact]) -> Iterator[_Verdict]:
    """Judge by values of the schema that the question says."""
    terms = [t for t in wording.question.terms_of(TermKind.VALUE) if t.owner == entity.type]
    for attribute in dict.fromkeys(t.name for t in terms):
        said = [t for t in terms if t.name == attribute]
        fact = facts.get(attribute)
        if fact is None:
            continue
        if len({t.value for t in said}) > 1:
            yield _Verdict(fact, None)
            continue
        is_same = fold(str(said[0].value)) == fold(str(fact.value))
        is_whole = len(said[0].span) == len(stems(str(said[0].value)))
        yield _Verdict(fact, is_same if is_whole else None)


def _by_list(
    wording: Wording, facts: Mapping[str, Fact], attributes: Mapping[str, Property]
) -> Iterator[_Verdict]:
    """Judge by the parts of values that are lists, such as languages."""
    for attribute, fact in facts.items():
        item = attributes.get(attribute)
        lists = [v for v in (*(item.values if item else ()), str(fact.value)) if "," in v]
        held = {fold(part) for part in str(fact.value).split(",")}
        for part in sorted({fold(part) for v in lists for part in v.split(",")}):
            if _is_said(wording, part):
                yield _Verdict(fact, part in held)


def _is_said(wording: Wording, words: str) -> bool:
    wanted = stems(words)
    said = [t.stem for t in wording.tokens]
    return bool(wanted) and any(
        tuple(said[i : i + len(wanted)]) == wanted for i in range(len(said) - len(wanted) + 1)
    )


def _by_state(wording: Wording, schema: Schema, facts: Mapping[str, Fact]) -> Iterator[_Verdict]:
    """Judge whether something is open or over, in whatever words its state is kept."""
    for attribute, fact in facts.items():
        value = fold(str(fact.value))
        is_open, is_over = value in schema.risk.open_values, value in general_words().over_values
        tells = is_open or is_over or attribute == schema.risk.status_property
        if not tells or not (_asks_over(wording) or wording.cues("open")):
            continue
        truth = is_over if _asks_over(wording) else is_open
        yield _Verdict(fact, truth if is_open or is_over else None)


def _asks_over(wording: Wording, but: Collection[int] = ()) -> bool:
    """Whether a word, other than ``but`` some, says that something is over."""
    over = general_words().over_values
    return any(t.lower in over for i, t in enumerate(wording.tokens) if i not in but)


def _by_attribute(wording: Wording, item: Match, fact: Fact) -> _Verdict:
    """Judge a value that the question names the attribute of."""
    value = fact.value
    if isinstance(value, bool):
        return _Verdict(fact, value)
    if isinstance(value, int | float):
        return _Verdict(fact, _by_number(wording, item, float(value)))
    if item.attribute.kind is PropertyKind.DATE:
        return _Verdict(fact, _by_day(wording, item, str(value)))
    rest = wording.unread(None, [i for i in range(len(wording.tokens)) if i not in item.words])
    told = set(stems(str(value)))
    is_told = bool(rest) and all(wording.tokens[i].stem in told for i in rest)
    return _Verdict(fact, True if is_told else None)


def _by_number(wording: Wording, item: Match, value: float) -> bool | None:
    numbers = [q.number for q in wording.question.quantities if q.span.first not in item.core]
    if len(numbers) != 1:
        return None
    if wording.cues("above"):
        return value > numbers[0] or (_says(wording, "least") and value == numbers[0])
    if wording.cues("below"):
        return value < numbers[0] or (_says(wording, "most") and value == numbers[0])
    return value == numbers[0]


def _has_year(wording: Wording, time: TimeExpression) -> bool:
    """Whether a time names its year; without, it may be the last such day or the next."""
    return any(re.fullmatch(r"(19|20)\d\d", wording.tokens[i].lower) for i in time.span)


def _says(wording: Wording, word: str) -> bool:
    return any(t.lower == word for t in wording.tokens)


def _by_day(wording: Wording, item: Match, value: str) -> bool | None:
    try:
        day = Moment.of(value)
    except InputError:
        return None
    if not wording.question.times and _asks_over(wording, item.words):
        return day.end <= wording.question.moment.start
    if len(wording.question.times) != 1 or not _has_year(wording, wording.question.times[0]):
        return None
    (time,) = wording.question.times
    match time.relation:
        case TimeRelation.BEFORE:
            return day.start < time.moment.start
        case TimeRelation.AFTER:
            return day.start >= time.moment.end
        case TimeRelation.SINCE:
            return day.start >= time.moment.start
        case TimeRelation.ON:
            return time.moment.start <= day.start < time.moment.end
