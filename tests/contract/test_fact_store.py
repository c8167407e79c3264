"""What every fact store does: the one in Redis, embedded or not, and the fake."""

import asyncio
import math
import os
import random
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.contract.conftest import FactStore, OpenStore
from tests.fakes import MemoryFactStore
from tiers.cag.server import EmbeddedServer
from tiers.cag.store import RedisStore
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.knowledge import Fact, Value

HOSTILE = [
    "",
    " ",
    "a",
    "a:b",
    "a:b:c",
    "a%3Ab",
    "a b",
    "a*",
    "a?",
    "[a]",
    "a\\b",
    "'a'",
    '"a"',
    "a\nb",
    "a\x00b",
    "{a}",
    "ä",
    "a\u0308",
    "日本",
    "😀",
    "\ud83d\ude00",
    "facts",
    "types",
    "watermark",
]


def fact(entity: str, attribute: str, value: Value, version: int = 1) -> Fact:
    return Fact(entity=entity, attribute=attribute, value=value, version=version)


async def put_seats(store: FactStore, **seats: Value) -> None:
    await store.apply(
        puts=[fact(branch, "seats", n) for branch, n in seats.items()],
        types=dict.fromkeys(seats, "Branch"),
        watermark=1,
    )


async def test_an_empty_store_knows_nothing(store: FactStore):
    await store.ping()
    assert await store.facts("B-1") == ()
    assert await store.ranking("Branch", "seats") == ()
    assert await store.ranking("Branch", "seats", limit=3) == ()
    assert await store.watermark() == 0


@pytest.mark.parametrize(
    "value",
    [
        0,
        1,
        -7,
        2**70,
        0.0,
        1.0,
        0.1 + 0.2,
        1e300,
        math.inf,
        True,
        False,
        None,
        "",
        "1",
        "ü\n\ud800",
    ],
)
async def test_a_value_comes_back_with_its_type(store: FactStore, value: Value):
    await store.apply(puts=[fact("B-1", "seats", value)], watermark=1)
    (found,) = await store.facts("B-1")
    assert found.value == value
    assert type(found.value) is type(value)


async def test_a_fact_comes_back_whole(store: FactStore):
    whole = Fact(
        entity="B-1",
        attribute="budget",
        value=1.5,
        unit="EUR",
        as_of="2026-08-01",
        source="facts.jsonl",
        version=7,
    )
    await store.apply(puts=[whole], watermark=7)
    assert await store.facts("B-1") == (whole,)


async def test_facts_come_in_the_order_of_their_attributes(store: FactStore):
    names = ["b", "a", "ä", "B", "10", "9"]
    await store.apply(puts=[fact("B-1", name, 1) for name in names], watermark=1)
    assert [found.attribute for found in await store.facts("B-1")] == sorted(names)


async def test_several_sheets_come_in_the_order_asked_for(store: FactStore):
    one, two = fact("B-1", "seats", 1), fact("B-2", "seats", 2)
    await store.apply(puts=[one, two], watermark=1)
    assert await store.sheets(["B-2", "none", "B-1"]) == ((two,), (), (one,))
    assert await store.sheets([]) == ()


async def test_the_last_put_of_an_attribute_counts(store: FactStore):
    await store.apply(puts=[fact("B-1", "seats", 1), fact("B-1", "seats", 2)], watermark=1)
    await store.apply(puts=[fact("B-1", "open", 1)], watermark=2)
    await store.apply(puts=[fact("B-1", "open", True)], watermark=3)
    assert await store.facts("B-1") == (fact("B-1", "open", True), fact("B-1", "seats", 2))
    assert (await store.facts("B-1"))[0].value is True


async def test_the_watermark_moves_with_the_facts(store: FactStore):
    await store.apply(puts=[fact("B-1", "seats", 1)], watermark=4)
    assert await store.watermark() == 4
    await store.apply(watermark=9)
    assert await store.watermark() == 9
    await store.apply(watermark=0)
    assert await store.watermark() == 0


async def test_dropped_facts_and_entities_are_gone_from_everywhere(store: FactStore):
    await put_seats(store, a=1, b=2, c=3)
    await store.apply(drops=[("a", "seats"), ("a", "none"), ("x", "seats")], watermark=2)
    await store.apply(dropped_entities=["b", "y"], watermark=3)
    assert await store.facts("a") == ()
    assert await store.facts("b") == ()
    assert await store.ranking("Branch", "seats") == (("c", 3.0),)


async def test_drops_come_before_puts_in_one_batch(store: FactStore):
    await put_seats(store, a=1, b=2)
    await store.apply(
        puts=[fact("a", "seats", 5), fact("b", "open", 1)],
        drops=[("a", "seats")],
        dropped_entities=["b"],
        types={"b": "Depot"},
        watermark=2,
    )
    assert await store.facts("b") == (fact("b", "open", 1),)
    assert await store.ranking("Branch", "seats") == (("a", 5.0),)
    assert await store.ranking("Depot", "open") == (("b", 1.0),)


async def test_a_batch_applied_twice_is_a_batch_applied_once(store: FactStore):
    await put_seats(store, a=1, b=2, c=3)
    for _ in range(2):
        await store.apply(
            puts=[fact("a", "seats", 4)],
            drops=[("b", "seats")],
            dropped_entities=["c"],
            watermark=2,
        )
        assert await store.ranking("Branch", "seats") == (("a", 4.0),)
        assert await store.facts("a") == (fact("a", "seats", 4),)


async def test_a_ranking_has_ties_in_the_order_of_ids(store: FactStore):
    await put_seats(store, b=2, a=2, ä=2, B=2, c=3, d=1)
    ties = (("B", 2.0), ("a", 2.0), ("b", 2.0), ("ä", 2.0))
    assert await store.ranking("Branch", "seats") == (("c", 3.0), *ties, ("d", 1.0))
    assert await store.ranking("Branch", "seats", ascending=True) == (
        ("d", 1.0),
        *ties,
        ("c", 3.0),
    )


@pytest.mark.parametrize(
    ("limit", "descending", "ascending"),
    [(0, "", ""), (1, "a", "d"), (2, "abc", "dbc"), (3, "abc", "dbc"), (9, "abcd", "dbca")],
)
async def test_a_limit_takes_those_that_tie_with_the_last(
    store: FactStore, limit: int, descending: str, ascending: str
):
    await put_seats(store, a=3, b=2, c=2, d=-1.5)
    down = await store.ranking("Branch", "seats", limit=limit)
    up = await store.ranking("Branch", "seats", limit=limit, ascending=True)
    assert "".join(branch for branch, _ in down) == descending
    assert "".join(branch for branch, _ in up) == ascending


async def test_only_finite_numbers_rank(store: FactStore):
    odd: dict[str, Value] = {
        "b": True,
        "c": "5",
        "d": None,
        "e": math.nan,
        "f": math.inf,
        "g": 10**400,
    }
    await put_seats(store, a=1, **odd)
    assert await store.ranking("Branch", "seats") == (("a", 1.0),)


async def test_a_ranking_follows_its_values(store: FactStore):
    await put_seats(store, a=1, b=2, c=3)
    await put_seats(store, a=9, b="closed", c=3)
    assert await store.ranking("Branch", "seats") == (("a", 9.0), ("c", 3.0))
    await put_seats(store, b=0.1 + 0.2)
    assert (await store.ranking("Branch", "seats"))[-1] == ("b", 0.1 + 0.2)


async def test_a_ranking_follows_the_types(store: FactStore):
    await store.apply(puts=[fact("a", "seats", 1)], watermark=1)
    assert await store.ranking("Branch", "seats") == ()
    await store.apply(types={"a": "Branch"}, watermark=2)
    assert await store.ranking("Branch", "seats") == (("a", 1.0),)
    await store.apply(puts=[fact("a", "seats", 2)], watermark=3)
    assert await store.ranking("Branch", "seats") == (("a", 2.0),)
    await store.apply(types={"a": "Depot"}, watermark=4)
    assert await store.ranking("Branch", "seats") == ()
    assert await store.ranking("Depot", "seats") == (("a", 2.0),)


async def test_unusual_ids_never_collide(store: FactStore):
    facts = [fact(entity, name, n) for n, entity in enumerate(HOSTILE) for name in HOSTILE]
    await store.apply(puts=facts, types={entity: entity for entity in HOSTILE}, watermark=1)
    for n, entity in enumerate(HOSTILE):
        assert {f.attribute for f in await store.facts(entity)} == set(HOSTILE)
        assert {f.value for f in await store.facts(entity)} == {n}
        assert await store.ranking(entity, "a:b") == ((entity, float(n)),)
    await store.apply(dropped_entities=["a", "a*"], watermark=2)
    assert [entity for entity in HOSTILE if not await store.facts(entity)] == ["a", "a*"]


async def test_clearing_forgets_its_own_prefix_alone(open_store: OpenStore):
    prefixes = ["p", "p:facts", "p*", "?", "pp", "P", "p:"]
    stores = {prefix: await open_store(prefix) for prefix in prefixes}
    for prefix, store in stores.items():
        await store.apply(puts=[fact("facts:a", prefix, 1)], types={"facts:a": "T"}, watermark=3)
        await store.set("key", prefix.encode(), ttl_s=60)
    for prefix in ("p*", "?", "p"):
        await stores[prefix].clear()
        assert await stores[prefix].facts("facts:a") == ()
        assert await stores[prefix].ranking("T", prefix) == ()
        assert await stores[prefix].watermark() == 0
        assert await stores[prefix].get("key") is None
    for prefix in ("p:facts", "pp", "P", "p:"):
        assert await stores[prefix].facts("facts:a") == (fact("facts:a", prefix, 1),)
        assert await stores[prefix].ranking("T", prefix) == (("facts:a", 1.0),)
        assert await stores[prefix].watermark() == 3
        assert await stores[prefix].get("key") == prefix.encode()


async def test_many_batches_leave_what_a_rebuild_would(store: FactStore):
    rng = random.Random(7)
    values: list[Value] = [1, 2, 2.5, "no", True]
    expected = MemoryFactStore()
    entities, names, kinds = "abcdef", ["x", "y", "z"], ["T", "U"]
    for n in range(1, 60):
        facts = [
            fact(rng.choice(entities), rng.choice(names), rng.choice(values), n)
            for _ in range(rng.randrange(4))
        ]
        drops = [(rng.choice(entities), rng.choice(names)) for _ in range(rng.randrange(3))]
        dropped = rng.sample(entities, rng.choice([0, 0, 1]))
        types = {rng.choice(entities): rng.choice(kinds) for _ in range(rng.randrange(3))}
        for each in (store, expected):
            await each.apply(
                puts=facts, drops=drops, dropped_entities=dropped, types=types, watermark=n
            )
        for entity in entities:
            assert await store.facts(entity) == await expected.facts(entity)
        for kind in kinds:
            assert await store.ranking(kind, "x") == await expected.ranking(kind, "x")


async def test_what_is_remembered_can_be_replaced_and_forgotten(store: FactStore):
    assert await store.get("key") is None
    await store.set("key", b"\x00one", ttl_s=60)
    await store.set("key", b"two", ttl_s=60)
    await store.set("other", b"", ttl_s=60)
    assert await store.get("key") == b"two"
    assert await store.get("other") == b""
    await store.delete(["key", "none"])
    await store.delete([])
    assert await store.get("key") is None
    assert await store.get("other") == b""


async def test_several_values_are_remembered_together(store: FactStore):
    await store.set_all({"one": b"1", "two": b"2"}, ttl_s=60)
    assert [await store.get("one"), await store.get("two")] == [b"1", b"2"]


async def test_a_life_of_no_seconds_remembers_nothing(store: FactStore):
    await store.set("key", b"one", ttl_s=60)
    await store.set("key", b"two", ttl_s=0)
    assert await store.get("key") is None


async def test_the_fake_forgets_when_the_time_is_up():
    now = [100.0]
    store = MemoryFactStore(clock=lambda: now[0])
    await store.set("key", b"one", ttl_s=10)
    now[0] = 109.9
    assert await store.get("key") == b"one"
    now[0] = 110.0
    assert await store.get("key") is None


async def test_reading_does_not_prolong_what_is_remembered(embedded_server: EmbeddedServer):
    async with opened(embedded_server.url) as store:
        await store.set("key", b"one", ttl_s=1000)
        key = store._key("memory", "key")
        expiry = await store._client.pexpiretime(key)
        assert await store.get("key") == b"one"
        assert await store._client.pexpiretime(key) == expiry
        assert 0 < await store._client.ttl(key) <= 1000


async def test_a_writer_that_comes_between_stops_the_batch(embedded_server: EmbeddedServer):
    async with opened(embedded_server.url) as store, opened(embedded_server.url) as other:
        read = store._sheets

        async def read_and_be_overtaken(entities):
            found = await read(entities)
            await other.apply(puts=[fact("a", "seats", 2)], watermark=2)
            return found

        store._sheets = read_and_be_overtaken  # type: ignore[method-assign]  # the other writer
        with pytest.raises(DependencyError):
            await store.apply(puts=[fact("a", "seats", 1)], watermark=1)
        assert await store.facts("a") == (fact("a", "seats", 2),)
        assert await store.watermark() == 2


async def test_a_refused_port_is_said_at_once():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        url = f"redis://127.0.0.1:{unused.getsockname()[1]}"
        async with opened(url) as store, asyncio.timeout(1):
            await expect_no_answer(store)


async def test_a_silent_server_is_given_up_in_time():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()  # the kernel accepts, nobody answers
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        async with opened(url, timeout_s=0.02) as store, asyncio.timeout(1):
            await expect_no_answer(store)


async def test_a_patient_store_waits_longer_for_the_same_facts(embedded_server: EmbeddedServer):
    async with opened(embedded_server.url, timeout_s=0.5) as store:
        patient = store.patient()
        await patient.apply(puts=[Fact(entity="B-1", attribute="seats", value=3)], watermark=2)
        async with stopped(embedded_server.pid, for_s=0.7):
            assert await patient.watermark() == 2
        assert [fact.value for fact in await patient.facts("B-1")] == [3]


@asynccontextmanager
async def stopped(pid: int, *, for_s: float) -> AsyncIterator[None]:
    """Stop a process, and let it go on a little later."""
    os.kill(pid, signal.SIGSTOP)
    asyncio.get_running_loop().call_later(for_s, os.kill, pid, signal.SIGCONT)
    yield


async def test_a_text_that_is_no_url_is_refused():
    with pytest.raises(InputError):
        await RedisStore.open("localhost:6379", prefix="p")


@asynccontextmanager
async def opened(url: str, timeout_s: float = 5.0) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(url, prefix="p", timeout_s=timeout_s)
    try:
        yield store
    finally:
        await store.close()


async def expect_no_answer(store: RedisStore) -> None:
    for call in (
        store.ping(),
        store.facts("a"),
        store.ranking("T", "a", limit=1),
        store.watermark(),
        store.clear(),
        store.get("key"),
        store.set("key", b"", ttl_s=1),
        store.delete(["key"]),
        store.apply(watermark=1),
    ):
        with pytest.raises(DependencyError):
            await call
