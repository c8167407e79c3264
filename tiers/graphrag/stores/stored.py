"""A graph kept in a store that speaks Cypher: how changes are written, and entities read."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Protocol, TypeAlias

from tiers.graphrag.arrays import GraphArrays, arrays_from
from tiers.graphrag.projection import Projections
from tiers.graphrag.stores.cypher import Facets, facets_of
from tiers.graphrag.stores.dialects import Dialect, Row
from tiers.graphrag.stores.running import CypherRun, Rows, edge_of
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_from_payload, node_from_payload
from trivium.domain.time import Validity

Said: TypeAlias = list[list[Any]]  # JSON: what each data set says of an entity, in order
_NEVER: Final = Validity(2**62, 2**62)


class Transaction(Protocol):
    """Runs queries, all of them or none."""

    @property
    def dialect(self) -> Dialect:
        """The dialect that it speaks."""
        ...

    def rows(self, text: str, parameters: Mapping[str, object]) -> Rows:
        """Run a query.

        Raises:
            DependencyError: the store did not answer, or refused it.
        """
        ...

    def make_relation(self, name: str) -> None:
        """Make room for relations of a type."""
        ...


def _row(dialect: Dialect, form: Mapping[str, object], thing: Node | Edge) -> Row:
    validity = _NEVER if thing.validity.is_empty else thing.validity
    kept = {**form, "since": validity.start, "until": validity.end}
    facets: Facets = facets_of(thing.properties)
    return dialect.row(kept, facets)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A relation to be written, with the key that it has among all data sets."""

    key: str
    said: str
    edge: Edge


class Writer:
    """Writes changes within one transaction.

    Several data sets may say an entity: the last one to speak holds. A relation one of whose
    ends is not there waits, as a node of its own, until it is.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._run = transaction
        self._dialect = transaction.dialect

    def write(self, changes: Sequence[Change]) -> None:
        """Apply changes in order; those of one kind in a row, of distinct keys, at once."""
        for kind, run in groupby(changes, key=lambda change: change.kind):
            for batch in _distinct(run):
                self._write(kind, batch)

    def _write(self, kind: ChangeKind, batch: Sequence[Change]) -> None:
        if kind is ChangeKind.PUT_NODE:
            self._put_nodes(batch)
        elif kind is ChangeKind.PUT_EDGE:
            self._put_edges([_placed(change) for change in batch])
        elif kind is ChangeKind.DROP_EDGE:
            self._drop_edges([_key(change) for change in batch])
        elif kind is ChangeKind.DROP_NODE:
            for change in batch:
                self._drop_node(change)

    def _put_nodes(self, batch: Sequence[Change]) -> None:
        ids = [change.key for change in batch]
        known = self._said(ids)
        rows = []
        for change in batch:
            said = [own for own in known.get(change.key, []) if own[0] != change.source]
            rows.append(self._node_row([*said, [change.source, change.payload]]))
        self._set_nodes(rows)
        waiting = self._run.rows(
            "UNWIND $ids AS id MATCH (p:Placed) WHERE p.waits AND (p.source = id OR p.target = id)"
            " RETURN DISTINCT p.key, p.said",
            {"ids": ids},
        )
        self._put_edges([_read(key, said) for key, said in waiting])

    def _said(self, ids: Sequence[str]) -> dict[str, Said]:
        rows = self._run.rows(
            "UNWIND $ids AS id MATCH (n:Entity {id: id}) RETURN n.id, n.said", {"ids": list(ids)}
        )
        return {node_id: json.loads(said) for node_id, said in rows}

    def _node_row(self, said: Said) -> Row:
        node = node_from_payload(said[-1][1])
        form = {"id": node.id, "type": node.type, "said": _dumps(said)}
        return _row(self._dialect, form, node)

    def _set_nodes(self, rows: Sequence[Row]) -> None:
        put = self._dialect.put("n", "row")
        text = f"UNWIND $rows AS row MERGE (n:Entity {{id: row.id}}) SET {put}, n.type = row.type"
        self._run.rows(text, {"rows": list(rows)})

    def _drop_node(self, change: Change) -> None:
        said = self._said([change.key]).get(change.key, [])
        left = [own for own in said if own[0] != change.source]
        if left:
            self._set_nodes([self._node_row(left)])
            return
        one = {"id": change.key}
        self._run.rows("MATCH (n:Entity {id: $id}) DETACH DELETE n", one)
        self._run.rows("MATCH (p:Placed) WHERE p.source = $id OR p.target = $id DELETE p", one)

    def _put_edges(self, batch: Sequence[_Placed]) -> None:
        if not batch:
            return
        self._drop_edges([placed.key for placed in batch])
        ends = dict.fromkeys(end for p in batch for end in (p.edge.source, p.edge.target))
        rows = self._run.rows(
            "UNWIND $ids AS id MATCH (n:Entity {id: id}) RETURN n.id", {"ids": list(ends)}
        )
        there = {row[0] for row in rows}
        self._place(batch, there)
        joined = [p for p in batch if {p.edge.source, p.edge.target} <= there]
        for relation, own in groupby(
            sorted(joined, key=lambda p: p.edge.type), key=lambda p: p.edge.type
        ):
            self._join(relation, list(own))

    def _place(self, batch: Sequence[_Placed], there: set[str]) -> None:
        rows = [
            {
                "key": p.key,
                "type": p.edge.type,
                "source": p.edge.source,
                "target": p.edge.target,
                "waits": not {p.edge.source, p.edge.target} <= there,
                "said": "" if {p.edge.source, p.edge.target} <= there else p.said,
            }
            for p in batch
        ]
        self._run.rows(
            "UNWIND $rows AS row CREATE (:Placed {key: row.key, type: row.type, "
            "source: row.source, target: row.target, waits: row.waits, said: row.said})",
            {"rows": rows},
        )

    def _join(self, relation: str, batch: Sequence[_Placed]) -> None:
        self._run.make_relation(relation)
        rows = []
        for placed in batch:
            form = {"key": placed.key, "said": placed.said}
            row = _row(self._dialect, form, placed.edge)
            rows.append({**row, "source": placed.edge.source, "target": placed.edge.target})
        name, put = self._dialect.relation(relation), self._dialect.put("r", "row")
        self._run.rows(
            "UNWIND $rows AS row MATCH (a:Entity {id: row.source}), (b:Entity {id: row.target}) "
            f"CREATE (a)-[r:{name} {{key: row.key}}]->(b) SET {put}",
            {"rows": rows},
        )

    def _drop_edges(self, keys: Sequence[str]) -> None:
        there = self._run.rows(
            "UNWIND $keys AS key MATCH (p:Placed {key: key}) "
            "RETURN p.key, p.type, p.source, p.target, p.waits",
            {"keys": list(dict.fromkeys(keys))},
        )
        if not there:
            return
        for relation in sorted({row[1] for row in there if not row[4]}):
            rows = [
                {"key": key, "source": source, "target": target}
                for key, kind, source, target, waits in there
                if kind == relation and not waits
            ]
            self._run.rows(
                "UNWIND $rows AS row MATCH (a:Entity {id: row.source})"
                f"-[r:{self._dialect.relation(relation)}]->(b:Entity {{id: row.target}}) "
                "WHERE r.key = row.key DELETE r",
                {"rows": rows},
            )
        self._run.rows(
            "UNWIND $keys AS key MATCH (p:Placed {key: key}) DELETE p",
            {"keys": [row[0] for row in there]},
        )


def check(changes: Sequence[Change]) -> None:
    """Read every change once, so that one that cannot be read fails before any is written."""
    for change in changes:
        if change.kind is ChangeKind.PUT_NODE:
            node_from_payload(change.payload)
        elif change.kind is ChangeKind.PUT_EDGE:
            edge_from_payload(change.key, change.payload)


def _distinct(changes: Iterable[Change]) -> Iterator[list[Change]]:
    """Cut a run of changes where a key comes again."""
    batch: dict[str, Change] = {}
    for change in changes:
        key = change.key if change.kind is ChangeKind.PUT_NODE else _key(change)
        if key in batch:
            yield list(batch.values())
            batch = {}
        batch[key] = change
    if batch:
        yield list(batch.values())


def _key(change: Change) -> str:
    return _dumps([change.source, change.key])


def _placed(change: Change) -> _Placed:
    said = _dumps({"key": change.key, "payload": change.payload})
    edge = edge_from_payload(change.key, change.payload)
    return _Placed(key=_key(change), said=said, edge=edge)


def _read(key: str, said: str) -> _Placed:
    return _Placed(key=key, said=said, edge=edge_of(said))


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)


def node_of(said: str) -> Node:
    """Return the entity that a row keeps: what the last data set said."""
    return node_from_payload(json.loads(said)[-1][1])


class StoredView:
    """Implements ``GraphView`` within one session; what was read once is kept for its length."""

    def __init__(self, session: "Reading", projections: Projections, engine: str) -> None:
        self._session = session
        self._nodes: dict[str, Node | None] = {}
        self._edges: dict[tuple[str, bool], Sequence[Edge]] = {}
        self.projections = projections
        self.cypher = CypherRun(session, engine)

    def node(self, node_id: str) -> Node | None:
        """Return an entity; see ``GraphView``."""
        if node_id not in self._nodes:
            text = "MATCH (n:Entity {id: $id}) RETURN n.said"
            rows = self._session.rows(text, {"id": node_id})
            self._nodes[node_id] = node_of(rows[0][0]) if rows else None
        return self._nodes[node_id]

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give entities in the order of their ids; see ``GraphView``."""
        told = "" if node_type is None else " WHERE n.type = $type"
        values: dict[str, object] = {} if node_type is None else {"type": node_type}
        rows = self._session.rows(f"MATCH (n:Entity){told} RETURN n.said", values)
        found = sorted((node_of(row[0]) for row in rows), key=lambda node: node.id)
        self._nodes.update({node.id: node for node in found})
        return found

    def edges(self, node_id: str, relation: str | None = None, *, outgoing: bool) -> Sequence[Edge]:
        """Return relations of an entity; see ``GraphView``."""
        found = self._all_edges(node_id, outgoing=outgoing)
        return found if relation is None else [e for e in found if e.type == relation]

    def _all_edges(self, node_id: str, *, outgoing: bool) -> Sequence[Edge]:
        key = node_id, outgoing
        if key not in self._edges:
            pattern = "-[r]->" if outgoing else "<-[r]-"
            rows = self._session.relations(
                f"MATCH (n:Entity {{id: $id}}){pattern}(o:Entity) RETURN r.said, o.id, o.said",
                {"id": node_id},
            )
            self._nodes.update({other: node_of(said) for _, other, said in rows})
            found = (edge_of(said) for said, _, _ in rows)
            self._edges[key] = sorted(found, key=lambda e: (e.type, e.source, e.target, e.key))
        return self._edges[key]


class Reading(Protocol):
    """What a view needs of a store: a ``Session`` that can also read any relation."""

    @property
    def dialect(self) -> Dialect:
        """The dialect that it speaks."""
        ...

    def rows(self, text: str, parameters: Mapping[str, object]) -> Rows:
        """Run a query; see ``Session``."""
        ...

    def relations(self, text: str, parameters: Mapping[str, object]) -> Rows:
        """Run a query over relations of any type; none, where there is no type yet."""
        ...

    def has_relation(self, name: str) -> bool:
        """Whether there ever was a relation of that type."""
        ...


def arrays_in(session: Reading) -> GraphArrays:
    """Return all entities and relations as arrays; no row is made an object."""
    dialect = session.dialect
    nodes = session.rows("MATCH (n:Entity) RETURN n.id, n.type, n.since, n.until", {})
    edges = session.relations(
        f"MATCH (a:Entity)-[r]->(b:Entity) RETURN a.id, b.id, {dialect.label('r')}, "
        "r.since, r.until",
        {},
    )
    names = {label: dialect.named(label) for label in {row[2] for row in edges}}
    things = sorted((i, t, start, end) for i, t, start, end in nodes)
    joined = [(a, b, names[label], start, end) for a, b, label, start, end in edges]
    return arrays_from(_columns(things, 4), _columns(joined, 5))


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[tuple[Any, ...]]:
    return list(zip(*rows, strict=True)) or [()] * width
