"""The answer memory at the door: other words, changes, equal questions at once, and its admin."""

import asyncio
from dataclasses import replace
from typing import Any

import httpx

from tests.e2e.doors import ask
from tiers.cag.turns import Turns
from trivium.app.flights import Flights
from trivium.app.service import Service
from trivium.domain.answer import Answer
from trivium.domain.question import Question

QUESTION = "Who feeds Nanuk?"
OTHER_WORDS = "Please tell me who feeds Nanuk"
FEEDS = {"op": "add_relationship", "source": "K-1", "type": "FEEDS", "target": "A-3"}


async def post(client: httpx.AsyncClient, path: str, **body: object) -> dict[str, Any]:
    response = await client.post(f"/admin/memory/{path}", json=body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def test_other_words_are_given_the_answer_and_are_told_whose_it_was(
    client: httpx.AsyncClient,
):
    first = await ask(client, QUESTION)
    again = await ask(client, OTHER_WORDS)

    assert not first["cache"]["hit"]
    assert again["cache"]["hit"]
    assert again["cache"]["question"] == QUESTION
    assert again["result"] == first["result"]
    assert again["id"] != first["id"]
    assert not (await ask(client, "Who feeds Nanuk not?"))["cache"]["hit"]


async def test_a_caller_may_ask_for_no_other_words_or_for_no_memory(client: httpx.AsyncClient):
    await ask(client, QUESTION)
    assert not (await ask(client, OTHER_WORDS, memory="exact"))["cache"]["hit"]
    assert (await ask(client, QUESTION, memory="exact"))["cache"]["hit"]
    assert not (await ask(client, QUESTION, memory="off"))["cache"]["hit"]
    assert (await client.post("/ask", json={"question": "x", "memory": "more"})).status_code == 422


async def test_after_a_change_the_new_answer_is_given_in_any_words(client: httpx.AsyncClient):
    await ask(client, QUESTION)
    changed = await client.post("/admin/mutations", json={"mutations": [FEEDS]})
    assert changed.status_code == 200

    for text in (QUESTION, OTHER_WORDS):
        assert (await ask(client, text, tiers=["graph"]))["result"]["ids"] == ["K-1", "K-2"]


async def test_equal_questions_at_once_are_answered_once(client: httpx.AsyncClient, zoo: Service):
    answers = await asyncio.gather(*(ask(client, QUESTION) for _ in range(40)))

    assert sum(not a["cache"]["hit"] for a in answers) == 1
    assert len({a["id"] for a in answers}) == 40
    assert zoo.memory.counts["kept"] == 1
    assert (await client.get(f"/answers/{answers[-1]['id']}")).status_code == 200


async def test_an_admin_sees_explains_and_forgets_answers(client: httpx.AsyncClient):
    first = await ask(client, QUESTION)
    listed = (await client.get("/admin/memory", params={"entity": "A-3"})).json()
    (entry,) = listed["answers"]
    assert (entry["question"], entry["is_current"]) == (QUESTION, True)
    assert (await client.get("/admin/memory", params={"entity": "A-4"})).json()["n_found"] == 0
    shown = (await client.get(f"/admin/memory/{entry['key']}")).json()
    assert shown["response"]["result"] == first["result"]

    told = await post(client, "explain", question=OTHER_WORDS)
    assert (told["is_exact"], told["alike"]["question"]) == (False, QUESTION)
    told = await post(client, "explain", question="Who feeds Nanuk now and then?")
    assert told["alike"] is None
    (other,) = told["others"]
    assert (other["question"], other["is_same_gist"]) == (QUESTION, False)
    assert {"now", "then"} <= set(other["only_asked"])

    gone = await client.delete(f"/admin/memory/{entry['key']}")
    assert gone.json() == {"n_forgotten": 1}
    assert (await client.delete(f"/admin/memory/{entry['key']}")).status_code == 404
    assert not (await ask(client, OTHER_WORDS))["cache"]["hit"]


async def test_what_shows_an_entity_is_forgotten_after_a_dry_run(client: httpx.AsyncClient):
    await ask(client, QUESTION)
    would = await post(client, "invalidate", entity="A-3", dry_run=True)
    assert (would["n_forgotten"], would["answers"][0]["question"]) == (1, QUESTION)
    assert (await ask(client, QUESTION))["cache"]["hit"]

    assert (await post(client, "invalidate", entity="A-3"))["n_forgotten"] == 1

    assert not (await ask(client, QUESTION))["cache"]["hit"]
    assert (await post(client, "invalidate", everything=True, dry_run=True))["n_forgotten"] == 1
    refused = await client.post("/admin/memory/invalidate", json={})
    assert refused.status_code == 422


async def test_statistics_count_how_answers_were_recalled(client: httpx.AsyncClient):
    for text in (QUESTION, QUESTION, OTHER_WORDS):
        await ask(client, text)
    told = (await client.get("/admin/memory/statistics")).json()
    assert told["counts"] == {
        "exact": 1,
        "alike": 1,
        "missed": 1,
        "kept": 1,
        "audited": 0,
        "wrong": 0,
    }
    assert (told["n_answers"], told["n_current"], told["hit_rate"]) == (1, 1, 2 / 3)


async def test_equal_questions_to_two_processes_on_one_redis_are_answered_once(zoo: Service):
    one, other = (replace(zoo, turns=Turns(zoo.redis), flights=Flights()) for _ in range(2))
    question = Question(text=QUESTION)

    answers = await asyncio.gather(
        *(service.ask(question) for service in (one, other) for _ in range(20))
    )

    assert zoo.memory.counts["kept"] == 1
    assert len({answer.id for answer in answers}) == 40
    assert sum(isinstance(answer, Answer) for answer in answers) == 1
