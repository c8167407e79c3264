"""What shows that a question may be one of relations, where another tier was asked."""

from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from trivium.domain.question import Span, TermKind, Understood
from trivium.domain.schema import Schema
from trivium.language.units import PERIODS
from trivium.language.words import asked_by_adjective

_CONDITIONS: Final = (
    "above", "below", "comparative", "negation", "exception", "began", "ended", "sum", "average",
    "breakdown", "open", "closed",
)  # fmt: skip
"""Cues of what the graph computes, and ready figures leave out."""
_STRUCTURE: Final = (
    "degree", "incoming", "outgoing", "bottleneck", "articulation", "components", "diameter",
)  # fmt: skip
"""Cues of how things hang together, which only the graph knows."""
_COMPUTED: Final = ("risk", "score", *_STRUCTURE)
_ASKING: Final = frozenset({"which", "what", "many", "list", "name", "show"})
_TIMES: Final = PERIODS | {"second", "minute", "time"}
_FAR_ASKED: Final = 3
"""Words before the type that a question opens with."""
_SURE_NAME: Final = 0.95
"""How well words must name an attribute to be its name."""
_SURE_VERB: Final = 0.8
"""How well a word must name a relation to be one."""


def says_the_schema(question: Understood) -> bool:
    """Whether a question has words of the schema, so that the graph may have what facts lack.

    So it has where it names something and asks for what is computed alone.
    """
    is_computed = bool(_n_named(question)) and question.has(*_COMPUTED)
    return bool(question.terms) or _n_named(question) > 1 or is_computed


def may_be_related(question: Understood, *, is_timed: bool = True) -> bool:
    """Whether it may ask for a relation: of two things, by a type, a verb, a day, or a total.

    A day tells nothing without ``is_timed``, where there are facts of that day.
    """
    kinds = {t.kind for t in question.terms if t.score >= _SURE_VERB}
    return (
        _n_named(question) > 1
        or bool(kinds & {TermKind.TYPE, TermKind.RELATION})
        or question.has("sum")
        or (is_timed and bool(question.times))
    )


def asks_how_much(question: Understood) -> bool:
    """Whether it asks for a measure of what it names: "how heavy are X and Y"."""
    pairs = pairwise(question.tokens)
    is_how = any(a.lower == "how" and any(asked_by_adjective(b.stem)) for a, b in pairs)
    return is_how and not question.terms_of(TermKind.RELATION)


def counts_time(question: Understood) -> bool:
    """Whether it asks how much time: "how many years", which is no count of anything known."""
    words = [t.lower for t in question.tokens]
    triples = zip(words, words[1:], words[2:], strict=False)
    return any(
        how == "how" and many in {"many", "much"} and is_time(unit) for how, many, unit in triples
    )


def is_time(unit: str | None) -> bool:
    """Whether a length of time is counted in a unit."""
    return (unit or "").removesuffix("s") in _TIMES


def may_be_about(question: Understood, node_type: str | None, schema: Schema) -> bool:
    """Whether each verb and attribute that a question says may be one of an entity of a type."""
    found: dict[Span, bool] = {}
    for term in question.terms_of(TermKind.RELATION, TermKind.PROPERTY):
        if node_type is None or term.score < _SURE_VERB:
            continue
        relation = schema.relation_types.get(term.owner or term.name)
        is_own = term.owner == node_type or bool(relation and relation.joins(node_type))
        found[term.span] = found.get(term.span, False) or is_own
    return all(found.values())


def is_recorded(question: Understood) -> bool:
    """Whether it has words of an attribute that facts alone have, so that the graph cannot know."""
    return bool(question.terms_of(TermKind.FACT))


def names_an_attribute(question: Understood) -> bool:
    """Whether it says the name of an attribute in full, and one of several words."""
    named = question.terms_of(TermKind.PROPERTY, TermKind.FACT)
    return any(t.score >= _SURE_NAME and len(t.span) > 1 for t in named)


def asks_about_one(question: Understood) -> bool:
    """Whether it asks for what is known of one thing that it names in full: "X: the basics"."""
    sure = [m for m in question.mentions if len(m.best) == 1 and m.best[0].score >= _SURE_NAME]
    is_of_one = len(sure) == 1 and len(question.mentions) == 1
    return is_of_one and question.has("profile") and not question.has("injection", "assistant")


def is_conditioned(question: Understood) -> bool:
    """Whether it asks for more than a ready figure of a type, or for what another type has."""
    types = {t.name for t in question.terms_of(TermKind.TYPE)}
    is_of_many = bool(types) and not _n_named(question)
    says_more = _has_condition(question) or bool(question.times) or len(types) > 1
    groups = {question.words(c.span).casefold() for c in question.cues_of("rank")} & {"each", "per"}
    if is_of_many:
        return bool(says_more or groups or question.has(*_CONDITIONS, *_STRUCTURE))
    return _walks(question, types) or _asks_beyond(question) or _asks_for_set(question)


def _has_condition(question: Understood) -> bool:
    """Whether a value narrows what is asked; in "annual revenue" it is a part of a figure."""
    figures = {t.span.first for t in question.terms_of(TermKind.PROPERTY)}
    return any(t.span.last not in figures for t in question.terms_of(TermKind.VALUE))


def _walks(question: Understood, types: AbstractSet[str]) -> bool:
    """Whether it goes from what it names to another type, by a relation or by counting it."""
    named = {c.type for m in question.mentions for c in m.best}
    verbs = [t for t in question.terms_of(TermKind.RELATION) if t.score >= _SURE_VERB]
    return bool(named) and bool(verbs or question.has("count")) and bool(types - named)


def _asks_beyond(question: Understood) -> bool:
    """Whether the surest property that it names is one of something else than what it names."""
    named = {c.type for m in question.mentions for c in m.best}
    properties = question.terms_of(TermKind.PROPERTY)
    best = max((t.score for t in properties), default=0.0)
    owners = {t.owner for t in properties if t.score == best}
    is_of_several = _n_named(question) > 1 or question.has("sum", "average")
    return is_of_several and best >= _SURE_VERB and bool(named) and not owners & named


def _asks_for_set(question: Understood) -> bool:
    """Whether it names something, but asks for several: "which outages began after X ended"."""
    words = [t.lower for t in question.tokens]
    is_set = any(
        words[term.span.last - 1].endswith("s") and bool(_ASKING & set(words[: term.span.first]))
        for term in question.terms_of(TermKind.TYPE)
        if term.score >= _SURE_VERB and term.span.first <= _FAR_ASKED
    )
    return is_set and bool(_n_named(question))


def asks_of_graph(question: Understood) -> bool:
    """Whether a question that seems to be about nothing here still is one for the graph.

    It asks for how the whole hangs together, says two things of the schema, looks up an id, or says
    one thing of the schema beside a number that it is held against, or by its own name beside a
    name that nothing has: "who is the coach of Northfield Villa?"
    """
    told = [t for t in question.terms if t.score >= _SURE_VERB]
    sure = {t.span for t in told}
    is_of_two = len(sure) > 1 and len({t.name for t in told}) > 1
    is_id = any(not m.candidates for m in question.mentions)
    is_its_own = any(t.score >= _SURE_NAME for t in told)
    is_of_a_name = is_its_own and _has_unknown_name(question)
    is_bound = bool(sure) and bool(question.quantities) and question.has("above", "below")
    return question.has(*_STRUCTURE) or is_of_two or is_id or is_of_a_name or is_bound


def _has_unknown_name(question: Understood) -> bool:
    """Whether a capitalised word within the question is no name, and no word of the schema."""
    spans = [t.span for t in question.terms]
    spans += [t.span for t in question.times]
    spans += [m.span for m in question.mentions]
    read = {index for span in spans for index in span}
    return any(
        token.text[0].isupper() and len(token.text) > 1 and index not in read
        for index, token in enumerate(question.tokens)
        if index
    )


def _n_named(question: Understood) -> int:
    return sum(bool(m.candidates) for m in question.mentions)
