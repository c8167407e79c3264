"""``trivium eval``, as a company's regression suite would run it."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.zoo import write_zoo
from trivium.app.cli import main

ROWS = (
    {"id": "g1", "query": "Who feeds Nanuk?", "tiers": ["graph"], "category": "who",
     "gold": {"ids": ["K-2"]}},
    {"id": "g2", "query": "Who feeds Kiki?", "tiers": ["graph"], "category": "who",
     "gold": {"ids": ["K-2"]}},
    {"id": "c1", "query": "How heavy is Kiki?", "tiers": ["rag"], "category": "value",
     "gold": {"values": [2]}},
)  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = write_zoo(tmp_path / "data")
    (directory / "questions.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    return directory


async def run(*arguments: object) -> int:
    return await asyncio.to_thread(main, [str(argument) for argument in arguments])


async def test_a_suite_is_graded_by_tiers_and_category(
    home: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert await run("eval", data, "--show", "--at-least", "0.6") == 0
    lines = capsys.readouterr().out.splitlines()
    assert await run("eval", data, "--json", "--at-least", "0.7") == 1
    report = json.loads(capsys.readouterr().out)

    table = [line.split() for line in lines]
    assert ["graph", "1", "2", "0.500", "2/2", "1"] in table
    assert ["value", "1", "1", "1.000", "0/1"] in table
    assert ["all", "2", "3", "0.667", "2/3", "1"] in table
    assert "g2 (graph, who): Who feeds Kiki?" in lines
    assert '  result: {"kind": "nodes", "ids": ["K-1"]}, not {"ids": ["K-2"]}' in lines
    assert "  route: it went to cag" in lines
    assert not any(line.startswith("g1 ") for line in lines)
    assert (report["n"], report["right"], report["routed"]) == (3, 2, 2)
    assert report["by_category"]["who"]["wrong"] == {"result": 1}
    assert not await asyncio.to_thread(home.exists), "the home is left alone"


async def test_two_versions_are_compared(
    home: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    other = tmp_path / "other.jsonl"
    first = {**ROWS[0], "gold": {"ids": ["K-1"]}}
    second = {**ROWS[1], "gold": {"ids": ["K-1"]}}
    await asyncio.to_thread(other.write_text, "\n".join(map(json.dumps, (first, second))))
    await run("eval", data, "--json")
    before = tmp_path / "before.json"
    await asyncio.to_thread(before.write_text, capsys.readouterr().out)

    assert await run("eval", data, "--questions", other, "--against", before) == 0

    told = capsys.readouterr().err
    assert "1 became right: g2" in told
    assert "1 became wrong: g1" in told


async def test_what_cannot_be_run_is_told(
    home: Path, data: Path, capsys: pytest.CaptureFixture[str]
):
    assert await run("eval", data.parent) == 1
    assert "questions.jsonl cannot be read" in capsys.readouterr().err
    assert await run("eval", data, "--against", data / "schema.yaml") == 1
    assert "is no report of trivium eval --json" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["eval", str(data), "--at-least", "2"])
