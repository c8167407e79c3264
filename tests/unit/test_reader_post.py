"""Kinds of questions first met in a data centre, an orchestra and a studio, asked of a post."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: post
as_of: 2026-08-01
node_types:
  - {name: Office, description: A place where letters are sorted., properties: {opened: year of opening}}
  - {name: Van, description: A vehicle of ours., properties: {made: year it was made}}
  - {name: Postie, description: Somebody who brings letters., properties: {stage: not trained or trained}}
  - {name: Round, description: The streets that are served on one walk.}
  - {name: Snag, description: An event that delays letters., properties: {severity: low or high, status: open or over, date: first day, ended_date: last day}}
relation_types:
  - {name: PASSES_TO, source: Office, target: Office, description: The first office passes letters on to the second.}
  - {name: TAUGHT, source: Postie, target: Postie, description: The first postie was the teacher of the second.}
  - {name: WALKS, source: Postie, target: Round, description: The postie does the round., properties: {letters_day: letters a day}}
  - {name: STARTS_AT, source: Round, target: Office, description: The round begins at the office.}
  - {name: KEPT_AT, source: Van, target: Office, description: The office has the van., properties: {rent_eur: yearly rent of a van in euros, vans: number of vans}}
  - {name: DELAYS, source: Snag, target: Round, description: The snag keeps letters of the round back., properties: {days_lost: days lost}}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("O1", "Office", "Alder Hall", {"opened": 1790}), ("O2", "Office", "Birch Hall", {"opened": 1890}),
    ("O3", "Office", "Cedar Hall", {"opened": 1990}), ("O4", "Office", "Dune Hall", {"opened": 2010}),
    ("V1", "Van", "Finch", {"made": 1790}), ("V2", "Van", "Wren", {"made": 2020}),
    ("P1", "Postie", "Ida Moss", {}), ("P2", "Postie", "Jon Vale", {}), ("P3", "Postie", "Una Reed", {"stage": "not trained"}),
    ("R1", "Round", "Hill Round", {}), ("R2", "Round", "Lake Round", {}), ("R3", "Round", "Moor Round", {}),
    ("H1", "Snag", "Snow", {"status": "open", "severity": "low", "date": "2026-07-01"}),
    ("H2", "Snag", "Fog", {"status": "over", "severity": "low", "date": "2024-01-01", "ended_date": "2024-02-01"}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("O1", "PASSES_TO", "O2", {}), ("O2", "PASSES_TO", "O3", {}),
    ("P1", "TAUGHT", "P2", {}), ("P2", "TAUGHT", "P3", {}),
    ("P1", "WALKS", "R1", {"letters_day": 100}), ("P1", "WALKS", "R2", {"letters_day": 300}),
    ("P2", "WALKS", "R1", {"letters_day": 350}), ("P3", "WALKS", "R3", {"letters_day": 20}),
    ("P3", "WALKS", "R2", {"letters_day": 20, "valid_from": "2020-01-01", "valid_to": "2023-12-31"}),
    ("R1", "STARTS_AT", "O3", {}), ("R2", "STARTS_AT", "O3", {}), ("R3", "STARTS_AT", "O4", {}),
    ("V1", "KEPT_AT", "O1", {"rent_eur": 10}), ("V2", "KEPT_AT", "O1", {"rent_eur": 20}),
    ("V2", "KEPT_AT", "O2", {"rent_eur": 25, "vans": 3, "valid_from": "2025-01-01", "valid_to": "2026-12-31"}),
    ("H1", "DELAYS", "R1", {"days_lost": 3}), ("H1", "DELAYS", "R2", {"days_lost": 4}),
    ("H2", "DELAYS", "R3", {"days_lost": 9, "valid_from": "2024-01-01", "valid_to": "2024-02-01"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def post(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("post"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("By which chain of offices do letters passed on from Alder Hall get to Cedar Hall?", ["O1", "O2", "O3"]),
        ("Show the route by which Alder Hall's letters get into Cedar Hall.", ["O1", "O2", "O3"]),
        ("What is the trail from Ida Moss to Moor Round?", ["P1", "P2", "P3", "R3"]),
        ("Show the way in which the parcels of Alder Hall end up at Cedar Hall.", ["O1", "O2", "O3"]),
    ],
)  # fmt: skip
def test_a_noun_for_a_way_asks_for_the_way(post, question, wanted):
    assert post(question)["path"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # all is said of what is added up, not of every one that there is
        ("Which postie brings the most letters a day, adding up all the rounds?", [["P1", 400], ["P2", 350], ["P3", 20]]),
        ("Which postie brings the most letters a day, if you add up all the rounds now?", [["P1", 400], ["P2", 350], ["P3", 20]]),
        # a number before the type that it is of
        ("Rank the rounds by the number of letters our posties bring there, most first.", [["R1", 450], ["R2", 300], ["R3", 20]]),
        ("Rank the posties by the letters a day they walk to the rounds.", [["P1", 400], ["P2", 350], ["P3", 20]]),
        # for each of a type, after "by"
        ("Yearly rent by office, dearest first.", [["O1", 30], ["O2", 25]]),
        ("Letters a day by round, most first.", [["R1", 450], ["R2", 300], ["R3", 20]]),
        # what is over counts too, where it is said; losses that are only measured
        ("Which round has lost the most days in all, past snags included?", [["R3", 9], ["R2", 4], ["R1", 3]]),
        ("Which round has lost the most days?", [["R2", 4], ["R1", 3]]),
    ],
)  # fmt: skip
def test_numbers_are_added_up_for_each(post, question, wanted):
    assert post(question)["ranking"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which of the vans were made before 1800?", ["V1"]),
        ("Offices that were opened before 1850, please.", ["O1"]),
        ("Which office was opened in 1790?", ["O1"]),
        ("Offices whose letters are not passed on to any other office, please.", ["O3", "O4"]),
        ("Who learned from Ida Moss, either directly or through one of her pupils?", ["P2", "P3"]),
        ("Which posties don't have any round of their own?", []),
        # one before, and another now
        ("Which posties used to walk one round and now walk a different one?", ["P3"]),
        # the type is told in a sentence of its own
        ("Where do the rounds that Ida Moss walks begin? I need the offices.", ["O3"]),
        # a value that holds a word of denial; whom "who" does something to
        ("Which posties are still not trained?", ["P3"]),
        ("Who taught somebody who walks Moor Round?", ["P2"]),
        ("Which postie walks every one of the rounds that start at Dune Hall?", ["P3"]),
        # a type left aside
        ("Snags aside, which nodes have no link to anything?", []),
        ("Which offices don't have any van of their own?", ["O3", "O4"]),
    ],
)  # fmt: skip
def test_sets(post, question, wanted):
    assert post(question)["ids"] == wanted


@pytest.mark.parametrize(
    "question",
    [
        "On what day does the Wren's spell at Birch Hall end?",
        "When does the Wren's stay at Birch Hall run out?",
        "Until which date is the Wren kept at Birch Hall?",
    ],
)
def test_the_day_on_which_something_ends(post, question):
    assert post(question)["date"] == "2026-12-31"


def test_a_number_of_which_all_is_said_goes_before_one_named_in_part(post):
    assert post("How many days have been lost on Hill Round?")["number"] == 3
    assert post("Which postie spends the most letters a day?")["ranking"][0] == ["P1", 400]


@pytest.mark.parametrize(
    "question", ["What does the Wren cost at Birch Hall?", "How much is the Wren at Birch Hall?"]
)  # fmt: skip
def test_what_something_costs_somewhere_is_on_what_joins_both(post, question):
    assert post(question)["number"] == 25


def test_what_is_not_joined_has_no_price(post):
    assert post("How much is the Finch at Dune Hall?")["kind"] == "none"


def test_two_numbers_of_a_relation_are_multiplied(post):
    assert (
        post("What does the Wren at Birch Hall come to, that is vans times rent?")["number"] == 75
    )


@pytest.mark.parametrize(
    "question",
    [
        "What review score did Lake Round get?",
        "Who bankrupted Birch Hall?",
        "How many letters a day are still wet on Lake Round?",
        "Which rounds start after the snag that delays them ends?",
    ],
)
def test_what_the_schema_does_not_tell_is_refused(post, question):
    assert post(question) == "not_in_schema"
