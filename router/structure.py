"""What of the domain a question names, and how its parts belong together."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Understood

_MIN_SCORE: Final = 0.6
_OWN_FIRST: Final = (
    "own attribute", "own type", "own value", "relation", "other type", "other attribute",
    "other value",
)  # fmt: skip
"""What words stand for where they may stand for several things: what is the entity's own wins."""
_CAPPED: Final = 3


def structure(question: Understood) -> Iterator[str]:
    """Give what is named: how many entities, and what of their own type or of another beside.

    An attribute of the entity's own type is a fact; one of another type is reached by relations.
    """
    kinds = Counter(_kinds(question))
    entities = {m.best[0].id: m.best[0].type for m in question.mentions if m.candidates}
    n_entities = f"{min(len(entities), _CAPPED)} entities"
    for kind in _OWN_FIRST:
        yield f"{kind} {min(kinds[kind], _CAPPED)}"
    named = "+".join((n_entities, *sorted(kinds)))
    yield f"named {named}"
    yield f"{n_entities} of {min(len(set(entities.values())), 2)} types"
    cues = sorted({cue.kind for cue in question.cues})
    for cue in cues:
        yield f"cue {cue} with {n_entities}"
        for kind in kinds:
            yield f"cue {cue} with {kind}"
    if not cues:
        yield f"no cue with {named}"
    if any(not m.candidates for m in question.mentions):
        yield "unknown name"


def _kinds(question: Understood) -> list[str]:
    """Return what each stretch of schema words stands for, seen from the entities named."""
    types = {c.type for m in question.mentions for c in m.best}
    found: dict[Span, set[str]] = {}
    for term in question.terms:
        if term.score >= _MIN_SCORE:
            found.setdefault(term.span, set()).add(_kind(term, types))
    return [next(kind for kind in _OWN_FIRST if kind in kinds) for kinds in found.values()]


def _kind(term: Term, types: set[str]) -> str:
    match term.kind:
        case TermKind.RELATION:
            return "relation"
        case TermKind.TYPE:
            return "own type" if term.name in types else "other type"
        case TermKind.PROPERTY:
            return "own attribute" if term.owner in types else "other attribute"
        case TermKind.FACT:
            return "own attribute" if types else "other attribute"
        case TermKind.VALUE:
            return "own value" if term.owner in types else "other value"
