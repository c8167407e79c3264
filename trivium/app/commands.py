"""Serving the home and looking at it from the command line."""

import asyncio
import gc
import json
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import uvicorn

from trivium.app.access import see_that_it_may_serve
from trivium.app.admission import Room
from trivium.app.bootstrap import open_service
from trivium.app.health import Status, without_credentials
from trivium.app.home import owner_of
from trivium.app.http import create_app
from trivium.app.keys import Keyring
from trivium.app.loading import load_into
from trivium.app.owner import client_of
from trivium.app.service import Service
from trivium.app.serving import Connection
from trivium.app.settings import Settings
from trivium.app.shedding import Shedding
from trivium.app.terminal import Bars, report, say, show_status
from trivium.domain.errors import DependencyError, HomeError, TriviumError
from trivium.language.text import spoken

_Row = dict[str, Any]  # Any: JSON
_PATIENCE_S = 10.0
"""For a running service to say how it is."""
BENCHES: Final = (
    "architectures", "confidence", "decision", "documented", "door", "encoder", "endurance",
    "facts", "feedback", "grammar", "graph-scale", "grounding", "load", "memory", "misroutes",
    "operators", "overload", "reading", "retrieval", "retrieval-scale", "routing", "suite",
    "unseen", "variants",
)  # fmt: skip
"""What can be measured; each is a module of ``bench``."""


async def serve(settings: Settings, *, data: Path | None, is_accepted: bool) -> int:
    """Serve the home until the process is told to stop."""
    see_that_it_may_serve(settings, Keyring.open(settings))
    with Bars() as bars:
        async with open_service(settings, bars) as service:
            if data is not None:
                await _load_first(service, data, bars, is_accepted=is_accepted)
            gc.collect()
            gc.freeze()  # else all that was loaded is looked through again: 0.1 s for the example
            await Server(service).serve()
    return 0


async def _load_first(service: Service, data: Path, bars: Bars, *, is_accepted: bool) -> None:
    """Load what is to be served; a store that does not answer must not keep the rest from it."""
    try:
        done = await load_into(service, data, is_accepted=is_accepted, progress=bars)
        report(done.to_json())
    except DependencyError as error:
        say(f"{data}: {error}")


class Server(uvicorn.Server):
    """Uvicorn, telling where it serves once it does."""

    def __init__(self, service: Service) -> None:
        settings = service.settings
        room = Room(settings.max_requests)
        super().__init__(
            uvicorn.Config(
                create_app(service, room),
                host=settings.host,
                port=settings.port,
                http=_connections(service, room),
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=int(settings.max_deadline_s) + 2,
            )
        )
        self._service = service
        self._url: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def serving(self) -> str:
        """Wait until it serves; return its URL."""
        return await asyncio.shield(self._url)

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
        self._url.set_result(url)
        say(f"Trivium serves at {url} (stop it with Ctrl-C). Try:\n")
        say(f"  curl -s {url}/ask -H 'content-type: application/json' \\")
        if self._service.keys.are_there:
            say('    -H "authorization: Bearer $TRIVIUM_KEY" \\')
        say(f"    -d '{json.dumps({'question': _example(self._service)})}'\n")


def _connections(service: Service, room: Room) -> type[Connection]:
    """Return what serves a connection; where there are traces, each refusal is to have its span."""
    if service.tracing.provider is not None:
        return Connection
    shedding = Shedding(room, service.metrics)
    return type("SheddingConnection", (Connection,), {"shedding": shedding})


def _example(service: Service) -> str:
    """Return a question that the data at hand can answer."""
    for source, relation, target in service.lexicon.schema.triples():
        del relation
        return f"Which {spoken(target)}s have only one {spoken(source)}?"
    return "What do you know?"


async def status(settings: Settings, *, as_json: bool) -> int:
    """Say who owns the home, and how each part of it is; 1 when it is not ready."""
    owner = owner_of(settings.home)
    state: _Row = {"home": str(settings.home), "owner": owner.pid if owner else None}
    if owner is None:
        state |= await _own_state(settings)
    elif owner.url:
        state |= {"url": owner.url, **await _state_at(owner.url, settings)}
    else:
        why = "its owner is at work, and does not serve yet"
        state |= {"status": Status.NOT_READY, "error": why}
    if as_json:
        print(json.dumps(state, ensure_ascii=False))
    else:
        show_status(state)
    return 1 if state["status"] == Status.NOT_READY else 0


async def _own_state(settings: Settings) -> _Row:
    """Open the home that nobody owns, and look."""
    if not settings.home.is_dir():
        why = "there is no home here yet: load a data set with trivium load DIR"
        return {"status": Status.NOT_READY, "error": why}
    try:
        async with open_service(settings) as service:
            health = await service.health.look()
            return {"knowledge_version": service.knowledge.version, **health.to_json()}
    except TriviumError as error:
        why = f"it cannot be opened: {without_credentials(str(error))}"
        return {"status": Status.NOT_READY, "error": why}


async def _state_at(url: str, settings: Settings) -> _Row:
    """Ask the running owner."""
    try:
        async with client_of(url, settings, timeout_s=_PATIENCE_S) as client:
            state: _Row = (await client.get("/readyz")).json()
    except (httpx.HTTPError, ValueError) as error:
        why = f"it does not answer at {url} ({type(error).__name__}): see its log, or restart it"
        return {"status": Status.NOT_READY, "error": why}
    if "parts" not in state:
        state["error"] = "its parts are shown to those with a key: set TRIVIUM_KEY to yours"
    return state


def bench(name: str, arguments: Sequence[str]) -> int:
    """Measure something in a process of its own; return its exit status."""
    if not Path("bench", "__init__.py").exists():
        say("trivium bench measures a checkout of Trivium; change into one first")
        return 1
    module = f"bench.{name.replace('-', '_')}"
    done = subprocess.run([sys.executable, "-m", module, *arguments], check=False)  # noqa: S603  # one of ours
    return done.returncode
