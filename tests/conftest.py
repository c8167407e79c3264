"""What all tests share: how hard property tests look, and from which seed."""

import io
import json
import os
import secrets
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import structlog

from trivium.app.logs import configure_logs, reset_logs

SOAK = int(os.environ.get("TRIVIUM_SOAK", "1"))  # noqa: TID251  # how long tests run is no setting
"""How many times the usual number of examples a property test takes."""
LATE_S = 0.25 if SOAK > 1 else 2.0
"""How late past its time an answer may be: `make soak` runs one test at a time, CI several."""
_SEED = os.environ.get("TRIVIUM_SEED", "0" if SOAK == 1 else "")  # noqa: TID251  # no setting
SEED = int(_SEED) if _SEED else secrets.randbits(32)
"""Every run takes the same examples; a soak takes new ones, and says how to take them again."""

hypothesis.settings.register_profile(
    "trivium",
    max_examples=60 if SOAK == 1 else 100 * SOAK,
    deadline=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("trivium")


def pytest_itemcollected(item: pytest.Item) -> None:
    if isinstance(item, pytest.Function) and getattr(item.obj, "is_hypothesis_test", False):
        hypothesis.seed(SEED)(item.obj)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"property tests: TRIVIUM_SOAK={SOAK} TRIVIUM_SEED={SEED}")


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """Undo what a test set of logging: a command logs to a stream that is the test's own."""
    yield
    structlog.reset_defaults()
    reset_logs()


@pytest.fixture
def stream() -> io.StringIO:
    """Where the log goes, as JSON; ``logged`` reads it."""
    found = io.StringIO()
    configure_logs("info", "json", found)
    return found


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    """Return the lines of a log."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]
