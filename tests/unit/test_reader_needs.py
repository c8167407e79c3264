"""Needs that the reader met first in sets it had never seen, asked of a union of beekeepers."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: beekeepers
as_of: 2026-08-01
node_types:
  - {name: Keeper, description: A member of the union., properties: {joined: first day as a member, grade: "A, B or C, A is best"}}
  - {name: Hive, description: A box with bees., properties: {wood: what it is made of, built: year of build, weight_kg: weight in kilograms}}
  - {name: Meadow, description: Land where hives stand., properties: {fence_m: length of the fence in metres, flower: main flower}}
  - {name: Honey, description: A sort that we sell., properties: {demand: "high, medium or low"}}
  - {name: Market, description: Where honey is sold.}
  - name: Infection
    description: A disease among bees.
    properties: {severity: "high, medium or low", status: active or resolved, date: first day, ended_date: last day}
relation_types:
  - {name: TENDS, source: Keeper, target: Hive, description: The keeper looks after the hive.}
  - {name: STANDS_IN, source: Hive, target: Meadow}
  - {name: YIELDS, source: Hive, target: Honey, properties: {jars_year: jars a year, purity_pct: purity in percent}}
  - {name: BUYS, source: Market, target: Honey, description: Sales contract., properties: {jars_week: jars a week, due: quarter in which it is delivered}}
  - {name: MENTORS, source: Keeper, target: Keeper, description: The first keeper trains the second.}
  - {name: REPORTS_TO, source: Keeper, target: Keeper, description: The second keeper leads the first.}
  - {name: HANDS_TO, source: Market, target: Market, description: The first market passes its rest on to the second.}
  - {name: AFFECTS, source: Infection, target: [Hive, Meadow], description: The infection is felt there.}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("K1", "Keeper", "Ida Moss", {"joined": "2001-05-01", "grade": "A"}),
    ("K2", "Keeper", "Jon Vale", {"joined": "2012-03-01", "grade": "B"}),
    ("K3", "Keeper", "Lou Penn", {"joined": "2019-09-01", "grade": "C"}),
    ("V1", "Hive", "Amber Box", {"wood": "cedar", "built": 2010, "weight_kg": 40}),
    ("V2", "Hive", "Birch Box", {"wood": "pine", "built": 2015, "weight_kg": 25}),
    ("V3", "Hive", "Clover Box", {"wood": "cedar", "built": 2020, "weight_kg": 30}),
    ("V4", "Hive", "Daisy Box", {"wood": "pine", "built": 2021, "weight_kg": 10}),
    ("M1", "Meadow", "North Bank", {"fence_m": 1500, "flower": "clover"}),
    ("M2", "Meadow", "South Bank", {"fence_m": 2500, "flower": "thyme"}),
    ("H1", "Honey", "Gold Label", {"demand": "high"}),
    ("H2", "Honey", "Plain Label", {"demand": "medium"}),
    ("H3", "Honey", "Dark Label", {"demand": "low"}),
    ("T1", "Market", "Quay Market", {}), ("T2", "Market", "Hill Market", {}),
    ("I1", "Infection", "Spring Rot", {"severity": "high", "status": "active", "date": "2026-04-01"}),
    ("I2", "Infection", "Mite Wave", {"severity": "low", "status": "resolved", "date": "2025-02-01", "ended_date": "2025-03-15"}),
    ("I3", "Infection", "Wing Fever", {"severity": "low", "status": "resolved", "date": "2024-02-01", "ended_date": "2024-02-10"}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("K1", "TENDS", "V1", {"valid_from": "2011-01-01"}), ("K1", "TENDS", "V2", {"valid_from": "2016-01-01"}),
    ("K1", "TENDS", "V3", {"valid_from": "2021-01-01"}), ("K2", "TENDS", "V4", {"valid_from": "2022-01-01"}),
    ("V1", "STANDS_IN", "M1", {}), ("V2", "STANDS_IN", "M1", {}), ("V3", "STANDS_IN", "M2", {}), ("V4", "STANDS_IN", "M2", {}),
    ("V1", "YIELDS", "H1", {"jars_year": 90, "purity_pct": 99}), ("V2", "YIELDS", "H1", {"jars_year": 60, "purity_pct": 95}),
    ("V2", "YIELDS", "H2", {"jars_year": 30, "purity_pct": 90}), ("V3", "YIELDS", "H3", {"jars_year": 20, "purity_pct": 97}),
    ("T1", "BUYS", "H1", {"jars_week": 3, "due": "2026-Q4"}), ("T1", "BUYS", "H2", {"jars_week": 1, "due": "2027-Q1"}),
    ("T2", "BUYS", "H1", {"jars_week": 2, "due": "2027-Q2"}),
    ("K1", "MENTORS", "K3", {}), ("K2", "REPORTS_TO", "K1", {}), ("K3", "REPORTS_TO", "K2", {}),
    ("T1", "HANDS_TO", "T2", {}),
    ("I1", "AFFECTS", "V1", {}), ("I1", "AFFECTS", "V4", {}), ("I2", "AFFECTS", "V2", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def union(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("beekeepers"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # values denied, and levels
        ("Which hives are not made of pine?", ["V1", "V3"]),
        ("Which hives don't stand in the North Bank?", ["V3", "V4"]),
        ("Which honeys are in demand below high?", ["H2", "H3"]),
        ("Which honeys have a demand of medium or higher?", ["H1", "H2"]),
        ("Which keepers are graded B or better?", ["K1", "K2"]),
        # who does what a relation says
        ("Which keepers have no mentor?", ["K1", "K2"]),
        ("Which keepers have a mentor?", ["K3"]),
        ("Who is the boss of Lou Penn?", ["K2"]),
        ("Which markets receive something from Quay Market?", ["T2"]),
        # none of the last kind
        ("Which keepers tend hives in the North Bank but none in the South Bank?", []),
        ("Which meadows have hives tended by Ida Moss but none tended by Jon Vale?", ["M1"]),
        # alike, and shared
        ("Which hives are made of the same wood as the Amber Box?", ["V3"]),
        ("Which markets share a honey?", ["T1", "T2"]),
        # counts
        ("Which meadows have an infected hive?", ["M1", "M2"]),
        ("Which keepers have no infected hive?", ["K3"]),
        # units
        ("Which meadows have a fence longer than 2 km?", ["M2"]),
        # first and last
        ("Who is our longest-serving keeper?", ["K1"]),
        ("Which infection lasted the longest?", ["I2"]),
        ("Which infections were there in 2025?", ["I2"]),
    ],
)  # fmt: skip
def test_what_is_meant_is_found(union, question, wanted):
    assert union(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many more hives does Ida Moss tend than Jon Vale?", 2),
        ("How many jars a year does the Birch Box yield?", 90),
        ("How many jars a week does Quay Market buy?", 4),
        ("How many kilos of pine hives are there?", 35),
        ("What is the highest purity of a honey?", 99),
    ],
)
def test_numbers_are_told_by_their_time_and_unit(union, question, wanted):
    answer = union(question)
    assert answer["number"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When did the Mite Wave end?", "2025-03-15"),
        ("When did the Spring Rot begin?", "2026-04-01"),
        ("When does the Gold Label go to Hill Market?", "2027-Q2"),
    ],
)
def test_days_are_told(union, question, wanted):
    assert union(question)["date"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Is the Mite Wave over?", True),
        ("Is the Spring Rot still running?", True),
        ("Was the Mite Wave still going on on 1 March 2025?", True),
        ("Is the Spring Rot over?", False),
    ],
)
def test_whether_an_event_goes_on(union, question, wanted):
    assert union(question)["value"] is wanted


@pytest.mark.parametrize(
    "question",
    [
        "What's the sting rate at the North Bank?",
        "How much electricity does the Amber Box use?",
        "What do we pay a year to insure the Amber Box?",
        "What year was the North Bank founded?",
        "Who paints the lids for the Amber Box?",
        "Who is the mascot of Quay Market?",
        "How many people live at Quay Market?",
        "Which market sells the most candles?",
    ],
)
def test_what_the_schema_does_not_say_is_refused(union, question):
    assert union(question) in {"not_in_schema", "unknown_entity"}


def test_the_biggest_of_each_is_ranked_by_its_own_number(union):
    wanted = [["K1", 40], ["K2", 10]]
    assert union("Which keeper has the heaviest hive?")["ranking"] == wanted
    assert union("Which market buys the most honeys?")["ranking"] == [["T1", 2], ["T2", 1]]
