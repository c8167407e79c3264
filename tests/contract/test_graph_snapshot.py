"""The file in which the graph in memory outlasts the process: whole, or refused."""

import gzip
import json
import random
from pathlib import Path

import pytest

from tests.conftest import SEED, SOAK
from tests.contract.test_graph_view import edge, node, put, shown, some_changes
from tests.fakes import DictGraph
from tiers.graphrag.stores.memory import MemoryGraph
from trivium.domain.errors import DataError

SEEDS = range(SEED, SEED + 10 * SOAK)


async def a_graph() -> MemoryGraph:
    graph = MemoryGraph()
    await put(graph, node("a", "T"), node("ü\0☃", "U", size=1.5, blank=None), edge("a", "ü\0☃"))
    return graph


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_graph_restored_goes_on_as_if_it_had_never_stopped(tmp_path: Path, seed: int):
    rng = random.Random(seed)
    graph, twin = MemoryGraph(), DictGraph()
    for upto in range(1, 40):
        batch = some_changes(rng, rng.randrange(6))
        await graph.apply(batch, upto)
        await twin.apply(batch, upto)
        if rng.random() < 0.2:
            graph.save(tmp_path / "graph")
            graph = MemoryGraph()
            graph.restore(tmp_path / "graph")
        assert await graph.watermark() == upto
        assert shown(graph) == shown(twin)
        assert (len(graph), graph.n_edges) == (len(twin), twin.n_edges)
        assert graph.n_nodes("T") == len(list(twin.nodes("T")))


async def test_it_holds_as_much_as_several_blocks(tmp_path: Path):
    graph, again = MemoryGraph(), MemoryGraph()
    ids = [f"n{number}" for number in range(12_000)]
    await put(graph, *map(node, ids), *(edge("n0", i, days=("2024-01-01", None)) for i in ids))

    graph.save(tmp_path / "graph")
    again.restore(tmp_path / "graph")

    assert shown(again) == shown(graph)
    assert again.n_relations("R") == 12_000


async def test_it_is_written_again_only_when_the_graph_changed(tmp_path: Path):
    file, graph = tmp_path / "graph", await a_graph()
    graph.save(file)
    before = file.stat().st_mtime_ns
    again = MemoryGraph()
    again.restore(file)

    again.save(file)
    assert file.stat().st_mtime_ns == before

    await put(again, node("b"))
    again.save(file)
    assert file.stat().st_mtime_ns > before


async def test_a_file_cut_is_refused_and_the_graph_stays(tmp_path: Path):
    file, graph = tmp_path / "graph", await a_graph()
    graph.save(file)
    whole, before = file.read_bytes(), shown(graph)
    for at in range(len(whole)):
        file.write_bytes(whole[:at])
        with pytest.raises(DataError, match="damaged"):
            graph.restore(file)
    assert shown(graph) == before


async def test_a_file_changed_anywhere_is_refused_or_holds_the_same(tmp_path: Path):
    """Some bits mean nothing: the time in the head of gzip, or which of two equal texts to copy."""
    file, graph = tmp_path / "graph", await a_graph()
    graph.save(file)
    whole, before = file.read_bytes(), shown(graph)
    rng, n_refused = random.Random(SEED), 0
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ rng.randrange(1, 256)]) + whole[at + 1 :])
        try:
            graph.restore(file)
        except DataError:
            n_refused += 1
        assert (await graph.watermark(), shown(graph)) == (3, before)
    assert n_refused > 0.9 * len(whole)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["[]"],
        ["{}"],
        ['{"format": 2}'],
        ['{"format": 1, "watermark": 3, "ids": ["a"], "n_nodes": 1, "n_edges": 0}'],
        ['{"format": 1, "watermark": 3, "ids": [5], "n_nodes": 0, "n_edges": 0}'],
        ['{"format": 1, "watermark": 3, "ids": ["a"], "n_nodes": 1, "n_edges": 0}', "[[1], [2]]"],
        ["not JSON"],
    ],
)
def test_what_another_program_wrote_is_refused(tmp_path: Path, lines: list[str]):
    file = tmp_path / "graph"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(DataError, match="no snapshot"):
        MemoryGraph().restore(file)


async def test_a_snapshot_that_cannot_be_written_leaves_the_one_before(tmp_path: Path):
    file, graph = tmp_path / "graph", await a_graph()
    graph.save(file)
    before = file.read_bytes()
    (tmp_path / "graph.new").mkdir()

    await put(graph, node("b"))
    with pytest.raises(OSError, match="directory"):
        graph.save(file)

    assert file.read_bytes() == before
    assert json.loads(gzip.decompress(before).splitlines()[0])["watermark"] == 3
