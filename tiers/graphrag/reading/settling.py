"""Settles what a question names: which of several meanings holds, and what is not there."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tiers.graphrag.reading.asking import asked
from tiers.graphrag.reading.cueing import ASIDE, plain_cues
from tiers.graphrag.reading.describing import described
from tiers.graphrag.reading.detours import without_asides, without_detours
from tiers.graphrag.reading.glossary import Glossary
from tiers.graphrag.reading.lines import line_nouns, with_lines
from tiers.graphrag.reading.misread import is_small_word
from tiers.graphrag.reading.naming import named_types, somebody
from tiers.graphrag.reading.nouns import anything_so, doers, says_kind, value_nouns
from tiers.graphrag.reading.paths import SchemaPaths
from tiers.graphrag.reading.people import with_people
from tiers.graphrag.reading.rates import without_named_times
from tiers.graphrag.reading.roles import roles
from tiers.graphrag.reading.sketch import (
    Anchor,
    PropertyWord,
    Refusal,
    Sketch,
    TypeWord,
    ValueWord,
    gap,
)
from tiers.graphrag.reading.standins import stand_ins
from tiers.graphrag.reading.terms import WHOLE_VALUE, marks, settled_terms
from tiers.graphrag.reading.undone import with_losses
from trivium.domain.evidence import CandidateEntity, Reason
from trivium.domain.question import Candidate, Mention, Span, Term, TermKind, Understood
from trivium.domain.schema import Schema
from trivium.language.text import stem, stems
from trivium.language.words import general_words


def settle(question: Understood, schema: Schema, paths: SchemaPaths, glossary: Glossary) -> Sketch:
    """Settle what a question names.

    Raises:
        Refusal: one name fits several entities.
    """
    breaks, stops = marks(question)
    question = without_asides(_named_for_sure(question, schema, glossary), breaks)
    question = with_lines(without_detours(question, breaks), schema)
    question = without_named_times(replace(question, cues=plain_cues(question, breaks)))
    question = with_losses(question, breaks, stops)
    terms = with_people(question, settled_terms(question, schema, breaks), glossary.workforce)
    types = named_types(question, terms, paths)
    values = _values(question, terms)
    heads = _value_heads(values, types, schema)
    nouns = [
        *value_nouns(question, values, types, schema),
        *somebody(question, terms, types, schema),
        *doers(question, terms, types, schema),
        *anything_so(question, values, types, schema),
        *line_nouns(question, schema),
    ]
    nouns += roles(question, terms, [*types, *nouns], schema)
    nouns += stand_ins(question, terms, [*types, *nouns], schema, paths)
    types = tuple(sorted((*types, *nouns), key=lambda t: t.span.first))
    asking = asked(question, types, breaks, heads)
    focus = asking.wanted[0] if asking.wanted else None
    values = _said_of_head(values, focus) if focus in heads else values
    joined = _joined_types(terms, schema)
    anchors = [
        _anchor(question, m, types, focus, paths, joined) for m in question.mentions if m.candidates
    ]
    told, values = described(question, schema, values, types, focus)
    return Sketch(
        question=question,
        schema=schema,
        paths=paths,
        glossary=glossary,
        anchors=tuple(sorted([*anchors, *told], key=lambda a: a.span.first)),
        types=types,
        relations=tuple(t for t in terms if t.kind is TermKind.RELATION),
        properties=_properties(terms),
        values=values,
        wanted=asking.wanted,
        breaks=breaks,
        stops=stops,
        unread=_unread(question, terms),
        asked_in_vain="" if _is_amount(asking.in_vain, glossary) else asking.in_vain,
    )


def _named_for_sure(question: Understood, schema: Schema, glossary: Glossary) -> Understood:
    """Leave out the mentions that only share a word with a name."""
    mentions = tuple(
        m
        for m in question.mentions
        if not (
            _is_common(question, m, schema)
            or _is_of_figure(question, m, glossary)
            or is_small_word(question, m)
        )
    )
    return replace(question, mentions=mentions)


def _is_common(question: Understood, mention: Mention, schema: Schema) -> bool:
    """Whether a part of a name only goes with the type after it: "a rental house"."""
    token = question.tokens[mention.span.first]
    is_whole = bool(mention.candidates) and mention.candidates[0].score >= 1
    if len(mention.span) > 1 or is_whole or not token.text[0].islower():
        return False
    after = [t for t in question.terms_of(TermKind.TYPE) if t.span.first == mention.span.last]
    return any(token.stem in stems(schema.node_types[t.name].description) for t in after)


def _is_of_figure(question: Understood, mention: Mention, glossary: Glossary) -> bool:
    """Whether a word that is in several names only describes a figure: "amount in dispute"."""
    token = question.tokens[mention.span.first]
    is_part = len(mention.span) == 1 and len(mention.best) > 1 and mention.candidates[0].score < 1
    is_described = token.text[0].islower() and token.stem in glossary.measured
    types = {t.span.first for t in question.terms_of(TermKind.TYPE)}
    return is_part and is_described and mention.span.last not in types


def _is_amount(noun: str, glossary: Glossary) -> bool:
    """Whether the noun that is asked for is one that the schema measures something in."""
    words = stems(noun)
    first = words[:1] if len(words) > 2 else ()  # "units come off": a noun, and its verb
    units = {stem(unit) for unit in general_words().units} if len(words) == 1 else set()
    return bool({*first, *words[-1:]} & (glossary.measured | units))


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
        if not _is_cue_word(question, span, scores[span, value])
    )


def _is_said_of_name(question: Understood, span: Span) -> bool:
    """Whether a word is what happened to something named: "Pier 3 is closed. ..."."""
    before = [t.lower for t in question.tokens[max(0, span.first - 1) : span.first]]
    named = {m.span.last for m in question.mentions if m.candidates}
    return bool(set(before) & {"is", "was", "gets", "got"}) and span.first - 1 in named


def _value_heads(
    values: Sequence[ValueWord], types: Sequence[TypeWord], schema: Schema
) -> tuple[TypeWord, ...]:
    """Return the values that may stand for the type that has them: "which bus drivers"."""
    heads = []
    for word in values:
        told = [
            (o, p) for o, p in word.owners if o in schema.node_types and says_kind(schema, o, p)
        ]
        told = told if len({o for o, _ in told}) == 1 else list(word.owners)
        owners = {o for o, _ in told}
        is_beside = any(gap(t.span, word.span) == 0 for t in types)
        if len(owners) == 1 and not is_beside:
            (owner,) = owners
            is_kind = owner in schema.node_types and says_kind(schema, *told[0])
            if owner in schema.node_types and (is_kind or word.score >= WHOLE_VALUE):
                heads.append(
                    TypeWord(span=word.span, type=owner, is_singular=True, score=word.score)
                )
    return tuple(heads)


def _said_of_head(values: Sequence[ValueWord], head: TypeWord | None) -> tuple[ValueWord, ...]:
    """Leave out what a value that stands for a type may be of another one: "which violins"."""
    return tuple(
        v for v in values
        if head is None or v.span != head.span or head.type in {o for o, _ in v.owners}
    )  # fmt: skip


def _is_cue_word(question: Understood, span: Span, score: float) -> bool:
    """Whether a value's word, or a part of a value, is one that says what to do."""
    is_supposed = question.has("hypothetical")
    return any(
        (
            len(cue.span) > len(span)
            or score < 1
            or (cue.kind == "removal" and (is_supposed or _is_said_of_name(question, span)))
        )
        and cue.span.overlaps(span)
        for cue in question.cues
        if cue.kind not in ASIDE
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


def _joined_types(terms: Iterable[Term], schema: Schema) -> frozenset[str]:
    """Return the types that the relations named for sure join."""
    sure = [t.name for t in terms if t.kind is TermKind.RELATION and t.score >= WHOLE_VALUE]
    ends = [pair for name in sure for pair in schema.relation_types[name].ends]
    return frozenset(end for pair in ends for end in pair)


def _other_name(question: Understood, mention: Mention) -> str:
    """Return a name that begins as several do, and goes on as none: "St Columba"."""
    after = question.tokens[mention.span.last : mention.span.last + 1]
    if not after or mention.candidates[0].score >= 1 or not after[0].text[0].isupper():
        return ""
    taken = {i for items in (question.terms, question.times, question.mentions)
             for item in items for i in item.span}  # fmt: skip
    joint = question.text[question.tokens[mention.span.last - 1].end : after[0].start]
    if mention.span.last in taken or joint.strip(" .") or not general_words().is_content(after[0]):
        return ""
    return question.words(Span(first=mention.span.first, last=mention.span.last + 1))


def _anchor(
    question: Understood,
    mention: Mention,
    types: Sequence[TypeWord],
    focus: TypeWord | None,
    paths: SchemaPaths,
    joined: frozenset[str],
) -> Anchor:
    """Settle which entity a mention means, by the type beside it and by what can be asked of it.

    Raises:
        Refusal: several entities fit equally well.
    """
    best = list(mention.best)
    beside = {t.type for t in types if gap(t.span, mention.span) == 0}
    if len(best) > 1 and beside:
        best = [c for c in best if c.type in beside] or best
    best = _near_focus(best, focus, paths)
    if len({c.type for c in best}) > 1:
        best = _near_focus([c for c in best if c.type in joined] or best, focus, paths)
    if len(best) > 1 and (other := _other_name(question, mention)):
        raise Refusal(Reason.UNKNOWN_ENTITY, f"Nothing is called {other!r}.")
    if len(best) > 1:
        candidates = [CandidateEntity(id=c.id, type=c.type, name=c.name) for c in best]
        raise Refusal(
            Reason.AMBIGUOUS,
            f"{mention.text!r} may mean " + ", ".join(f"{c.name} ({c.id})" for c in best[:6]) + ".",
            candidates,
        )
    return Anchor(span=mention.span, type=best[0].type, ids=(best[0].id,), label=best[0].name)


def _near_focus(
    best: list[Candidate], focus: TypeWord | None, paths: SchemaPaths
) -> list[Candidate]:
    """Return the candidates of the one type, beside the one asked for, that leads to it."""
    if focus is None or len({c.type for c in best}) < 2:
        return best
    near = [c for c in best if c.type != focus.type and paths.best(c.type, focus.type)]
    return near if len({c.type for c in near}) == 1 else best


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
        if i not in told and stop.is_content(token) and token.stem not in stop.generic
    )
