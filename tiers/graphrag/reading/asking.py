"""Which types a question asks for: after a question word, after "is there", or in the first place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.reading.sketch import TypeWord
from trivium.domain.question import Span, TermKind, Understood
from trivium.language.words import general_words

BE: Final = frozenset({"is", "are", "was", "were", "be", "been", "being"})
AUXILIARIES: Final = frozenset(
    {"has", "have", "had", "do", "does", "did", "can", "could", "will", "would", "must", "should",
     "may", "might"}
)  # fmt: skip
_NOUN_ASKING: Final = frozenset({"which", "what", "whose"})
_PERSON_ASKING: Final = frozenset({"who", "whom"})
_DETERMINERS: Final = frozenset({"the", "our", "a", "an", "of", "all", "other", "any", "these"})
_EXISTENTIAL: Final = frozenset({"any", "another", "some", "there", "a", "an", "no", "other"})
_MAX_PHRASE: Final = 7


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


def asked(question: Understood, types: Sequence[TypeWord], breaks: frozenset[int]) -> Asked:
    """Return the types that a question asks for; none, where a relation tells them."""
    words = [t.lower for t in question.tokens]
    stands_alone = False
    for index, word in enumerate(words):
        start = _phrase_start(words, index)
        if start is None or _is_relative(types, index, word, breaks):
            continue
        if word in _PERSON_ASKING:
            found = _person(words, index, types)
            if found:
                return Asked(wanted=_side_by_side(words, types, found))
            stands_alone = stands_alone or index + 1 < len(words)
            continue
        phrase = _phrase(question, types, breaks, start, word)
        if phrase.head:
            return Asked(wanted=_side_by_side(words, types, phrase.head))
        if phrase.nouns:
            named = question.words(Span(first=phrase.nouns[0], last=phrase.nouns[-1] + 1))
            return Asked(in_vain=named)
        is_last = start >= len(words) or start in breaks
        stands_alone = stands_alone or not (is_last or (phrase.is_pronoun and word == "which"))
    existing = _existing(words, types)
    if existing and not stands_alone:
        return Asked(wanted=_side_by_side(words, types, existing))
    if stands_alone and not question.has("compare"):
        return Asked()
    return _first(question, words, types)


def _phrase_start(words: Sequence[str], index: int) -> int | None:
    """Return where the noun phrase of a question word begins; ``None``: no question word."""
    if words[index] in _NOUN_ASKING or words[index] in _PERSON_ASKING:
        return index + 1
    is_many = words[index] == "how" and words[index + 1 : index + 2] in (["many"], ["much"])
    return index + 2 if is_many else None


def _is_relative(
    types: Sequence[TypeWord], index: int, word: str, breaks: frozenset[int]
) -> bool:
    """Whether "who", "which" or "whose" refers to the noun just before it."""
    if word == "what" or word == "how" or index in breaks:
        return False
    return any(t.span.last == index for t in types)


def _person(words: Sequence[str], index: int, types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type in "who are our suppliers"."""
    at = index + 1
    if at >= len(words) or words[at] not in BE:
        return None
    while at + 1 < len(words) and words[at + 1] in _DETERMINERS:
        at += 1
    return next((t for t in types if t.span.first == at + 1), None)


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
    index = start
    while index < min(len(question.tokens), start + _MAX_PHRASE):
        word = question.tokens[index].lower
        if index in starts:
            return _Phrase(_compound(starts, index), is_pronoun=False, nouns=())
        is_copula = index == start and word in BE and asking == "what"
        ends = word in AUXILIARIES or (word in BE and not is_copula) or index in verbs
        if ends or (index in breaks and index > start) or word in {"and", "in", "for", "by", "on"}:
            break
        if general_words().is_content(question.tokens[index]) and index not in named:
            nouns.append(index)
        index += 1
    is_pronoun = index == start
    told = _told(question)
    unknown = tuple(i for i in nouns if i not in told)
    is_vain = bool(nouns) and unknown == tuple(nouns) and nouns[0] == start
    is_general = any(question.tokens[i].stem in general_words().generic for i in nouns)
    return _Phrase(None, is_pronoun, unknown if is_vain and not is_general else ())


def _compound(starts: dict[int, TypeWord], index: int) -> TypeWord:
    """Return the last of types that follow one another: "drug suppliers" asks for suppliers."""
    word = starts[index]
    while word.span.last in starts:
        word = starts[word.span.last]
    return word


def _verbs(question: Understood, types: Sequence[TypeWord]) -> set[int]:
    inside = {i for t in types for i in t.span}
    return {
        i
        for t in question.terms
        if t.kind is TermKind.RELATION and t.score >= 0.8
        for i in t.span
        if i not in inside
    }


def _told(question: Understood) -> set[int]:
    spans = [t.span for t in question.terms] + [t.span for t in question.times]
    spans += [m.span for m in question.mentions] + [q.span for q in question.quantities]
    spans += [c.span for c in question.cues]
    return {i for span in spans for i in span}


def _existing(words: Sequence[str], types: Sequence[TypeWord]) -> TypeWord | None:
    """Return the type in "is there a ...", "would any ..."."""
    for word in types:
        before = words[max(0, word.span.first - 4) : word.span.first]
        for at, said in enumerate(before):
            if said in BE or said in AUXILIARIES:
                rest = before[at + 1 :]
                if rest and rest[0] in (_EXISTENTIAL | {"we", "you"} if rest[0] != "a" else {"there"}):
                    return word
    return None


def _first(question: Understood, words: Sequence[str], types: Sequence[TypeWord]) -> Asked:
    """Return the first type that is neither excepted nor said of a name beside it."""
    excepted = {
        i for cue in question.cues_of("exception") for i in range(cue.span.first, cue.span.last + 3)
    }
    free = [t for t in types if t.span.first not in excepted]
    if not free:
        return Asked()
    starts = {t.span.first: t for t in types}
    return Asked(wanted=_side_by_side(words, types, _compound(starts, free[0].span.first)))


def _side_by_side(
    words: Sequence[str], types: Sequence[TypeWord], first: TypeWord
) -> tuple[TypeWord, ...]:
    """Return the type and those joined to it: "products and customers"."""
    found = [first]
    for word in types:
        between = words[found[-1].span.last : word.span.first]
        is_next = word.span.first >= found[-1].span.last
        is_joined = set(between) <= {"and", "or", "the", "our", "which", "what"}
        has_comma = is_next and not between and word.span.first > found[-1].span.last
        if is_next and is_joined and (between or has_comma):
            found.append(word)
    return tuple(found)
