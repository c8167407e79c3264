"""Nouns that name somebody by a relation: "the head of X", "the sequel to X"."""

from collections.abc import Iterator, Sequence
from typing import Final

from tiers.graphrag.reading.sketch import TypeWord
from tiers.graphrag.reading.standing import before_states
from trivium.domain.question import Span, Term, TermKind, Understood
from trivium.domain.schema import Schema
from trivium.language.text import is_participle, spoken, stems

_BEFORE: Final = frozenset(
    {"the", "a", "an", "whose", "its", "their", "his", "her", "another", "any", "no", "each",
     "every", "s"}
)  # fmt: skip
_SOME: Final = frozenset({"a", "an", "any", "no", "some", "another"})
_LEADING_ON: Final = frozenset({"of", "to", "for"})
_LIKELY: Final = 0.8


def roles(
    question: Understood, terms: Sequence[Term], types: Sequence[TypeWord], schema: Schema
) -> Iterator[TypeWord]:
    """Give the type of what a relation's noun names, where a name or a noun follows it.

    "The sequel to X" is a book, where books are sequels of books; what a relation with "by" names
    is its other end.
    """
    taken = {i for t in terms if t.kind is not TermKind.RELATION for i in t.span}
    taken |= {i for t in types for i in t.span}
    taken |= {i for m in question.mentions if m.candidates for i in m.span}
    starts = {m.span.first for m in question.mentions if m.candidates}
    starts |= {t.span.first for t in types}
    seen: set[Span] = set()
    for term in sorted(terms, key=lambda t: -t.score):
        is_new = term.kind is TermKind.RELATION and term.span not in seen
        if not is_new or term.score < _LIKELY or taken & set(term.span):
            continue
        seen.add(term.span)
        ends = schema.relation_types[term.name].ends
        is_event = all(schema.node_types[s].is_event for s, _ in ends)
        is_role = _is_role(question, term, starts) or (is_event and _is_event_noun(question, term))
        if len({s for s, _ in ends}) == 1 and is_role and _is_own_noun(question, term):
            pair = ends[0]
            named = pair[1] if term.name.casefold().endswith("_by") else pair[0]
            yield TypeWord(
                span=term.span, type=named, is_singular=True, score=_LIKELY, relation=term.name
            )


def _is_role(question: Understood, term: Term, starts: set[int]) -> bool:
    """Whether a word stands as a noun that leads on to something named: "the head of X"."""
    words = [t.lower for t in question.tokens]
    first, last = term.span.first, term.span.last
    is_noun = bool({*words[max(0, first - 1) : first]} & _BEFORE)
    is_led = words[last : last + 1] and words[last] in _LEADING_ON
    is_verb = is_participle(words[last - 1]) or words[last - 1].endswith("ing")
    return bool(is_noun and is_led and not is_verb and starts & {last + 1, last + 2})


def _is_event_noun(question: Understood, term: Term) -> bool:
    """Whether the verb of an event is its noun: "under an open recall", "without a closure"."""
    is_noun = bool({*before_states(question, term.span.first)} & _SOME)
    return is_noun and not is_participle(question.tokens[term.span.last - 1].lower)


def _is_own_noun(question: Understood, term: Term) -> bool:
    """Whether the word is one of the relation's own name."""
    own = set(stems(spoken(term.name)))
    return any(question.tokens[i].stem in own for i in term.span)
