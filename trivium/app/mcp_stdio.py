"""``trivium mcp``: the MCP door over standard input and output, for programs that start it."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from trivium.app.access import Caller
from trivium.app.asking import own_service
from trivium.app.bootstrap import VERSION, open_service
from trivium.app.home import owner_of
from trivium.app.keys import Role
from trivium.app.mcp_server import Context, McpServer, Paged, mcp_server
from trivium.app.owner import key_headers
from trivium.app.settings import Settings
from trivium.app.tools import INSTRUCTIONS, Tools
from trivium.domain.errors import HomeError

_HERE: Final = Caller(role=Role.ASKER, name="command line")


async def serve_pipes(settings: Settings, data: Path | None) -> int:
    """Serve until standard input ends: the home, or who serves it, or a data set alone."""
    async with _server(settings, data) as server, stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
    return 0


@asynccontextmanager
async def _server(settings: Settings, data: Path | None) -> AsyncIterator[McpServer]:
    if data is not None:
        with tempfile.TemporaryDirectory(prefix="trivium-") as folder:
            async with own_service(settings, data, Path(folder)) as service:
                yield mcp_server(Tools(service), lambda _: _HERE)
    elif (owner := owner_of(settings.home)) is None:
        async with open_service(settings) as service:
            yield mcp_server(Tools(service), lambda _: _HERE)
    elif owner.url:
        timeout_s = settings.max_deadline_s + 5
        http = httpx2.AsyncClient(headers=key_headers(settings), timeout=timeout_s, trust_env=False)
        async with http, Client(streamable_http_client(f"{owner.url}/mcp", http_client=http)) as it:
            yield passing_on(it)
    else:
        raise HomeError(f"the home {settings.home} is in use by process {owner.pid}")


def passing_on(client: Client) -> McpServer:
    """Return a server that has the running service do it all."""

    async def list_tools(_context: Context, _params: Paged) -> types.ListToolsResult:
        return await client.list_tools()

    async def call_tool(
        _context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return await client.call_tool(params.name, params.arguments)

    async def list_resources(_context: Context, _params: Paged) -> types.ListResourcesResult:
        return await client.list_resources()

    async def read_resource(
        _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await client.read_resource(params.uri)

    return Server(
        "trivium",
        version=VERSION,
        title="Trivium",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
