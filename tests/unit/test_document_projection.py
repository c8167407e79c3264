"""Documents of the journal in the index."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes import HashEncoder
from tiers.rag.edge_store import EdgeStore
from tiers.rag.projection import DocumentProjection
from trivium.domain.errors import DataError, DependencyError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.time import Validity


def put(key: str, text: str = "Some text.", **rest) -> Change:
    payload = {"id": key, "title": key.title(), "text": text, **rest}
    return Change(kind=ChangeKind.PUT_DOCUMENT, key=key, payload=payload)


def drop(key: str) -> Change:
    return Change(kind=ChangeKind.DROP_DOCUMENT, key=key)


@pytest.fixture
def encoder() -> HashEncoder:
    return HashEncoder(32)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EdgeStore]:
    store = await EdgeStore.open(tmp_path, dimension=32)
    yield store
    await store.close()


@pytest.fixture
def projection(index: EdgeStore, encoder: HashEncoder) -> DocumentProjection:
    return DocumentProjection(
        index, encoder, tag=lambda text: ("E-1",) if "Acme" in text else (), tenant="t"
    )


async def heads(index, *keys):
    return {head.document: head for head in await index.heads("document", keys, tenant="t")}


async def superseded_by(index, key):
    return (await heads(index, key))[key].superseded_by


async def test_a_document_is_indexed_with_what_it_says_of_itself(projection, index):
    change = put(
        "a", "# Top\n## Part\nAcme pays.", date="2024-03-01", valid_to="2024-12-31", acl=["ann"]
    )
    await projection.apply([change], 5)
    head = (await heads(index, "a"))["a"]
    assert (head.title, head.heading, head.text) == ("A", "Top > Part", "Acme pays.")
    assert head.validity == Validity.of("2024-03-01", "2024-12-31")
    assert (head.acl, head.entities, head.date) == (("ann",), ("E-1",), "2024-03-01")
    assert await projection.watermark() == 5


async def test_an_unchanged_document_is_not_encoded_again(projection, encoder):
    await projection.apply([put("a"), put("b")], 2)
    await projection.apply([put("a"), put("b", "Other text.")], 4)
    assert encoder.n_encoded == 3


async def test_only_the_changed_chunk_of_a_document_is_encoded_again(projection, index, encoder):
    parts = [f"# Part {n}\ntext {n}" for n in range(70)]
    await projection.apply([put("a", "\n".join(parts))], 1)
    before = dict(await index.embedded(["a"], tenant="t"))
    parts[3] = "# Part 3\nother text"
    await projection.apply([put("a", "\n".join(parts))], 2)
    after = dict(await index.embedded(["a"], tenant="t"))
    assert encoder.n_encoded == 70 + 1
    vectors = {chunk.text: vector for chunk, vector in after.items()}
    assert vectors["other text"] == pytest.approx(
        (await encoder.encode(["A\nPart 3\nother text"]))[0]
    )
    same = [c for c in before if c.text != "text 3"]
    assert all(vectors[c.text] == pytest.approx(before[c]) for c in same)


async def test_chunks_that_moved_are_not_encoded_again(projection, index, encoder):
    await projection.apply([put("a", "# A\none\n# B\ntwo")], 1)
    await projection.apply([put("a", "# New\nzero\n# B\ntwo\n# A\none")], 2)
    assert encoder.n_encoded == 3
    found = await index.embedded(["a"], tenant="t")
    assert sorted((c.position, c.text) for c, _ in found) == [(0, "zero"), (1, "two"), (2, "one")]


async def test_a_dropped_document_leaves_nothing_behind(projection, index):
    await projection.apply([put("a", "# A\none\n# B\ntwo"), put("b")], 2)
    await projection.apply([drop("a")], 3)
    assert await index.embedded(["a"], tenant="t") == ()
    assert len(await index.embedded(["b"], tenant="t")) == 1


async def test_a_change_of_metadata_reaches_the_index(projection, index):
    await projection.apply([put("a")], 1)
    await projection.apply([put("a", acl=["ann"])], 2)
    assert (await heads(index, "a"))["a"].acl == ("ann",)


async def test_applying_twice_is_the_same_as_once(projection, index):
    changes = [put("a"), put("b", supersedes=["a"]), drop("c")]
    await projection.apply(changes, 3)
    before = await heads(index, "a", "b")
    await projection.apply(changes, 3)
    assert await heads(index, "a", "b") == before


async def test_the_last_change_of_a_document_holds(projection, index, encoder):
    await projection.apply([put("a"), drop("a"), put("b"), drop("b"), put("b", "Last.")], 5)
    assert {key: head.text for key, head in (await heads(index, "a", "b")).items()} == {
        "b": "Last."
    }
    assert encoder.n_encoded == 1


async def test_a_shorter_version_leaves_nothing_of_the_longer_behind(projection, index):
    await projection.apply([put("a", "# A\none\n# B\ntwo\n# C\nthree")], 1)
    await projection.apply([put("a", "# A\none")], 2)
    await index.mark("a", tenant="t", by="x", on=None)
    reach = await index.heads("superseded_by", ["x"], tenant="t")
    assert [head.text for head in reach] == ["one"]


@pytest.mark.parametrize("order", [["old", "new"], ["new", "old"]])
async def test_superseding_holds_whatever_the_order(projection, index, order):
    changes = {"old": put("old"), "new": put("new", supersedes=["old"], date="2024-05-01")}
    for sequence, key in enumerate(order, 1):
        await projection.apply([changes[key]], sequence)
    old = (await heads(index, "old"))["old"]
    assert (old.superseded_by, old.superseded_on) == ("new", "2024-05-01")
    assert await superseded_by(index, "new") is None


async def test_dropping_the_newer_document_unmarks_the_older(projection, index):
    await projection.apply([put("old"), put("new", supersedes=["old"])], 2)
    await projection.apply([drop("new")], 3)
    assert await superseded_by(index, "old") is None


async def test_a_newer_version_that_supersedes_nothing_unmarks_too(projection, index):
    await projection.apply([put("old"), put("new", supersedes=["old"])], 2)
    await projection.apply([put("new")], 3)
    assert await superseded_by(index, "old") is None


async def test_of_two_that_supersede_the_earlier_counts_until_it_goes(projection, index):
    await projection.apply(
        [
            put("old"),
            put("second", supersedes=["old"], date="2024-06-01"),
            put("first", supersedes=["old"], date="2023-06-01"),
        ],
        3,
    )
    assert await superseded_by(index, "old") == "first"
    await projection.apply([drop("first")], 4)
    assert await superseded_by(index, "old") == "second"


async def test_an_empty_document_supersedes_too(projection, index):
    await projection.apply([put("old"), put("withdrawn", "", supersedes=["old"])], 2)
    assert await superseded_by(index, "old") == "withdrawn"


async def test_a_document_does_not_supersede_itself(projection, index):
    await projection.apply([put("a", supersedes=["a"])], 1)
    assert await superseded_by(index, "a") is None


async def test_a_secret_document_does_not_show_by_what_it_supersedes(projection, index):
    await projection.apply(
        [
            put("public"),
            put("team", acl=["ann", "bob"]),
            put("ann only", acl=["ann"], supersedes=["public", "team"]),
            put("hers", acl=["ann"]),
            put("all", acl=["ann", "bob"], supersedes=["hers"]),
        ],
        5,
    )
    found = {
        key: h.superseded_by for key, h in (await heads(index, "public", "team", "hers")).items()
    }
    assert found == {"public": None, "team": None, "hers": "all"}


async def test_text_that_is_not_valid_unicode_is_indexed(projection, index):
    await projection.apply([put("a", "A lone \ud800 surrogate.")], 1)
    assert (await heads(index, "a"))["a"].text == "A lone ? surrogate."


async def test_progress_counts_chunks(index, encoder):
    told = []
    projection = DocumentProjection(
        index, encoder, tag=lambda _: (), progress=lambda *counts: told.append(counts)
    )
    long = "\n".join(f"# {i}\ntext" for i in range(60))
    await projection.apply([put("a", long), put("b", long)], 2)
    assert told == [(60, 120), (120, 120)]


async def test_other_changes_only_move_the_watermark(projection, encoder):
    node = Change(kind=ChangeKind.PUT_NODE, key="N", payload=json.loads("{}"))
    await projection.apply([node], 9)
    assert (await projection.watermark(), encoder.n_encoded) == (9, 0)


async def test_the_watermark_stays_when_the_encoder_fails(index):
    class Broken:
        async def encode(self, texts):
            raise DependencyError("no model")

    projection = DocumentProjection(index, Broken(), tag=lambda _: ())
    with pytest.raises(DependencyError):
        await projection.apply([put("a")], 1)
    assert await projection.watermark() == 0


async def test_a_payload_that_is_no_document_is_a_data_error(projection):
    with pytest.raises(DataError, match="'a'"):
        await projection.apply([put("a", valid_to="soon")], 1)


async def test_clearing_forgets_everything(projection, index):
    await projection.apply([put("a")], 3)
    await projection.clear()
    assert (await heads(index, "a"), await projection.watermark()) == ({}, 0)
