"""What the question reader knows of the domain: names and schema, kept up to the journal."""

import random

import pytest

from trivium.domain.knowledge import Change, ChangeKind, Node
from trivium.domain.payloads import node_payload, schema_payload
from trivium.domain.schema import NodeType, Schema
from trivium.knowledge.lexicon import LexiconProjection, lexicon_of
from trivium.language.reading import Lexicon


@pytest.fixture
def projection() -> LexiconProjection:
    return LexiconProjection(Lexicon.empty())


def put(node_id: str, name: str, source: str = "data", node_type: str = "T") -> Change:
    node = Node(id=node_id, type=node_type, name=name)
    payload = node_payload(node, None, None)
    return Change(kind=ChangeKind.PUT_NODE, key=node_id, payload=payload, source=source)


def drop(node_id: str, source: str = "data") -> Change:
    return Change(kind=ChangeKind.DROP_NODE, key=node_id, source=source)


def schema(*types: str, source: str = "data") -> Change:
    made = Schema(name=source, node_types={name: NodeType(name=name) for name in types})
    return Change(
        kind=ChangeKind.SET_SCHEMA, key="schema", payload=schema_payload(made), source=source
    )


async def test_names_and_schema_follow_the_changes(projection: LexiconProjection):
    await projection.apply([schema("T"), put("a", "Ann"), put("b", "Bob")], 3)
    await projection.apply([put("a", "Anna"), drop("b"), schema("U")], 6)

    lexicon = projection.lexicon
    assert (lexicon.names.name("a"), "b" in lexicon.names) == ("Anna", False)
    assert set(lexicon.schema.node_types) == {"U"}
    assert lexicon.version == await projection.watermark() == 6


async def test_a_replay_changes_nothing(projection: LexiconProjection):
    changes = [schema("T"), put("a", "Ann"), drop("a"), put("a", "Anna"), drop("nobody")]
    await projection.apply(changes, 5)
    await projection.apply(changes, 5)
    assert (len(projection.lexicon.names), projection.lexicon.names.name("a")) == (1, "Anna")


async def test_a_name_of_two_data_sets_goes_with_the_last_of_them(projection: LexiconProjection):
    await projection.apply([put("a", "Ann", "one"), put("a", "Anna", "two", "U")], 2)
    names = projection.lexicon.names
    assert (names.name("a"), names.type("a")) == ("Anna", "U")

    await projection.apply([drop("a", "two")], 3)
    assert (names.name("a"), names.type("a")) == ("Ann", "T")
    await projection.apply([drop("a", "one")], 4)
    assert "a" not in names


async def test_the_schemas_of_several_data_sets_are_one(projection: LexiconProjection):
    await projection.apply([schema("T", source="one"), schema("U", source="two")], 2)
    assert set(projection.lexicon.schema.node_types) == {"T", "U"}


async def test_clearing_forgets_everything(projection: LexiconProjection):
    await projection.apply([schema("T"), put("a", "Ann")], 2)
    await projection.clear()
    assert await projection.watermark() == 0
    assert (len(projection.lexicon.names), projection.lexicon.schema) == (0, Schema())
    await projection.apply([drop("a")], 3)
    assert len(projection.lexicon.names) == 0


@pytest.mark.parametrize("seed", range(10))
async def test_many_changes_leave_what_a_rebuild_would(projection: LexiconProjection, seed: int):
    rng = random.Random(seed)
    last: dict[tuple[str, str], Change] = {}
    for upto in range(1, 60):
        node, source = rng.choice("abc"), rng.choice(["one", "two"])
        name = rng.choice(["Ann", "Bob", "Eve"])
        change = drop(node, source) if rng.random() < 0.4 else put(node, name, source)
        await projection.apply([change], upto)
        last.pop((node, source), None)
        last[node, source] = change

    rebuilt = lexicon_of(c for c in last.values() if c.kind is ChangeKind.PUT_NODE)
    names = projection.lexicon.names
    assert len(names) == len(rebuilt.names)
    assert [names.name(n) for n in "abc"] == [rebuilt.names.name(n) for n in "abc"]
