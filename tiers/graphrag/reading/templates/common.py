"""What all templates share: finishing a plan, yes or no, how many, top k."""

from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.operators.traversal import find_nodes
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.sketch import Anchor, Refusal, TypeWord
from trivium.domain.evidence import CandidateEntity, Reason
from trivium.domain.question import Span
from trivium.domain.schema import RelationType

_YES_NO: Final = frozenset(
    {"is", "are", "was", "were", "do", "does", "did", "can", "could", "has", "have", "will",
     "would", "am", "should", "may", "might"}
)  # fmt: skip
_QUESTION_WORDS: Final = frozenset(
    {"which", "what", "who", "whom", "whose", "how", "where", "when"}
)


def finish(  # a plan's own parts
    draft: Draft,
    form: Form,
    template: str,
    understood: str,
    *,
    beside: Ref | None = None,
    also: tuple[tuple[Ref, Form], ...] = (),
) -> Plan:
    """Return the plan that a draft has become."""
    at = f", as of {draft.when.text}" if draft.when else ""
    return Plan(
        steps=tuple(draft.plan.steps),
        form=form,
        understood=understood + at,
        template=template,
        beside=beside.step if beside else None,
        also=tuple((ref.step, kind) for ref, kind in also),
    )


def starts_as_yes_no(draft: Draft) -> bool:
    """Whether the question asks for yes or no: a clause opens with its verb."""
    sketch = draft.sketch
    words = [t.lower for t in sketch.tokens]
    openings = sorted(sketch.breaks | {0})
    for at in openings:
        start = at + 1 if words[at : at + 1] in (["and"], ["so"], ["then"], ["but"]) else at
        opens = words[start : start + 1]
        if opens and (words[start] in _YES_NO or (sketch.asks_which and words[start] == "any")):
            return not any(w in _QUESTION_WORDS for w in words[:start])
        if words[start : start + 1] and words[start] in _QUESTION_WORDS:
            return False
    timed = next((t.span.last for t in sketch.question.times if t.span.first <= 2), None)
    return timed is not None and words[timed : timed + 1] != [] and words[timed] in _YES_NO


def counts(draft: Draft) -> bool:
    """Whether "how many" is asked, rather than said by the way."""
    for cue in draft.cues("count"):
        text = draft.sketch.question.words(cue.span).casefold()
        if text in {"how many", "number of", "how much"} or cue.span.first == 0:
            focus = draft.sketch.focus
            return focus is None or focus.span.first >= cue.span.first or text == "how many"
    return False


def counts_type(draft: Draft) -> bool:
    """Whether a type is counted, rather than a number summed: "how many sites"."""
    return any(draft.sketch.type_after(c.span.last, within=1) for c in draft.cues("count"))


def least_first(draft: Draft) -> bool:
    """Whether an order begins with the least."""
    is_low = draft.cues("least") and not draft.cues("most")
    return bool(is_low or draft.cues("ascending"))


def counted_or_listed(draft: Draft, nodes: Ref, template: str, understood: str) -> Plan:
    """Return the plan that ends in a set: as a number, a yes or no, or the set."""
    if counts(draft):
        draft.plan.add("count_nodes", nodes=nodes)
        return finish(
            draft,
            Form.NUMBER,
            f"{template}, counted",
            f"how many {understood}",
            also=((nodes, Form.NODES),),
        )
    if draft.plan.steps[-1].name != nodes.step:
        draft.plan.add("combine", how="union", sets=(nodes, nodes))
    if starts_as_yes_no(draft):
        return finish(draft, Form.BOOLEAN, f"{template}, whether", understood, beside=nodes)
    return finish(draft, Form.NODES, template, understood)


def limit_of(draft: Draft) -> int | None:
    """Return the k of "top k", "two least", "k most"."""
    for cue in draft.cues("most", "least"):
        for quantity in draft.sketch.question.quantities:
            is_next = (
                abs(quantity.span.first - cue.span.last) <= 1
                or abs(cue.span.first - quantity.span.last) <= 1
            )
            is_pronoun = draft.sketch.words(quantity.span.first, quantity.span.last) == ["one"]
            if (
                is_next
                and quantity.number >= 1
                and not is_pronoun
                and quantity.span not in draft.used
            ):
                return int(quantity.number)
    return None


def limit_before(draft: Draft, node_type: str) -> int | None:
    """Return the k of "the two policies with the heaviest ..."."""
    for quantity in draft.sketch.question.quantities:
        word = draft.sketch.type_after(quantity.span.last, within=0)
        if word and word.type == node_type and quantity.number >= 2:
            return int(quantity.number)
    return None


def settled(draft: Draft) -> list[Anchor]:
    """Return the anchors, those described with one entity behind them named by it."""
    found = []
    for anchor in draft.sketch.anchors:
        ids = anchor.ids or described_ids(draft, anchor)
        found.append(replace(anchor, ids=ids) if len(ids) == 1 else anchor)
    return found


def described_ids(draft: Draft, anchor: Anchor) -> tuple[str, ...]:
    """Return the entities that an anchor describes, at the moment asked for."""
    return find_nodes(draft.scope.at(draft.when), type=anchor.type, where=anchor.conditions)


def refuse_ambiguous(draft: Draft) -> None:
    """Refuse "the lab" where there are several.

    Raises:
        Refusal: with the candidates.
    """
    sketch = draft.sketch
    for anchor in sketch.anchors:
        before = sketch.words(anchor.span.first - 1, anchor.span.first)
        is_plural = sketch.tokens[anchor.span.last - 1].lower.endswith("s")
        if anchor.ids or before != ["the"] or is_plural:
            continue
        ids = described_ids(draft, anchor)
        if len(ids) > 1:
            refuse_several(draft, ids, sketch.question.words(anchor.span))
    for word in sketch.types:
        found = _described_one(draft, word) if word.is_singular else None
        if found is None:
            continue
        span, where = found
        ids = find_nodes(draft.scope.at(draft.when), type=word.type, where=(where,))
        if len(ids) > 1:
            refuse_several(draft, ids, sketch.question.words(span))


def _described_one(draft: Draft, word: TypeWord) -> tuple[Span, Condition] | None:
    """Return the words that should name one entity of a type, and what they say of it.

    "The premium customer", "our long-term contract customer": a value before the type, the
    value's property between the two perhaps.
    """
    sketch = draft.sketch
    for value in sketch.values:
        name = next((p for o, p in value.owners if o == word.type), None)
        between = Span(first=value.span.last, last=word.span.first)
        is_told = any(p.span == between and p.name == name for p in sketch.properties)
        is_one = sketch.words(value.span.first - 1, value.span.first) in (["the"], ["our"])
        if name and is_one and (value.span.last == word.span.first or is_told):
            where = Condition(property=name, test=Test.EQUALS, value=value.value)
            return Span(first=value.span.first, last=word.span.last), where
    return _dated_one(draft, word)


def _dated_one(draft: Draft, word: TypeWord) -> tuple[Span, Condition] | None:
    """Return the same for one event told by its time alone: "the 2022 event"."""
    sketch = draft.sketch
    kind = sketch.schema.node_types[word.type]
    name = sketch.schema.risk.started_property
    for time in sketch.question.times:
        is_one = sketch.words(time.span.first - 1, time.span.first) in (["the"], ["our"])
        if (
            kind.is_event
            and name in kind.properties
            and is_one
            and time.span.last == word.span.first
        ):
            days = f"{time.moment.day}/{time.moment.last_day}"
            where = Condition(property=name, test=Test.WITHIN, value=days)
            return Span(first=time.span.first, last=word.span.last), where
    return None


def relation_between(draft: Draft, types: set[str]) -> RelationType | None:
    """Return the relation that joins two types, or one with itself; the one named best first."""
    fitting = draft.sketch.schema.relations_between(types)
    ranks = {name: rank for rank, name in enumerate(draft.sketch.relation_names())}
    return min(fitting, key=lambda r: ranks.get(r.name, len(ranks)), default=None)


def refuse_several(draft: Draft, ids: tuple[str, ...], words: str) -> None:
    """Refuse where words that should name one entity describe several.

    Raises:
        Refusal: always, with the candidates.
    """
    nodes = [n for n in map(draft.scope.view.node, ids) if n is not None]
    candidates = [CandidateEntity(id=n.id, type=n.type, name=n.name) for n in nodes]
    names = ", ".join(f"{n.name} ({n.id})" for n in nodes[:6])
    raise Refusal(Reason.AMBIGUOUS, f"{words!r} may mean {names}.", candidates)
