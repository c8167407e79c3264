"""Every general template over two example graphs, against plain twins that read the files."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import HashEncoder
from tiers.graphrag.plans.plan import plan_from_json, run
from tiers.graphrag.reading.reader import PlanReader, Refused
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.stores.showing import to_cypher
from tiers.graphrag.templates.filling import instantiate
from tiers.graphrag.templates.form import SlotKind, Template
from tiers.graphrag.templates.loading import general_templates
from tiers.graphrag.templates.sampling import samples
from tiers.graphrag.view import Budget, Scope
from trivium.domain.question import Question
from trivium.domain.schema import Effect, Schema
from trivium.domain.time import Moment
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

PAPER = Path("bench/questions/aerospace_paper.jsonl")
FOLDERS = {
    "aerospace": Path("examples/aerospace"),
    "wine": Path("bench/questions/domains/wine"),
}
TEMPLATES = {template.name: template for template in general_templates()}
N_SAMPLES = 10
"""Fillings of each template in each domain."""
Slots = Mapping[str, Any]
Row = dict[str, Any]


class Plain:
    """A data set as its files have it: nothing of ours but the schema's effects and field names."""

    def __init__(self, folder: Path) -> None:
        changes = read_dataset(folder).changes
        self.graph = MemoryGraph()
        self.graph.take(changes, len(changes))
        self.lexicon = lexicon_of(changes)
        self.schema: Schema = self.lexicon.schema
        self.day = str(self.schema.as_of)
        self.nodes = {row["id"]: row for row in _rows(folder / "nodes.jsonl")}
        self.all_edges = _rows(folder / "edges.jsonl")
        self._edges: dict[str, list[Row]] = {}
        self._felt, self._joined = self._adjacent()

    def holds(self, row: Row, day: str | None = None) -> bool:
        now = day or self.day
        first = next((row[k] for k in self.schema.valid_from if row.get(k)), "0")
        last = next((row[k] for k in self.schema.valid_to if row.get(k)), "9")
        return str(first) <= now <= str(last)

    def is_there(self, node_id: str, day: str | None = None) -> bool:
        return self.holds(self.nodes[node_id], day)

    def edges(self, day: str | None = None) -> list[Row]:
        ends, now = ("source", "target"), day or self.day
        if now not in self._edges:
            self._edges[now] = [
                edge
                for edge in self.all_edges
                if self.holds(edge, now) and all(self.is_there(edge[end], now) for end in ends)
            ]
        return self._edges[now]

    def _adjacent(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """What feels a fault of each entity at once, and what each has a relation with."""
        felt: dict[str, set[str]] = {n: set() for n in self.nodes}
        joined: dict[str, set[str]] = {n: set() for n in self.nodes}
        for edge in self.edges():
            a, b = edge["source"], edge["target"]
            effect = self.schema.relation_types[edge["type"]].effect
            if effect is Effect.FORWARD:
                felt[a].add(b)
            if effect is Effect.BACKWARD:
                felt[b].add(a)
            joined[a] |= {b} - {a}
            joined[b] |= {a} - {b}
        return felt, joined

    def of_type(self, kind: str) -> list[str]:
        return sorted(
            n for n, row in self.nodes.items() if row["type"] == kind and self.is_there(n)
        )

    def hop(
        self,
        starts: Sequence[str],
        relation: str,
        way: str,
        kind: str | None,
        day: str | None = None,
    ) -> list[str]:
        here, there = ("source", "target") if way == "out" else ("target", "source")
        found = {
            edge[there]
            for edge in self.edges(day)
            if edge["type"] == relation and edge[here] in starts
        }
        return sorted(n for n in found if kind is None or self.nodes[n]["type"] == kind)

    def number(self, node_id: str, name: str) -> float | None:
        value = self.nodes[node_id].get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        return float(value)

    def felt_by(self, node_id: str) -> set[str]:
        return self._felt[node_id]

    def reached(self, node_id: str, near: Callable[[str], set[str]]) -> dict[str, int]:
        far, rim = {node_id: 0}, [node_id]
        for here in rim:
            for there in sorted(near(here) - far.keys()):
                far[there] = far[here] + 1
                rim.append(there)
        return far

    def rests_on(self, node_id: str) -> set[str]:
        events = {n for n, t in self.schema.node_types.items() if t.is_event}
        kept = [n for n in self.nodes if self.nodes[n]["type"] not in events]
        return {n for n in kept if node_id in self.felt_by(n)}

    def joined(self, node_id: str) -> set[str]:
        return self._joined[node_id]


def _rows(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@cache
def domain(name: str) -> Plain:
    return Plain(FOLDERS[name])


# --- the twins ------------------------------------------------------------------------------------


def _related(p: Plain, s: Slots, entity: str = "entity", day: str | None = None) -> list[str]:
    return p.hop([s[entity]], s["relation"], s["direction"], s["type"], day)


def _over(p: Plain, s: Slots, *hops: tuple[str, str]) -> list[str]:
    """Along the hops, each given by the slots of its relation and of the type it leads to."""
    here = [s["entity"]]
    for relation, kind in hops:
        here = p.hop(here, s[relation], s[f"{relation}_way"], s[kind])
    return here


def _degrees(p: Plain, s: Slots) -> dict[str, float]:
    ids = p.of_type(s["type"])
    return {n: float(len(p.hop([n], s["relation"], s["direction"], s["other"]))) for n in ids}


def _values(p: Plain, s: Slots) -> dict[str, float]:
    numbers = {n: p.number(n, s["property"]) for n in p.of_type(s["type"])}
    return {n: value for n, value in numbers.items() if value is not None}


def _per_entity(p: Plain, s: Slots) -> dict[str, float]:
    end = "source" if s["direction"] == "out" else "target"
    found: Counter[str] = Counter()
    for edge in p.edges():
        is_of_type = p.nodes[edge[end]]["type"] == s["type"]
        if edge["type"] == s["relation"] and is_of_type and edge.get(s["property"]) is not None:
            found[edge[end]] += edge[s["property"]]
    return dict(found)


def _over_what_is_related(p: Plain, s: Slots) -> float | None:
    middle = p.hop([s["entity"]], s["first"], s["direction"], s["middle"])
    values = [
        float(edge[s["property"]])
        for edge in p.edges()
        if edge["type"] == s["second"]
        and edge["target"] in middle
        and edge.get(s["property"]) is not None
    ]
    return sum(values) / len(values) if values else None


def _felt(p: Plain, s: Slots) -> list[str]:
    reached = p.reached(s["entity"], p.felt_by)
    return sorted(n for n, far in reached.items() if far and p.nodes[n]["type"] == s["type"])


def _stands_on(p: Plain, s: Slots) -> list[str]:
    reached = p.reached(s["entity"], p.rests_on)
    return sorted(n for n, far in reached.items() if far and p.nodes[n]["type"] == s["type"])


def _effects(p: Plain, s: Slots) -> dict[str, float]:
    return {
        n: float(len(_felt(p, {"entity": n, "type": s["other"]}))) for n in p.of_type(s["type"])
    }


def _removed_along(p: Plain, s: Slots) -> list[str]:
    back = "in" if s["direction"] == "out" else "out"
    hit = p.hop(s["entities"], s["relation"], s["direction"], s["type"])
    return [n for n in hit if set(p.hop([n], s["relation"], back, None)) <= set(s["entities"])]


def _distance(p: Plain, s: Slots) -> int | None:
    """Events are ends alone."""
    kinds = p.schema.node_types

    def near(node_id: str) -> set[str]:
        is_passable = node_id in {s["a"], s["b"]} or not kinds[p.nodes[node_id]["type"]].is_event
        return p.joined(node_id) if is_passable else set()

    return p.reached(s["a"], near).get(s["b"])


def _changed(p: Plain, s: Slots) -> list[str]:
    before = [e for e in p.edges(s["first"]) if e["type"] == s["relation"]]
    after = [e for e in p.edges(s["second"]) if e["type"] == s["relation"]]
    return sorted({edge["target"] for edge in after if edge not in before})


def _pieces(p: Plain, without: str | None = None) -> int:
    left = {n for n in p.nodes if p.is_there(n)} - {without}
    n_pieces = 0
    while left:
        start = min(left)
        left -= p.reached(start, lambda n: p.joined(n) - {without}).keys()
        n_pieces += 1
    return n_pieces


def _since(p: Plain, s: Slots) -> str | None:
    ends = {"source": s["source"], "target": s["target"], "type": s["relation"]}
    names = p.schema.valid_from
    found = [e for e in p.all_edges if all(e[key] == value for key, value in ends.items())]
    current = [e for e in found if p.holds(e)]
    days = [next((e[k] for k in names if e.get(k)), None) for e in current or found]
    return min((str(day) for day in days if day), default=None)


TWINS: dict[str, Callable[[Plain, Slots], object]] = {
    "of_value": lambda p, s: [
        n
        for n in p.of_type(s["type"])
        if str(p.nodes[n].get(s["property"])).casefold() == str(s["value"]).casefold()
    ],
    "of_number": lambda p, s: [n for n, value in _values(p, s).items() if value > s["number"]],
    "neighbours": lambda p, s: sorted(p.joined(s["entity"])),
    "surroundings": lambda p, s: sorted(
        n for n, far in p.reached(s["entity"], p.joined).items() if far in {1, 2}
    ),
    "related": _related,
    "over_two": lambda p, s: _over(p, s, ("first", "middle"), ("second", "type")),
    "over_three": lambda p, s: _over(p, s, ("first", "near"), ("second", "far"), ("third", "type")),
    "shared": lambda p, s: sorted({*_related(p, s, "a")} & {*_related(p, s, "b")}),
    "is_related": lambda p, s: s["b"] in p.hop([s["a"]], s["relation"], "out", None),
    "not_related": lambda p, s: sorted({*p.of_type(s["type"])} - {*_related(p, s)}),
    "how_many_related": lambda p, s: len(_related(p, s)),
    "most_related": _degrees,
    "with_so_many": lambda p, s: [n for n, count in _degrees(p, s).items() if count == 1],
    "top_by_property": _values,
    "reduced_property": lambda p, s: sum(_values(p, s).values()),
    "per_value": lambda p, s: Counter(
        str(p.nodes[n][s["property"]])
        for n in p.of_type(s["type"])
        if p.nodes[n].get(s["property"]) is not None
    ),
    "per_entity": _per_entity,
    "over_what_is_related": _over_what_is_related,
    "downstream": _felt,
    "upstream": _stands_on,
    "unaffected": lambda p, s: sorted({*p.of_type(s["type"])} - {*_felt(p, s)}),
    "widest_effect": _effects,
    "removal_along": _removed_along,
    "shortest_path": _distance,
    "compare_related": lambda p, s: [len(_related(p, s, end)) for end in ("a", "b")],
    "compare_values": lambda p, s: [p.number(s[end], s["property"]) for end in ("a", "b")],
    "related_on": lambda p, s: _related(p, s, day=s["date"]),
    "since_when": _since,
    "changed_between": _changed,
    "pieces": lambda p, s: _pieces(p),
    "cut_points": lambda p, s: [
        n for n in p.of_type(s["type"]) if _pieces(p, without=n) > _pieces(p)
    ],
}
"""What each template finds, from its definition."""


def plainly(result: dict[str, Any], name: str) -> object:
    """A result in the form of the twins."""
    match result["kind"]:
        case "nodes":
            return result["ids"]
        case "ranking":
            return dict(result["ranking"])
        case "number":
            return result["number"]
        case "boolean":
            return result["value"]
        case "date":
            return result["date"]
        case "path":
            return len(result["path"]) - 1 if result["path"] else None
        case "comparison":
            pairs = result["comparison"]["counts" if name == "compare_related" else "values"]
            return list(*pairs.values())
        case _:
            return None


# --- filling --------------------------------------------------------------------------------------


def fillings(template: Template, p: Plain) -> list[dict[str, Any]]:
    """Some fillings of a template from a schema and its graph, spread over all there are."""

    def entities(kind: str | None) -> Sequence[str]:
        ids = [n for n in p.nodes if p.is_there(n) and kind in {None, p.nodes[n]["type"]}]
        return ids[:: max(1, len(ids) // 8)]

    found = list(islice(samples(template, p.schema, entities), 4_000))
    spread = found[:: max(1, len(found) // N_SAMPLES)][:N_SAMPLES]
    days = {s.name for s in template.slots if s.kind is SlotKind.DATE} & {"second"}
    return [{**slots, **dict.fromkeys(days, p.day)} for slots in spread]


def scope_of(p: Plain) -> Scope:
    moment = Moment.of(p.day)
    budget = Budget(max_nodes=5_000, max_hops=50, max_hops_analytical=50)
    return Scope(view=p.graph, schema=p.schema, moment=moment, budget=budget, today=moment)


def of_edges(name: str, p: Plain) -> list[dict[str, Any]]:
    """Fillings by what is joined: pairs drawn at random seldom are."""
    edges = p.edges()[:: len(p.edges()) // N_SAMPLES]
    match name:
        case "is_related":
            return [{"a": e["source"], "b": e["target"], "relation": e["type"]} for e in edges]
        case "since_when":
            keys = {"source": "source", "target": "target", "relation": "type"}
            return [{slot: edge[key] for slot, key in keys.items()} for edge in edges]
        case "shared":
            return [
                {"a": e["source"], "b": other["source"], "relation": e["type"], "direction": "out",
                 "type": p.nodes[e["target"]]["type"]}
                for e in edges
                for other in p.edges()
                if all(e[key] == other[key] for key in ("target", "type")) and e is not other
            ]  # fmt: skip
        case _:
            return []


CASES = [(name, place) for name in TEMPLATES for place in FOLDERS]


@pytest.mark.parametrize(("name", "place"), CASES)
def test_each_is_filled_from_a_schema_runs_and_is_shown(name: str, place: str):
    p, template = domain(place), TEMPLATES[name]

    for slots in fillings(template, p):
        plan = instantiate(template, slots, p.schema)

        assert plan_from_json(plan.to_json()) == plan
        assert plan.template == name
        assert "{" not in plan.understood
        assert run(plan, scope_of(p)).result.to_json()["kind"] in {
            template.form.value,
            "none",
        }  # no number
        assert to_cypher(plan, Moment.of(p.day))[0].startswith("// s1 = ")


@pytest.mark.parametrize("name", TWINS)
def test_each_finds_what_its_plain_twin_does(name: str):
    n_told = 0
    for place in FOLDERS:
        p, template = domain(place), TEMPLATES[name]
        for slots in (*fillings(template, p), *of_edges(name, p)):
            plan = instantiate(template, slots, p.schema)
            result = run(plan, scope_of(p)).result.to_json()

            expected = TWINS[name](p, slots)
            found = plainly(result, name)
            assert found == (
                pytest.approx(expected) if isinstance(expected, float) else expected
            ), (
                place,
                slots,
            )
            n_told += bool(expected)

    assert n_told, "no filling finds anything: nothing was compared"


BY_HAND: dict[str, tuple[Slots, dict[str, Any]]] = {
    "risk_score": ({"entity": "PRD-005"}, {"kind": "number", "number": 0.98, "unit": None}),
    "risk_ranking": (
        {"type": "Product", "limit": 1},
        {"kind": "ranking", "ranking": [["PRD-002", 1.19]]},
    ),
    "removal_along": (
        {"entities": ["SUP-003"], "type": "Component", "relation": "SUPPLIES"},
        {"kind": "nodes", "ids": ["CMP-003", "CMP-012"]},
    ),
    "alternatives": (
        {"entity": "CMP-001", "type": "Supplier", "relation": "SUPPLIES"},
        {"kind": "nodes", "ids": []},
    ),
    "unaffected": (
        {"entity": "EVT-001", "type": "Customer"},
        {"kind": "nodes", "ids": ["CUS-004"]},
    ),
    "events_that_reach": (
        {"entity": "CUS-004", "events": "RiskEvent", "relation": "AFFECTS"},
        {"kind": "nodes", "ids": ["EVT-002", "EVT-003"]},
    ),
    "reach_of_events": (
        {"events": "RiskEvent", "type": "Customer"},
        {"kind": "ranking", "ranking": [["EVT-002", 4], ["EVT-003", 4], ["EVT-001", 3]]},
    ),
    "exposed": (
        {"events": "RiskEvent", "type": "Supplier"},
        {"kind": "nodes", "ids": ["SUP-001", "SUP-004", "SUP-008"]},
    ),
    "related_now_and_before": (
        {"entity": "CMP-001", "type": "Supplier", "relation": "SUPPLIES"},
        {"kind": "nodes", "ids": ["SUP-001"]},
    ),
    "changed_within": (
        {"relation": "SUPPLIES", "period": "2024-02-01/2024-02-28"},
        {"kind": "nodes", "ids": ["SUP-009"]},
    ),
    "since_when": (
        {"source": "SUP-001", "target": "CMP-001", "relation": "SUPPLIES"},
        {"kind": "date", "date": "2024-02-17"},
    ),
}
"""Slots over the paper's graph, and what is right by its ground truth."""


@pytest.mark.parametrize("name", BY_HAND)
def test_each_finds_what_the_paper_has_as_its_truth(name: str):
    slots, expected = BY_HAND[name]
    p = domain("aerospace")

    plan = instantiate(TEMPLATES[name], slots, p.schema)

    assert run(plan, scope_of(p)).result.to_json() == expected


# --- the reader's plans ---------------------------------------------------------------------------


def parts_of(operators: Sequence[str], known: set[tuple[str, ...]]) -> int | None:
    """In how few templates' sequences, joined by ``combine``, operators can be cut; or not."""
    best: dict[int, int] = {0: 0}
    for end in range(1, len(operators) + 1):
        ways = [best[at] + 1 for at in best if tuple(operators[at:end]) in known]
        if operators[end - 1] == "combine" and end - 1 in best:
            ways.append(best[end - 1])
        if ways:
            best[end] = min(ways)
    return best.get(len(operators))


def test_the_readers_plans_for_the_papers_questions_are_instances_or_compositions():
    p = domain("aerospace")
    reader, plans = QuestionReader(HashEncoder(), p.lexicon), PlanReader()
    known = {template.operators for template in TEMPLATES.values()}
    instances: list[str] = []
    compositions: list[str] = []
    neither: list[str] = []
    for row in _rows(PAPER):
        plan = plans.read(reader.read(Question(text=row["query"])), scope_of(p))
        assert not isinstance(plan, Refused)
        operators = tuple(step.operator for step in plan.steps)
        if operators in known:
            instances.append(row["id"])
        else:
            is_composed = parts_of(operators, known) is not None
            (compositions if is_composed else neither).append(row["id"])

    assert len(instances) == 21
    assert compositions == ["H7"]
    assert neither == ["H12"], "it counts along a path what each open event reaches"
