"""Data files that are broken, or meant to break us: told of with their place, the rest taken."""

import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zoo import write_zoo
from trivium.domain.errors import DataError
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.knowledge.files import Rejected

NODES = "id,type,name\nK-1,Keeper,Ann\nK-2,Keeper,Bo\nK-3,Keeper,Cy\n"
Zoo = Callable[..., DataSet]


@pytest.fixture
def zoo(tmp_path: Path) -> Zoo:
    def read(files: dict[str, str | bytes], without: str = "") -> DataSet:
        """Read the zoo with some files in it, or in place of its own."""
        root = write_zoo(tmp_path / "zoo")
        if without:
            (root / without).unlink()
        for name, content in files.items():
            raw = content if isinstance(content, bytes) else content.encode()
            (root / name).write_bytes(raw)
        return read_dataset(root)

    return read


def reasons(faults: list[Rejected]) -> dict[tuple[str, int], str]:
    return {(fault.file, fault.line): fault.reason for fault in faults}


def ids(dataset: DataSet) -> list[str]:
    return [c.key for c in dataset.changes if c.kind == "put_node"]


# --- tables --------------------------------------------------------------------------------------


def test_a_quote_that_is_never_closed_costs_its_row_alone(zoo: Zoo):
    table = NODES.replace("Ann", '"Ann')

    dataset = zoo({"nodes.csv": table}, without="nodes.jsonl")

    assert ids(dataset) == ["K-2", "K-3"]
    assert reasons(dataset.report.rejected)["nodes.csv", 2] == "not CSV: a quote is not closed"


def test_a_nul_in_a_cell_is_no_end(zoo: Zoo):
    dataset = zoo({"nodes.csv": NODES.replace("Ann", "A\0n")}, without="nodes.jsonl")

    assert ids(dataset) == ["K-1", "K-2", "K-3"]


def test_a_column_that_stands_twice_is_told_of(zoo: Zoo):
    table = "id,type,name,name\nK-1,Keeper,Ann,Bo\n"

    dataset = zoo({"nodes.csv": table}, without="nodes.jsonl")

    told = reasons(dataset.report.warnings)["nodes.csv", 1]
    assert told == "column 'name' stands twice; the last one is read"


@pytest.mark.parametrize("name", ["nodes.jsonl", "edges.csv", "facts.json"])
def test_a_table_in_utf_16_is_told_of(zoo: Zoo, name: str):
    dataset = zoo({name: '[{"id": "x"}]'.encode("utf-16")}, without="edges.jsonl")

    assert reasons(dataset.report.rejected)[name, 0] == "is UTF-16; save it as UTF-8"


@pytest.mark.parametrize("name", ["nodes.jsonl", "edges.jsonl", "facts.csv"])
def test_an_empty_table_is_told_of(zoo: Zoo, name: str):
    assert reasons(zoo({name: " \n"}).report.warnings)[name, 0] == "is empty"


def test_of_two_files_for_one_table_both_are_named(zoo: Zoo):
    dataset = zoo({"nodes.csv": "id,type\nK-1,Animal\nX,Keeper\n"})

    assert "X" not in ids(dataset)
    told = reasons(dataset.report.rejected)["nodes.csv", 0]
    assert told == "left out as a whole: nodes.jsonl is there too, and is read"


def test_an_id_of_two_types_is_told_with_both_and_both_lines(zoo: Zoo):
    table = NODES + "K-1,Animal,Ann\n"

    dataset = zoo({"nodes.csv": table}, without="nodes.jsonl")

    told = reasons(dataset.report.rejected)["nodes.csv", 5]
    assert told == "id 'K-1' stands twice, first in line 2: as Keeper and as Animal"


def test_facts_that_disagree_are_told_with_both_lines(zoo: Zoo):
    facts = "entity,attribute,value\nA-1,mood,calm\nA-1,mood,calm\nA-1,mood,wild\n"

    dataset = zoo({"facts.csv": facts})

    told = reasons(dataset.report.warnings)["facts.csv", 4]
    assert told == "says another value than line 3 for the same time, and is kept"


def test_a_fact_of_nobody_and_a_relation_to_nobody_are_told_of(zoo: Zoo):
    edge = '{"source": "K-1", "target": "Q-1", "type": "FEEDS"}\n'
    fact = '{"entity": "Z-1", "attribute": "mood", "value": 1}\n'

    dataset = zoo({"edges.jsonl": edge, "facts.jsonl": fact})

    told = reasons(dataset.report.rejected)
    assert told["edges.jsonl", 1] == "no entity has the id 'Q-1'"
    assert told["facts.jsonl", 1] == "no entity has the id 'Z-1'"


def test_a_relation_that_the_schema_has_otherwise_is_told_of_once(zoo: Zoo):
    edge = '{"source": "A-1", "target": "K-1", "type": "FEEDS"}\n'

    dataset = zoo({"edges.jsonl": edge * 3})

    (told,) = dataset.report.warnings
    assert (told.file, told.line) == ("edges.jsonl", 1)
    assert "leads from Animal to Keeper; schema.yaml says Keeper to Animal" in told.reason
    assert dataset.counts["edge"] == 3


def test_a_line_of_50_megabytes_is_read_or_left_out_and_the_rest_taken(zoo: Zoo):
    row = '{"id": "K-9", "type": "Keeper"}'

    dataset = zoo({"nodes.jsonl": "x" * 50_000_000 + f"\n{row}\n"})

    assert ids(dataset) == ["K-9"]
    assert "not JSON" in reasons(dataset.report.rejected)["nodes.jsonl", 1]


def test_an_id_with_a_tower_of_accents_is_left_out_soon(zoo: Zoo):
    tower = "e" + "\u0301\u0316" * 100_000
    started = time.process_time()

    dataset = zoo({"nodes.jsonl": f'{{"id": "{tower}", "type": "Keeper", "name": "{tower}"}}\n'})

    assert reasons(dataset.report.rejected)["nodes.jsonl", 1] == "no usable id"
    assert time.process_time() - started < 5


# --- what is no file -----------------------------------------------------------------------------


def test_a_directory_in_the_place_of_a_table_is_told_of(tmp_path: Path):
    root = write_zoo(tmp_path / "zoo")
    (root / "facts.jsonl").mkdir()

    told = reasons(read_dataset(root).report.rejected)

    assert told["facts.jsonl", 0] == "is a directory, not a file"


def test_a_directory_in_the_place_of_the_schema_is_refused(tmp_path: Path):
    root = write_zoo(tmp_path / "zoo")
    (root / "schema.yaml").unlink()
    (root / "schema.yaml").mkdir()

    with pytest.raises(DataError, match=r"schema\.yaml is a directory"):
        read_dataset(root)


def test_a_file_in_the_place_of_the_documents_is_told_of(tmp_path: Path):
    root = write_zoo(tmp_path / "zoo")
    (root / "documents" / "rules.md").unlink()
    (root / "documents").rmdir()
    (root / "documents").write_text("x")

    told = reasons(read_dataset(root).report.rejected)

    assert told["documents", 0] == "is a file, not a directory"


def test_links_out_of_the_data_set_are_not_followed(tmp_path: Path):
    root = write_zoo(tmp_path / "zoo")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("The secret word.")
    (outside / "facts.jsonl").write_text('{"entity": "A-1", "attribute": "x", "value": "secret"}\n')
    (root / "documents" / "a.txt").symlink_to(outside / "secret.txt")
    (root / "documents" / "b").symlink_to(outside)
    (root / "documents" / "c.txt").symlink_to(outside / "nothing.txt")
    (root / "documents" / "d.txt").symlink_to(root / "documents" / "d.txt")
    (root / "documents" / "e.txt").symlink_to(root / "documents" / "rules.md")
    (root / "facts.jsonl").symlink_to(outside / "facts.jsonl")

    dataset = read_dataset(root)

    told = reasons(dataset.report.rejected)
    assert (
        told["a.txt", 0]
        == told["b", 0]
        == told["facts.jsonl", 0]
        == "is a link out of the data set"
    )
    assert told["c.txt", 0] == told["d.txt", 0] == "is a link that leads nowhere"
    assert "secret" not in str(dataset.changes)
    assert dataset.counts["document"] == 2


def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path):
    root = write_zoo(tmp_path / "zoo")
    os.mkfifo(root / "documents" / "pipe.txt")
    os.mkfifo(root / "facts.jsonl")

    told = reasons(read_dataset(root).report.rejected)

    assert told["pipe.txt", 0] == told["facts.jsonl", 0] == "is not a file"


# --- YAML ----------------------------------------------------------------------------------------


def bomb(depth: int = 9) -> str:
    """Lines of YAML that unfold to nine to the power of ``depth`` values, in ``*last``."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in range(1, depth):
        name = "last" if level == depth - 1 else f"a{level}"
        before = ", ".join([f"*a{level - 1}"] * 9)
        lines.append(f"{name}: &{name} [{before}]")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        (bomb(), "unfold to more than"),
        (bomb() + "node_types: *last\n", "unfold to more than"),
        (bomb() + "node_types: [{name: X, properties: {y: {description: *last}}}]\n", "unfold"),
        ("name: zoo\nnode_types: &a [*a]\n", "stands for what it is a part of"),
        ("x: 1\nname: !!python/object/apply:os.system [id]\n", "line 2: could not determine"),
        ("name: !other zoo\n", "line 1: could not determine"),
        ("name: zoo\n? [a]\n: b\n", "line 2: found unhashable key"),
        ("[" * 3_000, "nested too deep"),
        ("decay: [.inf]\n", "decay.0: Input should be a finite number"),
        ("severity: {high: .nan}\n", "severity.high: Input should be a finite number"),
        ("- a\n", "the file: Input should be a valid dictionary"),
        (b"\x00\x01\xff", "can't decode byte 0xff"),
    ],
)
def test_a_hostile_schema_is_refused_with_its_reason(zoo: Zoo, schema: str | bytes, told: str):
    with pytest.raises(DataError, match=r"schema\.yaml") as refused:
        zoo({"schema.yaml": schema})
    assert told in str(refused.value)


def test_front_matter_that_unfolds_without_bounds_costs_its_document_alone(zoo: Zoo):
    dataset = zoo({"documents/b.md": f"---\n{bomb()}title: *last\n---\nText.\n"})

    assert "unfold to more than" in reasons(dataset.report.rejected)["b.md", 0]
    assert dataset.counts["document"] == 1


# --- documents -----------------------------------------------------------------------------------

PAGES = {
    "deep": b"<div>" * 400_000 + b"Text",
    "unclosed": b"<b>x" * 400_000,
    "headings": b"<h1>x</h1><p>y</p>" * 100_000,
    "comments": b"Text" + b"<!--" * 400_000,
    "brackets": b"Text" + b"<" * 2_000_000,
    "half tags": b"Text" + b"<a " * 600_000,
    "entities": b"Text" + b"&amp" * 400_000,
    "attributes": b"<a " + b"x=y " * 400_000 + b">Text</a>",
    "scripts": b"Text" + b"<script>" * 200_000,
    "titles": b"Text" + b"<title>" * 200_000,
    "meta": b"Text" + b"<meta name=x content=y>" * 80_000,
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_hostile_page_is_read_in_time(zoo: Zoo, page: bytes):
    started = time.process_time()

    dataset = zoo({"documents/page.html": page})

    assert dataset.counts["document"] == 2
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"<meta charset='x-none'>a", "not x-none"),
        ("<p>ü".encode("latin-1"), "not utf-8"),
    ],
)
def test_a_page_of_another_encoding_is_told_of(zoo: Zoo, raw: bytes, told: str):
    dataset = zoo({"documents/page.html": raw})

    assert told in reasons(dataset.report.rejected)["page.html", 0]


def test_a_page_may_name_its_encoding(zoo: Zoo):
    page = "<meta charset='iso-8859-1'><p>Zoë".encode("latin-1")

    dataset = zoo({"documents/page.html": page})

    texts = [c.payload["text"] for c in dataset.changes if c.kind == "put_document"]
    assert "Zoë" in texts


def test_two_documents_of_one_id_are_both_named(zoo: Zoo):
    dataset = zoo({"documents/z.md": "---\nid: doc-rules\n---\nOther rules.\n"})

    told = reasons(dataset.report.rejected)["z.md", 0]
    assert told == "document id 'doc-rules' stands twice, first in rules.md"


def test_noise_is_no_pdf(zoo: Zoo):
    noise = random.Random(5).randbytes(50_000)

    dataset = zoo({"documents/a.pdf": noise, "documents/b.pdf": b"%PDF-1.7\n" + noise})

    told = reasons(dataset.report.rejected)
    assert "not a PDF" in told["a.pdf", 0]
    assert "not a PDF" in told["b.pdf", 0]


# --- any damage ----------------------------------------------------------------------------------

FILES = ("schema.yaml", "nodes.jsonl", "edges.jsonl", "documents/rules.md")


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, Callable[[bytes], bytes]]:
    """A file of the zoo, and what becomes of its bytes."""
    name = draw(st.sampled_from(FILES))
    seed = draw(st.integers(0, 2**32))
    kind = draw(st.sampled_from(("flip", "cut", "drop", "shuffle", "double", "insert")))

    def damage(raw: bytes) -> bytes:
        chance = random.Random(seed)
        at, to = sorted(chance.sample(range(len(raw)), 2))
        piece = bytearray(raw[at:to])
        match kind:
            case "flip":
                flipped = bytearray(raw)
                for _ in range(chance.randint(1, 8)):
                    flipped[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
                return bytes(flipped)
            case "cut":
                return raw[:at]
            case "drop":
                return raw[:at] + raw[to:]
            case "shuffle":
                chance.shuffle(piece)
                return raw[:at] + piece + raw[to:]
            case "double":
                return raw[:to] + raw[at:]
            case _:
                return raw[:at] + chance.randbytes(chance.randint(1, 20)) + raw[at:]

    return name, damage


@given(st.lists(damaged(), min_size=1, max_size=4))
def test_any_damage_is_read_or_told_of_with_its_place(
    damages: list[tuple[str, Callable[[bytes], bytes]]],
):
    with tempfile.TemporaryDirectory() as folder:
        root = write_zoo(Path(folder) / "zoo")
        for name, damage in damages:
            raw = (root / name).read_bytes()
            if len(raw) > 2:
                (root / name).write_bytes(damage(raw))
        faults, refused = [], ""
        try:
            report = read_dataset(root).report
            faults = [*report.rejected, *report.warnings]
        except DataError as error:
            refused = str(error)
    assert not refused or "schema.yaml" in refused
    for told in faults:
        assert told.file in {"schema.yaml", "nodes.jsonl", "edges.jsonl", "rules.md"}
        assert told.reason
        is_row = told.file.endswith(".jsonl") and told.reason != "is empty"
        assert told.line > 0 or not is_row or "UTF-16" in told.reason
