"""Answers on how a value developed: what it was when, oldest first, and by how much it changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tiers.cag.attributes import ends_of, is_worse_when_high, plain
from tiers.cag.changes import Development, Window, Wish
from tiers.cag.findings import MAX_SHOWN, Entity, Found, dated, sentence, shown, values_of
from tiers.cag.kinds import asks_by_how_much, day_of, number_of
from tiers.cag.matching import Match
from tiers.cag.truths import asks_whether, has_alternatives
from tiers.cag.wording import Wording
from trivium.domain.evidence import Statement
from trivium.domain.knowledge import Fact
from trivium.domain.result import Number, Result
from trivium.domain.schema import Property
from trivium.domain.time import Moment, Validity

_PERCENT: Final = frozenset({"%", "percent"})
TELLING: Final = 2
"""Values that make a history."""

_Histories = Mapping[str, Mapping[str, Sequence[Fact]]]
"""Entity → attribute → what was said of it, the oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The values of one attribute of one entity that answer, and what they say."""

    facts: tuple[Fact, ...]
    head: str
    """The first sentence, which tells of the first and the last of them."""
    change: Number | None = None
    truth: bool | None = None
    lacking: str | None = None


def developed(
    wording: Wording,
    asked_of: Development,
    entities: Sequence[Entity],
    asked: Mapping[str, Sequence[Match]],
    histories: _Histories,
) -> Found | None:
    """Return the history that is asked for.

    ``None`` where nothing is known, or where but one value is and no word says that it changed.
    """
    courses = [
        course_of(asked_of, entity.label, item.attribute, known)
        for entity in entities
        for item in asked[entity.id]
        if (known := histories[entity.id].get(item.attribute.name))
    ]
    is_history = any(len(course.facts) >= TELLING for course in courses)
    if not courses or not (is_history or asked_of.is_told):
        return None
    facts = tuple(fact for course in courses for fact in course.facts)
    return Found(
        shape="history",
        facts=facts,
        result=(results := _results(wording, asked_of, courses))[0],
        also=results[1:],
        statements=tuple(_statements(wording, entities, courses)),
        lacking=tuple(course.lacking for course in courses if course.lacking),
        trace={"entities": [e.id for e in entities], "asked": asked_of.wish.value},
        words=frozenset(range(len(wording.tokens))),
        is_hinted=not any(m.is_named for found in asked.values() for m in found),
    )


def course_of(
    asked_of: Development, label: str, attribute: Property, known: Sequence[Fact]
) -> Course:
    """Return which of the values of one entity, oldest first, answer, and what they say.

    ``label`` is what the entity is called.
    """
    match asked_of.wish:
        case Wish.COURSE:
            kept = _within(known, asked_of.window)
        case Wish.LATEST | Wish.BEFORE:
            kept = _last_change(known, asked_of.way, attribute)
        case Wish.TWO_TIMES:
            kept = _at_times(known, asked_of)
    if len(kept) < TELLING:
        return _unchanged(label, kept or known[-1:])
    if asked_of.wish is Wish.BEFORE:
        return Course(facts=kept[:1], head=_was(kept[0], label))
    change = _difference(kept)
    is_latest = asked_of.wish is Wish.LATEST
    return Course(
        facts=kept,
        head=_head(kept, label, change, "last " if is_latest else ""),
        change=change,
        truth=_truth(asked_of, attribute, kept, change),
    )


def _unchanged(label: str, kept: Sequence[Fact]) -> Course:
    """Say a value of which no other is known."""
    name = plain(kept[0].attribute, kept[0].unit)
    return Course(
        facts=tuple(kept),
        head=sentence(kept[0], label),
        lacking=f"No other {name} of {label} is recorded for that, so no change is known.",
    )


def _begins(fact: Fact) -> int:
    return Validity.of(fact.as_of, None).start


def _within(known: Sequence[Fact], window: Window) -> tuple[Fact, ...]:
    """Return what was said within a time, after what held before where that is not the first."""
    start, end = window.start, window.end
    inside = [
        f
        for f in known
        if (start is None or _begins(f) >= start) and (end is None or _begins(f) < end)
    ]
    has_first = bool(inside) and _begins(inside[0]) < (window.first_end or start or 0)
    if start is None or (has_first and len(inside) >= TELLING):
        return tuple(inside)
    return (*[f for f in known if _begins(f) < start][-1:], *inside)


def _last_change(known: Sequence[Fact], way: str | None, attribute: Property) -> tuple[Fact, ...]:
    """Return the value before the last change of a way, and the value after it."""
    for n in range(len(known) - 1, 0, -1):
        pair = (known[n - 1], known[n])
        change = _difference(pair)
        is_change = pair[0].value != pair[1].value
        if is_change and (way is None or change is None or went(way, attribute, change.number)):
            return pair
    return ()


def _at_times(known: Sequence[Fact], asked_of: Development) -> tuple[Fact, ...]:
    """Return what held at each of two times, the earlier first."""
    moments = sorted(asked_of.times or (), key=lambda moment: moment.end)
    held = (_held(known, moment) for moment in moments)
    return tuple(dict.fromkeys(fact for fact in held if fact))


def _held(known: Sequence[Fact], moment: Moment) -> Fact | None:
    end = max(moment.end, moment.start + 1)
    return next((fact for fact in reversed(known) if _begins(fact) < end), None)


def _difference(kept: Sequence[Fact]) -> Number | None:
    """Return the last value less the first; ``None`` where they are no numbers of one unit."""
    first, last = number_of(kept[0]), number_of(kept[-1])
    if first is None or last is None or first.unit != last.unit:
        return None
    return Number(last.number - first.number, last.unit)


def went(way: str, attribute: Property, change: float) -> bool | None:
    """Whether a change went a way; ``None`` where the attribute does not tell which that is."""
    if way in {"up", "down"}:
        return change > 0 if way == "up" else change < 0
    if way in {"better", "worse"}:
        is_up = (way == "better") != is_worse_when_high(attribute)
        return change > 0 if is_up else change < 0
    ends = set(ends_of(way, attribute))
    return None if len(ends) != 1 else change < 0 if ends.pop() else change > 0


def _truth(
    asked_of: Development, attribute: Property, kept: Sequence[Fact], change: Number | None
) -> bool | None:
    """Return whether it went the way that the question says, or changed where it says none."""
    if asked_of.way is None:
        return any(f.value != kept[0].value for f in kept) if asked_of.is_told else None
    if change is None:
        return None
    number = change.number
    if asked_of.times and asked_of.times[0].end < asked_of.times[1].end:
        number = -number  # "higher in March than in June"
    return went(asked_of.way, attribute, number)


def _was(fact: Fact, label: str) -> str:
    name = plain(fact.attribute, fact.unit)
    return f"The {name} of {label} was {shown(fact.value, fact.unit)}{dated(fact.as_of)}."


def _head(kept: Sequence[Fact], label: str, change: Number | None, last: str) -> str:
    """Say the first value and the last, and how they differ."""
    first, end = kept[0], kept[-1]
    name = plain(end.attribute, end.unit)
    ends = f"from {_told(first)} to {_told(end)}"
    if first.value == end.value:
        is_same = all(f.value == end.value for f in kept)
        verb = "did not change" if is_same else "ended where it began"
        return f"The {name} of {label} {verb}: {ends}."
    if change is None:
        return f"The {name} of {label} {last}changed {ends}."
    verb = "rose" if change.number > 0 else "fell"
    return f"The {name} of {label} {last}{verb} by {_gap(change)}, {ends}."


def _told(fact: Fact) -> str:
    return f"{shown(fact.value, fact.unit)}{dated(fact.as_of)}"


def _gap(change: Number) -> str:
    """Say how much a value changed; a share changes by points."""
    if change.unit in _PERCENT:
        points = shown(abs(change.number))
        return f"{points} percentage point{'' if points == '1' else 's'}"
    return shown(abs(change.number), change.unit)


def _statements(
    wording: Wording, entities: Sequence[Entity], courses: Sequence[Course]
) -> Iterator[Statement]:
    """Give the sentences: of each attribute what changed, then each value where there are more."""
    at = 0
    is_yes_no = len(courses) == 1 and _is_yes_no(wording, entities)
    for course in courses:
        last = at + len(course.facts) - 1
        text = course.head
        if is_yes_no and course.truth is not None:
            text = f"{'Yes' if course.truth else 'No'}: {text[0].lower()}{text[1:]}"
        is_list = len(course.facts) > TELLING
        ends = tuple(dict.fromkeys((at, last)))
        yield Statement(f"{text}\n" if is_list else text, () if is_list else ends)
        if is_list:
            yield from _listed(course.facts, at)
        at = last + 1


def _is_yes_no(wording: Wording, entities: Sequence[Entity]) -> bool:
    return asks_whether(wording, entities[0].span) and not has_alternatives(wording)


def _listed(facts: Sequence[Fact], at: int) -> Iterator[Statement]:
    """Give a line for each value; of a long history the first, and the latest."""
    n_left_out = max(0, len(facts) - MAX_SHOWN)
    for n, fact in enumerate(facts):
        if n == 1 and n_left_out:
            yield Statement(f"… {n_left_out} more between these …")
        if n == 0 or n > n_left_out:
            yield Statement(
                f"- {fact.as_of or 'undated'}: {shown(fact.value, fact.unit)}", (at + n,)
            )


def _results(
    wording: Wording, asked_of: Development, courses: Sequence[Course]
) -> tuple[Result, ...]:
    """Return the values with their dates; before them a day or a difference where it is asked."""
    values = values_of([fact for course in courses for fact in course.facts])
    first = courses[0]
    if len(courses) == 1 and len(first.facts) >= TELLING:
        if asked_of.wish is Wish.LATEST and (day := day_of(first.facts[-1].as_of)):
            return (day, values)
        if first.change and asks_by_how_much(wording):
            return (Number(abs(first.change.number), first.change.unit), values)
    return (values,)
