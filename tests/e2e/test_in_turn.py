"""Questions whose last part speaks of what their first part finds."""

import httpx

from tests.e2e.doors import ask


async def test_a_value_is_told_of_what_the_graph_finds_and_after_it(client: httpx.AsyncClient):
    answer = await ask(client, "Who feeds Nanuk and what is that keeper's shift?")

    assert answer["status"] == "answered"
    assert answer["route"]["tiers"] == ["cag", "graph"]
    assert answer["results"]["graph"] == {"kind": "nodes", "ids": ["K-2"]}
    assert [v["value"] for v in answer["results"]["cag"]["values"]] == ["late"]
    assert answer["answer"].index("Bruno Falk") < answer["answer"].index("late")
    assert answer["route"]["parts"] == {
        "graph": "Who feeds Nanuk",
        "cag": "what is Bruno Falk's shift?",
    }
    assert any("asked in turn" in reason for reason in answer["route"]["reasons"])


async def test_each_of_several_has_its_value(client: httpx.AsyncClient):
    answer = await ask(client, "Which animals live in Savannah Hall, and how heavy are they?")

    values = answer["results"]["cag"]["values"]
    assert {(v["entity"], v["value"]) for v in values} == {("A-1", 4100), ("A-2", 2)}
    assert answer["results"]["graph"]["ids"] == ["A-1", "A-2"]


async def test_entities_of_both_parts_are_the_result_where_both_are_asked_for(
    client: httpx.AsyncClient,
):
    answer = await ask(
        client, "Which animals does Bruno Falk feed, and in which house do they live?"
    )

    assert answer["result"] == {"kind": "nodes", "ids": ["A-3", "H-2"]}
    assert answer["evidence"]["graph"]["then"]["plan"]


async def test_it_is_the_one_that_is_named_where_the_other_has_no_such_value(
    client: httpx.AsyncClient,
):
    answer = await ask(client, "Who feeds Nanuk, and what is its weight?")

    assert [v["value"] for v in answer["results"]["cag"]["values"]] == [390]


async def test_it_is_what_may_have_the_relation_that_is_said_of_it(client: httpx.AsyncClient):
    answer = await ask(client, "Who feeds Nanuk, and where does it live?")

    assert answer["result"] == {"kind": "nodes", "ids": ["H-2", "K-2"]}


async def test_two_questions_to_one_tier_are_both_answered(client: httpx.AsyncClient):
    answer = await ask(client, "Which animals does Amelia Stone feed and which house is Nanuk in?")

    assert answer["status"] == "answered"
    assert answer["result"] == {"kind": "nodes", "ids": ["A-1", "A-2", "H-2"]}


async def test_a_value_of_what_a_relation_describes_is_told(client: httpx.AsyncClient):
    answer = await ask(client, "What is the shift of the keeper of Nanuk?")

    assert [v["value"] for v in answer["results"]["cag"]["values"]] == ["late"]
    assert answer["results"]["graph"]["ids"] == ["K-2"]
