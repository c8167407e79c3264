"""Made training questions: right by their making, the same each time, and no copy of a row."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from router.filling import Domain, Filler, gerund, templates
from router.making import Made, make
from tests.zoo import write_zoo
from trivium.domain.question import TierName
from trivium.domain.schema import Property, PropertyKind
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


def test_a_further_turn_has_its_own_words_as_its_clause(made: list[Made]):
    turns = [m for m in made if m.question.history and m.clauses]

    assert {m.tiers for m in turns} == {(tier,) for tier in TierName}
    assert all(len(m.clauses) == 1 for m in turns)


def test_several_needs_are_also_asked_in_one_breath(made: list[Made]):
    fused = [m for m in made if len(m.tiers) > 1 and not m.clauses]

    assert len({m.tiers for m in fused}) > 1


def test_a_domain_without_relations_gives_no_nonsense(domain: Domain):
    bare = Domain(schema=domain.schema, names={})

    assert list(make(bare, seed=1)) == []


def test_labels_of_the_templates_are_tiers_or_none():
    known = {tier.value for tier in TierName} | {"none"}

    assert known <= set(templates())
    assert all(isinstance(text, str) for need in known for text in templates()[need])


def texts(told: Any) -> Iterator[str]:
    """Give all texts in what YAML holds."""
    if isinstance(told, str):
        yield told
    else:
        for below in told.values() if isinstance(told, dict) else told:
            yield from texts(below)


def test_no_template_is_a_labelled_row():
    """Held-out figures mean something only where the rows are not in what is fitted on."""
    rows = {
        tuple(re.findall(r"[\w']+", json.loads(line)["query"].lower()))
        for place in ("router/examples/*/*examples.jsonl", "bench/questions/routes_*.jsonl")
        for file in Path().glob(place)
        for line in file.read_text("utf-8").splitlines()
    }
    worlds = yaml.safe_load(Path("router/made/worlds.yaml").read_text("utf-8"))
    ways = {name: own for name, own in templates().items() if name != "fill"}
    asked = [
        tuple(re.findall(r"[\w']+", text.lower()))
        for text in texts([ways, *(world["ask"] for world in worlds.values())])
    ]

    assert not [words for words in asked if words in rows and len(words) > 3]


def test_a_number_of_a_relation_is_asked_for_by_its_name(domain: Domain):
    feeds = domain.schema.relation_types["FEEDS"]
    meals = Property(name="meals_a_week", kind=PropertyKind.NUMBER)
    schema = replace(
        domain.schema, relation_types={"FEEDS": replace(feeds, properties={meals.name: meals})}
    )
    filler = Filler(replace(domain, schema=schema), random.Random(1))

    assert filler.fill("how many {R}") == "how many meals a week"
    assert Filler(domain, random.Random(1)).fill("how many {R}") is None


def test_a_relation_is_asked_for_as_it_goes_on_and_in_its_own_direction(domain: Domain):
    filler = Filler(domain, random.Random(1))

    told = {filler.fill("is {E} still {doing} {F}") for _ in range(20)}

    assert all(text is not None and " still feeding " in text for text in told)
    assert any("is Amelia Stone still feeding Tembo" in (text or "") for text in told)


@pytest.mark.parametrize(
    ("relation", "going_on"),
    [
        ("supplies", "supplying"),
        ("makes", "making"),
        ("runs on", "running on"),
        ("agrees", "agreeing"),
        ("owned by", None),
    ],
)
def test_a_verb_of_the_present_has_a_form_in_ing(relation: str, going_on: str | None):
    assert gerund(relation) == going_on


def test_over_all_domains_each_way_of_asking_comes_up_as_often(domain: Domain):
    ways = {need: [f"{need} {n}" for n in range(30)] for need in ("cag", "rag", "graph", "none")}
    told = replace(domain, asking={}, ways={**templates(), **ways})

    asked = Counter(
        m.question.text.lower().rstrip("?")
        for seed in range(6)
        for m in make(told, seed)
        if re.fullmatch(r"graph \d+\??", m.question.text.lower()) and not m.question.history
    )

    assert len(asked) == 30
    assert max(asked.values()) <= 3 * min(asked.values())


def test_what_a_domain_alone_asks_is_asked_once_each_with_all_its_needs(domain: Domain):
    own = Domain(schema=domain.schema, names=NAMES, asking={"cag+rag": ["{Keeper}: age, diary"]})

    first = next(iter(make(own, seed=1)))

    assert first.tiers == (TierName.CAG, TierName.RAG)
    assert any(name.lower() in first.question.text.lower() for name in NAMES["Keeper"])
