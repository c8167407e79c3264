"""An installation's own templates: through the door, and on the command line."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.conftest import settings_for
from tests.unit.test_templates import HEAVY, ON_DUTY
from tests.zoo import write_zoo
from trivium.app.bootstrap import open_service
from trivium.app.cli import main
from trivium.app.http import create_app
from trivium.app.service import Service
from trivium.knowledge.dataset import read_dataset

QUESTION = "Who is on duty for Tembo?"
ROWS = ({"id": "q1", "query": QUESTION}, {"id": "q2", "query": "Who feeds Nanuk?"})


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    """A folder with a template that fits the zoo, and one that does not."""
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "duty.yaml").write_text(ON_DUTY)
    (folder / "heavy.yaml").write_text(HEAVY.replace("weight_kg", "height_m"))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = write_zoo(tmp_path / "data")
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    return folder


async def run(*arguments: str) -> int:
    return await asyncio.to_thread(main, arguments)


async def test_a_template_answers_through_the_door_and_is_named(
    tmp_path: Path, data: Path, templates: Path, encoder_dir: Path
):
    home = tmp_path / "home"
    async with open_service(settings_for(home, encoder_dir)) as service:
        await service.knowledge.load(read_dataset(data))
        without = await _asked(service)
    settings = settings_for(home, encoder_dir, templates=templates)
    async with open_service(settings) as service:
        answer = await _asked(service)

    assert without["evidence"].get("graph", {}).get("template") != "on_duty"
    assert answer["result"] == {"kind": "nodes", "ids": ["K-1"]}
    graph = answer["evidence"]["graph"]
    assert graph["template"] == "on_duty"
    assert graph["understood"] == "the keepers on duty for Tembo (A-1) on the day asked about"
    assert "FEEDS" in graph["cypher"]
    assert answer["route"]["tiers"] == ["graph"]
    assert answer["route"]["reasons"] == ["it is asked as the template “on_duty” says"]
    assert answer["cache"] == {"hit": False}, "what was remembered knew no template"


async def _asked(service: Service) -> Any:  # JSON
    transport = httpx.ASGITransport(app=create_app(service))
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:
        return (await client.post("/ask", json={"question": QUESTION})).json()


async def test_the_command_line_lists_them_with_what_does_not_fit(
    home: Path, data: Path, templates: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):  # fmt: skip
    monkeypatch.setenv("TRIVIUM_TEMPLATES", str(templates))

    assert await run("templates", "--data", str(data)) == 0

    shown = capsys.readouterr().out
    assert shown.startswith("on_duty (duty.yaml): the keepers on duty for {animal} on {date}")
    assert "related (lookups.yaml): " in shown
    assert "heavy_charges: s2: the schema has no property 'height_m' there" in shown
    assert await run("templates") == 1, "there is no home here"


async def test_a_file_is_checked_and_the_answers_that_it_changes_are_shown(
    home: Path, data: Path, templates: Path, capsys: pytest.CaptureFixture[str]
):
    good, bad = templates / "duty.yaml", templates / "heavy.yaml"

    assert await run("templates", str(bad), "--data", str(data)) == 1
    assert "not used: heavy.yaml: template heavy_charges: s2" in capsys.readouterr().out

    assert await run("templates", str(good), "--data", str(data)) == 0
    told = capsys.readouterr()
    assert told.out.startswith("on_duty: it fits\nq1: Who is on duty for Tembo?: ")
    assert 'is now {"kind": "nodes", "ids": ["K-1"]}' in told.out
    assert "1 of 2 answers differ" in told.err
