"""Traces by OpenTelemetry where a collector is configured; the SDK is loaded only then."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Final, Protocol, cast

import structlog
from opentelemetry import trace
from opentelemetry.propagate import extract, inject
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer

from trivium.domain.errors import InputError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

_PATH: Final = "/v1/traces"
_TIMEOUT_S: Final = 2.0
"""Of one export, its retries included."""
_DELAY_S: Final = 2.0
"""How long a batch is gathered."""
_QUEUE: Final = 4096
"""Spans that wait; further ones push the oldest out."""
_BATCH: Final = 512

_log = structlog.get_logger(__name__)


class _Headers(Protocol):
    def get(self, key: str, default: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Tracing:
    """Makes the span of each request; ``provider`` is none where traces are off."""

    provider: "TracerProvider | None" = None
    ending: Event = field(default_factory=Event)
    """Set at the end: what a collector that fails does not take is given up."""

    @property
    def tracer(self) -> Tracer | None:
        """What makes the spans of the stages."""
        return self.provider.get_tracer("trivium") if self.provider else None

    @contextmanager
    def request(self, method: str, headers: _Headers) -> Iterator[Span | None]:
        """Hold the span of a request, the child of the caller's where it sent its context."""
        if self.provider is None:
            yield None
            return
        came = {name: headers.get(name, "") for name in ("traceparent", "tracestate")}
        with self.provider.get_tracer("trivium").start_as_current_span(
            method,
            context=extract({name: value for name, value in came.items() if value}),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": method},
            record_exception=False,  # a message may quote the question
            set_status_on_exception=False,
        ) as span:
            yield span

    async def close(self) -> None:
        """Send what waits, and end; it takes some seconds at most."""
        self.ending.set()
        if self.provider is not None:
            await asyncio.to_thread(self.provider.shutdown)


def finish(span: Span, *, method: str, route: str, status: int) -> None:
    """Say of a request's span what came of it."""
    span.update_name(f"{method} {route}")
    span.set_attributes({"http.route": route, "http.response.status_code": status})
    if status >= 500:
        span.set_status(StatusCode.ERROR)


def trace_id() -> str | None:
    """Return the id of the trace at hand, as collectors show it."""
    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else None


def traceparent() -> str | None:
    """Return the W3C header that stands for the span at hand."""
    carrier: dict[str, str] = {}
    inject(carrier)
    return carrier.get("traceparent")


def open_tracing(endpoint: str | None, *, version: str) -> Tracing:
    """Return what sends spans to the OTLP/HTTP collector at ``endpoint``; without one, nothing.

    Nothing is sent yet, and a collector that does not answer costs no request anything.
    ``OTEL_EXPORTER_OTLP_HEADERS`` and ``OTEL_TRACES_SAMPLER`` work as the SDK documents them.

    Raises:
        InputError: ``endpoint`` is no URL, or the packages are not installed.
    """
    if endpoint is None:
        return Tracing()
    if not endpoint.startswith(("http://", "https://")):
        raise InputError(
            "TRIVIUM_OTLP_ENDPOINT is not the URL of a collector, such as http://host:4318"
        )
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415  # an extra
            OTLPSpanExporter,
        )
    except ImportError as error:
        raise InputError(
            "TRIVIUM_OTLP_ENDPOINT is set, but the packages for traces are not installed: "
            "pip install 'trivium[otel]', or unset it"
        ) from error
    url = endpoint.rstrip("/")
    exporter = OTLPSpanExporter(
        endpoint=url if url.endswith(_PATH) else url + _PATH, timeout=_TIMEOUT_S
    )
    return tracing_to(exporter, version=version)


def tracing_to(exporter: "SpanExporter", *, version: str, delay_s: float = _DELAY_S) -> Tracing:
    """Return what gives spans to ``exporter``, in batches and on a thread of its own."""
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415  # an extra
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415  # an extra
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415  # an extra

    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # _OneWarning says it once
    provider = TracerProvider(
        resource=Resource.create({"service.name": "trivium", "service.version": version}),
        shutdown_on_exit=False,
    )
    tracing = Tracing(provider)
    quiet = _OneWarning(exporter, tracing.ending)
    provider.add_span_processor(
        BatchSpanProcessor(
            cast("SpanExporter", quiet),  # its base would load the SDK
            max_queue_size=_QUEUE,
            schedule_delay_millis=delay_s * 1000,
            max_export_batch_size=_BATCH,
        )
    )
    return tracing


class _OneWarning:
    """A ``SpanExporter`` that warns once when another fails, and tells when it works again."""

    def __init__(self, exporter: "SpanExporter", ending: Event) -> None:
        self._exporter = exporter
        self._ending = ending
        self._failure: SpanExportResult | None = None

    def export(self, spans: Sequence["ReadableSpan"]) -> "SpanExportResult":
        if self._failure is not None and self._ending.is_set():
            return self._failure
        result = self._exporter.export(spans)
        is_failing = result.name != "SUCCESS"
        if is_failing and self._failure is None:
            _log.warning("traces_not_exported", advice="see whether the collector answers")
        elif self._failure is not None and not is_failing:
            _log.info("traces_exported_again")
        self._failure = result if is_failing else None
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)
