"""What a fault really touches, and where "it" points, asked of a canal company."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: canal
as_of: 2026-08-01
node_types:
  - {name: Lock, description: A chamber that lifts boats.}
  - {name: Marina, description: A harbour where boats are moored.}
  - {name: Pump, description: A machine that fills locks.}
  - {name: Operator, description: A firm that runs marinas., properties: {boats: number of boats}}
  - {name: Diver, description: A person who repairs under water.}
  - {name: Mishap, description: An event that stops work., properties: {status: open or closed, date: day it began, ended_date: day it ended}}
relation_types:
  - {name: FILLS, source: Pump, target: Lock, description: The pump fills the lock.}
  - {name: LIES_ABOVE, source: Marina, target: Lock, description: The marina is reached by the lock.}
  - {name: RUNS, source: Operator, target: Marina, description: The operator runs the marina.}
  - {name: INSPECTS, source: Diver, target: Pump, description: The diver inspects the pump.}
  - {name: STRIKES, source: Mishap, target: [Lock, Marina, Pump], description: The mishap stops the lock or marina or pump.}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("L1", "Lock", "Bishop Lock", {}), ("L2", "Lock", "Mill Lock", {}),
    ("M1", "Marina", "Heron Basin", {}), ("M2", "Marina", "Otter Basin", {}), ("M3", "Marina", "Swan Basin", {}),
    ("P1", "Pump", "Old Bess", {}), ("P2", "Pump", "Young Tom", {}),
    ("O1", "Operator", "Lowline", {"boats": 40}), ("O2", "Operator", "Highline", {"boats": 25}),
    ("D1", "Diver", "Ann Kerr", {}), ("D2", "Diver", "Bo Lunt", {}),
    ("E1", "Mishap", "Bess breakdown", {"status": "open", "date": "2026-07-01"}),
    ("E2", "Mishap", "Heron fire", {"status": "open", "date": "2026-07-09"}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("P1", "FILLS", "L1", {}), ("P2", "FILLS", "L2", {}),
    ("M1", "LIES_ABOVE", "L1", {}), ("M2", "LIES_ABOVE", "L1", {}), ("M3", "LIES_ABOVE", "L2", {}),
    ("O1", "RUNS", "M1", {"valid_from": "2019-01-01"}), ("O1", "RUNS", "M2", {"valid_from": "2022-05-01"}),
    ("O1", "RUNS", "M3", {"valid_from": "2011-01-01", "valid_to": "2020-12-31"}),
    ("O2", "RUNS", "M3", {"valid_from": "2021-01-01"}),
    ("D1", "INSPECTS", "P1", {"valid_from": "2023-02-01"}), ("D2", "INSPECTS", "P2", {"valid_from": "2020-02-01"}),
    ("D2", "INSPECTS", "P1", {"valid_from": "2016-02-01"}),
    ("E1", "STRIKES", "P1", {}), ("E2", "STRIKES", "M1", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def canal(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("canal"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which marinas feel the Bess breakdown?", ["M1", "M2"]),
        ("Which operators will notice the Bess breakdown at their marinas?", ["O1"]),
        ("Which operators feel the Heron fire?", ["O1"]),
        ("Which marinas does the Heron fire reach?", ["M1"]),
        ("Which marinas did the Bess breakdown strike?", []),
    ],
)
def test_a_fault_runs_from_what_it_touches(canal, question, wanted):
    assert canal(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("The Bess breakdown: which divers inspect the pumps that it strikes?", ["D1", "D2"]),
        ("Bess breakdown again... Go from the pumps that it strikes to the locks they fill: which marinas lie above those?", ["M1", "M2"]),
        ("Heron fire: which operator runs the marina it hit?", ["O1"]),
    ],
)  # fmt: skip
def test_it_in_a_clause_is_what_the_question_opens_with(canal, question, wanted):
    assert canal(question)["ids"] == wanted


@pytest.mark.parametrize(
    "question",
    [
        "Which marinas are cheaper than before?",
        "Which operators got better?",
        "Which locks are deeper than ever?",
        "Which pumps have become quieter?",
    ],
)
def test_what_nothing_is_held_against_is_refused(canal, question):
    assert canal(question) in {"not_in_schema", "unknown_entity"}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who ran Swan Basin first?", ["O1"]),
        ("Who was the first to run Swan Basin?", ["O1"]),
        ("Which operator runs Swan Basin?", ["O2"]),
        ("Which marina did Lowline run first?", ["M3"]),
        ("Which diver has inspected Old Bess the longest?", ["D2"]),
        ("Which marina has Lowline run the longest?", ["M1"]),
    ],
)
def test_the_first_to_do_something_and_who_does_it_longest(canal, question, wanted):
    assert canal(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which operators run anything besides Heron Basin?", ["O1", "O2"]),
        ("Which operators run something other than Swan Basin?", ["O1"]),
        ("Does Highline run anything apart from Swan Basin?", []),
    ],
)
def test_something_else_than_what_is_named(canal, question, wanted):
    assert canal(question)["ids"] == wanted
