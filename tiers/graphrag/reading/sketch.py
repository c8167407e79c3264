"""What a question names, settled: anchors, the types asked for, values, relations, properties."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.reading.paths import SchemaPaths
from trivium.domain.evidence import CandidateEntity, Reason
from trivium.domain.question import Mention, Span, Term, TermKind, Token, Understood
from trivium.domain.schema import PropertyKind, Schema
from trivium.language.words import general_words

_WH: Final = frozenset({"which", "what", "whose", "who", "whom"})
_AUXILIARIES: Final = frozenset(
    {"has", "have", "had", "do", "does", "did", "can", "could", "will", "would", "must", "should"}
)
_ENOUGH: Final = 0.6
_NEAR: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Entities that the question names, as one: by name, or by what they are."""

    span: Span
    type: str
    ids: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    """For entities named by what they are, such as "the freighter"."""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeWord:
    """A type of the schema, named."""

    span: Span
    type: str
    is_singular: bool
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyWord:
    """A property of the schema, named, with the types or relations that have it."""

    span: Span
    name: str
    owners: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWord:
    """A value of a category, named, with the ``(owner, property)`` pairs that have it."""

    span: Span
    value: str
    owners: tuple[tuple[str, str], ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A question, settled against the schema; what the templates read."""

    question: Understood
    schema: Schema
    paths: SchemaPaths
    anchors: tuple[Anchor, ...]
    types: tuple[TypeWord, ...]
    relations: tuple[Term, ...]
    properties: tuple[PropertyWord, ...]
    values: tuple[ValueWord, ...]
    focus: TypeWord | None
    unread: tuple[Span, ...] = ()
    """Content words that nothing explains."""
    unknown: tuple[str, ...] = field(default=())
    """Names of things that are not there."""

    def has(self, *kinds: str) -> bool:
        """Whether the question has a cue of one of ``kinds``."""
        return self.question.has(*kinds)

    def relation_names(self) -> tuple[str, ...]:
        """Return the relations that the question names, best first, each once."""
        ordered = sorted(self.relations, key=lambda term: -term.score)
        return tuple(dict.fromkeys(term.name for term in ordered))

    def type_after(self, position: int, *, within: int = 4) -> TypeWord | None:
        """Return the first type named at or after a word, a few words on at most."""
        later = (t for t in self.types if position <= t.span.first <= position + within)
        return next(later, None)


class Refusal(Exception):  # noqa: N818  # a way out of reading, not an error that anyone sees
    """The question has no plan, for a reason."""

    def __init__(
        self, reason: Reason, why: str, candidates: Sequence[CandidateEntity] = ()
    ) -> None:
        super().__init__(why)
        self.reason = reason
        self.why = why
        self.candidates = tuple(candidates)


def sketch(question: Understood, schema: Schema, paths: SchemaPaths) -> Sketch:
    """Settle what a question names.

    Raises:
        Refusal: it names an entity that is not there, or one name fits several.
    """
    terms = _settled_terms(question)
    types = _types(question, terms)
    values = _values(question, terms)
    focus = _focus(question, types)
    anchors = [_anchor(m, types, focus, paths) for m in question.mentions if m.candidates]
    described, values = _described(question, schema, values, types, focus)
    settled = Sketch(
        question=question,
        schema=schema,
        paths=paths,
        anchors=tuple(sorted([*anchors, *described], key=lambda a: a.span.first)),
        types=types,
        relations=tuple(t for t in terms if t.kind is TermKind.RELATION),
        properties=_properties(terms),
        values=values,
        focus=focus,
        unread=_unread(question, terms),
        unknown=tuple(m.text for m in question.mentions if not m.candidates),
    )
    if settled.unknown:
        raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {settled.unknown[0]!r}.")
    return settled


def _settled_terms(question: Understood) -> tuple[Term, ...]:
    """Keep, where words have several readings, the best; types and values give way to better."""
    best: dict[Span, float] = {}
    for term in question.terms:
        best[term.span] = max(best.get(term.span, 0.0), term.score)
    return tuple(
        t
        for t in question.terms
        if t.score >= _ENOUGH and (t.score >= best[t.span] - 1e-9 or t.kind is TermKind.RELATION)
    )


def _types(question: Understood, terms: Iterable[Term]) -> tuple[TypeWord, ...]:
    found = []
    for term in terms:
        if term.kind is TermKind.TYPE:
            last = question.tokens[term.span.last - 1]
            found.append(
                TypeWord(
                    span=term.span,
                    type=term.name,
                    is_singular=last.lower == last.stem or not last.lower.endswith("s"),
                    score=term.score,
                )
            )
    return tuple(found)


def _values(question: Understood, terms: Iterable[Term]) -> tuple[ValueWord, ...]:
    owners: dict[tuple[Span, str], list[tuple[str, str]]] = {}
    scores: dict[tuple[Span, str], float] = {}
    for term in terms:
        if term.kind is TermKind.VALUE and term.owner and term.value is not None:
            owners.setdefault((term.span, term.value), []).append((term.owner, term.name))
            scores[term.span, term.value] = term.score
    return tuple(
        ValueWord(span=span, value=value, owners=tuple(pairs), score=scores[span, value])
        for (span, value), pairs in owners.items()
        if not _is_cue_word(question, span)
    )


def _is_cue_word(question: Understood, span: Span) -> bool:
    """Whether a value's word is part of a longer phrase that says what to do."""
    return any(
        len(cue.span) > len(span) and cue.span.overlaps(span)
        for cue in question.cues
        if cue.kind not in {"yes_no", "document"}
    )


def _properties(terms: Iterable[Term]) -> tuple[PropertyWord, ...]:
    owners: dict[tuple[Span, str], list[str]] = {}
    scores: dict[tuple[Span, str], float] = {}
    for term in terms:
        if term.kind is TermKind.PROPERTY and term.owner:
            owners.setdefault((term.span, term.name), []).append(term.owner)
            scores[term.span, term.name] = term.score
    return tuple(
        PropertyWord(span=span, name=name, owners=tuple(found), score=scores[span, name])
        for (span, name), found in owners.items()
    )


def _focus(question: Understood, types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type that is asked for: the one after a question word, else the first.

    A question word that is followed by none ("what has X ordered") asks for the other end of
    the relation, which is the templates' to say.
    """
    n_question_words = 0
    for index, token in enumerate(question.tokens):
        is_how_many = token.lower == "how" and _next_is(question.tokens, index, {"many"})
        if not (token.lower in _WH or is_how_many):
            continue
        n_question_words += 1
        found = next((t for t in types if index < t.span.first <= index + 6), None)
        if found and not _is_cut_off(question, index, found):
            return found
    if n_question_words and not question.has("compare"):
        return None
    excluded = {
        i for cue in question.cues_of("exception") for i in range(cue.span.first, cue.span.last + 3)
    }
    return next((t for t in types if t.span.first not in excluded), None)


def _is_cut_off(question: Understood, index: int, found: TypeWord) -> bool:
    """Whether a verb or a mention stands between the question word and the type."""
    between = range(index + 1, found.span.first)
    if any(question.tokens[i].lower in _AUXILIARIES for i in between):
        return True
    verbs = {
        i for t in question.terms if t.kind is TermKind.RELATION and t.score >= 1 for i in t.span
    }
    named = {i for m in question.mentions for i in m.span}
    return any(i in named or (i in verbs and i not in found.span) for i in between)


def _next_is(tokens: Sequence[Token], index: int, words: set[str]) -> bool:
    return index + 1 < len(tokens) and tokens[index + 1].lower in words


def _anchor(
    mention: Mention,
    types: Sequence[TypeWord],
    focus: TypeWord | None,
    paths: SchemaPaths,
) -> Anchor:
    """Settle which entity a mention means, by the type beside it and by what can be asked of it.

    Raises:
        Refusal: several entities fit equally well.
    """
    best = list(mention.best)
    beside = {
        t.type
        for t in types
        if t.span.last == mention.span.first or t.span.first == mention.span.last
    }
    if len(best) > 1 and beside:
        best = [c for c in best if c.type in beside] or best
    if len(best) > 1 and focus:
        joined = [c for c in best if c.type != focus.type and paths.best(c.type, focus.type)]
        if len({c.type for c in best}) > 1 and len({c.type for c in joined}) == 1:
            best = joined
    if len(best) > 1:
        candidates = [CandidateEntity(id=c.id, type=c.type, name=c.name) for c in best]
        raise Refusal(
            Reason.AMBIGUOUS,
            f"{mention.text!r} may mean " + ", ".join(f"{c.name} ({c.id})" for c in best[:6]) + ".",
            candidates,
        )
    return Anchor(span=mention.span, type=best[0].type, ids=(best[0].id,), label=best[0].name)


def _described(
    question: Understood,
    schema: Schema,
    values: Sequence[ValueWord],
    types: Sequence[TypeWord],
    focus: TypeWord | None,
) -> tuple[list[Anchor], tuple[ValueWord, ...]]:
    """Turn values that stand for entities ("the freighter") into anchors; return the rest too.

    A value stands for entities when no type is named beside it, and the type that has it is
    not the one asked for.
    """
    anchors, rest = [], []
    for word in values:
        owners = [(o, p) for o, p in word.owners if o in schema.node_types]
        beside = [t for t in types if _is_near(t.span, word.span)]
        fitting = [(o, p) for o, p in owners if any(t.type == o for t in beside)]
        is_of_focus = focus is not None and any(o == focus.type for o, _ in word.owners)
        before = question.tokens[max(0, word.span.first - 1) : word.span.first]
        is_named = any(t.lower in {"the", "a", "an", "our"} for t in before)
        is_plural = question.tokens[word.span.last - 1].lower.endswith("s")
        is_one_type = len({o for o, _ in owners}) == 1
        chosen = (fitting or owners)[:1]
        if not chosen or not is_one_type or is_of_focus:
            rest.append(word)
            continue
        is_kind = _says_kind(schema, chosen[0]) and (is_named or is_plural)
        if not fitting and not is_kind:
            rest.append(word)
            continue
        owner, name = chosen[0]
        condition = Condition(property=name, test=Test.EQUALS, value=word.value)
        anchors.append(
            Anchor(span=word.span, type=owner, conditions=(condition,), label=word.value)
        )
    return anchors, tuple(rest)


def _says_kind(schema: Schema, owner: tuple[str, str]) -> bool:
    """Whether a value of the property can stand for the thing itself: a kind of it."""
    item = schema.node_types[owner[0]].properties[owner[1]]
    words = item.name.casefold().replace("_", " ").split()
    return item.kind is PropertyKind.CATEGORY and bool({"type", "kind", "category"} & set(words))


def _is_near(a: Span, b: Span) -> bool:
    return 0 <= a.first - b.last <= 1 or 0 <= b.first - a.last <= 1


def _unread(question: Understood, terms: Iterable[Term]) -> tuple[Span, ...]:
    told = {
        i
        for items in (terms, question.mentions, question.times, question.quantities)
        for item in items
        for i in item.span
    }
    told |= {i for cue in question.cues for i in cue.span}
    stop = general_words()
    return tuple(
        Span(first=i, last=i + 1)
        for i, token in enumerate(question.tokens)
        if i not in told and stop.is_content(token)
    )
