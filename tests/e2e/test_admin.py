"""Changing the knowledge of a running service: mutations, changelog, undo, loads, who may."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from trivium.app.http import create_app
from trivium.app.service import Service
from trivium.domain.deadline import Deadline
from trivium.domain.question import Question, TierName

FEEDS = {"op": "add_relationship", "source": "K-1", "type": "FEEDS", "target": "A-3"}
QUESTION = "Who feeds Nanuk?"


async def mutate(client: httpx.AsyncClient, *mutations: object, **more: object) -> dict[str, Any]:
    response = await client.post("/admin/mutations", json={"mutations": mutations, **more})
    assert response.status_code == 200, response.text
    outcome: dict[str, Any] = response.json()
    return outcome


async def ids(client: httpx.AsyncClient, question: str = QUESTION, **more: object) -> list[str]:
    asked = {"question": question, "tiers": ["graph"], **more}
    found: list[str] = (await client.post("/ask", json=asked)).json()["result"]["ids"]
    return found


async def test_a_mutation_is_seen_by_the_next_question_and_tells_what_changed(
    client: httpx.AsyncClient, zoo: Service
):
    assert await ids(client) == ["K-2"]
    before = zoo.knowledge.version

    outcome = await mutate(client, FEEDS, author="ann")

    (change,) = outcome["changes"]
    assert (outcome["version"], change["sequence"]) == (before + 1, before + 1)
    assert (change["kind"], change["author"], change["source"]) == ("put_edge", "ann", "mutations")
    assert change["before"] is None
    assert change["after"]["target"] == "A-3"
    assert await ids(client) == ["K-1", "K-2"]


async def test_a_mutation_made_twice_changes_nothing_the_second_time(client: httpx.AsyncClient):
    first = await mutate(client, FEEDS)

    again = await mutate(client, FEEDS)

    assert again == {"version": first["version"], "changes": []}


async def test_a_new_entity_is_found_by_name_relation_and_fact(client: httpx.AsyncClient):
    animal = {"op": "add_entity", "id": "A-9", "type": "Animal", "name": "Zuri",
              "properties": {"weight_kg": 55}}  # fmt: skip
    await mutate(client, animal, {**FEEDS, "target": "A-9"})

    assert await ids(client, "Who feeds Zuri?") == ["K-1"]
    fact = await client.post("/ask", json={"question": "How heavy is Zuri?", "tiers": ["cag"]})
    assert fact.json()["result"]["number"] == 55


async def test_an_expired_relation_is_found_when_its_time_is_asked_for(client: httpx.AsyncClient):
    expire = {"op": "expire_relationship", "source": "K-2", "type": "FEEDS", "target": "A-3"}
    outcome = await mutate(client, expire)

    assert outcome["changes"][0]["after"]["valid_to"] == "2026-08-01T00:00:00+00:00"
    assert await ids(client) == []
    assert await ids(client, as_of="2026-07-31") == ["K-2"]
    assert (await mutate(client, expire))["changes"] == []


async def test_a_removed_entity_takes_its_relations_and_undo_brings_all_back(
    client: httpx.AsyncClient, zoo: Service
):
    removed = await mutate(client, {"op": "remove_entity", "id": "K-2"})
    kinds = [change["kind"] for change in removed["changes"]]
    assert kinds == ["drop_edge", "drop_edge", "drop_node"]
    assert await ids(client) == []

    sequence = removed["changes"][-1]["sequence"]
    undone = (await client.post(f"/admin/changes/{sequence}/undo")).json()
    again = (await client.post(f"/admin/changes/{sequence}/undo")).json()

    assert [c["kind"] for c in undone["changes"]] == ["put_node", "put_edge", "put_edge"]
    assert again["changes"] == []
    assert await ids(client) == ["K-2"]


async def test_undo_is_refused_when_the_item_changed_since(client: httpx.AsyncClient):
    first = await mutate(client, FEEDS)
    await mutate(client, {**FEEDS, "valid_to": "2026-12-31"})

    refused = await client.post(f"/admin/changes/{first['changes'][0]['sequence']}/undo")
    unknown = await client.post("/admin/changes/999999999999999999999999/undo")

    assert (refused.status_code, unknown.status_code) == (409, 404)
    assert "changed since" in refused.json()["detail"]


async def test_faults_are_all_told_and_nothing_is_changed(client: httpx.AsyncClient, zoo: Service):
    before = zoo.knowledge.version
    bad = [
        FEEDS,
        {"op": "add_entity", "id": "X", "type": "Ghost"},
        {"op": "add_entity", "id": "Y", "type": "Animal", "properties": {"weight_kg": "heavy",
         "colour": "red"}},
        {"op": "add_relationship", "source": "A-1", "type": "FEEDS", "target": "K-77",
         "valid_from": "soon"},
        {"op": "expire_relationship", "source": "A-1", "type": "FEEDS", "target": "A-2"},
    ]  # fmt: skip

    response = await client.post("/admin/mutations", json={"mutations": bad})

    assert response.status_code == 422
    assert [error["where"] for error in response.json()["errors"]] == [
        "mutations.1.type",
        "mutations.2.properties.weight_kg",
        "mutations.2.properties.colour",
        "mutations.3.target",
        "mutations.3.valid_from",
        "mutations.4.type",
    ]
    assert zoo.knowledge.version == before


@pytest.mark.parametrize("number", ["NaN", "Infinity", "[1, NaN]"])
async def test_what_is_no_number_is_refused(client: httpx.AsyncClient, number: str):
    text = (
        '{"mutations": [{"op": "add_entity", "id": "A-9", "type": "Animal", '
        f'"properties": {{"weight_kg": {number}}}}}]}}'
    )

    response = await client.post(
        "/admin/mutations", content=text, headers={"content-type": "application/json"}
    )

    assert response.status_code == 422
    assert response.json()["errors"][0]["where"] == "mutations.0.properties.weight_kg"


async def test_an_unknown_operation_or_field_is_refused(client: httpx.AsyncClient):
    for bad in ({"op": "fly"}, {**FEEDS, "colour": "red"}, {"op": "remove_entity"}, "text"):
        response = await client.post("/admin/mutations", json={"mutations": [bad]})
        assert response.status_code == 422
        assert response.headers["content-type"] == "application/problem+json"


async def test_the_changelog_can_be_filtered_and_paged(client: httpx.AsyncClient):
    await mutate(client, FEEDS, author="ann")
    await mutate(client, {"op": "remove_entity", "id": "A-2"}, author="bob")

    async def of(**wanted: object) -> list[tuple[str, str]]:
        got = (await client.get("/admin/changes", params=wanted)).json()  # type: ignore[arg-type]  # texts and numbers
        return [(change["kind"], change["author"]) for change in got["changes"]]

    assert await of(author="ann") == [("put_edge", "ann")]
    assert await of(kind="drop_node") == [("drop_node", "bob")]
    assert await of(source="mutations") == [("put_edge", "ann")]
    assert await of(key="A-2") == [("put_node", "loader"), ("drop_node", "bob")]
    assert len(await of(limit=3)) == 3
    assert (await client.get("/admin/changes", params={"kind": "x"})).status_code == 422


@pytest.mark.parametrize(
    ("client_address", "headers"),
    [
        (("192.0.2.7", 1), {}),
        (None, {}),
        (("not an address", 1), {}),
        (("127.0.0.1", 1), {"x-forwarded-for": "192.0.2.7"}),
        (("127.0.0.1", 1), {"origin": "http://elsewhere.example"}),
    ],
)
async def test_admin_is_for_programs_of_this_machine_alone(
    zoo: Service, client_address: tuple[str, int], headers: dict[str, str]
):
    transport = httpx.ASGITransport(app=create_app(zoo), client=client_address)
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as far:
        asked = await far.post("/admin/mutations", json={"mutations": [FEEDS]}, headers=headers)
        read = await far.get("/admin/changes", headers=headers)
        answered = await far.post("/ask", json={"question": QUESTION}, headers=headers)

    assert (asked.status_code, read.status_code, answered.status_code) == (403, 403, 200)
    assert asked.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "127.8.8.8"])
async def test_every_loopback_address_is_this_machine(zoo: Service, address: str):
    transport = httpx.ASGITransport(app=create_app(zoo), client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as near:
        page = {"origin": "http://localhost:8080"}
        assert (await near.get("/admin/changes", headers=page)).status_code == 200


async def test_the_openapi_describes_the_admin_routes(client: httpx.AsyncClient):
    document = (await client.get("/openapi.json")).json()

    assert {p for p in document["paths"] if p.startswith("/admin")} == {
        "/admin/mutations",
        "/admin/changes",
        "/admin/changes/{sequence}/undo",
        "/admin/corrections",
        "/admin/corrections/{correction_id}",
        "/admin/load",
        "/admin/memory",
        "/admin/memory/explain",
        "/admin/memory/invalidate",
        "/admin/memory/statistics",
        "/admin/memory/{key}",
        "/admin/graph",
        "/admin/overview",
        "/admin/misroutes",
        "/admin/misroutes/export",
        "/admin/misroutes/{report_id}",
        "/admin/router/versions",
        "/admin/router/retrain",
        "/admin/router/rollback",
        "/admin/router/versions/{version}/promote",
    }
    text = json.dumps(document)
    references = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert references <= set(document["components"]["schemas"])


# --- loads ---------------------------------------------------------------------------------------


async def load(client: httpx.AsyncClient, directory: Path, **more: object) -> httpx.Response:
    asked = {"directory": str(directory), **more}
    return await client.post("/admin/load", json=asked, timeout=60)


@pytest.fixture
def data(zoo: Service, tmp_path: Path) -> Path:
    return tmp_path / "data"


async def test_a_load_into_a_running_service_is_seen_by_the_next_question(
    client: httpx.AsyncClient, data: Path
):
    edges = data / "edges.jsonl"
    await asyncio.to_thread(edges.write_text, edges.read_text() + json.dumps(
        {"source": "K-1", "target": "A-3", "type": "FEEDS"}) + "\nnot json\n")  # fmt: skip

    loaded = (await load(client, data)).json()

    assert (loaded["name"], loaded["n_changes"], loaded["n_rejected"]) == ("zoo", 1, 1)
    assert await ids(client) == ["K-1", "K-2"]


async def test_a_load_of_the_same_files_leaves_what_mutations_did(
    client: httpx.AsyncClient, data: Path
):
    await mutate(client, FEEDS, {"op": "remove_entity", "id": "K-2"})

    loaded = (await load(client, data)).json()

    assert (loaded["n_changes"], loaded["n_kept"]) == (0, 3)
    assert await ids(client) == ["K-1"]


async def test_a_changed_file_holds_over_a_mutation(client: httpx.AsyncClient, data: Path):
    rename = {"op": "add_entity", "id": "A-3", "type": "Animal", "name": "Bear"}
    await mutate(client, rename)
    nodes = data / "nodes.jsonl"
    await asyncio.to_thread(nodes.write_text, nodes.read_text().replace("Nanuk", "Aurora"))

    await load(client, data)

    assert await ids(client, "Who feeds Aurora?") == ["K-2"]


async def test_what_a_mutation_added_belongs_to_the_files_once_they_say_it(
    client: httpx.AsyncClient, data: Path
):
    await mutate(client, {"op": "add_entity", "id": "A-9", "type": "Animal", "name": "Zuri"},
                 {**FEEDS, "target": "A-9"})  # fmt: skip
    nodes = data / "nodes.jsonl"
    row = json.dumps({"id": "A-9", "type": "Animal", "name": "Zuri"})
    text = await asyncio.to_thread(nodes.read_text)
    await asyncio.to_thread(nodes.write_text, text + row + "\n")
    await load(client, data)
    assert await ids(client, "Who feeds Zuri?") == ["K-1"]

    await asyncio.to_thread(nodes.write_text, text)
    await load(client, data)

    gone = await client.get("/admin/changes", params={"kind": "drop_edge"})
    assert [change["source"] for change in gone.json()["changes"]] == ["mutations"]


async def test_a_directory_that_is_no_data_set_is_refused(client: httpx.AsyncClient, data: Path):
    assert (await load(client, data / "nowhere")).status_code == 422


async def test_a_changed_schema_must_be_accepted_when_it_changes_answers(
    client: httpx.AsyncClient, data: Path
):
    suite = [{"id": "q1", "query": "Who feeds Tembo?"},
             {"id": "q2", "query": QUESTION}]  # fmt: skip
    lines = "\n".join(json.dumps(row) for row in suite)
    await asyncio.to_thread((data / "questions.jsonl").write_text, lines)
    schema = data / "schema.yaml"
    text = await asyncio.to_thread(schema.read_text)
    told = text.replace("as_of: 2026-08-01", "as_of: 2025-06-01")
    await asyncio.to_thread(schema.write_text, told)

    refused = await load(client, data)
    accepted = await load(client, data, accept=True)
    again = await load(client, data)

    assert refused.status_code == 409
    assert [error["where"] for error in refused.json()["errors"]] == ["q1"]
    assert (accepted.status_code, accepted.json()["n_changes"]) == (200, 1)
    assert (again.status_code, again.json()["n_changes"]) == (200, 0)


async def test_new_values_are_no_change_of_the_schema(client: httpx.AsyncClient, data: Path):
    suite = json.dumps({"id": "q1", "query": "Which animals are parrots?"})
    await asyncio.to_thread((data / "questions.jsonl").write_text, suite)
    nodes = data / "nodes.jsonl"
    await asyncio.to_thread(nodes.write_text, nodes.read_text().replace('"parrot"', '"macaw"'))

    assert (await load(client, data)).status_code == 200


# --- readers and a writer ------------------------------------------------------------------------


async def test_a_reader_sees_before_or_after_and_never_between(zoo: Service):
    """Both keepers change places in one request; an answer has one of them, and its name."""
    asked = Question(text=QUESTION, tiers=(TierName.GRAPH, TierName.CAG))
    is_done = False
    seen: set[tuple[str, ...]] = set()

    async def read() -> None:
        while not is_done:
            again = await zoo.pipeline.recall(asked)
            answer = json.loads(again.body) if again else None
            if answer is None:
                made = await zoo.pipeline.ask(asked, Deadline.after(20))
                answer = {"result": made.result.to_json(), "answer": made.text}
            found = tuple(answer["result"]["ids"])
            seen.add(found)
            assert all(name in answer["answer"] for name in map(NAMES.__getitem__, found))
            await asyncio.sleep(0)

    async with changing_places(zoo) as swap, asyncio.TaskGroup() as readers:
        for _ in range(2):
            readers.create_task(read())
        for n in range(8):
            await swap(is_first=n % 2 == 0)
        is_done = True

    assert seen == {("K-1",), ("K-2",)}


NAMES = {"K-1": "Amelia Stone", "K-2": "Bruno Falk"}


@asynccontextmanager
async def changing_places(zoo: Service) -> AsyncIterator[Any]:
    transport = httpx.ASGITransport(app=create_app(zoo))
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:

        async def swap(*, is_first: bool) -> None:
            comes, goes = ("K-1", "K-2") if is_first else ("K-2", "K-1")
            gone = {"op": "expire_relationship", "source": goes, "type": "FEEDS", "target": "A-3"}
            await mutate(client, {**FEEDS, "source": comes}, gone)

        yield swap


async def test_the_overview_shows_what_holds_on_a_day_and_says_what_is_no_day(
    client: httpx.AsyncClient,
):
    now = (await client.get("/admin/overview")).json()
    then = (await client.get("/admin/overview?as_of=2025-06-01&risk=true")).json()
    few = (await client.get("/admin/overview?most=2")).json()
    wrong = await client.get("/admin/overview?as_of=yesterday")

    fed = ["K-2", "FEEDS", "A-1"]
    assert (now["as_of"], fed in now["relations"]) == ("2026-08-01", False)
    assert (then["as_of"], fed in then["relations"]) == ("2025-06-01", True)
    assert then["risk"] == {"events": [], "n_open": 0, "scores": {}, "n_at_risk": 0}
    assert (len(few["nodes"]), few["is_cut"]) == (2, True)
    assert wrong.status_code == 422
    assert "as_of" in wrong.json()["detail"]
