"""The command line, as a person or a script runs it."""

import asyncio
import io
import json
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from tests.zoo import write_zoo
from trivium.app import asking
from trivium.app.cli import main
from trivium.app.commands import BENCHES
from trivium.app.home import owned_home
from trivium.app.models import AskRequest

FOUND = {"kind": "nodes", "ids": ["A-1", "A-2"]}


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(write_zoo(tmp_path / "data"))


async def run(*arguments: str) -> int:
    """Run a command as its own process would: on a loop of its own."""
    return await asyncio.to_thread(main, arguments)


async def test_load_reports_and_ask_answers_from_the_home(
    home: Path, data: str, capsys: pytest.CaptureFixture[str]
):
    assert await run("load", data) == 0
    assert "zoo: 7 nodes, 7 edges, 1 documents" in capsys.readouterr().err

    assert await run("ask", "Which animals does Amelia Stone feed?", "--tiers", "graph") == 0

    shown = capsys.readouterr().out
    assert "Tembo (A-1) and Kiki (A-2)" in shown
    assert "route: graph" in shown


async def test_an_answer_explains_each_word_on_demand(
    home: Path, data: str, capsys: pytest.CaptureFixture[str]
):
    asked = ("ask", "Who feeds Nanuk?", "--data", data, "--tiers")

    assert await run(*asked, "graph", "--explain") == 0
    told = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    assert await run(*asked, "rag", "--explain") == 0
    untold = capsys.readouterr().out

    assert ["feeds", "relation", "Animal ←FEEDS– Keeper"] in told
    assert ["Nanuk", "entity", "Nanuk (A-3)"] in told
    assert "The graph was not asked" in untold
    assert await run(*asked, "graph", "--explain", "--json") == 2


async def test_a_batch_gives_one_line_for_each_row_in_order(
    home: Path, data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    rows = [
        '{"id": "q1", "query": "Which animals does Amelia Stone feed?", "tiers": ["graph"]}',
        "not json",
        '{"question": "  "}',
        '{"question": "Who feeds Tembo?", "tiers": ["graph"], "as_of": "2025-06-01"}',
        '{"id": "q5", "query": "Which animals does K-77 feed?", "tiers": ["graph"]}',
    ]
    batch = tmp_path / "batch.jsonl"
    await asyncio.to_thread(batch.write_text, "\n".join(rows) + "\n\n")

    assert await run("ask", "--batch", str(batch), "--data", data) == 0

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["row"] for line in lines] == ["q1", 2, 3, 4, "q5"]
    assert lines[0]["result"] == FOUND
    assert [lines[1]["error"]["status"], lines[2]["error"]["status"]] == [400, 422]
    assert lines[3]["result"]["ids"] == ["K-1", "K-2"]
    assert lines[4]["reason"] == "unknown_entity"
    assert not await asyncio.to_thread(home.exists), "--data leaves the home alone"


BAD_ROWS: dict[bytes, tuple[object, int]] = {
    b"not json": (1, 400),
    b"[1]": (2, 422),
    b"\xff\xfe": (3, 400),
    b'{"id": "a", "query": "\\ud800"}': ("a", 400),
    b'{"id": NaN, "query": "Who?"}': (5, 400),
    b'{"id": 1e999, "query": "Who?"}': (6, 400),
    b"[" * 100_000: (7, 400),
    b'{"id": [1, {"x": null}], "query": ""}': ([1, {"x": None}], 422),
    b'{"id": false, "question": 5}': (False, 422),
    b'{"id": "\\ud800", "question": null}': ("\ud800", 422),
    b'{"id": 1.5, "query": "Who?", "tiers": ["sql"]}': (1.5, 422),
    b'{"id": null, "query": "Who?", "as_of": "soon"}': (12, 422),
    b'{"query": "' + b"x" * 100_001 + b'"}': (13, 422),
    b'{"query": "Who?", "history": [{"role": "king"}]}': (14, 422),
    b"\x00": (15, 400),
}


async def test_bad_rows_are_whole_problems_in_their_place(
    home: Path, data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    batch = tmp_path / "batch.jsonl"
    good = b'{"id": {"a": 1}, "query": "Who feeds Nanuk?"}'
    await asyncio.to_thread(batch.write_bytes, b"\xef\xbb\xbf" + b"\r\n".join([*BAD_ROWS, good]))

    assert await run("route", "--batch", str(batch), "--data", data) == 0

    *lines, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["row"], line["error"]["status"]) for line in lines] == list(BAD_ROWS.values())
    for line in lines:
        assert set(line["error"]) == {"type", "title", "status", "detail", "errors"}
    assert last["row"] == {"a": 1}
    assert "tiers" in last


async def test_a_fault_of_ours_costs_its_row_alone():
    async def broken(asked: AskRequest) -> Mapping[str, object]:
        raise RuntimeError("deep inside")

    outcome = await asking._one(b'{"id": "q", "query": "Who?"}', 1, broken)

    assert (outcome["row"], outcome["error"]["status"]) == ("q", 500)
    assert "deep inside" not in outcome["error"]["detail"]


@pytest.mark.parametrize("status", [422, 429, 503])
async def test_a_problem_of_the_running_service_is_passed_on_as_it_is(status: int):
    problem = {"type": "about:blank", "title": "T", "status": status, "detail": "D", "errors": []}

    def serve(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, json=problem)

    transport = httpx.MockTransport(serve)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        outcome = await asking._one(b'{"query": "Who?"}', 1, asking._remote(client))

    assert outcome == {"row": 1, "error": problem}


async def test_a_service_that_does_not_speak_json_is_a_dependency_that_failed():
    transport = httpx.MockTransport(lambda _: httpx.Response(502, text="<html>Bad gateway"))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        outcome = await asking._one(b'{"query": "Who?"}', 1, asking._remote(client))

    assert outcome["error"]["status"] == 503
    assert "502 without JSON" in outcome["error"]["detail"]


async def test_route_gives_the_route_alone(
    home: Path,
    data: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    line = b'{"id": "r1", "query": "Which animals does Amelia Stone feed?"}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))

    assert await run("route", "--batch", "-", "--data", data) == 0

    (route,) = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert route["row"] == "r1"
    assert {"tiers", "probabilities", "decided_by", "reasons"} <= set(route)
    assert "answer" not in route


async def test_routing_needs_no_home_of_its_own(
    home: Path, data: str, capsys: pytest.CaptureFixture[str]
):
    await run("load", data)
    capsys.readouterr()

    with owned_home(home):
        assert await run("route", "Which animals does Amelia Stone feed?") == 0
        assert await run("ask", "Which animals does Amelia Stone feed?") == 1

    shown = capsys.readouterr()
    assert "names Amelia Stone" in shown.out
    assert "in use by process" in shown.err


async def test_routing_without_any_data_says_so(home: Path, capsys: pytest.CaptureFixture[str]):
    assert await run("route", "Who?") == 1
    assert "load a data set first" in capsys.readouterr().err


async def test_status_tells_how_the_home_is(
    home: Path, data: str, capsys: pytest.CaptureFixture[str]
):
    await run("load", data)
    capsys.readouterr()

    assert await run("status", "--json") == 0

    state = json.loads(capsys.readouterr().out)
    assert (state["status"], state["owner"]) == ("ok", None)
    assert {part["state"] for part in state["parts"].values()} == {"ok"}


async def test_status_is_a_table_for_a_person(
    home: Path, data: str, capsys: pytest.CaptureFixture[str]
):
    await run("load", data)
    capsys.readouterr()

    assert await run("status") == 0

    first, version, *parts = capsys.readouterr().out.splitlines()
    assert first.endswith("(owned by no process): ok")
    assert version.startswith("knowledge version ")
    assert {line.split("  ")[0] for line in parts} >= {"journal", "facts", "encoder", "disk"}
    assert "embedded" in parts[0]


async def test_status_of_no_home_says_what_to_do_and_makes_none(
    home: Path, capsys: pytest.CaptureFixture[str]
):
    assert await run("status") == 1

    assert "not ready\n  -> there is no home here yet: load a data set" in capsys.readouterr().out
    assert not await asyncio.to_thread(home.exists)


async def test_status_of_a_home_without_its_redis_says_why_without_credentials(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    await asyncio.to_thread(home.mkdir)
    monkeypatch.setenv("TRIVIUM_REDIS_URL", "redis://ann:hidden@127.0.0.1:1/0")

    assert await run("status", "--json") == 0  # it answers, without facts

    shown = capsys.readouterr().out
    said = json.loads(shown)
    assert said["status"] == "degraded"
    assert "start it" in said["parts"]["facts"]["advice"]
    assert "hidden" not in shown


async def test_status_of_a_home_at_work_is_not_ready(
    home: Path, capsys: pytest.CaptureFixture[str]
):
    with owned_home(home) as owned:
        assert await run("status") == 1
        assert "does not serve yet" in capsys.readouterr().out

        owned.serves_at("http://127.0.0.1:1")
        assert await run("status") == 1
        assert "does not answer at http://127.0.0.1:1" in capsys.readouterr().out


async def test_bad_usage_exits_with_2(home: Path, capsys: pytest.CaptureFixture[str]):
    assert await run("ask") == 2
    with pytest.raises(SystemExit, match="2"):
        main(["fly"])
    assert "give one question" in capsys.readouterr().err


def test_every_bench_of_the_command_line_is_there():
    there = {path.stem for path in (Path(__file__).parents[2] / "bench").glob("*.py")}
    assert {name.replace("-", "_") for name in BENCHES} <= there


async def test_a_bench_runs_in_a_checkout_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    assert await run("bench", "graph-scale", "--help") == 0
    assert "--sizes" in capfd.readouterr().out
    monkeypatch.chdir(tmp_path)
    assert await run("bench", "graph-scale", "--help") == 1
    assert "checkout" in capfd.readouterr().err


async def test_what_cannot_run_exits_with_1_and_says_why(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert await run("load", str(tmp_path / "nowhere")) == 1
    assert "is not a directory" in capsys.readouterr().err

    assert await run("ask", "--batch", str(tmp_path / "none.jsonl")) == 1
    assert "cannot be read" in capsys.readouterr().err


async def test_a_bad_setting_is_told_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("TRIVIUM_PORT", "many")

    assert await run("status") == 2

    assert "TRIVIUM_PORT" in capsys.readouterr().err
