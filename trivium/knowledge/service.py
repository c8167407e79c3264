"""The one way in for knowledge: commit to the journal, then bring every projection up to it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Protocol

import structlog

from trivium.domain.errors import DependencyError, NotFoundError
from trivium.domain.knowledge import MUTATIONS, Change, ChangeKind
from trivium.domain.mutation import Mutation, aliases
from trivium.domain.ports import Projection
from trivium.knowledge.changelog import Changelog
from trivium.knowledge.dataset import DataSet
from trivium.knowledge.gathering import Called, held_around, held_for, held_of
from trivium.knowledge.held import completed
from trivium.knowledge.journal import KnowledgeJournal, OvertakenError
from trivium.knowledge.loading import Before, absent_nodes, kept_keys, load_changes
from trivium.knowledge.mutations import changes_for
from trivium.knowledge.tables import ItemKind
from trivium.knowledge.undoing import undoing, undone_with

_PAGE: Final = 1_000
_TRIES: Final = 5

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
    changes: tuple[Change, ...] = ()
    """What took effect."""
    n_kept: int = 0
    """Items that a load left as mutations made them."""


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
        called: Called = lambda _words: (),
    ) -> None:
        """Take the journal and what follows it; ``called`` looks names up in a projection."""
        self._journal = journal
        self._projections = tuple(projections)
        self._now = now or (lambda: datetime.now(UTC))
        self._called = called
        self._lock = asyncio.Lock()
        self._version = 0
        self._lags: dict[str, str] = {}

    @property
    def changelog(self) -> Changelog:
        """What happened to the knowledge, with before and after."""
        return self._journal.changelog

    @property
    def version(self) -> int:
        """The last change that every projection has passed."""
        return self._version

    def lag(self, projection: str) -> str | None:
        """Say why a projection does not hold all that is known, or nothing if it does."""
        return self._lags.get(projection)

    async def head(self) -> int:
        """Return the number of the journal's last change; projections may be behind it.

        Raises:
            DependencyError: the journal did not answer.
        """
        return await self._journal.head()

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
            return await self._commit(changes, progress)

    async def _commit(
        self, changes: Sequence[Change], progress: Progress | None = None, head: int | None = None
    ) -> Committed:
        at = self._now().isoformat()
        whole = await self._completed(changes)
        done = await self._journal.append(whole, at=at, head=head)
        now = await self._catch_up(progress)
        if self._lags:
            told = "; ".join(f"{name}: {why}" for name, why in self._lags.items())
            raise DependencyError(f"it is kept, and will be seen everywhere later ({told})")
        self._version = now
        return Committed(n_changes=len(done), version=now, changes=done)

    async def _completed(self, changes: Sequence[Change]) -> Sequence[Change]:
        """Add what dropping entities takes besides; see ``completed``."""
        dropped = {change.key for change in changes if change.kind is ChangeKind.DROP_NODE}
        if not dropped:
            return changes
        return completed(changes, await held_of(self.changelog, dropped))

    async def mutate(self, mutations: Sequence[Mutation], *, author: str) -> Committed:
        """Make all of some mutations, or none; what is so already is no change.

        Raises:
            InputError: some of it cannot be; with each fault.
            ConflictError: other processes kept changing the knowledge meanwhile.
            DependencyError: a store did not answer.
        """

        async def changes() -> Sequence[Change]:
            if aliases(mutations):
                await self._catch_up(None)  # so that no new name is missed
            held = await held_for(self.changelog, mutations, self._called)
            return changes_for(mutations, held, author=author, now=self._now())

        return await self._thought_out(changes)

    async def undo(self, sequence: int, *, author: str) -> Committed:
        """Take a change back; of an entity that went, what went with it comes back too.

        Raises:
            NotFoundError: there is no such change.
            ConflictError: something was changed since, or rests on what would go.
            DependencyError: a store did not answer.
        """

        async def changes() -> Sequence[Change]:
            around = await self.changelog.around(sequence)
            if not around:
                raise NotFoundError(f"There is no change {sequence}.")
            entries = undone_with(around, sequence)
            return undoing(entries, await held_around(self.changelog, entries), author=author)

        return await self._thought_out(changes)

    async def _thought_out(self, changes: Callable[[], Awaitable[Sequence[Change]]]) -> Committed:
        """Commit what rests on what is held; again, when another process was quicker."""
        async with self._lock:
            for n_left in reversed(range(_TRIES)):
                head = await self._journal.head()
                try:
                    return await self._commit(await changes(), head=head)
                except OvertakenError:
                    if not n_left:
                        raise
            raise AssertionError("the last try returned or raised")

    async def load(self, dataset: DataSet, progress: Progress | None = None) -> Committed:
        """Take what a data set's files say now: put what is new, drop what is gone.

        What mutations changed stays, until the files say something new of it.

        Raises:
            DependencyError: a store did not answer.
        """
        async with self._lock:
            changes, n_kept = await self._changes_of(dataset)
            return replace(await self._commit(changes, progress), n_kept=n_kept)

    async def changes_of(self, dataset: DataSet) -> Sequence[Change]:
        """Return what loading a data set would change, besides what follows from it.

        Raises:
            DependencyError: a store did not answer.
        """
        changes, _ = await self._changes_of(dataset)
        return changes

    async def _changes_of(self, dataset: DataSet) -> tuple[Sequence[Change], int]:
        """Return what a load changes, and how many items stay as mutations made them."""
        before = Before(
            held=await self._journal.hashes(dataset.name),
            overlaid=await self.changelog.overlaid(dataset.name),
            added=await self._journal.hashes(MUTATIONS),
        )
        kept = kept_keys(dataset, before)
        absent = absent_nodes(kept, before)
        elsewhere = await self.changelog.touching(absent, [ItemKind.NODE])
        absent -= {change.key for change in elsewhere}
        return load_changes(dataset, before, kept, absent), len(kept)

    def state(self, kinds: Sequence[ChangeKind] | None = None) -> AsyncIterator[Change]:
        """Give all that is known, as puts; see ``KnowledgeJournal.state``."""
        return self._journal.state(kinds)

    async def _catch_up(self, progress: Progress | None) -> int:
        """Bring up every projection that can be, note those that cannot, and return the head.

        One process does so at a time: stores that several share are written by one.
        """
        head = await self._journal.head()
        if not self._lags and await self._are_all_at(head):
            return head
        async with self._journal.alone():
            return await self._bring_all(await self._journal.head(), progress)

    async def _are_all_at(self, head: int) -> bool:
        try:
            return all([await projection.watermark() == head for projection in self._projections])
        except DependencyError:
            return False

    async def _bring_all(self, head: int, progress: Progress | None) -> int:
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
        if at > head and at <= await self._journal.head():
            return  # another process committed, and brought it up, since ``head`` was read
        if at > head:
            _log.warning("projection_ahead", projection=projection.name, watermark=at, head=head)
            await projection.clear()
            at = 0
        if at == head:
            return
        pages = self._state() if at == 0 else self._since(at)
        n_done, last = 0, 0
        async for page in pages:
            last = page[-1].sequence
            await projection.apply(page, last)
            n_done += len(page)
            if progress:
                progress(projection.name, n_done, max(n_done, head - at))
        if last < head:
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
