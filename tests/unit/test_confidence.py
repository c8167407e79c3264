"""How sure the reader is of its plan, and what becomes of an answer by that."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest

from bench.confidence import calibration_error
from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from tiers.graphrag.plans.plan import run
from tiers.graphrag.reading.confidence import (
    LOST,
    SURE,
    Read,
    confidence,
    features,
    left_out,
    probability,
)
from tiers.graphrag.reading.explaining import Trail, accounted
from tiers.graphrag.reading.reader import PlanReader, Refused
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.tier import GraphTier
from tiers.graphrag.view import Scope
from trivium.domain.deadline import Deadline
from trivium.domain.evidence import Reason, TierResult, TierStatus
from trivium.domain.question import Cue, Question, Span
from trivium.domain.result import Nodes
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import Lexicon, QuestionReader

PLAIN = "Which animals does Amelia Stone feed?"
NONE = "Which animals living in the Ice Cave does Amelia Stone feed?"
STRANGE = (
    "Which keeper on the late shift cleans the enclosure walls behind the Savannah Hall "
    "after closing, as a rule with the small brush?"
)
Zoo: TypeAlias = tuple[Lexicon, MemoryGraph]


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Zoo:
    changes = read_dataset(write_zoo(tmp_path_factory.mktemp("data") / "zoo")).changes
    graph = MemoryGraph()
    asyncio.run(graph.apply(changes, len(changes)))
    return lexicon_of(changes), graph


@pytest.fixture(scope="module")
def read(zoo: Zoo) -> Callable[[str], Read]:
    """Gives a question with what was made of it."""
    lexicon, graph = zoo
    reader = QuestionReader(HashEncoder(), lexicon)

    def read(text: str) -> Read:
        question, trail = reader.read(Question(text=text)), Trail()
        scope = Scope(view=graph, schema=lexicon.schema, moment=question.moment)
        plan = PlanReader().read(question, scope, trail)
        assert trail.sketch is not None
        assert not isinstance(plan, Refused)
        claims = accounted(question, trail, plan, scope.schema)
        return Read(sketch=trail.sketch, claims=claims, plan=plan, result=run(plan, scope).result)

    return read


@pytest.fixture(scope="module")
def ask(zoo: Zoo) -> Callable[[str], TierResult]:
    lexicon, graph = zoo
    reader = QuestionReader(HashEncoder(), lexicon)
    tier = GraphTier(graph, lambda: lexicon.schema)

    def ask(text: str) -> TierResult:
        question = reader.read(Question(text=text))
        return asyncio.run(tier.retrieve(question, Deadline.after(5)))

    return ask


def test_every_feature_has_a_weight_that_ships(read: Callable[[str], Read]):
    found = features(read(PLAIN))

    moved = {name for name in found if probability({**found, name: 9.0}) != probability(found)}
    assert moved == found.keys()


def test_an_answer_that_is_none_is_known(read: Callable[[str], Read]):
    assert features(read(PLAIN))["empty"] == 0
    assert features(read(NONE))["empty"] == 1


def test_words_that_the_plan_leaves_out_are_counted_and_named(read: Callable[[str], Read]):
    strange = read(STRANGE)

    assert left_out(read(PLAIN)) == ()
    assert left_out(strange) == ("cleans", "enclosure walls", "after", "rule", "brush")
    assert features(strange)["unplaced"] == 3
    assert features(strange)["unread_share"] > features(read(PLAIN))["unread_share"] == 0


def test_a_cue_that_the_plan_does_not_follow_is_unmet(read: Callable[[str], Read]):
    found = read(PLAIN)
    question = found.sketch.question
    denied = Cue(span=Span(first=0, last=1), kind="negation")
    asked = replace(found.sketch, question=replace(question, cues=(denied,)))

    assert features(found)["unmet"] == 0
    assert features(replace(found, sketch=asked))["unmet"] == 1


def test_a_set_counts_up_to_a_size_beyond_which_it_tells_no_more(read: Callable[[str], Read]):
    def size(n: int) -> float:
        members = Nodes(tuple(f"A-{i}" for i in range(n)))
        return features(replace(read(PLAIN), result=members))["size"]

    assert size(1) < size(20) == size(2_000)


def test_a_template_that_knows_no_shape_is_plain(read: Callable[[str], Read]):
    assert features(read(PLAIN))["plain"] == 1
    assert features(read("Which keeper feeds the most animals?"))["plain"] == 0


def test_a_plan_that_accounts_for_every_word_is_sure(ask: Callable[[str], TierResult]):
    found = ask(PLAIN)

    assert found.trace["is_sure"] is True
    assert found.read_as is None
    assert found.status is TierStatus.HIT


def test_between_the_thresholds_the_answer_says_how_it_was_read(
    read: Callable[[str], Read], ask: Callable[[str], TierResult]
):
    assert LOST <= confidence(read(NONE)) < SURE
    found = ask(NONE)

    assert found.status is TierStatus.HIT
    assert found.read_as == found.trace["understood"]
    assert found.trace["is_sure"] is False
    assert found.trace["confidence"] == round(confidence(read(NONE)), 2)


def test_below_the_lower_threshold_it_asks_back_with_what_it_left_out(
    read: Callable[[str], Read], ask: Callable[[str], TierResult]
):
    assert confidence(read(STRANGE)) < LOST
    found = ask(STRANGE)

    assert (found.status, found.reason) == (TierStatus.MISS, Reason.NOT_IN_SCHEMA)
    assert found.result is None
    assert found.why is not None
    assert str(found.trace["understood"]) in found.why
    assert "“cleans”, “enclosure walls”" in found.why
    assert found.trace["refused"] == found.why


def test_the_calibration_error_is_the_distance_of_what_is_said_from_what_is_so():
    said, so = np.array([0.2] * 5 + [0.8] * 5), np.array([True] * 2 + [False] * 3 + [True] * 5)

    assert calibration_error(said, so, 2) == pytest.approx(0.2)
