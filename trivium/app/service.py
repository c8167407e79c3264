"""The only wiring: one service, made of its settings, opened and closed as one."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Final, TypeVar

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
from tiers.graphrag.store import NetworkXGraph
from tiers.graphrag.tier import GraphTier
from tiers.rag.edge_store import EdgeStore
from tiers.rag.projection import DocumentProjection
from tiers.rag.tier import RagTier
from trivium.app.healing import Remedy, healing
from trivium.app.home import Home, owned_home
from trivium.app.observing import Metrics
from trivium.app.settings import Settings
from trivium.domain.deadline import Deadline
from trivium.domain.door import response
from trivium.domain.errors import DeadlineError, InputError
from trivium.domain.ports import Tier
from trivium.domain.question import Question, TierName
from trivium.gateway.chat import ClaudeChat
from trivium.gateway.encoder import OnnxEncoder
from trivium.gateway.guarded import GuardedBytes, GuardedEncoder, GuardedTier
from trivium.gateway.limits import Guard
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.lexicon import LexiconProjection, lexicon_of
from trivium.knowledge.service import Knowledge, Progress
from trivium.language.reading import Lexicon, QuestionReader
from trivium.pipeline import Pipeline

_T = TypeVar("_T")

_GRACE_S: Final = 0.05
"""What a request may take past its deadline to say that it is past."""

if TYPE_CHECKING:
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
    guards: tuple[Guard, ...] = ()
    metrics: Metrics = field(default_factory=Metrics)

    async def ask(self, question: Question, seconds: float | None = None) -> bytes:
        """Return the response to a question as JSON, within ``seconds``.

        Raises:
            InputError: ``seconds`` is more than the settings allow.
            DeadlineError: there was no answer in time.
            DependencyError: nothing that could answer can be asked now.
        """
        longest = self.settings.max_deadline_s
        if seconds is not None and seconds > longest:
            told = f"at most {longest:g} s can be waited for"
            raise InputError(f"deadline_s: {told}", [("deadline_s", told)])
        return await self.in_time(self._answer(question, seconds), seconds)

    async def _answer(self, question: Question, seconds: float | None) -> bytes:
        deadline = Deadline.after(seconds or self.settings.deadline_s)
        if again := await self.pipeline.recall(question):
            self.metrics.remembered.inc()
            return again.body
        answer = await self.pipeline.ask(question, deadline)
        self.metrics.count(answer)
        text = json.dumps(
            response(answer), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        return text.encode("utf-8", "replace")

    async def in_time(self, work: Awaitable[_T], seconds: float | None = None) -> _T:
        """Return what ``work`` returns, if it does so in time.

        Raises:
            DeadlineError: it does not.
        """
        seconds = seconds or self.settings.deadline_s
        try:
            async with asyncio.timeout(seconds + _GRACE_S):
                return await work
        except TimeoutError as error:
            raise DeadlineError(f"There was no answer within {seconds:g} s.") from error


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

        lexicon, graph = Lexicon.empty(), NetworkXGraph()
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
        await stack.enter_async_context(healing([*remedies, knowledge.heal]))
        ids = AnswerIds(home.secret(), token_bytes)
        guards = {name: Guard(name) for name in ("cag", "rag", "graph", "encoder", "memory")}
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
        yield Service(
            settings=settings,
            pipeline=Pipeline(
                reader=reader,
                router=_router(settings),
                tiers=tiers,
                synthesizer=Composer(ids.new, await _open_writer(settings, stack)),
                memory=ExactMemory(remembered, ttl_s=settings.memory_ttl_s),
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
            guards=tuple(guards.values()),
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


def _router(settings: Settings) -> LearnedRouter:
    return LearnedRouter.shipped(
        Rules.read(settings.router_rules) if settings.router_rules else None
    )


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
