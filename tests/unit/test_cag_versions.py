"""Which version of a fact is told: the one that held at the time that a question is about."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes import HashEncoder, MemoryFactStore, NoEncoder
from tiers.cag.projection import FactProjection
from tiers.cag.tier import CagTier
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.question import Question
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

NODES = [
    {"id": "B-1", "type": "Branch", "name": "Riverside Library"},
    {"id": "B-2", "type": "Branch", "name": "Hillcrest Library"},
]
COUNTS: list[tuple[str, int, str]] = [
    ("B-1", 7, "2026-07-15"), ("B-1", 9, "2026-05-01"), ("B-1", 4, "2026-03-10"),
    ("B-2", 8, "2026-06-15"), ("B-2", 2, "2026-03-01"),
]  # fmt: skip


def row(entity: str, value: int, as_of: str) -> Mapping[str, object]:
    return {"entity": entity, "attribute": "visitors", "value": value, "as_of": as_of}


@pytest.fixture
async def asked(tmp_path: Path):
    rows = [row(*count) for count in COUNTS]
    for name, kept in (("nodes", NODES), ("facts", rows)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, kept)))
    (tmp_path / "schema.yaml").write_text("name: library\nas_of: 2026-08-01\n")
    changes = [replace(c, sequence=n) for n, c in enumerate(read_dataset(tmp_path).changes, 1)]
    store, lexicon = MemoryFactStore(), lexicon_of(changes)
    await FactProjection(store).apply(changes, len(changes))
    tier, reader = CagTier(store, lexicon, NoEncoder()), QuestionReader(HashEncoder(), lexicon)

    async def ask(text: str, as_of: str | None = None) -> TierResult:
        question = reader.read(Question(text=text, as_of=as_of))
        return await tier.retrieve(question, Deadline.after(5))

    return ask


@pytest.mark.parametrize(
    ("text", "as_of", "value", "date"),
    [
        ("How many visitors does Riverside Library have?", None, 7, "2026-07-15"),
        ("How many visitors does Riverside Library have?", "2026-07-15", 7, "2026-07-15"),
        ("How many visitors does Riverside Library have?", "2026-07-14", 9, "2026-05-01"),
        ("How many visitors does Riverside Library have?", "2026-05-01T00:00:00Z", 9, "2026-05-01"),
        ("How many visitors did Riverside Library have in March 2026?", None, 4, "2026-03-10"),
        ("How many visitors did Riverside Library have on 2026-06-30?", None, 9, "2026-05-01"),
        ("How many visitors did Riverside Library have before May 2026?", None, 4, "2026-03-10"),
        ("How many visitors did Riverside Library have before?", None, 9, "2026-05-01"),
        ("How many visitors did Riverside Library previously have?", "2026-06-01", 4, "2026-03-10"),
    ],
)
async def test_the_version_of_the_time_asked_about_is_told_with_its_date(
    asked, text: str, as_of: str | None, value: int, date: str
):
    result = await asked(text, as_of)
    assert result.status is TierStatus.HIT
    (fact,) = result.evidence
    assert (fact.value, fact.as_of) == (value, date)
    assert f"is {value} (as of {date})" in result.statements[0].text.replace(" are ", " is ")


async def test_before_the_first_version_nothing_is_claimed_of_then(asked):
    result = await asked("How many visitors does Riverside Library have?", "2026-01-01")
    assert result.status is TierStatus.PARTIAL
    assert "not kept" in str(result.why)


@pytest.mark.parametrize(
    ("as_of", "leader"), [(None, "B-2"), ("2026-06-01", "B-1"), ("2026-07-01", "B-1")]
)
async def test_a_ranking_of_then_ranks_what_held_then(asked, as_of: str | None, leader: str):
    result = await asked("Which branch has the most visitors?", as_of)
    assert result.result.to_json()["ranking"][0][0] == leader


async def test_a_sheet_is_of_the_time_that_is_asked_about(asked):
    text = "How many visitors does Riverside Library have?"
    sheets = [(await asked(text, as_of)).sheets for as_of in (None, "2026-07-14")]

    assert [[f.value for sheet in told for f in sheet.facts] for told in sheets] == [[7], [9]]
