"""The knowledge journal, on each kind of database."""

import asyncio
import contextlib
import itertools
import random
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
import sqlalchemy as sa

from tests.contract.conftest import SqlPlace
from trivium.domain.errors import DataError, DependencyError, InputError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.knowledge.journal import KnowledgeJournal, content_hash
from trivium.knowledge.tables import ItemKind

AT = "2026-08-01T00:00:00+00:00"


@pytest.fixture
async def journal(sql_place: SqlPlace) -> AsyncIterator[KnowledgeJournal]:
    opened = await KnowledgeJournal.open(sql_place.url, schema=sql_place.schema)
    yield opened
    await opened.close()


@pytest.fixture
async def second(sql_place: SqlPlace, journal: KnowledgeJournal) -> AsyncIterator[KnowledgeJournal]:
    """Another handle on the same journal, as another process would have."""
    opened = await KnowledgeJournal.open(sql_place.url, schema=sql_place.schema)
    yield opened
    await opened.close()


def put(key: str, **payload: object) -> Change:
    return Change(kind=ChangeKind.PUT_NODE, key=key, source="data", payload=payload)


def drop(key: str) -> Change:
    return Change(kind=ChangeKind.DROP_NODE, key=key, source="data")


async def state_of(journal: KnowledgeJournal, *kinds: ChangeKind) -> list[Change]:
    return [change async for change in journal.state(kinds or None)]


async def test_an_empty_journal_has_no_head_and_no_state(journal: KnowledgeJournal):
    assert await journal.head() == 0
    assert await journal.since(0) == ()
    assert await state_of(journal) == []
    assert await journal.append([], at=AT) == ()


async def test_changes_are_numbered_from_one_without_gaps(journal: KnowledgeJournal):
    first = await journal.append([put("a", x=1), put("b", x=1)], at=AT)
    second = await journal.append([put("c", x=1)], at=AT)

    assert [c.sequence for c in first + second] == [1, 2, 3]
    assert await journal.head() == 3


async def test_what_was_appended_is_read_back(journal: KnowledgeJournal):
    change = Change(
        kind=ChangeKind.PUT_DOCUMENT,
        key="doc-ü",
        source="data",
        author="ann",
        payload={"title": "É", "b": [1, None, {"z": 1.5, "a": True}], "a": "\x00\ud800"},
    )

    await journal.append([change], at=AT)

    assert await journal.since(0) == (replace(change, sequence=1),)
    assert await state_of(journal) == [replace(change, sequence=1)]


async def test_the_order_of_a_payload_is_kept(journal: KnowledgeJournal):
    await journal.append([put("a", z=1, a=2)], at=AT)

    (change,) = await journal.since(0)

    assert list(change.payload) == ["z", "a"]


async def test_a_put_of_the_same_content_is_skipped(journal: KnowledgeJournal):
    await journal.append([put("a", x=1, y=2)], at=AT)

    written = await journal.append([put("a", y=2, x=1), put("b", x=1)], at=AT)

    assert [(c.key, c.sequence) for c in written] == [("b", 2)]


async def test_a_drop_of_an_absent_key_is_skipped(journal: KnowledgeJournal):
    assert await journal.append([drop("a")], at=AT) == ()
    assert await journal.head() == 0


async def test_changes_of_one_append_build_on_each_other(journal: KnowledgeJournal):
    changes = [put("a", x=1), put("a", x=1), put("a", x=2), drop("a"), drop("a"), put("a", x=1)]

    written = await journal.append(changes, at=AT)

    assert [c.kind for c in written] == [
        ChangeKind.PUT_NODE,
        ChangeKind.PUT_NODE,
        ChangeKind.DROP_NODE,
        ChangeKind.PUT_NODE,
    ]
    assert await state_of(journal) == [put_at(4, "a", x=1)]


def put_at(sequence: int, key: str, **payload: object) -> Change:
    return replace(put(key, **payload), sequence=sequence)


async def test_each_change_keeps_what_was_there_before(journal: KnowledgeJournal):
    await journal.append([put("a", x=1), put("a", x=2)], at=AT)
    await journal.append([drop("a"), put("a", x=3)], at=AT)

    changes = sa.table("changes", sa.column("sequence"), sa.column("before"), sa.column("at"))
    rows = await journal._database.rows(sa.select(changes).order_by("sequence"))

    assert [row["before"] for row in rows] == [None, '{"x":1}', '{"x":2}', None]
    assert {row["at"] for row in rows} == {AT}


async def test_a_dropped_item_leaves_the_state(journal: KnowledgeJournal):
    await journal.append([put("a", x=1), put("b", x=1)], at=AT)

    await journal.append([drop("a")], at=AT)

    assert [c.key for c in await state_of(journal)] == ["b"]
    assert await journal.hashes("data") == {(ItemKind.NODE, "b"): content_hash({"x": 1})}


async def test_a_key_belongs_to_its_kind_and_source(journal: KnowledgeJournal):
    edge = Change(kind=ChangeKind.PUT_EDGE, key="a", source="data", payload={"x": 1})
    await journal.append([put("a", x=1), replace(put("a", x=1), source="other"), edge], at=AT)

    await journal.append([replace(drop("a"), source="other")], at=AT)

    assert set(await journal.hashes("data")) == {(ItemKind.NODE, "a"), (ItemKind.EDGE, "a")}
    assert await journal.hashes("other") == {}


async def test_the_state_can_be_asked_for_by_kind(journal: KnowledgeJournal):
    schema = Change(kind=ChangeKind.SET_SCHEMA, key="schema", payload={"name": "library"})
    fact = Change(kind=ChangeKind.PUT_FACT, key="f", payload={"value": 1})
    await journal.append([schema, put("a", x=1), fact], at=AT)

    asked = await state_of(journal, ChangeKind.SET_SCHEMA, ChangeKind.DROP_FACT)

    assert [c.kind for c in asked] == [ChangeKind.SET_SCHEMA, ChangeKind.PUT_FACT]


async def test_since_gives_pages(journal: KnowledgeJournal):
    await journal.append([put(str(i), x=i) for i in range(5)], at=AT)

    assert [c.sequence for c in await journal.since(1, limit=2)] == [2, 3]
    assert [c.sequence for c in await journal.since(3)] == [4, 5]


async def test_another_handle_sees_an_append_as_soon_as_it_returned(
    journal: KnowledgeJournal, second: KnowledgeJournal
):
    written = await journal.append([put("a", x=1)], at=AT)

    assert await second.since(0) == written


async def test_appends_at_once_are_numbered_without_gaps(
    journal: KnowledgeJournal, second: KnowledgeJournal
):
    await asyncio.gather(
        *(
            (journal, second)[i % 2].append([put(f"{i}-{j}", x=j) for j in range(3)], at=AT)
            for i in range(10)
        )
    )

    assert [c.sequence for c in await journal.since(0)] == list(range(1, 31))


@pytest.mark.parametrize("nth", range(1, 7))
async def test_an_append_that_has_begun_ends_when_its_caller_leaves(
    journal: KnowledgeJournal, nth: int
):
    await journal.append([put("a", x=1)], at=AT)
    task = asyncio.create_task(journal.append([put("a", x=2), put("b", x=1)], at=AT))
    seen = itertools.count(1)
    engine = journal._database._engine.sync_engine
    leave = lambda *_: next(seen) == nth and task.cancel()  # noqa: E731  # a listener
    sa.event.listen(engine, "before_cursor_execute", leave)
    with pytest.raises(asyncio.CancelledError):
        await task
    sa.event.remove(engine, "before_cursor_execute", leave)

    await journal.append([put("c", x=1)], at=AT)

    assert [c.sequence for c in await journal.since(0)] == [1, 2, 3, 4]
    assert [c.key for c in await state_of(journal)] == ["a", "b", "c"]


async def test_the_state_is_what_the_changes_add_up_to(journal: KnowledgeJournal):
    chance = random.Random(7)
    expected: dict[str, Mapping[str, object]] = {}
    for _ in range(20):
        changes = [a_change(chance) for _ in range(chance.randrange(1, 30))]
        for change in changes:
            if change.kind is ChangeKind.PUT_NODE:
                expected[change.key] = change.payload
            else:
                expected.pop(change.key, None)
        await journal.append(changes, at=AT)

    state = await state_of(journal)
    last = {c.key: c for c in await journal.since(0)}

    assert {c.key: c.payload for c in state} == expected
    assert state == sorted(
        (c for c in last.values() if c.key in expected), key=lambda c: c.sequence
    )


def a_change(chance: random.Random) -> Change:
    key = chance.choice("abcdefgh")
    return drop(key) if chance.random() < 0.3 else put(key, x=chance.randrange(3))


async def test_more_changes_than_one_batch_take_few_statements(journal: KnowledgeJournal):
    statements: list[str] = []
    engine = journal._database._engine.sync_engine
    sa.event.listen(engine, "before_cursor_execute", lambda *seen: statements.append(seen[2]))
    changes = [put(str(i), x=i) for i in range(2000)]

    await journal.append(changes, at=AT)
    changed = await journal.append([put(c.key, x=-1) for c in changes], at=AT)

    assert [c.sequence for c in changed] == list(range(2001, 4001))
    assert len(statements) < 50
    assert [c.sequence for c in await state_of(journal)] == list(range(2001, 4001))


@pytest.mark.parametrize("payload", [{"x": float("nan")}, {"x": [float("inf")]}, {"x": object()}])
async def test_a_payload_that_is_not_json_is_refused_with_the_whole_append(
    journal: KnowledgeJournal, payload: dict[str, object]
):
    with pytest.raises(DataError):
        await journal.append([put("a", x=1), put("b", **payload)], at=AT)

    assert await journal.head() == 0


@pytest.mark.parametrize("key", ["a\x00b", "a\ud800"])
async def test_a_key_that_no_database_can_hold_is_refused(journal: KnowledgeJournal, key: str):
    with pytest.raises(DataError):
        await journal.append([put(key, x=1)], at=AT)


async def test_a_very_long_key_is_kept(journal: KnowledgeJournal):
    chance = random.Random(7)
    key = "".join(chance.choice("abcdefghijklmnop") for _ in range(20_000))

    await journal.append([put(key, x=1)], at=AT)

    assert (ItemKind.NODE, key) in await journal.hashes("data")


async def test_a_mapping_of_any_kind_is_a_payload(journal: KnowledgeJournal):
    payload = MappingProxyType({"x": MappingProxyType({"y": 1})})

    (written,) = await journal.append([replace(put("a"), payload=payload)], at=AT)

    assert written.payload == {"x": {"y": 1}}
    assert (await journal.since(0))[0].payload == {"x": {"y": 1}}


async def test_a_database_that_fails_is_a_dependency_error(
    journal: KnowledgeJournal, sql_place: SqlPlace
):
    await sql_place.execute("DROP TABLE items")

    with pytest.raises(DependencyError):
        await journal.append([put("a", x=1)], at=AT)

    assert await journal.head() == 0


@pytest.mark.parametrize(
    "url", ["postgresql://127.0.0.1:1/nothing", "sqlite:////no/such/directory/trivium.db"]
)
async def test_a_database_that_is_not_there_is_a_dependency_error(url: str):
    with pytest.raises(DependencyError):
        await KnowledgeJournal.open(url)


@pytest.mark.parametrize(
    ("url", "schema"),
    [("no url", None), ("oracle://x", None), ("postgresql://x/y", "a b"), ("sqlite:///x", "a")],
)
async def test_a_url_or_schema_that_cannot_be_used_is_an_input_error(url: str, schema: str | None):
    with pytest.raises(InputError):
        await KnowledgeJournal.open(url, schema=schema)


async def test_a_commit_on_sqlite_is_on_disk_when_it_returns(tmp_path: Path):
    journal = await KnowledgeJournal.open(f"sqlite:///{tmp_path / 'trivium.db'}")

    (mode,) = await journal._database.rows(sa.text("PRAGMA journal_mode"))
    (synchronous,) = await journal._database.rows(sa.text("PRAGMA synchronous"))
    await journal.close()

    assert (mode["journal_mode"], synchronous["synchronous"]) == ("wal", 2)


def test_content_hash_does_not_depend_on_the_order_of_keys():
    assert content_hash({"a": 1, "b": {"c": 1, "d": 2}}) == content_hash(
        {"b": {"d": 2, "c": 1}, "a": 1}
    )


def test_content_hash_depends_on_the_content():
    hashes = {content_hash(p) for p in ({}, {"a": 1}, {"a": "1"}, {"a": None}, {"a": [1, 2]})}

    assert len(hashes) == 5


async def test_one_process_at_a_time_brings_up_what_follows(
    sql_place: SqlPlace, journal: KnowledgeJournal, second: KnowledgeJournal
):
    if sql_place.schema is None:
        pytest.skip("a SQLite journal has one process")
    told: list[str] = []

    async def other() -> None:
        async with second.alone():
            told.append("other")

    async with journal.alone():
        waiting = asyncio.create_task(other())
        assert await journal.head() == await second.head() == 0  # others read meanwhile
        told.append("first")
    await waiting
    assert told == ["first", "other"]


async def test_who_left_while_waiting_holds_nothing(
    journal: KnowledgeJournal, second: KnowledgeJournal
):
    async with journal.alone():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                async with second.alone():
                    pass
    async with asyncio.timeout(5):
        async with second.alone():
            assert await second.head() == 0
        async with journal.alone():
            assert await journal.head() == 0
