"""Whether a plan gives the kind of answer that is asked for: no entities where a number is."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.listing import AUXILIARIES, BE, RELATING, SOLELY
from tiers.graphrag.reading.sketch import Refusal, Sketch
from tiers.graphrag.reading.statement import is_number
from trivium.domain.evidence import Reason
from trivium.domain.question import Span
from trivium.language.text import is_participle, spoken, stem, stems
from trivium.language.words import asked_by_adjective, general_words

_NO_NUMBER: Final = frozenset({Form.NODES, Form.BOOLEAN})
_PAYING: Final = frozenset({"pay", "cost", "charge", "earn", "spend", "owe", "weigh", "last"})
_MEASURED: Final = frozenset({"rate", "ratio", "percentage", "share", "proportion", "average"})
_OPENING: Final = frozenset({"year", "share", "percentage", "proportion", "fraction", "percent"})
"""Nouns after "what" that ask for a number."""
_SURE: Final = 0.9
_HIGH: Final = frozenset({"highest", "lowest", "greatest"})
"""Superlatives of numbers, whatever they measure."""
_LEAVING: Final = frozenset({"set_complement", "select", "left_without", "simulate_removal"})
"""What a plan has where it holds what is asked for to one thing only."""
_SAYING: Final = frozenset({"that", "which", "who"})
_ADVERBS: Final = frozenset({"still", "now", "currently", "already", "presently", "yet"})
_DATED: Final = frozenset({"node_days", "subtract_scores", "changes_between", "day_of"})
_DATING: Final = frozenset(
    stem(w) for w in ("end", "expire", "start", "begin", "finish", "close", "open", "lapse", "stop")
)
"""Verbs that say a day."""
_FAR_VERB: Final = 8
_FAR_TIME: Final = 5
_NEAREST: Final = frozenset({"nearest", "closest"})
_FAR: Final = 3
"""Words from "what is the" to the number that is asked for: "what is the scrap rate"."""


def refuse_unfit(sketch: Sketch, plan: Plan) -> None:
    """Refuse where a number is asked for, and a plan gives none.

    Raises:
        Refusal: with the words that ask for it.
    """
    readers = (
        _unread_amount,
        partial(_unread_most, plan),
        _unread_object,
        partial(_unread_head, plan),
        _unread_state,
        partial(_unread_predicate, plan),
        partial(_unread_order, plan),
        _unread_own,
        partial(_only_counted, plan),
    )
    verbs = {t.span.last for t in sketch.relations}
    for span in sketch.unread:
        if span.first in verbs and _is_bare_object(sketch, span):
            noun = sketch.question.words(span)
            raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {noun!r}.")
    unread = next((found for read in readers if (found := read(sketch))), None)
    if unread is not None:
        noun = sketch.question.words(unread)
        raise Refusal(Reason.NOT_IN_SCHEMA, f"The schema has no {noun!r}.")
    for check, told in _LEFT_OUT.items():
        if check(sketch, plan):
            raise Refusal(Reason.NOT_IN_SCHEMA, told)
    asked = _asked_number(sketch)
    is_much = asked is not None and "much" in sketch.words(asked.first, asked.last)
    is_counted = plan.template.endswith("counted") and (is_much or not sketch.types)
    if asked is None or (plan.form not in _NO_NUMBER and not is_counted):
        return
    raise Refusal(
        Reason.NOT_IN_SCHEMA, f"The schema does not say {sketch.question.words(asked)!r}."
    )


def _leaves_out_only(sketch: Sketch, plan: Plan) -> bool:
    """Whether "only" stands before what is said of the type asked for, and the plan has no others.

    "Only" before a noun or a number may be said of what is asked for itself.
    """
    focus = sketch.focus
    if focus is None or plan.template.partition(",")[0] != "plain":
        return False
    verbs = {t.span.first for t in sketch.relations}
    for at in range(focus.span.last, len(sketch.tokens) - 1):
        after = sketch.words(at + 1, at + 2)
        is_led = bool(set(after) & (RELATING | {"be"})) or at + 1 in verbs
        if sketch.tokens[at].lower in SOLELY and is_led:
            does = {s.operator for s in plan.steps}
            return not does & _LEAVING and not any(
                s.arguments.get("how") == "difference" for s in plan.steps
            )
    return False


def _leaves_out_other(sketch: Sketch, plan: Plan) -> bool:
    """Whether "each other", or "before their project ends", is said of what a plan only lists."""
    if plan.template.partition(",")[0] != "plain":
        return False
    does = {s.operator for s in plan.steps}
    words = sketch.words(0, len(sketch.tokens))
    pairs = range(len(words) - 1)
    own = {h for r in sketch.relations for h in stems(spoken(r.name))[:1]}
    is_mutual = bool(own & general_words().mutual)
    if any(words[i : i + 2] == ["each", "other"] for i in pairs):
        is_own = any(s == t for r in sketch.relations
                     for s, t in sketch.schema.relation_types[r.name].ends)  # fmt: skip
        return is_own and not is_mutual
    times = {i for t in sketch.question.times for i in t.span}
    types = {t.span.first for t in sketch.types}
    return not does & {"subtract_scores", "node_days"} and any(
        words[i] in {"before", "after"} and words[i + 1] in {"their", "its", "his", "her"}
        and i + 2 in types and not {i, i + 1, i + 2} & times
        for i in pairs
    )  # fmt: skip


def _is_deed(sketch: Sketch, plan: Plan) -> bool:
    """Whether who did it to something is asked for, and the plan only tells what it leads to."""
    if sketch.words(0, 1) != ["who"] or sketch.has("hypothetical") or not sketch.anchors:
        return False
    deeds = [c.span for c in sketch.question.cues_of("removal") if c.span.first == 1]
    at = sketch.anchors[0].span.first
    is_object = any(0 <= at - s.last <= 1 for s in deeds)
    said = repr([step.arguments for step in plan.steps])
    return is_object and not any(name in said for name in sketch.schema.relation_types)


def _is_share_of_all(sketch: Sketch, plan: Plan) -> bool:
    """Whether "what share of" is answered by a sum of shares, which is one of nothing."""
    words = sketch.words(0, 3)
    is_asked = words[:1] == ["what"] and words[1:2] and words[1] in _OPENING - {"year"}
    is_sum = any(s.operator == "relation_values" for s in plan.steps)
    return bool(is_asked) and words[2:] == ["of"] and is_sum and not sketch.anchors


def _unread_amount(sketch: Sketch) -> Span | None:
    """Return what is asked for after "how much", where the schema measures no such thing."""
    words = sketch.words(0, len(sketch.tokens))
    for span in sketch.unread:
        is_amount = words[max(0, span.first - 2) : span.first] == ["how", "much"]
        if is_amount and sketch.tokens[span.first].stem not in sketch.glossary.words:
            return span
    return None


def _unread_most(plan: Plan, sketch: Sketch) -> Span | None:
    """Return what there is to be the most of, where the schema has none: "the most hydrants"."""
    for span in sketch.unread if plan.form is Form.RANKING else ():
        is_most = sketch.words(span.first - 1, span.first) in (["most"], ["fewest"])
        is_plural = sketch.tokens[span.first].lower.endswith("s")
        is_high = set(sketch.words(span.first - 1, span.first)) & _HIGH
        if ((is_most and is_plural) or is_high) and sketch.tokens[
            span.first
        ].stem not in sketch.glossary.words:
            return span
    return None


def _unread_head(plan: Plan, sketch: Sketch) -> Span | None:
    """Return the noun of "who is the mascot of X", where the schema has no such thing."""
    words = sketch.words(0, len(sketch.tokens))
    is_asked = words[:1] in (["who"], ["what"]) and words[1:2] and words[1] in BE
    if not is_asked or words[2:3] not in (["the"], ["our"]) or plan.form is Form.PATH:
        return None
    last = next((i for i in range(3, min(len(words), 3 + _FAR)) if words[i] in RELATING), None)
    span = next((s for s in sketch.unread if s.last == last), None)
    is_told = span is not None and sketch.tokens[span.first].stem in sketch.glossary.words
    return None if is_told else span


def _unread_own(sketch: Sketch) -> Span | None:
    """Return what is asked for of something named in vain: "what is X's salary"."""
    opens = sketch.words(0, 1) in (["what"], ["what's"], ["whats"])
    last = len(sketch.tokens)
    span = next((s for s in sketch.unread if s.last == last), None) if opens else None
    is_own = span is not None and any(a.span.last == span.first for a in sketch.anchors)
    is_told = span is not None and sketch.tokens[span.first].stem in sketch.glossary.words
    return span if is_own and not is_told else None


def _unread_state(sketch: Sketch) -> Span | None:
    """Return what is said of something in vain: "that has been overruled", "the nearest one"."""
    for span in sketch.unread:
        word = sketch.tokens[span.first].lower
        before = sketch.words(span.first - 3, span.first)
        after = sketch.words(span.last, span.last + 1)
        is_state = before[-1:] and before[-1] in BE and _SAYING & set(before)
        is_alone = not (after and after[0] in RELATING | {"against", "over", "up", "down"})
        is_near = word in _NEAREST and before[-2:] != ["at", "the"]
        if (is_state and is_alone and is_participle(word)) or is_near:
            return span
    return None


def _unread_object(sketch: Sketch) -> Span | None:
    """Return what a verb is done to, where the schema has no such thing: "makes the corks for"."""
    verbs = {t.span.last for t in sketch.relations}
    for span in sketch.unread:
        is_object = sketch.words(span.first - 1, span.first) == ["the"] and span.first - 1 in verbs
        after = sketch.words(span.last, span.last + 1)
        is_told = sketch.tokens[span.first].stem in sketch.glossary.words
        if is_object and after in (["for"], ["of"], ["at"], ["in"]) and not is_told:
            return span
    return None


def _is_bare_object(sketch: Sketch, span: Span) -> bool:
    """Whether a word right after a verb is what it is done to: "makes ibuprofen for us"."""
    word = sketch.tokens[span.first]
    after = sketch.words(span.last, span.last + 2)
    is_closed = not after or after in (["for", "us"], ["at", "present"], ["at", "the"])
    is_closed = is_closed or after[:1] in (["now"], ["today"], ["currently"])
    is_noun = (
        not word.lower.endswith(("ly", "ing", "ed")) and word.stem not in sketch.glossary.words
    )
    return is_closed and is_noun and not sketch.anchors and sketch.words(0, 1) == ["who"]


def _unread_predicate(plan: Plan, sketch: Sketch) -> Span | None:
    """Return what is said of what is counted in vain: "how many berths are still dry"."""
    if plan.form is not Form.NUMBER or sketch.words(0, 2) != ["how", "many"]:
        return None
    for span in sketch.unread:
        at = span.first
        while at and sketch.tokens[at - 1].lower in _ADVERBS:
            at -= 1
        after = sketch.words(span.last, span.last + 1)
        word = sketch.tokens[span.first].lower
        is_state = not (is_participle(word) or word.endswith("s"))
        is_alone = not after or span.last in sketch.breaks or after[0] in {"on", "in", "at"}
        if is_alone and is_state and sketch.words(at - 1, at) in (["is"], ["are"]):
            return span
    return None


def _unread_order(plan: Plan, sketch: Sketch) -> Span | None:
    """Return "after" in "end after their grant expires", where a plan holds no days together."""
    operators = {step.operator for step in plan.steps}
    if plan.template.partition(",")[0] != "plain" or operators & _DATED:
        return None
    times = [t.span.first for t in sketch.question.times]
    things = times + [a.span.first for a in sketch.anchors]
    joints = (i for i, token in enumerate(sketch.tokens) if token.lower in {"after", "before"})
    for at in (i for i in joints if not any(0 < first - i <= _FAR_TIME for first in things)):
        after = {t.stem for t in sketch.tokens[at + 1 : at + _FAR_VERB]}
        before = {t.stem for t in sketch.tokens[max(0, at - _FAR_VERB) : at]}
        if after & _DATING and before & _DATING:
            return Span(first=at, last=at + 1)
    return None


def _only_counted(plan: Plan, sketch: Sketch) -> Span | None:
    """Return what "which" asks for, where the schema only has its number: "which students"."""
    if sketch.words(0, 1) != ["which"] or plan.form is not Form.NODES or sketch.focus is not None:
        return None
    unread = {i for s in sketch.unread for i in s}
    here = [
        p
        for p in sketch.properties
        if p.span.first > 0 and set(range(1, p.span.first)) <= unread and p.score >= _SURE
    ]
    is_plural = bool(here) and sketch.tokens[here[0].span.last - 1].lower.endswith("s")
    is_counted = all(is_number(sketch, o, p.name) for p in here for o in p.owners)
    return here[0].span if is_plural and is_counted else None


def _asked_number(sketch: Sketch) -> Span | None:
    """Return the words by which a question asks for a number or a year of what it names."""
    words = sketch.words(0, len(sketch.tokens))
    for at in sorted(sketch.stops):
        opening = words[at : at + 2]
        last = at + 2
        if opening[:1] == ["how"] and _is_measure(sketch, at + 1):
            return Span(first=at, last=last)
        if opening[:1] == ["when"] and opening[1:] and opening[1] in AUXILIARIES | BE:
            return Span(first=at, last=last)
        if opening[:1] in (["what"], ["which"]) and set(opening[1:]) & _OPENING:
            return Span(first=at, last=last)
        if opening == ["how", "much"]:
            return Span(first=at, last=last)
        if opening[:1] == ["what"] and opening[1:] and opening[1] in AUXILIARIES:
            verb = next(
                (i for i in range(last, last + _FAR) if words[i : i + 1] and words[i] in _PAYING),
                None,
            )
            if verb is not None:
                return Span(first=at, last=verb + 1)
    return _named_number(sketch, words)


def _is_measure(sketch: Sketch, at: int) -> bool:
    """Whether an adjective after "how" asks for a measure: "how pure", "how long"."""
    if at >= len(sketch.tokens):
        return False
    return next(asked_by_adjective(sketch.tokens[at].stem), None) is not None


def _named_number(sketch: Sketch, words: list[str]) -> Span | None:
    """Return "what is the scrap rate" and the like, where no type or relation is asked for."""
    opens = words[:1] in (["what's"], ["whats"]) or (
        words[:1] == ["what"] and words[1:2] and words[1] in BE
    )
    if not opens or sketch.types:
        return None
    end = min([m.span.first for m in sketch.question.mentions] + [_FAR + 3, len(words)])
    at = next((i for i in range(1, end) if words[i] in _MEASURED), None)
    return Span(first=0, last=at + 1) if at is not None else None


_LEFT_OUT: Final[Mapping[Callable[[Sketch, Plan], bool], str]] = {
    _leaves_out_only: "The reading would leave out 'only'.",
    _leaves_out_other: "The reading would leave out how the two stand.",
    _is_deed: "The schema does not say who did that.",
    _is_share_of_all: "The schema holds no such share.",
}
"""What a plan may leave out, and what is said then."""
