"""Makes order-to-supplier graphs of any size: hubs, skew, validity, parallel relations; seeded."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.schema import Effect, NodeType, RelationType, Schema

SHARES: Final = {
    "Supplier": 0.12, "Part": 0.50, "Factory": 0.06, "Product": 0.10, "Customer": 0.20,
    "Event": 0.02,
}  # fmt: skip
"""What share of the entities is of each type."""
RELATIONS: Final = (
    ("SUPPLIES", "Supplier", "Part", 0.40, Effect.FORWARD),
    ("USES", "Factory", "Part", 0.30, Effect.BACKWARD),
    ("MAKES", "Factory", "Product", 0.10, Effect.FORWARD),
    ("BUYS", "Customer", "Product", 0.16, Effect.BACKWARD),
    ("AFFECTS", "Event", "Supplier", 0.04, Effect.FORWARD),
)
"""Name, ends, share of the relations, direction of effects."""
EDGES_PER_NODE: Final = 3
TODAY: Final = "2024-12-01"
_SEVERITIES: Final = ("critical", "high", "medium", "low")


def schema() -> Schema:
    """Return what the graphs hold."""
    return Schema(
        name="supply",
        as_of=TODAY,
        node_types={n: NodeType(name=n, is_event=n == "Event") for n in SHARES},
        relation_types={
            name: RelationType(name=name, ends=((source, target),), effect=effect)
            for name, source, target, _, effect in RELATIONS
        },
    )


def ids_of(node_type: str, n_nodes: int) -> list[str]:
    """Return the ids of a type in a graph of a size, most joined ones first."""
    return [f"{node_type[:3]}-{i:07}" for i in range(max(2, round(SHARES[node_type] * n_nodes)))]


def changes(n_nodes: int, seed: int = 0) -> Iterator[Change]:
    """Give the entities and relations of a graph as puts."""
    rng = random.Random(seed)
    for node_type in SHARES:
        for node_id in ids_of(node_type, n_nodes):
            yield Change(
                kind=ChangeKind.PUT_NODE,
                key=node_id,
                payload=_node(rng, node_id, node_type),
                source="supply",
            )
    for name, source, target, share, _ in RELATIONS:
        sources, targets = ids_of(source, n_nodes), ids_of(target, n_nodes)
        for number in range(round(share * EDGES_PER_NODE * n_nodes)):
            yield Change(
                kind=ChangeKind.PUT_EDGE,
                key=f"{name}-{number}",
                payload=_edge(rng, name, _skewed(rng, sources), _skewed(rng, targets)),
                source="supply",
            )


def _skewed(rng: random.Random, ids: list[str]) -> str:
    """Return one of some: half of the time any, else the early ones far more often."""
    share = rng.random()
    return ids[int(len(ids) * (share**3 if rng.random() < 0.5 else share))]


def _node(rng: random.Random, node_id: str, node_type: str) -> dict[str, object]:
    properties: dict[str, object] = {"grade": rng.randrange(1, 6)}
    if node_type == "Event":
        is_open = rng.random() < 0.3
        properties = {
            "severity": rng.choice(_SEVERITIES),
            "status": "active" if is_open else "over",
        }
    return {"id": node_id, "type": node_type, "name": f"{node_type} {node_id[4:]}",
            "properties": properties}  # fmt: skip


def _edge(rng: random.Random, name: str, source: str, target: str) -> dict[str, object]:
    """Return a relation: one in five has ended or has not begun."""
    days: dict[str, object] = {}
    dice = rng.random()
    if dice < 0.15:
        days = {"valid_from": "2020-01-01", "valid_to": f"202{rng.randrange(1, 4)}-06-30"}
    elif dice < 0.2:
        days = {"valid_from": "2025-03-01"}
    return {"source": source, "target": target, "type": name, **days}


def write(path: Path, n_nodes: int) -> None:
    """Write the changes of a graph as JSON Lines."""
    with path.open("w", encoding="utf-8") as file:
        for change in changes(n_nodes):
            row = [change.kind.value, change.key, change.source, change.payload]
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


def read(path: Path) -> Iterator[Change]:
    """Give the changes that a file holds."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            kind, key, source, payload = json.loads(line)
            yield Change(kind=ChangeKind(kind), key=key, source=source, payload=payload)
