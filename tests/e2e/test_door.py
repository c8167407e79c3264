"""The door: what comes back from each route, for good input and for bad."""

import json
from pathlib import Path

import httpx
import pytest
from pydantic import BaseModel

from tests.e2e.doors import ask
from tests.zoo import RULES
from trivium.app.replies import AskResponse, ChatResponse, OpenAiModel, OpenAiModels, examples
from trivium.app.service import Service
from trivium.domain.knowledge import Change, ChangeKind
from trivium.knowledge.dataset import read_dataset

DOOR = {
    "id", "status", "reason", "candidates", "answer", "result", "also", "results", "route",
    "citations", "evidence", "conflicts", "freshness", "degraded", "cache", "usage", "timings_ms",
}  # fmt: skip


async def test_an_answer_has_every_field_of_the_door(client: httpx.AsyncClient):
    answer = await ask(client, "Which animals does Amelia Stone feed?")

    assert set(answer) == DOOR


async def test_a_question_over_relations_is_computed_and_can_be_checked(client: httpx.AsyncClient):
    answer = await ask(client, "Which animals does Amelia Stone feed?", tiers=["graph"])

    assert answer["result"] == {"kind": "nodes", "ids": ["A-1", "A-2"]}
    (citation,) = answer["citations"]
    assert ["K-1", "FEEDS", "A-1"] in citation["relations"]
    evidence = answer["evidence"]["graph"]
    assert evidence["plan"]
    assert "FEEDS" in evidence["cypher"]
    assert "K-1" in json.dumps(evidence["parameters"])
    assert evidence["cypher_executed"] is False


async def test_the_past_is_asked_by_as_of(client: httpx.AsyncClient):
    now = await ask(client, "Who feeds Tembo?", tiers=["graph"])
    then = await ask(client, "Who feeds Tembo?", tiers=["graph"], as_of="2025-06-01")

    assert now["result"]["ids"] == ["K-1"]
    assert then["result"]["ids"] == ["K-1", "K-2"]


async def test_a_fact_comes_with_its_unit_and_source(client: httpx.AsyncClient):
    answer = await ask(client, "How heavy is Tembo?", tiers=["cag"])

    assert answer["result"] == {"kind": "number", "number": 4100, "unit": "kg"}
    (value,) = answer["also"][-1]["values"]
    assert (value["entity"], value["value"], value["unit"]) == ("A-1", 4100, "kg")
    assert answer["citations"][0]["entity"] == "A-1"


async def test_a_document_is_cited_with_the_place_to_open(client: httpx.AsyncClient):
    answer = await ask(client, "What fine does a visitor pay for feeding?", tiers=["rag"])

    (citation, *_) = answer["citations"]
    assert citation["source"] == "doc-rules"
    assert "60 euros" in answer["answer"]
    assert "[1]" in answer["answer"]
    text = RULES.split("---\n", 2)[2].strip()  # what comes behind the front matter
    assert text[citation["start"] : citation["end"]] == citation["passage"]
    said = [text[start:end] for start, end in citation["said"]]
    assert said
    assert all(sentence in answer["answer"] for sentence in said)


async def test_several_tiers_answer_together(client: httpx.AsyncClient):
    answer = await ask(
        client, "Who feeds Nanuk, and when are polar bears fed?", tiers=["rag", "graph"]
    )

    assert answer["results"]["graph"]["ids"] == ["K-2"]
    assert {c["tier"] for c in answer["citations"]} == {"rag", "graph"}


async def test_an_unknown_name_is_refused_with_its_reason(client: httpx.AsyncClient):
    answer = await ask(client, "Which animals does K-77 feed?", tiers=["graph"])

    assert (answer["status"], answer["reason"]) == ("abstained", "unknown_entity")


async def test_an_exact_repetition_is_remembered_under_an_id_of_its_own(client: httpx.AsyncClient):
    first = await ask(client, "Which animals does Amelia Stone feed?", tiers=["graph"])
    again = await ask(client, "which animals does  amelia stone feed", tiers=["graph"])

    assert (first["cache"], again["cache"]) == ({"hit": False}, {"hit": True})
    assert first["id"] != again["id"]
    assert {k: v for k, v in again.items() if k not in {"id", "cache"}} == {
        k: v for k, v in first.items() if k not in {"id", "cache"}
    }


async def test_a_change_is_seen_by_the_next_question(client: httpx.AsyncClient, zoo: Service):
    await ask(client, "Who feeds Nanuk?", tiers=["graph"])
    edge = {"source": "K-1", "target": "A-3", "type": "FEEDS", "properties": {}}
    await zoo.knowledge.commit([Change(kind=ChangeKind.PUT_EDGE, key="new", payload=edge)])

    after = await ask(client, "Who feeds Nanuk?", tiers=["graph"])

    assert after["cache"] == {"hit": False}
    assert after["result"]["ids"] == ["K-1", "K-2"]


async def test_a_deleted_document_leaves_nothing_behind(
    client: httpx.AsyncClient, zoo: Service, tmp_path: Path
):
    question = "What fine does a visitor pay for feeding?"
    assert "60 euros" in (await ask(client, question, tiers=["rag"]))["answer"]
    (tmp_path / "data" / "documents" / "rules.md").unlink()
    await zoo.knowledge.load(read_dataset(tmp_path / "data"))

    after = await ask(client, question, tiers=["rag"])

    assert after["cache"] == {"hit": False}
    assert (after["status"], after["citations"]) == ("abstained", [])
    assert "60 euros" not in json.dumps(after)


@pytest.mark.parametrize("question", ["Who feeds Tembo?", "Who feeds Tembo"])
async def test_an_answer_can_be_looked_up_as_soon_as_it_was_returned(
    client: httpx.AsyncClient, question: str
):
    for _ in range(2):
        answer = await ask(client, question)
        kept = (await client.get(f"/answers/{answer['id']}")).json()
        assert kept["asked"]["question"] == question
        assert {k: kept[k] for k in DOOR} == answer


async def test_a_rating_is_created_changed_and_repeated(client: httpx.AsyncClient):
    answer = await ask(client, "Who feeds Tembo?")
    path = f"/answers/{answer['id']}/rating"
    up = {"rating": "up", "rater": "ann"}
    down = {"rating": "down", "reason": "wrong_tier", "tiers": ["graph"], "rater": "ann"}

    statuses = [(await client.post(path, json=body)).status_code for body in (up, down, down)]

    assert statuses == [201, 200, 200]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 422),
        (b'"x"', 422),
        (b"{}", 422),
        (b'{"question": null}', 422),
        (b'{"question": 5}', 422),
        (b'{"question": ""}', 422),
        (b'{"question": " \\t\\n "}', 422),
        ('{"question": "\u200b\u2060"}'.encode(), 422),
        (b'{"question": NaN}', 422),
        (b'{"question": "\\ud800"}', 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b'{"question": "x", "as_of": "soon"}', 422),
        (b'{"question": "x", "as_of": "2024-13-01"}', 422),
        (b'{"question": "x", "tiers": []}', 422),
        (b'{"question": "x", "tiers": ["sql"]}', 422),
        (b'{"question": "x", "stream": "maybe"}', 422),
        (b'{"question": "x", "history": [{"role": "king", "content": ""}]}', 422),
        (b'{"question": "' + b"x" * 300_000 + b'"}', 413),
    ],
)
async def test_bad_input_is_a_problem(client: httpx.AsyncClient, body: bytes, status: int):
    response = await client.post("/ask", content=body, headers={"content-type": "application/json"})

    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert {"type", "title", "detail", "errors"} <= set(problem)


async def test_a_wrong_content_type_is_a_problem(client: httpx.AsyncClient):
    response = await client.post("/ask", content=b"x", headers={"content-type": "text/plain"})

    assert (response.status_code, response.json()["status"]) == (415, 415)


@pytest.mark.parametrize("answer_id", ["ans_x", "ans_0_0", "%00", "💥", "a" * 5000])
async def test_a_forged_answer_id_is_not_found(client: httpx.AsyncClient, answer_id: str):
    looked_up = await client.get(f"/answers/{answer_id}")
    rated = await client.post(f"/answers/{answer_id}/rating", json={"rating": "up"})

    assert (looked_up.status_code, rated.status_code) == (404, 404)


async def test_a_well_formed_id_whose_trace_was_lost_is_rated_all_the_same(
    client: httpx.AsyncClient, zoo: Service
):
    response = await client.post(f"/answers/{zoo.ids.new()}/rating", json={"rating": "down"})

    assert response.status_code == 201


async def test_an_up_with_a_reason_for_a_down_is_refused(client: httpx.AsyncClient):
    answer = await ask(client, "Who feeds Tembo?")
    body = {"rating": "up", "reason": "wrong_source"}

    response = await client.post(f"/answers/{answer['id']}/rating", json=body)

    assert response.status_code == 422


async def test_unknown_paths_and_methods_are_problems(client: httpx.AsyncClient):
    nowhere, wrong = await client.get("/nowhere"), await client.get("/ask")

    assert (nowhere.status_code, wrong.status_code) == (404, 405)
    assert nowhere.headers["content-type"] == "application/problem+json"
    assert wrong.headers["content-type"] == "application/problem+json"


async def test_it_says_that_it_lives_and_is_ready(client: httpx.AsyncClient):
    live, ready = await client.get("/livez"), await client.get("/readyz")

    assert (live.status_code, ready.status_code) == (200, 200)
    assert ready.json()["status"] == "ok"


async def test_metrics_have_few_labels(client: httpx.AsyncClient):
    await ask(client, "Who feeds Tembo?")
    await client.get("/answers/whatever")

    text = (await client.get("/metrics")).text

    assert 'trivium_requests_total{method="POST",route="/ask",status="2xx"} 1.0' in text
    assert 'route="/answers/{answer_id}"' in text
    assert "whatever" not in text


async def test_the_openapi_document_describes_bodies_and_problems(client: httpx.AsyncClient):
    document = (await client.get("/openapi.json")).json()

    schemas = document["components"]["schemas"]
    assert {"AskRequest", "RatingRequest", "Problem"} <= set(schemas)
    assert "requestBody" in document["paths"]["/ask"]["post"]
    references = json.dumps(document).split('"$ref": "#/components/schemas/')[1:]
    assert {ref.split('"')[0] for ref in references} <= set(schemas)


async def test_the_openapi_document_shows_what_the_doors_give(client: httpx.AsyncClient):
    document = (await client.get("/openapi.json")).json()
    models: dict[str, type[BaseModel]] = {
        "ask": AskResponse,
        "chat": ChatResponse,
        "models": OpenAiModels,
        "model": OpenAiModel,
    }

    shown = {name: model.model_validate(examples()[name]) for name, model in models.items()}

    assert set(shown["ask"].model_dump()) == DOOR == set(AskResponse.model_fields)
    given = document["paths"]["/ask"]["post"]["responses"]["200"]["content"]
    assert set(given) == {"application/json", "text/event-stream"}
    chat = document["paths"]["/v1/chat/completions"]["post"]["responses"]
    assert chat["429"]["content"]["application/json"]["schema"]["$ref"].endswith("/OpenAiError")
    AskResponse.model_validate(await ask(client, "Which animals does Amelia Stone feed?"))


async def test_a_request_keeps_its_id(client: httpx.AsyncClient):
    given = await client.get("/livez", headers={"x-request-id": "abc-123"})
    made = await client.get("/livez", headers={"x-request-id": "not\tfit"})

    assert given.headers["x-request-id"] == "abc-123"
    assert made.headers["x-request-id"] not in {"", "not\tfit"}
