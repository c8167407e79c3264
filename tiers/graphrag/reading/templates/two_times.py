"""Two clauses at two times: what held of a thing then, and what else holds of it now."""

from dataclasses import dataclass, replace
from typing import Final

from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import resolve
from tiers.graphrag.reading.templates.common import counted_or_listed
from tiers.graphrag.reading.templates.focus import asked_type
from tiers.graphrag.reading.tree import Variable, said
from trivium.domain.question import TimeRelation

_TURNS: Final = frozenset({"but", "and", "yet", "though", "although", "while"})
"""Words that turn from what held at one time to what holds at another."""
_OTHER_KINDS: Final = (
    "began", "ended", "handover", "hypothetical", "compare", "most", "least", "rank", "sum",
)  # fmt: skip
_ELSE: Final = frozenset({"another", "other", "else", "elsewhere", "different", "others"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    """Some words of a question, and a draft of what they name alone."""

    words: frozenset[str]
    draft: Draft

    @property
    def is_past(self) -> bool:
        """Whether it tells of a time before now."""
        today, times = self.draft.scope.moment, self.draft.sketch.question.times
        is_on = any(t.relation is TimeRelation.ON for t in times)
        is_then = is_on and all(t.moment.start < today.start for t in times)
        return is_then or (bool(self.draft.cues("before_now")) and not times)

    @property
    def is_of_now(self) -> bool:
        """Whether it tells of now."""
        return bool(self.draft.cues("now")) and not self.is_past

    @property
    def is_of_another(self) -> bool:
        """Whether it tells of something else than the other clause."""
        return bool(_ELSE & self.words)

    @property
    def is_whole(self) -> bool:
        """Whether it says something of its own of what is asked for."""
        sketch = self.draft.sketch
        others = len(sketch.types) > len(sketch.wanted)
        return bool(sketch.relations or sketch.anchors or others)

    def only_denies(self, other: "_Clause") -> bool:
        """Whether it says of what the other tells that this is no longer so, and nothing else."""
        own, told = self.draft.sketch, other.draft.sketch
        named = {r.name for r in own.relations} <= {r.name for r in told.relations}
        return bool(self.draft.cues("negation")) and named and not (own.anchors or own.types)


def two_times(draft: Draft) -> Plan | None:
    """Read "which were hit in May but are free of faults today", "used to X and now Y"."""
    clauses = _clauses(draft) if _may_be(draft) else None
    focus = asked_type(draft) if clauses else None
    if focus is None or clauses is None:
        return None
    past, now = clauses
    then, is_over = past.draft, False
    if then.when is None:
        is_over = not then.cue_words("before_now") & {"some", "one"}
        then.when = then.up_to_now()
        then.used |= {c.span for c in then.cues("before_now")}
    before = grow(then, focus)
    after = grow(now.draft, focus)
    if now.is_of_another:
        _tell_apart(after, before)
    if before.is_bare or after.is_bare:
        return None
    sets = (resolve(then, before), resolve(now.draft, after))
    held = draft.plan.add("combine", how="intersection", sets=sets)
    draft.when, told = None, then.when.text if then.when else ""
    if is_over:  # who "used to" no longer does
        then.when = None
        held = draft.plan.add("combine", how="difference", sets=(held, resolve(then, before)))
    understood = f"{said(after)} now, and {said(before)}, as of {told}"
    return counted_or_listed(draft, held, "two times", understood)


def _may_be(draft: Draft) -> bool:
    """Whether a question tells of now, and of one time before it."""
    times = draft.sketch.question.times
    is_told = len(times) == 1 or (not times and bool(draft.cues("before_now")))
    return is_told and bool(draft.cues("now")) and not draft.cues(*_OTHER_KINDS)


def _clauses(draft: Draft) -> tuple[_Clause, _Clause] | None:
    """Return the clause of the past and that of now, where a word parts them."""
    end = len(draft.sketch.tokens)
    for at, token in enumerate(draft.sketch.tokens):
        if token.lower not in _TURNS:
            continue
        sides = (_clause(draft, 0, at), _clause(draft, at + 1, end))
        for past, now in (sides, sides[::-1]):
            is_told = past.is_whole and (now.is_whole or now.is_of_another)
            is_told = is_told and not now.only_denies(past)
            if past.is_past and now.is_of_now and is_told:
                return past, now
    return None


def _clause(draft: Draft, first: int, last: int) -> _Clause:
    own = Draft(
        draft.sketch.part(first, last),
        draft.scope,
        tuple(s for s in draft.stated if first <= s.span.first < last),
        tuple(b for b in draft.bounds if first <= b.span.first < last),
        plan=draft.plan,
    )
    return _Clause(words=frozenset(draft.sketch.words(first, last)), draft=own)


def _tell_apart(after: Variable, before: Variable) -> None:
    """Leave out of what holds now what is named of the past: "and now runs at another"."""
    for _, branch in list(before.all_branches()):
        anchor = branch.child.anchor
        if anchor is None or not anchor.ids:
            continue
        own = next((v for v in after.walk() if v.type == anchor.type and not v.anchor), None)
        if own is None or own is after:
            own = Variable(type=anchor.type, span=branch.span)
            after.branches.append(replace(branch, child=own))
        own.excluded.append(anchor)
