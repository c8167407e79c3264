"""Faults that other routers were reported for, asked through the door of one domain."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.conftest import ROOT, settings_for
from tests.e2e.doors import ask
from trivium.app.bootstrap import open_service
from trivium.app.http import create_app
from trivium.knowledge.dataset import read_dataset


@pytest.fixture
async def door(tmp_path: Path, encoder_dir: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with open_service(settings_for(tmp_path / "home", encoder_dir)) as service:
        await service.knowledge.load(read_dataset(ROOT / "router/examples/enterprise"))
        transport = httpx.ASGITransport(app=create_app(service), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as opened:
            yield opened


async def test_r01_a_tale_about_a_cat_is_out_of_scope(door: httpx.AsyncClient):
    answer = await ask(door, "my cat is upset about politics, tell it a story")

    assert answer["route"]["tiers"] == []
    assert (answer["status"], answer["reason"]) == ("abstained", "out_of_scope")
    assert answer["citations"] == []


async def test_r03_a_german_question_goes_where_its_english_twin_goes(door: httpx.AsyncClient):
    german = await ask(door, "Welche Lieferanten beliefern Acme?")
    english = await ask(door, "Which suppliers supply Acme?")

    assert german["route"]["tiers"] == english["route"]["tiers"] == ["graph"]


async def test_r05_a_tier_named_in_passing_is_no_trigger(door: httpx.AsyncClient):
    answer = await ask(door, "find the graph in the Q3 pdf report")

    assert answer["route"]["tiers"] == ["rag"]


async def test_r06_a_pronoun_is_routed_with_what_it_points_to(door: httpx.AsyncClient):
    answer = await ask(
        door,
        "and which of them are in DACH?",
        history=[{"role": "user", "content": "Who supplies HX-200?"}],
    )

    assert answer["route"]["tiers"] == ["graph"]


@pytest.mark.parametrize("blank", ["", " ", "\u200b"])
async def test_r08_blank_text_is_a_problem_of_the_request(door: httpx.AsyncClient, blank: str):
    response = await door.post("/ask", json={"question": blank})

    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("text", ["?", "...", "a"])
async def test_r08_what_says_nothing_is_asked_back(door: httpx.AsyncClient, text: str):
    answer = await ask(door, text)

    assert (answer["route"]["tiers"], answer["route"]["decided_by"]) == ([], "rule")
    assert answer["status"] == "abstained"


async def test_r13_a_misspelt_name_is_resolved_and_the_reading_told(door: httpx.AsyncClient):
    answer = await ask(door, "who suplies Vortx Castings")

    assert answer["route"]["tiers"] == ["graph"]
    assert any("Vortex Castings" in reason for reason in answer["route"]["reasons"])
