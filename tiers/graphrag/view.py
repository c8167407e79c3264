"""What operators need of a graph, and the scope in which they look at it."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from trivium.domain.knowledge import Edge, Node
from trivium.domain.schema import Schema
from trivium.domain.time import Moment


class GraphView(Protocol):
    """One version of the graph, for reading."""

    def node(self, node_id: str) -> Node | None:
        """Return an entity, whether it is valid now or not."""
        ...

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give the entities of a type, or all, in the order of their ids."""
        ...

    def edges(self, node_id: str, *, outgoing: bool) -> Iterable[Edge]:
        """Give the relations that leave an entity, or those that enter it, expired ones too."""
        ...


@dataclass(slots=True)
class Budget:
    """How much one plan may touch; what was cut is noted, never silent."""

    max_nodes: int = 500
    max_hops: int = 5
    deadline: float | None = None
    """On ``clock``; ``None`` for no limit."""
    clock: Callable[[], float] = time.monotonic
    touched: set[str] = field(default_factory=set)
    cuts: list[str] = field(default_factory=list)
    relations: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """What was walked along, in the order in which it was."""
    notes: list[str] = field(default_factory=list)
    """What a reader should know of a number, such as that it is an estimate."""

    @property
    def is_exhausted(self) -> bool:
        """Whether something was cut."""
        return bool(self.cuts)

    def take(self, node_id: str) -> bool:
        """Count an entity as touched; ``False`` when the budget does not allow it."""
        if node_id in self.touched:
            return True
        if len(self.touched) >= self.max_nodes:
            self.cut(f"more than {self.max_nodes} entities")
            return False
        if self.is_late():
            self.cut("the time given")
            return False
        self.touched.add(node_id)
        return True

    def is_late(self) -> bool:
        """Whether the time given is used up."""
        return self.deadline is not None and self.clock() > self.deadline

    def cut(self, what: str) -> None:
        """Note that something was left out, and why."""
        if what not in self.cuts:
            self.cuts.append(what)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A graph as it was at one moment, with the schema, within a budget."""

    view: GraphView
    schema: Schema
    moment: Moment
    budget: Budget = field(default_factory=Budget)

    def at(self, moment: Moment | None) -> "Scope":
        """Return the same scope at another moment; ``None`` leaves it."""
        if moment is None:
            return self
        return Scope(view=self.view, schema=self.schema, moment=moment, budget=self.budget)

    def note(self, edge: Edge) -> None:
        """Keep a relation as provenance."""
        if len(self.budget.relations) < 2 * self.budget.max_nodes:
            self.budget.relations[edge.source, edge.type, edge.target] = None

    def holds(self, node: Node) -> bool:
        """Whether an entity is there at the moment."""
        return node.validity.holds(self.moment)

    def has(self, node_id: str) -> bool:
        """Whether an entity of that id is there at the moment."""
        node = self.view.node(node_id)
        return node is not None and self.holds(node)

    def active(self, node_type: str | None = None) -> Iterable[Node]:
        """Give the entities of a type that are there at the moment."""
        return (node for node in self.view.nodes(node_type) if self.holds(node))

    def edges(self, node_id: str, relation: str | None, *, outgoing: bool) -> Iterable[Edge]:
        """Give the relations of one type, or all, that hold at the moment.

        A relation does not hold while one of its ends is not there.
        """
        if not self.has(node_id):
            return
        for edge in self.view.edges(node_id, outgoing=outgoing):
            other = edge.target if outgoing else edge.source
            is_asked = relation is None or edge.type == relation
            if is_asked and edge.validity.holds(self.moment) and self.has(other):
                yield edge

    def all_edges(self, relation: str | None = None) -> Iterable[Edge]:
        """Give every relation that holds at the moment, each once."""
        for node in self.view.nodes():
            yield from self.edges(node.id, relation, outgoing=True)
