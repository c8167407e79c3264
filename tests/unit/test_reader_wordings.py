"""Everyday wordings that the reader met first in sets it had never seen, on a ferry line."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: ferries
as_of: 2026-08-01
node_types:
  - {name: Yard, description: A yard that fits engines., words: [shipyard]}
  - {name: Engine, description: A marine engine.}
  - name: Boat
    description: A boat of ours.
    words: [vessel]
    properties: {boat_kind: kind of boat, income_eur: yearly income, trips_per_week: sailings in a week}
  - {name: Charterer, description: A company that charters our boats., words: [liner, client]}
  - {name: Berth, description: A place to moor.}
relation_types:
  - {name: FITS, source: Yard, target: Engine, description: The yard fits the engine.}
  - {name: DRIVES, source: Engine, target: Boat, description: The engine drives the boat.}
  - name: SAILS_FOR
    source: Boat
    target: Charterer
    effect: forward
    description: The boat sails for the charterer, with its passengers.
    properties: {seats_booked: seats on the books, sailing: quarter of the sailing}
  - {name: MOORS_AT, source: Boat, target: Berth, description: The boat moors at the berth.}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("Y1", "Yard", "NorthYard Marine", {}), ("Y2", "Yard", "Southwell", {}),
    ("E1", "Engine", "Krill 40", {}), ("E2", "Engine", "Krill 60", {}), ("E3", "Engine", "Pollux", {}),
    ("B1", "Boat", "SeaRunner-4", {"boat_kind": "Day cruiser", "income_eur": 400, "trips_per_week": 14}),
    ("B2", "Boat", "Mistral", {"boat_kind": "Night cruiser", "income_eur": 900, "trips_per_week": 3}),
    ("B3", "Boat", "Gull", {"boat_kind": "Car ferry", "income_eur": 500, "trips_per_week": 21}),
    ("C1", "Charterer", "Aldous Tours", {}), ("C2", "Charterer", "Brae Travel", {}),
    ("M1", "Berth", "Inner Pier", {}), ("M2", "Berth", "Outer Pier", {}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("Y1", "FITS", "E1", {}), ("Y1", "FITS", "E2", {}), ("Y2", "FITS", "E2", {}), ("Y2", "FITS", "E3", {}),
    ("E1", "DRIVES", "B1", {}), ("E2", "DRIVES", "B2", {}), ("E2", "DRIVES", "B3", {}), ("E3", "DRIVES", "B3", {}),
    ("B1", "SAILS_FOR", "C1", {"seats_booked": 30, "sailing": "2027-Q3"}),
    ("B2", "SAILS_FOR", "C1", {"seats_booked": 50, "sailing": "2027-Q4"}),
    ("B2", "SAILS_FOR", "C2", {"seats_booked": 70, "sailing": "2027-Q3"}),
    ("B1", "MOORS_AT", "M1", {}), ("B1", "MOORS_AT", "M2", {}), ("B2", "MOORS_AT", "M1", {}), ("B3", "MOORS_AT", "M2", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def ferries(tmp_path_factory):
    """Return a function from a question to its result, or the reason why there is none."""
    return asking(tmp_path_factory.mktemp("ferries"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a number told by its time, a verb, what is left
        ("How many trips a week can Gull do?", 21),
        ("What does Mistral bring in?", 900),
        ("What does one of our boats bring in on average?", 600),
        ("If we dropped Mistral, how many seats would be left on the books?", 30),
        ("Suppose Aldous Tours cancels. How many seats come off the books?", 80),
        # periods that a category holds
        ("How many seats are booked for sailing in the third quarter of 2027?", 100),
        # a plural of a name
        ("How many seats has Aldous Tours got on the SeaRunners?", 30),
    ],
)
def test_numbers_are_told_by_a_time_a_verb_or_what_is_left(ferries, question, wanted):
    assert ferries(question)["number"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # all along a chain
        ("What hangs on Y1, all the way from its engines to the charterers?", ["B1", "B2", "B3", "C1", "C2", "E1", "E2"]),
        # a thing named twice, counted the second time
        ("Which boats have all their mooring, berth by berth, at a single berth?", ["B2", "B3"]),
        # whose
        ("Y2 is shut for a month. Whose boats are going to be late?", ["C1", "C2"]),
        # kinds that share a word
        ("Which cruisers does Y1 fit engines for?", ["B1", "B2"]),
        # cut off
        ("Take Krill 40 out of the network: which nodes are then cut off from the rest?", []),
        ("If SeaRunner closed, which engines would be cut off from the rest?", []),
        ("If Krill 60 closed, which boats would be cut off from the rest?", []),
    ],
)  # fmt: skip
def test_entities_are_found_by_everyday_wordings(ferries, question, wanted):
    assert ferries(question)["ids"] == wanted


def test_a_way_is_asked_for_by_how_one_thing_gets_to_another(ferries):
    assert ferries("How do Southwell's engines get to Brae Travel?")["path"] == [
        "Y2",
        "E2",
        "B2",
        "C2",
    ]


def test_a_number_for_each_of_several_is_a_ranking(ferries):
    wanted = [["Y1", 2], ["Y2", 2]]
    assert ferries("How many engines does each of our current yards fit?")["ranking"] == wanted


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who has booked the cruiser?", "ambiguous"),  # a day or a night cruiser
        ("How many passengers took Mistral last winter?", "not_in_schema"),  # of a description only
        (
            "Which boats moor at the north rigging loft?",
            "unknown_entity",
        ),  # the beginning of a name
    ],
)
def test_what_is_not_there_or_several_things_is_not_guessed(ferries, question, reason):
    assert ferries(question) == reason
