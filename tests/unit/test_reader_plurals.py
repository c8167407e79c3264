"""Nouns whose plurals no ending tells: the reader knows their types, one and many."""

import pytest

from tests.answering import asking
from trivium.language.text import stem

SCHEMA = """
name: school
as_of: 2026-08-01
node_types:
  - {name: Bus, description: A vehicle for pupils., properties: {seats: number of seats}}
  - {name: Child, description: A pupil of ours., properties: {age: age in years}}
  - {name: Shelf, description: A place for books., properties: {metres: length in metres}}
relation_types:
  - {name: RIDES, source: Child, target: Bus, description: The child takes the bus.}
  - {name: TIDIES, source: Child, target: Shelf, description: The child keeps the shelf in order.}
"""
NODES = [
    {"id": "B-1", "type": "Bus", "name": "Red Bus", "seats": 20},
    {"id": "B-2", "type": "Bus", "name": "Blue Bus", "seats": 40},
    {"id": "C-1", "type": "Child", "name": "Ida", "age": 7},
    {"id": "C-2", "type": "Child", "name": "Ole", "age": 9},
    {"id": "S-1", "type": "Shelf", "name": "Poems", "metres": 3},
    {"id": "S-2", "type": "Shelf", "name": "Maps", "metres": 5},
]
EDGES = [
    {"source": "C-1", "target": "B-1", "type": "RIDES"},
    {"source": "C-2", "target": "B-1", "type": "RIDES"},
    {"source": "C-2", "target": "S-2", "type": "TIDIES"},
]


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    return asking(tmp_path_factory.mktemp("school"), SCHEMA, NODES, EDGES)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which buses have more than 30 seats?", ["B-2"]),
        ("Which children ride the Red Bus?", ["C-1", "C-2"]),
        ("Which shelves does no child tidy?", ["S-1"]),
        ("Which children tidy shelves?", ["C-2"]),
        ("Which buses do no children ride?", ["B-2"]),
        ("Which bus do at least two children ride?", ["B-1"]),
    ],
)
def test_a_plural_that_no_ending_tells_names_its_type(school, question, wanted):
    assert school(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("one", "many"),
    [("menu", "menus"), ("lens", "lenses"), ("analysis", "analyses"), ("wolf", "wolves"),
     ("matrix", "matrices"), ("plateau", "plateaux"), ("gas", "gases"), ("mouse", "mice")],
)  # fmt: skip
def test_a_noun_has_one_stem_in_both_numbers(one, many):
    assert stem(one) == stem(many)


@pytest.mark.parametrize("verb", ["lives", "leaves", "saves", "bases"])
def test_what_is_a_verb_as_well_keeps_its_own_stem(verb):
    assert stem(verb) == stem(verb.removesuffix("s"))
