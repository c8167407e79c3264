"""The embedded document index, damaged: found at the start, set aside, begun anew, never half."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.conftest import SEED, SOAK
from tests.contract.test_chunk_store import DIMENSION, chunk, documents, put, search
from tiers.rag.edge_store import EdgeStore
from trivium.domain.errors import DependencyError

N_CHUNKS = 40
FILES = (
    "index/edge_config.json",
    "index/wal/open-1",
    "index/wal/open-2",
    "index/wal/first-index",
    "index/segments/*/version.info",
    "index/segments/*/segment.json",
    "index/segments/*/mutable_id_tracker.mappings",
    "index/segments/*/mutable_id_tracker.versions",
    "index/segments/*/payload_index/config.json",
    "index/segments/*/payload_storage/page_0.dat",
    "index/segments/*/payload_storage/tracker.dat",
    "index/segments/*/vector_storage-dense/vectors/chunk_0.mmap",
    "index/segments/*/vector_storage-dense/vectors/status.dat",
    "index/segments/*/vector_storage-dense/deleted/status.dat",
    "index/segments/*/vector_storage-sparse/store/tracker.dat",
    "watermark.json",
)


def remove(file: Path) -> None:
    file.unlink()


def empty(file: Path) -> None:
    file.write_bytes(b"")


def cut(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size // 2)


def scribble(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.write(random.Random(7).randbytes(min(4096, file.stat().st_size)))


Damage = Callable[[Path], None]

ALL = [(pattern, damage) for pattern in FILES for damage in (remove, empty, cut, scribble)]
CASES = ALL if SOAK > 1 else random.Random(SEED).sample(ALL, 6)


@pytest.mark.parametrize(("pattern", "damage"), CASES)
async def test_a_damaged_index_is_whole_or_begun_anew(tmp_path: Path, pattern: str, damage: Damage):
    await make_index(tmp_path)
    damage(only(tmp_path, pattern))

    watermark, n_found = await used(tmp_path)
    if n_found is None:  # found out by a write alone: the next start finds it too
        watermark, n_found = await used(tmp_path)

    assert (watermark, n_found) in {(3, N_CHUNKS), (0, 0), (0, N_CHUNKS)}


async def test_chunks_that_are_missing_are_missed(tmp_path: Path):
    await make_index(tmp_path)
    forget_log(tmp_path)
    cut(only(tmp_path, "index/segments/*/mutable_id_tracker.mappings"))

    with capture_logs() as logs:
        store = await EdgeStore.open(tmp_path, dimension=DIMENSION)
    watermark = await store.watermark()
    await store.close()

    assert watermark == 0
    (warning,) = logs
    assert warning["event"] == "document_index_damaged"
    assert f"had {N_CHUNKS}" in warning["why"]
    assert only(tmp_path, "index.damaged-*") == Path(warning["set_aside"])


async def test_lost_vectors_are_missed(tmp_path: Path):
    await make_index(tmp_path)
    forget_log(tmp_path)
    vectors = only(tmp_path, "index/segments/*/vector_storage-dense/vectors/chunk_0.mmap")
    vectors.write_bytes(bytes(vectors.stat().st_size))

    with capture_logs() as logs:
        store = await EdgeStore.open(tmp_path, dimension=DIMENSION)
    watermark = await store.watermark()
    await store.close()

    assert watermark == 0
    assert [log["why"] for log in logs] == [
        "the document index failed: its vectors are not of unit length"
    ]


async def test_a_batch_that_was_cut_short_is_no_damage(tmp_path: Path):
    await make_index(tmp_path)
    store = await EdgeStore.open(tmp_path, dimension=DIMENSION)
    await put(store, chunk("late", "after the watermark"))
    await store.close()

    with capture_logs() as logs:
        store = await EdgeStore.open(tmp_path, dimension=DIMENSION)
    watermark = await store.watermark()
    await store.close()

    assert watermark == 3
    assert logs == []


async def test_an_index_without_a_note_of_its_chunks_is_taken(tmp_path: Path):
    await make_index(tmp_path)
    (tmp_path / "watermark.json").write_text("3")  # as it was written before

    store = await EdgeStore.open(tmp_path, dimension=DIMENSION)

    assert await store.watermark() == 3
    await store.close()


async def used(directory: Path) -> tuple[int, int | None]:
    """Open the index and write to it; return its watermark and number of chunks before that."""
    store = await EdgeStore.open(directory, dimension=DIMENSION)
    try:
        watermark = await store.watermark()
        found = await store.heads("document", [f"d{n}" for n in range(N_CHUNKS)], tenant="t")
        await put(store, chunk("new", "a new one"))
        assert documents(await search(store, "a new one"))[0] == "new"
        return watermark, len(found)
    except DependencyError:
        return 0, None
    finally:
        await store.close()


def only(directory: Path, pattern: str) -> Path:
    (file,) = directory.glob(pattern)
    return file


def forget_log(directory: Path) -> None:
    """Remove the log of writes, which would bring back what is lost."""
    for log in directory.glob("index/wal/*"):
        log.unlink()


async def make_index(directory: Path) -> None:
    store = await EdgeStore.open(directory, dimension=DIMENSION)
    await put(store, *(chunk(f"d{n}", f"text number {n}") for n in range(N_CHUNKS)))
    await store.set_watermark(3)
    await store.close()
