"""The one way in for knowledge: commit to the journal, then bring every projection up to it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

import structlog

from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.ports import Projection
from trivium.knowledge.dataset import DataSet
from trivium.knowledge.journal import ItemKind, KnowledgeJournal, item_kind

_PAGE: Final = 1_000
_DROPS: Final[Mapping[str, ChangeKind]] = {
    "edge": ChangeKind.DROP_EDGE,
    "fact": ChangeKind.DROP_FACT,
    "document": ChangeKind.DROP_DOCUMENT,
    "node": ChangeKind.DROP_NODE,
}
"""In the order in which things go: relations before the entities that they join."""

_log = structlog.get_logger(__name__)


class Progress(Protocol):
    """Hears how far a long piece of work is."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Take note that ``done`` of ``total`` are through."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a commit did."""

    n_changes: int
    """Changes that took effect; what was there already is none."""
    version: int
    """The knowledge version from then on."""


class Knowledge:
    """The change journal and the projections that follow it.

    One commit runs at a time. It is acknowledged when every projection has passed it. One that
    fails stops no other: it lags, and ``heal`` brings it up when its store is back.
    """

    def __init__(
        self,
        journal: KnowledgeJournal,
        projections: Sequence[Projection],
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._journal = journal
        self._projections = tuple(projections)
        self._now = now or (lambda: datetime.now(UTC))
        self._lock = asyncio.Lock()
        self._version = 0
        self._updated_at: str | None = None
        self._lags: dict[str, str] = {}

    @property
    def version(self) -> int:
        """The last change that every projection has passed."""
        return self._version

    @property
    def updated_at(self) -> str | None:
        """When this process last committed a change."""
        return self._updated_at

    def lag(self, projection: str) -> str | None:
        """Say why a projection does not hold all that is known, or nothing if it does."""
        return self._lags.get(projection)

    async def start(self, progress: Progress | None = None) -> None:
        """Bring every projection up to the journal; one that cannot be is left lagging.

        Raises:
            DependencyError: the journal did not answer.
        """
        async with self._lock:
            self._version = await self._catch_up(progress)

    async def heal(self) -> None:
        """Bring up what lags, and what lost its content since; it costs little when all is well.

        Raises:
            DependencyError: the journal did not answer.
        """
        async with self._lock:
            self._version = await self._catch_up(None)

    async def commit(
        self, changes: Sequence[Change], progress: Progress | None = None
    ) -> Committed:
        """Write changes to the journal and project them.

        Raises:
            DependencyError: a store did not answer. When the journal did, the changes are
                kept, and projected later.
        """
        async with self._lock:
            at = self._now().isoformat()
            done = await self._journal.append(changes, at=at)
            head = await self._catch_up(progress)
            if self._lags:
                told = "; ".join(f"{name}: {why}" for name, why in self._lags.items())
                raise DependencyError(f"it is kept, and will be seen everywhere later ({told})")
            self._version = head
            if done:
                self._updated_at = at
            return Committed(n_changes=len(done), version=head)

    async def load(self, dataset: DataSet, progress: Progress | None = None) -> Committed:
        """Make the home hold just what a data set says: put what is new, drop what is gone.

        Raises:
            DependencyError: a store did not answer.
        """
        held = await self._journal.hashes(dataset.name)
        return await self.commit([*_gone(dataset, held), *dataset.changes], progress)

    async def _catch_up(self, progress: Progress | None) -> int:
        """Bring up every projection that can be, note those that cannot, and return the head."""
        head = await self._journal.head()
        for projection in self._projections:
            try:
                await self._bring(projection, head, progress)
            except DependencyError as error:
                self._note_lag(projection.name, str(error))
            else:
                self._note_lag(projection.name, None)
        return head

    def _note_lag(self, name: str, why: str | None) -> None:
        if why is None and self._lags.pop(name, "") != "":
            _log.warning("projection_healed", projection=name)
        elif why is not None:
            if name not in self._lags:
                _log.warning("projection_lags", projection=name, why=why)
            self._lags[name] = why

    async def _bring(self, projection: Projection, head: int, progress: Progress | None) -> None:
        at = await projection.watermark()
        if at > head:
            _log.warning("projection_ahead", projection=projection.name, watermark=at, head=head)
            await projection.clear()
            at = 0
        if at == head:
            return
        pages = self._state() if at == 0 else self._since(at)
        n_done = 0
        async for page in pages:
            await projection.apply(page, page[-1].sequence)
            n_done += len(page)
            if progress:
                progress(projection.name, n_done, max(n_done, head - at))
        await projection.apply((), head)

    async def _state(self) -> AsyncIterator[Sequence[Change]]:
        """Give what all changes add up to, in pages."""
        page: list[Change] = []
        async for change in self._journal.state():
            page.append(change)
            if len(page) >= _PAGE:
                yield page
                page = []
        if page:
            yield page

    async def _since(self, sequence: int) -> AsyncIterator[Sequence[Change]]:
        while page := await self._journal.since(sequence, limit=_PAGE):
            yield page
            sequence = page[-1].sequence

    async def check(self) -> dict[str, str]:
        """Say of the journal and of each projection whether it answers: ``ok``, or why not."""
        found = {}
        try:
            await self._journal.head()
            found["journal"] = "ok"
        except DependencyError as error:
            found["journal"] = str(error)
        for projection in self._projections:
            try:
                at = await projection.watermark()
                behind = self._version - at
                found[projection.name] = "ok" if behind <= 0 else f"{behind} changes behind"
            except DependencyError as error:
                found[projection.name] = str(error)
        return found


def _gone(dataset: DataSet, held: Mapping[tuple[ItemKind, str], str]) -> Iterable[Change]:
    """Give drops for what a data set held before and says no more."""
    said = {(item_kind(change.kind), change.key) for change in dataset.changes}
    for name, drop in _DROPS.items():
        for kind, key in held:
            if kind.value == name and (kind, key) not in said:
                yield Change(kind=drop, key=key, source=dataset.name)
