"""Changing a home from the command line: by opening it, and through its running owner."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT
from tests.zoo import write_zoo
from trivium.app.cli import main
from trivium.app.home import owned_home

FEEDS = {"op": "add_relationship", "source": "K-1", "type": "FEEDS", "target": "A-3"}


@pytest.fixture
async def served(home: Path, tmp_path: Path) -> AsyncIterator[Path]:
    """A home that a process of its own serves, with the zoo loaded."""
    data = write_zoo(tmp_path / "data")
    command = ("-m", "trivium.app.cli", "serve", "--port", "0", "--load", str(data))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, env=_environment(), stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    while line := await process.stderr.readline():
        if b"serves at" in line:
            break
    yield data
    process.terminate()
    await process.communicate()


def _environment() -> dict[str, str]:
    import os  # noqa: PLC0415  # what the child needs to find the package and the home

    return {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251  # of the test's own child


async def run(*arguments: str) -> int:
    return await asyncio.to_thread(main, arguments)


async def all_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mutate, look, undo and export, and see each work."""
    lines = tmp_path / "mutations.jsonl"
    rows = [FEEDS, {"op": "remove_entity", "id": "A-2"}]
    await asyncio.to_thread(lines.write_text, "\n".join(map(json.dumps, rows)))
    assert await run("mutate", str(lines)) == 0
    assert "put_edge" in capsys.readouterr().out

    assert await run("changes", "--author", "command line", "--json") == 0
    changes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [c["kind"] for c in changes] == ["put_edge", "drop_edge", "drop_edge", "drop_node"]

    assert await run("undo", str(changes[-1]["sequence"])) == 0
    assert await run("undo", "999999") == 1
    assert "no change 999999" in capsys.readouterr().err

    assert await run("train") == 1
    assert "too few questions were confirmed" in capsys.readouterr().out

    assert await run("export", str(tmp_path / "graph.json")) == 0
    graph = json.loads(await asyncio.to_thread((tmp_path / "graph.json").read_text))
    assert (len(graph["nodes"]), len(graph["edges"])) == (7, 8)

    await asyncio.to_thread(lines.write_text, '{"op": "remove_entity", "id": "A-1"}\nnot json')
    assert await run("mutate", str(lines)) == 1
    assert "mutations.1" in capsys.readouterr().err


async def test_without_an_owner_the_home_is_opened(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert await run("load", str(write_zoo(tmp_path / "data"))) == 0
    await all_commands(tmp_path, capsys)


async def test_a_running_owner_is_talked_to(
    served: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    await all_commands(tmp_path, capsys)

    edges = served / "edges.jsonl"
    text = await asyncio.to_thread(edges.read_text)
    row = json.dumps({"source": "K-2", "target": "A-2", "type": "FEEDS"})
    await asyncio.to_thread(edges.write_text, text + row)
    capsys.readouterr()
    assert await run("load", str(served)) == 0
    assert "8 edges" in capsys.readouterr().err


async def test_an_owner_with_keys_wants_one_of_the_command_line(
    served: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    keys = {}
    for role in ("asker", "admin"):
        assert await run("keys", "add", role, "--role", role) == 0
        keys[role] = capsys.readouterr().out.strip()

    assert await run("changes") == 1
    assert "TRIVIUM_KEY" in capsys.readouterr().err
    assert await run("ask", "Who feeds Nanuk?") == 1
    assert "TRIVIUM_KEY" in capsys.readouterr().err
    assert await run("status") == 0
    assert "set TRIVIUM_KEY" in capsys.readouterr().out

    monkeypatch.setenv("TRIVIUM_KEY", keys["asker"])
    assert await run("ask", "Who feeds Nanuk?") == 0
    assert "Bruno" in capsys.readouterr().out
    assert await run("status") == 0
    assert "journal" in capsys.readouterr().out
    assert await run("export", str(tmp_path / "graph.json")) == 1
    assert "needs the role admin" in capsys.readouterr().err

    monkeypatch.setenv("TRIVIUM_KEY", keys["admin"])
    assert await run("load", str(served)) == 0
    assert await run("mutate", str(_lines(tmp_path))) == 0
    assert await run("undo", capsys.readouterr().out.split()[0]) == 0
    assert " admin (" in capsys.readouterr().out
    assert await run("export", str(tmp_path / "graph.json")) == 0

    assert await run("keys", "remove", "admin") == 0
    assert await run("changes") == 1
    monkeypatch.setenv("TRIVIUM_KEY", "schlüssel")
    assert await run("changes") == 1
    told = capsys.readouterr().err
    assert "not known here" in told
    assert "TRIVIUM_KEY is no key" in told
    assert not any(key in told for key in (*keys.values(), "schlüssel"))


def _lines(folder: Path) -> Path:
    lines = folder / "mutations.jsonl"
    lines.write_text(json.dumps(FEEDS))
    return lines


async def test_an_owner_that_does_not_serve_is_named(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with owned_home(home):
        assert await run("changes") == 1

    assert "in use by process" in capsys.readouterr().err
