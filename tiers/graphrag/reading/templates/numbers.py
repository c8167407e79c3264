"""Numbers: in a property, on a relation, summed or averaged."""

from itertools import pairwise
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.apiece import apiece
from tiers.graphrag.reading.asked import asks_money
from tiers.graphrag.reading.choosing import Candidate, chosen, joins_two
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.each import per_each, ranking_cues
from tiers.graphrag.reading.listing import AUXILIARIES, BE
from tiers.graphrag.reading.measuring import numbers_said
from tiers.graphrag.reading.rates import is_rate
from tiers.graphrag.reading.sketch import PropertyWord
from tiers.graphrag.reading.statement import number_owners
from tiers.graphrag.reading.templates.common import finish
from tiers.graphrag.reading.templates.rankings import counted_each
from tiers.graphrag.reading.templates.totals import LEFT, on_relation, over_type
from trivium.domain.question import Span
from trivium.language.words import asked_by_adjective, general_words

_SURE: Final = 0.8
_HOW_MUCH: Final = frozenset({"many", "much", "long"})


def measured(draft: Draft) -> Plan | None:
    """Read a number: of one thing or relation, summed or averaged over many."""
    how = _extreme(draft) or _how(draft)
    is_ranked = draft.cues("most", "least") and draft.sketch.focus is not None
    if is_ranked and how not in {"max", "min"}:
        return None
    if ranking_cues(draft):
        return _mean_per(draft) if how == "mean" else None
    best = chosen(draft)
    if best is None or not _is_number_asked(draft, best, how):
        return None
    relation = draft.sketch.schema.relation_types.get(best.owner)
    if relation is not None:
        is_price = joins_two(draft, relation) and draft.sketch.words(0, 2) == ["how", "much"]
        is_price = is_price and draft.sketch.words(2, 3) in (["is"], ["are"])
        plan = on_relation(draft, relation, best.name, how or ("max" if is_price else "sum"))
    else:
        plan = over_type(draft, best.owner, best.name, how or "sum")
    return apiece(draft, plan) if how is None else plan


def _is_number_asked(draft: Draft, best: Candidate, how: str | None) -> bool:
    """Whether a number is asked for, and not things or how many of them there are."""
    if how is not None:
        return not (best.is_by_word and _asks_which(draft))
    sketch = draft.sketch
    words = [p for p in sketch.properties if p.name == best.name and best.owner in p.owners]
    verbs = {t.span: t.score for t in sketch.relations}
    words = [p for p in words if verbs.get(p.span, 0.0) < p.score]
    counts = [c.span.last for c in draft.cues("count")]
    if counts:
        return any(_is_counted_number(draft, words, at) for at in counts)
    if asks_money(draft) or (best.is_by_word and _asks_by_word(draft)):
        return True
    if not _asks_number(draft) or _asks_which(draft):
        return False
    return _is_noun_between(draft, best) or any(_is_asked(draft, p.span) for p in words)


def _is_counted_number(draft: Draft, words: list[PropertyWord], at: int) -> bool:
    """Whether what is counted from a word on is a number of something."""
    sketch = draft.sketch
    if sketch.words(at - 1, at) == ["much"]:
        return True
    is_unit = bool(set(sketch.words(at, at + 1)) & set(general_words().units))
    is_named = any(at <= p.span.first <= at + 1 for p in words)
    is_rated = any(is_rate(sketch.tokens, i) for i in range(at + 1, at + 4))
    counted = sketch.type_after(at, within=1)
    return is_unit or is_named or is_rated or (counted is None and sketch.focus is None)


def _asks_by_word(draft: Draft) -> bool:
    """Whether an adjective or a verb asks for a number: "how deep is X", "what does X hold"."""
    sketch = draft.sketch
    words = sketch.words(0, len(sketch.tokens))
    is_done = words[:1] == ["what"] and words[1:2] in (["do"], ["does"], ["did"])
    is_how = any(
        one.lower == "how"
        and other.lower not in {"far", "often"}
        and (other.lower in _HOW_MUCH or any(asked_by_adjective(other.stem)))
        for one, other in pairwise(sketch.tokens)
    )
    return is_how or (is_done and bool(sketch.anchors) and not sketch.relations)


def _is_noun_between(draft: Draft, best: Candidate) -> bool:
    """Whether a noun is asked for of what joins two names: "what price does X pay Y"."""
    sketch = draft.sketch
    relation = sketch.schema.relation_types.get(best.owner)
    is_noun = sketch.words(0, 1) == ["what"] and sketch.words(1, 2)[0] not in AUXILIARIES | BE
    return is_noun and sketch.focus is None and relation is not None and joins_two(draft, relation)


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
