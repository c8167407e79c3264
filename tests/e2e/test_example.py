"""The example, end to end: the paper's questions, the case study's three, its own suite."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import ROOT, settings_for
from trivium.app.bootstrap import open_service
from trivium.app.service import Service
from trivium.app.suite import is_right
from trivium.domain.deadline import Deadline
from trivium.domain.door import response
from trivium.domain.question import Question, Turn
from trivium.knowledge.dataset import read_dataset

EXAMPLE = ROOT / "examples" / "aerospace"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("example")


@pytest.fixture
async def example(home: Path, encoder_dir: Path) -> AsyncIterator[Service]:
    """The example in one home; the first test loads it, the others find it there."""
    async with open_service(settings_for(home, encoder_dir)) as service:
        await service.knowledge.load(read_dataset(EXAMPLE))
        yield service


async def ask(service: Service, row: dict[str, Any]) -> dict[str, Any]:
    question = Question(
        text=row["query"],
        history=tuple(Turn(**turn) for turn in row.get("history") or ()),
        as_of=row.get("as_of"),
    )
    return response(await service.pipeline.ask(question, Deadline.after(30)))


async def test_the_papers_eleven_questions_are_right_by_whatever_route(example: Service):
    paper = rows(ROOT / "bench" / "questions" / "aerospace_paper.jsonl")
    eleven = [row for row in paper if row["id"].startswith("Q")]
    assert len(eleven) == 11

    wrong = []
    for row in eleven:
        answer = await ask(example, row)
        if not is_right(row, answer):
            wrong.append((row["id"], answer["route"]["tiers"], answer["result"]))
    assert wrong == []


@pytest.mark.parametrize(
    ("question", "tiers"),
    [
        ("Tell me about AirGlobal Airlines", ["cag"]),
        ("Tell me about our relationship with AirGlobal Airlines", ["rag"]),
        ("Show me every supplier connected to products AirGlobal Airlines orders", ["graph"]),
    ],
)
async def test_the_case_studys_three_go_their_three_ways(
    example: Service, question: str, tiers: list[str]
):
    answer = await ask(example, {"query": question})

    assert answer["route"]["tiers"] == tiers
    assert answer["status"] == "answered"
    assert {c["tier"] for c in answer["citations"]} == set(tiers)


async def test_a_count_in_each_group_is_a_ranking_with_its_plan_and_cypher(example: Service):
    answer = await ask(example, {"query": "How many suppliers do we have in each country?"})

    graph = answer["results"]["graph"]
    assert graph["kind"] == "ranking"
    assert ["Germany", 1] in graph["ranking"]
    assert sum(number for _, number in graph["ranking"]) == 8
    assert "aggregate_over_type" in answer["evidence"]["graph"]["cypher"]


async def test_a_three_tier_question_is_answered_from_all_three(example: Service):
    question = (
        "Is the Thailand flood still active, what does the continuity plan tell the plants to do "
        "first, and which customers are reached by it?"
    )

    answer = await ask(example, {"query": question})

    assert answer["route"]["tiers"] == ["cag", "rag", "graph"]
    assert {c["tier"] for c in answer["citations"]} == {"cag", "rag", "graph"}
    assert answer["results"]["graph"]["ids"] == ["CUS-001", "CUS-002", "CUS-003"]


async def test_the_examples_own_suite_is_mostly_right(example: Service):
    suite = rows(EXAMPLE / "questions.jsonl")

    right = [is_right(row, await ask(example, row)) for row in suite]

    assert sum(right) / len(right) >= 0.8, f"{sum(right)} of {len(right)}"


async def test_an_answer_that_may_be_misread_says_how_it_was_read(example: Service):
    unsure = await ask(
        example, {"query": "Which of the risk events on our whiteboard are over by now?"}
    )
    sure = await ask(example, {"query": "How many suppliers do we have in each country?"})

    graph = unsure["evidence"]["graph"]
    assert unsure["status"] == "answered"
    assert graph["is_sure"] is False
    assert 0 < graph["confidence"] < 1
    assert unsure["answer"].endswith(f"\n\nI read this as: {graph['understood']}.")
    assert sure["evidence"]["graph"]["is_sure"] is True
    assert "I read this as" not in sure["answer"]
