"""A world for the page: the zoo, with names and documents that nobody means well, served."""

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright

from tests.e2e.test_sockets import serving
from tests.zoo import write_zoo
from trivium.app.service import Service

HOSTILE = '<img src=x onerror="alert(1)">'
DOCUMENT = f"""\
---
id: doc-hostile
title: "{HOSTILE.replace('"', "'")} Cleaning"
date: 2026-01-12
---
# Cleaning

Hooves are scrubbed with <script>alert(2)</script> a *brush* and [soap](javascript:alert(3)) twice.
"""
NODES: tuple[dict[str, object], ...] = (
    {"id": "A-4", "type": "Animal", "name": f"Zorro {HOSTILE}", "species": HOSTILE},
    {"id": "S-1", "type": "Storm", "name": "Big gale", "severity": "critical", "status": "open"},
    {"id": "S-2", "type": "Storm", "name": "Old gale", "severity": "high", "status": "closed"},
)
EDGES: tuple[dict[str, object], ...] = (
    {"source": "K-1", "target": "A-4", "type": "FEEDS"},
    {"source": "S-1", "target": "H-1", "type": "STRIKES"},
    {"source": "S-2", "target": "H-2", "type": "STRIKES"},
)
WHO = "Which animals does Amelia Stone feed?"
FED = "When are polar bears fed?"
HEAVY = "What is the weight of Tembo?"
PLACES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Return where a Chromium of this machine is."""
    return next(filter(None, map(shutil.which, PLACES)), None)


IN_A_BROWSER = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        chromium() is None,
        reason="no Chromium on this machine: apt-get install chromium brings one",
    ),
]


def write_world(directory: Path) -> Path:
    """Write the data set; return its directory."""
    write_zoo(directory)
    for name, rows in (("nodes", NODES), ("edges", EDGES)):
        with (directory / f"{name}.jsonl").open("a") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    (directory / "documents" / "cleaning.md").write_text(DOCUMENT)
    return directory


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    """Open a browser."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            await browser.close()


class Visit:
    """The page as one person has it open, and what went wrong there."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.faults: list[str] = []
        self.asked: list[dict[str, Any]] = []
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        page.on("console", self._hear)
        page.on("request", self._see)

    def _hear(self, message: Any) -> None:
        if message.type in {"error", "warning"} and "status of 401" not in message.text:
            self.faults.append(f"console: {message.text}")

    def _see(self, request: Any) -> None:
        if not request.url.startswith((self.url, "blob:", "data:")):
            self.faults.append(f"outside: {request.url}")
        if request.url == f"{self.url}ask":
            self.asked.append(request.post_data_json)

    async def ask(self, question: str) -> None:
        """Ask as a person does, and wait for the answer."""
        await self.page.fill("#question", question)
        await self.page.press("#question", "Enter")
        await self.page.wait_for_selector('.answer:last-child[aria-busy="false"]')

    async def text(self, selector: str) -> str:
        """Return the text of an element."""
        return await self.page.inner_text(selector)

    async def told(self, media: str, body: str) -> None:
        """Have the door answer so from now on."""
        await self.page.route("**/ask", lambda route: route.fulfill(content_type=media, body=body))


@asynccontextmanager
async def visiting(browser: Browser, port: int, **how: Any) -> AsyncIterator[Visit]:
    """Open the page; when it is left, nothing must have gone wrong."""
    context = await browser.new_context(**how)
    try:
        url = f"http://127.0.0.1:{port}/"
        visit = Visit(await context.new_page(), url)
        visit.page.set_default_timeout(60_000)
        await visit.page.goto(url)
        yield visit
        assert visit.faults == []
    finally:
        await context.close()


@asynccontextmanager
async def served(service: Service) -> AsyncIterator[int]:
    """Serve on a free port, with time for answers."""
    async with serving(service, deadline_s=60) as port:
        yield port
