"""Kinds of questions first met in relief work and in clinics, asked of a mountain rescue."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: rescue
as_of: 2026-08-01
node_types:
  - {name: Rescuer, description: Somebody who works for us., properties: {leave_days: days of leave left}}
  - {name: Patron, description: Somebody who gives us money., properties: {kind: "church, company or town"}}
  - {name: Squad, description: A squad of ours that goes out., properties: {sledges: number of sledges}}
  - {name: Tongue, description: A language of the valleys., properties: {speakers_thousand: speakers in thousands}}
  - {name: Valley, description: A valley that we look after., properties: {cabins: number of cabins, kind: "gorge or basin"}}
  - {name: Slide, description: Snow or rock that came down., properties: {severity: "critical, high, medium or low", status: open or closed, date: first day, ended_date: last day}}
  - {name: Path, description: A path into a valley., properties: {max_load_t: heaviest sledge that it bears in tonnes}}
relation_types:
  - {name: MEMBER_OF, source: Rescuer, target: Squad, description: The person belongs to the squad.}
  - {name: SPEAKS, source: Rescuer, target: Tongue, description: The person can talk in it.}
  - {name: SPOKEN_IN, source: Tongue, target: Valley, description: People of the valley speak it.}
  - {name: VISITS, source: Squad, target: Valley, description: The squad goes to the valley., properties: {people_a_month: people met there in a month}}
  - {name: PAYS_FOR, source: Patron, target: Squad, description: The patron pays for the squad.}
  - {name: BLOCKS, source: Slide, target: Path, description: Nobody gets through.}
  - {name: OWNS, source: Patron, target: [Path, Squad], description: It belongs to the patron.}
  - {name: DAMAGED_BY, source: [Path, Squad], target: Slide, description: The slide has damaged it.}
  - {name: SUPPLIES, source: Patron, target: Squad, description: The patron sends things., properties: {lead_time_days: days from order to delivery, ropes_per_month: ropes agreed a month}}
  - {name: REACHES, source: Path, target: Valley, description: The path leads to the valley.}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("R1", "Rescuer", "Ada Berg", {"leave_days": 12}), ("R2", "Rescuer", "Bo Lind", {"leave_days": 3}),
    ("R3", "Rescuer", "Cy Marsh", {"leave_days": 7}),
    ("P1", "Patron", "Old Town", {"kind": "town"}), ("P2", "Patron", "Saint Anne", {"kind": "church"}),
    ("S1", "Squad", "Marten Squad", {"sledges": 4}), ("S2", "Squad", "Ibex Squad", {"sledges": 2}),
    ("T1", "Tongue", "Ladin", {"speakers_thousand": 30}), ("T2", "Tongue", "Walser", {"speakers_thousand": 20}),
    ("V1", "Valley", "Ferret", {"cabins": 30, "kind": "gorge"}), ("V2", "Valley", "Veny", {"cabins": 12, "kind": "basin"}),
    ("V3", "Valley", "Rhemes", {"cabins": 18, "kind": "gorge"}),
    ("D1", "Slide", "Rock Slide", {"severity": "high", "status": "open", "date": "2026-07-01"}),
    ("D2", "Slide", "Snow Slide", {"severity": "medium", "status": "open", "date": "2026-07-02"}),
    ("D3", "Slide", "Ice Slide", {"severity": "critical", "status": "closed", "date": "2026-02-02", "ended_date": "2026-02-09"}),
    ("W1", "Path", "Goat Path", {"max_load_t": 1}), ("W2", "Path", "Mill Path", {"max_load_t": 20}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("R1", "MEMBER_OF", "S1", {}), ("R2", "MEMBER_OF", "S1", {}),
    ("R1", "SPEAKS", "T1", {}), ("R1", "SPEAKS", "T2", {}), ("R2", "SPEAKS", "T1", {}), ("R3", "SPEAKS", "T1", {}),
    ("T1", "SPOKEN_IN", "V1", {}), ("T1", "SPOKEN_IN", "V2", {}), ("T1", "SPOKEN_IN", "V3", {}), ("T2", "SPOKEN_IN", "V2", {}),
    ("S1", "VISITS", "V1", {"people_a_month": 40}), ("S1", "VISITS", "V2", {"people_a_month": 10}), ("S2", "VISITS", "V2", {"people_a_month": 25}),
    ("P1", "PAYS_FOR", "S1", {}), ("P2", "PAYS_FOR", "S1", {}), ("P2", "PAYS_FOR", "S2", {}),
    ("P1", "OWNS", "W1", {}), ("P2", "OWNS", "W2", {}), ("P2", "OWNS", "S2", {}), ("W1", "DAMAGED_BY", "D1", {}), ("S1", "DAMAGED_BY", "D1", {}),
    ("D1", "BLOCKS", "W1", {}), ("D2", "BLOCKS", "W2", {}), ("D3", "BLOCKS", "W2", {}),
    ("P1", "SUPPLIES", "S1", {"lead_time_days": 5, "ropes_per_month": 3}), ("P1", "SUPPLIES", "S2", {"lead_time_days": 9, "ropes_per_month": 4}),
    ("W1", "REACHES", "V1", {}), ("W2", "REACHES", "V1", {}), ("W2", "REACHES", "V3", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def rescue(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("rescue"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # our people are those who work for us, whatever else is said of people
        ("Which of our people aren't on any squad?", ["R3"]),
        ("Who of our people has the most direct links of any kind?", ["R1"]),
        ("Which colleagues speak Walser?", ["R1"]),
        # gone, by whatever verb; nothing of a kind left
        ("Say the Marten Squad is disbanded: which valleys would then not be visited by any squad?", ["V1"]),
        ("Suppose Ada Berg emigrates. Which tongues could none of our people speak any more?", ["T2"]),
        ("If Mill Path is washed away for good, which valleys could no path reach?", ["V3"]),
        # what is said after two things is said of both
        ("Which patrons own a path or a squad that was damaged by the Rock Slide?", ["P1"]),
        # a superlative of severity goes by the general order of it
        ("Which open slide has the highest severity?", ["D1"]),
        ("Which path does the gravest slide block?", ["W2"]),
        ("Which path is blocked by the most severe open slide?", ["W1"]),
    ],
)  # fmt: skip
def test_what_is_meant_is_found(rescue, question, wanted):
    assert rescue(question)["ids"] == wanted


def test_our_people_are_counted(rescue):
    assert rescue("How many of our people speak Ladin?")["number"] == 3
    assert rescue("How many people a month does the Marten Squad visit in Ferret?")["number"] == 40


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What are the lead times of Old Town's squads?", [["S2", 9], ["S1", 5]]),
        ("How long are the lead times of the squads that Old Town supplies?", [["S2", 9], ["S1", 5]]),
        ("What are the max loads of the paths to Ferret?", [["W2", 20], ["W1", 1]]),
    ],
)  # fmt: skip
def test_what_is_no_amount_is_told_of_each(rescue, question, wanted):
    assert rescue(question)["ranking"] == wanted


@pytest.mark.parametrize(
    "question",
    [
        "What is Ada Berg's max load?",
        "What is the max load of the Ibex Squad?",
        "Which squad has the highest kind?",
    ],
)
def test_what_has_no_such_number_is_told_none(rescue, question):
    assert rescue(question) == "not_in_schema"


def test_a_number_in_months_is_none_for_a_month(rescue):
    assert rescue("How many ropes a month does Old Town supply?")["number"] == 7
