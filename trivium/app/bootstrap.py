"""The only wiring: one service, made of its settings, opened and closed as one."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from secrets import token_bytes
from typing import Final

from feedback.analyst import Analyst
from feedback.answer_ids import AnswerIds
from feedback.journal import SqlAnswerJournal
from feedback.misroutes import Misroutes
from router.registry import Registry
from router.router import LearnedRouter
from router.rules import Rules
from synthesis.composer import Composer
from synthesis.with_model import ModelWriter
from tiers.cag.memory import VerifiedMemory
from tiers.cag.projection import FactProjection
from tiers.cag.tier import CagTier
from tiers.cag.turns import Turns
from tiers.graphrag.planner import OPERATOR_SETS, ModelPlanner
from tiers.graphrag.planning import CarriesOut, PlanningTier
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.templates.book import TemplateBook
from tiers.graphrag.templates.matching import TemplateReader
from tiers.graphrag.templates.routing import TemplateRouter
from tiers.graphrag.tier import GraphTier
from tiers.rag.projection import DocumentProjection
from tiers.rag.tier import RagTier
from trivium.app import checks
from trivium.app.analysing import aside
from trivium.app.apart import apart
from trivium.app.auditing import MemoryAudit
from trivium.app.healing import healing
from trivium.app.health import Check, HealthWatch
from trivium.app.hearing import Hearing
from trivium.app.home import Home, owned_home
from trivium.app.keys import Keyring
from trivium.app.observing import Metrics
from trivium.app.opening import Stores, now, open_chat, open_encoder, open_stores
from trivium.app.operating import operating
from trivium.app.retraining import Retraining
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.app.tracing import open_tracing
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult
from trivium.domain.ports import Projection, Router, Tier
from trivium.domain.question import TierName, Understood
from trivium.gateway.chat import ClaudeChat
from trivium.gateway.guarded import GuardedBytes, GuardedEncoder, GuardedTier
from trivium.gateway.limits import Guard
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.lexicon import LexiconProjection, lexicon_of
from trivium.knowledge.restricting import ForEverybody
from trivium.knowledge.service import Knowledge, Progress
from trivium.language.reading import Lexicon, QuestionReader
from trivium.pipeline import Pipeline

VERSION: Final = "0.1.0"
_RETRAIN_EVERY_S: Final = 60.0
_GUARDED: Final = ("cag", "rag", "graph", "operators", "encoder", "memory")


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
        stores = await open_stores(settings, home, stack)
        lexicon, book = Lexicon.empty(), TemplateBook.open(settings.templates)
        projections = _projections(stores, lexicon)
        knowledge = Knowledge(
            stores.journal, tuple(projections.values()), called=lexicon.names.called
        )
        await knowledge.start(progress)
        await stack.enter_async_context(healing([*stores.remedies, knowledge.heal]))
        ids = AnswerIds(home.secret(), token_bytes)
        guards = {n: Guard(n, on_change=metrics.guard_state) for n in _GUARDED}
        encoder = GuardedEncoder(stores.encoder, guards["encoder"])
        router, chat = _router(settings, home), open_chat(settings, stack)
        reader = QuestionReader(encoder, lexicon)
        retraining = Retraining(
            registry=Registry(home.router),
            router=router,
            reader=reader,
            encoder=stores.encoder,
            ear=Hearing(Misroutes(stores.ratings.database), stores.ratings, stores.answers),
            after=settings.router_retrain_after,
        )
        await stack.enter_async_context(
            healing([retraining.retrain_when_due], every_s=_RETRAIN_EVERY_S)
        )
        kept = GuardedBytes(stores.redis, guards["memory"])
        memory = VerifiedMemory(
            kept,
            ttl_s=settings.memory_ttl_s,
            rules=lambda: f"{book.fingerprint} {router.model_version} {_day(lexicon)}",
        )
        _observe(metrics, knowledge, stores.answers, memory)
        pipeline = Pipeline(
            reader=reader,
            router=TemplateRouter(router, TemplateReader(book), lambda: lexicon.schema),
            tiers=_tiers(settings, stores, (lexicon, book), knowledge, guards, chat),
            synthesizer=Composer(ids.new, ModelWriter(chat) if chat else None),
            memory=memory,
            journal=stores.answers,
            version=lambda: knowledge.version,
            new_id=ids.new,
            watcher=metrics,
            tracer=tracing.tracer,
        )
        unaided = _tiers(settings, stores, (lexicon, book), knowledge, guards, None)
        alone = aside(pipeline, unaided)
        analyst = _analyst(stores, alone, guards["encoder"])
        audit = MemoryAudit(memory, alone, share=settings.memory_audit_share, chance=random.random)
        stack.push_async_callback(audit.close)
        await stack.enter_async_context(analyst.at_work())
        parts = [
            *_checks_of_knowledge(settings, knowledge, projections),
            *_checks_of_service(settings, stores, router, home),
        ]
        yield Service(
            settings=settings,
            pipeline=pipeline,
            apart=apart(pipeline, encoder, router),
            operate=operating(settings, stores.graph, lexicon, knowledge, guards["operators"]),
            knowledge=knowledge,
            graph=_graph(settings, stores, lexicon),
            answers=stores.answers,
            ratings=stores.ratings,
            misroutes=analyst.queue,
            analyst=analyst,
            ids=ids,
            lexicon=lexicon,
            retraining=retraining,
            memory=memory,
            audit=audit,
            redis=stores.redis,
            home=home,
            now=now,
            guards=tuple(guards.values()),
            health=HealthWatch(parts, now=now),
            turns=Turns(kept) if settings.redis_url else None,
            keys=Keyring.open(settings),
            metrics=metrics,
            tracing=tracing,
        )


def _day(lexicon: Lexicon) -> str:
    """Return the day that questions without a date are about."""
    return lexicon.schema.as_of or now().date().isoformat()


def _analyst(stores: Stores, asker: Pipeline, guard: Guard) -> Analyst:
    return Analyst(
        queue=Misroutes(stores.ratings.database),
        traces=stores.answers,
        asker=asker,
        encoder=GuardedEncoder(stores.encoder, guard),
        now=now,
    )


def _projections(stores: Stores, lexicon: Lexicon) -> dict[str, Projection]:
    return {
        "names": LexiconProjection(lexicon),
        "graph": ForEverybody(stores.graph),
        "facts": FactProjection(stores.redis.patient()),
        "documents": DocumentProjection(stores.chunks, stores.encoder, tag=lexicon.tag),
    }


def _tiers(
    settings: Settings,
    stores: Stores,
    words: tuple[Lexicon, TemplateBook],
    knowledge: Knowledge,
    guards: Mapping[str, Guard],
    chat: ClaudeChat | None,
) -> dict[TierName, Tier]:
    """Return each tier behind its guard, which also knows whether its projection lags."""
    lexicon, book = words
    own = TemplateReader(book)
    cag = CagTier(stores.redis, lexicon, lambda: knowledge.version)
    graph = _graph(settings, stores, lexicon, own)
    tiers: dict[TierName, tuple[Tier, str]] = {
        TierName.CAG: (cag, "facts"),
        TierName.RAG: (RagTier(stores.chunks), "documents"),
        TierName.GRAPH: (graph, "graph"),
    }
    guarded = {
        name: GuardedTier(tier, guards[name], partial(knowledge.lag, projection))
        for name, (tier, projection) in tiers.items()
    }
    if chat is None or settings.planner == "off":
        return dict(guarded)
    planner = ModelPlanner(
        chat,
        OPERATOR_SETS[settings.planner_operators],
        is_first=settings.planner == "first",
        book=book,
    )
    house = guarded[TierName.GRAPH]
    carry_out = _carrying_out(graph, house)
    planning = PlanningTier(house, planner, carry_out, lambda: lexicon.schema, own)
    return {**guarded, TierName.GRAPH: planning}


def _graph(
    settings: Settings, stores: Stores, lexicon: Lexicon, own: TemplateReader | None = None
) -> GraphTier:
    return GraphTier(
        stores.graph,
        lambda: lexicon.schema,
        max_nodes=settings.graph_max_nodes,
        templates=own,
    )


def _carrying_out(graph: GraphTier, house: GuardedTier) -> CarriesOut:
    """Return what runs a model's plan in the same bounds as the reader's."""

    async def carry_out(plan: Plan, question: Understood, deadline: Deadline) -> TierResult:
        return await house.call(lambda: graph.carry_out(plan, question, deadline))

    return carry_out


@asynccontextmanager
async def open_routing(settings: Settings) -> AsyncIterator[tuple[QuestionReader, Router]]:
    """Read what routing needs from the journal of a home, whether somebody serves it or not.

    Raises:
        DependencyError: the journal, or the encoder, did not answer.
    """
    yield routing(settings, await lexicon_at(settings))


async def lexicon_at(settings: Settings) -> Lexicon:
    """Read names and schema from the journal of a home, whether somebody serves it or not.

    Raises:
        DependencyError: the journal did not answer.
    """
    url = settings.database_url or Home(settings.home.absolute()).sqlite("knowledge")
    journal = await KnowledgeJournal.open(url)
    try:
        return lexicon_of([change async for change in journal.state()])
    finally:
        await journal.close()


def routing(settings: Settings, lexicon: Lexicon) -> tuple[QuestionReader, Router]:
    """Return a reader and a router over a lexicon.

    Raises:
        DependencyError: the encoder is not there.
    """
    book, home = TemplateBook.open(settings.templates), Home(settings.home.absolute())
    router = TemplateRouter(_router(settings, home), TemplateReader(book), lambda: lexicon.schema)
    return QuestionReader(open_encoder(settings), lexicon), router


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


def _checks_of_service(
    settings: Settings, stores: Stores, router: LearnedRouter, home: Home
) -> list[Check]:
    return [
        checks.answers(stores.answers, settings),
        checks.memory(stores.redis.ping, settings),
        checks.encoder(stores.encoder, settings),
        checks.router_model(lambda: router.model_version),
        checks.disk(home.path),
    ]


def _observe(
    metrics: Metrics, knowledge: Knowledge, answers: SqlAnswerJournal, memory: VerifiedMemory
) -> None:
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
    for name, meaning in (
        ("audited", "Answers from memory that were made anew."),
        ("wrong", "Of these, those that said something else, and were forgotten."),
    ):
        metrics.read_counter(f"trivium_memory_{name}", meaning, partial(memory.count, name))


def _router(settings: Settings, home: Home) -> LearnedRouter:
    rules = Rules.read(settings.router_rules) if settings.router_rules else None
    return LearnedRouter.of(Registry(home.router), rules)
