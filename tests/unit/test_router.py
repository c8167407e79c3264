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
from router.model import RouterModel, TierSet, Weights, by_tier
from router.parts import clauses
from router.policy import Policy
from router.registry import Registry
from router.router import LearnedRouter
from router.training import Example, tier_set, train
from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from trivium.domain.errors import DataError
from trivium.domain.question import Question, TierName
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


def test_names_and_schema_words_are_masked(reader: QuestionReader):
    one = set(describe(reader.read(Question(text="Which keepers feed Tembo?"))))
    other = set(describe(reader.read(Question(text="Which keepers feed Nanuk?"))))

    assert one == other
    assert "which @type @relation" in one


def test_a_feature_has_the_same_slot_in_every_process():
    assert slot("cue count") == 9008


async def test_training_is_deterministic_and_right_on_its_own_rows(
    examples: list[Example], model: RouterModel
):
    again = train(examples, created_at="2026-11-29T00:00:00")
    routes = [Policy().choose(model.set_probabilities(features(e.question))) for e in examples]

    assert model.version == again.version
    assert np.array_equal(model.whole.slots, again.whole.slots)
    assert sum(e.accepts(r) for e, r in zip(examples, routes, strict=True)) == len(examples)


async def test_probabilities_are_those_of_sets_and_add_up(
    examples: list[Example], model: RouterModel
):
    sets = model.set_probabilities(features(examples[0].question))

    assert sum(sets.values()) == pytest.approx(1)
    assert by_tier(sets)[CAG] == pytest.approx(sets[CAG,] + sets[CAG, RAG])


async def test_a_model_is_read_back_as_it_was_written(
    tmp_path: Path, examples: list[Example], model: RouterModel
):
    model.save(tmp_path / "m.npz")

    read = RouterModel.load(tmp_path / "m.npz")

    found = features(examples[4].question)
    assert read.version == model.version
    assert read.set_probabilities(found) == pytest.approx(model.set_probabilities(found), abs=0.01)


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
    unsure = {(): 0.4, (RAG,): 0.35, (CAG,): 0.25}
    sure = {(): 0.6, (RAG,): 0.4}

    assert Policy().choose(unsure) == (RAG,)
    assert Policy().choose(sure) == ()


def test_a_clause_that_is_sure_adds_its_tier():
    whole = {(CAG,): 0.5, (CAG, RAG): 0.45, (GRAPH,): 0.05}
    told: list[dict[TierSet, float]] = [
        {(CAG,): 0.9, (RAG,): 0.1},
        {(RAG,): 0.9, (CAG,): 0.1},
    ]

    assert Policy().widen((CAG,), whole, told) == (CAG, RAG)
    assert Policy().widen((), whole, told) == ()


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Who feeds Tembo?", ["Who feeds Tembo"]),
        ("its weight, and who feeds it", ["its weight", "who feeds it"]),
        ("Two things: a) the weight b) the keepers", ["Two things", "the weight", "the keepers"]),
        ("revenue 1.5 million", ["revenue 1.5 million"]),
        ("", []),
    ],
)
def test_clauses(text: str, cut: list[str]):
    assert clauses(text) == cut


async def test_the_callers_tiers_are_taken(reader: QuestionReader, model: RouterModel):
    router = LearnedRouter(model, reader.read)
    asked = Question(text="How heavy is Tembo?", tiers=(RAG,))

    decision = router.route(await reader.encoded(asked))

    assert (decision.tiers, decision.decided_by) == ((RAG,), Decider.CALLER)
    assert decision.parts == {RAG: "How heavy is Tembo?"}
    assert decision.reasons


async def test_what_holds_no_word_goes_nowhere(reader: QuestionReader, model: RouterModel):
    decision = LearnedRouter(model, reader.read).route(await reader.encoded(Question(text="?!")))

    assert (decision.tiers, decision.decided_by) == ((), Decider.RULE)


async def test_each_tier_gets_its_own_part(reader: QuestionReader, model: RouterModel):
    question = Question(text="How heavy is Tembo, what do the minutes say about it?")

    decision = LearnedRouter(model, reader.read).route(await reader.encoded(question))

    assert decision.tiers == (CAG, RAG)
    assert decision.parts[CAG] == "How heavy is Tembo"
    assert decision.parts[RAG] == "Tembo: what do the minutes say about it"


async def test_without_a_model_every_tier_is_asked(reader: QuestionReader):
    router = LearnedRouter(None, reader.read)

    decision = router.route(await reader.encoded(Question(text="How heavy is Tembo?")))

    assert (decision.tiers, decision.decided_by) == ((CAG, RAG, GRAPH), Decider.FALLBACK)


def test_a_shipped_model_that_cannot_be_read_is_told_once(
    reader: QuestionReader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("router.router.SHIPPED", tmp_path / "none.npz")
    with capture_logs() as logs:
        LearnedRouter.shipped(reader.read)

    assert [log["event"] for log in logs] == ["router_model_unusable"]


def test_labels_are_sets_in_the_tiers_order():
    assert tier_set(["graph", "cag"]) == (CAG, GRAPH)


def test_serving_does_not_import_what_training_needs():
    code = "import sys, json, router.router; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert not {"sklearn", "scipy", "torch"} & set(json.loads(done.stdout))


def test_weights_without_a_question_give_the_bias_alone():
    nothing = np.zeros((0, 2), dtype=np.float32)
    weights = Weights(np.zeros((1, 2), np.float32), nothing, np.array([0, 0], np.float32), 1.0)
    empty = features(QuestionReader(HashEncoder(), lexicon_of([])).read(Question(text="")))
    kept = type(empty)(empty.slots[:0], empty.vector)

    assert weights.probabilities(kept) == pytest.approx([0.5, 0.5])
