"""Numbers held against those of all of a kind, or of its first: "longer than every green one"."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from tiers.graphrag.operators.conditions import TURNED, Condition, Test
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.measuring import Measure, numbers_said, towards
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import number_owners
from tiers.graphrag.reading.tree import Bound
from trivium.domain.question import Span
from trivium.language.words import asked_by_adjective

_ALL: Final = frozenset({"every", "any", "all", "each"})
_ONES: Final = frozenset({"one", "ones"})
_SKIPPED: Final = frozenset({"the", "our", "of", "other", "single"})
_REDUCED: Final[Mapping[Test, str]] = {Test.ABOVE: "max", Test.BELOW: "min"}
"""What is more than all is more than the most of them."""
_FAR: Final = 6
"""Words from "than" to the noun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Others:
    """What a number is held against: all of a kind, or the first of them."""

    type: str
    last: int
    where: tuple[Condition, ...]
    superlative: Span | None
    values: frozenset[Span]


def against_all(draft: Draft, first: int, than: int, test: Test) -> Bound | None:
    """Return the bound that a comparison with all of a kind sets.

    Args:
        draft: the draft that it is for.
        first: where the comparative stands.
        than: where "than" stands.
        test: what is compared towards.
    """
    sketch = draft.sketch
    hosts = [t for t in (*sketch.wanted, *sketch.types) if t.span.last <= first]
    others = _others(sketch, than, hosts[-1].type) if hosts else None
    if others is None or sketch.tokens[than].lower != "than":
        return None
    own = _number(draft, hosts[-1].type, Span(first=first, last=than))
    if own is not None and others.type == own.node_type:
        other: Measure | None = own
    else:
        other = _number(draft, others.type, others.superlative or Span(first=first, last=than))
    if own is None or other is None:
        return None
    test = towards(sketch.tokens[first].stem, own, test)
    how, said_of = _REDUCED[test], " ".join(str(c.value) for c in others.where) or "all"
    if others.superlative is not None:
        how = "min" if _is_low(sketch, others.superlative) else "max"
    return Bound(
        type=hosts[-1].type,
        span=Span(first=first, last=others.last),
        said=f"{own.name} {test.value} the {how} {other.name} of {said_of} {others.type}",
        values=others.values,
        narrow=partial(_narrow, own, other, others.where, test, how),
    )


def against_number(draft: Draft, first: int, than: int, test: Test) -> Bound | None:
    """Return the bound of "more lawyers than desks": how many, held against an own number."""
    sketch = draft.sketch
    hosts = [t.type for t in (*sketch.wanted, *sketch.types) if t.span.last <= first]
    if not hosts or sketch.tokens[than].lower != "than":
        return None
    for at, numbers in ((first + 1, than + 1), (than + 1, first + 1)):
        counted = sketch.type_after(at, within=0)
        held = (p for p in sketch.properties if p.span.first == numbers)
        word = next((p for p in held if hosts[-1] in number_owners(sketch, p)), None)
        if counted is None or word is None or counted.type == hosts[-1]:
            continue
        told = test if at < numbers else TURNED[test]  # "fewer desks than lawyers"
        return Bound(
            type=hosts[-1],
            span=Span(first=first, last=max(word.span.last, counted.span.last)),
            said=f"number of {counted.type} {told.value} {word.name}",
            narrow=partial(_narrow_counted, (hosts[-1], counted.type), word.name, told),
        )
    return None


def _narrow_counted(ends: tuple[str, str], name: str, test: Test, draft: Draft, nodes: Ref) -> Ref:
    """Keep what is joined to more, or fewer, of a type than a number of its own."""
    path = draft.hops(draft.path(*ends))
    counts = draft.plan.add("count_edges", nodes=nodes, path=path, as_of=draft.when)
    numbers = draft.plan.add("node_values", nodes=nodes, property=name)
    differences = draft.plan.add("subtract_scores", scores=counts, minus=numbers)
    return draft.plan.add("select", scores=differences, test=test, value=0.0)


def _others(sketch: Sketch, than: int, host: str) -> _Others | None:
    """Return what stands after "than", where it is all of a kind or its first."""
    words = sketch.words(than + 1, than + 1 + _FAR)
    superlatives = [c.span for c in sketch.question.cues_of("most", "least")]
    top = next((s for s in superlatives if than < s.first <= than + 2), None)
    if not (set(words[:1]) & _ALL or top):
        return None
    start = top.last if top else than + 2
    word = sketch.type_after(start, within=_FAR - 2)
    ones = next((than + 1 + i for i, w in enumerate(words) if w in _ONES), None)
    end, kind = (word.span.last, word.type) if word else (ones + 1 if ones else start, host)
    if word is None and ones is None:
        noun = next((v for v in sketch.values if start <= v.span.first <= start + 1), None)
        if noun is None or not any(o == host for o, _ in noun.owners):
            return None
        end = noun.span.last
    values = [v for v in sketch.values if start <= v.span.first < end]
    told = {i for v in values for i in v.span} | {end - 1} | set(word.span if word else ())
    if any(i not in told and sketch.tokens[i].lower not in _SKIPPED for i in range(start, end)):
        return None
    where = tuple(
        Condition(property=p, test=Test.EQUALS, value=v.value)
        for v in values
        for o, p in v.owners
        if o == kind
    )
    spans = frozenset(v.span for v in values)
    return _Others(type=kind, last=end, where=where, superlative=top, values=spans)


def _number(draft: Draft, node_type: str, adjective: Span) -> Measure | None:
    """Return the own number of a type that a comparative asks for, or the verb before it."""
    near = Span(first=max(0, adjective.first - 1), last=adjective.last)
    return next((m for m in numbers_said(draft, node_type, near, adjective) if m.is_own), None)


def _is_low(sketch: Sketch, superlative: Span) -> bool:
    stems = (sketch.tokens[i].stem for i in superlative)
    return next((is_low for s in stems for _, is_low in asked_by_adjective(s)), False)


def _narrow(  # noqa: PLR0913, PLR0917  # what a partial of it holds
    own: Measure,
    other: Measure,
    where: tuple[Condition, ...],
    test: Test,
    how: str,
    draft: Draft,
    nodes: Ref,
) -> Ref:
    """Keep what has more, or less, than all of the others."""
    others = draft.everything(other.node_type, where)
    numbers = draft.plan.add("node_values", nodes=others, property=other.name)
    bound = draft.plan.add("reduce_scores", scores=numbers, how=how)
    scores = draft.plan.add("node_values", nodes=nodes, property=own.name)
    return draft.plan.add("select", scores=scores, test=test, value=bound)
