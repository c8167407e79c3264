"""Kinds of questions first met in domains never seen, asked of ferries and their kiosks."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: ferries
as_of: 2026-08-01
node_types:
  - {name: Pier, description: A place where boats land., properties: {ramp_free: yes or no, year_built: year it was built}}
  - {name: Boat, description: A ferry of ours., properties: {fuel: "diesel, electric or sail", seats: number of seats, built: year it was built}}
  - {name: Mate, description: Somebody who steers boats.}
  - {name: Yard, description: A firm that repairs boats.}
  - {name: Job, description: An order to repair boats.}
  - {name: Kiosk, description: A stall of ours., properties: {standing: rented or owned}}
  - {name: Dish, description: Something we cook., properties: {style: "soup, stew or salad"}}
  - {name: Herb, description: Something that goes into a dish.}
  - {name: Grocer, description: A shop that herbs come from.}
relation_types:
  - {name: SAILS_TO, source: Pier, target: Pier, description: "A crossing between the piers, for both directions.", properties: {minutes: minutes under way}}
  - {name: STEERS, source: Mate, target: Boat, description: The mate steers the boat.}
  - {name: RUNS_ON, source: Boat, target: Pier, description: The boat lands there.}
  - {name: COVERS, source: Job, target: Boat, description: The boat is repaired under the job.}
  - {name: GIVEN_TO, source: Job, target: Yard, description: The yard does the job.}
  - {name: SELLS, source: Kiosk, target: Dish, description: The kiosk has the dish., properties: {litres_a_day: litres sold in a day}}
  - {name: NEEDS, source: Dish, target: Herb, description: The herb goes into the dish.}
  - {name: BOUGHT_FROM, source: Herb, target: Grocer, description: We buy the herb there.}
  - {name: BASED_ON, source: Dish, target: Dish, description: The first recipe grew out of the second.}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("P1", "Pier", "Alder Quay", {"ramp_free": "yes", "year_built": 1910}), ("P2", "Pier", "Birch Quay", {"ramp_free": "yes", "year_built": 1960}),
    ("P3", "Pier", "Cedar Quay", {"ramp_free": "no"}), ("P4", "Pier", "Dune Quay", {"ramp_free": "no"}),
    ("B1", "Boat", "Merlin", {"fuel": "diesel", "seats": 80, "built": 1990}),
    ("B2", "Boat", "Three Larks", {"fuel": "electric", "seats": 60, "built": 2015}),
    ("B3", "Boat", "Curlew", {"fuel": "sail", "seats": 40, "built": 1995}),
    ("M1", "Mate", "Ida Moss", {}), ("M2", "Mate", "Jon Vale", {}),
    ("Y1", "Yard", "Haldane Works", {}), ("Y2", "Yard", "Norgate Works", {}),
    ("J1", "Job", "Hull Job", {}), ("J2", "Job", "Mast Job", {}), ("J3", "Job", "Deck Job", {}),
    ("K1", "Kiosk", "Gull Stall", {"standing": "rented"}), ("K2", "Kiosk", "Tern Stall", {"standing": "owned"}),
    ("D1", "Dish", "Leek Bowl", {"style": "soup"}), ("D2", "Dish", "Bean Pot", {"style": "stew"}),
    ("D3", "Dish", "Green Plate", {"style": "salad"}), ("D4", "Dish", "Pea Bowl", {"style": "soup"}),
    ("H1", "Herb", "Thyme", {}), ("H2", "Herb", "Mint", {}),
    ("G1", "Grocer", "Oakline", {}), ("G2", "Grocer", "Elmline", {}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("P1", "SAILS_TO", "P2", {"minutes": 10}), ("P2", "SAILS_TO", "P3", {"minutes": 5}), ("P3", "SAILS_TO", "P4", {"minutes": 5}),
    ("M1", "STEERS", "B1", {}), ("M1", "STEERS", "B2", {}), ("M2", "STEERS", "B2", {}),
    ("M2", "STEERS", "B3", {"valid_from": "2020-01-01", "valid_to": "2024-12-31"}),
    ("B1", "RUNS_ON", "P1", {}), ("B2", "RUNS_ON", "P2", {}), ("B2", "RUNS_ON", "P3", {}),
    ("J1", "COVERS", "B1", {}), ("J2", "COVERS", "B1", {}), ("J2", "COVERS", "B2", {}),
    ("J3", "COVERS", "B3", {"valid_from": "2020-01-01", "valid_to": "2024-12-31"}),
    ("J1", "GIVEN_TO", "Y1", {}), ("J2", "GIVEN_TO", "Y2", {}), ("J3", "GIVEN_TO", "Y2", {}),
    ("K1", "SELLS", "D1", {"litres_a_day": 5}), ("K1", "SELLS", "D2", {"litres_a_day": 7}),
    ("K2", "SELLS", "D1", {"litres_a_day": 11}), ("K2", "SELLS", "D3", {"litres_a_day": 13}),
    ("D1", "NEEDS", "H1", {}), ("D1", "NEEDS", "H2", {}), ("D2", "NEEDS", "H2", {}),
    ("H1", "BOUGHT_FROM", "G1", {}), ("H2", "BOUGHT_FROM", "G1", {}), ("H2", "BOUGHT_FROM", "G2", {}),
    ("D4", "BASED_ON", "D1", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def ferries(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("ferries"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # neither, nor; either, but not both; one and no more
        ("Mates steering neither the Merlin nor the Three Larks, please.", []),
        ("Which kiosks sell neither Green Plate nor Pea Bowl?", ["K1"]),
        ("Which boats are neither diesel nor electric?", ["B3"]),
        ("Which mates steer the Merlin or the Three Larks, but not both?", ["M2"]),
        ("Which kiosks sell soup or stew but not both?", ["K2"]),
        ("Which boats are covered by one repair job and no more?", ["B2"]),
        ("WHICH BOATS ARE COVERED BY ONE REPAIR JOB AND NO MORE?", ["B2"]),
        # any one of a kind gone; one of several gone
        ("Which boats would have nobody to steer them if one mate fell ill?", ["B1"]),
        ("If Haldane Works shut, which boats have to do without a job of theirs?", ["B1"]),
        # what is cut off
        ("Close Birch Quay: which other piers could you no longer reach from Alder Quay?", ["P3", "P4"]),
        ("If Cedar Quay closes, which piers are cut off from Alder Quay?", ["P4"]),
        ("Which pier would cut others off if it had to close?", ["P2", "P3"]),
        # what can no longer be made: each herb is needed
        ("If Oakline closed, which dishes could we no longer make?", ["D1"]),
        ("If Elmline closed, which dishes could we no longer make?", []),
        # was so once, and is no more; taken over
        ("Which boats had a job at some point but have none now?", ["B3"]),
        ("If Haldane took over all of Norgate's jobs, which jobs would it have?", ["J1", "J2", "J3"]),
        ("But which boats that do not run on diesel did Jon Vale steer before, or does he now?", ["B2"]),
        # years; values without their noun; denied superlatives
        ("Which pre-2000 boats are there?", ["B1", "B3"]),
        ("Which boats are from before 2000?", ["B1", "B3"]),
        ("Which kiosks sell stew?", ["K1"]),
        ("Which mates do not steer the most boats?", ["M2"]),
        ("Which mates steer our oldest boat?", ["M1"]),
        ("Which boats run on our oldest pier?", ["B1"]),
        ("Which boats run on our newest pier?", ["B2"]),
        # two types in turn; nothing but such; what something can do is no state
        ("Oakline can't deliver: which herbs and which soup dishes does that touch?", ["D1", "H1", "H2"]),
        ("Which kiosks sell nothing but style soup dishes?", []),
    ],
)  # fmt: skip
def test_what_is_meant_is_found(ferries, question, wanted):
    assert ferries(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "value", "wanted"),
    [
        ("Is there a dish of ours that no kiosk has, and if so, what's it called?", True, ["D4"]),
        ("The Merlin breaks down for good - any pier with no boat left at all? Say which.", True, ["P1"]),
        ("Is there a pier whose loss would cut others off from the rest? Which?", True, ["P2", "P3"]),
    ],
)  # fmt: skip
def test_whether_and_which_are_told_together(ferries, question, value, wanted):
    answer = ferries(question)
    assert (answer["value"], answer["ids"]) == (value, wanted)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How much soup do our kiosks sell, in litres?", 16),
        ("How many litres a day of soup do our rented kiosks sell?", 5),
        ("Combined seats of our pre-2000 boats", 120),
        ("With the Merlin scrapped, what would be the remaining seats of our boats?", 100),
        ("Without the Merlin, what is the total number of seats of our boats?", 100),
        ("At how many piers can you step aboard the Three Larks?", 2),
        ("How many separate families do the dishes make by their recipes? Leave out those with no relatives.", 1),
    ],
)  # fmt: skip
def test_numbers_are_of_what_is_meant(ferries, question, wanted):
    assert ferries(question)["number"] == wanted


def test_a_number_in_words_is_no_part_of_a_name(ferries):
    wanted = [["D1", 16], ["D3", 13]]
    assert (
        ferries("Top two dishes by daily litres, all kiosks taken together?")["ranking"] == wanted
    )
    assert len(ferries("Our top three dishes by daily litres?")["ranking"]) == 3


@pytest.mark.parametrize("question", ["Who manages Alder Quay?", "Who is in charge of Dune Quay?"])
def test_what_lands_somewhere_does_not_run_it(ferries, question):
    assert ferries(question) in {"not_in_schema", "unknown_entity"}
