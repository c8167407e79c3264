"""Traces: whose spans they are, what they hold, and that a collector that fails costs nothing."""

import io
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
import structlog
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.messages_server import MessagesServer
from tests.unit.test_pipeline import CAG, GRAPH, RAG, FakeTier, a_house
from trivium.app.logs import configure_logs
from trivium.app.tracing import Tracing, finish, open_tracing, trace_id, traceparent, tracing_to
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.question import Question
from trivium.gateway.chat import ClaudeChat

ROOT = Path(__file__).parents[2]
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SECRET = "where does Amelia live"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def tracing(spans: InMemorySpanExporter) -> Tracing:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return Tracing(provider)


def by_name(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in spans.get_finished_spans()}


def test_a_request_goes_on_with_its_callers_trace(tracing: Tracing, spans: InMemorySpanExporter):
    with tracing.request("POST", {"traceparent": CALLER}) as span:
        assert span is not None
        assert trace_id() == "0af7651916cd43dd8448eb211c80319c"
        sent = traceparent()
        finish(span, method="POST", route="/ask", status=503)

    (found,) = spans.get_finished_spans()
    assert found.parent is not None
    assert f"{found.parent.span_id:016x}" == "b7ad6b7169203331"
    assert sent is not None
    assert sent.startswith("00-0af7651916cd43dd8448eb211c80319c-")
    assert sent != CALLER
    assert found.name == "POST /ask"
    assert dict(found.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/ask",
        "http.response.status_code": 503,
    }
    assert not found.status.is_ok


@pytest.mark.parametrize("given", ["", "nonsense", "00-0-0-00", "00-" + "0" * 32 + "-1-01", "💥"])
def test_a_forged_context_begins_a_new_trace(tracing: Tracing, given: str):
    with tracing.request("GET", {"traceparent": given}):
        assert trace_id() is not None


async def test_every_stage_and_tier_has_its_span(tracing: Tracing, spans: InMemorySpanExporter):
    broken = FakeTier(RAG, error=DependencyError(SECRET))
    pipeline = replace(
        a_house(FakeTier(CAG), broken, route=(CAG, RAG)).pipeline, tracer=tracing.tracer
    )

    with tracing.request("POST", {}):
        await pipeline.recall(Question(text=SECRET))
        await pipeline.ask(Question(text=SECRET), Deadline.after(5))

    found = by_name(spans)
    assert set(found) == {
        "POST", "recall", "understand", "route", "retrieve", "tier cag", "tier rag", "synthesise",
        "remember",
    }  # fmt: skip
    assert len({span.context.trace_id for span in found.values() if span.context}) == 1
    retrieve, tier = found["retrieve"].context, found["tier rag"].parent
    assert retrieve is not None
    assert tier is not None
    assert tier.span_id == retrieve.span_id
    assert dict(found["tier rag"].attributes or {}) == {"trivium.outcome": "failed"}
    assert SECRET not in "".join(span.to_json() for span in found.values())


async def test_an_error_of_a_stage_leaves_no_text_in_its_span(
    tracing: Tracing, spans: InMemorySpanExporter
):
    house = a_house(FakeTier(GRAPH, error=ValueError(SECRET)), route=(GRAPH,))
    pipeline = replace(house.pipeline, tracer=tracing.tracer)

    with pytest.raises(ExceptionGroup):
        await pipeline.ask(Question(text=SECRET), Deadline.after(5))

    assert SECRET not in "".join(span.to_json() for span in spans.get_finished_spans())


def test_lines_of_the_log_carry_the_trace(tracing: Tracing):
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    with tracing.request("POST", {"traceparent": CALLER}):
        structlog.get_logger("x").info("inside")
    structlog.get_logger("x").info("outside")

    inside, outside = (json.loads(line) for line in stream.getvalue().splitlines())
    assert inside["trace_id"] == "0af7651916cd43dd8448eb211c80319c"
    assert "trace_id" not in outside


async def test_the_model_is_told_the_trace(tracing: Tracing):
    async with MessagesServer() as server:
        chat = ClaudeChat.open(api_key="k", model="claude-test", base_url=server.url)
        with tracing.request("POST", {"traceparent": CALLER}):
            await chat.complete(system="s", prompt="p", deadline=Deadline.after(5))
        await chat.close()
        (request,) = server.requests

    assert "0af7651916cd43dd8448eb211c80319c" in request.headers["traceparent"]


def test_without_an_endpoint_there_are_no_spans():
    tracing = open_tracing(None, version="1")

    with tracing.request("GET", {"traceparent": CALLER}) as span:
        assert span is None
        assert trace_id() is None
        assert traceparent() is None
    assert tracing.tracer is None


def test_an_endpoint_that_is_no_url_is_refused():
    with pytest.raises(InputError, match="TRIVIUM_OTLP_ENDPOINT"):
        open_tracing("collector:4318", version="1")


def test_without_its_packages_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch):
    exporter = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
    monkeypatch.setitem(sys.modules, exporter, None)

    with pytest.raises(InputError, match=r"pip install 'trivium\[otel\]'"):
        open_tracing("http://127.0.0.1:1", version="1")


def test_no_exporter_is_loaded_where_no_collector_is_configured():
    program = (
        "import sys, trivium.app.http; from trivium.app.tracing import open_tracing; "
        "open_tracing(None, version='1'); "
        "sys.exit('opentelemetry.exporter' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False, cwd=ROOT).returncode == 0


class Collector:
    """A collector of traces on loopback."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.paths: list[str] = []
        self.spans: list[str] = []
        self.resource: dict[str, str] = {}
        self.is_asked = Event()

    def take(self, path: str, body: bytes) -> None:
        self.paths.append(path)
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.resource = {a.key: a.value.string_value for a in group.resource.attributes}
            self.spans += [span.name for scope in group.scope_spans for span in scope.spans]
        self.is_asked.set()


@contextmanager
def collecting(collector: Collector) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.take(self.path, self.rfile.read(int(self.headers["content-length"])))
            self.send_response(collector.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@asynccontextmanager
async def exporting(url: str) -> AsyncIterator[Tracing]:
    tracing = open_tracing(url, version="9.9")
    try:
        yield tracing
    finally:
        await tracing.close()


async def test_spans_arrive_at_the_collector():
    collector = Collector()
    with collecting(collector) as url:
        async with exporting(url + "/") as tracing:
            with tracing.request("GET", {}) as span:
                assert span is not None
                finish(span, method="GET", route="/livez", status=200)

    assert collector.paths == ["/v1/traces"]
    assert collector.spans == ["GET /livez"]
    assert (collector.resource["service.name"], collector.resource["service.version"]) == (
        "trivium",
        "9.9",
    )


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "answers 400"])
async def test_a_collector_that_fails_is_one_warning(url: str):
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    with collecting(Collector(status=400)) as answering:
        async with exporting(answering if url == "answers 400" else url) as tracing:
            for _ in range(2_000):
                with tracing.request("GET", {}):
                    pass

    warned = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert warned == ["traces_not_exported"]


class HangingExporter(InMemorySpanExporter):
    """An exporter that is stuck until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go_on = Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.may_go_on.wait(60)
        return super().export(spans)


class FailingExporter(InMemorySpanExporter):
    """An exporter that fails, and counts how often it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.n_asked = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.n_asked += 1
        return SpanExportResult.FAILURE


async def test_at_the_end_a_collector_that_fails_is_asked_once_and_what_waits_is_given_up():
    exporter = FailingExporter()
    tracing = tracing_to(exporter, version="1", delay_s=600)
    tracing.ending.set()
    for _ in range(4_000):
        with tracing.request("GET", {}):
            pass
    await tracing.close()

    assert exporter.n_asked == 1


async def test_a_collector_that_hangs_holds_up_no_request_and_keeps_no_more_than_its_queue():
    exporter = HangingExporter()
    tracing = tracing_to(exporter, version="1")

    for _ in range(6_000):
        with tracing.request("GET", {}):
            pass
    n_meanwhile = len(exporter.get_finished_spans())
    exporter.may_go_on.set()
    await tracing.close()

    assert n_meanwhile == 0
    assert len(exporter.get_finished_spans()) <= 4_096 + 512
