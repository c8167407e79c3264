"""Serving, loading and looking at the home from the command line."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from trivium.app.home import owner_of
from trivium.app.http import create_app
from trivium.app.service import Service, open_service
from trivium.app.serving import Connection
from trivium.app.settings import Settings
from trivium.app.terminal import Bars, report, say
from trivium.domain.errors import HomeError
from trivium.knowledge.dataset import read_dataset
from trivium.language.text import spoken

_Row = dict[str, Any]  # Any: JSON


async def serve(settings: Settings, *, load: Path | None) -> int:
    """Serve the home until the process is told to stop."""
    dataset = await asyncio.to_thread(read_dataset, load) if load else None
    with Bars() as bars:
        async with open_service(settings, bars) as service:
            if dataset is not None:
                committed = await service.knowledge.load(dataset, bars)
                report(dataset, committed.n_changes)
            await _Server(service).serve()
    return 0


class _Server(uvicorn.Server):
    """Uvicorn, telling where it serves once it does."""

    def __init__(self, service: Service) -> None:
        settings = service.settings
        super().__init__(
            uvicorn.Config(
                create_app(service),
                host=settings.host,
                port=settings.port,
                http=Connection,
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=int(settings.deadline_s) + 2,
            )
        )
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say where.

        Raises:
            HomeError: the address cannot be listened on.
        """
        settings = self._service.settings
        try:
            await super().startup(sockets)
        except SystemExit as error:
            where = f"{settings.host}:{settings.port}"
            raise HomeError(f"cannot listen on {where}: is it in use?") from error
        port = self.servers[0].sockets[0].getsockname()[1]
        url = f"http://{settings.host}:{port}"
        self._service.home.serves_at(url)
        say(f"Trivium serves at {url} (stop it with Ctrl-C). Try:\n")
        say(f"  curl -s {url}/ask -H 'content-type: application/json' \\")
        say(f"    -d '{json.dumps({'question': _example(self._service)})}'\n")


def _example(service: Service) -> str:
    """Return a question that the data at hand can answer."""
    for source, relation, target in service.lexicon.schema.triples():
        del relation
        return f"Which {spoken(target)}s have only one {spoken(source)}?"
    return "What do you know?"


async def load(settings: Settings, directory: Path) -> int:
    """Load a data set into the home."""
    owner = owner_of(settings.home)
    if owner is not None:
        raise HomeError(
            f"the home {settings.home} is served by process {owner.pid}: end it, load, and serve "
            "again, or start it with serve --load"
        )
    dataset = await asyncio.to_thread(read_dataset, directory)
    with Bars() as bars:
        async with open_service(settings, bars) as service:
            committed = await service.knowledge.load(dataset, bars)
    report(dataset, committed.n_changes)
    return 0


async def status(settings: Settings, *, as_json: bool) -> int:
    """Say who owns the home, and how each part of it is."""
    owner = owner_of(settings.home)
    if owner is not None and owner.url:
        async with httpx.AsyncClient(base_url=owner.url, timeout=10) as client:
            state: _Row = (await client.get("/readyz")).json()
        state = {"home": str(settings.home), "owner": owner.pid, "url": owner.url, **state}
    elif owner is not None:
        state = {"home": str(settings.home), "owner": owner.pid, "status": "busy, not serving"}
    else:
        async with open_service(settings) as service:
            parts = await service.knowledge.check()
            state = {
                "home": str(settings.home),
                "owner": None,
                "status": "ok" if set(parts.values()) == {"ok"} else "not ready",
                "knowledge_version": service.knowledge.version,
                "parts": parts,
            }
    print(json.dumps(state, indent=None if as_json else 2, ensure_ascii=False))
    return 0
