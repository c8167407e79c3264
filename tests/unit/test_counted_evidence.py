"""The relations that a count rests on stand in the evidence."""

import asyncio
from collections.abc import Callable

import pytest

from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from tiers.graphrag.plans import grounding
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.tier import GraphTier
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import Subgraph, TierResult, TierStatus
from trivium.domain.question import Question
from trivium.domain.result import Nodes, Number
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], TierResult]:
    changes = read_dataset(write_zoo(tmp_path_factory.mktemp("data") / "zoo")).changes
    graph, lexicon = MemoryGraph(), lexicon_of(changes)
    asyncio.run(graph.apply(changes, len(changes)))
    reader = QuestionReader(HashEncoder(), lexicon)
    tier = GraphTier(graph, lambda: lexicon.schema)

    def ask(text: str) -> TierResult:
        question = reader.read(Question(text=text))
        return asyncio.run(tier.retrieve(question, Deadline.after(5)))

    return ask


def relations(result: TierResult) -> set[tuple[str, str, str]]:
    (subgraph,) = result.evidence
    assert isinstance(subgraph, Subgraph)
    return set(subgraph.relations)


def test_what_has_only_one_rests_on_its_relation(ask: Callable[[str], TierResult]):
    result = ask("Which houses have only one animal?")

    assert result.result == Nodes(("H-2",))
    assert relations(result) == {("A-3", "LIVES_IN", "H-2")}


def test_a_count_of_what_has_one_rests_on_theirs_alone(ask: Callable[[str], TierResult]):
    result = ask("How many keepers feed only one animal?")

    assert result.result == Number(1)
    assert relations(result) == {("K-2", "FEEDS", "A-3")}


def test_a_mean_of_counts_rests_on_all_that_were_counted(ask: Callable[[str], TierResult]):
    result = ask("How many animals does each keeper feed on average?")

    assert result.result == Number(1.5)
    assert len(relations(result)) == 3


def test_no_more_is_kept_than_a_reader_can_look_at(
    ask: Callable[[str], TierResult], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(grounding, "_MAX_COUNTED", 1)
    result = ask("How many animals does each keeper feed on average?")

    assert result.status is TierStatus.HIT
    assert relations(result) == {("K-1", "FEEDS", "A-1"), ("K-1", "FEEDS", "A-2")}
    assert "more than 2 relations" in result.statements[-1].text
