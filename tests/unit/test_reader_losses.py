"""Losses, single sources, and what hangs on something, read in a town of mills and bakeries."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking

SCHEMA = """
name: bakeries
as_of: 2026-08-01
node_types:
  - {name: Mill}
  - {name: Flour}
  - {name: Bakery}
  - {name: Cafe}
  - {name: Machine}
  - {name: Strike, description: An event that stops work., properties: {status: active or closed, severity: low or high, date: first day, ended_date: last day}}
relation_types:
  - {name: SUPPLIES, source: Mill, target: Flour}
  - {name: USES, source: Bakery, target: Flour}
  - {name: DELIVERS_TO, source: Bakery, target: Cafe}
  - {name: RELIES_ON, source: Machine, target: Machine, description: The first machine relies on the second.}
  - {name: AFFECTS, source: Strike, target: [Mill, Bakery], properties: {loss_eur: loss in euros}}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("M1", "Mill", "Nordhus", {}), ("M2", "Mill", "Sandford", {}), ("M3", "Mill", "Holm", {}),
    ("F1", "Flour", "Rye Fine", {}), ("F2", "Flour", "Spelt Dark", {}),
    ("F3", "Flour", "Oat Rough", {}), ("F4", "Flour", "Corn Gold", {}),
    ("B1", "Bakery", "Anker", {"opened": 1990}), ("B2", "Bakery", "Brezel", {"opened": 2004}), ("B3", "Bakery", "Cosima", {"opened": 1988}),
    ("C1", "Cafe", "Dock Cafe", {}), ("C2", "Cafe", "Elm Cafe", {}), ("C3", "Cafe", "Fern Cafe", {}),
    ("K1", "Machine", "Boiler", {}), ("K2", "Machine", "Steamer", {}), ("K3", "Machine", "Proofer", {}),
    ("E1", "Strike", "March Walkout", {"status": "active", "severity": "high", "date": "2026-03-01"}),
    ("E2", "Strike", "April Sit-in", {"status": "closed", "severity": "low", "ended_date": "2026-04-20", "date": "2026-04-01"}),
    ("E3", "Strike", "July Lockout", {"status": "active", "severity": "high", "date": "2026-07-01"}),
]  # fmt: skip
EDGES = [
    ("M1", "SUPPLIES", "F1"), ("M2", "SUPPLIES", "F1"), ("M1", "SUPPLIES", "F2"),
    ("M3", "SUPPLIES", "F3"), ("M1", "SUPPLIES", "F4"),
    ("B1", "USES", "F1"), ("B1", "USES", "F2"), ("B2", "USES", "F4"), ("B3", "USES", "F3"),
    ("B1", "DELIVERS_TO", "C1"), ("B2", "DELIVERS_TO", "C1"), ("B2", "DELIVERS_TO", "C2"), ("B3", "DELIVERS_TO", "C3"),
    ("K2", "RELIES_ON", "K1"), ("K3", "RELIES_ON", "K2"),
]  # fmt: skip
LOSSES = [("E1", "M1", 100), ("E2", "M3", 70), ("E3", "B1", 30), ("E3", "M1", 5)]


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    nodes = [{"id": i, "type": t, "name": n, **more} for i, t, n, more in NODES]
    edges: list[dict[str, object]] = [{"source": s, "type": r, "target": t} for s, r, t in EDGES]
    edges += [{"source": s, "type": "AFFECTS", "target": t, "loss_eur": n} for s, t, n in LOSSES]
    return asking(tmp_path_factory.mktemp("bakeries"), SCHEMA, nodes, edges)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # what stays unharmed
        ("Suppose Nordhus went under. Which bakeries would come through unscathed?", ["B3"]),
        ("If Sandford and Holm both fold, which cafes get away unharmed?", ["C2"]),
        # what still has one
        ("Without Nordhus, which flours still have a mill?", ["F1", "F3"]),
        ("If Nordhus folds, which flours keep at least one mill?", ["F1", "F3"]),
        ("If Brezel closed, which cafes would be left standing?", ["C1", "C3"]),
        # what has nobody left
        ("Say Nordhus shuts its doors. What flour could we then not get from anybody?", ["F2", "F4"]),
    ],
)  # fmt: skip
def test_what_a_loss_leaves_is_read(town, question, wanted):
    assert town(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which flours come from Nordhus and from no one else?", ["F2", "F4"]),
        ("Which cafes get deliveries from Brezel alone?", ["C2"]),
        ("Which flours does Nordhus alone supply?", ["F2", "F4"]),
        ("Which cafes are delivered to by Cosima and nobody else?", ["C3"]),
        ("Which bakeries use only Oat Rough?", ["B3"]),
        ("Which flours can be had from one mill and no other?", ["F2", "F3", "F4"]),
        ("Which flours have a lone supplier?", ["F2", "F3", "F4"]),
    ],
)  # fmt: skip
def test_one_and_no_other_is_read(town, question, wanted):
    assert town(question)["ids"] == wanted


def test_affected_tells_no_event_where_a_loss_is_supposed(town):
    answer = town("Which machines would be affected in the end if the Boiler stopped?")
    assert answer["ids"] == ["K2", "K3"]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who is sole supplier to us for at least two flours?", ["M1"]),
        ("Which mills are the only ones that supply at least two pieces of flour?", ["M1"]),
        ("Which bakeries are the only one that delivers to some cafe?", ["B2", "B3"]),
        ("mills that are the only body supplying some flour", ["M1", "M3"]),
    ],
)
def test_the_only_one_is_what_is_asked_for(town, question, wanted):
    assert town(question)["ids"] == wanted


def test_what_each_alone_has_is_counted(town):
    wanted = [["M1", 2], ["M3", 1], ["M2", 0]]
    assert town("For how many flours is each mill the sole source?")["ranking"] == wanted
    assert town("For each mill, how many flours does it alone supply?")["ranking"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What hangs on Holm? The flours it supplies, the bakeries that use them and the cafes those bakeries deliver to, I mean.", ["B3", "C3", "F3"]),
        ("Everything in the wake of the March Walkout, in one list: mills hit, flours of those mills, bakeries that use those flours.", ["B1", "B2", "F1", "F2", "F4", "M1"]),
        ("Which bakeries use Corn Gold and which cafes do those deliver to? Both in one list.", ["B2", "C1", "C2"]),
        ("Follow Sandford down as far as the bakeries: all flours and bakeries it touches, but not the cafes.", ["B1", "F1"]),
        ("What lies upstream of the Elm Cafe? I want the bakeries, the flours they use and the mills that supply those.", ["B2", "F4", "M1"]),
    ],
)  # fmt: skip
def test_kinds_that_hang_on_one_thing_are_told_one_by_one(town, question, wanted):
    assert town(question)["ids"] == wanted


def test_what_feels_a_fault_is_followed_as_it_runs(town):
    for rest in (
        "directly or further down the line",
        "directly or by way of another that relies on it",
    ):
        answer = town(f"If the Boiler stops answering, which machines feel it, {rest}?")
        assert answer["ids"] == ["K2", "K3"]


def test_open_events_are_counted_by_number_not_by_a_day_of_opening(town):
    wanted = [["B1", 1], ["B2", 0], ["B3", 0]]
    assert town("Which bakery is hit directly by the most open strikes?")["ranking"] == wanted
    assert town("Rank the bakeries by the number of open strikes.")["ranking"] == wanted


def test_a_number_on_events_that_are_still_open_leaves_the_others_out(town):
    assert (
        town("How much loss in euros is booked for the strikes still open, all told?")["number"]
        == 135
    )


def test_one_of_two_kinds_is_enough(town):
    assert town("Which open strikes hit a mill or a bakery?")["ids"] == ["E1", "E3"]
    assert town("Which strikes affect a bakery or a mill?")["ids"] == ["E1", "E2", "E3"]


def test_an_order_by_a_number_of_what_is_reached_adds_it_up(town):
    answer = town("Rank the mills by the total loss of the strikes that hit them.")
    assert answer["ranking"][:2] == [["M1", 105], ["M3", 70]]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # who does what a relation says, where no type is called so
        ("Which flours have at least two suppliers?", ["F1"]),
        ("Which flours have more than one supplier?", ["F1"]),
        # "single-source" is said of the noun after it
        ("Which bakeries use single-source flours?", ["B1", "B2", "B3"]),
        ("single-source flours that Anker uses", ["F2"]),
    ],
)
def test_doers_and_single_sources_are_read(town, question, wanted):
    assert town(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which flours would be down to one mill if Sandford stopped?", ["F1"]),
        ("If Nordhus folds, which flours are left with exactly one mill?", ["F1"]),
        ("If Anker closed, which cafes would be left with only one bakery?", ["C1"]),
    ],
)
def test_what_is_down_to_one_is_read(town, question, wanted):
    assert town(question)["ids"] == wanted
