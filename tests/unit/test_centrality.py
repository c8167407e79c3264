"""Whole-graph computations on arrays: equal to NetworkX's, kept, and honest about estimates."""

import itertools
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from tests.fakes import DictGraph
from tests.property.worlds import schema
from tiers.graphrag import centrality
from tiers.graphrag.operators import structure
from tiers.graphrag.projection import Projection, Projections, projection_of
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Budget, Scope
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.time import Moment

DAY = Moment.of("2024-03-12")


def matrix(graph: "nx.Graph[int]") -> sparse.csr_array:
    found = nx.to_scipy_sparse_array(graph, nodelist=sorted(graph), weight=None)
    return sparse.csr_array(found, dtype=np.float64)


def random_graphs() -> Iterator["nx.Graph[int]"]:
    for seed in range(6):
        yield nx.gnm_random_graph(60, 50 + 20 * seed, seed=seed)
    yield nx.path_graph(200)
    yield nx.star_graph(80)
    looped = nx.gnm_random_graph(30, 40, seed=9)
    looped.add_edges_from([(1, 1), (2, 2)])
    yield looped
    yield nx.barabasi_albert_graph(1_500, 2, seed=1)


def punctual() -> bool:
    return False


def test_the_computations_equal_those_of_networkx():
    for graph in random_graphs():
        adjacency = matrix(graph)
        ranks = nx.pagerank(graph)
        assert centrality.pagerank(adjacency) == pytest.approx(
            [ranks[n] for n in sorted(graph)], abs=1e-9
        )
        shares = nx.betweenness_centrality(graph)
        assert centrality.betweenness(adjacency, punctual).values == pytest.approx(
            [shares[n] for n in sorted(graph)], abs=1e-9
        )
        rows, sizes = centrality.components(adjacency)
        groups = [group.tolist() for group in np.split(rows, np.cumsum(sizes)[:-1])]
        wanted = map(sorted, nx.connected_components(graph))
        assert groups == sorted(wanted, key=lambda group: (-len(group), group))
        cuts = centrality.cut_points(adjacency).tolist()
        assert cuts == sorted(nx.articulation_points(graph))


def test_paths_counted_from_every_row_are_exact(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(centrality, "_AT_ONCE", 0)
    for graph in itertools.islice(random_graphs(), 9):
        found = centrality.betweenness(matrix(graph), punctual)
        wanted = nx.betweenness_centrality(graph)
        assert found.values == pytest.approx([wanted[n] for n in sorted(graph)], abs=1e-9)
        assert (found.error, found.is_cut) == (0.0, False)


def test_beyond_a_size_betweenness_is_estimated_the_same_each_time(
    monkeypatch: pytest.MonkeyPatch,
):
    graph = nx.barabasi_albert_graph(400, 2, seed=3)
    exact = centrality.betweenness(matrix(graph), punctual).values
    monkeypatch.setattr(centrality, "EXACT_UP_TO", 100)

    found = centrality.betweenness(matrix(graph), punctual)

    assert found.n_sources == centrality.SAMPLE
    assert found.error is not None
    assert 0 < found.error < 0.1
    assert np.abs(found.values - exact).max() < 4 * found.error
    again = centrality.betweenness(matrix(graph), punctual)
    assert again.values.tolist() == found.values.tolist()


def test_at_a_million_pagerank_does_not_end_at_once():
    graph = sparse.csr_array(matrix(nx.star_graph(9_999)))
    ranks = centrality.pagerank(graph)
    assert ranks.sum() == pytest.approx(1)
    assert ranks[0] == pytest.approx(nx.pagerank(nx.star_graph(9_999), tol=1e-9)[0], abs=2e-3)


def a_graph(graph: MemoryGraph | DictGraph, n: int, *, expires: str | None = None) -> Scope:
    nodes = [Node(id=f"n{i:03}", type="Part", name=f"n{i}") for i in range(n)]
    changes = [
        Change(kind=ChangeKind.PUT_NODE, key=m.id, payload=node_payload(m, None, None))
        for m in nodes
    ]
    for a, b in itertools.pairwise(nodes):
        made = Edge(key=a.id, source=a.id, target=b.id, type="USES")
        payload = edge_payload(made, None, expires)
        changes.append(Change(kind=ChangeKind.PUT_EDGE, key=a.id, payload=payload))
    graph.take(changes, len(changes))
    return Scope(view=graph, schema=schema(), moment=DAY, budget=Budget())


def test_an_estimate_says_so_and_how_far_off_it_may_be(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(centrality, "EXACT_UP_TO", 20)
    monkeypatch.setattr(centrality, "SAMPLE", 8)
    scope = a_graph(MemoryGraph(), 30)

    structure.betweenness(scope)

    (note,) = scope.budget.notes
    assert note.startswith("Betweenness is estimated from 8 of 30 entities; its standard error is")
    assert scope.budget.cuts == []


def test_time_that_runs_out_leaves_an_estimate_and_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(centrality, "_AT_ONCE", 0)
    scope = a_graph(MemoryGraph(), 6)
    ticks = itertools.count()
    late = Budget(deadline=12, clock=lambda: next(ticks))
    cut = Scope(view=scope.view, schema=scope.schema, moment=DAY, budget=late)

    found = structure.betweenness(cut)

    assert len(found) == 6
    assert [cut.why for cut in late.cuts] == ["the time given"]
    assert late.notes[0].startswith("Betweenness is estimated from ")
    assert structure.betweenness(scope)[0][1] == pytest.approx(0.6)


def test_a_projection_is_kept_until_the_graph_changes():
    graph = MemoryGraph()
    scope = a_graph(graph, 5)
    first = projection_of(scope)

    assert projection_of(scope) is first
    assert projection_of(scope, ("Site",)) is not first
    graph.take([Change(kind=ChangeKind.DROP_NODE, key="n001")], 99)

    assert projection_of(scope).ids.tolist() == ["n000", "n002", "n003", "n004"]
    assert structure.connected_components(scope)[0] == ("n002", "n003", "n004")


def test_moments_between_which_nothing_begins_or_ends_share_a_projection():
    scope = a_graph(MemoryGraph(), 3, expires="2024-05-31")

    def on(day: str) -> Projection:
        return projection_of(scope.at(Moment.of(day)))

    assert on("2024-01-01") is on("2024-05-31") is on("2024-05-31T23:59:59Z")
    assert on("2024-06-01") is on("2025-01-01") is on("2024-06-01T00:00:00Z")
    assert on("2024-05-31").adjacency.nnz == 4
    assert on("2024-06-01").adjacency.nnz == 0


def test_only_some_projections_are_kept():
    scope = a_graph(MemoryGraph(), 3)
    kept = scope.view
    assert isinstance(kept, MemoryGraph)
    first = kept.projections.at(DAY)
    for name in "ABCDE":
        kept.projections.at(DAY, (name,))
    assert kept.projections.at(DAY) is not first


def test_a_view_that_keeps_nothing_is_read_each_time():
    scope = a_graph(DictGraph(), 4)
    assert structure.degree(scope) == (("n001", 2.0), ("n002", 2.0), ("n000", 1.0), ("n003", 1.0))
    assert projection_of(scope) is not projection_of(scope)


def test_relations_can_be_chosen():
    graph = MemoryGraph()
    a_graph(graph, 3)
    kept: Projections = graph.projections
    assert kept.at(DAY, relations=["USES"]).adjacency.nnz == 4
    assert kept.at(DAY, relations=["KNOWS"]).adjacency.nnz == 0
