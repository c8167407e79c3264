"""A plan being drafted: what every template builds with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import PlanBuilder, Ref
from tiers.graphrag.reading.inclusion import includes_past
from tiers.graphrag.reading.paths import Arrival, TypedPath
from tiers.graphrag.reading.sketch import Anchor, Refusal, Sketch
from tiers.graphrag.reading.statement import Statement
from tiers.graphrag.reading.tree import Bound
from tiers.graphrag.view import Scope
from trivium.domain.evidence import Reason
from trivium.domain.question import Cue, Span, TimeExpression, TimeRelation
from trivium.domain.time import Moment

_COMPARING: Final = (
    "above", "below", "comparative", "average", "most", "least", "single", "plural", "count",
    "ended", "score", "risk", "negation",
)  # fmt: skip
"""Cues within the words that hold a number against another, which do nothing else there."""
_GAIN: Final = 0.7
"""For a relation that the question names, when it may stand anywhere."""


@dataclass(slots=True)
class Draft:
    """What templates build with."""

    sketch: Sketch
    scope: Scope
    stated: tuple[Statement, ...]
    """What the question states of properties."""
    bounds: tuple[Bound, ...] = ()
    """What it holds numbers against."""
    plan: PlanBuilder = field(default_factory=PlanBuilder)
    used: set[Span] = field(default_factory=set)
    """Cues, quantities, times and types that a constraint has taken."""
    said: list[str] = field(default_factory=list)
    when: Moment | None = None

    def __post_init__(self) -> None:
        self.when = self._when()
        cues = {c.span for c in self.sketch.question.cues_of(*_COMPARING)}
        self.used |= {c for c in cues if any(c.overlaps(b.span) for b in self.bounds)}

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

    def union(self, sets: Sequence[Ref]) -> Ref:
        """Return all of several sets."""
        if len(sets) == 1:
            return sets[0]
        return self.plan.add("combine", how="union", sets=tuple(sets))

    def path(self, start: str, end: str, *, gains: Mapping[str, float] | None = None) -> TypedPath:
        """Return the way between two types that the question means.

        Raises:
            Refusal: the schema joins them in no way.
        """
        found = self.way(start, end, gains=gains)
        if found is None:
            raise Refusal(
                Reason.NOT_IN_SCHEMA, f"No relation of the schema joins {start} to {end}."
            )
        return found

    def way(
        self,
        start: str,
        end: str,
        *,
        gains: Mapping[str, float] | None = None,
        arrivals: frozenset[Arrival] | None = None,
    ) -> TypedPath | None:
        """Return the same as ``path``, or ``None``; ``arrivals``: the last steps it may take."""
        named = gains if gains is not None else self.gains()
        seen = [t.type for t in self.sketch.types]
        return self.sketch.paths.best(start, end, relations=named, passed=seen, arrivals=arrivals)

    def gains(self) -> dict[str, float]:
        """Return what each relation that the question names gains, wherever it stands."""
        gains: dict[str, float] = {}
        for term in self.sketch.relations:
            gains[term.name] = max(gains.get(term.name, 0.0), _GAIN * term.score)
        return gains

    def lead(self, start: Ref, path: TypedPath, *, as_of: Moment | None = None) -> Ref:
        """Follow a typed path; what the question says of its relations narrows it."""
        if not path.hops:
            return start
        return self.plan.add("follow", nodes=start, path=self.hops(path), as_of=as_of or self.when)

    def hops(self, path: TypedPath) -> tuple[Hop, ...]:
        """Return the hops of a path, with what the question says of their relations."""
        return tuple(self._narrowed(hop) for hop in path.hops)

    def _narrowed(self, hop: Hop) -> Hop:
        conditions = self.relation_conditions(hop.relation)
        return replace(hop, where=hop.where + conditions) if conditions else hop

    def relation_conditions(self, relation: str) -> tuple[Condition, ...]:
        """Return the conditions that the question sets on the properties of a relation."""
        found = []
        for statement in self.stated:
            name = statement.relation_property(relation)
            if name:
                self.used |= statement.spans
                found.append(statement.condition(name))
        return tuple(merged(found))

    # --- cues ---------------------------------------------------------------------------------

    def cues(self, *kinds: str) -> tuple[Cue, ...]:
        """Return the cues of ``kinds`` that nothing has taken yet, longest of equal place."""
        found = [c for c in self.sketch.question.cues_of(*kinds) if c.span not in self.used]
        longer = [c for c in found if len(c.span) > 1]
        return tuple(
            c for c in found
            if not any(o.kind == c.kind and len(o.span) > len(c.span) and o.span.overlaps(c.span)
                       for o in longer)
        )  # fmt: skip

    def cue_words(self, *kinds: str) -> set[str]:
        """Return the words of the cues of ``kinds`` that nothing has taken yet."""
        spans = (cue.span for cue in self.cues(*kinds))
        return {word for span in spans for word in self.sketch.words(span.first, span.last)}

    def _when(self) -> Moment | None:
        """Return the moment that the question names for all it asks."""
        dated = {span for statement in self.stated for span in statement.spans}
        for time in self.sketch.question.times:
            if time.span not in dated:
                return self.moment_of(time)
        if self.sketch.has("ever") or includes_past(self.sketch):
            return self.up_to_now()
        return None

    def up_to_now(self) -> Moment:
        """Return any time up to the one that the question is asked of."""
        now = self.scope.moment
        return Moment(-(2**62), now.end, f"any time up to {now.last_day}")

    def moment_of(self, time: TimeExpression) -> Moment | None:
        """Return when a time expression looks: the day before, for "before"."""
        match time.relation:
            case TimeRelation.ON:
                return time.moment
            case TimeRelation.BEFORE:
                start = time.moment.start
                return Moment(start - 1, start - 1, f"just before {time.moment.day}")
            case TimeRelation.AFTER | TimeRelation.SINCE:
                return None

    def names(self, items: Sequence[Anchor]) -> str:
        """Say anchors."""
        return " and ".join(item.label for item in items)


def merged(conditions: Sequence[Condition]) -> list[Condition]:
    """Join several values of one property into one condition: "high or medium"."""
    found: dict[str, list[Condition]] = {}
    for condition in conditions:
        found.setdefault(condition.property, []).append(condition)
    joined: list[Condition] = []
    for name, same in found.items():
        equal = [c for c in same if c.test is Test.EQUALS]
        joined += [c for c in same if c.test is not Test.EQUALS]
        if len({str(c.value) for c in equal}) > 1:
            values = tuple(c.value for c in equal if not isinstance(c.value, tuple))
            joined.append(Condition(property=name, test=Test.IN, value=values))
        else:
            joined += equal[:1]
    return joined
