"""What operators need of a graph, and the scope in which they look at it."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product, takewhile
from operator import attrgetter
from typing import Final, Protocol, runtime_checkable

from tiers.graphrag.budget import Budget
from trivium.domain.knowledge import Edge, Node
from trivium.domain.schema import Schema
from trivium.domain.time import ALWAYS, Moment

__all__ = ["Budget", "Counted", "GraphView", "Scope"]

_MAX_KEPT: Final = 50_000
"""Entities whose relations a scope keeps; past it, it reads them anew."""
_SOURCE: Final = attrgetter("source")
_TARGET: Final = attrgetter("target")
_STRIDE: Final = 2_000
"""Relations of one entity between two looks at the clock."""


class GraphView(Protocol):
    """One version of the graph, for reading."""

    def node(self, node_id: str) -> Node | None:
        """Return an entity, whether it is valid now or not."""
        ...

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give the entities of a type, or all, in the order of their ids."""
        ...

    def edges(self, node_id: str, relation: str | None = None, *, outgoing: bool) -> Sequence[Edge]:
        """Return the relations that leave an entity, or those that enter it, expired ones too.

        They are of one type or of all, those of a type in the order of their other ends and keys.
        """
        ...


@runtime_checkable
class Counted(Protocol):
    """A graph that knows how many of each kind it holds, expired ones too, without counting."""

    def n_nodes(self, node_type: str | None = None) -> int:
        """Return the number of entities of a type, or of all."""
        ...

    def n_relations(self, relation: str | None = None) -> int:
        """Return the number of relations of a type, or of all."""
        ...


@dataclass(slots=True)
class Kept:
    """What was read of one version of a graph at one moment, by entity, type and direction."""

    there: dict[str, Node | None] = field(default_factory=dict)
    near: dict[tuple[str, str | None, bool], Sequence[Edge]] = field(default_factory=dict)
    effects: dict[tuple[str, bool], Sequence[tuple[str, Edge]]] = field(default_factory=dict)
    weights: dict[Moment | None, dict[str, float | None]] = field(default_factory=dict)
    """By the day that is today, then by event."""
    schema: Schema | None = None
    """Whose effects and weights these are."""


@runtime_checkable
class Keeping(Protocol):
    """A graph that keeps for further plans what one read of it, until it changes."""

    def kept(self, moment: Moment) -> Kept:
        """Return what was read at a moment, to be added to."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A graph as it was at one moment, with the schema, within a budget.

    What it read of the graph it keeps: a scope lives as long as the graph is held still.
    """

    view: GraphView
    schema: Schema
    moment: Moment
    budget: Budget = field(default_factory=Budget)
    today: Moment | None = None
    """The day on which the question is asked, where the schema has no ``as_of``."""
    _kept: Kept = field(init=False, repr=False, compare=False)
    _others: dict[Moment, "Scope"] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        kept = self.view.kept(self.moment) if isinstance(self.view, Keeping) else Kept()
        object.__setattr__(self, "_kept", kept)

    def at(self, moment: Moment | None) -> "Scope":
        """Return the same scope at another moment; ``None`` leaves it."""
        if moment is None or moment == self.moment:
            return self
        other = self._others.get(moment)
        if other is None:
            other = self._others[moment] = replace(self, moment=moment)
        return other

    @property
    def now(self) -> Moment | None:
        """The day that the data set calls today, else the day of the question, if known."""
        as_of = self.schema.as_of
        return _moment_of(as_of) if as_of is not None else self.today

    def note(self, edge: Edge) -> None:
        """Keep a relation as provenance; twice as many as entities are allowed."""
        kept, key = self.budget.relations, (edge.source, edge.type, edge.target)
        if len(kept) < 2 * self.budget.max_nodes:
            kept[key] = None
        elif key not in kept:
            self.budget.is_relations_cut = True

    def holds(self, node: Node) -> bool:
        """Whether an entity is there at the moment."""
        return node.validity.holds(self.moment)

    def there(self, node_id: str) -> Node | None:
        """Return an entity that is there at the moment."""
        try:
            return self._kept.there[node_id]
        except KeyError:
            node = self.view.node(node_id)
            found = node if node is not None and node.validity.holds(self.moment) else None
            if len(self._kept.there) < _MAX_KEPT:
                self._kept.there[node_id] = found
            return found

    def has(self, node_id: str) -> bool:
        """Whether an entity of that id is there at the moment."""
        return self.there(node_id) is not None

    def active(self, node_type: str | None = None) -> Iterable[Node]:
        """Give the entities of a type that are there at the moment, while there is time."""
        for node in self.view.nodes(node_type):
            if not self.budget.look(1):
                return
            if self.holds(node):
                yield node

    def edges(self, node_id: str, relation: str | None, *, outgoing: bool) -> Sequence[Edge]:
        """Return the relations of one type, or all, that hold at the moment.

        A relation does not hold while one of its ends is not there. There are none once the
        budget is spent.
        """
        if not self.budget.look(1):
            return ()
        found = self._kept.near.get((node_id, relation, outgoing))
        if found is None:
            near = self.view.edges(node_id, relation, outgoing=outgoing)
            found = list(self._holding(node_id, near, outgoing=outgoing))
            if len(self._kept.near) < _MAX_KEPT and not self.budget.is_spent:
                self._kept.near[node_id, relation, outgoing] = found
        return found if self.budget.look(len(found)) else ()

    def each_edge(self, node_id: str, relation: str, *, outgoing: bool) -> Iterable[Edge]:
        """Give the same; a hub is read no further than it is asked for."""
        near = self.view.edges(node_id, relation, outgoing=outgoing)
        if len(near) <= _STRIDE:
            return self.edges(node_id, relation, outgoing=outgoing)
        held = self._holding(node_id, near, outgoing=outgoing)
        return takewhile(lambda _: self.budget.look(1), held)

    def edges_of(
        self, node_id: str, is_wanted: Callable[[str], bool], *, outgoing: bool
    ) -> Sequence[Edge]:
        """Return the relations of the wanted types that hold at the moment; they are not kept."""
        if not self.budget.look(1):
            return ()
        near = self.view.edges(node_id, outgoing=outgoing)
        wanted = {edge_type for edge_type in {edge.type for edge in near} if is_wanted(edge_type)}
        found = list(
            self._holding(node_id, [e for e in near if e.type in wanted], outgoing=outgoing)
        )
        return found if self.budget.look(len(found)) else ()

    def joining(self, one: str, other: str, relations: Iterable[str]) -> Iterator[Edge]:
        """Give the relations of some types between two entities that are there, either way.

        They are looked up among those of ``one``: it should be the one that has fewer.
        """
        for relation, outgoing in product(relations, (True, False)):
            edges = self.view.edges(one, relation, outgoing=outgoing)
            end = _TARGET if outgoing else _SOURCE
            for place in range(bisect_left(edges, other, key=end), len(edges)):
                edge = edges[place]
                if end(edge) != other:
                    break
                if edge.validity.holds(self.moment):
                    yield edge

    def effects(
        self, node_id: str, read: Callable[[], Sequence[tuple[str, Edge]]], *, downstream: bool
    ) -> Sequence[tuple[str, Edge]]:
        """Return what ``read`` gives for an entity and a direction, read once for each schema."""
        kept = self._kept_of_schema()
        found = kept.effects.get((node_id, downstream))
        if found is None:
            found = read()
            if len(kept.effects) < _MAX_KEPT and not self.budget.is_spent:
                kept.effects[node_id, downstream] = found
        return found if self.budget.look(1 + len(found)) else ()

    def weights(self) -> dict[str, float | None]:
        """Return what events weigh, ``None`` where they are not open; whoever asks adds to it."""
        return self._kept_of_schema().weights.setdefault(self.now, {})

    def _kept_of_schema(self) -> Kept:
        if self._kept.schema is not self.schema:
            self._kept.schema, self._kept.effects, self._kept.weights = self.schema, {}, {}
        return self._kept

    def _holding(self, node_id: str, edges: Iterable[Edge], *, outgoing: bool) -> Iterator[Edge]:
        """Give those of an entity's relations that hold, and look at the clock now and then."""
        if self.there(node_id) is None:
            return
        there, moment = self.there, self.moment
        for n, edge in enumerate(edges, start=1):
            if n % _STRIDE == 0 and self.budget.is_late():
                return
            validity = edge.validity
            if (validity is ALWAYS or validity.holds(moment)) and there(
                edge.target if outgoing else edge.source
            ) is not None:
                yield edge

    def all_edges(self, relation: str | None = None) -> Iterable[Edge]:
        """Give every relation that holds at the moment, each once, while there is time."""
        for node in self.active():
            near = self.view.edges(node.id, relation, outgoing=True)
            found = list(self._holding(node.id, near, outgoing=True))
            if not self.budget.look(len(found)):
                return
            yield from found


@lru_cache(maxsize=64)
def _moment_of(text: str) -> Moment:
    """Return the moment of a text; a schema's day is asked for once for each event."""
    return Moment.of(text)
