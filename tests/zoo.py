"""A small data set of an invented domain, for tests that need one on disk."""

import json
from pathlib import Path

SCHEMA = """\
name: zoo
as_of: 2026-08-01
node_types:
  - name: Keeper
    description: A person who looks after animals.
    properties: {shift: when the keeper works}
  - name: Animal
    description: A living being in the zoo.
    properties: {weight_kg: how heavy it is, species: what it is}
  - name: House
    description: A building with enclosures.
    properties: {visitors_per_day: people on a normal day}
relation_types:
  - {name: FEEDS, source: Keeper, target: Animal, description: The keeper feeds the animal.}
  - {name: LIVES_IN, source: Animal, target: House, description: The animal lives in the house.}
"""
NODES = (
    {"id": "K-1", "type": "Keeper", "name": "Amelia Stone", "shift": "early"},
    {"id": "K-2", "type": "Keeper", "name": "Bruno Falk", "shift": "late"},
    {"id": "A-1", "type": "Animal", "name": "Tembo", "weight_kg": 4100, "species": "elephant"},
    {"id": "A-2", "type": "Animal", "name": "Kiki", "weight_kg": 2, "species": "parrot"},
    {"id": "A-3", "type": "Animal", "name": "Nanuk", "weight_kg": 390, "species": "polar bear"},
    {"id": "H-1", "type": "House", "name": "Savannah Hall", "visitors_per_day": 900},
    {"id": "H-2", "type": "House", "name": "Ice Cave", "visitors_per_day": 1200},
)
EDGES = (
    {"source": "K-1", "target": "A-1", "type": "FEEDS", "valid_from": "2024-01-01"},
    {"source": "K-2", "target": "A-1", "type": "FEEDS", "valid_to": "2025-12-31"},
    {"source": "K-2", "target": "A-3", "type": "FEEDS"},
    {"source": "K-1", "target": "A-2", "type": "FEEDS"},
    {"source": "A-1", "target": "H-1", "type": "LIVES_IN"},
    {"source": "A-2", "target": "H-1", "type": "LIVES_IN"},
    {"source": "A-3", "target": "H-2", "type": "LIVES_IN"},
)
RULES = """\
---
id: doc-rules
title: House rules
date: 2026-01-10
---
# House rules

## Feeding
Polar bears are fed at half past two. Nobody enters an enclosure alone, whatever the reason.

## Visitors
A visitor who feeds an animal is asked to leave, and pays a fine of 60 euros.
"""


def write_zoo(directory: Path) -> Path:
    """Write the data set; return its directory."""
    (directory / "documents").mkdir(parents=True)
    (directory / "schema.yaml").write_text(SCHEMA)
    for name, rows in (("nodes", NODES), ("edges", EDGES)):
        lines = (json.dumps(row) for row in rows)
        (directory / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    (directory / "documents" / "rules.md").write_text(RULES)
    return directory
