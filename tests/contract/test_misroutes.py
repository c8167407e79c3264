"""The queue of misroutes, on each kind of database."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from feedback.deciding import Action, Step
from feedback.diagnosis import Kind
from feedback.misroutes import Misroutes, ReportFilter
from feedback.ratings import Rating, RatingReason, Ratings, Thumb
from feedback.reports import Analysis, Report, ReportState
from tests.conftest import SEED, SOAK
from tests.contract.conftest import SqlPlace
from trivium.domain.alias import Alias, Meaning, Meant
from trivium.domain.errors import ConflictError, DependencyError, NotFoundError
from trivium.domain.question import TierName, Turn

CAG, RAG, GRAPH = TierName
NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)
DOWN = Rating(
    answer_id="ans_1",
    tenant="acme",
    rater="ann",
    thumb=Thumb.DOWN,
    reason=RatingReason.WRONG_SOURCE,
    comment="It is in the contract.",
    at=NOW.isoformat(),
)
UP = replace(DOWN, thumb=Thumb.UP, reason=None, at=(NOW + timedelta(hours=1)).isoformat())
ANALYSIS = Analysis(
    question="How late may it be?",
    history=(Turn("user", "And the contract?"),),
    given={"status": "abstained"},
    route={"tiers": ["graph"], "model_version": "v1"},
    alone={"rag": {"status": "answered", "support": "strong"}},
    kind=Kind.ROUTING,
    proposed=(RAG,),
    why=("rag alone has a strong answer",),
    at=NOW.isoformat(),
)
CONFIRM = Step(action=Action.CONFIRM, by="eve", at=NOW)
CORRECT = Step(action=Action.CORRECT, by="eve", at=NOW, tiers=(CAG, RAG), comment="Both.")
DISMISS = Step(action=Action.DISMISS, by="eve", at=NOW)
UNDO = Step(action=Action.UNDO, by="eve", at=NOW)
CLAIM = Step(action=Action.CLAIM, by="eve", at=NOW, claim_s=60)
EVERY = ReportFilter()


@pytest.fixture
def queue(ratings: Ratings) -> Misroutes:
    return Misroutes(ratings.database)


@pytest.fixture
async def second(sql_place: SqlPlace, queue: Misroutes) -> AsyncIterator[Misroutes]:
    """Another handle on the same queue, as another process would have."""
    opened = await Ratings.open(sql_place.url, schema=sql_place.schema)
    yield Misroutes(opened.database)
    await opened.close()


async def opened(ratings: Ratings, rating: Rating = DOWN, analysis: Analysis | None = ANALYSIS):
    """Rate an answer down, keep its analysis, and return the report."""
    await ratings.rate(rating)
    queue = Misroutes(ratings.database)
    (report,) = await queue.find(ReportFilter(rater=rating.rater, tenant=rating.tenant))
    if analysis is not None:
        await queue.keep(report, analysis, (1.0, 0.0))
    return await queue.get(report.id, None)


async def take(queue: Misroutes, step: Step, report: Report) -> Report:
    (outcome,) = await queue.take(step, [report.id], None)
    if not isinstance(outcome, Report):
        raise outcome
    return outcome


async def test_a_thumb_down_opens_a_report_and_an_up_does_not(
    ratings: Ratings, queue: Misroutes, second: Misroutes
):
    await ratings.rate(replace(UP, answer_id="ans_2"))
    await ratings.rate(DOWN)
    await ratings.rate(DOWN)

    (report,) = await second.find(EVERY)

    assert (report.state, report.rating, report.analysis) == (ReportState.OPEN, DOWN, None)
    assert await queue.get(report.id, "acme") == report
    assert [r.id for r, _ in await queue.pending(9)] == [report.id]


async def test_a_rating_and_its_report_are_kept_together_or_not_at_all(
    ratings: Ratings, sql_place: SqlPlace
):
    await sql_place.execute("DROP TABLE misroutes")

    with pytest.raises(DependencyError):
        await ratings.rate(DOWN)

    assert await ratings.of("ans_1", "acme") == ()


async def test_a_switch_to_up_withdraws_the_report_with_its_reason_and_a_new_down_opens_it_again(
    ratings: Ratings, queue: Misroutes
):
    """Case F03."""
    report = await opened(ratings)

    await ratings.rate(UP)

    (withdrawn,) = await queue.find(EVERY)
    assert (withdrawn.state, withdrawn.rating.reason) == (ReportState.WITHDRAWN, None)
    assert await queue.find(ReportFilter(state=ReportState.OPEN)) == ()
    assert await queue.pending(9) == ()
    for step in (CLAIM, CONFIRM, CORRECT, DISMISS):
        with pytest.raises(ConflictError, match="withdrawn"):
            await take(queue, step, report)

    await ratings.rate(replace(DOWN, reason=None, at=(NOW + timedelta(hours=2)).isoformat()))

    ((again, _),) = await queue.pending(9)
    assert (again.id, again.state, again.rating.reason) == (report.id, ReportState.OPEN, None)


async def test_what_a_rater_says_anew_is_analysed_anew(ratings: Ratings, queue: Misroutes):
    await opened(ratings)
    assert await queue.pending(9) == ()

    await ratings.rate(replace(DOWN, tiers=(CAG,), at=UP.at))

    assert [report.rating.tiers for report, _ in await queue.pending(9)] == [(CAG,)]


async def test_words_that_were_misread_are_told_with_what_is_pending(
    ratings: Ratings, queue: Misroutes
):
    await ratings.rate(DOWN)
    await ratings.rate(
        replace(DOWN, rater="bob"),
        [Alias(words="bird", means=Meaning(kind=Meant.ENTITY, name="A-2"))],
    )

    pending = await queue.pending(9)

    assert [(r.rating.rater, is_misread) for r, is_misread in pending] == [
        ("ann", False),
        ("bob", True),
    ]
    assert await queue.pending(9, after=pending[0][0].number) == pending[1:]


async def test_an_analysis_is_read_as_it_was_kept(ratings: Ratings):
    assert (await opened(ratings)).analysis == ANALYSIS


@pytest.mark.parametrize(
    ("wanted", "raters"),
    [
        ({"state": ReportState.OPEN}, ["bob", "zoe"]),
        ({"state": ReportState.CONFIRMED}, ["ann"]),
        ({"kind": Kind.ROUTING}, ["ann", "bob"]),
        ({"kind": Kind.DATA}, ["zoe"]),
        ({"given": GRAPH}, ["ann", "bob"]),
        ({"given": RAG}, []),
        ({"proposed": RAG}, ["ann", "bob"]),
        ({"proposed": CAG}, ["zoe"]),
        ({"rater": "bob"}, ["bob"]),
        ({"tenant": "other"}, ["zoe"]),
        ({"since": "2026-08-01T12:00:01.000000+00:00"}, ["bob", "zoe"]),
        ({"limit": 1}, ["ann"]),
        ({}, ["ann", "bob", "zoe"]),
    ],
)
async def test_reports_are_found_by_what_they_are(
    ratings: Ratings, queue: Misroutes, wanted: dict[str, object], raters: list[str]
):
    ann = await opened(ratings)
    await opened(ratings, replace(DOWN, rater="bob", at=UP.at))
    data = replace(ANALYSIS, kind=Kind.DATA, route={"tiers": ["cag"]}, proposed=(CAG,))
    await opened(ratings, replace(DOWN, rater="zoe", tenant="other", at=UP.at), data)
    await take(queue, CONFIRM, ann)

    found = await queue.find(ReportFilter(**wanted))  # type: ignore[arg-type]  # the values are those of the fields

    assert [report.rating.rater for report in found] == raters


async def test_all_gives_more_than_a_page(ratings: Ratings, queue: Misroutes, monkeypatch):
    monkeypatch.setattr("feedback.misroutes._PAGE", 2)
    for name in "abcde":
        await ratings.rate(replace(DOWN, rater=name))

    assert [r.rating.rater async for r in queue.all(EVERY)] == list("abcde")


async def test_a_tenant_sees_and_decides_its_own_alone(ratings: Ratings, queue: Misroutes):
    report = await opened(ratings)

    with pytest.raises(NotFoundError):
        await queue.get(report.id, "other")
    (outcome,) = await queue.take(CONFIRM, [report.id], "other")

    assert isinstance(outcome, NotFoundError)
    assert (await queue.get(report.id, "acme")).state is ReportState.OPEN


@pytest.mark.parametrize(
    ("step", "state", "label"),
    [
        (CONFIRM, ReportState.CONFIRMED, (RAG,)),
        (replace(CONFIRM, tiers=(RAG,)), ReportState.CONFIRMED, (RAG,)),
        (CORRECT, ReportState.CORRECTED, (CAG, RAG)),
        (replace(CORRECT, tiers=()), ReportState.CORRECTED, ()),
        (DISMISS, ReportState.DISMISSED, None),
    ],
)
async def test_a_decision_is_kept_with_who_and_when_and_a_retry_changes_nothing(
    ratings: Ratings, queue: Misroutes, second: Misroutes, step, state, label
):
    report = await opened(ratings)

    decided = await take(queue, step, report)
    again = await take(second, replace(step, by="bob", at=NOW + timedelta(days=1)), report)

    assert again == decided == await second.get(report.id, None)
    assert decided.verdict is not None
    assert (decided.state, decided.verdict.tiers, decided.verdict.by) == (state, label, "eve")
    assert decided.verdict.at == "2026-08-01T12:00:00.000000+00:00"
    (event,) = await queue.history(report.id)
    assert (event.action, event.by, event.tiers) == (step.action, "eve", label)
    assert event.comment == step.comment


async def test_another_decision_is_a_conflict_until_the_first_is_undone(
    ratings: Ratings, queue: Misroutes
):
    report = await opened(ratings)
    await take(queue, CONFIRM, report)

    for step in (CORRECT, DISMISS, CLAIM):
        with pytest.raises(ConflictError, match="confirmed as rag by eve"):
            await take(queue, step, report)
    undone = await take(queue, replace(UNDO, by="bob"), report)
    assert (undone.state, undone.verdict) == (ReportState.OPEN, None)
    assert await take(queue, UNDO, report) == undone, "a retry"
    corrected = await take(queue, CORRECT, report)

    assert corrected.state is ReportState.CORRECTED
    told = [(event.action, event.by) for event in await queue.history(report.id)]
    assert told == [("confirm", "eve"), ("undo", "bob"), ("correct", "eve")]


async def test_a_claim_keeps_others_away_until_it_expires(ratings: Ratings, queue: Misroutes):
    report = await opened(ratings)
    claimed = await take(queue, CLAIM, report)
    assert claimed.claim is not None
    assert (claimed.claim.by, claimed.claim.until) == ("eve", "2026-08-01T12:01:00.000000+00:00")

    soon, late = NOW + timedelta(seconds=59), NOW + timedelta(seconds=60)
    for step in (CLAIM, CONFIRM, CORRECT, DISMISS):
        with pytest.raises(ConflictError, match="claimed by eve"):
            await take(queue, replace(step, by="bob", at=soon), report)
    longer = await take(queue, replace(CLAIM, at=soon), report)
    assert longer.claim is not None
    assert longer.claim.until > claimed.claim.until

    after = soon + timedelta(seconds=60)
    with pytest.raises(ConflictError):
        await take(queue, replace(CLAIM, by="bob", at=late), report)
    taken = await take(queue, replace(CLAIM, by="bob", at=after), report)
    assert taken.claim is not None
    assert taken.claim.by == "bob"
    decided = await take(queue, replace(CONFIRM, by="bob", at=after), report)
    assert (decided.state, decided.claim) == (ReportState.CONFIRMED, None)


async def test_what_is_not_analysed_or_lost_its_trace_cannot_be_labelled(
    ratings: Ratings, queue: Misroutes
):
    report = await opened(ratings, analysis=None)
    for step in (CONFIRM, CORRECT):
        with pytest.raises(ConflictError, match="not analysed yet"):
            await take(queue, step, report)
    lost = replace(ANALYSIS, question=None, route={}, kind=Kind.UNKNOWN, proposed=None)
    await queue.keep(report, lost, ())

    for step in (CONFIRM, CORRECT):
        with pytest.raises(ConflictError, match="trace of its answer was lost"):
            await take(queue, step, report)
    assert (await take(queue, DISMISS, report)).state is ReportState.DISMISSED


async def test_a_proposal_that_changed_under_an_admin_is_not_confirmed(
    ratings: Ratings, queue: Misroutes
):
    report = await opened(ratings)

    with pytest.raises(ConflictError, match="proposes rag, not cag"):
        await take(queue, replace(CONFIRM, tiers=(CAG,)), report)


async def test_of_several_reports_those_are_decided_that_can_be(ratings: Ratings, queue: Misroutes):
    ann, bob, zoe = [await opened(ratings, replace(DOWN, rater=name)) for name in "abz"]
    await take(queue, replace(CLAIM, by="max"), bob)

    ids = [zoe.id, "mis_none", bob.id, ann.id, ann.id]
    outcomes = await queue.take(CONFIRM, ids, None)

    kinds = [Report, NotFoundError, ConflictError, Report, Report]
    assert [type(outcome) for outcome in outcomes] == kinds
    states = [report.state for report in await queue.find(EVERY)]
    assert states == [ReportState.CONFIRMED, ReportState.OPEN, ReportState.CONFIRMED]
    assert len(await queue.history(ann.id)) == 1


async def test_similar_reports_of_the_tenant_come_nearest_first(ratings: Ratings, queue: Misroutes):
    vectors = {"near": (0.8, 0.6), "far": (0.0, 1.0), "same": (1.0, 0.0), "longer": (1.0, 0.0, 0.0)}
    for name, vector in vectors.items():
        report = await opened(ratings, replace(DOWN, rater=name), None)
        await queue.keep(report, replace(ANALYSIS, question=name), vector)
    other = await opened(ratings, replace(DOWN, rater="same", tenant="other"), None)
    await queue.keep(other, ANALYSIS, (1.0, 0.0))
    report = await opened(ratings, replace(DOWN, rater="new"))

    found = await queue.similar(report, (1.0, 0.0))

    assert [(case["question"], case["score"]) for case in found] == [("same", 1.0), ("near", 0.8)]
    assert [case["state"] for case in found] == ["open", "open"]
    assert await queue.similar(report, ()) == ()


async def test_labels_that_were_decided_are_counted(ratings: Ratings, queue: Misroutes):
    reports = [await opened(ratings, replace(DOWN, rater=name)) for name in "abcde"]
    for step, report in zip((CORRECT, CONFIRM, DISMISS, CONFIRM), reports, strict=False):
        await take(queue, step, report)
    await take(queue, UNDO, reports[3])

    assert await queue.n_labelled() == 2


async def test_of_claims_at_once_one_holds(ratings: Ratings, queue: Misroutes, second: Misroutes):
    chance = random.Random(SEED)
    for turn in range(min(3 * SOAK, 200)):
        report = await opened(ratings, replace(DOWN, rater=f"r{turn}"))
        admins = [f"admin {n}" for n in range(chance.randint(2, 6))]
        steps = [
            replace(CLAIM, by=by, action=chance.choice([Action.CLAIM, Action.CONFIRM]))
            for by in admins
        ]

        outcomes = await asyncio.gather(
            *(chance.choice((queue, second)).take(step, [report.id], None) for step in steps)
        )

        now, events = await queue.get(report.id, None), await queue.history(report.id)
        done = [o for (o,) in outcomes if isinstance(o, Report)]
        assert done, f"seed {SEED}"
        assert len({event.by for event in events}) == 1, f"seed {SEED}: {events}"
        assert [event.action for event in events].count("confirm") <= 1
        if now.state is ReportState.OPEN:
            assert now.claim is not None
            assert now.claim.by == events[0].by
            assert len(done) == 1


async def test_odd_characters_are_kept_as_a_database_can(ratings: Ratings, queue: Misroutes):
    report = await opened(ratings, replace(DOWN, rater="c\x00"))
    odd = replace(DISMISS, by="e\x00", comment="\ud800")

    decided = await take(queue, odd, report)

    assert await take(queue, odd, report) == decided
    assert (await queue.find(ReportFilter(rater="c\x00")))[0].id == report.id
