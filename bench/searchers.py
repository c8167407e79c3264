"""Ways to search the same chunks: the tier's own, and what it stands beside."""

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from tiers.rag import sparse
from tiers.rag.abbreviations import with_short_forms
from tiers.rag.ranking import need_of, rank
from tiers.rag.store import StoredChunk
from tiers.rag.tier import ChunkStore, reach_of
from trivium.domain.question import Understood, Vector

_N_SEARCHED: Final = 40


class Searcher(Protocol):
    """Orders chunks by how well they answer."""

    async def search(self, question: Understood, k: int) -> Sequence[StoredChunk]:
        """Return up to ``k`` chunks, best first."""
        ...


class Hybrid:
    """The tier's search and ranking, over one of its stores; nothing is left out by a floor."""

    def __init__(self, store: ChunkStore) -> None:
        self._store = store

    async def search(self, question: Understood, k: int) -> Sequence[StoredChunk]:
        """Return up to ``k`` chunks, best first."""
        need = need_of(question)
        found = await self._store.search(
            question.vector,
            sparse.of_query(with_short_forms(need.terms)),
            reach_of(question, need),
            entities=need.entities,
            limit=_N_SEARCHED,
        )
        return [item.chunk for item in rank(found, need)[:k]]


class Tfidf:
    """The cosine of TF-IDF vectors, as scikit-learn makes them."""

    def __init__(self, chunks: Sequence[StoredChunk]) -> None:
        self._chunks = chunks
        self._vectorizer: Any = TfidfVectorizer(stop_words="english")  # scikit-learn has no types
        self._rows = self._vectorizer.fit_transform(
            f"{c.title}\n{c.heading}\n{c.text}" for c in chunks
        )

    async def search(self, question: Understood, k: int) -> Sequence[StoredChunk]:
        """Return up to ``k`` chunks, best first."""
        row = self._vectorizer.transform([question.text])
        scores = np.asarray((self._rows @ row.T).todense()).ravel()
        return [self._chunks[at] for at in np.argsort(-scores, kind="stable")[:k]]


class Dense:
    """The cosine of the encoder's vectors."""

    def __init__(self, chunks: Sequence[StoredChunk], vectors: Sequence[Vector]) -> None:
        self._chunks = chunks
        self._rows = np.array(vectors, dtype=np.float32)

    async def search(self, question: Understood, k: int) -> Sequence[StoredChunk]:
        """Return up to ``k`` chunks, best first."""
        scores = self._rows @ np.array(question.vector, dtype=np.float32)
        return [self._chunks[at] for at in np.argsort(-scores, kind="stable")[:k]]
