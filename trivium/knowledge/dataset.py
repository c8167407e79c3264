"""Reads a data set directory into what it says: a schema, entities, relations, facts, documents."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from trivium.domain.errors import DataError, InputError
from trivium.domain.knowledge import Change, ChangeKind, Document, Edge, Fact, Node
from trivium.domain.payloads import (
    document_payload,
    edge_payload,
    fact_payload,
    node_payload,
    schema_payload,
)
from trivium.domain.schema import Schema
from trivium.domain.time import Validity
from trivium.knowledge.declared import DeclaredSchema, read_declared
from trivium.knowledge.documents import read_documents
from trivium.knowledge.files import (
    Report,
    Row,
    as_key,
    as_text,
    as_texts,
    as_value,
    find_table,
    read_table,
    values,
)
from trivium.knowledge.inference import VALID_FROM, VALID_TO, complete
from trivium.knowledge.nodelink import GRAPH_FILE, read_nodelink

_NODE_KEYS: Final = frozenset({"id", "type", "name", "aliases", "acl"})
_IN_GRAPH: Final = frozenset({"nodes", "edges"})
_EDGE_KEYS: Final = frozenset({"id", "source", "target", "type", "acl"})


@dataclass(slots=True)
class DataSet:
    """A directory, read: what it says as changes, and what was left out."""

    name: str
    schema: Schema
    changes: list[Change]
    """Puts that together say the whole data set."""
    report: Report
    counts: Mapping[str, int] = field(default_factory=dict)


def read_dataset(directory: Path) -> DataSet:
    """Read the data set in ``directory``; bad rows are reported, the rest is taken.

    Raises:
        DataError: there is no such directory, nothing in it is a data set, or its schema
            cannot be read.
    """
    if not _is_directory(directory):
        raise DataError(f"{str(directory)[:200]} is not a directory")
    report = Report()
    declared = read_declared(directory / "schema.yaml", report)
    rows = _Rows(directory, declared, report)
    nodes = rows.nodes()
    edges = rows.edges(nodes)
    facts = rows.facts(nodes)
    documents = read_documents(directory / "documents", report)
    if not (nodes or edges or facts or documents or (directory / "schema.yaml").is_file()):
        raise DataError(
            f"{directory} holds no data set: it needs at least one of schema.yaml, "
            "nodes.jsonl, graph.json, facts.jsonl, documents/"
        )
    schema = complete(declared, [n for n, _ in nodes.values()], [e for e, _ in edges.values()])
    name = declared.name or directory.name
    changes = [_put(ChangeKind.SET_SCHEMA, "schema", schema_payload(schema), name)]
    changes += [
        _put(ChangeKind.PUT_NODE, key, node_payload(n, *ends), name)
        for key, (n, ends) in nodes.items()
    ]
    changes += [
        _put(ChangeKind.PUT_EDGE, key, edge_payload(e, *ends), name)
        for key, (e, ends) in edges.items()
    ]
    changes += [_put(ChangeKind.PUT_FACT, k, fact_payload(f), name) for k, f in facts.items()]
    changes += [
        _put(ChangeKind.PUT_DOCUMENT, d.id, document_payload(d, *ends), name)
        for d, ends in documents
    ]
    counts = Counter(str(change.kind).split("_")[1] for change in changes)
    return DataSet(name, schema, changes, report, counts)


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # such as a name that no file can have
        return False


def _put(kind: ChangeKind, key: str, payload: Mapping[str, object], source: str) -> Change:
    return Change(kind=kind, key=key, payload=payload, source=source)


_Ends = tuple[str | None, str | None]


class _Rows:
    """Turns the rows of one directory into entities, relations and facts."""

    def __init__(self, directory: Path, declared: DeclaredSchema, report: Report) -> None:
        self._directory = directory
        self._report = report
        self._valid_from = tuple(declared.valid_from) or VALID_FROM
        self._told: set[tuple[str, tuple[str, str]]] = set()
        self._declared_ends: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for relation in declared.relation_types:
            ends = {(s, t) for s in relation.source for t in relation.target}
            self._declared_ends[relation.name] |= ends
        self._valid_to = tuple(declared.valid_to) or VALID_TO
        graph = directory / GRAPH_FILE
        is_whole = not find_table(directory, "nodes", report) and graph.is_file()
        self._graph = read_nodelink(graph, report) if is_whole else None

    def _table(self, name: str) -> tuple[Path, Iterable[tuple[int, Row]]]:
        """Return the rows of a table, and the file that they stand in."""
        if self._graph is not None and name in _IN_GRAPH:
            rows = self._graph.nodes if name == "nodes" else self._graph.edges
            return self._directory / GRAPH_FILE, rows
        path = find_table(self._directory, name, self._report)
        return path or self._directory, read_table(path, self._report) if path else ()

    def nodes(self) -> dict[str, tuple[Node, _Ends]]:
        found: dict[str, tuple[Node, _Ends]] = {}
        lines: dict[str, int] = {}
        path, rows = self._table("nodes")
        for line, row in rows:
            node_id, node_type = as_key(row.get("id")), as_text(row.get("type"))
            if not node_id or not node_type:
                missing = "id" if not node_id else "type"
                self._report.reject(path, line, f"no usable {missing}")
                continue
            if node_id in found:
                first = found[node_id][0]
                told = "" if first.type == node_type else f": as {first.type} and as {node_type}"
                where = f"first in line {lines[node_id]}"
                self._report.reject(path, line, f"id {node_id!r} stands twice, {where}{told}")
                continue
            ends = self._ends(row, path, line)
            if ends is None:
                continue
            node = Node(
                id=node_id,
                type=node_type,
                name=as_text(row.get("name")) or node_id,
                aliases=as_texts(row.get("aliases")),
                properties=values(row, _NODE_KEYS),
                validity=Validity.of(*ends),
                acl=as_texts(row.get("acl")),
            )
            found[node_id], lines[node_id] = (node, ends), line
        return found

    def _compare(
        self, edge: Edge, nodes: Mapping[str, tuple[Node, _Ends]], path: Path, line: int
    ) -> None:
        """Note where a relation leads from or to a type that the schema does not say, once each."""
        told = self._declared_ends.get(edge.type)
        ends = (nodes[edge.source][0].type, nodes[edge.target][0].type)
        if not told or ends in told or (edge.type, ends) in self._told:
            return
        self._told.add((edge.type, ends))
        said = ", ".join(f"{source} to {target}" for source, target in sorted(told))
        reason = f"{edge.type} leads from {ends[0]} to {ends[1]}; schema.yaml says {said}"
        self._report.warn(path, line, f"{reason}. Both are taken")

    def edges(self, nodes: Mapping[str, tuple[Node, _Ends]]) -> dict[str, tuple[Edge, _Ends]]:
        found: dict[str, tuple[Edge, _Ends]] = {}
        n_alike: Counter[str] = Counter()
        path, rows = self._table("edges")
        for line, row in rows:
            edge = self._edge(row, nodes, path, line)
            if edge is None:
                continue
            alike, made, ends = edge
            self._compare(made, nodes, path, line)
            key = alike
            while key in found:
                n_alike[alike] += 1
                key = f"{alike}|#{n_alike[alike] + 1}"
            found[key] = (
                Edge(
                    key=key,
                    source=made.source,
                    target=made.target,
                    type=made.type,
                    properties=made.properties,
                    validity=made.validity,
                    acl=made.acl,
                ),
                ends,
            )
        return found

    def _edge(
        self, row: Row, nodes: Mapping[str, object], path: Path, line: int
    ) -> tuple[str, Edge, _Ends] | None:
        source, target = as_key(row.get("source")), as_key(row.get("target"))
        relation = as_text(row.get("type"))
        if not source or not target or not relation:
            self._report.reject(path, line, "needs source, target and type")
            return None
        absent = [end for end in (source, target) if end not in nodes]
        if absent:
            self._report.reject(path, line, f"no entity has the id {absent[0]!r}")
            return None
        ends = self._ends(row, path, line)
        if ends is None:
            return None
        own_id = as_key(row.get("id"))
        alike = own_id or "|".join((source, relation, target, ends[0] or ""))
        edge = Edge(
            key="",
            source=source,
            target=target,
            type=relation,
            properties=values(row, _EDGE_KEYS),
            validity=Validity.of(*ends),
            acl=as_texts(row.get("acl")),
        )
        return alike, edge, ends

    def facts(self, nodes: Mapping[str, object]) -> dict[str, Fact]:
        """Return one fact for each entity and attribute: the latest, with those before it."""
        found: dict[str, dict[int, Fact]] = defaultdict(dict)
        lines: dict[tuple[str, int], int] = {}
        path, rows = self._table("facts")
        for line, row in rows:
            entity, attribute = as_key(row.get("entity")), as_key(row.get("attribute"))
            if not entity or not attribute:
                self._report.reject(path, line, "needs entity and attribute")
                continue
            if entity not in nodes:
                self._report.reject(path, line, f"no entity has the id {entity!r}")
                continue
            fact = Fact(
                entity=entity,
                attribute=attribute,
                value=as_value(row.get("value")),
                unit=as_text(row.get("unit")),
                as_of=as_text(row.get("as_of")),
                source=as_text(row.get("source")) or "facts",
            )
            try:
                at = Validity.of(fact.as_of, None).start
            except InputError as error:
                self._report.reject(path, line, str(error))
                continue
            key = f"{entity}|{attribute}"
            before = found[key].get(at)
            if before is not None and fact.value != before.value:
                first = lines[key, at]
                told = f"says another value than line {first} for the same time, and is kept"
                self._report.warn(path, line, told)
            found[key][at], lines[key, at] = fact, line
        return {key: _dated(versions) for key, versions in found.items()}

    def _ends(self, row: Row, path: Path, line: int) -> _Ends | None:
        """Read the validity of a row; ``None`` when it cannot be read and the row is out."""
        try:
            start, end = _bound(row, self._valid_from), _bound(row, self._valid_to)
            Validity.of(start, end)
        except InputError as error:
            self._report.reject(path, line, str(error))
            return None
        return start, end


def _dated(versions: Mapping[int, Fact]) -> Fact:
    """Return the latest of some versions of a fact, by when they begin, with those before it."""
    *before, latest = (versions[at] for at in sorted(versions))
    return replace(latest, earlier=tuple(before))


def _bound(row: Row, names: tuple[str, ...]) -> str | None:
    """Return the first of some fields of a row that is there, as a text.

    Raises:
        InputError: it is no text.
    """
    for name in names:
        value = row.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        text = as_text(value)
        if text is None:
            raise InputError(f"{name}: {value!r:.80} is not an ISO date or date-time")
        return text
    return None


__all__ = ["DataSet", "Document", "read_dataset"]
