"""Rankings of the entities of a type by an attribute, and lists of their values."""

from collections.abc import Mapping, Sequence
from typing import Final

from tiers.cag.attributes import title
from tiers.cag.findings import (
    MAX_SHOWN,
    Finding,
    Found,
    Refused,
    dated,
    label,
    sentence,
    shown,
    values_of,
)
from tiers.cag.ordering import Order
from tiers.cag.sheets import Sheets, cut
from tiers.cag.subjects import Subject, chosen, trace_of, unrecorded
from trivium.domain.evidence import Statement
from trivium.domain.knowledge import Fact, Value
from trivium.domain.result import Ranking
from trivium.domain.schema import Property, PropertyKind
from trivium.language.names import NameIndex
from trivium.language.text import fold

_MAX_PAIRS: Final = 1_000

_Pairs = tuple[tuple[str, float], ...]


async def ranking(sheets: Sheets, subject: Subject, order: Order, names: NameIndex) -> Finding:
    """Return the entities of a type in the order that is asked for, ties with the last too."""
    is_number = order.attribute.kind is PropertyKind.NUMBER
    if is_number and not subject.given:
        pairs = await sheets.ranking(
            subject.type, order.attribute.name, limit=order.limit, ascending=order.is_ascending
        )
        known = await sheets.many([entity for entity, _ in pairs[:MAX_SHOWN]], subject.type)
        facts = _of(known, order.attribute)
    else:
        fitting = await chosen(sheets, subject)
        if isinstance(fitting, Refused):
            return fitting
        facts = _of({e: tuple(k.values()) for e, k in fitting.items()}, order.attribute)
        pairs = _ordered(sheets, facts, order)
    if not pairs:
        return unrecorded(subject, order.attribute)
    shown_facts = [facts[entity] for entity, _ in pairs[:MAX_SHOWN]]
    return Found(
        shape="superlative" if order.is_superlative else "ranking",
        facts=tuple(shown_facts),
        result=Ranking(pairs[:_MAX_PAIRS]) if is_number else values_of(shown_facts),
        statements=(
            *_statements(subject, order, shown_facts, names),
            *_more(len(pairs)),
        ),
        trace={**trace_of(subject, order.attribute), "ascending": order.is_ascending},
        words=order.words | subject.taken,
    )


def _of(known: Mapping[str, Sequence[Fact]], attribute: Property) -> dict[str, Fact]:
    """Return the fact of one attribute of each entity that has it."""
    return {e: f for e, facts in known.items() for f in facts if f.attribute == attribute.name}


def _ordered(sheets: Sheets, facts: Mapping[str, Fact], order: Order) -> _Pairs:
    """Return entities in order, each with a number to tie by: its value, or its place."""
    keys = {e: key for e, f in facts.items() if (key := _key(sheets, f.value)) is not None}
    if order.attribute.kind is PropertyKind.NUMBER:
        keys = {e: key for e, key in keys.items() if isinstance(key, float)}
    levels = {key: float(n) for n, key in enumerate(sorted(set(keys.values()), key=_typed))}
    sign = 1 if order.is_ascending else -1
    ranked = sorted(keys, key=lambda e: (sign * levels[keys[e]], e))
    pairs = [(e, key if isinstance(key := keys[e], float) else levels[key]) for e in ranked]
    return cut(pairs, order.limit)


def _key(sheets: Sheets, value: Value) -> float | str | None:
    """Return what to order a value by: a number, how grave it is, or a text such as a date."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    return sheets.schema.risk.weights.get(fold(value), value)


def _typed(key: float | str) -> tuple[bool, float, str]:
    return (isinstance(key, str), key if isinstance(key, float) else 0.0, str(key))


def _statements(
    subject: Subject, order: Order, facts: Sequence[Fact], names: NameIndex
) -> tuple[Statement, ...]:
    name = title(order.attribute)
    is_date = order.attribute.kind is PropertyKind.DATE
    ends = ("earliest", "latest") if is_date else ("lowest", "highest")
    end = ends[0] if order.is_ascending else ends[1]
    if order.is_superlative:
        return tuple(
            Statement(
                f"{_label(f, names)} has the {end} {name} of the {subject.said}: "
                f"{shown(f.value, f.unit)}{dated(f.as_of)}.",
                (n,),
            )
            for n, f in enumerate(facts)
        )
    lines = (
        Statement(f"{n + 1}. {_label(f, names)}: {shown(f.value, f.unit)}{dated(f.as_of)}", (n,))
        for n, f in enumerate(facts)
    )
    head = f"{subject.said} by {name}, {end} first:"
    return (Statement(f"{head[0].upper()}{head[1:]}\n"), *lines)


def _more(n_facts: int) -> tuple[Statement, ...]:
    """Say how many of a long list are not said."""
    rest = n_facts - MAX_SHOWN
    return (Statement(f"… and {rest} more."),) if rest > 0 else ()


def _label(fact: Fact, names: NameIndex) -> str:
    return label(fact.entity, names.name(fact.entity))


async def listing(sheets: Sheets, subject: Subject, names: NameIndex) -> Finding:
    """Return what is asked of each entity that meets the conditions, or by what it meets them."""
    fitting = await chosen(sheets, subject)
    if isinstance(fitting, Refused):
        return fitting
    wanted = [m.attribute for m in subject.wanted]
    told = [a.name for a in wanted] or [c.attribute for c in subject.given]
    facts = [known[name] for known in fitting.values() for name in told if name in known]
    if not facts and wanted:
        return unrecorded(subject, wanted[0])
    said = [Statement(sentence(f, _label(f, names)), (n,)) for n, f in enumerate(facts[:MAX_SHOWN])]
    return Found(
        shape="list",
        facts=tuple(facts[:MAX_SHOWN]),
        result=values_of(facts),
        statements=(*said, *_more(len(facts))) or (Statement(f"There are no {subject.said}."),),
        trace=trace_of(subject, *wanted),
        words=frozenset(i for m in subject.wanted for i in m.words) | subject.taken,
    )
