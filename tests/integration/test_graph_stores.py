"""Questions over the example, asked of the graph in memory and in Ladybug."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from tests.fakes import HashEncoder
from tiers.graphrag.presenting import _short
from tiers.graphrag.stores.ladybug import LadybugGraph
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.stores.neo4j import Neo4jGraph
from tiers.graphrag.tier import GraphTier
from trivium.app.bootstrap import open_service
from trivium.app.settings import Settings
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.question import Question
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/aerospace"


@pytest.fixture
def stored() -> Iterator[LadybugGraph]:
    graph = LadybugGraph.open()
    yield graph
    graph.shut()


async def test_the_example_answers_the_same_from_ladybug(stored: LadybugGraph):
    changes = read_dataset(EXAMPLE).changes
    lexicon, memory = lexicon_of(changes), MemoryGraph()
    memory.take(changes, len(changes))
    await asyncio.to_thread(stored.take, changes, len(changes))
    reader = QuestionReader(HashEncoder(), lexicon)
    rows = (ROOT / "bench/questions/aerospace_paper.jsonl").read_text("utf-8").splitlines()
    executed = 0
    for row in map(json.loads, rows):
        question = reader.read(Question(text=row["query"], as_of=row.get("as_of")))
        deadline = Deadline.after(60)
        here, there = [
            await GraphTier(graph, lambda: lexicon.schema).retrieve(question, deadline)
            for graph in (memory, stored)
        ]
        assert (here.status, here.result, here.also) == (there.status, there.result, there.also)
        assert here.statements == there.statements
        assert set(here.evidence[0].nodes) == set(there.evidence[0].nodes)  # type: ignore[union-attr]  # subgraphs
        assert (here.trace["engine"], there.trace["engine"]) == ("memory", "ladybug")
        assert here.trace["cypher_executed"] is False
        executed += bool(there.trace["cypher_executed"])
        if there.trace["cypher_executed"]:
            assert "MATCH " in str(there.trace["cypher"])
            assert there.trace["not_in_cypher"] == []
        else:
            assert there.trace["not_in_cypher"]
    assert executed >= 8


def test_a_long_parameter_is_shown_in_part():
    long = [f"n{i}" for i in range(250)]
    assert _short(long) == [*long[:100], "… and 150 more"]
    assert _short(long[:100]) == long[:100]
    assert _short("text") == "text"


@pytest.mark.parametrize("url", ["ftp://host", "memory", "/var/graph"])
async def test_a_place_for_the_graph_that_is_none_is_refused(tmp_path: Path, url: str):
    settings = Settings(
        home=tmp_path, graph_url=SecretStr(url), encoder_dir=ROOT / "models/encoder"
    )
    with pytest.raises(InputError, match="TRIVIUM_GRAPH_URL begins with"):
        async with open_service(settings):
            pass


def test_a_neo4j_that_does_not_answer_is_named_without_its_password():
    with pytest.raises(DependencyError, match=r"Neo4j at 127\.0\.0\.1:1 did not answer") as error:
        Neo4jGraph.open("bolt://neo4j:secret@127.0.0.1:1/graph")
    assert "secret" not in str(error.value)
