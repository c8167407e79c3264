"""Fixtures of the contract suites."""

import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

import pytest
import sqlalchemy as sa

from feedback.ratings import Ratings
from tests.fakes import MemoryFactStore
from tiers.cag.server import EmbeddedServer
from tiers.cag.store import RedisStore
from trivium.gateway.sql import Database

FactStore: TypeAlias = RedisStore | MemoryFactStore
OpenStore: TypeAlias = Callable[[str], Awaitable[FactStore]]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def encoder_directory() -> Path:
    """Where the exported encoder is; made first where it is not."""
    directory = ROOT / "models" / "encoder"
    script = ROOT / "scripts" / "export_encoder.py"
    subprocess.run([sys.executable, script, "--out", directory], check=True)
    return directory


@pytest.fixture
async def embedded_server(tmp_path: Path) -> AsyncIterator[EmbeddedServer]:
    """An embedded Redis of the test's own."""
    server = await EmbeddedServer.start(tmp_path / "redis")
    yield server
    await server.stop()


@pytest.fixture(params=["memory", "embedded", "server"])
async def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenStore]:
    """Opens the empty fact store of a prefix, on each implementation."""
    if request.param == "memory":
        yield _open_fake
        return
    async with AsyncExitStack() as stack:
        if request.param == "embedded":
            server = await EmbeddedServer.start(tmp_path / "redis")
            stack.push_async_callback(server.stop)
            url = server.url
        else:
            url = os.environ.get("TRIVIUM_TEST_REDIS_URL", "")  # noqa: TID251  # where one is
            if not url:
                pytest.skip("TRIVIUM_TEST_REDIS_URL names no server")
        run = f"test-{uuid4().hex}"

        async def open_real(prefix: str) -> FactStore:
            # Slow machines run tests too: how long a read may take is not what these ask.
            store = await RedisStore.open(url, prefix=run + prefix, timeout_s=5.0)
            stack.push_async_callback(store.close)
            stack.push_async_callback(store.clear)
            return store

        yield open_real


async def _open_fake(prefix: str) -> FactStore:
    return MemoryFactStore()


@pytest.fixture
async def store(open_store: OpenStore) -> FactStore:
    """An empty fact store."""
    return await open_store("facts")


@dataclass(frozen=True, slots=True)
class SqlPlace:
    """An empty place in a database of its own or a schema of its own."""

    url: str
    schema: str | None = None

    async def execute(self, statement: str) -> None:
        database = await Database.open(self.url, sa.MetaData(), schema=self.schema)
        await database.write(lambda connection: connection.execute(sa.text(statement)))
        await database.close()


@pytest.fixture(params=["sqlite", "postgres"])
async def sql_place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SqlPlace]:
    """Each kind of database in turn; Postgres where ``TRIVIUM_TEST_POSTGRES_URL`` names one."""
    if request.param == "sqlite":
        yield SqlPlace(f"sqlite:///{tmp_path / 'trivium.db'}")
        return
    url = os.environ.get("TRIVIUM_TEST_POSTGRES_URL")  # noqa: TID251  # no setting of Trivium
    if not url:
        pytest.skip("TRIVIUM_TEST_POSTGRES_URL is not set")
    place = SqlPlace(url, f"test_{secrets.token_hex(6)}")
    yield place
    await place.execute(f"DROP SCHEMA IF EXISTS {place.schema} CASCADE")


@pytest.fixture
async def ratings(sql_place: SqlPlace) -> AsyncIterator[Ratings]:
    """The ratings at an empty place."""
    opened = await Ratings.open(sql_place.url, schema=sql_place.schema)
    yield opened
    await opened.close()


@pytest.fixture
async def second(sql_place: SqlPlace, ratings: Ratings) -> AsyncIterator[Ratings]:
    """Another handle on the same ratings, as another process would have."""
    opened = await Ratings.open(sql_place.url, schema=sql_place.schema)
    yield opened
    await opened.close()
