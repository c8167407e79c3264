"""What a home holds: read from its files, and asked of the server that owns it."""

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Hashable
from contextlib import closing
from pathlib import Path

import httpx

from trivium.domain.knowledge import Change
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.tables import item_kind

Items = dict[tuple[str, str], object]
"""By kind and key, what is said."""


def ratings_of(home: Path) -> tuple[dict[Hashable, object], Counter[str]]:
    """Return the current ratings, and how often each comment stands in the history."""
    current: dict[Hashable, object] = {}
    with closing(sqlite3.connect(home / "answers.sqlite", timeout=30)) as connection:
        for answer, rater, comment in connection.execute(
            "SELECT answer_id, rater, comment FROM ratings"
        ):
            current["rating", answer, rater] = comment
        rows = connection.execute("SELECT comment FROM rating_history").fetchall()
    return current, Counter(comment for (comment,) in rows)


async def items_of(home: Path, source: str) -> Items:
    """Return what the journal of a home holds of one data set."""
    journal = await KnowledgeJournal.open(f"sqlite:///{home / 'knowledge.sqlite'}")
    try:
        changes = [change async for change in journal.state()]
    finally:
        await journal.close()
    return said([change for change in changes if change.source == source])


async def animals_of(home: Path) -> dict[Hashable, object]:
    """Return the animals that mutations added.

    Raises:
        AssertionError: one is there in part.
    """
    held = await items_of(home, "mutations")
    nodes = {key for kind, key in held if kind == "node"}
    housed = {
        str(payload["source"])
        for (kind, _), payload in held.items()
        if kind == "edge" and isinstance(payload, dict)
    }
    assert nodes == housed, "an animal is there without its house, or a house without its animal"
    return {("animal", node): "there" for node in nodes}


def said(changes: list[Change]) -> Items:
    """Return what changes, puts all of them, say."""
    items: Items = {
        (item_kind(c.kind).value, c.key): json.loads(json.dumps(c.payload, default=dict))
        for c in changes
    }
    assert len(items) == len(changes), "something is there twice"
    return items


async def answer_of(client: httpx.AsyncClient, question: str, tier: str) -> dict[str, object]:
    """Ask one tier, on a busy machine until its store answers in time."""
    async with asyncio.timeout(60):
        while True:
            asked = await client.post("/ask", json={"question": question, "tiers": [tier]})
            answer: dict[str, object] = asked.json()
            if asked.status_code == 200 and not answer["degraded"]:
                return answer
            assert asked.status_code in {200, 503}, asked.text
