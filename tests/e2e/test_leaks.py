"""What has an access list is told to nobody else, by no tier, number, name or memory."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.conftest import settings_for
from trivium.app.bootstrap import open_service
from trivium.app.service import Service, rendered
from trivium.domain.answer import Remembered
from trivium.domain.question import Question, TierName
from trivium.knowledge.dataset import read_dataset

SCHEMA = """\
name: gallery
as_of: 2026-08-01
node_types:
  - {name: Painting, description: A work on canvas., properties: {price_eur: what it costs}}
  - {name: Painter, description: Who paints.}
relation_types:
  - {name: PAINTED, source: Painter, target: Painting, description: The painter painted it.}
"""
NODES = (
    {"id": "P-1", "type": "Painting", "name": "Blue Harbour", "price_eur": 1200},
    {"id": "P-2", "type": "Painting", "name": "Blue Orchard", "price_eur": 98765, "acl": ["ann"]},
    {"id": "P-3", "type": "Painting", "name": "Grey Mill", "price_eur": 800},
    {"id": "R-1", "type": "Painter", "name": "Ida Voss"},
    {"id": "R-2", "type": "Painter", "name": "Otto Lind", "acl": ["ann"]},
)
EDGES = (
    {"source": "R-1", "target": "P-1", "type": "PAINTED"},
    {"source": "R-1", "target": "P-2", "type": "PAINTED"},
    {"source": "R-2", "target": "P-3", "type": "PAINTED"},
    {"source": "R-1", "target": "P-3", "type": "PAINTED", "acl": ["ann"]},
)
OPEN = "---\nid: doc-open\ntitle: Tour\n---\n# Tour\n\nGuests of the tour see Blue Harbour first.\n"
SECRET = """\
---
id: doc-secret
title: Tour
acl: [ann]
---
# Tour

Guests of the tour see the vault with Blue Orchard last, for 98765 euros.
"""
HIDDEN = ("P-2", "Orchard", "98765", "R-2", "Otto", "Lind", "doc-secret", "vault")
QUESTIONS = (
    "What is the price of Blue Orchard?",
    "What is the price of P-2?",
    "price of Blue",
    "How many paintings are there?",
    "Which paintings are there?",
    "Which painting has the highest price?",
    "What is the total price of all paintings?",
    "Which paintings did Ida Voss paint?",
    "How many paintings did Ida Voss paint?",
    "Who painted Grey Mill?",
    "Who painted P-3?",
    "What do guests of the tour see?",
    "What do guests see last?",
    "Compare Blue Harbour and Blue Orchard",
    "How are Ida Voss and Otto Lind connected?",
)
WAYS = (None, *((tier,) for tier in TierName))


@pytest.fixture
async def gallery(tmp_path: Path, encoder_dir: Path) -> AsyncIterator[Service]:
    data = tmp_path / "data"
    (data / "documents").mkdir(parents=True)
    (data / "schema.yaml").write_text(SCHEMA)
    for name, rows in (("nodes", NODES), ("edges", EDGES)):
        (data / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (data / "documents" / "open.md").write_text(OPEN)
    (data / "documents" / "secret.md").write_text(SECRET)
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        await service.knowledge.load(read_dataset(data))
        yield service


async def told(
    service: Service, text: str, principal: str, way: tuple[TierName, ...] | None
) -> str:
    """Return all that is told, but for what the question itself says."""
    answer = await service.ask(Question(text=text, principal=principal, tiers=way))
    response = json.loads(rendered(answer))
    route, evidence = response.pop("route"), response["evidence"]
    assert route
    for trace in evidence.values():
        for name in ("understood", "words", "terms", "plan", "cypher", "parameters"):
            trace.pop(name, None)
    return json.dumps(response, ensure_ascii=False)


async def test_who_is_not_in_the_list_is_told_nothing_that_it_hides(gallery: Service):
    leaks = []
    for text in QUESTIONS:
        for way in WAYS:
            await gallery.ask(Question(text=text, principal="ann", tiers=way))
            answer = await told(gallery, text, "bob", way)
            leaks += [(text, way, w) for w in HIDDEN if w in answer and w not in text]
    assert leaks == []


async def test_numbers_leave_out_what_is_hidden(gallery: Service):
    for text, number in (
        ("How many paintings are there?", 2),
        ("How many paintings did Ida Voss paint?", 1),
    ):
        answer = await gallery.ask(Question(text=text, principal="bob", tiers=(TierName.GRAPH,)))
        assert not isinstance(answer, Remembered)
        assert answer.result.to_json()["number"] == number


async def test_what_is_hidden_is_told_as_what_does_not_exist(gallery: Service):
    for hidden, absent in (("Blue Orchard", "Blue Meadow"), ("P-2", "P-9")):
        for tier in TierName:
            answers = [
                await told(gallery, f"What is the price of {name}?", "bob", (tier,))
                for name in (hidden, absent)
            ]
            first, second = [
                {k: json.loads(a)[k] for k in ("status", "reason", "candidates", "result")}
                for a in answers
            ]
            assert first == second


async def test_who_is_in_the_list_is_told_facts_and_documents(gallery: Service):
    price = await told(gallery, "What is the price of Blue Orchard?", "ann", (TierName.CAG,))
    assert "98765" in price
    tour = await told(gallery, "What do guests of the tour see last?", "ann", (TierName.RAG,))
    assert "vault" in tour
