"""The page in a real browser, over a service of its own: one of each for a module."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.e2e.conftest import settings_for
from tests.e2e.page.world import Visit, browsing, served, visiting, write_world
from trivium.app.bootstrap import open_service
from trivium.app.service import Service
from trivium.knowledge.dataset import read_dataset


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(
    tmp_path_factory: pytest.TempPathFactory, encoder_dir: Path
) -> AsyncIterator[Service]:
    folder = tmp_path_factory.mktemp("page")
    dataset = read_dataset(write_world(folder / "data"))
    async with open_service(settings_for(folder / "home", encoder_dir)) as opened:
        await opened.knowledge.load(dataset)
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def port(service: Service) -> AsyncIterator[int]:
    async with served(service) as found:
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def visit(browser: Browser, port: int) -> AsyncIterator[Visit]:
    async with visiting(browser, port) as opened:
        yield opened
