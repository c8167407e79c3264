"""How the service is, part by part, with advice: pure over checks that others make."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

import structlog

from trivium.domain.errors import TriviumError

_TIMEOUT_S: Final = 1.0
"""A part that takes longer to say how it is, twice in a row, counts as down."""
_MAX_AGE_S: Final = 1.0
"""Whoever asks again sooner hears the same, so that asking often costs the stores nothing."""
_CREDENTIALS: Final = re.compile(r"(?<=//)[^/@\s]*@")
_QUERY: Final = re.compile(r"[?#].*")

_log = structlog.get_logger(__name__)


class State(StrEnum):
    """How a part is."""

    OK = "ok"
    OFF = "off"
    """It is not in use, as the settings say."""
    BEHIND = "behind"
    """It answers, from an earlier state of what it should know."""
    LOW = "low"
    """It does its part, and will soon not."""
    DOWN = "down"


class Status(StrEnum):
    """How the service is as a whole."""

    OK = "ok"
    DEGRADED = "degraded"
    """It answers, with less than it should have."""
    NOT_READY = "not ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a check saw."""

    state: State = State.OK
    detail: str = ""
    behind: int = 0
    """How many changes, or answers, it has yet to take."""
    advice: str | None = None
    """What a person should do, where the state is not fine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """How to look at one part."""

    name: str
    look: Callable[[], Awaitable[Seen]]
    """It raises one of our errors where the part does not answer."""
    advice: str
    """What to do then: one sentence that also says what goes on without it."""
    where: str = ""
    """Where it is, for a person."""
    is_needed: bool = False
    """Whether no question can be answered without it."""
    is_source: bool = False
    """Whether it is one of those of which one at least must be there to answer from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part, as it was seen."""

    check: Check
    seen: Seen
    since: str
    """When it was first seen in this state."""

    @property
    def is_fine(self) -> bool:
        """Whether there is nothing to do."""
        return self.seen.state in {State.OK, State.OFF}

    @property
    def is_down(self) -> bool:
        """Whether it does not do its part at all."""
        return self.seen.state is State.DOWN

    def to_json(self) -> dict[str, object]:
        """Return it for machines."""
        return {
            "state": self.seen.state.value,
            "since": self.since,
            "behind": self.seen.behind,
            "where": self.check.where,
            "detail": self.seen.detail,
            "advice": None if self.is_fine else (self.seen.advice or self.check.advice),
        }


@dataclass(frozen=True, slots=True)
class Health:
    """How the service is."""

    parts: tuple[Part, ...]

    @property
    def status(self) -> Status:
        """Not ready where a needed part is down, or all that answers come from."""
        sources = [part for part in self.parts if part.check.is_source]
        is_missing = any(part.is_down for part in self.parts if part.check.is_needed)
        if is_missing or (sources and all(part.is_down for part in sources)):
            return Status.NOT_READY
        is_fine = all(part.is_fine for part in self.parts)
        return Status.OK if is_fine else Status.DEGRADED

    @property
    def is_ready(self) -> bool:
        """Whether questions should be sent here."""
        return self.status is not Status.NOT_READY

    def to_json(self) -> dict[str, object]:
        """Return it for machines."""
        parts = {part.check.name: part.to_json() for part in self.parts}
        return {"status": self.status.value, "parts": parts}


@dataclass(slots=True)
class HealthWatch:
    """Looks at all parts side by side, and keeps since when each is as it is."""

    checks: Sequence[Check]
    now: Callable[[], datetime]
    clock: Callable[[], float] = time.monotonic
    timeout_s: float = _TIMEOUT_S
    _since: dict[str, tuple[State, str]] = field(default_factory=dict, init=False)
    _last: tuple[float, Health] | None = field(default=None, init=False)
    _one_look: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def look(self) -> Health:
        """Return how the service is, as of a second ago at most."""
        async with self._one_look:
            if self._last is not None and self.clock() - self._last[0] < _MAX_AGE_S:
                return self._last[1]
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._seen(check)) for check in self.checks]
            seen = [task.result() for task in tasks]
            health = Health(tuple(map(self._part, self.checks, seen)))
            self._last = (self.clock(), health)
            return health

    async def _seen(self, check: Check) -> Seen:
        """Look at a part, and again where it did not answer: one slow moment is no outage."""
        first = await self._try(check)
        return await self._try(check) if first.state is State.DOWN else first

    async def _try(self, check: Check) -> Seen:
        try:
            async with asyncio.timeout(self.timeout_s):
                return await check.look()
        except TimeoutError:
            why = f"it did not answer within {self.timeout_s:g} s"
        except TriviumError as error:
            why = without_credentials(str(error))
        except Exception as error:  # noqa: BLE001  # a check that breaks is a part that is not fine
            _log.error("check_broke", part=check.name, exc_info=error)
            why = f"looking at it failed: {type(error).__name__}"
        return Seen(state=State.DOWN, detail=why)

    def _part(self, check: Check, seen: Seen) -> Part:
        state, since = self._since.get(check.name, (None, ""))
        if state is not seen.state:
            since = self.now().isoformat(timespec="seconds")
            self._since[check.name] = (seen.state, since)
            if state is not None or seen.state not in {State.OK, State.OFF}:
                _log.warning("part_changed", part=check.name, state=seen.state.value)
        return Part(check=check, seen=seen, since=since)


def shown(url: str | None) -> str:
    """Return where a store is, for a person: without user, password and parameters.

    >>> shown("postgresql://ann:secret@db:5432/trivium?password=x")
    'postgresql://db:5432/trivium'
    >>> shown(None)
    'embedded'
    """
    return "embedded" if url is None else _QUERY.sub("", without_credentials(url))


def without_credentials(text: str) -> str:
    """Return ``text`` without users and passwords in its URLs.

    >>> without_credentials("cannot connect to redis://:secret@host:6379/0")
    'cannot connect to redis://host:6379/0'
    """
    return _CREDENTIALS.sub("", text)
