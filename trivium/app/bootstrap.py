"""The only wiring: one service, made of its settings, opened and closed as one.

It is longer than other files, because nothing else may know what is made of what.
"""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_bytes
from typing import Final

from feedback.analyst import Analyst
from feedback.answer_ids import AnswerIds
from feedback.journal import SqlAnswerJournal
from feedback.misroutes import Misroutes
from router.registry import Registry
from router.router import LearnedRouter
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
from trivium.app.opening import Stores, now, open_chat, open_stores
from trivium.app.operating import operating
from trivium.app.places import Places
from trivium.app.retraining import Retraining
from trivium.app.routing import router_of
from trivium.app.service import Service
from trivium.app.settings import Settings
from trivium.app.tracing import Tracing, open_tracing
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult
from trivium.domain.ports import Projection, Tier
from trivium.domain.question import TierName, Understood
from trivium.gateway.chat import ClaudeChat
from trivium.gateway.guarded import GuardedBytes, GuardedEncoder, GuardedTier
from trivium.gateway.limits import Guard
from trivium.knowledge.lexicon import LexiconProjection
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
        ground = await _ground(settings, stack, progress)
        router = router_of(settings, ground.home)
        reader = QuestionReader(ground.encoder, ground.lexicon)
        kept = GuardedBytes(ground.stores.redis, ground.guards["memory"])
        memory = _memory(ground, router, kept)
        _observe(ground.metrics, ground.knowledge, ground.stores.answers, memory)
        pipeline = _pipeline(ground, reader, router, memory)
        alone = aside(pipeline, _tiers(ground, None))
        analyst = _analyst(ground, alone)
        share = settings.memory_audit_share
        audit = MemoryAudit(memory, alone, share=share, chance=random.random)
        stack.push_async_callback(audit.close)
        await stack.enter_async_context(analyst.at_work())
        retraining = _retraining(ground, router, reader)
        due = healing([retraining.retrain_when_due], every_s=_RETRAIN_EVERY_S)
        await stack.enter_async_context(due)
        turns = Turns(kept) if settings.redis_url and settings.memory_ttl_s else None
        service = _service(ground, pipeline, memory, analyst, retraining)
        yield replace(service, audit=audit, turns=turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """What everything else stands on: the home, its stores, and what they know, up to date."""

    settings: Settings
    metrics: Metrics
    tracing: Tracing
    home: Home
    stores: Stores
    lexicon: Lexicon
    book: TemplateBook
    projections: Mapping[str, Projection]
    knowledge: Knowledge
    ids: AnswerIds
    guards: Mapping[str, Guard]
    encoder: GuardedEncoder
    chat: ClaudeChat | None


async def _ground(settings: Settings, stack: AsyncExitStack, progress: Progress | None) -> _Ground:
    metrics = Metrics()
    tracing = open_tracing(settings.otlp_endpoint, version=VERSION)
    stack.push_async_callback(tracing.close)
    home = stack.enter_context(owned_home(settings.home))
    stores = await open_stores(settings, home, stack)
    lexicon, book = Lexicon.empty(), TemplateBook.open(settings.templates)
    projections = _projections(stores, lexicon)
    knowledge = Knowledge(stores.journal, tuple(projections.values()), called=lexicon.names.called)
    await knowledge.start(progress)
    await stack.enter_async_context(healing([*stores.remedies, knowledge.heal]))
    guards = {n: Guard(n, on_change=metrics.guard_state) for n in _GUARDED}
    return _Ground(
        settings=settings,
        metrics=metrics,
        tracing=tracing,
        home=home,
        stores=stores,
        lexicon=lexicon,
        book=book,
        projections=projections,
        knowledge=knowledge,
        ids=AnswerIds(home.secret(), token_bytes),
        guards=guards,
        encoder=GuardedEncoder(stores.encoder, guards["encoder"]),
        chat=open_chat(settings, stack),
    )


def _service(
    ground: _Ground,
    pipeline: Pipeline,
    memory: VerifiedMemory,
    analyst: Analyst,
    retraining: Retraining,
) -> Service:
    parts = [*_checks_of_knowledge(ground), *_checks_of_service(ground, retraining.router)]
    settings, stores, operators = ground.settings, ground.stores, ground.guards["operators"]
    return Service(
        settings=settings,
        pipeline=pipeline,
        apart=apart(pipeline, ground.encoder, retraining.router),
        operate=operating(settings, stores.graph, ground.lexicon, ground.knowledge, operators),
        knowledge=ground.knowledge,
        graph=_graph(settings, stores, ground.lexicon),
        answers=stores.answers,
        ratings=stores.ratings,
        misroutes=analyst.queue,
        analyst=analyst,
        ids=ground.ids,
        lexicon=ground.lexicon,
        retraining=retraining,
        memory=memory,
        redis=stores.redis,
        home=ground.home,
        now=now,
        # A model has a limit of its own, and is waited for rather than worked on.
        places=Places(settings.max_requests if ground.chat else settings.max_at_work),
        guards=tuple(ground.guards.values()),
        health=HealthWatch(parts, now=now),
        keys=Keyring.open(settings),
        metrics=ground.metrics,
        tracing=ground.tracing,
    )


def _retraining(ground: _Ground, router: LearnedRouter, reader: QuestionReader) -> Retraining:
    ratings = ground.stores.ratings
    return Retraining(
        registry=Registry(ground.home.router),
        router=router,
        reader=reader,
        encoder=ground.stores.encoder,
        ear=Hearing(Misroutes(ratings.database), ratings, ground.stores.answers),
        after=ground.settings.router_retrain_after,
    )


def _memory(ground: _Ground, router: LearnedRouter, kept: GuardedBytes) -> VerifiedMemory:
    book, lexicon = ground.book, ground.lexicon
    return VerifiedMemory(
        kept,
        ttl_s=ground.settings.memory_ttl_s,
        rules=lambda: f"{book.fingerprint} {router.model_version} {_day(lexicon)}",
    )


def _pipeline(
    ground: _Ground, reader: QuestionReader, router: LearnedRouter, memory: VerifiedMemory
) -> Pipeline:
    lexicon, knowledge, chat = ground.lexicon, ground.knowledge, ground.chat
    return Pipeline(
        reader=reader,
        router=TemplateRouter(router, TemplateReader(ground.book), lambda: lexicon.schema),
        tiers=_tiers(ground, chat),
        synthesizer=Composer(ground.ids.new, ModelWriter(chat) if chat else None),
        memory=memory,
        journal=ground.stores.answers,
        version=lambda: knowledge.version,
        new_id=ground.ids.new,
        watcher=ground.metrics,
        tracer=ground.tracing.tracer,
    )


def _day(lexicon: Lexicon) -> str:
    """Return the day that questions without a date are about."""
    return lexicon.schema.as_of or now().date().isoformat()


def _analyst(ground: _Ground, alone: Pipeline) -> Analyst:
    stores = ground.stores
    return Analyst(
        queue=Misroutes(stores.ratings.database),
        traces=stores.answers,
        asker=alone,
        encoder=ground.encoder,
        now=now,
    )


def _projections(stores: Stores, lexicon: Lexicon) -> dict[str, Projection]:
    return {
        "names": LexiconProjection(lexicon),
        "graph": ForEverybody(stores.graph),
        "facts": FactProjection(stores.redis.patient()),
        "documents": DocumentProjection(stores.chunks, stores.encoder, tag=lexicon.tag),
    }


def _tiers(ground: _Ground, chat: ClaudeChat | None) -> dict[TierName, Tier]:
    """Return each tier behind its guard, which also knows whether its projection lags."""
    settings, stores, knowledge = ground.settings, ground.stores, ground.knowledge
    lexicon, book, guards = ground.lexicon, ground.book, ground.guards
    own = TemplateReader(book)
    cag = CagTier(stores.redis, lexicon, ground.encoder, lambda: knowledge.version)
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


def _checks_of_knowledge(ground: _Ground) -> list[Check]:
    settings, knowledge, held = ground.settings, ground.knowledge, ground.projections
    return [
        checks.journal(knowledge, settings),
        checks.names(held["names"], knowledge),
        checks.graph(held["graph"], knowledge),
        checks.facts(held["facts"], knowledge, settings),
        checks.documents(held["documents"], knowledge, settings),
    ]


def _checks_of_service(ground: _Ground, router: LearnedRouter) -> list[Check]:
    settings, stores = ground.settings, ground.stores
    return [
        checks.answers(stores.answers, settings),
        checks.memory(stores.redis.ping, settings),
        checks.encoder(stores.encoder, settings),
        checks.router_model(lambda: router.model_version),
        checks.disk(ground.home.path),
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
