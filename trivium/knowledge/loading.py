"""What a load changes: a data set speaks where its files differ from what they said last.

So what mutations did stays while the files stay; where a file changes, the file holds.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from trivium.domain.knowledge import MUTATIONS, Change
from trivium.knowledge.dataset import DataSet
from trivium.knowledge.journal import content_hash
from trivium.knowledge.tables import DROPS, ItemKind, ends_of, item_kind

Key: TypeAlias = tuple[ItemKind, str]
_ORDER = (ItemKind.EDGE, ItemKind.FACT, ItemKind.DOCUMENT, ItemKind.NODE)
"""In which things go: relations before the entities that they join."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What was there before a load."""

    held: Collection[Key]
    """What the data set holds."""
    overlaid: Mapping[Key, Mapping[str, object] | None] = field(default_factory=dict)
    """What others changed of it, with what its files said last; see ``Changelog.overlaid``."""
    added: Collection[Key] = ()
    """What mutations hold that no data set says."""


def kept_keys(dataset: DataSet, before: Before) -> frozenset[Key]:
    """Return what stays as mutations left it, because the files say of it what they said last."""
    puts = {key_of(change): change for change in dataset.changes}
    return frozenset(
        key
        for key, said in before.overlaid.items()
        if (put := puts.get(key)) is not None
        and said is not None
        and content_hash(said) == content_hash(put.payload)
    )


def absent_nodes(kept: Collection[Key], before: Before) -> frozenset[str]:
    """Return the entities that the files say, and that a mutation removed."""
    return frozenset(
        key for kind, key in kept if kind is ItemKind.NODE and (kind, key) not in before.held
    )


def load_changes(
    dataset: DataSet, before: Before, kept: Collection[Key], absent: frozenset[str]
) -> tuple[Change, ...]:
    """Return what a load changes: drops of what is gone, puts, and what it takes over.

    Args:
        dataset: what the files say.
        before: what was there.
        kept: what stays as mutations left it.
        absent: entities that are not there; relations and facts of theirs wait for a load
            that comes after they are back.
    """
    puts = [
        change
        for change in dataset.changes
        if key_of(change) not in kept and not (absent and absent & set(ends_of(change)))
    ]
    said = {key_of(change) for change in puts}
    taken_over = [key for key in before.added if key in said]
    return (
        *_gone(dataset, before),
        *puts,
        *(_drop(key, MUTATIONS) for key in taken_over),
    )


def key_of(change: Change) -> Key:
    """Return what identifies the item of a change within its source."""
    return item_kind(change.kind), change.key


def _gone(dataset: DataSet, before: Before) -> Iterator[Change]:
    """Give drops for what a data set held before and says no more."""
    said = {key_of(change) for change in dataset.changes}
    gone = [key for key in before.held if key not in said and not _is_added(key, before)]
    for kind in _ORDER:
        yield from (_drop(key, dataset.name) for key in gone if key[0] is kind)


def _is_added(key: Key, before: Before) -> bool:
    """Whether others than the loader brought an item, and the files never said it."""
    return key in before.overlaid and before.overlaid[key] is None


def _drop(key: Key, source: str) -> Change:
    kind, name = key
    return Change(kind=DROPS[kind], key=name, source=source)
