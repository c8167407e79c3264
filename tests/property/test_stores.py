"""Random plans give the same on every store: as operators in memory, as Cypher in Ladybug."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tests.conftest import SEED, SOAK
from tests.contract.test_graph_view import edge, node, shown
from tests.fakes import DictGraph
from tests.property.worlds import TYPES, World, day, make_world, schema
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.figures import Group
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Argument, Plan, PlanBuilder, Ref, run
from tiers.graphrag.stores.ladybug import LadybugGraph
from tiers.graphrag.stores.stored import StoredView
from tiers.graphrag.view import Budget, GraphView, Scope
from trivium.domain.errors import DependencyError, PlanError
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.schema import NodeType, Property, RelationType, Schema
from trivium.domain.time import Moment

PER_GRAPH: Final = 20
N_GRAPHS: Final = SOAK if SOAK > 1 else 3
"""A hundred in soak: 2,000 plans."""


@pytest.fixture
def stored() -> Iterator[LadybugGraph]:
    """An empty Ladybug."""
    graph = LadybugGraph.open()
    yield graph
    graph.shut()


# --- random plans --------------------------------------------------------------------------------


def changes_of(view: GraphView, world: World) -> list[Change]:
    """The world as it is, validity as date-times."""

    def bounds(thing: Node | Edge) -> tuple[str | None, str | None]:
        first, after = next(
            t.bounds for t in (*world.nodes.values(), *world.edges) if t.key == key_of(thing)
        )
        texts = [None if t is None else f"{day(t)}T{12 * (t % 2):02}:00:00" for t in (first, after)]
        return texts[0], texts[1]

    def key_of(thing: Node | Edge) -> str:
        return thing.id if isinstance(thing, Node) else thing.key

    found = []
    for n in view.nodes():
        payload = node_payload(n, *bounds(n))
        found.append(Change(kind=ChangeKind.PUT_NODE, key=n.id, payload=payload))
        for e in view.edges(n.id, outgoing=True):
            payload = edge_payload(e, *bounds(e))
            found.append(Change(kind=ChangeKind.PUT_EDGE, key=e.key, payload=payload))
    return found


def condition(rng: random.Random, names: Sequence[str]) -> Condition:
    test = rng.choice(list(Test))
    values: list[Any] = [None, 0, 1, 2, 2.5, -1, True, "2", "peru", "Bolt", "Critical", "ACTIVE"]
    values += ["panels", "n", "", "two", "one"]
    value: Any = rng.choice(values)
    if test is Test.WITHIN:
        value = rng.choice([day(2), f"{day(0)}/{day(6)}", "2024-01-01/2024-12-31"])
    elif test is Test.IN:
        value = tuple(rng.sample(values, rng.randint(0, 3)))
    return Condition(property=rng.choice(names), test=test, value=value)


NODE_PROPERTIES: Final = ("size", "country", "part_kind", "severity", "status", "words", "date")


def where(rng: random.Random, names: Sequence[str]) -> tuple[Condition, ...]:
    return tuple(condition(rng, names) for _ in range(rng.choice([0, 0, 1, 2])))


def path(world: World, least: int = 1) -> tuple[Hop, ...]:
    hops = [world.hop(["", "", "", "+", "*"]) for _ in range(world.rng.randint(least, 3))]
    return tuple(replace(hop, where=where(world.rng, ["quantity"])) for hop in hops)


def random_plan(world: World) -> Plan:
    """Sets first, then what is made of them."""
    rng, builder = world.rng, PlanBuilder()
    sets: list[Ref] = [
        builder.add("find_nodes", ids=world.some()),
        builder.add(
            "find_nodes", type=rng.choice([None, *TYPES]), where=where(rng, NODE_PROPERTIES)
        ),
    ]
    for _ in range(rng.randint(1, 4)):
        name, arguments = set_step(world, sets)
        period = Moment.of(day(rng.randrange(0, 12, 2)))
        sets.append(builder.add(name, as_of=rng.choice([None, None, period]), **arguments))
    name, arguments = last_step(world, sets)
    builder.add(name, **arguments)
    return Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="random")


def set_step(world: World, sets: Sequence[Ref]) -> tuple[str, dict[str, Any]]:
    rng = world.rng
    nodes = rng.choice(sets)
    match rng.randrange(4):
        case 0:
            return "follow", {"nodes": nodes, "path": path(world)}
        case 1:
            out = where(rng, NODE_PROPERTIES)
            return "set_complement", {"type": rng.choice(TYPES), "nodes": nodes, "where": out}
        case 2:
            how = rng.choice(["union", "intersection", "difference"])
            return "combine", {"how": how, "sets": tuple(rng.choices(sets, k=rng.randint(1, 3)))}
        case _:
            relation = rng.choice([None, world.hop().relation])
            direction = rng.choice(["out", "in", "both"])
            return "get_neighbors", {"nodes": nodes, "relation": relation, "direction": direction}


def last_step(world: World, sets: Sequence[Ref]) -> tuple[str, dict[str, Any]]:
    rng = world.rng
    nodes, within = rng.choice(sets), rng.choice([None, rng.choice(sets)])
    number: dict[str, Argument] = {"relation": world.hop().relation, "property": "quantity"}
    on_relations: dict[str, Argument] = {**number, "where": where(rng, ["quantity"])}
    match rng.randrange(6):
        case 0:
            return "count_edges", {"nodes": nodes, "path": path(world, 0), "within": within}
        case 1:
            out = where(rng, NODE_PROPERTIES)
            return "aggregate_over_type", {
                "type": rng.choice(TYPES), "path": path(world), "where": out,
            }  # fmt: skip
        case 2:
            return "node_values", {"nodes": nodes, "property": "size"}
        case 3:
            return "relation_values", {
                **on_relations, "sources": rng.choice([None, nodes]), "targets": within,
            }  # fmt: skip
        case 4:
            how = rng.choice(["count", "sum", "mean", "min", "max"])
            outgoing = rng.random() < 0.5
            return "group_by", {
                **on_relations, "nodes": nodes, "how": how, "outgoing": outgoing, "within": within,
            }  # fmt: skip
        case _:
            change = rng.choice(["began", "ended", "held"])
            first, last = sorted(rng.choices(range(0, 12, 2), k=2))
            period = Moment(Moment.of(day(first)).start, Moment.of(day(last)).end, "a period")
            return "filter_edges_by_date", {
                "relation": str(number["relation"]), "period": period, "change": change,
            }  # fmt: skip


def outcome(plan: Plan, scope: Scope) -> tuple[object, ...]:
    """All that a run shows: each step's outcome, what was walked, and what was cut."""
    try:
        done = run(plan, scope)
    except PlanError as error:
        return (str(error),)
    return dict(done.outcomes), list(scope.budget.relations), scope.budget.cuts


@pytest.mark.parametrize("seed", range(SEED, SEED + N_GRAPHS))
def test_a_plan_gives_the_same_in_memory_and_as_cypher(stored: LadybugGraph, seed: int):
    world = make_world(seed, 8, 18)
    changes = changes_of(world.scope.view, world)
    stored.take(changes, len(changes))
    for _ in range(PER_GRAPH):
        plan = random_plan(world)
        budget = world.rng.choice([3, 1_000])
        with stored.reading() as view:
            scope = replace(world.scope, view=view, budget=Budget(max_nodes=budget))
            found = outcome(plan, scope)
            assert view.cypher.uncompiled == []
        assert found == outcome(plan, replace(world.scope, budget=Budget(max_nodes=budget)))


@pytest.mark.parametrize("given", [{}, {"by": Group(property="size")}])
def test_a_count_of_a_type_along_no_path_is_the_same_in_both(
    stored: LadybugGraph, given: dict[str, Any]
):
    world = make_world(SEED, 8, 18)
    changes = changes_of(world.scope.view, world)
    stored.take(changes, len(changes))
    builder = PlanBuilder()
    builder.add("aggregate_over_type", type="Part", **given)
    plan = Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")

    with stored.reading() as view:
        found = outcome(plan, replace(world.scope, view=view, budget=Budget()))

    outcomes = found[0]
    assert isinstance(outcomes, dict)
    assert sum(n for _, n in outcomes["s1"]) > 0
    assert found == outcome(plan, replace(world.scope, budget=Budget()))


@pytest.mark.parametrize("seed", range(SEED, SEED + max(1, N_GRAPHS // 3)))
def test_computations_give_the_same_on_what_is_read_from_the_store(stored: LadybugGraph, seed: int):
    world = make_world(seed, 8, 18)
    changes = changes_of(world.scope.view, world)
    stored.take(changes, len(changes))
    arguments: dict[str, dict[str, Any]] = {
        "pagerank": {}, "betweenness": {"type": "Part"}, "degree": {"without": ("Hazard",)},
        "connected_components": {}, "cut_points": {}, "subgraph": {"nodes": ("n0",)},
        "shortest_path": {"source": "n0", "target": "n1"},
    }  # fmt: skip
    for name, given in arguments.items():
        builder = PlanBuilder()
        builder.add(name, **given)
        plan = Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")
        with stored.reading() as view:
            found = outcome(plan, replace(world.scope, view=view, budget=Budget()))
            assert view.cypher.uncompiled == [name]
        assert found == outcome(plan, replace(world.scope, budget=Budget()))


# --- hostile names -------------------------------------------------------------------------------

HOSTILE: Final = (
    "O'Hara's \"Best\" Bolts \\ Co",
    'Programme "big problem"',
    "..data",
    "Person-Name",
    "City/State",
    "Entity@Type#123",
    "/b testing",
    "C++ (x) node: ~ ^2 AND OR NOT",
    "MATCH (n) DETACH DELETE n",
    "x` SET n.admin = true //",
    "ＤＥＬＥＴＥ n",
    "MATCH (n) /**/DEL/**/ETE n",
    "CALL { CREATE (x) } RETURN 1",
    "FOREACH (i IN [1] | CREATE (:X))",
    "LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l",
    "SUPPLIES`\t]->() DETACH DELETE n //",
    "a\x01b\x1fc",
    "$p1",
    "Entity",
    "entity",
)


def named(*names: str) -> dict[str, Property]:
    return {name: Property(name=name) for name in names}


def a_hostile_graph() -> tuple[list[Change], Schema]:
    """Each text is an id, a type, a relation, a property and its value."""
    own: dict[str, Any] = {text: text for text in HOSTILE}  # also names of parameters, to mypy
    changes = [node(text, text, **{text: own[text]}) for text in HOSTILE]
    changes += [edge("..data", text, text, relation=text, **{text: own[text]}) for text in HOSTILE]
    ends = tuple(("..data", text) for text in HOSTILE)
    return changes, Schema(
        node_types={text: NodeType(name=text, properties=named(text)) for text in HOSTILE},
        relation_types={
            text: RelationType(name=text, ends=ends, properties=named(text)) for text in HOSTILE
        },
    )


@pytest.mark.parametrize("store", [DictGraph, LadybugGraph])
def test_hostile_texts_are_found_literally_and_change_nothing(
    store: Callable[[], DictGraph] | type[LadybugGraph],
):
    """G01, G03, G05, G06, G08, S01, S03, S05, S06."""
    graph = LadybugGraph.open() if store is LadybugGraph else DictGraph()
    changes, known = a_hostile_graph()
    graph.take(changes, len(changes))
    before = shown(graph)

    for text in HOSTILE:
        same = Condition(property=text, value=text)
        builder = PlanBuilder()
        builder.add("find_nodes", type=text, where=(same,))
        start = builder.add("find_nodes", ids=("..data",))
        hop = Hop(relation=text, outgoing=True, to_type=text, where=(same,))
        builder.add("follow", nodes=start, path=(hop,))
        plan = Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")
        with graph.reading() as view:
            done = run(plan, Scope(view=view, schema=known, moment=Moment.of("2024-06-01")))
        assert [done.outcomes[step.name] for step in plan.steps] == [(text,), ("..data",), (text,)]

    assert shown(graph) == before
    if isinstance(graph, LadybugGraph):
        graph.shut()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_that_the_schema_does_not_have_is_refused(text: str):
    """S03, S06: the plan is refused before any store sees it."""
    known = schema()
    hop = Hop(relation=text, outgoing=True)
    wanted: list[dict[str, Any]] = [{"type": text}, {"nodes": ("n0",), "path": (hop,)}]
    for arguments in wanted:
        builder = PlanBuilder()
        builder.add("follow" if "path" in arguments else "find_nodes", **arguments)
        plan = Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")
        with pytest.raises(PlanError, match="the schema has no"):
            run(plan, Scope(view=DictGraph(), schema=known, moment=Moment.of("2024-06-01")))


@pytest.mark.parametrize(
    "write",
    ["CREATE (:Entity {id: 'x'})", "MATCH (n) DETACH DELETE n", "DROP TABLE Placed",
     "MATCH (n:Entity) SET n.type = 'x'"],
)  # fmt: skip
def test_a_question_cannot_write_whatever_it_says(stored: LadybugGraph, write: str):
    """S01, S05: it runs in a transaction that only reads."""
    stored.take([node("a")], 1)
    with pytest.raises(DependencyError, match="read-only"), stored.reading():
        stored.rows(write, {})
    assert [n.id for n in stored.nodes()] == ["a"]


def test_relations_that_differ_in_case_alone_stay_two(stored: LadybugGraph):
    stored.take([node("a"), node("b"), node("c"), edge("a", "b", relation="Uses")], 1)
    stored.take([edge("a", "c", relation="USES")], 2)

    assert {(e.type, e.target) for e in stored.edges("a", outgoing=True)} == {
        ("Uses", "b"), ("USES", "c"),
    }  # fmt: skip
    assert stored.projections.at(Moment.of("2024-01-01"), relations=["USES"]).adjacency.nnz == 2


def test_every_text_contains_nothing(stored: LadybugGraph):
    stored.take([node("a", x="y"), node("b")], 2)
    builder = PlanBuilder()
    builder.add("find_nodes", where=(Condition(property="x", test=Test.CONTAINS, value=""),))
    plan = Plan(steps=tuple(builder.steps), form=Form.NODES, understood="", template="")
    known = Schema(node_types={"Thing": NodeType(name="Thing", properties=named("x"))})
    with stored.reading() as view:
        done = run(plan, Scope(view=view, schema=known, moment=Moment.of("2024-06-01")))
    assert done.outcomes["s1"] == ("a",)


# --- on disk -------------------------------------------------------------------------------------


async def test_a_graph_on_disk_is_there_again(tmp_path: Path):
    file = tmp_path / "deep" / "graph.lbug"
    first = LadybugGraph.open(file)
    await first.apply([node("a"), node("b"), edge("a", "b", relation="x.y"), edge("a", "q")], 7)
    before = shown(first)
    await first.close()

    again = LadybugGraph.open(file)
    assert await again.watermark() == 7
    assert shown(again) == before
    await again.apply([node("q")], 8)
    assert {e.target for e in again.edges("a", outgoing=True)} == {"b", "q"}
    await again.close()


def test_what_is_no_graph_is_refused(tmp_path: Path):
    file = tmp_path / "graph.lbug"
    file.write_bytes(b"no graph at all" * 1_000)
    with pytest.raises(DependencyError, match="cannot be opened"):
        LadybugGraph.open(file)


def test_a_batch_that_the_store_refuses_leaves_nothing(stored: LadybugGraph):
    stored.take([node("a")], 1)
    with pytest.raises(DependencyError):
        stored.take([node("b"), edge("a", "b"), node("\ud800")], 9)
    assert [n.id for n in stored.nodes()] == ["a"]
    assert not stored.has_relation("R")


def test_the_view_that_a_plan_gets_runs_cypher(stored: LadybugGraph):
    with stored.reading() as view:
        assert isinstance(view, StoredView)
        assert view.cypher.engine == "ladybug"
