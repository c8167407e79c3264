"""What type is asked for, where a question does not say its noun: asked of potters and beekeepers."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

POTTERY = """
name: pottery
as_of: 2026-08-01
node_types:
  - {name: Kiln, description: A furnace that we fire., properties: {county: county it stands in}}
  - {name: Firing, description: One load of a kiln.}
  - {name: Pot, description: A thing of clay., properties: {grams: weight in grams}}
  - {name: Potter, description: Somebody of ours who makes or mends pots., properties: {joined: year of joining}}
  - {name: Gallery, description: A house that shows pots., properties: {town: town it is in}}
  - {name: Crack, description: A fault that stops kilns., properties: {date: first day, status: active or over, severity: "high or low", ended_date: last day}}
relation_types:
  - {name: LOADED_INTO, source: Firing, target: Kiln, description: The load was burnt in the kiln.}
  - {name: MADE_IN, source: Pot, target: Firing, description: The pot came out of the firing.}
  - {name: SHOWN_AT, source: Pot, target: Gallery, description: The pot stands in the gallery., properties: {shelf: number of the shelf}}
  - {name: MENDS, source: Potter, target: Pot, description: The potter works on the pot.}
  - {name: MINDS, source: Potter, target: Kiln, description: The potter is in charge of the kiln.}
  - {name: TAUGHT, source: Potter, target: Potter, description: The first potter brought on the second.}
  - {name: BREAKS, source: Crack, target: Kiln, description: The crack puts the kiln out of use.}
"""
POTTERY_NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("K1", "Kiln", "Old Bess", {"county": "Kent"}), ("K2", "Kiln", "Red Tom", {"county": "Devon"}), ("K3", "Kiln", "Long Nan", {"county": "Kent"}),
    ("F1", "Firing", "Firing 1", {}), ("F2", "Firing", "Firing 2", {}), ("F3", "Firing", "Firing 3", {}),
    ("P1", "Pot", "Blue Jug", {}), ("P2", "Pot", "Tall Vase", {}), ("P3", "Pot", "Salt Pig", {}), ("P4", "Pot", "Brown Bowl", {}),
    ("M1", "Potter", "Ada Fenn", {}), ("M2", "Potter", "Bert Gower", {}), ("M3", "Potter", "Cleo Hart", {}),
    ("G1", "Gallery", "Sluice House", {}), ("G2", "Gallery", "Quay Rooms", {}),
    ("C1", "Crack", "March crack", {"date": "2026-03-01", "status": "active", "severity": "high"}),
]  # fmt: skip
POTTERY_EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("F1", "LOADED_INTO", "K1", {}), ("F2", "LOADED_INTO", "K2", {}), ("F3", "LOADED_INTO", "K3", {}),
    ("P1", "MADE_IN", "F1", {}), ("P2", "MADE_IN", "F1", {}), ("P3", "MADE_IN", "F2", {}), ("P4", "MADE_IN", "F3", {}),
    ("P1", "SHOWN_AT", "G1", {}), ("P3", "SHOWN_AT", "G1", {}), ("P4", "SHOWN_AT", "G2", {}),
    ("M1", "MENDS", "P1", {}), ("M2", "MENDS", "P2", {}), ("M2", "MENDS", "P3", {}), ("M3", "MENDS", "P4", {}),
    ("M3", "MINDS", "K1", {}), ("M1", "MINDS", "K2", {}), ("M2", "MINDS", "K3", {}),
    ("M1", "TAUGHT", "M3", {}), ("C1", "BREAKS", "K1", {}),
]  # fmt: skip

APIARY = """
name: apiary
as_of: 2026-08-01
node_types:
  - {name: Meadow, description: A piece of land in flower.}
  - {name: Hive, description: A box in which bees live.}
  - {name: Honey, description: A product in jars., properties: {jars: number of jars}}
  - {name: Keeper, description: Somebody who looks after hives., properties: {since: first year}}
  - {name: Market, description: A place where we sell.}
  - {name: Society, description: A club that gives prizes.}
relation_types:
  - {name: STANDS_ON, source: Hive, target: Meadow, description: The hive is on the meadow.}
  - {name: SPUN_FROM, source: Honey, target: Hive, description: The honey comes out of the hive.}
  - {name: SOLD_AT, source: Honey, target: Market, description: The honey is on the stall of the market.}
  - {name: TENDS, source: Keeper, target: Hive, description: The keeper works on the hive.}
  - {name: TASTES, source: Keeper, target: Honey, description: The keeper tries the honey.}
  - {name: AWARDS, source: Society, target: Honey, description: The society gave the honey a prize.}
  - {name: LIVES_BY, source: Keeper, target: Meadow, description: The keeper has a house at the meadow.}
"""
APIARY_NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("W1", "Meadow", "Lark Field", {}), ("W2", "Meadow", "Mill Moor", {}),
    ("H1", "Hive", "Hive Amber", {}), ("H2", "Hive", "Hive Basalt", {}), ("H3", "Hive", "Hive Coral", {}),
    ("Y1", "Honey", "Lime Gold", {}), ("Y2", "Honey", "Heather Dark", {}), ("Y3", "Honey", "Clover Pale", {}),
    ("B1", "Keeper", "Dora Ilk", {}), ("B2", "Keeper", "Egon Jute", {}), ("B3", "Keeper", "Fay Kemp", {}),
    ("T1", "Market", "Castle Market", {}), ("T2", "Market", "Bridge Market", {}),
    ("S1", "Society", "Golden Comb", {}),
]  # fmt: skip
APIARY_EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("H1", "STANDS_ON", "W1", {}), ("H2", "STANDS_ON", "W2", {}), ("H3", "STANDS_ON", "W2", {}),
    ("Y1", "SPUN_FROM", "H1", {}), ("Y2", "SPUN_FROM", "H2", {}), ("Y3", "SPUN_FROM", "H3", {}),
    ("Y1", "SOLD_AT", "T1", {}), ("Y2", "SOLD_AT", "T1", {}), ("Y3", "SOLD_AT", "T2", {}),
    ("B1", "TENDS", "H1", {}), ("B2", "TENDS", "H2", {}), ("B3", "TENDS", "H3", {}),
    ("B1", "TASTES", "Y1", {}), ("B1", "TASTES", "Y2", {}), ("B2", "TASTES", "Y3", {}), ("B3", "TASTES", "Y1", {}),
    ("S1", "AWARDS", "Y2", {}), ("B3", "LIVES_BY", "W1", {}),
]  # fmt: skip

FAIR = """
name: fair
as_of: 2026-08-01
node_types:
  - {name: Programme, description: A contest of the fair., properties: {made: year in which it was made up}}
  - {name: Referee, description: Somebody who decides a contest., properties: {town: home town}}
  - {name: Tour, description: An outing with a guide.}
  - {name: Centre, description: A building that visitors see., properties: {old: "yes if it is a listed building, else no"}}
  - {name: Guide, description: Somebody who leads visitors about., properties: {craft: what they know}}
  - {name: Lamp, description: A thing that gives light., properties: {kind: "lantern or torch"}}
  - {name: Tinsmith, description: Somebody who works in tin., properties: {craft: "lanterns or pots"}}
relation_types:
  - {name: JUDGES, source: Referee, target: Programme, description: The referee gives the marks.}
  - {name: PASSES, source: Tour, target: Centre, description: The walk goes through the building.}
  - {name: LEADS, source: Guide, target: Tour, description: The guide goes ahead on the tour.}
  - {name: PLANS, source: Guide, target: Programme, description: The guide draws up the programme.}
  - {name: SOLDERS, source: Tinsmith, target: Lamp, description: The tinsmith mends the lamp.}
"""
FAIR_NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("S1", "Programme", "Big Pull", {"made": 2015}), ("S2", "Programme", "Town Gala", {"made": 2021}), ("S3", "Programme", "Egg Race", {"made": 2010}),
    ("R1", "Referee", "Hal Imm", {}), ("R2", "Referee", "Ina Jory", {}),
    ("T1", "Tour", "River Walk", {}), ("T2", "Tour", "Hill Walk", {}),
    ("C1", "Centre", "Harbour Centre", {"old": "yes"}), ("C2", "Centre", "Wool Centre", {"old": "no"}),
    ("G1", "Guide", "Jon Kerr", {}), ("G2", "Guide", "Kit Lund", {}),
    ("L1", "Lamp", "Gate Light", {"kind": "lantern"}), ("L2", "Lamp", "Yard Light", {"kind": "lantern"}), ("L3", "Lamp", "Barn Light", {"kind": "torch"}),
    ("N1", "Tinsmith", "Lou Mott", {"craft": "lanterns"}), ("N2", "Tinsmith", "May Nock", {"craft": "pots"}),
]  # fmt: skip
FAIR_EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("R1", "JUDGES", "S1", {}), ("R2", "JUDGES", "S1", {}), ("R1", "JUDGES", "S2", {}),
    ("T1", "PASSES", "C1", {}), ("T2", "PASSES", "C2", {}), ("G1", "LEADS", "T1", {}), ("G2", "LEADS", "T2", {}),
    ("G2", "PLANS", "S2", {}), ("G1", "PLANS", "S1", {}),
    ("N1", "SOLDERS", "L1", {}), ("N2", "SOLDERS", "L1", {}), ("N2", "SOLDERS", "L2", {}), ("N1", "SOLDERS", "L3", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def fair(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("fair"), FAIR, *rows_of(FAIR_NODES, FAIR_EDGES))


@pytest.fixture(scope="module")
def pottery(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(
        tmp_path_factory.mktemp("pottery"), POTTERY, *rows_of(POTTERY_NODES, POTTERY_EDGES)
    )


@pytest.fixture(scope="module")
def apiary(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("apiary"), APIARY, *rows_of(APIARY_NODES, APIARY_EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a verb before the pronoun, or after it, tells what it stands for
        ("Which potters are working on things that came out of Old Bess?", ["M1", "M2"]),
        ("Who is working on something from Old Bess but on nothing from Red Tom?", ["M1"]),
        ("Who works on pots from Old Bess but on no pots from Red Tom?", ["M1"]),
        ("Which potters mend something that stands in the Sluice House?", ["M1", "M2"]),
        ("Which galleries show anything from Old Bess?", ["G1"]),
        # a verb with its preposition, as the description has it
        ("Which potters are working on the Salt Pig?", ["M2"]),
        ("Who is in charge of Red Tom?", ["M1"]),
    ],
)
def test_a_pronoun_stands_for_the_type_that_is_told_around_it(pottery, question, wanted):
    assert pottery(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which keepers taste something that comes out of Hive Amber?", ["B1", "B3"]),
        ("Which markets have something from Hive Basalt on the stall?", ["T1"]),
        ("Who tastes something from Mill Moor but nothing from Lark Field?", ["B2"]),
        ("Which keepers are working on the Hive Coral?", ["B3"]),
        ("Which markets sell something that Egon Jute tastes?", ["T2"]),
    ],
)
def test_a_pronoun_stands_for_a_product_too(apiary, question, wanted):
    assert apiary(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Is there anything from Red Tom in the Sluice House, and if so what?", ["P3"]),
        ("Is there anything from Red Tom in the Quay Rooms, and if so what?", []),
        ("Does Bert Gower work on anything other than the Salt Pig, and if so on what?", ["P2"]),
        # the last clause says what is asked for, by its preposition
        ("Do any of Ada Fenn's pots come from firings, and if so from which ones?", ["F1"]),
    ],
)
def test_whether_there_is_anything_tells_what(pottery, question, wanted):
    answer = pottery(question)
    assert answer["value"] is bool(wanted)
    assert answer["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Has anybody in Lark Field tasted the Lime Gold, and if so who?", ["B3"]),
        ("Does anyone at Mill Moor work on the Hive Amber? If so, who?", []),
        (
            "Do any of Dora Ilk's honeys come out of hives, and if so out of which ones?",
            ["H1", "H2"],
        ),
        ("Do Egon Jute's honeys sell at markets, and if so at which ones?", ["T2"]),
    ],
)
def test_anybody_is_one_of_the_people_named_nearby(apiary, question, wanted):
    answer = apiary(question)
    assert answer["value"] is bool(wanted)
    assert answer["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a topic, whose word in between tells nothing
        ("Dora Ilk's favourite honeys: which markets sell them?", ["T1"]),
        ("Lark Field's own hives: who tends them?", ["B1"]),
    ],
)
def test_a_noun_belongs_to_the_name_before_it(apiary, question, wanted):
    assert apiary(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a small word that is a part of a name, beside a name that is written large
        ("Which keepers at a comb work on Hive Amber?", ["B1"]),
        ("With a bridge of honey in hand, who tastes the Lime Gold?", ["B1", "B3"]),
    ],
)
def test_a_small_word_is_no_part_of_a_name_beside_large_ones(apiary, question, wanted):
    assert apiary(question)["ids"] == wanted


def test_a_pronoun_after_no_verb_of_its_own_is_left_alone(apiary):
    assert apiary("Which keepers tend nothing but the Hive Coral?")["ids"] == ["B3"]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the captain of Old Bess?",  # nobody is, and no gallery or society is meant
        "Who conducts the Golden Comb?",
        "Which record labels came out of Old Bess?",  # "record" alone would ask for anything
        "Which art dealers show the Blue Jug?",
        "What is the Blue Jug tutored for?",  # potters are taught, and no pots
    ],
)
def test_a_role_or_a_kind_that_the_schema_lacks_is_refused(pottery, question):
    assert pottery(question) in {"not_in_schema", "unknown_entity"}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # nouns of a description, people by what they do, and spellings of America
        ("Which programs have just one judge?", ["S2"]),
        ("Which programmes have no judge?", ["S3"]),
        ("Which walks go through the Harbor Center?", ["T1"]),
        # a value that stands for the kind of a thing, though others have it as well
        ("Which lanterns depend on a single tinsmith?", ["L2"]),
        ("Of the programs that were made before 2020, which have just one judge?", []),
        ("Among the programs that were made before 2020, which have two judges?", ["S1"]),
        # what a property says that something is, or is not
        ("Which tours go through a listed building?", ["T1"]),
        ("Which centres are listed buildings?", ["C1"]),
        ("Which of the listed buildings are on the River Walk?", ["C1"]),
        ("Which centres are not listed buildings?", ["C2"]),
        # the one type of people beside what is named
        ("Whose name is on the River Walk?", ["G1"]),
        ("Who is in charge of the Hill Walk?", ["G2"]),
    ],
)
def test_words_of_the_schema_are_said_otherwise(fair, question, wanted):
    assert fair(question)["ids"] == wanted
