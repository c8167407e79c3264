"""What of a chunk is embedded: its text by the encoder, its words as a sparse vector."""

from collections.abc import Sequence

from tiers.rag import sparse
from tiers.rag.store import EmbeddedChunk, StoredChunk
from trivium.domain.question import Vector


def context(chunk: StoredChunk) -> str:
    """Return the text to encode: a chunk says little without its title, headings and table head."""
    above = f"{chunk.title}\n{chunk.heading}\n"
    return f"{above}{chunk.head}\n{chunk.text}" if chunk.head else f"{above}{chunk.text}"


def with_vectors(stored: Sequence[StoredChunk], vectors: Sequence[Vector]) -> list[EmbeddedChunk]:
    """Return chunks with the dense vectors given and their sparse ones."""
    return [
        EmbeddedChunk(chunk=chunk, dense=vector, sparse=sparse.of_document(_terms(chunk)))
        for chunk, vector in zip(stored, vectors, strict=True)
    ]


def _terms(chunk: StoredChunk) -> str:
    return f"{context(chunk)}\n{chunk.date or ''}"
