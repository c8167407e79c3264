"""Claude, or any server that speaks its Messages API: one prompt in, one checked completion out.

The SDK is trusted with HTTP alone. It would retry past our deadline, wait for ever on a reply that
drips, and build a message out of any JSON; so time, retries and validation are ours.
"""

import asyncio
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field, NonNegativeInt, ValidationError

from trivium.domain.deadline import Deadline
from trivium.domain.errors import DeadlineError, DependencyError, ModelOutputError

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic

_DEFAULT_URL: Final = "https://api.anthropic.com"
_PASSING_TYPES: Final = frozenset({"api_error", "overloaded_error", "rate_limit_error"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What the model said, and what it cost."""

    text: str
    """Never blank."""
    input_tokens: int
    """Without those read from or written to the prompt cache."""
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    model: str
    """The model that answered, as the server names it."""


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

    async def complete(self, *, system: str, prompt: str, deadline: Deadline) -> Completion:
        """Return the model's reply to ``prompt`` under ``system``, which is marked for caching.

        Raises:
            DeadlineError: no whole reply came in time.
            DependencyError: the service failed, refused, or is left alone after many failures.
            ModelOutputError: it replied with something that is no finished, non-empty message.
        """
        if not deadline.remaining_s:
            raise DeadlineError("no time was left to ask the model")
        self._breaker.check()
        try:
            async with asyncio.timeout(deadline.remaining_s), self._slots:
                completion = await self._insist(_encodable(system), _encodable(prompt), deadline)
        except TimeoutError as error:
            self._breaker.failed()
            raise DeadlineError("the model did not answer in time") from error
        except _PassingError as error:
            self._breaker.failed()
            raise DependencyError(str(error)) from error
        except (DependencyError, ModelOutputError):
            self._breaker.answered()
            raise
        self._breaker.answered()
        return completion

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _insist(self, system: str, prompt: str, deadline: Deadline) -> Completion:
        """Ask, and ask again after a passing failure while there is time for it."""
        for backoff_s in self._limits.backoffs_s:
            try:
                return await self._ask(system, prompt)
            except _PassingError as error:
                pause_s = error.retry_after_s
                if pause_s is None:
                    pause_s = backoff_s * self._limits.jitter()
                if pause_s >= deadline.remaining_s:
                    raise
            await asyncio.sleep(pause_s)
        return await self._ask(system, prompt)

    async def _ask(self, system: str, prompt: str) -> Completion:
        from anthropic import APIConnectionError, APIStatusError  # noqa: PLC0415  # see `open`

        try:
            # The raw reply, because the parsed one hides what the server really sent.
            reply = await self._client.messages.with_raw_response.create(
                model=self._model,
                max_tokens=self._max_tokens,
                system=[{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
                messages=[{"role": "user", "content": prompt}],
            )
        except APIConnectionError as error:
            # Only the name: the text of an illegal header is the key.
            cause = type(error.__cause__).__name__
            raise _PassingError(f"the model cannot be reached: {cause}") from error
        except APIStatusError as error:
            raise _translated(error) from error
        return _completion(reply.http_response.content)


class _PassingError(Exception):
    """A failure after which asking again may help."""

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


def _translated(error: "APIStatusError") -> Exception:
    message = f"the model's server answered {error.status_code} {error.type or ''}".rstrip()
    if error.status_code == 429 or error.status_code >= 500 or error.type in _PASSING_TYPES:
        return _PassingError(message, _seconds(error.response.headers.get("retry-after")))
    return DependencyError(message)


def _seconds(header: str | None) -> float | None:
    """Read a ``retry-after`` in seconds; the form with a date is not read."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


_Count = Annotated[NonNegativeInt, BeforeValidator(lambda value: value or 0)]
"""Servers other than Anthropic's leave counts out, or null."""


class _Block(BaseModel):
    type: str
    text: str = ""


class _Usage(BaseModel):
    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cache_read_input_tokens: _Count = 0
    cache_creation_input_tokens: _Count = 0


class _Message(BaseModel):
    """The part of a reply that counts; ``max_tokens`` and a refusal are no finished answers."""

    type: Literal["message"]
    model: Annotated[str, Field(min_length=1)]
    content: list[_Block]
    stop_reason: Literal["end_turn", "stop_sequence"]
    usage: _Usage = Field(default_factory=_Usage)


class _Fault(BaseModel):
    """What an error body says; some servers send one with status 200."""

    class Kind(BaseModel):
        type: str

    type: Literal["error"]
    error: Kind


def _completion(body: bytes) -> Completion:
    try:
        message = _Message.model_validate_json(body)
    except ValidationError as error:
        _raise_if_fault(body)
        faults = error.errors(include_url=False, include_input=False)
        where = ", ".join(".".join(map(str, fault["loc"])) or "body" for fault in faults)
        raise ModelOutputError(f"the model's reply is not a finished message: {where}") from error
    text = "".join(block.text for block in message.content if block.type == "text").strip()
    if not text:
        raise ModelOutputError("the model's reply is empty")
    return Completion(
        text=text,
        input_tokens=message.usage.input_tokens,
        output_tokens=message.usage.output_tokens,
        cache_read_tokens=message.usage.cache_read_input_tokens,
        cache_write_tokens=message.usage.cache_creation_input_tokens,
        model=message.model,
    )


def _raise_if_fault(body: bytes) -> None:
    try:
        kind = _Fault.model_validate_json(body).error.type
    except ValidationError:
        return
    message = f"the model's server answered {kind}"
    raise _PassingError(message) if kind in _PASSING_TYPES else DependencyError(message)


def _encodable(text: str) -> str:
    """Replace lone surrogates, which JSON in UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode()
