"""The way of one question, with every stage a fake."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pytest

from tests.fakes import ListAnswerJournal
from trivium.domain.answer import Alike, Answer, AnswerStatus, Degraded, Known, Remembered
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.evidence import Reason, Statement, TierResult, TierStatus
from trivium.domain.question import (
    Candidate,
    Cue,
    MemoryUse,
    Mention,
    Question,
    Span,
    Term,
    TermKind,
    TierName,
    Token,
    Understood,
)
from trivium.domain.result import Comparison, Number, Prose, Result
from trivium.domain.route import Decider, RouteDecision
from trivium.domain.schema import Schema
from trivium.domain.time import Moment
from trivium.language.text import tokenize
from trivium.pipeline import Pipeline

CAG, RAG, GRAPH = TierName.CAG, TierName.RAG, TierName.GRAPH
SOON = 5.0


@dataclass
class FakeReader:
    terms: tuple[Term, ...] = ()
    cues: tuple[Cue, ...] = ()
    mentions: tuple[Mention, ...] = ()
    tokens: tuple[Token, ...] = ()

    async def understand(self, question: Question, deadline: Deadline) -> Understood:
        return self.read(question)

    def read(self, question: Question) -> Understood:
        return Understood(
            question=question,
            text=question.text,
            moment=Moment.of("2026-08-01"),
            terms=self.terms,
            cues=self.cues,
            mentions=self.mentions,
            tokens=self.tokens,
        )

    @property
    def schema(self) -> Schema:
        return Schema()

    def name(self, entity: str) -> tuple[str, str | None]:
        return entity, None


@dataclass
class FakeRouter:
    decision: RouteDecision

    def route(self, question: Understood) -> RouteDecision:
        return self.decision


@dataclass
class FakeTier:
    name: TierName
    status: TierStatus = TierStatus.HIT
    reason: Reason | None = None
    error: Exception | None = None
    hangs: bool = False
    asked: list[str] = field(default_factory=list)
    is_asked: asyncio.Event = field(default_factory=asyncio.Event)
    then: Callable[[], None] = lambda: None
    result: Result | None = None
    is_hinted: bool = False
    read_as: str | None = None
    says: str = ""

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        self.asked.append(question.text)
        self.is_asked.set()
        self.then()
        if self.hangs:
            await asyncio.Event().wait()
        if self.error:
            raise self.error
        return TierResult(
            tier=self.name,
            status=self.status,
            reason=self.reason,
            why="because",
            result=self.result,
            is_hinted=self.is_hinted,
            read_as=self.read_as,
            statements=(Statement(self.says),) if self.says else (),
        )


class FakeSynthesizer:
    def __init__(self, degraded: tuple[Degraded, ...] = ()) -> None:
        self.seen: list[Mapping[TierName, TierResult]] = []
        self._degraded = degraded

    async def compose(
        self,
        question: Understood,
        decision: RouteDecision,
        results: Mapping[TierName, TierResult],
        deadline: Deadline,
    ) -> Answer:
        self.seen.append(results)
        is_hit = any(r.status is TierStatus.HIT for r in results.values())
        return Answer(
            id=f"ans_{len(self.seen)}",
            status=AnswerStatus.ANSWERED if is_hit else AnswerStatus.ABSTAINED,
            text="text",
            route=decision,
            result=Prose(),
            degraded=self._degraded,
        )


class FakeMemory:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, int], bytes] = {}
        self.alike: dict[tuple[str, int], Alike] = {}

    async def recall(self, question: Question, version: int) -> bytes | None:
        return self.kept.get((question.text, version))

    async def recall_alike(self, question: Understood, version: int) -> Alike | None:
        return self.alike.get((question.text, version))

    async def remember(self, known: Known, answer: bytes) -> None:
        self.kept[known.question.text, known.version] = answer


@dataclass
class House:
    """A pipeline of fakes."""

    tiers: dict[TierName, FakeTier]
    decision: RouteDecision
    reader: FakeReader = field(default_factory=FakeReader)
    synthesizer: FakeSynthesizer = field(default_factory=FakeSynthesizer)
    memory: FakeMemory = field(default_factory=FakeMemory)
    journal: ListAnswerJournal = field(default_factory=ListAnswerJournal)
    version: int = 1

    @property
    def pipeline(self) -> Pipeline:
        return Pipeline(
            reader=self.reader,
            router=FakeRouter(self.decision),
            tiers=self.tiers,
            synthesizer=self.synthesizer,
            memory=self.memory,
            journal=self.journal,
            version=lambda: self.version,
            new_id=lambda: "ans_new",
        )

    async def ask(self, text: str = "q", seconds: float = SOON) -> Answer:
        return await self.pipeline.ask(Question(text=text), Deadline.after(seconds))


def a_house(*tiers: FakeTier, route: tuple[TierName, ...], **more: object) -> House:
    given: dict[str, object] = {"decided_by": Decider.MODEL, **more}
    decision = RouteDecision(tiers=route, **given)  # type: ignore[arg-type]  # as each test says
    return House({tier.name: tier for tier in tiers}, decision)


async def test_each_tier_is_asked_its_own_part():
    cag, graph = FakeTier(CAG), FakeTier(GRAPH)
    house = a_house(cag, graph, route=(CAG, GRAPH), parts={CAG: "the value", GRAPH: "the others"})

    await house.ask("the value and the others")

    assert (cag.asked, graph.asked) == (["the value"], ["the others"])


async def test_a_tier_that_fails_is_left_out_and_the_rest_answers():
    broken = FakeTier(RAG, error=DependencyError("no index"))
    house = a_house(FakeTier(CAG), broken, route=(CAG, RAG))

    await house.ask()

    results = house.synthesizer.seen[0]
    assert results[RAG].status is TierStatus.UNAVAILABLE
    assert results[RAG].why == "no index"
    assert results[CAG].status is TierStatus.HIT


async def test_a_tier_that_hangs_is_left_out_within_its_share_of_the_time():
    house = a_house(FakeTier(CAG), FakeTier(RAG, hangs=True), route=(CAG, RAG))

    async with asyncio.timeout(2):
        await house.ask(seconds=0.2)

    assert house.synthesizer.seen[0][RAG].status is TierStatus.UNAVAILABLE


async def test_a_miss_falls_through_to_the_next_probable_tier():
    nothing = FakeTier(CAG, status=TierStatus.MISS, reason=Reason.NO_EVIDENCE)
    house = a_house(
        nothing, FakeTier(RAG), FakeTier(GRAPH), route=(CAG,), probabilities={RAG: 0.3, GRAPH: 0.1}
    )

    answer = await house.ask()

    assert set(house.synthesizer.seen[0]) == {CAG, RAG}
    assert answer.route.reasons[-1] == (
        "the documents were asked too, as what was chosen had no sure answer"
    )


@pytest.mark.parametrize(
    ("decider", "reason", "probability"),
    [
        (Decider.CALLER, Reason.NO_EVIDENCE, 0.9),
        (Decider.MODEL, Reason.AMBIGUOUS, 0.9),
        (Decider.MODEL, Reason.UNKNOWN_ENTITY, 0.9),
        (Decider.MODEL, Reason.NO_EVIDENCE, 0.01),
    ],
)
async def test_it_does_not_fall_through_against_the_caller_or_past_a_question_back(
    decider: Decider, reason: Reason, probability: float
):
    nothing = FakeTier(CAG, status=TierStatus.MISS, reason=reason)
    rag = FakeTier(RAG)
    house = a_house(
        nothing, rag, route=(CAG,), decided_by=decider, probabilities={RAG: probability}
    )

    await house.ask()

    assert rag.asked == []


def reader(*terms: tuple[TermKind, str, str | None], cues: tuple[str, ...] = ()) -> FakeReader:
    """A reader of these terms and cues in whatever is asked."""
    span = Span(first=0, last=1)
    return FakeReader(
        tuple(Term(span=span, kind=k, name=n, score=1.0, owner=o) for k, n, o in terms),
        tuple(Cue(span=span, kind=kind) for kind in cues),
    )


TYPE = (TermKind.TYPE, "Part", None)


@pytest.mark.parametrize(
    ("asked", "status", "tiers"),
    [
        (reader(TYPE, (TermKind.VALUE, "size", "Part")), TierStatus.HIT, {GRAPH}),
        (reader(TYPE, cues=("average",)), TierStatus.HIT, {GRAPH}),
        (reader(TYPE, cues=("average",)), TierStatus.MISS, {CAG}),
        (reader(TYPE, (TermKind.VALUE, "size", "Maker")), TierStatus.HIT, {GRAPH}),
        (reader(TYPE), TierStatus.HIT, {CAG}),
        (reader(), TierStatus.HIT, {CAG}),
    ],
    ids=["a value", "an average", "no plan", "another's value", "a type alone", "nothing"],
)
async def test_the_graph_computes_what_facts_were_asked_about_many(
    asked: FakeReader, status: TierStatus, tiers: set[TierName]
):
    house = a_house(FakeTier(CAG), FakeTier(GRAPH, status), route=(CAG,))
    house.reader = asked

    answer = await house.ask()

    assert set(house.synthesizer.seen[-1]) == tiers
    assert answer.route.tiers == (CAG,)


async def test_the_graph_is_asked_a_whole_question_once():
    graph = FakeTier(GRAPH, TierStatus.MISS)
    house = a_house(FakeTier(CAG, TierStatus.MISS), graph, route=(CAG,))
    house.reader = reader(TYPE, cues=("average",))  # nothing else has it, and it is conditioned

    await house.ask()

    assert len(graph.asked) == 1


@pytest.mark.parametrize(("asked", "n_asked"), [(reader(TYPE), 1), (reader(), 0)])
async def test_the_graph_is_asked_where_others_have_nothing_and_the_schema_is_spoken_of(
    asked: FakeReader, n_asked: int
):
    chances = {CAG: 0.99, GRAPH: 0.01}
    house = a_house(
        FakeTier(CAG, TierStatus.MISS), FakeTier(GRAPH), route=(CAG,), probabilities=chances
    )
    house.reader = asked

    await house.ask()

    assert len(house.tiers[GRAPH].asked) == n_asked


@pytest.mark.parametrize(
    ("asked", "is_hinted", "tiers"),
    [
        ((TermKind.RELATION, "OWNS", None), True, {GRAPH}),
        ((TermKind.RELATION, "OWNS", None), False, {CAG}),
        ((TermKind.PROPERTY, "size", "Part"), True, {CAG}),
        ((TermKind.TYPE, "Part", None), True, {GRAPH}),
    ],
    ids=["a relation beside a hint", "a relation beside a name", "nothing beside a hint", "a type"],
)
async def test_a_fact_that_was_only_hinted_at_gives_way_to_a_plan(
    asked: tuple[TermKind, str, str | None],
    is_hinted: bool,  # noqa: FBT001  # a case
    tiers: set[TierName],
):
    house = a_house(FakeTier(CAG, is_hinted=is_hinted), FakeTier(GRAPH), route=(CAG,))
    house.reader = reader(asked)

    await house.ask()

    assert set(house.synthesizer.seen[0]) == tiers


@pytest.mark.parametrize(
    ("probability", "read_as", "tiers"),
    [(0.9, None, {RAG, GRAPH}), (0.9, "a guess", {RAG}), (0.99, None, {RAG})],
    ids=["a sure plan", "a plan that may not be meant", "documents without doubt"],
)
async def test_beside_documents_the_graph_says_what_it_is_sure_of(
    probability: float, read_as: str | None, tiers: set[TierName]
):
    graph = FakeTier(GRAPH, read_as=read_as)
    house = a_house(FakeTier(RAG), graph, route=(RAG,), probabilities={RAG: probability})
    house.reader = reader(TYPE)

    await house.ask()

    assert set(house.synthesizer.seen[0]) == tiers


@pytest.mark.parametrize(
    ("first", "probability", "is_hinted", "tiers"),
    [
        (FakeTier(GRAPH, read_as="a guess"), 0.2, False, {RAG, GRAPH}),
        (FakeTier(GRAPH, TierStatus.MISS), 0.2, False, {RAG, GRAPH}),
        (FakeTier(GRAPH, TierStatus.MISS), 0.02, False, {GRAPH}),
        (FakeTier(GRAPH, read_as="a guess"), 0.2, True, {GRAPH}),
        (FakeTier(GRAPH), 0.2, False, {GRAPH}),
    ],
    ids=["a guess", "no plan", "hardly a text", "documents that only hint", "a sure plan"],
)
async def test_documents_tell_too_where_the_graph_is_not_sure(
    first: FakeTier,
    probability: float,
    is_hinted: bool,  # noqa: FBT001  # a case
    tiers: set[TierName],
):
    rag = FakeTier(RAG, is_hinted=is_hinted)
    house = a_house(first, rag, route=(GRAPH,), probabilities={RAG: probability})

    await house.ask()

    assert set(house.synthesizer.seen[0]) == tiers


async def test_a_part_to_which_its_tier_has_no_answer_is_taken_over_by_one_that_is_sure():
    graph, rag = FakeTier(GRAPH), FakeTier(RAG, TierStatus.MISS, Reason.NO_EVIDENCE)
    parts = {CAG: "the price", RAG: "who may do one"}
    house = a_house(FakeTier(CAG), rag, graph, route=(CAG, RAG), parts=parts)

    await house.ask("the price, and who may do one")

    assert graph.asked == ["who may do one"]
    assert set(house.synthesizer.seen[0]) == {CAG, GRAPH}


async def test_documents_are_asked_again_without_the_name_put_before_their_part():
    rag = FakeTier(RAG, TierStatus.MISS, Reason.NO_EVIDENCE)
    parts = {CAG: "the price of X", RAG: "X: what the rules say of nights"}
    house = a_house(FakeTier(CAG), rag, route=(CAG, RAG), parts=parts)

    await house.ask("the price of X, and what the rules say of nights")

    assert rag.asked == ["X: what the rules say of nights", "what the rules say of nights"]


NAMED = Mention(
    span=Span(first=1, last=2),
    text="X",
    candidates=(Candidate(id="X", type="T", name="X", score=1.0),),
)


@pytest.mark.parametrize("reason", [Reason.UNKNOWN_ENTITY, Reason.NOT_IN_SCHEMA])
async def test_facts_say_why_documents_tell_nothing_of_what_is_named(reason: Reason):
    rag = FakeTier(RAG, TierStatus.MISS, Reason.NO_EVIDENCE)
    facts = FakeTier(CAG, TierStatus.MISS, reason)
    house = a_house(rag, facts, route=(RAG,), probabilities={RAG: 0.99, CAG: 0.001})
    await house.ask()
    assert set(house.synthesizer.seen[0]) == {RAG}

    house.reader = replace(reader(), mentions=(NAMED,))
    await house.ask("another")
    assert house.synthesizer.seen[1][CAG].reason is reason


@pytest.mark.parametrize(("unit", "tier"), [("t", RAG), ("years", CAG), (None, CAG)])
async def test_how_many_years_is_asked_of_documents_where_facts_tell_no_time(
    unit: str | None, tier: TierName
):
    facts = FakeTier(CAG, result=Number(3, unit))
    house = a_house(facts, FakeTier(RAG), route=(CAG,), probabilities={RAG: 0.001})
    words = tokenize("how many years do we keep them")
    house.reader = replace(reader(), tokens=words)

    await house.ask()

    assert set(house.synthesizer.seen[0]) == {tier}


@pytest.mark.parametrize(
    ("status", "is_hinted", "tiers"),
    [(TierStatus.HIT, True, {CAG}), (TierStatus.MISS, True, {RAG}), (TierStatus.HIT, False, {RAG})],
    ids=["facts have it", "facts have not", "documents are near"],
)
async def test_a_fact_asked_for_by_name_stands_in_the_place_of_documents_that_only_hint(
    status: TierStatus,
    is_hinted: bool,  # noqa: FBT001  # a case
    tiers: set[TierName],
):
    rag = FakeTier(RAG, is_hinted=is_hinted)
    house = a_house(rag, FakeTier(CAG, status), route=(RAG,), probabilities={RAG: 0.9})
    house.reader = replace(
        reader((TermKind.FACT, "spent", None)),
        mentions=(NAMED,),
    )

    await house.ask()

    assert set(house.synthesizer.seen[0]) == tiers


@pytest.mark.parametrize(
    ("text", "says", "is_hinted", "tiers"),
    [
        ("how much do I get for winter boots", "For winter boots you get 85 euros.", False, {RAG}),
        ("how much do I get for winter boots", "For winter boots you get 85 euros.", True, set()),
        ("how much do I get for winter boots", "Nobody may wear boots in there.", False, set()),
        ("who won the winter cup", "In the winter cup you get 85 euros.", False, set()),
    ],
    ids=["sure", "a hint", "one word only", "nothing of his own"],
)
async def test_what_holds_for_the_asker_is_asked_of_documents_where_no_tier_was_chosen(
    text: str,
    says: str,
    is_hinted: bool,  # noqa: FBT001  # a case
    tiers: set[TierName],
):
    rag = FakeTier(RAG, says=says, is_hinted=is_hinted)
    house = a_house(rag, route=(), decided_by=Decider.MODEL)
    house.reader = replace(reader(), tokens=tokenize(text))

    await house.ask(text)

    assert set(house.synthesizer.seen[0]) == tiers


async def test_facts_that_are_sure_answer_where_documents_tell_nothing_of_what_is_named():
    rag = FakeTier(RAG, TierStatus.MISS, Reason.NO_EVIDENCE)
    house = a_house(rag, FakeTier(CAG), route=(RAG,), probabilities={RAG: 0.99, CAG: 0.001})
    house.reader = replace(reader(), mentions=(NAMED,))

    await house.ask()

    assert house.synthesizer.seen[0][CAG].status is TierStatus.HIT


@pytest.mark.parametrize(("cue", "tiers"), [("profile", {CAG}), ("thanks", set())])
async def test_what_is_asked_of_one_thing_by_its_name_is_not_out_of_scope(
    cue: str, tiers: set[TierName]
):
    house = a_house(FakeTier(CAG), route=(), decided_by=Decider.MODEL)
    house.reader = replace(reader(cues=(cue,)), mentions=(NAMED,))

    await house.ask()

    assert set(house.synthesizer.seen[0]) == tiers


@pytest.mark.parametrize(("n_words", "n_asked"), [(1, 0), (2, 1)])
async def test_the_name_of_an_attribute_is_not_out_of_scope(n_words: int, n_asked: int):
    nobody = FakeTier(CAG, TierStatus.MISS, reason=Reason.UNKNOWN_ENTITY)
    house = a_house(nobody, route=(), decided_by=Decider.MODEL)
    span = Span(first=0, last=n_words)
    term = Term(span=span, kind=TermKind.FACT, name="pass_rate", score=1.0)
    house.reader = FakeReader((term,), ())

    await house.ask()

    assert len(house.tiers[CAG].asked) == n_asked
    assert set(house.synthesizer.seen[0]) == ({CAG} if n_asked else set())


async def test_an_attribute_that_facts_alone_have_is_no_matter_for_the_graph():
    house = a_house(FakeTier(CAG, is_hinted=True), FakeTier(GRAPH), route=(CAG,))
    house.reader = reader(TYPE, (TermKind.FACT, "stock", None), cues=("average",))

    await house.ask()

    assert (set(house.synthesizer.seen[0]), house.tiers[GRAPH].asked) == ({CAG}, [])


async def test_of_a_name_that_facts_do_not_know_the_graph_alone_is_asked():
    nobody = FakeTier(CAG, TierStatus.MISS, reason=Reason.UNKNOWN_ENTITY)
    house = a_house(
        nobody, FakeTier(RAG), FakeTier(GRAPH), route=(CAG,), probabilities={RAG: 0.9, GRAPH: 0.1}
    )

    await house.ask()

    assert (house.tiers[RAG].asked, house.tiers[GRAPH].asked) == ([], ["q"])


@pytest.mark.parametrize(
    ("decider", "chance", "n_asked"),
    [(Decider.MODEL, 0.3, 1), (Decider.MODEL, 0.1, 0), (Decider.RULE, 0.3, 0)],
)
async def test_the_graph_is_tried_where_no_tier_was_chosen_and_it_was_not_far(
    decider: Decider, chance: float, n_asked: int
):
    house = a_house(
        FakeTier(RAG), FakeTier(GRAPH), route=(), decided_by=decider, probabilities={GRAPH: chance}
    )

    await house.ask()

    assert (len(house.tiers[RAG].asked), len(house.tiers[GRAPH].asked)) == (0, n_asked)


@pytest.mark.parametrize(
    ("result", "asked", "tiers"),
    [
        (Comparison(a="a", b="b"), ["which is nearer", "q"], {GRAPH}),
        (Prose(), ["which is nearer", "q"], {CAG, GRAPH}),
    ],
)
async def test_a_comparison_is_made_by_all_that_is_asked(
    result: Result, asked: list[str], tiers: set[TierName]
):
    parts = {CAG: "and how far is it", GRAPH: "which is nearer"}
    graph = FakeTier(GRAPH, result=result)
    house = a_house(FakeTier(CAG), graph, route=(CAG, GRAPH), parts=parts)
    house.reader = reader(cues=("compare",))

    await house.ask()

    assert graph.asked == asked
    assert set(house.synthesizer.seen[0]) == tiers


async def test_a_whole_answer_is_remembered_and_given_again_as_it_was():
    house = a_house(FakeTier(CAG), route=(CAG,))
    first = await house.ask()

    again = await house.pipeline.recall(Question(text="q"))

    assert isinstance(again, Remembered)
    assert again.body.startswith(b'{"id":"ans_new","cache":{"hit":true},"status":"answered"')
    assert [a.id for _, a in house.journal.records] == [first.id, "ans_new"]


async def test_an_answer_to_other_words_is_given_again_and_says_to_which():
    house = a_house(FakeTier(CAG), route=(CAG,))
    house.memory.alike["q", 1] = Alike(b'"status":"answered"}', "kuh", 0.93)

    again = await house.pipeline.answer(Question(text="q"), Deadline.after(SOON))

    assert isinstance(again, Remembered)
    assert json.loads(again.body) == {
        "id": "ans_new",
        "cache": {"hit": True, "question": "kuh", "similarity": 0.93},
        "status": "answered",
    }
    assert house.tiers[CAG].asked == []
    assert [a.id for _, a in house.journal.records] == ["ans_new"]


@pytest.mark.parametrize("use", [MemoryUse.EXACT, MemoryUse.OFF])
async def test_a_caller_may_want_no_answer_to_other_words(use: MemoryUse):
    house = a_house(FakeTier(CAG), route=(CAG,))
    house.memory.alike["q", 1] = Alike(b'"status":"answered"}', "kuh", 0.93)

    answer = await house.pipeline.answer(Question(text="q", memory=use), Deadline.after(SOON))

    assert isinstance(answer, Answer)
    exact = await house.pipeline.recall(Question(text="q", memory=use))
    assert (exact is None) == (use is MemoryUse.OFF)


async def test_partial_and_degraded_answers_are_not_remembered():
    house = a_house(FakeTier(CAG), route=(CAG,))
    house.synthesizer = FakeSynthesizer((Degraded(tier="llm", reason="slow"),))
    await house.ask()

    abstained = a_house(FakeTier(CAG, status=TierStatus.MISS), route=(CAG,))
    await abstained.ask()

    assert house.memory.kept == abstained.memory.kept == {}


async def test_an_answer_that_saw_two_versions_is_made_again_once():
    house = a_house(FakeTier(CAG), route=(CAG,))

    def change_once() -> None:
        house.version = 2

    house.tiers[CAG].then = change_once

    await house.ask()

    assert len(house.tiers[CAG].asked) == 2
    assert list(house.memory.kept) == [("q", 2)]


async def test_a_route_is_told_before_the_tiers_are_asked_each_time_that_it_is_decided():
    house = a_house(FakeTier(CAG), route=(CAG,))
    n_asked = []

    def change_once() -> None:
        house.version = 2

    house.tiers[CAG].then = change_once
    await house.pipeline.ask(
        Question(text="q"),
        Deadline.after(SOON),
        lambda decision: n_asked.append((decision.tiers, len(house.tiers[CAG].asked))),
    )

    assert n_asked == [((CAG,), 0), ((CAG,), 1)]


async def test_an_answer_that_keeps_seeing_new_versions_is_never_remembered():
    house = a_house(FakeTier(CAG), route=(CAG,))

    def change() -> None:
        house.version += 1

    house.tiers[CAG].then = change

    await house.ask()

    assert len(house.tiers[CAG].asked) == 2
    assert house.memory.kept == {}


async def test_every_answer_is_journalled_with_the_time_of_each_stage():
    house = a_house(FakeTier(CAG), route=(CAG,))

    await house.ask()

    ((question, answer),) = house.journal.records
    assert question.text == "q"
    assert isinstance(answer, Answer)
    assert set(answer.timings_ms) == {"understand", "route", "retrieve", "synthesise"}


async def test_a_cancelled_question_cancels_its_tiers():
    hanging = FakeTier(RAG, hangs=True)
    house = a_house(hanging, route=(RAG,))
    asking = asyncio.create_task(house.ask(seconds=60))
    await hanging.is_asked.wait()

    asking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asking
    assert house.journal.records == []
