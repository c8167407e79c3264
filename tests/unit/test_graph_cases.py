"""Faults that users of other graph systems met, each with the right outcome."""

import itertools
from collections.abc import Iterable

import pytest

from tiers.graphrag.operators import counting, dated, effects, traversal
from tiers.graphrag.operators.clustering import communities
from tiers.graphrag.operators.comparing import alternatives
from tiers.graphrag.operators.removal import simulate_removal
from tiers.graphrag.operators.risk import propagate_risk
from tiers.graphrag.operators.structure import degree
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.operators.ways import shortest_path
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Budget, Scope
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.domain.time import Moment

OUT = Hop(relation="KNOWS", outgoing=True)
KIND = Property(name="kind", kind=PropertyKind.CATEGORY)
SCHEMA = Schema(
    node_types={
        "T": NodeType(name="T", properties={"kind": KIND}),
        "Storm": NodeType(name="Storm", is_event=True),
    },
    relation_types={"KNOWS": RelationType(name="KNOWS", ends=(("T", "T"),))},
)

Days = tuple[str | None, str | None]


def graph_of(
    *pairs: tuple[str, str],
    days: Iterable[Days] | None = None,
    kinds: dict[str, str | None] | None = None,
    types: dict[str, str] | None = None,
    max_nodes: int = 500,
) -> Scope:
    ids = dict.fromkeys(i for pair in pairs for i in pair)
    nodes = [
        Node(
            id=i, type=(types or {}).get(i, "T"), name=i, properties={"kind": (kinds or {}).get(i)}
        )
        for i in ids
    ]
    changes = [
        Change(kind=ChangeKind.PUT_NODE, key=n.id, payload=node_payload(n, None, None))
        for n in nodes
    ]
    for number, (pair, bounds) in enumerate(
        zip(pairs, days or itertools.repeat((None, None)), strict=False)
    ):
        edge = Edge(key=f"e{number}", source=pair[0], target=pair[1], type="KNOWS")
        payload = edge_payload(edge, *bounds)
        changes.append(Change(kind=ChangeKind.PUT_EDGE, key=edge.key, payload=payload))
    graph = MemoryGraph()
    graph.take(changes, len(changes))
    budget = Budget(max_nodes=max_nodes)
    return Scope(view=graph, schema=SCHEMA, moment=Moment.of("2024-06-01"), budget=budget)


def reasons(scope: Scope) -> list[str]:
    return [cut.why for cut in scope.budget.cuts]


# --- traversal -----------------------------------------------------------------------------------


def test_a_relation_to_oneself_is_found():
    """G15."""
    scope = graph_of(("A", "A"), ("A", "B"))

    assert traversal.get_neighbors(scope, nodes=("A",)) == ("A", "B")
    assert traversal.get_neighbors(scope, nodes=("A",), direction="out") == ("A", "B")
    assert traversal.follow(scope, nodes=("A",), path=(OUT,)) == ("A", "B")
    assert counting.count_edges(scope, nodes=("A",), path=(OUT,)) == (("A", 2.0),)
    assert {e.target for e in scope.edges("A", None, outgoing=True)} == {"A", "B"}
    assert degree(scope) == (("A", 2.0), ("B", 1.0))


def test_a_relation_to_oneself_is_no_further_hop():
    """G16."""
    scope = graph_of(("A", "B"), ("B", "B"))
    distance = effects.reach(scope, ("A",), downstream=True)
    assert distance == {"A": 0, "B": 1}
    assert [n for n, hops in distance.items() if hops == 2] == []


def test_the_evidence_holds_the_relations_that_close_a_circle():
    """G18."""
    scope = graph_of(("1", "2"), ("2", "3"), ("3", "1"))
    assert effects.subgraph(scope, nodes=("1",)) == ("2", "3")
    assert set(scope.budget.relations) == {
        ("1", "KNOWS", "2"), ("2", "KNOWS", "3"), ("3", "KNOWS", "1"),
    }  # fmt: skip


def test_a_clique_is_walked_without_counting_its_paths():
    """G20."""
    names = [f"n{i:02}" for i in range(15)]
    scope = graph_of(*itertools.permutations(names, 2))
    others = tuple(names[1:])

    assert effects.subgraph(scope, nodes=("n00",)) == others
    many = Hop(relation="KNOWS", outgoing=True, repeat="+")
    assert traversal.follow(scope, nodes=("n00",), path=(many,)) == tuple(names)
    assert traversal.follow(scope, nodes=("n00",), path=(OUT,) * 10) == tuple(names)
    assert shortest_path(scope, source="n00", target="n14") == (("n00", "n14"),)


def test_a_hub_is_cut_and_says_so():
    """G21."""
    scope = graph_of(*(("HUB", f"n{i:05}") for i in range(3_000)), max_nodes=500)
    found = effects.subgraph(scope, nodes=("HUB",))

    assert len(found) == 500
    assert scope.budget.is_exhausted
    assert reasons(scope) == ["more than 500 entities"]


def test_time_that_runs_out_is_told_of():
    scope = graph_of(("A", "B"), ("A", "C"))
    late = Budget(deadline=10.0, clock=lambda: 11.0)
    cut = Scope(view=scope.view, schema=SCHEMA, moment=scope.moment, budget=late)
    assert traversal.follow(cut, nodes=("A",), path=(OUT,)) == ("B", "C")
    assert reasons(cut) == ["the time given"]
    assert traversal.follow(cut, nodes=("A",), path=(OUT,)) == ()


def test_many_shortest_paths_are_cut_and_it_is_told():
    def rung(level: int) -> list[tuple[str, str]]:
        sides = [f"{level}a", f"{level}b"]
        return [(f"{level}", s) for s in sides] + [(s, f"{level + 1}") for s in sides]

    few = graph_of(*(pair for level in range(6) for pair in rung(level)))
    assert len(shortest_path(few, source="0", target="6")) == 2**6
    assert not few.budget.is_exhausted

    many = graph_of(*(pair for level in range(8) for pair in rung(level)))
    paths = shortest_path(many, source="0", target="8")
    assert (len(paths), {len(path) for path in paths}) == (100, {17})
    assert reasons(many) == ["more than 100 paths equally good"]


def test_what_is_cut_is_the_same_on_every_store():
    scope = graph_of(("A", "D"), ("A", "C"), ("A", "B"), max_nodes=2)
    assert traversal.follow(scope, nodes=("A",), path=(OUT,)) == ("B", "C")
    narrow = graph_of(("A", "C"), ("C", "B"), ("A", "D"), max_nodes=2)
    assert effects.subgraph(narrow, nodes=("A",)) == ("C", "D")


def test_an_event_joins_nothing():
    types = {"e": "Storm"}
    scope = graph_of(("A", "e"), ("e", "B"), ("B", "C"), types=types)
    assert shortest_path(scope, source="A", target="B") == ()
    assert shortest_path(scope, source="A", target="e") == (("A", "e"),)
    assert shortest_path(scope, source="e", target="C") == (("e", "B", "C"),)


# --- removal and alternatives --------------------------------------------------------------------


def test_what_has_another_source_is_not_lost():
    scope = graph_of(("A", "B"), ("X", "B"), ("A", "C"))
    found = simulate_removal(scope, nodes=("A",), path=(OUT,))
    assert (found.reached, found.lost) == (("B", "C"), ("C",))


def test_what_all_its_sources_have_lost_is_lost():
    scope = graph_of(("A", "B"), ("A", "C"), ("B", "C"), ("C", "D"), ("X", "E"), ("B", "E"))
    assert simulate_removal(scope, nodes=("A",), path=(OUT, OUT)).lost == ("C",)
    far = Hop(relation="KNOWS", outgoing=True, repeat="+")
    assert simulate_removal(scope, nodes=("A",), path=(far,)).lost == ("B", "C", "D")
    assert simulate_removal(scope, nodes=("A", "X"), path=(far,)).lost == ("B", "C", "D", "E")


def test_a_circle_that_feeds_itself_is_not_lost():
    scope = graph_of(("A", "B"), ("B", "C"), ("C", "B"))
    far = Hop(relation="KNOWS", outgoing=True, repeat="+")
    assert simulate_removal(scope, nodes=("A",), path=(far,)).lost == ()


def test_an_entity_is_no_alternative_to_itself():
    kinds: dict[str, str | None] = dict.fromkeys("AC", "bolt")
    scope = graph_of(("A", "B"), ("A", "D"), ("C", "D"), ("C", "E"), kinds=kinds)
    hop = Hop(relation="KNOWS", outgoing=True, to_type="T")
    assert alternatives(scope, node="A", hop=hop) == ("E",)
    alone = graph_of(("A", "B"), kinds=kinds)
    assert alternatives(alone, node="A", hop=hop) == ()


def test_two_cliques_joined_by_one_relation_are_two_communities():
    cliques = [
        pair
        for ring in "ab"
        for pair in itertools.combinations([f"{ring}{i}" for i in range(5)], 2)
    ]
    found = communities(graph_of(*cliques, ("a0", "b0")))
    assert found == (("a0", "a1", "a2", "a3", "a4"), ("b0", "b1", "b2", "b3", "b4"))


# --- time ----------------------------------------------------------------------------------------

TODAY_AND_LATER: list[Days] = [("2024-01-01", None), ("2025-01-01", None)]


def test_what_begins_later_is_never_found():
    """T03."""
    scope = graph_of(("A", "B"), ("A", "C"), days=TODAY_AND_LATER)

    assert traversal.follow(scope, nodes=("A",), path=(OUT,)) == ("B",)
    assert traversal.get_neighbors(scope, nodes=("A",)) == ("B",)
    assert counting.count_edges(scope, nodes=("A",), path=(OUT,)) == (("A", 1.0),)
    assert shortest_path(scope, source="A", target="C") == ()
    everything = ("A", "B", "C")
    between = dated.relations_between(scope, relation="KNOWS", sources=everything, targets=("C",))
    assert between == ()


def test_what_never_holds_is_never_found():
    """T05."""
    instant = "2024-05-01T10:00:00.001Z"
    scope = graph_of(("A", "B"), days=[(instant, instant)])

    assert traversal.follow(scope.at(Moment.of(instant)), nodes=("A",), path=(OUT,)) == ()
    year = Moment.of("2024-05-01")
    for change in ("began", "ended", "held"):
        found = dated.filter_edges_by_date(scope, relation="KNOWS", period=year, change=change)
        assert found == ()


def test_an_agreement_that_ended_is_found_when_none_holds():
    scope = graph_of(("A", "B"), days=[(None, "2024-02-16")])
    (edge,) = dated.relations_between(scope, relation="KNOWS", sources=("A",), targets=("B",))
    assert edge.validity.last_day == "2024-02-16"


# --- what is not known ---------------------------------------------------------------------------


@pytest.mark.parametrize("node", ["nobody", "", "A' OR 1=1"])
def test_an_unknown_entity_has_nothing(node: str):
    scope = graph_of(("A", "B"))
    assert traversal.follow(scope, nodes=(node,), path=(OUT,)) == ()
    assert traversal.get_neighbors(scope, nodes=(node,)) == ()
    assert shortest_path(scope, source=node, target="A") == ()
    assert shortest_path(scope, source=node, target=node) == ()
    assert effects.subgraph(scope, nodes=(node,)) == ()


def test_entities_of_no_known_kind_are_no_alternatives():
    scope = graph_of(("A", "B"), ("C", "D"), kinds={"A": None, "C": None})
    assert alternatives(scope, node="A", hop=OUT) == ()
    same = graph_of(("A", "B"), ("C", "D"), kinds={"A": "bolt", "C": "bolt"})
    assert alternatives(same, node="A", hop=OUT) == ("D",)


def test_the_risk_of_nothing_is_nothing():
    assert propagate_risk(graph_of(("A", "B")), nodes=()) == ()
