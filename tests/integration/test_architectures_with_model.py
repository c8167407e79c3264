"""The architectures that need a model, over the real gateway and a scripted Messages server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.architectures import World, measure, with_model
from bench.reading import Domain
from bench.written import MAX_STEPS, ExtractedGraphRag, ReAct
from tests import messages_server as say
from tests.fakes import HashEncoder
from tests.messages_server import MessagesServer, Reply
from trivium.domain.errors import ModelOutputError
from trivium.domain.question import Question
from trivium.gateway.chat import ClaudeChat, Limits

LOOKUP = Question(text="What does TechChip Inc supply?")
PARTS = "CMP-001\nCMP-006\nCMP-014"
ROW = {
    "id": "Q1",
    "category": "lookup",
    "query": LOOKUP.text,
    "gold": {"ids": PARTS.split()},
}


@pytest.fixture(scope="module")
def world() -> World:
    directory = Path(__file__).parents[2] / "examples" / "aerospace"
    return World.of(Domain.load(directory), HashEncoder())


@asynccontextmanager
async def chatting(*script: Reply) -> AsyncIterator[tuple[ClaudeChat, MessagesServer]]:
    async with MessagesServer(*script) as server:
        limits = Limits(backoffs_s=(), jitter=lambda: 0.0)
        chat = ClaudeChat.open(
            api_key="sk-test", model="claude-test", base_url=server.url, limits=limits
        )
        try:
            yield chat, server
        finally:
            await chat.close()


def calls(tool: str, **given: object) -> Reply:
    """The model calls a tool."""
    call = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}
    return say.ok(content=[call], stop_reason="tool_use")


def acts(action: str, argument: str) -> Reply:
    return calls("act", thought="I look.", action=action, argument=argument)


def asked(server: MessagesServer, n: int) -> str:
    """What the model was asked in its n-th call."""
    return str(server.requests[n].body["messages"][0]["content"])


async def test_a_graph_is_extracted_in_batches_and_a_part_of_it_answers(world: World):
    entities = [
        {"name": "TechChip Inc (SUP-001)", "type": "maker", "description": "makes chips"},
        {"name": "Flight Control Unit", "type": "part", "description": "flies"},
        {"name": "Far Thing", "type": "thing", "description": "elsewhere"},
        {"name": "no type"},
    ]
    relations = [
        {"source": "TechChip Inc", "target": "Flight Control Unit", "description": "supplies it"}
    ]
    first = calls("extract", entities=entities, relations=relations)
    n_batches = -(-len(world.corpus.texts) // 10)
    empty = [calls("extract", entities=[], relations=[])] * (n_batches - 1)

    async with chatting(first, *empty, say.ok(PARTS)) as (chat, server):
        rag = await ExtractedGraphRag.open(chat, world.corpus)
        answer = await rag.answer(LOOKUP)

    assert answer.text == PARTS
    assert len(server.requests) == n_batches + 1
    assert world.corpus.texts[0] in asked(server, 0)
    assert world.corpus.texts[-1] in asked(server, n_batches - 1)
    told = asked(server, n_batches)
    assert "TechChip Inc (SUP-001) (maker): makes chips" in told
    assert "TechChip Inc - Flight Control Unit: supplies it" in told
    assert "Flight Control Unit (part): flies" in told
    assert "Far Thing" not in told


async def test_a_graph_without_an_entity_is_no_graph(world: World):
    async with chatting(calls("extract", entities="none", relations=[])) as (chat, _):
        with pytest.raises(ModelOutputError, match="extracted no entity"):
            await ExtractedGraphRag.open(chat, world.corpus)


async def test_react_sees_what_its_actions_gave_until_it_answers(world: World):
    script = (
        acts("lookup_entity", "SUP-001"),
        acts("get_neighbors", "SUP-001"),
        acts("list_all_entities", "Customer"),
        acts("search_chunks", "Taiwan earthquake"),
        acts("fly", "away"),
        acts("answer", PARTS),
    )
    async with chatting(*script) as (chat, server):
        answer = await (await with_model(world, chat)[6]()).answer(LOOKUP)

    assert answer.text == PARTS
    seen = [asked(server, n) for n in range(len(script))]
    assert "none yet" in seen[0]
    assert "TechChip Inc (SUP-001) is of the kind supplier." in seen[1]
    assert "TechChip Inc (SUP-001) supplies Flight Control Unit" not in seen[1]
    assert "TechChip Inc (SUP-001) supplies Flight Control Unit" in seen[2]
    assert "DefenseTech Corp (CUS-004)" in seen[3]
    assert "Taiwan earthquake (EVT-002) is of the kind" in seen[4]
    assert "there is no action 'fly'" in seen[5]


async def test_react_without_an_answer_after_all_steps_abstains(world: World):
    async with chatting(acts("lookup_entity", "SUP-001")) as (chat, server):
        answer = await ReAct(chat, world.corpus, {}).answer(LOOKUP)

    assert (answer.text, answer.reason) == ("", "no_evidence")
    assert len(server.requests) == MAX_STEPS + 1


SUPPLIED = [
    {
        "step": "s1",
        "operator": "get_neighbors",
        "arguments": {"nodes": ["SUP-001"], "relation": "SUPPLIES", "direction": "out"},
    }
]


@pytest.mark.parametrize("number", [7, 8])
async def test_a_planners_plan_is_run(world: World, number: int):
    plan = calls("plan", understood="what it supplies", steps=SUPPLIED, form="nodes")
    async with chatting(plan) as (chat, server):
        answer = await (await with_model(world, chat)[number]()).answer(LOOKUP)

    assert answer.result == {"kind": "nodes", "ids": PARTS.split()}
    offered = str(server.requests[0].body["tools"])
    assert ("simulate_removal" in offered) is (number == 8)


async def test_a_planner_without_a_plan_has_no_answer_of_the_readers(world: World):
    async with chatting(calls("plan", understood="none", steps=[], form="nodes")) as (chat, _):
        answer = await (await with_model(world, chat)[7]()).answer(LOOKUP)

    assert (answer.result, answer.reason) == (None, "not_in_schema")


async def test_a_model_that_fails_costs_its_architectures_and_no_other(world: World):
    async with chatting(say.status(400, "invalid_request_error")) as (chat, _):
        outcomes = await measure(world, chat, [ROW], n_rounds=1)

    by_number = {outcome.name[0]: outcome for outcome in outcomes}
    assert by_number["4"].why_not == "the model's server answered 400 invalid_request_error"
    assert by_number["9"].marks["Q1"].is_exact
    for number in "678":
        assert not by_number[number].marks["Q1"].is_exact
        assert "answered 400 invalid_request_error" in by_number[number].failed[0]


async def test_with_a_model_all_nine_are_measured(world: World):
    n_batches = -(-len(world.corpus.texts) // 10)
    one = {"name": "TechChip Inc", "type": "maker", "description": "makes chips"}
    extracted = [calls("extract", entities=[one], relations=[])] * n_batches
    plan = calls("plan", understood="what it supplies", steps=SUPPLIED, form="nodes")
    async with chatting(*extracted, say.ok(PARTS), acts("answer", PARTS), plan, plan) as (chat, _):
        outcomes = await measure(world, chat, [ROW], n_rounds=1)

    exact = [outcome.name[0] for outcome in outcomes if outcome.marks["Q1"].is_exact]
    assert exact == ["3", "4", "6", "7", "8", "9"]
