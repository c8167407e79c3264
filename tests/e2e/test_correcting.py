"""Words learned from corrections: refused, corrected, confirmed, answered, undone, refused."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.conftest import settings_for
from tests.e2e.doors import ask
from tests.zoo import write_zoo
from trivium.app.bootstrap import open_service
from trivium.app.service import Service
from trivium.domain.alias import Meaning, Meant
from trivium.domain.answer import Answer
from trivium.domain.mutation import AddAlias
from trivium.domain.question import Question
from trivium.domain.result import Nodes
from trivium.knowledge.dataset import read_dataset

QUESTION = "Who feeds Sir Squawk?"
BIRD = {"words": "Sir Squawk", "means": {"entity": "A-2"}}


async def correct(client: httpx.AsyncClient, *misread: object, question: str = QUESTION) -> str:
    """Rate the answer to a question with what was misread; return the id of the last of it."""
    answer = await ask(client, question)
    said = {"rating": "down", "rater": "ann", "misread": misread}
    rated = await client.post(f"/answers/{answer['id']}/rating", json=said)
    assert rated.status_code == 201, rated.text
    found = (await client.get("/admin/corrections")).json()["corrections"]
    last: str = found[-1]["id"]
    return last


async def decide(client: httpx.AsyncClient, correction: str, decision: str) -> httpx.Response:
    asked = {"decision": decision, "author": "eve"}
    return await client.post(f"/admin/corrections/{correction}", json=asked)


async def test_a_confirmed_correction_teaches_a_name_until_it_is_undone(client: httpx.AsyncClient):
    before = await ask(client, QUESTION)
    assert (before["status"], before["reason"]) == ("abstained", "unknown_entity")
    assert ["Sir Squawk", "unread"] in [
        [word["text"], word["as"]] for word in before["evidence"]["graph"]["words"]
    ]

    correction = await correct(client, BIRD)
    assert (await ask(client, QUESTION))["status"] == "abstained", "a correction changes nothing"
    (listed,) = (await client.get("/admin/corrections")).json()["corrections"]
    assert (listed["question"], listed["rater"]) == (QUESTION, "ann")
    assert {"words": listed["words"], "means": listed["means"]} == BIRD

    confirmed = await decide(client, correction, "confirm")
    assert confirmed.status_code == 200, confirmed.text
    assert (confirmed.json()["state"], confirmed.json()["decided_by"]) == ("confirmed", "eve")
    (sequence,) = confirmed.json()["changes"]
    assert (await client.get("/admin/corrections")).json() == {"corrections": []}
    after = await ask(client, QUESTION)
    assert after["result"] == {"kind": "nodes", "ids": ["K-1"]}
    searched = await ask(client, "What do the rules say of Sir Squawk?", tiers=["rag"])
    assert searched["evidence"]["rag"]["entities"] == ["A-2"]
    wanted = {"kind": "put_alias"}
    (change,) = (await client.get("/admin/changes", params=wanted)).json()["changes"]
    assert (change["sequence"], change["author"]) == (sequence, "eve")
    assert change["after"] == {"words": "Sir Squawk", "entity": "A-2"}

    assert (await client.post(f"/admin/changes/{sequence}/undo")).status_code == 200
    assert (await ask(client, QUESTION))["reason"] == "unknown_entity"
    again = await decide(client, correction, "confirm")
    assert (again.status_code, again.json()["changes"]) == (200, [])
    assert (await ask(client, QUESTION))["reason"] == "unknown_entity", "decided once"


@pytest.mark.parametrize(
    ("question", "misread", "tier", "result"),
    [
        (
            "Which critters does Amelia Stone feed?",
            {"words": "critters", "means": {"type": "Animal"}},
            "graph",
            {"kind": "nodes", "ids": ["A-1", "A-2"]},
        ),
        (
            "Who cuddles Nanuk?",
            {"words": "cuddles", "means": {"relation": "FEEDS"}},
            "graph",
            {"kind": "nodes", "ids": ["K-2"]},
        ),
        (
            "What is the heft of Tembo?",
            {"words": "heft", "means": {"property": "weight_kg", "of": "Animal"}},
            "cag",
            4100,
        ),
        ("How heavy is Sir Squawk?", BIRD, "cag", 2),
        ("How heavy is Sir Squawk?", BIRD, "graph", 2),
    ],
)
async def test_facts_and_graph_know_what_was_learned(
    client: httpx.AsyncClient, question: str, misread: object, tier: str, result: object
):
    def found(answer: dict[str, Any]) -> object:
        values = answer["result"].get("values") or [{}]
        number = answer["result"].get("number", values[0].get("value"))
        return answer["result"] if number is None else number

    assert found(await ask(client, question, tiers=[tier])) != result

    confirmed = await decide(client, await correct(client, misread, question=question), "confirm")

    assert confirmed.status_code == 200, confirmed.text
    assert found(await ask(client, question, tiers=[tier])) == result


async def test_a_dismissed_correction_teaches_nothing(client: httpx.AsyncClient, zoo: Service):
    version = zoo.knowledge.version
    correction = await correct(client, BIRD)

    statuses = [
        (await decide(client, correction, decision)).status_code
        for decision in ("dismiss", "dismiss", "confirm")
    ]

    assert statuses == [200, 200, 409]
    assert zoo.knowledge.version == version
    assert (await client.get("/admin/corrections")).json() == {"corrections": []}


async def test_what_cannot_be_learned_stays_open_and_says_why(client: httpx.AsyncClient):
    nanuk = {"words": "Nanuk", "means": {"entity": "A-2"}}
    correction = await correct(client, nanuk)

    refused = await decide(client, correction, "confirm")

    assert refused.status_code == 409
    assert refused.json()["errors"] == [
        {"where": "words", "what": "'Nanuk' already means the entity A-3"}
    ]
    assert len((await client.get("/admin/corrections")).json()["corrections"]) == 1


async def test_of_two_admins_at_once_one_decides_and_nothing_is_left_half(
    client: httpx.AsyncClient,
):
    correction = await correct(client, BIRD)

    both = await asyncio.gather(
        decide(client, correction, "confirm"), decide(client, correction, "dismiss")
    )

    statuses = [response.status_code for response in both]
    assert sorted(statuses) == [200, 409]
    is_learned = (await ask(client, QUESTION))["status"] == "answered"
    assert is_learned is (statuses[0] == 200)


async def test_bad_corrections_and_decisions_are_problems(client: httpx.AsyncClient):
    answer = await ask(client, QUESTION)
    for misread in (
        {"words": "x"},
        {"words": "", "means": {"type": "Animal"}},
        {"words": "x" * 61, "means": {"type": "Animal"}},
        {"words": "x", "means": {}},
        {"words": "x", "means": {"type": "Animal", "entity": "A-1"}},
        {"words": "x", "means": {"property": "weight_kg"}},
        {"words": "x", "means": {"colour": "red"}},
    ):
        said = {"rating": "down", "misread": [misread]}
        response = await client.post(f"/answers/{answer['id']}/rating", json=said)
        assert response.status_code == 422, misread
    assert (await client.get("/admin/corrections")).json() == {"corrections": []}
    assert (await decide(client, "cor_none", "confirm")).status_code == 404
    assert (await decide(client, "cor_none", "maybe")).status_code == 422
    assert (await client.get("/admin/corrections", params={"limit": 0})).status_code == 422


async def test_aliases_are_mutations_and_outlive_a_load_of_what_they_name(
    client: httpx.AsyncClient, tmp_path: Path
):
    learn = {"op": "add_alias", "words": "Sir Squawk", "entity": "A-2"}
    bad = {"op": "add_alias", "words": "the", "type": "Animal"}
    refused = await client.post("/admin/mutations", json={"mutations": [learn, bad]})
    assert [error["where"] for error in refused.json()["errors"]] == ["mutations.1.words"]
    assert (await ask(client, QUESTION))["status"] == "abstained", "all or nothing"
    made = await client.post("/admin/mutations", json={"mutations": [learn]})
    assert [c["kind"] for c in made.json()["changes"]] == ["put_alias"]
    nodes = tmp_path / "data" / "nodes.jsonl"
    text = await asyncio.to_thread(nodes.read_text)
    await asyncio.to_thread(nodes.write_text, text.replace('"Kiki"', '"Kiki the parrot"'))
    directory = {"directory": str(tmp_path / "data")}
    assert (await client.post("/admin/load", json=directory, timeout=60)).status_code == 200
    assert (await ask(client, QUESTION))["result"]["ids"] == ["K-1"]

    forget = {**learn, "op": "remove_alias"}
    gone = await client.post("/admin/mutations", json={"mutations": [forget]})
    assert [c["kind"] for c in gone.json()["changes"]] == ["drop_alias"]
    assert (await ask(client, QUESTION))["status"] == "abstained"


async def test_an_alias_is_there_after_a_restart(tmp_path: Path, encoder_dir: Path):
    settings = settings_for(tmp_path / "home", encoder_dir)
    dataset = read_dataset(write_zoo(tmp_path / "data"))
    bird = Meaning(kind=Meant.ENTITY, name="A-2")
    async with open_service(settings) as service:
        await service.knowledge.load(dataset)
        await service.knowledge.mutate([AddAlias(words="Sir Squawk", means=bird)], author="eve")

    async with open_service(settings) as again:
        answer = await again.ask(Question(text=QUESTION))

    assert isinstance(answer, Answer)
    assert answer.result == Nodes(("K-1",))
