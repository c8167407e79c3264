"""The graph in Ladybug, an embedded engine that keeps it in a file and runs Cypher."""

import asyncio
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import ladybug

from tiers.graphrag.arrays import GraphArrays
from tiers.graphrag.projection import Projections
from tiers.graphrag.stores.dialects import FACETS, LadybugCypher, quoted
from tiers.graphrag.stores.running import Rows
from tiers.graphrag.stores.stored import StoredView, Writer, arrays_in, check
from tiers.graphrag.view import GraphView
from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change, Edge, Node

_MAPS: Final = ", ".join(f"{name} MAP(STRING, {kind})" for name, kind in FACETS.items())
_KEPT: Final = f"said STRING, since INT64, until INT64, {_MAPS}"
_TABLES: Final = (
    f"CREATE NODE TABLE IF NOT EXISTS Entity(id STRING PRIMARY KEY, type STRING, {_KEPT})",
    (
        "CREATE NODE TABLE IF NOT EXISTS Placed(key STRING PRIMARY KEY, type STRING, "
        "source STRING, target STRING, waits BOOLEAN, said STRING)"
    ),
    "CREATE NODE TABLE IF NOT EXISTS Named(relation STRING PRIMARY KEY, called STRING)",
    "CREATE NODE TABLE IF NOT EXISTS Passed(one INT64 PRIMARY KEY, watermark INT64)",
)
_PLAIN: Final = re.compile(r"\w[\w -]{0,62}")
_MAX_BYTES: Final = 2**40
"""Addresses kept for the file; the engine's own figure, 8 TB, leaves room for few of them."""
_OWN: Final = ("entity", "placed", "named", "passed")


class LadybugGraph:
    """Implements ``GraphStore`` and ``Projection``; one lock keeps changes and plans apart."""

    name = "graph"
    engine = "ladybug"

    def __init__(self, database: ladybug.Database) -> None:
        self._database = database
        self._connection = ladybug.Connection(database)
        self._lock = threading.RLock()
        self.projections = Projections(self._arrays)
        self._prepare()

    @classmethod
    def open(cls, path: Path | None = None, *, memory_bytes: int = 2**30) -> "LadybugGraph":
        """Open the file, made when it is not there; without one the graph is in memory.

        Raises:
            DependencyError: the file cannot be used, or another process has it.
        """
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            file = str(path or ":memory:")
            return cls(
                ladybug.Database(file, buffer_pool_size=memory_bytes, max_db_size=_MAX_BYTES)
            )
        except RuntimeError as error:
            raise DependencyError(f"the graph in {path} cannot be opened: {error}") from error

    async def close(self) -> None:
        """Close the file; plans that run end before."""
        await asyncio.to_thread(self.shut)

    def shut(self) -> None:
        """Do what ``close`` does, at once."""
        with self._lock:
            self._connection.close()
            self._database.close()

    def _prepare(self) -> None:
        for statement in _TABLES:
            self.rows(statement, {})
        named = self.rows("MATCH (n:Named) RETURN n.relation, n.called", {})
        self.dialect = LadybugCypher({str(row[0]): str(row[1]) for row in named})

    def rows(self, text: str, parameters: Mapping[str, object]) -> Rows:
        """Run a query; see ``Transaction``."""
        try:
            result = self._connection.execute(text, dict(parameters))
            assert not isinstance(result, list), "one query at a time"
            found: list[list[Any]] = []  # what the query returns
            while result.has_next():
                row = result.get_next()
                found.append(row if isinstance(row, list) else list(row))
            result.close()
        except RuntimeError as error:
            raise DependencyError(f"Ladybug refused a query: {error}") from error
        return found

    def relations(self, text: str, parameters: Mapping[str, object]) -> Rows:
        """Run a query over relations of any type; see ``Reading``."""
        return self.rows(text, parameters) if self.dialect.tables else []

    def has_relation(self, name: str) -> bool:
        """Whether there is a table of that relation; see ``Session``."""
        return name in self.dialect.tables

    def make_relation(self, name: str) -> None:
        """Make the table of a relation.

        Names that differ in case alone get two tables; what is no plain name, for the engine
        reads ``a.b`` as a table of another database, gets a numbered one.
        """
        if name in self.dialect.tables:
            return
        base = name if _PLAIN.fullmatch(name) else "relation"
        taken = {*_OWN, *(called.casefold() for called in self.dialect.tables.values())}
        tried = (base if n == 1 else f"{base}~{n}" for n in range(1, len(taken) + 2))
        called = next(each for each in tried if each.casefold() not in taken)
        self.rows(
            f"CREATE REL TABLE {quoted(called)}(FROM Entity TO Entity, key STRING, {_KEPT})", {}
        )
        row = {"relation": name, "called": called}
        self.rows("CREATE (:Named {relation: $relation, called: $called})", row)
        self.dialect.tables[name] = called

    # --- for reading -----------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[StoredView]:
        """Hold the graph still while a plan runs, in a transaction that cannot write."""
        with self._lock, self._transaction("BEGIN TRANSACTION READ ONLY"):
            yield StoredView(self, self.projections, self.engine)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self.rows(begin, {})
        try:
            yield
        except BaseException:
            with suppress(DependencyError):  # a query that failed has rolled back already
                self.rows("ROLLBACK", {})
            raise
        self.rows("COMMIT", {})

    def node(self, node_id: str) -> Node | None:
        """Return an entity; see ``GraphView``."""
        return self._view().node(node_id)

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        """Give entities in the order of their ids; see ``GraphView``."""
        return self._view().nodes(node_type)

    def edges(self, node_id: str, relation: str | None = None, *, outgoing: bool) -> Sequence[Edge]:
        """Return relations of an entity; see ``GraphView``."""
        return self._view().edges(node_id, relation, outgoing=outgoing)

    def _view(self) -> GraphView:
        return StoredView(self, self.projections, self.engine)

    def _arrays(self) -> GraphArrays:
        return arrays_in(self)

    def __len__(self) -> int:
        return int(self.rows("MATCH (n:Entity) RETURN count(*)", {})[0][0])

    @property
    def n_edges(self) -> int:
        """How many relations there are, expired ones included."""
        found = self.relations("MATCH (:Entity)-[r]->(:Entity) RETURN count(*)", {})
        return int(found[0][0]) if found else 0

    # --- as a projection -------------------------------------------------------------------------

    async def watermark(self) -> int:
        """Return the last change applied; see ``Projection``."""
        return await asyncio.to_thread(self._watermark)

    def _watermark(self) -> int:
        with self._lock:
            found = self.rows("MATCH (p:Passed) RETURN p.watermark", {})
        return int(found[0][0]) if found else 0

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Apply changes at once, off the loop; see ``Projection``."""
        await asyncio.to_thread(self.take, changes, upto)

    def take(self, changes: Sequence[Change], upto: int) -> None:
        """Apply changes and move the watermark, or, when one cannot be read, do nothing."""
        check(changes)
        with self._lock:
            tables = dict(self.dialect.tables)
            try:
                with self._transaction("BEGIN TRANSACTION"):
                    Writer(self).write(changes)
                    text = "MERGE (p:Passed {one: 1}) SET p.watermark = $watermark"
                    self.rows(text, {"watermark": upto})
            except BaseException:
                self.dialect = LadybugCypher(tables)
                raise
            self.projections.forget()

    async def clear(self) -> None:
        """Forget everything; see ``Projection``."""
        await asyncio.to_thread(self._clear)

    def _clear(self) -> None:
        with self._lock:
            for called in self.dialect.tables.values():
                self.rows(f"DROP TABLE {quoted(called)}", {})
            for own in ("Entity", "Placed", "Named", "Passed"):
                self.rows(f"DROP TABLE {own}", {})
            self._prepare()
            self.projections.forget()
