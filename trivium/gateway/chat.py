"""Claude, or any server that speaks its Messages API: one prompt in, one checked completion out.

The SDK is trusted with HTTP alone. It would retry past our deadline, wait for ever on a reply that
drips, and build a message out of any JSON; so time, retries and validation are ours.
"""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from trivium.domain.deadline import Deadline
from trivium.domain.errors import DeadlineError, DependencyError, ModelOutputError
from trivium.gateway.messages import (
    PASSING_TYPES,
    Completion,
    PassingError,
    completion,
    tool_call,
)

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic
    from anthropic.types import TextBlockParam

_DEFAULT_URL: Final = "https://api.anthropic.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How patient the gateway is."""

    backoffs_s: tuple[float, ...] = (0.2, 0.4)
    """The longest pause before each retry; the pause drawn lies between 0 and it."""
    n_failures: int = 5
    """Calls that fail in a row before the breaker opens."""
    open_s: float = 5.0
    """How long an open breaker refuses calls."""
    clock: Callable[[], float] = time.monotonic
    """Seconds; the breaker's."""
    jitter: Callable[[], float] = random.random
    """From 0 to 1; the part of a backoff that is waited."""


__all__ = ["ClaudeChat", "Completion", "Limits"]

_LIMITS: Final = Limits()


class Breaker:
    """Refuses calls for a while after several failed in a row, then lets one through to try."""

    def __init__(self, limits: Limits = _LIMITS) -> None:
        self._limits = limits
        self._n_failed = 0
        self._next_try_at = -math.inf

    def check(self) -> None:
        """Let a call pass, or not.

        Raises:
            DependencyError: the breaker is open.
        """
        if self._n_failed < self._limits.n_failures:
            return
        now = self._limits.clock()
        if now < self._next_try_at:
            raise DependencyError("the model failed several times in a row and is left alone")
        self._next_try_at = now + self._limits.open_s  # one try; were it lost, the next comes then

    def failed(self) -> None:
        """Note a call that the service did not answer."""
        self._n_failed += 1
        self._next_try_at = self._limits.clock() + self._limits.open_s

    def answered(self) -> None:
        """Note a call that the service answered, well or badly."""
        self._n_failed = 0


class ClaudeChat:
    """A chat model behind the Messages API."""

    def __init__(
        self,
        client: "AsyncAnthropic",
        model: str,
        max_tokens: int,
        max_concurrency: int,
        limits: Limits,
    ) -> None:
        self._client = client
        self._model = model
        self._max_tokens = max_tokens
        self._slots = asyncio.Semaphore(max_concurrency)
        self._limits = limits
        self._breaker = Breaker(limits)

    @classmethod
    def open(
        cls,
        *,
        api_key: str,
        model: str,
        base_url: str | None,
        max_tokens: int = 1024,
        max_concurrency: int = 4,
        limits: Limits = _LIMITS,
    ) -> "ClaudeChat":
        """Return a client; nothing is sent. A server that wants no key needs one that is not empty.

        The first call of a process imports the SDK, which takes 2 s: make it in a thread.
        """
        import anthropic  # noqa: PLC0415  # 2 s: only for those who have a model

        client = anthropic.AsyncAnthropic(
            api_key=api_key.strip(),
            base_url=base_url or _DEFAULT_URL,  # else the SDK reads one from the environment
            max_retries=0,
            timeout=None,
            # A redirect would take the key along.
            http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False, timeout=None),
        )
        return cls(client, model, max_tokens, max_concurrency, limits)

    async def complete(
        self, *, system: str, prompt: str, deadline: Deadline, prefix: Sequence[str] = ()
    ) -> Completion:
        """Return the model's reply to ``prompt``.

        Args:
            system: what it is told beforehand, marked for caching.
            prompt: what it is asked.
            deadline: by when the whole reply must be there.
            prefix: what it is told between the two, as blocks of which the last is marked too. A
                call with the same first blocks reads them from the cache.

        Raises:
            DeadlineError: no whole reply came in time.
            DependencyError: the service failed, refused, or is left alone after many failures.
            ModelOutputError: it replied with something that is no finished, non-empty message.
        """
        return await self._answered((system, *prefix), prompt, deadline, None)

    async def use_tool(
        self, *, system: str, prompt: str, tool: Mapping[str, object], deadline: Deadline
    ) -> Completion:
        """Return the arguments, as JSON, with which the model calls ``tool``, as it must.

        Args:
            system: what it is told beforehand, marked for caching.
            prompt: what it is asked.
            tool: its ``name``, ``description`` and ``input_schema``.
            deadline: by when the whole reply must be there.

        Raises:
            DeadlineError, DependencyError, ModelOutputError: as ``complete``.
        """
        return await self._answered((system,), prompt, deadline, tool)

    async def _answered(
        self,
        system: Sequence[str],
        prompt: str,
        deadline: Deadline,
        tool: Mapping[str, object] | None,
    ) -> Completion:
        if not deadline.remaining_s:
            raise DeadlineError("no time was left to ask the model")
        self._breaker.check()
        ask = partial(self._ask, _marked(system), _encodable(prompt), tool)
        try:
            async with asyncio.timeout(deadline.remaining_s), self._slots:
                found = await self._insist(ask, deadline)
        except TimeoutError as error:
            self._breaker.failed()
            raise DeadlineError("the model did not answer in time") from error
        except PassingError as error:
            self._breaker.failed()
            raise DependencyError(str(error)) from error
        except (DependencyError, ModelOutputError):
            self._breaker.answered()
            raise
        self._breaker.answered()
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _insist(
        self, ask: Callable[[], Awaitable[Completion]], deadline: Deadline
    ) -> Completion:
        """Ask, and ask again after a passing failure while there is time for it."""
        for backoff_s in self._limits.backoffs_s:
            try:
                return await ask()
            except PassingError as error:
                pause_s = error.retry_after_s
                if pause_s is None:
                    pause_s = backoff_s * self._limits.jitter()
                if pause_s >= deadline.remaining_s:
                    raise
            await asyncio.sleep(pause_s)
        return await ask()

    async def _ask(
        self,
        system: "Sequence[TextBlockParam]",
        prompt: str,
        tool: Mapping[str, object] | None,
    ) -> Completion:
        from anthropic import APIConnectionError, APIStatusError  # noqa: PLC0415  # see `open`

        more: dict[str, Any] = {}  # Any: what the SDK takes beside
        if tool is not None:
            choice = {"type": "tool", "name": tool["name"], "disable_parallel_tool_use": True}
            more = {"tools": [tool], "tool_choice": choice}
        try:
            # The raw reply, because the parsed one hides what the server really sent.
            reply = await self._client.messages.with_raw_response.create(
                model=self._model,
                max_tokens=self._max_tokens,
                system=system,
                messages=[{"role": "user", "content": prompt}],
                **more,
            )
        except APIConnectionError as error:
            # Only the name: the text of an illegal header is the key.
            cause = type(error.__cause__).__name__
            raise PassingError(f"the model cannot be reached: {cause}") from error
        except APIStatusError as error:
            raise _translated(error) from error
        body = reply.http_response.content
        return completion(body) if tool is None else tool_call(body, str(tool["name"]))


def _translated(error: "APIStatusError") -> Exception:
    message = f"the model's server answered {error.status_code} {error.type or ''}".rstrip()
    if error.status_code == 429 or error.status_code >= 500 or error.type in PASSING_TYPES:
        return PassingError(message, _seconds(error.response.headers.get("retry-after")))
    return DependencyError(message)


def _seconds(header: str | None) -> float | None:
    """Read a ``retry-after`` in seconds; the form with a date is not read."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _marked(texts: Sequence[str]) -> "list[TextBlockParam]":
    """Return texts as blocks, of which the first and the last are marked for caching."""
    blocks: list[TextBlockParam] = [{"type": "text", "text": _encodable(text)} for text in texts]
    for end in (blocks[0], blocks[-1]):
        end["cache_control"] = {"type": "ephemeral"}
    return blocks


def _encodable(text: str) -> str:
    """Replace lone surrogates, which JSON in UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode()
