"""Kinds of questions first met in a radio company and a group of hotels, asked of a circus."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: circus
as_of: 2026-08-01
node_types:
  - {name: Tent, description: A place where acts are shown.}
  - {name: Stall, description: A booth that is let to traders.}
  - {name: Artist, description: One of our people., properties: {terms: lodger or resident}}
  - {name: Act, description: A number danced for us.}
  - {name: Gala, description: An evening arranged for guests., properties: {date: day of the gala}}
  - {name: Patron, description: A firm that gives us money.}
  - {name: Baker, description: A shop that brings bread.}
relation_types:
  - {name: HEADS, source: Artist, target: Tent, description: The artist is the deputy ring master of the tent.}
  - {name: REPORTS_TO, source: Artist, target: Artist, description: The second is the line manager of the first.}
  - {name: PLAYS, source: Artist, target: Act, description: The artist is in the act., properties: {fee_per_show_eur: fee for one show in euros}}
  - {name: BACKS, source: Patron, target: Act, description: The patron backs the act., properties: {monthly_fee_eur: fee in euros a month}}
  - {name: SUPPLIES, source: Baker, target: Tent, description: The baker delivers to the tent., properties: {loaves_per_week: loaves a week}}
  - {name: HELD_IN, source: Gala, target: Tent, description: The gala is in the tent.}
  - {name: STANDS_AT, source: Stall, target: Tent, description: The stall is beside the tent.}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("T1", "Tent", "Blue Top", {}), ("T2", "Tent", "Red Top", {}),
    ("S1", "Stall", "Old Booth", {}), ("S2", "Stall", "Far Booth", {}),
    ("A1", "Artist", "Ida Moss", {"terms": "resident"}), ("A2", "Artist", "Jon Vale", {"terms": "lodger"}),
    ("A3", "Artist", "Una Reed", {"terms": "resident"}),
    ("C1", "Act", "High Wire", {}), ("C2", "Act", "Lion Waltz", {}),
    ("G1", "Gala", "Frost Gala", {"date": "2026-12-20"}), ("G2", "Gala", "May Gala", {"date": "2026-05-02"}),
    ("G3", "Gala", "Leaf Gala", {"date": "2026-10-09"}),
    ("P1", "Patron", "Oakline", {}), ("P2", "Patron", "Elmline", {}),
    ("B1", "Baker", "Crust & Co", {}), ("B2", "Baker", "Tin Loaf", {}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("A1", "HEADS", "T1", {}), ("A2", "HEADS", "T2", {}),
    ("A2", "REPORTS_TO", "A1", {}), ("A3", "REPORTS_TO", "A2", {}),
    ("A1", "PLAYS", "C1", {"fee_per_show_eur": 2000}), ("A2", "PLAYS", "C2", {"fee_per_show_eur": 90}),
    ("A3", "PLAYS", "C2", {"fee_per_show_eur": 80}),
    ("P1", "BACKS", "C1", {"monthly_fee_eur": 300}), ("P2", "BACKS", "C2", {"monthly_fee_eur": 1900}),
    ("B1", "SUPPLIES", "T1", {"loaves_per_week": 30, "valid_from": "2020-01-01", "valid_to": "2025-06-30"}),
    ("B1", "SUPPLIES", "T2", {"loaves_per_week": 40, "valid_from": "2021-01-01"}),
    ("B2", "SUPPLIES", "T1", {"loaves_per_week": 55, "valid_from": "2025-07-01"}),
    ("G1", "HELD_IN", "T1", {}), ("G2", "HELD_IN", "T1", {}), ("G3", "HELD_IN", "T2", {}),
    ("S1", "STANDS_AT", "T1", {}), ("S2", "STANDS_AT", "T1", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def circus(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("circus"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who's the DRM of Blue Top?", ["A1"]),
        ("Who is the DRM at Red Top?", ["A2"]),
        ("Who reports to Ida Moss, counting those under them?", ["A2", "A3"]),
        ("Counting the people under the people under her, who all reports to Ida Moss?", ["A2", "A3"]),
        ("Who reports to Ida Moss?", ["A2"]),
        ("What galas have we got coming up in Blue Top?", ["G1"]),
        ("Which evenings are upcoming?", ["G1", "G3"]),
        ("Which galas are still to come in Red Top?", ["G3"]),
        ("Which numbers does Elmline back?", ["C2"]),
        ("Which artists play an act whose patron pays over 1000 euros a month?", ["A2", "A3"]),
        ("Before the switch to the new miller, on 1 March 2025 to be exact, which tents was Crust & Co delivering to?", ["T1", "T2"]),
    ],
)  # fmt: skip
def test_who_and_what_is_asked_for(circus, question, wanted):
    assert sorted(circus(question)["ids"]) == wanted


def test_small_letters_are_no_initials(circus):
    assert circus("Who is the drm of Blue Top?") in {"not_in_schema", "unknown_entity"}


@pytest.mark.parametrize("ending", ["all tents added up", "all tents together"])
def test_all_that_are_added_up_need_not_be_reached(circus, ending):
    ranking = circus(f"Which baker delivers the most loaves a week, {ending}?")["ranking"]
    assert ranking[0] == ["B2", 55]


def test_an_unknown_noun_makes_another_thing_of_a_known_one(circus):
    assert circus("How many booths are there at Blue Top?")["number"] == 2
    assert circus("How many telephone booths are there at Blue Top?") == "not_in_schema"


def test_what_has_come_up_is_not_to_come(circus):
    assert sorted(circus("Which galas have come up in Blue Top?")["ids"]) == ["G1", "G2"]
