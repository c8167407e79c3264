"""The plain question: which, how many, whether; all that is said of one type, combined."""

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.plans.plan import Plan, run
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import members, resolve
from tiers.graphrag.reading.sketch import Refusal
from tiers.graphrag.reading.templates.common import (
    counted_or_listed,
    counts,
    finish,
    refuse_several,
    starts_as_yes_no,
)
from tiers.graphrag.reading.templates.focus import asked_type
from tiers.graphrag.reading.tree import Variable, said
from trivium.domain.evidence import Reason
from trivium.domain.question import TimeRelation
from trivium.domain.result import Nodes


def plain(draft: Draft) -> Plan | None:
    """Read which, how many, or whether.

    Raises:
        Refusal: what it names is not there, or is not one thing.
    """
    focus = asked_type(draft)
    if focus is None:
        return None
    backed = _backed(draft, focus) if starts_as_yes_no(draft) else None
    if backed:
        return backed
    tree = grow(draft, focus, is_all=True)
    _happened(draft, tree)
    _refuse_bare(draft, tree)
    _refuse_ambiguous(draft, tree)
    _refuse_itself(draft, tree)
    told = said(tree)
    return counted_or_listed(draft, resolve(draft, tree), "plain", told)


def _happened(draft: Draft, tree: Variable) -> None:
    """Read "how many events were there in 2023": those that began then, or were open on a day."""
    name = draft.sketch.schema.risk.started_property
    kind = draft.sketch.schema.node_types[tree.type]
    time = next(iter(draft.sketch.question.times), None)
    is_on = time is not None and draft.when == time.moment and time.relation is TimeRelation.ON
    if not (kind.is_event and tree.is_bare and is_on and name in kind.properties) or time is None:
        return
    if time.moment.day == time.moment.last_day:
        tree.is_open = True
        return
    days = f"{time.moment.day}/{time.moment.last_day}"
    tree.conditions.append(Condition(property=name, test=Test.WITHIN, value=days))
    draft.when = None


def _backed(draft: Draft, focus: str) -> Plan | None:
    """Read "do we have a backup supplier for X": whether it has more than one."""
    sketch = draft.sketch
    single = [
        c
        for c in draft.cues("single")
        if {"backup", "second"} & set(sketch.words(c.span.first, c.span.last))
    ]
    if not single:
        return None
    others = [t.type for t in sketch.types if t.type != focus] + [a.type for a in sketch.anchors]
    own = others[0] if others else focus
    second = sketch.type_after(single[0].span.last, within=1)
    if second is not None and second.type != focus:  # "rounds with a second truck"
        own, focus = focus, second.type
    draft.used |= {c.span for c in single}
    if own == focus:
        return None
    path = draft.path(own, focus)
    nodes = members(draft, own)
    scores = draft.plan.add("count_edges", nodes=nodes, path=path.hops, as_of=draft.when)
    chosen = draft.plan.add("select", scores=scores, test=Test.ABOVE, value=1.0)
    said_so = f"{own} with more than one {focus}"
    return finish(draft, Form.BOOLEAN, "has several", said_so, beside=chosen)


def _refuse_bare(draft: Draft, tree: Variable) -> None:
    """Refuse where nothing holds the answer in, though more was said than was understood.

    Raises:
        Refusal: with the words that were not understood.
    """
    sketch = draft.sketch
    if tree.is_bare and draft.cues("removal") and not draft.cues("hypothetical"):
        raise Refusal(Reason.NOT_IN_SCHEMA, "The schema does not say what is gone.")
    if tree.is_bare and draft.cues("most", "least", "rank"):
        raise Refusal(Reason.NOT_IN_SCHEMA, "The schema has no number to go by.")
    if not tree.is_bare or not sketch.unread:
        return
    words = " ".join(sketch.question.words(span) for span in sketch.unread[:4])
    raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {words!r}.")


def _refuse_itself(draft: Draft, tree: Variable) -> None:
    """Refuse to count what is named itself: "how many people work at X" counts no X.

    Raises:
        Refusal: nothing else is asked for.
    """
    is_named = [b.path.hops == () and b.child.anchor is not None for b in tree.branches]
    told = tree.conditions or tree.is_open or tree.excluded or tree.bounds
    if counts(draft) and is_named == [True] and not told:
        raise Refusal(Reason.NOT_IN_SCHEMA, "The schema has no such number.")


def _refuse_ambiguous(draft: Draft, tree: Variable) -> None:
    """Refuse "the North American customer" where there are several.

    Raises:
        Refusal: with the candidates.
    """
    sketch = draft.sketch
    for word in sketch.types:
        spans = [v.span for v in sketch.values] + [a.span for a in sketch.anchors]
        start = next((s.first for s in spans if s.last == word.span.first), None)
        is_one = start is not None and sketch.words(start - 1, start) == ["the"]
        if not is_one or not word.is_singular or word.type == tree.type:
            continue
        variable = next((v for v in tree.walk() if v.span == word.span), None)
        if variable and not variable.is_bare:
            _refuse_described(draft, variable)


def _refuse_described(draft: Draft, variable: Variable) -> None:
    own = Draft(draft.sketch, draft.scope, draft.stated)
    resolve(own, variable)
    found = run(finish(own, Form.NODES, "described", ""), draft.scope).result
    if isinstance(found, Nodes) and len(found.ids) > 1:
        refuse_several(draft, found.ids, draft.sketch.question.words(variable.span))


def refuse_unread(draft: Draft) -> Plan | None:
    """Refuse a question of which too little was understood.

    Raises:
        Refusal: always, with what was not understood.
    """
    words = [draft.sketch.question.words(span) for span in draft.sketch.unread]
    if not draft.sketch.anchors and words and not draft.sketch.types:
        raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {' '.join(words[:4])!r}.")
    raise Refusal(
        Reason.NOT_IN_SCHEMA,
        "The schema has no type or relation that answers this.",
    )
