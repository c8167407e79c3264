"""No type, relation, property or entity of an example data set stands in the packages' code."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PACKAGES = ("trivium", "router", "tiers", "synthesis", "feedback")
DATA_SETS = sorted(
    f.parent
    for place in ("examples", "router/examples")
    for f in (ROOT / place).glob("*/schema.yaml")
)
GENERAL = ROOT / "tests" / "general_names.txt"
"""Names of the data sets that are words of the language, or fields of every data set, and that the
code says in that sense."""


def literals() -> Iterator[tuple[str, str]]:
    """Give each text in the code that is no docstring, with its file."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(file.read_text("utf-8"))
            told = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
            for node in ast.walk(tree):
                if not isinstance(node, ast.Constant) or id(node) in told:
                    continue
                if isinstance(node.value, str):
                    yield node.value, str(file.relative_to(ROOT))
    for file in sorted((ROOT / "tiers/graphrag/templates/general").iterdir()):
        for text in leaves(yaml.safe_load(file.read_text("utf-8"))):
            yield text, str(file.relative_to(ROOT))


def leaves(part: object) -> Iterator[str]:
    """Give each text in what a YAML file says, but for its keys."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from (text for item in part.values() for text in leaves(item))
    elif isinstance(part, list):
        yield from (text for item in part for text in leaves(item))


def names() -> set[str]:
    """Return what the data sets call their types, relations, properties and entities."""
    found: set[str] = set()
    for folder in DATA_SETS:
        schema = yaml.safe_load((folder / "schema.yaml").read_text("utf-8"))
        for kind in (*schema.get("node_types", ()), *schema.get("relation_types", ())):
            found |= {kind["name"], *kind.get("properties", {})}
        for line in (folder / "nodes.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            found |= {row["id"], row["name"], *row.get("aliases", ())}
    return found


def test_the_packages_name_nothing_of_a_data_set():
    general = set(GENERAL.read_text("utf-8").split())
    taken = names() - general

    said = sorted({f"{text!r} in {file}" for text, file in literals() if text in taken})

    assert said == []


def test_what_is_exempt_is_words_of_the_data_sets_in_order():
    general = GENERAL.read_text("utf-8").split()

    assert general == sorted(set(general))
    assert set(general) <= names()
