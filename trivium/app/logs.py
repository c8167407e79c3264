"""One form for every line logged: ours and those of libraries, as text or as JSON."""

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, Final, Literal, TextIO

import structlog

from trivium.app.tracing import trace_id

_Event = MutableMapping[str, Any]  # Any: structlog's own type

_OURS: Final = "trivium.log_handler"
"""The name of the handler that this module sets, so that it replaces just its own."""


def configure_logs(level: str, form: Literal["text", "json"], stream: TextIO | None = None) -> None:
    """Send all logs to ``stream``, or standard error: ours at ``level``, libraries' warnings.

    Lines carry the id of the request that they belong to, in its tasks and threads too. Text of
    a question stands in no line; so of an exception the kind and the place are logged, and the
    message at the level ``debug`` alone.
    """
    number = logging.getLevelNamesMapping()[level.upper()]
    shared = _processors(with_messages=number <= logging.DEBUG)
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    stream = stream or sys.stderr
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=stream),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.set_name(_OURS)
    handler.setLevel(max(number, logging.WARNING))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    reset_logs()
    logging.getLogger().addHandler(handler)
    logging.captureWarnings(capture=True)


def reset_logs() -> None:
    """Take back what ``configure_logs`` did to the logs of libraries."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if handler.get_name() == _OURS]:
        root.removeHandler(handler)
    logging.captureWarnings(capture=False)


def _processors(*, with_messages: bool) -> list[structlog.typing.Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _add_trace_id,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.ExceptionRenderer() if with_messages else _place_of_exception,
    ]


def _add_trace_id(_logger: object, _method: str, event: _Event) -> _Event:
    if (found := trace_id()) is not None:
        event["trace_id"] = found
    return event


def _place_of_exception(_logger: object, _method: str, event: _Event) -> _Event:
    """Replace an exception by its kind and its stack, without its message."""
    given = event.pop("exc_info", None)
    error = given[1] if isinstance(given, tuple) else given
    if error is True:
        error = sys.exception()
    if isinstance(error, BaseException):
        event["exception"] = "\n".join(_told(error))
    return event


def _told(error: BaseException) -> list[str]:
    """Give the chain of an exception, the first cause first."""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    stack = "".join(traceback.format_tb(error.__traceback__)).rstrip()
    parts = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return [
        *(_told(earlier) if earlier else []),
        kind,
        stack,
        *(line for part in parts for line in _told(part)),
    ]
