"""Made training questions: right by their making, the same each time, and no copy of a row."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from router.filling import Domain, templates
from router.making import Made, make
from tests.zoo import write_zoo
from trivium.domain.question import TierName
from trivium.knowledge.dataset import read_dataset

NAMES = {"Animal": ["Tembo", "Kiki"], "Keeper": ["Amelia Stone", "Bo Lind"]}


@pytest.fixture
def domain(tmp_path: Path) -> Domain:
    schema = read_dataset(write_zoo(tmp_path / "zoo")).schema
    return Domain(schema=schema, names=NAMES, asking={"rag": ["the diary of {Keeper}"]})


@pytest.fixture
def made(domain: Domain) -> list[Made]:
    return list(make(domain, seed=1))


def test_the_same_seed_makes_the_same_questions(domain: Domain, made: list[Made]):
    assert list(make(domain, seed=1)) == made
    assert list(make(domain, seed=2)) != made


def test_every_set_of_tiers_is_made(made: list[Made]):
    assert len(Counter(question.tiers for question in made)) == 8


def test_no_slot_is_left_open(made: list[Made]):
    assert not [m.question.text for m in made if re.search(r"[{}]", m.question.text)]


def test_the_clauses_of_a_question_need_just_its_tiers(made: list[Made]):
    mixed = [m for m in made if m.clauses]

    assert mixed
    for question in mixed:
        assert {tier for _, tier in question.clauses} == set(question.tiers)


def test_a_domain_without_relations_gives_no_nonsense(domain: Domain):
    bare = Domain(schema=domain.schema, names={})

    assert list(make(bare, seed=1)) == []


def test_labels_of_the_templates_are_tiers_or_none():
    known = {tier.value for tier in TierName} | {"none"}

    assert known <= set(templates())
    assert all(isinstance(text, str) for need in known for text in templates()[need])


def test_no_template_is_a_labelled_row():
    """Held-out figures mean something only where the rows are not in what is fitted on."""
    rows = {
        tuple(re.findall(r"[\w']+", json.loads(line)["query"].lower()))
        for file in Path("router/examples").glob("*/*examples.jsonl")
        for line in file.read_text("utf-8").splitlines()
    }
    asked = [
        tuple(re.findall(r"[\w']+", text.lower()))
        for need in ("cag", "rag", "graph", "none")
        for text in templates()[need]
    ]

    assert not [words for words in asked if words in rows and len(words) > 3]


def test_what_a_domain_alone_asks_is_asked_once_each_with_all_its_needs(domain: Domain):
    own = Domain(schema=domain.schema, names=NAMES, asking={"cag+rag": ["{Keeper}: age, diary"]})

    first = next(iter(make(own, seed=1)))

    assert first.tiers == (TierName.CAG, TierName.RAG)
    assert any(name.lower() in first.question.text.lower() for name in NAMES["Keeper"])
