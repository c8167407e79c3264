"""How each word of a question was understood: what the plan rests on, and what is left over."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import pytest

from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan, PlanBuilder
from tiers.graphrag.reading.explaining import Trail, accounted, told
from tiers.graphrag.reading.reader import PlanReader, Refused
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.tier import GraphTier
from tiers.graphrag.view import Scope
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import Subgraph
from trivium.domain.question import Question, Turn
from trivium.domain.result import Ranking
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

Told: TypeAlias = list[tuple[object, object, object]]
Explain: TypeAlias = Callable[..., Told]


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> tuple[QuestionReader, GraphTier]:
    changes = read_dataset(write_zoo(tmp_path_factory.mktemp("data") / "zoo")).changes
    lexicon, graph = lexicon_of(changes), MemoryGraph()
    asyncio.run(graph.apply(changes, len(changes)))
    return QuestionReader(HashEncoder(), lexicon), GraphTier(graph, lambda: lexicon.schema)


@pytest.fixture(scope="module")
def explain(zoo: tuple[QuestionReader, GraphTier]) -> Explain:
    """Gives the stretches of a question: text, as, means."""
    reader, tier = zoo

    def explain(text: str, before: str | None = None) -> Told:
        history = (Turn("user", before),) if before else ()
        question = reader.read(Question(text=text, history=history))
        trace = asyncio.run(tier.retrieve(question, Deadline.after(5))).trace
        words = trace["words"]
        assert isinstance(words, list)
        places = [(word["start"], word["end"]) for word in words]
        assert places == sorted(places)
        assert all(question.text[w["start"] : w["end"]] == w["text"] for w in words)
        assert trace["question"] == question.text
        return [(word["text"], word["as"], word["means"]) for word in words]

    return explain


def test_names_types_and_relations_are_told_with_ids_and_direction(explain: Explain):
    assert explain("Which animals does Amelia Stone feed?") == [
        ("animals", "type", "Animal"),
        ("Amelia Stone", "entity", "Amelia Stone (K-1)"),
        ("feed", "relation", "Keeper –FEEDS→ Animal"),
    ]


def test_a_relation_followed_backwards_is_told_so(explain: Explain):
    assert ("feeds", "relation", "Animal ←FEEDS– Keeper") in explain("Who feeds Nanuk?")


def test_values_properties_numbers_and_cues_are_told(explain: Explain):
    assert explain("How many elephants weigh more than 300 kg?") == [
        ("How many", "cue", "how many"),
        ("elephants", "value", "species = elephant, of Animal"),
        ("weigh", "property", "weight_kg of Animal"),
        ("more than", "cue", "more than"),
        ("300 kg", "number", "300"),
    ]


def test_times_and_negations_are_told(explain: Explain):
    told = explain("Which keepers did not feed Tembo on 1 May 2023?")

    assert ("not", "cue", "negation") in told
    assert ("1 May 2023", "time", "2023-05-01") in told
    assert ("before 2024", "time", "before 2024-01-01") in explain("Who fed Tembo before 2024?")


def test_content_words_that_no_part_of_the_plan_rests_on_are_unread(explain: Explain):
    told = explain("Which animals does Amelia Stone gladly feed?")

    assert ("gladly", "unread", "") in told
    assert [word for word, kind, _ in told if kind == "unread"] == ["gladly"]


def test_what_the_first_linking_found_and_the_plan_does_not_use_is_unread(
    zoo: tuple[QuestionReader, GraphTier],
):
    reader, tier = zoo
    question = reader.read(Question(text="Which animals does Amelia Stone feed?"))
    other = reader.read(Question(text="Which house does Nanuk live in?"))
    with tier._store.reading() as view:
        scope = Scope(view=view, schema=tier._schema(), moment=question.moment)
        plan = PlanReader().read(other, scope)
        assert not isinstance(plan, Refused)

        words = told(question, Trail(), accounted(question, Trail(), plan, scope.schema))

    assert [(w["text"], w["as"], w["means"]) for w in words] == [
        ("animals", "type", "Animal"),
        ("Amelia Stone", "unread", "entity Amelia Stone (K-1), which the plan does not use"),
        ("feed", "unread", "relation FEEDS, which the plan does not use"),
    ]


def test_a_refusal_tells_what_was_read_and_what_was_not(explain: Explain):
    assert explain("Which animals does Ferdinand Blau feed?") == [
        ("animals", "type", "Animal"),
        ("Ferdinand Blau", "unread", ""),
        ("feed", "relation", "FEEDS"),
    ]


def test_a_name_that_looks_like_an_id_is_told_to_be_nobodys(explain: Explain):
    assert ("K-77", "unread", "nothing has this name") in explain("Which animals does K-77 feed?")


def test_a_follow_up_is_explained_in_the_question_that_it_completes(explain: Explain):
    told = explain("And Bruno Falk?", before="Which animals does Amelia Stone feed?")

    assert ("Bruno Falk", "entity", "Bruno Falk (K-2)") in told
    assert ("feed", "relation", "Keeper –FEEDS→ Animal") in told


def test_cut_forms_and_forms_of_address_are_left_out(explain: Explain):
    told = explain("We've a question and I'm in doubt: who feeds Dr. Nanuk?")

    assert not {"ve", "m", "Dr"} & {word for word, _, _ in told}


def test_what_the_question_names_is_evidence_though_no_relation_of_it_is_shown(
    zoo: tuple[QuestionReader, GraphTier],
):
    reader, tier = zoo
    question = reader.read(Question(text="Is there a Nanuk?"))
    draft = PlanBuilder()
    draft.add("count_nodes", nodes=draft.add("find_nodes", ids=("A-3",)))
    plan = Plan(steps=tuple(draft.steps), form=Form.NUMBER, understood="it", template="test")
    (shown,) = asyncio.run(tier.carry_out(plan, question, Deadline.after(5))).evidence

    assert isinstance(shown, Subgraph)
    assert shown.names["A-3"] == "Nanuk"


def test_values_that_are_counted_by_are_no_entities_of_the_evidence(
    zoo: tuple[QuestionReader, GraphTier],
):
    reader, tier = zoo
    question = reader.read(Question(text="How many animals are there of each species?"))
    result = asyncio.run(tier.retrieve(question, Deadline.after(5)))
    (shown,) = result.evidence

    assert isinstance(result.result, Ranking)
    assert {key for key, _ in result.result.pairs} == {"elephant", "parrot", "polar bear"}
    assert isinstance(shown, Subgraph)
    assert set(shown.nodes) <= {"A-1", "A-2", "A-3"}
