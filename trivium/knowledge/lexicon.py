"""Keeps the lexicon: the projection of the journal that the question reader reads with."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from trivium.domain.alias import Alias, Meant
from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.payloads import (
    allowed,
    document_from_payload,
    fact_from_payload,
    node_from_payload,
    schema_from_payload,
)
from trivium.domain.schema import Property, Schema
from trivium.knowledge.aliases import with_aliases
from trivium.knowledge.inference import merge
from trivium.language.reading import Lexicon
from trivium.language.vocabulary import Vocabulary

_Names: TypeAlias = tuple[str, str, tuple[str, ...], tuple[str, ...] | None]
"""Type, name, aliases, and who alone may see it."""


class LexiconProjection:
    """Implements ``Projection`` over a ``Lexicon`` in memory."""

    name = "names"

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._schemas: dict[str, Schema] = {}
        self._said: dict[str, dict[str, _Names]] = {}
        """What each data set calls an entity; the last one to speak holds."""
        self._learned: dict[str, Alias] = {}
        """Aliases by key, maybe of what is not there yet."""
        self._called: dict[str, dict[str, str]] = defaultdict(dict)
        """The words of those that mean entities: entity, key, words."""
        self._facts: dict[tuple[str, str], str] = {}
        """The attribute of each fact, by data set and key."""
        self._recorded: Counter[str] = Counter()
        """How many facts there are on each attribute."""

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
        self.lexicon.readers.clear()
        self.lexicon.documents.clear()
        self._schemas.clear()
        self._said.clear()
        self._learned.clear()
        self._called.clear()
        self._facts.clear()
        self._recorded.clear()
        self.lexicon.vocabulary = Vocabulary(Schema())
        self.lexicon.version = 0

    def take(self, changes: Iterable[Change]) -> None:
        """Apply changes to names and schema at once."""
        changed = [self._take(change) for change in changes]
        if any(changed):
            merged = merge(list(self._schemas.values()))
            self.lexicon.vocabulary = Vocabulary(
                with_aliases(merged, self._learned.values()),
                [Property(name=attribute) for attribute in sorted(self._recorded)],
            )

    def _take(self, change: Change) -> bool:
        """Apply a change; return whether the words of the schema are other ones now."""
        match change.kind:
            case ChangeKind.SET_SCHEMA:
                self._schemas.pop(change.source, None)  # so that a replay has the same order
                self._schemas[change.source] = schema_from_payload(change.payload)
                return True
            case ChangeKind.PUT_NODE:
                node = node_from_payload(change.payload)
                self._put(
                    node.id,
                    change.source,
                    (node.type, node.name, node.aliases, allowed(change.payload)),
                )
            case ChangeKind.DROP_NODE:
                self._drop(change.key, change.source)
            case ChangeKind.PUT_ALIAS | ChangeKind.DROP_ALIAS:
                return self._learn(change)
            case ChangeKind.PUT_FACT | ChangeKind.DROP_FACT:
                return self._record(change)
            case ChangeKind.PUT_DOCUMENT | ChangeKind.DROP_DOCUMENT:
                self._read(change)
            case _:
                pass
        return False

    def _learn(self, change: Change) -> bool:
        """Take or forget an alias; return whether it is one of the schema's words."""
        before, after = self._learned.pop(change.key, None), None
        if change.kind is ChangeKind.PUT_ALIAS:
            after = self._learned[change.key] = Alias.of_payload(change.payload)
        told = [alias for alias in (before, after) if alias is not None]
        for alias in told:
            if alias.means.kind is Meant.ENTITY:
                called = self._called[alias.means.name]
                called.pop(change.key, None)
                called |= {change.key: alias.words} if alias is after else {}
                if said := self._said.get(alias.means.name):
                    self._name(alias.means.name, next(reversed(said.values())))
        return any(alias.means.kind is not Meant.ENTITY for alias in told)

    def _record(self, change: Change) -> bool:
        """Take or forget a fact; return whether its attribute is new, or was its last."""
        key = (change.source, change.key)
        before, after = self._facts.pop(key, None), None
        if change.kind is ChangeKind.PUT_FACT:
            after = self._facts[key] = fact_from_payload(change.payload, 0).attribute
        known = len(self._recorded)
        if after is not None:
            self._recorded[after] += 1
        is_new = len(self._recorded) != known
        if before is not None:
            self._recorded[before] -= 1
            if not self._recorded[before]:
                del self._recorded[before]
                is_new = True
        return is_new

    def _read(self, change: Change) -> None:
        """Take the words of a document that everybody may read, or forget them."""
        key = f"{change.source}\0{change.key}"
        self.lexicon.documents.drop(key)
        if change.kind is ChangeKind.PUT_DOCUMENT:
            document = document_from_payload(change.payload)
            if not document.acl:
                self.lexicon.documents.put(key, f"{document.title} {document.text}")

    def _put(self, node_id: str, source: str, names: _Names) -> None:
        said = self._said.setdefault(node_id, {})
        said.pop(source, None)
        said[source] = names
        self._name(node_id, names)

    def _name(self, node_id: str, names: _Names) -> None:
        """Put the names of an entity, and what was learned for it."""
        node_type, name, aliases, readers = names
        self.lexicon.readers.pop(node_id, None)
        if readers is not None:
            self.lexicon.readers[node_id] = frozenset(readers)
        learned = self._called.get(node_id, {}).values()
        self.lexicon.names.put(node_id, node_type, name, (*aliases, *learned))

    def _drop(self, node_id: str, source: str) -> None:
        said = self._said.get(node_id, {})
        said.pop(source, None)
        if said:
            self._name(node_id, next(reversed(said.values())))
        else:
            self._said.pop(node_id, None)
            self.lexicon.names.drop(node_id)
            self.lexicon.readers.pop(node_id, None)


def lexicon_of(changes: Iterable[Change]) -> Lexicon:
    """Return the lexicon that a data set read from disk makes."""
    projection = LexiconProjection(Lexicon.empty())
    projection.take(changes)
    return projection.lexicon
