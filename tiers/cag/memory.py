"""The exact answer memory: the same question at the same state of knowledge has the same answer."""

import hashlib
import json
import unicodedata
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from trivium.domain.errors import DependencyError
from trivium.domain.question import Question

_MAX_FOLDED: Final = 2_000

_log: Final = structlog.get_logger(__name__)


class ByteStore(Protocol):
    """Keeps bytes under a key for a while."""

    async def get(self, key: str) -> bytes | None:
        """Return what is kept under ``key``.

        Raises:
            DependencyError: the store did not answer.
        """
        ...

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        """Keep ``value`` for ``ttl_s`` seconds from now; reading it does not prolong that.

        Raises:
            DependencyError: the store did not answer.
        """
        ...


class ExactMemory:
    """Remembers answers for ``ttl_s`` seconds; with 0 it neither remembers nor recalls.

    A store that does not answer never costs an answer: it is a miss.
    """

    def __init__(self, store: ByteStore, *, ttl_s: int, rules: Callable[[], str] = str) -> None:
        self._store = store
        self._ttl_s = ttl_s
        self._rules = rules
        """What answers rest on beside the knowledge: with other rules, none is recalled."""

    async def recall(self, question: Question, version: int) -> bytes | None:
        """Return the answer remembered for exactly this question at this knowledge version."""
        if self._ttl_s <= 0:
            return None
        try:
            return await self._store.get(memory_key(question, version, self._rules()))
        except DependencyError:
            _log.debug("answer_not_recalled")
            return None

    async def remember(self, question: Question, version: int, answer: bytes) -> None:
        """Keep ``answer`` for the next time; failing to is not an error."""
        if self._ttl_s <= 0:
            return
        try:
            await self._store.set(
                memory_key(question, version, self._rules()), answer, ttl_s=self._ttl_s
            )
        except DependencyError:
            _log.debug("answer_not_remembered")


def memory_key(question: Question, version: int, rules: str = "") -> str:
    """Return the same key for all that must have the same answer, and for nothing else.

    JSON frames the parts, so that no two lists of parts give the same bytes.
    """
    parts = [
        normalised(question.text),
        question.tenant,
        question.principal,
        question.as_of,
        None if question.tiers is None else sorted(question.tiers),
        version,
        [[turn.role, turn.content] for turn in question.history],
        *([rules] if rules else []),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def normalised(text: str) -> str:
    """Return ``text`` without what does not change its meaning: case, spacing, the final mark.

    A long text stays as it is: nobody types it twice in two ways, and folding it takes long.

    >>> normalised("  Who supplies   ACME ?! ")
    'who supplies acme'
    """
    if len(text) > _MAX_FOLDED:
        return text
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split()).rstrip("?.! ")
