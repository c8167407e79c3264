"""Which entities a question names: by name, or by what they are; never by a guess."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from tiers.cag.attributes import weight
from tiers.cag.findings import Entity, Refused, ambiguous, unknown
from tiers.cag.matching import match
from tiers.cag.sheets import Sheets
from tiers.cag.wording import SURE, Wording
from trivium.domain.question import Candidate, Mention, Span, Term, TermKind
from trivium.domain.schema import Property
from trivium.language.names import NameIndex
from trivium.language.text import fold, stems
from trivium.language.words import general_words

_ARTICLES: Final = frozenset({"the", "our", "this", "that", "a", "an"})


async def named_entities(wording: Wording, sheets: Sheets) -> tuple[Entity, ...] | Refused:
    """Return the entities that are mentioned, each once, in order."""
    found: dict[str, Entity] = {}
    await sheets.foresee(wording.mentions)
    sure = [m for m in wording.mentions if m.candidates and m.candidates[0].score >= 1]
    owned = [
        a
        for t in {m.candidates[0].type for m in sure}
        for a in (await sheets.attributes(t)).values()
    ]
    for mention in wording.mentions:
        if mention not in sure and _asks(wording, mention, owned):
            continue
        entity = await _entity(wording, sheets, mention)
        if isinstance(entity, Refused):
            if mention not in sure and _is_aside(wording, mention, sure):
                continue
            return entity
        found.setdefault(entity.id, entity)
    return tuple(found.values())


def _is_aside(wording: Wording, mention: Mention, sure: Sequence[Mention]) -> bool:
    """Whether a part of a name stands in another sentence than all whole names."""
    places = {wording.sentence_at(m.span.first) for m in sure}
    return bool(places) and wording.sentence_at(mention.span.first) not in places


def _asks(wording: Wording, mention: Mention, owned: Sequence[Property]) -> bool:
    """Whether a part of a name is rather a word for what is asked of another entity."""
    words = [wording.tokens[i] for i in mention.span]
    return any(all(weight(a, word) for word in words) for a in owned)


async def _entity(wording: Wording, sheets: Sheets, mention: Mention) -> Entity | Refused:
    seen = tuple([c for c in mention.candidates if await sheets.may_see(c.id)])
    if not seen or (len(mention.text) == 1 and seen[0].score < 1):
        return unknown(mention.text)
    mention = replace(mention, candidates=seen)
    owned = {c.type: await sheets.attributes(c.type) for c in mention.best}
    longer = _longer_name(wording, mention, owned)
    if longer:
        return unknown(longer)
    best = _beside(wording, mention)
    if len(best) > 1:
        asked = {t: match(wording, t, attributes) for t, attributes in owned.items()}
        named = {t for t, found in asked.items() if any(m.is_named for m in found)}
        hinted = {t for t, found in asked.items() if found}
        best = [c for c in best if c.type in (named or hinted)] or best
    if len(best) > 1:
        return ambiguous(mention.text, best)
    return Entity(id=best[0].id, type=best[0].type, name=best[0].name, span=mention.span)


def _beside(wording: Wording, mention: Mention) -> list[Candidate]:
    """Keep the candidates of the type named beside: "customer Jordan", "Jordan the customer".

    A type in the singular just after a name calls for one of its kind, though a name that fits
    better be of another.
    """
    beside, following = set(), set()
    for term in wording.question.terms_of(TermKind.TYPE):
        between = range(mention.span.last, term.span.first) or range(
            term.span.last, mention.span.first
        )
        is_near = len(between) <= 1 and not term.span.overlaps(mention.span)
        if is_near and all(not general_words().is_content(wording.tokens[i]) for i in between):
            beside.add(term.name)
        is_one = not wording.tokens[term.span.last - 1].lower.endswith("s")
        if term.span.first == mention.span.last and is_one and term.score >= SURE:
            following.add(term.name)
    kept = [c for c in mention.best if c.type in beside]
    return kept or [c for c in mention.candidates if c.type in following] or list(mention.best)


def _longer_name(
    wording: Wording, mention: Mention, owned: Mapping[str, Mapping[str, Property]]
) -> str | None:
    """Return the longer name of which a mention is only a part, when nothing has that name."""
    if mention.candidates[0].score >= 1:
        return None
    first, last = mention.span.first, mention.span.last
    while first > 0 and _goes_on(wording, mention, first - 1, first - 1, owned):
        first -= 1
    while last < len(wording.tokens) and _goes_on(wording, mention, last - 1, last, owned):
        last += 1
    if (first, last) == (mention.span.first, mention.span.last):
        return None
    return wording.question.words(Span(first=first, last=last))


def _goes_on(
    wording: Wording,
    mention: Mention,
    joint: int,
    index: int,
    owned: Mapping[str, Mapping[str, Property]],
) -> bool:
    """Whether the word at ``index`` belongs to the name rather than to the question."""
    token = wording.tokens[index]
    is_name = token.text[0].isupper() or (mention.is_ambiguous and mention.text.islower())
    if not (is_name and index > 0 and wording.is_joined(joint) and wording.is_content(index)):
        return False
    is_said = index in wording.structural or any(
        index in t.span for t in wording.question.terms if t.score >= SURE
    )
    return not is_said and not any(
        weight(a, token) for kept in owned.values() for a in kept.values()
    )


async def described_entities(
    wording: Wording, sheets: Sheets, names: NameIndex
) -> tuple[Entity, ...] | Refused:
    """Return the one entity that is named by what it is, such as "the freighter"."""
    values = wording.question.terms_of(TermKind.VALUE)
    terms = [t for t in values if t.value is not None and _stands_for(wording, t)]
    types = {t.name for t in wording.types() if t.score >= SURE}
    owners = list(dict.fromkeys(t.owner for t in terms if t.owner in sheets.schema.node_types))
    found: dict[str, Entity] = {}
    for owner in [o for o in owners if o in types] or owners:
        said = [t for t in terms if t.owner == owner]
        for key in await _holders(sheets, str(owner), said):
            found[key] = Entity(id=key, type=str(owner), name=names.name(key), span=said[0].span)
    entities = tuple(found.values())
    if len(entities) > 1:
        return ambiguous(wording.question.words(entities[0].span), entities)
    return entities


def _stands_for(wording: Wording, term: Term) -> bool:
    """Whether a value stands for the one that has it: after an article, or beside its type."""
    beside = [
        t
        for t in wording.types()
        if t.name == term.owner and term.span.first in (t.span.last, t.span.first - len(term.span))
    ]
    is_whole = len(term.span) == len(stems(str(term.value)))
    if is_whole and not wording.is_verbatim(term):
        return False
    if beside:
        return not wording.tokens[beside[0].span.last - 1].lower.endswith("s")
    before = wording.tokens[max(0, term.span.first - 1) : term.span.first]
    word = wording.tokens[term.span.last - 1].lower
    is_one = not word.endswith("s") or fold(str(term.value)).endswith(word)
    return is_one and any(t.lower in _ARTICLES for t in before)


async def _holders(sheets: Sheets, node_type: str, terms: Sequence[Term]) -> list[str]:
    """Return the entities of a type that have all the values said."""
    wanted = {(t.name, fold(str(t.value))) for t in terms}
    known = await sheets.scan(node_type) or {}
    return [
        entity
        for entity, facts in known.items()
        if wanted <= {(f.attribute, fold(str(f.value))) for f in facts}
    ]
