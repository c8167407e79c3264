"""Kinds of question about risk, on three domains, held against Eq. (1) by plain enumeration."""

# ruff: noqa: E501  # rows of a table read best on one line
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.answering import Ask, answering

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = {
    "aerospace": ROOT / "examples/aerospace",
    "touring": ROOT / "bench/questions/domains/touring",
    "skiresort": ROOT / "bench/questions/domains/skiresort",
}
WEIGHTS: Final = {"critical": 1.0, "high": 0.7, "medium": 0.4, "low": 0.1}
DECAY: Final = (1.0, 0.6, 0.35, 0.2)
FELT_BY_SOURCE: Final = {
    "USES", "LIES_IN", "STARTS_IN", "SERVES", "STANDS_ON", "PART_OF", "HELD_AT", "PLAYS_AT", "NEEDS",
}  # fmt: skip
"""Relations whose source feels what befalls their target; the others run the other way."""
WITHOUT_EFFECT: Final = {"REPORTS_TO", "COVERS"}


class World:
    """A data set as rows, and risk scores on it."""

    def __init__(self, name: str) -> None:
        folder = FOLDERS[name]
        self.today = "2024-12-01" if name == "aerospace" else "2026-08-01"
        self.nodes = {n["id"]: n for n in map(json.loads, self.lines(folder / "nodes.jsonl"))}
        rows = map(json.loads, self.lines(folder / "edges.jsonl"))
        self.edges = [e for e in rows if self.holds(e)]
        self.felt: set[tuple[str, str]] = set()
        for edge in self.edges:
            if edge["type"] in FELT_BY_SOURCE:
                self.felt.add((edge["target"], edge["source"]))
            elif edge["type"] not in WITHOUT_EFFECT:
                self.felt.add((edge["source"], edge["target"]))

    @staticmethod
    def lines(file: Path) -> list[str]:
        return [line for line in file.read_text("utf-8").splitlines() if line.strip()]

    def holds(self, edge: dict[str, Any]) -> bool:
        first = edge.get("valid_from") or edge.get("effective_date") or ""
        last = edge.get("valid_to") or edge.get("expired_date") or "9999"
        return first <= self.today <= last

    def of(self, kind: str) -> list[str]:
        return sorted(n for n, row in self.nodes.items() if row["type"] == kind)

    def to(self, source: str, relation: str) -> list[str]:
        found = {e["target"] for e in self.edges if (e["source"], e["type"]) == (source, relation)}
        return sorted(found)

    def back(self, target: str, relation: str) -> list[str]:
        found = {e["source"] for e in self.edges if (e["target"], e["type"]) == (target, relation)}
        return sorted(found)

    def is_open(self, event: str) -> bool:
        return self.nodes[event].get("status") in {"active", "ongoing"}

    @property
    def events(self) -> list[str]:
        return [n for n, row in sorted(self.nodes.items()) if "severity" in row and self.is_open(n)]

    def risk(self, target: str, events: list[str] | None = None, **severity: str) -> float:
        """Eq. (1); ``severity`` gives events, their ids with _ for -, another severity."""
        up, hops = {target: 0}, 0
        while new := {a for a, b in self.felt if up.get(b) == hops and a not in up}:
            hops += 1
            up |= dict.fromkeys(new, hops)
        total = 0.0
        for event in self.events if events is None else events:
            grade = severity.get(event.replace("-", "_"), self.nodes[event]["severity"])
            for source in (s for s in up if (event, s) in self.felt):
                parts = {b for a, b in self.felt if a == source and b in up}
                n_parts = len(parts) if up[source] else 1
                total += WEIGHTS[grade] * n_parts * DECAY[min(max(up[source], 1), 4) - 1]
        return total

    def less(self, target: str, *events: str) -> float:
        return self.risk(target, [e for e in self.events if e not in events])

    def over(self, kind: str, number: float) -> set[str]:
        return {n for n in self.of(kind) if self.risk(n) > number}

    def feels(self, kind: str, event: str) -> list[str]:
        return [n for n in self.of(kind) if self.risk(n, [event]) > 0]


@cache
def world(name: str) -> World:
    return World(name)


@cache
def asker(name: str) -> Ask:
    return answering(FOLDERS[name])


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


Wanted = Callable[[World], Any]

FIGURES: list[tuple[str, str, Wanted]] = [
    ("aerospace", "What is the average risk score of the products PacificWings has ordered?",
     lambda w: mean([w.risk(p) for p in w.back("CUS-002", "DELIVERS_TO")])),
    ("aerospace", "What is the highest risk score among the products AirGlobal has ordered?",
     lambda w: max(w.risk(p) for p in w.back("CUS-001", "DELIVERS_TO"))),
    ("touring", "What is the average risk score of the tours that Gallop Trucking transports?",
     lambda w: mean([w.risk(t) for t in w.to("HA-1", "TRANSPORTS")])),
    ("touring", "What's the total risk score of the gear that Lichtwerk Hire supplies?",
     lambda w: sum(w.risk(g) for g in w.to("RE-2", "SUPPLIES"))),
    ("touring", "What is the lowest risk score of any tour that needs the Line Array?",
     lambda w: min(w.risk(t) for t in w.back("GE-01", "NEEDS"))),
    ("touring", "Of the tours that need the Line Array, what is the highest risk score?",
     lambda w: max(w.risk(t) for t in w.back("GE-01", "NEEDS"))),
    ("skiresort", "What is the combined risk score of the pumphouses fed by the Upper Tarn?",
     lambda w: sum(w.risk(p) for p in w.to("RES-01", "FEEDS"))),
    ("skiresort", "What is the highest risk score of the pistes that the Bowl Six serves?",
     lambda w: max(w.risk(p) for p in w.to("LIF-04", "SERVES"))),
    # without an event
    ("aerospace", "What would the ExecWing's risk score drop to if the Taiwan earthquake were closed?",
     lambda w: w.less("PRD-005", "EVT-002")),
    ("aerospace", "What would WideBird score on risk without the Thailand flood?",
     lambda w: w.less("PRD-002", "EVT-001")),
    ("touring", "What would the Deep Crossing Tour's risk score come to if the Channel Ports Strike were resolved?",
     lambda w: w.less("TR-3", "IN-2")),
    ("touring", "If Storm Agnete and the ports strike were both over, what would the Velvet Hour Tour's risk score be?",
     lambda w: w.less("TR-5", "IN-1", "IN-2")),
    ("touring", "What would the Line Array's risk score be if the warehouse fire were put out?",
     lambda w: w.less("GE-01", "IN-4")),
    ("skiresort", "What would the Upper Tarn's risk score be, not counting the Upper Tarn leak?",
     lambda w: w.less("RES-01", "INC-02")),
    # more or less severe
    ("aerospace", "What would the NarrowBody's risk score be if the Taiwan earthquake were upgraded to critical?",
     lambda w: w.risk("PRD-001", EVT_002="critical")),
    ("aerospace", "Suppose the Monterrey rationing got worse and went from high to critical. What risk score would that give the RegionalJet-150?",
     lambda w: w.risk("PRD-004", EVT_003="critical")),
    ("touring", "If the ports strike were only medium, what would Gallop Trucking's risk score be?",
     lambda w: w.risk("HA-1", IN_2="medium")),
    ("touring", "How high would the risk score of Oslo be if Storm Agnete was only a low one?",
     lambda w: w.risk("CI-10", IN_1="low")),
    ("skiresort", "If the Upper Tarn leak were downgraded to low, what would the Falcon Line score on risk?",
     lambda w: w.risk("SNO-03", INC_02="low")),
    ("skiresort", "What would the Ridge Chair's risk score rise to if the Ridge gearbox failure became critical?",
     lambda w: w.risk("LIF-03", INC_01="critical")),
    # the share of one event
    ("aerospace", "How much of the WideBird's risk score is down to the Monterrey power rationing?",
     lambda w: w.risk("PRD-002", ["EVT-003"])),
    ("aerospace", "By how much would the ExecWing's risk score fall if the Taiwan earthquake were over?",
     lambda w: w.risk("PRD-005", ["EVT-002"])),
    ("aerospace", "How much of the WideBird's risk score comes from the Hamburg port strike?",
     lambda w: 0.0),
    ("touring", "How much of the Velvet Hour Tour's risk score comes from the ports strike?",
     lambda w: w.risk("TR-5", ["IN-2"])),
    ("touring", "How much does Storm Agnete contribute to Oslo's risk score?",
     lambda w: w.risk("CI-10", ["IN-1"])),
    ("skiresort", "How much of the Bowl Six's risk score is due to the Wolf Gully rockfall?",
     lambda w: w.risk("LIF-04", ["INC-03"])),
    # of the type that is asked about
    ("aerospace", "How many of the open events are rated high?",
     lambda w: sum(w.nodes[e]["severity"] == "high" for e in w.events)),
    ("touring", "How many of the active incidents are high?",
     lambda w: sum(w.nodes[e]["severity"] == "high" for e in w.events)),
    ("skiresort", "How many of the ongoing incidents are rated medium?",
     lambda w: sum(w.nodes[e]["severity"] == "medium" for e in w.events)),
    ("aerospace", "How many of the events that are over were rated medium?",
     lambda w: sum(w.nodes[e]["severity"] == "medium" and not w.is_open(e) for e in w.of("RiskEvent"))),
    ("touring", "How many ongoing incidents are classed as medium?",
     lambda w: sum(w.nodes[e]["severity"] == "medium" for e in w.events)),
    ("skiresort", "How many incidents are rated critical?",
     lambda w: sum(w.nodes[e]["severity"] == "critical" for e in w.of("Incident"))),
    # how many
    ("aerospace", "How many products have the Thailand flood in their risk score?",
     lambda w: len(w.feels("Product", "EVT-001"))),
    ("aerospace", "How much riskier is the WideBird than the NarrowBody?",
     lambda w: w.risk("PRD-002") - w.risk("PRD-001")),
]  # fmt: skip

SETS: list[tuple[str, str, Wanted]] = [
    # what an event adds to
    ("aerospace", "Which products have the Taiwan earthquake in their risk score?",
     lambda w: w.feels("Product", "EVT-002")),
    ("aerospace", "Which products would score lower on risk if the Thailand flood were over?",
     lambda w: w.feels("Product", "EVT-001")),
    ("touring", "Which artists have the power cut in their risk score?",
     lambda w: w.feels("Artist", "IN-9")),
    ("touring", "Which venues does Storm Agnete add to the risk score of?",
     lambda w: w.feels("Venue", "IN-1")),
    ("skiresort", "Which snow lines have the Upper Tarn leak in their risk score?",
     lambda w: w.feels("SnowLine", "INC-02")),
    ("skiresort", "Which lifts' risk scores would drop if the Ridge gearbox failure were fixed?",
     lambda w: w.feels("Lift", "INC-01")),
    ("touring", "Which incidents make up Oslo's risk score?",
     lambda w: [e for e in w.events if w.risk("CI-10", [e])]),
    # a score on what is inside
    ("aerospace", "Which customers on a long-term contract have ordered a product that scores above 1 on risk?",
     lambda w: [c for c in w.of("Customer") if w.nodes[c]["contract"] == "long-term"
                and w.over("Product", 1) & set(w.back(c, "DELIVERS_TO"))]),
    ("touring", "Which agents represent an artist with a risk score above 3?",
     lambda w: [a for a in w.of("Agent") if w.over("Artist", 3) & set(w.to(a, "REPRESENTS"))]),
    ("touring", "Which sponsors sponsor an artist who is riskier than 2.8?",
     lambda w: [s for s in w.of("Sponsor") if w.over("Artist", 2.8) & set(w.to(s, "SPONSORS"))]),
    ("touring", "List shows held at venues with a risk score above 0.5",
     lambda w: [s for s in w.of("Show") if w.over("Venue", 0.5) & set(w.to(s, "HELD_AT"))]),
    ("skiresort", "Which patrollers look after a piste that scores over 0.3 on risk?",
     lambda w: [p for p in w.of("Patroller") if w.over("Piste", 0.3) & set(w.to(p, "PATROLS"))]),
    ("skiresort", "Which contractors maintain a lift with a risk score of 0.7 or more?",
     lambda w: [c for c in w.of("Contractor") if w.over("Lift", 0.699) & set(w.to(c, "MAINTAINS"))]),
    ("skiresort", "Which pistes with a risk score above 0.3 does Bowl Six serve?",
     lambda w: sorted(w.over("Piste", 0.3) & set(w.to("LIF-04", "SERVES")))),
    # of the type itself
    ("aerospace", "Which products don't score above 0.9 on risk?",
     lambda w: sorted(set(w.of("Product")) - w.over("Product", 0.9))),
    ("aerospace", "If the Thailand flood were over, which products would still have a risk score above 0.9?",
     lambda w: [p for p in w.of("Product") if w.less(p, "EVT-001") > 0.9]),
    # how grave events are
    ("aerospace", "the most serious of the ongoing events", lambda w: graded(w, "critical")),
    ("aerospace", "Which of the open events is the mildest?", lambda w: graded(w, "high")),
    ("touring", "What are the least serious ongoing incidents?", lambda w: graded(w, "low")),
    ("touring", "Which is the gravest incident that is still open?", lambda w: graded(w, "critical")),
    ("touring", "Name the two most severe open incidents.", lambda w: graded(w, "critical", "high")),
    ("skiresort", "What is the worst of the ongoing incidents?", lambda w: graded(w, "critical")),
    ("skiresort", "Which of the incidents that are over was the mildest?",
     lambda w: [e for e in w.of("Incident") if not w.is_open(e) and w.nodes[e]["severity"] == "medium"]),
]  # fmt: skip

BY_EVENT: list[tuple[str, str, str]] = [
    ("aerospace", "Break the X50's risk score down by open event, largest share first.", "PRD-002"),
    ("aerospace", "Which open event contributes most to the WideBird's risk score?", "PRD-002"),
    ("touring", "Split the risk score of the Velvet Hour Tour by open incident.", "TR-5"),
    ("touring", "How much does each open incident add to Oslo's risk score?", "CI-10"),
    ("skiresort", "Break down Bowl Six's risk score by incident.", "LIF-04"),
    ("skiresort", "Break the risk score of the Larch Hut down into ongoing incidents.", "HUT-01"),
]

PAIRS: list[tuple[str, str, str, str]] = [
    ("aerospace", "is the drone riskier than the freighter? give me both scores", "PRD-006", "PRD-003"),
    ("aerospace", "Compare the risk scores of the WideBird and the NarrowBody.", "PRD-002", "PRD-001"),
    ("aerospace", "Which is riskier, the ExecWing or the RegionalJet?", "PRD-005", "PRD-004"),
    ("touring", "Which is riskier, the Deep Crossing Tour or the Minuit Tour?", "TR-3", "TR-2"),
    ("touring", "Does the Minuit Tour have a higher risk score than the Small Rooms Tour?", "TR-2", "TR-6"),
    ("skiresort", "Which has the higher risk score, the Ridge Chair or the Bowl Six?", "LIF-03", "LIF-04"),
    ("skiresort", "Compare the risk of the Falcon Line and the Larch Line.", "SNO-03", "SNO-01"),
]  # fmt: skip


def graded(w: World, *severities: str) -> list[str]:
    return [e for e in w.events if w.nodes[e]["severity"] in severities]


@pytest.mark.parametrize(("name", "question", "wanted"), FIGURES)
def test_the_figure_is_read(name: str, question: str, wanted: Wanted):
    answer = asker(name)(question)
    assert answer["number"] == pytest.approx(wanted(world(name)), abs=1e-9)


@pytest.mark.parametrize(("name", "question", "wanted"), SETS)
def test_the_exact_set_is_read(name: str, question: str, wanted: Wanted):
    answer = asker(name)(question)
    assert (answer["kind"], answer["ids"]) == ("nodes", wanted(world(name)))


@pytest.mark.parametrize(("name", "question", "target"), BY_EVENT)
def test_a_score_is_broken_down_by_event(name: str, question: str, target: str):
    w = world(name)
    shares = {e: pytest.approx(s) for e in w.events if (s := w.risk(target, [e]))}
    ranking = asker(name)(question)["ranking"]
    assert dict(ranking) == shares
    assert [s for _, s in ranking] == sorted((s for _, s in ranking), reverse=True)


@pytest.mark.parametrize(("name", "question", "a", "b"), PAIRS)
def test_two_scores_are_compared(name: str, question: str, a: str, b: str):
    first, second = world(name).risk(a), world(name).risk(b)
    answer = asker(name)(question)["comparison"]
    assert answer["values"]["risk_score"] == [pytest.approx(first), pytest.approx(second)]
    higher = {} if first == pytest.approx(second) else [a if first > second else b]
    assert answer["shared"].get("higher", {}) == higher


@pytest.mark.parametrize(
    "question",
    [
        "What would the Line Array's risk score be if the warehouse fire hit Oslo?",
        "What percentage of Oslo's risk score comes from Storm Agnete?",
    ],
)
def test_what_cannot_be_told_of_a_score_is_refused(question: str):
    assert asker("touring")(question) == "not_in_schema"


def test_the_thing_with_the_highest_score_is_no_number():
    answer = asker("skiresort")("What is the lift with the highest risk score?")
    assert answer["ranking"][0][0] == max(
        world("skiresort").of("Lift"), key=world("skiresort").risk
    )
