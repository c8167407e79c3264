"""The graph in memory as one file, so that a start need not read every change again.

The file is gzip, whose checksum tells a damaged one, around lines of JSON: a head, then blocks of
entities and blocks of relations, each a list of columns. Relations name their ends by number.
"""

import gzip
import itertools
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import Any, Final, TypeAlias, TypeVar

from trivium.domain.errors import DataError
from trivium.domain.knowledge import Edge, Node
from trivium.domain.time import ALWAYS, Validity

_T = TypeVar("_T")
_Said: TypeAlias = Mapping[str, tuple[tuple[str, Node], ...]]
_FORMAT: Final = 1
_UNREADABLE: Final = (
    EOFError, gzip.BadGzipFile, zlib.error, ValueError, LookupError, TypeError, AttributeError,
)  # fmt: skip
"""What reading another file than one of ours comes to."""
_BLOCK: Final = 10_000
"""Items of one line: about a megabyte."""
_LEVEL: Final = 1
"""Of compression: what takes least time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a graph holds."""

    watermark: int
    said: _Said
    """By entity, what each data set says of it, in order."""
    edges: Mapping[str, Edge]
    """By key; those that wait for an end are among them."""


def write_snapshot(path: Path, snapshot: Snapshot) -> None:
    """Write a snapshot in place of the one before; a crash leaves one of the two.

    Raises:
        OSError: it could not be written; the one before stays.
    """
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("wb") as raw:
        with gzip.GzipFile("", "wb", compresslevel=_LEVEL, fileobj=raw, mtime=0) as file:
            for line in _lines(snapshot):
                file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        raw.flush()
        os.fsync(raw.fileno())
    fresh.replace(path)


def read_snapshot(path: Path) -> Snapshot:
    """Read a snapshot.

    Raises:
        DataError: it is damaged, or of another format.
        OSError: it cannot be read.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return _read(map(json.loads, file))
    except _UNREADABLE as error:
        raise DataError(f"{path} is no snapshot of a graph, or damaged: {error}") from error


def _lines(snapshot: Snapshot) -> Iterator[object]:
    ends = itertools.chain.from_iterable((e.source, e.target) for e in snapshot.edges.values())
    ids = dict.fromkeys(itertools.chain(snapshot.said, ends))
    number = {node_id: i for i, node_id in enumerate(ids)}
    rows = [(source, node) for said in snapshot.said.values() for source, node in said]
    yield {
        "format": _FORMAT,
        "watermark": snapshot.watermark,
        "ids": list(ids),
        "n_nodes": len(rows),
        "n_edges": len(snapshot.edges),
    }
    for block in _blocks(rows):
        nodes = [node for _, node in block]
        yield [
            [source for source, _ in block],
            [number[n.id] for n in nodes],
            [n.type for n in nodes],
            [n.name for n in nodes],
            [n.aliases for n in nodes],
            *_common(nodes),
        ]
    for keyed in _blocks(snapshot.edges.items()):
        edges = [edge for _, edge in keyed]
        yield [
            [key for key, _ in keyed],
            [number[e.source] for e in edges],
            [number[e.target] for e in edges],
            [e.type for e in edges],
            *_common(edges),
        ]


def _common(items: Sequence[Node | Edge]) -> list[list[object]]:
    return [
        [dict(i.properties) for i in items],
        [i.validity.start for i in items],
        [i.validity.end for i in items],
        [i.acl for i in items],
    ]


def _blocks(rows: Iterable[_T]) -> Iterator[list[_T]]:
    left = iter(rows)
    while block := list(itertools.islice(left, _BLOCK)):
        yield block


def _read(lines: Iterator[Any]) -> Snapshot:
    head: dict[str, Any] = next(lines, {})
    if head["format"] != _FORMAT:
        raise ValueError(f"its format is {head['format']!r:.20}, not {_FORMAT}")
    ids = [intern(node_id) for node_id in head["ids"]]
    validities = {(ALWAYS.start, ALWAYS.end): ALWAYS}
    said: dict[str, tuple[tuple[str, Node], ...]] = {}
    n_nodes = 0
    for line in itertools.islice(lines, -(-head["n_nodes"] // _BLOCK)):
        for source, node in _nodes(line, ids, validities):
            said[node.id] = (*said.get(node.id, ()), (source, node))
            n_nodes += 1
    edges = {key: edge for line in lines for key, edge in _edges(line, ids, validities)}
    if (n_nodes, len(edges)) != (head["n_nodes"], head["n_edges"]):
        raise ValueError("it does not hold as much as it says")
    return Snapshot(watermark=head["watermark"], said=said, edges=edges)


_Validities: TypeAlias = dict[tuple[int, int], Validity]
"""Those met so far: few are told apart, and one object each is enough."""


def _nodes(
    columns: Sequence[Sequence[Any]], ids: Sequence[str], met: _Validities
) -> Iterator[tuple[str, Node]]:
    for source, number, kind, name, aliases, properties, start, end, acl in zip(
        *columns, strict=True
    ):
        node = Node(
            id=ids[number],
            type=intern(kind),
            name=name,
            aliases=tuple(aliases),
            properties=properties,
            validity=met.get((start, end)) or met.setdefault((start, end), Validity(start, end)),
            acl=tuple(acl),
        )
        yield intern(source), node


def _edges(
    columns: Sequence[Sequence[Any]], ids: Sequence[str], met: _Validities
) -> Iterator[tuple[str, Edge]]:
    for key, source, target, kind, properties, start, end, acl in zip(*columns, strict=True):
        edge = Edge(
            key=key.partition("\0")[2],
            source=ids[source],
            target=ids[target],
            type=intern(kind),
            properties=properties,
            validity=met.get((start, end)) or met.setdefault((start, end), Validity(start, end)),
            acl=tuple(acl),
        )
        yield key, edge
