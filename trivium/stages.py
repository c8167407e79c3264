"""How long each stage of a question takes, and the spans of traces."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

from opentelemetry.trace import Span, Tracer

from trivium.domain.ports import Watcher


class Unwatched:
    """A ``Watcher`` that nobody listens to."""

    def tier(self, name: str, outcome: str) -> None:
        """Let it pass."""

    def stage(self, name: str, seconds: float) -> None:
        """Let it pass."""


@dataclass(slots=True)
class Clock:
    """Times the stages of one question, and makes their spans."""

    watcher: Watcher
    tracer: Tracer | None
    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that what is done within takes to that of a stage."""
        started = time.perf_counter()
        try:
            with span_of(self.tracer, name):
                yield
        finally:
            took_s = time.perf_counter() - started
            self.timings_ms[name] = round(self.timings_ms.get(name, 0.0) + took_s * 1000, 3)
            self.watcher.stage(name, took_s)


def span_of(tracer: Tracer | None, name: str) -> AbstractContextManager[Span | None]:
    """Return the span of a part of a question: a name, and nothing that was said."""
    if tracer is None:
        return nullcontext()
    return tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False)
