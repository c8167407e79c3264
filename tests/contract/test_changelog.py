"""The changelog and what rests on entities, on each kind of database."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.contract.conftest import SqlPlace
from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.mutation import RemoveEntity
from trivium.knowledge.changelog import ChangeFilter
from trivium.knowledge.journal import KnowledgeJournal, OvertakenError
from trivium.knowledge.service import Knowledge
from trivium.knowledge.tables import ItemKind

AT = "2026-08-01T00:00:00+00:00"


@pytest.fixture
async def journal(sql_place: SqlPlace) -> AsyncIterator[KnowledgeJournal]:
    opened = await KnowledgeJournal.open(sql_place.url, schema=sql_place.schema)
    yield opened
    await opened.close()


def node(key: str, **more: object) -> Change:
    payload = {"id": key, "type": "T", "name": key, **more}
    return Change(kind=ChangeKind.PUT_NODE, key=key, payload=payload, source="s")


def edge(key: str, source: str, target: str) -> Change:
    payload = {"source": source, "target": target, "type": "R"}
    return Change(kind=ChangeKind.PUT_EDGE, key=key, payload=payload, source="s")


def fact(entity: str) -> Change:
    payload = {"entity": entity, "attribute": "a", "value": 1}
    return Change(kind=ChangeKind.PUT_FACT, key=f"{entity}|a", payload=payload, source="s")


WORLD = [node("a"), node("b"), edge("ab", "a", "b"), edge("bb", "b", "b"), fact("a")]
ALL = (ItemKind.NODE, ItemKind.EDGE, ItemKind.FACT)


async def keys(journal: KnowledgeJournal, *entities: str) -> list[str]:
    return [change.key for change in await journal.changelog.touching(entities, ALL)]


async def test_what_rests_on_an_entity_is_found_as_it_is_now(journal: KnowledgeJournal):
    await journal.append(WORLD, at=AT)
    assert await keys(journal, "a") == ["a", "ab", "a|a"]
    assert await keys(journal, "b") == ["b", "ab", "bb"]

    moved = edge("ab", "b", "b")
    await journal.append([moved, Change(kind=ChangeKind.DROP_FACT, key="a|a", source="s")], at=AT)

    assert await keys(journal, "a") == ["a"]
    assert await keys(journal, "b") == ["b", "bb", "ab"]
    joining = await journal.changelog.joining([("b", "b"), ("a", "b")])
    assert [change.key for change in joining] == ["bb", "ab"]


async def test_a_journal_written_before_that_was_kept_is_caught_up_when_it_is_opened(
    journal: KnowledgeJournal, sql_place: SqlPlace
):
    await journal.append(WORLD, at=AT)
    await sql_place.execute("DROP TABLE touches")

    again = await KnowledgeJournal.open(sql_place.url, schema=sql_place.schema)
    found = await keys(again, "a")
    await again.close()

    assert found == ["a", "ab", "a|a"]


async def test_changes_thought_out_on_an_older_head_are_refused(journal: KnowledgeJournal):
    await journal.append(WORLD, at=AT)

    with pytest.raises(OvertakenError):
        await journal.append([node("c")], at=AT, head=4)

    assert await journal.head() == 5
    assert len(await journal.append([node("c")], at=AT, head=5)) == 1


async def test_two_processes_that_mutate_at_once_both_get_through(
    journal: KnowledgeJournal, sql_place: SqlPlace
):
    await journal.append([node(f"n{i}") for i in range(12)], at=AT)
    other = await KnowledgeJournal.open(sql_place.url, schema=sql_place.schema)
    homes = [Knowledge(journal, []), Knowledge(other, [])]

    async def work(which: int) -> None:
        for i in range(which, 6, 2):
            await homes[which].mutate([RemoveEntity(id=f"n{i}")], author="ann")

    await asyncio.gather(work(0), work(1))
    left = [change.key async for change in journal.state()]
    await other.close()

    assert left == [f"n{i}" for i in range(6, 12)]


async def test_the_changelog_tells_before_and_after(journal: KnowledgeJournal):
    drop = Change(kind=ChangeKind.DROP_NODE, key="a", source="s", author="ann")
    await journal.append([node("a", x=1), node("a", x=2), drop], at=AT)

    first, second, third = await journal.changelog.changes(ChangeFilter(key="a"))

    assert (first.before, first.after) == (None, node("a", x=1).payload)
    assert (second.before, second.after) == (first.after, node("a", x=2).payload)
    assert (third.before, third.after) == (second.after, None)
    assert third.at == AT
    assert await journal.changelog.changes(ChangeFilter(author="nobody")) == ()


async def test_what_others_changed_of_a_data_set_is_told_with_what_its_files_said(
    journal: KnowledgeJournal,
):
    by_ann = Change(kind=ChangeKind.DROP_NODE, key="a", source="s", author="ann")
    new = Change(kind=ChangeKind.PUT_NODE, key="n", payload={}, source="s", author="ann")
    await journal.append([*WORLD, by_ann, new], at=AT)

    assert await journal.changelog.overlaid("s") == {
        (ItemKind.NODE, "a"): node("a").payload,
        (ItemKind.NODE, "n"): None,
    }
