"""A plan being drafted: constraints on the type that is asked for, each a set, then combined."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plan import PlanBuilder, Ref
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import (
    Anchor,
    PropertyWord,
    Refusal,
    Sketch,
    TypeWord,
    ValueWord,
    gap,
)
from tiers.graphrag.view import Scope
from trivium.domain.evidence import Reason
from trivium.domain.question import Cue, Quantity, Span, TimeExpression, TimeRelation
from trivium.domain.time import Moment

_NEAR: Final = 6


@dataclass(slots=True)
class Draft:
    """What templates build with."""

    sketch: Sketch
    scope: Scope
    plan: PlanBuilder = field(default_factory=PlanBuilder)
    used: set[Span] = field(default_factory=set)
    """Cues, quantities, times and types that a constraint has taken."""
    said: list[str] = field(default_factory=list)
    when: Moment | None = None
    _said_of: dict[str, tuple[Condition, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.when = self._when()

    # --- sets ---------------------------------------------------------------------------------

    def anchor_set(self, anchor: Anchor) -> Ref:
        """Return the entities of an anchor."""
        if anchor.ids:
            return self.plan.add("find_nodes", ids=anchor.ids)
        return self.plan.add(
            "find_nodes", type=anchor.type, where=anchor.conditions, as_of=self.when
        )

    def everything(self, node_type: str, where: tuple[Condition, ...] = ()) -> Ref:
        """Return all entities of a type."""
        return self.plan.add("find_nodes", type=node_type, where=where, as_of=self.when)

    def path(self, start: str, end: str, *, passed: Iterable[str] = ()) -> TypedPath:
        """Return the way between two types that the question means.

        Raises:
            Refusal: the schema joins them in no way.
        """
        named = self.sketch.relation_names()
        seen = [*passed, *(t.type for t in self.sketch.types)]
        found = self.sketch.paths.best(start, end, relations=named, passed=seen)
        if found is None:
            raise Refusal(
                Reason.NOT_IN_SCHEMA, f"No relation of the schema joins {start} to {end}."
            )
        return found

    def lead(self, start: Ref, path: TypedPath, *, as_of: Moment | None = None) -> Ref:
        """Follow a typed path; what the question says of its relations narrows it."""
        if not path.hops:
            return start
        hops = tuple(self.with_conditions(hop) for hop in path.hops)
        return self.plan.add("follow", nodes=start, path=hops, as_of=as_of or self.when)

    def with_conditions(self, hop: Hop) -> Hop:
        """Return a hop with what the question says of the properties of its relation."""
        if hop.relation not in self._said_of:
            self._said_of[hop.relation] = tuple(self.relation_conditions(hop.relation))
        conditions = self._said_of[hop.relation]
        return replace(hop, where=hop.where + conditions) if conditions else hop

    # --- what is said of properties -----------------------------------------------------------

    def relation_conditions(self, relation: str) -> Iterable[Condition]:
        """Give the conditions that the question sets on the properties of a relation."""
        for word in self.sketch.properties:
            if relation in word.owners:
                yield from self._compared(word)
                yield from self._dated(word)
        for value in self.sketch.values:
            for owner, name in value.owners:
                if owner == relation and not self._prefers_type(value):
                    self.used.add(value.span)
                    yield Condition(property=name, value=value.value)

    def owner_of(self, value: ValueWord) -> tuple[str, str] | None:
        """Return the ``(type, property)`` that a value is said of."""
        owners = [o for o in value.owners if o[0] in self.sketch.schema.node_types]
        if not owners:
            return None
        near = [p for p in self.sketch.properties if gap(p.span, value.span) <= 2]
        by_property = [o for o in owners if any(p.name == o[1] and o[0] in p.owners for p in near)]
        beside = [t.type for t in self.sketch.types if gap(t.span, value.span) <= 1]
        by_type = [o for o in owners if o[0] in beside]
        focus = self.sketch.focus
        by_focus = [o for o in owners if focus and o[0] == focus.type]
        named = [o for o in owners if any(t.type == o[0] for t in self.sketch.types)]
        for choice in (by_type, by_property, by_focus, named, owners):
            if choice:
                return choice[0]
        return None

    def _prefers_type(self, value: ValueWord) -> bool:
        owner = self.owner_of(value)
        return owner is not None and any(t.type == owner[0] for t in self.sketch.types)

    def _compared(self, word: PropertyWord) -> Iterable[Condition]:
        """Give ``property above number`` where the question says so."""
        for cue in self.cues("above", "below"):
            quantity = self.quantity_after(cue.span.last)
            is_close = quantity is not None and gap(word.span, cue.span) <= _NEAR
            if quantity and is_close and not self._counts_type(quantity):
                self.used |= {cue.span, quantity.span}
                yield Condition(property=word.name, test=self.test(cue), value=quantity.number)

    def _numbered(self, word: PropertyWord) -> Iterable[Condition]:
        """Give ``property = number`` for "tier 2"."""
        for quantity in self.sketch.question.quantities:
            if quantity.span.first == word.span.last and quantity.span not in self.used:
                self.used.add(quantity.span)
                yield Condition(property=word.name, value=quantity.number)

    def _dated(self, word: PropertyWord) -> Iterable[Condition]:
        """Give ``property within period`` for "due in Q4 2025"."""
        for time in self.sketch.question.times:
            if 0 <= time.span.first - word.span.last <= 3 and self._is_dated(word):
                self.used.add(time.span)
                period = f"{time.moment.day}/{time.moment.last_day}"
                if time.relation is TimeRelation.ON:
                    yield Condition(property=word.name, test=Test.WITHIN, value=period)
                elif time.relation is TimeRelation.BEFORE:
                    yield Condition(property=word.name, test=Test.BELOW, value=time.moment.day)
                else:
                    yield Condition(property=word.name, test=Test.AT_LEAST, value=time.moment.day)

    def _is_dated(self, word: PropertyWord) -> bool:
        schema = self.sketch.schema
        for owner in word.owners:
            holder = schema.node_types.get(owner) or schema.relation_types.get(owner)
            item = holder.properties.get(word.name) if holder else None
            if item and (item.kind == "date" or any(c.isdigit() for v in item.values for c in v)):
                return True
        return False

    # --- cues ---------------------------------------------------------------------------------

    def cues(self, *kinds: str) -> tuple[Cue, ...]:
        """Return the cues of ``kinds`` that nothing has taken yet, longest of equal place."""
        found = [c for c in self.sketch.question.cues_of(*kinds) if c.span not in self.used]
        return tuple(
            c for c in found
            if not any(o is not c and o.kind == c.kind and len(o.span) > len(c.span)
                       and o.span.overlaps(c.span) for o in found)
        )  # fmt: skip

    def quantity_after(self, position: int, *, within: int = 2) -> Quantity | None:
        """Return the number that stands at or just after a word."""
        return next(
            (
                q
                for q in self.sketch.question.quantities
                if position <= q.span.first <= position + within and q.span not in self.used
            ),
            None,
        )

    def test(self, cue: Cue) -> Test:
        """Return the comparison that a cue says."""
        words = self.sketch.question.words(cue.span).casefold()
        if cue.kind == "above":
            return Test.AT_LEAST if words in {"at least", "or more"} else Test.ABOVE
        return Test.AT_MOST if words in {"at most", "or less", "up to"} else Test.BELOW

    def _counts_type(self, quantity: Quantity) -> TypeWord | None:
        """Return the type that a number counts: "three products"."""
        return self.sketch.type_after(quantity.span.last, within=1)

    def _when(self) -> Moment | None:
        """Return the moment that the question names for all it asks."""
        for time in self.sketch.question.times:
            if not any(
                0 <= time.span.first - word.span.last <= 3 and self._is_dated(word)
                for word in self.sketch.properties
            ):
                return self.moment_of(time)
        if self.sketch.has("ever"):
            return Moment(-(2**62), self.scope.moment.end, "any time up to now")
        return None

    def moment_of(self, time: TimeExpression) -> Moment | None:
        """Return when a time expression looks: the day before, for "before"."""
        match time.relation:
            case TimeRelation.ON:
                return time.moment
            case TimeRelation.BEFORE:
                start = time.moment.start
                return Moment(start - 1, start - 1, f"just before {time.moment.day}")
            case TimeRelation.AFTER:
                return None

    def names(self, items: Sequence[Anchor]) -> str:
        """Say anchors."""
        return " and ".join(item.label for item in items)


def merged(conditions: Sequence[Condition]) -> list[Condition]:
    """Join several values of one property into one condition: "high or medium"."""
    found: dict[str, list[Condition]] = {}
    for condition in conditions:
        found.setdefault(condition.property, []).append(condition)
    merged: list[Condition] = []
    for name, same in found.items():
        equal = [c for c in same if c.test is Test.EQUALS]
        merged += [c for c in same if c.test is not Test.EQUALS]
        if len({str(c.value) for c in equal}) > 1:
            values = tuple(c.value for c in equal if not isinstance(c.value, tuple))
            merged.append(Condition(property=name, test=Test.IN, value=values))
        else:
            merged += equal[:1]
    return merged
