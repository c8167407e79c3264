"""Random dated multigraphs, and what the words of the operators mean on them, by enumeration.

Time is cut into ticks of half a day. What holds is a set of ticks, a moment is one too, and
something holds at a moment when the two sets meet; nothing here computes with intervals.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

from hypothesis import strategies as st

from tests.fakes import DictGraph
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Budget, Scope
from trivium.domain.knowledge import Change, ChangeKind, Edge, Node, Value
from trivium.domain.payloads import edge_payload, node_payload
from trivium.domain.schema import (
    Effect,
    NodeType,
    Property,
    PropertyKind,
    RelationType,
    RiskModel,
    Schema,
)
from trivium.domain.time import Moment

N_TICKS: Final = 12
TODAY: Final = 6
"""The first tick of the schema's ``as_of``."""

EFFECTS: Final = {
    "SUPPLIES": Effect.FORWARD,
    "FEEDS": Effect.FORWARD,
    "HITS": Effect.FORWARD,
    "USES": Effect.BACKWARD,
    "KNOWS": Effect.NONE,
}
TYPES: Final = ("Maker", "Part", "Site", "Hazard")
COMMON: Final = ("size", "severity", "status", "words", "date", "ended_date")
ON_RELATIONS: Final = ("quantity", "price", "day")
CATEGORIES: Final = {"country": ("Laos", "Peru"), "part_kind": ("bolt", "panel")}
WEIGHTS: Final = {"critical": 1.0, "high": 0.7, "low": 0.1}
DECAY: Final = (1.0, 0.6, 0.35)


def day(tick: int) -> str:
    return f"2024-03-{10 + tick // 2:02}"


def schema(as_of: str | None = day(TODAY)) -> Schema:
    own = {"Maker": ("country",), "Site": ("country",), "Part": ("part_kind",), "Hazard": ()}
    types = {
        name: NodeType(name=name, properties=_properties(*more, *COMMON), is_event=name == "Hazard")
        for name, more in own.items()
    }
    pairs = tuple(product(TYPES, TYPES))
    relations = {
        name: RelationType(
            name=name, ends=pairs, effect=effect, properties=_properties(*ON_RELATIONS)
        )
        for name, effect in EFFECTS.items()
    }
    return Schema(
        as_of=as_of,
        node_types=types,
        relation_types=relations,
        risk=RiskModel(weights=WEIGHTS, decay=DECAY),
    )


def _properties(*names: str) -> dict[str, Property]:
    return {
        name: Property(
            name=name,
            kind=PropertyKind.CATEGORY if name in CATEGORIES else PropertyKind.TEXT,
            values=CATEGORIES.get(name, ()),
        )
        for name in names
    }


@dataclass(frozen=True)
class Thing:
    """An entity or a relation, with the ticks at which it holds."""

    key: str
    type: str
    properties: dict[str, Value]
    ticks: frozenset[int]
    bounds: tuple[int | None, int | None]
    """Its first tick, and the first one after it; ``None`` for no bound."""
    source: str = ""
    target: str = ""


@dataclass
class World:
    """A graph, a moment in it, and the meaning of both."""

    nodes: dict[str, Thing]
    edges: list[Thing]
    now: frozenset[int]
    moment: Moment
    scope: Scope
    twin: Scope
    """The same on another store."""
    rng: random.Random = field(repr=False)

    # --- what is there -----------------------------------------------------------------------

    def there(self, node_id: str) -> bool:
        return node_id in self.nodes and bool(self.nodes[node_id].ticks & self.now)

    def ids(self, *types: str) -> list[str]:
        """The entities of some types, or all, that are there at the moment."""
        found = (n for n in self.nodes.values() if not types or n.type in types)
        return sorted(n.key for n in found if self.there(n.key))

    def holding(self, relation: str | None = None) -> list[Thing]:
        """The relations that hold at the moment, between entities that are there."""
        return [
            e
            for e in self.edges
            if e.ticks & self.now
            and self.there(e.source)
            and self.there(e.target)
            and relation in {None, e.type}
        ]

    def is_event(self, node_id: str) -> bool:
        return self.nodes[node_id].type == "Hazard"

    # --- where it leads ----------------------------------------------------------------------

    def links(self, hop: Hop) -> set[tuple[str, str, str]]:
        """Every ``(from, to, key)`` that one step of a hop can take, its conditions left out."""
        pairs = ((e, hop.outgoing) for e in self.holding(hop.relation))
        return {
            (e.source, e.target, e.key) if outgoing else (e.target, e.source, e.key)
            for e, outgoing in pairs
            if hop.to_type in {None, self.nodes[e.target if outgoing else e.source].type}
        }

    def walk(self, nodes: Sequence[str], path: Sequence[Hop]) -> set[str]:
        """The ends of every walk along a path."""
        ends = set(nodes)
        for hop in path:
            links = self.links(hop)
            once = {b for a, b, _ in links if a in ends}
            if not hop.repeat:
                ends = once
                continue
            many = set(once)
            for _ in self.nodes:
                many |= {b for a, b, _ in links if a in many}
            ends = many | ends if hop.repeat == "*" else many
        return ends

    def cause(self, edge: Thing) -> str:
        """The end of a relation whose fault is felt at the other."""
        return edge.source if EFFECTS[edge.type] is Effect.FORWARD else edge.target

    def felt(self, *, downstream: bool) -> set[tuple[str, str]]:
        """Every pair of which a fault of the first is felt at once by the second, or rests on."""
        moving = [e for e in self.holding() if EFFECTS[e.type] is not Effect.NONE]
        runs = {
            (e.source, e.target) if self.cause(e) == e.source else (e.target, e.source)
            for e in moving
        }
        if downstream:
            return runs
        return {(b, a) for a, b in runs if not self.is_event(a)}

    def distances(self, nodes: Sequence[str], *, downstream: bool) -> dict[str, int]:
        """How many effects away everything is that can be reached."""
        found = dict.fromkeys(nodes, 0)
        pairs = self.felt(downstream=downstream)
        for hops in range(1, len(self.nodes) + 1):
            for a, b in pairs:
                if found.get(a) == hops - 1:
                    found.setdefault(b, hops)
        return found

    def near(self, without: Sequence[str] = ()) -> dict[str, set[str]]:
        """The undirected graph of all that holds, no matter how often two are joined."""
        found: dict[str, set[str]] = {
            i: set() for i in self.ids() if self.nodes[i].type not in without
        }
        for e in self.holding():
            if e.source in found and e.target in found:
                found[e.source].add(e.target)
                found[e.target].add(e.source)
        return found

    # --- arguments for operators -------------------------------------------------------------

    def some(self, *types: str, among: Sequence[str] | None = None) -> tuple[str, ...]:
        """A random set of entities, none and all included; those that are gone too."""
        pool = sorted(self.nodes) if among is None else list(among)
        pool = [i for i in pool if not types or self.nodes[i].type in types]
        return tuple(self.rng.sample(pool, self.rng.randint(0, len(pool))))

    def one(self) -> str:
        return self.rng.choice(sorted(self.nodes))

    def hop(self, repeats: Sequence[str] = ("",)) -> Hop:
        relation = self.rng.choice(list(EFFECTS))
        to_type = self.rng.choice([None, None, *TYPES])
        repeat = self.rng.choice(repeats)
        assert repeat in {"", "+", "*"}
        outgoing = self.rng.random() < 0.5
        return Hop(relation=relation, outgoing=outgoing, to_type=to_type, repeat=repeat)  # type: ignore[arg-type]  # seen above

    def path(self, repeats: Sequence[str] = ("",), most: int = 3) -> tuple[Hop, ...]:
        return tuple(self.hop(repeats) for _ in range(self.rng.randint(0, most)))

    def with_budget(self, max_nodes: int) -> tuple[Scope, Scope]:
        """The graph on both stores, with few entities allowed."""
        first, second = (
            replace(scope, budget=Budget(max_nodes=max_nodes)) for scope in (self.scope, self.twin)
        )
        return first, second


# --- making one ----------------------------------------------------------------------------------


def worlds(n_nodes: int = 8, n_edges: int = 18) -> st.SearchStrategy[World]:
    """Random worlds; fewer entities and relations are simpler ones."""
    return st.builds(
        make_world,
        seed=st.integers(0, 2**32 - 1),
        n_nodes=st.integers(1, n_nodes),
        n_edges=st.integers(0, n_edges),
    )


def make_world(seed: int, n_nodes: int, n_edges: int) -> World:
    rng = random.Random(seed)
    nodes = {f"n{i}": _node(rng, f"n{i}") for i in range(n_nodes)}
    edges = [_edge(rng, f"e{i}", list(nodes)) for i in range(n_edges)]
    changes = [_put_node(rng, n) for n in nodes.values()] + [_put_edge(rng, e) for e in edges]
    rng.shuffle(changes)
    now, moment = _moment(rng)
    scopes = [_scope(graph, changes, moment) for graph in (MemoryGraph(), DictGraph())]
    rng.shuffle(scopes)
    scope, twin = scopes
    return World(nodes, edges, now, moment, scope, twin, rng)


def _scope(graph: MemoryGraph | DictGraph, changes: list[Change], moment: Moment) -> Scope:
    graph.take(changes, len(changes))
    budget = Budget(max_nodes=10_000, max_per_hop=10_000, max_hops=1_000)
    return Scope(view=graph, schema=schema(), moment=moment, budget=budget)


def _node(rng: random.Random, key: str) -> Thing:
    node_type = rng.choice(["Maker", "Part", "Part", "Site", "Hazard"])
    properties: dict[str, Value] = {
        "size": rng.choice([None, 0, 1, 2, 2.5, -1, True, "2"]),
        "country": rng.choice([None, "Peru", "Laos"]),
        "part_kind": rng.choice([None, "bolt", "panel"]),
        "severity": rng.choice([None, "Critical", "high", "low", "odd"]),
        "status": rng.choice([None, "Active", "resolved"]),
        "words": rng.choice([None, "makes panels and bolts", "panels", "of the best bolts"]),
    }
    started, ended = rng.choice([None, *range(0, 12, 2)]), rng.choice([None, *range(0, 12, 2)])
    properties["date"] = None if started is None else day(started)
    properties["ended_date"] = None if ended is None else day(ended)
    absent = rng.sample(sorted(properties), rng.randint(0, 2))
    kept = {k: v for k, v in properties.items() if k not in absent}
    bounds = _bounds(rng) if rng.random() < 0.2 else (None, None)
    return Thing(key, node_type, kept, _ticks(bounds), bounds)


def _edge(rng: random.Random, key: str, ids: list[str]) -> Thing:
    properties: dict[str, Value] = {
        "quantity": rng.choice([None, 0, 1, 2.5, -3, True, "two"]),
        "price": rng.choice([None, 0, 2, 4.5, False, "dear"]),
        "day": rng.choice([None, "2024", "2024-Q1", "2024-03", "soon", 7, *map(day, range(12))]),
    }
    if rng.random() < 0.2:
        properties = {}
    bounds = _bounds(rng) if rng.random() < 0.5 else (None, None)
    relation = rng.choice(list(EFFECTS))
    ends = rng.choice(ids), rng.choice(ids)
    return Thing(key, relation, properties, _ticks(bounds), bounds, *ends)


def _bounds(rng: random.Random) -> tuple[int | None, int | None]:
    """Bounds in any order: what ends before it begins never holds."""
    return rng.choice([None, *range(N_TICKS)]), rng.choice([None, *range(1, N_TICKS + 1)])


def _ticks(bounds: tuple[int | None, int | None]) -> frozenset[int]:
    first = 0 if bounds[0] is None else bounds[0]
    after = N_TICKS if bounds[1] is None else bounds[1]
    return frozenset(range(first, after))


def _moment(rng: random.Random) -> tuple[frozenset[int], Moment]:
    tick = rng.randrange(N_TICKS)
    if rng.random() < 0.3:
        return frozenset({tick}), Moment.of(f"{day(tick)}T{'12' if tick % 2 else '00'}:00:00Z")
    return period(rng)


def period(rng: random.Random) -> tuple[frozenset[int], Moment]:
    """A day, or several."""
    first = rng.randrange(0, N_TICKS, 2)
    last = first if rng.random() < 0.7 else rng.randrange(first, N_TICKS, 2)
    moment = Moment.of(day(first)) if first == last else _between(first, last)
    return frozenset(range(first, last + 2)), moment


def _between(first: int, last: int) -> Moment:
    start, end = Moment.of(day(first)), Moment.of(day(last))
    return Moment(start.start, end.end, f"{start.text}/{end.text}")


def _start_text(rng: random.Random, tick: int | None) -> str | None:
    if tick is None:
        return None
    if tick % 2:
        return f"{day(tick)}T{rng.choice(['12:00:00', '12:00Z', '14:00+02:00', '07:00-05:00'])}"
    return day(tick) + rng.choice(["", "", "T00:00", "T02:00+02:00"])


def _end_text(rng: random.Random, tick: int | None) -> str | None:
    """The first instant after it, or the last day of it."""
    if tick is None or tick % 2:
        return _start_text(rng, tick)
    return rng.choice([day(tick - 2), f"{day(tick)}T00:00:00"])


def _put_node(rng: random.Random, n: Thing) -> Change:
    made = Node(id=n.key, type=n.type, name=n.key, properties=n.properties)
    texts = _start_text(rng, n.bounds[0]), _end_text(rng, n.bounds[1])
    return Change(kind=ChangeKind.PUT_NODE, key=n.key, payload=node_payload(made, *texts))


def _put_edge(rng: random.Random, e: Thing) -> Change:
    made = Edge(key=e.key, source=e.source, target=e.target, type=e.type, properties=e.properties)
    texts = _start_text(rng, e.bounds[0]), _end_text(rng, e.bounds[1])
    return Change(kind=ChangeKind.PUT_EDGE, key=e.key, payload=edge_payload(made, *texts))


# --- small definitions ---------------------------------------------------------------------------


def numbers(things: Sequence[Thing], name: str) -> list[float]:
    """The numbers among the values of a property; a truth value is none."""
    found = (t.properties.get(name) for t in things)
    return [float(v) for v in found if isinstance(v, (int, float)) and not isinstance(v, bool)]


def simple_paths(near: dict[str, set[str]], a: str, b: str) -> Iterator[tuple[str, ...]]:
    """Every path from ``a`` to ``b`` that passes nothing twice."""

    def extend(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if path[-1] == b:
            yield path
            return
        for other in near[path[-1]] - set(path):
            yield from extend((*path, other))

    if a in near and b in near:
        yield from extend((a,))


def shortest(paths: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The shortest of some paths."""
    least = min(map(len, paths), default=0)
    return sorted(p for p in paths if len(p) == least)


def pieces(near: dict[str, set[str]]) -> list[set[str]]:
    """The groups that hang together."""
    found: list[set[str]] = []
    for node_id, others in near.items():
        joined = [g for g in found if g & {node_id, *others}]
        found = [g for g in found if g not in joined]
        found.append({node_id, *others}.union(*joined))
    return found
