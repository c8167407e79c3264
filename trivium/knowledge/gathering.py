"""Gathers from the journal what mutations, drops and undo must see."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from trivium.domain.knowledge import Change
from trivium.domain.mutation import Mutation, joined, named, removed
from trivium.knowledge.changelog import Changelog, Recorded
from trivium.knowledge.held import Held, Item
from trivium.knowledge.tables import ItemKind
from trivium.knowledge.undoing import ends_before

_GRAPH: Final = (ItemKind.NODE, ItemKind.EDGE, ItemKind.FACT)


async def held_of(changelog: Changelog, entities: Collection[str]) -> Held:
    """Return what is held of entities, with all that rests on them."""
    return Held.of(await changelog.touching(entities, _GRAPH))


async def held_for(changelog: Changelog, mutations: Sequence[Mutation]) -> Held:
    """Return what is held of what mutations name, and the schemas."""
    return _in_order(
        [
            *await changelog.touching([""], [ItemKind.SCHEMA]),
            *await changelog.touching(named(mutations), [ItemKind.NODE]),
            *await changelog.touching(removed(mutations), _GRAPH),
            *await changelog.joining(joined(mutations)),
        ]
    )


async def held_around(changelog: Changelog, entries: Sequence[Recorded]) -> Held:
    """Return what is held of the items of entries, and of the entities that they touch."""
    ends = {end for entry in entries for end in ends_before(entry)} - {""}
    found = list(await changelog.touching(ends, _GRAPH))
    for entry in entries:
        item = Item.of(entry.change)
        payload = None if item.kind in _GRAPH else await changelog.item(*item)
        if payload is not None:
            found.append(item.put(payload))
    return Held.of(found)


def _in_order(found: Iterable[Change]) -> Held:
    by_sequence = {change.sequence: change for change in found}
    return Held.of(by_sequence[sequence] for sequence in sorted(by_sequence))
