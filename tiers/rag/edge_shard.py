"""Opening the embedded document index: whole, or set aside and begun anew.

Beside the index lies a note: how far the journal is applied, and how many chunks that makes. The
number is left out while the index is being written to.
"""

import json
import math
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, cast

import qdrant_edge as qdrant
import structlog

from tiers.rag.store import DENSE, KEYWORDS, NUMBERS, PAGE, SPARSE, from_payload
from trivium.domain.damage import set_aside
from trivium.domain.errors import DependencyError

_INDEX: Final = "index"
_NOTE: Final = "watermark.json"
_NO_DAMAGE: Final = ("WouldBlock", "os error", "vector size", "dimension", "incompatible")
"""Words of the engine's errors that tell of the surroundings, not of damage: another process, a
full disk, no right to read, an encoder of another dimension."""

_log = structlog.get_logger(__name__)


class Note(NamedTuple):
    """How far the journal is applied, and the number of chunks where it is known."""

    sequence: int = 0
    n_chunks: int | None = None


class _DamagedError(Exception):
    """The index opens, but is not what it was."""


def open_whole(directory: Path, config: qdrant.EdgeConfig) -> tuple[qdrant.EdgeShard, Note]:
    """Open the index in ``directory``; a damaged one is set aside, for the journal to rebuild.

    Raises:
        DependencyError: it cannot be opened, and not for damage.
    """
    try:
        with translated():
            return _open(directory, config)
    except DependencyError as error:
        if any(word in str(error) for word in _NO_DAMAGE) and "os error 2)" not in str(error):
            raise
        damage = error
    with translated():
        (directory / _NOTE).unlink(missing_ok=True)
        place = set_aside(directory / _INDEX)
        _log.warning(
            "document_index_damaged",
            why=str(damage),
            set_aside=str(place),
            now="the documents are indexed again from the journal",
        )
        return _open(directory, config)


def begin_anew(directory: Path, config: qdrant.EdgeConfig) -> qdrant.EdgeShard:
    """Discard the index and its note; a closed one only.

    The index goes first and at once: a note without an index is void.
    """
    shutil.rmtree(directory / "index.gone", ignore_errors=True)  # a crash may have left one
    gone = (directory / _INDEX).rename(directory / "index.gone")
    (directory / _NOTE).unlink(missing_ok=True)
    shard, _ = _open(directory, config)
    shutil.rmtree(gone)
    return shard


def write_note(directory: Path, note: Note) -> None:
    """Write the note, all or nothing."""
    draft = directory / "watermark.draft"
    with draft.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(note))
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(directory / _NOTE)


@contextmanager
def translated() -> Iterator[None]:
    """Turn what the engine raises into ``DependencyError``."""
    try:
        yield
    except Exception as error:  # the engine raises bare Exceptions
        raise DependencyError(f"the document index failed: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of the engine; it is no Exception
            raise
        raise DependencyError(f"the document index failed: {error}") from error


def count(shard: qdrant.EdgeShard) -> int:
    """Return how many chunks there are."""
    return int(shard.count(qdrant.CountRequest(exact=True)))


def _open(directory: Path, config: qdrant.EdgeConfig) -> tuple[qdrant.EdgeShard, Note]:
    if not (directory / _INDEX).exists():
        (directory / _NOTE).unlink(missing_ok=True)
    shard = _open_shard(directory / _INDEX, config)
    try:
        note = _read_note(directory)
        _look_over(shard, note)
    except BaseException:
        shard.close()
        raise
    return shard, note


def _look_over(shard: qdrant.EdgeShard, note: Note) -> None:
    """Count the chunks, and read some: lost ones would be misses that nobody doubts."""
    n = count(shard)
    if note.n_chunks not in {None, n}:
        raise _DamagedError(f"it holds {n} chunks, and had {note.n_chunks}")
    request = qdrant.ScrollRequest(limit=PAGE, with_payload=True, with_vector=[DENSE, SPARSE])
    records, _ = shard.scroll(request)
    for record in records:
        from_payload(record.payload)
        vectors = cast("dict[str, list[float]]", record.vector)  # they have names
        if not math.isclose(math.hypot(*vectors[DENSE]), 1, abs_tol=0.01):
            raise _DamagedError("its vectors are not of unit length")


def _read_note(directory: Path) -> Note:
    file = directory / _NOTE
    if not file.exists():
        return Note()
    try:
        noted = json.loads(file.read_text("utf-8"))
        return Note(noted) if isinstance(noted, int) else Note(int(noted[0]), noted[1])
    except (ValueError, TypeError, LookupError) as error:
        raise _DamagedError(f"{file} is damaged") from error


def _open_shard(index: Path, config: qdrant.EdgeConfig) -> qdrant.EdgeShard:
    if (index / "edge_config.json").exists():
        return qdrant.EdgeShard.load(str(index), config)
    index.mkdir(parents=True, exist_ok=True)
    shard = qdrant.EdgeShard.create(str(index), config)
    kinds = [(field, qdrant.PayloadSchemaType.Keyword) for field in KEYWORDS]
    kinds += [(field, qdrant.PayloadSchemaType.Integer) for field in NUMBERS]
    for field, kind in kinds:
        shard.update(qdrant.UpdateOperation.create_field_index(field, kind))
    return shard
