"""Risk scores: of one, of a set, of two side by side, and what each event adds to them."""

from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.conditions import Test
from tiers.graphrag.plans.plan import Plan, Ref
from tiers.graphrag.reading.draft import Draft
from tiers.graphrag.reading.growing import grow
from tiers.graphrag.reading.members import members, resolve
from tiers.graphrag.reading.scoring import risk_phrases, scored
from tiers.graphrag.reading.sketch import Anchor, Refusal, Sketch, TypeWord
from tiers.graphrag.reading.supposing import named_events, risk_scores, risk_shares, supposed
from tiers.graphrag.reading.templates.common import (
    counted_or_listed,
    counts,
    finish,
    limit_of,
    settled,
    starts_as_yes_no,
)
from tiers.graphrag.reading.templates.focus import asked_type
from tiers.graphrag.reading.tree import said
from trivium.domain.evidence import Reason
from trivium.domain.question import Span

_WHO: Final = frozenset({"which", "who", "whose", "rank", "list"})
_CHANGING: Final = frozenset(
    {"drop", "drops", "fall", "falls", "lower", "reduce", "reduced", "decrease", "shrink", "change",
     "less", "off", "improve", "ease", "down"}
)  # fmt: skip
_PARTING: Final = frozenset({"by", "each", "per", "every", "into"})
_PER_CENT: Final = frozenset({"percentage", "percent", "proportion", "fraction"})
_TWO: Final = 2


def risk(draft: Draft) -> Plan | None:
    """Read a question about risk scores."""
    sketch = draft.sketch
    if not _is_asked(draft):
        return _held(draft)
    types = sketch.schema.node_types
    rated = [a for a in sketch.anchors if not types[a.type].is_event]
    thing = scored(sketch)
    focus = sketch.focus.type if sketch.focus else None
    if isinstance(thing, TypeWord):
        return _of_type(draft, thing.type)
    parted = _by_event(draft, rated)
    if parted is not None:
        return parted
    if rated and (isinstance(thing, Anchor) or focus in {None, *(a.type for a in rated)}):
        told = asked_type(draft) if _is_told(draft, thing, focus) else None
        if told and not types[told].is_event and told not in {a.type for a in rated}:
            return _of_type(draft, told)
        return _rated(draft, rated)
    return _of_type(draft, focus) if focus else None


def riskier(draft: Draft) -> Plan | None:
    """Read two risk scores side by side: "is X riskier than Y"."""
    pair = [a for a in settled(draft) if not draft.sketch.schema.node_types[a.type].is_event]
    is_pair = len(pair) == _TWO and all(len(a.ids) == 1 for a in pair)
    if not is_pair or not _phrases(draft) or isinstance(scored(draft.sketch), TypeWord):
        return None
    between = draft.sketch.words(pair[0].span.last, pair[1].span.first)
    is_choice = bool({"or", "than", "versus", "vs", "against"} & set(between))
    is_apart = _asks_gap(draft)
    if not (is_choice or is_apart or draft.cues("compare", "comparative")):
        return None
    a, b = pair[0].ids[0], pair[1].ids[0]
    scores = risk_scores(draft, draft.plan.add("find_nodes", ids=(a, b)))
    if is_apart:
        draft.plan.add("spread", scores=scores)
        told = f"between {draft.names(pair)}"
        return finish(draft, Form.NUMBER, "risk spread", told)
    draft.plan.add("compare_values", a=a, b=b, name="risk_score", scores=scores)
    told = f"risk scores: {pair[0].label} against {pair[1].label}"
    return finish(draft, Form.COMPARISON, "compare risk", told)


def _asks_gap(draft: Draft) -> bool:
    """Whether how far two scores are apart is asked for: "how much riskier is X than Y"."""
    words = draft.sketch.words(0, len(draft.sketch.tokens))
    compared = {c.span.first for c in draft.cues("comparative")}
    is_how_much = any(words[i - 2 : i] == ["how", "much"] for i in compared if i >= 2)
    return is_how_much or bool(draft.cues("difference"))


def _held(draft: Draft) -> Plan | None:
    """Read "if E were over, which would still score above 1": a bound, under a supposition."""
    sketch = draft.sketch
    phrases = risk_phrases(sketch)
    is_bound = any(p.overlaps(b.span) for p in phrases for b in draft.bounds)
    if not is_bound or sketch.focus is None or supposed(sketch) is None:
        return None
    nodes = members(draft, sketch.focus.type, without=named_events(sketch))
    return counted_or_listed(draft, nodes, "risk threshold", draft.said[-1])


def _is_asked(draft: Draft) -> bool:
    """Whether risk scores are asked for."""
    is_told = bool(draft.cues("score", "comparative")) or _is_superlative(draft)
    return bool(_phrases(draft)) and (is_told or bool(named_events(draft.sketch)))


def _phrases(draft: Draft) -> list[Span]:
    """Return where risk is spoken of, but for what is held against a number."""
    phrases = risk_phrases(draft.sketch)
    return [p for p in phrases if not any(p.overlaps(b.span) for b in draft.bounds)]


def _is_superlative(draft: Draft) -> bool:
    words = {t.lower for t in draft.sketch.tokens}
    is_told = bool(words & {"riskiest", "safest"}) or bool(
        draft.cues("risk") and draft.cues("most", "least", "rank")
    )
    return is_told and not any(p.name for p in draft.sketch.properties if p.score >= 1)


def _is_told(draft: Draft, thing: Anchor | TypeWord | None, focus: str | None) -> bool:
    """Whether what a relation leads to is scored: "of what X has ordered, the risk scores"."""
    what = {"what", "whatever", "everything", "anything"} & set(draft.sketch.words(0, 99))
    return thing is None and focus is None and bool(draft.sketch.relations) and bool(what)


# --- of what is named ----------------------------------------------------------------------------


def _rated(draft: Draft, rated: list[Anchor]) -> Plan:
    nodes = draft.union([draft.anchor_set(a) for a in rated])
    names = draft.names(rated)
    if _asks_share(draft):
        if _PER_CENT & set(draft.sketch.words(0, len(draft.sketch.tokens))):
            raise Refusal(Reason.NOT_IN_SCHEMA, "Parts of a score are given in its own unit.")
        shares = risk_shares(draft, nodes)
        events = draft.names(named_events(draft.sketch))
        if starts_as_yes_no(draft) and not draft.cues("count"):
            chosen = draft.plan.add("select", scores=shares, test=Test.ABOVE, value=0.0)
            return counted_or_listed(draft, chosen, "risk share", f"{events} in that of {names}")
        draft.plan.add("reduce_scores", scores=shares, how="sum")
        return finish(
            draft, Form.NUMBER, "risk share", f"what {events} adds to the risk score of {names}"
        )
    scores = risk_scores(draft, nodes)
    if len(rated) == 1 and rated[0].ids:
        draft.plan.add("reduce_scores", scores=scores, how="sum")
        return finish(draft, Form.NUMBER, "risk score", f"the risk score of {names}")
    return _figure(draft, scores, names)


def _asks_share(draft: Draft) -> bool:
    """Whether a part of a score is asked for: what comes from an event, or falls away with it."""
    sketch = draft.sketch
    if not named_events(sketch):
        return False
    told = supposed(sketch)
    if told is None:
        return True
    words = sketch.words(0, len(sketch.tokens))
    drops = [i for i, w in enumerate(words) if w in _CHANGING]
    is_how_far = words[:2] in (["how", "much"], ["how", "far"]) or words[:3] == [
        "by",
        "how",
        "much",
    ]
    return told.is_over and is_how_far and any(words[i + 1 : i + 2] != ["to"] for i in drops)


def _by_event(draft: Draft, rated: list[Anchor]) -> Plan | None:
    """Read "break X's risk score down by open event", "which events add to X's risk score"."""
    sketch = draft.sketch
    types = sketch.schema.node_types
    word = next((t for t in sketch.types if types[t.type].is_event), None)
    if word is None or not rated or named_events(sketch):
        return None
    before = set(sketch.words(word.span.first - 3, word.span.first))
    is_asked = sketch.focus is not None and sketch.focus.type == word.type
    if not (is_asked or draft.cues("breakdown") or before & _PARTING):
        return None
    nodes = draft.union([draft.anchor_set(a) for a in rated])
    tree = grow(draft, word.type, without=rated)
    happening: Ref | None = None
    if tree.conditions or tree.branches or tree.excluded:
        tree.is_open = True
        happening = resolve(draft, tree)
    shares = draft.plan.add("risk_by_event", nodes=nodes, events=happening, as_of=draft.when)
    names = draft.names(rated)
    is_each = bool(draft.cues("breakdown", "rank", "most", "least")) or bool(before & _PARTING)
    if is_each or (draft.cues("count") and not counts(draft)):
        is_least = bool(draft.cues("least", "ascending"))
        draft.plan.add(
            "rank_scores",
            scores=shares,
            highest_first=not is_least,
            limit=limit_of(draft),
            above=0.0,
        )
        return finish(
            draft, Form.RANKING, "risk by event", f"risk score of {names} by {said(tree)}"
        )
    chosen = draft.plan.add("select", scores=shares, test=Test.ABOVE, value=0.0)
    return counted_or_listed(draft, chosen, "risk by event", f"{said(tree)} in that of {names}")


# --- of a set ------------------------------------------------------------------------------------


def _of_type(draft: Draft, node_type: str) -> Plan:
    sketch = draft.sketch
    events = named_events(sketch)
    nodes = members(draft, node_type, without=events)
    what = draft.said[-1]
    told = supposed(sketch)
    words = set(sketch.words(0, len(sketch.tokens)))
    is_change = told is not None and told.is_over and bool(words & _CHANGING)
    is_figure = draft.cues("average", "sum", "most", "least", "rank", "difference")
    if events and (told is None or (is_change and not is_figure)):
        shares = risk_shares(draft, nodes)
        if is_figure:
            return _figure(draft, shares, f"{what}, from {draft.names(events)}")
        chosen = draft.plan.add("select", scores=shares, test=Test.ABOVE, value=0.0)
        listed = f"{what} with {draft.names(events)} in their risk score"
        return counted_or_listed(draft, chosen, "risk of an event", listed)
    return _figure(draft, risk_scores(draft, nodes), what)


def _figure(draft: Draft, scores: Ref, what: str) -> Plan:
    """End in one number over scores, where one is asked for, or in all of them in order."""
    if draft.cues("difference"):
        draft.plan.add("spread", scores=scores)
        return finish(draft, Form.NUMBER, "risk spread", f"highest less lowest risk of {what}")
    how = _measure(draft)
    if how is not None:
        draft.plan.add("reduce_scores", scores=scores, how=how)
        return finish(draft, Form.NUMBER, f"{how} risk", f"{how} of the risk scores of {what}")
    is_least = bool(draft.cues("least", "ascending"))
    draft.plan.add("rank_scores", scores=scores, highest_first=not is_least, limit=limit_of(draft))
    return finish(draft, Form.RANKING, "risk scores", f"risk scores of {what}")


def _measure(draft: Draft) -> str | None:
    """Return what one number over several scores is asked for."""
    if draft.cues("average"):
        return "mean"
    if draft.cues("sum"):
        return "sum"
    sketch = draft.sketch
    for phrase in risk_phrases(sketch):
        cue = next((c for c in draft.cues("most", "least") if c.span.last == phrase.first), None)
        is_plural = sketch.tokens[phrase.last - 1].lower == "scores"
        if cue and not is_plural and not _asks_who(sketch, cue.span) and limit_of(draft) is None:
            return "max" if cue.kind == "most" else "min"
    return None


def _asks_who(sketch: Sketch, superlative: Span) -> bool:
    """Whether those that have the score are asked for: "the X with the highest score"."""
    if _WHO & set(sketch.words(0, superlative.first)):
        return True
    before = [t for t in sketch.types if t.span.last < superlative.first]
    return bool(before) and not sketch.is_parted(before[-1].span.first, superlative.first)
