"""How many requests one key, or one address, may send: a token bucket each."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trivium.app.access import caller_of, is_stranger
from trivium.app.admission import ALWAYS
from trivium.app.problems import problem
from trivium.app.showing import is_page
from trivium.domain.errors import DependencyError, NotAskedError
from trivium.gateway.limits import Guard, GuardState, Limits

MINUTE_S: Final = 60.0
_N_BUCKETS: Final = 10_000
"""From so many on, those that are full again, and so say nothing, are forgotten."""
_TOKEN_S: Final = 0.2
"""A token that takes longer is counted here; one takes 0.3 ms."""
SHARED_LIMITS: Final = Limits(n_failures=3, patience_s=_TOKEN_S)
"""Of the guard before shared buckets: few requests wait until it opens, each for ``_TOKEN_S``."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of one request."""

    is_allowed: bool
    remaining: int
    """Requests that may be sent at once after it."""
    reset_s: int
    """Until the bucket is full again."""
    retry_s: int
    """Until one more may be sent; 0 where one may be."""


class Buckets:
    """Token buckets that hold ``per_minute`` each, and are filled evenly within a minute.

    Of each bucket, only the time is kept at which it will be full again.
    Source: the generic cell rate algorithm, ITU-T I.371.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self.interval_s = MINUTE_S / per_minute
        self._clock = clock
        self._full_at: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, whose: str) -> Taken:
        """Take a token from somebody's bucket, if it holds one."""
        now = self._clock()
        full_at = max(now, self._full_at.get(whose, now)) + self.interval_s
        taken = self.told(full_at - now)
        if taken.is_allowed:
            if whose not in self._full_at and len(self) >= _N_BUCKETS:
                self._full_at = {who: at for who, at in self._full_at.items() if at > now}
            self._full_at[whose] = full_at
        return taken

    def told(self, full_s: float) -> Taken:
        """Say what became of a request after which its bucket is full in ``full_s`` seconds."""
        late_s = full_s - MINUTE_S
        if late_s > 1e-6:
            reset_s = math.ceil(full_s - self.interval_s)
            return Taken(is_allowed=False, remaining=0, reset_s=reset_s, retry_s=math.ceil(late_s))
        remaining = math.floor(-late_s / self.interval_s + 1e-6)
        return Taken(is_allowed=True, remaining=remaining, reset_s=math.ceil(full_s), retry_s=0)


class SharedTokens(Protocol):
    """Buckets that several processes share."""

    async def take_token(self, whose: str, *, interval_s: float, full_s: float) -> float:
        """Take a token if there is one; return the seconds until the bucket would be full.

        Raises:
            DependencyError: who keeps them did not answer.
        """
        ...


class GuardedTokens:
    """Shared buckets behind a guard: while they do not answer, no request waits for them.

    Whether they are back is tried aside of the requests, by one of their own tokens at a time.
    """

    def __init__(self, tokens: SharedTokens, guard: Guard) -> None:
        self._tokens = tokens
        self._guard = guard
        self._trying: asyncio.Task[None] | None = None

    async def take_token(self, whose: str, *, interval_s: float, full_s: float) -> float:
        """Take a token if there is one; see ``SharedTokens``."""

        async def take() -> float:
            try:
                async with asyncio.timeout(_TOKEN_S):
                    return await self._tokens.take_token(
                        whose, interval_s=interval_s, full_s=full_s
                    )
            except TimeoutError as error:
                raise DependencyError(f"it did not answer within {_TOKEN_S:g} s") from error

        if self._guard.state is GuardState.CLOSED:
            return await self._guard.call(take)
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._try(take))
        raise NotAskedError("it is not waited for, since it failed")

    async def _try(self, take: Callable[[], Awaitable[float]]) -> None:
        with suppress(DependencyError):
            await self._guard.call(take)


class Limited:
    """An ASGI layer, behind ``Access``: refuses with 429 what is more than its caller may send.

    A key has its bucket wherever it is used from; where there is none, the address has one. While
    who keeps the shared buckets does not answer, each process counts for itself. The files of the
    page are not counted: they cost little, and a page that is shown in part is of no use.
    """

    def __init__(self, app: ASGIApp, buckets: Buckets, shared: SharedTokens | None = None) -> None:
        self._app = app
        self._buckets = buckets
        self._shared = shared

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or refuse it."""
        if scope["type"] != "http" or scope["path"] in ALWAYS or is_page(scope["path"]):
            await self._app(scope, receive, send)
            return
        taken = await self._take(_whose(Request(scope)))
        headers = {
            "RateLimit-Limit": str(self._buckets.per_minute),
            "RateLimit-Remaining": str(taken.remaining),
            "RateLimit-Reset": str(taken.reset_s),
        }

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(raw=message.setdefault("headers", [])).update(headers)
            await send(message)

        if taken.is_allowed:
            await self._app(scope, receive, tell)
            return
        told = (
            f"{self._buckets.per_minute} requests a minute are answered; "
            f"the next one in {taken.retry_s} s."
        )
        refusal = problem(429, told, headers={"Retry-After": str(taken.retry_s)})
        await refusal(scope, receive, tell)

    async def _take(self, whose: str) -> Taken:
        if self._shared is not None:
            interval_s = self._buckets.interval_s
            try:
                full_s = await self._shared.take_token(
                    whose, interval_s=interval_s, full_s=MINUTE_S
                )
            except NotAskedError:
                pass  # its guard has said so
            except DependencyError as error:
                _log.warning("rates_not_shared", error=str(error))
            else:
                return self._buckets.told(full_s)
        return self._buckets.take(whose)


def _whose(request: Request) -> str:
    if not is_stranger(request) and (name := caller_of(request).name) is not None:
        return f"key {name}"
    return f"address {request.client.host if request.client else ''}"
