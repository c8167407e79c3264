"""What is wrong with an answer, by what of its gold it lacks."""

import json
from pathlib import Path
from typing import Any

import pytest

from trivium.app.suite import Aspect, faults, is_right, question_of, read_suite
from trivium.domain.errors import InputError
from trivium.domain.question import Turn


def answer(text: str = "", **more: object) -> dict[str, Any]:
    """An answer as the door gives it."""
    given = {"status": "answered", "reason": None, "answer": text, "result": {"kind": "none"}}
    return {**given, "results": {}, "citations": [], **more}


NODES = {"kind": "nodes", "ids": ["A-1"]}
CITED = [{"tier": "rag", "source": "doc-7"}, {"tier": "graph", "nodes": []}]
ABSTAINED: dict[str, Any] = {"status": "abstained", "reason": "no_evidence"}


@pytest.mark.parametrize(
    ("tiers", "gold", "given", "wrong"),
    [
        (["graph"], {"ids": ["A-1"]}, answer(result=NODES), []),
        (["graph"], {"ids": ["A-2"]}, answer(result=NODES), ["result"]),
        (["graph"], {"ids": ["A-1"]}, answer(**ABSTAINED), ["answer"]),
        (["graph"], {"abstain": True}, answer(**ABSTAINED), []),
        (["cag"], {"abstain": True, "reason": "ambiguous"}, answer(**ABSTAINED), ["answer"]),
        (["rag"], {"abstain": True}, answer(result=NODES), ["answer"]),
        (["cag"], {"values": [25, "Mexico"]}, answer("25 days, in Mexico"), []),
        (["cag"], {"values": [25, "Peru", 7]}, answer("25 days"), ["values", "values"]),
        (["cag"], {"values": [25]}, answer("25", **ABSTAINED), ["answer"]),
        (["rag"], {"docs": ["doc-7"], "contains": ["60"]}, answer("60", citations=CITED), []),
        (["rag"], {"docs": ["doc-8"]}, answer(citations=CITED), ["citations"]),
        (["rag"], {"contains": ["60"], "not_contains": ["45"]}, answer("45"), ["text", "text"]),
        (["cag", "graph"], {"ids": ["A-1"]}, answer(results={"graph": NODES}), []),
        (["cag", "graph"], {"ids": ["A-2"]}, answer(results={"graph": NODES}), ["result"]),
        (["cag", "graph"], {"number": 3}, answer("There are 3."), []),
    ],
)
def test_a_fault_says_what_of_the_gold_is_lacking(
    tiers: list[str], gold: dict[str, object], given: dict[str, Any], wrong: list[Aspect]
):
    row = {"id": "q", "query": "?", "tiers": tiers, "gold": gold}

    assert [fault.aspect for fault in faults(row, given)] == wrong
    assert is_right(row, given) is not bool(wrong)


async def test_rows_are_read_with_ids_and_history(tmp_path: Path):
    history = [{"role": "user", "content": "Which animals?"}]
    lines = [
        {"query": "Who?", "gold": {"ids": []}, "history": history, "as_of": "2024-01-01"},
        {"id": 7, "question": "What?", "gold": {"values": []}},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n\n".join(map(json.dumps, lines)))

    first, second = await read_suite(path)

    assert (first["id"], second["id"], second["query"]) == ("1", "7", "What?")
    assert question_of(first).history == (Turn("user", "Which animals?"),)


async def test_rows_that_cannot_be_used_are_each_told(tmp_path: Path):
    path = tmp_path / "questions.jsonl"
    rows = ["[1]", "{", '{"query": " ", "gold": {}}', '{"query": "a", "gold": {}, "tiers": ["x"]}']
    path.write_text("\n".join([*rows, '{"query": "a", "gold": {}}']))

    with pytest.raises(InputError, match="4 rows cannot be used") as told:
        await read_suite(path)

    assert [where for where, _ in told.value.errors] == [f"line {n}" for n in (1, 2, 3, 4)]
    path.write_text("\n")
    with pytest.raises(InputError, match="it has no question"):
        await read_suite(path)
    with pytest.raises(InputError, match="cannot be read"):
        await read_suite(tmp_path / "none.jsonl")
