"""Load is shed before it is taken: what comes in beyond the limit is refused unread."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from trivium.app.observing import Metrics
from trivium.app.problems import problem

ALWAYS: Final = frozenset({"/livez", "/readyz", "/metrics"})
"""What is asked to see how it is must be answered most of all under load."""


@dataclass(slots=True)
class Room:
    """How many requests are taken at a time, and how many are now."""

    limit: int
    n_taken: int = 0

    @property
    def is_full(self) -> bool:
        """Whether no more are taken now."""
        return self.n_taken >= self.limit

    def refusal(self) -> Response:
        """Return what is told those for whom there is no room."""
        return problem(
            503, f"{self.limit} requests are being answered, and more are not taken now."
        )


class Admission:
    """An ASGI layer: takes so many requests at a time, and answers 503 to the others at once.

    They are refused before their body is read, and told when to come again.
    """

    def __init__(self, app: ASGIApp, room: Room, metrics: Metrics) -> None:
        self._app = app
        self._room = room
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or refuse it."""
        if scope["type"] != "http" or scope["path"] in ALWAYS:
            await self._app(scope, receive, send)
            return
        if self._room.is_full:
            self._metrics.shed()
            await self._room.refusal()(scope, receive, send)
            return
        self._room.n_taken += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._room.n_taken -= 1
