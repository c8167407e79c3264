"""What every graph store does: NetworkX in memory, Ladybug, Neo4j, and the fake."""

import asyncio
import os
import random
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TypeAlias

import pytest

from tests.conftest import SEED, SOAK
from tests.fakes import DictGraph
from tiers.graphrag.stores.ladybug import LadybugGraph
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.stores.neo4j import Neo4jGraph
from tiers.graphrag.view import GraphView
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node, Value
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.time import Moment, Validity

Graph: TypeAlias = MemoryGraph | DictGraph | LadybugGraph | Neo4jGraph

SEEDS = range(SEED, SEED + 20 * SOAK)
FEW = SEEDS[: 2 * SOAK]
"""A store on disk takes seconds where the others take milliseconds."""


@pytest.fixture(params=[MemoryGraph, DictGraph, LadybugGraph, Neo4jGraph])
async def graph(request: pytest.FixtureRequest) -> AsyncIterator[Graph]:
    """An empty graph; in Neo4j where ``TRIVIUM_TEST_NEO4J_URL`` names one, which is emptied."""
    if request.param in {MemoryGraph, DictGraph}:
        yield request.param()
        return
    stored = LadybugGraph.open() if request.param is LadybugGraph else an_empty_neo4j()
    await stored.clear()
    yield stored
    await stored.close()


def an_empty_neo4j() -> Neo4jGraph:
    url = os.environ.get("TRIVIUM_TEST_NEO4J_URL")  # noqa: TID251  # no setting of Trivium
    if not url:
        pytest.skip("TRIVIUM_TEST_NEO4J_URL is not set")
    return Neo4jGraph.open(url)


seeded = pytest.mark.parametrize(
    ("graph", "seed"),
    [
        *((store, seed) for store in (MemoryGraph, DictGraph) for seed in SEEDS),
        *((store, seed) for store in (LadybugGraph, Neo4jGraph) for seed in FEW),
    ],
    indirect=["graph"],
)


def node(node_id: str, node_type: str = "T", source: str = "data", **properties: Value) -> Change:
    made = Node(id=node_id, type=node_type, name=node_id.title(), properties=properties)
    payload = node_payload(made, None, None)
    return Change(kind=ChangeKind.PUT_NODE, key=node_id, payload=payload, source=source)


def edge(
    source: str,
    target: str,
    key: str | None = None,
    *,
    relation: str = "R",
    said_by: str = "data",
    days: tuple[str | None, str | None] = (None, None),
    **properties: Value,
) -> Change:
    key = key or f"{source}-{relation}-{target}"
    made = Edge(key=key, source=source, target=target, type=relation, properties=properties)
    payload = edge_payload(made, *days)
    return Change(kind=ChangeKind.PUT_EDGE, key=key, payload=payload, source=said_by)


def drop_node(key: str, source: str = "data") -> Change:
    return Change(kind=ChangeKind.DROP_NODE, key=key, source=source)


def drop_edge(key: str, source: str = "data") -> Change:
    return Change(kind=ChangeKind.DROP_EDGE, key=key, source=source)


def keys(view: GraphView, node_id: str, *, outgoing: bool = True) -> list[str]:
    return sorted(e.key for e in view.edges(node_id, outgoing=outgoing))


Shown: TypeAlias = tuple[list[Node], Mapping[str, tuple[list[Edge], list[Edge]]]]


def shown(view: GraphView) -> Shown:
    """All that a reader sees."""

    def edges_of(node_id: str, *, outgoing: bool) -> list[Edge]:
        found = view.edges(node_id, outgoing=outgoing)
        return sorted(found, key=lambda e: (e.key, repr(e)))

    nodes = list(view.nodes())
    return nodes, {
        n.id: (edges_of(n.id, outgoing=True), edges_of(n.id, outgoing=False)) for n in nodes
    }


async def put(graph: Graph, *changes: Change) -> None:
    await graph.apply(changes, await graph.watermark() + len(changes))


# --- entities ------------------------------------------------------------------------------------


async def test_an_empty_graph_knows_nothing(graph: Graph):
    assert graph.node("a") is None
    assert list(graph.nodes()) == list(graph.nodes("T")) == []
    assert list(graph.edges("a", outgoing=True)) == list(graph.edges("a", outgoing=False)) == []
    assert len(graph) == graph.n_edges == await graph.watermark() == 0


async def test_entities_come_in_the_order_of_their_ids(graph: Graph):
    await put(graph, node("b"), node("c", "U"), node("a"))

    assert [n.id for n in graph.nodes()] == ["a", "b", "c"]
    assert [n.id for n in graph.nodes("T")] == ["a", "b"]
    assert [n.id for n in graph.nodes("U")] == ["c"]
    assert list(graph.nodes("V")) == []
    assert len(graph) == 3


async def test_an_entity_keeps_all_that_was_said_of_it(graph: Graph):
    made = Node(
        id="a",
        type="T",
        name="Ann",
        aliases=("A.", "Annie"),
        properties={"x": None, "y": 1.5, "z": True, "w": ""},
        validity=Validity.of("2024-01-01", "2024-02-01"),
        acl=("board",),
    )
    payload = node_payload(made, "2024-01-01", "2024-02-01")
    await put(graph, Change(kind=ChangeKind.PUT_NODE, key="a", payload=payload))

    assert graph.node("a") == made


async def test_a_put_replaces_the_entity_and_keeps_its_relations(graph: Graph):
    await put(graph, node("a", x=1, y=2), node("b"), edge("a", "b"))
    await put(graph, node("a", "U", x=3))

    replaced = graph.node("a")
    assert replaced is not None
    assert (replaced.type, replaced.properties) == ("U", {"x": 3})
    assert [n.id for n in graph.nodes("T")] == ["b"]
    assert [n.id for n in graph.nodes("U")] == ["a"]
    assert keys(graph, "a") == ["a-R-b"]
    assert len(graph) == 2


async def test_an_entity_that_is_dropped_takes_its_relations_along(graph: Graph):
    await put(graph, node("a"), node("b"), node("c"))
    await put(graph, edge("a", "b"), edge("c", "a"), edge("a", "a"), edge("b", "c"))
    await put(graph, drop_node("a"))

    assert graph.node("a") is None
    assert [n.id for n in graph.nodes("T")] == ["b", "c"]
    assert keys(graph, "b") == ["b-R-c"]
    assert keys(graph, "b", outgoing=False) == keys(graph, "c", outgoing=True) == []
    assert (len(graph), graph.n_edges) == (2, 1)


async def test_an_entity_that_comes_back_comes_without_its_relations(graph: Graph):
    await put(graph, node("a"), node("b"), edge("a", "b"), drop_node("a"), node("a"))
    assert graph.n_edges == 0


async def test_dropping_what_is_absent_does_nothing(graph: Graph):
    await put(graph, node("a"))
    before = shown(graph)
    await put(graph, drop_node("b"), drop_edge("x"), drop_node("b", "other"))
    assert shown(graph) == before


# --- relations -----------------------------------------------------------------------------------


async def test_a_relation_is_seen_from_both_its_ends(graph: Graph):
    await put(graph, node("a"), node("b"), edge("a", "b", n=None, m=2))

    (there,), (back,) = graph.edges("a", outgoing=True), graph.edges("b", outgoing=False)
    assert there == back
    assert (there.source, there.type, there.target) == ("a", "R", "b")
    assert there.properties == {"n": None, "m": 2}
    assert keys(graph, "b") == keys(graph, "a", outgoing=False) == []


async def test_parallel_relations_are_kept_apart(graph: Graph):
    changes = [node("a"), node("b"), edge("a", "b", "1"), edge("a", "b", "2"), edge("b", "a", "3")]
    await put(graph, *changes, edge("a", "b", "4", relation="S"))
    assert keys(graph, "a") == keys(graph, "b", outgoing=False) == ["1", "2", "4"]

    await put(graph, drop_edge("1"))
    assert keys(graph, "a") == ["2", "4"]
    assert keys(graph, "b") == ["3"]


async def test_a_relation_to_oneself_leaves_and_enters(graph: Graph):
    await put(graph, node("a"), edge("a", "a", "1"), edge("a", "a", "2"))

    assert keys(graph, "a") == keys(graph, "a", outgoing=False) == ["1", "2"]
    assert graph.n_edges == 2
    await put(graph, drop_edge("1"))
    assert keys(graph, "a") == keys(graph, "a", outgoing=False) == ["2"]


async def test_a_put_replaces_the_relation_and_may_move_it(graph: Graph):
    await put(graph, node("a"), node("b"), node("c"), edge("a", "b", "k", n=1))
    await put(graph, edge("c", "b", "k", relation="S", n=2))

    assert keys(graph, "a") == []
    (moved,) = graph.edges("b", outgoing=False)
    assert (moved.source, moved.type, moved.properties) == ("c", "S", {"n": 2})
    assert graph.n_edges == 1


async def test_a_relation_may_come_before_its_ends(graph: Graph):
    await put(graph, edge("a", "b"), edge("c", "c"))
    assert graph.n_edges == len(graph) == 0

    await put(graph, node("b"))
    assert keys(graph, "b", outgoing=False) == []
    await put(graph, node("a"), node("c"))
    assert keys(graph, "a") == keys(graph, "b", outgoing=False) == ["a-R-b"]
    assert keys(graph, "c") == keys(graph, "c", outgoing=False) == ["c-R-c"]


async def test_a_relation_that_waits_can_be_replaced_and_dropped(graph: Graph):
    await put(graph, node("a"), edge("a", "b", "1", n=1), edge("a", "b", "2"), edge("a", "x", "3"))
    await put(graph, edge("a", "b", "1", n=2), drop_edge("2"), edge("a", "a", "3"), node("b"))

    assert keys(graph, "a") == ["1", "3"]
    (first,) = graph.edges("b", outgoing=False)
    assert first.properties == {"n": 2}


async def test_a_relation_that_waits_goes_with_an_end_that_is_dropped(graph: Graph):
    await put(graph, node("a"), edge("a", "b"), edge("b", "a"), drop_node("a"), node("b"))
    await put(graph, node("a"))
    assert graph.n_edges == 0


async def test_expired_and_future_relations_are_kept(graph: Graph):
    await put(graph, node("a"), node("b"))
    await put(graph, edge("a", "b", "past", days=(None, "2001-01-01")))
    await put(graph, edge("a", "b", "future", days=("2999-01-01", None)))
    await put(graph, edge("a", "b", "never", days=("2024-02-01", "2024-01-01")))

    assert keys(graph, "a") == ["future", "never", "past"]
    held = {e.key: e.validity for e in graph.edges("a", outgoing=True)}
    assert held["past"].holds(Moment.of("2001-01-01"))
    assert not held["past"].holds(Moment.of("2001-01-02"))


async def test_any_text_is_an_id(graph: Graph):
    odd = ["", " ", "..data", "O'Hara's \"Best\" Bolts \\ Co", "x` SET n.admin = true //", "a|b|"]
    odd += ["Café", "Cafe\u0301", "供应商", "🛩", "\u202e", "None", "0", "é" * 300]
    await put(graph, *[node(i, i) for i in odd])
    await put(graph, *[edge(i, j, f"{i}→{j}", relation=i) for i in odd for j in odd])

    assert [n.id for n in graph.nodes()] == sorted(odd)
    assert graph.n_edges == len(odd) ** 2
    for i in odd:
        assert [n.id for n in graph.nodes(i)] == [i]
        assert {(e.type, e.target) for e in graph.edges(i, outgoing=True)} == {(i, j) for j in odd}


# --- several data sets ---------------------------------------------------------------------------


async def test_the_keys_of_two_data_sets_do_not_meet(graph: Graph):
    await put(graph, node("a"), node("b"))
    await put(graph, edge("a", "b", "1", said_by="one"), edge("b", "a", "1", said_by="two"))
    await put(graph, drop_edge("1", "one"), drop_edge("1", "three"))

    assert keys(graph, "a") == []
    assert keys(graph, "b") == ["1"]


async def test_an_entity_of_two_data_sets_goes_with_the_last_of_them(graph: Graph):
    await put(graph, node("a", "T", "one", x=1), node("a", "U", "two", x=2), node("b"))
    await put(graph, edge("a", "b"))
    assert [n.properties["x"] for n in graph.nodes("U")] == [2]
    assert list(graph.nodes("T")) == [graph.node("b")]

    await put(graph, drop_node("a", "two"))
    assert [n.properties.get("x") for n in graph.nodes("T")] == [1, None]
    assert keys(graph, "a") == ["a-R-b"]

    await put(graph, drop_node("a", "one"))
    assert [n.id for n in graph.nodes()] == ["b"]
    assert graph.n_edges == 0


# --- as a projection -----------------------------------------------------------------------------


async def test_changes_apply_in_their_order(graph: Graph):
    await put(graph, node("a", x=1), drop_node("a"), node("a", x=2), node("a", x=3))
    await put(graph, edge("a", "a", "k", n=1), drop_edge("k"), edge("a", "a", "k", n=2))

    there = graph.node("a")
    assert there is not None
    assert there.properties == {"x": 3}
    assert [e.properties for e in graph.edges("a", outgoing=True)] == [{"n": 2}]


async def test_the_watermark_is_what_the_last_batch_says(graph: Graph):
    await graph.apply([node("a")], 7)
    assert await graph.watermark() == 7
    await graph.apply([], 9)
    assert await graph.watermark() == 9
    assert len(graph) == 1


async def test_changes_of_other_kinds_are_passed_over(graph: Graph):
    others = [
        Change(kind=kind, key="a", payload={"entity": "a", "attribute": "x"})
        for kind in ChangeKind
        if not kind.endswith(("_node", "_edge"))
    ]
    await put(graph, node("a"), *others)
    assert len(graph) == 1
    assert await graph.watermark() == 1 + len(others)


async def test_a_batch_that_cannot_be_read_leaves_nothing(graph: Graph):
    await put(graph, node("a"), node("b"), edge("a", "b"))
    before = shown(graph)
    broken = Change(kind=ChangeKind.PUT_EDGE, key="x", payload={"source": "a"})

    with pytest.raises(KeyError):
        await graph.apply([node("c"), drop_node("a"), broken], 99)

    assert shown(graph) == before
    assert await graph.watermark() == 3


async def test_clearing_forgets_everything(graph: Graph):
    await put(graph, node("a"), node("b"), edge("a", "b"), edge("a", "waits"))
    await graph.clear()
    assert await graph.watermark() == 0
    assert shown(graph) == ([], {})

    await put(graph, node("waits"), node("a"))
    assert graph.n_edges == 0


async def test_a_reader_keeps_its_version_while_a_batch_comes(graph: Graph):
    await put(graph, node("a"))
    inside, leave = threading.Event(), threading.Event()

    def read() -> tuple[Shown, Shown]:
        with graph.reading() as view:
            first = shown(view)
            inside.set()
            assert leave.wait(10)
            return first, shown(view)

    reader = asyncio.create_task(asyncio.to_thread(read))
    assert await asyncio.to_thread(inside.wait, 10)
    writer = asyncio.create_task(graph.apply([node("b"), edge("a", "b"), drop_node("a")], 9))
    await asyncio.wait([writer], timeout=0.02)  # the loop turns while the writer waits
    leave.set()
    first, second = await reader
    await writer

    assert first == second
    assert [n.id for n in first[0]] == ["a"]
    assert [n.id for n in graph.nodes()] == ["b"]


# --- any sequence of changes ---------------------------------------------------------------------


def some_changes(
    rng: random.Random, n: int, sources: Sequence[str] = ("one", "two")
) -> list[Change]:
    ids, edge_keys = "abcd", ["1", "2", "3", "4"]

    def change() -> Change:
        source = rng.choice(sources)
        match rng.randrange(6):
            case 0 | 1:
                return node(rng.choice(ids), rng.choice("TU"), source, x=rng.randrange(3))
            case 2:
                return drop_node(rng.choice(ids), source)
            case 3:
                return drop_edge(rng.choice(edge_keys), source)
            case _:
                ends = rng.choice(ids), rng.choice(ids)
                key = rng.choice(edge_keys)
                return edge(*ends, key, said_by=source, relation=rng.choice("RS"))

    return [change() for _ in range(n)]


@seeded
async def test_the_stores_agree_after_every_batch(graph: Graph, seed: int):
    rng = random.Random(seed)
    other = DictGraph()
    for upto in range(1, 40):
        batch = some_changes(rng, rng.randrange(5))
        await graph.apply(batch, upto)
        await other.apply(batch, upto)
        assert shown(graph) == shown(other)
        assert (len(graph), graph.n_edges) == (len(other), other.n_edges)
        for node_type in "TU":
            assert list(graph.nodes(node_type)) == list(other.nodes(node_type))


@seeded
async def test_a_replay_from_anywhere_changes_nothing(graph: Graph, seed: int):
    rng = random.Random(seed)
    changes = some_changes(rng, 40, ["one"])
    await graph.apply(changes, 40)
    before = shown(graph)

    start = rng.randrange(40)
    await graph.apply(changes[start:], 40)

    assert shown(graph) == before


def state_of(changes: Sequence[Change]) -> list[Change]:
    """What the journal says that changes add up to: each thing's last put, in order."""
    last = {(c.kind.rpartition("_")[2], c.source, c.key): c for c in changes}
    return [c for c in changes if c is last[c.kind.rpartition("_")[2], c.source, c.key]]


@seeded
async def test_many_mutations_leave_what_a_rebuild_would(graph: Graph, seed: int):
    rng = random.Random(seed)
    done: list[Change] = []
    for change in some_changes(rng, 60):
        if change.kind is ChangeKind.DROP_NODE:  # whoever drops an entity drops its relations first
            ends = {(c.source, c.key): c.payload for c in state_of(done) if "source" in c.payload}
            done += [
                drop_edge(key, source)
                for (source, key), payload in ends.items()
                if change.key in {payload["source"], payload["target"]}
            ]
        done.append(change)
    await graph.apply(done, len(done))

    rebuilt = DictGraph()
    await rebuilt.apply([c for c in state_of(done) if c.kind.startswith("put_")], len(done))

    assert shown(graph) == shown(rebuilt)
