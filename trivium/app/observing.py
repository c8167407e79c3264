"""Metrics for Prometheus, whose label sets are closed: what is not foreseen is ``other``."""

from collections.abc import Callable, Iterable
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from trivium.app.health import Health
from trivium.domain.answer import Answer
from trivium.domain.question import TierName

OTHER: Final = "other"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OUTCOMES: Final = frozenset({"ok", "miss", "failed", "timeout", "refused"})
"""What may come of asking a tier."""
GUARD_STATES: Final = ("closed", "half_open", "open", OTHER)
"""Of a breaker: calls pass, one is let through to try, none passes."""
TIERS: Final = frozenset(tier.value for tier in TierName)
DEPENDENCIES: Final = TIERS | {
    *("redis", "qdrant", "database", "facts", "documents", "memory", "answers", "journal"),
    *("operators", "rates"),
    *("encoder", "model", "llm", "neo4j", "kafka"),
}
STAGES: Final = frozenset({"recall", "understand", "route", "retrieve", "synthesise", "remember"})
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """What the service counts; one registry a service, so that tests do not share it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._of_requests()
        self._of_answers()
        self._of_parts()

    def _of_requests(self) -> None:
        registry = self.registry
        self.requests = Counter(
            "trivium_requests",
            "Requests, by method, route and status class.",
            ("method", "route", "status"),
            registry=registry,
        )
        self.seconds = Histogram(
            "trivium_request_seconds",
            "Seconds a request took, by route.",
            ("route",),
            buckets=_BUCKETS,
            registry=registry,
        )
        self.in_flight = Gauge(
            "trivium_requests_in_flight", "Requests being answered.", registry=registry
        )
        self._shed = Counter(
            "trivium_requests_shed", "Requests refused because of load.", registry=registry
        )

    def _of_answers(self) -> None:
        registry = self.registry
        self.answers = Counter(
            "trivium_answers", "Answers, by status.", ("status",), registry=registry
        )
        self.routed = Counter(
            "trivium_routed", "Tiers chosen.", ("tier", "decided_by"), registry=registry
        )
        self.degraded = Counter(
            "trivium_degraded", "What could not do its part.", ("tier",), registry=registry
        )
        self.remembered = Counter(
            "trivium_remembered", "Answers given again from memory.", registry=registry
        )
        self._tiers = Counter(
            "trivium_tier_calls", "Tiers asked, by outcome.", ("tier", "outcome"), registry=registry
        )
        self._stages = Histogram(
            "trivium_stage_seconds",
            "Seconds a stage of a question took.",
            ("stage",),
            buckets=_BUCKETS,
            registry=registry,
        )

    def _of_parts(self) -> None:
        registry = self.registry
        self._guards = Gauge(
            "trivium_guard_state",
            "1 for the state that the breaker of a dependency is in.",
            ("dependency", "state"),
            registry=registry,
        )
        self.part_is_ok = Gauge(
            "trivium_part_ok", "1 where a part of the service is as it should be, else 0.",
            ("part",), registry=registry,
        )  # fmt: skip
        self.lag = Gauge(
            "trivium_part_behind",
            "Changes of the journal that a part has not taken yet, or answers not written.",
            ("part",),
            registry=registry,
        )

    def count(self, answer: Answer) -> None:
        """Count an answer."""
        self.answers.labels(answer.status.value).inc()
        for tier in answer.route.tiers:
            self.routed.labels(tier.value, answer.route.decided_by.value).inc()
        for degraded in answer.degraded:
            self.degraded.labels(_closed(degraded.tier, DEPENDENCIES)).inc()

    def tier(self, name: str, outcome: str) -> None:
        """Count a call of a tier; see ``OUTCOMES``."""
        self._tiers.labels(_closed(name, TIERS), _closed(outcome, OUTCOMES)).inc()

    def stage(self, name: str, seconds: float) -> None:
        """Note how long a stage of a question took."""
        self._stages.labels(_closed(name, STAGES)).observe(seconds)

    def guard_state(self, name: str, state: str) -> None:
        """Say in which state the breaker of a dependency is; see ``GUARD_STATES``."""
        name, state = _closed(name, DEPENDENCIES), _closed(state, GUARD_STATES)
        for known in GUARD_STATES:
            self._guards.labels(name, known).set(known == state)

    def shed(self) -> None:
        """Count a request that was refused because of load."""
        self._shed.inc()

    def read_gauge(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Show what ``read`` gives at each scrape; ``name`` begins with ``trivium_``."""
        Gauge(name, meaning, registry=self.registry).set_function(read)

    def read_counter(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Show a count that is kept elsewhere, as ``read`` gives it at each scrape."""
        self.registry.register(_ReadCounter(name, meaning, read))

    def watch(self, health: Health) -> None:
        """Say how the parts of the service are, and how far they are behind."""
        for part in health.parts:
            self.part_is_ok.labels(part.check.name).set(part.is_fine)
            self.lag.labels(part.check.name).set(part.seen.behind)

    def text(self) -> bytes:
        """Return the metrics in Prometheus' text form."""
        return generate_latest(self.registry)


class _ReadCounter(Collector):
    """A counter whose value is kept elsewhere."""

    def __init__(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        self._name = name
        self._meaning = meaning
        self._read = read

    def collect(self) -> Iterable[Metric]:
        yield CounterMetricFamily(self._name, self._meaning, value=self._read())


def _closed(value: str, known: Iterable[str]) -> str:
    return value if value in known else OTHER
