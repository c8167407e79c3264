"""Metrics: what is counted, and that no label comes from a caller."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from trivium.app.observing import GUARD_STATES, Metrics


def values(metrics: Metrics, name: str) -> dict[tuple[str, ...], float]:
    """Return the samples called ``name`` by their label values."""
    return {
        tuple(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(metrics.text().decode())
        for sample in family.samples
        if sample.name == name
    }


def test_tier_calls_are_counted_by_outcome():
    metrics = Metrics()
    for outcome in ("ok", "ok", "miss", "failed", "timeout", "refused"):
        metrics.tier("graph", outcome)

    counted = values(metrics, "trivium_tier_calls_total")
    assert counted["ok", "graph"] == 2
    assert {outcome for outcome, _ in counted} == {"ok", "miss", "failed", "timeout", "refused"}


def test_what_is_not_foreseen_is_other():
    metrics = Metrics()
    metrics.tier("'; drop", "\n evil")
    metrics.stage("💥", 1.0)
    metrics.guard_state("who?", "ajar")

    assert values(metrics, "trivium_tier_calls_total") == {("other", "other"): 1}
    assert values(metrics, "trivium_stage_seconds_count") == {("other",): 1}
    assert values(metrics, "trivium_guard_state")["other", "other"] == 1


@pytest.mark.parametrize("state", GUARD_STATES)
def test_a_guard_is_in_one_state(state: str):
    metrics = Metrics()
    metrics.guard_state("redis", "open")
    metrics.guard_state("redis", state)

    states = values(metrics, "trivium_guard_state")
    assert [of for (_, of), value in states.items() if value == 1] == [state]


def test_gauges_and_counts_of_others_are_read_at_each_scrape():
    metrics, n = Metrics(), [3]
    metrics.read_gauge("trivium_waiting", "Waiting.", lambda: n[0])
    metrics.read_counter("trivium_lost", "Lost.", lambda: n[0])
    metrics.shed()
    n[0] = 8

    assert values(metrics, "trivium_waiting") == {(): 8}
    assert values(metrics, "trivium_lost_total") == {(): 8}
    assert values(metrics, "trivium_requests_shed_total") == {(): 1}


def test_memory_and_file_handles_of_the_process_are_shown():
    metrics = Metrics()

    assert values(metrics, "process_resident_memory_bytes")[()] > 1e6
    assert values(metrics, "process_open_fds")[()] > 0
