"""The answer memory: a question that was asked before, in these words or in others, is known.

Exact: the same words, but for case and spacing. Alike: other words with the same gist (``gist.py``)
that mean nearly the same to the encoder too. Both need the same tenant, asker, history, date and
tiers, and the same state of knowledge.
"""

import base64
import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

import numpy as np
import structlog

from tiers.cag.gist import gist, is_personal
from trivium.domain.answer import Alike, Known
from trivium.domain.errors import DependencyError
from trivium.domain.question import Question, Understood, Vector

CARD: Final = "card:"
"""Before the key of an answer: what is known of it, for admins."""
_ALIKE: Final = "alike:"
"""Before the key of a gist: the wordings that were answered, newest last."""
_MAX_FOLDED: Final = 2_000
_MAX_WORDINGS: Final = 4
MIN_SIMILARITY: Final = 0.25
"""Cosine, between wordings of one gist. The gist is what tells questions apart; this guards against
what it may misread. An id beside the name that it stands for is far off for the encoder: of 386
paraphrases of one gist, ``bench.memory`` found 0.277 to be the least."""

_log: Final = structlog.get_logger(__name__)


class ByteStore(Protocol):
    """Keeps bytes under a key for a while; each method raises ``DependencyError``."""

    async def get(self, key: str, *, version: int | None = None) -> bytes | None:
        """Return what is kept under ``key``.

        With ``version``, nothing where the knowledge is of another one, in any process.
        """
        ...

    async def set(self, key: str, value: bytes, *, ttl_s: int) -> None:
        """Keep ``value`` for ``ttl_s`` seconds from now; reading it does not prolong that.

        With 0 seconds, what was kept is forgotten.
        """
        ...

    async def set_all(self, values: Mapping[str, bytes], *, ttl_s: int) -> None:
        """Keep several values so, for longer than 0 seconds."""
        ...


class VerifiedMemory:
    """Remembers answers for ``ttl_s`` seconds; with 0 it neither remembers nor recalls.

    A store that does not answer never costs an answer: it is a miss. ``counts`` says how often it
    recalled an answer (``exact``, ``alike``), had none (``missed``), and kept one (``kept``); and
    how often one that it gave was made anew (``audited``), and was another then (``wrong``).
    """

    def __init__(self, store: ByteStore, *, ttl_s: int, rules: Callable[[], str] = str) -> None:
        self._store = store
        self._ttl_s = ttl_s
        self._rules = rules
        """What answers rest on beside the knowledge: with other rules, none is recalled."""
        self.counts: Counter[str] = Counter()

    async def recall(self, question: Question, version: int) -> bytes | None:
        """Return the answer remembered for exactly this question at this knowledge version."""
        kept = await self._get(self.key(question, version), version)
        self.counts["exact"] += kept is not None
        return kept

    async def recall_alike(self, question: Understood, version: int) -> Alike | None:
        """Return the answer remembered for other words that ask the same."""
        found = await self.find_alike(question, version)
        self.counts["missed" if found is None else "alike"] += 1
        return found

    async def remember(self, known: Known, answer: bytes) -> None:
        """Keep ``answer`` for the next time; failing to is not an error.

        What is about its asker is not kept.
        """
        if self._ttl_s <= 0 or is_personal(known.question.text):
            return
        key = self.key(known.question, known.version)
        try:
            values = {key: answer, f"{CARD}{key}": _card(known)}
            values |= await self._wordings(known, key)
            await self._store.set_all(values, ttl_s=self._ttl_s)
        except DependencyError:
            _log.debug("answer_not_remembered")
        else:
            self.counts["kept"] += 1

    def count(self, name: str) -> int:
        """Return one of ``counts``."""
        return self.counts[name]

    async def forget(self, key: str) -> None:
        """Forget the answer under a key, for all words that it was given to.

        A store that does not answer keeps it, and the next audit finds it again.
        """
        try:
            for name in (key, f"{CARD}{key}"):
                await self._store.set(name, b"", ttl_s=0)
        except DependencyError:
            _log.debug("answer_not_forgotten")

    def key(self, question: Question, version: int) -> str:
        """Return the key of a question's answer."""
        return memory_key(question, version, self._rules())

    def gist_key(self, question: Understood, version: int) -> str | None:
        """Return the same key for all wordings of a question; ``None`` where it has no gist."""
        meant = gist(question)
        if meant is None:
            return None
        scope = self.key(replace(question.question, text=""), version)
        return f"{_ALIKE}{_digest([scope, *meant])}"

    async def find_alike(self, question: Understood, version: int) -> Alike | None:
        """Do the same without counting it."""
        key = self.gist_key(question, version)
        if key is None or not question.vector:
            return None
        kept = json.loads(await self._get(key, version) or b"[]")
        near = [(_similarity(question.vector, w["vector"]), w) for w in kept]
        for similarity, wording in sorted(near, key=lambda pair: -pair[0]):
            if similarity < MIN_SIMILARITY:
                return None
            answer = await self._get(wording["key"], version)
            if answer is not None:
                return Alike(answer, wording["text"], round(similarity, 4))
        return None

    async def _wordings(self, known: Known, answer_key: str) -> dict[str, bytes]:
        """Return the wordings of a question's gist, by its key, with this one; maybe nothing."""
        key = self.gist_key(known.understood, known.version)
        if key is None or not known.understood.vector:
            return {}
        kept = json.loads(await self._store.get(key, version=known.version) or b"[]")
        others = [wording for wording in kept if wording["key"] != answer_key]
        wording = {
            "key": answer_key,
            "text": known.question.text,
            "vector": _packed(known.understood.vector),
        }
        wordings = [*others, wording][-_MAX_WORDINGS:]
        return {key: json.dumps(wordings).encode()}

    async def _get(self, key: str, version: int) -> bytes | None:
        if self._ttl_s <= 0:
            return None
        try:
            return await self._store.get(key, version=version)
        except DependencyError:
            _log.debug("answer_not_recalled")
            return None


def _card(known: Known) -> bytes:
    card: Mapping[str, Any] = {  # Any: JSON
        "question": known.question.text,
        "tenant": known.question.tenant,
        "principal": known.question.principal,
        "as_of": known.question.as_of,
        "version": known.version,
        "rests_on": list(known.rests_on),
        "gist": gist(known.understood),
    }
    return json.dumps(card).encode()


def _packed(vector: Vector) -> str:
    return base64.b64encode(np.asarray(vector, dtype=np.float16).tobytes()).decode()


def _similarity(vector: Vector, packed: str) -> float:
    """Return the cosine of two vectors of unit length; 0 where they are of different lengths."""
    kept = np.frombuffer(base64.b64decode(packed), dtype=np.float16).astype(np.float32)
    return float(np.dot(vector, kept)) if len(kept) == len(vector) else 0.0


def memory_key(question: Question, version: int, rules: str = "") -> str:
    """Return the same key for all that must have the same answer, and for nothing else."""
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
    return _digest(parts)


def _digest(parts: Sequence[object]) -> str:
    """Return a digest; JSON frames the parts, so that no two lists of parts give the same bytes."""
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
