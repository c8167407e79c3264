"""Random mutations, undos and loads: what is live equals what the journal makes from scratch."""

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import SOAK
from tests.fakes import DictGraph, MemoryFactStore
from tests.property.worlds import EFFECTS, TYPES, day, schema
from tiers.cag.projection import FactProjection
from tiers.cag.sheets import SAID, attribute_sheet
from tiers.graphrag.operators.structure import connected_components, degree, pagerank
from tiers.graphrag.operators.traversal import Hop, find_nodes, follow, get_neighbors
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Budget, Scope
from trivium.domain.alias import Meaning, Meant
from trivium.domain.errors import ConflictError, InputError
from trivium.domain.knowledge import Change, ChangeKind, Edge, Fact, Node
from trivium.domain.mutation import (
    AddAlias,
    AddEntity,
    AddEvent,
    AddRelationship,
    ExpireRelationship,
    Mutation,
    RemoveAlias,
    RemoveEntity,
)
from trivium.domain.payloads import edge_payload, fact_payload, node_payload, schema_payload
from trivium.domain.ports import Projection
from trivium.domain.schema import NodeType, Property, PropertyKind
from trivium.domain.time import Moment
from trivium.knowledge.changelog import ChangeFilter
from trivium.knowledge.dataset import DataSet
from trivium.knowledge.files import Report
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.lexicon import LexiconProjection
from trivium.knowledge.service import Knowledge
from trivium.language.reading import Lexicon

N_STEPS = 40 if SOAK == 1 else 200
IDS = tuple(f"n{i}" for i in range(7))
_PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""A seed is no simpler when it is smaller, so nothing is shrunk."""
WORDS = ("Ann", "the veteran", "brick works")
NOW = datetime(2024, 3, 13, tzinfo=UTC)


def rich_schema():
    """The worlds' schema, with a few more properties."""
    plain = schema()
    number = {"size": Property(name="size", kind=PropertyKind.NUMBER)}
    severity = {"severity": Property(name="severity", kind=PropertyKind.CATEGORY)}
    types = {
        name: replace(known, properties={**known.properties, **number})
        for name, known in plain.node_types.items()
    }
    types["Hazard"] = NodeType(name="Hazard", is_event=True, properties={**number, **severity})
    relations = {
        name: replace(relation, properties={"quantity": number["size"]})
        for name, relation in plain.relation_types.items()
    }
    return replace(plain, node_types=types, relation_types=relations)


class Home:
    """A journal and what follows it."""

    def __init__(self, journal: KnowledgeJournal) -> None:
        self.names = LexiconProjection(Lexicon.empty())
        self.graph = MemoryGraph()
        self.twin = DictGraph()
        self.facts = MemoryFactStore()
        projections: list[Projection] = [
            self.names,
            self.graph,
            self.twin,
            FactProjection(self.facts),
        ]
        called = self.names.lexicon.names.called
        self.knowledge = Knowledge(journal, projections, now=lambda: NOW, called=called)

    def says(self) -> dict[str, Any]:
        """All that can be seen of it."""
        nodes = list(self.graph.nodes())
        index = self.names.lexicon.names
        return {
            "nodes": nodes,
            "edges": edges(self.graph),
            "names": {i: (index.name(i), index.type(i)) for i in IDS if i in index},
            "called": {words: index.called(words) for words in WORDS},
            "schema": self.names.lexicon.schema,
            "facts": {key: fact for key, fact in self.facts._facts.items() if _is_sheet(key[0])},
            "answers": answers(self.graph),
        }


def _is_sheet(entity: str) -> bool:
    """Whether a key is of an entity; what attributes a type ever had only grows."""
    return not entity.startswith(attribute_sheet(""))


def edges(graph: MemoryGraph | DictGraph) -> list[tuple[Any, ...]]:
    found = [e for n in graph.nodes() for e in graph.edges(n.id, outgoing=True)]
    return sorted(
        (e.source, e.type, e.target, e.key, e.validity.start, e.validity.end, str(e.properties))
        for e in found
    )


def answers(graph: MemoryGraph) -> list[object]:
    """What operators say of it."""
    found: list[object] = []
    for moment in (Moment.of(day(2)), Moment.of(day(6)), Moment.of(day(10))):
        scope = Scope(view=graph, schema=rich_schema(), moment=moment, budget=Budget())
        hop = Hop(relation="SUPPLIES", outgoing=True)
        found += [find_nodes(scope, type=name) for name in TYPES]
        found += [get_neighbors(scope, nodes=(i,)) for i in IDS if graph.node(i)]
        found += [follow(scope, nodes=IDS, path=(hop,))]
        found += [pagerank(scope), degree(scope), connected_components(scope)]
    return found


def a_mutation(rng: random.Random) -> Mutation:
    one, other = rng.choice(IDS), rng.choice(IDS)
    relation = rng.choice(list(EFFECTS))
    first, last = rng.choice([None, day(2)]), rng.choice([None, day(8)])
    key = rng.choice([None, None, "k1"])
    match rng.randrange(9):
        case 0 | 1:
            return AddEntity(
                id=one,
                type=rng.choice(TYPES),
                name=rng.choice(["Ann", "Bob", None]),
                properties={"size": rng.choice([1, 2, None, 2.5, float("nan")])},
                valid_from=first,
                valid_to=last,
            )
        case 2:
            return RemoveEntity(id=one)
        case 3 | 4:
            quantity = {"quantity": rng.choice([1, 2, 3])}
            return AddRelationship(
                source=one,
                type=relation,
                target=other,
                key=key,
                properties=quantity,
                valid_from=first,
                valid_to=last,
            )
        case 5:
            end = rng.choice([None, day(4), day(10)])
            return ExpireRelationship(
                source=one, type=relation, target=other, key=key, valid_to=end
            )
        case 6:
            return AddAlias(words=rng.choice(WORDS), means=a_meaning(rng))
        case 7:
            return RemoveAlias(words=rng.choice(WORDS), means=a_meaning(rng))
        case _:
            return AddEvent(id=one, severity="high", affects=(other,), relation=relation)


def a_meaning(rng: random.Random) -> Meaning:
    match rng.randrange(6):
        case 0:
            return Meaning(kind=Meant.TYPE, name=rng.choice(TYPES))
        case 1:
            return Meaning(kind=Meant.RELATION, name=rng.choice(list(EFFECTS)))
        case 2:
            return Meaning(kind=Meant.PROPERTY, name="size", of=rng.choice(TYPES))
        case _:
            return Meaning(kind=Meant.ENTITY, name=rng.choice(IDS))


def a_dataset(rng: random.Random) -> DataSet:
    """A version of a small data set, each as likely to come again."""
    name = rng.choice(["alpha", "beta"])
    variant = random.Random(f"{name}{rng.randrange(4)}")
    ids = variant.sample(IDS, 4)
    puts = [(ChangeKind.SET_SCHEMA, "schema", schema_payload(rich_schema()))]
    for i, key in enumerate(ids):
        size = {"size": variant.choice([1, 2])}
        node = Node(id=key, type=TYPES[i % len(TYPES)], name=f"{name} {key}", properties=size)
        puts.append((ChangeKind.PUT_NODE, key, node_payload(node, None, None)))
    for key in ("k1", "e2", "e3"):
        source, target = variant.choice(ids), variant.choice(ids)
        edge = Edge(key=key, source=source, target=target, type=variant.choice(list(EFFECTS)))
        puts.append((ChangeKind.PUT_EDGE, key, edge_payload(edge, None, None)))
    fact = Fact(entity=ids[0], attribute="size", value=variant.choice([7, 8]))
    puts.append((ChangeKind.PUT_FACT, f"{ids[0]}|size", fact_payload(fact)))
    changes = [Change(kind=k, key=key, payload=p, source=name) for k, key, p in puts]
    return DataSet(name, rich_schema(), changes, Report())


async def a_step(home: Home, rng: random.Random) -> None:
    """Do something; what is refused changes nothing."""
    knowledge = home.knowledge
    before = knowledge.version
    try:
        match rng.randrange(10):
            case 0:
                await knowledge.load(a_dataset(rng))
            case 1 | 2 if before:
                await knowledge.undo(rng.randint(max(1, before - 8), before), author="ann")
            case _:
                mutations = [a_mutation(rng) for _ in range(rng.choice([1, 1, 1, 3]))]
                await knowledge.mutate(mutations, author="ann")
    except (InputError, ConflictError):
        assert knowledge.version == before


async def fresh() -> KnowledgeJournal:
    return await KnowledgeJournal.open("sqlite+aiosqlite:///:memory:")


@settings(max_examples=10 * SOAK, phases=_PHASES)
@given(st.integers(0, 2**32 - 1))
def test_what_is_live_equals_what_the_journal_makes_from_scratch(seed: int):
    async def run() -> None:
        rng = random.Random(seed)
        journal = await fresh()
        live = Home(journal)
        await live.knowledge.load(a_dataset(rng))
        for n in range(N_STEPS):
            await a_step(live, rng)
            assert edges(live.graph) == edges(live.twin)
            if n % 20 == 19:
                assert_no_loose_ends(live, [c async for c in journal.state()])
        anew = Home(journal)
        await anew.knowledge.start()
        assert live.says() == anew.says()
        await journal.close()

    asyncio.run(run())


def assert_no_loose_ends(home: Home, state: Sequence[Change]) -> None:
    """Each relation, fact and alias in the journal rests on entities that are there."""
    for change in state:
        if change.kind is ChangeKind.PUT_EDGE:
            ends = {str(change.payload["source"]), str(change.payload["target"])}
            assert all(home.graph.node(end) for end in ends), change
        if change.kind is ChangeKind.PUT_FACT:
            assert home.graph.node(str(change.payload["entity"])), change
        if change.kind is ChangeKind.PUT_ALIAS and "entity" in change.payload:
            assert home.graph.node(str(change.payload["entity"])), change
    assert len(edges(home.graph)) == sum(c.kind is ChangeKind.PUT_EDGE for c in state)


@settings(max_examples=10 * SOAK, phases=_PHASES)
@given(st.integers(0, 2**32 - 1))
def test_undoing_everything_backwards_leaves_what_was_there_before(seed: int):
    async def run() -> None:
        rng = random.Random(seed)
        journal = await fresh()
        home = Home(journal)
        await home.knowledge.load(a_dataset(rng))
        at, before = home.knowledge.version, content(home)
        for _ in range(N_STEPS // 4):
            try:
                await home.knowledge.mutate([a_mutation(rng)], author="ann")
            except InputError:
                continue
        wanted = ChangeFilter(since=at, limit=10_000)
        done = await home.knowledge.changelog.changes(wanted)
        for entry in reversed(done):
            await home.knowledge.undo(entry.change.sequence, author="ann")
            again = await home.knowledge.undo(entry.change.sequence, author="ann")
            assert again.n_changes == 0
        assert content(home) == before
        await journal.close()

    asyncio.run(run())


def content(home: Home) -> dict[str, Any]:
    """What a home says, but for the numbers of the changes that brought it."""
    said = home.says()
    said["facts"] = {key: unnumbered(fact) for key, fact in said["facts"].items()}
    return said


_VERSION = 5
"""Where the number of a change stands in what one says of an attribute."""


def unnumbered(fact: Fact) -> Fact:
    """A fact without the numbers of changes, which stand in the list of its sayers too."""
    plain = replace(fact, version=0)
    if not fact.attribute.startswith(SAID):
        return plain
    rows = json.loads(str(fact.value))
    said = sorted(([*row[:_VERSION], *row[_VERSION + 1 :]] for row in rows), key=str)
    return replace(plain, value=json.dumps(said))


@pytest.mark.parametrize("n_sources", [1, 2])
async def test_an_entity_removed_takes_its_relations_out_of_the_journal_too(n_sources: int):
    journal = await fresh()
    home = Home(journal)
    rng = random.Random(1)
    names: set[str] = set()
    while len(names) < n_sources:
        dataset = a_dataset(rng)
        names.add(dataset.name)
        await home.knowledge.load(dataset)

    await home.knowledge.mutate([RemoveEntity(id=key) for key in IDS], author="ann")

    left = [change async for change in journal.state()]
    await journal.close()
    assert {change.kind for change in left} == {ChangeKind.SET_SCHEMA}
