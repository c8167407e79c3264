"""Measures the graph at several sizes: ``trivium bench graph-scale [--sizes 46 1100 100000]``.

Each size runs in a process of its own, so that the memory told is its own. The kinds are those of
the paper's Table VIII, as plans' operators from entities drawn by a seed; beside them stand the
same walks written plainly over a NetworkX graph (``--plain``), and the bare computations on the
sparse matrix, whose answer nobody sorts or names. Growth is the p95 against the size before.
"""

import argparse
import itertools
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse.csgraph import connected_components

from bench import supply_graph
from bench.drawing import hue, write_svg
from tiers.graphrag import centrality
from tiers.graphrag.operators import (
    answers,
    comparing,
    grouping,
    removal,
    risk,
    structure,
    traversal,
    ways,
)
from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.projection import projection_of
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Budget, Scope
from trivium.domain.time import Moment

_BATCH: Final = 5_000
_GIVEN_S: Final = 8.0
"""What a question is given where its caller says nothing."""
_TODAY: Final = Moment.of(supply_graph.TODAY)
_SUPPLIES: Final = Hop(relation="SUPPLIES", outgoing=True)
_USED: Final = Hop(relation="USES", outgoing=False)
_MAKES: Final = Hop(relation="MAKES", outgoing=True)
_BOUGHT: Final = Hop(relation="BUYS", outgoing=False)
_SUPPLIED: Final = Hop(relation="SUPPLIES", outgoing=False)
_AFFECTS: Final = Hop(relation="AFFECTS", outgoing=True)
Kind = Callable[[Scope, random.Random], object]


def anchored(n: int) -> dict[str, Kind]:
    """Return the kinds of question that start from one entity."""
    ids = {name: supply_graph.ids_of(name, n) for name in supply_graph.SHARES}

    def start(rng: random.Random, name: str) -> tuple[str]:
        return (rng.choice(ids[name]),)

    chain = (_SUPPLIES, _USED, _MAKES)
    return {
        "multi-hop": lambda s, r: traversal.follow(
            s, nodes=start(r, "Event"), path=(_AFFECTS, _SUPPLIES, _USED)
        ),
        "downstream": lambda s, r: traversal.follow(
            s, nodes=start(r, "Supplier"), path=(*chain, _BOUGHT)
        ),
        "lookup": lambda s, r: traversal.follow(s, nodes=start(r, "Supplier"), path=(_SUPPLIES,)),
        "temporal": lambda s, r: traversal.follow(
            s.at(Moment.of("2021-03-01")), nodes=start(r, "Part"), path=(_SUPPLIED,)
        ),
        "what-if": lambda s, r: removal.simulate_removal(
            s, nodes=start(r, "Supplier"), path=(_SUPPLIES,)
        ),
        "compare": lambda s, r: comparing.compare_along(
            s, a=start(r, "Product")[0], b=start(r, "Product")[0], types=("Part",),
            paths=((Hop(relation="MAKES", outgoing=False), Hop(relation="USES", outgoing=True)),),
        ),
    }  # fmt: skip


def whole(n: int) -> dict[str, Kind]:
    """Return the kinds of question that look at a whole type, or far around."""
    ids = {name: supply_graph.ids_of(name, n) for name in supply_graph.SHARES}

    def path(scope: Scope, rng: random.Random) -> object:
        ends = rng.choice(ids["Supplier"]), rng.choice(ids["Product"])
        return ways.shortest_path(scope, source=ends[0], target=ends[1])

    def inverse(scope: Scope, rng: random.Random) -> object:
        hit = traversal.follow(
            scope, nodes=(rng.choice(ids["Event"]),), path=(_AFFECTS, _SUPPLIES, _USED)
        )
        return traversal.set_complement(scope, type="Factory", nodes=hit)

    def single(scope: Scope, rng: random.Random) -> object:  # noqa: ARG001  # no start
        counts = grouping.aggregate_over_type(scope, type="Part", path=(_SUPPLIED,))
        return answers.select(scope, scores=counts, test=Test.EQUALS, value=1)

    def most(scope: Scope, rng: random.Random) -> object:  # noqa: ARG001  # no start
        counts = grouping.aggregate_over_type(scope, type="Supplier", path=(_SUPPLIES, _USED))
        return answers.rank_scores(scope, scores=counts)

    return {
        "path": path,
        "aggregation": most,
        "single point of failure": single,
        "inverse": inverse,
        "risk of one": lambda s, r: risk.propagate_risk(s, nodes=(r.choice(ids["Product"]),)),
    }


def load(file: Path) -> tuple[MemoryGraph, float]:
    """Read a file of changes into a graph; return it with the seconds that it took."""
    graph, begin, n_done = MemoryGraph(), time.perf_counter(), 0
    rows = supply_graph.read(file)
    while batch := list(itertools.islice(rows, _BATCH)):
        n_done += len(batch)
        graph.take(batch, n_done)
    return graph, time.perf_counter() - begin


def snapshot(graph: MemoryGraph, file: Path, n: int) -> dict[str, float]:
    """Return the seconds that it takes to write a graph's snapshot and to read it, and its MB."""
    begin = time.perf_counter()
    graph.save(file)
    written = time.perf_counter() - begin
    read: dict[str, float] = _child("restore-in", file, n)
    return {"write_s": written, "mb": file.stat().st_size / 1e6, **read}


def restored(file: Path, n: int) -> dict[str, float]:
    """Return the seconds that it takes to read a snapshot, and the MB that the process took."""
    begin = time.perf_counter()
    graph = MemoryGraph()
    graph.restore(file)
    assert len(graph) >= min(n, 40)
    seconds = time.perf_counter() - begin
    return {
        "read_s": seconds,
        "read_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def times(kind: Callable[[], object], seconds: float, most: int = 200) -> dict[str, float]:
    """Return the median and the 95th percentile in ms of as many runs as fit, at least one."""
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while not taken or (len(taken) < most and time.perf_counter() < end):
        begin = time.perf_counter()
        kind()
        taken.append((time.perf_counter() - begin) * 1000)
    p95 = float(np.percentile(taken, 95))
    return {"p50": statistics.median(taken), "p95": p95, "runs": len(taken)}


def computations(scope: Scope) -> dict[str, dict[str, float]]:
    """Return the times of whole-graph computations, and of the bare ones beside them."""
    graph = projection_of(scope)

    def fresh(compute: Callable[[Scope], object]) -> Callable[[], object]:
        def run() -> object:
            graph.ranks = graph.shares = None
            return compute(scope)

        return run

    ours: dict[str, Callable[[Scope], object]] = {
        "PageRank": lambda s: structure.pagerank(s, limit=10),
        "PageRank, all of them named": structure.pagerank,
        "PageRank of a type": lambda s: structure.pagerank(s, type="Supplier"),
        "components": structure.connected_components,
        "degrees": lambda s: structure.degree(s, limit=10),
        "degrees, all of them named": structure.degree,
        "cut points": structure.cut_points,
    }
    bare: dict[str, Callable[[], object]] = {
        "bare PageRank": lambda: centrality.pagerank(graph.adjacency),
        "bare components": lambda: connected_components(graph.adjacency, directed=False),
        "bare degrees, all of them named": lambda: _named(graph.ids, graph.degrees),
    }
    found = {name: times(fresh(compute), 5.0, 20) for name, compute in ours.items()}
    found |= {name: times(compute, 5.0, 20) for name, compute in bare.items()}
    found[f"betweenness within {_GIVEN_S:g} s"] = times(lambda: _in_time(scope), 5.0, 10)
    return found


def _in_time(scope: Scope) -> object:
    """Estimate betweenness within the time that a question has."""
    graph = projection_of(scope)
    graph.shares = None
    budget = Budget(deadline=time.monotonic() + _GIVEN_S)
    return structure.betweenness(replace(scope, budget=budget), limit=10)


def _named(ids: Any, values: Any) -> list[tuple[str, float]]:  # noqa: ANN401  # arrays
    order = np.argsort(-values, kind="stable")
    return list(zip(ids[order].tolist(), values[order].tolist(), strict=True))


def plain(file: Path, n: int) -> dict[str, dict[str, float]]:
    """Return the times of the same over a plain NetworkX graph, and of making it."""
    import networkx as nx  # noqa: PLC0415  # only where it is compared

    begin = time.perf_counter()
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for change in supply_graph.read(file):
        payload = change.payload
        if change.kind.value == "put_node":
            graph.add_node(str(payload["id"]), **payload)
        else:
            days = {k: payload.get(k) for k in ("valid_from", "valid_to")}
            ends = str(payload["source"]), str(payload["target"])
            graph.add_edges_from([(*ends, {"type": payload["type"], **days})])
    took = (time.perf_counter() - begin) * 1000
    rng = random.Random(1)
    suppliers, events = (supply_graph.ids_of(name, n) for name in ("Supplier", "Event"))

    def walk(start: str, path: Sequence[Hop]) -> set[str]:
        near = {start}
        for hop in path:
            near = {
                (b if hop.outgoing else a)
                for node in near
                for a, b, d in (graph.out_edges if hop.outgoing else graph.in_edges)(
                    node, data=True
                )
                if d["type"] == hop.relation
                and (d["valid_from"] or "") <= supply_graph.TODAY <= (d["valid_to"] or "9")
            }
        return near

    path = (_AFFECTS, _SUPPLIES, _USED)
    return {
        "making it": {"p50": took, "p95": took, "runs": 1},
        "lookup": times(lambda: walk(rng.choice(suppliers), (_SUPPLIES,)), 5.0),
        "multi-hop": times(lambda: walk(rng.choice(events), path), 5.0),
        "PageRank": times(lambda: nx.pagerank(nx.Graph(graph)), 1.0, 5),
        "components": times(lambda: list(nx.weakly_connected_components(graph)), 1.0, 5),
    }


def measure(file: Path, n: int) -> dict[str, Any]:
    """Return all figures of one size."""
    graph, seconds = load(file)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rng, schema = random.Random(1), supply_graph.schema()

    def scope() -> Scope:
        return Scope(view=graph, schema=schema, moment=_TODAY, budget=Budget())

    kept = snapshot(graph, file.with_suffix(".gz"), n)
    near = {
        name: times(lambda k=kind: k(scope(), rng), 5.0)  # type: ignore[misc]  # bound now
        for name, kind in anchored(n).items()
    }
    touched, spent = _per_relation(scope, anchored(n)["multi-hop"])
    begin = time.perf_counter()
    projection_of(scope())
    projected = (time.perf_counter() - begin) * 1000
    far = {
        name: times(lambda k=kind: k(scope(), rng), 5.0, 50)  # type: ignore[misc]  # bound now
        for name, kind in whole(n).items()
    }
    return {
        "n": len(graph), "edges": graph.n_edges, "load_s": seconds, "memory_mb": memory,
        "snapshot": kept,
        "projection_ms": projected, "us_per_relation": spent / max(touched, 1) * 1e6,
        "anchored": near, "whole": far, "computed": computations(scope()),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip


def _per_relation(scope: Callable[[], Scope], kind: Kind) -> tuple[int, float]:
    """Return how many relations some runs looked at, and the seconds that they took."""
    rng, touched, spent = random.Random(2), 0, 0.0
    for _ in range(200):
        one = scope()
        begin = time.perf_counter()
        kind(one, rng)
        spent += time.perf_counter() - begin
        touched += one.budget.n_looked_at
    return touched, spent


def _child(mode: str, file: Path, n: int) -> Any:  # noqa: ANN401  # JSON
    command = [sys.executable, "-m", "bench.graph_scale", f"--{mode}", str(file), str(n)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  # ours
    return json.loads(done.stdout)


def _table(results: Sequence[Mapping[str, Any]], part: str) -> None:
    names = list(results[0][part])
    for name in names:
        cells, before = [], None
        for result in results:
            p50, p95 = result[part][name]["p50"], result[part][name]["p95"]
            growth = f" ×{p95 / before:.1f}" if before else ""
            cells.append(f"{p50:9.2f} {p95:9.2f}{growth:8}")
            before = p95
        print(f"  {name:32}{' |'.join(cells)}")


def report(results: Sequence[Mapping[str, Any]], plains: Sequence[Mapping[str, Any]]) -> None:
    """Print the figures of all sizes: p50, p95 in ms, and growth."""
    for result in results:
        print(
            f"{result['n']:9,} entities, {result['edges']:9,} relations: "
            f"load {result['load_s']:.1f} s, {result['memory_mb']:.0f} MB "
            f"({result['peak_mb']:.0f} at most), projection"
            f" {result['projection_ms']:.0f} ms, {result['us_per_relation']:.2f} µs a relation"
        )
        kept = result["snapshot"]
        print(
            f"  snapshot: written in {kept['write_s']:.1f} s, read in {kept['read_s']:.1f} s,"
            f" {kept['mb']:.0f} MB; {kept['read_mb']:.0f} MB of memory"
        )
    for part in ("anchored", "whole", "computed"):
        print(part)
        _table(results, part)
    if plains:
        print("plain NetworkX")
        _table([{"plain": p} for p in plains], "plain")


def chart(path: Path, results: Sequence[Mapping[str, Any]]) -> None:
    """Write the p95 of each kind against the size, both on logarithmic scales, as SVG."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for result in results:
        for part in ("anchored", "whole", "computed"):
            for name, took in result[part].items():
                x, y = np.log10(result["n"]), np.log10(max(took["p95"], 0.001))
                lines.setdefault(name, []).append((60 + (x - 1) * 100, 300 - (y + 3) * 35))
    drawn = [
        f'<polyline fill="none" stroke="{hue(i, len(lines))}" points="'
        + " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        + f'"/><text x="{points[-1][0] + 6:.0f}" y="{points[-1][1]:.0f}">{name}</text>'
        for i, (name, points) in enumerate(lines.items())
    ]
    marks = [f'<text x="5" y="{300 - (y + 3) * 35}">{10**y:g} ms</text>' for y in range(-2, 6)]
    marks += [f'<text x="{50 + (x - 1) * 100}" y="320">{10**x:,}</text>' for x in range(1, 7)]
    write_svg(path, [*marks, *drawn], width=800, height=330)


def main() -> None:
    """Measure the sizes asked for, print the tables, and draw the chart where one is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=[46, 1_100, 100_000])
    parser.add_argument("--plain", action="store_true", help="measure plain NetworkX beside it")
    parser.add_argument("--chart", type=Path, help="where to write the SVG")
    parser.add_argument("--measure-in", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--plain-in", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--restore-in", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    children: tuple[tuple[Any, Callable[[Path, int], Any]], ...] = (
        (asked.measure_in, measure),
        (asked.plain_in, plain),
        (asked.restore_in, restored),
    )
    for one, run in children:
        if one:
            print(json.dumps(run(Path(one[0]), int(one[1]))))
            return
    results, plains = [], []
    with tempfile.TemporaryDirectory(prefix="trivium-scale-") as folder:
        for n in asked.sizes:
            file = Path(folder) / f"{n}.jsonl"
            supply_graph.write(file, n)
            results.append(_child("measure-in", file, n))
            if asked.plain:
                plains.append(_child("plain-in", file, n))
            file.unlink()
    report(results, plains)
    if asked.chart:
        chart(asked.chart, results)


if __name__ == "__main__":
    main()
