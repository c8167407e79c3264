"""The linker: what in a question names which entity."""

import random
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.domain.question import Mention
from trivium.language.names import NameIndex
from trivium.language.text import is_word, tokenize, visible
from trivium.language.words import general_words

AEROSPACE = {
    "SUP-001": ("Supplier", "TechChip Inc"),
    "SUP-002": ("Supplier", "AeroMetal Corp"),
    "SUP-004": ("Supplier", "ThaiRubber Co"),
    "SUP-010": ("Supplier", "Borealis Pumps"),
    "CMP-001": ("Component", "Flight Control Unit"),
    "CMP-002": ("Component", "Titanium Wing Spars"),
    "CMP-010": ("Component", "Main Wiring Harness"),
    "EVT-001": ("RiskEvent", "Thailand flood"),
    "EVT-002": ("RiskEvent", "Hamburg port strike"),
    "PRD-001": ("Product", "NarrowBody-900"),
    "PRD-002": ("Product", "WideBird-X50"),
    "PO-1001": ("Order", "PO-1001"),
    "PO-1002": ("Order", "PO-1002"),
}


def index_of(*names: str, **entries: tuple[str, str]) -> NameIndex:
    index = NameIndex()
    for number, name in enumerate(names):
        index.put(f"n{number}x", "T", name)
    for node, (node_type, name) in entries.items():
        index.put(node, node_type, name)
    return index


@pytest.fixture(scope="module")
def aerospace() -> NameIndex:
    return index_of(**AEROSPACE)


def link(index: NameIndex, text: str, known: Iterable[str] = ()) -> tuple[Mention, ...]:
    """Link a question; words of the language, and ``known`` ones, mean something else."""
    seen = visible(text)
    tokens = tuple(t for t in tokenize(seen) if is_word(t))
    other = set(known)
    return index.link(
        tokens,
        lambda i: tokens[i].lower in other or not general_words().is_content(tokens[i]),
        seen,
    )


def named(index: NameIndex, text: str, known: Iterable[str] = ()) -> list[list[str]]:
    """The equally good entities of each mention."""
    return [[c.id for c in mention.best] for mention in link(index, text, known)]


# --- ids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    ["CMP-010", "cmp-010", "CMP010", "cmp 10", "CMP-10", "Cmp_010", "CMP/010", "CMP-0010",
     "\u201cCMP-010\u201d", "CMP\u2011010", "CMP\u2013010", "(CMP-010)", "ＣＭＰ-０１０"],
)  # fmt: skip
def test_an_id_is_known_however_it_is_written(aerospace: NameIndex, written: str):
    assert named(aerospace, f"What is the lead time of {written}?") == [["CMP-010"]]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("lead time of PO-1001", [["PO-1001"]]),
        ("compare SUP-001 with SUP-002", [["SUP-001"], ["SUP-002"]]),
        ("CMP-001's supplier and CMP-010's", [["CMP-001"], ["CMP-010"]]),
        ("from SUP-001, SUP-002 and SUP-004", [["SUP-001"], ["SUP-002"], ["SUP-004"]]),
    ],
)
def test_ids_are_told_apart_by_their_digits(aerospace: NameIndex, text: str, ids: list[list[str]]):
    """C03."""
    assert named(aerospace, text) == ids


@pytest.mark.parametrize("text", ["What supplies CMP-099?", "what about cmp 99", "PO-1010 please"])
def test_an_id_that_nothing_has_is_a_mention_of_nothing(aerospace: NameIndex, text: str):
    (mention,) = link(aerospace, text)
    assert mention.candidates == ()
    assert not mention.is_ambiguous
    assert mention.best == ()


@pytest.mark.parametrize(
    "text", ["Which order has 10 lines?", "orders of more than 1001 pieces", "week 3 of 2024"]
)
def test_a_number_is_no_id(aerospace: NameIndex, text: str):
    assert named(aerospace, text) == []


def test_the_parts_of_an_id_stand_together():
    index = index_of(**{"LINE-05": ("Line", "Red line"), "LINE-06": ("Line", "Blue line")})
    assert named(index, "Which line has 5 stations?", known=["line"]) == []
    assert named(index, "Is line 5 open?", known=["line"]) == [["LINE-05"]]


def test_an_id_of_several_words_is_one_mention():
    index = index_of(**{"image:3": ("T", "First"), "image:3.224.4": ("T", "Second")})
    assert named(index, "open image:3 please") == [["image:3"]]
    assert named(index, "open image:3.224.4 please") == [["image:3.224.4"]]


def test_a_short_id_is_found_as_it_is_written():
    index = index_of(A=("T", "A"), B=("T", "B"))
    assert named(index, "Which way leads from A to B?") == [["A"], ["B"]]
    assert named(index, "is there a way to B") == [["B"]]


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("Where is TechChip Inc based?", "SUP-001"),
        ("Where is techchip inc based?", "SUP-001"),
        ("WHERE IS TECHCHIP INC BASED?", "SUP-001"),
        ("Where is TechChip based?", "SUP-001"),
        ("TechChip's parts", "SUP-001"),
        ("TechChip’s parts", "SUP-001"),
        ("Which parts are techchips?", "SUP-001"),
        ("the flight control units", "CMP-001"),
        ("the Titanium Wing Spar", "CMP-002"),
        ("the thailand floods", "EVT-001"),
        ("the NarrowBody-900", "PRD-001"),
        ("the narrowbody 900", "PRD-001"),
        ("the WideBird X50", "PRD-002"),
        ("the widebird-x50's factories", "PRD-002"),
        ("the main  wiring\n harness", "CMP-010"),
        ("the \u201cMain Wiring Harness\u201d", "CMP-010"),
        ("the Hamburg strike", "EVT-002"),
        ("the Thailand flood", "EVT-001"),
    ],
)
def test_a_name_is_known_by_case_form_and_part(aerospace: NameIndex, text: str, node: str):
    assert named(aerospace, text) == [[node]]


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("who suplies Borealls Pumps", "SUP-010"),
        ("Where is Tehcchip?", "SUP-001"),
        ("the Titanum Wing Spars", "CMP-002"),
        ("the Thiland flood", "EVT-001"),
        ("the Flight Contrl Unit", "CMP-001"),
        ("AeroMetl Corp", "SUP-002"),
    ],
)
def test_a_typo_is_seen_through(aerospace: NameIndex, text: str, node: str):
    """R13."""
    (mention,) = link(aerospace, text)
    assert [c.id for c in mention.best] == [node]
    assert mention.best[0].score < 1


@pytest.mark.parametrize(
    "text", ["", "?", "...", "Who is the best?", "which one", "What is a corporation?", "inc co"]
)
def test_words_of_the_language_name_nothing(aerospace: NameIndex, text: str):
    assert link(aerospace, text) == ()


def test_a_word_that_means_something_else_names_nothing_alone():
    index = index_of("Control Room", "Harbour Control", "Control")
    assert named(index, "who is in control of it", known=["control"]) in ([], [["n2x"]])
    assert named(index, "who is in the control room", known=["control", "room"]) == [["n0x"]]


def test_the_own_name_scores_one_and_a_part_less(aerospace: NameIndex):
    for text in ("Flight Control Unit", "CMP-001"):
        (mention,) = link(aerospace, text)
        assert [c.score for c in mention.best] == [1.0]
    (part,) = link(aerospace, "Wiring Harness")
    assert 0 < part.best[0].score < 1
    assert part.best[0].name == "Main Wiring Harness"


def test_mentions_do_not_overlap_and_come_in_order(aerospace: NameIndex):
    text = "Compare TechChip Inc, the Flight Control Unit and the Thailand flood with SUP-002"
    mentions = link(aerospace, text)
    assert named(aerospace, text) == [["SUP-001"], ["CMP-001"], ["EVT-001"], ["SUP-002"]]
    for before, after in pairwise(mentions):
        assert before.span.last <= after.span.first
    assert mentions[0].text == "TechChip Inc"


def test_the_longer_name_wins():
    """G13."""
    index = index_of("worth alarming on", "not worth alarming on")
    assert named(index, "Is it not worth alarming on?") == [["n1x"]]
    assert named(index, "Is it worth alarming on?") == [["n0x"]]


def test_a_plural_pair_is_ambiguous_at_worst():
    """G13: these two may be taken for one another."""
    index = index_of("institution", "institutions")
    for text in ("the institution", "the institutions"):
        ((*found,),) = named(index, text)
        assert set(found) <= {"n0x", "n1x"}


# --- aliases, homonyms, variants -----------------------------------------------------------------


def test_an_alias_is_as_good_as_the_name():
    index = NameIndex()
    index.put("CUS-1", "Customer", "Acme Industries", ["ACME IND", "The Roadrunner Company"])
    for text in ("orders of Acme Industries", "orders of acme ind", "the roadrunner company"):
        (mention,) = link(index, text)
        assert [(c.id, c.score, c.name) for c in mention.best] == [
            ("CUS-1", 1.0, "Acme Industries")
        ]


def test_one_name_of_two_types_is_ambiguous():
    """G10."""
    index = index_of(C7=("Customer", "Jordan"), R7=("Region", "Jordan"))
    (mention,) = link(index, "Who are Jordan's suppliers?")
    assert mention.is_ambiguous
    assert mention.text == "Jordan"
    assert {(c.id, c.type) for c in mention.candidates} == {("C7", "Customer"), ("R7", "Region")}


def test_variants_of_a_name_are_all_offered():
    """G11."""
    index = index_of("Acme Industries", "Acme Industries Inc.", "ACME IND", "Apex Industries")
    (mention,) = link(index, "orders of Acme")
    assert {c.name for c in mention.best} == {
        "Acme Industries", "Acme Industries Inc.", "ACME IND",
    }  # fmt: skip
    (both,) = link(index, "orders of Acme Industries")
    assert {c.name for c in both.best} == {"Acme Industries", "Acme Industries Inc."}


def test_a_word_of_too_many_names_points_to_none():
    others = ["Prime", "Alpha", "Beta", "Gamma", "Delta", "Iota", "Kappa"]
    index = index_of(*(f"Omega {word}" for word in others))
    assert named(index, "everything on omega") == []
    assert named(index, "everything on Omega Kappa") == [["n6x"]]


# --- odd spellings -------------------------------------------------------------------------------

ODD = [
    "O'Hara's \"Best\" Bolts \\ Co",
    'Programme "big problem"',
    "..data",
    "C++ (x) node: ~ ^2",
    "/b testing",
    "root causes/solutions.",
    "x` SET n.admin = true //",
    "Straße 7",
    "Łódź Works",
    "供应商有限公司",
    "Ｆｕｌｌ Width",
    "№5 Mill",
]


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_is_found_as_it_is_written(name: str):
    """G01, G03, G05, G08."""
    index = index_of("Other Name", name, "Borealis Pumps")
    for text in (f"What is {name}?", f"Who supplies {name}?", name, name.upper(), name.lower()):
        assert named(index, text) == [["n1x"]], text
    assert index.name("n1x") == name


@pytest.mark.parametrize("name", [*ODD, "a|b|c", "image:3.224.4", "0007", "Q4-2024"])
def test_an_odd_id_is_found_as_it_is_written(name: str):
    index = index_of(**{name: ("T", name)})
    (mention,) = link(index, f"Who supplies {name}?")
    assert [(c.id, c.score) for c in mention.best] == [(name, 1.0)]


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_composed_and_decomposed_letters_are_the_same(stored: str, asked: str):
    """G23."""
    name = unicodedata.normalize(stored, "Café Hiếu")  # type: ignore[arg-type]  # one of two
    text = unicodedata.normalize(asked, "Where is Café Hiếu?")  # type: ignore[arg-type]  # one of two
    index = index_of("Cafe Central", name)
    (mention,) = link(index, text)
    assert [(c.id, c.score) for c in mention.best] == [("n1x", 1.0)]
    assert index.name("n1x") == name
    assert index.tag(text) == ("n1x",)


@pytest.mark.parametrize("name", ["", "?", "...", "☃", "\u200b"])
def test_a_name_without_words_is_no_name(name: str):
    index = index_of(name, "Borealis Pumps")
    assert named(index, "Where is Borealis Pumps? ... ☃") == [["n1x"]]
    assert len(index) == 2


@given(st.text(max_size=40))
def test_any_text_can_be_linked(text: str):
    index = index_of(**AEROSPACE)
    for mention in link(index, text):
        assert {c.id for c in mention.candidates} <= set(AEROSPACE)
        assert 0 <= mention.span.first < mention.span.last


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_name_can_be_kept_and_forgotten(name: str, alias: str):
    index = index_of(**AEROSPACE)
    index.put(name or "x", "T", name, [alias])
    assert index.name(name or "x") == name
    link(index, f"{name} {alias}")
    index.drop(name or "x")
    assert named(index, "TechChip Inc and CMP-099") == [["SUP-001"], []]


# --- tagging a text ------------------------------------------------------------------------------


def test_a_text_is_tagged_with_what_it_names_in_full(aerospace: NameIndex):
    text = (
        "TechChip Inc (SUP-001) ships the Flight Control Unit; the wing spars come late, "
        "and so does CMP-010. TechChip Inc was told. CMP-777 is not ours."
    )
    assert aerospace.tag(text) == ("SUP-001", "CMP-001", "CMP-010")
    assert aerospace.tag("") == aerospace.tag("...") == ()


# --- keeping the index ---------------------------------------------------------------------------


def test_a_put_replaces_what_was_known():
    index = index_of(a=("T", "Borealis Pumps"))
    index.put("a", "U", "Aurora Valves", ["Dawn"])
    assert (index.name("a"), index.type("a"), len(index)) == ("Aurora Valves", "U", 1)
    assert named(index, "Borealis Pumps") == []
    assert named(index, "Aurora Valves and Dawn") == [["a"], ["a"]]


def test_what_was_dropped_is_not_known():
    index = index_of(a=("T", "Borealis Pumps"), b=("T", "Aurora Valves"))
    index.drop("a")
    index.drop("nobody")
    assert "a" not in index
    assert (index.name("a"), index.type("a"), len(index)) == ("a", None, 1)
    assert named(index, "Borealis Pumps") == []
    index.clear()
    assert (len(index), named(index, "Aurora Valves")) == (0, [])


@pytest.mark.parametrize("seed", range(10))
def test_many_changes_leave_what_a_rebuild_would(seed: int):
    rng = random.Random(seed)
    words = ["Borealis", "Aurora", "Pumps", "Valves", "Inc", "Pump", "North", "X-50", "7"]
    index, kept = NameIndex(), dict[str, tuple[str, list[str]]]()
    for _ in range(80):
        node = f"N-{rng.randrange(8):03}"
        if rng.random() < 0.3:
            index.drop(node)
            kept.pop(node, None)
        else:
            name = " ".join(rng.sample(words, rng.randint(1, 3)))
            aliases = [rng.choice(words) for _ in range(rng.randrange(3))]
            index.put(node, "T", name, aliases)
            kept[node] = (name, aliases)
    rebuilt = NameIndex()
    for node, (name, aliases) in kept.items():
        rebuilt.put(node, "T", name, aliases)

    for _ in range(30):
        text = " ".join(
            rng.choice([*words, "N-003", "n 5", "N-009", "Borealls", "of"]) for _ in "12345"
        )
        assert link(index, text) == link(rebuilt, text)


def test_words_of_very_many_names_are_linked_as_if_each_were_looked_at(
    monkeypatch: pytest.MonkeyPatch,
):
    index, dice = NameIndex(), random.Random(0)
    heads, tails = (
        ("Alder", "Birch", "Cedar", "Delta"),
        ("Works", "Pump Works", "Works Ltd", "Pump"),
    )
    for number in range(2_000):
        name = f"{dice.choice(heads)}{number % 97 or ''} {dice.choice(tails)}"
        index.put(f"N-{number}", "Site", name)
    index.put("sole", "Site", "Works")
    questions = [
        f"{ask} {dice.choice(heads)}{dice.randrange(100)} {dice.choice(tails)} {end}"
        for ask in ("Who runs", "Is the works of", "Compare the pump works and")
        for end in ("?", "and the Works?", "or N-12?", "near the pump")
        for _ in range(10)
    ]

    content = general_words().is_content

    def linked() -> list[tuple[Mention, ...]]:
        words = [tuple(t for t in tokenize(q) if is_word(t)) for q in questions]
        return [
            index.link(w, {i for i, t in enumerate(w) if not content(t)}.__contains__, q)
            for w, q in zip(words, questions, strict=True)
        ]

    blocked = linked()
    monkeypatch.setattr("trivium.language.form_index._CROWD", 10**9)
    assert blocked == linked()
    assert any(m.candidates for found in blocked for m in found)


def test_an_id_that_nothing_has_is_told_as_it_was_typed(aerospace: NameIndex):
    unknown = link(aerospace, "CMP-999, which supplier is it from?")

    assert [(m.text, m.candidates) for m in unknown] == [("CMP-999", ())]


def test_an_article_in_a_name_counts_little():
    """The longer name wins, though both have two words of the question."""
    index = index_of("The Ballroom", "Ballroom Restoration")
    assert named(index, "How big is the budget of the Ballroom Restoration?") == [["n1x"]]
    assert named(index, "How big is the Ballroom?") == [["n0x"]]


@pytest.mark.parametrize(
    "text",
    [
        "When was the gauge on the north tank read?",
        "the north tank's gauge, when was it read?",
        "the gauge of our north tank",
    ],
)
def test_a_name_in_two_halves_is_one(text: str):
    index = index_of("North Tank Gauge", "South Tank Gauge", "North Tank")
    assert named(index, text) == [["n0x"]]


def test_halves_that_are_said_side_by_side_stay_apart():
    index = index_of("North Tank Gauge", "South Tank Gauge", "North Tank")
    assert len(named(index, "the gauge and the north tank")) == 2
    assert named(index, "which gauges are on the north tank")[-1] == ["n2x"]
