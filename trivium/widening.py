"""Who else is asked, where the tiers that were chosen may not be the right ones; see ADR 9."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from trivium.domain.evidence import ASKS_BACK, Reason, TierResult, TierStatus
from trivium.domain.question import TermKind, TierName, Understood
from trivium.domain.result import Comparison
from trivium.domain.route import Decider, RouteDecision
from trivium.language.duties import asks_for_oneself, asks_of_a_duty
from trivium.language.expecting import expected
from trivium.language.relating import (
    asks_about_one,
    asks_how_much,
    asks_of_graph,
    counts_time,
    is_conditioned,
    is_recorded,
    may_be_related,
    names_an_attribute,
    says_the_schema,
)
from trivium.worth import (
    gave_nothing,
    is_no_time,
    is_of_sort,
    is_plain,
    says_much_of,
    speaks_of,
    without_idle,
)

_FALL_THROUGH: Final = 0.03
"""A tier less probable than this is not asked when the others found nothing; measured by
``bench.suite``: 0.2 left seven questions of 82 unanswered that the next tier knows."""
_DOCUMENTS_ALONE: Final = 0.95
"""The probability of documents from which nothing else is asked."""
_MAY_TELL: Final = 0.15
"""How probable documents must be to be asked where the others have nothing to tell."""
_NOT_FAR: Final = 0.2
"""How probable the graph must be to be tried where no tier was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole question, which no tier is asked twice."""

    question: Understood
    decision: RouteDecision
    tiers: Collection[TierName]
    """Those that can be asked."""
    ask_part: Callable[[TierName, str], Awaitable[TierResult]]
    """Asks a tier for a part of it, or for all."""
    read: Callable[[str], Understood]
    """Reads a part."""
    found: dict[TierName, TierResult] = field(default_factory=dict)

    async def ask(self, tier: TierName) -> TierResult:
        """Return what a tier says to it."""
        if tier not in self.found:
            self.found[tier] = await self.ask_part(tier, self.question.text)
        return self.found[tier]

    def part_of(self, tier: TierName) -> str:
        """Return what a tier was asked."""
        return self.decision.parts.get(tier, self.question.text)


async def widened(
    whole: Whole, results: Mapping[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Return what stands after all who may know better were asked."""
    results = await _without_subject(whole, results)
    found = {**results, **await _fall_through(whole, results)}
    is_same = whole.part_of(TierName.CAG) == whole.part_of(TierName.RAG)
    found = without_idle(found) if is_same else found
    found = await _computed(whole, found)
    found = await _beside_documents(whole, found)
    found = await _with_documents(whole, found)
    found = await _rejoined(whole, found)
    found = await _measured(whole, found)
    return await _taken_over(whole, found)


async def _without_subject(
    whole: Whole, results: Mapping[TierName, TierResult]
) -> Mapping[TierName, TierResult]:
    """Ask documents their part again without the name that was put before it, if they say nothing.

    The part may be about something else: "X: which policy sets what for visits at night". It is
    too where what they say is of nothing that is called so.
    """
    subject, mark, part = whole.decision.parts.get(TierName.RAG, "").partition(": ")
    is_put_before = bool(mark) and f"{subject}: {part}" not in whole.question.question.text
    if not is_put_before or speaks_of(results[TierName.RAG], whole.read(subject)):
        return results
    found = await whole.ask_part(TierName.RAG, part)
    return results if gave_nothing(found) else {**results, TierName.RAG: found}


async def _fall_through(
    whole: Whole, results: Mapping[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Ask the other tiers, the most probable first, where those asked gave nothing."""
    question, probabilities = whole.question, whole.decision.probabilities
    is_nothing = bool(results) and all(gave_nothing(r) for r in results.values())
    if not (is_nothing or _is_refused_unsure(whole.decision, question)):
        return {}
    rest = [t for t in whole.tiers if t not in results]
    asks_back = any(r.reason is Reason.UNKNOWN_ENTITY for r in results.values())
    for tier in sorted(rest, key=lambda t: -probabilities.get(t, 0.0)):
        is_near = probabilities.get(tier, 0.0) >= _FALL_THROUGH
        if tier is TierName.GRAPH:
            may_know = is_near or says_the_schema(question) or asks_of_graph(question)
        elif tier is TierName.CAG and not results:
            may_know = names_an_attribute(question) or asks_about_one(question)
        elif tier is TierName.RAG and not results:
            may_know = _is_of_staff(question)
        else:
            may_know = is_near and bool(results) and not asks_back
        if not may_know:
            continue
        result = await whole.ask(tier)
        is_telling = not results and result.reason in ASKS_BACK
        is_guess = not results and tier is TierName.RAG and not says_much_of(result, question)
        is_guess = is_guess or not is_of_sort(result.result, question)
        if (result.has_answer and not is_guess) or is_telling:
            return {tier: result}
    return await _why_not(whole, results)


async def _why_not(
    whole: Whole, results: Mapping[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Have the facts answer, or say why not, where documents tell nothing of what is named.

    It may be that nothing is called so, or that nothing of the kind is kept of it. What facts only
    hint at answers a question for a figure or a day.
    """
    is_of_documents = set(results) == {TierName.RAG} and bool(whole.question.mentions)
    if not is_of_documents or TierName.CAG not in whole.tiers:
        return {}
    told = await whole.ask(TierName.CAG)
    is_told = told.reason in {Reason.UNKNOWN_ENTITY, Reason.NOT_IN_SCHEMA}
    is_value = expected(whole.question, range(len(whole.question.tokens))).sort is not None
    is_told = is_told or (told.status is TierStatus.HIT and (is_value or not told.is_hinted))
    return {TierName.CAG: told} if is_told else {}


async def _computed(
    whole: Whole, results: dict[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Have the graph compute what facts alone were asked about many entities.

    It knows conditions, groups and comparisons that ready figures leave out, and what relations
    hold where facts are only hinted at; where it has no plan, what the facts say stands.
    """
    if set(results) != {TierName.CAG} or TierName.GRAPH not in whole.tiers:
        return results
    if is_recorded(whole.question) and results[TierName.CAG].status is TierStatus.HIT:
        return results
    facts = results[TierName.CAG]
    is_of_then = bool(whole.question.times) and facts.status is TierStatus.HIT
    is_guess = facts.is_hinted and may_be_related(whole.question, is_timed=not is_of_then)
    is_guess = is_guess and not asks_how_much(whole.question)
    is_guess = is_guess and not _tells_of_each(results[TierName.CAG], whole.question)
    if not (is_guess or is_conditioned(whole.question)):
        return results
    computed = await whole.ask(TierName.GRAPH)
    if is_guess and results[TierName.CAG].has_answer and not is_plain(computed):
        return results
    asks_back = computed.reason is Reason.AMBIGUOUS
    is_answer = computed.status is TierStatus.HIT and is_of_sort(computed.result, whole.question)
    return {TierName.GRAPH: computed} if is_answer or asks_back else results


def _tells_of_each(result: TierResult, question: Understood) -> bool:
    """Whether facts hold the two things against each other that are named, by one value."""
    named = {c.id for m in question.mentions for c in m.best}
    told = result.result
    return isinstance(told, Comparison) and named == {told.a, told.b} and len(told.values) == 1


async def _beside_documents(
    whole: Whole, results: dict[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Have the graph answer too what documents alone were asked, where it is sure of a plan.

    Where the documents are not near, and the question names something and an attribute, facts take
    their place.
    """
    if set(results) == {TierName.RAG} and results[TierName.RAG].is_hinted:
        recorded = await _recorded(whole)
        if recorded:
            return recorded
    probability = whole.decision.probabilities.get(TierName.RAG, 0.0)
    is_open = set(results) == {TierName.RAG} and probability < _DOCUMENTS_ALONE
    if not (is_open and TierName.GRAPH in whole.tiers and says_the_schema(whole.question)):
        return results
    found = await whole.ask(TierName.GRAPH)
    is_sure = found.status is TierStatus.HIT and found.read_as is None
    return {**results, TierName.GRAPH: found} if is_sure else results


async def _recorded(whole: Whole) -> dict[TierName, TierResult]:
    """Return the facts of what a question names, where it says their attribute."""
    question = whole.question
    is_named = any(m.candidates for m in question.mentions)
    is_named = is_named and bool(question.terms_of(TermKind.PROPERTY, TermKind.FACT))
    if not is_named or TierName.CAG not in whole.tiers:
        return {}
    found = await whole.ask(TierName.CAG)
    return {TierName.CAG: found} if found.status is TierStatus.HIT and not found.is_hinted else {}


async def _with_documents(
    whole: Whole, results: dict[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Have documents answer too where the others have nothing, or only a doubtful reading."""
    question = whole.question
    may_tell = whole.decision.probabilities.get(TierName.RAG, 0.0) >= _MAY_TELL
    may_tell = may_tell or question.has("narrative", "procedure", "contents", "document")
    is_open = TierName.RAG in whole.tiers and TierName.RAG not in results
    asks_back = any(r.reason in ASKS_BACK for r in results.values())
    if not may_tell or not is_open or asks_back or any(map(is_plain, results.values())):
        return results
    found = await whole.ask(TierName.RAG)
    if found.status is not TierStatus.HIT or found.is_hinted:
        return results
    return {TierName.RAG: found, **{t: r for t, r in results.items() if not gave_nothing(r)}}


async def _measured(
    whole: Whole, results: dict[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Have documents answer for how many years, where nothing else tells a time."""
    told = [r.result for r in results.values() if r.has_answer]
    is_open = TierName.RAG in whole.tiers and TierName.RAG not in results and bool(told)
    if not is_open or not counts_time(whole.question) or not all(map(is_no_time, told)):
        return results
    found = await whole.ask(TierName.RAG)
    is_firm = found.status is TierStatus.HIT and not found.is_hinted
    return {TierName.RAG: found} if is_firm else results


async def _taken_over(
    whole: Whole, results: dict[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Ask another tier for a part to which its own has no answer; if sure, it takes it over."""
    question = whole.question
    for tier, result in list(results.items()):
        part = whole.part_of(tier)
        is_part = tier in whole.decision.tiers and part != question.question.text
        if not (is_part and gave_nothing(result) and len(results) > 1):
            continue
        rest = [t for t in whole.tiers if t not in results]
        for other in sorted(rest, key=lambda t: -whole.decision.probabilities.get(t, 0.0)):
            found = await whole.ask_part(other, part)
            if is_plain(found):
                return {**{t: r for t, r in results.items() if t is not tier}, other: found}
    return results


async def _rejoined(
    whole: Whole, results: dict[TierName, TierResult]
) -> dict[TierName, TierResult]:
    """Ask the graph the whole question, where it was split for no reason.

    So it was where the facts have nothing for their part, or only hint at it, where the documents
    have nothing for theirs, and where a comparison was cut in two. The facts stand beside it where
    they were asked for by name.
    """
    question = whole.question
    is_parted = whole.part_of(TierName.GRAPH) != question.question.text
    if not is_parted:
        return results
    if TierName.RAG in results and gave_nothing(results[TierName.RAG]):
        results = {t: r for t, r in results.items() if t is not TierName.RAG}
    if set(results) == {TierName.GRAPH}:
        found = await whole.ask(TierName.GRAPH)
        return {TierName.GRAPH: found} if found.status is TierStatus.HIT else results
    if set(results) != {TierName.CAG, TierName.GRAPH}:
        return results
    facts = results[TierName.CAG]
    is_guess = facts.is_hinted and results[TierName.GRAPH].status is not TierStatus.HIT
    is_idle = gave_nothing(facts) or is_guess
    if not (is_idle or question.has("compare")):
        return results
    found = await whole.ask(TierName.GRAPH)
    is_compared = isinstance(found.result, Comparison)
    if found.status is not TierStatus.HIT or not (is_idle or is_compared):
        return results
    part = whole.read(whole.part_of(TierName.CAG))
    is_own = facts.status is TierStatus.HIT and any(m.candidates for m in part.mentions)
    if is_own and not facts.is_hinted:
        return {TierName.CAG: facts, TierName.GRAPH: found}
    return {TierName.GRAPH: found}


def _is_refused_unsure(decision: RouteDecision, question: Understood) -> bool:
    """Whether no tier was chosen, but the graph was not far from it, or a tier may know."""
    is_ours = not decision.tiers and decision.decided_by is Decider.MODEL
    is_near = decision.probabilities.get(TierName.GRAPH, 0.0) >= _NOT_FAR
    may_be = is_near or asks_of_graph(question) or names_an_attribute(question)
    return is_ours and (may_be or asks_about_one(question) or _is_of_staff(question))


def _is_of_staff(question: Understood) -> bool:
    """Whether somebody asks what he may, must or gets, which rules tell if anything does.

    Of 2,332 pairs of an idle question and a data set, not one asks so and finds a sure passage.
    """
    return asks_of_a_duty(question) or asks_for_oneself(question)
