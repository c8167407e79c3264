"""What the question reader knows of the domain: names and schema, kept up to the journal."""

import random

import pytest

from tests.fakes import HashEncoder
from trivium.domain.knowledge import Change, ChangeKind, Document, Fact, Node
from trivium.domain.payloads import document_payload, fact_payload, node_payload, schema_payload
from trivium.domain.question import Documented, Question, TermKind, Understood
from trivium.domain.schema import NodeType, Property, Schema
from trivium.knowledge.lexicon import LexiconProjection, lexicon_of
from trivium.language.reading import Lexicon, QuestionReader


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


def fact(entity: str, attribute: str, source: str = "data") -> Change:
    payload = fact_payload(Fact(entity=entity, attribute=attribute, value=1))
    key = f"{entity}|{attribute}"
    return Change(kind=ChangeKind.PUT_FACT, key=key, payload=payload, source=source)


def document(document_id: str, text: str, acl: tuple[str, ...] = ()) -> Change:
    made = Document(id=document_id, title="A note", text=text, acl=acl)
    payload = document_payload(made, None, None)
    return Change(kind=ChangeKind.PUT_DOCUMENT, key=document_id, payload=payload, source="data")


def read(projection: LexiconProjection, text: str) -> Understood:
    return QuestionReader(HashEncoder(), projection.lexicon).read(Question(text=text))


def recorded(projection: LexiconProjection, text: str) -> list[str]:
    return [t.name for t in read(projection, text).terms_of(TermKind.FACT) if t.score == 1]


async def test_attributes_of_facts_are_words_while_a_fact_has_them(projection: LexiconProjection):
    ask = "How many spare wheels has Ann?"
    changes = [put("a", "Ann"), fact("a", "spare_wheels"), fact("a", "spare_wheels", "other")]
    await projection.apply([*changes, *changes], 3)
    assert recorded(projection, ask) == ["spare_wheels"]

    for source, left in (("other", ["spare_wheels"]), ("data", [])):
        gone = Change(kind=ChangeKind.DROP_FACT, key="a|spare_wheels", source=source)
        await projection.apply([gone, gone], 5)
        assert recorded(projection, ask) == left


async def test_an_attribute_that_entities_have_is_no_fact_alone(projection: LexiconProjection):
    wheels = NodeType(name="Car", properties={"wheels": Property(name="wheels")})
    made = schema_payload(Schema(name="data", node_types={"Car": wheels}))
    changes = [Change(kind=ChangeKind.SET_SCHEMA, key="schema", payload=made, source="data")]
    await projection.apply([*changes, put("a", "Ann"), fact("a", "wheels")], 3)
    kinds = {t.kind for t in read(projection, "How many wheels has Ann?").terms}
    assert kinds == {TermKind.PROPERTY}


async def test_words_that_documents_alone_explain_are_counted(projection: LexiconProjection):
    await projection.apply([put("a", "Ann")], 1)
    ask = "Until when may Ann polish a slot on the 3 May?"
    assert read(projection, ask).documented is None

    await projection.apply([document("d", "Slots are free to polish."), document("e", "Slot")], 3)
    assert read(projection, ask).documented == Documented(n_unread=2, n_known=2)
    await projection.apply([document("d", "Nothing of that."), document("s", "polish", ("x",))], 5)
    assert read(projection, ask).documented == Documented(n_unread=2, n_known=1)
    await projection.apply([Change(kind=ChangeKind.DROP_DOCUMENT, key="e", source="data")], 6)
    assert read(projection, ask).documented == Documented(n_unread=2, n_known=0)
    await projection.clear()
    assert read(projection, ask).documented is None


async def test_a_word_that_stands_in_a_document_is_no_slip(projection: LexiconProjection):
    ask = "What about wetted stock?"
    assert "wet" not in {token.stem for token in read(projection, ask).tokens}
    await projection.apply([document("d", "Stock that was wetted is scrap.")], 1)
    assert "wet" in {token.stem for token in read(projection, ask).tokens}
