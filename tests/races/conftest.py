"""Where the processes of a race meet: a Redis and a Postgres, where there are some."""

import os
import secrets
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from tests.races.process import Place
from tiers.cag.store import RedisStore
from trivium.gateway.sql import Database


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    """An empty place on the servers that the tests are told of."""
    redis_url = os.environ.get("TRIVIUM_TEST_REDIS_URL")  # noqa: TID251  # no setting of Trivium
    database_url = os.environ.get("TRIVIUM_TEST_POSTGRES_URL")  # noqa: TID251  # nor is this
    if not redis_url or not database_url:
        pytest.skip("TRIVIUM_TEST_REDIS_URL and TRIVIUM_TEST_POSTGRES_URL are not both set")
    name = f"race_{secrets.token_hex(6)}"
    yield Place(redis_url, name, database_url, name)
    store = await RedisStore.open(redis_url, prefix=name)
    await store.clear()
    await store.close()
    database = await Database.open(database_url, sa.MetaData(), schema=name)
    await database.write(lambda c: c.execute(sa.text(f"DROP SCHEMA {name} CASCADE")))
    await database.close()
