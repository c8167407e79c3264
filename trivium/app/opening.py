"""Opens what the settings name: stores, journals, encoder, model; the stack closes each again."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from feedback.journal import SqlAnswerJournal
from feedback.ratings import Ratings
from tiers.cag.server import EmbeddedServer
from tiers.cag.store import RedisStore
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.rag.edge_store import EdgeStore
from trivium.app.healing import Remedy
from trivium.app.home import Home
from trivium.app.settings import Settings
from trivium.domain.damage import set_aside
from trivium.domain.door import response
from trivium.domain.errors import DataError, DependencyError, InputError
from trivium.gateway.chat import ClaudeChat
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.journal import KnowledgeJournal

if TYPE_CHECKING:
    from tiers.graphrag.stores.ladybug import LadybugGraph
    from tiers.graphrag.stores.neo4j import Neo4jGraph
    from tiers.rag.client_store import ClientStore

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """What a service keeps its state in, open, and the encoder that belongs to it."""

    encoder: OnnxEncoder
    redis: RedisStore
    remedies: Sequence[Remedy]
    """What brings an embedded server back."""
    chunks: "EdgeStore | ClientStore"
    graph: "MemoryGraph | LadybugGraph | Neo4jGraph"
    journal: KnowledgeJournal
    answers: SqlAnswerJournal
    ratings: Ratings


async def open_stores(settings: Settings, home: Home, stack: AsyncExitStack) -> Stores:
    """Open everything, embedded in ``home`` where the settings name no server.

    Raises:
        DependencyError: a store, or the encoder, did not answer.
        InputError: a URL cannot be used.
    """
    loading = asyncio.create_task(asyncio.to_thread(open_encoder, settings))
    stack.push_async_callback(_ended, loading)
    redis, remedies = await _open_redis(settings, home, stack)
    of_knowledge = settings.database_url or home.sqlite("knowledge")
    of_answers = settings.database_url or home.sqlite("answers")
    journal = await KnowledgeJournal.open(of_knowledge)
    stack.push_async_callback(journal.close)
    answers = await SqlAnswerJournal.open(of_answers, render=response, clock=now)
    stack.push_async_callback(answers.close)
    ratings = await Ratings.open(of_answers)
    stack.push_async_callback(ratings.close)
    encoder = await loading  # 0.3 s of work beside all this
    chunks = await _open_chunks(settings, home, encoder.dimension, stack)
    return Stores(
        encoder=encoder,
        redis=redis,
        remedies=remedies,
        chunks=chunks,
        graph=await _open_graph(settings, home, stack),
        journal=journal,
        answers=answers,
        ratings=ratings,
    )


async def _ended(task: asyncio.Task[OnnxEncoder]) -> None:
    """Wait until a task is over, also where nobody asks any more for what it gives."""
    await asyncio.gather(task, return_exceptions=True)


def open_encoder(settings: Settings) -> OnnxEncoder:
    """Open the encoder.

    Raises:
        DependencyError: it is not there, or damaged.
    """
    return OnnxEncoder.open(
        settings.encoder_dir,
        precision=settings.encoder_precision,
        n_threads=settings.encoder_threads,
    )


def open_chat(settings: Settings, stack: AsyncExitStack) -> ClaudeChat | None:
    """Return the model that writes answers and plans, where there is a key for one."""
    key = settings.anthropic_api_key
    if key is None or not key.get_secret_value():
        return None
    chat = ClaudeChat.open(
        api_key=key.get_secret_value(),
        model=settings.anthropic_model,
        base_url=settings.anthropic_base_url,
        max_tokens=settings.anthropic_max_tokens,
    )
    stack.push_async_callback(chat.close)
    return chat


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


async def _open_redis(
    settings: Settings, home: Home, stack: AsyncExitStack
) -> tuple[RedisStore, list[Remedy]]:
    """Return the store, and what brings its server back where that is ours."""
    url, remedies = settings.redis_url, list[Remedy]()
    if url is None:
        server = await EmbeddedServer.start(home.redis)
        stack.push_async_callback(server.stop)
        url, remedies = server.url, [server.restart]
    store = await RedisStore.open(url, prefix=settings.redis_prefix)
    stack.push_async_callback(store.close)
    return store, remedies


async def _open_chunks(
    settings: Settings, home: Home, dimension: int, stack: AsyncExitStack
) -> "EdgeStore | ClientStore":
    if settings.qdrant_url:
        from tiers.rag.client_store import ClientStore as Remote  # noqa: PLC0415  # 0.8 s, seldom used

        remote = await Remote.open(
            settings.qdrant_url, dimension=dimension, collection=settings.qdrant_collection
        )
        stack.push_async_callback(remote.close)
        return remote
    store = await EdgeStore.open(home.qdrant, dimension=dimension)
    stack.push_async_callback(store.close)
    return store


async def _open_graph(
    settings: Settings, home: Home, stack: AsyncExitStack
) -> "MemoryGraph | LadybugGraph | Neo4jGraph":
    """Return the store of the graph; the libraries of other stores than memory are optional."""
    url = settings.graph_url.get_secret_value() if settings.graph_url else ""
    if not url:
        graph = MemoryGraph()
        await asyncio.to_thread(_restore, graph, home.graph)
        stack.callback(_save, graph, home.graph)
        return graph
    try:
        store = _graph_at(url)
    except ModuleNotFoundError as error:
        told = f"{error.name} is not installed: pip install 'trivium[graph-stores]'"
        raise DependencyError(told) from error
    stack.push_async_callback(store.close)
    return store


def _restore(graph: MemoryGraph, path: Path) -> None:
    """Fill a graph from its snapshot, if there is one that can be used."""
    try:
        graph.restore(path)
    except FileNotFoundError:
        pass
    except (DataError, OSError) as error:
        aside = set_aside(path)
        _log.warning("graph_snapshot_damaged", why=str(error), set_aside=str(aside))


def _save(graph: MemoryGraph, path: Path) -> None:
    """Keep the graph for the next start, which is only slower without it."""
    try:
        graph.save(path)
    except OSError as error:
        _log.warning("graph_snapshot_not_written", why=str(error))


def _graph_at(url: str) -> "LadybugGraph | Neo4jGraph":
    kind, _, rest = url.partition(":")
    if kind == "ladybug":
        from tiers.graphrag.stores.ladybug import LadybugGraph as Embedded  # noqa: PLC0415  # optional

        return Embedded.open(Path(rest))
    if kind.partition("+")[0] in {"bolt", "neo4j"}:
        from tiers.graphrag.stores.neo4j import Neo4jGraph as Remote  # noqa: PLC0415  # optional

        return Remote.open(url)
    raise InputError(f"TRIVIUM_GRAPH_URL begins with ladybug: or bolt://, not {kind!r}")
