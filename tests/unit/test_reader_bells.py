"""What is gone, denied, or still to come, read in a guild of bell-ringers and among beekeepers."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import Edge, Node, asking, rows_of

BELLS = """
name: bells
as_of: 2026-08-01
node_types:
  - {name: Ringer, description: Somebody who rings., properties: {standing: paid or volunteer, born: date of birth}}
  - {name: Tower, description: A tower with bells.}
  - {name: Peal, description: A long piece rung in one go., properties: {status: planned or rung, date: day it is rung, fee_eur: fee in euros}}
  - {name: Hall, description: A hall for suppers.}
relation_types:
  - {name: TEACHES_AT, source: Ringer, target: Tower, description: The ringer gives lessons at the tower.}
  - {name: RUNG_AT, source: Peal, target: Tower, description: The peal is rung at the tower.}
  - {name: CONDUCTS, source: Ringer, target: Peal, description: The ringer conducts the peal.}
  - {name: PACTS_WITH, source: Ringer, target: Hall, description: The ringer has a contract with the hall.}
  - {name: SUPS_IN, source: Peal, target: Hall, description: The ringers of the peal sup in the hall.}
"""
BELL_NODES: list[Node] = [
    ("R1", "Ringer", "Agnes Hart", {"standing": "paid", "born": "1960-02-01"}),
    ("R2", "Ringer", "Bertram Ives", {"standing": "volunteer", "born": "1999-02-01"}),
    ("R3", "Ringer", "Cora Jessop", {"standing": "volunteer", "born": "1981-02-01"}),
    ("T1", "Tower", "Oldminster", {}), ("T2", "Tower", "Penbury", {}), ("T3", "Tower", "Quarne", {}),
    ("P1", "Peal", "Autumn Surprise", {"status": "planned", "date": "2026-09-20", "fee_eur": 40}),
    ("P2", "Peal", "Bishop's Delight", {"status": "rung", "date": "2026-05-02", "fee_eur": 10}),
    ("P3", "Peal", "Coronet Bob", {"status": "planned", "date": "2026-10-04", "fee_eur": 60}),
    ("H1", "Hall", "Tithe Barn", {}), ("H2", "Hall", "Malt Loft", {}),
]  # fmt: skip
BELL_EDGES: list[Edge] = [
    ("R1", "TEACHES_AT", "T1", {}), ("R1", "TEACHES_AT", "T2", {}), ("R2", "TEACHES_AT", "T2", {}), ("R3", "TEACHES_AT", "T3", {}),
    ("P1", "RUNG_AT", "T1", {}), ("P2", "RUNG_AT", "T1", {}), ("P3", "RUNG_AT", "T3", {}),
    ("R1", "CONDUCTS", "P1", {}), ("R2", "CONDUCTS", "P2", {}), ("R2", "CONDUCTS", "P3", {}), ("R3", "CONDUCTS", "P3", {}),
    ("R1", "PACTS_WITH", "H1", {}), ("R3", "PACTS_WITH", "H2", {"valid_to": "2025-01-01"}),
    ("P1", "SUPS_IN", "H1", {}), ("P2", "SUPS_IN", "H1", {}), ("P3", "SUPS_IN", "H2", {}),
]  # fmt: skip

BEES = """
name: bees
as_of: 2026-08-01
node_types:
  - {name: Keeper, description: Somebody who keeps bees.}
  - {name: Apiary, description: A place with hives.}
  - {name: Fair, description: A fair where honey is sold., properties: {opening: date it opens}}
  - {name: Blight, description: A disease of bees., properties: {status: active or over, severity: low or high, date: first day, ended_date: last day}}
relation_types:
  - {name: TENDS, source: Keeper, target: Apiary, description: The keeper looks after the apiary.}
  - {name: SELLS_AT, source: Keeper, target: Fair, description: The keeper has a stall at the fair.}
  - {name: INFECTS, source: Blight, target: Apiary, description: The blight has the apiary closed.}
"""
BEE_NODES: list[Node] = [
    ("K1", "Keeper", "Dorn Family", {}), ("K2", "Keeper", "Edda Falk", {}), ("K3", "Keeper", "Gil Horn", {}),
    ("A1", "Apiary", "Heather Bank", {}), ("A2", "Apiary", "Iris Ditch", {}), ("A3", "Apiary", "Kiln Yard", {}),
    ("F1", "Fair", "Lent Fair", {"opening": "2026-03-01"}), ("F2", "Fair", "Michaelmas Fair", {"opening": "2026-09-29"}),
    ("F3", "Fair", "Nut Fair", {"opening": "2026-10-20"}),
    ("E1", "Blight", "Chalk Brood", {"status": "active", "severity": "high", "date": "2026-06-01"}),
    ("E2", "Blight", "Foul Brood", {"status": "over", "severity": "high", "date": "2025-11-01", "ended_date": "2026-01-10"}),
]  # fmt: skip
BEE_EDGES: list[Edge] = [
    ("K1", "TENDS", "A1", {}), ("K2", "TENDS", "A1", {}), ("K2", "TENDS", "A2", {}), ("K3", "TENDS", "A3", {}),
    ("K1", "SELLS_AT", "F1", {}), ("K2", "SELLS_AT", "F2", {}), ("K3", "SELLS_AT", "F3", {}), ("K3", "SELLS_AT", "F1", {}),
    ("E1", "INFECTS", "A2", {"valid_from": "2026-06-01"}), ("E2", "INFECTS", "A3", {"valid_from": "2025-11-01", "valid_to": "2026-01-10"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def guild(tmp_path_factory):
    """Return who answers questions about the bell-ringers."""
    return asking(tmp_path_factory.mktemp("bells"), BELLS, *rows_of(BELL_NODES, BELL_EDGES))


@pytest.fixture(scope="module")
def bees(tmp_path_factory):
    """Return who answers questions about the beekeepers."""
    return asking(tmp_path_factory.mktemp("bees"), BEES, *rows_of(BEE_NODES, BEE_EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Agnes Hart is off for three months. At which towers is nobody else teaching?", ["T1"]),
        ("Agnes Hart moves abroad. Which towers would then have nobody to teach there?", ["T1"]),
        ("Bertram Ives is on leave. For which peals is there then no conductor?", ["P2"]),
        ("Agnes Hart has a broken wrist; at which towers can nobody teach then?", ["T1"]),
    ],
)
def test_a_loss_is_told_in_a_sentence_of_its_own(guild, question, wanted):
    assert guild(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("The Dorn Family emigrates. Which apiaries would have no one else to tend them?", []),
        ("Edda Falk is down with the flu. Which apiaries does nobody else tend?", ["A2"]),
    ],
)
def test_a_loss_is_told_of_beekeepers_too(bees, question, wanted):
    assert bees(question)["ids"] == wanted


def test_a_sentence_of_what_goes_on_is_no_loss(bees):
    assert bees("Edda Falk joins us again. Which apiaries would nobody else tend?")["ids"] != ["A2"]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which ringers conduct upcoming peals?", ["R1", "R2", "R3"]),
        ("Which ringers conduct none of the peals still to come?", []),
        ("Which towers have an upcoming peal with only one ringer conducting it?", ["T1"]),
        ("If the Tithe Barn burnt down, which peals still to come would be without a hall?", ["P1"]),
        ("Which halls are needed for peals that are yet to come?", ["H1", "H2"]),
    ],
)  # fmt: skip
def test_what_is_to_come_is_said_by_a_value(guild, question, wanted):
    assert guild(question)["ids"] == wanted


def test_a_number_of_what_is_to_come_leaves_the_others_out(guild):
    assert guild("What fee do we get on average for the peals still to come?")["number"] == 50


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which keepers sell at fairs that are still to come?", ["K2", "K3"]),
        ("Which keepers aren't at any of the upcoming fairs?", ["K1"]),
        ("Edda Falk is ill. Which of the upcoming fairs would have nobody else selling there?", ["F2"]),
        ("Which fairs are upcoming?", ["F2", "F3"]),
    ],
)  # fmt: skip
def test_what_is_to_come_is_said_by_a_day(bees, question, wanted):
    assert bees(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which apiaries are affected right now?", ["A2"]),
        ("Which apiaries are down?", ["A2"]),
        ("Which apiaries were out of action on 1 December 2025?", ["A3"]),
        ("Which keepers tend an apiary that is currently hit?", ["K2"]),
        ("Which apiaries are not affected at the moment?", ["A1", "A3"]),
    ],
)
def test_a_state_tells_of_the_event_behind_it(bees, question, wanted):
    assert bees(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which apiaries were infected by a blight that began in 2025?", []),
        ("keepers none of whose apiaries is infected by a blight that began in 2026?", ["K1", "K3"]),
        ("Which keepers tend no apiary with an active blight?", ["K1", "K3"]),
        ("Which keepers tend no apiary with a current blight?", ["K1", "K3"]),
    ],
)  # fmt: skip
def test_an_event_keeps_its_day_and_its_state(bees, question, wanted):
    assert bees(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Leaving the fairs aside, which apiaries have no keeper?", []),
        ("Not counting fairs, which keepers tend more than one apiary?", ["K2"]),
        ("apiaries tended by just one keeper (don't count fairs)", ["A2", "A3"]),
        ("Fairs aside, which apiaries have only one keeper?", ["A2", "A3"]),
    ],
)
def test_a_kind_left_aside_asks_for_nothing(bees, question, wanted):
    assert bees(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which ringers with a current contract conduct a peal?", ["R1"]),
        ("Which of the ringers with a current contract teach at no tower?", []),
        ("Which towers have a ringer with a current contract?", ["T1", "T2"]),
    ],
)
def test_what_is_had_now_holds_of_who_has_it(guild, question, wanted):
    assert guild(question)["ids"] == wanted
