"""Relations that a question tells in the very words of their description: "signed off to run"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Understood
from trivium.domain.schema import Schema
from trivium.language.text import stems

_AT_LENGTH: Final = 3
"""Words of a description, in its order, that tell a relation better than the name of another."""
_FAR: Final = 2
"""Words between two of them."""
_TOLD: Final = 0.95


def told_at_length(question: Understood, schema: Schema) -> Understood:
    """Return a question where what is told at length names that relation, and no other there."""
    runs = [run for name in schema.relation_types for run in _runs(question, schema, name)]
    runs.sort(key=len, reverse=True)
    terms = list(question.terms)
    taken: list[Span] = []
    for run in runs:
        whole = Span(first=run[0].span.first, last=run[-1].span.last)
        if any(whole.overlaps(other) for other in taken):
            continue
        taken.append(whole)
        kept = (t for t in terms if not (_is_relation(t) and t.span.overlaps(whole)))
        terms = [*kept, *(replace(t, score=max(t.score, _TOLD)) for t in run)]
    if not taken:
        return question
    return replace(question, terms=tuple(sorted(terms, key=lambda t: (t.span.first, -t.score))))


def _is_relation(term: Term) -> bool:
    return term.kind is TermKind.RELATION


def _runs(question: Understood, schema: Schema, name: str) -> Iterator[list[Term]]:
    """Give the words of a relation's description that follow one another as they do there."""
    told = stems(schema.relation_types[name].description)
    own = [t for t in question.terms if _is_relation(t) and t.name == name and len(t.span) == 1]
    run: list[Term] = []
    for term in (*own, None):
        if term is not None and (not run or _follows(question, told, run[-1], term)):
            run.append(term)
            continue
        if len(run) >= _AT_LENGTH:
            yield run
        run = [] if term is None else [term]


def _follows(question: Understood, told: Sequence[str], before: Term, term: Term) -> bool:
    """Whether a word stands a little after another, in the question as in a description."""
    first, second = (question.tokens[t.span.first].stem for t in (before, term))
    is_near = 0 <= term.span.first - before.span.last <= _FAR
    return is_near and first in told and second in told[told.index(first) + 1 :]
