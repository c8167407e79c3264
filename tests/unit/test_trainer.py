"""The trainer: what it promotes, what it refuses, and what it believes."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from feedback.claims import Claim, Record
from feedback.gate import Gate, Gated, compare, least_gain
from feedback.trainer import retrain, train_challenger
from router.batch import Batch
from router.model import RouterModel, TierSet
from router.policy import Policy
from router.registry import Registry
from router.seen import Seen
from router.training import Example, train
from tests.fakes import HashEncoder
from tests.zoo import write_zoo
from trivium.domain.errors import ConflictError, DataError, NotFoundError
from trivium.domain.question import Question, TierName
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

CAG, RAG, GRAPH = TierName.CAG, TierName.RAG, TierName.GRAPH
ROWS: Sequence[tuple[str, TierSet]] = (
    ("How heavy is {}?", (CAG,)),
    ("What does the feeding manual say about {}?", (RAG,)),
    ("Which keepers feed {}?", (GRAPH,)),
    ("Who looks after {} now?", (GRAPH,)),
    ("hello there", ()),
    ("How heavy is {} and what do the minutes say about it?", (CAG, RAG)),
)
NAMES = ("Tembo", "Kiki", "Nanuk")
MISTAUGHT = "Who looks after {} now?"
LABEL = dict(ROWS)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> QuestionReader:
    dataset = read_dataset(write_zoo(tmp_path_factory.mktemp("zoo")))
    return QuestionReader(HashEncoder(), lexicon_of(dataset.changes))


@pytest.fixture(scope="module")
def base(reader: QuestionReader) -> RouterModel:
    """A router that was taught that who looks after something stands in documents."""
    examples = [
        Example(
            question=asyncio.run(reader.encoded(Question(text=f"{text.format(name)}{' ' * n}"))),
            tiers=(RAG,) if text == MISTAUGHT else tiers,
            group=f"domain {n % 3}",
        )
        for n in range(6)
        for text, tiers in ROWS
        for name in NAMES
    ]
    return train(examples, created_at="2026-11-30")


def seen(reader: QuestionReader, text: str) -> Seen:
    return Seen.of(asyncio.run(reader.encoded(Question(text=text))))


@pytest.fixture(scope="module")
def gate(reader: QuestionReader) -> Gate:
    rows = [(text.format(name), tiers) for text, tiers in ROWS for name in NAMES]
    return Gate([Gated(seen(reader, text), tiers) for text, tiers in rows] * 40)


@pytest.fixture(scope="module")
def anchors(reader: QuestionReader) -> list[Seen]:
    return [seen(reader, text.format("Kiki")) for text, _ in ROWS if text != MISTAUGHT]


def claims(
    reader: QuestionReader,
    *said: tuple[str, TierSet],
    n: int = 1,
    rater: str = "ann",
    is_confirmed: bool = True,
) -> list[Claim]:
    return [
        Claim(
            id=f"{rater} {number} {text}",
            seen=seen(reader, text.format(NAMES[number % 3])),
            tiers=tiers,
            rater=rater,
            is_confirmed=is_confirmed,
        )
        for number in range(n)
        for text, tiers in said
    ]


def right_claims(reader: QuestionReader) -> list[Claim]:
    return claims(reader, *ROWS, n=6)


def test_a_better_challenger_is_promoted(tmp_path: Path, reader, base, gate, anchors):
    registry = Registry(tmp_path, base)

    report = retrain(registry, right_claims(reader), {}, anchors, gate)

    assert report.is_promoted, report
    assert registry.current().version == report.challenger
    assert gate.right(base) == 5 / 6
    assert gate.right(registry.current()) == 1.0
    card = registry.card(report.challenger or "")
    assert card["corrects"] == base.version
    assert card["training"] == report.to_json()


def test_a_worse_challenger_is_refused_and_the_champion_stays(
    tmp_path: Path, reader, base, gate, anchors
):
    registry = Registry(tmp_path, base)
    wrong = claims(reader, ("How heavy is {}?", (RAG,)), ("hello there", (GRAPH,)), n=12)

    report = retrain(registry, wrong, {}, (), gate)

    assert report.reason is not None
    assert "all" in report.reason
    assert registry.current().version == base.version
    assert registry.versions() == (report.challenger,), "it is kept, for whoever wants to look"


def test_a_challenger_that_wins_on_one_tier_and_loses_on_another_is_refused(gate):
    labels = [row.tiers for row in gate.rows]
    champion = [(RAG,) if n % 18 in {9, 10, 11} else tiers for n, tiers in enumerate(labels)]
    won = labels
    lost = [(CAG, GRAPH) if n % 18 == 6 else tiers for n, tiers in enumerate(won)]

    assert all(c.is_passed for c in compare(champion, won, labels))
    assert [c.of for c in compare(champion, lost, labels) if not c.is_passed] == ["cag"]


def test_a_batch_is_routed_as_each_question_is_alone(gate, base):
    rows = gate.rows[:18]
    alone = [Policy().decide(row.seen.judged(base))[0] for row in rows]

    assert Batch([row.seen for row in rows]).routes(base) == alone


def test_questions_without_a_second_clause_are_routed_in_a_batch_as_well(gate, base):
    rows = [row for row in gate.rows[:18] if not row.seen.clauses]
    alone = [Policy().decide(row.seen.judged(base))[0] for row in rows]

    assert 0 < len(rows) < 18
    assert Batch([row.seen for row in rows]).routes(base) == alone


def test_losing_more_than_the_margin_or_not_knowing_does_not_pass():
    assert least_gain(0, 0, 2000) > -0.01
    assert least_gain(10, 10, 2000) > -0.01
    assert least_gain(60, 20, 2000) < -0.01
    assert least_gain(0, 0, 50) < -0.01, "fifty questions show nothing"


@pytest.mark.parametrize(
    "few",
    [
        [],
        [("Which keepers feed {}?", (GRAPH,))] * 3,  # R10: three rows of one label
        [("Which keepers feed {}?", (GRAPH,))] * 30,
    ],
)
def test_tiny_or_single_label_data_are_refused(tmp_path: Path, reader, base, gate, anchors, few):
    registry = Registry(tmp_path, base)

    with capture_logs() as logs:
        report = retrain(registry, claims(reader, *few), {}, anchors, gate)

    assert "too few" in (report.reason or "")
    assert registry.current().version == base.version
    assert [log["event"] for log in logs] == ["router_not_trained"]


def test_a_failing_fit_leaves_the_champion_and_one_event(
    tmp_path: Path, reader, base, gate, anchors, monkeypatch
):
    """Case R11."""

    def fail(*_: object, **__: object) -> None:
        raise FloatingPointError("overflow")

    monkeypatch.setattr("router.regression.minimize", fail)
    registry = Registry(tmp_path, base)
    with capture_logs() as logs:
        report = retrain(registry, right_claims(reader), {}, anchors, gate)

    assert "overflow" in (report.reason or "")
    assert registry.current().version == base.version
    assert [(log["event"], log["log_level"]) for log in logs] == [("router_not_trained", "error")]


def test_the_same_claims_give_the_same_version_and_bytes(tmp_path: Path, reader, base, anchors):
    said = right_claims(reader)
    models = [train_challenger(base, own, {}, anchors).model for own in (said, said[::-1])]
    for number, model in enumerate(models):
        model.save(tmp_path / f"{number}.npz")

    assert models[0].version == models[1].version
    assert (tmp_path / "0.npz").read_bytes() == (tmp_path / "1.npz").read_bytes()


def test_nothing_new_is_no_new_version(tmp_path: Path, reader, base, gate, anchors):
    registry = Registry(tmp_path, base)
    first = retrain(registry, right_claims(reader), {}, anchors, gate)
    again = retrain(registry, right_claims(reader), {}, anchors, gate)

    assert first.is_promoted
    assert "nothing was said" in (again.reason or "")
    assert registry.versions() == (first.challenger,)


def test_a_rater_whom_admins_found_wrong_weighs_little(reader, base, anchors):
    said = [
        *right_claims(reader),
        *claims(reader, (MISTAUGHT, (GRAPH,)), n=6, rater="good", is_confirmed=False),
        *claims(reader, (MISTAUGHT, (CAG,)), n=6, rater="bad", is_confirmed=False),
    ]
    records = {"good": Record(20, 20), "bad": Record(0, 20)}

    raters = train_challenger(base, said, records, anchors).report.raters

    assert raters["good"] > 10 * raters["bad"]


def test_a_rater_whom_the_model_finds_wrong_weighs_little_before_any_decision(
    reader, base, anchors
):
    said = [
        *right_claims(reader),
        *claims(reader, (MISTAUGHT, (GRAPH,)), n=6, rater="good", is_confirmed=False),
        *claims(reader, ("Which keepers feed {}?", (CAG,)), n=6, rater="bad", is_confirmed=False),
    ]

    raters = train_challenger(base, said, {}, anchors).report.raters

    assert raters["good"] > 10 * raters["bad"]


def test_a_thumb_up_holds_the_router_where_it_did_well(reader, base, anchors):
    wrong = claims(reader, ("hello there", (GRAPH,)), n=9, rater="bad", is_confirmed=False)
    up = claims(reader, ("hello there", ()), n=9, rater="good", is_confirmed=False)
    thumbs = [replace(claim, is_thumb=True) for claim in up]
    asked = seen(reader, "hello there")

    without, held = (
        train_challenger(base, [*right_claims(reader), *said], {}, anchors).model
        for said in (wrong, [*wrong, *thumbs])
    )

    assert asked.judged(held).sets[()] > asked.judged(without).sets[()]


def test_no_rater_outweighs_the_others_by_number(reader, base, anchors):
    said = right_claims(reader)
    for name in "abcdefghij":
        said += claims(reader, (MISTAUGHT, (GRAPH,)), n=3, rater=name, is_confirmed=False)
    said += claims(reader, (MISTAUGHT, (GRAPH,)), n=90, rater="loud", is_confirmed=False)

    raters = train_challenger(base, said, {}, anchors).report.raters

    assert raters["loud"] < 0.21 * (sum(raters.values()) + len(ROWS) * 6)


def test_a_confirmed_label_that_looks_wrong_is_set_aside(reader, base, anchors):
    slip = claims(reader, ("hello there", (GRAPH,)), rater="slip")

    report = train_challenger(base, right_claims(reader) + slip, {}, anchors).report

    assert report.suspicious == tuple(claim.id for claim in slip)


def test_a_damaged_version_is_not_promoted_and_serving_goes_on(tmp_path: Path, base):
    registry = Registry(tmp_path, base)
    for name in ("one", "two"):
        registry.save(replace(base, version=name))
    (tmp_path / "one.npz").write_bytes(b"no model")

    with pytest.raises(DataError):
        registry.promote("one")
    with pytest.raises(DataError):
        registry.rollback()
    with pytest.raises(NotFoundError):
        registry.promote("../one")
    assert registry.current().version == "two"

    (tmp_path / "two.npz").write_bytes(b"")
    with capture_logs() as logs:
        assert registry.current().version == base.version
    assert [log["version"] for log in logs] == ["two", "one"]


def test_a_rollback_goes_back_step_by_step(tmp_path: Path, base):
    registry = Registry(tmp_path, base)
    for name in ("one", "two"):
        registry.save(replace(base, version=name))

    assert registry.rollback().version == "one"
    assert Registry(tmp_path, base).current().version == "one", "it outlives a restart"
    assert registry.rollback().version == base.version
    with pytest.raises(ConflictError):
        registry.rollback()


def test_a_crash_between_two_files_leaves_what_served(tmp_path: Path, base):
    registry = Registry(tmp_path, base)
    registry.save(replace(base, version="one"))
    registry.keep(replace(base, version="two"))
    (tmp_path / "serving.new").write_text("one\ntw")
    (tmp_path / "three.new").write_bytes(b"half a mod")

    assert registry.current().version == "one"
    assert set(registry.versions()) == {"one", "two"}
