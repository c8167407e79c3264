"""Kinds of question about times and figures that went wrong in unseen domains, on an airfield."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: airfield
as_of: 2026-08-01
node_types:
  - {name: Pilot}
  - {name: Plane}
  - {name: Club}
  - {name: Hangar}
  - {name: Backer, description: A firm that gives money.}
  - {name: Course, properties: {opens: first day, closes: last day}}
  - {name: Storm, description: What does damage here.}
relation_types:
  - {name: FLIES, source: Pilot, target: Plane}
  - {name: TRAINS, source: Pilot, target: Pilot, description: The first is the instructor of the second.}
  - {name: KEPT_IN, source: Plane, target: Hangar}
  - {name: SUBSCRIBES_TO, source: Club, target: Course, properties: {seats: number of seats, price_per_seat_eur: what one seat costs}}
  - {name: LEASES, source: Club, target: Plane, properties: {fee_eur_year: yearly fee}}
  - {name: BACKS, source: Backer, target: [Club, Pilot], properties: {amount_eur: money given}}
  - {name: STRIKES, source: Storm, target: Hangar}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("P1", "Pilot", "Ada Moss", {"hours": 900, "joined_on": "2011-02-01"}),
    ("P2", "Pilot", "Bo Lind", {"hours": 400, "joined_on": "2019-02-01"}),
    ("P3", "Pilot", "Cal Reed", {"hours": 250, "joined_on": "2021-05-01"}),
    ("A1", "Plane", "Swift", {"seats": 2, "built": 1999}),
    ("A2", "Plane", "Heron", {"seats": 4, "built": 2008}),
    ("A3", "Plane", "Wren", {"seats": 2, "built": 2015}),
    ("C1", "Club", "Clubs United", {"town": "Ely"}),
    ("C2", "Club", "Fen Gliders", {"town": "March"}),
    ("H1", "Hangar", "North Shed", {"rent_eur_month": 800, "town": "Ely"}),
    ("H2", "Hangar", "Old Barn", {"rent_eur_month": 500, "town": "March"}),
    ("H3", "Hangar", "South Shed", {"rent_eur_month": 900, "town": "Ely"}),
    ("B1", "Backer", "Nord Bank", {}), ("B2", "Backer", "Tea House", {}),
    ("K1", "Course", "Night Flying", {"opens": "2026-03-01", "closes": "2026-05-31"}),
    ("K2", "Course", "Aerobatics", {"opens": "2026-09-10", "closes": "2026-12-31"}),
    ("S1", "Storm", "January Gale", {"severity": "high", "status": "over", "date": "2026-01-10", "ended_date": "2026-02-20"}),
    ("S2", "Storm", "July Hail", {"severity": "low", "status": "active", "date": "2026-07-20"}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("P1", "FLIES", "A1", {"valid_from": "2015-01-01", "valid_to": "2024-06-30"}),
    ("P2", "FLIES", "A1", {"valid_from": "2024-07-01"}),
    ("P2", "FLIES", "A2", {"valid_from": "2020-03-01"}),
    ("P3", "FLIES", "A3", {"valid_from": "2021-09-01", "valid_to": "2025-12-31"}),
    ("P1", "FLIES", "A3", {"valid_from": "2018-05-01"}),
    ("P1", "TRAINS", "P3", {}),
    ("A1", "KEPT_IN", "H1", {"valid_from": "2016-01-01"}),
    ("A2", "KEPT_IN", "H2", {"valid_from": "2020-01-01", "valid_to": "2025-12-31"}),
    ("A2", "KEPT_IN", "H1", {"valid_from": "2026-01-01"}),
    ("A3", "KEPT_IN", "H2", {"valid_from": "2021-01-01"}),
    ("C1", "SUBSCRIBES_TO", "K1", {"seats": 3, "valid_to": "2026-05-31"}),
    ("C1", "SUBSCRIBES_TO", "K2", {"seats": 4, "price_per_seat_eur": 30}),
    ("C2", "SUBSCRIBES_TO", "K2", {"seats": 5, "price_per_seat_eur": 50}),
    ("C1", "LEASES", "A1", {"fee_eur_year": 1000}), ("C1", "LEASES", "A2", {"fee_eur_year": 3000}),
    ("C2", "LEASES", "A3", {"fee_eur_year": 1500}),
    ("B1", "BACKS", "C1", {"amount_eur": 700}), ("B1", "BACKS", "P2", {"amount_eur": 200}),
    ("B2", "BACKS", "C1", {"amount_eur": 300}), ("B2", "BACKS", "C2", {"amount_eur": 400}),
    ("S1", "STRIKES", "H1", {}), ("S2", "STRIKES", "H2", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def airfield(tmp_path_factory):
    """Return a function from a question to its result or reason."""
    return asking(tmp_path_factory.mktemp("airfield"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # verbs that are said short
        ("Who's Swift's pilot?", ["P2"]),
        ("Which planes that we've kept in the Old Barn does Ada Moss fly?", ["A3"]),
        # a type's own word, where a name only has its stem
        ("clubs that lease the Wren", ["C2"]),
        # nouns for what a relation says
        ("Clubs whose subscription to something ended in May 2026", ["C1"]),
        # a verb before a month tells no edge of it
        ("Which courses open in September 2026?", ["K2"]),
        ("Which courses close at the end of May 2026?", ["K1"]),
        # events that are over, and those open on a day
        ("Which of the storms on record are over by now?", ["S1"]),
        ("Which storms were open on 1 February 2026?", ["S1"]),
        # where something is
        ("Back in May last year, where was the Heron kept?", ["H2"]),
        # then and not now, now and not then
        ("Which planes were kept in the Old Barn on 1 June 2025 but are no longer?", ["A2"]),
        (
            "Which planes were in the Old Barn at some point in 2025 but aren't in it any more today?",
            ["A2"],
        ),
        ("Which planes were kept in the Old Barn in 2025 but not any more?", ["A2"]),
        ("Which planes did the Old Barn keep in 2025 but no longer keeps today?", ["A2"]),
        ("Which planes did Cal Reed fly in 2025 but doesn't any more?", ["A3"]),
        ("Which planes does Bo Lind fly now that he didn't fly on 1 January 2024?", ["A1"]),
        # a bound is no comparison of the two names after it
        (
            "Which hangars with a rent of less than 850 euros a month keep the Swift or the Wren?",
            ["H1", "H2"],
        ),
        # who came before, and who after
        ("From whom did Bo Lind take over the Swift?", ["P1"]),
        ("Who took over the Swift from Ada Moss?", ["P2"]),
        ("Which pilots took over a plane in 2024?", ["P2"]),
        # what has ended, whenever that was
        ("Which clubs have a subscription that has already lapsed?", ["C1"]),
        # "newer" is a later year, though it is a lower age
        ("Which planes are newer than the Heron?", ["A3"]),
        # from one day or year to another
        ("Which planes were built between 2000 and 2010?", ["A2"]),
        ("Which pilots joined between 2018 and 2020?", ["P2"]),
        # an amount on the relation between two types
        ("Which backers give more than 500 euros to a club?", ["B1"]),
        # what was left on the last day before a period, and taken up on its first
        ("Which planes moved hangar in 2026?", ["A2"]),
        # "since" leads to a day
        ("Which planes have passed from one hangar to another since the start of 2025?", ["A2"]),
    ],
)
def test_the_entities_asked_for(airfield, question, wanted):
    """They are what the question asks for."""
    assert airfield(question).get("ids") == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # "number of" tells nothing of what a description calls a number
        ("Which course has the largest number of different clubs?", [["K2", 2], ["K1", 0]]),
        # the one type that has the number
        ("Who has the fewest hours?", [["P3", 250], ["P2", 400], ["P1", 900]]),
        # the amount on the relation that is named, or the only money that is paid
        ("Total backing per club, biggest first", [["C1", 1000], ["C2", 400]]),
        ("How much does each backer give in total?", [["B1", 900], ["B2", 700]]),
        ("For each backer, the sum of the money it gives to clubs", [["B1", 700], ["B2", 700]]),
        ("Which club pays the most for leases in a year?", [["C1", 4000], ["C2", 1500]]),
        # a number named right after "sum of", though another type is nearer to "each"
        ("Sum of the hours of all pilots of each plane", [["A3", 900], ["A1", 400], ["A2", 400]]),
        # only those that have any
        (
            "For every plane that has pilots, how many are there? Longest list first.",
            [["A1", 1], ["A2", 1], ["A3", 1]],
        ),
    ],
)
def test_the_ranking_asked_for(airfield, question, wanted):
    """Its numbers and its order are what the question asks for."""
    assert airfield(question).get("ranking") == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # the first and the last day of all that one thing has
        ("What was the last day on which Cal Reed flew for us?", "2025-12-31"),
        ("Since when has Bo Lind been flying with us?", "2020-03-01"),
    ],
)
def test_the_day_asked_for(airfield, question, wanted):
    """It is what the question asks for."""
    assert airfield(question).get("date") == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a cue with one letter wrong
        ("What are the avarage hours of our pilots?", 1550 / 3),
        # the mean over all, where each has one
        ("Mean rent per hangar", 2200 / 3),
        ("What is the average number of planes per hangar?", 1.0),
        # one of several types at an end of a relation
        ("How much money goes into our clubs altogether? Leave out what goes to pilots.", 1400),
        # names that are added up together, and not compared
        ("If you add up the rent of the North Shed and the Old Barn, what do you get?", 1300),
        ("Add up the hours of the pilots of the Swift and the Wren", 1300),
    ],
)
def test_the_number_asked_for(airfield, question, wanted):
    """It is what the question asks for."""
    assert airfield(question).get("number") == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # a property of the one thing that is named
        ("Does Ada Moss have more than 500 hours?", True),
        ("Does Bo Lind have more than 500 hours?", False),
        ("Was the Heron built before 2005?", False),
    ],
)
def test_whether_it_is_so(airfield, question, wanted):
    """It is so, or it is not."""
    assert airfield(question).get("value") is wanted
