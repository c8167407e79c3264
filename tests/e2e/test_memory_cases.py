"""What other memories got wrong, at the door: each test names the case that it is."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.conftest import settings_for
from tests.e2e.doors import ask
from trivium.app.bootstrap import open_service
from trivium.app.http import create_app
from trivium.app.service import Service
from trivium.domain.answer import Remembered
from trivium.domain.knowledge import Change, ChangeKind, Fact
from trivium.domain.payloads import fact_payload
from trivium.domain.question import Question
from trivium.knowledge.dataset import read_dataset

NODES = (
    {"id": "PO-1001", "type": "Order", "name": "PO-1001", "lead_time_days": 14},
    {"id": "PO-1010", "type": "Order", "name": "PO-1010", "lead_time_days": 30},
    {"id": "C-1", "type": "Customer", "name": "Acme", "phone": "555-0101", "credit_limit": 100},
)
SHIPPING = """\
---
id: doc-shipping
title: Expedited shipping
---
# Expedited shipping

## Turn on
To turn on expedited shipping for Acme, tick the box Express on the account page.

## Turn off
To turn off expedited shipping for Acme, write to the dispatch desk a day before.
"""
LIMIT = "What is the credit limit of Acme?"


@pytest.fixture
async def shop(tmp_path: Path, encoder_dir: Path) -> AsyncIterator[Service]:
    data = tmp_path / "data"
    (data / "documents").mkdir(parents=True)
    (data / "nodes.jsonl").write_text("\n".join(map(json.dumps, NODES)))
    (data / "documents" / "shipping.md").write_text(SHIPPING)
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        await service.knowledge.load(read_dataset(data))
        yield service


@pytest.fixture
async def client(shop: Service) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=create_app(shop), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as opened:
        yield opened


async def test_c01_the_opposite_is_answered_on_its_own(client: httpx.AsyncClient):
    on = await ask(client, "How do I turn on expedited shipping for Acme?", tiers=["rag"])
    assert "tick the box Express" in on["answer"]
    off = await ask(client, "How do I turn off expedited shipping for Acme?", tiers=["rag"])
    assert not off["cache"]["hit"]
    assert "dispatch desk" in off["answer"]


async def test_c03_figures_of_an_id_match_exactly(client: httpx.AsyncClient):
    first = await ask(client, "lead time of PO-1001", tiers=["cag"])
    second = await ask(client, "lead time of PO-1010", tiers=["cag"])
    assert not second["cache"]["hit"]
    assert ("14" in first["answer"], "30" in second["answer"]) == (True, True)


async def test_c05_exact_alone_is_honoured(client: httpx.AsyncClient):
    await ask(client, "what is the phone of Acme?", tiers=["cag"])
    other = "what's the phone of Acme?"
    assert not (await ask(client, other, tiers=["cag"], memory="exact"))["cache"]["hit"]
    assert (await ask(client, "what is the PHONE of Acme", tiers=["cag"]))["cache"]["hit"]


async def test_c05_a_life_of_0_seconds_is_no_memory(tmp_path: Path, encoder_dir: Path):
    settings = settings_for(tmp_path / "home", encoder_dir, memory_ttl_s=0)
    async with open_service(settings) as service:
        await service.knowledge.commit([limit_of("C-1", 100)])
        question = Question(text="What is the credit limit of C-1?")
        for _ in range(2):
            assert not isinstance(await service.ask(question), Remembered)


async def test_c06_the_same_words_hit_whatever_they_are_alike(client: httpx.AsyncClient):
    await ask(client, "Acme phone", tiers=["cag"])
    again = await ask(client, "Acme phone", tiers=["cag"], memory="exact")
    assert again["cache"] == {"hit": True}


async def test_c08_what_is_mine_is_nobody_elses(shop: Service):
    asked = [("u1", "What is my open order total?"), ("u2", "Show me my open order total")]
    for principal, text in (*asked, *asked):
        answer = await shop.ask(Question(text=text, principal=principal))
        assert not isinstance(answer, Remembered)
    for principal in ("u1", "u2"):
        answer = await shop.ask(Question(text=LIMIT, principal=principal))
        assert not isinstance(answer, Remembered)


def limit_of(entity: str, value: int) -> Change:
    fact = Fact(entity=entity, attribute="credit_limit", value=value, source="ledger")
    payload = fact_payload(fact)
    key = f"{entity}|credit_limit"
    return Change(kind=ChangeKind.PUT_FACT, key=key, payload=payload, source="ledger")


async def test_c11_what_was_taken_in_is_told_at_once(shop: Service, client: httpx.AsyncClient):
    assert "100" in (await ask(client, LIMIT, tiers=["cag"]))["answer"]
    assert (await ask(client, LIMIT, tiers=["cag"]))["cache"]["hit"]
    await shop.knowledge.commit([limit_of("C-1", 250)])
    for text in (LIMIT, "Acme's credit limit, please"):
        answer = await ask(client, text, tiers=["cag"])
        assert "250" in answer["answer"]
        assert "100" not in answer["answer"]


async def test_c13_the_first_answer_after_an_invalidation_is_new(client: httpx.AsyncClient):
    await ask(client, LIMIT)
    gone = await client.post("/admin/memory/invalidate", json={"entity": "C-1"})
    assert gone.json()["n_forgotten"] == 1
    assert not (await ask(client, LIMIT))["cache"]["hit"]
    assert (await ask(client, LIMIT))["cache"]["hit"]


async def test_c15_when_the_first_leaves_the_others_are_answered(shop: Service):
    first, *rest = [asyncio.create_task(shop.ask(Question(text=LIMIT))) for _ in range(50)]
    await asyncio.sleep(0)
    first.cancel()

    answers = await asyncio.gather(*rest)

    assert first.cancelled() or first.done()
    assert len({answer.id for answer in answers}) == 49
    assert shop.memory.counts["kept"] == 1


async def test_c16_what_another_process_writes_meanwhile_strands_nobody(shop: Service):
    question = Question(text=LIMIT)
    asking = [asyncio.create_task(shop.ask(question)) for _ in range(20)]
    await asyncio.sleep(0)
    key = shop.memory.key(question, shop.knowledge.version)
    await shop.redis.set(
        key, b'"status":"answered","route":{"model_version":null,"tiers":[]}}', ttl_s=9
    )

    async with asyncio.timeout(shop.settings.deadline_s):
        answers = await asyncio.gather(*asking)

    assert len({answer.id for answer in answers}) == 20
