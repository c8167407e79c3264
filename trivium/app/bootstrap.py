"""The only wiring: one service, made of its settings, opened and closed as one."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING, Final

from feedback.answer_ids import AnswerIds
from feedback.journal import SqlAnswerJournal
from feedback.ratings import Ratings
from router.router import LearnedRouter
from router.rules import Rules
from synthesis.composer import Composer, Writer
from synthesis.with_model import ModelWriter
from tiers.cag.memory import ExactMemory
from tiers.cag.projection import FactProjection
from tiers.cag.server import EmbeddedServer
from tiers.cag.store import RedisStore
from tiers.cag.tier import CagTier
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.tier import GraphTier
from tiers.rag.edge_store import EdgeStore
from tiers.rag.projection import DocumentProjection
from tiers.rag.tier import RagTier
from trivium.app import checks
from trivium.app.healing import Remedy, healing
from trivium.app.health import Check, HealthWatch
from trivium.app.home import Home, owned_home
from trivium.app.observing import Metrics
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.app.tracing import open_tracing
from trivium.domain.door import response
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.ports import Projection, Tier
from trivium.domain.question import TierName
from trivium.gateway.chat import ClaudeChat
from trivium.gateway.encoder import OnnxEncoder
from trivium.gateway.guarded import GuardedBytes, GuardedEncoder, GuardedTier
from trivium.gateway.limits import Guard
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.lexicon import LexiconProjection, lexicon_of
from trivium.knowledge.service import Knowledge, Progress
from trivium.language.reading import Lexicon, QuestionReader
from trivium.pipeline import Pipeline

if TYPE_CHECKING:
    from tiers.graphrag.stores.ladybug import LadybugGraph
    from tiers.graphrag.stores.neo4j import Neo4jGraph
    from tiers.rag.client_store import ClientStore

VERSION: Final = "0.1.0"


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
        metrics = Metrics()
        tracing = open_tracing(settings.otlp_endpoint, version=VERSION)
        stack.push_async_callback(tracing.close)
        home = stack.enter_context(owned_home(settings.home))
        encoder = OnnxEncoder.open(
            settings.encoder_dir,
            precision=settings.encoder_precision,
            n_threads=settings.encoder_threads,
        )
        redis, remedies = await _open_redis(settings, home, stack)
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
        projections: dict[str, Projection] = {
            "names": LexiconProjection(lexicon),
            "graph": graph,
            "facts": FactProjection(redis.patient()),
            "documents": DocumentProjection(chunks, encoder, tag=lexicon.names.tag),
        }
        knowledge = Knowledge(journal, tuple(projections.values()))
        await knowledge.start(progress)
        await stack.enter_async_context(healing([*remedies, knowledge.heal]))
        ids = AnswerIds(home.secret(), token_bytes)
        guards = {
            name: Guard(name, on_change=metrics.guard_state)
            for name in ("cag", "rag", "graph", "encoder", "memory")
        }
        tiers = _guarded(
            {
                TierName.CAG: (CagTier(redis, lexicon, lambda: knowledge.version), "facts"),
                TierName.RAG: (RagTier(chunks), "documents"),
                TierName.GRAPH: (
                    GraphTier(graph, lambda: lexicon.schema, max_nodes=settings.graph_max_nodes),
                    "graph",
                ),
            },
            guards,
            knowledge,
        )
        reader = QuestionReader(GuardedEncoder(encoder, guards["encoder"]), lexicon)
        remembered = GuardedBytes(redis, guards["memory"])
        router = _router(settings)
        parts = [
            *_checks_of_knowledge(settings, knowledge, projections),
            checks.answers(answers, settings),
            checks.memory(redis.ping, settings),
            checks.encoder(encoder, settings),
            checks.router_model(lambda: router.model_version),
            checks.disk(home.path),
        ]
        _observe(metrics, knowledge, answers)
        yield Service(
            settings=settings,
            pipeline=Pipeline(
                reader=reader,
                router=router,
                tiers=tiers,
                synthesizer=Composer(ids.new, await _open_writer(settings, stack)),
                memory=ExactMemory(remembered, ttl_s=settings.memory_ttl_s),
                journal=answers,
                version=_version_of(knowledge),
                new_id=ids.new,
                watcher=metrics,
                tracer=tracing.tracer,
            ),
            knowledge=knowledge,
            answers=answers,
            ratings=ratings,
            ids=ids,
            lexicon=lexicon,
            home=home,
            now=_now,
            guards=tuple(guards.values()),
            health=HealthWatch(parts, now=_now),
            metrics=metrics,
            tracing=tracing,
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
    return reader, _router(settings)


def _checks_of_knowledge(
    settings: Settings, knowledge: Knowledge, projections: Mapping[str, Projection]
) -> list[Check]:
    return [
        checks.journal(knowledge, settings),
        checks.names(projections["names"], knowledge),
        checks.graph(projections["graph"], knowledge),
        checks.facts(projections["facts"], knowledge, settings),
        checks.documents(projections["documents"], knowledge, settings),
    ]


def _observe(metrics: Metrics, knowledge: Knowledge, answers: SqlAnswerJournal) -> None:
    """Have the metrics read what others count."""
    metrics.read_gauge(
        "trivium_knowledge_version", "The knowledge version.", lambda: knowledge.version
    )
    metrics.read_gauge(
        "trivium_answers_pending", "Answers that wait to be written.", lambda: answers.n_pending
    )
    metrics.read_counter(
        "trivium_answers_dropped", "Answers that were given up.", lambda: answers.n_dropped
    )


def _router(settings: Settings) -> LearnedRouter:
    rules = Rules.read(settings.router_rules) if settings.router_rules else None
    return LearnedRouter.shipped(rules)


def _now() -> datetime:
    return datetime.now(UTC)


def _version_of(knowledge: Knowledge) -> Callable[[], int]:
    return lambda: knowledge.version


def _guarded(
    tiers: Mapping[TierName, tuple[Tier, str]], guards: Mapping[str, Guard], knowledge: Knowledge
) -> dict[TierName, Tier]:
    """Put each tier behind its guard; it is given with the projection that it reads."""
    return {
        name: GuardedTier(tier, guards[name], partial(knowledge.lag, projection))
        for name, (tier, projection) in tiers.items()
    }


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


def _open_graph(
    settings: Settings, stack: AsyncExitStack
) -> "MemoryGraph | LadybugGraph | Neo4jGraph":
    """Return the store of the graph; the libraries of other stores than memory are optional."""
    url = settings.graph_url.get_secret_value() if settings.graph_url else ""
    if not url:
        return MemoryGraph()
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
        from tiers.graphrag.stores.ladybug import LadybugGraph as Embedded  # noqa: PLC0415  # optional

        return Embedded.open(Path(rest))
    if kind.partition("+")[0] in {"bolt", "neo4j"}:
        from tiers.graphrag.stores.neo4j import Neo4jGraph as Remote  # noqa: PLC0415  # optional

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
