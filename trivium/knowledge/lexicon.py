"""Keeps the lexicon: the projection of the journal that the question reader reads with."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.payloads import node_from_payload, schema_from_payload
from trivium.domain.schema import Schema
from trivium.knowledge.inference import merge
from trivium.language.reading import Lexicon
from trivium.language.vocabulary import Vocabulary

_Names: TypeAlias = tuple[str, str, tuple[str, ...]]
"""Type, name and aliases."""


class LexiconProjection:
    """Implements ``Projection`` over a ``Lexicon`` in memory."""

    name = "names"

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._schemas: dict[str, Schema] = {}
        self._said: dict[str, dict[str, _Names]] = {}
        """What each data set calls an entity; the last one to speak holds."""

    async def watermark(self) -> int:
        """Return the last change applied; see ``Projection``."""
        return self.lexicon.version

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Take new names and a new schema; see ``Projection``."""
        self.take(changes)
        self.lexicon.version = upto

    async def clear(self) -> None:
        """Forget everything; see ``Projection``."""
        self.lexicon.names.clear()
        self._schemas.clear()
        self._said.clear()
        self.lexicon.vocabulary = Vocabulary(Schema())
        self.lexicon.version = 0

    def take(self, changes: Iterable[Change]) -> None:
        """Apply changes to names and schema at once."""
        n_schemas = 0
        for change in changes:
            match change.kind:
                case ChangeKind.SET_SCHEMA:
                    self._schemas.pop(change.source, None)  # so that a replay has the same order
                    self._schemas[change.source] = schema_from_payload(change.payload)
                    n_schemas += 1
                case ChangeKind.PUT_NODE:
                    node = node_from_payload(change.payload)
                    self._put(node.id, change.source, (node.type, node.name, node.aliases))
                case ChangeKind.DROP_NODE:
                    self._drop(change.key, change.source)
                case _:
                    pass
        if n_schemas:
            self.lexicon.vocabulary = Vocabulary(merge(list(self._schemas.values())))

    def _put(self, node_id: str, source: str, names: _Names) -> None:
        said = self._said.setdefault(node_id, {})
        said.pop(source, None)
        said[source] = names
        self.lexicon.names.put(node_id, *names)

    def _drop(self, node_id: str, source: str) -> None:
        said = self._said.get(node_id, {})
        said.pop(source, None)
        if said:
            self.lexicon.names.put(node_id, *next(reversed(said.values())))
        else:
            self._said.pop(node_id, None)
            self.lexicon.names.drop(node_id)


def lexicon_of(changes: Iterable[Change]) -> Lexicon:
    """Return the lexicon that a data set read from disk makes."""
    projection = LexiconProjection(Lexicon.empty())
    projection.take(changes)
    return projection.lexicon
