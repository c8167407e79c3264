"""The graph question reader, on beekeeping: nouns of relations, shares, and what a word is not."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking

SCHEMA = """
name: meadows
as_of: 2026-08-01
node_types:
  - {name: Apiary, description: A place where bees are kept., properties: {altitude_m: metres above the sea, country: where it lies, hives: hives that stand there, occupied: hives with bees in them, cases_last_year: cases of sick bees last year, store_capacity: what it can store}}
  - {name: Cooperative, description: A union of beekeepers that sells their honey., properties: {founded: year}}
  - {name: Buyer, description: A company that buys honey., properties: {licence: "A, B or Pro", city: where}}
  - {name: Inspector, description: Somebody who inspects apiaries., properties: {status: on duty or on leave}}
  - {name: Permit, description: A paper that allows an apiary., properties: {status: signed or draft, expires_on: last day}}
  - {name: Blight, description: Something that harms bees., properties: {severity: low or high, status: open or closed, began: first day, ended: last day}}
relation_types:
  - {name: MEMBER_OF, source: Apiary, target: Cooperative, description: The apiary belongs to the union.}
  - {name: BUYS_FROM, source: Buyer, target: Apiary, description: A yearly contract., properties: {eur_year: euros a year, grade: light or dark}}
  - {name: HEADS, source: Inspector, target: Cooperative, description: The inspector is head of the union.}
  - {name: SUPERVISES, source: Inspector, target: Inspector, description: The first oversees the second.}
  - {name: VISITS, source: Inspector, target: Apiary, description: The inspector checks the apiary.}
  - {name: SIGNED_WITH, source: Permit, target: Inspector, description: Who signed the permit.}
  - {name: ALLOWS, source: Permit, target: Apiary, description: The permit is for the apiary.}
  - {name: SPOILS, source: Blight, target: Apiary, description: The blight spoils the honey of the apiary., properties: {loss_pct: share lost}}
"""

NODES: list[dict[str, object]] = [
    {"id": "A-1", "type": "Apiary", "name": "Heath Row", "altitude_m": 2100, "country": "Ethiopia", "hives": 40, "occupied": 30, "cases_last_year": 4, "store_capacity": 1000},
    {"id": "A-2", "type": "Apiary", "name": "Linden Bank", "altitude_m": 1850, "country": "Rwanda", "hives": 60, "occupied": 20, "cases_last_year": 9, "store_capacity": 800},
    {"id": "A-3", "type": "Apiary", "name": "Clover End", "altitude_m": 2300, "country": "Rwanda", "hives": 20, "occupied": 18, "cases_last_year": 1, "store_capacity": 50},
    {"id": "C-1", "type": "Cooperative", "name": "Highland Honey", "founded": 1990},
    {"id": "C-2", "type": "Cooperative", "name": "Lake Honey", "founded": 2005},
    {"id": "C-3", "type": "Cooperative", "name": "Ridge Honey", "founded": 2011},
    {"id": "B-1", "type": "Buyer", "name": "Amber Foods", "licence": "A", "city": "Antwerp"},
    {"id": "B-2", "type": "Buyer", "name": "Sweet & Sons", "licence": "Pro", "city": "Bremen"},
    {"id": "B-3", "type": "Buyer", "name": "Comb Trading", "licence": "B", "city": "Bremen"},
    {"id": "I-1", "type": "Inspector", "name": "Ada Bloom", "status": "on duty"},
    {"id": "I-2", "type": "Inspector", "name": "Ben Ashe", "status": "on leave"},
    {"id": "I-3", "type": "Inspector", "name": "Cleo Marsh", "status": "on duty"},
    {"id": "P-1", "type": "Permit", "name": "Permit 1", "status": "signed", "expires_on": "2027-03-01"},
    {"id": "P-2", "type": "Permit", "name": "Permit 2", "status": "draft", "expires_on": "2028-03-01"},
    {"id": "D-1", "type": "Blight", "name": "Mite wave", "severity": "high", "status": "open", "began": "2026-06-01", "ended": None},
    {"id": "D-2", "type": "Blight", "name": "Foul brood", "severity": "low", "status": "closed", "began": "2025-03-01", "ended": "2025-05-01"},
    {"id": "D-3", "type": "Blight", "name": "Wax moth", "severity": "low", "status": "open", "began": "2026-07-01", "ended": None},
]  # fmt: skip

EDGES: list[dict[str, object]] = [
    {"source": "A-1", "target": "C-1", "type": "MEMBER_OF"},
    {"source": "A-2", "target": "C-2", "type": "MEMBER_OF"},
    {"source": "A-3", "target": "C-1", "type": "MEMBER_OF", "valid_from": "2024-02-01"},
    {"source": "A-3", "target": "C-2", "type": "MEMBER_OF", "valid_from": "2019-01-01", "valid_to": "2024-01-31"},
    {"source": "B-1", "target": "A-1", "type": "BUYS_FROM", "eur_year": 500, "grade": "dark"},
    {"source": "B-1", "target": "A-2", "type": "BUYS_FROM", "eur_year": 700, "grade": "light"},
    {"source": "B-2", "target": "A-1", "type": "BUYS_FROM", "eur_year": 900, "grade": "light", "valid_from": "2020-01-01", "valid_to": "2026-12-15"},
    {"source": "B-3", "target": "A-3", "type": "BUYS_FROM", "eur_year": 100, "grade": "light", "valid_from": "2020-01-01", "valid_to": "2022-12-31"},
    {"source": "I-1", "target": "C-1", "type": "HEADS", "valid_from": "2024-05-01"},
    {"source": "I-2", "target": "C-1", "type": "HEADS", "valid_from": "2015-01-01", "valid_to": "2024-04-30"},
    {"source": "I-3", "target": "C-2", "type": "HEADS"},
    {"source": "I-3", "target": "I-1", "type": "SUPERVISES"},
    {"source": "I-1", "target": "I-2", "type": "SUPERVISES"},
    {"source": "I-1", "target": "A-2", "type": "VISITS"},
    {"source": "I-2", "target": "A-3", "type": "VISITS"},
    {"source": "P-1", "target": "A-1", "type": "ALLOWS"},
    {"source": "P-2", "target": "A-2", "type": "ALLOWS"},
    {"source": "P-1", "target": "I-1", "type": "SIGNED_WITH"},
    {"source": "D-1", "target": "A-1", "type": "SPOILS", "loss_pct": 30},
    {"source": "D-1", "target": "A-3", "type": "SPOILS", "loss_pct": 10},
    {"source": "D-3", "target": "A-1", "type": "SPOILS", "loss_pct": 35},
    {"source": "D-2", "target": "A-2", "type": "SPOILS", "loss_pct": 50, "valid_from": "2025-03-01", "valid_to": "2025-05-01"},
]  # fmt: skip


@pytest.fixture(scope="module")
def meadows(tmp_path_factory):
    return asking(tmp_path_factory.mktemp("meadows"), SCHEMA, NODES, EDGES)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a noun of a relation names who stands at its end
        ("Who supervises the head of Highland Honey?", ["I-3"]),
        ("Which apiaries does the head of Highland Honey visit?", ["A-2"]),
        ("Who is the head of Lake Honey?", ["I-3"]),
        # an article is no value, a state no relation
        ("Which buyers with a Pro licence buy from an apiary?", ["B-2"]),
        ("Which buyers have licence A?", ["B-1"]),
        ("Which apiaries have no permit that is signed?", ["A-2", "A-3"]),
        # shares of another number
        ("Which apiaries have more than half of their hives occupied?", ["A-1", "A-3"]),
        ("Which apiaries have at least 80 percent of their hives occupied?", ["A-3"]),
        ("Which apiaries have under a third of their hives occupied?", []),
        # a number before a unit is no year
        ("apiaries above 1900 metres", ["A-1", "A-3"]),
        ("Which apiaries lie above 2000 m?", ["A-1", "A-3"]),
        # everyday words
        ("Which apiaries are in the co-op Lake Honey?", ["A-2"]),
        ("Which co-ops have a single apiary?", ["C-2"]),
        ("Which Rwandan apiaries are in Highland Honey?", ["A-3"]),
        # nothing else, but not to
        ("Which buyers buy from Ethiopian apiaries and nothing else?", ["B-2"]),
        ("Which buyers buy from Linden Bank but not from Heath Row?", []),
        ("Which buyers buy from Heath Row but not from Linden Bank?", ["B-2"]),
        # what is open is said of what follows; a state in vain is refused below
        ("Which apiaries does an open blight of low severity or worse spoil?", ["A-1", "A-3"]),
        # links held against a number
        ("Which apiaries have fewer than six direct connections?", ["A-2", "A-3"]),
        # a sum held against what a thing has room for
        ("Which apiaries sell more honey than they have room for?", ["A-1"]),
        ("Which apiaries sell less honey than they can store?", ["A-2"]),
        # two that become one
        (
            "If Amber Foods merged with Sweet & Sons, which apiaries would the merged buyer buy from?",
            ["A-1", "A-2"],
        ),
        # "to" and "from" tell which place is meant; a day before the end of a period
        ("Which permits expire before the end of 2027?", ["P-1"]),
        ("Which permits expire within two years?", ["P-1", "P-2"]),
        # counts beyond a plural
        ("Which buyers buy from apiaries in more than one cooperative?", ["B-1"]),
        # changes
        ("Which co-ops changed their head in 2024?", ["C-1"]),
        ("Which co-ops passed from one head to another in the course of 2024?", ["C-1"]),
        ("Which apiaries left a cooperative before 2025?", ["A-3"]),
        ("Which buyers have a contract running out between today and the end of 2026?", ["B-2"]),
        ("Which buyers used to buy from Clover End but no longer do?", ["B-3"]),
        ("Which apiaries does Amber Foods buy from that Sweet & Sons leaves out?", ["A-2"]),
        ("Which apiaries hang on one inspector and on one cooperative only?", ["A-2", "A-3"]),
        (
            "Which buyers have a contract with an apiary under an open high or low blight?",
            ["B-1", "B-2"],
        ),
        ("Who supervises somebody that visits Clover End?", ["I-1"]),
        ("Which buyers buy from an Ethiopian apiary and a Rwandan one?", ["B-1"]),
        # what is lost
        (
            "Were we to lose both Ada Bloom and Ben Ashe, which apiaries would nobody visit any more?",
            ["A-2", "A-3"],
        ),
        ("Ben Ashe quits. Which apiaries loose their only inspector?", ["A-3"]),
        ("Are any of the apiaries without an open blight? Name them.", ["A-2"]),
    ],
)
def test_sets(meadows, question, wanted):
    answer = meadows(question)
    assert isinstance(answer, dict), answer
    assert answer["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What does Amber Foods pay a year in all?", 1200),
        ("How much does Sweet & Sons pay Heath Row?", 900),
        ("How many euros a year does Heath Row take in?", 1400),
        ("How many cases last year did the apiaries in Highland Honey have?", 5),
        ("By how many metres does Clover End lie higher than Linden Bank?", 450),
        ("How many inspectors have been at the head of more than one cooperative?", 0),
        ("Look only at which apiary is in which co-op and leave out apiaries without one: how many separate groups are there?", 2),
    ],
)  # fmt: skip
def test_numbers(meadows, question, wanted):
    answer = meadows(question)
    assert isinstance(answer, dict), answer
    assert answer["number"] == wanted


def test_the_highest_of_each_is_not_their_sum(meadows):
    answer = meadows("For every open blight give me the highest loss it causes, worst first.")
    assert answer["ranking"] == [["D-3", 35], ["D-1", 30]]


def test_what_is_put_in_order_by_a_kind_is_summed_for_each(meadows):
    answer = meadows("Hives by cooperative, most first.")
    assert answer["ranking"] == [["C-1", 60], ["C-2", 60]]


def test_when_something_ran_out_is_its_last_day(meadows):
    answer = meadows("When did Comb Trading's contract with Clover End run out?")
    assert answer["date"] == "2022-12-31"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What share of bees died at Heath Row last month?", "not_in_schema"),
        ("What percentage of honey was lost at Heath Row?", "not_in_schema"),
        ("Which buyers take light honey and nothing else?", "not_in_schema"),
        ("Which inspectors visit an apiary that has been fumigated?", "not_in_schema"),
        ("Which apiary has the highest rating?", "not_in_schema"),
        ("What is Ada Bloom's salary?", "not_in_schema"),
        ("Which inspectors supervise each other?", "not_in_schema"),
        ("Which permits expire before their apiary closes?", "not_in_schema"),
        ("Who visits beehouses for us?", "unknown_entity"),
        ("Which apiary is nearest to Heath Row?", "not_in_schema"),
        ("Which apiaries has St Ambrose Inspector visited?", "unknown_entity"),
    ],
)
def test_what_the_schema_cannot_say_is_refused(meadows, question, reason):
    assert meadows(question) == reason
