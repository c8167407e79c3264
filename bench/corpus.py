"""A graph put into words: one text per entity and per relation, expired relations kept.

The words come from the schema's names and from the data alone, as the paper's text corpus does
(its Sections II-A and IV-A): what is no longer so stands beside what is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tiers.graphrag.view import GraphView
from trivium.domain.knowledge import Edge, Node, Value
from trivium.language.text import spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One text of the corpus."""

    text: str
    entities: tuple[str, ...]
    """The entity that it describes, or the two ends of the relation."""

    @property
    def is_relation(self) -> bool:
        """Whether it tells of a relation."""
        return len(self.entities) == 2


@dataclass(frozen=True, slots=True)
class Corpus:
    """The texts of one graph: entities first, then relations, each in the order of their ids."""

    passages: tuple[Passage, ...]

    @classmethod
    def of(cls, graph: GraphView) -> "Corpus":
        """Put a graph into words."""
        nodes = list(graph.nodes())
        by_id = {node.id: node for node in nodes}
        entities = [Passage(text=_entity(n), entities=(n.id,)) for n in nodes]
        return cls((*entities, *_relations(graph, by_id)))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts alone, in order."""
        return tuple(passage.text for passage in self.passages)

    def about(self, entity: str) -> tuple[Passage, ...]:
        """Return what describes an entity, and what tells of its relations."""
        return tuple(p for p in self.passages if entity in p.entities)


def _relations(graph: GraphView, by_id: Mapping[str, Node]) -> Iterator[Passage]:
    for node in by_id.values():
        for edge in _in_order(graph.edges(node.id, outgoing=True)):
            ends = (edge.source, edge.target)
            if edge.target in by_id:
                yield Passage(text=_relation(edge, *(by_id[end] for end in ends)), entities=ends)


def _in_order(edges: Sequence[Edge]) -> list[Edge]:
    return sorted(edges, key=lambda edge: (edge.type, edge.target, edge.key))


def called(node: Node) -> str:
    """Return the name of an entity, with its id beside it."""
    return f"{node.name} ({node.id})"


def _entity(node: Node) -> str:
    kind = f"{called(node)} is of the kind {spoken(node.type)}."
    return " ".join([kind, *_told(node.properties.items())])


def _relation(edge: Edge, source: Node, target: Node) -> str:
    said = f"{called(source)} {spoken(edge.type)} {called(target)}."
    dates = [("from", edge.validity.first_day), ("until", edge.validity.last_day)]
    told = [(key, value) for key, value in edge.properties.items() if value is not None]
    missing = [(key, day) for key, day in dates if day and day not in {v for _, v in told}]
    return " ".join([said, *_told([*told, *missing])])


def _told(values: Iterable[tuple[str, Value]]) -> Iterator[str]:
    for key, value in values:
        if value is not None:
            yield f"{spoken(key).capitalize()}: {value}."
