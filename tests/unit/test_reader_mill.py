"""Kinds of questions that two suites over all tiers missed, asked of a weaving mill."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking, rows_of

SCHEMA = """
name: mill
as_of: 2026-08-01
node_types:
  - {name: Hall, description: A part of the mill in which one step is done., properties: {windows: number of windows}}
  - {name: Loom, description: A machine of the mill., properties: {put_up: year in which it was put in}}
  - {name: Yarn, description: A thread that we weave., properties: {hazard: "dusty, sharp or plain"}}
  - {name: Firm, description: A company from outside that works here.}
  - {name: Weaver, description: Somebody on our payroll., properties: {role: "manager, weaver or clerk", age: age in years}}
  - {name: Pass, description: A written permission for work on a loom., properties: {state: "live or closed"}}
  - {name: Complaint, description: A fault that a buyer has written down., properties: {status: open or closed}}
  - {name: Audit, description: A check of how often something is done., properties: {frequency: "yearly or weekly"}}
  - name: Stoppage
    description: A failure that puts looms out of service.
    properties: {severity: "high or low", status: "open while it lasts, closed afterwards", date: first day, ended_date: last day}
relation_types:
  - {name: FEEDS, source: Hall, target: Hall, description: Cloth goes from the first hall to the second.}
  - {name: DUCTED_TO, source: Loom, target: Loom, description: A duct leads from the first to the second.}
  - {name: STANDS_IN, source: Loom, target: Hall, description: The loom is in the hall.}
  - {name: HOLDS, source: Loom, target: Yarn, description: The yarn is inside the loom.}
  - {name: MAINTAINS, source: Firm, target: Loom, description: The firm services the loom., properties: {fee_keur: yearly fee in thousands of euros}}
  - {name: SPUN_BY, source: Yarn, target: Firm, description: We buy the yarn there.}
  - {name: COVERS, source: Pass, target: Loom, description: The pass allows work on the loom.}
  - {name: GRANTED_TO, source: Pass, target: Firm, description: The firm works under the pass.}
  - {name: SIGNED_BY, source: Pass, target: Weaver, description: The weaver issued the pass.}
  - {name: QUALIFIED_ON, source: Weaver, target: Hall, description: The weaver is signed off to mind the desk of the hall.}
  - {name: KEEPS, source: Weaver, target: Hall, description: The weaver manages the hall and answers for it.}
  - {name: STANDS_IN_FOR, source: Weaver, target: Weaver, description: The first weaver is the deputy of the second.}
  - {name: STOPS, source: Stoppage, target: Loom, description: The stoppage puts the loom out of service.}
  - {name: RAISED_AGAINST, source: Complaint, target: Loom, description: The complaint says that the loom is at fault.}
"""
NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("H1", "Hall", "Carding Hall", {"windows": 8}), ("H2", "Hall", "Spinning Hall", {"windows": 12}), ("H3", "Hall", "Dye House", {}), ("H4", "Hall", "Packing Hall", {}),
    ("L1", "Loom", "Big Ada", {"put_up": 1985}), ("L2", "Loom", "Old Ben", {"put_up": 1992}),
    ("L3", "Loom", "Kate Loom", {"put_up": 2011}), ("L4", "Loom", "Dora Loom", {"put_up": 2015}),
    ("Y1", "Yarn", "Flax Tow", {"hazard": "dusty"}), ("Y2", "Yarn", "Steel Thread", {"hazard": "sharp"}), ("Y3", "Yarn", "Silk Twist", {"hazard": "plain"}),
    ("F1", "Firm", "Ostrick", {}), ("F2", "Firm", "Pell Brothers", {}), ("F3", "Firm", "Quarrie", {}),
    ("W1", "Weaver", "Ruth Amble", {"role": "manager", "age": 58}), ("W2", "Weaver", "Sven Tolk", {"role": "weaver", "age": 40}), ("W3", "Weaver", "Tess Umber", {"role": "clerk", "age": 50}),
    ("P1", "Pass", "Pass 11", {"state": "live"}), ("P2", "Pass", "Pass 12", {"state": "live"}), ("P3", "Pass", "Pass 13", {"state": "closed"}),
    ("C1", "Complaint", "Loose weft", {"status": "open"}), ("C2", "Complaint", "Torn hem", {"status": "closed"}),
    ("U1", "Audit", "Count of Bales", {"frequency": "yearly"}),
    ("S1", "Stoppage", "Broken shaft", {"severity": "high", "status": "open", "date": "2026-07-01"}),
    ("S2", "Stoppage", "Blown fuse", {"severity": "low", "status": "closed", "date": "2026-05-01", "ended_date": "2026-05-02"}),
]  # fmt: skip
EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("H1", "FEEDS", "H2", {}), ("H2", "FEEDS", "H3", {}), ("H3", "FEEDS", "H4", {}),
    ("L1", "DUCTED_TO", "L2", {}), ("L2", "DUCTED_TO", "L3", {}), ("L3", "DUCTED_TO", "L4", {}),
    ("L1", "STANDS_IN", "H2", {}), ("L2", "STANDS_IN", "H2", {}), ("L3", "STANDS_IN", "H3", {}), ("L4", "STANDS_IN", "H2", {}),
    ("L4", "STANDS_IN", "H4", {}),
    ("L1", "HOLDS", "Y3", {}), ("L2", "HOLDS", "Y1", {}), ("L3", "HOLDS", "Y1", {}), ("L4", "HOLDS", "Y2", {}),
    ("F1", "MAINTAINS", "L1", {"fee_keur": 30}), ("F1", "MAINTAINS", "L2", {"fee_keur": 30}), ("F2", "MAINTAINS", "L3", {"fee_keur": 50}),
    ("Y1", "SPUN_BY", "F1", {}), ("Y1", "SPUN_BY", "F2", {}), ("Y2", "SPUN_BY", "F3", {}),
    ("P1", "COVERS", "L1", {}), ("P1", "GRANTED_TO", "F3", {}), ("P1", "SIGNED_BY", "W1", {}),
    ("P2", "COVERS", "L3", {}), ("P2", "GRANTED_TO", "F1", {}), ("P3", "COVERS", "L1", {}), ("P3", "GRANTED_TO", "F2", {}),
    ("W2", "QUALIFIED_ON", "H2", {}), ("W3", "QUALIFIED_ON", "H3", {}),
    ("W1", "KEEPS", "H2", {}), ("W3", "KEEPS", "H1", {}), ("W3", "STANDS_IN_FOR", "W1", {}),
    ("S1", "STOPS", "L1", {}), ("S2", "STOPS", "L3", {}),
    ("C1", "RAISED_AGAINST", "L2", {}), ("C2", "RAISED_AGAINST", "L4", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def mill(tmp_path_factory):
    """Return a function from a question to its result, or the reason that there is none."""
    return asking(tmp_path_factory.mktemp("mill"), SCHEMA, *rows_of(NODES, EDGES))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # "outside" says whose a firm is, and leaves nothing out
        ("Which outside firms service looms in the Spinning Hall?", ["F1"]),
        ("List the looms serviced by outside firms", ["L1", "L2", "L3"]),
        # told in the words of a description; everyone who does something
        ("Everyone who is signed off to mind the desk of a hall that Ruth Amble manages, please", ["W2"]),
        # "by way of others" tells a chain, and no passive
        ("The Carding Hall has gone down. Which halls does it supply, directly or by way of others?", ["H2", "H3", "H4"]),
        ("Follow the ducts onward from Old Ben: all the looms they lead to, right to the end", ["L3", "L4"]),
        # light verbs with their particle; what has such a value
        ("Which looms put in before 2012 have something dusty inside?", ["L2", "L3"]),
        ("Which looms have nothing dusty inside?", ["L1", "L4"]),
        ("Which looms does a buyer still have something open against?", ["L2"]),
        # a noun hangs on the noun before it; words within a phrase name nothing else
        ("Which firm is working under a live pass on a loom that an open stoppage has put out of service?", ["F3"]),
        # whom a thing is answered for by, and who takes somebody's place
        ("Who's responsible for the Spinning Hall these days?", ["W1"]),
        ("Who covers for Ruth Amble when she's away?", ["W3"]),
        # a second one is denied of what is counted
        ("Which looms stand in one hall only, without a second one?", ["L1", "L2", "L3"]),
        # a noun that is not meant says nothing; at any time
        ("Which looms, not halls, has Ostrick serviced, now or formerly?", ["L1", "L2"]),
        # a bare number after somebody is an age
        ("Weavers over 45 signed off to mind the desk of a hall with more than 10 windows?", []),
        ("Weavers under 45 signed off to mind the desk of a hall with more than 10 windows?", ["W2"]),
        # who would not get something feels the fault; who would not feel it does not
        ("Which looms would not get their yearly service if Ostrick closed?", ["L1", "L2"]),
        ("Which looms would not be affected if Ostrick closed?", ["L3", "L4"]),
    ],
)  # fmt: skip
def test_what_is_meant_is_found(mill, question, wanted):
    assert mill(question)["ids"] == wanted


def test_a_way_through_the_ductwork_takes_ducts_alone(mill):
    answer = mill("What's the shortest way through the ductwork from Big Ada to Dora Loom?")
    assert answer["path"] == ["L1", "L2", "L3", "L4"]


def test_a_year_after_most_is_no_frequency(mill):
    answer = mill("Which firm costs us the most a year once the fees for its looms are added up?")
    assert answer["ranking"][0] == ["F1", 60]


@pytest.mark.parametrize(
    ("question", "value"),
    [("Is Steel Thread single-sourced?", True), ("Is Flax Tow single sourced?", False)],
)
def test_what_is_single_sourced_is_what_is_supplied(mill, question, value):
    assert mill(question)["value"] is value


@pytest.mark.parametrize(
    "question",
    [
        "How many windows does Ostrick have?",  # the halls of the looms that it services have them
        "Which loom in the Spinning Hall is the largest?",  # nothing says how large looms are
        "Dusty or sharp: which is in more looms?",  # of two values, no numbers are compared
    ],
)
def test_a_number_of_something_else_is_not_given(mill, question):
    assert mill(question) == "not_in_schema"


def test_what_a_relation_says_is_added_up_over_everything(mill):
    answer = mill("Add up the fees of everything serviced by Ostrick, in thousands of euros.")
    assert answer["number"] == 60
