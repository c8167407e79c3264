"""The graph question reader, on a zoo: each kind of question that it once read wrongly."""

# ruff: noqa: E501  # rows of a table read best on one line
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.answering import asking
from tests.conftest import SOAK

SCHEMA = """
name: zoo
as_of: 2026-08-01
node_types:
  - {name: Keeper, description: Somebody who cares for animals., properties: {born: year of birth, country: where from}}
  - {name: Enclosure, description: "A cage, pool or aviary.", properties: {kind: "cage, pool or aviary", visitors: visitors on an average day, heated: yes or no, status: open or closed}}
  - {name: Animal, description: A creature that we keep., properties: {weight_kg: "weight, in kilograms", rarity: common or rare}}
  - {name: Food, description: Something that animals are fed with., properties: {stock_kg: "kilograms in store", days_left: days that the stock will last}}
  - {name: Vendor, description: A company that sells us feed., properties: {grade: A is best}}
  - {name: Pump, description: A machine that moves water., properties: {status: running or stopped}}
  - {name: Mishap, description: An event that disturbs an enclosure., properties: {severity: low or high, status: open or closed, opened_on: first day, closed_on: last day}}
relation_types:
  - {name: LOOKS_AFTER, source: Keeper, target: Enclosure, description: The keeper cleans the enclosure., properties: {hours_per_week: hours a week}}
  - {name: HEADS, source: Keeper, target: Enclosure, description: The keeper is responsible for the enclosure.}
  - {name: MENTORS, source: Keeper, target: Keeper, description: The first trains the second.}
  - {name: LIVES_IN, source: Animal, target: Enclosure, description: The animal has its place in the enclosure.}
  - {name: EATS, source: Animal, target: Food, description: The animal is given the food., properties: {kg_per_day: kilograms a day}}
  - {name: SUPPLIES, source: Vendor, target: Food, description: The vendor delivers the food., properties: {share_pct: share in percent}}
  - {name: RUNS_ON, source: Enclosure, target: Pump, description: The enclosure needs the pump.}
  - {name: DEPENDS_ON, source: Pump, target: Pump, description: The first pump needs the second.}
  - {name: FOLLOWS, source: Animal, target: Animal, description: The second must be fed before the first.}
  - {name: DISTURBS, source: Mishap, target: Enclosure, description: The mishap upsets the enclosure.}
"""

NODES: list[tuple[str, str, str, list[str], dict[str, object]]] = [
    ("K-1", "Keeper", "Dr. Ines Halvorsen", ["Halvorsen"], {"born": 1958, "country": "Norway"}),
    ("K-2", "Keeper", "Pavel Ruzicka", ["Ruzicka"], {"born": 1979, "country": "Czechia"}),
    ("K-3", "Keeper", "Mona Tilburg", ["Tilburg"], {"born": 1990, "country": "Norway"}),
    ("E-1", "Enclosure", "Penguin Bay", [], {"kind": "pool", "visitors": 900, "heated": "no", "status": "open"}),
    ("E-2", "Enclosure", "Parrot Dome", [], {"kind": "aviary", "visitors": 400, "heated": "yes", "status": "open"}),
    ("E-3", "Enclosure", "Otter Creek", [], {"kind": "pool", "visitors": 650, "heated": "no", "status": "closed"}),
    ("A-1", "Animal", "Gentoo penguin", [], {"weight_kg": 6.0, "rarity": "common"}),
    ("A-2", "Animal", "Hyacinth macaw", ["macaw"], {"weight_kg": 1.4, "rarity": "rare"}),
    ("A-3", "Animal", "Giant otter", ["otter"], {"weight_kg": 28.0, "rarity": "rare"}),
    ("F-1", "Food", "Herring", [], {"stock_kg": 120, "days_left": 4}),
    ("F-2", "Food", "Brazil nuts", ["nuts"], {"stock_kg": 60, "days_left": 40}),
    ("F-3", "Food", "Krill", [], {"stock_kg": 15, "days_left": 9}),
    ("V-1", "Vendor", "Nordsild AS", ["Nordsild"], {"grade": "A"}),
    ("V-2", "Vendor", "Tropifeed", [], {"grade": "C"}),
    ("P-1", "Pump", "Main pump", [], {"status": "running"}),
    ("P-2", "Pump", "Creek pump", [], {"status": "running"}),
    ("P-3", "Pump", "Filter pump", [], {"status": "stopped"}),
    ("M-1", "Mishap", "Algae bloom", [], {"severity": "high", "status": "open", "opened_on": "2026-07-01", "closed_on": None}),
    ("M-2", "Mishap", "Storm damage", [], {"severity": "low", "status": "closed", "opened_on": "2025-02-01", "closed_on": "2025-03-01"}),
]  # fmt: skip

EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("K-1", "E-1", "LOOKS_AFTER", {"hours_per_week": 10}),
    ("K-1", "E-3", "LOOKS_AFTER", {"hours_per_week": 6}),
    ("K-2", "E-2", "LOOKS_AFTER", {"hours_per_week": 12}),
    ("K-3", "E-1", "LOOKS_AFTER", {"hours_per_week": 4}),
    ("K-1", "E-1", "HEADS", {"valid_from": "2021-01-01"}),
    ("K-2", "E-1", "HEADS", {"valid_from": "2015-01-01", "valid_to": "2020-12-31"}),
    ("K-1", "K-2", "MENTORS", {}),
    ("K-2", "K-3", "MENTORS", {}),
    ("A-1", "E-1", "LIVES_IN", {}),
    ("A-2", "E-2", "LIVES_IN", {}),
    ("A-3", "E-3", "LIVES_IN", {}),
    ("A-1", "F-1", "EATS", {"kg_per_day": 8}),
    ("A-1", "F-3", "EATS", {"kg_per_day": 2}),
    ("A-2", "F-2", "EATS", {"kg_per_day": 1}),
    ("A-3", "F-1", "EATS", {"kg_per_day": 5}),
    ("V-1", "F-1", "SUPPLIES", {"share_pct": 70}),
    ("V-2", "F-1", "SUPPLIES", {"share_pct": 30}),
    ("V-2", "F-2", "SUPPLIES", {"share_pct": 100}),
    ("V-1", "F-3", "SUPPLIES", {"share_pct": 100}),
    ("E-1", "P-1", "RUNS_ON", {}),
    ("E-3", "P-2", "RUNS_ON", {}),
    ("P-2", "P-1", "DEPENDS_ON", {}),
    ("P-1", "P-3", "DEPENDS_ON", {}),
    ("A-3", "A-1", "FOLLOWS", {}),
    ("A-2", "A-3", "FOLLOWS", {}),
    ("M-1", "E-1", "DISTURBS", {"valid_from": "2026-07-01"}),
    ("M-2", "E-3", "DISTURBS", {"valid_from": "2025-02-01", "valid_to": "2025-03-01"}),
]


@pytest.fixture(scope="module")
def zoo(tmp_path_factory):
    nodes = [dict(p, id=i, type=t, name=n, aliases=a) for i, t, n, a, p in NODES]
    edges = [dict(p, source=s, target=t, type=r) for s, t, r, p in EDGES]
    return asking(tmp_path_factory.mktemp("zoo"), SCHEMA, nodes, edges)


def ids(answer):
    return answer["ids"] if isinstance(answer, dict) else answer


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a value that is a letter or a word of the language
        ("Which keepers look after a pool?", ["K-1", "K-3"]),
        ("Which vendors are of grade A?", ["V-1"]),
        ("Are there any enclosures without a keeper?", []),
        # names: typos, titles, cases
        ("Who looks after Pengiun Bay?", ["K-1", "K-3"]),
        # two days: what held on one of them alone
        ("Which keepers stopped heading an enclosure between 31 December 2019 and 1 July 2026?", ["K-2"]),
        ("Which keepers began heading an enclosure between 31 December 2019 and 1 July 2026?", ["K-1"]),
        ("Which keepers does dr halvorsen mentor?", ["K-2"]),
        # who: the end of the relation that acts
        ("Who mentors Tilburg?", ["K-2"]),
        ("Who is in charge of Penguin Bay?", ["K-1"]),
        ("Who sells the food that the macaw eats?", ["V-2"]),
        # voice of a relation of a type with itself
        ("Which keepers are mentored by Ruzicka?", ["K-3"]),
        ("Which animals must be fed before the otter?", ["A-1"]),
        # chains of such a relation
        ("Which animals must be fed before the macaw, directly or further back?", ["A-1", "A-3"]),
        ("Filter pump fails. Which enclosures cannot work, counting the pumps that need it in turn?", ["E-1", "E-3"]),
        # what is not there
        ("Which enclosures do not run on any pump?", ["E-2"]),
        ("Which keepers mentor nobody?", ["K-3"]),
        ("Which animals eat nothing from Nordsild?", ["A-2"]),
        ("Which enclosures are not disturbed by any open mishap?", ["E-2", "E-3"]),
        ("Which animals eat krill but not nuts?", ["A-1"]),
        # how many there must be
        ("Which food comes from only one vendor?", ["F-2", "F-3"]),
        ("Which keepers are the only keeper of an enclosure?", ["K-1", "K-2"]),
        ("Which keepers look after at least two enclosures?", ["K-1"]),
        # conditions on what is passed on the way
        ("Which animals eat a food that only one vendor delivers and that will last less than ten days?", ["A-1"]),
        ("Which keepers born before 1960 look after an enclosure that is closed?", ["K-1"]),
        ("Which Norwegian keepers look after Penguin Bay?", ["K-1", "K-3"]),
        ("Which heated enclosures do we have?", ["E-2"]),
        ("Which enclosures are not heated?", ["E-1", "E-3"]),
        # events, open now or at a past day
        ("Which keepers look after an enclosure that an open mishap of high severity disturbs?", ["K-1", "K-3"]),
        ("Which enclosures were disturbed on 15 February 2025?", ["E-3"]),
        # what if
        ("If Nordsild closed, which food would have no vendor left?", ["F-3"]),
        ("Tropifeed gives up. Which food would then have nobody delivering it?", ["F-2"]),
        # before
        ("Who headed Penguin Bay before Halvorsen?", ["K-2"]),
        ("Who headed Penguin Bay on 1 May 2018?", ["K-2"]),
        # numbers held against others
        ("Which animals weigh more than the Gentoo penguin?", ["A-3"]),
        ("Which animals are lighter than the average animal?", ["A-1", "A-2"]),
        ("Which enclosures have more visitors than Otter Creek?", ["E-1"]),
        ("Which keepers look after more enclosures than Ruzicka?", ["K-1"]),
        # every one of some, and only such
        ("Which keepers look after every pool?", ["K-1"]),
        ("Which vendors deliver all the food that the penguin eats?", ["V-1"]),
        ("Which keepers look after nothing but pools?", ["K-1", "K-3"]),
        ("Which keepers look after aviaries and no other kind of enclosure?", ["K-2"]),
        ("Which animals are heavier than 5 kg?", ["A-1", "A-3"]),
        ("Which enclosures do both Halvorsen and Tilburg look after?", ["E-1"]),
        ("What is still going on?", ["M-1"]),
        # one of two is enough
        ("Which enclosures are either headed by Halvorsen or run on the Creek pump?", ["E-1", "E-3"]),
        # times told by events, and by today
        ("Which mishaps began after the storm damage was over?", ["M-1"]),
        ("Which enclosures were disturbed during the storm damage?", ["E-3"]),
        ("Which keepers began heading an enclosure after 2019?", ["K-1"]),
        ("Which keepers began heading an enclosure in the last ten years?", ["K-1"]),
        ("Which keepers stopped heading an enclosure since 2020?", ["K-2"]),
        ("Which keepers stopped heading an enclosure before 2020?", []),
        # first and last
        ("Which mishap is the most recent?", ["M-1"]),
        # what a supposition does to a type, and somebody who
        ("Nordsild closes. What happens to our animals?", ["A-1", "A-3"]),
        ("Which enclosures are headed by somebody who mentors Ruzicka?", ["E-1"]),
        ("Who looks after a pool? Keepers, please.", ["K-1", "K-3"]),
        # several types asked for
        ("Which animals and keepers would feel it if Penguin Bay were shut down?", ["A-1"]),
    ],
)  # fmt: skip
def test_the_exact_set_is_read(zoo, question, wanted):
    assert ids(zoo(question)) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many kilograms of herring does the otter eat a day?", 5),
        ("What share of the herring comes from Tropifeed, in percent?", 30),
        ("How many hours a week does Halvorsen look after enclosures in total?", 16),
        ("How many visitors do the enclosures of Halvorsen have between them?", 1550),
        ("Average weight of the animals that eat herring?", 17),
        ("How many enclosures does Halvorsen look after?", 2),
        ("How many steps lie between the macaw and Tropifeed?", 2),
        ("How heavy is the otter?", 28),
        ("Into how many separate clusters do the pumps fall?", 1),
    ],
)
def test_the_number_is_read(zoo, question, wanted):
    assert zoo(question)["number"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which keeper spends the most hours a week?", ["K-1", 16]),
        ("Rank the vendors by how many kinds of food each delivers.", ["V-1", 2]),
        ("How many keepers does each open mishap touch?", ["M-1", 2]),
        ("Which enclosure has the most keepers?", ["E-1", 2]),
    ],
)
def test_a_ranking_is_led_by_the_right_one(zoo, question, wanted):
    assert zoo(question)["ranking"][0] == wanted


def test_a_number_is_given_for_each_value_of_a_property(zoo):
    assert zoo("How many enclosures do we have of each kind?") == zoo(
        "Enclosures per kind: how many?"
    )
    assert zoo("Number of enclosures per kind")["ranking"] == [["pool", 2], ["aviary", 1]]
    assert zoo("Average visitors of the enclosures by kind")["ranking"] == [
        ["pool", 775],
        ["aviary", 400],
    ]
    assert zoo("Which kind has the most enclosures?")["ranking"] == [["pool", 2]]


def test_what_a_loss_reaches_ranks_what_is_lost(zoo):
    assert zoo("Which vendor would hurt us most if we lost it?")["ranking"][0][0] == "V-1"


def test_things_are_compared_along_the_relation_that_is_named(zoo):
    answer = zoo(
        "Penguin Bay versus Otter Creek: how many keepers does each have, and which do they share?"
    )
    assert answer["comparison"]["counts"] == {"Keeper": [2, 1]}
    assert answer["comparison"]["shared"] == {"Keeper": ["K-1"]}


def test_a_number_of_what_is_joined_is_compared(zoo):
    answer = zoo("Who feeds more kilograms from store, Nordsild or Tropifeed?")
    assert answer["comparison"]["values"] == {"stock_kg": [135, 180]}


def test_what_one_has_and_the_other_lacks_is_a_difference(zoo):
    assert ids(zoo("which food does the penguin eat that the otter doesnt")) == ["F-3"]


def test_a_second_one_is_asked_for_as_yes_or_no(zoo):
    assert zoo("Is there a second vendor for krill?")["value"] is False
    assert zoo("Do we have a backup vendor for herring?")["value"] is True


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Which keepers look after the Lemur House?", "unknown_entity"),
        ("Who heads Sakura Pond?", "unknown_entity"),
        ("Who looks after the Lion House on Monday?", "unknown_entity"),
        ("E-9: who looks after it?", "unknown_entity"),
        ("Which ticket offices belong to Penguin Bay?", "not_in_schema"),
        ("Which keepers look after the pool?", "ambiguous"),
        ("Which animals does the Norwegian keeper look after?", "ambiguous"),
        ("How many visitors does the pool enclosure have?", "ambiguous"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_its_reason(zoo, question, reason):
    assert zoo(question) == reason


WORDS = """which who whose what how many much by and or but not without except than more most least
    between before after since of in with that have is are do does if removed fails compare to path
    connected per each average total only no all nobody any keeper keepers animals food vendors
    enclosure pumps mishap herring krill Tropifeed Halvorsen otter macaw looks after heads eats live
    weight rarity severity high open grade A 2024 may 3 500 kg , . ? ; : ' the directly it""".split()  # noqa: SIM905  # a hundred lines otherwise


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
    st.sampled_from((1, 5, 30)),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60 * SOAK)
def test_any_order_of_words_is_read_or_refused_in_time(zoo, few, times, chance):
    """A reader that tries each word against all before it, again and again, never ends."""
    words = few * times
    if chance.random() < 0.5:
        chance.shuffle(words)
    started = time.process_time()
    zoo(" ".join(words))
    assert time.process_time() - started < 4


@pytest.mark.parametrize(
    ("phrase", "times"),
    [
        ("keeper which ", 24),
        ("keepers who animals whose ", 24),
        ("which keeper and which ", 24),
        ("per ", 240),
    ],
)
def test_one_phrase_again_and_again_is_read_in_time(zoo, phrase, times):
    started = time.process_time()
    zoo(phrase * times)
    assert time.process_time() - started < 4


def test_each_of_a_kind_is_given_its_number(zoo):
    ranking = zoo("How many keepers look after each pool?")["ranking"]
    assert ranking == [["E-1", 2], ["E-3", 1]]
