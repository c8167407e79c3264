"""What in a question means the types, relations, properties and values of a schema."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.domain.question import Term, TermKind
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.language.phrases import definition_heads
from trivium.language.text import is_word, tokenize
from trivium.language.units import unit_of
from trivium.language.vocabulary import Vocabulary
from trivium.language.words import general_words


def prop(name: str, *values: str, words: tuple[str, ...] = ()) -> Property:
    kind = PropertyKind.CATEGORY if values else PropertyKind.NUMBER
    return Property(name=name, kind=kind, values=values, words=words)


def node_type(name: str, *properties: Property) -> NodeType:
    return NodeType(name=name, properties={p.name: p for p in properties})


LIBRARY = Schema(
    node_types={
        t.name: t
        for t in (
            NodeType(
                name="Branch",
                description="A building or kiosk that lends books.",
                properties={
                    "seats": prop("seats"),
                    "city_part": prop("city_part", "old town", "north harbour", "Mill Hill"),
                },
                words=("outlet",),
            ),
            NodeType(name="RareTitle", properties={"genre": prop("genre", "crime", "war crime")}),
            NodeType(name="Person", properties={"state": prop("state", "retired", "active")}),
        )
    },
    relation_types={
        r.name: r
        for r in (
            RelationType(
                name="LENDS_TO",
                ends=(("Branch", "Person"),),
                properties={"loan_time_days": prop("loan_time_days", words=("term",))},
                words=("hand out",),
            ),
            RelationType(name="HOLDS", ends=(("Branch", "RareTitle"),)),
        )
    },
)
VOCABULARY = Vocabulary(LIBRARY)


def find(text: str, vocabulary: Vocabulary = VOCABULARY) -> tuple[Term, ...]:
    return vocabulary.find(tuple(t for t in tokenize(text) if is_word(t)))


def meanings(text: str, vocabulary: Vocabulary = VOCABULARY) -> set[tuple[str, str, str | None]]:
    return {(t.kind.value, t.name, t.value) for t in find(text, vocabulary)}


# --- types ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Which branch is it?", "Branch"),
        ("which BRANCHES are there", "Branch"),
        ("the branch's seats", "Branch"),
        ("all outlets", "Branch"),
        ("every kiosk", "Branch"),
        ("the rare titles", "RareTitle"),
        ("all titles", "RareTitle"),
        ("which persons", "Person"),
    ],
)
def test_a_type_is_named_by_its_own_and_other_words(text: str, name: str):
    assert ("type", name, None) in meanings(text)


def test_the_schemas_own_word_scores_highest():
    scores = {}
    for text in ("branches", "outlets", "kiosk", "rare title", "title"):
        (term,) = (t for t in find(text) if t.kind is TermKind.TYPE)
        scores[text] = term.score
    assert scores["branches"] == scores["rare title"] == 1.0
    assert scores["branches"] > scores["outlets"] > scores["kiosk"]
    assert scores["rare title"] > scores["title"]


def test_types_that_look_alike_are_kept_apart():
    """G06."""
    names = ["Person-Name", "PersonName", "City/State", "City State", "Entity@Type#123"]
    vocabulary = Vocabulary(Schema(node_types={n: NodeType(name=n) for n in names}))
    assert {t.name for t in find("a person name", vocabulary)} >= {"Person-Name", "PersonName"}
    assert {t.name for t in find("the city state", vocabulary)} >= {"City/State", "City State"}


# --- relations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Who lends to whom?", "what does it lend", "who is lent to", "is lending", "hands out"]
)
def test_a_relation_is_named_by_its_verb(text: str):
    assert ("relation", "LENDS_TO", None) in meanings(text)


def test_a_past_form_names_a_relation():
    assert ("relation", "HOLDS", None) in meanings("Which titles were held?")


# --- properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "owner"),
    [
        ("how many seats", "seats", "Branch"),
        ("the loan time", "loan_time_days", "LENDS_TO"),
        ("the loan time in days", "loan_time_days", "LENDS_TO"),
        ("the longest term", "loan_time_days", "LENDS_TO"),
        ("in which city part", "city_part", "Branch"),
    ],
)
def test_a_property_is_named_with_or_without_its_unit(text: str, name: str, owner: str):
    found = [t for t in find(text) if t.kind is TermKind.PROPERTY]
    assert (name, owner) in {(t.name, t.owner) for t in found}


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("lead_time_days", "days"),
        ("revenue_musd", "million USD"),
        ("price_eur", "EUR"),
        ("leadTimeDays", "days"),
        ("share_pct", "%"),
        ("days", None),
        ("birthday", None),
        ("role", None),
        ("", None),
        ("_", None),
    ],
)
def test_the_last_part_of_a_name_may_tell_the_unit(name: str, unit: str | None):
    assert unit_of(name, general_words().units) == unit


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("branches in the old town", "old town"),
        ("in the North Harbour", "north harbour"),
        ("in mill hill", "Mill Hill"),
        ("on the harbour", "north harbour"),
    ],
)
def test_a_value_is_named_in_full_or_by_a_telling_part(text: str, value: str):
    assert ("value", "city_part", value) in meanings(text)


def test_a_value_keeps_its_spelling_its_owner_and_its_score():
    (whole,) = (t for t in find("in MILL HILL") if t.kind is TermKind.VALUE)
    assert (whole.name, whole.value, whole.owner, whole.score) == (
        "city_part", "Mill Hill", "Branch", 1.0,
    )  # fmt: skip
    (part,) = (t for t in find("on the harbour") if t.kind is TermKind.VALUE)
    assert part.score < 1


def test_numbers_dates_and_texts_have_no_values():
    free = Property(name="note", kind=PropertyKind.TEXT, values=("blue",))
    vocabulary = Vocabulary(Schema(node_types={"T": node_type("T", free)}))
    assert meanings("anything blue", vocabulary) == set()


# --- all together --------------------------------------------------------------------------------


def test_a_longer_term_hides_what_lies_within_it():
    found = meanings("a war crime")
    assert ("value", "genre", "war crime") in found
    assert ("value", "genre", "crime") not in found
    assert ("value", "genre", "crime") in meanings("a crime")


def test_several_meanings_of_one_word_are_all_kept_best_first():
    twice = Schema(
        node_types={
            "Order": NodeType(name="Order"),
            "Person": node_type("Person", prop("order"), prop("rank", "order", "none")),
        }
    )
    found = find("the order", Vocabulary(twice))
    assert {(t.kind.value, t.owner) for t in found} >= {
        ("type", None), ("property", "Person"), ("value", "Person"),
    }  # fmt: skip
    assert [t.score for t in found] == sorted((t.score for t in found), reverse=True)


def test_a_relation_and_its_attribute_tell_what_it_joins():
    (term,) = find("what is the loan time")
    (verb,) = find("who does it lend to")
    (seats,) = find("the seats")

    assert (term.owner, term.ends) == ("LENDS_TO", (("Branch", "Person"),))
    assert verb.ends == (("Branch", "Person"),)
    assert seats.ends == (), "a type's own attribute joins nothing"


def test_one_property_of_two_types_is_found_for_both():
    schema = Schema(
        node_types={n: node_type(n, prop("country", "Peru")) for n in ("Mill", "Quarry")}
    )
    for text in ("which country", "in Peru"):
        assert {t.owner for t in find(text, Vocabulary(schema))} == {"Mill", "Quarry"}


def test_terms_come_in_the_order_of_the_text():
    found = find("Which branches of the old town lend rare titles to persons?")
    firsts = [t.span.first for t in found]
    assert firsts == sorted(firsts)
    assert {t.name for t in found} >= {"Branch", "city_part", "LENDS_TO", "RareTitle", "Person"}


def test_what_the_schema_does_not_say_means_nothing():
    assert find("Tell me a joke about cats and dogs") == ()
    assert find("") == ()
    assert Vocabulary(Schema()).find(()) == ()


@pytest.mark.parametrize(
    ("word", "is_known"), [("branch", True), ("seats", True), ("lend", True), ("the", True),
                           ("peru", False), ("harbour", False), ("acme", False)],
)  # fmt: skip
def test_words_of_the_schema_and_the_language_are_known(word: str, is_known):
    (token,) = tokenize(word)
    assert VOCABULARY.knows(token) is is_known


@pytest.mark.parametrize(
    ("description", "heads"),
    [
        ("A company that supplies components to our factories.", ["compani"]),
        ("One of our own plants, which uses components.", ["plant"]),
        ("An aircraft or drone that we build and sell.", ["aircraft", "drone"]),
        ("", []),
        ("...", []),
        ("the of a", []),
    ],
)
def test_a_description_defines_a_type_by_its_nouns(description: str, heads: list[str]):
    assert [head[-1] for head in definition_heads(description)] == heads


# --- any schema ----------------------------------------------------------------------------------

odd = st.sampled_from(
    ["", "_", "->", "→", "...", "供应", "x` SET n.admin = true //", "A/B", "the", "of", "by", "1",
     "lead_time_days", "DELIVERS_TO", "days", "?", "\u200b"]
) | st.text(max_size=8)  # fmt: skip


@given(odd, odd, odd, odd, odd, odd)
def test_any_schema_has_a_vocabulary(a: str, b: str, c: str, d: str, text: str, e: str):
    item = Property(name=b, kind=PropertyKind.CATEGORY, values=(c, d), words=(e,))
    schema = Schema(
        node_types={a: NodeType(name=a, description=e, words=(b,), properties={b: item})},
        relation_types={
            c: RelationType(name=c, ends=((a, a),), description=d, words=(e,), properties={b: item})
        },
    )
    vocabulary = Vocabulary(schema)
    for question in (text, a, b, c, d, f"which {a} {c} {b} {d}"):
        tokens = tuple(t for t in tokenize(question) if is_word(t))
        for term in vocabulary.find(tokens):
            assert 0 <= term.span.first < term.span.last <= len(tokens)
            assert 0 < term.score <= 1
        assert all(vocabulary.knows(token) in {True, False} for token in tokens)


def test_a_word_that_shares_a_stem_with_a_part_of_a_value_is_not_that_value():
    firm = node_type("Firm", prop("country", "United Kingdom", "Costa Rica"))
    vocabulary = Vocabulary(Schema(node_types={"Firm": firm}))
    assert not [t for t in find("how many units", vocabulary) if t.kind is TermKind.VALUE]
    assert [t.value for t in find("firms in the united one", vocabulary)][-1] == "United Kingdom"


def test_a_last_word_that_values_share_stands_for_each_of_them():
    plane = node_type("Plane", prop("plane_kind", "Business jet", "Regional jet", "Glider"))
    vocabulary = Vocabulary(Schema(node_types={"Plane": plane}))
    assert {t.value for t in find("the jet", vocabulary)} == {"Business jet", "Regional jet"}


def test_a_short_description_and_a_name_turned_round_are_names_too():
    told = Property(name="agreed_m3", description="volume agreed", kind=PropertyKind.NUMBER)
    permit = node_type("Permit", prop("volume_m3"), prop("planned_hours"))
    deal = RelationType(name="CUTS", ends=(("Permit", "Permit"),), properties={"agreed_m3": told})
    schema = Schema(node_types={"Permit": permit}, relation_types={"CUTS": deal})

    for text, name in (
        ("the volume agreed", "agreed_m3"),
        ("the volume", "volume_m3"),
        ("the hours planned", "planned_hours"),
    ):
        assert {t.name for t in find(text, Vocabulary(schema))} == {name}, text
