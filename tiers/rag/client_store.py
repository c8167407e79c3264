"""Chunks in a Qdrant server, or in the client's own small local mode."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import httpx
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException

from tiers.rag.filters import Among, Condition, Filter, Reach, heads, of_documents
from tiers.rag.sparse import SparseVector
from tiers.rag.store import (
    DENSE,
    KEYWORDS,
    N_PREFETCH,
    NUMBERS,
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

_WATERMARK: Final = 1
"""The id of the one point of the meta collection."""


class ClientStore:
    """Chunks in one collection, with the watermark in another beside it."""

    def __init__(
        self, client: AsyncQdrantClient, collection: str, dimension: int, *, is_local: bool
    ) -> None:
        self._client = client
        self._collection = collection
        self._meta = f"{collection}_meta"
        self._dimension = dimension
        self._is_local = is_local

    @classmethod
    async def open(
        cls,
        location: str,
        *,
        dimension: int,
        collection: str = "trivium",
        api_key: str | None = None,
        timeout_s: int = 5,
    ) -> "ClientStore":
        """Connect to ``location`` and make the collections where they are not there.

        Args:
            location: a server's URL; ``:memory:`` or a directory for the local mode, which is
                meant for tests and some thousand chunks.
            dimension: of the dense vectors.
            collection: its name; the watermark's is ``<collection>_meta``.
            api_key: of the server.
            timeout_s: of one call.

        Raises:
            DependencyError: the server did not answer, or holds vectors of another dimension.
        """
        is_local = "://" not in location
        with _translated():
            client = (
                AsyncQdrantClient(location)
                if location == ":memory:"
                else AsyncQdrantClient(path=location)
                if is_local
                else AsyncQdrantClient(
                    location, api_key=api_key, timeout=timeout_s, check_compatibility=False
                )
            )
            store = cls(client, collection, dimension, is_local=is_local)
            try:
                await store._prepare()
            except BaseException:
                await client.close()
                raise
        return store

    async def upsert(self, chunks: Sequence[EmbeddedChunk]) -> None:
        """Write ``chunks`` in one step; those of the same place are replaced."""
        points = [
            models.PointStruct(
                id=item.chunk.point,
                vector={DENSE: list(item.dense), SPARSE: _sparse(item.sparse)},
                payload=to_payload(item.chunk),
            )
            for item in chunks
        ]
        if points:
            with _translated():
                await self._client.upsert(self._collection, points, wait=True)

    async def delete(
        self, documents: Sequence[str], *, tenant: str, from_position: int = 0
    ) -> None:
        """Delete the chunks of ``documents``, from a place on in each."""
        if documents:
            where = of_documents(tenant, documents, from_position=from_position)
            with _translated():
                await self._client.delete(self._collection, _filter(where), wait=True)

    async def mark(self, document: str, *, tenant: str, by: str | None, on: str | None) -> None:
        """Say that ``document`` is superseded ``by`` another since ``on``, or no longer."""
        marks = {"superseded_by": by, "superseded_on": on}
        where = _filter(of_documents(tenant, [document]))
        with _translated():
            await self._client.set_payload(self._collection, marks, where, wait=True)

    async def heads(
        self, field: str, values: Sequence[str], *, tenant: str
    ) -> tuple[StoredChunk, ...]:
        """Return the first chunk of each document whose ``field`` has one of ``values``."""
        pages = [values[first : first + PAGE] for first in range(0, len(values), PAGE)]
        records = [r for page in pages for r in await self._records(heads(tenant, field, page))]
        return tuple(from_payload(record.payload) for record in records)

    async def embedded(
        self, documents: Sequence[str], *, tenant: str
    ) -> tuple[tuple[StoredChunk, Vector], ...]:
        """Return every chunk of ``documents`` with its dense vector."""
        if not documents:
            return ()
        records = await self._records(of_documents(tenant, documents), vectors=[DENSE])
        return tuple((from_payload(r.payload), dense_of(r.vector)) for r in records)

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
        fused = models.Prefetch(
            query=models.RrfQuery(rrf=models.Rrf(k=RRF_K)),
            prefetch=[_prefetch(branch) for branch in wanted],
            limit=limit,
        )
        with _translated():
            response = await self._client.query_points(
                self._collection,
                query=list(dense) if dense else fused.query,
                using=DENSE if dense else None,
                prefetch=fused if dense else fused.prefetch,
                limit=limit,
                with_payload=True,
                with_vectors=[SPARSE],
            )
        return tuple(
            scored(point.score if dense else 0.0, point.payload, point.vector)
            for point in response.points
        )

    async def watermark(self) -> int:
        """Return how far the journal is applied; 0 for not at all."""
        with _translated():
            points = await self._client.retrieve(self._meta, [_WATERMARK])
        return int((points[0].payload or {})["sequence"]) if points else 0

    async def set_watermark(self, sequence: int) -> None:
        """Say that the journal is applied up to ``sequence``; all before it is on disk."""
        point = models.PointStruct(id=_WATERMARK, vector={}, payload={"sequence": sequence})
        with _translated():
            await self._client.upsert(self._meta, [point], wait=True)

    async def clear(self) -> None:
        """Forget everything."""
        # The watermark goes first: a crash in between then leads to a full replay.
        with _translated():
            await self._client.delete_collection(self._meta)
            await self._client.delete_collection(self._collection)
            await self._prepare()

    async def close(self) -> None:
        """Close the connection."""
        with _translated():
            await self._client.close()

    async def _records(self, where: Filter, *, vectors: Sequence[str] = ()) -> list[models.Record]:
        found: list[models.Record] = []
        offset: models.ExtendedPointId | None = None
        while True:
            with _translated():
                records, offset = await self._client.scroll(
                    self._collection,
                    _filter(where),
                    limit=PAGE,
                    offset=offset,
                    with_vectors=list(vectors),
                )
            found += records
            if offset is None:
                return found

    async def _prepare(self) -> None:
        if await self._client.collection_exists(self._collection):
            await self._check_dimension()
        else:
            dense = models.VectorParams(size=self._dimension, distance=models.Distance.COSINE)
            await self._client.create_collection(
                self._collection,
                vectors_config={DENSE: dense},
                sparse_vectors_config={
                    SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)
                },
            )
        if not await self._client.collection_exists(self._meta):
            await self._client.create_collection(self._meta, vectors_config={})
        if self._is_local:
            return  # where indexes mean nothing, and warn
        for field in KEYWORDS:
            await self._client.create_payload_index(
                self._collection, field, models.PayloadSchemaType.KEYWORD
            )
        for field in NUMBERS:
            await self._client.create_payload_index(
                self._collection, field, models.PayloadSchemaType.INTEGER
            )

    async def _check_dimension(self) -> None:
        described = await self._client.get_collection(self._collection)
        vectors = described.config.params.vectors
        size = vectors[DENSE].size if isinstance(vectors, dict) and DENSE in vectors else None
        if size != self._dimension:
            raise DependencyError(
                f"collection {self._collection!r} holds vectors of dimension {size}, "
                f"not {self._dimension}: give another name, or drop it and load again"
            )


def _prefetch(branch: Branch) -> models.Prefetch:
    vector = branch.vector
    return models.Prefetch(
        query=_sparse(vector) if isinstance(vector, SparseVector) else list(vector),
        using=branch.name,
        filter=_filter(branch.where),
        limit=N_PREFETCH,
    )


def _filter(where: Filter) -> models.Filter:
    return models.Filter(must=[_condition(condition) for condition in where])


def _condition(condition: Condition) -> models.FieldCondition:
    if isinstance(condition, Among):
        match = models.MatchAny(any=list(condition.values))
        return models.FieldCondition(key=condition.field, match=match)
    bounds = models.Range(
        gte=condition.at_least, gt=condition.above, lte=condition.at_most, lt=condition.below
    )
    return models.FieldCondition(key=condition.field, range=bounds)


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(vector.indices), values=list(vector.values))


@contextmanager
def _translated() -> Iterator[None]:
    """Turn the client's errors into ours; a bad argument is a ValueError in its local mode."""
    try:
        yield
    except (
        ApiException,
        QdrantException,
        httpx.HTTPError,
        OSError,
        ValueError,
        RuntimeError,
    ) as error:
        raise DependencyError(f"the document index failed: {error}") from error
