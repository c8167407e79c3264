"""Settles what a question names: which of several meanings holds, and what is not there."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from tiers.graphrag.operators.conditions import Condition, Test
from tiers.graphrag.reading.asking import asked
from tiers.graphrag.reading.glossary import Glossary
from tiers.graphrag.reading.paths import SchemaPaths
from tiers.graphrag.reading.sketch import (
    Anchor,
    PropertyWord,
    Refusal,
    Sketch,
    TypeWord,
    ValueWord,
    gap,
)
from tiers.graphrag.reading.unknown import refuse_unknown
from trivium.domain.evidence import CandidateEntity, Reason
from trivium.domain.question import Mention, Span, Term, TermKind, Understood
from trivium.domain.schema import PropertyKind, Schema
from trivium.language.words import general_words

_ENOUGH: Final = 0.6
_NEAR: Final = 3
_ASIDE: Final = frozenset({"yes_no", "document", "contents", "narrative", "procedure", "assistant",
                           "profile", "greeting", "thanks", "injection", "themes"})  # fmt: skip
"""Kinds of cue that say nothing of what is to be computed."""


def settle(
    question: Understood, schema: Schema, paths: SchemaPaths, glossary: Glossary
) -> Sketch:
    """Settle what a question names.

    Raises:
        Refusal: it names an entity that is not there, or one name fits several.
    """
    question = replace(question, cues=_plain_cues(question))
    breaks, stops = _marks(question)
    terms = _settled_terms(question)
    types = _types(question, terms, paths)
    values = _values(question, terms)
    asking = asked(question, types, breaks)
    focus = asking.wanted[0] if asking.wanted else None
    anchors = [_anchor(m, types, focus, paths) for m in question.mentions if m.candidates]
    described, values = _described(question, schema, values, types, focus)
    settled = Sketch(
        question=question,
        schema=schema,
        paths=paths,
        glossary=glossary,
        anchors=tuple(sorted([*anchors, *described], key=lambda a: a.span.first)),
        types=types,
        relations=tuple(t for t in terms if t.kind is TermKind.RELATION),
        properties=_properties(terms),
        values=values,
        wanted=asking.wanted,
        breaks=breaks,
        stops=stops,
        unread=_unread(question, terms),
        asked_in_vain=asking.in_vain,
    )
    refuse_unknown(settled)
    return settled


def _plain_cues(question: Understood) -> tuple:  # type: ignore[type-arg]  # cues
    """Leave out the cues that are part of a longer one, or of a name of the schema."""
    longer = [c.span for c in question.cues if c.kind not in _ASIDE]
    longer += [t.span for t in question.terms if t.kind is TermKind.TYPE and t.score >= 0.8]
    return tuple(
        c
        for c in question.cues
        if c.kind in _ASIDE
        or not any(
            len(o) > len(c.span) and o.first <= c.span.first and c.span.last <= o.last
            for o in longer
        )
    )


def _marks(question: Understood) -> tuple[frozenset[int], frozenset[int]]:
    """Return the words before which a mark stands, and those that begin a sentence."""
    breaks, stops = set(), {0}
    for index in range(1, len(question.tokens)):
        between = question.text[question.tokens[index - 1].end : question.tokens[index].start]
        is_short_form = question.tokens[index - 1].lower in general_words().titles | {"st"}
        if set(between) & set(",;:?!()—–") or ". " in between or " - " in between:
            if not (is_short_form and between.strip() == "."):
                breaks.add(index)
                if set(between) & set(";:?!.—–") or " - " in between:
                    stops.add(index)
    return frozenset(breaks), frozenset(stops)


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


def _types(
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
                is_singular=last.lower == last.stem or not last.lower.endswith("s"),
                score=chosen.score,
            )
        )
    return tuple(sorted(words, key=lambda w: w.span.first))


def _far(term: Term, others: Iterable[str], paths: SchemaPaths) -> float:
    found = (paths.best(term.name, other) for other in others if other != term.name)
    return min((path.cost for path in found if path), default=99.0)


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
        if cue.kind not in _ASIDE
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
    beside = {t.type for t in types if gap(t.span, mention.span) == 0}
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

    A value stands for entities where it says their kind, no other type is named beside it, and
    the type that has it is not the one asked for.
    """
    anchors, rest = [], []
    for word in values:
        owners = [(o, p) for o, p in word.owners if o in schema.node_types]
        is_of_focus = focus is not None and any(o == focus.type for o, _ in word.owners)
        before = question.tokens[max(0, word.span.first - 1) : word.span.first]
        is_named = any(t.lower in {"the", "a", "an", "our"} for t in before)
        is_plural = question.tokens[word.span.last - 1].lower.endswith("s")
        beside = [t for t in types if gap(t.span, word.span) <= 1]
        is_one_type = len({o for o, _ in owners}) == 1
        is_kind = is_one_type and _says_kind(schema, owners[0]) and (is_named or is_plural)
        if not is_kind or is_of_focus or beside:
            rest.append(word)
            continue
        owner, name = owners[0]
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
