"""The facts as a projection: on every fact store, in any cut of the journal, told twice or once."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from tests.contract.conftest import FactStore, OpenStore
from tests.fakes import MemoryFactStore
from tiers.cag.projection import FactProjection
from tiers.cag.sheets import is_hidden, twin
from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change, ChangeKind, Edge, Fact, Node, Value
from trivium.domain.payloads import edge_payload, fact_payload, node_payload, schema_payload
from trivium.domain.schema import NodeType, Schema

VALUES: list[Value] = [1, 2, 3.5, "Bern"]
HOSTILE = ["a|b", "|", "a\x00b", "a:b*[c]?", "'; DROP", "ä", "a\u0308", "日本", "{a}", " ", "type"]


def put(
    node: str, node_type: str = "Branch", source: str = "library", **properties: Value
) -> Change:
    return put_node(node, node_type, properties, source)


def put_node(
    node: str, node_type: str, properties: Mapping[str, Value], source: str = "library"
) -> Change:
    entity = Node(id=node, type=node_type, name=node, properties=properties)
    payload = node_payload(entity, None, None)
    return Change(kind=ChangeKind.PUT_NODE, key=node, payload=payload, source=source)


def drop(node: str) -> Change:
    return Change(kind=ChangeKind.DROP_NODE, key=node, source="library")


def put_fact(entity: str, attribute: str, value: Value, as_of: str | None = "2026-07-01") -> Change:
    fact = Fact(entity=entity, attribute=attribute, value=value, as_of=as_of, source="count")
    key = f"{entity}|{attribute}"
    return Change(kind=ChangeKind.PUT_FACT, key=key, payload=fact_payload(fact), source="library")


def drop_fact(entity: str, attribute: str) -> Change:
    return Change(kind=ChangeKind.DROP_FACT, key=f"{entity}|{attribute}", source="library")


def put_schema(as_of: str | None, source: str = "library") -> Change:
    types = {name: NodeType(name=name) for name in ("Branch", "Title")}
    payload = schema_payload(Schema(name=source, as_of=as_of, node_types=types))
    return Change(kind=ChangeKind.SET_SCHEMA, key="schema", payload=payload, source=source)


def numbered(changes: Sequence[Change]) -> list[Change]:
    return [
        Change(kind=c.kind, key=c.key, payload=c.payload, source=c.source, sequence=n)
        for n, c in enumerate(changes, 1)
    ]


async def told(store: FactStore, *changes: Change) -> FactProjection:
    projection = FactProjection(store)
    await projection.apply(numbered(changes), len(changes))
    return projection


async def values(store: FactStore, entity: str) -> dict[str, Value]:
    return {fact.attribute: fact.value for fact in await store.facts(entity)}


async def test_each_property_becomes_a_fact_with_its_unit_date_and_source(store: FactStore):
    await told(
        store, put_schema("2026-08-01"), put("B-1", lead_time_days=25, city="Bern", closed=None)
    )

    assert await store.facts("B-1") == (
        Fact(entity="B-1", attribute="city", value="Bern", as_of="2026-08-01",
             source="node B-1", version=2),
        Fact(entity="B-1", attribute="lead_time_days", value=25, unit="days", as_of="2026-08-01",
             source="node B-1", version=2),
    )  # fmt: skip


async def test_a_text_has_no_unit_whatever_its_name(store: FactStore):
    await told(store, put("B-1", visiting_hours="14-19"))

    (fact,) = await store.facts("B-1")
    assert fact.unit is None
    assert fact.as_of is None


async def test_a_property_counted_by_a_period_keeps_both_in_its_unit(store: FactStore):
    await told(store, put("B-1", hire_usd_day=7))

    assert (await store.facts("B-1"))[0].unit == "USD per day"


async def test_a_changed_node_is_replaced_as_a_whole(store: FactStore):
    await told(store, put("B-1", seats=3, city="Bern"), put("B-1", "Title", pages=9))

    assert await values(store, "B-1") == {"pages": 9}
    assert await store.ranking("Branch", "seats") == ()
    assert await store.ranking("Title", "pages") == (("B-1", 9.0),)


async def test_a_dropped_node_takes_all_its_facts_along(store: FactStore):
    await told(store, put("B-1", seats=3), put_fact("B-1", "visitors", 5), drop("B-1"))

    assert await store.facts("B-1") == ()
    assert await store.facts(twin("B-1")) == ()
    assert await store.ranking("Branch", "seats") == ()


async def test_an_explicit_fact_hides_the_nodes_own_value_until_it_is_dropped(store: FactStore):
    projection = await told(store, put("B-1", seats=3), put_fact("B-1", "seats", 40))
    assert await values(store, "B-1") == {"seats": 40}
    assert await store.ranking("Branch", "seats") == (("B-1", 40.0),)

    await projection.apply([drop_fact("B-1", "seats")], 3)

    assert await values(store, "B-1") == {"seats": 3}
    assert await store.ranking("Branch", "seats") == (("B-1", 3.0),)


async def test_a_fact_that_two_say_stays_while_one_of_them_says_it(store: FactStore):
    facts = FactProjection(store)
    other = replace(put_fact("b", "seats", 9), source="other")
    await facts.apply(numbered([put("b", seats=1), other, put_fact("b", "seats", 5)]), 3)
    assert [f.value for f in await store.facts("b")] == [5]

    await facts.apply([replace(drop_fact("b", "seats"), sequence=4)], 4)
    assert [f.value for f in await store.facts("b")] == [9]

    await facts.apply([replace(drop_fact("b", "seats"), source="other", sequence=5)], 5)
    assert [f.value for f in await store.facts("b")] == [1]


async def test_a_fact_is_kept_with_its_earlier_versions_and_goes_with_them(store: FactStore):
    first = Fact(entity="B-1", attribute="wait_days", value=3, as_of="2026-06-01", source="count")
    fact = replace(first, value=5, as_of="2026-07-01", earlier=(first,))
    payload = fact_payload(fact)
    change = Change(kind=ChangeKind.PUT_FACT, key="B-1|wait_days", payload=payload, source="one")
    other = replace(put_fact("B-1", "wait_days", 9), source="other")
    projection = await told(store, put("B-1"), change, other)
    assert [f.value for f in await store.facts("B-1")] == [9]

    drop_other = replace(drop_fact("B-1", "wait_days"), source="other", sequence=4)
    await projection.apply([drop_other], 4)
    (kept,) = await store.facts("B-1")
    assert [(f.value, f.unit, f.as_of, f.source) for f in (*kept.earlier, kept)] == [
        (3, "days", "2026-06-01", "count"), (5, "days", "2026-07-01", "count"),
    ]  # fmt: skip

    dropped = replace(drop_fact("B-1", "wait_days"), source="one", sequence=5)
    await projection.apply([dropped], 5)
    assert await store.facts("B-1") == ()


async def test_the_value_that_comes_back_is_the_nodes_newest(store: FactStore):
    projection = await told(store, put("B-1", seats=3), put_fact("B-1", "seats", 40))
    await projection.apply([put("B-1", seats=4)], 3)
    assert await values(store, "B-1") == {"seats": 40}

    await projection.apply([drop_fact("B-1", "seats")], 4)

    assert await values(store, "B-1") == {"seats": 4}


async def test_an_explicit_fact_that_claims_to_be_the_nodes_own_stays_explicit(store: FactStore):
    fact = Fact(entity="B-1", attribute="seats", value=40, source="node B-1")
    change = Change(kind=ChangeKind.PUT_FACT, key="B-1|seats", payload=fact_payload(fact))
    projection = await told(store, put("B-1", seats=3), change)

    await projection.apply([put("B-1", seats=4)], 3)

    assert await values(store, "B-1") == {"seats": 40}


async def test_a_fact_without_a_nodes_value_leaves_nothing_behind(store: FactStore):
    await told(store, put("B-1"), put_fact("B-1", "visitors", 5), drop_fact("B-1", "visitors"))

    assert await store.facts("B-1") == ()


@pytest.mark.parametrize("is_one_batch", [True, False])
async def test_facts_may_precede_their_node(store: FactStore, *, is_one_batch: bool):
    changes = numbered([put_fact("B-1", "visitors", 5), put("B-1", seats=3)])
    projection = FactProjection(store)

    for batch in [changes] if is_one_batch else [[change] for change in changes]:
        await projection.apply(batch, batch[-1].sequence)

    assert await values(store, "B-1") == {"seats": 3, "visitors": 5}
    assert await store.ranking("Branch", "visitors") == (("B-1", 5.0),)


async def test_a_null_fact_is_none(store: FactStore):
    await told(store, put("B-1", seats=3), put_fact("B-1", "seats", None))

    assert await values(store, "B-1") == {"seats": 3}


async def test_relations_make_no_facts(store: FactStore):
    edge = Edge(key="e", source="B-1", target="T-1", type="HOLDS", properties={"copies": 3})
    payload = edge_payload(edge, None, None)
    await told(store, put("B-1"), Change(kind=ChangeKind.PUT_EDGE, key="e", payload=payload))

    assert await store.facts("B-1") == ()


@pytest.mark.parametrize("is_schema_first", [True, False])
async def test_what_nodes_say_is_as_of_their_data_set(store: FactStore, *, is_schema_first: bool):
    changes = [put_schema("2026-08-01"), put("B-1", seats=3), put("X-1", source="other", seats=1)]
    await told(store, *(changes if is_schema_first else reversed(changes)))

    assert (await store.facts("B-1"))[0].as_of == "2026-08-01"
    assert (await store.facts("X-1"))[0].as_of is None


async def test_a_data_set_confirmed_later_dates_its_nodes_anew(store: FactStore):
    projection = await told(
        store, put_schema("2026-08-01"), put("B-1", seats=3), put_fact("B-1", "visitors", 5)
    )

    await projection.apply([put_schema("2026-09-01")], 4)

    dates = {fact.attribute: fact.as_of for fact in await store.facts("B-1")}
    assert dates == {"seats": "2026-09-01", "visitors": "2026-07-01"}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("attribute", ["seats", "a|b", "type", "own:seats"])
async def test_hostile_names_are_kept_apart(store: FactStore, name: str, attribute: str):
    other = name + "|"
    projection = await told(
        store,
        put_node(name, "Branch", {attribute: 1}),
        put_node(other, "Branch", {attribute: 2}),
        put_fact(name, attribute, 3),
        put_fact(other, attribute, 4),
    )
    await projection.apply([drop_fact(name, attribute)], 5)

    assert await values(store, name) == {attribute: 1}
    assert await values(store, other) == {attribute: 4}


async def test_what_another_process_wrote_is_not_forgotten(store: FactStore):
    mine, other = await told(store, put("B-1", seats=3)), FactProjection(store)
    await other.apply([put_fact("B-2", "visitors", 5)], 2)
    await mine.apply([put("B-2", seats=4)], 3)

    assert await values(store, "B-2") == {"seats": 4, "visitors": 5}


async def test_names_of_hidden_sheets_are_nobodys(store: FactStore):
    await told(
        store, put("B-1", seats=3), put(twin("B-1"), own=1), put_fact(twin("B-1"), "type", "X")
    )

    assert is_hidden(twin("B-1"))
    assert await values(store, "B-1") == {"seats": 3}
    assert "own" not in await values(store, twin("B-1"))


async def test_a_watermark_moves_without_changes_and_clear_forgets(store: FactStore):
    projection = await told(store, put("B-1", seats=3))
    await projection.apply([], 7)
    assert await projection.watermark() == 7

    await projection.clear()

    assert await projection.watermark() == 0
    assert await store.facts("B-1") == ()


class CutShort(MemoryFactStore):
    """A store that fails at its second write, once."""

    n_writes = 0

    async def apply(self, **batch) -> None:
        self.n_writes += 1
        if self.n_writes == 2:
            raise DependencyError("gone")
        await super().apply(**batch)


async def test_a_large_batch_cut_short_leaves_the_watermark_and_is_simply_applied_again():
    store = CutShort()
    projection = FactProjection(store)
    changes = numbered([put(f"B-{n}", seats=n) for n in range(700)])

    with pytest.raises(DependencyError):
        await projection.apply(changes, 700)
    assert await projection.watermark() == 0
    await projection.apply(changes, 700)

    assert await projection.watermark() == 700
    assert len(await store.ranking("Branch", "seats")) == 700
    assert store.n_writes == 2 + 3


def some_changes(chance: random.Random, n: int) -> list[Change]:
    made: list[Change] = []
    for _ in range(n):
        entity = chance.choice(["B-1", "B-2", "a|b"])
        attribute = chance.choice(["seats", "b|seats", "city"])
        value = chance.choice(VALUES)
        made.append(
            chance.choice(
                [
                    put_node(
                        entity, chance.choice(["Branch", "Title"]), {"age": 4, attribute: value}
                    ),
                    put(entity),
                    put_fact(entity, attribute, value),
                    drop_fact(entity, attribute),
                    put_schema(chance.choice(["2026-01-01", "2026-02-02", None])),
                    *([drop(entity)] if chance.random() < 0.3 else []),
                ]
            )
        )
    return numbered(made)


async def state(store: FactStore) -> list[object]:
    facts = [await store.facts(e) for e in ("B-1", "B-2", "a|b", "a")]
    ranks = [
        await store.ranking(t, a) for t in ("Branch", "Title") for a in ("seats", "b|seats", "age")
    ]
    return [*facts, *ranks]


@pytest.mark.parametrize("seed", range(12))
async def test_any_cut_and_any_replay_from_the_middle_end_alike(open_store: OpenStore, seed: int):
    chance = random.Random(seed)
    changes = some_changes(chance, 40)
    whole, cut = await open_store("whole"), await open_store("cut")
    await FactProjection(whole).apply(changes, 40)

    projection, at = FactProjection(cut), 0
    while at < 40:
        start, at = max(0, at - chance.randint(0, 5)), min(40, at + chance.randint(1, 9))
        await projection.apply(changes[start:at], at)

    assert await state(cut) == await state(whole)
    await projection.apply(changes[chance.randint(0, 39) :], 40)
    assert await state(cut) == await state(whole)
