"""Keeps the lexicon: the projection of the journal that the question reader reads with."""

from collections.abc import Iterable, Sequence

from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.payloads import node_from_payload, schema_from_payload
from trivium.domain.schema import Schema
from trivium.knowledge.inference import merge
from trivium.language.reading import Lexicon
from trivium.language.vocabulary import Vocabulary


class LexiconProjection:
    """Implements ``Projection`` over a ``Lexicon`` in memory."""

    name = "names"

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._schemas: dict[str, Schema] = {}

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
        self.lexicon.vocabulary = Vocabulary(Schema())
        self.lexicon.version = 0

    def take(self, changes: Iterable[Change]) -> None:
        """Apply changes to names and schema at once."""
        names = self.lexicon.names
        n_schemas = 0
        for change in changes:
            match change.kind:
                case ChangeKind.SET_SCHEMA:
                    self._schemas[change.source] = schema_from_payload(change.payload)
                    n_schemas += 1
                case ChangeKind.PUT_NODE:
                    node = node_from_payload(change.payload)
                    names.put(node.id, node.type, node.name, node.aliases)
                case ChangeKind.DROP_NODE:
                    names.drop(change.key)
                case _:
                    pass
        if n_schemas:
            self.lexicon.vocabulary = Vocabulary(merge(list(self._schemas.values())))


def lexicon_of(changes: Iterable[Change]) -> Lexicon:
    """Return the lexicon that a data set read from disk makes."""
    projection = LexiconProjection(Lexicon.empty())
    projection.take(changes)
    return projection.lexicon
