"""Explains a reading: for each stretch of a question, what it was taken for in the end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, TypeAlias

from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.claims import TIMING, Claim, Claims, TakenAs, Used
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import Statement
from tiers.graphrag.reading.tree import Bound
from trivium.domain.question import Span, Token, Understood
from trivium.domain.schema import NodeType, Property, RelationType, Schema
from trivium.language.text import spoken, stems
from trivium.language.words import asked_by_adjective, general_words, name_phrases

_RANKS: Final = {kind: rank for rank, kind in enumerate(TakenAs)}
_MAX_SAID: Final = 3
"""Readings of the same words that are told."""
_OF_TIME: Final = (TakenAs.CUE, "a bound in time")
_CUT: Final = frozenset({"ve", "re", "ll"})
"""What an apostrophe leaves of a word of the language."""
Told: TypeAlias = dict[int, tuple[TakenAs, str]]
"""What words by their place were taken for."""


@dataclass(slots=True)
class Trail:
    """What a reading leaves behind, from which it can be explained."""

    sketch: Sketch | None = None
    """What the question names, as the templates read it; ``None`` when nothing was settled."""
    stated: tuple[Statement, ...] = ()
    bounds: tuple[Bound, ...] = ()


def told(question: Understood, trail: Trail, claims: Iterable[Claim]) -> list[dict[str, object]]:
    """Return how each stretch of a question was understood, in order, as answers show it.

    Args:
        question: the question as it was read.
        trail: what its reading settled.
        claims: what ``accounted`` gave for them.

    Returns:
        ``{"text", "start", "end", "as", "means"}`` for each stretch, with places in
        ``question.text``. Words of the language that say nothing of their own are left out.
    """
    asked = question if trail.sketch is None else trail.sketch.question
    return [_shown(asked, claim) for claim in claims]


def accounted(question: Understood, trail: Trail, plan: Plan | None, schema: Schema) -> list[Claim]:
    """Return what each stretch of a question was taken for, in order.

    Args:
        question: the question as it was read.
        trail: what its reading settled.
        plan: what was made of it; ``None`` when it was refused.
        schema: that of the reading.
    """
    used = None if plan is None else Used.of(plan)
    claims = Claims(schema, used)
    if trail.sketch is None:
        found = list(claims.of_linking(question))
    else:
        question = trail.sketch.question
        found = list(claims.of_sketch(trail.sketch))
    chosen = _chosen([claim for claim in found if claim.is_used])
    taken = {index for claim in chosen for index in claim.span}
    tokens = question.tokens
    left = [i for i in range(len(tokens)) if i not in taken and _says(tokens, i, taken)]
    told = _stated(trail, used)
    if any(claim.taken_as is TakenAs.TIME for claim in chosen):
        told |= {i: _OF_TIME for i in left if tokens[i].lower in TIMING}
    if used is not None:
        telling = [i for i in left if tokens[i].lower not in TIMING]
        described = ((i, _described(tokens[i], claims, used, schema)) for i in telling)
        told = {i: reading for i, reading in described if reading} | told
    chosen += _rest(left, told, found)
    return sorted(chosen, key=lambda claim: claim.span.first)


def _says(tokens: Sequence[Token], index: int, taken: AbstractSet[int]) -> bool:
    """Whether a word says something of its own.

    Cut forms do not ("I'm"), nor forms of address before a name that is known.
    """
    token, general = tokens[index], general_words()
    is_cut = token.lower in _CUT or (len(token.text) == 1 and token.text.islower())
    is_title = token.lower in general.titles and index + 1 in taken
    return general.is_content(token) and not (token.stem in general.generic or is_cut or is_title)


def _chosen(claims: Iterable[Claim]) -> list[Claim]:
    """Return one claim for each stretch: the longest; of equal ones, the first kind."""
    ordered = sorted(claims, key=lambda c: (-len(c.span), _RANKS[c.taken_as], c.span.first))
    kept: list[Claim] = []
    for (span, kind), same in groupby(ordered, key=lambda c: (c.span, c.taken_as)):
        if not any(span.overlaps(claim.span) for claim in kept):
            means = tuple(dict.fromkeys(claim.means for claim in same))[:_MAX_SAID]
            kept.append(Claim(span=span, taken_as=kind, means=" or ".join(means)))
    return kept


def _rest(left: Sequence[int], told: Told, found: Sequence[Claim]) -> list[Claim]:
    """Return claims for the words that no settled piece of the plan accounts for."""
    single = [_claimed(index, told, found) for index in left]
    joined: list[Claim] = []
    for claim in single:
        before = joined[-1] if joined else None
        is_same = before is not None and (before.taken_as, before.means) == (
            claim.taken_as,
            claim.means,
        )
        if before is not None and is_same and before.span.last == claim.span.first:
            joined[-1] = replace(before, span=Span(first=before.span.first, last=claim.span.last))
        else:
            joined.append(claim)
    return joined


def _claimed(index: int, told: Told, found: Sequence[Claim]) -> Claim:
    span = Span(first=index, last=index + 1)
    if index in told:
        kind, means = told[index]
        return Claim(span=span, taken_as=kind, means=means)
    spare = next((c for c in found if index in c.span and c.taken_as is not TakenAs.CUE), None)
    if spare is None:
        return Claim(span=span, taken_as=TakenAs.UNREAD, means="")
    means = f"{spare.taken_as} {spare.means}, which the plan does not use"
    return Claim(span=span, taken_as=TakenAs.UNREAD, means=means, left=spare.taken_as)


def _stated(trail: Trail, used: Used | None) -> Told:
    """Return what words were taken for that state something of a property, or bound a number."""
    told: Told = {}
    for statement in trail.stated:
        name = next((p for _, p in statement.owners if used is None or p in used.names), None)
        for index in (i for span in statement.spans for i in span) if name else ():
            told[index] = (TakenAs.PROPERTY, f"{name} {statement.test.value} {statement.value}")
    for bound in trail.bounds:
        told |= dict.fromkeys(bound.span, (TakenAs.PROPERTY, bound.said))
    return told


def _described(
    token: Token, claims: Claims, used: Used, schema: Schema
) -> tuple[TakenAs, str] | None:
    """Return the property, relation or type of the plan that a word describes."""
    for owner in schema.owners():
        for item in owner.properties.values():
            if item.name in used.names and _is_word_of(token, item):
                return TakenAs.PROPERTY, f"{item.name} of {owner.name}"
    kinds: tuple[tuple[TakenAs, Mapping[str, NodeType | RelationType], Callable[[str], str]], ...]
    kinds = (
        (TakenAs.RELATION, dict(schema.relation_types), claims.followed),
        (TakenAs.TYPE, dict(schema.node_types), str),
    )
    for kind, known, said in kinds:
        for name in known.keys() & used.names:
            if token.stem in _words(name, known[name].description, *known[name].words):
                return kind, said(name)
    return None


def _is_word_of(token: Token, item: Property) -> bool:
    """Whether a word stands in what is said of a property, or is one that asks for it."""
    if token.stem in _words(item.name, item.description, item.unit or "", *item.words):
        return True
    parts = name_phrases(item.name)
    asked = (measure for measure, _ in asked_by_adjective(token.stem))
    said = (m for m in general_words().measures if (token.stem,) in m.said)
    return any(measure.of & parts for measure in (*asked, *said))


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in stems(spoken(text)))


def _shown(question: Understood, claim: Claim) -> dict[str, object]:
    first, last = question.tokens[claim.span.first], question.tokens[claim.span.last - 1]
    return {
        "text": question.text[first.start : last.end],
        "start": first.start,
        "end": last.end,
        "as": claim.taken_as.value,
        "means": claim.means,
    }
