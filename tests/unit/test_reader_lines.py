"""Chains of a relation of a type with itself, and ways, asked of a scriptorium and of steam mains."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

BOOKS = """
name: scriptorium
as_of: 1320-08-01
node_types:
  - {name: Volume, description: A book written by hand., properties: {leaves: number of leaves}}
  - {name: Scribe, description: A monk who writes., properties: {entered: year of his vows}}
  - {name: Abbey, description: A house of monks., properties: {founded: year of its founding}}
relation_types:
  - {name: SCRIPT_OF, source: Volume, target: Volume, description: The first volume was matched by its hand to the second.}
  - {name: WROTE, source: Scribe, target: Volume, description: The scribe set it down.}
  - {name: ANSWERS_TO, source: Scribe, target: Scribe, description: The second scribe is the prior of the first.}
  - {name: KEPT_AT, source: Volume, target: Abbey, description: The volume is in the abbey.}
  - {name: SENDS_TO, source: Abbey, target: Abbey, description: The first abbey sends torn leaves to the second.}
"""
Nodes = list[tuple[str, str, str, dict[str, object]]]
VOLUMES: Nodes = [("C1", "Volume", "Red Psalter", {"leaves": 80}), ("C2", "Volume", "Blue Psalter", {"leaves": 90}),
           ("C3", "Volume", "Grey Missal", {"leaves": 70}), ("C4", "Volume", "Old Annal", {"leaves": 60}),
           ("C5", "Volume", "Green Missal", {"leaves": 50})]  # fmt: skip
SCRIBES: Nodes = [("M1", "Scribe", "Anselm", {}), ("M2", "Scribe", "Bede", {}), ("M3", "Scribe", "Cuthbert", {}),
           ("M4", "Scribe", "Dunstan", {})]  # fmt: skip
ABBEYS: Nodes = [("A1", "Abbey", "Alden", {}), ("A2", "Abbey", "Birkham", {}), ("A3", "Abbey", "Corvey", {}),
          ("A4", "Abbey", "Dunmere", {})]  # fmt: skip
LEAVES: Nodes = [
    ("C2", "SCRIPT_OF", "C1", {}), ("C3", "SCRIPT_OF", "C2", {}), ("C5", "SCRIPT_OF", "C3", {}), ("C4", "SCRIPT_OF", "C2", {}),
    ("M1", "WROTE", "C1", {}), ("M2", "WROTE", "C2", {}), ("M3", "WROTE", "C3", {}), ("M4", "WROTE", "C5", {}),
    ("M2", "ANSWERS_TO", "M1", {}), ("M3", "ANSWERS_TO", "M2", {}), ("M4", "ANSWERS_TO", "M2", {}),
    ("C1", "KEPT_AT", "A1", {}), ("C2", "KEPT_AT", "A2", {}), ("C3", "KEPT_AT", "A3", {}), ("C5", "KEPT_AT", "A1", {}),
    ("C4", "KEPT_AT", "A4", {}),
    ("A1", "SENDS_TO", "A2", {}), ("A2", "SENDS_TO", "A3", {}), ("A4", "SENDS_TO", "A2", {}),
]  # fmt: skip

STEAM = """
name: steam
as_of: 2026-08-01
node_types:
  - {name: Boiler, description: A vessel in which water is heated., properties: {bar: pressure in bar}}
  - {name: Main, description: A pipe for steam., properties: {bore_mm: bore in millimetres}}
  - {name: Hall, description: A building that steam heats., properties: {seats: number of seats}}
  - {name: Stoker, description: Somebody who tends a boiler., properties: {joined: year of joining}}
relation_types:
  - {name: FIRES, source: Boiler, target: Main, description: The boiler gives its steam into the main.}
  - {name: RUNS_INTO, source: Main, target: Main, description: Steam passes from the first main into the second.}
  - {name: WARMS, source: Main, target: Hall, description: The hall is heated from the main.}
  - {name: TENDS, source: Stoker, target: Boiler, description: The stoker looks after the boiler.}
  - {name: TAUGHT_BY, source: Stoker, target: Stoker, description: The first stoker learnt the trade from the second.}
"""
PIPES: Nodes = [("B1", "Boiler", "Big Bertha", {"bar": 12}), ("B2", "Boiler", "Little Tom", {"bar": 6}),
         ("P1", "Main", "North Main", {}), ("P2", "Main", "Mill Main", {}), ("P3", "Main", "Quay Main", {}),
         ("P4", "Main", "Park Main", {}), ("P5", "Main", "South Main", {}),
         ("H1", "Hall", "Guildhall", {"seats": 300}), ("H2", "Hall", "Corn Hall", {"seats": 200}),
         ("H3", "Hall", "Drill Hall", {"seats": 100}),
         ("S1", "Stoker", "Ada Vogel", {}), ("S2", "Stoker", "Ben Ness", {}), ("S3", "Stoker", "Cal Orde", {}),
         ("S4", "Stoker", "Dee Penn", {})]  # fmt: skip
JOINTS: Nodes = [
    ("B1", "FIRES", "P1", {}), ("B2", "FIRES", "P5", {}),
    ("P1", "RUNS_INTO", "P2", {}), ("P2", "RUNS_INTO", "P3", {}), ("P2", "RUNS_INTO", "P5", {}), ("P3", "RUNS_INTO", "P4", {}),
    ("P5", "RUNS_INTO", "P4", {}),
    ("P1", "WARMS", "H1", {}), ("P4", "WARMS", "H2", {}), ("P3", "WARMS", "H3", {}),
    ("S1", "TENDS", "B1", {}), ("S3", "TENDS", "B2", {}), ("S4", "TENDS", "B1", {}),
    ("S2", "TAUGHT_BY", "S1", {}), ("S3", "TAUGHT_BY", "S2", {}), ("S4", "TAUGHT_BY", "S2", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """Return a function from a question about books to its result, or why there is none."""
    nodes = [*VOLUMES, *SCRIBES, *ABBEYS]
    return asking(tmp_path_factory.mktemp("books"), BOOKS, *rows_of(nodes, LEAVES))


@pytest.fixture(scope="module")
def steam(tmp_path_factory):
    """Return the same for steam mains."""
    return asking(tmp_path_factory.mktemp("steam"), STEAM, *rows_of(PIPES, JOINTS))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # the second does what a description tells of the first in the passive
        ("Which volumes were matched by the Red Psalter, directly or by way of another volume?", ["C2", "C3", "C4", "C5"]),
        ("Which volumes were matched by the Blue Psalter itself?", ["C3", "C4"]),
        # "they" are those asked for
        ("If Corvey closed, which abbeys would feel it, whether they send leaves there themselves or by way of another abbey?", ["A1", "A2", "A4"]),
    ],
)  # fmt: skip
def test_a_chain_goes_by_way_of_another(books, question, wanted):
    assert books(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which mains does the North Main run into, directly or by way of another main?", ["P2", "P3", "P4", "P5"]),
        ("Which stokers were taught by Ada Vogel, directly or by way of some other stoker?", ["S2", "S3", "S4"]),
        ("Which stokers were taught by Ada Vogel directly?", ["S2"]),
    ],
)  # fmt: skip
def test_a_chain_goes_by_way_of_another_of_mains(steam, question, wanted):
    assert steam(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who are Anselm's subordinates?", ["M2", "M3", "M4"]),
        ("Which volumes were written by a subordinate of Bede?", ["C3", "C5"]),
        ("Who are Cuthbert's superiors?", ["M1", "M2"]),
        ("Which volumes descend from the Blue Psalter, however many hands down?", ["C3", "C4", "C5"]),
        ("Which volumes does the Green Missal descend from?", ["C1", "C2", "C3"]),
        ("All of the Blue Psalter's descendants please, not just its own copies", ["C3", "C4", "C5"]),
        ("Which volumes trace back to the Grey Missal?", ["C5"]),
        ("Which are the direct descendants of the Blue Psalter?", ["C3", "C4"]),
        ("Which abbeys keep an ancestor of the Green Missal?", ["A1", "A2", "A3"]),
        ("Through which other volume does the Grey Missal's hand go back to the Red Psalter?", ["C2"]),
    ],
)  # fmt: skip
def test_a_line_is_followed_to_its_far_end(books, question, wanted):
    assert books(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Whose training goes back, directly or through others, to Ada Vogel?", ["S2", "S3", "S4"]),
        ("Which boilers are tended by a descendant of Ada Vogel in the trade?", ["B1", "B2"]),
        ("Who are the ancestors of Cal Orde?", ["S1", "S2"]),
    ],
)  # fmt: skip
def test_a_line_of_teaching_is_followed_to_its_far_end(steam, question, wanted):
    assert steam(question)["ids"] == wanted
