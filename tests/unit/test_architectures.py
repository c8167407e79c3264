"""The architectures that need no model, over the example, and how they are told of."""

from pathlib import Path

import pytest

from bench.architecture_report import Outcome, agreement, table, write
from bench.architectures import NAMES, World, measure
from bench.handlers import HANDLERS, plan_for
from bench.judging import Marks
from bench.reading import Domain, rows_of
from bench.retrievers import DenseRag, DualLevel, TfidfRag
from tests.fakes import HashEncoder
from trivium.domain.question import Question

EXAMPLE = Path(__file__).parents[2] / "examples" / "aerospace"
PAPER = Path(__file__).parents[2] / "bench" / "questions" / "aerospace_paper.jsonl"
LOOKUP = Question(text="What does AeroMetal Corp supply?")


@pytest.fixture(scope="module")
def world() -> World:
    return World.of(Domain.load(EXAMPLE), HashEncoder())


def test_the_corpus_tells_every_entity_and_relation_once_expired_ones_too(world: World):
    graph = world.domain.graph
    assert len(world.corpus.passages) == len(graph) + graph.n_edges
    assert len(set(world.corpus.texts)) == len(world.corpus.texts)
    assert (
        "ShenzenChip (SUP-009) supplies Flight Control Unit (CMP-001). Lead time days: 70."
        " Contract: spot. Effective date: 2021-03-01. Expired date: 2024-02-16."
    ) in world.corpus.texts
    about = [passage.entities for passage in world.corpus.about("SUP-009")]
    assert about == [("SUP-009",), ("SUP-009", "CMP-001")]


async def test_retrieval_gives_the_texts_that_share_words_and_no_more(world: World):
    corpus, reader = world.corpus, world.domain.reader
    for architecture in (TfidfRag(corpus), await DenseRag.open(corpus, world.encoder)):
        lines = (await architecture.answer(LOOKUP)).text.splitlines()
        assert len(lines) == 5
        assert sum("AeroMetal Corp" in line for line in lines) >= 4
        assert set(lines) <= set(corpus.texts)
    assert (await TfidfRag(corpus).answer(Question(text="zzz qqq"))).text == ""

    both = (await (await DualLevel.open(corpus, reader, world.encoder)).answer(LOOKUP)).text
    first, *lines = both.splitlines()
    assert first.startswith("AeroMetal Corp (SUP-002) is of the kind supplier.")
    assert sum("AeroMetal Corp (SUP-002) supplies" in line for line in lines) == 3
    assert len(lines) == len(set(lines))


@pytest.mark.parametrize(
    "row", [row for row in rows_of(PAPER) if row["id"][0] == "Q"], ids=lambda row: row["id"]
)
def test_the_papers_questions_go_to_their_handlers(world: World, row: dict):  # type: ignore[type-arg]  # JSON
    handlers = {
        "multi_hop": "multi-hop impact",
        "downstream": "downstream impact",
        "path": "path reasoning",
        "aggregation": "graph aggregation",
        "lookup": "simple lookup",
        "temporal": "temporal freshness",
        "what_if": "what-if",
        "spof": "single point of failure",
        "inverse": "inverse",
        "compare": "comparative subgraph",
        "risk": "risk propagation",
    }
    read = world.domain.reader.read(Question(text=row["query"]))
    plan = plan_for(read, world.domain.lexicon.schema)

    assert {handler.name for handler in HANDLERS} == set(handlers.values())
    assert plan is not None
    assert plan.template == handlers[row["category"]]


def test_a_question_that_no_handler_fits_has_no_plan(world: World):
    read = world.domain.reader.read(Question(text="Good morning to you"))
    assert plan_for(read, world.domain.lexicon.schema) is None


async def test_all_are_asked_and_those_that_need_a_model_are_said_not_to_have_run(world: World):
    rows = [row for row in rows_of(PAPER) if row["id"] in {"Q5", "H4"}]
    outcomes = await measure(world, None, rows, n_rounds=2)

    assert [o.name for o in outcomes] == [f"{n} {name}" for n, name in NAMES.items()]
    assert [bool(o.marks) for o in outcomes] == [n not in {4, 6, 7, 8} for n in NAMES]
    ours, handlers = outcomes[-1], outcomes[2]
    assert {key: m.is_exact for key, m in ours.marks.items()} == {"Q5": True, "H4": True}
    assert {key: m.is_exact for key, m in handlers.marks.items()} == {"Q5": True, "H4": False}
    assert len(ours.times_ms) == 4
    lines = table(outcomes)
    assert lines[4].split("  ")[1:] == ["not run: needs a model"]
    assert "2/2 (Q 1/1, H 1/1)" in lines[9]


def test_the_report_has_ours_and_the_papers_figures_apart(tmp_path: Path):
    right = Marks(is_exact=True, f1=1.0, f1_beyond=0.5)
    wrong = Marks(is_exact=False, f1=0.25, f1_beyond=0.0, ranking=0.5)
    outcomes = [
        Outcome(name="one", marks={"Q1": right, "Q2": wrong}, times_ms=[1.0, 3.0]),
        Outcome(name="two", why_not="needs a model"),
        Outcome(name="three", marks={"Q1": wrong, "Q2": right}, times_ms=[2.0], failed=["down"]),
    ]
    write(tmp_path / "report.md", outcomes)
    told = (tmp_path / "report.md").read_text("utf-8")
    ours, _, papers = told.partition("## The paper's own figures")

    assert agreement(outcomes) == 1.0
    assert (
        "| one | 1/2 (Q 1/2) | 0.625 | 1/0/1 | 0.250 | 0.50 | – | – | 1.00 | 2.00 | 2.90 |" in ours
    )
    assert "| two | not run: needs a model |" in ours
    assert "three: down." in ours
    assert "0.349" not in ours
    assert "| one | 0.349 | 0/13/10 | 23 | 0.38 | Tables VIII, XIII |" in papers
    assert "| Q2 | · 0.25 | ✓ 1.00 |" in papers
    drawn = (tmp_path / "report.svg").read_text("utf-8")
    assert [drawn.count(f">{said}<") for said in ("0.50", "0.62", "0.35", "–")] == [2, 2, 1, 3]
