"""What of the domain a question names, and how its parts belong together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Understood

_MIN_SCORE: Final = 0.6
_OWN_FIRST: Final = (
    "own attribute", "own type", "own value", "relation", "link attribute", "other type",
    "other attribute", "link value", "other value",
)  # fmt: skip
"""What words stand for where they may stand for several things: what is the entity's own wins."""
_CAPPED: Final = 3


def structure(question: Understood) -> Iterator[str]:
    """Give what is named: how many entities, and what of their own type or of another beside.

    An attribute of the entity's own type is a fact; one of another type is reached by relations;
    one of a relation (a link attribute) is a figure between two.
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
    yield from _links(question, list(entities.values()))
    if any(not m.candidates for m in question.mentions):
        yield "unknown name"


def _links(question: Understood, types: Sequence[str]) -> Iterator[str]:
    """Say of a relation and of a relation's attribute how many of its ends are named."""
    asked = {t.name for t in question.terms_of(TermKind.TYPE) if t.score >= _MIN_SCORE}
    for kind in (TermKind.RELATION, TermKind.PROPERTY):
        terms = [t for t in question.terms_of(kind) if t.ends and t.score >= _MIN_SCORE]
        ends = {pair for term in terms for pair in term.ends}
        if ends:
            named = max(_n_met(pair, types) for pair in ends)
            told = max(_n_met(pair, [*types, *asked]) for pair in ends)
            yield f"link {kind.value} with {named} ends"
            yield f"link {kind.value} with {named} ends, {told} told"


def _n_met(ends: tuple[str, str], types: Sequence[str]) -> int:
    """Return how many ends of a relation are among types, each of which stands for one end."""
    left = Counter(types)
    return sum((Counter(ends) & left).values())


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
            beyond = "link attribute" if term.ends else "other attribute"
            return "own attribute" if term.owner in types else beyond
        case TermKind.FACT:
            return "own attribute" if types else "other attribute"
        case TermKind.VALUE:
            beyond = "link value" if term.ends else "other value"
            return "own value" if term.owner in types else beyond
