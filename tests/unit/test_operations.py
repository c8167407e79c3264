"""The manual for whoever is on call names what there is, and nothing else."""

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.fakes import HashEncoder
from tests.unit.test_health import Followed
from trivium.app import checks
from trivium.app.health import State, Status
from trivium.app.observing import GUARD_STATES, OUTCOMES, STAGES, Metrics
from trivium.app.settings import Settings

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "operations.md").read_text()
LATER = {
    *("trivium_answers_pending", "trivium_answers_dropped_total", "trivium_knowledge_version"),
    *("trivium_memory_audited_total", "trivium_memory_wrong_total"),
}
"""Registered where the service is wired; tests/e2e/test_seeing.py sees them."""


def test_it_explains_every_metric_and_no_other():
    families = text_string_to_metric_families(Metrics().text().decode())
    ours = {
        family.name + ("_total" if family.type == "counter" else "")
        for family in families
        if family.name.startswith("trivium_") and not family.name.endswith("_created")
    }

    told = set(re.findall(r"`(trivium_[a-z_]+)`", MANUAL)) - {"trivium_home"}
    assert told == ours | LATER


def test_it_explains_every_part_and_state():
    settings, followed = Settings.model_validate({}), Followed()

    async def ping() -> None: ...

    named = [
        checks.journal(followed, settings),
        checks.memory(ping, settings),
        checks.encoder(HashEncoder(), settings),
        checks.router_model(lambda: None),
        checks.disk(ROOT),
    ]
    parts = {check.name for check in named} | {"names", "graph", "facts", "documents", "answers"}
    table = MANUAL.split("| part | without it")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z ]+)` \|", table, re.MULTILINE)) == parts
    for word in (*State, *Status, *OUTCOMES, *STAGES, *GUARD_STATES[:3]):
        assert f"`{word}`" in MANUAL


def test_its_settings_exist_with_the_defaults_it_tells():
    fields = {f"TRIVIUM_{name.upper()}": field for name, field in Settings.model_fields.items()}
    rows = re.findall(r"^\| `(TRIVIUM_[A-Z_]+)` \| (\d+) \|", MANUAL, re.MULTILINE)

    assert rows
    assert {name: float(default) for name, default in rows} == {
        name: float(fields[name].default) for name, _ in rows
    }
    elsewhere = {"TRIVIUM_PUBLISH"}  # Compose's
    assert set(re.findall(r"TRIVIUM_[A-Z_]+", MANUAL)) <= fields.keys() | elsewhere | {"TRIVIUM_"}


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#]+)\)", MANUAL))
def test_its_links_lead_somewhere(path: str):
    assert (ROOT / "docs" / path).exists()
