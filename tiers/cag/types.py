"""Answers about the entities of a type: counts and totals, and which answer is due."""

from collections.abc import Sequence

from tiers.cag.attributes import near_names, title
from tiers.cag.changes import Development, development
from tiers.cag.conditions import Condition
from tiers.cag.findings import (
    MAX_SHOWN,
    Finding,
    Found,
    Refused,
    dated,
    label,
    shown,
    unknown,
)
from tiers.cag.movers import movers
from tiers.cag.ordering import is_ordering, order_of
from tiers.cag.rankings import listing, ranking
from tiers.cag.sheets import Sheets
from tiers.cag.subjects import Subject, chosen, stray_words, subject_of, trace_of, unrecorded
from tiers.cag.wording import Wording
from trivium.domain.evidence import Reason, Statement
from trivium.domain.knowledge import Fact
from trivium.domain.result import Number, tidy
from trivium.domain.schema import PropertyKind
from trivium.language.names import NameIndex
from trivium.language.plurals import plural
from trivium.language.text import spoken


async def about_type(wording: Wording, sheets: Sheets, names: NameIndex) -> Finding:
    """Answer what a question asks of the entities of a type."""
    subject = await subject_of(wording, sheets)
    if subject is None:
        return _nothing(wording)
    refused = _refusal(wording, subject)
    if refused is not None:
        return refused
    counted = await _moved_or_counted(wording, sheets, subject, names)
    if counted is not None:
        return counted
    order = order_of(wording, subject.term, subject.asked, subject.taken)
    is_sorted = order is not None and order.is_explicit and is_ordering(wording)
    if _is_total(wording, subject) and not is_sorted:
        return await _total(wording, sheets, subject)
    if order is None and is_ordering(wording):
        return _no_attribute(wording, subject)
    is_order = is_ordering(wording) or not subject.given
    if order is not None and (is_order or order.is_explicit):
        return await ranking(sheets, subject, order, names)
    is_told = subject.term is not None and (subject.wanted or subject.given)
    return await listing(sheets, subject, names) if is_told else _no_attribute(wording, subject)


async def _moved_or_counted(
    wording: Wording, sheets: Sheets, subject: Subject, names: NameIndex
) -> Finding | None:
    """Return the entities whose value changed, or how many there are, where that is asked."""
    asked_of = _change_of(wording, subject)
    if asked_of is not None:
        return await movers(wording, sheets, subject, asked_of, names)
    return await _count(sheets, subject, names) if _is_count(wording, subject) else None


def _change_of(wording: Wording, subject: Subject) -> Development | None:
    """Return what is asked of the history of an attribute, where a word says that it changed."""
    said = {i for m in subject.asked for i in m.words} | subject.taken
    asked_of = development(wording, said)
    return asked_of if asked_of is not None and asked_of.is_told else None


def _refusal(wording: Wording, subject: Subject) -> Refused | None:
    """Refuse what the question says of the type and what nothing is, or what nothing sums."""
    stray = stray_words(wording, subject)
    if stray is not None:
        return unknown(stray)
    vain = next((c for c in subject.given if not c.values), None)
    if vain is not None:
        return _no_such_state(wording, subject, vain)
    if _change_of(wording, subject) and not subject.wanted:
        return _no_attribute(wording, subject)
    is_sum = wording.cues("sum", "average")
    if is_sum and not _is_total(wording, subject) and not _is_count(wording, subject):
        return _no_attribute(wording, subject)
    is_of_all = is_ordering(wording) or _is_total(wording, subject) or _is_count(wording, subject)
    if subject.term is None and not (is_sum or is_of_all):
        why = f"The question does not say of which {spoken(subject.type)}."
        return Refused(reason=Reason.UNKNOWN_ENTITY, why=why)
    return None


def _nothing(wording: Wording) -> Refused:
    asked = wording.unread(None, range(len(wording.tokens)))
    if asked:
        return unknown(wording.told(asked))
    return Refused(reason=Reason.NO_EVIDENCE, why="The question names nothing that facts are on.")


def _no_attribute(wording: Wording, subject: Subject) -> Refused:
    asked = wording.told(wording.unread(subject.type, range(len(wording.tokens))))
    near = ", ".join(near_names(subject.attributes, asked))
    what = f"{asked!r}" if asked else "this"
    return Refused(
        reason=Reason.NOT_IN_SCHEMA,
        why=f"No attribute of {plural(spoken(subject.type))} answers to {what}. Near ones: {near}.",
    )


def _no_such_state(wording: Wording, subject: Subject, vain: Condition) -> Refused:
    """Return the refusal where no state of a type says what the question does."""
    told = wording.told(sorted(vain.words))
    states = ", ".join(subject.attributes[vain.attribute].values)
    return Refused(
        reason=Reason.NOT_IN_SCHEMA,
        why=f"No {title(subject.attributes[vain.attribute])} of {plural(spoken(subject.type))} "
        f"says {told!r}. There are: {states}.",
    )


def _is_count(wording: Wording, subject: Subject) -> bool:
    """Whether entities are to be counted: "how many" stands before the type, or a value of it."""
    if subject.wanted and min(i for m in subject.wanted for i in m.core) < _first(subject):
        return False
    return any(0 <= _first(subject) - cue.span.last <= 3 for cue in wording.cues("count"))


def _first(subject: Subject) -> int:
    """Return the first word that says which entities are meant."""
    named = [subject.term.span.first] if subject.term else []
    return min([*named, *subject.taken], default=-1)


def _is_total(wording: Wording, subject: Subject) -> bool:
    has_number = any(m.attribute.kind is PropertyKind.NUMBER for m in subject.wanted)
    is_sum = any(t.lower == "together" for t in wording.tokens)
    return has_number and (is_sum or bool(wording.cues("sum", "average", "count")))


def _computed(subject: Subject, what: str, value: float, facts: Sequence[Fact]) -> Fact:
    """Return a figure computed over facts as evidence of its own, as old as the oldest of them."""
    return Fact(
        entity=subject.type,
        attribute=what,
        value=tidy(value),
        unit=facts[0].unit if facts else None,
        as_of=min((f.as_of for f in facts if f.as_of), default=None),
        source=f"computed over {len(facts)} {subject.said}" if facts else f"counted {subject.said}",
    )


def _dates(facts: Sequence[Fact]) -> str:
    """Say of when facts are, in brackets: the day, or the first and the last."""
    days = sorted({f.as_of for f in facts if f.as_of})
    if len(days) > 1:
        return f" (from facts as of {days[0]} to {days[-1]})"
    return dated(days[0] if days else None)


async def _count(sheets: Sheets, subject: Subject, names: NameIndex) -> Finding:
    if subject.given:
        fitting = await chosen(sheets, subject)
        if isinstance(fitting, Refused):
            return fitting
        facts = [known[c.attribute] for known in fitting.values() for c in subject.given]
        ids = list(fitting)
    else:
        ids, facts = list(await sheets.members(subject.type)), []
    figure = _computed(subject, "count", len(ids), [])
    listed = ", ".join(label(e, names.name(e)) for e in ids[:MAX_SHOWN])
    verb = "is" if len(ids) == 1 else "are"
    named = f": {listed}" if ids and subject.given else ""
    shown_facts = facts[:MAX_SHOWN]
    evidence = range(1 + len(shown_facts))
    return Found(
        shape="count",
        facts=(figure, *shown_facts),
        result=Number(len(ids)),
        statements=(Statement(f"There {verb} {len(ids)} {subject.said}{named}.", tuple(evidence)),),
        trace=trace_of(subject),
    )


async def _total(wording: Wording, sheets: Sheets, subject: Subject) -> Finding:
    asked = next(m for m in subject.wanted if m.attribute.kind is PropertyKind.NUMBER)
    fitting = await chosen(sheets, subject)
    if isinstance(fitting, Refused):
        return fitting
    facts = [
        f
        for known in fitting.values()
        if (f := known.get(asked.attribute.name)) and isinstance(f.value, int | float)
    ]
    if not facts:
        return unrecorded(subject, asked.attribute)
    total = sum(float(f.value) for f in facts if isinstance(f.value, int | float))
    is_mean = bool(wording.cues("average"))
    figure = total / len(facts) if is_mean else total
    word = "average" if is_mean else "total"
    name = title(asked.attribute)
    evidence = _computed(subject, f"{word} {name}", figure, facts)
    text = f"The {word} {name} over {len(facts)} {subject.said} is {shown(figure, evidence.unit)}"
    return Found(
        shape=word,
        facts=(evidence, *facts[:MAX_SHOWN]),
        result=Number(figure, evidence.unit),
        statements=(Statement(f"{text}{_dates(facts)}.", (0,)),),
        trace=trace_of(subject, asked.attribute),
        words=asked.words,
    )
