"""One process among several on the same Redis and journal, as a replica of the service is."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from redis.asyncio import Redis

from tests.fakes import HashEncoder, ListAnswerJournal
from tiers.cag.memory import VerifiedMemory
from tiers.cag.projection import FactProjection
from tiers.cag.store import RedisStore
from trivium.domain.answer import Answer, AnswerStatus
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.knowledge import Change, ChangeKind, Fact
from trivium.domain.payloads import fact_payload
from trivium.domain.question import TierName, Understood
from trivium.domain.result import Prose
from trivium.domain.route import Decider, RouteDecision
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.service import Knowledge
from trivium.language.reading import Lexicon, QuestionReader
from trivium.pipeline import Pipeline

LEVEL = "level"
_TIMEOUT_S = 10.0
"""For a read: eight tasks of two processes share a core or two with other tests."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the processes of a test meet."""

    redis_url: str
    prefix: str
    database_url: str
    schema: str


@dataclass(frozen=True, slots=True)
class Process:
    """What one process has."""

    store: RedisStore
    knowledge: Knowledge
    memory: VerifiedMemory
    pipeline: Pipeline


@asynccontextmanager
async def opened(place: Place) -> AsyncIterator[Process]:
    """Open the stores of a process, its projections brought up to the journal."""
    store = await RedisStore.open(place.redis_url, prefix=place.prefix, timeout_s=_TIMEOUT_S)
    journal = await KnowledgeJournal.open(place.database_url, schema=place.schema)
    knowledge = Knowledge(journal, (FactProjection(store),))
    memory = VerifiedMemory(store, ttl_s=600)
    try:
        await knowledge.start()
        yield Process(store, knowledge, memory, _pipeline(store, memory, lambda: knowledge.version))
    finally:
        await journal.close()
        await store.close()


def _pipeline(store: RedisStore, memory: VerifiedMemory, version: Callable[[], int]) -> Pipeline:
    return Pipeline(
        reader=QuestionReader(HashEncoder(), Lexicon.empty()),
        router=_ToFacts(),
        tiers={TierName.CAG: _Levels(store)},
        synthesizer=_Says(),
        memory=memory,
        journal=ListAnswerJournal(),
        version=version,
        new_id=lambda: f"ans_{secrets.token_hex(8)}",
    )


async def popped(redis: Redis, key: str) -> str:
    """Return the first of a list, when there is one."""
    found: Any = await redis.blpop([key])  # Any: whatever the client decodes
    return bytes(found[1]).decode()


def level_of(entity: str, level: int) -> Change:
    """Return the change that sets the level of an entity."""
    fact = Fact(entity=entity, attribute=LEVEL, value=level, source="gauge")
    key = f"{entity}|{LEVEL}"
    return Change(kind=ChangeKind.PUT_FACT, key=key, payload=fact_payload(fact), source="gauges")


class _ToFacts:
    """A ``Router`` that knows one way."""

    def route(self, question: Understood) -> RouteDecision:
        return RouteDecision(tiers=(TierName.CAG,), decided_by=Decider.RULE)


@dataclass
class _Levels:
    """A ``Tier`` that reads the level of the entity whose name is the last word."""

    store: RedisStore

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        facts = await self.store.facts(question.text.split()[-1].rstrip("?"))
        value = next((fact.value for fact in facts if fact.attribute == LEVEL), 0)
        return TierResult(tier=TierName.CAG, status=TierStatus.HIT, why=str(value))


@dataclass
class _Says:
    """A ``Synthesizer`` that says what was found."""

    ids: list[str] = field(default_factory=list)

    async def compose(
        self,
        question: Understood,
        decision: RouteDecision,
        results: Mapping[TierName, TierResult],
        deadline: Deadline,
    ) -> Answer:
        return Answer(
            id=f"ans_{secrets.token_hex(8)}",
            status=AnswerStatus.ANSWERED,
            text=str(results[TierName.CAG].why),
            route=decision,
            result=Prose(),
        )
