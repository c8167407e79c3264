"""Which types a question asks for: after a question word, after "is there", or named first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.reading.clauses import (
    DETERMINERS,
    NOUN_ASKING,
    PERSON_ASKING,
    is_said_alone,
    meant_type,
    relatives,
    touched_type,
)
from tiers.graphrag.reading.listing import AUXILIARIES, BE, RELATING, listed, side_by_side
from tiers.graphrag.reading.sketch import TypeWord
from trivium.domain.question import Span, TermKind, Understood
from trivium.language.words import general_words

_EXISTENTIAL: Final = frozenset({"any", "another", "some", "there", "a", "an", "no", "other"})
_OPENING: Final = frozenset({"the", "a", "an", "our", "its", "their", "this", "that"})
"""Words that open another noun phrase."""
_IT: Final = frozenset({"is", "are", "it", "they", "that", "those", "one", "ones"})
_FEW: Final = 4
"""Words of a sentence that only asks which one."""
_MAX_PHRASE: Final = 7
_HINTED: Final = 0.6
"""For a noun that only the description of a relation holds; it names nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The types asked for, and the noun that is none."""

    wanted: tuple[TypeWord, ...] = ()
    in_vain: str = ""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """What follows a question word."""

    head: TypeWord | None
    is_pronoun: bool
    nouns: tuple[int, ...]


def asked(
    question: Understood,
    types: Sequence[TypeWord],
    breaks: frozenset[int],
    heads: Sequence[TypeWord] = (),
) -> Asked:
    """Return the types that a question asks for; none, where a relation tells them.

    ``heads`` are values that may stand for the type that has them.
    """
    words = [t.lower for t in question.tokens]
    meant = meant_type(words, types)
    if meant:
        return Asked(wanted=side_by_side(words, types, meant))
    relative = relatives(types, words, breaks)
    stands_alone = False
    for index, word in enumerate(words):
        start = _phrase_start(words, index)
        if start is None or index in relative or _asks_again(words, index, breaks):
            continue
        if word in PERSON_ASKING:
            phrase = _Phrase(_person(question, index, types), is_pronoun=True, nouns=())
        else:
            phrase = _headed(_phrase(question, types, breaks, start, word), start, types, heads)
        if word == "what" and phrase.head is None and not phrase.nouns:
            touched = touched_type(words, start, types)
            if touched:
                return Asked(wanted=side_by_side(words, types, touched))
        if phrase.head or phrase.nouns:
            return _of_phrase(question, types, phrase)
        is_last = start >= len(words) or (start in breaks and word not in PERSON_ASKING)
        is_which = phrase.is_pronoun and word == "which"
        is_which = is_which or (word == "which" and words[start : start + 1] in (["ones"], ["one"]))
        stands_alone = stands_alone or not (is_last or is_which)
    return _elsewhere(question, types, breaks, stands_alone=stands_alone)


def _asks_again(words: Sequence[str], index: int, breaks: frozenset[int]) -> bool:
    """Whether a last sentence only asks which one: "Is there a spare one? Which is it?"."""
    return index in breaks and 1 < len(words) - index <= _FEW and set(words[index + 1 :]) <= _IT


def _headed(
    phrase: _Phrase, start: int, types: Sequence[TypeWord], heads: Sequence[TypeWord]
) -> _Phrase:
    """Return a phrase headed by the value that it begins with: "which bus drivers"."""
    value = next((h for h in heads if h.span.first == start), None)
    if value is None or any(t.span.first == value.span.last for t in types):
        return phrase
    return _Phrase(value, is_pronoun=False, nouns=())


def _of_phrase(question: Understood, types: Sequence[TypeWord], phrase: _Phrase) -> Asked:
    words = [t.lower for t in question.tokens]
    if phrase.head:
        return Asked(wanted=side_by_side(words, types, phrase.head))
    first, last = phrase.nouns[0], phrase.nouns[-1] + 1
    return Asked(in_vain=question.words(Span(first=first, last=last)))


def _elsewhere(
    question: Understood,
    types: Sequence[TypeWord],
    breaks: frozenset[int],
    *,
    stands_alone: bool,
) -> Asked:
    """Return what is asked for where no question word has a noun.

    ``stands_alone`` tells that one has none: "who heads them".
    """
    words = [t.lower for t in question.tokens]
    existing = _existing(words, types, breaks)
    if existing and not stands_alone:
        return Asked(wanted=side_by_side(words, types, existing))
    if stands_alone and not question.has("compare"):
        return _first(question, words, _in_later_sentence(question, words, types), breaks)
    return _first(question, words, types, breaks)


def _in_later_sentence(
    question: Understood, words: Sequence[str], types: Sequence[TypeWord]
) -> list[TypeWord]:
    """Return the types of a sentence after the question that has none of its own."""
    alone = [t for t in types if is_said_alone(question, words, t)]
    if alone:
        return alone
    asks = next((i for i, w in enumerate(words) if _phrase_start(words, i) is not None), 0)
    end = next(
        (i for i in range(asks + 1, len(words))
         if set("?:.") & set(question.text[question.tokens[i - 1].end : question.tokens[i].start])),
        len(words),
    )  # fmt: skip
    return [] if any(t.span.first < end for t in types) else list(types)


def _phrase_start(words: Sequence[str], index: int) -> int | None:
    """Return where the noun phrase of a question word begins; ``None``: no question word."""
    if words[index] in NOUN_ASKING or words[index] in PERSON_ASKING:
        return index + 1
    by_how = index > 0 and words[index - 1] == "by"
    is_each = words[index + 2 : index + 3] in (["each"], ["apiece"], ["respectively"])
    is_many = (
        not by_how
        and not is_each
        and words[index] == "how"
        and words[index + 1 : index + 2] in (["many"], ["much"])
    )
    return index + 2 if is_many else None


def _person(question: Understood, index: int, types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type in "who are our suppliers", but not in "who is supplying the parts"."""
    words = [t.lower for t in question.tokens]
    verbs = _verbs(question, types)
    at = index + 1
    if at >= len(words) or words[at] not in BE:
        return None
    while at + 1 < len(words) and words[at + 1] in DETERMINERS:
        at += 1
    for word in types:
        between = words[at + 1 : word.span.first]
        is_near = 0 <= word.span.first - at - 1 <= 2
        is_done = bool(verbs & set(range(at + 1, word.span.first)))
        if is_near and not is_done and not set(between) & (RELATING | BE | AUXILIARIES | {"and"}):
            return word
    return None


def _phrase(
    question: Understood,
    types: Sequence[TypeWord],
    breaks: frozenset[int],
    start: int,
    asking: str,
) -> _Phrase:
    """Read the noun phrase at ``start``, up to its verb."""
    starts = {t.span.first: t for t in types}
    verbs = _verbs(question, types)
    named = {i for m in question.mentions if m.candidates for i in m.span}
    nouns: list[int] = []
    is_verb_first = False
    index = start
    while index < min(len(question.tokens), start + _MAX_PHRASE):
        word = question.tokens[index].lower
        if index in starts:
            return _Phrase(_compound(question, starts, index), is_pronoun=False, nouns=())
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
        return _Phrase(None, is_pronoun=True, nouns=())
    is_pronoun = index == start
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
    is_general = any(question.tokens[i].stem in general_words().generic for i in nouns)
    is_refused = is_vain and not (is_general or is_amount)
    return _Phrase(None, is_pronoun, tuple(nouns) if is_refused else ())


def _compound(question: Understood, starts: dict[int, TypeWord], index: int) -> TypeWord:
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


def _existing(
    words: Sequence[str], types: Sequence[TypeWord], breaks: frozenset[int]
) -> TypeWord | None:
    """Return the type in "is there a ...", "would any ..."; a clause opens with its verb."""
    for word in types:
        start = max(0, word.span.first - 4)
        before = words[start : word.span.first]
        for at, said in enumerate(before):
            if said in {"have", "has", "had"} and _is_relative_verb(words, start + at, breaks):
                continue
            if said in BE or said in AUXILIARIES:
                rest = before[at + 1 :]
                if rest and rest[0] in (
                    _EXISTENTIAL | {"we", "you"} if rest[0] != "a" else {"there"}
                ):
                    return word
    return None


def _is_relative_verb(words: Sequence[str], at: int, breaks: frozenset[int]) -> bool:
    """Whether "have" is said of the noun before it: "services that have no runbook"."""
    return at > 0 and at not in breaks and words[at - 1] in {"that", "which", "who", "they"}


def _first(
    question: Understood,
    words: Sequence[str],
    types: Sequence[TypeWord],
    breaks: frozenset[int],
) -> Asked:
    """Return the first type that is neither excepted nor said of a name beside it."""
    excepted = {
        i for cue in question.cues_of("exception") for i in range(cue.span.first, cue.span.last + 3)
    }
    free = [t for t in types if t.span.first not in excepted]
    if not free:
        return Asked()
    starts = {t.span.first: t for t in types}
    first = _compound(question, starts, free[0].span.first)
    return Asked(wanted=listed(words, types, first, breaks))
