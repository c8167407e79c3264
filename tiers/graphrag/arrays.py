"""One version of a graph as arrays: its entities and relations, and when each of them holds."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tiers.graphrag.levels import Flags, Ints
from trivium.domain.knowledge import Edge, Node
from trivium.domain.time import Moment

_BOUNDS: Final = ("validity.start", "validity.end")


@dataclass(frozen=True, slots=True)
class Spans:
    """When each of many things holds, as two arrays of microseconds."""

    starts: Ints
    ends: Ints

    def holding(self, moment: Moment) -> Flags:
        """Return which hold at a moment; see ``Validity.holds``."""
        is_some = self.starts < self.ends
        return is_some & (self.starts < _after(moment)) & (self.ends > moment.start)


def _after(moment: Moment) -> int:
    """Return the first microsecond after a moment; an instant is one microsecond long."""
    return max(moment.end, moment.start + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphArrays:
    """One version of a graph: all entities in the order of their ids, and all relations."""

    row_of: Mapping[str, int]
    """The place of each entity, in the order of their ids."""
    ids: NDArray[np.object_]
    types: tuple[str, ...]
    type_of: Ints
    nodes: Spans
    sources: Ints
    """Rows of entities."""
    targets: Ints
    relations: tuple[str, ...]
    relation_of: Ints
    edges: Spans

    def holding(self, moment: Moment, wanted: Flags | None = None) -> tuple[Flags, Flags]:
        """Return which entities, of all or of those ``wanted``, and which relations hold then.

        A relation does not hold while one of its ends does not.
        """
        there = self.nodes.holding(moment)
        if wanted is not None:
            there &= wanted
        return there, self.edges.holding(moment) & there[self.sources] & there[self.targets]

    def moment_class(self, moment: Moment) -> tuple[int, int]:
        """Return what all moments share at which the same things hold.

        It is how many of the bounds have begun, and how many have passed.
        """
        starts = np.unique(np.concatenate([self.nodes.starts, self.edges.starts]))
        ends = np.unique(np.concatenate([self.nodes.ends, self.edges.ends]))
        begun = np.searchsorted(starts, _after(moment), "left")
        return int(begun), int(np.searchsorted(ends, moment.start, "right"))


class _Codes(dict[str, int]):
    """Numbers names in the order in which they come."""

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self)
        return code

    def of(self, names: Iterable[str]) -> Ints:
        return np.fromiter(map(self.__getitem__, names), dtype=np.int64)


def arrays_of(nodes: Iterable[Node], edges: Sequence[Edge]) -> GraphArrays:
    """Return the arrays of entities, given in the order of their ids, and of relations."""
    things = list(nodes)
    return arrays_from(
        [map(attrgetter(name), things) for name in ("id", "type", *_BOUNDS)],
        [map(attrgetter(name), edges) for name in ("source", "target", "type", *_BOUNDS)],
    )


def arrays_from(nodes: Sequence[Iterable[Any]], edges: Sequence[Iterable[Any]]) -> GraphArrays:
    """Return the arrays of columns: id, type, start, end; and source, target, type, start, end.

    What ends before it begins never holds, and is left out or never there.
    """
    ids, of_type, *node_bounds = nodes
    ends_a, ends_b, of_relation, *edge_bounds = edges
    index, types, relations = _Codes(), _Codes(), _Codes()
    index.of(ids)
    type_of, sources, targets = types.of(of_type), index.of(ends_a), index.of(ends_b)
    relation_of = relations.of(of_relation)
    first, last = (np.fromiter(bound, dtype=np.int64) for bound in edge_bounds)
    ever = first < last
    return GraphArrays(
        row_of=index,
        ids=np.array(list(index), dtype=object),
        types=tuple(types),
        type_of=type_of,
        nodes=Spans(*(np.fromiter(bound, dtype=np.int64) for bound in node_bounds)),
        sources=sources[ever],
        targets=targets[ever],
        relations=tuple(relations),
        relation_of=relation_of[ever],
        edges=Spans(first[ever], last[ever]),
    )


def of_types(types: Sequence[str], type_of: Ints, wanted: Collection[str]) -> Flags:
    """Return which of some codes of ``types`` stand for one of those ``wanted``."""
    return np.array([name in wanted for name in types], dtype=np.bool_)[type_of]
