"""A question whose last part speaks of what its first part finds: one is asked, then the other."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from trivium.domain.evidence import TierResult, TierStatus
from trivium.domain.ports import Reader
from trivium.domain.prompting import added
from trivium.domain.question import Question, TierName, Understood
from trivium.domain.result import Nodes, Ranking, Result, Values
from trivium.domain.route import Decider, RouteDecision
from trivium.language.parting import Pointing, described, side_by_side
from trivium.language.pointing import pointing
from trivium.language.relating import may_be_about

Found: TypeAlias = tuple[RouteDecision, Mapping[TierName, TierResult]]
"""A route, and what the tiers said."""
_ORDER: Final = (TierName.GRAPH, TierName.CAG)
"""Which tier's entities are taken for those that the first part asks for."""
_LONGEST: Final = 80
"""Words of a question; beyond, it is a text, and is asked as a whole."""
_WHY: Final = "its last part speaks of what its first part finds, so they were asked in turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """How the parts of a question are asked."""

    understand: Callable[[Question], Awaitable[Understood]]
    route: Callable[[Understood], RouteDecision]
    retrieve: Callable[[Understood, RouteDecision], Awaitable[Mapping[TierName, TierResult]]]
    """Asks the tiers of a route, and those that may know better."""
    reader: Reader

    async def asked(self, question: Understood, decision: RouteDecision) -> Found:
        """Return what a question finds: its parts in turn where one speaks of the other, else all.

        Where the graph alone is asked, it may read both parts as one plan, and does so better than
        in turn where only one of them asks; see ADR 21.
        """
        if decision.decided_by is Decider.RULE or len(question.tokens) > _LONGEST:
            return decision, await self.retrieve(question, decision)
        told = pointing(question)
        if told and (told.is_two_questions or decision.tiers != (TierName.GRAPH,)):
            found = await self._in_turn(
                question,
                told,
                question.question.tiers,
                may_be_named=told.is_two_questions and len(decision.tiers) == 1,
            )
            if found:
                return found
            told = None
        if told is None and question.question.tiers is None:
            found = await self._described(question)
            if found:
                return found
        results = await self.retrieve(question, decision)
        if any(map(_is_sure, results.values())):
            return decision, results
        found = await self._in_turn(question, told, question.question.tiers) if told else None
        return found or await self._side_by_side(question) or (decision, results)

    async def _side_by_side(self, question: Understood) -> Found | None:
        """Return what two questions in one find, where each has an answer that is sure."""
        parted = side_by_side(question)
        tiers = question.question.tiers
        found = await self._in_turn(question, parted, tiers) if parted else None
        return found if found and all(map(_is_sure, found[1].values())) else None

    async def _described(self, question: Understood) -> Found | None:
        """Return the facts of what a relation describes, which the graph finds."""
        parted = described(question)
        found = await self._in_turn(question, parted, (TierName.GRAPH,)) if parted else None
        facts = found[1].get(TierName.CAG) if found else None
        return found if facts and facts.status is TierStatus.HIT else None

    async def _in_turn(
        self,
        question: Understood,
        parted: Pointing,
        tiers: tuple[TierName, ...] | None,
        *,
        may_be_named: bool = False,
    ) -> Found | None:
        """Ask the first part of ``tiers``, then the last of what it finds.

        Args:
            question: the whole.
            parted: its two parts.
            tiers: those that the first part is asked of; ``None``: by its route.
            may_be_named: whether the last may speak of what the first names, where it cannot of
                what that finds; else the whole is better asked as one.
        """
        first = await self._ask(replace(question.question, text=parted.lead, tiers=tiers))
        for names in self._meant(question, parted, first, may_be_named=may_be_named):
            then = await self._ask(replace(question.question, text=parted.about(names)))
            told = {t for t, r in then[1].items() if r.has_answer and not _is_idle(r)}
            if parted.is_of_one:  # no tier is to stretch a point: another may be meant
                told &= set(then[0].tiers)
            if told:
                return _joined(first, then, is_asked=parted.is_two_questions)
        return None

    async def _ask(self, question: Question) -> Found:
        understood = await self.understand(replace(question, history=()))
        decision = self.route(understood)
        return decision, await self.retrieve(understood, decision)

    def _meant(
        self, question: Understood, parted: Pointing, first: Found, *, may_be_named: bool
    ) -> Iterator[Sequence[str]]:
        """Give the names of what the last part may speak of: what the first finds, or names.

        One thing must be such that it may have the relations and attributes that are said of it.
        """
        if not parted.places:
            yield ()
            return
        named = {c.id for m in question.mentions for c in m.best}
        found = [e for e in _entities(first[1]) if e not in named]
        if may_be_named and not any(r.has_answer for r in first[1].values()):
            return
        for entities in [found, [*named]] if may_be_named and parted.is_of_one else [found]:
            told = [n for n, kind in map(self.reader.name, entities) if parted.is_called(kind)]
            if parted.fits(len(told)) and self._may_be_about(parted, entities[0]):
                yield told

    def _may_be_about(self, parted: Pointing, entity: str) -> bool:
        """Whether an entity may have what is said of the one thing that is meant."""
        if not parted.is_of_one:
            return True
        name, node_type = self.reader.name(entity)
        read = self.reader.read(Question(text=parted.about([name])))
        return may_be_about(read, node_type, self.reader.schema)


def _entities(results: Mapping[TierName, TierResult]) -> tuple[str, ...]:
    """Return the entities that are a result, those of the graph before those of facts."""
    told = (results[t] for t in _ORDER if t in results and results[t].has_answer)
    return next(filter(None, (_of(result.result) for result in told)), ())


def _of(result: Result | None) -> tuple[str, ...]:
    match result:
        case Nodes(ids):
            return ids
        case Ranking(pairs):
            return tuple(entity for entity, _ in pairs)
        case Values(values):
            return tuple(dict.fromkeys(v.entity for v in values))
        case _:
            return ()


def _is_sure(result: TierResult) -> bool:
    return result.status is TierStatus.HIT and result.read_as is None


def _is_idle(result: TierResult) -> bool:
    """Whether a tier found nothing by a reading of which it is not sure."""
    return result.read_as is not None and result.result == Nodes(())


def _joined(first: Found, then: Found, *, is_asked: bool) -> Found:
    """Return the routes of two parts as one, and what each tier says to both.

    Args:
        first: what the first part found.
        then: what the last part found.
        is_asked: whether the first part's answer is a part of the whole's.
    """
    one, other = first[0], then[0]
    parts = dict(one.parts)
    for tier, part in other.parts.items():
        parts[tier] = f"{parts[tier]}; {part}" if tier in parts else part
    decision = replace(
        other,
        tiers=tuple(t for t in TierName if t in one.tiers or t in other.tiers),
        probabilities={
            t: max(one.probabilities.get(t, 0.0), other.probabilities.get(t, 0.0))
            for t in {*one.probabilities, *other.probabilities}
        },
        parts=parts,
        is_in_turn=True,
        reasons=tuple(dict.fromkeys((_WHY, *one.reasons, *other.reasons))),
    )
    results = {**first[1], **then[1]}
    for tier in first[1].keys() & then[1].keys():
        results[tier] = both(first[1][tier], then[1][tier], is_asked=is_asked)
    return decision, results


def both(first: TierResult, then: TierResult, *, is_asked: bool) -> TierResult:
    """Return what a tier says to two parts of a question as one result.

    It is the second's; where both find entities and both are asked for, all of them. Where the tier
    has an answer to one part alone, that is a partial one.
    """
    if not (first.has_answer and then.has_answer):
        told, missed = (first, then) if first.has_answer else (then, first)
        if not told.has_answer:
            return told
        return replace(told, status=TierStatus.PARTIAL, why=missed.why)
    shift = len(first.evidence)
    statements = tuple(
        replace(s, evidence=tuple(i + shift for i in s.evidence)) for s in then.statements
    )
    result = then.result
    if is_asked and isinstance(first.result, Nodes) and isinstance(result, Nodes):
        result = Nodes(tuple(sorted({*first.result.ids, *result.ids})))
    sheets = {sheet.entity: sheet for sheet in (*first.sheets, *then.sheets)}
    is_whole = first.status is then.status is TierStatus.HIT
    return replace(
        then,
        status=TierStatus.HIT if is_whole else TierStatus.PARTIAL,
        evidence=(*first.evidence, *then.evidence),
        result=result,
        also=(*([first.result] if first.result else []), *first.also, *then.also),
        statements=(*first.statements, *statements),
        sheets=tuple(sheets[entity] for entity in sorted(sheets)),
        why=" ".join(filter(None, (first.why, then.why))) or None,
        degraded=first.degraded or then.degraded,
        read_as="; then ".join(filter(None, (first.read_as, then.read_as))) or None,
        freshness=tuple(dict.fromkeys((*first.freshness, *then.freshness))),
        usage=added([first.usage, then.usage]),
        trace={**first.trace, "then": then.trace},
    )
