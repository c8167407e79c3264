"""Two numbers of one relation multiplied: "evenings times hire per evening", "bags times price"."""

from typing import Final

from tiers.graphrag.operators.figures import Formula
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.templates.totals import on_relation

_TIMES: Final = (["times"], ["multiplied", "by"])
_FAR: Final = 4
"""Words from "times" to the numbers beside it."""
_ENOUGH: Final = 0.7


def product(draft: Draft) -> Plan | None:
    """Read a sum of products on the relation between what is named."""
    sketch = draft.sketch
    for at in range(1, len(sketch.tokens)):
        for said in _TIMES:
            if sketch.words(at, at + len(said)) == said:
                plan = _around(draft, at, at + len(said))
                if plan is not None:
                    return plan
    return None


def _around(draft: Draft, first: int, last: int) -> Plan | None:
    """Return the plan for the numbers on both sides of "times"."""
    sketch = draft.sketch
    left = frozenset(t.stem for t in sketch.tokens[max(0, first - _FAR) : first])
    right = frozenset(t.stem for t in sketch.tokens[last : last + _FAR])
    here = sketch.named_types
    for relation in sketch.schema.relation_types.values():
        if not any(here & set(ends) for ends in relation.ends):
            continue
        a, b = (_told(draft, relation.name, said) for said in (left, right))
        if a and b and a != b:
            return on_relation(draft, relation, Formula(left=a, how="*", right=b), "sum")
    return None


def _told(draft: Draft, relation: str, said: frozenset[str]) -> str | None:
    """Return the number of a relation that some words tell best."""
    glossary = draft.sketch.glossary
    own = [(glossary.overlap(o, n, said), n) for o, n in glossary.numbers() if o == relation]
    score, name = max(own, default=(0.0, ""))
    return name if score >= _ENOUGH else None
