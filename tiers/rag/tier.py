"""The RAG tier: finds passages and the sentences in them that answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from tiers.rag import sparse
from tiers.rag.abbreviations import with_short_forms
from tiers.rag.filters import Reach
from tiers.rag.ranking import Need, Ranked, is_strange, need_of, rank
from tiers.rag.selecting import select
from tiers.rag.sparse import SparseVector
from tiers.rag.statements import Extract, extract
from tiers.rag.store import ScoredChunk
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import (
    Freshness,
    FreshnessKind,
    Passage,
    Reason,
    Statement,
    TierResult,
    TierStatus,
)
from trivium.domain.question import TierName, Understood, Vector
from trivium.domain.time import ANY_TIME, Moment
from trivium.language.duties import asks_of_a_duty

_N_SEARCHED: Final = 40
_N_PASSAGES: Final = 5
_FLOOR: Final = 0.6
_COVERAGE: Final = 0.5
_REWORDED: Final = 0.05
_STRANGE: Final = 0.15
"""A hit needs this similarity, with these shares of its coverage and of its heading asked for in
other words, of one of its passages; more where the question names something that stands nowhere.
Measured on the questions of five data sets: 238 of 242 pass on their own documents, and of 1,047
that these do not answer 995 find nothing (233 and 983 with a floor of 0.55, a share of 0.4, names
like other words and no heading)."""

_OF_DUTY: Final = 0.08
"""How much less is enough where a question asks what one may or must do: if anything tells that,
documents do. Of 45 such questions of nine data sets two more pass on their own documents (43), and
22 more of 360 that these do not answer (32); they are hints."""
_FIRM: Final = 0.05
"""A hit that passes by less is only a hint; measured on the same data sets."""
_WORDS_FLOOR: Final = 0.6
"""The coverage that a hit needs where there is no similarity."""


class ChunkStore(Protocol):
    """Where chunks are searched."""

    async def search(
        self,
        dense: Vector,
        sparse: SparseVector,
        reach: Reach,
        *,
        entities: Sequence[str] = (),
        limit: int,
    ) -> tuple[ScoredChunk, ...]:
        """Return the ``limit`` best of the chunks that ``reach`` may see, in any order.

        Raises:
            DependencyError: the store did not answer.
        """
        ...


class RagTier:
    """Answers from documents, in their own words."""

    def __init__(self, store: ChunkStore, *, floor: float = _FLOOR) -> None:
        self._store = store
        self._floor = floor

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Return the passages that answer best, and the sentences in them that do.

        Raises:
            DependencyError: the store did not answer, or not in time.
        """
        need = need_of(question)
        try:
            async with asyncio.timeout(deadline.remaining_s):
                found = await self._store.search(
                    question.vector,
                    sparse.of_query(with_short_forms(need.terms)),
                    reach_of(question, need),
                    entities=need.entities,
                    limit=_N_SEARCHED,
                )
        except TimeoutError as error:
            raise DependencyError("the document store did not answer in time") from error
        ranked = rank([item for item in found if item.chunk.text.strip()], need)
        if question.unencoded:
            return self._by_words(question.unencoded, need, ranked)
        floor = self._floor + _STRANGE * is_strange(found, need)
        nearness = max(map(_nearness, ranked[:_N_PASSAGES]), default=0.0)
        if nearness >= floor - _OF_DUTY * asks_of_a_duty(question):
            hit = _hit(need, select(ranked, _N_PASSAGES))
            return replace(hit, is_hinted=nearness < floor + _FIRM)
        return _miss(need, ranked)

    def _by_words(self, why: str, need: Need, ranked: Sequence[Ranked]) -> TierResult:
        """Return what the words alone found: without an encoding there is no similarity."""
        if not (ranked and ranked[0].coverage >= _WORDS_FLOOR):
            return replace(_miss(need, ranked), status=TierStatus.UNAVAILABLE, why=why)
        return replace(
            _hit(need, select(ranked, _N_PASSAGES)),
            status=TierStatus.PARTIAL,
            why="The documents were searched by their words alone, not by meaning.",
            degraded=why,
        )


def _nearness(item: Ranked) -> float:
    return item.similarity + _COVERAGE * item.coverage + _REWORDED * item.reworded


def reach_of(question: Understood, need: Need) -> Reach:
    """Documents that held at some time from what the question is about until its own moment."""
    now = question.moment
    start = ANY_TIME.start if need.asks_past else min(need.at.start, now.start)
    return Reach(
        tenant=question.question.tenant,
        moment=Moment(start, now.end, now.text),
        principals=(question.question.principal,),
    )


def _miss(need: Need, ranked: Sequence[Ranked]) -> TierResult:
    return TierResult(
        tier=TierName.RAG,
        status=TierStatus.MISS,
        reason=Reason.NO_EVIDENCE,
        why="No document says anything near enough to the question.",
        trace=_trace(need, ranked[:_N_PASSAGES], ()),
    )


def _hit(need: Need, chosen: Sequence[Ranked]) -> TierResult:
    extracts = extract(need, chosen)
    return TierResult(
        tier=TierName.RAG,
        status=TierStatus.HIT,
        evidence=tuple(
            _passage(item, [(e.start, e.end) for e in extracts if e.passage == index])
            for index, item in enumerate(chosen)
        ),
        statements=tuple(Statement(item.text, (item.passage,)) for item in extracts),
        freshness=_freshness(chosen),
        trace=_trace(need, chosen, extracts),
    )


def _passage(item: Ranked, said: Sequence[tuple[int, int]]) -> Passage:
    chunk = item.chunk
    return Passage(
        document=chunk.document,
        title=chunk.title,
        text=chunk.text,
        score=round(item.score, 4),
        date=chunk.date,
        heading=chunk.heading,
        start=chunk.start,
        end=chunk.end,
        said=tuple(sorted(said)),
        is_superseded=item.is_superseded,
        superseded_by=chunk.superseded_by if item.is_superseded else None,
        entities=chunk.entities,
    )


def _freshness(chosen: Sequence[Ranked]) -> tuple[Freshness, ...]:
    """One entry for each document that has a date."""
    dates = {item.chunk.document: item.chunk.date for item in chosen if item.chunk.date}
    return tuple(
        Freshness(source=document, as_of=date, kind=FreshnessKind.BATCH)
        for document, date in dates.items()
        if date
    )


def _trace(need: Need, ranked: Sequence[Ranked], extracts: Sequence[Extract]) -> dict[str, object]:
    return {
        "terms": list(need.terms),
        "entities": list(need.entities),
        "passages": [
            {
                "document": item.chunk.document,
                "position": item.chunk.position,
                "score": round(item.score, 4),
                "similarity": round(item.similarity, 4),
                "coverage": round(item.coverage, 4),
            }
            for item in ranked
        ],
        "statements": [
            {"document": extract.document, "start": extract.start, "end": extract.end}
            for extract in extracts
        ],
    }
