"""The graph in Neo4j, over Bolt: questions run in transactions that only read."""

import asyncio
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

import neo4j
from neo4j.exceptions import ConfigurationError, DriverError, Neo4jError

from tiers.graphrag.arrays import GraphArrays
from tiers.graphrag.projection import Projections
from tiers.graphrag.stores.dialects import Dialect, Neo4jCypher
from tiers.graphrag.stores.running import Rows
from tiers.graphrag.stores.stored import StoredView, Writer, arrays_in, check
from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change, Edge, Node

_CONSTRAINTS: Final = (
    "CREATE CONSTRAINT IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT IF NOT EXISTS FOR (p:Placed) REQUIRE p.key IS UNIQUE",
    "CREATE INDEX IF NOT EXISTS FOR (n:Entity) ON (n.type)",
    "CREATE INDEX IF NOT EXISTS FOR (p:Placed) ON (p.source)",
    "CREATE INDEX IF NOT EXISTS FOR (p:Placed) ON (p.target)",
)
_WATERMARK: Final = "MATCH (p:Passed {one: 1}) RETURN p.watermark"


@dataclass(frozen=True, slots=True)
class _Transaction:
    """One transaction; implements ``Transaction`` and ``Reading``."""

    transaction: neo4j.Transaction
    dialect: Dialect

    def rows(self, text: str, parameters: Mapping[str, object]) -> Rows:
        """Run a query; see ``Session``."""
        try:
            result = self.transaction.run(text, dict(parameters))
            return [list(record.values()) for record in result]
        except (Neo4jError, DriverError) as error:
            raise DependencyError(f"Neo4j refused a query: {error}") from error

    def relations(self, text: str, parameters: Mapping[str, object]) -> Rows:
        """Run a query over relations of any type; see ``Reading``."""
        return self.rows(text, parameters)

    def has_relation(self, name: str) -> bool:  # noqa: ARG002  # any name can be asked for
        """Whether it can be asked for; see ``Session``."""
        return True

    def make_relation(self, name: str) -> None:
        """Do nothing: types need no room; see ``Transaction``."""


class Neo4jGraph:
    """Implements ``GraphStore`` and ``Projection``.

    A plan sees the versions between which it runs: the server's transactions read what is
    committed, so a lock keeps the changes of this process and its plans apart.
    """

    name = "graph"
    engine = "neo4j"

    def __init__(self, driver: neo4j.Driver, database: str | None = None) -> None:
        self._driver = driver
        self._database = database
        self._lock = threading.RLock()
        self._dialect = Neo4jCypher()
        self.projections = Projections(self._arrays)

    @classmethod
    def open(cls, url: str) -> "Neo4jGraph":
        """Connect to ``bolt://user:password@host:7687/database``, each part but host optional.

        Raises:
            DependencyError: the server did not answer.
        """
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        bare = urlunsplit((parts.scheme, host, "", parts.query, ""))
        try:
            driver = neo4j.GraphDatabase.driver(bare, auth=auth, connection_timeout=5.0)
        except (DriverError, ConfigurationError, ValueError) as error:
            raise DependencyError(f"Neo4j at {host} cannot be used: {error}") from error
        graph = cls(driver, parts.path.strip("/") or None)
        try:
            driver.verify_connectivity()  # at once, where a query would be tried for half a minute
            for statement in _CONSTRAINTS:
                driver.execute_query(statement, database_=graph._database)
        except (Neo4jError, DriverError) as error:
            driver.close()
            raise DependencyError(f"Neo4j at {host} did not answer: {error}") from error
        return graph

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self.shut)

    def shut(self) -> None:
        """Do what ``close`` does, at once."""
        self._driver.close()

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[_Transaction]:
        access = neo4j.WRITE_ACCESS if writes else neo4j.READ_ACCESS
        with self._lock:
            try:
                with (
                    self._driver.session(
                        database=self._database, default_access_mode=access
                    ) as session,
                    session.begin_transaction() as transaction,
                ):
                    yield _Transaction(transaction, self._dialect)
                    if writes:
                        transaction.commit()
            except (Neo4jError, DriverError) as error:
                raise DependencyError(f"Neo4j did not answer: {error}") from error

    # --- for reading -----------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[StoredView]:
        """Hold the graph still while a plan runs, in a transaction that cannot write."""
        with self._transaction(writes=False) as transaction:
            yield StoredView(transaction, self.projections, self.engine)

    def node(self, node_id: str) -> Node | None:
        """Return an entity; see ``GraphView``."""
        with self.reading() as view:
            return view.node(node_id)

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give entities in the order of their ids; see ``GraphView``."""
        with self.reading() as view:
            return view.nodes(node_type)

    def edges(self, node_id: str, relation: str | None = None, *, outgoing: bool) -> Sequence[Edge]:
        """Return relations of an entity; see ``GraphView``."""
        with self.reading() as view:
            return view.edges(node_id, relation, outgoing=outgoing)

    def _arrays(self) -> GraphArrays:
        with self._transaction(writes=False) as transaction:
            return arrays_in(transaction)

    def __len__(self) -> int:
        return int(self._one("MATCH (n:Entity) RETURN count(*)") or 0)

    @property
    def n_edges(self) -> int:
        """How many relations there are, expired ones included."""
        return int(self._one("MATCH (:Entity)-[r]->(:Entity) RETURN count(*)") or 0)

    def _one(self, text: str) -> Any:  # noqa: ANN401  # what the query returns
        with self._transaction(writes=False) as transaction:
            found = transaction.rows(text, {})
        return found[0][0] if found else None

    # --- as a projection -------------------------------------------------------------------------

    async def watermark(self) -> int:
        """Return the last change applied; see ``Projection``."""
        return int(await asyncio.to_thread(self._one, _WATERMARK) or 0)

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Apply changes at once, off the loop; see ``Projection``."""
        await asyncio.to_thread(self.take, changes, upto)

    def take(self, changes: Sequence[Change], upto: int) -> None:
        """Apply changes and move the watermark, or, when one cannot be read, do nothing."""
        check(changes)
        with self._transaction(writes=True) as transaction:
            Writer(transaction).write(changes)
            text = "MERGE (p:Passed {one: 1}) SET p.watermark = $watermark"
            transaction.rows(text, {"watermark": upto})
        self.projections.forget()

    async def clear(self) -> None:
        """Forget everything; see ``Projection``."""
        await asyncio.to_thread(self._clear)

    def _clear(self) -> None:
        with self._lock:
            for label in ("Entity", "Placed", "Passed"):
                text = f"MATCH (n:{label}) CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS"
                with self._driver.session(database=self._database) as session:
                    session.run(text).consume()
            self.projections.forget()
