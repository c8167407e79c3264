"""Measures the graph's operators: ``python -m bench.operators [--runs N] [--profile]``.

1. The paper's eleven kinds of question on a layered graph of 1,100 entities and about 1,850
   relations, each plan run anew in a scope of its own: milliseconds, without reading.
2. Plans made to run away (a hub of 100,000, a clique of 30, a circle, a dense graph walked six
   hops from every entity, and each over all relations) with a time limit: by how much each ends
   past it, and what was cut.

Times are of the processor, so that other work on the machine does not count; the limit is held
against the same clock, and the loaded graph is kept out of the garbage collector. What a plan read
of the graph is kept for the next one: ``first`` is the time of the first run after a change.
"""

import argparse
import cProfile
import gc
import pstats
import random
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Argument, Plan, PlanBuilder, PlanRun, run
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Budget, Scope
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node, Value
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.schema import (
    Effect,
    NodeType,
    Property,
    PropertyKind,
    RelationType,
    Schema,
)
from trivium.domain.time import Moment

_TODAY: Final = "2024-12-01"
_LAYERS: Final = {"Event": 60, "Maker": 190, "Part": 400, "Plant": 120, "Good": 180, "Client": 150}
_JOINS: Final = {
    "HITS": ("Event", "Maker", 90, Effect.FORWARD),
    "SUPPLIES": ("Maker", "Part", 460, Effect.FORWARD),
    "USES": ("Plant", "Part", 560, Effect.BACKWARD),
    "MAKES": ("Plant", "Good", 420, Effect.FORWARD),
    "DELIVERS": ("Good", "Client", 320, Effect.FORWARD),
}
_KIND: Final = {"kind": Property(name="kind", kind=PropertyKind.CATEGORY, values=("a", "b"))}
_SCHEMA: Final = Schema(
    as_of=_TODAY,
    node_types={
        name: NodeType(name=name, is_event=name == "Event", properties=_KIND) for name in _LAYERS
    },
    relation_types={
        name: RelationType(
            name=name,
            ends=((source, target),),
            effect=effect,
            properties={"n": Property(name="n", kind=PropertyKind.NUMBER)},
        )
        for name, (source, target, _, effect) in _JOINS.items()
    },
)
_OPEN: Final = Schema(
    node_types={"T": NodeType(name="T")},
    relation_types={
        "R": RelationType(
            name="R",
            ends=(("T", "T"),),
            properties={"n": Property(name="n", kind=PropertyKind.NUMBER)},
        )
    },
)


def out(relation: str) -> Hop:
    """Return a hop along a relation."""
    return Hop(relation=relation, outgoing=True)


def back(relation: str) -> Hop:
    """Return a hop against a relation."""
    return Hop(relation=relation, outgoing=False)


def load(nodes: Iterable[Node], edges: Iterable[Edge], end: str | None = None) -> MemoryGraph:
    """Return a graph; every fifth relation ends on ``end``, where one is given."""
    changes = [
        Change(kind=ChangeKind.PUT_NODE, key=n.id, payload=node_payload(n, None, None))
        for n in nodes
    ]
    for n, edge in enumerate(edges):
        payload = edge_payload(edge, None, end if n % 5 == 0 else None)
        changes.append(Change(kind=ChangeKind.PUT_EDGE, key=edge.key, payload=payload))
    graph = MemoryGraph()
    graph.take(changes, len(changes))
    return graph


def layered(seed: int = 7) -> MemoryGraph:
    """Return the graph of 1,100 entities: the paper's chain, with its share of relations."""
    rng = random.Random(seed)
    kinds = ["bolt", "panel", "cable", "valve", "screen"]
    nodes = []
    for node_type, count in _LAYERS.items():
        for n in range(count):
            own: dict[str, Value] = {"kind": rng.choice(kinds)}
            if node_type == "Event":
                own = {"severity": rng.choice(["critical", "high", "low"]), "date": "2024-01-01"}
                own["status"] = rng.choice(["active", "resolved"])
            node_id = f"{node_type}-{n:03}"
            nodes.append(Node(id=node_id, type=node_type, name=node_id, properties=own))
    edges = []
    for relation, (source, target, count, _) in _JOINS.items():
        for n in range(count):
            # Each target has one at least, as far as they go; the rest lie anywhere.
            ends = (
                f"{source}-{rng.randrange(_LAYERS[source]):03}",
                f"{target}-{(n if n < _LAYERS[target] else rng.randrange(_LAYERS[target])):03}",
            )
            key = f"{relation}-{n}"
            edges.append(
                Edge(key=key, source=ends[0], target=ends[1], type=relation, properties={"n": n})
            )
    return load(nodes, edges)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A plan to run, by name."""

    name: str
    plan: Plan


def plan_of(builder: PlanBuilder, form: Form = Form.NODES) -> Plan:
    """Return the steps collected so far as a plan."""
    return Plan(steps=tuple(builder.steps), form=form, understood="", template="bench")


def eleven() -> Iterator[Case]:
    """Give the paper's eleven questions as plans, in other words."""
    chain = (out("SUPPLIES"), back("USES"), out("MAKES"), out("DELIVERS"))
    p = PlanBuilder()
    p.add("follow", nodes=p.add("find_nodes", ids=("Event-001",)), path=(out("HITS"), *chain[:2]))
    yield Case(name="Q1 multi-hop", plan=plan_of(p))
    p = PlanBuilder()
    p.add("subgraph", nodes=p.add("find_nodes", ids=("Maker-001",)))
    yield Case(name="Q2 downstream", plan=plan_of(p))
    p = PlanBuilder()
    p.add("shortest_path", source="Maker-001", target="Good-001")
    yield Case(name="Q3 path", plan=plan_of(p, Form.PATH))
    p = PlanBuilder()
    p.add("rank_scores", scores=p.add("aggregate_over_type", type="Maker", path=chain[:3]))
    yield Case(name="Q4 aggregation", plan=plan_of(p, Form.RANKING))
    p = PlanBuilder()
    p.add("follow", nodes=p.add("find_nodes", ids=("Maker-001",)), path=chain[:1])
    yield Case(name="Q5 lookup", plan=plan_of(p))
    p = PlanBuilder()
    one = p.add("find_nodes", ids=("Part-001",))
    p.add("follow", nodes=one, path=(back("SUPPLIES"),))
    makers = p.add("find_nodes", type="Maker")
    had = p.add("relations_between", relation="SUPPLIES", sources=makers, targets=one, past=True)
    p.add("ends_of", edges=had, end="source")
    yield Case(name="Q6 temporal", plan=plan_of(p))
    p = PlanBuilder()
    p.add("alternatives", node="Part-001", hop=back("SUPPLIES"))
    yield Case(name="Q7 what-if", plan=plan_of(p))
    p = PlanBuilder()
    parts = p.add("find_nodes", type="Part")
    counts = p.add("count_edges", nodes=parts, path=(back("SUPPLIES"),))
    p.add("select", scores=counts, test=Test.EQUALS, value=1)
    yield Case(name="Q8 single source", plan=plan_of(p))
    p = PlanBuilder()
    hit = p.add("follow", nodes=p.add("find_nodes", ids=("Event-001",)), path=(out("HITS"), *chain))
    p.add("set_complement", type="Client", nodes=hit)
    yield Case(name="Q9 inverse", plan=plan_of(p))
    p = PlanBuilder()
    p.add("subgraph_diff", a="Good-001", b="Good-002")
    yield Case(name="Q10 compare", plan=plan_of(p, Form.COMPARISON))
    p = PlanBuilder()
    p.add("propagate_risk", type="Good")
    yield Case(name="Q11 risk of all", plan=plan_of(p, Form.RANKING))


def timed(graph: MemoryGraph, plan: Plan) -> tuple[float, PlanRun, Budget]:
    """Run a plan in a scope of its own; milliseconds of all its operators, checks left out."""
    scope = Scope(view=graph, schema=_SCHEMA, moment=Moment.of(_TODAY))
    outcome = run(plan, scope, clock=time.thread_time)
    took_ms = sum(float(str(entry["ms"])) for entry in outcome.trace)
    return took_ms, outcome, scope.budget


def print_eleven(graph: MemoryGraph, runs: int) -> None:
    """Print the times of the eleven kinds."""
    print(f"{len(graph)} entities, {graph.n_relations()} relations; ms of the operators")
    print(
        f"{'':18s} {'first':>7s} {'p50':>7s} {'p95':>7s}  {'with checks':>11s}  looked at  estimate"
    )
    for case in eleven():
        times, whole = [], []
        graph.take([], 0)  # a change forgets what was read
        for _ in range(runs):
            started = time.thread_time()
            took_ms, outcome, budget = timed(graph, case.plan)
            whole.append((time.thread_time() - started) * 1000)
            times.append(took_ms)
        ahead = outcome.forecast.n_relations if outcome.forecast else 0
        print(
            f"{case.name:18s} {times[0]:7.3f} {statistics.median(times[1:]):7.3f}"
            f" {p95(times[1:]):7.3f}  {p95(whole[1:]):11.3f}  {budget.n_looked_at:9,}  {ahead:9,}"
        )


def p95(times: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]


def joined(pairs: Iterable[tuple[str, str]], isolated: int = 0) -> MemoryGraph:
    """Return a graph of pairs of one type and one relation."""
    found = list(pairs)
    ids = dict.fromkeys([i for pair in found for i in pair] + [f"x{n}" for n in range(isolated)])
    nodes = (Node(id=i, type="T", name=i) for i in ids)
    edges = (
        Edge(key=f"e{n}", source=a, target=b, type="R", properties={"n": 1})
        for n, (a, b) in enumerate(found)
    )
    return load(nodes, edges)


def runaways() -> Iterator[tuple[str, MemoryGraph, str]]:
    """Give graphs made to run away, each with the entity to start from."""
    rng = random.Random(7)
    yield "hub of 100,000", joined(("HUB", f"n{i:06}") for i in range(100_000)), "HUB"
    clique = [f"n{i:02}" for i in range(30)]
    yield "clique of 30", joined(permutations(clique, 2)), "n00"
    yield "circle of 10,000", joined((f"n{i}", f"n{(i + 1) % 10_000}") for i in range(10_000)), "n0"
    ids = [f"n{i:04}" for i in range(2_000)]
    yield "dense, 2,000 / 100,000", joined(rng.choices(ids, k=2) for _ in range(100_000)), ids[0]  # type: ignore[misc]  # two each


def exploding(start: str, target: str) -> Mapping[str, Plan]:
    """Return plans that look at as much as they can."""
    both = (out("R"), back("R")) * 3
    many = Hop(relation="R", outgoing=True, repeat="+")
    calls: dict[str, tuple[str, dict[str, Argument], Form]] = {
        "subgraph": ("subgraph", {"nodes": (start,)}, Form.NODES),
        "follow 6 hops": ("follow", {"nodes": (start,), "path": both}, Form.NODES),
        "follow +": ("follow", {"nodes": (start,), "path": (many,)}, Form.NODES),
        "shortest_path": ("shortest_path", {"source": start, "target": target}, Form.PATH),
        "weighted_path": (
            "weighted_path", {"source": start, "target": target, "property": "n"}, Form.PATH,
        ),
        "all from all": ("aggregate_over_type", {"type": "T", "path": both}, Form.RANKING),
        "all closures": ("aggregate_over_type", {"type": "T", "path": (many,)}, Form.RANKING),
        "risk of all": ("propagate_risk", {"type": "T"}, Form.RANKING),
        "removal": ("simulate_removal", {"nodes": (start,)}, Form.NODES),
        "subgraph_diff": ("subgraph_diff", {"a": start, "b": target}, Form.COMPARISON),
        "group_by": (
            "group_by",
            {"nodes": (start,), "relation": "R", "property": "n", "how": "sum", "outgoing": True},
            Form.RANKING,
        ),
        "communities": ("communities", {}, Form.NODES),
    }  # fmt: skip
    plans = {}
    for name, (operator, arguments, form) in calls.items():
        builder = PlanBuilder()
        outcome = builder.add(operator, as_of=None, **arguments)
        if operator == "simulate_removal":
            builder.add("left_without", cascade=outcome)
        if operator == "communities":
            builder.add("first_groups", groups=outcome)
        plans[name] = plan_of(builder, form)
    return plans


def print_runaways(limit_ms: float) -> None:
    """Print by how much each plan ends past its time, and what was cut."""
    print(f"\ntime limit {limit_ms:.0f} ms; ms past it (the bar is 100)")
    worst = 0.0
    for name, graph, start in runaways():
        target = list(graph.nodes())[-1].id
        gc.collect()
        gc.freeze()  # a collection of the loaded graph is no part of a plan
        for plan_name, plan in exploding(start, target).items():
            begun = time.thread_time()
            budget = Budget(deadline=begun + limit_ms / 1000, clock=time.thread_time)
            scope = Scope(view=graph, schema=_OPEN, moment=Moment.of(_TODAY), budget=budget)
            outcome = run(plan, scope)
            took_ms = (time.thread_time() - begun) * 1000
            worst = max(worst, took_ms - limit_ms)
            cuts = "; ".join(cut.why for cut in budget.cuts) or "whole"
            beyond = (
                "estimated past the budget"
                if outcome.forecast and outcome.forecast.is_beyond
                else ""
            )
            print(f"{name:24s} {plan_name:14s} {took_ms:8.1f} ms  {cuts:34s} {beyond}")
    print(f"worst: {worst:+.1f} ms past the limit")


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--limit-ms", type=float, default=300.0)
    parser.add_argument("--profile", action="store_true", help="profile the eleven kinds instead")
    options = parser.parse_args()
    graph = layered()
    if options.profile:
        profiler = cProfile.Profile()
        profiler.enable()
        for case in eleven():
            for _ in range(options.runs):
                timed(graph, case.plan)
        profiler.disable()
        pstats.Stats(profiler).sort_stats("tottime").print_stats(20)
        return
    print_eleven(graph, options.runs)
    print_runaways(options.limit_ms)


if __name__ == "__main__":
    main()
