"""Which number is asked for, asked of a bakery: by its name, its unit, a time, money or a verb."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: bakery
as_of: 2026-08-01
node_types:
  - {name: Shop, description: A place where bread is sold., properties: {floor_m2: floor space in square metres, door_height_m: height of the door in metres}}
  - {name: Loaf, description: A kind of bread., properties: {price_eur: price of one in euros, weight_g: weight of one in grams}}
  - {name: Mill, description: A firm that grinds flour.}
  - {name: Baker, description: Somebody who bakes for us., properties: {since: year of the first day}}
relation_types:
  - {name: SELLS, source: Shop, target: Loaf, description: The shop sells the loaf., properties: {pieces_per_week: loaves sold a week}}
  - {name: SUPPLIES, source: Mill, target: Shop, description: The mill delivers to the shop., properties: {kg_per_week: flour in kilograms a week, price_eur_kg: price of a kilogram in euros}}
  - {name: WORKS_IN, source: Baker, target: Shop, description: The baker works in the shop., properties: {hours_per_week: hours a week}}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("S1", "Shop", "Corner Oven", {"floor_m2": 80, "door_height_m": 2.2}),
    ("S2", "Shop", "Bridge Oven", {"floor_m2": 45, "door_height_m": 2.0}),
    ("L1", "Loaf", "Rye Brick", {"price_eur": 4.2, "weight_g": 900}),
    ("L2", "Loaf", "Salt Ring", {"price_eur": 1.1, "weight_g": 120}),
    ("W1", "Mill", "Tern Mill", {}), ("W2", "Mill", "Wren Mill", {}),
    ("B1", "Baker", "Ola Lind", {"since": 2019}), ("B2", "Baker", "Per Dahl", {"since": 2022}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("S1", "SELLS", "L1", {"pieces_per_week": 300}), ("S1", "SELLS", "L2", {"pieces_per_week": 900}),
    ("S2", "SELLS", "L2", {"pieces_per_week": 450}),
    ("W1", "SUPPLIES", "S1", {"kg_per_week": 400, "price_eur_kg": 0.9}),
    ("W2", "SUPPLIES", "S1", {"kg_per_week": 100, "price_eur_kg": 1.3}),
    ("W2", "SUPPLIES", "S2", {"kg_per_week": 150, "price_eur_kg": 1.2}),
    ("B1", "WORKS_IN", "S1", {"hours_per_week": 38}), ("B2", "WORKS_IN", "S1", {"hours_per_week": 20}),
]  # fmt: skip


@pytest.fixture(scope="module")
def bakery(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("bakery"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Corner Oven, how many m2?", 80),
        ("How many kilos of flour does the Corner Oven get in a week, all mills together?", 500),
        ("average price per kilogram that the mills get", 1.1333),
        ("How many hours a week does Ola Lind work in the Corner Oven?", 38),
        ("How many hours a week are put in at the Corner Oven altogether?", 58),
        ("How many Salt Rings does the Bridge Oven sell a week?", 450),
        ("How heavy is the Rye Brick?", 900),
        ("What does a Salt Ring cost?", 1.1),
    ],
)
def test_the_number_that_is_asked_for(bakery, question, number):
    assert bakery(question)["number"] == pytest.approx(number)


@pytest.mark.parametrize(
    "question",
    [
        "What does Ola Lind earn in a week?",
        "How much did the Corner Oven take last month?",
        "How old is Ola Lind?",
        "How far away is the moon?",
    ],
)
def test_no_other_number_stands_in_its_place(bakery, question):
    assert bakery(question) in {"not_in_schema", "unknown_entity", "no_evidence"}
