"""The number that is summed up or averaged for each: named, or the amount on a relation."""

from collections.abc import Sequence
from typing import Final

from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.measuring import Measure, measures_named, measures_of
from tiers.graphrag.reading.misread import BIDDING
from tiers.graphrag.reading.statement import number_owners
from trivium.domain.question import Span
from trivium.domain.schema import Property, PropertyKind, RelationType
from trivium.language.text import spoken, stems
from trivium.language.words import is_money

SIDES: Final = ("sources", "targets")
_SURE: Final = 0.8
_OF_THE: Final = frozenset(
    {"of", "the", "our", "their", "its", "all", "in", "number", "yearly", "annual", "monthly",
     "weekly", "daily", "present", "agreed", "combined", "total"}
)  # fmt: skip
"""Words between "sum" and the number that is summed."""
PAYING: Final = frozenset(
    {"pay", "pays", "paid", "spend", "spends", "spent", "cost", "costs", "charge", "charges",
     "earn", "earns", "receive", "receives", "owe", "owes", "invest", "invests"}
)  # fmt: skip
"""Verbs that ask for an amount of money."""
_GIVING: Final = frozenset({"money", "give", "gives", "gave", "bring", "brings", "get", "gets"})
"""Words that do so beside a relation that has one."""
_NO_AMOUNT: Final = frozenset(
    stems(
        "pct percent share rate price lead time latency speed distance length lag min max limit "
        "cap ceiling"
    )
)
"""Words in the names of numbers that no sum is made of."""


def number_summed(draft: Draft, node_type: str) -> Measure | None:
    """Return the number named right after "sum of", "total" or "average"."""
    for cue in draft.cues("sum", "average"):
        for word in draft.sketch.properties:
            between = set(draft.sketch.words(cue.span.last, word.span.first))
            is_after = word.span.first >= cue.span.last and between <= _OF_THE
            if word.score >= _SURE and is_after and number_owners(draft.sketch, word):
                return next(measures_named(draft, node_type, word), None)
    return None


def relation_number(draft: Draft, node_type: str) -> Measure | None:
    """Return the amount on the relation that is named, where amounts are summed up or paid.

    Without a relation that has one, the one amount of money on any relation of the type.
    """
    sketch = draft.sketch
    bids = {i for i in sketch.stops if i < len(sketch.tokens) and sketch.tokens[i].lower in BIDDING}
    words = {t.lower for i, t in enumerate(sketch.tokens) if i not in bids}
    if not (draft.cues("sum") or words & {"much", *PAYING, *_GIVING}):
        return None
    relations = sketch.schema.relation_types.values()
    near = {r.name: r for r in relations if r.joins(node_type)}
    held = {name: amount for name, r in near.items() if (amount := amount_of(r))}
    named = next((n for n in sketch.relation_names() if n in near), None)
    paid = [n for n, amount in held.items() if is_money(amount.unit)]
    if named not in held:
        named = paid[0] if len(paid) == 1 and words & (PAYING | _GIVING) else None
    span = Span(first=0, last=0)
    if named is None:
        return _own_money(draft, node_type, span) if words & PAYING and not paid else None
    return next(measures_of(draft, node_type, [named], held[named].name, span), None)


def _own_money(draft: Draft, node_type: str, span: Span) -> Measure | None:
    """Return the one amount of money that a type has itself: "the best paid cooks"."""
    kind = draft.sketch.schema.node_types[node_type]
    found = [p.name for p in kind.properties.values() if is_money(p.unit)]
    return Measure(name=found[0], node_type=node_type, span=span) if len(found) == 1 else None


def adds_up(name: str) -> bool:
    """Whether sums are made of a number: of tonnes, not of prices or shares."""
    return not _NO_AMOUNT & set(stems(spoken(name)))


def ends_meant(draft: Draft, relation: RelationType) -> tuple[str, str]:
    """Return the two types of a relation that most of what is named is of."""
    here = draft.sketch.named_types
    return max(relation.ends, key=lambda ends: len(here & set(ends)))


def narrowed_sides(draft: Draft, relation: RelationType) -> dict[str, Ref]:
    """Return all of a type at an end where the relation has others too: "into our tours"."""
    excepted = {i for c in draft.cues("exception") for i in range(c.span.first, c.span.last + 6)}
    named = {t.type for t in draft.sketch.types if t.span.first not in excepted}
    anchored = {a.type for a in draft.sketch.anchors}
    sides = {}
    for index, side in enumerate(SIDES):
        others = {ends[index] for ends in relation.ends}
        chosen = [t for t in others if t in named and t not in anchored]
        if len(others) > 1 and len(chosen) == 1 and not others & anchored:
            sides[side] = draft.everything(chosen[0])
    return sides


def amount_of(relation: RelationType) -> Property | None:
    """Return the one number of a relation that sums are made of, money before other things."""
    found: Sequence[Property] = [
        p for p in relation.properties.values() if p.kind is PropertyKind.NUMBER and adds_up(p.name)
    ]
    money = [p for p in found if is_money(p.unit)]
    chosen = money or found
    return chosen[0] if len(chosen) == 1 else None
