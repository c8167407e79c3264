"""Nouns that are values: "actors", "an editor"; each names the type whose entities have it."""

from collections.abc import Iterator, Sequence
from typing import Final

from tiers.graphrag.reading.listing import DOER_ENDINGS
from tiers.graphrag.reading.sketch import TypeWord, ValueWord, gap
from tiers.graphrag.reading.standing import before_states
from tiers.graphrag.reading.terms import WHOLE_VALUE
from trivium.domain.question import Span, Term, TermKind, Token, Understood
from trivium.domain.schema import PropertyKind, Schema
from trivium.language.descriptions import describes_person
from trivium.language.text import fold, is_participle, spoken, stems
from trivium.language.words import general_words

_COUNTING: Final = frozenset(
    {"a", "an", "one", "no", "any", "another", "each", "every", "which", "what", "single", "sole",
     "only", "second"}
)  # fmt: skip
_ANYTHING: Final = frozenset(
    {"something", "anything", "nothing", "everything", "somebody", "someone", "anybody", "anyone",
     "nobody"}
)  # fmt: skip
_LISTING: Final = frozenset({"or", "and", "nor"})
_LIKELY: Final = 0.8
_KINDS: Final = frozenset({"type", "kind", "category"})


def value_nouns(
    question: Understood, values: Sequence[ValueWord], types: Sequence[TypeWord], schema: Schema
) -> tuple[TypeWord, ...]:
    """Return the values that stand where a noun does, each as the one type that has it.

    A value that says the kind of a thing ("the freighter") is not among them: it is read as
    something described.
    """
    named = {i for m in question.mentions if m.candidates for i in m.span}
    found: list[TypeWord] = []
    for word in values:
        owners = [(o, p) for o, p in word.owners if o in schema.node_types]
        is_beside = any(gap(t.span, word.span) == 0 for t in types)
        is_free = not is_beside and not named & set(word.span)
        if len({o for o, _ in owners}) != 1 or word.score < WHOLE_VALUE or not is_free:
            continue
        is_plural = _is_plural(question, word)
        ends = [t.span.last for t in found]
        is_noun = is_plural or _is_counted(question, word.span)
        if not is_noun and is_object(question, schema, word, ends):
            is_noun = is_plural = True
        if not says_kind(schema, *owners[0]) and is_noun:
            found.append(
                TypeWord(
                    span=word.span, type=owners[0][0], is_singular=not is_plural, score=word.score
                )
            )
    return tuple(found)


def anything_so(
    question: Understood, values: Sequence[ValueWord], types: Sequence[TypeWord], schema: Schema
) -> Iterator[TypeWord]:
    """Give the type of "something flammable": the one type that has the value said after it.

    Of several, the one whose description says another word of the question: "what does the audit
    have something open against", where findings are of the audit.
    """
    taken = {i for t in types for i in t.span}
    named = {i for t in question.terms_of(TermKind.TYPE) for i in t.span}
    said = {question.tokens[i].stem for i in range(len(question.tokens)) if i not in named}
    said -= general_words().stop_stems
    for word in values:
        at = word.span.first - 1
        is_led = at >= 0 and question.tokens[at].lower in _ANYTHING
        owners = [o for o in dict.fromkeys(o for o, _ in word.owners) if o in schema.node_types]
        told = [o for o in owners if said & set(stems(schema.node_types[o].description))]
        meant = owners if len(owners) == 1 else told
        if is_led and len(meant) == 1 and not taken & {at, *word.span}:
            span = Span(first=at, last=at + 1)
            yield TypeWord(span=span, type=meant[0], is_singular=True, score=_LIKELY)


def is_object(question: Understood, schema: Schema, word: ValueWord, listed: Sequence[int]) -> bool:
    """Whether a value is what something is done to, or an amount: "serve stout", "how much stout".

    ``listed`` are the ends of the values before it that are.
    """
    first, owners = word.span.first, {o for o, _ in word.owners}
    before = question.tokens[first - 1].lower if first else ""
    of_what = [t.span.last for t in question.terms_of(TermKind.PROPERTY)]
    if before == "much" or (before == "of" and first - 1 in of_what):
        return True
    if before in _LISTING:
        return first - 1 in listed
    at = first - 1 if before in {"neither", "either", "no"} else first
    return any(
        t.span.last == at and any(owners & set(pair) for pair in schema.relation_types[t.name].ends)
        for t in question.terms_of(TermKind.RELATION)
        if t.score >= _LIKELY and not is_participle(question.tokens[t.span.first].lower)
    )


def doers(
    question: Understood, terms: Sequence[Term], types: Sequence[TypeWord], schema: Schema
) -> Iterator[TypeWord]:
    """Give the type of who does what a relation says: "has two suppliers", "no owner"."""
    taken = {i for t in terms if t.kind is not TermKind.RELATION for i in t.span}
    taken |= {i for m in question.mentions for i in m.span}
    best: dict[Span, list[Term]] = {}
    for term in sorted(terms, key=lambda t: -t.score):
        if term.kind is TermKind.RELATION and len(term.span) == 1 and term.score >= _LIKELY:
            found = best.setdefault(term.span, [])
            found += [term] if not found or term.score == found[0].score else []
    for span, same in best.items():
        token = question.tokens[span.first]
        is_noun = token.lower.endswith(("ers", "ors")) or _is_counted(question, span)
        sources = {end for t in same for end in _doing(schema, t.name)}
        is_free = not taken & set(span) and not any(gap(t.span, span) == 0 for t in types)
        is_verb = _is_own_verb(token, same) or _joins_alike(schema, same)
        is_doer = token.lower.endswith(DOER_ENDINGS) and is_noun and not is_verb
        is_alike = _joins_alike(schema, same)
        numbers = {q.span.last for q in question.quantities} if token.lower[-1] == "s" else set()
        is_told = is_noun or span.first in numbers
        is_doer |= is_told and not is_alike and _is_of_people(token, same, sources, schema)
        if is_doer and is_free and len(sources) == 1:
            is_singular = not token.lower.endswith("s")
            yield TypeWord(span=span, type=sources.pop(), is_singular=is_singular, score=_LIKELY)


def _is_own_verb(token: Token, terms: Sequence[Term]) -> bool:
    """Whether a word that ends as one for a doer is the verb itself: "orders"."""
    named = {part for t in terms for part in stems(spoken(t.name))}
    is_stripped = token.stem.endswith(DOER_ENDINGS)
    return is_stripped and (token.stem in named or token.stem in general_words().verbs)


def _is_of_people(token: Token, terms: Sequence[Term], doing: set[str], schema: Schema) -> bool:
    """Whether a verb is a noun for the people who do what it says: "just one host", "a guide"."""
    own = {form for t in terms for form in (spoken(t.name), spoken(t.name).removesuffix("s"))}
    told = [schema.node_types[d].description for d in doing if d in schema.node_types]
    return token.lower in own and len(doing) == 1 and all(map(describes_person, told))


def _joins_alike(schema: Schema, terms: Sequence[Term]) -> bool:
    """Whether one of some relations joins entities of a type to each other."""
    return any(s == t for term in terms for s, t in schema.relation_types[term.name].ends)


def _doing(schema: Schema, name: str) -> set[str]:
    """Return the types of those who do what a relation says; a name with "by" is turned."""
    is_turned = name.casefold().endswith("_by")
    return {t if is_turned else s for s, t in schema.relation_types[name].ends}


def _is_plural(question: Understood, word: ValueWord) -> bool:
    """Whether a value is said in the plural, and is not one itself: "thrillers"."""
    last = question.tokens[word.span.last - 1].lower
    value = fold(word.value).split()[-1:]
    return last.endswith("s") and value != [last] and not last.endswith("ss")


def _is_counted(question: Understood, span: Span) -> bool:
    """Whether a word follows one that goes with a noun, and no other noun follows it."""
    token = question.tokens[span.first]
    states = {i for c in question.cues_of("open", "closed") for i in c.span}
    after = question.tokens[span.last : span.last + 1]
    followed = bool(after) and general_words().is_content(after[0]) and not _is_verb(question, span)
    if set(span) <= states:  # "an open strike": a state of what follows
        values = question.terms_of(TermKind.VALUE)
        followed = followed or any(v.span.first == span.last for v in values)
    is_counted = bool({*before_states(question, span.first)} & _COUNTING)
    return is_counted and token.text[0].islower() and not followed


def _is_verb(question: Understood, span: Span) -> bool:
    """Whether what follows a word is a verb of the schema."""
    return any(t.span.first == span.last for t in question.terms_of(TermKind.RELATION))


def says_kind(schema: Schema, owner: str, name: str) -> bool:
    """Whether a value of a property can stand for the thing itself: a kind of it."""
    item = schema.node_types[owner].properties[name]
    words = set(item.name.casefold().replace("_", " ").split())
    return item.kind is PropertyKind.CATEGORY and bool(_KINDS & words)
