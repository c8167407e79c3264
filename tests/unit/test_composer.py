"""Answers composed from what tiers found, without a model and with one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from synthesis.composer import Composer
from synthesis.fact_sheets import Prefix
from trivium.domain.answer import Answer, AnswerStatus
from trivium.domain.deadline import Deadline
from trivium.domain.errors import ModelOutputError
from trivium.domain.evidence import (
    CandidateEntity,
    Passage,
    Reason,
    Statement,
    Subgraph,
    TierResult,
    TierStatus,
)
from trivium.domain.knowledge import Fact
from trivium.domain.question import Cue, Question, Span, TierName, Understood
from trivium.domain.result import FactValue, Nodes, Prose, Values
from trivium.domain.route import Decider, RouteDecision
from trivium.domain.time import Moment

CAG, RAG, GRAPH = TierName.CAG, TierName.RAG, TierName.GRAPH
WEIGHT = TierResult(
    tier=CAG,
    status=TierStatus.HIT,
    evidence=(
        Fact(entity="A-1", attribute="weight_kg", value=4100, unit="kg", as_of="2026-08-01"),
    ),
    result=Values((FactValue(entity="A-1", attribute="weight_kg", value=4100, unit="kg"),)),
    statements=(Statement("Tembo weighs 4,100 kg.", (0,)),),
)
KEEPERS = TierResult(
    tier=GRAPH,
    status=TierStatus.HIT,
    evidence=(Subgraph(nodes=("K-1", "A-1"), relations=(("K-1", "FEEDS", "A-1"),)),),
    result=Nodes(("K-1",)),
    statements=(Statement("Amelia Stone (K-1).", (0,)),),
    trace={"understood": "Keeper of Tembo"},
)


def a_passage(document: str, text: str, superseded_by: str | None = None) -> Passage:
    return Passage(
        document=document,
        title=document,
        text=text,
        score=0.5,
        is_superseded=superseded_by is not None,
        superseded_by=superseded_by,
    )


def rules(*passages: Passage) -> TierResult:
    return TierResult(
        tier=RAG,
        status=TierStatus.HIT,
        evidence=passages,
        statements=tuple(Statement(p.text, (i,)) for i, p in enumerate(passages)),
    )


def understood(*cues: str) -> Understood:
    return Understood(
        question=Question(text="q"),
        text="q",
        moment=Moment.of("2026-08-01"),
        cues=tuple(Cue(span=Span(first=0, last=1), kind=kind) for kind in cues),
    )


async def compose(
    *results: TierResult, question: Understood | None = None, writer: object = None
) -> Answer:
    decision = RouteDecision(tiers=tuple(r.tier for r in results), decided_by=Decider.MODEL)
    composer = Composer(lambda: "ans_1", writer)  # type: ignore[arg-type]  # a fake writer
    return await composer.compose(
        question or understood(), decision, {r.tier: r for r in results}, Deadline.after(5)
    )


async def test_facts_come_first_then_relations_then_documents_each_with_its_marker():
    answer = await compose(rules(a_passage("doc", "Feed at two.")), KEEPERS, WEIGHT)

    assert (
        answer.text == "Tembo weighs 4,100 kg. [1]\n\nAmelia Stone (K-1). [2]\n\nFeed at two. [3]"
    )
    assert [(c.marker, c.tier) for c in answer.citations] == [(1, CAG), (2, GRAPH), (3, RAG)]


async def test_the_result_is_the_graphs_and_the_facts_stand_beside_it():
    answer = await compose(KEEPERS, WEIGHT)

    assert answer.result == Nodes(("K-1",))
    assert answer.also == (WEIGHT.result,)
    assert answer.results == {GRAPH: KEEPERS.result, CAG: WEIGHT.result}


async def test_a_tier_that_was_needed_and_is_down_makes_the_answer_partial():
    down = TierResult(tier=RAG, status=TierStatus.UNAVAILABLE, why="no index")

    answer = await compose(WEIGHT, down)

    assert answer.status is AnswerStatus.PARTIAL
    assert [(d.tier, d.reason) for d in answer.degraded] == [("rag", "no index")]
    assert "The documents could not be asked" in answer.text


async def test_a_tier_that_answers_in_the_place_of_another_is_no_half_answer():
    nothing = TierResult(tier=CAG, status=TierStatus.MISS, reason=Reason.NO_EVIDENCE, why="nothing")
    decision = RouteDecision(tiers=(CAG,), decided_by=Decider.MODEL)
    composer = Composer(lambda: "ans_1")

    answer = await composer.compose(
        understood(), decision, {CAG: nothing, GRAPH: KEEPERS}, Deadline.after(5)
    )

    assert answer.status is AnswerStatus.ANSWERED
    assert answer.text == "Amelia Stone (K-1). [1]"


async def test_an_abstention_tells_the_most_helpful_reason():
    unknown = TierResult(tier=CAG, status=TierStatus.MISS, reason=Reason.NO_EVIDENCE, why="nothing")
    which = TierResult(
        tier=GRAPH,
        status=TierStatus.MISS,
        reason=Reason.AMBIGUOUS,
        why="two",
        candidates=(CandidateEntity(id="H-1", type="House", name="Hall"),),
    )

    answer = await compose(unknown, which)

    assert (answer.status, answer.reason) == (AnswerStatus.ABSTAINED, Reason.AMBIGUOUS)
    assert answer.candidates == which.candidates
    assert "Hall (H-1, House)" in answer.text
    assert answer.result == Prose()


async def test_no_tier_at_all_is_out_of_scope():
    answer = await compose()

    assert (answer.status, answer.reason) == (AnswerStatus.ABSTAINED, Reason.OUT_OF_SCOPE)


async def test_a_superseded_passage_is_not_repeated_but_said_to_differ():
    old = a_passage("old", "Pay within 45 days.", superseded_by="new")
    new = a_passage("new", "Pay within 60 days.")

    answer = await compose(rules(old, new))

    assert "60 days" in answer.text
    assert "45 days" not in answer.text
    assert "older source differs" in answer.text
    (conflict,) = answer.conflicts
    assert conflict.current["source"] == "new"
    assert conflict.superseded["source"] == "old"


async def test_what_was_superseded_is_told_when_the_past_is_asked_for():
    old = a_passage("old", "Pay within 45 days.", superseded_by="new")

    answer = await compose(
        rules(old, a_passage("new", "Pay within 60 days.")), question=understood("ever")
    )

    assert "45 days" in answer.text


@dataclass(frozen=True)
class WrittenText:
    text: str
    used: tuple[int, ...]
    usage: Mapping[str, object]


class FakeWriter:
    def __init__(self, text: str | None) -> None:
        self._text = text
        self.evidence: Sequence[tuple[int, str]] = ()

    async def write(
        self,
        question: str,
        evidence: Sequence[tuple[int, str]],
        deadline: Deadline,
        prefix: Prefix,
    ) -> WrittenText:
        self.evidence = evidence
        if self._text is None:
            raise ModelOutputError("no citation")
        return WrittenText(self._text, (2,), {"input_tokens": 5})


async def test_a_model_writes_from_the_evidence_and_only_what_it_used_is_cited():
    writer = FakeWriter("Amelia Stone. [2]")

    answer = await compose(WEIGHT, KEEPERS, writer=writer)

    assert answer.text == "Amelia Stone. [1]"
    assert [(c.marker, c.tier) for c in answer.citations] == [(1, GRAPH)]
    assert answer.usage == {"input_tokens": 5}
    assert [marker for marker, _ in writer.evidence] == [1, 2]


async def test_a_model_that_fails_leaves_the_composed_answer_marked():
    answer = await compose(WEIGHT, writer=FakeWriter(None))

    assert answer.text == "Tembo weighs 4,100 kg. [1]"
    assert answer.degraded[0].tier == "llm"
    assert answer.degraded[0].reason.startswith("llm_error")


async def test_how_an_unsure_question_was_read_stands_in_a_line_of_its_own():
    unsure = replace(KEEPERS, read_as="Keeper of Tembo")

    answer = await compose(unsure)

    assert answer.text == "Amelia Stone (K-1). [1]\n\nI read this as: Keeper of Tembo."


async def test_a_model_does_not_leave_out_how_an_unsure_question_was_read():
    unsure = replace(KEEPERS, read_as="Keeper of Tembo")

    answer = await compose(WEIGHT, unsure, writer=FakeWriter("Amelia Stone. [2]"))

    assert answer.text == "Amelia Stone. [1]\n\nI read this as: Keeper of Tembo."
