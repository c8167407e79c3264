"""Changing the knowledge of an open service, and reading its changelog: requests in, JSON out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trivium.app.loading import load_into
from trivium.app.mutating import (
    MAX_SEQUENCE,
    ChangesQuery,
    LoadRequest,
    MutationsRequest,
    UndoRequest,
)
from trivium.app.service import Service
from trivium.domain.knowledge import ChangeKind
from trivium.knowledge.changelog import ChangeFilter, Recorded
from trivium.knowledge.nodelink import nodelink_of
from trivium.knowledge.service import Committed, Progress


@dataclass(frozen=True, slots=True)
class Administration:
    """What HTTP and the command line share."""

    service: Service
    progress: Progress | None = None

    async def mutate(self, asked: MutationsRequest) -> dict[str, object]:
        """Make mutations; return what changed."""
        knowledge = self.service.knowledge
        return await self._told(await knowledge.mutate(asked.to_mutations(), author=asked.author))

    async def undo(self, sequence: int, asked: UndoRequest) -> dict[str, object]:
        """Take a change back; return what changed."""
        known = max(0, min(sequence, MAX_SEQUENCE))
        return await self._told(await self.service.knowledge.undo(known, author=asked.author))

    async def changes(self, asked: ChangesQuery) -> dict[str, object]:
        """Return changes in order."""
        knowledge = self.service.knowledge
        found = await knowledge.changelog.changes(asked.to_filter())
        return {"version": knowledge.version, "changes": [_told(entry) for entry in found]}

    async def load(self, asked: LoadRequest) -> dict[str, object]:
        """Load a data set; return what it brought."""
        loaded = await load_into(
            self.service,
            Path(asked.directory),
            is_accepted=asked.accept,
            progress=self.progress,
        )
        return loaded.to_json()

    async def retrain(self) -> dict[str, object]:
        """Train the router; return the report."""
        return await self.service.retraining.retrain()

    async def graph(self) -> dict[str, object]:
        """Return the graph in node-link form, expired relations too."""
        kinds = (ChangeKind.SET_SCHEMA, ChangeKind.PUT_NODE, ChangeKind.PUT_EDGE)
        puts = [change async for change in self.service.knowledge.state(kinds)]
        return nodelink_of(puts)

    async def _told(self, done: Committed) -> dict[str, object]:
        found: Sequence[Recorded] = ()
        if done.changes:
            wanted = ChangeFilter(since=done.changes[0].sequence - 1, limit=len(done.changes))
            found = await self.service.knowledge.changelog.changes(wanted)
        return {"version": done.version, "changes": [_told(entry) for entry in found]}


def _told(entry: Recorded) -> dict[str, object]:
    change = entry.change
    return {
        "sequence": change.sequence,
        "at": entry.at,
        "author": change.author,
        "source": change.source,
        "kind": change.kind.value,
        "key": change.key,
        "before": entry.before,
        "after": entry.after,
    }
