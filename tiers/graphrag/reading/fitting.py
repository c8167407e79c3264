"""Whether a plan gives the kind of answer that is asked for: no entities where a number is."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.plans.plan import Plan
from tiers.graphrag.reading.listing import AUXILIARIES, BE, RELATING, SOLELY
from tiers.graphrag.reading.sketch import Refusal, Sketch
from tiers.graphrag.reading.statement import property_of
from tiers.graphrag.reading.unread import said_in_vain, unknown_name
from trivium.domain.evidence import Reason
from trivium.domain.question import Span, TermKind
from trivium.domain.schema import PropertyKind
from trivium.language.text import spoken, stems
from trivium.language.words import asked_by_adjective, general_words

_MORE: Final = frozenset({"more", "fewer"})
_FORMERLY: Final = frozenset({"before", "ever", "earlier", "previously", "usual"})
"""What is no number after "than"."""
_BECOMING: Final = frozenset({"got", "get", "gets", "become", "becomes", "became", "grew", "been"})
_ORDERING: Final = frozenset(
    {"ranking", "leaders", "group_by", "day_of", "path", "select", "rank_scores", "first_groups",
     "severity_weights"}
)  # fmt: skip
"""What a plan has one of where it puts things in order."""
_HAVING: Final = frozenset(
    stems("own have hold keep run operate contain comprise include manage belong member part of in "
          "at on host house")
)  # fmt: skip
"""Words in the names of relations by which one has what belongs to the other."""
_NO_NUMBER: Final = frozenset({Form.NODES, Form.BOOLEAN})
_PAYING: Final = frozenset({"pay", "cost", "charge", "earn", "spend", "owe", "weigh", "last"})
_MEASURED: Final = frozenset({"rate", "ratio", "percentage", "share", "proportion", "average"})
_OPENING: Final = frozenset({"year", "share", "percentage", "proportion", "fraction", "percent"})
"""Nouns after "what" that ask for a number."""
_DEGREES: Final = frozenset({"highest", "lowest", "greatest", "best", "worst"})
_SURE: Final = 0.9
_LEAVING: Final = frozenset({"set_complement", "select", "left_without", "simulate_removal"})
"""What a plan has where it holds what is asked for to one thing only."""
_FAR: Final = 3
"""Words from "what is the" to the number that is asked for: "what is the scrap rate"."""


def refuse_unfit(sketch: Sketch, plan: Plan) -> None:
    """Refuse where a plan leaves out what is said, or answers something else than is asked for.

    Raises:
        Refusal: with the words that it does not answer.
    """
    if (name := unknown_name(sketch)) is not None:
        raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {sketch.question.words(name)!r}.")
    if (noun := said_in_vain(sketch, plan)) is not None:
        raise Refusal(Reason.NOT_IN_SCHEMA, f"The schema has no {sketch.question.words(noun)!r}.")
    if (fact := _recorded_instead(sketch, plan)) is not None:
        raise Refusal(Reason.NOT_IN_SCHEMA, f"The graph does not hold {spoken(fact)!r}.")
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


def _recorded_instead(sketch: Sketch, plan: Plan) -> str | None:
    """Return the attribute of facts whose every word is said, where a plan adds up another number.

    "Doses left in stock" are the doses in stock, and not those that are delivered a month.
    """
    added = [s.arguments.get("property") for s in plan.steps
             if s.operator in {"relation_values", "node_values"}]  # fmt: skip
    if plan.form is not Form.NUMBER or not added:
        return None
    taken = {w for name in added for w in stems(spoken(str(name)))}
    said = {t.stem for t in sketch.tokens}
    for term in sketch.question.terms_of(TermKind.FACT):
        told = {w for w in stems(spoken(term.name)) if w not in general_words().stop_stems}
        if len(told) > 1 and told <= said and not told <= taken:
            return term.name
    return None


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


def _leaves_out_degree(sketch: Sketch, plan: Plan) -> bool:
    """Whether the highest of something without an order is asked for: "at the highest level"."""
    does = {s.operator for s in plan.steps}
    numbers = {n for _, n in sketch.glossary.numbers()}
    ends = [c.span.last for c in sketch.question.cues_of("most", "least")
            if sketch.tokens[c.span.last - 1].lower in _DEGREES]  # fmt: skip
    told = [p for p in sketch.properties if p.span.first in ends and p.score >= _SURE]
    held = [property_of(sketch, o, p.name) for p in told for o in p.owners]
    is_told = any(p.name in numbers for p in told)
    is_told = is_told or any(item and item.kind is PropertyKind.DATE for item in held)
    return bool(told) and not is_told and "severity_weights" not in does


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


def _leaves_out_more(sketch: Sketch, plan: Plan) -> bool:
    """Whether more or less of something is asked for, and the plan holds no number against another.

    "Which has more parts" of two, "which parts are cheaper", "which suppliers got better".
    """
    words = sketch.words(0, len(sketch.tokens))
    is_held = any(a == "than" and b not in _FORMERLY for a, b in pairwise([*words, ""]))
    is_plain = plan.template.partition(",")[0] == "plain" and not is_held
    nouns = {t.span.first for t in sketch.types} | {p.span.first for p in sketch.properties}
    more = [c.span for c in sketch.question.cues_of("comparative")]
    asked = (
        s for s in more
        if sketch.words(s.first - 1, s.first) not in (["no"], ["any"])
        and (s.last in nouns if sketch.tokens[s.first].lower in _MORE else _is_said_of(sketch, s))
    )  # fmt: skip
    return is_plain and not _counts(plan) and any(asked)


def _is_said_of(sketch: Sketch, comparative: Span) -> bool:
    """Whether a comparative is said of what is asked for: "are cheaper (than before)"."""
    before = set(sketch.words(comparative.first - 1, comparative.first))
    after = sketch.words(comparative.last, comparative.last + 1)
    ends = after in ([], ["than"]) or comparative.last in sketch.breaks
    return ends and bool(before & (BE | _BECOMING))


def _leaves_out_most(sketch: Sketch, plan: Plan) -> bool:
    """Whether the most is asked for, and the plan puts nothing in order: "which is the largest"."""
    does = {s.operator for s in plan.steps} | {plan.form.value}
    cues = (c.span for c in sketch.question.cues_of("most", "least"))
    asked = (s for s in cues if sketch.words(s.first - 1, s.first) not in (["at"], ["for"]))
    is_plain = plan.template.partition(",")[0] == "plain"
    return is_plain and not does & _ORDERING and any(asked) and not sketch.has("negation")


def _counts(plan: Plan) -> bool:
    return bool({"select", "count_edges", "node_values"} & {s.operator for s in plan.steps})


def _has_itself(sketch: Sketch, plan: Plan) -> bool:
    """Whether a plan adds up what only is related otherwise: "how many beds does the team have"."""
    words = sketch.words(0, len(sketch.tokens))
    is_had = words[:2] == ["how", "many"] and words[-1:] in (["have"], ["got"], ["own"])
    named = [p for p in sketch.properties if p.span.first == 2 and p.score >= _SURE]
    owners = {o for p in named for o in p.owners}
    if not (is_had and owners and len(sketch.anchors) == 1 and plan.form is Form.NUMBER):
        return False
    way = sketch.paths.best(sketch.anchors[0].type, min(owners))
    if sketch.types or sketch.anchors[0].type in owners or way is None:
        return False
    kept = (set(stems(spoken(h.relation))) & _HAVING for h in way.hops)
    return owners <= set(sketch.schema.node_types) and not all(kept)


_LEFT_OUT: Final[Mapping[Callable[[Sketch, Plan], bool], str]] = {
    _leaves_out_only: "The reading would leave out 'only'.",
    _leaves_out_other: "The reading would leave out how the two stand.",
    _leaves_out_degree: "The schema does not say what is higher there.",
    _is_deed: "The schema does not say who did that.",
    _leaves_out_most: "The schema does not say which is the most.",
    _leaves_out_more: "The reading would leave out which has more.",
    _has_itself: "The schema does not say how many it has itself.",
    _is_share_of_all: "The schema holds no such share.",
}
"""What a plan may leave out, and what is said then."""
