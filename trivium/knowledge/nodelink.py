"""Node-link JSON, in and out: a graph as one file of nodes and links."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trivium.domain.errors import DataError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.knowledge.files import Report, Row

GRAPH_FILE: Final = "graph.json"
_LINKS: Final = ("edges", "links")
_Numbered = list[tuple[int, Row]]


@dataclass(frozen=True, slots=True)
class NodeLink:
    """The rows of a node-link file, each with its 1-based number."""

    nodes: _Numbered
    edges: _Numbered


def read_nodelink(path: Path, report: Report) -> NodeLink:
    """Read a graph; what is no number becomes null, and is counted in the report.

    Raises:
        DataError: the file is not a graph in node-link form.
    """
    try:
        raw = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(raw, dict) or not isinstance(raw.get("nodes"), list):
        raise DataError(f"{path.name} is not a node-link graph: it has no list of nodes")
    name = next((name for name in _LINKS if isinstance(raw.get(name), list)), None)
    if name is None:
        raise DataError(f"{path.name} has neither links nor edges: an empty list says that "
                        "there are none")  # fmt: skip
    if all(raw.get(other) for other in _LINKS):
        report.warn(path, 0, f"it has links and edges: its {name} are taken")
    n_mended = [0]
    nodes = _rows(raw["nodes"], path, report, n_mended)
    edges = _rows(raw[name], path, report, n_mended)
    if n_mended[0]:
        report.warn(path, 0, f"{n_mended[0]} values that are NaN or infinite are null")
    if raw.get("directed") is False:
        report.warn(path, 0, "it is undirected: each link is taken from source to target")
    return NodeLink(nodes, [(number, _edge(row)) for number, row in edges])


def _rows(items: list[object], path: Path, report: Report, n_mended: list[int]) -> _Numbered:
    found: _Numbered = []
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            found.append((number, {str(k): _finite(v, n_mended) for k, v in item.items()}))
        else:
            report.reject(path, number, "not a JSON object")
    return found


def _finite(value: object, n_mended: list[int]) -> object:
    """Return a value with null for what is no number, counting each."""
    if isinstance(value, float) and not math.isfinite(value):
        n_mended[0] += 1
        return None
    if isinstance(value, list):
        return [_finite(item, n_mended) for item in value]
    if isinstance(value, dict):
        return {key: _finite(item, n_mended) for key, item in value.items()}
    return value


def _edge(row: Row) -> Row:
    """Read ``key``: the type, where nothing else says it; a mere number of parallels is dropped."""
    key = row.get("key")
    if isinstance(key, str) and row.get("type") is None:
        row = {**row, "type": key}
        del row["key"]
    elif isinstance(key, int):
        row = {name: value for name, value in row.items() if name != "key"}
    return row


def nodelink_of(puts: Iterable[Change]) -> dict[str, object]:
    """Return entities and relations, valid and expired, as a node-link graph.

    Of what several data sets say of an entity, the last to speak holds.
    """
    nodes: dict[str, dict[str, object]] = {}
    edges: list[dict[str, object]] = []
    names: list[str] = []
    for change in puts:
        match change.kind:
            case ChangeKind.PUT_NODE:
                nodes.pop(change.key, None)
                nodes[change.key] = _row(change.payload, ("id", "type", "name", "aliases", "acl"))
            case ChangeKind.PUT_EDGE:
                row = _row(change.payload, ("source", "target", "type", "acl"))
                edges.append({"id": change.key, **row})
            case ChangeKind.SET_SCHEMA:
                names.append(str(change.payload.get("name")))
            case _:
                pass
    return {
        "directed": True,
        "multigraph": True,
        "graph": {"name": " + ".join(names)},
        "nodes": list(nodes.values()),
        "edges": edges,
    }


def _row(payload: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    """Return a row as a data set has it: properties beside what every row has."""
    own = {name: payload.get(name) for name in names if payload.get(name) not in (None, [])}
    properties = payload.get("properties")
    return {**own, **(properties if isinstance(properties, Mapping) else {})}
