"""Numbers: in a property, on a relation, summed or averaged."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.apiece import apiece
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.each import per_each, ranking_cues
from tiers.graphrag.reading.measuring import numbers_said
from tiers.graphrag.reading.sketch import PropertyWord
from tiers.graphrag.reading.statement import described_numbers, is_amount, number_owners
from tiers.graphrag.reading.templates.amounts import (
    amount,
    by_adjective,
    by_verb,
    in_unit,
    joins_two,
    money,
    much_of,
    of_noun,
    price_between,
    rate,
    told_whole,
)
from tiers.graphrag.reading.templates.common import finish
from tiers.graphrag.reading.templates.rankings import counted_each
from tiers.graphrag.reading.templates.totals import LEFT, on_relation, over_type
from trivium.domain.question import Span
from trivium.domain.schema import RelationType
from trivium.language.text import spoken, stem
from trivium.language.words import general_words, is_money

_SURE: Final = 0.8
_NEAR_SUM: Final = 4
"""Words after "total" that say what is added up."""


def measured(draft: Draft) -> Plan | None:
    """Read a number: on one relation, summed or averaged over many."""
    how = _extreme(draft) or _how(draft)
    is_ranked = draft.cues("most", "least") and draft.sketch.focus is not None
    is_ranked = is_ranked and how not in {"max", "min"}
    if is_ranked:
        return None
    if ranking_cues(draft):
        return _mean_per(draft) if how == "mean" else None
    readers = (
        price_between, told_whole, in_unit, much_of, rate, of_noun, by_adjective, by_verb, amount,
        _named_number, money,
    )  # fmt: skip
    plan = next((plan for read in readers if (plan := read(draft, how))), None)
    return apiece(draft, plan) if plan and how is None else plan


def _mean_per(draft: Draft) -> Plan | None:
    """Read "mean revenue per product": each has one, so their mean is meant."""
    owner = per_each(draft)
    if owner is None or draft.cues("most", "least"):
        return None
    each = counted_each(draft, owner) if draft.cues("count") else None
    if each is not None:
        draft.plan.add("reduce_scores", scores=each[0], how="mean")
        return finish(draft, Form.NUMBER, "mean of each", f"mean over {owner} of {each[1]}")
    if draft.cues("count"):
        return None
    said = Span(first=0, last=len(draft.sketch.tokens))
    found = numbers_said(draft, owner, said, None)
    own = next((m for m in found if m.is_own), None)
    is_other = any(t.type != owner for t in draft.sketch.types)
    if own is None or is_other or draft.cues("rank") != ranking_cues(draft)[:1]:
        return None
    return over_type(draft, owner, own.name, "mean")


def _extreme(draft: Draft) -> str | None:
    """Return "max" or "min" for "what is the longest lead time of a part": the number itself."""
    sketch = draft.sketch
    opens = sketch.words(0, 1) in (["what"], ["what's"]) or sketch.words(0, 2) == ["how", "much"]
    cue = next(iter(draft.cues("most", "least")), None)
    if not opens or cue is None or draft.cues("rank", "count") or _asks_which(draft):
        return None
    named = [p for p in sketch.properties if p.span.first == cue.span.last and p.score >= _SURE]
    if not any(number_owners(sketch, p) for p in named):
        return None
    return "min" if cue.kind == "least" else "max"


def _how(draft: Draft) -> str | None:
    if draft.cues("average"):
        return "mean"
    is_left = draft.cues("removal") and LEFT & set(draft.sketch.words(0, len(draft.sketch.tokens)))
    return "sum" if draft.cues("sum") or is_left else None


def _named_number(draft: Draft, how: str | None) -> Plan | None:
    """Read a number that the question names, of what it says."""
    sketch = draft.sketch
    if how is None and (not _asks_number(draft) or _asks_which(draft)):
        return None
    typed = {t.type for t in sketch.types}
    is_of_things = _counts_no_money(draft)
    far: tuple[list[str], str] | None = None
    for word in sorted(
        sketch.properties,
        key=lambda w: (
            not _is_between_names(draft, w),
            not _is_present(draft, w),
            not _is_said_whole(draft, w),
            not typed & set(w.owners),
            -w.score,
            w.span.first,
        ),
    ):
        owners = number_owners(sketch, word)
        if is_of_things:
            owners = [o for o in owners if not is_amount(sketch, o, word.name)]
        is_verb = any(t.span == word.span and t.score >= word.score for t in sketch.relations)
        if not owners or is_verb or (how is None and not _is_asked(draft, word.span)):
            continue
        plan = _of_owner(draft, owners, word.name, how)
        if plan:
            return plan
        far = far or ((owners, word.name) if word.score >= 0.9 else None)
    if far:
        return _of_owner(draft, *far, how, is_far=True)
    if how is None and sketch.focus is not None:
        return None
    return _described_number(draft, how)


def _counts_no_money(draft: Draft) -> bool:
    """Whether "how many" counts things: no sum of money is asked for without its unit."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    is_counted = any(words[i : i + 2] == ["how", "many"] for i in range(len(words)))
    return is_counted and not any(is_money(general_words().units.get(w)) for w in words)


def _is_said_whole(draft: Draft, word: PropertyWord) -> bool:
    """Whether all words of a longer name are said, if apart: "the prices they pay per spot"."""
    general = general_words()
    parts = spoken(word.name).split()
    telling = {stem(w) for w in parts if w not in general.units} - general.stop_stems
    return len(telling) > 1 and telling <= {t.stem for t in draft.sketch.tokens}


def _is_present(draft: Draft, word: PropertyWord) -> bool:
    """Whether what has a number is named, or joins what is."""
    here = draft.sketch.named_types
    relations = draft.sketch.schema.relation_types
    joining = [relations[o] for o in word.owners if o in relations]
    return bool(here & set(word.owners)) or any(r.joins(t) for r in joining for t in here)


def _is_between_names(draft: Draft, word: PropertyWord) -> bool:
    """Whether a number is of a relation that joins two names of the question."""
    relations = draft.sketch.schema.relation_types
    return any(o in relations and joins_two(draft, relations[o]) for o in word.owners)


def _described_number(draft: Draft, how: str | None) -> Plan | None:
    tokens = draft.sketch.tokens
    said_words = frozenset(t.stem for t in tokens)
    is_of_things = _counts_no_money(draft)
    found = described_numbers(draft.sketch, said_words, enough=1.4, is_of_things=is_of_things)
    for cue in draft.cues("sum", "average", "count"):
        after = frozenset(t.stem for t in tokens[cue.span.last : cue.span.last + _NEAR_SUM])
        found = found or described_numbers(draft.sketch, after, is_of_things=is_of_things)
    for name in dict.fromkeys(name for _, name in found):
        plan = _of_owner(draft, [o for o, n in found if n == name], name, how)
        if plan:
            return plan
    return None


def _asks_number(draft: Draft) -> bool:
    words = draft.sketch.words(0, 3)
    stated = {s for statement in draft.stated for s in statement.spans}
    opens = any(
        (
            p.span.first == 0
            or draft.sketch.words(0, p.span.first) in (["the"], ["total"])
            or any((a.span.first, a.span.last) == (0, p.span.first) for a in draft.sketch.anchors)
        )
        and p.score >= 0.8
        and p.span not in stated
        and not any(t.span.first < p.span.first for t in draft.sketch.types)
        for p in draft.sketch.properties
    )
    return bool(draft.cues("count")) or bool(set(words) & {"what", "how"}) or opens


def _asks_which(draft: Draft) -> bool:
    """Whether entities are asked for: "which plants", "what parts"."""
    focus = draft.sketch.focus
    if focus is None or draft.cues("count"):
        return False
    before = draft.sketch.words(focus.span.first - 1, focus.span.first)
    is_compound = any(p.span.first == focus.span.last for p in draft.sketch.properties)
    return before in (["which"], ["what"]) and not is_compound


def _is_asked(draft: Draft, span: Span) -> bool:
    """Whether a number is what is asked for: right after "how many", "how much" or "what"."""
    sketch = draft.sketch
    before = sketch.words(span.first - 3, span.first)
    focus = sketch.focus
    is_own = sketch.words(span.first - 2, span.first) == ["how", "many"]
    if focus is not None and focus.span.last == span.first:  # "how much product revenue"
        at = focus.span.first
        is_own = is_own or sketch.words(at - 2, at) == ["how", "much"]
    is_counted = focus is not None and draft.cues("count") and not is_own
    is_first = is_own or bool(set(before) & {"many", "much", "what", "which", "long", "number"})
    opens = (
        span.first <= 1
        or any(a.span.last == span.first for a in sketch.anchors)
        or (sketch.words(0, 1) == ["what"] and len(sketch.anchors) == 2)
    )
    return (is_first or opens) and not is_counted


def _of_owner(
    draft: Draft, owners: list[str], name: str, how: str | None, *, is_far: bool = False
) -> Plan | None:
    """Return the plan for a number of a relation, or of a type.

    ``is_far`` allows a relation of which neither end is named.
    """
    schema = draft.sketch.schema
    typed = [t.type for t in draft.sketch.types]
    here = typed + [a.type for a in draft.sketch.anchors]
    relations = [r for o in owners if (r := schema.relation_types.get(o))]
    types = [o for o in owners if o in schema.node_types]
    named = [o for o in types if o in typed] or [o for o in types if o in here]
    joined = [r for r in relations if is_far or _joins(r, here)]
    both = [r for r in joined if joins_two(draft, r)]
    if both:
        return on_relation(draft, both[0], name, how or "sum")
    if named or (types and not joined):
        return over_type(draft, (named or types)[0], name, how or "sum")
    if joined:
        return on_relation(draft, joined[0], name, how or "sum")
    return None


def _joins(relation: RelationType, here: list[str]) -> bool:
    return not here or any(set(ends) & set(here) for ends in relation.ends)
