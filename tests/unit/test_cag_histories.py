"""How a value developed: its values with their days, oldest first, and the change."""

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
from trivium.domain.result import Day, Number, Values
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

NODES = [
    {"id": "B-1", "type": "Branch", "name": "Riverside Library", "seats": 60},
    {"id": "B-2", "type": "Branch", "name": "Hillcrest Library", "seats": 24},
]
COUNTS: dict[tuple[str, str], list[tuple[str, object]]] = {
    ("B-1", "visitors"): [("2025-03-10", 4), ("2026-05-01", 9), ("2026-07-15", 7)],
    ("B-2", "visitors"): [("2026-03-01", 2), ("2026-06-15", 8)],
    ("B-1", "satisfaction_percent"): [("2026-03-31", 92), ("2026-06-30", 71)],
    ("B-1", "wait_days"): [("2026-02-01", 3), ("2026-06-01", 5)],
    ("B-2", "wait_days"): [("2026-02-01", 6), ("2026-06-01", 2)],
    ("B-1", "price_change_percent"): [("2026-06-01", 2)],
    ("B-1", "manager"): [("2024-01-01", "Ines Roth"), ("2026-01-01", "Otto Beck")],
}
DAYS_OF_VISITORS = ["2025-03-10", "2026-05-01", "2026-07-15"]


def rows() -> list[Mapping[str, object]]:
    return [
        {"entity": entity, "attribute": attribute, "value": value, "as_of": as_of}
        for (entity, attribute), kept in COUNTS.items()
        for as_of, value in kept
    ]


@pytest.fixture
async def asked(tmp_path: Path):
    for name, kept in (("nodes", NODES), ("facts", rows())):
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


def days(result: TierResult) -> list[str | None]:
    for told in (result.result, *result.also):
        if isinstance(told, Values):
            return [value.as_of for value in told.values]
    return []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How did the visitors of Riverside Library change?", DAYS_OF_VISITORS),
        ("How have the visitors at Riverside Library developed over time?", DAYS_OF_VISITORS),
        ("history of visitors of Riverside Library", DAYS_OF_VISITORS),
        ("What is the trend of Riverside Library's visitors?", DAYS_OF_VISITORS),
        ("visitors of Riverside Library over the last two years", DAYS_OF_VISITORS),
        ("Visitors of Riverside Library since May 2026", DAYS_OF_VISITORS[1:]),
        ("How did the visitors of Riverside Library change since April 2026?", DAYS_OF_VISITORS),
        ("Did the visitors of Riverside Library rise in May?", DAYS_OF_VISITORS[:2]),
        (
            "How did visitors of Riverside Library change between March 2025 and May 2026?",
            DAYS_OF_VISITORS[:2],
        ),
        (
            "How did the visitors of Riverside Library change between May and July?",
            DAYS_OF_VISITORS[1:],
        ),
        (
            "How did the visitors of Riverside Library change between March and June 2026?",
            DAYS_OF_VISITORS[:2],
        ),
        (
            "What were the visitors of Riverside Library in May 2026 and in July 2026?",
            DAYS_OF_VISITORS[1:],
        ),
    ],
)
async def test_the_values_of_the_time_asked_about_come_oldest_first(
    asked, text: str, expected: list[str]
):
    result = await asked(text)
    assert result.status is TierStatus.HIT
    assert days(result) == expected
    assert [fact.as_of for fact in result.evidence] == expected


async def test_each_value_is_cited_by_its_own_fact(asked):
    result = await asked("How did the visitors of Riverside Library change?")
    head, *lines = result.statements
    assert "rose by 3, from 4 (as of 2025-03-10) to 7 (as of 2026-07-15)" in head.text
    assert [line.evidence for line in lines] == [(0,), (1,), (2,)]
    assert [line.text for line in lines] == [
        "- 2025-03-10: 4",
        "- 2026-05-01: 9",
        "- 2026-07-15: 7",
    ]


async def test_a_share_changes_by_percentage_points(asked):
    result = await asked("How did the satisfaction at Riverside Library change this year?")
    assert "fell by 21 percentage points" in result.statements[0].text
    assert result.statements[0].evidence == (0, 1)


async def test_a_text_changes_from_one_to_the_other(asked):
    result = await asked("How has the manager of Riverside Library changed?")
    assert "changed from Ines Roth (as of 2024-01-01) to Otto Beck" in result.statements[0].text


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("Has the satisfaction at Riverside Library gone up?", "No"),
        ("Did the satisfaction at Riverside Library drop since March?", "Yes"),
        ("Did the satisfaction at Riverside Library get worse?", "Yes"),
        ("Has the wait at Riverside Library improved?", "No"),
        ("Has the wait at Hillcrest Library improved?", "Yes"),
        ("Was the satisfaction at Riverside Library higher in March than in June?", "Yes"),
        ("Was the satisfaction at Riverside Library higher in June than in March?", "No"),
        ("Was the wait at Riverside Library longer in June than in February?", "Yes"),
        ("Are there fewer visitors at Riverside Library than in May?", "Yes"),
        ("Did Hillcrest Library have more visitors in June than in March?", "Yes"),
    ],
)
async def test_which_way_it_went_is_said_yes_or_no(asked, text: str, truth: str):
    assert (await asked(text)).statements[0].text.startswith(f"{truth}: the ")


async def test_the_last_change_is_told_with_its_day(asked):
    result = await asked("When did the manager of Riverside Library last change?")
    assert result.result == Day("2026-01-01")
    rise = await asked("When did the visitors of Riverside Library last rise?")
    assert rise.result == Day("2026-05-01")


@pytest.mark.parametrize(
    "text",
    [
        "What was the satisfaction at Riverside Library before the last change?",
        "What was the satisfaction at Riverside Library before it dropped?",
        "What was the satisfaction at Riverside Library before that?",
        "What was the satisfaction at Riverside Library before?",
    ],
)
async def test_what_it_was_before_is_the_value_before_the_last_change(asked, text: str):
    assert [fact.value for fact in (await asked(text)).evidence] == [92]


async def test_by_how_much_it_changed_is_a_number(asked):
    result = await asked("By how much did the visitors of Riverside Library fall since May?")
    assert result.result == Number(2)


async def test_of_one_value_no_change_is_claimed(asked):
    result = await asked("How did the seats of Riverside Library change?")
    assert result.status is TierStatus.PARTIAL
    assert "60" in result.statements[0].text
    assert "no change is known" in str(result.why)


async def test_nothing_later_than_the_question_is_told(asked):
    result = await asked("How did the visitors of Riverside Library change?", "2026-06-01")
    assert days(result) == DAYS_OF_VISITORS[:2]


async def test_a_change_that_is_an_attribute_is_no_history(asked):
    result = await asked("What is the price change of Riverside Library?")
    assert result.status is TierStatus.HIT
    assert result.statements[0].text.startswith("The price change of Riverside Library (B-1) is 2%")


async def test_what_fell_of_a_type_is_told_and_nothing_else(asked):
    result = await asked("Which branches' wait fell?")
    assert {fact.entity for fact in result.evidence} == {"B-2"}
    counted = await asked("How many branches had their visitors rise?")
    assert counted.result == Number(2)
    most = await asked("Which branch's visitors rose the most?")
    assert {fact.entity for fact in most.evidence} == {"B-2"}


async def test_the_history_of_a_thing_as_such_is_no_fact(asked):
    assert (await asked("Tell me the history of Riverside Library")).status is TierStatus.MISS
