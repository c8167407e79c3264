"""The noun phrase after a question word: the type that heads it, or nouns that name none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.reading.clauses import DETERMINERS
from tiers.graphrag.reading.listing import AUXILIARIES, BE, RELATING
from tiers.graphrag.reading.sketch import TypeWord
from trivium.domain.question import TermKind, Understood
from trivium.language.text import is_participle
from trivium.language.words import general_words

_OPENING: Final = frozenset({"the", "a", "an", "our", "its", "their", "this", "that"})
"""Words that open another noun phrase."""
_MAX_PHRASE: Final = 7
_HINTED: Final = 0.6
"""For a noun that only the description of a relation holds; it names nothing."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """What follows a question word."""

    head: TypeWord | None
    is_pronoun: bool
    nouns: tuple[int, ...]
    """Where its nouns stand, when the schema has nothing of their name."""


def headed(
    phrase: Phrase, start: int, types: Sequence[TypeWord], heads: Sequence[TypeWord]
) -> Phrase:
    """Return a phrase headed by the value that it begins with: "which bus drivers"."""
    value = next((h for h in heads if h.span.first == start), None)
    if value is None or any(t.span.first == value.span.last for t in types):
        return phrase
    return Phrase(value, is_pronoun=False, nouns=())


def person_asked(question: Understood, index: int, types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type in "who are our suppliers", but not in "who is supplying the parts"."""
    words = [t.lower for t in question.tokens]
    at = index + 1
    if at >= len(words) or words[at] not in BE:
        return None
    verbs = _verbs(question, types)
    graded = _graded(question)
    while at + 1 < len(words) and (words[at + 1] in DETERMINERS or at + 1 in graded):
        at += 1
    for word in types:
        between = words[at + 1 : word.span.first]
        is_near = 0 <= word.span.first - at - 1 <= 2
        is_done = bool(verbs & set(range(at + 1, word.span.first)))
        if is_near and not is_done and not set(between) & (RELATING | BE | AUXILIARIES | {"and"}):
            return word
    return None


def _graded(question: Understood) -> set[int]:
    """Return the words that only say which of a kind: "the three best paid defenders"."""
    found = {i for q in question.quantities for i in q.span}
    for cue in question.cues_of("most", "least"):
        found |= set(cue.span)
        after = [t.lower for t in question.tokens[cue.span.last : cue.span.last + 1]]
        found |= {cue.span.last} if after and is_participle(after[0]) else set()
    return found


def phrase_at(
    question: Understood,
    types: Sequence[TypeWord],
    breaks: frozenset[int],
    start: int,
    asking: str,
) -> Phrase:
    """Read the noun phrase at ``start``, up to its verb."""
    starts = {t.span.first: t for t in types}
    verbs = _verbs(question, types)
    named = {i for m in question.mentions if m.candidates for i in m.span}
    named |= {i for t in question.times for i in t.span}
    nouns: list[int] = []
    is_verb_first = False
    index = start
    while index < min(len(question.tokens), start + _MAX_PHRASE):
        word = question.tokens[index].lower
        if index in starts:
            return Phrase(compound(question, starts, index), is_pronoun=False, nouns=())
        is_copula = index == start and word in BE and asking == "what"
        is_noun = index + 1 in starts and asking in {"which", "how"}
        measures = question.tokens[index + 1 : index + 2]
        is_compared = bool(measures) and measures[0].lower in {"more", "less", "most", "least"}
        is_verb = (index in verbs and not is_noun) or (is_compared and asking == "which")
        ends = word in AUXILIARIES or (word in BE and not is_copula) or is_verb
        is_cut = (index in breaks and index > start) or (nouns and word in _OPENING)
        if ends or is_cut or word in {"and", "in", "for", "by", "on", "else", "between"}:
            is_verb_first = word in RELATING | {"between"} and len(nouns) == 1 and asking == "what"
            break
        if general_words().is_content(question.tokens[index]) and index not in named:
            nouns.append(index)
        index += 1
    if is_verb_first:
        return Phrase(None, is_pronoun=True, nouns=())
    return Phrase(None, is_pronoun=index == start, nouns=_in_vain(question, nouns, start, asking))


def _in_vain(
    question: Understood, nouns: Sequence[int], start: int, asking: str
) -> tuple[int, ...]:
    """Return the nouns of a phrase without a type, where the schema has nothing of their name."""
    is_amount = question.tokens[start - 1].lower == "much"
    told = _told(question, least=_HINTED if asking == "how" else 0.0)
    verbs_too = {i for t in question.terms if t.kind is TermKind.RELATION for i in t.span}
    if asking == "how" and nouns and nouns[0] not in told and set(nouns[1:]) <= verbs_too:
        nouns = nouns[:1]  # "how many deckhands sail": a noun and its verb
    unknown = tuple(i for i in nouns if i not in told)
    is_whole = unknown == tuple(nouns)
    is_vain = (
        bool(nouns)
        and nouns[0] == start
        and (is_whole or (asking == "which" and nouns[-1] in unknown))
    )
    head = next((i for i in nouns if question.tokens[i].lower.endswith("s")), None)
    heads = nouns if head is None else (head,)  # "record labels" are labels
    is_general = any(question.tokens[i].stem in general_words().generic for i in heads)
    return tuple(nouns) if is_vain and not (is_general or is_amount) else ()


def compound(question: Understood, starts: dict[int, TypeWord], index: int) -> TypeWord:
    """Return the last of types that follow one another: "drug suppliers" asks for suppliers.

    A possessor asks for itself: "which authors' books".
    """
    word = starts[index]
    while word.span.last in starts:
        end = question.tokens[word.span.last - 1].end
        if set(question.text[end : end + 2]) & {"'", "\u2019"}:
            break
        word = starts[word.span.last]
    return word


def _verbs(question: Understood, types: Sequence[TypeWord]) -> set[int]:
    inside = {i for t in types for i in t.span}
    return {
        i
        for t in question.terms
        if t.kind is TermKind.RELATION and t.score >= 0.8
        for i in t.span
        if i not in inside and (i == 0 or question.tokens[i - 1].lower != "longest")
    }


def _told(question: Understood, *, least: float) -> set[int]:
    """Return the words that say something; a relation's, where they fit better than ``least``."""
    verbs = question.terms_of(TermKind.RELATION)
    spans = [t.span for t in question.terms if t not in verbs or t.score > least]
    spans += [t.span for t in question.times]
    spans += [m.span for m in question.mentions] + [q.span for q in question.quantities]
    spans += [c.span for c in question.cues]
    return {i for span in spans for i in span}
