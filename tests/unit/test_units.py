"""The units that a schema tells, and where answers carry them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.fakes import HashEncoder, MemoryFactStore, NoEncoder
from tiers.cag.projection import FactProjection
from tiers.cag.tier import CagTier
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.tier import GraphTier
from trivium.domain.deadline import Deadline
from trivium.domain.question import Question
from trivium.domain.result import Number
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader
from trivium.language.units import unit_told

SCHEMA = {
    "name": "makers",
    "as_of": "2026-08-01",
    "node_types": [
        {
            "name": "Maker",
            "properties": {
                "annual_revenue": "yearly revenue in million USD",
                "loss_percent": "share that is lost in percent",
                "rooms": "number of rooms",
            },
        },
        {"name": "Shop", "properties": {"budget_eur": "yearly budget, in thousands of euros"}},
    ],
    "relation_types": [
        {
            "name": "SELLS_TO",
            "source": "Maker",
            "target": "Shop",
            "properties": {"volume": "yearly sales in thousands of euros", "crates": "how many"},
        }
    ],
}
NODES: list[Mapping[str, object]] = [
    {"id": "M-1", "type": "Maker", "name": "Brightwell", "annual_revenue": 12.5,
     "loss_percent": 4, "rooms": 3},
    {"id": "M-2", "type": "Maker", "name": "Norcroft", "annual_revenue": 7.5, "loss_percent": 2,
     "rooms": 5},
    {"id": "S-1", "type": "Shop", "name": "Larkhall", "budget_eur": 90},
    {"id": "S-2", "type": "Shop", "name": "Quenby", "budget_eur": 40},
]  # fmt: skip
EDGES = [
    {"source": "M-1", "target": "S-1", "type": "SELLS_TO", "volume": 30, "crates": 2},
    {"source": "M-2", "target": "S-1", "type": "SELLS_TO", "volume": 20, "crates": 4},
]
FACTS = [
    {"entity": "M-2", "attribute": "annual_revenue", "value": 6, "as_of": "2025-08-01"},
    {"entity": "M-2", "attribute": "annual_revenue", "value": 7.5, "as_of": "2026-08-01"},
    {"entity": "S-2", "attribute": "budget_eur", "value": 40_000, "unit": "EUR"},
]


@pytest.fixture
async def tiers(tmp_path: Path):
    (tmp_path / "schema.yaml").write_text(yaml.safe_dump(SCHEMA))
    for name, rows in (("nodes", NODES), ("edges", EDGES), ("facts", FACTS)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    changes = [replace(c, sequence=n) for n, c in enumerate(read_dataset(tmp_path).changes, 1)]
    store, graph, lexicon = MemoryFactStore(), MemoryGraph(), lexicon_of(changes)
    await FactProjection(store).apply(changes, len(changes))
    await graph.apply(changes, len(changes))
    reader = QuestionReader(HashEncoder(), lexicon)
    return reader, CagTier(store, lexicon, NoEncoder()), GraphTier(graph, lambda: lexicon.schema)


@pytest.mark.parametrize(
    ("name", "description", "unit"),
    [
        ("annual_revenue", "yearly revenue in million USD", "million USD"),
        ("fee", "yearly fee in thousands of pounds", "thousand GBP"),
        ("price", "price in euros a tonne", "EUR per t"),
        ("bandwidth", "bandwidth in gigabits a second", "Gbps"),
        ("miles", "length in nautical miles", "nautical miles"),
        ("floor", "floor area in square metres", "square metres"),
        ("capacity", "millions of passengers a year", "million passengers a year"),
        ("people_k", "inhabitants, in thousands", "thousand"),
        ("budget_eur", "budget in millions of euros", "million EUR"),
        ("hire_usd_day", "hire a day, in dollars", "USD per day"),
        ("built", "year in which it was built", None),
        ("since", "first year in the guild", None),
        ("rooms", "number of rooms in the house", None),
    ],
)
def test_a_name_or_a_description_tells_the_unit(name: str, description: str, unit: str | None):
    assert unit_told(name, description) == unit


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("How much revenue does Brightwell have?", Number(12.5, "million USD")),
        ("What is the total annual revenue of our makers?", Number(20, "million USD")),
        ("What is the average annual revenue of our makers?", Number(10, "million USD")),
        ("How much budget has Larkhall?", Number(90, "thousand EUR")),
        ("How much budget has Quenby?", Number(40_000, "EUR")),
        ("By how much did the annual revenue of Norcroft rise?", Number(1.5, "million USD")),
    ],
)
async def test_facts_are_in_the_unit_that_the_schema_tells(tiers, text: str, number: Number):
    reader, facts, _ = tiers
    result = await facts.retrieve(reader.read(Question(text=text)), Deadline.after(5))
    assert result.result == number
    assert str(number.unit) in result.statements[0].text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("What is the total annual revenue of the makers that sell to Larkhall?",
         Number(20, "million USD")),
        ("What is the average annual revenue of the makers that sell to Larkhall?",
         Number(10, "million USD")),
        ("What is the total volume that is sold to Larkhall?", Number(50, "thousand EUR")),
        ("What is the average loss percent of the makers that sell to Larkhall?", Number(3, "%")),
        ("What is the total number of rooms of the makers that sell to Larkhall?", Number(8)),
        ("How many makers sell to Larkhall?", Number(2)),
    ],
)  # fmt: skip
async def test_what_the_graph_computes_is_in_that_unit(tiers, text: str, number: Number):
    reader, _, graph = tiers
    result = await graph.retrieve(reader.read(Question(text=text)), Deadline.after(5))
    assert result.result == number
    if number.unit == "%":
        assert result.statements[0].text.startswith("3%")
