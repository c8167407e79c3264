"""What holds more than it has room for: "which depots keep more vehicles than they can hold"."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.plans.plan import Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.summing import amount_of
from tiers.graphrag.reading.tree import Bound
from trivium.domain.question import Span
from trivium.domain.schema import RelationType
from trivium.language.text import spoken, stems
from trivium.language.words import general_words

_COMPARING: Final = {"more": Test.ABOVE, "less": Test.BELOW, "fewer": Test.BELOW}
_ITSELF: Final = frozenset({"they", "it", "he", "she"})
_ABLE: Final = frozenset({"can", "could", "may", "have", "has"})
_NEAR: Final = 6
"""Words from "more" to "than"."""


def overfull(draft: Draft) -> Iterator[Bound]:
    """Give what holds more, or less, by its relations together than a number of its own allows."""
    sketch = draft.sketch
    for than, token in enumerate(sketch.tokens):
        if token.lower != "than" or not _is_own_limit(sketch, than):
            continue
        before = range(than - 1, max(-1, than - _NEAR), -1)
        at = next((i for i in before if sketch.tokens[i].lower in _COMPARING), None)
        hosts = [t for t in sketch.types if at is not None and t.span.last <= at]
        limit = _limit(sketch, hosts[-1].type) if hosts else None
        held = _held(sketch, hosts[-1].type, at or 0, than) if hosts else None
        if at is None or limit is None or held is None:
            continue
        test = _COMPARING[sketch.tokens[at].lower]
        yield Bound(
            type=hosts[-1].type,
            span=Span(first=at, last=len(sketch.tokens)),
            said=f"{held[1]} of {held[0].name} {test.value} {limit}",
            narrow=partial(_narrow, hosts[-1].type, held, limit, test),
        )


def _is_own_limit(sketch: Sketch, than: int) -> bool:
    after = sketch.words(than + 1, than + 3)
    return len(after) > 1 and after[0] in _ITSELF and after[1] in _ABLE


def _limit(sketch: Sketch, node_type: str) -> str | None:
    """Return the number that tells what an entity of a type has room for."""
    names = [n for o, n in sketch.glossary.numbers() if o == node_type]
    found = (n for word in general_words().room for n in names if word in stems(spoken(n)))
    return next(found, None)


def _held(sketch: Sketch, node_type: str, first: int, last: int) -> tuple[RelationType, str] | None:
    """Return the relation of a type whose amounts are told, with their name: named, or counted."""
    said = {t.stem for t in sketch.tokens[first:last]}
    named = set(sketch.relation_names())
    counted = {t.type for t in sketch.types if first < t.span.first < last}
    found = []
    for relation in sketch.schema.relation_types.values():
        amount = amount_of(relation)
        if amount is None or not relation.joins(node_type):
            continue
        others = {end for pair in relation.ends for end in pair} - {node_type}
        fit = 2 * bool(said & set(stems(spoken(amount.name)))) + bool(counted & others)
        found.append((fit + (relation.name in named), relation, amount.name))
    best = max((f[0] for f in found), default=0)
    chosen = [f[1:] for f in found if f[0] == best]
    return chosen[0] if len(chosen) == 1 else None


def _narrow(
    node_type: str, held: tuple[RelationType, str], limit: str, test: Test, draft: Draft, nodes: Ref
) -> Ref:
    """Keep what the sum of its relations' amounts puts above, or below, its own number."""
    relation, name = held
    outgoing = any(source == node_type for source, _ in relation.ends)
    sums = draft.plan.add(
        "group_by", nodes=nodes, relation=relation.name, property=name, how="sum",
        outgoing=outgoing, as_of=draft.when,
    )  # fmt: skip
    own = draft.plan.add("node_values", nodes=nodes, property=limit)
    scores = draft.plan.add("subtract_scores", scores=sums, minus=own)
    return draft.plan.add("select", scores=scores, test=test, value=0.0)
