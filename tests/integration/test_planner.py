"""Plans by a chat model, over the real gateway and a scripted server, on the example's graph."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests import messages_server as say
from tests.fakes import HashEncoder
from tests.messages_server import MessagesServer, Reply
from tiers.graphrag.briefing import MAX_STEPS, system_for
from tiers.graphrag.planner import OPERATOR_SETS, ModelPlanner
from tiers.graphrag.planning import PlanningTier
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.templates.book import TemplateBook
from tiers.graphrag.templates.form import template_from
from tiers.graphrag.templates.loading import ReadTemplates, general_templates
from tiers.graphrag.templates.matching import TemplateReader
from tiers.graphrag.tier import GraphTier
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.question import Question
from trivium.domain.result import Nodes, Number
from trivium.gateway.chat import ClaudeChat, Limits
from trivium.gateway.guarded import GuardedTier
from trivium.gateway.limits import Guard
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import Lexicon, QuestionReader

KNOWN = "Which parts does TechChip supply?"
PARTS = Nodes(("CMP-001", "CMP-006", "CMP-014"))
UNKNOWN = "Would you kindly ponder how TechChip fares?"
"""The reader has no plan for it."""
SUPPLIED = {"relation": "SUPPLIES", "direction": "out"}
COST = {
    "model": "claude-test-1",
    "input_tokens": 11,
    "output_tokens": 7,
    "cache_read_tokens": 5,
    "cache_write_tokens": 3,
}
"""Of one reply of the scripted server."""
GOOD = [
    {"step": "s1", "operator": "follow", "arguments": {"nodes": ["SUP-001"], "path": [SUPPLIED]}},
    {"step": "s2", "operator": "count_nodes", "arguments": {"nodes": "$s1"}},
]


@dataclass(frozen=True)
class House:
    """The example's graph, and who reads questions about it."""

    graph: MemoryGraph
    lexicon: Lexicon


@pytest.fixture(scope="module")
def house() -> House:
    changes = read_dataset(Path("examples/aerospace")).changes
    graph = MemoryGraph()
    graph.take(changes, len(changes))
    return House(graph, lexicon_of(changes))


def plans(steps: Sequence[object], form: str = "number", name: str = "plan") -> Reply:
    """The model calls its tool."""
    given = {"understood": "how many parts TechChip supplies", "steps": steps, "form": form}
    call = {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}
    return say.ok(content=[call], stop_reason="tool_use")


@asynccontextmanager
async def planning(
    house: House, *script: Reply, is_first: bool = False, operators: str = "all"
) -> AsyncIterator[tuple[PlanningTier, MessagesServer]]:
    async with MessagesServer(*script) as server:
        chat = ClaudeChat.open(
            api_key="sk-test",
            model="claude-test",
            base_url=server.url,
            limits=Limits(jitter=lambda: 0.0),
        )
        tier = GraphTier(house.graph, lambda: house.lexicon.schema)
        planner = ModelPlanner(chat, OPERATOR_SETS[operators], is_first=is_first)
        try:
            yield PlanningTier(tier, planner, tier.carry_out, lambda: house.lexicon.schema), server
        finally:
            await chat.close()


async def ask(
    house: House, tier: PlanningTier, text: str = UNKNOWN, seconds: float = 5.0
) -> TierResult:
    reader = QuestionReader(HashEncoder(), house.lexicon)
    deadline = Deadline.after(seconds)
    return await tier.retrieve(await reader.understand(Question(text=text), deadline), deadline)


async def test_where_the_reader_has_a_plan_the_model_is_not_asked(house: House):
    async with planning(house, plans(GOOD)) as (tier, server):
        result = await ask(house, tier, KNOWN)

    assert (result.result, server.requests) == (PARTS, [])


async def test_where_the_reader_has_none_the_model_plans_and_its_cost_is_told(house: House):
    async with planning(house, plans(GOOD)) as (tier, server):
        result = await ask(house, tier)

    assert result.result == Number(3.0)
    assert result.trace["template"] == "model"
    assert result.usage == COST
    assert server.requests[0].body["tool_choice"]["name"] == "plan"


async def test_asked_first_its_plan_goes_before_the_readers(house: House):
    async with planning(house, plans(GOOD), is_first=True) as (tier, _):
        assert (await ask(house, tier, KNOWN)).result == Number(3.0)


async def test_where_it_says_that_no_plan_answers_the_reader_does(house: House):
    async with planning(house, plans([]), is_first=True) as (tier, server):
        result = await ask(house, tier, KNOWN)

    assert (result.result, result.degraded, len(server.requests)) == (PARTS, None, 1)
    assert result.usage == COST


BAD: dict[str, tuple[Sequence[object], str]] = {
    "an invented entity": (
        [{"step": "s1", "operator": "find_nodes", "arguments": {"ids": ["SUP-999"]}}],
        "the question names no entity 'SUP-999'",
    ),
    "an unknown relation": (
        [
            {
                "step": "s1",
                "operator": "follow",
                "arguments": {
                    "nodes": ["SUP-001"],
                    "path": [{"relation": "OWNS", "direction": "out"}],
                },
            }
        ],
        "the schema has no relation 'OWNS'",
    ),
    "an unknown operator": (
        [{"step": "s1", "operator": "drop_all", "arguments": {}}],
        "no operator is called 'drop_all'",
    ),
    "a wrong argument": (
        [{"step": "s1", "operator": "find_nodes", "arguments": {"kind": "Supplier"}}],
        "find_nodes takes no 'kind'",
    ),
    "no number": (GOOD[:1], "the last step gives no number"),
    "too many steps": (
        [
            {"step": f"s{n}", "operator": "find_nodes", "arguments": {"type": "Supplier"}}
            for n in range(MAX_STEPS + 1)
        ],
        f"it has {MAX_STEPS + 1} steps, more than {MAX_STEPS}",
    ),
}


@pytest.mark.parametrize("case", BAD)
async def test_a_plan_that_is_refused_goes_back_once_with_the_reason(house: House, case: str):
    steps, why = BAD[case]
    async with planning(house, plans(steps), plans(GOOD)) as (tier, server):
        result = await ask(house, tier)

    assert result.result == Number(3.0)
    first, second = (request.body["messages"][0]["content"] for request in server.requests)
    assert "refused" not in first
    assert why in second


async def test_refused_twice_the_reader_has_the_word(house: House):
    bad, why = BAD["an unknown relation"]
    async with planning(house, plans(bad), is_first=True) as (tier, server):
        result = await ask(house, tier, KNOWN)

    assert (result.result, len(server.requests)) == (PARTS, 2)
    assert result.usage["output_tokens"] == 14, "both drafts are paid for"
    assert result.degraded == f"the model's plan was refused: s1: {why}"


async def test_a_plan_is_not_run_while_the_graph_is_behind(house: House):
    async with planning(house, plans(GOOD), is_first=True) as (tier, _):
        behind = GuardedTier(tier._tier, Guard("graph"), lambda: "it is behind")
        tier._tier, tier._carry_out = behind, lambda *_: behind.call(never)

        with pytest.raises(DependencyError, match="it is behind"):
            await ask(house, tier, KNOWN)


async def never() -> TierResult:
    raise AssertionError("the store was asked all the same")


FAULTS = {
    "overloaded": say.overloaded(),
    "no JSON": say.not_json(),
    "a web page": say.html(),
    "cut": say.cut(),
    "text and no call": say.ok("I would count them."),
    "another tool": plans(GOOD, name="delete"),
    "cut off in the call": say.ok(content=[], stop_reason="max_tokens"),
    "hangs": say.hang(),
    "drips": say.drip(),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_model_that_fails_costs_nothing_but_a_note(house: House, fault: str):
    async with planning(house, FAULTS[fault], is_first=True) as (tier, _):
        result = await ask(house, tier, KNOWN, seconds=1.0)

    assert (result.status, result.result) == (TierStatus.HIT, PARTS)
    assert result.degraded
    assert result.degraded.startswith("no model planned it")


async def test_with_the_papers_nine_operators_no_other_can_be_used(house: House):
    async with planning(house, plans(GOOD), operators="nine", is_first=True) as (tier, server):
        result = await ask(house, tier, KNOWN)

    assert result.result == PARTS
    tool = server.requests[0].body["tools"][0]
    offered = tool["input_schema"]["properties"]["steps"]["items"]["properties"]["operator"]["enum"]
    assert set(OPERATOR_SETS["nine"]) < set(offered)
    assert "follow" not in offered


async def test_it_sees_the_schema_and_what_the_question_names_and_never_the_data(house: House):
    async with planning(house, plans(GOOD), is_first=True) as (tier, server):
        await ask(house, tier, KNOWN)
        await ask(house, tier, "How risky is the SkyPatrol?")

    first, second, *_ = (request.body for request in server.requests)
    assert first["system"] == second["system"]
    told = json.dumps([first["system"], first["messages"]])
    nodes = [n for n in house.graph.nodes() if n.id != "SUP-001"]
    assert [n.id for n in nodes if n.id in told] == [n.name for n in nodes if n.name in told] == []
    assert "SUP-001" in first["messages"][0]["content"]


def test_without_templates_it_is_told_of_none(house: House):
    told = system_for(house.lexicon.schema, OPERATOR_SETS["nine"])

    assert "emplate" not in told
    assert TemplateBook(general=()).is_empty


def test_what_it_is_told_is_the_same_for_the_same_schema(house: House):
    schema = house.lexicon.schema
    assert system_for(schema, OPERATOR_SETS["all"]) == system_for(schema, OPERATOR_SETS["all"])


def fills(template: str, slots: object, **more: object) -> Reply:
    """The model names a template and fills its slots."""
    given = {"understood": "as asked", "template": template, "slots": slots, **more}
    call = {"type": "tool_use", "id": "toolu_1", "name": "plan", "input": given}
    return say.ok(content=[call], stop_reason="tool_use")


FILLED = {"entity": "SUP-001", "type": "Component", "relation": "SUPPLIES"}


async def test_a_template_that_it_fills_is_run_and_named(house: House):
    async with planning(house, fills("how_many_related", FILLED)) as (tier, server):
        result = await ask(house, tier)

    assert result.result == Number(3.0)
    assert result.trace["template"] == "how_many_related"
    assert result.trace["understood"] == (
        "how many component TechChip Inc (SUP-001) is joined with by supplies"
    )
    assert len(server.requests) == 1


BAD_FILLINGS: dict[str, tuple[Reply, str]] = {
    "an unknown template": (fills("how_heavy", FILLED), "no template is called 'how_heavy'"),
    "an unknown slot": (fills("related", {**FILLED, "colour": "red"}), "it has no slot 'colour'"),
    "a missing slot": (
        fills("related", {"entity": "SUP-001", "type": "Component"}),
        "slot 'relation': it is not filled",
    ),
    "a bad slot": (
        fills("related", {**FILLED, "relation": "OWNS"}),
        "slot 'relation': the schema has no relation 'OWNS'",
    ),
    "an entity that is not named": (
        fills("related", {**FILLED, "entity": "SUP-002"}),
        "slot 'entity': the question names no entity 'SUP-002'",
    ),
    "a list for one": (
        fills("related", {**FILLED, "direction": ["out"]}),
        "slot 'direction': ['out'] is neither 'out' nor 'in'",
    ),
    "a number beyond all numbers": (
        fills(
            "with_so_many",
            {"type": "Component", "other": "Supplier", "relation": "SUPPLIES", "number": 10**400},
        ),
        "slot 'number'",
    ),
    "slots that are none": (fills("related", ["SUP-001"]), "slots are an object"),
    "steps beside it": (
        fills("related", FILLED, steps=GOOD),
        "give a template and its slots, or steps, and not both",
    ),
}


@pytest.mark.parametrize("case", BAD_FILLINGS)
async def test_a_wrong_filling_goes_back_once_with_the_reason(house: House, case: str):
    bad, why = BAD_FILLINGS[case]
    async with planning(house, bad, plans(GOOD)) as (tier, server):
        result = await ask(house, tier)

    assert result.result == Number(3.0)
    first, second = (request.body["messages"][0]["content"] for request in server.requests)
    assert "refused" not in first
    assert why in second


OWN = """
name: fares
says: the parts of {maker}
slots: {maker: {kind: entity}}
asks: ["Would you kindly ponder how {maker} fares?", "How fares {maker}?"]
form: nodes
plan:
  - step: s1
    operator: follow
    arguments: {nodes: ["{maker}"], path: [{relation: SUPPLIES, direction: out}]}
"""


async def test_an_own_template_goes_before_a_model_that_is_asked_first(house: House):
    own = ReadTemplates(templates=(template_from(yaml.safe_load(OWN), "own.yaml"),))
    templates = TemplateReader(TemplateBook(own))
    async with planning(house, plans(GOOD), is_first=True) as (tier, server):
        graph = GraphTier(house.graph, lambda: house.lexicon.schema, templates=templates)
        tier._tier, tier._templates = graph, templates
        result = await ask(house, tier)

    assert (result.result, result.trace["template"]) == (PARTS, "fares")
    assert server.requests == []


async def test_templates_stand_in_the_prompt_as_far_as_its_operators_go(house: House):
    schema, script = house.lexicon.schema, fills("trend", {})
    async with planning(house, script, operators="nine", is_first=True) as (tier, server):
        result = await ask(house, tier, KNOWN)

    told = json.dumps(server.requests[0].body["system"])
    assert "not_related" not in told, "it needs more than the nine"
    assert "shortest_path" in told
    assert result.degraded == "the model's plan was refused: no template is called 'trend'"
    assert "not_related" in system_for(schema, OPERATOR_SETS["all"], general_templates())
