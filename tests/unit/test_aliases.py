"""Aliases: when words may be learned, and that the lexicon knows them however changes come."""

import itertools
from datetime import UTC, datetime

import pytest

from trivium.domain.alias import Meaning, Meant
from trivium.domain.errors import InputError
from trivium.domain.knowledge import Change, ChangeKind, Node
from trivium.domain.mutation import AddAlias, Mutation, RemoveAlias, RemoveEntity
from trivium.domain.payloads import node_payload, schema_payload
from trivium.domain.question import TermKind
from trivium.domain.schema import NodeType, Property, RelationType, Schema
from trivium.knowledge.held import Held
from trivium.knowledge.lexicon import lexicon_of
from trivium.knowledge.mutations import changes_for
from trivium.language.text import tokenize

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SCHEMA = Schema(
    node_types={
        "Branch": NodeType(
            name="Branch",
            words=("outlet",),
            properties={name: Property(name=name) for name in ("seats", "opened")},
        ),
        "Title": NodeType(name="Title", properties={"opened": Property(name="opened")}),
    },
    relation_types={
        "HOLDS": RelationType(name="HOLDS", ends=(("Branch", "Title"),)),
        "LENDS": RelationType(
            name="LENDS",
            ends=(("Branch", "Title"),),
            properties={"copies": Property(name="copies")},
        ),
    },
)
BRANCH = Meaning(kind=Meant.TYPE, name="Branch")
HOLDS = Meaning(kind=Meant.RELATION, name="HOLDS")
SEATS = Meaning(kind=Meant.PROPERTY, name="seats", of="Branch")
COPIES = Meaning(kind=Meant.PROPERTY, name="copies", of="LENDS")
EMMA = Meaning(kind=Meant.ENTITY, name="t1")
ULYSSES = Meaning(kind=Meant.ENTITY, name="t2")


def node(key: str, name: str, *aliases: str) -> Change:
    payload = node_payload(Node(id=key, type="Title", name=name, aliases=aliases), None, None)
    return Change(kind=ChangeKind.PUT_NODE, key=key, source="library", payload=payload)


DATA = (
    Change(kind=ChangeKind.SET_SCHEMA, key="schema", payload=schema_payload(SCHEMA)),
    node("t1", "Emma", "Miss Woodhouse"),
    node("t2", "Ulysses"),
)


def made(*mutations: Mutation, after: tuple[Change, ...] = ()) -> tuple[Change, ...]:
    return changes_for(mutations, Held.of([*DATA, *after]), author="ann", now=NOW)


def learn(words: str, means: Meaning) -> AddAlias:
    return AddAlias(words=words, means=means)


def faults(*mutations: Mutation, after: tuple[Change, ...] = ()) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        made(*mutations, after=after)
    return list(caught.value.errors)


@pytest.mark.parametrize("means", [BRANCH, HOLDS, SEATS, COPIES, EMMA])
def test_words_are_learned_for_each_kind_of_thing_and_forgotten(means: Meaning):
    (change,) = made(learn("  Reading Rooms ", means))

    assert (change.kind, change.author, change.source) == (
        ChangeKind.PUT_ALIAS,
        "ann",
        "mutations",
    )
    assert change.payload == {"words": "Reading Rooms", **means.to_json()}
    assert made(learn("reading rooms", means), after=(change,)) == ()
    (dropped,) = made(RemoveAlias(words="READING rooms", means=means), after=(change,))
    assert (dropped.kind, dropped.key) == (ChangeKind.DROP_ALIAS, change.key)
    assert made(RemoveAlias(words="reading rooms", means=means)) == ()


def test_words_that_mean_something_else_are_not_forgotten():
    learned = made(learn("the matchmaker", EMMA))

    assert made(RemoveAlias(words="the matchmaker", means=ULYSSES), after=learned) == ()


@pytest.mark.parametrize(
    ("words", "means", "where", "what"),
    [
        ("novel", Meaning(kind=Meant.ENTITY, name="t9"), "entity", "no entity has the id 't9'"),
        ("novel", Meaning(kind=Meant.TYPE, name="Book"), "type", "there are Branch, Title"),
        ("novel", Meaning(kind=Meant.RELATION, name="HAS"), "relation", "there are HOLDS, LENDS"),
        ("novel", Meaning(kind=Meant.PROPERTY, name="x", of="Branch"), "property", "seats, opened"),
        ("novel", Meaning(kind=Meant.PROPERTY, name="x", of="Book"), "of", "there are Branch"),
        ("the", EMMA, "words", "say nothing of their own"),
        ("which of those", BRANCH, "words", "say nothing of their own"),
        ("  ", EMMA, "words", "1 to 60 characters"),
        ("-!?", EMMA, "words", "1 to 60 characters"),
        ("x" * 61, EMMA, "words", "1 to 60 characters"),
        ("ulysses", EMMA, "words", "already means the entity t2"),
        ("Miss Woodhouse", ULYSSES, "words", "already means the entity t1"),
        ("T1", ULYSSES, "words", "already means the entity t1"),
        ("titles", BRANCH, "words", "already means the type Title"),
        ("lend", HOLDS, "words", "already means the relation LENDS"),
        ("opened", SEATS, "words", "already means the property opened"),
    ],
)
def test_what_cannot_be_learned_is_told_with_its_place(
    words: str, means: Meaning, where: str, what: str
):
    ((place, told),) = faults(learn(words, means))

    assert place == f"mutations.0.{where}"
    assert what in told


@pytest.mark.parametrize(
    ("words", "means"), [("Emma", EMMA), ("Miss Woodhouse", EMMA), ("outlets", BRANCH)]
)
def test_what_words_mean_already_is_no_change(words: str, means: Meaning):
    assert made(learn(words, means)) == ()


def test_a_property_of_another_owner_may_have_the_same_words():
    opened = Meaning(kind=Meant.PROPERTY, name="opened", of="Title")
    assert len(made(learn("seats", opened))) == 1


def test_words_mean_one_thing_within_a_request_too():
    assert faults(learn("matchmaker", EMMA), learn("matchmakers", ULYSSES)) == [
        ("mutations.1.words", "'matchmakers' already means the entity t1")
    ]
    learned = made(learn("matchmaker", EMMA))
    moved = made(
        RemoveAlias(words="matchmaker", means=EMMA), learn("matchmaker", ULYSSES), after=learned
    )
    assert [change.kind for change in moved] == [ChangeKind.DROP_ALIAS, ChangeKind.PUT_ALIAS]


def test_an_entity_that_goes_takes_its_aliases():
    learned = made(learn("matchmaker", EMMA))

    kinds = [change.kind for change in made(RemoveEntity(id="t1"), after=learned)]

    assert kinds == [ChangeKind.DROP_ALIAS, ChangeKind.DROP_NODE]


def test_a_meaning_is_just_one_thing():
    for form in (
        {},
        {"entity": "a", "type": "B"},
        {"property": "p"},
        {"type": "B", "of": "C"},
    ):
        with pytest.raises(InputError):
            Meaning.of_json(form)
    assert Meaning.of_json(SEATS.to_json()) == SEATS


LEARNED = made(
    learn("reading room", BRANCH),
    learn("harbour", HOLDS),
    learn("chairs", SEATS),
    learn("the matchmaker", EMMA),
)


def meant(changes: tuple[Change, ...], words: str) -> set[tuple[str, str]]:
    """What the lexicon that changes make knows words as."""
    lexicon = lexicon_of(changes)
    tokens = tokenize(words)
    terms = {(t.kind.value, t.name) for t in lexicon.vocabulary.find(tokens)}
    mentions = lexicon.names.link(tokens, lambda _: False, words)
    return terms | {("entity", c.id) for m in mentions for c in m.best}


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_lexicon_knows_aliases_in_whatever_order_they_come(order: tuple[int, ...]):
    parts = (DATA[:1], DATA[1:], LEARNED)
    changes = tuple(change for index in order for change in parts[index])

    assert meant(changes, "reading rooms") == {(TermKind.TYPE, "Branch")}
    assert meant(changes, "harbour") == {(TermKind.RELATION, "HOLDS")}
    assert meant(changes, "chairs") == {(TermKind.PROPERTY, "seats")}
    assert meant(changes, "the matchmaker") == {("entity", "t1")}


def test_the_lexicon_forgets_what_is_dropped_and_keeps_what_a_data_set_says_anew():
    renamed = node("t1", "Emma, a novel")
    dropped = tuple(Change(kind=ChangeKind.DROP_ALIAS, key=c.key, source=c.source) for c in LEARNED)

    assert meant((*DATA, *LEARNED, renamed), "the matchmaker") == {("entity", "t1")}
    for words in ("reading rooms", "harbour", "chairs", "the matchmaker"):
        assert meant((*DATA, *LEARNED, *dropped), words) == set()


def test_names_are_found_by_any_of_their_forms():
    names = lexicon_of((*DATA, node("t3", "Les Misérables"))).names

    assert names.called("miss woodhouse") == {"t1"}
    assert names.called("les miserables") == names.called("Misérables, les") == {"t3"}
    assert names.called("woodhouse") == names.called("!") == frozenset()
