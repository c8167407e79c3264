"""What a person on call sees of a running service: its log, its metrics, its health."""

import io
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from feedback.journal import SqlAnswerJournal
from tests.conftest import logged
from tests.e2e.conftest import settings_for
from tests.zoo import write_zoo
from tiers.cag.server import EmbeddedServer
from trivium.app.bootstrap import open_service
from trivium.app.http import create_app
from trivium.app.logs import configure_logs
from trivium.app.service import Service
from trivium.app.tracing import Tracing
from trivium.domain.deadline import Deadline
from trivium.domain.question import Question, Understood
from trivium.domain.schema import Schema
from trivium.knowledge.dataset import read_dataset

SECRET = "which animals does amelia stone feed"  # a question, as a person may type it
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@asynccontextmanager
async def client_of(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=create_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://zoo") as client:
        yield client


class BrokenAnswers:
    """A journal of answers with a fault."""

    async def get(self, answer_id: str, tenant: str) -> None:
        raise RuntimeError(SECRET)


class BrokenReader:
    """A reader with a fault, which quotes the question in its message."""

    async def understand(self, question: Question, deadline: Deadline) -> Understood:
        return self.read(question)

    def read(self, question: Question) -> Understood:
        raise RuntimeError(f"cannot read {question.text}")

    @property
    def schema(self) -> Schema:
        return Schema()

    def name(self, entity: str) -> tuple[str, str | None]:
        return entity, None


async def test_each_request_is_one_line_that_says_what_came_of_it(
    zoo: Service, stream: io.StringIO
):
    async with client_of(zoo) as client:
        first = await client.post("/ask", json={"question": SECRET, "tiers": ["graph"]})
        again = await client.post("/ask", json={"question": SECRET, "tiers": ["graph"]})
        await client.get(f"/answers/{first.json()['id']}")
        await client.get("/nowhere")

    lines = [line for line in logged(stream) if line["event"] == "request"]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/ask", 200),
        ("POST", "/ask", 200),
        ("GET", "/answers/{answer_id}", 200),
        ("GET", "other", 404),
    ]
    assert lines[0]["answer"] == first.json()["id"]
    assert (lines[0]["tiers"], lines[0]["degraded"]) == (["graph"], [])
    assert (lines[1]["answer"], lines[1]["remembered"]) == (again.json()["id"], True)
    assert lines[0]["request_id"] == first.headers["x-request-id"]
    assert all(line["ms"] > 0 for line in lines)


@pytest.mark.parametrize("form", ["json", "text"])
async def test_no_line_holds_the_text_of_a_question(zoo: Service, form: Any):
    stream = io.StringIO()
    configure_logs("info", form, stream)
    pipeline = replace(zoo.pipeline, reader=BrokenReader())
    broken = replace(zoo, pipeline=pipeline, answers=cast("SqlAnswerJournal", BrokenAnswers()))
    body = {"question": SECRET, "history": [{"role": "user", "content": SECRET}]}

    async with client_of(zoo) as client, client_of(broken) as crashing:
        statuses = [
            (await client.post("/ask", json=body)).status_code,
            (await client.post("/ask", json=body)).status_code,
            (await client.post("/ask", json={**body, "as_of": SECRET})).status_code,
            (await client.get(f"/ask?question={SECRET}")).status_code,
            (await client.get(f"/answers/{SECRET}")).status_code,
            (await crashing.post("/ask", json={"question": f"{SECRET} now"})).status_code,
            (await crashing.get(f"/answers/{zoo.ids.new()}?why={SECRET}")).status_code,
        ]
    await zoo.answers.flush()

    assert statuses == [200, 200, 422, 405, 404, 500, 500]
    shown = stream.getvalue().casefold()
    assert shown.count("request_crashed") == 2  # the question, and the answer that was asked for
    assert "amelia" not in shown
    assert "feed" not in shown


async def test_a_crash_can_be_found_by_the_id_that_the_caller_was_given(
    zoo: Service, stream: io.StringIO
):
    broken = replace(zoo, pipeline=replace(zoo.pipeline, reader=BrokenReader()))
    async with client_of(broken) as client:
        response = await client.post("/ask", json={"question": "Who?"})

    crashed = [line for line in logged(stream) if line["event"] == "request_crashed"]
    assert response.status_code == 500
    assert crashed[0]["request_id"] == response.headers["x-request-id"]
    assert "BrokenReader" not in crashed[0]["exception"]
    assert "in read" in crashed[0]["exception"]


async def test_no_label_comes_from_a_caller(client: httpx.AsyncClient):
    forged = "zzz-forged"
    await client.post("/ask", json={"question": forged, "tiers": ["graph"]})
    await client.get(f"/{forged}")
    await client.get(f"/answers/{forged}")
    await client.get(f"/openapi.json/{forged}")
    for method in ("ZZZ-FORGED", "PROPFIND", "options", "GET\u00e9"):
        await client.request(method.encode().decode("latin-1"), "/ask")
    await client.get("/readyz", headers={"x-request-id": forged, "traceparent": forged})

    text = (await client.get("/metrics")).text

    assert forged not in text.casefold()
    labels = {
        (name, value)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        for name, value in sample.labels.items()
    }
    assert {value for name, value in labels if name == "method"} <= {
        "GET",
        "POST",
        "OPTIONS",
        "other",
    }
    assert {value for name, value in labels if name == "route"} <= {
        "/ask", "/answers/{answer_id}", "/readyz", "/metrics", "/openapi.json", "other",
    }  # fmt: skip


async def test_metrics_tell_of_tiers_stages_parts_and_the_process(client: httpx.AsyncClient):
    await client.post("/ask", json={"question": SECRET, "tiers": ["graph"]})

    text = (await client.get("/metrics")).text

    for line in (
        'trivium_tier_calls_total{outcome="ok",tier="graph"} 1.0',
        'trivium_stage_seconds_count{stage="understand"} 1.0',
        'trivium_part_ok{part="facts"} 1.0',
        'trivium_part_behind{part="graph"} 0.0',
        "trivium_requests_in_flight 1.0",
        "trivium_answers_pending",
        "trivium_answers_dropped_total 0.0",
        "trivium_memory_audited_total 0.0",
        "trivium_memory_wrong_total 0.0",
        "trivium_knowledge_version",
        "process_resident_memory_bytes",
        "process_open_fds",
    ):
        assert line in text


async def test_a_question_is_one_trace_from_the_caller_to_the_tier(zoo: Service):
    spans = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    tracing = Tracing(provider)
    traced = replace(zoo, tracing=tracing, pipeline=replace(zoo.pipeline, tracer=tracing.tracer))

    async with client_of(traced) as client:
        response = await client.post(
            "/ask?q=" + SECRET,
            json={"question": SECRET, "tiers": ["graph"]},
            headers={"traceparent": CALLER},
        )

    found = spans.get_finished_spans()
    assert response.headers["traceparent"].split("-")[1] == CALLER.split("-")[1]
    assert {"POST /ask", "recall", "tier graph", "remember"} <= {span.name for span in found}
    assert {f"{span.context.trace_id:032x}" for span in found if span.context} == {
        CALLER.split("-")[1]
    }
    assert "amelia" not in "".join(span.to_json() for span in found).casefold()


async def test_it_stays_ready_without_redis_and_says_what_to_do(tmp_path: Path, encoder_dir: Path):
    (tmp_path / "redis").mkdir()
    server = await EmbeddedServer.start(tmp_path / "redis")
    settings = settings_for(tmp_path / "home", encoder_dir, redis_url=server.url)
    async with open_service(settings) as service:
        await service.knowledge.load(read_dataset(write_zoo(tmp_path / "data")))
        os.kill(server.pid, signal.SIGKILL)
        await server.stop()
        async with client_of(service) as client:
            ready = await client.get("/readyz")
            answer = await client.post("/ask", json={"question": SECRET, "tiers": ["graph"]})
            text = (await client.get("/metrics")).text

    state = ready.json()
    assert (ready.status_code, state["status"]) == (200, "degraded")
    down = {name: part for name, part in state["parts"].items() if part["state"] == "down"}
    assert set(down) == {"facts", "memory"}
    assert down["facts"]["advice"].endswith("and start it; answers go on without facts")
    assert down["facts"]["since"]
    assert answer.json()["result"]["ids"] == ["A-1", "A-2"]
    assert 'trivium_part_ok{part="facts"} 0.0' in text


async def test_it_is_not_ready_without_its_names(zoo: Service):
    async def broken() -> Any:
        raise RuntimeError

    checks = [
        replace(check, look=broken) if check.name == "names" else check
        for check in zoo.health.checks
    ]
    unready = replace(zoo, health=replace(zoo.health, checks=checks))

    async with client_of(unready) as client:
        response = await client.get("/readyz")
        live = await client.get("/livez")

    assert (response.status_code, response.json()["status"]) == (503, "not ready")
    assert "restart the service" in response.json()["parts"]["names"]["advice"]
    assert live.status_code == 200
