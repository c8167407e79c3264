"""Undoes a change of the journal: its inverse, as long as nothing was built on it since."""

from collections.abc import Mapping, Sequence

from trivium.domain.errors import ConflictError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.knowledge.changelog import Recorded
from trivium.knowledge.held import Held, Item
from trivium.knowledge.tables import ItemKind, ends_of


def undone_with(around: Sequence[Recorded], sequence: int) -> tuple[Recorded, ...]:
    """Return the change of a number and, where an entity went, what went with it; in order.

    ``around`` is what was written at the same moment, in order.
    """
    index = next(i for i, entry in enumerate(around) if entry.change.sequence == sequence)
    own = around[index].change
    if own.kind is not ChangeKind.DROP_NODE:
        return (around[index],)
    first = last = index
    while first > 0 and _went_with(around[first - 1], own.key):
        first -= 1
    while last + 1 < len(around) and _went_with(around[last + 1], own.key):
        last += 1
    return tuple(around[first : last + 1])


def _went_with(entry: Recorded, entity: str) -> bool:
    """Whether an entry dropped something that rested on an entity, or another word of it."""
    if entry.change.kind is ChangeKind.DROP_NODE:
        return entry.change.key == entity
    is_drop = entry.change.kind in {
        ChangeKind.DROP_EDGE,
        ChangeKind.DROP_FACT,
        ChangeKind.DROP_ALIAS,
    }
    return is_drop and entity in ends_before(entry)


def ends_before(entry: Recorded) -> tuple[str, ...]:
    """Return the entities that the item of an entry touched, before or after it."""
    item = Item.of(entry.change)
    said = (entry.before, entry.after)
    ends = (end for payload in said if payload is not None for end in ends_of(item.put(payload)))
    return tuple(dict.fromkeys(ends))


def undoing(entries: Sequence[Recorded], held: Held, *, author: str) -> tuple[Change, ...]:
    """Return the changes that take ``entries`` back, the last first; none for what is back.

    Raises:
        ConflictError: something was changed since, or rests on what would go.
    """
    changes: list[Change] = []
    for entry in reversed(entries):
        item = Item.of(entry.change)
        current = held.payload(item)
        if current == entry.before:
            continue
        if current != entry.after:
            raise ConflictError(f"{_name(item)} was changed since: undo the later changes first")
        change = _inverse(item, entry.before, held, author)
        held.take(change)
        changes.append(change)
    return tuple(changes)


def _inverse(item: Item, before: Mapping[str, object] | None, held: Held, author: str) -> Change:
    if item.kind is ItemKind.SCHEMA:
        raise ConflictError("a schema is not undone: load the data set as it was instead")
    if before is None:
        _see_that_nothing_rests_on(item, held)
        return item.drop(author)
    put = item.put(before, author)
    others = [i for i in held.alike(item) if i.source != item.source]
    if others and item.kind is not ItemKind.EDGE:  # each data set has relations of its own
        raise ConflictError(f"{_name(item)} is said by {others[0].source!r} meanwhile")
    if item.kind is not ItemKind.NODE:
        for end in ends_of(put):
            if end and held.node(end) is None:
                raise ConflictError(f"{_name(item)} needs {end!r}, which is not there any more")
    return put


def _see_that_nothing_rests_on(item: Item, held: Held) -> None:
    if item.kind is not ItemKind.NODE or len(tuple(held.nodes(item.key))) > 1:
        return
    if resting := held.resting_on(item.key):
        raise ConflictError(
            f"{_name(item)} has {len(resting)} relations, facts or aliases by now: "
            "undo those first, or remove it with them"
        )


def _name(item: Item) -> str:
    return f"the {item.kind} {item.key!r}"
