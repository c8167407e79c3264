"""Misroutes: rated down, analysed, decided about and exported, over HTTP and the command line."""

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from feedback.misroutes import ReportFilter
from tests.e2e.conftest import settings_for
from tests.zoo import write_zoo
from trivium.app import cli
from trivium.app.bootstrap import open_service
from trivium.app.http import create_app
from trivium.app.service import Service
from trivium.knowledge.dataset import read_dataset

FINE = "What does a visitor who feeds an animal pay?"


async def rated(client: httpx.AsyncClient, question: str = FINE, **said: object) -> str:
    """Ask the wrong tier, rate the answer down, and return its id."""
    asked = {"question": question, "tiers": ["graph"]}
    answer = (await client.post("/ask", json=asked)).json()
    rating = {"rating": "down", "rater": "ann", **said}
    response = await client.post(f"/answers/{answer['id']}/rating", json=rating)
    assert response.status_code in {200, 201}, response.text
    answer_id: str = answer["id"]
    return answer_id


async def listed(client: httpx.AsyncClient, **wanted: object) -> list[dict[str, Any]]:
    response = await client.get("/admin/misroutes", params=wanted)  # type: ignore[arg-type]  # plain values
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["misroutes"]
    return found


async def act(client: httpx.AsyncClient, report: str, action: str, **more: object):
    asked = {"action": action, "author": "eve", **more}
    return await client.post(f"/admin/misroutes/{report}", json=asked)


async def test_a_low_rating_becomes_a_labelled_question(client: httpx.AsyncClient, zoo: Service):
    answer = await rated(client, reason="wrong_tier", comment="It is in the rules.")
    await zoo.analyst.work()

    (report,) = await listed(client, state="open", kind="routing", given="graph", proposed="rag")
    found = report["analysis"]
    assert (found["question"], found["proposed"]) == (FINE, ["rag"])
    assert "60 euros" in found["alone"]["rag"]["answer"]
    assert set(found["route"]["probabilities"]) == {"cag", "rag", "graph"}
    assert found["route"]["model_version"]
    assert (report["rating"]["answer_id"], report["rating"]["rater"]) == (answer, "ann")

    claimed = await act(client, report["id"], "claim")
    assert claimed.json()["claim"]["by"] == "eve"
    assert (await act(client, report["id"], "confirm", author="bob")).status_code == 409
    confirmed = await act(client, report["id"], "confirm", tiers=["rag"])
    assert confirmed.status_code == 200, confirmed.text
    assert confirmed.json()["state"] == "confirmed"
    again = await act(client, report["id"], "confirm")
    assert again.json() == confirmed.json()
    assert await listed(client, state="open") == []
    labels = (await zoo.retraining.ear.evidence()).confirmed
    assert [(label.question, label.tiers, label.rater) for label in labels] == [
        (FINE, ("rag",), "ann")
    ]

    assert (await act(client, report["id"], "undo")).json()["state"] == "open"
    assert (await zoo.retraining.ear.evidence()).confirmed == []
    whole = (await client.get(f"/admin/misroutes/{report['id']}")).json()
    assert [event["action"] for event in whole["history"]] == ["claim", "confirm", "undo"]


async def test_a_thumb_alone_labels_nothing(client: httpx.AsyncClient, zoo: Service):
    await rated(client)
    await zoo.analyst.work()

    assert (await zoo.retraining.ear.evidence()).confirmed == []


async def test_a_thumb_up_is_heard_as_one_and_until_it_is_taken_back(
    client: httpx.AsyncClient, zoo: Service
):
    answer = (await client.post("/ask", json={"question": "Who feeds Kiki?"})).json()
    place = f"/answers/{answer['id']}/rating"
    await client.post(place, json={"rating": "up", "rater": "ann"})

    (heard,) = (await zoo.retraining.ear.evidence()).liked
    assert (heard.question, heard.tiers, heard.rater) == ("Who feeds Kiki?", ("graph",), "ann")

    await client.post(place, json={"rating": "down", "rater": "ann"})
    assert (await zoo.retraining.ear.evidence()).liked == []


async def test_an_analysis_leaves_no_trace_of_what_it_asked(
    client: httpx.AsyncClient, zoo: Service, monkeypatch: pytest.MonkeyPatch
):
    await rated(client)
    counted: list[object] = []
    monkeypatch.setattr(type(zoo.answers), "record", lambda _journal, *told: counted.append(told))

    await zoo.analyst.work()

    assert counted == []
    asked = {"question": FINE, "tiers": ["rag"]}
    assert (await client.post("/ask", json=asked)).json()["cache"] == {"hit": False}


async def test_bulk_decides_what_it_can_and_tells_of_the_rest(
    client: httpx.AsyncClient, zoo: Service
):
    for question in (FINE, "Who cleans?"):
        await rated(client, question)
    await zoo.analyst.work()
    first, second = [report["id"] for report in await listed(client)]
    await act(client, first, "claim", author="bob")

    asked = {"ids": [first, second, "mis_none"], "action": "dismiss", "author": "eve"}
    done = (await client.post("/admin/misroutes", json=asked)).json()

    assert done["n_done"] == 1
    statuses = [result.get("error", {}).get("status", 200) for result in done["results"]]
    assert statuses == [409, 200, 404]
    assert [report["state"] for report in await listed(client)] == ["open", "dismissed"]


async def test_an_export_holds_labels_comments_rater_time_and_model_version(
    client: httpx.AsyncClient, zoo: Service
):
    """Cases F05 and S08."""
    await rated(client, comment="=cmd|' /C calc'!A0", tiers=["rag"], answer="-5")
    await rated(client, '@Who, "feeds" Kiki?', comment="+1+1", rater="\tbob")
    await zoo.analyst.work()
    report = (await listed(client))[0]
    decided = (await act(client, report["id"], "correct", tiers=[], comment="-x")).json()

    exported = await client.get("/admin/misroutes/export")

    assert exported.headers["content-type"] == "text/csv; charset=utf-8"
    first, second = csv.DictReader(io.StringIO(exported.text))
    assert first["label"] == "none"
    assert first["comment"] == "'=cmd|' /C calc'!A0"
    assert (first["rater"], first["rated_at"]) == ("ann", report["rating"]["at"])
    assert first["model_version"] == report["analysis"]["route"]["model_version"]
    assert (first["rater_tiers"], first["rater_answer"]) == ("rag", "-5")
    assert (first["decided_by"], first["decision_comment"]) == ("eve", "'-x")
    assert first["decided_at"] == decided["verdict"]["at"]
    assert (second["question"], second["comment"]) == ('\'@Who, "feeds" Kiki?', "'+1+1")
    assert (second["rater"], second["label"]) == ("'\tbob", "")

    lines = await client.get("/admin/misroutes/export", params={"format": "jsonl"})
    rows = [json.loads(line) for line in lines.text.splitlines()]
    assert rows == await listed(client)
    assert rows[0]["rating"]["comment"] == "=cmd|' /C calc'!A0"
    some = await client.get("/admin/misroutes/export", params={"state": "dismissed"})
    assert len(some.text.splitlines()) == 1


async def test_lists_come_in_pages(client: httpx.AsyncClient):
    for rater in "abc":
        await rated(client, rater=rater)

    page = (await client.get("/admin/misroutes", params={"limit": 2})).json()
    rest = await listed(client, after=page["after"])

    assert [r["rating"]["rater"] for r in [*page["misroutes"], *rest]] == ["a", "b", "c"]
    assert await listed(client, since="2999-01-01") == []
    assert len(await listed(client, since="2020-01-01", tenant="default")) == 3
    assert await listed(client, tenant="other") == []


@pytest.mark.parametrize(
    "wanted", [{"state": "odd"}, {"limit": 0}, {"since": "soon"}, {"given": "x"}, {"colour": "red"}]
)
async def test_bad_queries_are_problems(client: httpx.AsyncClient, wanted: dict[str, str]):
    assert (await client.get("/admin/misroutes", params=wanted)).status_code == 422


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"action": "maybe"},
        {"action": "correct"},
        {"action": "dismiss", "tiers": ["rag"]},
        {"action": "claim", "claim_s": 0},
        {"action": "correct", "tiers": ["x"]},
    ],
)
async def test_bad_steps_are_problems(client: httpx.AsyncClient, asked: dict[str, object]):
    assert (await client.post("/admin/misroutes/mis_0", json=asked)).status_code == 422
    bulk = {**asked, "ids": ["mis_0"]}
    assert (await client.post("/admin/misroutes", json=bulk)).status_code == 422


async def test_what_is_not_there_is_404(client: httpx.AsyncClient):
    assert (await client.get("/admin/misroutes/mis_0")).status_code == 404
    assert (await act(client, "mis_0", "dismiss")).status_code == 404


@pytest.mark.parametrize("path", ["", "/export", "/mis_0"])
async def test_the_queue_is_for_programs_on_the_machine_alone(zoo: Service, path: str):
    transport = httpx.ASGITransport(app=create_app(zoo), client=("10.1.2.3", 40_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as stranger:
        assert (await stranger.get(f"/admin/misroutes{path}")).status_code == 403


async def test_a_report_that_a_crash_left_is_analysed_at_the_next_start(
    tmp_path: Path, encoder_dir: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = settings_for(tmp_path / "home", encoder_dir)
    dataset = read_dataset(write_zoo(tmp_path / "data"))
    async with open_service(settings) as service:
        await service.knowledge.load(dataset)
        monkeypatch.setattr("feedback.analyst.Analyst.wake", lambda _analyst: None)
        transport = httpx.ASGITransport(app=create_app(service))
        async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:
            await rated(client)
        (left,) = await service.misroutes.find(ReportFilter())
    assert left.analysis is None

    async with open_service(settings) as again:
        await again.analyst.work()
        (report,) = await again.misroutes.find(ReportFilter())

    assert report.analysis is not None
    assert report.analysis.question == FINE


async def test_the_command_line_lists_and_exports_beside_whoever_serves(
    home: Path, encoder_dir: Path, capsys: pytest.CaptureFixture[str]
):
    async with open_service(settings_for(home, encoder_dir)) as service:
        await service.knowledge.load(read_dataset(write_zoo(home.parent / "data")))
        transport = httpx.ASGITransport(app=create_app(service))
        async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:
            await rated(client, reason="wrong_tier")
            await service.analyst.work()
            (report,) = await listed(client)

        capsys.readouterr()
        assert await run("misroutes", "list", "--state", "open") == 0
        told = capsys.readouterr().out
        assert told == f"{report['id']}  open  routing: graph -> rag  ann  {FINE!r}\n"
        assert await run("misroutes", "list", "--kind", "data") == 0
        assert capsys.readouterr().out == ""
        assert await run("misroutes", "list", "--json") == 0
        assert json.loads(capsys.readouterr().out) == report
        assert await run("misroutes", "export", "out.csv") == 0
        assert await run("misroutes", "export", "-", "--format", "jsonl") == 0
        assert json.loads(capsys.readouterr().out) == report

    with (home.parent / "out.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["question"], row["proposed"]) == (FINE, "rag")


async def test_the_command_line_says_what_it_cannot_do(
    home: Path, capsys: pytest.CaptureFixture[str]
):
    assert await run("misroutes", "list") == 1
    assert "there is no home" in capsys.readouterr().err
    assert await run("misroutes", "list", "--since", "soon") == 1


async def run(*arguments: str) -> int:
    """Run the command line on a thread, where it has an event loop of its own."""
    return await asyncio.to_thread(cli.main, arguments)
