"""Chunks as stored, and their form in the engine: shared by the two stores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any, Final, TypeAlias
from uuid import UUID

from tiers.rag.abbreviations import spelt_out_numbers
from tiers.rag.filters import PUBLIC, Filter, Reach, readable
from tiers.rag.sparse import SparseVector
from trivium.domain.question import Vector
from trivium.domain.time import ALWAYS, Validity

Payload: TypeAlias = Mapping[str, Any] | None  # Any: JSON, as the engines type it

DENSE: Final = "dense"
SPARSE: Final = "sparse"
KEYWORDS: Final = ("tenant", "document", "acl", "entities", "supersedes")
NUMBERS: Final = ("valid_from", "valid_to", "position")
N_PREFETCH: Final = 60
"""Chunks that each branch of a search hands to the fusion."""
RRF_K: Final = 60
"""Source: Cormack, Clarke and Buettcher, 2009."""
PAGE: Final = 256
"""Ids in one filter, and records in one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A chunk with what its document says of it."""

    tenant: str
    document: str
    position: int
    text: str
    start: int
    end: int
    title: str = ""
    heading: str = ""
    head: str = ""
    """The head of the table that it goes on with."""
    date: str | None = None
    path: str = ""
    validity: Validity = ALWAYS
    acl: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    superseded_on: str | None = None
    """Date of the document that supersedes, where it has one."""
    content_hash: str = ""
    """Of the whole document and its metadata."""

    @property
    def point(self) -> str:
        """Its id in the engine: the same for the same place in the same document."""
        key = f"{len(self.tenant)} {self.tenant} {self.position} {self.document}"
        return str(UUID(bytes=blake2b(key.encode("utf-8", "replace"), digest_size=16).digest()))


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedChunk:
    """A chunk with its vectors."""

    chunk: StoredChunk
    dense: Vector
    sparse: SparseVector


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredChunk:
    """A chunk that a search found."""

    chunk: StoredChunk
    similarity: float
    """Cosine to the question, from -1 to 1; 0 where the question has no vector."""
    terms: frozenset[int]
    """The numbers of its terms, title, headings and date included, short forms as the
    words they stand for; see ``sparse.hashed``."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One of the searches whose ranks are fused."""

    name: str
    """Of the vector searched: ``DENSE`` or ``SPARSE``."""
    vector: Vector | SparseVector
    where: Filter


def branches(
    dense: Vector, sparse: SparseVector, reach: Reach, entities: Sequence[str]
) -> tuple[Branch, ...]:
    """Return what to search: by meaning, by terms, and by meaning among what names ``entities``."""
    everything = readable(reach)
    found = []
    if dense:
        found.append(Branch(DENSE, dense, everything))
    if sparse.indices:
        found.append(Branch(SPARSE, sparse, everything))
    if dense and entities:
        found.append(Branch(DENSE, dense, readable(reach, entities=entities)))
    return tuple(found)


def to_payload(chunk: StoredChunk) -> dict[str, Any]:
    """Return the chunk as the engine keeps it."""
    payload = {field.name: getattr(chunk, field.name) for field in fields(chunk)}
    validity = payload.pop("validity")
    lists = {name: list(payload[name]) for name in ("entities", "supersedes")}
    bounds = {"valid_from": validity.start, "valid_to": validity.end}
    return payload | lists | bounds | {"acl": list(chunk.acl) or [PUBLIC]}


def from_payload(payload: Payload) -> StoredChunk:
    """Return the chunk that ``payload`` is the form of."""
    held = dict(payload or {})
    validity = Validity(int(held.pop("valid_from")), int(held.pop("valid_to")))
    lists = {
        "acl": tuple(name for name in held["acl"] if name != PUBLIC),
        "entities": tuple(held["entities"]),
        "supersedes": tuple(held["supersedes"]),
    }
    return StoredChunk(**(held | lists), validity=validity)


def dense_of(vectors: object) -> Vector:
    """Return the dense vector among those that the engine gave."""
    held = vectors if isinstance(vectors, dict) else {}
    return tuple(held.get(DENSE) or ())


def scored(similarity: float, payload: Payload, vectors: object) -> ScoredChunk:
    """Return what the engine found, with its similarity to the question and its terms."""
    held = vectors if isinstance(vectors, dict) else {}
    return ScoredChunk(
        chunk=from_payload(payload),
        similarity=similarity,
        terms=spelt_out_numbers(getattr(held.get(SPARSE), "indices", ())),
    )
