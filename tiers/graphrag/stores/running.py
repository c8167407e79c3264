"""One plan as it runs in a store that speaks Cypher: its queries, their parameters, their rows."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from tiers.graphrag.operators.traversal import NodeSet
from tiers.graphrag.stores.cypher import Parameters, Query
from tiers.graphrag.stores.dialects import Dialect
from tiers.graphrag.view import Scope
from trivium.domain.knowledge import Edge
from trivium.domain.payloads import edge_from_payload

Rows: TypeAlias = Sequence[Sequence[Any]]  # what a store returns, row by row


class Session(Protocol):
    """A read-only transaction of a store that speaks Cypher."""

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

    def has_relation(self, name: str) -> bool:
        """Whether there ever was a relation of that type."""
        ...


def edge_of(said: str) -> Edge:
    """Return the relation that a row keeps."""
    form = json.loads(said)
    return edge_from_payload(form["key"], form["payload"])


@dataclass(slots=True)
class CypherRun:
    """Runs operators as Cypher within one session, and keeps what ran."""

    session: Session
    engine: str
    parameters: Parameters = field(default_factory=Parameters)
    queries: list[str] = field(default_factory=list)
    uncompiled: list[str] = field(default_factory=list)
    """Operators that read the graph otherwise."""

    def query(self, scope: Scope) -> Query:
        """Return a writer of queries for the moment of a scope."""
        dialect = self.session.dialect
        return Query(dialect=dialect, moment=scope.moment, parameters=self.parameters)

    def rows(self, text: str) -> Rows:
        """Run a query and keep it."""
        self.queries.append(text)
        used = {k: v for k, v in self.parameters.values.items() if _uses(text, k)}
        return self.session.rows(text, used)

    @property
    def has_run(self) -> bool:
        """Whether all that was read of the graph was read by queries."""
        return not self.uncompiled and any(not q.startswith("//") for q in self.queries)

    @property
    def text(self) -> str:
        """What ran, query by query."""
        return "\n".join(q if q.startswith("//") else f"{q};" for q in self.queries)

    def ids(self, text: str) -> NodeSet:
        """Run a query and return its first column, each value once, in order."""
        return tuple(sorted({str(row[0]) for row in self.rows(text)}))

    def of(self, nodes: Iterable[str]) -> str:
        """Return the parameter of a set of entities."""
        return self.parameters.of(list(dict.fromkeys(nodes)))


def _uses(text: str, name: str) -> bool:
    _, found, rest = text.partition(f"${name}")
    return bool(found) and (not rest[:1].isdigit() or _uses(rest, name))


@runtime_checkable
class RunsCypher(Protocol):
    """A view whose store runs Cypher."""

    @property
    def cypher(self) -> CypherRun:
        """What runs and what ran."""
        ...
