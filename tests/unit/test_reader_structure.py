"""Questions on structure, ways, comparison and what is missing, on mountain huts."""

import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: mountains
as_of: 2026-08-01
node_types:
  - {name: Hut, description: A mountain hut.}
  - {name: Guide}
  - {name: Valley}
  - {name: Baker, description: A bakery.}
  - {name: Storm, description: A storm that hits huts.}
relation_types:
  - {name: TRAIL_TO, source: Hut, target: Hut, description: A trail that can be walked both ways.}
  - {name: LIES_IN, source: Hut, target: Valley}
  - {name: GUIDES_AT, source: Guide, target: Hut}
  - {name: TRAINED, source: Guide, target: Guide}
  - {name: BAKES_FOR, source: Baker, target: Hut}
  - {name: STRIKES, source: Storm, target: Hut}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("H1", "Hut", "Raven Hut", {"beds": 40, "kind": "staffed", "country": "Austria"}),
    ("H2", "Hut", "Larch Hut", {"beds": 24, "kind": "bivouac", "country": "Austria"}),
    ("H3", "Hut", "Stone Hut", {"beds": 60, "kind": "staffed", "country": "Italy"}),
    ("H4", "Hut", "Glacier Hut", {"beds": 12, "kind": "bivouac", "country": "Italy"}),
    ("G1", "Guide", "Ida Moser", {"joined_on": "2015-05-01"}),
    ("G2", "Guide", "Jo Prantl", {"joined_on": "2018-05-01"}),
    ("G3", "Guide", "Karl Rainer", {"joined_on": "2020-05-01"}),
    ("V1", "Valley", "Green Valley", {}),
    ("V2", "Valley", "Dark Valley", {}),
    ("V3", "Valley", "Empty Valley", {}),
    ("B1", "Baker", "Crumb Brothers", {"country": "Austria"}),
    ("S1", "Storm", "Storm Vera", {"date": "2026-01-10", "status": "active", "severity": "high"}),
    ("S2", "Storm", "Storm Wim", {"date": "2026-03-02", "status": "active", "severity": "high"}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("H1", "TRAIL_TO", "H2", {"hours": 3}), ("H2", "TRAIL_TO", "H3", {"hours": 4}),
    ("H1", "TRAIL_TO", "H3", {"hours": 9}), ("H3", "TRAIL_TO", "H4", {"hours": 2}),
    ("H1", "LIES_IN", "V1", {}), ("H2", "LIES_IN", "V1", {}),
    ("H3", "LIES_IN", "V2", {}), ("H4", "LIES_IN", "V2", {}),
    ("G1", "GUIDES_AT", "H1", {}), ("G1", "GUIDES_AT", "H3", {}), ("G2", "GUIDES_AT", "H3", {}),
    ("G1", "TRAINED", "G2", {}), ("G1", "TRAINED", "G3", {}), ("G2", "TRAINED", "G3", {}),
    ("B1", "BAKES_FOR", "H1", {}), ("B1", "BAKES_FOR", "H3", {}),
    ("S1", "STRIKES", "H4", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def mountains(tmp_path_factory):
    """Return a function from a question to its result, or the reason why there is none."""
    return asking(tmp_path_factory.mktemp("mountains"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many links does a node have on average?", round(34 / 13, 4)),
        ("What is the average degree of a hut?", 4.5),
        ("What is the diameter of the network, leaving storms aside?", 3),
        ("How many steps apart are the two most distant entities?", 4),
        ("If the Raven Hut were taken out, into how many pieces would the rest fall?", 3),
        ("How many links does Ida Moser have?", 4),
        ("How many incoming links does Karl Rainer have?", 2),
        ("How many things is the Stone Hut directly connected to?", 7),
    ],
)
def test_the_whole_graph_is_measured(mountains, question, wanted):
    assert mountains(question)["number"] == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Counting only outgoing links, which node comes out on top?", ["G1"]),
        ("Counting links of every kind, storms as well, which hut is the best connected?", ["H3"]),
        ("Which entities hang on by one link only?", ["S1"]),
        ("Using the trails only, which huts hold the others together, being cut points?", ["H3"]),
    ],
)
def test_links_are_counted_as_the_question_says(mountains, question, wanted):
    assert mountains(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which guide was trained by the most other guides?", ["G3", 2]),
        ("Which guide trained the most other guides?", ["G1", 2]),
        ("Which hut has trails to the most other huts?", ["H3", 3]),
    ],
)
def test_things_are_ranked_by_others_of_their_kind(mountains, question, wanted):
    assert mountains(question)["ranking"][0] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Trace Crumb Brothers through to the Glacier bivouac.", ["B1", "H3", "H4"]),
        ("Green Valley to Glacier Hut, show me the ways", ["V1", "H1", "H3", "H4"]),
        ("Which way is it from Raven Hut to Stone Hut in the fewest hours?", ["H1", "H2", "H3"]),
        ("What is the way from Raven Hut to Stone Hut with the fewest legs?", ["H1", "H3"]),
    ],
)
def test_a_way_is_asked_for_in_many_words(mountains, question, wanted):
    assert mountains(question)["path"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many different routes are there from Dark Valley to Ida Moser?", 1),
        ("What's the lowest number of hours between Raven Hut and Glacier Hut?", 9),
        ("the least total hours from Raven Hut to Stone Hut", 7),
    ],
)
def test_ways_are_counted_and_measured(mountains, question, wanted):
    assert mountains(question)["number"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What lies between Crumb Brothers and Glacier Hut?", ["H3"]),
        ("Which hut stands between Ida Moser and Dark Valley?", ["H3"]),
        ("What is between Raven Hut and Glacier Hut?", ["H3"]),
        ("What is in between Karl Rainer and Stone Hut? The guides, I mean.", ["G1", "G2"]),
    ],
)
def test_what_lies_between_two_things_is_found(mountains, question, wanted):
    assert mountains(question)["ids"] == wanted


def test_two_things_are_compared_by_numbers_and_by_what_belongs_to_them(mountains):
    for question in (
        "Compare Raven Hut and Stone Hut by beds and number of guides.",
        "Raven Hut or Stone Hut: which has more beds, and how many guides does each of them have?",
        "Raven Hut vs Stone Hut: beds, guides, and which guides do they share?",
    ):
        found = mountains(question)["comparison"]
        assert found["values"] == {"beds": [40, 60]}
        assert found["counts"] == {"Guide": [1, 2]}
        assert found["shared"]["Guide"] == ["G1"]


def test_two_things_are_compared_by_chains_of_one_relation(mountains):
    found = mountains(
        "Ida Moser versus Jo Prantl: the guides each trained, directly or through others?"
    )
    assert found["comparison"]["counts"] == {"Guide": [2, 1]}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("By how many beds is the Stone Hut bigger than the Raven Hut?", 20),
        ("How many more beds does the Stone Hut have than the Larch Hut?", 36),
    ],
)
def test_how_far_two_things_are_apart_is_a_number(mountains, question, wanted):
    assert mountains(question)["number"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("In which valleys does Jo Prantl not guide at any hut?", ["V1", "V3"]),
        ("Which valleys have no hut that Crumb Brothers bake for?", ["V3"]),
    ],
)
def test_nothing_of_somebody_is_in_a_place(mountains, question, wanted):
    assert mountains(question)["ids"] == wanted


@pytest.mark.parametrize(
    "question",
    [
        "Which guides work at our staffed hut?",
        "Which valley does the bivouac hut lie in?",
        "How many guides has the staffed kind hut?",
        "Which hut did the 2026 storm strike?",
    ],
)
def test_one_thing_that_is_told_by_what_several_are_is_ambiguous(mountains, question):
    assert mountains(question) == "ambiguous"


def test_several_things_may_be_told_by_what_they_are(mountains):
    assert mountains("Which guides work at our staffed huts?")["ids"] == ["G1", "G2"]
