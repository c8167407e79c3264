"""``trivium mcp`` on the command line; the SDK of MCP is loaded only when it is asked for."""

import argparse
from pathlib import Path

from trivium.app.arguments import Commands
from trivium.app.settings import Settings


def add_to(commands: Commands) -> None:
    """Add ``trivium mcp`` to the command line."""
    parts = commands.add_parser("mcp", help="serve tools for models over standard input and output")
    parts.set_defaults(run=_serve)
    parts.add_argument("--data", type=Path, metavar="DIR", help="know this data set alone")


async def _serve(options: argparse.Namespace, settings: Settings) -> int:
    from trivium.app.mcp_stdio import serve_pipes  # noqa: PLC0415  # 0.5 s that this alone needs

    return await serve_pipes(settings, options.data)
