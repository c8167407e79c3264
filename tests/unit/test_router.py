"""The router: features, model file, policy, parts, reasons; on rows of an invented domain."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from router.features import describe, features, slot
from router.model import Judgement, RouterModel, TierSet, Weights, by_tier, tier_set
from router.parts import clauses, parts_of
from router.policy import Policy
from router.registry import Registry
from router.router import LearnedRouter
from router.training import Example, train
from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from trivium.domain.errors import DataError, NotFoundError
from trivium.domain.question import Question, TierName, Turn, Understood
from trivium.domain.route import Decider
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

CAG, RAG, GRAPH = TierName.CAG, TierName.RAG, TierName.GRAPH
ROWS = (
    ("How heavy is {}?", (CAG,)),
    ("What does the feeding manual say about {}?", (RAG,)),
    ("Which keepers feed {}?", (GRAPH,)),
    ("hello there", ()),
    ("How heavy is {} and what do the minutes say about it?", (CAG, RAG)),
)
NAMES = ("Tembo", "Kiki", "Nanuk")


@pytest.fixture
def reader(tmp_path: Path) -> QuestionReader:
    dataset = read_dataset(write_zoo(tmp_path / "zoo"))
    return QuestionReader(HashEncoder(), lexicon_of(dataset.changes))


@pytest.fixture
async def examples(reader: QuestionReader) -> list[Example]:
    return [
        Example(
            question=await reader.encoded(Question(text=f"{text.format(name)}{' ' * n}")),
            tiers=tiers,
            group=f"domain {n % 3}",
        )
        for n in range(6)
        for text, tiers in ROWS
        for name in NAMES
    ]


@pytest.fixture
async def model(examples: list[Example]) -> RouterModel:
    return train(examples, created_at="2026-11-29T00:00:00")


def judged(model: RouterModel, question: Understood) -> Judgement:
    return model.judge(features(question), [features(clause) for clause in clauses(question)])


def test_names_and_schema_words_are_masked(reader: QuestionReader):
    one = set(describe(reader.read(Question(text="Which keepers feed Tembo?"))))
    other = set(describe(reader.read(Question(text="Which keepers feed Nanuk?"))))

    assert one == other
    assert "which @type @relation" in one


def test_a_misspelt_word_keeps_most_of_its_letters(reader: QuestionReader):
    right = set(describe(reader.read(Question(text="the questionnaire"))))
    wrong = set(describe(reader.read(Question(text="the questionnnaire"))))
    letters = {text for text in right if text.startswith("letters ")}

    assert len(letters & wrong) > 0.7 * len(letters)


def test_a_word_of_the_schema_stays_beside_its_mask_and_a_name_does_not(reader: QuestionReader):
    found = set(describe(reader.read(Question(text="Which keepers feed Tembo?"))))

    assert {"@type", "plain keeper", "gap which @relation"} <= found
    assert not any("tembo" in text for text in found)


def test_a_feature_has_the_same_slot_in_every_process():
    assert slot("cue count") == 58160


async def test_training_is_deterministic_and_right_on_its_own_rows(
    examples: list[Example], model: RouterModel
):
    again = train(examples, created_at="2026-11-29T00:00:00")
    routes = [Policy().choose(judged(model, e.question).sets) for e in examples]

    assert model.version == again.version
    assert np.array_equal(model.whole.slots, again.whole.slots)
    assert sum(e.accepts(r) for e, r in zip(examples, routes, strict=True)) == len(examples)


async def test_probabilities_are_those_of_sets_and_add_up(
    examples: list[Example], model: RouterModel
):
    sets = judged(model, examples[0].question).sets

    assert sum(sets.values()) == pytest.approx(1)
    assert by_tier(sets)[CAG] == pytest.approx(sets[CAG,] + sets[CAG, RAG])


async def test_a_model_is_read_back_as_it_was_written(
    tmp_path: Path, examples: list[Example], model: RouterModel
):
    model.save(tmp_path / "m.npz")

    read = RouterModel.load(tmp_path / "m.npz")

    question = examples[4].question
    assert read.version == model.version
    assert judged(read, question).sets == pytest.approx(judged(model, question).sets, abs=0.01)
    assert judged(read, question).tiers == pytest.approx(judged(model, question).tiers, abs=0.01)


async def test_a_damaged_model_is_refused(tmp_path: Path, model: RouterModel):
    path = tmp_path / "m.npz"
    model.save(path)
    whole = path.read_bytes()
    for damaged in (b"", b"junk", whole[:100], whole[: len(whole) // 2], b"\0" * len(whole)):
        path.write_bytes(damaged)
        with pytest.raises(DataError):
            RouterModel.load(path)


def test_a_pickled_model_is_refused(tmp_path: Path):
    np.savez(tmp_path / "m.npz", header=np.array([{"a": 1}], dtype=object))

    assert zipfile.is_zipfile(tmp_path / "m.npz")
    with pytest.raises(DataError):
        RouterModel.load(tmp_path / "m.npz")


async def test_too_few_examples_are_refused(examples: list[Example]):
    with pytest.raises(DataError, match="too few"):
        train(examples[:5], created_at="2026-11-29")
    with pytest.raises(DataError, match="too few"):
        train([e for e in examples if e.tiers == (CAG,)] * 10, created_at="2026-11-29")


async def test_the_registry_serves_what_was_saved_last(tmp_path: Path, model: RouterModel):
    registry = Registry(tmp_path / "models")
    assert registry.current().version != model.version, "the shipped one serves first"

    registry.save(model)

    assert registry.current().version == model.version
    assert registry.versions() == (model.version,)


def test_a_question_is_refused_only_when_that_is_likely():
    unsure = {(): 0.2, (RAG,): 0.45, (CAG,): 0.35}
    sure = {(): 0.3, (RAG,): 0.45, (CAG,): 0.25}

    assert Policy().choose(unsure) == (RAG,)
    assert Policy().choose(sure) == ()


def test_what_cannot_be_told_apart_is_asked_of_every_tier_that_may_hold_it():
    open_ = Judgement(
        sets={(): 0.2, (CAG,): 0.2, (RAG,): 0.2, (GRAPH,): 0.2, (CAG, RAG): 0.2},
        tiers={CAG: 0.4, RAG: 0.4, GRAPH: 0.2},
    )
    lost = Judgement(sets=dict.fromkeys(open_.sets, 0.2), tiers=dict.fromkeys(TierName, 0.2))

    assert Policy().decide(open_) == ((CAG, RAG), False)
    assert Policy().decide(lost) == ((CAG, RAG, GRAPH), False)
    assert Policy().decide(Judgement(sets={(RAG,): 1.0}, tiers={})) == ((RAG,), True)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Who feeds Tembo?", []),
        ("its weight, and who feeds it", ["its weight", "who feeds it"]),
        ("Two things: a) the weight b) the keepers", ["Two things", "the weight", "the keepers"]),
        ("revenue 1.5 million", []),
        ("who feeds it, and by when must it be fed", ["who feeds it", "by when must it be fed"]),
        ("how many does she feed, in all houses", []),
        ("Wer füttert Tembo und wie schwer ist er?", ["Wer füttert Tembo", "wie schwer ist er"]),
        ("", []),
    ],
)
def test_clauses(reader: QuestionReader, text: str, cut: list[str]):
    assert [clause.text for clause in clauses(reader.read(Question(text=text)))] == cut


def test_a_clause_keeps_what_was_read_in_it(reader: QuestionReader):
    question = reader.read(Question(text="How heavy is Tembo, and which keepers feed Kiki?"))

    _, second = clauses(question)

    assert [second.words(m.span) for m in second.mentions] == ["Kiki"]
    assert not second.vector


def test_only_a_follow_ups_own_words_are_cut(reader: QuestionReader):
    history = (Turn("user", "How heavy is Tembo, and how old?"), Turn("assistant", "4,100 kg."))
    question = reader.read(Question(text="and its keepers, and the vet?", history=history))

    assert "Tembo" in question.text, "it was completed"
    assert [clause.text for clause in clauses(question)] == ["its keepers", "the vet"]


def test_a_follow_up_has_its_own_words_as_its_clause(reader: QuestionReader):
    history = (Turn(role="user", content="Which keepers feed Tembo?"),)

    question = reader.read(Question(text="and how heavy is it?", history=history))

    assert [clause.text for clause in clauses(question)] == ["how heavy is it"]
    assert "own how" in set(describe(question))


def test_a_first_question_has_no_words_of_a_further_turn(reader: QuestionReader):
    question = reader.read(Question(text="How heavy is Tembo?"))

    assert clauses(question) == ()
    assert not [text for text in describe(question) if text.startswith("own ^")]


async def test_the_callers_tiers_are_taken(reader: QuestionReader, model: RouterModel):
    router = LearnedRouter(model)
    asked = Question(text="How heavy is Tembo?", tiers=(RAG,))

    decision = router.route(await reader.encoded(asked))

    assert (decision.tiers, decision.decided_by) == ((RAG,), Decider.CALLER)
    assert decision.parts == {RAG: "How heavy is Tembo?"}
    assert decision.reasons


@pytest.mark.parametrize("text", ["?!", "?", "...", "a", "42"])
async def test_what_holds_no_word_goes_nowhere(
    text: str, reader: QuestionReader, model: RouterModel
):
    decision = LearnedRouter(model).route(await reader.encoded(Question(text=text)))

    assert (decision.tiers, decision.decided_by) == ((), Decider.RULE)


async def test_each_tier_gets_its_own_part(reader: QuestionReader, model: RouterModel):
    question = Question(text="How heavy is Tembo, what do the minutes say about it?")

    decision = LearnedRouter(model).route(await reader.encoded(question))

    assert decision.tiers == (CAG, RAG)
    assert decision.parts[CAG] == "How heavy is Tembo"
    assert decision.parts[RAG] == "Tembo: what do the minutes say about it"


async def test_without_a_model_every_tier_is_asked(reader: QuestionReader):
    router = LearnedRouter(None)

    decision = router.route(await reader.encoded(Question(text="How heavy is Tembo?")))

    assert (decision.tiers, decision.decided_by) == ((CAG, RAG, GRAPH), Decider.FALLBACK)


def test_a_shipped_model_that_cannot_be_read_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("router.registry.SHIPPED", tmp_path / "none.npz")
    with capture_logs() as logs:
        LearnedRouter.shipped()

    assert [log["event"] for log in logs] == ["router_model_unusable"]


def test_labels_are_sets_in_the_tiers_order():
    assert tier_set(["graph", "cag"]) == (CAG, GRAPH)


def test_serving_does_not_import_what_training_needs():
    code = "import sys, json, router.router; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert not {"sklearn", "scipy", "torch"} & set(json.loads(done.stdout))


def test_weights_without_a_question_give_the_bias_alone():
    nothing = np.zeros((0, 2), dtype=np.float32)
    weights = Weights(np.zeros((1, 2), np.float32), nothing, np.array([0, 0], np.float32))
    empty = features(QuestionReader(HashEncoder(), lexicon_of([])).read(Question(text="")))
    kept = type(empty)(empty.slots[:0], empty.vector)

    assert weights.probabilities(kept) == pytest.approx([0.5, 0.5])


def test_the_shipped_model_is_promoted_where_none_was_trained_yet(tmp_path: Path):
    registry = Registry(tmp_path / "models")

    registry.promote(registry.base().version)

    assert registry.current().version == registry.base().version


def test_a_version_that_no_file_can_be_called_is_not_there(tmp_path: Path):
    with pytest.raises(NotFoundError):
        Registry(tmp_path).load("v" * 300)


def test_a_clause_with_a_pronoun_keeps_the_one_name_said_before_it(
    reader: QuestionReader,
):
    asked = reader.read(
        Question(text="Tembo: how heavy is he, who feeds him, and what do the minutes say of Kiki?")
    )
    cut = clauses(asked)
    told: list[dict[TierSet, float]] = [{(tier,): 1.0} for tier in (CAG, GRAPH, RAG)]

    parts = parts_of(asked, (CAG, RAG, GRAPH), cut, told)

    assert parts[GRAPH] == "Tembo: who feeds him"
    assert parts[RAG] == "what do the minutes say of Kiki"
