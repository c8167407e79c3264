"""Everyday ways of asking for a number, which name its attribute in no word of its own."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.fakes import HashEncoder, MemoryFactStore, NoEncoder
from tiers.cag.projection import FactProjection
from tiers.cag.tier import CagTier
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import Reason, TierResult
from trivium.domain.question import Question
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

TYPES: Mapping[str, Mapping[str, tuple[object, str]]] = {
    "Firm": {
        "employees": (340, ""),
        "annual_revenue": (12, "yearly revenue in million USD"),
        "founded": (1974, "year of foundation"),
        "city": ("Graz", "town of its seat"),
    },
    "Agency": {
        "n_staff": (41, "number of people on the payroll"),
        "founded": (1990, "year"),
        "budget_keur": (900, "yearly budget in thousands of euros"),
    },
    "Branch": {
        "headcount": (18, ""),
        "opened": (2003, "year of opening"),
        "floor_area_m2": (820, ""),
    },
    "Depot": {"employee_count": (77, ""), "bays": (12, "loading bays")},
    "Hall": {
        "capacity": (450, "people it can hold"),
        "area_m2": (610, "floor area"),
        "height_m": (14, ""),
        "built": (1961, "year of building"),
        "storeys": (3, ""),
    },
    "Vessel": {
        "length_m": (88, ""),
        "width_m": (15, ""),
        "draught_m": (4.2, ""),
        "weight_t": (1900, ""),
        "top_speed_kn": (17, ""),
        "max_guests": (240, ""),
        "fuel_use_l_hour": (310, ""),
    },
    "Machine": {
        "max_load_kg": (900, "greatest load"),
        "price_eur": (41000, "purchase price"),
        "age": (7, "age in years"),
        "power_kw": (22, ""),
    },
    "Stop": {
        "distance_km": (31, "distance from the depot"),
        "altitude_m": (640, ""),
        "platforms": (2, ""),
    },
    "Town": {"population": (5400, ""), "area_km2": (12, "")},
    "Track": {"miles": (26, "length in miles"), "duration_min": (95, "time it takes")},
    "Oven": {
        "temperature_c": (240, ""),
        "energy_consumption_kwh_day": (52, ""),
        "rent_eur_month": (350, ""),
    },
    "Sale": {
        "contract_value_usd": (99000, "agreed sum"),
        "spent_usd": (45000, "money spent so far"),
    },
}
"""Type → attribute → value and description."""

NAMES = {
    "Firm": "Brightwell",
    "Agency": "Norcroft",
    "Branch": "Ashdown",
    "Depot": "Kestrel Yard",
    "Hall": "Larkhall",
    "Vessel": "Merganser",
    "Machine": "Otis Nine",
    "Stop": "Pellwood",
    "Town": "Quenby",
    "Track": "Ridgeway",
    "Oven": "Samphire",
    "Sale": "Tarnbrook",
}

ASKED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("Firm", "employees"): (
        "How many people work at X?",
        "How many people work for X?",
        "How many people does X employ?",
        "how many people are employed at X",
        "What's the headcount of X?",
        "number of staff at X",
        "What is X's workforce?",
        "How many employees does X have?",
        "How many workers does X have?",
        "how many people has X got on its payroll",
        "How big is the workforce of X?",
        "What is the size of X's staff?",
        "X headcount?",
        "how many are employed by X",
        "How many folks work at X?",
    ),
    ("Agency", "n_staff"): (
        "How many people work at X?",
        "headcount of X",
        "How many employees does X have?",
        "how many people does X employ?",
    ),
    ("Branch", "headcount"): (
        "How many people work at X?",
        "How many staff does X have?",
        "How many employees are there at X?",
        "how many work there at X",
    ),
    ("Depot", "employee_count"): (
        "How many people work at X?",
        "how large is the staff of X?",
        "number of people employed at X",
    ),
    ("Firm", "annual_revenue"): (
        "How much does X turn over?",
        "How much does X earn in a year?",
        "What are X's sales?",
        "What is X's turnover?",
        "how much money does X bring in",
    ),
    ("Firm", "founded"): (
        "How old is X?",
        "When was X founded?",
        "How long has X existed?",
        "since when does X exist",
        "how long has X been around?",
    ),
    ("Branch", "opened"): ("How old is X?", "since when has X been open"),
    ("Branch", "floor_area_m2"): ("How big is X?", "How large is X?", "what size is X?"),
    ("Hall", "capacity"): (
        "How many people can X hold?",
        "How many can X hold?",
        "How many people fit in X?",
        "How many people does X seat?",
        "room for how many people is there in X",
        "How many people can you get into X?",
        "how many does X take",
        "What is the maximum number of people in X?",
    ),
    ("Hall", "height_m"): ("How tall is X?", "How high is X?"),
    ("Hall", "built"): ("How old is X?", "When was X built?", "What year is X from?"),
    ("Hall", "storeys"): ("How many floors does X have?",),
    ("Vessel", "length_m"): ("How long is X?",),
    ("Vessel", "width_m"): ("How wide is X?", "how broad is X"),
    ("Vessel", "draught_m"): ("How deep does X go?", "What depth does X need?"),
    ("Vessel", "weight_t"): ("How heavy is X?", "How much does X weigh?", "What does X weigh?"),
    ("Vessel", "top_speed_kn"): ("How fast is X?", "How fast can X go?", "How quick is X?"),
    ("Vessel", "max_guests"): (
        "How many people can X carry?",
        "how many people fit on X",
        "How many guests can X take?",
    ),
    ("Vessel", "fuel_use_l_hour"): (
        "How much fuel does X burn?",
        "How much fuel does X use?",
        "how much does X consume",
        "How thirsty is X?",
    ),
    ("Machine", "max_load_kg"): (
        "How much can X lift?",
        "How much can X carry?",
        "what is the most X can carry",
        "How much weight can X bear?",
    ),
    ("Machine", "price_eur"): (
        "What does X cost?",
        "How much is X?",
        "How much does X cost?",
        "How expensive is X?",
        "what do we pay for X",
        "what did X cost us",
        "What is the price of X?",
        "how much did we pay for X?",
    ),
    ("Machine", "age"): ("How old is X?",),
    ("Machine", "power_kw"): ("How powerful is X?", "How strong is X?"),
    ("Stop", "distance_km"): (
        "How far is X?",
        "How far away is X?",
        "How far is it to X?",
        "How distant is X?",
        "how far off is X?",
    ),
    ("Stop", "altitude_m"): ("How high is X?", "how high up is X"),
    ("Town", "population"): (
        "How many people live in X?",
        "How many inhabitants does X have?",
        "how many residents has X",
    ),
    ("Town", "area_km2"): ("How large an area does X cover?",),
    ("Track", "miles"): ("How far is it on X?", "How many miles is X?"),
    ("Track", "duration_min"): ("How long does X take?", "how much time does X take"),
    ("Oven", "temperature_c"): ("How hot is X?", "how warm is X"),
    ("Oven", "energy_consumption_kwh_day"): (
        "How much energy does X use?",
        "How much does X consume?",
    ),
    ("Oven", "rent_eur_month"): (
        "What do we pay for X a month?",
        "What does X cost a month?",
        "How much is X per month?",
    ),
    ("Sale", "contract_value_usd"): ("What is X worth?", "How much is X worth?"),
    ("Sale", "spent_usd"): ("How much have we spent on X?", "how much money went into X"),
}
"""Ways to ask for an attribute of X."""
ROWS = [
    (said.replace("X", NAMES[kind]), attribute)
    for (kind, attribute), ways in ASKED.items()
    for said in ways
]
EITHER = ("big", "large", "size")
"""Words that ask for two attributes alike."""


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("everyday")
    described = [
        {"name": kind, "properties": {name: text for name, (_, text) in held.items()}}
        for kind, held in TYPES.items()
    ]
    schema = {"name": "everyday", "as_of": "2026-08-01", "node_types": described}
    nodes = [
        {"id": f"{kind}-1", "type": kind, "name": NAMES[kind],
         **{name: value for name, (value, _) in held.items()}}
        for kind, held in TYPES.items()
    ]  # fmt: skip
    (directory / "schema.yaml").write_text(yaml.safe_dump(schema))
    (directory / "nodes.jsonl").write_text("\n".join(map(json.dumps, nodes)))
    return directory


@pytest.fixture
async def asked(data_set: Path):
    changes = [replace(c, sequence=n) for n, c in enumerate(read_dataset(data_set).changes, 1)]
    store, lexicon = MemoryFactStore(), lexicon_of(changes)
    await FactProjection(store).apply(changes, len(changes))
    tier, reader = CagTier(store, lexicon, NoEncoder()), QuestionReader(HashEncoder(), lexicon)

    async def ask(text: str) -> TierResult:
        return await tier.retrieve(reader.read(Question(text=text)), Deadline.after(5))

    return ask


@pytest.mark.parametrize(("text", "attribute"), ROWS)
async def test_an_everyday_way_of_asking_finds_the_attribute(asked, text: str, attribute: str):
    found = [fact.attribute for fact in (await asked(text)).evidence]
    may_be_two = any(word in text for word in EITHER)
    assert found == [attribute] or (may_be_two and attribute in found and len(found) == 2)


@pytest.mark.parametrize(
    "text", ["How many windows has Larkhall?", "How heavy is Quenby?", "How far is it on Larkhall?"]
)
async def test_an_amount_that_is_not_recorded_is_answered_by_no_profile(asked, text: str):
    result = await asked(text)
    assert result.reason is Reason.NOT_IN_SCHEMA
