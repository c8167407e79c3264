"""The graph as a whole: what is shown of it, and what is at risk."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from tests.unit.test_graph_cases import graph_of
from tiers.graphrag.operators.risk import propagate_risk
from tiers.graphrag.overview import overview
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Budget, GraphView, Scope
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.schema import NodeType, RelationType, Schema
from trivium.domain.time import Moment

SCHEMA = Schema(
    as_of="2026-01-01",
    node_types={"Pump": NodeType(name="Pump"), "Leak": NodeType(name="Leak", is_event=True)},
    relation_types={
        "FEEDS": RelationType(name="FEEDS", ends=(("Pump", "Pump"),)),
        "HITS": RelationType(name="HITS", ends=(("Leak", "Pump"),)),
    },
)


def leaking(edges: Sequence[tuple[str, str, str]], leaks: Sequence[str]) -> Scope:
    """Return what relations join, all of it pumps but for open critical leaks."""
    is_open = {"severity": "critical", "status": "open"}
    names = sorted({end for source, _, target in edges for end in (source, target)})
    nodes = [Node(id=n, type="Pump", name=n) for n in names if n not in leaks]
    nodes += [Node(id=n, type="Leak", name=n, properties=is_open) for n in leaks]
    return graph_with(nodes, edges)


def plant() -> Scope:
    """Pumps p1 → p2 → p3, an open critical leak at p1, an open low one at p2, one that is over."""
    nodes = [Node(id=f"p{n}", type="Pump", name=f"Pump {n}") for n in (1, 2, 3)]
    nodes += [
        Node(id=i, type="Leak", name=i, properties={"severity": severity, "status": status})
        for i, severity, status in (
            ("big", "critical", "open"),
            ("small", "low", "open"),
            ("past", "critical", "closed"),
        )
    ]
    return graph_with(
        nodes,
        [
            ("p1", "FEEDS", "p2"),
            ("p2", "FEEDS", "p3"),
            ("big", "HITS", "p1"),
            ("small", "HITS", "p2"),
            ("past", "HITS", "p3"),
        ],
    )


def graph_with(nodes: Sequence[Node], edges: Sequence[tuple[str, str, str]]) -> Scope:
    changes = [
        Change(kind=ChangeKind.PUT_NODE, key=n.id, payload=node_payload(n, None, None))
        for n in nodes
    ]
    for number, (source, kind, target) in enumerate(edges):
        edge = Edge(key=f"e{number}", source=source, target=target, type=kind)
        payload = edge_payload(edge, None, None)
        changes.append(Change(kind=ChangeKind.PUT_EDGE, key=edge.key, payload=payload))
    graph = MemoryGraph()
    graph.take(changes, 1)
    return Scope(view=graph, schema=SCHEMA, moment=Moment.of("2026-01-01"))


def test_all_of_a_small_graph_is_shown():
    seen = overview(graph_of(("a", "b"), ("b", "c")), most=10, with_risk=True)

    assert [node.id for node in seen.nodes] == ["a", "b", "c"]
    assert seen.relations == [("a", "KNOWS", "b"), ("b", "KNOWS", "c")]
    assert not seen.is_cut


def test_of_a_large_graph_the_most_connected_are_shown_with_what_holds_among_them():
    star = [("hub", f"leaf{n}") for n in range(5)]
    scope = graph_of(*star, ("leaf0", "leaf1"), ("leaf0", "leaf2"))
    seen = overview(scope, most=2, with_risk=False)

    assert [node.id for node in seen.nodes] == ["hub", "leaf0"]
    assert seen.relations == [("hub", "KNOWS", "leaf0")]
    assert seen.is_cut


def test_relations_that_no_longer_hold_make_nothing_well_connected():
    over, kept = ("2020-01-01", "2020-12-31"), ("2020-01-01", None)
    once = [("old", f"leaf{n}") for n in range(3)]
    now = [("hub", "leaf0"), ("hub", "leaf1")]
    scope = graph_of(*once, *now, days=[over] * len(once) + [kept] * len(now))

    seen = overview(scope, most=1, with_risk=False)

    assert [node.id for node in seen.nodes] == ["hub"]


class Watched:
    """A graph that counts how often relations are read of it."""

    def __init__(self, view: GraphView) -> None:
        self._view = view
        self.n_read = 0

    def node(self, node_id: str) -> Node | None:
        return self._view.node(node_id)

    def nodes(self, node_type: str | None = None) -> Iterable[Node]:
        return self._view.nodes(node_type)

    def edges(self, node_id: str, relation: str | None = None, *, outgoing: bool) -> Sequence[Edge]:
        self.n_read += 1
        return self._view.edges(node_id, relation, outgoing=outgoing)


def test_no_relations_are_read_past_the_time_given():
    scope = graph_of(*((f"a{n}", f"b{n}") for n in range(1_000)))
    watched = Watched(scope.view)
    late = Budget(deadline=0.0, clock=lambda: 1.0)

    seen = overview(replace(scope, view=watched, budget=late), most=1, with_risk=False)

    assert seen.is_cut
    assert watched.n_read == 0


@pytest.mark.parametrize(("day", "n"), [("2023-06-01", 1), ("2024-06-01", 0)])
def test_what_does_not_hold_at_the_moment_is_not_shown(day: str, n: int):
    scope = graph_of(("a", "b"), days=[("2023-01-01", "2023-12-31")]).at(Moment.of(day))

    assert len(overview(scope, most=10, with_risk=True).relations) == n


def test_open_events_stand_gravest_first_beside_what_each_adds():
    seen = overview(plant(), most=10, with_risk=True)

    assert [event.id for event in seen.events] == ["big", "small"]
    assert seen.weights == [1.0, 0.1]
    # The first hop weighs as much as the disturbed entity itself, the second 0.6 of that.
    assert seen.risk == {"p1": [1.0, 0.0], "p2": [1.0, 0.1], "p3": [0.6, 0.1]}


def test_all_that_events_reach_is_scored_and_how_many_events_were_left_out_is_told():
    """100 pumps hit at once, from which 30 others each are fed: more than 64 ways at a time."""
    hit, n_events = range(100), 30
    pairs = [(f"h{n}", "FEEDS", f"f{n}-{m}") for n in hit for m in range(30)]
    pairs += [(f"e{n % n_events}", "HITS", f"h{n}") for n in hit]
    scope = leaking(pairs, [f"e{n}" for n in range(n_events)])
    seen = overview(scope, most=5_000, with_risk=True)

    assert (len(seen.events), seen.n_open) == (20, n_events)
    n_hit = sum(n % n_events in {int(e.id[1:]) for e in seen.events} for n in hit)
    assert seen.n_at_risk == n_hit * 31
    assert {sum(shares) for shares in (seen.risk or {}).values()} == {1.0}


def test_risk_that_was_not_asked_for_or_could_not_be_finished_is_not_told():
    late = replace(plant(), budget=Budget(is_spent=True))

    assert overview(plant(), most=10, with_risk=False).risk is None
    assert overview(late, most=10, with_risk=True).risk is None
    assert overview(late, most=10, with_risk=True).is_cut


def test_what_events_add_is_the_risk_score():
    scope = plant()
    scores = dict(propagate_risk(scope, nodes=("p1", "p2", "p3")))

    grid = overview(scope, most=10, with_risk=True).risk or {}
    summed = {key: round(sum(shares), 10) for key, shares in grid.items()}

    assert summed == scores


def test_those_most_at_risk_come_first_and_in_pages():
    scope = plant()
    first = overview(scope, most=1, with_risk=True)
    second = overview(scope, most=1, with_risk=True, after=1)
    past = overview(scope, most=5, with_risk=True, after=3)

    assert ([n.id for n in first.nodes], [n.id for n in second.nodes]) == (["p2"], ["p1"])
    assert (first.risk, second.risk) == ({"p2": [1.0, 0.1]}, {"p1": [1.0, 0.0]})
    assert (first.n_at_risk, first.is_cut, second.is_cut) == (3, True, True)
    assert (past.nodes, past.risk, past.n_at_risk, past.is_cut) == ([], {}, 3, False)
