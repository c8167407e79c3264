"""Numbers that several things have, where no word asks for their sum: one for each, or none."""

from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan, run
from tiers.graphrag.plans.steps import Ref, Step
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.listing import BE
from tiers.graphrag.reading.sketch import PropertyWord, Refusal
from tiers.graphrag.reading.summing import adds_up
from trivium.domain.evidence import Reason
from trivium.domain.result import Ranking
from trivium.language.text import spoken

_PAIR: Final = 2
_SURE: Final = 0.9
_PRICING: Final = frozenset({"cost", "costs", "charge", "charges"})
_ALL: Final = frozenset({"all", "together", "overall", "whole", "every", "everything"})
"""Words for one number over all, though none is for a sum."""


def apiece(draft: Draft, plan: Plan) -> Plan:
    """Return the plan for a number of each, where ``plan`` adds up what is no amount.

    Raises:
        Refusal: what is named has no such number, and what has it is not said.
    """
    if len(plan.steps) < _PAIR or plan.steps[-1].operator != "reduce_scores":
        return plan
    before = plan.steps[-2]
    name = before.arguments.get("property")
    if not isinstance(name, str) or _ALL & set(draft.sketch.words(0, 99)):
        return plan
    word = next((p for p in draft.sketch.properties if p.name == name), None)
    if before.operator == "node_values" and not _is_said(draft, name) and _is_far(draft, word):
        whose = draft.names(draft.sketch.anchors) or "that"
        raise Refusal(Reason.NOT_IN_SCHEMA, f"The schema has no {spoken(name)} of {whose}.")
    if draft.cues("count") or (adds_up(name) and not _is_of_several(draft, word)):
        return plan
    if before.operator == "node_values":
        return _ranked(draft, plan, plan.steps[:-1], Ref(before.name), name)
    if before.operator == "relation_values":
        return _of_other_end(draft, plan, before, name)
    return plan


def _is_said(draft: Draft, name: str) -> bool:
    """Whether a type that has a number is named, or something is said of one."""
    sketch = draft.sketch
    said = sketch.named_types | {o for v in sketch.values for o, _ in v.owners}
    said |= {o for s in draft.stated for o, _ in s.owners}
    return any(name in sketch.schema.node_types[t].properties
               for t in said if t in sketch.schema.node_types)  # fmt: skip


def _is_far(draft: Draft, word: PropertyWord | None) -> bool:
    """Whether a number is asked for of what is named itself, or of nothing: "what is X's weight".

    "How many beds does X have" may count those of what X has.
    """
    sketch = draft.sketch
    if sketch.has("hypothetical", "removal", "impact"):  # "revenue at stake if X fails"
        return False
    if not draft.cues("count"):
        return True
    after = set(sketch.words(word.span.last, word.span.last + 1)) if word else set()
    return bool(after & BE) or (not sketch.anchors and (word is None or word.score < _SURE))


def _is_of_several(draft: Draft, word: PropertyWord | None) -> bool:
    """Whether the number of each of several things is asked for."""
    return _is_plural(draft, word) or _is_list(draft) or _are_priced(draft)


def _is_plural(draft: Draft, word: PropertyWord | None) -> bool:
    """Whether the noun of a number is in the plural, and its name is not: "the fees of"."""
    if word is None:
        return False
    said = draft.sketch.tokens[word.span.last - 1].lower
    is_plural = said.endswith("s") and not said.endswith("ss")
    return is_plural and said not in spoken(word.name).split()


def _is_list(draft: Draft) -> bool:
    """Whether several things are named, for which "how heavy" has an answer each."""
    named = [a for a in draft.sketch.anchors if a.ids]
    return len(named) > 1 and len({a.type for a in named}) == 1


def _are_priced(draft: Draft) -> bool:
    """Whether what several things cost is asked for: "what do we charge for the tours"."""
    words = set(draft.sketch.words(1, len(draft.sketch.tokens)))
    is_asked = draft.sketch.words(0, 1) == ["what"] and bool(_PRICING & words)
    return is_asked and any(not t.is_singular for t in draft.sketch.types)


def _ranked(draft: Draft, plan: Plan, steps: tuple[Step, ...], scores: Ref, name: str) -> Plan:
    """Return the plan for a number of each; where one alone has it, that for the number."""
    draft.plan.steps[:] = steps
    draft.plan.add("rank_scores", scores=scores)
    each = replace(
        plan,
        steps=tuple(draft.plan.steps),
        form=Form.RANKING,
        template="number of each",
        understood=f"{name} of each: {plan.understood.partition(' of ')[2]}",
    )
    found = run(each, draft.scope).result
    return each if isinstance(found, Ranking) and len(found.pairs) != 1 else plan


def _of_other_end(draft: Draft, plan: Plan, edges: Step, name: str) -> Plan:
    """Return the plan for the number on each relation, by the ends that are not named.

    Where nothing is named, by those whose type is: "the fees of our singers".
    """
    relation = draft.sketch.schema.relation_types[str(edges.arguments["relation"])]
    sides = edges.arguments.get("sources"), edges.arguments.get("targets")
    known = next((side for side in sides if isinstance(side, Ref)), None)
    named = {t.type for t in draft.sketch.types}
    free = [i for i, side in enumerate(sides) if side is None]
    if known is None:
        free = [i for i in free if named & {pair[i] for pair in relation.ends}]
    types = {pair[i] for pair in relation.ends for i in free}
    if len(free) != 1 or len(types) != 1:
        return plan
    draft.plan.steps[:] = plan.steps[:-2]
    scores = draft.plan.add(
        "group_by",
        nodes=draft.everything(types.pop()),
        relation=relation.name,
        property=name,
        how="sum",
        outgoing=free == [0],
        where=edges.arguments.get("where", ()),
        within=known,
        as_of=edges.as_of,
    )
    return _ranked(draft, plan, tuple(draft.plan.steps), scores, name)
