"""The graphs that the scale bench makes."""

from itertools import islice
from pathlib import Path

from bench import supply_graph
from tiers.graphrag.stores.memory import MemoryGraph
from trivium.domain.time import Moment


def test_a_seed_makes_the_same_graph_each_time(tmp_path: Path):
    first, again = (list(supply_graph.changes(200, seed)) for seed in (1, 1))
    assert first == again != list(supply_graph.changes(200, 2))

    supply_graph.write(tmp_path / "graph.jsonl", 200)
    assert list(supply_graph.read(tmp_path / "graph.jsonl")) == list(supply_graph.changes(200))


def test_a_graph_has_its_size_hubs_and_relations_that_ended():
    graph, made = MemoryGraph(), list(supply_graph.changes(1_000))
    graph.take(made, len(made))

    assert (len(graph), graph.n_edges) == (1_000, 3_000)
    held = graph.projections.at(Moment.of(supply_graph.TODAY))
    assert 2_200 < held.degrees.sum() / 2 < 2_600
    assert held.degrees.max() > 10 * held.degrees.mean()
    hub = next(islice(graph.nodes("Supplier"), 1))
    assert len(list(graph.edges(hub.id, outgoing=True))) > 50
