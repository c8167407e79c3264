"""An MCP server over Trivium's tools, by the official SDK; whatever carries its messages."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import mcp_types as types
import structlog
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from starlette.requests import ClientDisconnect, Request

from trivium.app.access import Caller
from trivium.app.bootstrap import VERSION
from trivium.app.leaving import unless_left
from trivium.app.requests import note, note_left
from trivium.app.tools import INSTRUCTIONS, RESOURCES, Tools
from trivium.domain.errors import InputError, NotFoundError, PlanError, TriviumError

Context: TypeAlias = ServerRequestContext[dict[str, Any], Request]  # Any: the SDK's own type
CallerOf: TypeAlias = Callable[[Request | None], Caller]
"""Says who calls; over pipes there is no request."""
Paged: TypeAlias = types.PaginatedRequestParams | None
McpServer: TypeAlias = Server[dict[str, Any]]  # Any: the SDK's own type

_JSON: Final = "application/json"
_READS: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

_log = structlog.get_logger(__name__)


def mcp_server(tools: Tools, caller_of: CallerOf) -> McpServer:
    """Return a server of tools; what fails is told to the model that called, to do better."""
    offered = [types.Tool(**tool, annotations=_READS) for tool in tools.all()]
    schemas = {tool.name: tool.input_schema for tool in offered}

    async def list_tools(_context: Context, _params: Paged) -> types.ListToolsResult:
        return types.ListToolsResult(tools=offered)

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return await _called(tools, params, context.request, caller_of(context.request))

    async def list_resources(_context: Context, _params: Paged) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=_resources())

    async def read_resource(
        context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        try:
            text = tools.read(params.uri, caller_of(context.request))
        except NotFoundError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        content = types.TextResourceContents(uri=params.uri, mime_type=_JSON, text=text)
        return types.ReadResourceResult(contents=[content])

    server: McpServer = Server(
        "trivium",
        version=VERSION,
        title="Trivium",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
    server.middleware.clear()  # its spans; ours are made elsewhere
    return server


async def _called(
    tools: Tools, params: types.CallToolRequestParams, request: Request | None, caller: Caller
) -> types.CallToolResult:
    """Return what a tool gives; work for a client that leaves is given up."""
    work = tools.call(params.name, params.arguments or {}, caller)
    try:
        said = await (work if request is None else unless_left(request, work))
    except TriviumError as error:
        return _failed(error)
    except ClientDisconnect:
        assert request is not None
        note_left(request)
        return _told("The client left before it was answered.", is_error=True)
    except Exception as error:  # noqa: BLE001  # a fault of ours is told to nobody but the log
        _log.error("tool_crashed", tool=params.name[:80], exc_info=error)
        return _told("This should not happen. The log has the details.", is_error=True)
    if request is not None and said.answer is not None:
        note(request, said.answer)
    return _told(said.text, said.value)


def _failed(error: TriviumError) -> types.CallToolResult:
    faults = error.errors if isinstance(error, InputError) else ()
    lines = [str(error), *(f"- {where}: {what}" for where, what in faults[1:])]
    if isinstance(error, PlanError):
        lines.append("Types, relations and properties are named as in the tool `schema`.")
    return _told("\n".join(lines), is_error=True)


def _told(
    text: str, value: dict[str, Any] | None = None, *, is_error: bool = False
) -> types.CallToolResult:
    content = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[content], structured_content=value, is_error=is_error)


def _resources() -> list[types.Resource]:
    return [
        types.Resource(name=uri.rpartition("/")[2], uri=uri, description=what, mime_type=_JSON)
        for uri, what in RESOURCES.items()
    ]
