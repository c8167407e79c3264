"""Gathers from the journal what mutations, drops and undo must see."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeAlias

from trivium.domain.knowledge import Change
from trivium.domain.mutation import Mutation, aliases, joined, named, removed
from trivium.knowledge.changelog import Changelog, Recorded
from trivium.knowledge.held import Held, Item
from trivium.knowledge.tables import ItemKind
from trivium.knowledge.undoing import ends_before

_GRAPH: Final = (ItemKind.NODE, ItemKind.EDGE, ItemKind.FACT, ItemKind.ALIAS)

Called: TypeAlias = Callable[[str], Collection[str]]
"""Gives the ids of the entities that some words are a name of, maybe more."""


async def held_of(changelog: Changelog, entities: Collection[str]) -> Held:
    """Return what is held of entities, with all that rests on them."""
    return Held.of(await changelog.touching(entities, _GRAPH))


async def held_for(changelog: Changelog, mutations: Sequence[Mutation], called: Called) -> Held:
    """Return what is held of what mutations name, and the schemas; aliases with their rivals."""
    learned = aliases(mutations)
    rivals = {entity for mutation in learned for entity in called(mutation.words)}
    rivals |= named(learned) | ({""} if learned else set())
    return _in_order(
        [
            *await changelog.touching([""], [ItemKind.SCHEMA]),
            *await changelog.touching(rivals, [ItemKind.NODE, ItemKind.ALIAS]),
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
        is_found = item.kind in _GRAPH and "" not in ends_before(entry)
        payload = None if is_found else await changelog.item(*item)
        if payload is not None:
            found.append(item.put(payload))
    return Held.of(found)


def _in_order(found: Iterable[Change]) -> Held:
    by_sequence = {change.sequence: change for change in found}
    return Held.of(by_sequence[sequence] for sequence in sorted(by_sequence))
