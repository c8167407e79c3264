"""The checks of this service's parts: what is looked at, and what a person is told to do."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol

from trivium.app.health import Check, Seen, State, shown
from trivium.app.settings import Settings
from trivium.domain.errors import DependencyError
from trivium.domain.ports import Encoder, Projection

_MANY_PENDING: Final = 1_000
"""Answers that wait to be written; a writer that keeps up leaves 200 at most."""
_LOW_BYTES: Final = 1 << 30
_FULL_BYTES: Final = 64 << 20
_BEHIND: Final = (
    "a load that is under way brings it up; if none is, restart the service, which brings every "
    "part up to the journal"
)


class Journal(Protocol):
    """What projections follow."""

    @property
    def version(self) -> int:
        """The last change that every projection has passed."""
        ...

    async def head(self) -> int:
        """Return the number of the last change."""
        ...


class Pending(Protocol):
    """A journal that writes off the request's path."""

    n_dropped: int

    @property
    def n_pending(self) -> int:
        """How many answers wait."""
        ...

    async def get(self, answer_id: str, tenant: str) -> dict[str, object] | None:
        """Look an answer up."""
        ...


def journal(knowledge: Journal, settings: Settings) -> Check:
    """Look at the knowledge journal."""

    async def look() -> Seen:
        return Seen(detail=f"{await knowledge.head()} changes")

    return Check(
        name="journal",
        look=look,
        where=shown(settings.database_url),
        advice=f"{_database(settings)}; answers go on, but nothing can be loaded or changed",
    )


def answers(kept: Pending, settings: Settings) -> Check:
    """Look at the journal of answers."""

    async def look() -> Seen:
        await kept.get("", "")
        dropped = f"; {kept.n_dropped} were given up since the start" if kept.n_dropped else ""
        is_late = kept.n_pending > _MANY_PENDING
        return Seen(
            state=State.BEHIND if is_late else State.OK,
            behind=kept.n_pending,
            detail=f"{kept.n_pending} answers wait to be written{dropped}",
            advice="see whether its disk is full or slow; past 5000 that wait, the oldest are lost",
        )

    return Check(
        name="answers",
        look=look,
        where=shown(settings.database_url),
        advice=f"{_database(settings)}; answers go on and wait in memory, ratings are refused",
    )


def names(projection: Projection, knowledge: Journal) -> Check:
    """Look at the index of names."""
    advice = "restart the service: no question can be read without its names"
    return _projection(projection, knowledge, "in memory", advice, is_needed=True)


def graph(projection: Projection, knowledge: Journal) -> Check:
    """Look at the graph."""
    advice = "restart the service; answers go on without relations"
    return _projection(projection, knowledge, "in memory", advice, is_source=True)


def facts(projection: Projection, knowledge: Journal, settings: Settings) -> Check:
    """Look at the facts."""
    advice = f"{_store('Redis', settings.redis_url)}; answers go on without facts"
    where = shown(settings.redis_url)
    return _projection(projection, knowledge, where, advice, is_source=True)


def documents(projection: Projection, knowledge: Journal, settings: Settings) -> Check:
    """Look at the documents."""
    advice = f"{_store('Qdrant', settings.qdrant_url)}; answers go on without documents"
    where = shown(settings.qdrant_url)
    return _projection(projection, knowledge, where, advice, is_source=True)


def memory(ping: Callable[[], Awaitable[None]], settings: Settings) -> Check:
    """Look at the memory of answers."""

    async def look() -> Seen:
        if settings.memory_ttl_s == 0:
            return Seen(state=State.OFF, detail="TRIVIUM_MEMORY_TTL_S is 0")
        await ping()
        return Seen(detail=f"answers are remembered for {settings.memory_ttl_s} s")

    return Check(
        name="memory",
        look=look,
        where=shown(settings.redis_url),
        advice=f"{_store('Redis', settings.redis_url)}; every question is answered anew",
    )


def encoder(model: Encoder, settings: Settings) -> Check:
    """Look at the encoder."""

    async def look() -> Seen:
        await model.encode(("ready",))
        return Seen(detail=settings.encoder_precision)

    folder = settings.encoder_dir
    return Check(
        name="encoder",
        look=look,
        where=str(folder),
        advice="answers go on by words alone: make it again with python "
        f"scripts/export_encoder.py --out {folder}, and restart the service",
    )


def router_model(version: Callable[[], str | None]) -> Check:
    """Look at the router's model."""

    async def look() -> Seen:
        found = version()
        state = State.OK if found else State.DOWN
        return Seen(state=state, detail=f"version {found}" if found else "it could not be loaded")

    return Check(
        name="router model",
        look=look,
        where="in the package",
        advice="install the package again and restart; until then every tier is asked everything",
    )


def disk(home: Path, free_bytes: Callable[[Path], int] | None = None) -> Check:
    """Look at the space that the home's disk has left."""

    async def look() -> Seen:
        try:
            free = await asyncio.to_thread(free_bytes or _free, home)
        except OSError as error:
            raise DependencyError(f"the home cannot be looked at: {error.strerror}") from error
        state = State.OK if free >= _LOW_BYTES else State.LOW
        return Seen(
            state=State.DOWN if free < _FULL_BYTES else state,
            detail=f"{free / (1 << 30):.1f} GiB are free",
        )

    return Check(
        name="disk",
        look=look,
        where=str(home),
        advice="free some space, or move the home to a larger disk: a full one takes no answer, "
        "rating or change",
    )


def _projection(
    projection: Projection,
    knowledge: Journal,
    where: str,
    advice: str,
    *,
    is_needed: bool = False,
    is_source: bool = False,
) -> Check:
    async def look() -> Seen:
        at = await projection.watermark()
        behind = max(0, await _head(knowledge) - at)
        if not behind:
            return Seen(detail=f"at change {at}")
        detail = f"at change {at}, {behind} behind"
        return Seen(state=State.BEHIND, behind=behind, detail=detail, advice=_BEHIND)

    return Check(
        name=projection.name,
        look=look,
        where=where,
        advice=advice,
        is_needed=is_needed,
        is_source=is_source,
    )


async def _head(knowledge: Journal) -> int:
    """Return the last change known of, also while the journal does not answer."""
    try:
        return await knowledge.head()
    except DependencyError:
        return knowledge.version


def _free(home: Path) -> int:
    return shutil.disk_usage(home).free


def _store(name: str, url: str | None) -> str:
    if url is None:
        return f"the embedded {name} ended or hangs: restart the service"
    return f"see whether {name} runs at {shown(url)}, and start it"


def _database(settings: Settings) -> str:
    if settings.database_url is None:
        return "see whether the home's disk is full, read-only or damaged"
    return f"see whether the database runs at {shown(settings.database_url)}, and start it"
