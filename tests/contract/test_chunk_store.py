"""What every chunk store promises, on each of them."""

import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from uuid import uuid4

import pytest

from tests.fakes import HashEncoder
from tiers.rag import sparse
from tiers.rag.client_store import ClientStore
from tiers.rag.edge_store import EdgeStore
from tiers.rag.filters import Reach
from tiers.rag.store import EmbeddedChunk, ScoredChunk, StoredChunk
from trivium.domain.errors import DependencyError
from trivium.domain.time import ANY_TIME, Moment, Validity
from trivium.language.text import stems

DIMENSION = 32
SERVER = os.environ.get("TRIVIUM_TEST_QDRANT_URL")  # noqa: TID251 - tests have no settings
ENCODER = HashEncoder(DIMENSION)
Store = EdgeStore | ClientStore


@pytest.fixture(params=["edge", "memory", *(["server"] if SERVER else [])])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(str(request.param), tmp_path)
    yield opened
    if request.param == "server":
        await opened.clear()
    await opened.close()


async def open_store(kind: str, directory: Path) -> Store:
    if kind == "edge":
        return await EdgeStore.open(directory, dimension=DIMENSION)
    location = SERVER if kind == "server" and SERVER else ":memory:"
    return await ClientStore.open(location, dimension=DIMENSION, collection=f"test_{uuid4().hex}")


def chunk(document: str, text: str, *, position: int = 0, tenant: str = "t", **rest) -> StoredChunk:
    return StoredChunk(
        tenant=tenant, document=document, position=position, text=text, start=0, end=9, **rest
    )


async def put(store: Store, *chunks: StoredChunk) -> None:
    vectors = await ENCODER.encode([item.text for item in chunks])
    await store.upsert(
        [
            EmbeddedChunk(chunk=item, dense=vector, sparse=sparse.of_document(item.text))
            for item, vector in zip(chunks, vectors, strict=True)
        ]
    )


async def search(
    store: Store,
    text: str,
    *,
    tenant: str = "t",
    moment: Moment = ANY_TIME,
    principals: Sequence[str] = (),
    entities: Sequence[str] = (),
    limit: int = 10,
) -> list[ScoredChunk]:
    (dense,) = await ENCODER.encode([text])
    reach = Reach(tenant=tenant, moment=moment, principals=tuple(principals))
    terms = sparse.of_query(stems(text))
    return list(await store.search(dense, terms, reach, entities=entities, limit=limit))


def documents(found: Sequence[ScoredChunk]) -> list[str]:
    return [item.chunk.document for item in found]


async def test_a_chunk_comes_back_as_it_was_stored(store):
    kept = chunk(
        "a",
        "late delivery costs money",
        position=3,
        title="Contract",
        heading="Terms > Delay",
        date="2024-01-02",
        path="a.md",
        validity=Validity.of("2024-01-02", "2024-12-31"),
        acl=("ann", "team"),
        entities=("E-1", "E-2"),
        supersedes=("old",),
        superseded_by="new",
        superseded_on="2025-01-01",
        content_hash="h",
    )
    await put(store, kept)
    (found,) = await search(store, "late", principals=["ann"])
    assert found.chunk == kept
    assert found.terms == frozenset(sparse.of_document(kept.text).indices)


async def test_the_nearest_comes_first_with_its_similarity(store):
    await put(
        store, chunk("a", "bake a cake"), chunk("b", "late delivery"), chunk("c", "late cake")
    )
    found = await search(store, "late delivery")
    assert documents(found)[0] == "b"
    assert found[0].similarity == pytest.approx(1.0, abs=1e-4)
    assert [f.similarity for f in found] == sorted((f.similarity for f in found), reverse=True)


async def test_a_rare_term_weighs_more_than_a_common_one(store):
    await put(store, *(chunk(f"d{i}", f"common word number {i}") for i in range(9)))
    await put(store, chunk("rare", "gasket of another kind altogether, and a common one"))
    reach = Reach(tenant="t", moment=ANY_TIME)
    found = await store.search((), sparse.of_query(stems("common gasket")), reach, limit=3)
    assert documents(found)[0] == "rare"


async def test_only_the_tenant_s_own_chunks_are_found(store):
    await put(store, chunk("a", "late delivery"), chunk("b", "late delivery", tenant="other"))
    assert documents(await search(store, "late delivery")) == ["a"]
    assert documents(await search(store, "late delivery", tenant="other")) == ["b"]
    assert documents(await search(store, "late delivery", tenant="")) == []
    assert documents(await search(store, "late delivery", tenant="*")) == []


async def test_the_same_document_of_two_tenants_is_kept_apart(store):
    await put(store, chunk("a", "late delivery"), chunk("a", "late delivery", tenant="other"))
    await store.delete(["a"], tenant="other")
    assert documents(await search(store, "late delivery")) == ["a"]
    assert documents(await search(store, "late delivery", tenant="other")) == []


async def test_acl_hides_from_all_but_those_it_names(store):
    await put(store, chunk("secret", "late delivery", acl=("ann",)), chunk("open", "late delivery"))
    assert documents(await search(store, "late delivery")) == ["open"]
    assert documents(await search(store, "late delivery", principals=["bob"])) == ["open"]
    assert len(await search(store, "late delivery", principals=["bob", "ann"])) == 2


VALIDITY_CASES = {
    "2023-12-31": False,
    "2024-01-01": True,
    "2024-06-30": True,
    "2024-07-01": False,
    "2023-12-31T23:59:59": False,
    "2024-01-01T00:00:00": True,
    "2024-06-30T23:59:59.999999": True,
    "2024-07-01T00:00:00": False,
}


async def test_validity_bounds_what_is_found(store):
    await put(store, chunk("a", "late", validity=Validity.of("2024-01-01", "2024-06-30")))
    found = {
        when: bool(await search(store, "late", moment=Moment.of(when))) for when in VALIDITY_CASES
    }
    assert found == VALIDITY_CASES


async def test_unbounded_validity_always_holds(store):
    await put(store, chunk("a", "late"))
    for when in ("0001-01-01", "2024-01-01", "9999-12-30"):
        assert await search(store, "late", moment=Moment.of(when))


async def test_chunks_that_name_the_entities_are_preferred(store):
    await put(store, chunk("a", "one two three"), chunk("b", "four five", entities=("E-1",)))
    found = await search(store, "six", entities=["E-1"], limit=1)
    assert documents(found) == ["b"]


async def test_writing_the_same_place_again_replaces(store):
    await put(store, chunk("a", "late delivery"))
    await put(store, chunk("a", "early delivery"))
    (found,) = await search(store, "delivery")
    assert found.chunk.text == "early delivery"


async def test_deleting_from_a_position_keeps_what_is_before(store):
    await put(store, *(chunk("a", f"late {i}", position=i) for i in range(4)), chunk("b", "late"))
    await store.delete(["a"], tenant="t", from_position=2)
    found = await search(store, "late")
    assert sorted((f.chunk.document, f.chunk.position) for f in found) == [
        ("a", 0),
        ("a", 1),
        ("b", 0),
    ]


async def test_a_mark_reaches_every_chunk_of_the_document_and_can_be_taken_back(store):
    await put(store, *(chunk("a", "late", position=i) for i in range(2)), chunk("b", "late"))
    await store.mark("a", tenant="t", by="n", on="2024-05-01")
    marked = {(f.chunk.document, f.chunk.superseded_by) for f in await search(store, "late")}
    assert marked == {("a", "n"), ("b", None)}
    await store.mark("a", tenant="t", by=None, on=None)
    assert {f.chunk.superseded_by for f in await search(store, "late")} == {None}


async def test_heads_are_first_chunks_by_document_or_by_what_they_supersede(store):
    await put(
        store,
        *(chunk("a", "late", position=i, supersedes=("x", "y")) for i in range(3)),
        chunk("b", "late", supersedes=("y",)),
        chunk("c", "late", tenant="other", supersedes=("x",)),
    )
    by_document = await store.heads("document", ["a", "c", "none"], tenant="t")
    assert [(head.document, head.position) for head in by_document] == [("a", 0)]
    superseding = await store.heads("supersedes", ["y"], tenant="t")
    assert sorted(head.document for head in superseding) == ["a", "b"]


async def test_more_heads_than_a_page_are_all_returned(store):
    await put(store, *(chunk(f"d{i}", "late", supersedes=("x",)) for i in range(300)))
    assert len(await store.heads("document", [f"d{i}" for i in range(300)], tenant="t")) == 300
    assert len(await store.heads("supersedes", ["x"], tenant="t")) == 300


async def test_the_watermark_is_zero_until_it_is_set(store):
    assert await store.watermark() == 0
    await store.set_watermark(7)
    assert await store.watermark() == 7


async def test_clearing_forgets_chunks_and_watermark(store):
    await put(store, chunk("a", "late"))
    await store.set_watermark(7)
    await store.clear()
    assert (await store.watermark(), await search(store, "late")) == (0, [])
    await put(store, chunk("b", "late"))
    assert documents(await search(store, "late")) == ["b"]


async def test_nothing_to_do_is_no_error(store):
    await store.upsert([])
    await store.delete([], tenant="t")
    await store.delete(["none"], tenant="t")
    reach = Reach(tenant="t", moment=ANY_TIME)
    assert await store.search((), sparse.of_query([]), reach, limit=3) == ()


async def test_a_text_without_words_can_be_stored(store):
    await put(store, chunk("a", "***"), chunk("b", ""))
    assert len(await store.heads("document", ["a", "b"], tenant="t")) == 2


async def test_a_vector_of_another_dimension_is_a_dependency_error(store):
    await put(store, chunk("a", "late"))
    reach = Reach(tenant="t", moment=ANY_TIME)
    with pytest.raises(DependencyError):
        await store.search((1.0, 0.0), sparse.of_query([]), reach, limit=3)


@pytest.fixture(params=["edge", "path"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def reopen(kind: str, directory: Path, dimension: int = DIMENSION) -> Store:
    if kind == "edge":
        return await EdgeStore.open(directory, dimension=dimension)
    return await ClientStore.open(str(directory), dimension=dimension)


async def test_chunks_and_watermark_outlive_the_process(kind, tmp_path):
    first = await reopen(kind, tmp_path)
    await put(first, chunk("a", "late delivery"))
    await first.set_watermark(3)
    await first.close()
    second = await reopen(kind, tmp_path)
    assert documents(await search(second, "late")) == ["a"]
    assert await second.watermark() == 3
    await second.close()


async def test_a_directory_that_is_open_cannot_be_opened_again(tmp_path):
    first = await EdgeStore.open(tmp_path, dimension=DIMENSION)
    with pytest.raises(DependencyError, match="another process has it open"):
        await EdgeStore.open(tmp_path, dimension=DIMENSION)
    await first.close()


async def test_an_index_of_another_dimension_is_refused(kind, tmp_path):
    first = await reopen(kind, tmp_path)
    await put(first, chunk("a", "late"))
    await first.close()
    with pytest.raises(DependencyError, match=r"dimension|vector size"):
        await reopen(kind, tmp_path, dimension=DIMENSION + 1)


async def test_a_server_that_does_not_answer_is_a_dependency_error():
    with pytest.raises(DependencyError):
        await ClientStore.open("http://127.0.0.1:9", dimension=DIMENSION, timeout_s=1)


async def test_the_chunks_of_documents_are_given_with_their_vectors(store):
    await put(store, chunk("d1", "steel"), chunk("d1", "copper", position=1), chunk("d2", "tin"))
    await put(store, chunk("d1", "zinc", tenant="other"))
    found = await store.embedded(["d1"], tenant="t")
    expected = dict(
        zip(("steel", "copper"), await ENCODER.encode(["steel", "copper"]), strict=True)
    )
    assert {c.text: pytest.approx(vector) for c, vector in found} == expected
    assert await store.embedded([], tenant="t") == ()
