"""Which kind of result the fact tier gives to which question."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from tests.fakes import HashEncoder, MemoryFactStore, NoEncoder
from tiers.cag.projection import FactProjection
from tiers.cag.tier import CagTier
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import TierResult
from trivium.domain.knowledge import Change
from trivium.domain.question import Question, Turn
from trivium.domain.result import Comparison, Day, Number, Values
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

SCHEMA = {
    "name": "theatres",
    "as_of": "2026-08-01",
    "node_types": [
        {
            "name": "Theatre",
            "description": "A house with a stage.",
            "properties": {
                "town": "where it stands",
                "seats": "number of seats",
                "budget_eur": "what it may spend",
                "stage_depth_m": "depth of the stage",
                "opened": "first day",
                "lease_end": "last day of the lease",
                "last_check": "when the fire brigade last came",
                "founded": "first season of its company",
                "step_free": "whether a wheelchair gets in",
            },
        },
        {"name": "Troupe", "properties": {"fee": "what an evening costs"}},
    ],
    "relation_types": [{"name": "PLAYS_IN", "source": "Troupe", "target": "Theatre"}],
}

NODES: list[Mapping[str, object]] = [
    {"id": "TH-1", "type": "Theatre", "name": "Lantern Theatre", "town": "Bern", "seats": 420,
     "budget_eur": 900_000, "stage_depth_m": 11.5, "opened": "1998-04-01",
     "lease_end": "2031-12-31", "last_check": "2026-05-04 09:30", "founded": 1961,
     "step_free": True},
    {"id": "TH-2", "type": "Theatre", "name": "Quay Playhouse", "town": "Basel", "seats": 310,
     "budget_eur": 1_250_000, "stage_depth_m": 9, "opened": "2015-09-01"},
    {"id": "TH-3", "type": "Theatre", "name": "Old Granary", "town": "Basel", "seats": 95,
     "budget_eur": 80_000, "opened": "unknown"},
    {"id": "TR-1", "type": "Troupe", "name": "Marigold Players"},
    {"id": "TR-2", "type": "Troupe", "name": "Iron Mask Company"},
]  # fmt: skip

FACTS: list[Mapping[str, object]] = [
    {"entity": "TR-1", "attribute": "fee", "value": 700, "unit": "EUR", "source": "offer"},
    {"entity": "TR-2", "attribute": "fee", "value": 900, "unit": "CHF", "source": "offer"},
]


@dataclass(frozen=True)
class World:
    """A tier that knows three theatres."""

    tier: CagTier
    reader: QuestionReader

    async def ask(self, text: str, *history: Turn) -> TierResult:
        question = Question(text=text, history=history)
        return await self.tier.retrieve(self.reader.read(question), Deadline.after(5))


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory) -> list[Change]:
    directory: Path = tmp_path_factory.mktemp("theatres")
    (directory / "schema.yaml").write_text(yaml.safe_dump(SCHEMA, sort_keys=False))
    for name, rows in (("nodes", NODES), ("facts", FACTS)):
        (directory / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = read_dataset(directory).changes
    return [replace(change, sequence=n) for n, change in enumerate(found, 1)]


@pytest.fixture
async def world(changes: list[Change]) -> World:
    store, lexicon = MemoryFactStore(), lexicon_of(changes)
    await FactProjection(store).apply(changes, len(changes))
    return World(CagTier(store, lexicon, NoEncoder()), QuestionReader(HashEncoder(), lexicon))


def values_beside(result: TierResult) -> list[tuple[str, str, object]]:
    assert isinstance(result.also[-1], Values)
    return [(v.entity, v.attribute, v.value) for v in result.also[-1].values]


def said(result: TierResult) -> list[str]:
    return [statement.text for statement in result.statements]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("How many seats has the Lantern Theatre?", Number(420)),
        ("how many seats does the Lantern Theatre (TH-1) have?", Number(420)),
        ("How much budget has the Quay Playhouse?", Number(1_250_000, "EUR")),
        ("How much does an evening with the Marigold Players cost?", Number(700, "EUR")),
        ("How deep is the stage of the Lantern Theatre?", Number(11.5, "m")),
    ],
)
async def test_how_many_and_how_much_ask_for_a_number(world: World, text: str, number: Number):
    result = await world.ask(text)

    assert result.result == number
    assert [value for _, _, value in values_beside(result)] == [number.number]


async def test_the_values_beside_a_number_tell_of_what_and_of_when(world: World):
    result = await world.ask("How many seats has the Lantern Theatre?")

    (values,) = result.also
    assert values.to_json()["values"] == [
        {"entity": "TH-1", "attribute": "seats", "value": 420, "unit": None, "as_of": "2026-08-01"}
    ]
    assert said(result) == ["The seats of Lantern Theatre (TH-1) are 420 (as of 2026-08-01)."]


@pytest.mark.parametrize(
    "text",
    [
        "What is the budget of the Quay Playhouse?",
        "Lantern Theatre seats",
        "When was the Lantern Theatre founded?",
        "What year was the Lantern Theatre founded?",
        "What is the lease end of the Lantern Theatre?",
        "How many seats and how much budget has the Quay Playhouse?",
        "How many seats have the Lantern Theatre and the Quay Playhouse?",
        "How many troupes play in the Lantern Theatre, and what are its seats?",
        "Is the Lantern Theatre step free?",
        "When was the Old Granary opened?",
    ],
)
async def test_other_questions_on_facts_give_values_alone(world: World, text: str):
    result = await world.ask(text)

    assert isinstance(result.result, Values)
    assert result.also == ()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("When was the Lantern Theatre opened?", "1998-04-01"),
        ("On what day was the Quay Playhouse opened?", "2015-09-01"),
        ("Which day was the Lantern Theatre opened?", "1998-04-01"),
        ("In what year was the Lantern Theatre opened?", "1998-04-01"),
        ("Since when is the Quay Playhouse opened?", "2015-09-01"),
        ("Until when does the lease of the Lantern Theatre run?", "2031-12-31"),
        ("When was the last check of the Lantern Theatre?", "2026-05-04"),
    ],
)
async def test_when_asks_for_a_day(world: World, text: str, day: str):
    result = await world.ask(text)

    assert result.result == Day(day)
    ((_, _, value),) = values_beside(result)
    assert str(value).startswith(day)
    assert str(value) in said(result)[0]


@pytest.mark.parametrize(
    "text",
    [
        "Lantern Theatre or Quay Playhouse: which has the bigger budget?",
        "What has more budget, the Lantern Theatre or the Quay Playhouse? Both figures please.",
        "Compare the budget of the Lantern Theatre and the Quay Playhouse.",
        "Which of the Lantern Theatre and the Quay Playhouse has the bigger budget?",
    ],
)
async def test_one_number_of_two_gives_a_comparison(world: World, text: str):
    result = await world.ask(text)

    assert result.result == Comparison(
        a="TH-1",
        b="TH-2",
        values={"budget_eur": (900_000, 1_250_000)},
        shared={"higher": ("TH-2",), "lower": ("TH-1",)},
    )
    assert values_beside(result) == [
        ("TH-1", "budget_eur", 900_000),
        ("TH-2", "budget_eur", 1_250_000),
    ]
    assert said(result)[0].startswith("Quay Playhouse (TH-2) has the greater budget: 1250000 EUR")


async def test_several_attributes_of_two_name_no_higher_where_they_disagree(world: World):
    mixed = await world.ask(
        "Compare seats and budget of the Lantern Theatre and the Quay Playhouse"
    )
    agreed = await world.ask("Compare seats and budget of the Lantern Theatre and the Old Granary")

    assert mixed.result == Comparison(
        a="TH-1", b="TH-2", values={"seats": (420, 310), "budget_eur": (900_000, 1_250_000)}
    )
    assert isinstance(agreed.result, Comparison)
    assert agreed.result.shared == {"higher": ("TH-1",), "lower": ("TH-3",)}


async def test_what_one_of_two_lacks_is_none_in_the_comparison(world: World):
    result = await world.ask(
        "Compare seats and stage depth of the Quay Playhouse and the Old Granary"
    )

    assert isinstance(result.result, Comparison)
    assert result.result.values == {"seats": (310, 95), "stage_depth_m": (9, None)}
    assert result.why == "No stage depth is recorded for Old Granary (TH-3)."


@pytest.mark.parametrize(
    ("text", "attribute", "pair"),
    [
        ("Compare the fee of the Marigold Players and the Iron Mask Company", "fee", (700, 900)),
        ("Compare the town of the Quay Playhouse and the Old Granary", "town", ("Basel", "Basel")),
    ],
)
async def test_what_has_other_units_or_is_no_number_is_neither_higher_nor_lower(
    world: World, text: str, attribute: str, pair: tuple[object, object]
):
    result = await world.ask(text)

    assert isinstance(result.result, Comparison)
    assert result.result.values == {attribute: pair}
    assert result.result.shared == {}


@pytest.mark.parametrize(
    "text",
    [
        "Compare the seats of the Lantern Theatre, the Quay Playhouse and the Old Granary",
        "Seats of the Lantern Theatre and the Quay Playhouse, please",
    ],
)
async def test_three_or_what_is_not_compared_give_values(world: World, text: str):
    result = await world.ask(text)

    assert isinstance(result.result, Values)
    assert result.also == ()


@pytest.mark.parametrize(
    "text",
    [
        "By how many euros is the Quay Playhouse's budget bigger than the Lantern Theatre's?",
        "What is the difference in budget between the Lantern Theatre and the Quay Playhouse?",
        "How much more budget has the Quay Playhouse than the Lantern Theatre?",
    ],
)
async def test_by_how_much_asks_for_the_difference(world: World, text: str):
    result = await world.ask(text)

    assert result.result == Number(350_000, "EUR")
    assert isinstance(result.also[0], Comparison)
    assert result.also[0].shared == {"higher": ("TH-2",), "lower": ("TH-1",)}
    assert {entity for entity, _, _ in values_beside(result)} == {"TH-1", "TH-2"}
    assert said(result)[1] == "The difference is 350000 EUR."


async def test_which_and_by_how_much_gives_the_comparison_first(world: World):
    result = await world.ask(
        "Which has more seats, the Quay Playhouse or the Lantern Theatre, and by how many?"
    )

    assert isinstance(result.result, Comparison)
    assert result.also[0] == Number(110)


async def test_there_is_no_difference_between_units(world: World):
    result = await world.ask(
        "By how much is the fee of the Iron Mask Company higher than that of the Marigold Players?"
    )

    assert isinstance(result.result, Comparison)
    assert "difference" not in " ".join(said(result))


async def test_a_follow_up_asks_in_its_own_words(world: World):
    before = (Turn("user", "How many seats has the Lantern Theatre?"), Turn("assistant", "420."))

    same = await world.ask("and the Quay Playhouse?", *before)
    other = await world.ask("and what is its budget?", *before)

    assert same.result == Number(310)
    assert isinstance(other.result, Values)


async def test_who_or_what_something_is_asks_for_all_that_is_known(world: World):
    found = await world.ask("What is Quay Playhouse?")
    assert found.trace["shape"] == "profile"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Which has fewer seats, the Lantern Theatre or the Quay Playhouse?", "Quay Playhouse"),
        ("Which is older, the Lantern Theatre or the Quay Playhouse?", "Lantern Theatre"),
        ("Which opened earlier, the Quay Playhouse or the Lantern Theatre?", "Lantern Theatre"),
        ("Which opened later, the Quay Playhouse or the Lantern Theatre?", "Quay Playhouse"),
    ],
)
async def test_the_one_asked_for_leads_and_the_other_stands_beside_it(
    world: World, text: str, start: str
):
    first = said(await world.ask(text))[0]
    assert first.startswith(start)
    assert {"Lantern", "Quay"} <= set(first.split())


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("Has the Lantern Theatre more seats than the Quay Playhouse?", "Yes"),
        ("Does the Quay Playhouse have more seats than the Lantern Theatre?", "No"),
        ("Is the stage of the Quay Playhouse deeper than that of the Lantern Theatre?", "No"),
        ("Is the stage of the Quay Playhouse shallower than that of the Lantern Theatre?", "Yes"),
    ],
)
async def test_whether_one_has_more_than_another_is_said_yes_or_no(
    world: World, text: str, truth: str
):
    assert said(await world.ask(text))[0].startswith(f"{truth}: ")
