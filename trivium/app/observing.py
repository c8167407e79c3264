"""Logs with request ids, and metrics whose label sets are closed."""

import contextlib
import logging
import re
import secrets
import sys
import time
from collections.abc import Iterable
from typing import Final, Literal

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trivium.domain.answer import Answer

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """What the service counts; one registry a service, so that tests do not share it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "trivium_requests",
            "Requests, by route and status class.",
            ("route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "trivium_request_seconds",
            "Seconds a request took, by route.",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.answers = Counter(
            "trivium_answers", "Answers, by status.", ("status",), registry=self.registry
        )
        self.routed = Counter(
            "trivium_routed", "Tiers asked.", ("tier", "decided_by"), registry=self.registry
        )
        self.degraded = Counter(
            "trivium_degraded", "What could not do its part.", ("tier",), registry=self.registry
        )
        self.remembered = Counter(
            "trivium_remembered", "Answers given again from memory.", registry=self.registry
        )
        self.shed = Counter(
            "trivium_shed",
            "Requests refused unread, because too many came.",
            registry=self.registry,
        )
        self.version = Gauge(
            "trivium_knowledge_version", "The knowledge version.", registry=self.registry
        )

    def count(self, answer: Answer) -> None:
        """Count an answer."""
        self.answers.labels(answer.status.value).inc()
        for tier in answer.route.tiers:
            self.routed.labels(tier.value, answer.route.decided_by.value).inc()
        for degraded in answer.degraded:
            self.degraded.labels(degraded.tier).inc()

    def text(self) -> bytes:
        """Return the metrics in Prometheus' text form."""
        return generate_latest(self.registry)


class Observed:
    """An ASGI layer: gives each request an id, and counts and times it."""

    def __init__(
        self, app: ASGIApp, metrics: Metrics, routes: Iterable[tuple[str, re.Pattern[str]]]
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._routes = tuple(routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        status = 500
        started = time.perf_counter()

        async def tell(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message.setdefault("headers", []).append((b"x-request-id", request_id.encode()))
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, tell)
            finally:
                route = self._route(scope)
                self._metrics.requests.labels(route, f"{status // 100}xx").inc()
                self._metrics.seconds.labels(route).observe(time.perf_counter() - started)

    def _route(self, scope: Scope) -> str:
        """Return the route's pattern, never the path: labels stay few."""
        found = (name for name, pattern in self._routes if pattern.match(scope["path"]))
        return next(found, "other")


def _request_id(scope: Scope) -> str:
    for key, value in scope["headers"]:
        if key == b"x-request-id":
            with contextlib.suppress(UnicodeDecodeError):
                text = value.decode("ascii")
                if 0 < len(text) <= 64 and text.replace("-", "").isalnum():
                    return str(text)
    return secrets.token_hex(8)


def configure_logs(level: str, form: Literal["text", "json"]) -> None:
    """Send our logs to standard error, at ``level`` and above."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.ExceptionRenderer(),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
