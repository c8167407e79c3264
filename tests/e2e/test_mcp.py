"""The MCP door, through the SDK's own client."""

import asyncio
import io
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, TextResourceContents

from tests.conftest import logged
from tests.e2e.conftest import ROOT, settings_for
from tests.zoo import write_zoo
from tiers.graphrag.operating import ALONE
from trivium.app.bootstrap import open_service
from trivium.app.http import create_app
from trivium.app.keys import KeyFile, Keyring, Role
from trivium.app.logs import configure_logs
from trivium.app.mcp_stdio import passing_on
from trivium.app.service import Service
from trivium.knowledge.dataset import read_dataset

ERAS = ("auto", "legacy")
"""The protocol as it is now, and as it was with a handshake."""


@asynccontextmanager
async def connected(
    service: Service, mode: str = "auto", headers: dict[str, str] | None = None
) -> AsyncIterator[Client]:
    """Connect over HTTP, in process."""
    transport = httpx2.ASGITransport(create_app(service), client=("127.0.0.1", 1))
    http = httpx2.AsyncClient(transport=transport, headers=headers)
    url = "http://localhost:8080/mcp"
    async with http, Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        yield client


async def call(client: Client, tool: str, **arguments: object) -> Any:
    """Return what a tool gives as data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: object) -> str:
    """Return what a model is told of a call that failed."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_lists_tools_and_asks(zoo: Service, mode: str):
    async with connected(zoo, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        result = await client.call_tool("ask", {"question": "Who feeds Nanuk?"})

    assert set(tools) == {"ask", "route", "schema", *ALONE, "run_plan"}
    assert all(t.annotations and t.annotations.read_only_hint for t in tools.values())
    assert result.structured_content["result"] == {"kind": "nodes", "ids": ["K-2"]}
    assert "Bruno Falk" in text_of(result)
    assert "[1]" in text_of(result)


async def test_an_answer_is_the_one_of_the_door_and_can_be_looked_up(
    zoo: Service, client: httpx.AsyncClient
):
    async with connected(zoo) as mcp:
        told = await call(
            mcp, "ask", question="Who feeds Tembo?", tiers=["graph"], as_of="2025-06-01"
        )

    found = (await client.get(f"/answers/{told['id']}")).json()
    assert told["result"]["ids"] == ["K-1", "K-2"]
    assert found["answer"] == told["answer"]
    assert found["asked"]["as_of"] == "2025-06-01"


async def test_route_says_where_a_question_would_go(zoo: Service):
    async with connected(zoo) as client:
        told = await call(client, "route", question="Which animals does Amelia Stone feed?")

    assert told["tiers"] == ["graph"]
    assert told["reasons"]


async def test_an_operator_looks_at_the_day_that_is_asked_for(zoo: Service):
    async with connected(zoo) as client:
        now = await call(client, "get_neighbors", nodes=["A-1"], relation="FEEDS")
        then = await call(
            client, "get_neighbors", nodes=["A-1"], relation="FEEDS", as_of="2025-06-01"
        )

    assert now["outcome"] == {"n": 1, "first": ["K-1"]}
    assert now["as_of"] == "2026-08-01"
    assert then["outcome"]["first"] == ["K-1", "K-2"]
    assert then["names"] == {"K-1": "Amelia Stone", "K-2": "Bruno Falk"}
    assert "MATCH" in then["cypher"]
    assert then["partial"] is None


async def test_a_plan_joins_operators(zoo: Service):
    steps = [
        {"step": "s1", "operator": "get_neighbors", "arguments": {"nodes": ["K-1"]}},
        {"step": "s2", "operator": "set_complement",
         "arguments": {"type": "Animal", "nodes": "$s1"}},
    ]  # fmt: skip
    async with connected(zoo) as client:
        told = await call(client, "run_plan", understood="", steps=steps, form="nodes")

    assert told["result"] == {"kind": "nodes", "ids": ["A-3"]}
    assert [step["operator"] for step in told["steps"]] == ["get_neighbors", "set_complement"]


async def test_what_a_budget_cuts_is_said(tmp_path: Path, encoder_dir: Path):
    settings = settings_for(tmp_path / "home", encoder_dir, graph_max_nodes=1)
    async with open_service(settings) as service:
        await service.knowledge.load(read_dataset(write_zoo(tmp_path / "data")))
        async with connected(service) as client:
            told = await call(client, "get_neighbors", nodes=["K-1"])

    assert told["outcome"]["n"] == 1
    assert told["budget"]["exhausted"]
    assert "Only a part was looked at" in told["partial"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("ask", {}, "question: is missing"),
        ("ask", {"question": " "}, "the question is blank"),
        ("ask", {"question": "Who?", "as_of": "soon"}, "soon"),
        ("ask", {"question": "Who?", "deadline_s": 500}, "at most 60 s"),
        ("route", {"question": 7}, "must be a text"),
        ("get_neighbors", {}, "missing a required argument: 'nodes'"),
        ("get_neighbors", {"nodes": "A-1"}, "nodes cannot be 'A-1'"),
        ("get_neighbors", {"nodes": ["A-1"], "sort": 1}, "takes no 'sort'"),
        ("get_neighbors", {"nodes": ["A-1"], "as_of": "soon"}, "no day, instant or period"),
        ("find_nodes", {"type": "Ship"}, "the schema has no type 'Ship'"),
        ("find_nodes", {"type": "$s1"}, "step 's1' does not come before it"),
        ("get_node", {"id": "A-77"}, "no entity has the id 'A-77'"),
        ("run_plan", {}, "a plan has a list of steps"),
        ("run_plan", {"steps": [{"operator": "drop"}]}, "no operator is called 'drop'"),
        ("run_plan", {"steps": [], "form": "poem"}, "'poem' is none of nodes, ranking"),
        ("count_nodes", {"nodes": ["A-1"]}, "No tool is called 'count_nodes'; there are: ask"),
    ],
)
async def test_a_model_is_told_what_was_wrong_with_its_call(
    zoo: Service, tool: str, arguments: dict[str, object], told: str
):
    async with connected(zoo) as client:
        assert told in await refused(client, tool, **arguments)
        assert (await call(client, "get_node", id="A-1"))["outcome"]["name"] == "Tembo"


async def test_a_plan_has_no_more_steps_than_that_of_a_model(zoo: Service):
    step = {"operator": "find_nodes", "arguments": {}}
    steps = [{**step, "step": f"s{n}"} for n in range(9)]
    async with connected(zoo) as client:
        told = await refused(client, "run_plan", understood="", steps=steps, form="nodes")

    assert "9 steps, more than 8" in told


async def test_calls_that_fail_shut_nobody_out(zoo: Service):
    async with connected(zoo) as client:
        for _ in range(20):
            await refused(client, "get_node", id="A-77")

        assert await call(client, "get_node", id="A-1")


async def test_a_fault_of_ours_is_told_to_the_log_alone(
    zoo: Service, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    async def crash(*_: object) -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(Service, "ask", crash)
    for mode in ERAS:
        async with connected(zoo, mode) as client:
            told = await refused(client, "ask", question="Who feeds Nanuk?")
            assert told == "This should not happen. The log has the details."

    assert [line["tool"] for line in logged(stream) if line["event"] == "tool_crashed"] == [
        "ask"
    ] * 2


async def test_the_log_says_which_answer_was_given_and_no_question(
    zoo: Service, stream: io.StringIO
):
    async with connected(zoo) as client:
        told = await call(client, "ask", question="Who feeds Nanuk?")

    lines = [line for line in logged(stream) if line.get("answer")]
    assert [(line["route"], line["answer"]) for line in lines] == [("/mcp", told["id"])]
    assert "Nanuk" not in stream.getvalue()


async def test_a_client_that_leaves_ends_the_work_for_it(
    zoo: Service, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    begun, ended = asyncio.Event(), asyncio.Event()

    async def work(*_: object) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(Service, "ask", work)
    asked = {"name": "ask", "arguments": {"question": "Who feeds Nanuk?"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}).encode()
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await begun.wait()
        return {"type": "http.disconnect"}

    async def send(_message: object) -> None:
        """Nobody listens."""

    headers = {**HEADERS, "content-type": "application/json"}
    scope = {
        "type": "http", "method": "POST", "path": "/mcp", "raw_path": b"/mcp", "scheme": "http",
        "query_string": b"", "client": ("127.0.0.1", 1), "server": ("localhost", 8080),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
    }  # fmt: skip
    async with asyncio.timeout(30):
        await create_app(zoo)(scope, receive, send)

    assert ended.is_set()
    assert [line["event"] for line in logged(stream)] == ["request"]


# --- resources -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ERAS)
async def test_the_schema_is_a_resource_and_a_tool(zoo: Service, mode: str):
    async with connected(zoo, mode) as client:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        schema, operators = [await read(client, uri) for uri in uris]
        told = await call(client, "schema")
        with pytest.raises(MCPError, match="there are: trivium://schema"):
            await client.read_resource("trivium://other")

    assert uris == ["trivium://schema", "trivium://operators"]
    assert schema == told
    assert schema["relation_types"]["LIVES_IN"]["ends"] == [["Animal", "House"]]
    assert {"find_nodes", "count_nodes"} <= {tool["name"] for tool in operators["operators"]}


async def read(client: Client, uri: str) -> Any:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return json.loads(content.text)


# --- who may come in -----------------------------------------------------------------------------


HEADERS = {"accept": "application/json, text/event-stream", "host": "localhost:8080"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "127.0.0.1:8080"}, 200),
        ({"host": "[::1]:8080", "origin": "http://localhost:6274"}, 200),
        ({"host": "ours.example", "origin": "https://ours.example"}, 200),
        ({"host": "evil.example:8080"}, 421),
        ({"host": "localhost.evil.example"}, 421),
        ({"host": ""}, 421),
        ({"origin": "https://page.example"}, 200),
        ({"origin": "http://page.example"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
async def test_host_and_origin_must_be_ours(zoo: Service, headers: dict[str, str], status: int):
    """S11; each refusal names the setting that would have let it in."""
    named = {"hosts": "elsewhere.example, ours.example", "cors_origins": "https://page.example"}
    ours = zoo.settings.model_copy(update=named)
    transport = httpx.ASGITransport(create_app(replace(zoo, settings=ours)))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        response = await http.post("/mcp", json=PING, headers={**HEADERS, **headers})

    assert response.status_code == status
    if status != 200:
        assert response.headers["content-type"] == "application/problem+json"
        setting = {421: "TRIVIUM_HOSTS", 403: "TRIVIUM_CORS_ORIGINS"}[status]
        assert setting in response.json()["detail"]


@pytest.mark.parametrize(
    ("method", "content", "headers", "status"),
    [
        ("GET", b"", {}, 405),
        ("DELETE", b"", {}, 405),
        ("POST", b"{}", {"content-type": "text/plain"}, 415),
        ("POST", b" " * 300_000, {"content-type": "application/json"}, 413),
    ],
)
async def test_what_is_no_message_is_a_problem(
    zoo: Service, method: str, content: bytes, headers: dict[str, str], status: int
):
    transport = httpx.ASGITransport(create_app(zoo))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        response = await http.request(
            method, "/mcp", content=content, headers={**HEADERS, **headers}
        )

    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


async def test_a_status_is_logged_as_a_number(zoo: Service, stream: io.StringIO):
    configure_logs("info", "text", stream)
    transport = httpx.ASGITransport(create_app(zoo))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        response = await http.post("/mcp", json=PING, headers={"accept": "text/html"})

    assert response.status_code == 406
    assert "HTTPStatus" not in stream.getvalue()
    assert "406" in stream.getvalue()


@pytest.fixture
def keyed(zoo: Service, tmp_path: Path) -> tuple[Service, dict[str, dict[str, str]]]:
    """The zoo with keys, and the headers that show them."""
    file = KeyFile(tmp_path / "keys.json")
    keys = {
        name: file.add(name, Role.ASKER, tenant=tenant, created="2026-08-01T12:00:00+00:00")
        for name, tenant in (("asker", "default"), ("far", "acme"))
    }
    shown = {name: {"authorization": f"Bearer {key}"} for name, key in keys.items()}
    return replace(zoo, keys=Keyring(file)), shown


@pytest.mark.parametrize("mode", ERAS)
async def test_who_asks_is_said_by_the_key(
    keyed: tuple[Service, dict[str, dict[str, str]]], mode: str
):
    service, shown = keyed
    async with connected(service, mode, shown["asker"]) as client:
        told = await call(client, "ask", question="Who feeds Nanuk?", principal="admin")

    asked = await service.answers.get(told["id"], "default")
    assert asked is not None
    assert asked["principal"] == "asker"


async def test_another_tenant_learns_nothing_of_what_is_known_here(
    keyed: tuple[Service, dict[str, dict[str, str]]],
):
    service, shown = keyed
    async with connected(service, headers=shown["far"]) as client:
        said = [
            await call(client, "ask", question="Who feeds Nanuk?"),
            await call(client, "schema"),
            await read(client, "trivium://schema"),
            *[await refused(client, tool, id="A-3") for tool in ("get_node", "find_nodes")],
        ]
        route = await call(client, "route", question="Who feeds Nanuk?")

    assert said[0]["status"] == "abstained"
    assert "no graph here" in said[3]
    text = json.dumps([{k: v for k, v in said[0].items() if k != "route"}, *said[1:]])
    assert not [name for name in ("Bruno", "K-2", "FEEDS", "polar") if name in text]
    assert "Animal" not in json.dumps(route)


# --- over pipes ----------------------------------------------------------------------------------


async def test_over_pipes_the_running_service_does_it_all(zoo: Service):
    async with connected(zoo) as client, Client(passing_on(client)) as mine:
        told = await call(mine, "ask", question="Who feeds Nanuk?")
        why = await refused(mine, "get_node", id="A-77")
        names = {tool.name for tool in (await mine.list_tools()).tools}
        schema = await read(mine, "trivium://schema")

    assert told["result"]["ids"] == ["K-2"]
    assert "no entity has the id" in why
    assert "run_plan" in names
    assert schema["name"] == "zoo"


@pytest.mark.slow
async def test_the_command_serves_a_data_set_over_pipes(tmp_path: Path, encoder_dir: Path):
    data = write_zoo(tmp_path / "data")
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "trivium.app.cli", "mcp", "--data", str(data)],
        env={"TRIVIUM_ENCODER_DIR": str(encoder_dir), "TRIVIUM_HOME": str(tmp_path / "home")},
        cwd=ROOT,
    )
    async with Client(command) as client:
        told = await call(client, "ask", question="Who feeds Nanuk?")

    assert told["result"]["ids"] == ["K-2"]
