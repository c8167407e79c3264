"""Who may do what: every route of the application, for every kind of caller."""

import io
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.responses import PlainTextResponse
from starlette.routing import Mount

from tests.conftest import logged
from tests.e2e.doors import asking
from trivium.app.access import ROLES, Access
from trivium.app.http import create_app, routed
from trivium.app.keys import KeyFile, Keyring, Role
from trivium.app.logs import configure_logs
from trivium.app.service import Service

CALLERS = ("nobody", "wrong", "asker", "other", "analyst", "admin", "far", "far_admin")
"""``asker`` asked for the answer in the table, ``other`` did not; those that are ``far`` are an
analyst and an admin of another tenant."""
QUESTION = {"question": "Who feeds Nanuk?", "tiers": ["graph"]}
CHAT = {"model": "trivium", "messages": [{"role": "user", "content": "Who feeds Nanuk?"}]}


Statuses = tuple[int, ...]
"""One for each caller."""


def all_with_a_key(status: int) -> Statuses:
    return (401, 401, *[status] * 6)


def whose_it_is_and_analysts(status: int) -> Statuses:
    return (401, 401, status, 403, status, status, 404, 404)


def admins(status: int) -> Statuses:
    return (401, 401, 403, 403, 403, status, 403, 403)


class Row(NamedTuple):
    """One route: what is sent, and what comes back."""

    path: str
    body: object
    expected: Statuses


EVERYBODY = (200,) * 8
DISMISS = {"decision": "dismiss"}
REMOVE = {"mutations": [{"op": "remove_entity", "id": "X"}]}
TABLE = {
    "GET /": Row("/", None, EVERYBODY),
    "GET /page/{file}": Row("/page/page.js", None, EVERYBODY),
    "GET /livez": Row("/livez", None, EVERYBODY),
    "GET /readyz": Row("/readyz", None, EVERYBODY),
    "GET /openapi.json": Row("/openapi.json", None, EVERYBODY),
    "HEAD /openapi.json": Row("/openapi.json", None, EVERYBODY),
    "GET /metrics": Row("/metrics", None, all_with_a_key(200)),
    "POST /ask": Row("/ask", QUESTION, all_with_a_key(200)),
    "POST /v1/chat/completions": Row("/v1/chat/completions", CHAT, all_with_a_key(200)),
    "GET /v1/models": Row("/v1/models", None, all_with_a_key(200)),
    "GET /v1/models/{model}": Row("/v1/models/trivium-rag", None, all_with_a_key(200)),
    "POST /mcp": Row("/mcp", {}, all_with_a_key(421)),  # the host of these tests is not its own
    "GET /answers/{answer_id}": Row("/answers/ID", None, whose_it_is_and_analysts(200)),
    "POST /answers/{answer_id}/rating": Row(
        "/answers/ID/rating", {"rating": "up"}, whose_it_is_and_analysts(201)
    ),
    "GET /admin/changes": Row("/admin/changes", None, admins(200)),
    "POST /admin/changes/{sequence}/undo": Row("/admin/changes/9999/undo", {}, admins(404)),
    "GET /admin/corrections": Row("/admin/corrections", None, admins(200)),
    "POST /admin/corrections/{correction_id}": Row("/admin/corrections/c", DISMISS, admins(404)),
    "GET /admin/graph": Row("/admin/graph", None, admins(200)),
    "GET /admin/overview": Row("/admin/overview", None, admins(200)),
    "POST /admin/load": Row("/admin/load", {"directory": "/nowhere"}, admins(422)),
    "GET /admin/memory": Row("/admin/memory", None, admins(200)),
    "GET /admin/memory/statistics": Row("/admin/memory/statistics", None, admins(200)),
    "POST /admin/memory/explain": Row(
        "/admin/memory/explain", {"question": "Who feeds Nanuk?"}, admins(200)
    ),
    "POST /admin/memory/invalidate": Row(
        "/admin/memory/invalidate", {"entity": "K-1", "dry_run": True}, admins(200)
    ),
    "GET /admin/memory/{key}": Row("/admin/memory/none", None, admins(404)),
    "DELETE /admin/memory/{key}": Row("/admin/memory/none", None, admins(404)),
    "GET /admin/misroutes": Row("/admin/misroutes", None, admins(200)),
    "POST /admin/misroutes": Row(
        "/admin/misroutes", {"action": "claim", "ids": ["m"]}, admins(200)
    ),
    "GET /admin/misroutes/export": Row("/admin/misroutes/export", None, admins(200)),
    "GET /admin/misroutes/{report_id}": Row("/admin/misroutes/m", None, admins(404)),
    "POST /admin/misroutes/{report_id}": Row(
        "/admin/misroutes/m", {"action": "claim"}, admins(404)
    ),
    "POST /admin/mutations": Row("/admin/mutations", REMOVE, admins(200)),
    "GET /admin/router/versions": Row("/admin/router/versions", None, admins(200)),
    "POST /admin/router/retrain": Row("/admin/router/retrain", None, admins(200)),
    "POST /admin/router/rollback": Row("/admin/router/rollback", None, admins(409)),
    "POST /admin/router/versions/{version}/promote": Row(
        "/admin/router/versions/none/promote", None, admins(404)
    ),
}
ELSEWHERE = {"GET /nowhere": 404, "GET /admin/nowhere": 404, "DELETE /ask": 405}
"""What is no route: strangers are not told so."""


class Kept(NamedTuple):
    """A service with keys, and the keys."""

    service: Service
    keys: dict[str, str]

    def headers(self, caller: str) -> dict[str, str]:
        key = self.keys.get(caller)
        return {"authorization": f"Bearer {key}"} if key else {}


@pytest.fixture
def kept(zoo: Service, tmp_path: Path) -> Kept:
    """The zoo with a key for each caller."""
    file = KeyFile(tmp_path / "keys.json")
    roles = {
        "asker": Role.ASKER, "other": Role.ASKER, "analyst": Role.ANALYST, "admin": Role.ADMIN,
        "far": Role.ANALYST, "far_admin": Role.ADMIN,
    }  # fmt: skip
    keys = {"wrong": "trv_" + "x" * 43}
    for name, role in roles.items():
        tenant = "acme" if name.startswith("far") else "default"
        keys[name] = file.add(name, role, tenant=tenant, created="2026-08-01T12:00:00+00:00")
    settings = zoo.settings.model_copy(update={"hosts": ""})
    return Kept(replace(zoo, keys=Keyring(file), settings=settings), keys)


@pytest.fixture
async def door(kept: Kept) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the zoo that has keys."""
    async with asking(create_app(kept.service)) as client:
        yield client


async def ask(door: httpx.AsyncClient, kept: Kept, caller: str, **more: object) -> dict[str, Any]:
    response = await door.post("/ask", json={**QUESTION, **more}, headers=kept.headers(caller))
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


# --- the table -----------------------------------------------------------------------------------


def routes_of(app: FastAPI) -> set[str]:
    return {
        f"{method} {route.path_format}"
        for route in iter_route_contexts(app.routes)
        for method in route.methods or {"ANY"}
    }


def test_every_route_stands_in_both_tables(zoo: Service):
    found = routes_of(routed(zoo))

    assert found == set(TABLE)
    assert {name for name in found if not name.startswith("HEAD")} == set(ROLES)


@pytest.mark.parametrize("name", TABLE)
async def test_each_caller_may_do_what_the_table_says(
    name: str, door: httpx.AsyncClient, kept: Kept
):
    row, method = TABLE[name], name.partition(" ")[0]
    answer = await ask(door, kept, "asker")
    statuses = []
    for caller in CALLERS:
        response = await door.request(
            method,
            row.path.replace("ID", answer["id"]),
            json=row.body,
            headers=kept.headers(caller),
        )
        statuses.append(response.status_code)
        if response.status_code >= 400:
            is_theirs = row.path.startswith("/v1/")
            media = "application/json" if is_theirs else "application/problem+json"
            assert response.headers["content-type"] == media
            assert ("error" in response.json()) == is_theirs
        assert ("www-authenticate" in response.headers) == (response.status_code == 401)

    assert dict(zip(CALLERS, statuses, strict=True)) == dict(
        zip(CALLERS, row.expected, strict=True)
    )


@pytest.mark.parametrize("name", ELSEWHERE)
async def test_strangers_are_not_told_what_is_not_there(
    name: str, door: httpx.AsyncClient, kept: Kept
):
    method, path = name.split(" ")

    statuses = [
        (await door.request(method, path, headers=kept.headers(caller))).status_code
        for caller in ("nobody", "wrong", "asker")
    ]

    assert statuses == [401, 401, ELSEWHERE[name]]


async def test_a_route_that_nobody_gave_a_role_is_for_admins(kept: Kept):
    app = routed(kept.service)
    app.mount("/mounted", PlainTextResponse("in"))
    app.add_api_route("/new", lambda: "in")

    async with asking(Access(app, kept.service.keys, ())) as client:
        for path in ("/new", "/mounted/deep"):
            statuses = [
                (await client.get(path, headers=kept.headers(caller))).status_code
                for caller in CALLERS
            ]
            assert statuses == [401, 401, 403, 403, 403, 200, 403, 403]
    assert any(isinstance(route, Mount) for route in app.routes)


async def test_a_connection_of_another_kind_is_closed(kept: Kept):
    said = []

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        said.append(message["type"])

    app = create_app(kept.service)
    await app({"type": "websocket", "path": "/ask", "headers": []}, receive, send)

    assert said == ["websocket.close"]


# --- showing a key -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shown",
    [
        lambda key: {"authorization": f"Bearer {key}"},
        lambda key: {"Authorization": f"bearer   {key} "},
        lambda key: {"x-api-key": key},
        lambda key: {"x-api-key": key, "authorization": "Basic eDp5"},
        lambda key: {"x-api-key": key, "authorization": "Bearer "},
    ],
)
async def test_a_key_can_be_shown_in_two_ways(
    door: httpx.AsyncClient, kept: Kept, shown: Callable[[str], dict[str, str]]
):
    response = await door.get("/metrics", headers=shown(kept.keys["asker"]))

    assert response.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer"},
        {"authorization": "Bearer trv_x", "x-api-key": "KEY"},
        {"authorization": "Basic KEY"},
        {"authorization": "KEY"},
        {"x-api-key": ""},
        {"x-api-key": "KEY, KEY"},
        {"cookie": "key=KEY"},
    ],
)
async def test_what_is_no_key_is_refused(
    door: httpx.AsyncClient, kept: Kept, headers: dict[str, str]
):
    given = {name: value.replace("KEY", kept.keys["admin"]) for name, value in headers.items()}

    response = await door.get(f"/metrics?key={kept.keys['admin']}", headers=given)

    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith('Bearer realm="trivium"')


async def test_a_refusal_says_what_is_needed(door: httpx.AsyncClient, kept: Kept):
    unknown = await door.get("/admin/graph")
    small = await door.get("/admin/graph", headers=kept.headers("analyst"))
    far = await door.get("/admin/graph", headers=kept.headers("far_admin"))
    answer = await ask(door, kept, "asker")
    others = await door.get(f"/answers/{answer['id']}", headers=kept.headers("other"))

    assert "Authorization: Bearer" in unknown.json()["detail"]
    assert "role admin" in small.json()["detail"]
    assert "'default'" in far.json()["detail"]
    assert "role analyst" in others.json()["detail"]


async def test_strangers_see_of_readyz_the_status_alone(door: httpx.AsyncClient, kept: Kept):
    strange = await door.get("/readyz")
    known = await door.get("/readyz", headers=kept.headers("asker"))

    assert strange.json() == {"status": "ok"}
    assert "journal" in known.json()["parts"]


async def test_a_removed_key_is_refused_at_once(
    door: httpx.AsyncClient, kept: Kept, tmp_path: Path
):
    KeyFile(tmp_path / "keys.json").remove("asker")

    assert (await door.get("/metrics", headers=kept.headers("asker"))).status_code == 401


async def test_no_key_is_ever_logged(
    door: httpx.AsyncClient, kept: Kept, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    configure_logs("debug", "json", stream)
    answer = await ask(door, kept, "asker")
    said = [answer]
    for caller in CALLERS:
        for path in ("/admin/graph", f"/answers/{answer['id']}", "/nowhere"):
            response = await door.get(path, headers=kept.headers(caller))
            said.append(response.json())

    async def crash(*_: object) -> None:
        raise RuntimeError("crash")

    monkeypatch.setattr(type(kept.service.answers), "get", crash)
    await door.get(f"/answers/{answer['id']}", headers=kept.headers("admin"))

    text = stream.getvalue() + json.dumps(said) + repr(kept.service.keys)
    assert [name for name, key in kept.keys.items() if key in text] == []
    lines = [line for line in logged(stream) if line["event"] == "request"]
    assert "request_crashed" in text
    assert [line.get("principal") for line in lines[:3]] == ["asker", None, None]
    assert (lines[2]["route"], lines[2]["status"]) == ("/answers/{answer_id}", 401)


# --- whose question, rating and change it is -----------------------------------------------------


async def test_tenant_principal_and_rater_are_those_of_the_key(door: httpx.AsyncClient, kept: Kept):
    claims = {"tenant": "acme", "principal": "admin"}
    answer = await ask(door, kept, "asker", **claims)
    said = {"rating": "down", "rater": "admin", **claims}
    rated = await door.post(
        f"/answers/{answer['id']}/rating", json=said, headers=kept.headers("analyst")
    )

    asked = await kept.service.answers.get(answer["id"], "default")
    (rating,) = await kept.service.ratings.of(answer["id"], "default")
    assert rated.status_code == 201
    assert asked is not None
    assert (asked["tenant"], asked["principal"]) == ("default", "asker")
    assert (rating.tenant, rating.rater) == ("default", "analyst")
    assert await kept.service.ratings.of(answer["id"], "acme") == ()


async def test_c10_a_header_that_claims_a_tenant_changes_nothing(
    door: httpx.AsyncClient, kept: Kept
):
    await ask(door, kept, "asker")
    headers = {**kept.headers("far"), "X-Tenant-Id": "default"}
    answer = (await door.post("/ask", json=QUESTION, headers=headers)).json()
    assert (answer["status"], answer["cache"]["hit"]) == ("abstained", False)


async def test_the_author_of_a_change_is_the_key(door: httpx.AsyncClient, kept: Kept):
    feeds = {"op": "add_relationship", "source": "K-1", "type": "FEEDS", "target": "A-3"}
    headers = kept.headers("admin")
    body = {"mutations": [feeds], "author": "somebody"}

    made = (await door.post("/admin/mutations", json=body, headers=headers)).json()["changes"][0]
    undo = f"/admin/changes/{made['sequence']}/undo"
    undone = (await door.post(undo, json={"author": "x"}, headers=headers)).json()["changes"][0]

    assert (made["author"], undone["author"]) == ("admin", "admin")


async def test_who_decides_a_correction_is_the_key(door: httpx.AsyncClient, kept: Kept):
    answer = await ask(door, kept, "asker")
    said = {
        "rating": "down",
        "reason": "wrong_answer",
        "misread": [{"words": "big bird", "means": {"entity": "A-2"}}],
    }
    path = f"/answers/{answer['id']}/rating"
    await door.post(path, json=said, headers=kept.headers("asker"))
    headers = kept.headers("admin")

    (found,) = (await door.get("/admin/corrections", headers=headers)).json()["corrections"]
    decided = await door.post(
        f"/admin/corrections/{found['id']}",
        json={"decision": "confirm", "author": "x"},
        headers=headers,
    )

    assert (found["rater"], decided.json()["decided_by"]) == ("asker", "admin")


async def test_each_key_has_a_memory_of_its_own(door: httpx.AsyncClient, kept: Kept):
    hits = [
        (await ask(door, kept, caller))["cache"]["hit"] for caller in ("asker", "other", "asker")
    ]

    assert hits == [False, False, True]


@pytest.mark.parametrize(
    "asked",
    [
        {"question": "Who feeds Nanuk?", "tiers": ["graph"]},
        {"question": "How heavy is Kiki?", "tiers": ["cag"]},
        {"question": "What fine does a visitor pay?", "tiers": ["rag"]},
        {"question": "Who feeds Nanuk?"},
        {"question": "Which animals are there?"},
    ],
)
async def test_another_tenant_learns_nothing_of_what_is_known_here(
    door: httpx.AsyncClient, kept: Kept, asked: dict[str, object]
):
    own = await door.post("/ask", json=asked, headers=kept.headers("asker"))
    far = await door.post("/ask", json=asked, headers=kept.headers("far"))

    assert own.json()["status"] == "answered"
    assert far.status_code == 200
    assert far.json()["status"] == "abstained"
    assert (far.json()["citations"], far.json()["candidates"]) == ([], [])
    text = json.dumps({k: v for k, v in far.json().items() if k != "route"})
    for name in ("K-2", "Bruno", "A-3", "60 euros", "parrot"):
        assert name not in text


# --- without keys --------------------------------------------------------------------------------


async def test_without_keys_whoever_is_here_may_do_all(client: httpx.AsyncClient):
    answer = (await client.post("/ask", json=QUESTION)).json()
    said = {"rating": "up", "rater": "ann"}

    assert (await client.get(f"/answers/{answer['id']}")).status_code == 200
    rated = await client.post(f"/answers/{answer['id']}/rating", json=said)
    assert rated.status_code == 201
    assert (await client.get("/admin/graph")).status_code == 200
    assert "parts" in (await client.get("/readyz")).json()


async def test_a_route_that_nobody_gave_a_role_is_for_this_machine(zoo: Service):
    app = routed(zoo)
    app.add_api_route("/new", lambda: "in")

    async with asking(Access(app, zoo.keys, ["zoo"])) as far:
        assert (await far.get("/new")).status_code == 403


# --- what the OpenAPI says -----------------------------------------------------------------------


async def test_the_openapi_says_which_role_each_operation_needs(door: httpx.AsyncClient):
    document = (await door.get("/openapi.json")).json()

    schemes = document["components"]["securitySchemes"]
    assert schemes["bearer"] == {"type": "http", "scheme": "bearer"}
    assert schemes["header"] == {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            role = ROLES[f"{method.upper()} {path}"]
            assert operation.get("x-role") == role
            assert bool(operation["security"]) == (role is not None)
            assert ({"401", "403"} <= set(operation["responses"])) == (role is not None)


# --- pages of somebody else --------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/ask", "/v1/models", "/admin/changes", "/"])
async def test_without_keys_a_host_that_is_not_ours_is_refused(zoo: Service, path: str):
    """A page may resolve its own name to this machine, and would then be of the same origin."""
    async with asking(create_app(zoo)) as client:
        method = "POST" if path == "/ask" else "GET"
        refused = await client.request(method, path, json=QUESTION, headers={"host": "evil.test"})
        near = await client.get("/v1/models", headers={"host": "localhost:8080"})
        asked = await client.get("/livez", headers={"host": "evil.test"})

    assert refused.status_code == 421
    assert "TRIVIUM_HOSTS" in refused.text
    assert (near.status_code, asked.status_code) == (200, 200)


async def test_with_keys_the_host_says_nothing(kept: Kept):
    async with asking(create_app(kept.service)) as client:
        headers = {"host": "trivium.example.com", "authorization": f"Bearer {kept.keys['asker']}"}
        assert (await client.get("/v1/models", headers=headers)).status_code == 200


async def test_pages_that_are_named_may_be_shown_what_comes_back_and_others_not(zoo: Service):
    inspector = "http://localhost:6274"
    settings = zoo.settings.model_copy(update={"cors_origins": inspector})
    preflight = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,mcp-protocol-version",
    }
    async with (
        asking(create_app(replace(zoo, settings=settings))) as client,
        asking(create_app(zoo)) as usual,
    ):
        may = await client.options("/mcp", headers={**preflight, "origin": inspector})
        may_not = await client.options("/mcp", headers={**preflight, "origin": "http://evil.test"})
        told = await client.post("/ask", json=QUESTION, headers={"origin": inspector})
        untold = await usual.post("/ask", json=QUESTION, headers={"origin": inspector})

    assert may.headers["access-control-allow-origin"] == inspector
    assert "mcp-protocol-version" in may.headers["access-control-allow-headers"]
    assert may_not.status_code == 400
    assert "access-control-allow-origin" not in may_not.headers
    assert told.headers["access-control-allow-origin"] == inspector
    assert "access-control-allow-origin" not in untold.headers
