"""Sampled answers from memory are made anew, off the request's path, and held against it."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import structlog

from tiers.cag.memory import VerifiedMemory
from trivium.domain.answer import Answer, Remembered, is_whole
from trivium.domain.deadline import Deadline
from trivium.domain.door import body, encoded
from trivium.domain.errors import TriviumError
from trivium.domain.question import HOME_TENANT, Question
from trivium.pipeline import Pipeline

_LIMIT_S: Final = 30.0
_SAME: Final = ("status", "result", "also", "results")

_log = structlog.get_logger(__name__)

Said = Mapping[str, Any]  # Any: JSON


class MemoryAudit:
    """Looks after a share of what memory gives: ``counts`` of it say ``audited`` and ``wrong``.

    One at a time: what comes while one is looked at passes. Answers that a model took part in are
    left alone, since it need not say the same twice, and costs.
    """

    def __init__(
        self,
        memory: VerifiedMemory,
        asker: Pipeline,
        *,
        share: float,
        chance: Callable[[], float],
    ) -> None:
        self._memory = memory
        self._asker = asker
        """Answers without a memory, and leaves no trace."""
        self._share = share
        self._chance = chance
        self._task: asyncio.Task[None] | None = None

    def saw(self, question: Question, given: Remembered) -> None:
        """Take note of an answer from memory; maybe it is looked at, later."""
        is_busy = self._task is not None and not self._task.done()
        if is_busy or question.tenant != HOME_TENANT or self._chance() >= self._share:
            return
        self._task = asyncio.create_task(self._look(question, given), name="memory audit")

    async def settled(self) -> None:
        """Return when what is being looked at has been."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def close(self) -> None:
        """Give up what is being looked at."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _look(self, question: Question, given: Remembered) -> None:
        said = json.loads(given.body)
        version = self._asker.version()
        if said["usage"]:
            return
        try:
            answer = await self._asker.ask(question, Deadline.after(_LIMIT_S))
        except TriviumError:
            return
        if not is_whole(answer) or self._asker.version() != version:
            return
        self._memory.counts["audited"] += 1
        if not _agrees(said, answer):
            self._memory.counts["wrong"] += 1
            text = given.alike.question if given.alike else question.text
            key = self._memory.key(replace(question, text=text), version)
            await self._memory.forget(key)
            _log.warning("remembered_answer_wrong", answer=given.id, key=key)


def _agrees(said: Said, answer: Answer) -> bool:
    """Whether a remembered answer says what a new one does, in whatever words."""
    new: Said = json.loads(encoded(body(answer)))
    return all(said[key] == new[key] for key in _SAME) and _sources(said) == _sources(new)


def _sources(said: Said) -> set[str]:
    """Return what is cited: documents, and facts with their values."""
    told = ("source", "entity", "attribute", "value")
    cited = ({key: c.get(key) for key in told} for c in said["citations"])
    return {json.dumps(source) for source in cited if any(v is not None for v in source.values())}
