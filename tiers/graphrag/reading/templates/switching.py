"""What had one thing before and has another one now: "used to sit here, and now there"."""

from datetime import date, timedelta
from typing import Final

from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.members import members
from tiers.graphrag.reading.sketch import TypeWord
from tiers.graphrag.reading.templates.common import counted_or_listed, relation_between
from tiers.graphrag.reading.templates.focus import asked_type
from trivium.domain.time import Moment

_DAY: Final = timedelta(days=1)
_OTHER: Final = frozenset({"another", "different", "other", "elsewhere", "new"})


def switched(draft: Draft) -> Plan | None:
    """Read who has left one of a type, and has another one of it now."""
    sketch = draft.sketch
    then, now = draft.cues("before_now"), draft.cues("now")
    is_told = then and now and not sketch.question.times and not draft.cues("negation")
    if not is_told or not _OTHER & set(sketch.words(0, len(sketch.tokens))):
        return None
    focus = asked_type(draft)
    other = next((t for t in sketch.types if t.type != focus), None)
    relation = relation_between(draft, {focus, other.type}) if focus and other else None
    if focus is None or other is None or relation is None:
        return None
    draft.used |= {c.span for c in (*then, *now, *draft.cues("single", "plural"))}
    outgoing = any(source == focus for source, _ in relation.ends)
    today = date.fromisoformat(draft.scope.moment.last_day)
    edges = draft.plan.add(
        "filter_edges_by_date",
        relation=relation.name,
        period=Moment.between(date.min, today - _DAY),
        change="ended",
    )
    left = draft.plan.add("ends_of", edges=edges, end="source" if outgoing else "target")
    kept = members(draft, focus)
    both = draft.plan.add("combine", how="intersection", sets=(kept, left))
    return counted_or_listed(draft, both, "switched", _said(focus, other, relation.name))


def _said(focus: str, other: TypeWord, relation: str) -> str:
    return f"{focus} that had one {other.type} by {relation} and has another one now"
