"""What a question says in vain: words that matter, and that nothing in the schema or data is."""

from functools import partial
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.listing import BE, RELATING
from tiers.graphrag.reading.sketch import Sketch
from tiers.graphrag.reading.statement import is_number
from trivium.domain.question import Span
from trivium.language.text import is_participle, stem

_SURE: Final = 0.9
_LOOSE: Final = 0.6
"""For a type that is named by a noun of its description."""
_HIGH: Final = frozenset({"highest", "lowest", "greatest"})
"""Superlatives of numbers, whatever they measure."""
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
"""Words in which the noun after "who is the" ends."""


def unknown_name(sketch: Sketch) -> Span | None:
    """Return what a verb is done to, where nothing is called so: "who makes ibuprofen for us"."""
    verbs = {t.span.last for t in sketch.relations}
    names = (s for s in sketch.unread if s.first in verbs and _is_bare_object(sketch, s))
    return next(names, None)


def said_in_vain(sketch: Sketch, plan: Plan) -> Span | None:
    """Return what is asked for, or said of it, that the schema does not have."""
    readers = (
        _unread_kind,
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
    return next((found for read in readers if (found := read(sketch))), None)


def _unread_kind(sketch: Sketch) -> Span | None:
    """Return an unknown noun that makes another thing of a loosely known one: "parking spaces"."""
    head = sketch.focus
    if head is None or head.relation or head.score > _LOOSE:
        return None
    before = next((s for s in sketch.unread if s.last == head.span.first), None)
    if before is None or sketch.tokens[before.first].stem in sketch.glossary.words:
        return None
    is_asked = sketch.words(before.first - 1, before.first) in (["many"], ["which"], ["what"])
    return Span(first=before.first, last=head.span.last) if is_asked else None


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
