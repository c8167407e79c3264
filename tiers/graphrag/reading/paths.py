"""Typed paths between types in the schema graph, and the choice among them."""

import heapq
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from tiers.graphrag.operators.traversal import Hop
from trivium.domain.schema import Effect, Schema

_TURN_COST: Final = 0.6
"""For turning against the direction in which effects run, half way."""
_NAMED_GAIN: Final = 0.7
"""For a relation that the question names; below one hop, so that it never pays for a detour.
A mapping of gains says it for each."""
_PASSED_GAIN: Final = 0.3
"""For a type that the question names, passed on the way."""
_EVENT_COST: Final = 3.0
"""For passing through an event type: that two things were hit together joins nothing."""
_SIDEWAYS_COST: Final = 0.4
"""For a relation along which no effect runs."""
_MAX_HOPS: Final = 5
_MAX_KEPT: Final = 4_096
"""Ways remembered; questions of one domain ask for the same ones again and again."""
Arrival: TypeAlias = tuple[str, str, bool]
"""The last step of a way: from which type, by which relation, and whether along it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPath:
    """A way through the schema: hops, the types from start to end, and what it costs."""

    hops: tuple[Hop, ...]
    types: tuple[str, ...]
    cost: float

    def split(self, node_type: str) -> tuple["TypedPath", "TypedPath"] | None:
        """Cut the path where it passes a type."""
        if node_type not in self.types[1:-1]:
            return None
        at = self.types.index(node_type, 1)
        return (
            TypedPath(hops=self.hops[:at], types=self.types[: at + 1], cost=0),
            TypedPath(hops=self.hops[at:], types=self.types[at:], cost=0),
        )

    def back(self) -> "TypedPath":
        """Return the same path from its end."""
        hops = []
        for hop, start in zip(reversed(self.hops), reversed(self.types[:-1]), strict=True):
            hops.append(replace(hop, outgoing=not hop.outgoing, to_type=start))
        return TypedPath(hops=tuple(hops), types=tuple(reversed(self.types)), cost=self.cost)


class SchemaPaths:
    """All ways through one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._steps: dict[str, list[tuple[str, Hop, Effect]]] = defaultdict(list)
        self._found: dict[object, TypedPath | None] = {}
        self._effects: dict[tuple[str, str], set[Effect]] = defaultdict(set)
        for source, relation, target in schema.triples():
            if source not in schema.node_types or target not in schema.node_types:
                continue
            out = Hop(relation=relation.name, outgoing=True, to_type=target)
            back = Hop(relation=relation.name, outgoing=False, to_type=source)
            self._steps[source].append((target, out, relation.effect))
            self._steps[target].append((source, back, _turned(relation.effect)))
            self._effects[source, target].add(relation.effect)
            self._effects[target, source].add(_turned(relation.effect))

    def hops_from(self, node_type: str) -> Sequence[tuple[str, Hop, Effect]]:
        """Return each ``(other type, hop, effect)``; forward: the other feels it."""
        return self._steps.get(node_type, [])

    def best(
        self,
        start: str,
        end: str,
        *,
        relations: Iterable[str] | Mapping[str, float] = (),
        passed: Iterable[str] = (),
        max_hops: int = _MAX_HOPS,
        arrivals: frozenset[Arrival] | None = None,
    ) -> TypedPath | None:
        """Return the cheapest way between two types; ``None`` when there is none.

        A way costs its hops, more where it turns against the effects or passes an event type,
        less where it uses ``relations`` or passes the types ``passed``. ``arrivals`` are the last
        steps that it may take; ``None``: any.
        """
        gains = (
            relations if isinstance(relations, Mapping) else dict.fromkeys(relations, _NAMED_GAIN)
        )
        wanted = frozenset(passed)
        key = (start, end, frozenset(gains.items()), wanted, max_hops, arrivals)
        if key not in self._found:
            if len(self._found) > _MAX_KEPT:
                self._found.clear()
            self._found[key] = self._search(start, end, gains, wanted, max_hops, arrivals)
        return self._found[key]

    def _search(
        self,
        start: str,
        end: str,
        gains: Mapping[str, float],
        wanted: frozenset[str],
        max_hops: int,
        arrivals: frozenset[Arrival] | None,
    ) -> TypedPath | None:
        tie = itertools.count()
        queue: list[tuple[float, int, TypedPath, Effect | None]] = [
            (0.0, next(tie), TypedPath(hops=(), types=(start,), cost=0.0), None)
        ]
        while queue:
            cost, _, path, runs = heapq.heappop(queue)
            if path.hops and path.types[-1] == end:
                return TypedPath(hops=path.hops, types=path.types, cost=cost)
            if len(path.hops) >= max_hops:
                continue
            for other, hop, effect in self.hops_from(path.types[-1]):
                arrival = (path.types[-1], hop.relation, hop.outgoing)
                if other == end and arrivals is not None and arrival not in arrivals:
                    continue
                if self._repeats(path, other, hop, end):
                    continue
                price = self._price(path.types[-1], other, effect, runs)
                price += _EVENT_COST if self._is_passed_event(other, end) else 0.0
                price -= gains.get(hop.relation, 0.0)
                price -= _PASSED_GAIN if other in wanted and other != end else 0.0
                longer = TypedPath(
                    hops=(*path.hops, hop), types=(*path.types, other), cost=cost + price
                )
                now_runs = runs if effect is Effect.NONE else effect
                heapq.heappush(queue, (longer.cost, next(tie), longer, now_runs))
        return None

    def likewise(self, path: TypedPath) -> tuple[TypedPath, ...]:
        """Return the other ways between the ends of a path that a fault takes as directly.

        They have as many hops, all along the effects, and so has the path itself; else none.
        """
        start, end = path.types[0], path.types[-1]
        found = list(self._runs(start, end, len(path.hops), Effect.FORWARD))
        found += self._runs(start, end, len(path.hops), Effect.BACKWARD)
        keys = [tuple(h.relation for h in p.hops) for p in found]
        own = tuple(h.relation for h in path.hops)
        if own not in keys:
            return ()
        return tuple(p for p, key in zip(found, keys, strict=True) if key != own)

    def _runs(self, start: str, end: str, n_hops: int, along: Effect) -> Iterator[TypedPath]:
        """Give the ways of so many hops along which effects run one way, no type twice."""
        stack = [TypedPath(hops=(), types=(start,), cost=0.0)]
        while stack:
            path = stack.pop()
            if len(path.hops) == n_hops:
                if path.types[-1] == end:
                    yield path
                continue
            for other, hop, effect in self.hops_from(path.types[-1]):
                if effect is along and other not in path.types:
                    stack.append(
                        TypedPath(
                            hops=(*path.hops, hop), types=(*path.types, other), cost=path.cost + 1
                        )
                    )

    def feeders(self, node_type: str) -> tuple[Hop, ...]:
        """Return the hops from a type to what it rests on directly, event types left out."""
        return tuple(
            hop
            for other, hop, effect in self.hops_from(node_type)
            if effect is Effect.BACKWARD and not self._schema.node_types[other].is_event
        )

    def _repeats(self, path: TypedPath, other: str, hop: Hop, end: str) -> bool:
        """Whether a step would go round: a type twice, or straight back."""
        if other in path.types and other != end:
            return True
        before = path.hops[-1] if path.hops else None
        is_back = before is not None and before.relation == hop.relation
        return is_back and before is not None and before.outgoing is not hop.outgoing

    def _price(self, here: str, other: str, effect: Effect, runs: Effect | None) -> float:
        """Return the cost of a hop; one of several between the same types costs as the best."""
        effects = self._effects[here, other]
        if effect is Effect.NONE:
            return 1.0 + _SIDEWAYS_COST
        if runs is not None and effect is not runs and runs not in effects:
            return 1.0 + _TURN_COST
        return 1.0

    def _is_passed_event(self, other: str, end: str) -> bool:
        return other != end and self._schema.node_types[other].is_event


def _turned(effect: Effect) -> Effect:
    turned = {Effect.FORWARD: Effect.BACKWARD, Effect.BACKWARD: Effect.FORWARD}
    return turned.get(effect, Effect.NONE)
