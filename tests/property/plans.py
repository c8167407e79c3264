"""Random plans over a random world: each step takes what is at hand or what came before it."""

from collections.abc import Callable

from hypothesis import strategies as st

from tests.property.worlds import EFFECTS, TYPES, World, period
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.figures import At, Formula, Group
from tiers.graphrag.plans.plan import Argument, Plan, Ref, Step

_Arguments = dict[str, Argument]


def _relation(w: World) -> str:
    return w.rng.choice(list(EFFECTS))


def _grouped(w: World, nodes: Argument) -> _Arguments:
    formula = Formula(left="quantity", how="*", right=At(end="target", property="size"))
    by = w.rng.choice([None, Group(property="day", bucket="month"), Group(end="target")])
    return {"nodes": nodes, "relation": _relation(w), "property": formula, "how": "sum",
            "outgoing": w.rng.random() < 0.5, "by": by}  # fmt: skip


def _trend(w: World, nodes: Argument) -> _Arguments:
    return {"nodes": nodes, "relation": _relation(w), "outgoing": True,
            "first": period(w.rng)[1], "second": period(w.rng)[1]}  # fmt: skip


MAKERS: dict[str, Callable[[World, Argument], _Arguments]] = {
    "find_nodes": lambda w, n: {
        "type": w.rng.choice([None, *TYPES]),
        "where": (Condition(property="size", test=Test.AT_MOST, value=2),),
    },
    "get_neighbors": lambda w, n: {"nodes": n, "relation": w.rng.choice([None, _relation(w)])},
    "follow": lambda w, n: {"nodes": n, "path": w.path(("", "+", "*"))},
    "subgraph": lambda w, n: {
        "nodes": n, "direction": w.rng.choice(["downstream", "upstream"]),
        "types": w.rng.choice([(), ("Part",)]), "max_hops": w.rng.choice([None, 1, 2]),
    },
    "count_edges": lambda w, n: {"nodes": n, "path": w.path()},
    "set_complement": lambda w, n: {"type": w.rng.choice(TYPES), "nodes": n},
    "shortest_path": lambda w, n: {"source": w.one(), "target": w.one()},
    "weighted_path": lambda w, n: {"source": w.one(), "target": w.one(), "property": "quantity"},
    "changes_between": lambda w, n: {
        "first": period(w.rng)[1], "second": period(w.rng)[1], "change": "began",
    },
    "propagate_risk": lambda w, n: {"nodes": n},
    "trend": _trend,
    "aggregate_over_type": lambda w, n: {"type": w.rng.choice(TYPES), "path": w.path()},
    "path_values": lambda w, n: {"nodes": n, "path": w.path(), "property": "size", "how": "sum"},
    "relation_values": lambda w, n: {
        "relation": _relation(w), "property": "quantity", "sources": n,
    },
    "group_by": _grouped,
    "simulate_removal": lambda w, n: {"nodes": n, "path": w.rng.choice([None, w.path()])},
    "subgraph_diff": lambda w, n: {"a": w.one(), "b": w.one()},
    "communities": lambda w, n: {},
}  # fmt: skip
GIVES_NODES = frozenset({"find_nodes", "get_neighbors", "follow", "subgraph", "set_complement"})


@st.composite
def plans(draw: st.DrawFn, world: World, *, most: int = 4, dated: bool = True) -> Plan:
    """A plan of some steps; its form is never held against its outcome."""
    names = draw(st.lists(st.sampled_from(list(MAKERS)), min_size=1, max_size=most))
    steps: list[Step] = []
    for n, operator in enumerate(names):
        before = [step.name for step in steps if step.operator in GIVES_NODES]
        nodes: Argument = world.some()
        if before and world.rng.random() < 0.6:
            nodes = Ref(world.rng.choice(before))
        as_of = period(world.rng)[1] if dated and world.rng.random() < 0.4 else None
        arguments = MAKERS[operator](world, nodes)
        steps.append(Step(name=f"s{n}", operator=operator, arguments=arguments, as_of=as_of))
    steps.append(Step(name="last", operator="find_nodes", arguments={"type": "Maker"}))
    return Plan(steps=tuple(steps), form=Form.NODES, understood="", template="random")
