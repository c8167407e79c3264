"""The only wiring: one service, made of its settings, opened and closed as one."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING

from feedback.answer_ids import AnswerIds
from feedback.journal import SqlAnswerJournal
from feedback.ratings import Ratings
from router.router import LearnedRouter
from synthesis.composer import Composer, Writer
from synthesis.with_model import ModelWriter
from tiers.cag.memory import ExactMemory
from tiers.cag.projection import FactProjection
from tiers.cag.server import EmbeddedServer
from tiers.cag.store import RedisStore
from tiers.cag.tier import CagTier
from tiers.graphrag.store import NetworkXGraph
from tiers.graphrag.tier import GraphTier
from tiers.rag.edge_store import EdgeStore
from tiers.rag.projection import DocumentProjection
from tiers.rag.tier import RagTier
from trivium.app.home import Home, owned_home
from trivium.app.observing import Metrics
from trivium.app.settings import Settings
from trivium.domain.door import response
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.ports import Tier
from trivium.domain.question import TierName
from trivium.gateway.chat import ClaudeChat
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.lexicon import LexiconProjection, lexicon_of
from trivium.knowledge.service import Knowledge, Progress
from trivium.language.reading import Lexicon, QuestionReader
from trivium.pipeline import Pipeline

if TYPE_CHECKING:
    from tiers.graphrag.ladybug_store import LadybugGraph
    from tiers.graphrag.neo4j_store import Neo4jGraph
    from tiers.rag.client_store import ClientStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Everything that the doors need."""

    settings: Settings
    pipeline: Pipeline
    knowledge: Knowledge
    answers: SqlAnswerJournal
    ratings: Ratings
    ids: AnswerIds
    lexicon: Lexicon
    home: Home
    now: Callable[[], datetime]
    metrics: Metrics = field(default_factory=Metrics)


@asynccontextmanager
async def open_service(
    settings: Settings, progress: Progress | None = None
) -> AsyncIterator[Service]:
    """Open the home, start what is embedded, and bring all projections up to the journal.

    Raises:
        HomeError: another process owns the home.
        DependencyError: a store, or the encoder, did not answer.
        InputError: a URL cannot be used.
    """
    async with AsyncExitStack() as stack:
        home = stack.enter_context(owned_home(settings.home))
        encoder = OnnxEncoder.open(
            settings.encoder_dir,
            precision=settings.encoder_precision,
            n_threads=settings.encoder_threads,
        )
        redis = await _open_redis(settings, home, stack)
        chunks = await _open_chunks(settings, home, encoder.dimension, stack)
        database = settings.database_url
        journal = await KnowledgeJournal.open(database or home.sqlite("knowledge"))
        stack.push_async_callback(journal.close)
        answers = await SqlAnswerJournal.open(
            database or home.sqlite("answers"), render=response, clock=_now
        )
        stack.push_async_callback(answers.close)
        ratings = await Ratings.open(database or home.sqlite("answers"))
        stack.push_async_callback(ratings.close)

        lexicon, graph = Lexicon.empty(), _open_graph(settings, stack)
        knowledge = Knowledge(
            journal,
            [
                LexiconProjection(lexicon),
                graph,
                FactProjection(redis),
                DocumentProjection(chunks, encoder, tag=lexicon.names.tag),
            ],
        )
        await knowledge.start(progress)
        ids = AnswerIds(home.secret(), token_bytes)
        tiers: dict[TierName, Tier] = {
            TierName.CAG: CagTier(redis, lexicon),
            TierName.RAG: RagTier(chunks),
            TierName.GRAPH: GraphTier(
                graph, lambda: lexicon.schema, max_nodes=settings.graph_max_nodes
            ),
        }
        reader = QuestionReader(encoder, lexicon)
        yield Service(
            settings=settings,
            pipeline=Pipeline(
                reader=reader,
                router=LearnedRouter.shipped(reader.read),
                tiers=tiers,
                synthesizer=Composer(ids.new, await _open_writer(settings, stack)),
                memory=ExactMemory(redis, ttl_s=settings.memory_ttl_s),
                journal=answers,
                version=_version_of(knowledge),
                new_id=ids.new,
            ),
            knowledge=knowledge,
            answers=answers,
            ratings=ratings,
            ids=ids,
            lexicon=lexicon,
            home=home,
            now=_now,
        )


@asynccontextmanager
async def open_routing(settings: Settings) -> AsyncIterator[tuple[QuestionReader, LearnedRouter]]:
    """Read what routing needs from the journal of a home, whether somebody serves it or not.

    Raises:
        DependencyError: the journal, or the encoder, did not answer.
    """
    url = settings.database_url or Home(settings.home.absolute()).sqlite("knowledge")
    journal = await KnowledgeJournal.open(url)
    try:
        lexicon = lexicon_of([change async for change in journal.state()])
    finally:
        await journal.close()
    yield routing(settings, lexicon)


def routing(settings: Settings, lexicon: Lexicon) -> tuple[QuestionReader, LearnedRouter]:
    """Return a reader and a router over a lexicon.

    Raises:
        DependencyError: the encoder is not there.
    """
    encoder = OnnxEncoder.open(
        settings.encoder_dir,
        precision=settings.encoder_precision,
        n_threads=settings.encoder_threads,
    )
    reader = QuestionReader(encoder, lexicon)
    return reader, LearnedRouter.shipped(reader.read)


def _now() -> datetime:
    return datetime.now(UTC)


def _version_of(knowledge: Knowledge) -> Callable[[], int]:
    return lambda: knowledge.version


async def _open_redis(settings: Settings, home: Home, stack: AsyncExitStack) -> RedisStore:
    url = settings.redis_url
    if url is None:
        server = await EmbeddedServer.start(home.redis)
        stack.push_async_callback(server.stop)
        url = server.url
    store = await RedisStore.open(url, prefix=settings.redis_prefix)
    stack.push_async_callback(store.close)
    return store


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


def _open_graph(
    settings: Settings, stack: AsyncExitStack
) -> "NetworkXGraph | LadybugGraph | Neo4jGraph":
    """Return the store of the graph; the libraries of other stores than memory are optional."""
    url = settings.graph_url.get_secret_value() if settings.graph_url else ""
    if not url:
        return NetworkXGraph()
    try:
        store = _graph_at(url)
    except ModuleNotFoundError as error:
        told = f"{error.name} is not installed: pip install 'trivium[graph-stores]'"
        raise DependencyError(told) from error
    stack.push_async_callback(store.close)
    return store


def _graph_at(url: str) -> "LadybugGraph | Neo4jGraph":
    kind, _, rest = url.partition(":")
    if kind == "ladybug":
        from tiers.graphrag.ladybug_store import LadybugGraph as Embedded  # noqa: PLC0415  # optional

        return Embedded.open(Path(rest))
    if kind.partition("+")[0] in {"bolt", "neo4j"}:
        from tiers.graphrag.neo4j_store import Neo4jGraph as Remote  # noqa: PLC0415  # optional

        return Remote.open(url)
    raise InputError(f"TRIVIUM_GRAPH_URL begins with ladybug: or bolt://, not {kind!r}")


async def _open_writer(settings: Settings, stack: AsyncExitStack) -> Writer | None:
    """Return the model that writes answers, where there is a key for one."""
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
    return ModelWriter(chat)
