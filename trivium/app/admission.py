"""Load is shed before it is taken: what comes in beyond the limit is refused unread."""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from trivium.app.observing import Metrics
from trivium.app.problems import problem

ALWAYS: Final = frozenset({"/livez", "/readyz", "/metrics"})
"""What is asked to see how it is must be answered most of all under load."""


class Admission:
    """An ASGI layer: takes so many requests at a time, and answers 503 to the others at once.

    They are refused before their body is read, and told when to come again.
    """

    def __init__(self, app: ASGIApp, limit: int, metrics: Metrics) -> None:
        self._app = app
        self._limit = limit
        self._metrics = metrics
        self._n_taken = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or refuse it."""
        if scope["type"] != "http" or scope["path"] in ALWAYS:
            await self._app(scope, receive, send)
            return
        if self._n_taken >= self._limit:
            self._metrics.shed()
            told = f"{self._limit} requests are being answered, and more are not taken now."
            await problem(503, told)(scope, receive, send)
            return
        self._n_taken += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._n_taken -= 1
