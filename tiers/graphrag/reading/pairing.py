"""Which two numbers, or days, a question holds against each other, and how they are computed."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Literal

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.operators.figures import At, Formula
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.measuring import Measure
from trivium.domain.question import Span
from trivium.domain.schema import PropertyKind, RelationType
from trivium.language.text import spoken, stems
from trivium.language.words import general_words

_TOLD: Final = 0.7
"""How well words must tell a number: by one word of its description, at least."""


def best_pair(
    draft: Draft,
    node_type: str,
    left: tuple[int, int],
    right: tuple[int, int],
    test: Test,
    *,
    share: float = 1.0,
) -> tuple[str, Callable[[Draft, Ref], Ref]] | None:
    """Return the two numbers that the words on both sides tell best, and what they differ by.

    ``share`` is how much of the second the first is held against.
    """
    sketch = draft.sketch
    typed = {i for t in sketch.types for i in t.span}
    sides = [
        frozenset(t.stem for i, t in enumerate(sketch.tokens) if a <= i < b and i not in typed)
        for a, b in (left, right)
    ]
    scored = [
        (measure, [sketch.glossary.overlap(owner, measure.name, said) for said in sides])
        for owner, measure in _near_numbers(draft, node_type)
    ]
    pairs = [
        (told[0] + other_told[1], i, j)
        for i, (_, told) in enumerate(scored)
        for j, (_, other_told) in enumerate(scored)
        if i != j and min(told[0], other_told[1]) >= _TOLD
    ]
    for _, i, j in sorted(pairs, key=lambda p: -p[0]):
        one, other = scored[i][0], scored[j][0]
        scores = _pair(draft, one, other, test, share)
        if scores is not None:
            of = "" if share == 1 else f"{share:.4g} of "
            return f"{one.name} {test.value} {of}{other.name}", scores
    return None


def limit_pair(
    draft: Draft, node_type: str, told: tuple[int, int], test: Test
) -> tuple[str, Callable[[Draft, Ref], Ref]] | None:
    """Return the amount of a relation, held against a limit of the same relation that is told.

    "Which shops have let it fall below its reorder level": the packs, below where one reorders.
    """
    typed = {i for t in draft.sketch.types for i in t.span}
    tokens = enumerate(draft.sketch.tokens)
    said = frozenset(t.stem for i, t in tokens if told[0] <= i < told[1] and i not in typed)
    numbers = list(_near_numbers(draft, node_type))
    limits = [
        (draft.sketch.glossary.overlap(owner, m.name, said), owner, m)
        for owner, m in numbers
        if m.relation is not None
    ]
    score, owner, limit = max(limits, key=lambda f: f[0], default=(0.0, "", None))
    others = [m for o, m in numbers if o == owner and limit and m.name != limit.name]
    if limit is None or score < _TOLD or len(others) != 1:
        return None
    scores = _pair(draft, others[0], limit, test, 1.0)
    return (f"{others[0].name} {test.value} {limit.name}", scores) if scores else None


def date_named(draft: Draft, node_type: str, first: int, last: int) -> str | None:
    """Return the date of a type that some words name: "forecast" for the day forecast."""
    properties = draft.sketch.schema.node_types[node_type].properties.values()
    said = {t.stem for t in draft.sketch.tokens[first:last]} - general_words().stop_stems
    dated = [p for p in properties if p.kind is PropertyKind.DATE]
    scored = [(len(said & set(stems(spoken(p.name)))), p.name) for p in dated]
    best = max(scored, default=(0, ""))
    is_one = sum(n == best[0] for n, _ in scored) == 1
    return best[1] if best[0] and is_one else None


def _near_numbers(draft: Draft, node_type: str) -> Iterator[tuple[str, Measure]]:
    """Give the numbers of a type, of its relations and of what these lead to, with their owners."""
    schema = draft.sketch.schema
    near = [r for r in schema.relation_types.values() if r.joins(node_type)]
    beside = {end for r in near for ends in r.ends if node_type in ends for end in ends}
    none = Span(first=0, last=0)
    for owner, name in draft.sketch.glossary.numbers():
        relation = next((r for r in near if r.name == owner), None)
        if owner == node_type or relation is not None:
            yield owner, Measure(name=name, node_type=node_type, span=none, relation=relation)
        elif owner in beside:
            yield owner, Measure(name=name, node_type=node_type, span=none, holder=owner)


def _pair(
    draft: Draft, left: Measure, right: Measure, test: Test, share: float
) -> Callable[[Draft, Ref], Ref] | None:
    """Return the scores that say by how much one number is above the other, where both meet."""
    if left.name == right.name and (left.relation, left.holder) == (right.relation, right.holder):
        return None
    relation = left.relation or right.relation
    if relation is None and (left.holder or right.holder):
        relation = _joining(draft, left.node_type, left.holder or right.holder or "")
    if relation is None:
        return (
            None
            if left.holder or right.holder
            else partial(_own_pair, _excess(left.name, right.name, share))
        )
    outgoing = any(source == left.node_type for source, _ in relation.ends)
    operands: list[str | At] = []
    for measure in (left, right):
        if measure.relation is not None and measure.relation.name != relation.name:
            return None
        is_here = measure.holder is None
        others = {t if outgoing else s for s, t in relation.ends}
        if not is_here and measure.holder not in others:
            return None
        end: Literal["source", "target"] = "source" if outgoing is is_here else "target"
        operands.append(measure.name if measure.relation else At(end=end, property=measure.name))
    formula = _excess(operands[0], operands[1], share)
    how = "max" if test is Test.ABOVE else "min"
    return partial(_related_pair, relation.name, formula, how, outgoing)


def _joining(draft: Draft, node_type: str, other: str) -> RelationType | None:
    """Return the one relation that joins two types, or the one that the question names."""
    found = draft.sketch.schema.relations_between({node_type, other})
    named = [r for r in found if r.name in draft.sketch.relation_names()]
    return next(iter(named or found), None) if len(named or found) == 1 else None


def _excess(left: str | At, right: str | At, share: float) -> Formula:
    """Return by how much one number is above a share of the other."""
    whole = right if share == 1 else Formula(left=right, how="*", right=share)
    return Formula(left=left, how="-", right=whole)


def _own_pair(formula: Formula, draft: Draft, nodes: Ref) -> Ref:
    return draft.plan.add("node_values", nodes=nodes, property=formula)


def _related_pair(  # a query of its own, bound in two steps
    relation: str,
    formula: Formula,
    how: str,
    outgoing: bool,  # noqa: FBT001  # bound by its place
    draft: Draft,
    nodes: Ref,
) -> Ref:
    ends = draft.sketch.schema.relation_types[relation].ends
    others = {target if outgoing else source for source, target in ends}
    named = [a for a in draft.sketch.anchors if a.type in others]
    within = draft.union([draft.anchor_set(a) for a in named]) if named else None
    return draft.plan.add(
        "group_by", nodes=nodes, relation=relation, property=formula, how=how, outgoing=outgoing,
        within=within, as_of=draft.when,
    )  # fmt: skip
