"""A data set that is one graph in node-link form, read and written."""

import json
from pathlib import Path

import networkx as nx
import pytest

from tests.zoo import write_zoo
from trivium.domain.errors import DataError
from trivium.domain.knowledge import ChangeKind
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.knowledge.nodelink import nodelink_of

NODES: list[dict[str, object]] = [
    {"id": "b1", "type": "Branch", "seats": 3},
    {"id": "t1", "type": "Title"},
]
EDGES = [{"source": "b1", "target": "t1", "type": "HOLDS", "copies": 2}]


def written(directory: Path, graph: object) -> Path:
    directory.mkdir(exist_ok=True)
    (directory / "graph.json").write_text(json.dumps(graph))
    return directory


def graph_of(dataset: DataSet) -> dict[tuple[str, str], object]:
    kinds = {ChangeKind.PUT_NODE, ChangeKind.PUT_EDGE}
    return {(c.kind, c.key): c.payload for c in dataset.changes if c.kind in kinds}


@pytest.mark.parametrize("name", ["links", "edges"])
def test_links_may_stand_under_either_name(tmp_path: Path, name: str):
    dataset = read_dataset(written(tmp_path, {"nodes": NODES, name: EDGES}))

    assert dict(dataset.counts) == {"schema": 1, "node": 2, "edge": 1}
    assert not dataset.report.rejected


@pytest.mark.parametrize(
    "graph", [{"nodes": NODES}, {"nodes": NODES, "links": None}, {"links": EDGES}, [], "text"]
)
def test_a_graph_without_nodes_or_links_is_an_error(tmp_path: Path, graph: object):
    with pytest.raises(DataError, match=r"graph\.json"):
        read_dataset(written(tmp_path, graph))


def test_an_empty_list_of_links_says_that_there_are_none(tmp_path: Path):
    dataset = read_dataset(written(tmp_path, {"nodes": NODES, "links": []}))

    assert dataset.counts.get("edge") is None


def test_what_is_no_number_becomes_null_and_is_counted(tmp_path: Path):
    nodes = [{**NODES[0], "seats": float("nan"), "none": None, "l": [float("inf"), 1.0]}, NODES[1]]
    dataset = read_dataset(written(tmp_path, {"nodes": nodes, "links": EDGES}))

    node = graph_of(dataset)["put_node", "b1"]
    assert node["properties"] == {"seats": None, "none": None, "l": "[null, 1.0]"}  # type: ignore[index]  # a payload
    (note,) = dataset.report.warnings
    assert note.reason == "2 values that are NaN or infinite are null"


def test_a_graph_of_networkx_is_read_whichever_way_it_names_relations(tmp_path: Path):
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("b1", type="Branch")
    graph.add_node("t1", type="Title")
    graph.add_edge("b1", "t1", key="HOLDS")
    graph.add_edge("b1", "t1", type="LENDS")
    for name in ("links", "edges"):
        text = nx.node_link_data(graph, edges=name)
        dataset = read_dataset(written(tmp_path, text))
        types = sorted(
            (str(c.payload["type"]), c.payload["properties"])
            for c in dataset.changes
            if c.kind is ChangeKind.PUT_EDGE
        )
        assert types == [("HOLDS", {}), ("LENDS", {})]


def test_a_graph_written_and_read_again_is_the_same(tmp_path: Path):
    first = read_dataset(write_zoo(tmp_path / "data"))

    graph = nodelink_of(first.changes)
    second = read_dataset(written(tmp_path / "again", graph))

    assert graph_of(second) == graph_of(first)
    assert nodelink_of(second.changes)["nodes"] == graph["nodes"]
    assert len(nx.node_link_graph(graph, edges="edges").edges) == 7


def test_tables_hold_over_a_graph_file(tmp_path: Path):
    data = write_zoo(tmp_path / "data")

    dataset = read_dataset(written(data, {"nodes": NODES, "links": EDGES}))

    assert dataset.counts["node"] == 7
