"""Chunks in Qdrant's embedded engine: one directory, one process, no server."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

import qdrant_edge as qdrant

from tiers.rag.edge_shard import Note, begin_anew, count, open_whole, translated, write_note
from tiers.rag.filters import Among, Condition, Filter, Reach, heads, of_documents
from tiers.rag.sparse import SparseVector
from tiers.rag.store import (
    DENSE,
    N_PREFETCH,
    PAGE,
    RRF_K,
    SPARSE,
    Branch,
    EmbeddedChunk,
    ScoredChunk,
    StoredChunk,
    branches,
    dense_of,
    from_payload,
    scored,
    to_payload,
)
from trivium.domain.errors import DependencyError
from trivium.domain.question import Vector
from trivium.domain.threads import Threads

_T = TypeVar("_T")
_N_THREADS: Final = 4
_OPTIMISE_EVERY: Final = 20_000
"""Chunks written between two runs of the optimiser. Below that a hybrid search takes 4 ms
without an HNSW index and building one takes 9 s (2 cores)."""


class EdgeStore:
    """Chunks in an embedded Qdrant shard, with the watermark in a file beside it."""

    def __init__(self, directory: Path, config: qdrant.EdgeConfig) -> None:
        self._directory = directory
        self._config = config
        self._shard, self._note = open_whole(directory, config)
        self._n_written = 0
        self._threads = Threads("qdrant", _N_THREADS)

    @classmethod
    async def open(cls, directory: Path, *, dimension: int) -> "EdgeStore":
        """Open the index in ``directory``, or make one for vectors of ``dimension``.

        A damaged one is set aside, and the watermark is 0 then.

        Raises:
            DependencyError: another process has it open, it cannot be read or written, or it
                holds vectors of another dimension.
        """
        config = qdrant.EdgeConfig(
            vectors={DENSE: qdrant.EdgeVectorParams(dimension, qdrant.Distance.Cosine)},
            sparse_vectors={SPARSE: qdrant.EdgeSparseVectorParams(modifier=qdrant.Modifier.Idf)},
        )
        try:
            with translated():
                return await asyncio.to_thread(cls, directory, config)
        except DependencyError as error:
            if "WouldBlock" in str(error):
                why = "another process has it open"
            else:
                why = f"{error}; if nothing else helps, move it away: it is made again at a start"
            raise DependencyError(f"cannot open the document index {directory}: {why}") from error

    async def upsert(self, chunks: Sequence[EmbeddedChunk]) -> None:
        """Write ``chunks`` in one step; those of the same place are replaced."""
        if chunks:
            await self._in_thread(lambda: self._upsert(chunks))

    async def delete(
        self, documents: Sequence[str], *, tenant: str, from_position: int = 0
    ) -> None:
        """Delete the chunks of ``documents``, from a place on in each."""
        if documents:
            where = _filter(of_documents(tenant, documents, from_position=from_position))
            await self._update(qdrant.UpdateOperation.delete_points_by_filter(where))

    async def mark(self, document: str, *, tenant: str, by: str | None, on: str | None) -> None:
        """Say that ``document`` is superseded ``by`` another since ``on``, or no longer."""
        where = _filter(of_documents(tenant, [document]))
        marks = {"superseded_by": by, "superseded_on": on}
        await self._update(qdrant.UpdateOperation.set_payload_by_filter(where, marks))

    async def heads(
        self, field: str, values: Sequence[str], *, tenant: str
    ) -> tuple[StoredChunk, ...]:
        """Return the first chunk of each document whose ``field`` has one of ``values``."""
        pages = [values[first : first + PAGE] for first in range(0, len(values), PAGE)]
        return await self._in_thread(
            lambda: tuple(c for page in pages for c in self._scroll(heads(tenant, field, page)))
        )

    async def embedded(
        self, documents: Sequence[str], *, tenant: str
    ) -> tuple[tuple[StoredChunk, Vector], ...]:
        """Return every chunk of ``documents`` with its dense vector."""
        if not documents:
            return ()
        where = of_documents(tenant, documents)
        return await self._in_thread(
            lambda: tuple(
                (from_payload(record.payload), dense_of(record.vector))
                for record in self._records(where, vectors=[DENSE])
            )
        )

    async def search(
        self,
        dense: Vector,
        sparse: SparseVector,
        reach: Reach,
        *,
        entities: Sequence[str] = (),
        limit: int,
    ) -> tuple[ScoredChunk, ...]:
        """Return the ``limit`` best of the chunks that ``reach`` may see.

        Nearness of meaning, shared terms and, where ``entities`` are given, nearness among the
        chunks that name them are fused by their ranks. What is left comes nearest in meaning first.
        """
        wanted = branches(dense, sparse, reach, entities)
        if not wanted:
            return ()
        fused = qdrant.Prefetch(
            limit,
            query=qdrant.Fusion.Rrf(RRF_K),  # type: ignore[arg-type]  # its stub forgets the base
            prefetches=[_prefetch(branch) for branch in wanted],
        )
        nearest = qdrant.Query.Nearest(list(dense), DENSE) if dense else None
        request = qdrant.QueryRequest(
            limit,
            query=nearest or fused.query,
            prefetches=[fused] if dense else fused.prefetches,
            with_payload=True,
            with_vector=[SPARSE],
        )
        return await self._in_thread(
            lambda: tuple(
                scored(point.score if dense else 0.0, point.payload, point.vector)
                for point in self._shard.query(request)
            )
        )

    async def watermark(self) -> int:
        """Return how far the journal is applied; 0 for not at all."""
        return self._note.sequence

    async def set_watermark(self, sequence: int) -> None:
        """Say that the journal is applied up to ``sequence``; all before it is on disk."""
        await self._in_thread(lambda: self._settle(sequence))

    async def clear(self) -> None:
        """Forget everything."""
        await self._in_thread(self._recreate)

    async def close(self) -> None:
        """Write what is pending and let go of the directory."""
        await self._in_thread(self._shard.close)

    async def _in_thread(self, call: Callable[[], _T]) -> _T:
        """Run a blocking call of the engine off the loop, its errors as ours."""
        with translated():
            return await self._threads.run(call)

    async def _update(self, operation: qdrant.UpdateOperation) -> None:
        await self._in_thread(lambda: self._change(operation))

    def _upsert(self, chunks: Sequence[EmbeddedChunk]) -> None:
        points = [
            qdrant.Point(
                item.chunk.point,
                {DENSE: list(item.dense), SPARSE: _sparse(item.sparse)},
                to_payload(item.chunk),
            )
            for item in chunks
        ]
        self._change(qdrant.UpdateOperation.upsert_points(points))
        self._n_written += len(points)

    def _change(self, operation: qdrant.UpdateOperation) -> None:
        if self._note.n_chunks is not None:  # a crash from here on leaves another number
            self._take_note(Note(self._note.sequence))
        self._shard.update(operation)

    def _scroll(self, where: Filter) -> list[StoredChunk]:
        return [from_payload(record.payload) for record in self._records(where)]

    def _records(self, where: Filter, *, vectors: Sequence[str] = ()) -> list[qdrant.Record]:
        found: list[qdrant.Record] = []
        offset: qdrant.PointId | None = None
        while True:
            request = qdrant.ScrollRequest(
                offset, PAGE, _filter(where), with_payload=True, with_vector=list(vectors)
            )
            records, offset = self._shard.scroll(request)
            found += records
            if offset is None:
                return found

    def _settle(self, sequence: int) -> None:
        if self._n_written >= _OPTIMISE_EVERY:
            self._shard.optimize()
            self._n_written = 0
        self._shard.flush()
        n_chunks = self._note.n_chunks
        self._take_note(Note(sequence, count(self._shard) if n_chunks is None else n_chunks))

    def _take_note(self, note: Note) -> None:
        write_note(self._directory, note)
        self._note = note

    def _recreate(self) -> None:
        self._shard.close()
        self._shard, self._note = begin_anew(self._directory, self._config), Note()


def _prefetch(branch: Branch) -> qdrant.Prefetch:
    vector = branch.vector
    form = _sparse(vector) if isinstance(vector, SparseVector) else list(vector)
    nearest = qdrant.Query.Nearest(form, branch.name)
    return qdrant.Prefetch(N_PREFETCH, nearest, filter=_filter(branch.where))


def _filter(where: Filter) -> qdrant.Filter:
    return qdrant.Filter(must=[_condition(condition) for condition in where])


def _condition(condition: Condition) -> qdrant.FieldCondition:
    if isinstance(condition, Among):
        return qdrant.FieldCondition(condition.field, match=qdrant.MatchAny(list(condition.values)))
    bounds = qdrant.RangeFloat(
        gte=condition.at_least, gt=condition.above, lte=condition.at_most, lt=condition.below
    )
    return qdrant.FieldCondition(condition.field, range=bounds)


def _sparse(vector: SparseVector) -> qdrant.SparseVector:
    return qdrant.SparseVector(list(vector.indices), list(vector.values))
