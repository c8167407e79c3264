"""Questions about single relations are read in all the forms that English has for them."""

import random
from pathlib import Path

import pytest

from bench.grammar import questions
from bench.reading import Domain


@pytest.mark.parametrize(
    "directory",
    ["examples/aerospace", "router/examples/university", "bench/questions/domains/estate"],
)
def test_plain_questions_about_each_relation_are_read(directory: str):
    domain = Domain.load(Path(directory))

    wrong = []
    asked = list(questions(domain, random.Random(0)))
    for one in asked:
        outcome = domain.answer({"id": "", "query": one.text, "gold": one.gold})
        if not outcome.right:
            wrong.append((one.text, outcome.understood or outcome.why))

    assert len(asked) > 250
    assert len(wrong) <= 0.04 * len(asked), wrong


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Who is supplying the parts that Avionics Hub Delta uses?", ["SUP-001", "SUP-008"]),
        ("Which products do all open events reach?", ["PRD-002"]),
        ("Which products do all of the open events reach?", ["PRD-002"]),
        ("Which plants are hit by all the open events?", []),
        ("Which plants use all the parts of TechChip?", ["FAC-004"]),
    ],
)
def test_who_does_it_and_every_one_of_some_are_read(text: str, ids: list[str]):
    domain = Domain.load(Path("examples/aerospace"))

    outcome = domain.answer({"id": "", "query": text, "gold": {"ids": ids}})

    assert outcome.right, outcome.understood
