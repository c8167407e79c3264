"""Faults that other routers were reported for, on the shipped model, without an encoding."""

from pathlib import Path

import pytest

from router.router import LearnedRouter
from tests.fakes import HashEncoder
from trivium.domain.question import Question, TierName, Turn
from trivium.domain.route import RouteDecision
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

CAG, RAG, GRAPH = TierName.CAG, TierName.RAG, TierName.GRAPH


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    changes = read_dataset(Path("router/examples/enterprise")).changes
    return QuestionReader(HashEncoder(), lexicon_of(changes))


def route(reader: QuestionReader, text: str, before: str | None = None) -> RouteDecision:
    history = (Turn("user", before),) if before else ()
    return LearnedRouter.shipped().route(reader.read(Question(text=text, history=history)))


def test_r01_a_tale_about_a_cat_goes_nowhere(reader: QuestionReader):
    assert route(reader, "my cat is upset about politics, tell it a story").tiers == ()


def test_r03_a_german_question_goes_where_its_english_twin_goes(reader: QuestionReader):
    german = route(reader, "Welche Lieferanten beliefern Acme?")

    assert german.tiers == route(reader, "Which suppliers supply Acme?").tiers == (GRAPH,)


def test_r05_a_tier_named_in_passing_is_no_trigger(reader: QuestionReader):
    assert route(reader, "find the graph in the Q3 pdf report").tiers == (RAG,)


def test_r06_a_pronoun_is_routed_with_what_it_points_to(reader: QuestionReader):
    decision = route(reader, "and which of them are in DACH?", before="Who supplies HX-200?")

    assert decision.tiers == (GRAPH,)


@pytest.mark.parametrize("text", ["?", "...", "a"])
def test_r08_what_says_nothing_is_refused_without_the_model(reader: QuestionReader, text: str):
    decision = route(reader, text)

    assert (decision.tiers, decision.model_version) == ((), None)


def test_r13_a_misspelt_name_is_still_a_name(reader: QuestionReader):
    decision = route(reader, "who suplies Vortx Castings")

    assert decision.tiers == (GRAPH,)
    assert "names Vortex Castings" in decision.reasons


def test_the_reasons_say_what_spoke_for_and_against(reader: QuestionReader):
    decision = route(reader, "How many customers does Vortex Castings reach?")

    assert any(reason.startswith("for graph: ") for reason in decision.reasons)


def test_each_of_three_needs_gets_its_part(reader: QuestionReader):
    text = "Acme: its credit limit, what the contract says about returns, and who depends on it"

    decision = route(reader, text)

    assert decision.tiers == (CAG, RAG, GRAPH)
    assert "credit limit" in decision.parts[CAG]
    assert "contract" in decision.parts[RAG]
    assert "depends" in decision.parts[GRAPH]


@pytest.mark.parametrize(
    "text",
    [
        "By what time must visitors be off the premises?",
        "is a trainee allowed to take the keys home",
        "Why didn't Vortex Castings get new moulds before July?",
    ],
)
def test_a_rule_or_a_reason_in_everyday_words_goes_to_documents(reader: QuestionReader, text: str):
    assert route(reader, text).tiers == (RAG,)


def test_a_reason_that_is_a_chain_of_relations_goes_to_the_graph(reader: QuestionReader):
    assert route(reader, "Why is HX-200 affected by Vortex Castings?").tiers == (GRAPH,)
