"""Facts that are asked for in words that neither schema nor general words know."""

import httpx
import pytest

from tests.e2e.doors import ask


@pytest.mark.parametrize(
    ("text", "entity", "attribute", "value"),
    [
        ("What breed is Kiki?", "A-2", "species", "parrot"),
        ("How many guests walk through the Ice Cave?", "H-2", "visitors_per_day", 1200),
        ("Nanuk - how many kilos?", "A-3", "weight_kg", 390),
    ],
)
async def test_the_attribute_that_is_meant_is_told(
    client: httpx.AsyncClient, text: str, entity: str, attribute: str, value: object
):
    answer = await ask(client, text, tiers=["cag"])

    assert answer["status"] == "answered"
    told = [(c["entity"], c["attribute"], c["value"]) for c in answer["citations"]]
    assert told == [(entity, attribute, value)]
    assert str(value) in answer["answer"]
    assert "I read this as: the " in answer["answer"]


@pytest.mark.parametrize(
    "text",
    [
        "What is the salary of Amelia Stone?",
        "What was Tembo's fever?",
        "Where is Nanuk?",  # no text that is known of it says a place
        "When was Kiki hatched?",  # nor a day
        "How many tickets did Savannah Hall sell?",
        "Which keepers' unions pay Savannah Hall?",
    ],
)
async def test_what_no_attribute_means_is_refused(client: httpx.AsyncClient, text: str):
    answer = await ask(client, text, tiers=["cag"])

    assert answer["status"] == "abstained", answer["answer"]
