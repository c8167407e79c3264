"""Reading a data set: what is taken, what is left out, and what is said of it."""

import codecs
import json
import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.domain.errors import DataError
from trivium.domain.knowledge import Change, ChangeKind, Document, Edge, Fact, Node
from trivium.domain.payloads import (
    document_from_payload,
    edge_from_payload,
    fact_from_payload,
    node_from_payload,
    schema_from_payload,
)
from trivium.domain.time import Moment
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.knowledge.files import as_texts, as_value
from trivium.knowledge.journal import content_hash

Write: TypeAlias = Callable[..., DataSet]


@pytest.fixture
def read(tmp_path: Path) -> Write:
    """Writes files, named by keyword (``nodes_csv``), and reads the data set that they make."""

    def write(files: Mapping[str, str | bytes] | None = None, **named: str | bytes) -> DataSet:
        for name, content in {**(files or {}), **named}.items():
            path = tmp_path / (name if "." in name else ".".join(name.rsplit("_", 1)))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_dataset(tmp_path)

    return write


def lines(*rows: Mapping[str, object]) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


A: Mapping[str, object] = {"id": "a", "type": "T", "name": "Ann"}
B: Mapping[str, object] = {"id": "b", "type": "T"}
TWO = lines(A, B)


def of(dataset: DataSet, kind: ChangeKind) -> list[Change]:
    return [change for change in dataset.changes if change.kind is kind]


def nodes(dataset: DataSet) -> dict[str, Node]:
    found = [node_from_payload(c.payload) for c in of(dataset, ChangeKind.PUT_NODE)]
    return {node.id: node for node in found}


def edges(dataset: DataSet) -> dict[str, Edge]:
    return {c.key: edge_from_payload(c.key, c.payload) for c in of(dataset, ChangeKind.PUT_EDGE)}


def facts(dataset: DataSet) -> list[Fact]:
    return [fact_from_payload(c.payload, 0) for c in of(dataset, ChangeKind.PUT_FACT)]


def documents(dataset: DataSet) -> dict[str, Document]:
    found = [document_from_payload(c.payload) for c in of(dataset, ChangeKind.PUT_DOCUMENT)]
    return {document.id: document for document in found}


def rejected(dataset: DataSet) -> list[tuple[str, int]]:
    assert all(r.reason for r in dataset.report.rejected)
    return [(r.file, r.line) for r in dataset.report.rejected]


def warned(dataset: DataSet) -> list[tuple[str, int]]:
    return [(r.file, r.line) for r in dataset.report.warnings]


# --- the whole -----------------------------------------------------------------------------------


def test_a_directory_that_is_none_or_holds_nothing_is_no_data_set(tmp_path: Path):
    for directory in (tmp_path / "absent", tmp_path):
        with pytest.raises(DataError):
            read_dataset(directory)
    (tmp_path / "nodes.jsonl").write_text("")
    (tmp_path / "notes.txt").write_text("not a document: it lies beside the folder")
    with pytest.raises(DataError, match="no data set"):
        read_dataset(tmp_path)


def test_each_part_alone_is_a_data_set(read: Write):
    assert [c.kind for c in read(schema_yaml="name: x").changes] == [ChangeKind.SET_SCHEMA]
    assert list(nodes(read(nodes_jsonl=TWO))) == ["a", "b"]


def test_documents_alone_are_a_data_set(read: Write):
    assert list(documents(read({"documents/a.txt": "Hello."}))) == ["a.txt"]


def test_the_schema_comes_first_then_what_needs_it(read: Write):
    dataset = read(
        {"documents/a.md": "Hello."},
        nodes_jsonl=TWO,
        edges_jsonl=lines({"source": "a", "target": "b", "type": "R"}),
        facts_jsonl=lines({"entity": "a", "attribute": "x", "value": 1}),
    )
    assert [c.kind for c in dataset.changes] == [
        ChangeKind.SET_SCHEMA,
        ChangeKind.PUT_NODE,
        ChangeKind.PUT_NODE,
        ChangeKind.PUT_EDGE,
        ChangeKind.PUT_FACT,
        ChangeKind.PUT_DOCUMENT,
    ]
    assert dataset.counts == {"schema": 1, "node": 2, "edge": 1, "fact": 1, "document": 1}
    assert {c.source for c in dataset.changes} == {dataset.name}
    assert schema_from_payload(dataset.changes[0].payload) == dataset.schema
    assert rejected(dataset) == warned(dataset) == []


def test_reading_twice_gives_equal_changes(read: Write):
    files = {
        "nodes.jsonl": lines(A, {**B, "x": [1, 2], "y": 0.1, "valid_from": "2024-01-01"}),
        "edges.csv": "source,target,type,n\na,b,R,1\na,b,R,2\na,b,S,\n",
        "facts.csv": "entity,attribute,value\na,x,1.5\n",
        "documents/a.md": "---\nid: d\ndate: 2024-02-16\n---\n# T\nText.",
        "documents/b.html": "<title>B</title><p>Text</p>",
    }
    first, second = read(files), read(files)
    assert first.changes == second.changes
    hashes = [content_hash(c.payload) for c in first.changes]
    assert hashes == [content_hash(c.payload) for c in second.changes]


def test_the_name_is_what_the_schema_or_the_directory_says(read: Write, tmp_path: Path):
    assert read(nodes_jsonl=TWO).name == tmp_path.name
    assert read(schema_yaml="name: library").name == "library"


# --- tables --------------------------------------------------------------------------------------


def test_one_table_may_be_written_in_three_ways(read: Write, tmp_path: Path):
    row = {"id": "007", "type": "T", "name": "Ann", "seats": 12, "open": True, "note": None}
    written = {
        "nodes.csv": "id,type,name,seats,open,note\n007,T,Ann,12,true,\n",
        "nodes.json": json.dumps([row]),
        "nodes.jsonl": json.dumps(row),
    }
    found = []
    for name, text in written.items():
        found.append(nodes(read({name: text}))["007"])
        (tmp_path / name).unlink()
    assert found[0] == found[1] == found[2]
    assert found[0].properties == {"seats": 12, "open": True, "note": None}


@pytest.mark.parametrize(
    "content", [b"id,type,name\n1,T,A\n", codecs.BOM_UTF8 + b"id,type,name\r\n1,T,A\r\n"]
)
def test_a_byte_order_mark_is_no_part_of_the_first_column(read: Write, content: bytes):
    """I08."""
    dataset = read(nodes_csv=content)
    assert nodes(dataset)["1"].name == "A"
    assert rejected(dataset) == []


def test_a_byte_order_mark_before_json_is_passed_over(read: Write):
    assert list(nodes(read(nodes_jsonl=codecs.BOM_UTF8 + TWO.encode()))) == ["a", "b"]
    assert read(schema_yaml=codecs.BOM_UTF8 + b"name: x").name == "x"


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("12", 12), ("-5", -5), ("0", 0), ("3.5", 3.5), ("-0.5", -0.5), ("1e3", 1000.0),
        ("true", True), ("FALSE", False), ("", None), ("  ", None), ("yes", "yes"),
        ("007", "007"), ("07030", "07030"), ("-007", "-007"), ("00.5", "00.5"),
        ("1_000", "1_000"), ("+1", "+1"), ("--5", "--5"), ("1-2", "1-2"), ("5-", "5-"),
        ("²", "²"), ("٣", "٣"), ("１２", "１２"), ("1,500", "1,500"), ("0x10", "0x10"),
        ("2024-02-16", "2024-02-16"), ("=1+1", "=1+1"), (" padded ", "padded"),
        ("9" * 30, int("9" * 30)), ("9" * 5000, "9" * 5000),
    ],
)  # fmt: skip
def test_a_cell_is_read_by_its_look(read: Write, cell: str, value: object):
    quoted = '"' + cell + '"'
    dataset = read(nodes_csv=f"id,type,x\na,T,{quoted}\n")
    found = nodes(dataset)["a"].properties["x"]
    assert (found, type(found)) == (value, type(value))
    assert rejected(dataset) == []


def test_ids_and_names_in_a_table_stay_texts(read: Write):
    dataset = read(
        nodes_csv="id,type,name,aliases\n001,1,2024,07|true\n2,1,nan,\n",
        edges_csv="id,source,target,type\n10,001,2,5\n",
    )
    first = nodes(dataset)["001"]
    assert (first.type, first.name, first.aliases) == ("1", "2024", ("07", "true"))
    assert nodes(dataset)["2"].name == "nan"
    (edge,) = edges(dataset).values()
    assert (edge.key, edge.source, edge.target, edge.type) == ("10", "001", "2", "5")


def test_a_quoted_cell_may_hold_anything(read: Write):
    text = 'a "b", c;\nd\u2028e\x85f\x0cg | h'
    dataset = read(nodes_csv='id,type,note\na,T,"' + text.replace('"', '""') + '"\nb,T,x\n')
    assert nodes(dataset)["a"].properties["note"] == text
    assert nodes(dataset)["b"].properties["note"] == "x"
    plain = read(nodes_csv="id,type,note\na,T,d\u2028e\x85f\x0cg\n")
    assert nodes(plain)["a"].properties["note"] == "d\u2028e\x85f\x0cg"


def test_a_row_that_does_not_fit_its_table_is_left_out(read: Write):
    dataset = read(nodes_csv="id,type,x\na,T,1\nb,T,1,2,3\nc,T\n,T,1\nd,,1\n")
    assert list(nodes(dataset)) == ["a", "c"]
    assert nodes(dataset)["c"].properties == {"x": None}
    assert rejected(dataset) == [("nodes.csv", 3), ("nodes.csv", 5), ("nodes.csv", 6)]


def test_a_cell_that_is_too_large_costs_its_row_alone(read: Write):
    dataset = read(nodes_csv=f"id,type,x\na,T,1\nb,T,{'x' * 200_000}\nc,T,1\n")
    assert list(nodes(dataset)) == ["a", "c"]
    assert rejected(dataset) == [("nodes.csv", 3)]


def test_a_malformed_line_is_left_out_and_the_rest_taken(read: Write):
    text = f'{lines(A)}\n{{"id": "x"\n[1, 2]\n"text"\nnull\n\n   \n{lines(B)}'
    dataset = read(nodes_jsonl=text)
    assert list(nodes(dataset)) == ["a", "b"]
    assert rejected(dataset) == [("nodes.jsonl", n) for n in (2, 3, 4, 5)]


def test_the_half_of_a_file_is_read_as_far_as_it_goes(read: Write):
    half = lines(A, B)[:-5]
    dataset = read(nodes_jsonl=half)
    assert list(nodes(dataset)) == ["a"]
    assert rejected(dataset) == [("nodes.jsonl", 2)]


@pytest.mark.parametrize(
    "text", ['[{"id": "a", "type": "T"}, {"id"', '{"links": []}', '{"nodes": []}', "5", "", "null"]
)
def test_a_file_that_is_no_array_is_left_out_as_a_whole(read: Write, text: str):
    """I10: rejected, never taken for empty."""
    dataset = read(schema_yaml="name: x", nodes_json=text)
    assert rejected(dataset) == [("nodes.json", 0)]
    assert nodes(dataset) == {}


def test_an_array_may_hold_what_is_no_row(read: Write):
    dataset = read(nodes_json=json.dumps([A, 5, None, B]))
    assert list(nodes(dataset)) == ["a", "b"]
    assert rejected(dataset) == [("nodes.json", 2), ("nodes.json", 3)]


def test_json_that_is_too_deep_is_left_out(read: Write):
    deep = '{"id": "d", "type": "T", "x": ' + "[" * 100_000 + "]" * 100_000 + "}"
    dataset = read(nodes_jsonl=f"{lines(A)}\n{deep}\n{lines(B)}")
    assert list(nodes(dataset)) == ["a", "b"]
    assert rejected(dataset) == [("nodes.jsonl", 2)]


@pytest.mark.parametrize(
    ("name", "text"),
    [("nodes_csv", "id,type\na,T\né,T\nb,T\n"), ("nodes_jsonl", lines(A, {"id": "é"}, B))],
)
def test_a_row_that_is_not_utf_8_is_left_out_and_the_rest_taken(read: Write, name: str, text: str):
    text = text.replace("\\u00e9", "é")
    dataset = read(schema_yaml="name: x", **{name: text.encode("latin-1")})
    assert list(nodes(dataset)) == ["a", "b"]
    assert [line for _, line in rejected(dataset)] == [text[: text.index("é")].count("\n") + 1]


def test_an_array_that_is_not_utf_8_is_left_out_with_the_line_of_its_fault(read: Write):
    text = '[{"id": "a", "type": "T"},\n{"id": "é", "type": "T"}]'
    dataset = read(schema_yaml="name: x", nodes_json=text.encode("latin-1"))
    (fault,) = dataset.report.rejected
    assert (fault.file, fault.reason) == ("nodes.json", "not UTF-8, first in line 2")


# --- entities ------------------------------------------------------------------------------------


def test_an_entity_keeps_what_is_said_of_it(read: Write):
    row = {**A, "aliases": ["Annie", "A."], "x": 1, "y": None, "acl": ["board"]}
    ann = nodes(read(nodes_jsonl=lines(row)))["a"]
    assert (ann.name, ann.aliases, ann.acl) == ("Ann", ("Annie", "A."), ("board",))
    assert ann.properties == {"x": 1, "y": None}


def test_an_entity_without_a_name_goes_by_its_id(read: Write):
    dataset = read(
        nodes_jsonl=lines(B, {"id": "c", "type": "T", "name": ""}, {"id": 7, "type": "T"})
    )
    assert {i: n.name for i, n in nodes(dataset).items()} == {"b": "b", "c": "c", "7": "7"}


def test_rows_without_an_id_or_a_type_are_left_out(read: Write):
    wrong: list[dict[str, object]] = [
        {"type": "T"}, {"id": "", "type": "T"}, {"id": None, "type": "T"}, {"id": "x"},
        {"id": "x", "type": " "}, {"id": ["x"], "type": "T"}, {"id": {"x": 1}, "type": "T"},
        {"id": True, "type": "T"},
    ]  # fmt: skip
    dataset = read(nodes_jsonl=lines(A, *wrong))
    assert list(nodes(dataset)) == ["a"]
    assert rejected(dataset) == [("nodes.jsonl", n) for n in range(2, 2 + len(wrong))]


def test_the_first_of_two_entities_with_one_id_is_taken(read: Write):
    dataset = read(nodes_jsonl=lines(A, {**A, "name": "Other"}, B))
    assert [n.name for n in nodes(dataset).values()] == ["Ann", "b"]
    assert rejected(dataset) == [("nodes.jsonl", 2)]


def test_composed_and_decomposed_ids_are_one(read: Write):
    """G23: no duplicate on re-ingest; the name is shown as it was spelled."""
    dataset = read(
        nodes_jsonl=lines(
            {"id": "Café", "type": "T", "name": "Cafe\u0301"}, {"id": "Cafe\u0301", "type": "T"}, B
        ),
        edges_jsonl=lines({"source": "Cafe\u0301", "target": "b", "type": "R"}),
        facts_jsonl=lines({"entity": "Cafe\u0301", "attribute": "x", "value": 1}),
    )
    assert list(nodes(dataset)) == ["Café", "b"]
    assert nodes(dataset)["Café"].name == "Cafe\u0301"
    assert rejected(dataset) == [("nodes.jsonl", 2)]
    assert [e.source for e in edges(dataset).values()] == ["Café"]
    assert [f.entity for f in facts(dataset)] == ["Café"]


HOSTILE = ["O'Hara's \"Best\" Bolts \\ Co", 'Programme "big problem"', "..data", "x` SET n=1 //",
           "a|b|", "=cmd|' /C calc'!A0", "供应商", "../../etc/passwd", "R`\t]->()"]  # fmt: skip


def test_hostile_names_are_kept_to_the_byte(read: Write):
    """G01, G03, G05."""
    rows = [{"id": text, "type": text, "name": text, text: text} for text in HOSTILE]
    joined = [{"source": i, "target": j, "type": i} for i in HOSTILE for j in HOSTILE]
    dataset = read(nodes_jsonl=lines(*rows), edges_jsonl=lines(*joined))
    assert rejected(dataset) == []
    for text, node in nodes(dataset).items():
        assert (node.id, node.type, node.name, node.properties) == (text, text, text, {text: text})
    found = {(e.source, e.target, e.type) for e in edges(dataset).values()}
    assert len(edges(dataset)) == len(found) == len(HOSTILE) ** 2


# --- property values -----------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "[1, NaN]"])
def test_what_is_no_number_in_json_is_null_with_a_warning(read: Write, token: str):
    """A08, I11."""
    dataset = read(nodes_jsonl=f'{{"id": "a", "type": "T", "x": {token}, "y": 1}}\n{lines(B)}')
    found = nodes(dataset)["a"].properties
    assert found["y"] == 1
    assert "nan" not in str(found["x"]).casefold()
    assert "inf" not in str(found["x"]).casefold()
    if not token.startswith("["):
        assert found["x"] is None
    assert warned(dataset) == [("nodes.jsonl", 1)]
    assert rejected(dataset) == []
    for change in dataset.changes:
        json.dumps(change.payload, allow_nan=False)


@pytest.mark.parametrize("cell", ["NaN", "nan", "inf", "-Infinity", "1e999"])
def test_what_is_no_number_in_a_table_is_null_with_a_warning(read: Write, cell: str):
    dataset = read(nodes_csv=f"id,type,x\na,T,{cell}\nb,T,1\n")
    assert nodes(dataset)["a"].properties == {"x": None}
    assert warned(dataset) == [("nodes.csv", 2)]


def test_a_text_that_says_nan_is_a_text(read: Write):
    dataset = read(nodes_jsonl=lines({**A, "x": "NaN"}, {**B, "x": "inf"}))
    assert [n.properties["x"] for n in nodes(dataset).values()] == ["NaN", "inf"]
    assert warned(dataset) == []


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (["a", "b"], "a, b"),
        ([1, 2.5], "1, 2.5"),
        ([], ""),
        ([1, None], "[1, null]"),
        ([["a"]], '[["a"]]'),
        ({"b": 1, "a": "é"}, '{"a": "é", "b": 1}'),
        (math.inf, None),
        (True, True),
        ("", ""),
    ],
)
def test_lists_are_joined_and_structures_kept_as_json(value: object, kept: object):
    assert as_value(value) == kept


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (["a", " b ", "", None, 7], ("a", "b", "7")),
        ("a|b; c", ("a", "b; c")),
        ("a;b", ("a", "b")),
        ("one", ("one",)),
        ("", ()),
        (None, ()),
        ({"a": 1}, ()),
    ],
)
def test_several_texts_are_a_list_or_cut_at_a_mark(value: object, texts: tuple[str, ...]):
    assert as_texts(value) == texts


# --- relations -----------------------------------------------------------------------------------


def test_parallel_relations_keep_stable_keys(read: Write):
    row = {"source": "a", "target": "b", "type": "R"}
    rows = [{**row, "n": n} for n in (1, 2, 3)] + [{**row, "valid_from": "2024-01-01", "n": 4}]
    dataset = read(nodes_jsonl=TWO, edges_jsonl=lines(*rows))
    first = edges(dataset)
    assert sorted(str(e.properties["n"]) for e in first.values()) == ["1", "2", "3", "4"]
    assert len(first) == 4

    more = read(edges_jsonl=lines({**row, "type": "S"}, *rows, {**row, "source": "b"}))
    again = edges(more)
    assert all(again[key].properties == edge.properties for key, edge in first.items())


def test_relations_keep_the_keys_that_they_bring(read: Write):
    row = {"source": "a", "target": "b", "type": "R"}
    own = ["x", "x|#2", "x", "a|R|b|", "x|#2|#2", "x|#2"]
    dataset = read(nodes_jsonl=TWO, edges_jsonl=lines(row, *({**row, "id": key} for key in own)))
    assert len(edges(dataset)) == 1 + len(own)
    assert {"x", "x|#2", "a|R|b|"} <= set(edges(dataset))


def test_relations_to_nobody_are_left_out(read: Write):
    row = {"source": "a", "target": "b", "type": "R"}
    wrong: list[dict[str, object]] = [
        {**row, "target": "z"}, {**row, "source": "z"}, {**row, "type": None},
        {"source": "a", "type": "R"}, {**row, "target": {"id": "b"}},
    ]  # fmt: skip
    dataset = read(nodes_jsonl=TWO, edges_jsonl=lines(row, *wrong, {**row, "type": "S"}))
    assert [e.type for e in edges(dataset).values()] == ["R", "S"]
    assert rejected(dataset) == [("edges.jsonl", n) for n in range(2, 7)]
    assert "'z'" in dataset.report.rejected[0].reason


@pytest.mark.parametrize("unkept", ["\\u0000", "\\ud800", "a\\udfffb"])
def test_ids_that_no_store_can_keep_are_left_out(read: Write, unkept: str):
    node = f'{{"id": "{unkept}", "type": "T"}}'
    edge = f'{{"id": "{unkept}", "source": "a", "target": "b", "type": "R"}}'
    dataset = read(nodes_jsonl=f"{TWO}\n{node}", edges_jsonl=edge)
    assert rejected(dataset) == [("nodes.jsonl", 3)]
    (key,) = edges(dataset)
    assert key == "a|R|b|"


@pytest.mark.parametrize("depth", [300, 600, 900, 950, 990, 1100])
def test_json_of_any_depth_is_taken_or_left_out(read: Write, depth: int):
    deep = '{"id": "d", "type": "T", "x": ' + "[" * depth + "]" * depth + "}"
    dataset = read(nodes_jsonl=f"{TWO}\n{deep}")
    assert len(nodes(dataset)) + len(rejected(dataset)) == 3


def test_a_relation_to_an_entity_that_was_left_out_goes_too(read: Write):
    wrong = {**B, "valid_from": "soon"}
    dataset = read(
        nodes_jsonl=lines(A, wrong), edges_jsonl=lines({"source": "a", "target": "b", "type": "R"})
    )
    assert rejected(dataset) == [("nodes.jsonl", 2), ("edges.jsonl", 1)]


def test_a_relation_to_oneself_is_taken(read: Write):
    row = {"source": "a", "target": "a", "type": "R"}
    (edge,) = edges(read(nodes_jsonl=TWO, edges_jsonl=lines(row))).values()
    assert (edge.source, edge.target) == ("a", "a")


# --- validity ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", ["soon", "2024-13-01", "16.02.2024", 20, True, ["2024-01-01"], {"day": 1}, 0]
)
def test_a_row_with_a_wrong_validity_is_left_out(read: Write, wrong: object):
    edge = {"source": "a", "target": "a", "type": "R"}
    dataset = read(
        nodes_jsonl=lines(A, {**B, "valid_to": wrong}),
        edges_jsonl=lines(edge, {**edge, "valid_from": wrong}),
    )
    assert rejected(dataset) == [("nodes.jsonl", 2), ("edges.jsonl", 2)]
    assert len(edges(dataset)) == 1


def test_validity_may_go_by_other_names(read: Write):
    dataset = read(
        schema_yaml="valid_from: [hired, since]\nvalid_to: left",
        nodes_jsonl=lines(
            {**A, "since": "2024-01-10", "left": "2024-01-20", "valid_to": "2000-01-01"},
            {**B, "hired": "", "since": None, "left": None},
        ),
    )
    ann, other = nodes(dataset).values()
    assert ann.validity.first_day == "2024-01-10"
    assert ann.validity.last_day == "2024-01-20"
    assert (other.validity.has_start, other.validity.has_end) == (False, False)
    assert ann.properties["since"] == "2024-01-10"


def test_the_usual_names_need_no_schema(read: Write):
    dataset = read(
        nodes_jsonl=lines(
            {**A, "effective_date": "2024-01-01", "expired_date": "2024-01-31"},
            {**B, "valid_from": "2024-01-01", "valid_to": "9999-12-31"},
        )
    )
    for node in nodes(dataset).values():
        assert node.validity.holds(Moment.of("2024-01-31"))
        assert not node.validity.holds(Moment.of("2023-12-31"))
    assert rejected(dataset) == []


def test_an_empty_interval_is_taken_and_never_holds(read: Write):
    """T05."""
    instant = "2024-07-01T10:00:00.001Z"
    dataset = read(nodes_jsonl=lines({**A, "valid_from": instant, "valid_to": instant}, B))
    assert rejected(dataset) == []
    assert nodes(dataset)["a"].validity.is_empty


# --- facts ---------------------------------------------------------------------------------------


def test_a_fact_keeps_what_is_said_of_it(read: Write):
    row = {"entity": "a", "attribute": "seats", "value": 25, "unit": "pieces",
           "as_of": "2024-02-01", "source": "survey"}  # fmt: skip
    (fact,) = facts(read(nodes_jsonl=TWO, facts_jsonl=lines(row)))
    assert fact == Fact(entity="a", attribute="seats", value=25, unit="pieces",
                        as_of="2024-02-01", source="survey")  # fmt: skip


def test_the_latest_of_several_facts_holds(read: Write):
    row = {"entity": "a", "attribute": "x"}
    rows = [
        {**row, "value": 1, "as_of": "2024-02-01"},
        {**row, "value": 2, "as_of": "2024-01-01"},
        {**row, "value": 3},
    ]
    assert [f.value for f in facts(read(nodes_jsonl=TWO, facts_jsonl=lines(*rows)))] == [1]
    zones = [
        {**row, "value": 1, "as_of": "2024-06-01T00:30:00+02:00"},
        {**row, "value": 2, "as_of": "2024-05-31T23:00:00Z"},
    ]
    assert [f.value for f in facts(read(facts_jsonl=lines(*zones)))] == [2]


def test_what_a_fact_was_before_is_kept_with_it_in_order(read: Write):
    row = {"entity": "a", "attribute": "x", "unit": "kg", "source": "count"}
    rows = [
        {**row, "value": 3, "as_of": "2024-03-01"},
        {**row, "value": 1, "as_of": "2024-01-01"},
        {**row, "value": 9, "as_of": "2024-02-01"},
        {**row, "value": 2, "as_of": "2024-02-01"},
    ]
    dataset = read(nodes_jsonl=TWO, facts_jsonl=lines(*rows))
    (fact,) = facts(dataset)
    assert [(f.value, f.as_of) for f in (*fact.earlier, fact)] == [
        (1, "2024-01-01"), (2, "2024-02-01"), (3, "2024-03-01"),
    ]  # fmt: skip
    assert {(f.entity, f.attribute, f.unit, f.source, f.earlier) for f in fact.earlier} == {
        ("a", "x", "kg", "count", ())
    }
    assert [w.line for w in dataset.report.warnings] == [4]


def test_facts_of_nobody_or_of_no_time_are_left_out(read: Write):
    rows: list[dict[str, object]] = [
        {"entity": "z", "attribute": "x", "value": 1},
        {"entity": "a", "value": 1},
        {"attribute": "x", "value": 1},
        {"entity": "a", "attribute": "x", "value": 1, "as_of": "soon"},
    ]
    dataset = read(nodes_jsonl=TWO, facts_jsonl=lines(*rows))
    assert facts(dataset) == []
    assert rejected(dataset) == [("facts.jsonl", n) for n in (1, 2, 3, 4)]


# --- the schema ----------------------------------------------------------------------------------


def test_without_a_schema_all_is_read_from_the_data(read: Write):
    dataset = read(
        nodes_jsonl=lines({**A, "seats": 3}, {"id": "c", "type": "U"}),
        edges_jsonl=lines({"source": "a", "target": "c", "type": "USED_BY"}),
    )
    assert set(dataset.schema.node_types) == {"T", "U"}
    assert dataset.schema.relation_types["USED_BY"].ends == (("T", "U"),)
    assert "seats" in dataset.schema.node_types["T"].properties


def test_unknown_keys_of_a_schema_are_told_of(read: Write):
    dataset = read(
        schema_yaml="""
        name: x
        colour: red
        node_types:
          - {name: T, shape: round, properties: {seats: {description: how many, hue: red}}}
        relation_types:
          - {name: R, weight: 3, effect: sideways}
        """.replace("\n        ", "\n")
    )
    reasons = " ".join(w.reason for w in dataset.report.warnings)
    for key in ("colour", "shape", "hue", "weight", "sideways"):
        assert key in reasons
    assert {w.file for w in dataset.report.warnings} == {"schema.yaml"}
    assert dataset.schema.node_types["T"].properties["seats"].description == "how many"


@pytest.mark.parametrize(
    ("written", "as_of"),
    [("2024-12-01", "2024-12-01"), ("'2024-12-01'", "2024-12-01"), ("2024-12-01T10:00:00",
     "2024-12-01T10:00:00"), ("", None), ("null", None)],
)  # fmt: skip
def test_now_may_be_a_date_or_a_text(read: Write, written: str, as_of: str | None):
    assert read(schema_yaml=f"name: x\nas_of: {written}").schema.as_of == as_of


@pytest.mark.parametrize(
    "wrong",
    ["as_of: soon", "as_of: 20", "as_of: 2024-02-30",
     "- a\n- b", "just text", "node_types: 5", "node_types: [{}]",
     "node_types:\n  - name: [a]", "a: [", "\tname: x", "name: {a: 1}", "decay: [fast]",
     "words: [a]", "severity: {high: very}"],
)  # fmt: skip
def test_a_file_that_is_no_schema_is_refused(read: Write, wrong: str):
    with pytest.raises(DataError, match=r"schema\.yaml"):
        read(nodes_jsonl=TWO, schema_yaml=wrong)


def test_a_schema_that_is_not_utf_8_is_refused(read: Write):
    with pytest.raises(DataError):
        read(schema_yaml="name: é".encode("latin-1"))


def test_an_empty_schema_says_nothing(read: Write):
    for text in ("", "# only a comment\n", "node_types:\nwords:\nname:\n"):
        dataset = read(nodes_jsonl=TWO, schema_yaml=text)
        assert set(dataset.schema.node_types) == {"T"}


# --- documents -----------------------------------------------------------------------------------


def test_front_matter_tells_of_a_document(read: Write):
    text = (
        "---\nid: doc-7\ntitle: Contract\ndate: 2024-02-16\nvalid_to: 2025-01-31\n"
        "supersedes: [doc-1, doc-2]\nacl: board\ncolour: red\n---\n# Heading\n\nBody.\r\n"
    )
    (document,) = documents(read({"documents/deep/a.md": text})).values()
    assert document == Document(
        id="doc-7",
        title="Contract",
        text="# Heading\n\nBody.",
        date="2024-02-16",
        validity=document.validity,
        supersedes=("doc-1", "doc-2"),
        acl=("board",),
        path="deep/a.md",
    )
    assert document.validity.last_day == "2025-01-31"


def test_without_front_matter_the_text_tells(read: Write):
    found = documents(
        read(
            {
                "documents/a.md": "Intro.\n## Sub heading \nBody.",
                "documents/b.txt": "\ufeffPlain text.",
                "documents/c.md": "--- not front matter ---\nBody.",
                "documents/d.markdown": "---\n\n---\n",
                "documents/e.csv": "a,b",
                "documents/.md": "hidden",
            }
        )
    )
    assert {i: d.title for i, d in found.items() if i in {"a.md", "b.txt", "c.md"}} == {
        "a.md": "Sub heading", "b.txt": "b", "c.md": "c",
    }  # fmt: skip
    assert found["b.txt"].text == "Plain text."
    assert "e.csv" not in found


def test_html_is_read_as_text(read: Write):
    html = (
        "<html><head><title> The title </title><meta name='date' content='2024-02-16'>"
        "<script>evil()</script><style>p {}</style></head>"
        "<body><h2>Head</h2><p>One <b>two</b>.</p><ul><li>x</li><li>y</li></ul></body></html>"
    )
    (document,) = documents(read({"documents/a.html": html})).values()
    assert (document.title, document.date) == ("The title", "2024-02-16")
    assert "## Head" in document.text
    assert "One two." in document.text
    assert "evil" not in document.text
    assert "p {}" not in document.text


def pdf(text: str) -> bytes:
    """A PDF of one page with one line."""
    stream = f"BT /F1 18 Tf 10 50 Td ({text}) Tj ET"
    font = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<<{font}>>>>",
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
    ]
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj{content}endobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = f"xref\n0 5\n0000000000 65535 f \n{table}trailer<</Root 1 0 R/Size 5>>\n"
    return f"{body}{end}startxref\n{len(body)}\n%%EOF\n".encode()


PDF = pdf("Sixty days notice")


def test_a_pdf_is_read_as_text(read: Write):
    dataset = read({"documents/a.pdf": PDF})
    assert rejected(dataset) == []
    assert documents(dataset)["a.pdf"].text == "Sixty days notice"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.pdf", b"not a pdf"),
        ("a.pdf", b""),
        ("a.pdf", b"%PDF-1.4\n%%EOF"),
        ("a.pdf", PDF[:200]),
        ("a.md", b"---\ndate: soon\n---\nText"),
        ("a.md", b"---\ndate: 2024-02-30\n---\nText"),
        ("a.md", b"---\nvalid_to: soon\n---\nText"),
        ("a.md", b"---\n- a\n- b\n---\nText"),
        ("a.md", b"---\na: [\n---\nText"),
        ("a.md", "Größe".encode("latin-1")),
        ("a.md", b"---\na: " + b"[" * 5000 + b"\n---\nText"),
        ("a.txt", b"  \n \n"),
        ("a.html", b"<script>only()</script>"),
        ("a.md", b"---\nid: x\n---\n"),
    ],
)
def test_a_document_that_cannot_be_read_is_left_out(read: Write, name: str, content: bytes):
    dataset = read({f"documents/{name}": content, "documents/z.txt": "Good."})
    assert list(documents(dataset)) == ["z.txt"]
    assert rejected(dataset) == [(name, 0)]


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_pdf_costs_no_other_document(read: Write, seed: int):
    rng = random.Random(seed)
    damaged = {}
    for number in range(8):
        content = bytearray(PDF)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(content))
            content[at : at + rng.choice([0, 1, 9])] = rng.randbytes(rng.choice([0, 1, 3]))
        damaged[f"documents/{number}.pdf"] = bytes(content)
    dataset = read({**damaged, "documents/z.txt": "Good."})
    assert "z.txt" in documents(dataset)
    assert len(documents(dataset)) + len(rejected(dataset)) == 9


def test_the_first_of_two_documents_with_one_id_is_taken(read: Write):
    text = "---\nid: same\n---\nText {}."
    dataset = read({f"documents/{n}.md": text.format(n) for n in "ab"})
    assert [d.text for d in documents(dataset).values()] == ["Text a."]
    assert rejected(dataset) == [("b.md", 0)]


# --- any file ------------------------------------------------------------------------------------


def read_once(files: Mapping[str, bytes]) -> DataSet:
    """Read a data set that is gone afterwards: soaks make thousands."""
    with TemporaryDirectory() as made:
        for name, content in {"schema.yaml": b"name: x", **files}.items():
            path = Path(made) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        return read_dataset(Path(made))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_told_of(content: bytes):
    names = ("nodes.csv", "edges.json", "facts.jsonl", "documents/a.md", "documents/b.html")
    dataset = read_once(dict.fromkeys(names, content))
    for change in dataset.changes:
        content_hash(change.payload)


cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
values = cells | st.none() | st.integers() | st.floats() | st.booleans()
rows_of_any_kind = st.dictionaries(
    cells | st.sampled_from(["id", "type", "name", "valid_to"]),
    values | st.lists(values, max_size=2),
    max_size=5,
)


@given(st.lists(rows_of_any_kind, max_size=5))
def test_any_rows_are_read_or_told_of(rows: list[dict[str, object]]):
    dataset = read_once({"nodes.jsonl": "\n".join(map(json.dumps, rows)).encode()})
    assert len(of(dataset, ChangeKind.PUT_NODE)) + len(dataset.report.rejected) == len(rows)
    for change in dataset.changes:
        content_hash(change.payload)


def test_a_name_that_no_directory_can_have_is_no_data_set(tmp_path):
    with pytest.raises(DataError, match="is not a directory"):
        read_dataset(tmp_path / ("d" * 300))
