"""A service whose every dependency can be made to fail."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from tests.e2e.conftest import encoder_dir, settings_for
from tests.faults.ports import Fault, FaultyGraph, FaultyPort, Switch
from tests.faults.redis_proxy import Network, RedisProxy, proxy
from tests.zoo import write_zoo
from tiers.cag.server import EmbeddedServer
from trivium.app.bootstrap import open_service
from trivium.app.http import create_app
from trivium.app.logs import configure_logs
from trivium.app.service import Service
from trivium.domain.question import TierName
from trivium.knowledge.dataset import read_dataset

__all__ = ["encoder_dir"]

_NETWORK = {
    Fault.NONE: Network.FINE,
    Fault.FAIL: Network.REFUSED,
    Fault.CRASH: Network.GARBAGE,
    Fault.HANG: Network.HANG,
    Fault.SLOW: Network.SLOW,
}


@dataclass(frozen=True)
class House:
    """A service, its door, and what makes its parts fail."""

    service: Service
    client: httpx.AsyncClient
    switches: dict[str, Switch]
    redis: RedisProxy

    def fail(self, part: str, fault: Fault) -> None:
        """Make a part fail so; ``Fault.NONE`` mends it."""
        if part == "redis":
            self.redis.set(_NETWORK[fault])
        else:
            self.switches[part].set(fault)

    def mend(self) -> None:
        """Mend everything."""
        for part in ("redis", *self.switches):
            self.fail(part, Fault.NONE)


@pytest.fixture
async def house(tmp_path: Path, encoder_dir: Path) -> AsyncIterator[House]:
    configure_logs("error", "json")  # the default draws each traceback, for 100 ms or more
    server = await EmbeddedServer.start(tmp_path / "redis")
    socket = Path(unquote(server.url.removeprefix("unix://")))
    try:
        async with proxy(socket) as redis:
            settings = settings_for(tmp_path / "home", encoder_dir, redis_url=redis.url)
            async with open_service(settings) as service:
                await service.knowledge.load(read_dataset(write_zoo(tmp_path / "data")))
                switches = _wired(service)
                app = httpx.ASGITransport(app=create_app(service), raise_app_exceptions=False)
                async with httpx.AsyncClient(transport=app, base_url="http://zoo") as client:
                    house = House(service, client, switches, redis)
                    yield house
                    house.mend()
    finally:
        await server.stop()


def _wired(service: Service) -> dict[str, Switch]:
    """Put a switch before each dependency of an open service."""
    switches = {part: Switch() for part in ("qdrant", "graph", "encoder", "sql")}
    tiers = {name: tier._tier for name, tier in service.pipeline.tiers.items()}  # type: ignore[attr-defined]  # the guards
    rag, graph = tiers[TierName.RAG], tiers[TierName.GRAPH]
    rag._store = FaultyPort(rag._store, switches["qdrant"])
    graph._store = FaultyGraph(graph._store, switches["graph"])
    encoder = service.pipeline.reader._encoder  # type: ignore[attr-defined]  # its guard
    encoder._encoder = FaultyPort(encoder._encoder, switches["encoder"])
    ratings: Any = service.ratings
    ratings.database = FaultyPort(ratings.database, switches["sql"])
    return switches
