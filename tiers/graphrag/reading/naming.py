"""Which types the words of a question name: by themselves, or as "somebody who"."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tiers.graphrag.reading.paths import SchemaPaths
from tiers.graphrag.reading.sketch import TypeWord
from trivium.domain.question import Span, Term, TermKind, Token, Understood
from trivium.domain.schema import Schema
from trivium.language.plurals import told_plural

_EVERYBODY: Final = frozenset({"everyone", "everybody", "anyone", "anybody", "people"})
_SOMEBODY: Final = frozenset({"someone", "somebody", "one", *_EVERYBODY})


def named_types(
    question: Understood, terms: Iterable[Term], paths: SchemaPaths
) -> tuple[TypeWord, ...]:
    """Return the types named; of several for one word, the one nearest to what else is named."""
    by_span: dict[Span, list[Term]] = {}
    for term in terms:
        if term.kind is TermKind.TYPE:
            by_span.setdefault(term.span, []).append(term)
    sure = {found[0].name for found in by_span.values() if len(found) == 1}
    sure |= {c.type for m in question.mentions for c in m.best}
    words = []
    for span, found in by_span.items():
        chosen = found[0] if len(found) == 1 else min(found, key=lambda t: _far(t, sure, paths))
        last = question.tokens[span.last - 1]
        words.append(
            TypeWord(
                span=span,
                type=chosen.name,
                is_singular=_is_singular(last),
                score=chosen.score,
            )
        )
    return tuple(sorted(words, key=lambda w: w.span.first))


def _is_singular(noun: Token) -> bool:
    told = told_plural(noun.lower)
    if told is not None:
        return not told
    return noun.lower == noun.stem or not noun.lower.endswith("s")


def somebody(
    question: Understood, terms: Sequence[Term], types: Sequence[TypeWord], schema: Schema
) -> Iterator[TypeWord]:
    """Give the type of "somebody who": the other end of the relation before it, "signed by"."""
    words = [t.lower for t in question.tokens]
    for index, word in enumerate(words):
        if word not in _SOMEBODY or words[index + 1 : index + 2] not in (
            ["who"],
            ["that"],
            ["whose"],
        ):
            continue
        verbs = [t for t in terms if t.kind is TermKind.RELATION and 0 <= index - t.span.last <= 2]
        before = [t.type for t in types if t.span.last <= index]
        ends = {e for t in verbs[:1] for pair in schema.relation_types[t.name].ends for e in pair}
        others = ends - set(before[-1:])
        if word in _EVERYBODY and not verbs:
            others = _doing_next(question, terms, types, schema, index + 2)
        if len(others) == 1:
            yield TypeWord(
                span=Span(first=index, last=index + 1),
                type=others.pop(),
                is_singular=True,
                score=0.8,
            )


def _doing_next(
    question: Understood,
    terms: Sequence[Term],
    types: Sequence[TypeWord],
    schema: Schema,
    start: int,
) -> set[str]:
    """Return who does what the verb after "who" says to the next thing: "everyone who runs it"."""
    verbs = [t for t in terms if t.kind is TermKind.RELATION and t.span.first >= start]
    if not verbs:
        return set()
    first = min(t.span.first for t in verbs)
    things = {t.span.first: {t.type} for t in types}
    things |= {m.span.first: {c.type for c in m.best} for m in question.mentions if m.candidates}
    at = min((i for i in things if i > first), default=None)
    best = max(t.score for t in verbs if t.span.first == first)
    names = [t.name for t in verbs if t.span.first == first and t.score == best]
    pairs = [p for name in names for p in schema.relation_types[name].ends]
    done_to = things[at] if at is not None else set()
    return {e for pair in pairs if done_to & set(pair) for e in pair} - done_to


def _far(term: Term, others: Iterable[str], paths: SchemaPaths) -> float:
    found = (paths.best(term.name, other) for other in others if other != term.name)
    return min((path.cost for path in found if path), default=99.0)
