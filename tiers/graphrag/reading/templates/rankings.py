"""Most and least, and a number for each: of things joined, or in a property."""

from dataclasses import replace
from itertools import pairwise
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.each import per_each, ranking_cues, refuse_first_of_each
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.measuring import Measure, described_by_adjective
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.ordering import (
    counts_number,
    opening_number,
    ordered_by,
)
from tiers.graphrag.reading.paths import TypedPath
from tiers.graphrag.reading.sketch import TypeWord, gap
from tiers.graphrag.reading.summing import adds_up, number_summed, relation_number
from tiers.graphrag.reading.superlatives import (
    measure_near,
    money_of,
    number_after_count,
    told_whole,
)
from tiers.graphrag.reading.templates.common import finish, least_first, limit_before, limit_of
from tiers.graphrag.reading.templates.focus import asked_type
from tiers.graphrag.reading.tree import said, said_path
from tiers.graphrag.reading.voice import is_mutual
from trivium.domain.question import Cue
from trivium.language.words import ends_asked

_COUNTING: Final = frozenset({"most", "fewest", "least", "top", "more", "fewer"})
"""Superlatives of a number of things, which say nothing of the things."""


def ranking(draft: Draft) -> Plan | None:
    """Read most and least, and a number for each: of things joined, or in a property."""
    sketch = draft.sketch
    cues = draft.cues("most", "least") or ranking_cues(draft)
    if not cues:
        return None
    for cue in draft.cues("nonzero"):
        start = max((s for s in sketch.stops if s <= cue.span.first), default=0)
        later = [c for c in draft.cues("negation", "exception") if c.span.first >= start]
        draft.used |= {c.span for c in later}
    focus = per_each(draft) or asked_type(draft)
    refuse_first_of_each(draft, focus)
    if focus is None:
        return None
    denied = _denial(draft, focus, cues[0])
    draft.used |= {denied.span} if denied else set()
    measure = _measure(draft, focus, cues[0])
    if measure is None:
        return None
    scores, what = measure
    if denied is not None:
        return _but_the_first(draft, focus, scores, what)
    least = least_first(draft) or _asks_low(draft, cues[0], what)
    draft.plan.add(
        "rank_scores",
        scores=scores,
        highest_first=not least,
        limit=limit_of(draft) or limit_before(draft, focus),
        above=0.0 if draft.cues("nonzero") or _is_had(draft, focus) else None,
    )
    order = "least" if least else "most"
    return finish(draft, Form.RANKING, "ranking", f"{focus} by {what}, {order} first")


def _asks_low(draft: Draft, cue: Cue, name: str) -> bool:
    """Whether a superlative asks for little of a number: what is fastest takes the least time."""
    adjective = draft.sketch.tokens[cue.span.last - 1].stem
    told = ends_asked(adjective, name)
    return cue.kind == "most" and bool(told) and all(told)


def _denial(draft: Draft, focus: str, cue: Cue) -> Cue | None:
    """Return what denies a superlative: "which makers do not make the most parts"."""
    word = draft.sketch.focus
    if word is None or word.type != focus or cue.kind not in {"most", "least"}:
        return None
    denials = (c for c in draft.cues("negation") if word.span.last <= c.span.first < cue.span.first)
    near = (c for c in denials if c.span.first - word.span.last <= 1)
    return next((c for c in near if not draft.sketch.is_parted(c.span.first, cue.span.first)), None)


def _but_the_first(draft: Draft, focus: str, scores: Ref, what: str) -> Plan:
    """Return the plan for all but those that come first."""
    is_low = bool(draft.cues("least")) and not draft.cues("most")
    first = draft.plan.add("leaders", scores=scores, highest=not is_low)
    draft.plan.add("set_complement", type=focus, nodes=first, as_of=draft.when)
    order = "least" if is_low else "most"
    return finish(draft, Form.NODES, "but the first", f"{focus} but the {order} by {what}")


def _is_had(draft: Draft, focus: str) -> bool:
    """Whether only those that have any are meant: "for every agent who has artists"."""
    for one, other in pairwise(draft.sketch.types):
        between = draft.sketch.words(one.span.last, other.span.first)
        if one.type == focus != other.type and between[:1] and between[0] in {"who", "that"}:
            return between[1:2] in (["has"], ["have"]) and set(between[2:]) <= {"any", "some"}
    return False


def _measure(draft: Draft, focus: str, cue: Cue) -> tuple[Ref, str] | None:
    """Return the scores that a superlative goes by, and their name."""
    if _counts_relation(draft):
        return _number_of(draft, focus, None)
    counted = _counted_type(draft, focus, cue)
    opening = ordered_by(draft, focus) or opening_number(draft, focus)
    is_next = counted is not None and _is_the_most_of(draft, cue, counted)
    if counted and not opening and (is_next or _is_counted(draft, counted)):
        return _number_of(draft, focus, counted)
    extreme = _extreme_of(draft, focus, counted, cue)
    asked = None if extreme else opening or _amount(draft, focus, counted, cue)
    summed = extreme or (_summed(draft, focus, asked) if asked else None)
    if summed:
        return summed
    for near in (cue, *draft.cues("most", "least", "rank")):
        number = measure_near(draft, focus, near.span)
        if number is None or (counted and not _is_closer(number, counted, near)):
            continue
        nodes = resolve(draft, grow(draft, focus))
        scores = number.scores(draft, nodes, _reduction(draft, cue, number))
        if scores is not None:
            return scores, number.name
    return _number_of(draft, focus, counted)


def _summed(draft: Draft, focus: str, asked: Measure) -> tuple[Ref, str] | None:
    """Return a number added up for each, or averaged where that is asked for."""
    how = "mean" if draft.cues("average") else "sum"
    scores = asked.scores(draft, resolve(draft, grow(draft, focus)), how)
    return (scores, asked.name) if scores is not None else None


def _extreme_of(
    draft: Draft, focus: str, counted: TypeWord | None, cue: Cue
) -> tuple[Ref, str] | None:
    """Return the number of the largest that each has: "which customer has the biggest order"."""
    between = draft.sketch.words(cue.span.last, counted.span.first) if counted else []
    is_next = counted is not None and 0 <= counted.span.first - cue.span.last <= len(between) <= 1
    if counted is None or not is_next or cue.span.first == 0 or _counts_things(draft, cue):
        return None
    for number in described_by_adjective(draft, focus, cue.span):
        if number.holder == counted.type:
            nodes = resolve(draft, grow(draft, focus))
            scores = number.scores(draft, nodes, "min" if cue.kind == "least" else "max")
            return (scores, number.name) if scores is not None else None
    return None


def _counts_things(draft: Draft, cue: Cue) -> bool:
    """Whether a superlative is one of a number of things: "the most orders"."""
    return bool(_COUNTING & set(draft.sketch.words(cue.span.first, cue.span.last)))


def _amount(draft: Draft, focus: str, counted: TypeWord | None, cue: Cue) -> Measure | None:
    """Return the number that is summed up, or that "how much" asks for."""
    asked = number_summed(draft, focus) or number_after_count(draft, focus)
    if asked or (counted and _is_counted(draft, counted)):
        return asked
    said = frozenset(t.stem for t in draft.sketch.tokens)
    money = money_of(draft, focus, said) if "money" in said else None
    return money or told_whole(draft, focus, cue.span) or relation_number(draft, focus)


def counted_each(draft: Draft, focus: str) -> tuple[Ref, str] | None:
    """Return how many of the type after "number of" each has: "number of planes per hangar"."""
    counted = next((t for t in draft.sketch.types if t.type != focus), None)
    is_counted = counted is not None and _is_counted(draft, counted)
    return _number_of(draft, focus, counted) if is_counted else None


def _counts_relation(draft: Draft) -> bool:
    """Whether "number of" counts what a relation says: "the number of rented items"."""
    sketch = draft.sketch
    for cue in draft.cues("count"):
        at = cue.span.last
        if sketch.words(at - 2, at) == ["number", "of"] and not sketch.type_after(at, within=2):
            return any(at <= t.span.first <= at + 1 for t in sketch.relations)
    return False


def _is_counted(draft: Draft, word: TypeWord) -> bool:
    """Whether "how many" or "number of" stands right before a type, or "most open"."""
    opens = {
        c.span.first
        for c in draft.sketch.question.cues_of("open")
        if c.span.last == word.span.first
    }
    counting = [c for c in draft.cues("most", "least") if _counts_things(draft, c)]
    if opens & {c.span.last for c in counting}:
        return True
    near = [c for c in draft.cues("count") if 0 <= word.span.first - c.span.last <= 2]
    return any(not counts_number(draft, c.span.last, word.span.first) for c in near)


def _is_the_most_of(draft: Draft, cue: Cue, word: TypeWord) -> bool:
    """Whether the most or the fewest of a type is asked for, and no number of it: "the most Xs"."""
    after = [p for p in draft.sketch.properties if p.span.first == word.span.last]
    is_plural = not word.is_singular and cue.span.last == word.span.first
    return is_plural and _counts_things(draft, cue) and not after


def _reduction(draft: Draft, cue: Cue, number: Measure) -> str:
    """Return how several numbers of one entity become one: "the most units" adds them up."""
    if draft.cues("average"):
        return "mean"
    words = set(draft.sketch.words(cue.span.first, cue.span.last))
    if per_each(draft) and not words & (_COUNTING | {"each", "per"}) and _is_said_of(number, cue):
        return "min" if cue.kind == "least" else "max"
    is_order = bool(draft.cues("rank") or words & {"top", "bottom"})
    if is_order and number.relation is not None and adds_up(number.name):
        return "sum"
    if draft.cues("sum") or per_each(draft) or words & {"most", "fewest", "each", "per"}:
        return "sum"
    return "min" if cue.kind == "least" else "max"


def _is_said_of(number: Measure, cue: Cue) -> bool:
    """Whether a superlative stands right before a number: "the highest loss of each"."""
    return cue.kind in {"most", "least"} and cue.span.last == number.span.first


def _number_of(draft: Draft, focus: str, counted: TypeWord | None) -> tuple[Ref, str] | None:
    """Return how many of the counted type each one has, within what is said of both."""
    asked = tuple(t for t in draft.sketch.wanted if t.type == focus)
    draft.sketch = replace(draft.sketch, wanted=asked)  # what is counted hangs on what it is of
    tree = grow(draft, focus)
    path: TypedPath | None = None
    within: Ref | None = None
    told = ""
    if counted:
        found = next(
            (b.path for h, b in tree.all_branches() if h is tree and b.child.span == counted.span),
            None,
        )
        child = tree.take(counted.span)
        path = found or draft.path(focus, counted.type)
        within = resolve(draft, child) if child and not child.is_bare else None
        told = f": {said(child)}" if child and within else ""
    elif draft.sketch.relations:
        path = _named_hop(draft, focus)
    if path is None:
        return None
    nodes = resolve(draft, tree)
    if within is None and is_mutual(draft.sketch, path):
        own = (path.hops[0].relation,)
        scores = draft.plan.add("degree", nodes=nodes, relations=own, as_of=draft.when)
    else:
        scores = draft.plan.add(
            "count_edges", nodes=nodes, path=draft.hops(path), within=within, as_of=draft.when
        )
    return scores, f"number of {path.types[-1]} ({said_path(path)}{told}), {said(tree)}"


def _named_hop(draft: Draft, focus: str) -> TypedPath | None:
    """Return the one hop of the relation that the question names, from a type."""
    for name in draft.sketch.relation_names():
        for other, hop, _ in draft.sketch.paths.hops_from(focus):
            if hop.relation == name:
                return TypedPath(
                    hops=(Hop(relation=name, outgoing=hop.outgoing, to_type=other),),
                    types=(focus, other),
                    cost=1,
                )
    return None


def _counted_type(draft: Draft, focus: str, cue: Cue) -> TypeWord | None:
    """Return the type that is counted: after "how many" or "number of", else after the cue."""
    others = [t for t in draft.sketch.types if t.type != focus or _is_other(draft, t)]
    how_many = [
        t for t in others if any(0 <= t.span.first - c.span.last <= 2 for c in draft.cues("count"))
    ]
    after = [t for t in others if t.span.first >= cue.span.first]
    return next(iter(how_many or after or others), None)


def _is_other(draft: Draft, word: TypeWord) -> bool:
    """Whether a type is named again, for others of its kind: "called by the most other jobs"."""
    before = draft.sketch.words(word.span.first - 1, word.span.first)
    is_again = any(
        t.type == word.type and t.span.last < word.span.first for t in draft.sketch.types
    )
    return is_again and before == ["other"]


def _is_closer(number: Measure, counted: TypeWord, cue: Cue) -> bool:
    is_compound = counted.span.last == number.span.first
    return is_compound or gap(number.span, cue.span) <= gap(counted.span, cue.span)
