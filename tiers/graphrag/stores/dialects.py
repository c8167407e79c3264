"""What differs between the dialects of Cypher, in one place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

FACETS: Final[Mapping[str, str]] = {
    "words": "STRING",
    "texts": "STRING",
    "numbers": "DOUBLE",
    "firsts": "INT64",
    "lasts": "INT64",
}
"""How each property is kept for comparing: folded words, text as it is, number, and the first
and last microsecond of a date."""


_NOTHING: Final[Mapping[str, object]] = {"STRING": "", "DOUBLE": 0.0, "INT64": 0}
Row: TypeAlias = dict[str, object]


class Dialect(Protocol):
    """Says the parts of a query of which each engine has its own form."""

    def relation(self, name: str) -> str:
        """Return how a relation of the schema is named in a pattern, quoted."""
        ...

    def label(self, variable: str) -> str:
        """Return an expression for the name that a relation has in patterns."""
        ...

    def named(self, label: str) -> str:
        """Return the relation of the schema that has this name in patterns."""
        ...

    def has(self, variable: str, facet: str, key: str) -> str:
        """Return a test, true or false, of whether a property has a value in a facet.

        ``key`` is an expression too: names of properties are parameters.
        """
        ...

    def value(self, variable: str, facet: str, key: str) -> str:
        """Return an expression for that value, where there is one."""
        ...

    def put(self, variable: str, row: str) -> str:
        """Return the assignments that keep a row's validity and properties."""
        ...

    def row(self, form: Mapping[str, object], facets: Mapping[str, Mapping[str, object]]) -> Row:
        """Return a row as ``put`` takes it."""
        ...


def quoted(name: str) -> str:
    """Quote a name of the schema for Cypher.

    >>> quoted("A`b")
    '`A``b`'
    """
    return "`" + name.replace("`", "``") + "`"


class Neo4jCypher:
    """Cypher 5: properties of any name, read by a parameter."""

    def relation(self, name: str) -> str:
        """Return the quoted name; see ``Dialect``."""
        return quoted(name)

    def label(self, variable: str) -> str:
        """Return its type; see ``Dialect``."""
        return f"type({variable})"

    def named(self, label: str) -> str:
        """Return the same; see ``Dialect``."""
        return label

    def has(self, variable: str, facet: str, key: str) -> str:
        """Return whether there is such a property; see ``Dialect``."""
        return f"{self.value(variable, facet, key)} IS NOT NULL"

    def value(self, variable: str, facet: str, key: str) -> str:
        """Return the property of a facet; see ``Dialect``."""
        return f"{variable}['{facet}:' + {key}]"

    def put(self, variable: str, row: str) -> str:
        """Replace all properties; see ``Dialect``."""
        return f"{variable} = {row}.kept"

    def row(self, form: Mapping[str, object], facets: Mapping[str, Mapping[str, object]]) -> Row:
        """Return the properties under ``kept``; see ``Dialect``."""
        flat = {f"{facet}:{k}": v for facet, own in facets.items() for k, v in own.items()}
        return {**form, "kept": {**form, **flat}}


@dataclass(frozen=True, slots=True)
class LadybugCypher:
    """Ladybug's Cypher: tables with columns that are declared; properties lie in maps."""

    tables: dict[str, str] = field(default_factory=dict)
    """The table of each relation: its names differ in more than upper and lower case."""

    def relation(self, name: str) -> str:
        """Return the quoted name of its table; see ``Dialect``."""
        return quoted(self.tables[name])

    def label(self, variable: str) -> str:
        """Return the name of its table; see ``Dialect``."""
        return f"label({variable})"

    def named(self, label: str) -> str:
        """Return the relation of a table; see ``Dialect``."""
        return next(name for name, called in self.tables.items() if called == label)

    def has(self, variable: str, facet: str, key: str) -> str:
        """Return whether the map of a facet has the key; see ``Dialect``."""
        return f"size(element_at({variable}.{facet}, {key})) > 0"

    def value(self, variable: str, facet: str, key: str) -> str:
        """Return what the map of a facet holds; see ``Dialect``.

        A map gives a list of one value or none. Taking the first of none is an error, and the
        engine takes no parameter within ``any(x IN …)``; so the list is joined or summed.
        """
        found = f"element_at({variable}.{facet}, {key})"
        is_text = FACETS[facet] == "STRING"
        return f"list_to_string('', {found})" if is_text else f"list_sum({found})"

    def put(self, variable: str, row: str) -> str:
        """Set each column; see ``Dialect``."""
        maps = [f"{variable}.{f} = map({row}.{f}_keys, {row}.{f})" for f in FACETS]
        columns = [f"{variable}.{c} = {row}.{c}" for c in ("said", "since", "until")]
        return ", ".join([*columns, *maps])

    def row(self, form: Mapping[str, object], facets: Mapping[str, Mapping[str, object]]) -> Row:
        """Return maps as keys and values, none of them empty: an empty list has no type."""
        row = dict(form)
        for facet, kind in FACETS.items():
            own = facets[facet] or {"\x1f": _NOTHING[kind]}
            row[f"{facet}_keys"] = list(own)
            row[facet] = list(own.values())
        return row
