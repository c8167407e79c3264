"""Which types a question asks for: after a question word, after "is there", or named first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tiers.graphrag.reading.clauses import (
    NOUN_ASKING,
    PERSON_ASKING,
    is_said_alone,
    meant_type,
    relatives,
    touched_type,
    type_after_joint,
    type_bid_for,
)
from tiers.graphrag.reading.listing import AUXILIARIES, BE, listed, side_by_side
from tiers.graphrag.reading.phrasing import Phrase, compound, headed, person_asked, phrase_at
from tiers.graphrag.reading.sketch import TypeWord
from tiers.graphrag.reading.waywords import way_asked, way_clauses
from trivium.domain.question import Span, Understood

_EXISTENTIAL: Final = frozenset({"any", "another", "some", "there", "a", "an", "no", "other"})
_ANYBODY: Final = frozenset({"anybody", "anyone", "somebody", "someone", "anything"})
_IT: Final = frozenset({"is", "are", "it", "they", "that", "those", "one", "ones"})
_FEW: Final = 4
"""Words of a sentence that only asks which one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The types asked for, and the noun that is none."""

    wanted: tuple[TypeWord, ...] = ()
    in_vain: str = ""


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
    meant = (
        meant_type(words, types)
        or type_bid_for(question, words, types)
        or type_after_joint(words, types)
    )
    if meant:
        return Asked(wanted=side_by_side(words, types, meant))
    relative = relatives(types, words, breaks) | way_clauses(words)
    stands_alone = False
    for index, word in enumerate(words):
        start = _phrase_start(words, index)
        if start is None or index in relative or _asks_again(words, index, breaks):
            continue
        if word in PERSON_ASKING:
            phrase = Phrase(person_asked(question, index, types), is_pronoun=True, nouns=())
        else:
            phrase = headed(phrase_at(question, types, breaks, start, word), start, types, heads)
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
    return _elsewhere(question, types, breaks, heads, stands_alone=stands_alone)


def _asks_again(words: Sequence[str], index: int, breaks: frozenset[int]) -> bool:
    """Whether a last sentence only asks which one: "Is there a spare one? Which is it?"."""
    return index in breaks and 1 < len(words) - index <= _FEW and set(words[index + 1 :]) <= _IT


def _of_phrase(question: Understood, types: Sequence[TypeWord], phrase: Phrase) -> Asked:
    words = [t.lower for t in question.tokens]
    if phrase.head:
        return Asked(wanted=side_by_side(words, types, phrase.head))
    if way_asked(words) is not None:
        return Asked()
    first, last = phrase.nouns[0], phrase.nouns[-1] + 1
    return Asked(in_vain=question.words(Span(first=first, last=last)))


def _elsewhere(
    question: Understood,
    types: Sequence[TypeWord],
    breaks: frozenset[int],
    heads: Sequence[TypeWord],
    *,
    stands_alone: bool,
) -> Asked:
    """Return what is asked for where no question word has a noun.

    ``stands_alone`` tells that one has none: "who heads them".
    """
    words = [t.lower for t in question.tokens]
    nouns = sorted((*types, *heads), key=lambda t: t.span.first)
    existing = _existing(words, nouns, breaks)
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
                if not rest and words[word.span.first] in _ANYBODY:
                    return word
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
    first = compound(question, starts, free[0].span.first)
    return Asked(wanted=listed(words, types, first, breaks))
