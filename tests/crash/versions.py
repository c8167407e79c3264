"""The zoo in numbered versions, each of which shows in every tier."""

import json
from pathlib import Path

import httpx

from tests.crash.looking import Items, answer_of, items_of, said
from tests.zoo import EDGES, NODES, RULES, SCHEMA
from trivium.knowledge.dataset import read_dataset

HOUSES = ("H-1", "H-2")


def write_version(directory: Path, version: int, *, n_more: int = 0) -> Path:
    """Write the zoo as of ``version`` into a directory of its own, which is returned.

    Args:
        directory: where the versions are.
        version: changes the weight of Kiki, the fine, and where Zula lives.
        n_more: further animals, to make loading long.
    """
    place = directory / f"version-{version}"
    (place / "documents").mkdir(parents=True)
    (place / "schema.yaml").write_text(SCHEMA)
    nodes = [
        {**node, "weight_kg": 100 + version} if node["id"] == "A-2" else node for node in NODES
    ]
    nodes.append({"id": "A-9", "type": "Animal", "name": "Zula"})
    house = HOUSES[version % 2]
    edges = [*EDGES, {"source": "A-9", "target": house, "type": "LIVES_IN"}]
    for n in range(n_more):
        animal = f"M-{n}"
        name = f"Number {n}"
        nodes.append({"id": animal, "type": "Animal", "name": name, "weight_kg": version})
        edges.append({"source": animal, "target": house, "type": "LIVES_IN"})
    for name, rows in (("nodes", nodes), ("edges", edges)):
        (place / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    rules = RULES.replace("60 euros", f"{1000 + version} euros")
    (place / "documents" / "rules.md").write_text(rules)
    return place


def wanted(place: Path) -> Items:
    """Return what the journal holds when a version is loaded."""
    return said(list(read_dataset(place).changes))


async def version_of(home: Path, directory: Path) -> int | None:
    """Return which version a home's journal holds, whole; ``None`` for none.

    Raises:
        AssertionError: it holds a part of one.
    """
    held = await items_of(home, "zoo")
    if not held:
        return None
    kiki = held["node", "A-2"]
    assert isinstance(kiki, dict)
    version = int(kiki["properties"]["weight_kg"]) - 100
    assert held == wanted(directory / f"version-{version}"), f"version {version} is there in part"
    return version


async def every_tier_says(client: httpx.AsyncClient, version: int) -> None:
    """Ask each tier for what ``version`` says."""
    fact = await answer_of(client, "How heavy is Kiki?", "cag")
    assert f" {100 + version} kg" in str(fact["answer"]), fact["answer"]
    passage = await answer_of(client, "What fine does a visitor pay who feeds an animal?", "rag")
    assert f"{1000 + version} euros" in str(passage["answer"]), passage["answer"]
    home = await answer_of(client, "In which house does Zula live?", "graph")
    assert home["result"] == {"kind": "nodes", "ids": [HOUSES[version % 2]]}, home
