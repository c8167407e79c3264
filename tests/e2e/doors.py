"""The door of an application in this process, and questions asked at it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from starlette.types import ASGIApp


@asynccontextmanager
async def asking(app: ASGIApp) -> AsyncIterator[httpx.AsyncClient]:
    """A client from far away: with keys, it does not matter where one is."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("192.0.2.7", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:
        yield client


async def ask(client: httpx.AsyncClient, question: str, **more: object) -> dict[str, Any]:
    """Return the answer to a question that is answered; ``more`` goes into the body."""
    response = await client.post("/ask", json={"question": question, **more})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer
