"""The document index as a projection of the knowledge journal."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Final, Protocol, TypeAlias

from tiers.rag.chunks import Chunk, chunks
from tiers.rag.embedding import context, with_vectors
from tiers.rag.store import EmbeddedChunk, StoredChunk
from trivium.domain.errors import DataError, InputError
from trivium.domain.knowledge import Change, ChangeKind, Document
from trivium.domain.payloads import document_from_payload
from trivium.domain.ports import Encoder
from trivium.domain.question import HOME_TENANT, Vector
from trivium.domain.time import Validity, parse_instant

Tagger: TypeAlias = Callable[[str], tuple[str, ...]]
"""Gives the ids of the entities that a text names; it is called in a worker thread."""
Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many chunks are written, and of how many."""

_Cut: TypeAlias = tuple[Document, tuple[Chunk, ...]]

_DOCUMENTS: Final = frozenset({ChangeKind.PUT_DOCUMENT, ChangeKind.DROP_DOCUMENT})
_GROUP: Final = 64
"""Chunks encoded and written in one step; a document is never divided among steps."""


class ChunkIndex(Protocol):
    """Where chunks are kept.

    Every method raises ``DependencyError`` when the index does not answer.
    """

    async def upsert(self, chunks: Sequence[EmbeddedChunk]) -> None:
        """Write ``chunks`` in one step; those of the same place are replaced."""
        ...

    async def delete(
        self, documents: Sequence[str], *, tenant: str, from_position: int = 0
    ) -> None:
        """Delete the chunks of ``documents``, from a place on in each."""
        ...

    async def mark(self, document: str, *, tenant: str, by: str | None, on: str | None) -> None:
        """Say that ``document`` is superseded ``by`` another since ``on``, or no longer."""
        ...

    async def heads(
        self, field: str, values: Sequence[str], *, tenant: str
    ) -> tuple[StoredChunk, ...]:
        """Return the first chunk of each document whose ``field`` has one of ``values``."""
        ...

    async def embedded(
        self, documents: Sequence[str], *, tenant: str
    ) -> tuple[tuple[StoredChunk, Vector], ...]:
        """Return every chunk of ``documents`` with its dense vector."""
        ...

    async def watermark(self) -> int:
        """Return how far the journal is applied; 0 for not at all."""
        ...

    async def set_watermark(self, sequence: int) -> None:
        """Say that the journal is applied up to ``sequence``; all before it is on disk."""
        ...

    async def clear(self) -> None:
        """Forget everything."""
        ...


@dataclass(frozen=True, slots=True)
class _Mark:
    by: str | None = None
    on: str | None = None


class DocumentProjection:
    """Chunks, encodes and indexes the documents of one tenant."""

    name = "documents"

    def __init__(
        self,
        index: ChunkIndex,
        encoder: Encoder,
        *,
        tag: Tagger,
        tenant: str = HOME_TENANT,
        progress: Progress = lambda _done, _total: None,
    ) -> None:
        self._index = index
        self._encoder = encoder
        self._tag = tag
        self._tenant = tenant
        self._progress = progress

    async def watermark(self) -> int:
        """Return the sequence number up to which changes are applied; 0 for none."""
        return await self._index.watermark()

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Apply the document changes among ``changes`` and move the watermark to ``upto``.

        What is as it was is not encoded again: neither a whole document, metadata included, nor a
        chunk of a changed one, its title and headings included.

        Raises:
            DataError: a payload is not a document.
            DependencyError: the index or the encoder did not answer; the watermark stays.
        """
        last = {change.key: change for change in changes if change.kind in _DOCUMENTS}
        if last:
            await self._replace(last)
        await self._index.set_watermark(upto)

    async def clear(self) -> None:
        """Forget everything; the watermark is 0."""
        await self._index.clear()

    async def _replace(self, last: Mapping[str, Change]) -> None:
        """Bring the index to the state that the last change of each document says."""
        documents = {
            key: _document(change)
            for key, change in last.items()
            if change.kind is ChangeKind.PUT_DOCUMENT
        }
        before = {head.document: head for head in await self._heads("document", list(last))}
        marks = await self._marks(before, documents, last.keys())
        # Marks come first: they follow from what is deleted next, should a crash come between.
        for target in sorted(marks.keys() - documents.keys()):
            await self._mark(target, marks[target])
        dropped = [key for key in before if key not in documents]
        await self._index.delete(dropped, tenant=self._tenant)
        changed = []
        for key, document in documents.items():
            head = before.get(key)
            if head is None or head.content_hash != _hash(document):
                changed.append(document)
            elif _Mark(head.superseded_by, head.superseded_on) != marks[key]:
                await self._mark(key, marks[key])
        await self._write(changed, before, marks)

    async def _marks(
        self,
        before: Mapping[str, StoredChunk],
        documents: Mapping[str, Document],
        touched: Collection[str],
    ) -> dict[str, _Mark]:
        """Return what supersedes each document that these changes bear on, afterwards."""
        targets = {old for head in before.values() for old in head.supersedes}
        targets |= {old for document in documents.values() for old in document.supersedes}
        targets |= documents.keys()
        superseding: dict[str, list[Document | StoredChunk]] = defaultdict(list)
        for document in documents.values():
            for old in document.supersedes:
                superseding[old].append(document)
        for head in await self._heads("supersedes", sorted(targets)):
            if head.document not in touched:
                for old in head.supersedes:
                    superseding[old].append(head)
        acls = {head.document: head.acl for head in await self._heads("document", sorted(targets))}
        acls |= {key: document.acl for key, document in documents.items()}
        return {
            target: _first(target, acls[target], superseding[target])
            for target in targets
            if target in acls
        }

    async def _write(
        self,
        documents: Sequence[Document],
        before: Mapping[str, StoredChunk],
        marks: Mapping[str, _Mark],
    ) -> None:
        cut = [(document, await asyncio.to_thread(_chunks, document)) for document in documents]
        n_total = sum(len(parts) for _, parts in cut)
        n_done = 0
        for group in _groups(cut):
            stored = await asyncio.to_thread(self._stored, group, marks)
            held = [document.id for document, _ in group if document.id in before]
            vectors = await self._vectors([context(chunk) for chunk in stored], held)
            embedded = await asyncio.to_thread(with_vectors, stored, vectors)
            for document, parts in group:
                if document.id in held:
                    await self._index.delete(
                        [document.id], tenant=self._tenant, from_position=len(parts)
                    )
            await self._index.upsert(embedded)
            n_done += len(stored)
            self._progress(n_done, n_total)

    async def _vectors(self, texts: Sequence[str], held: Sequence[str]) -> list[Vector]:
        """Return the vectors of ``texts``; what chunks of ``held`` have is not made again."""
        known = {
            context(chunk): vector
            for chunk, vector in await self._index.embedded(held, tenant=self._tenant)
        }
        new = list(dict.fromkeys(text for text in texts if text not in known))
        known |= dict(zip(new, await self._encoder.encode(new), strict=True)) if new else {}
        return [known[text] for text in texts]

    def _stored(self, group: Sequence[_Cut], marks: Mapping[str, _Mark]) -> list[StoredChunk]:
        return [
            self._chunk(document, part, marks[document.id], content_hash)
            for document, parts in group
            for content_hash in [_hash(document)]
            for part in parts
        ]

    def _chunk(
        self, document: Document, part: Chunk, mark: _Mark, content_hash: str
    ) -> StoredChunk:
        return StoredChunk(
            tenant=self._tenant,
            document=document.id,
            position=part.position,
            text=part.text,
            start=part.start,
            end=part.end,
            title=document.title,
            heading=part.heading,
            head=part.head,
            date=document.date,
            path=document.path,
            validity=document.validity,
            acl=document.acl,
            entities=self._tag(f"{document.title}\n{part.heading}\n{part.text}"),
            supersedes=document.supersedes,
            superseded_by=mark.by,
            superseded_on=mark.on,
            content_hash=content_hash,
        )

    async def _heads(self, field: str, values: Sequence[str]) -> tuple[StoredChunk, ...]:
        return await self._index.heads(field, values, tenant=self._tenant) if values else ()

    async def _mark(self, document: str, mark: _Mark) -> None:
        await self._index.mark(document, tenant=self._tenant, by=mark.by, on=mark.on)


def _first(
    target: str, acl: tuple[str, ...], superseding: Sequence[Document | StoredChunk]
) -> _Mark:
    """Return the earliest document that replaced ``target`` and that all its readers may see."""
    dated = sorted(
        (new.date or "", new.id if isinstance(new, Document) else new.document)
        for new in superseding
        if not new.acl or (acl and set(acl) <= set(new.acl))
    )
    for date, key in dated:
        if key != target:
            return _Mark(key, date or None)
    return _Mark()


def _document(change: Change) -> Document:
    """Read the payload of a change; a document without ``valid_from`` holds from its date."""
    try:
        document = document_from_payload({**change.payload, "id": change.key})
        document = replace(document, title=_valid(document.title), text=_valid(document.text))
        if document.date is None or document.validity.has_start:
            return document
        start = parse_instant(document.date)
        return replace(document, validity=Validity(start, document.validity.end))
    except (InputError, KeyError, TypeError) as error:
        raise DataError(f"document {change.key!r} cannot be read: {error}") from error


def _valid(text: str) -> str:
    """Replace lone surrogates, which no store takes, one for one so that offsets hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _chunks(document: Document) -> tuple[Chunk, ...]:
    """Cut a document; one without text keeps an empty chunk, so that it can supersede."""
    empty = Chunk(position=0, start=0, end=0, text="", heading="")
    return chunks(document.text) or (empty,)


def _groups(cut: Sequence[_Cut]) -> Iterator[list[_Cut]]:
    group: list[_Cut] = []
    for document, parts in cut:
        if group and sum(len(held) for _, held in group) + len(parts) > _GROUP:
            yield group
            group = []
        group.append((document, parts))
    if group:
        yield group


def _hash(document: Document) -> str:
    return blake2b(json.dumps(asdict(document)).encode(), digest_size=16).hexdigest()
