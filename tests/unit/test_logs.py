"""What the log holds, and what it never holds."""

import asyncio
import io
import logging
import warnings
from typing import Any

import pytest
import structlog

from tests.conftest import logged
from trivium.app.logs import configure_logs

SECRET = "where does Amelia live"


def test_lines_of_libraries_have_our_form(stream: io.StringIO):
    logging.getLogger("uvicorn.error").warning("too %s", "slow")
    logging.getLogger("sqlalchemy.pool").error("gone")
    logging.getLogger("httpx").info("chatter")

    shown = [(line["logger"], line["level"], line["event"]) for line in logged(stream)]
    assert shown == [
        ("uvicorn.error", "warning", "too slow"),
        ("sqlalchemy.pool", "error", "gone"),
    ]
    assert all("timestamp" in line for line in logged(stream))


def test_the_text_form_is_for_a_person():
    stream = io.StringIO()
    configure_logs("info", "text", stream)

    structlog.get_logger("x").info("request", status=200)
    logging.getLogger("uvicorn").warning("too slow")

    first, second = stream.getvalue().splitlines()
    assert "request" in first
    assert "status=200" in first
    assert "too slow" in second


def test_below_the_level_nothing_is_logged():
    stream = io.StringIO()
    configure_logs("error", "json", stream)

    structlog.get_logger("x").warning("quiet")
    logging.getLogger("y").warning("quiet")

    assert stream.getvalue() == ""


def test_python_warnings_are_logged_too(stream: io.StringIO):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        configure_logs("info", "json", stream)
        warnings.warn("old ways", DeprecationWarning, stacklevel=1)

    (line,) = logged(stream)
    assert line["logger"] == "py.warnings"
    assert "old ways" in line["event"]


async def test_lines_of_tasks_and_threads_carry_the_request_they_belong_to(stream: io.StringIO):
    log = structlog.get_logger("x")

    async def task() -> None:
        log.info("task")

    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        await asyncio.create_task(task())
        await asyncio.to_thread(log.info, "thread")
        await asyncio.to_thread(logging.getLogger("library").warning, "library")
    log.info("outside")

    shown = [(line["event"], line.get("request_id")) for line in logged(stream)]
    assert shown == [("task", "r-1"), ("thread", "r-1"), ("library", "r-1"), ("outside", None)]


def broken() -> None:
    """Fail as code may that was given a question."""
    raise RuntimeError(SECRET) from ExceptionGroup(SECRET, [ValueError(SECRET)])


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_exception_is_logged_by_kind_and_place_without_its_message(form: Any):
    stream = io.StringIO()
    configure_logs("info", form, stream)
    try:
        broken()
    except RuntimeError as error:
        structlog.get_logger("x").error("request_crashed", exc_info=error)
        structlog.get_logger("x").exception("again")
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")

    shown = stream.getvalue()
    assert SECRET not in shown
    assert shown.count("builtins.RuntimeError") == 3
    assert shown.count("builtins.ValueError") == 3
    assert "in broken" in shown


def test_at_the_level_debug_the_message_is_there():
    stream = io.StringIO()
    configure_logs("debug", "json", stream)
    try:
        broken()
    except RuntimeError as error:
        structlog.get_logger("x").error("request_crashed", exc_info=error)

    assert SECRET in stream.getvalue()


def test_setting_up_again_does_not_double_the_logged(stream: io.StringIO):
    configure_logs("info", "json", stream)

    logging.getLogger("y").warning("once")

    assert len(logged(stream)) == 1
