"""A question as features: how it is built, with names and schema words masked; and its encoding."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from router.glosses import glossed, language_of
from router.structure import structure
from trivium.domain.question import TermKind, Understood
from trivium.language.following import begins_at
from trivium.language.words import general_words

N_SLOTS: Final = 1 << 16
"""Slots for hashed features."""
_MASKS: Final = {
    TermKind.TYPE: "@type",
    TermKind.RELATION: "@relation",
    TermKind.PROPERTY: "@attribute",
    TermKind.FACT: "@attribute",
    TermKind.VALUE: "@value",
}
_TOLD: Final = {kind: (kind,) for kind in TermKind if kind is not TermKind.FACT} | {
    TermKind.PROPERTY: (TermKind.PROPERTY, TermKind.FACT)
}
"""What counts as each kind: whether facts alone have an attribute is no matter of wording."""


@dataclass(frozen=True, slots=True)
class Features:
    """What the model scores: slots of what is there (sorted, each once), and the encoding.

    ``texts`` says in words what each slot stands for.
    """

    slots: NDArray[np.int64]
    vector: NDArray[np.float32]
    texts: tuple[str, ...] = ()


def features(question: Understood) -> Features:
    """Return the features of a question."""
    found = {slot(text): text for text in describe(question)}
    slots = sorted(found)
    return Features(
        np.array(slots, dtype=np.int64),
        np.array(question.vector, dtype=np.float32),
        tuple(found[at] for at in slots),
    )


@lru_cache(maxsize=32_768)
def slot(text: str) -> int:
    """Return the slot of a feature; the same in every process and on every machine."""
    return zlib.crc32(text.encode()) % N_SLOTS


def describe(question: Understood) -> Iterator[str]:
    """Give the features of a question, in words."""
    language = language_of(question)
    read = question if language is None else glossed(question, language)
    if language is not None:
        yield "foreign"
    words = masked(read)
    yield from _n_grams(words, (1, 2, 3))
    yield from _gaps(words)
    yield from (f"plain {n_gram}" for n_gram in _n_grams(_unnamed(read), (1, 2)))
    for word in _unnamed(question):
        yield from _letters(word)
    yield from (f"skeleton {n_gram}" for n_gram in _n_grams(_skeleton(words), (3, 4)))
    yield from (f"own {n_gram}" for n_gram in _n_grams(_own(read), (1, 2)))
    yield from _shape(read, words)
    yield from structure(read)
    yield from _cues(read)


def _cues(question: Understood) -> Iterator[str]:
    """Give the cues, in pairs, and with what is named."""
    kinds = sorted({cue.kind for cue in question.cues if cue.kind != "yes_no"})
    for index, kind in enumerate(kinds):
        yield f"cue {kind}"
        for other in kinds[index + 1 :]:
            yield f"cues {kind} {other}"
        for what in _named(question):
            yield f"cue {kind} with {what}"


def masked(question: Understood) -> list[str]:
    """Return the stems of the words, with names, times and schema words masked."""
    return _behind(question, _term_marks(question) | _name_marks(question))


def _own(question: Understood) -> list[str]:
    """Return the masked words of a follow-up that was completed, as ``masked``; else none."""
    start = begins_at(question)
    if not start:
        return []
    marks = _term_marks(question) | _name_marks(question)
    return _behind(question, marks, sum(token.start < start for token in question.tokens))


def _unnamed(question: Understood) -> list[str]:
    """Return the stems of the words, with names and times masked: what a schema word is stays."""
    return _behind(question, _name_marks(question))


def _behind(question: Understood, marks: Mapping[int, str], first: int = 0) -> list[str]:
    """Return the stems of the words behind masks, from one on; a mask that goes on stands once."""
    words: list[str] = []
    for index, token in enumerate(question.tokens[first:], first):
        mark = marks.get(index)
        if mark is None:
            words.append("@number" if token.lower[0].isdigit() else token.stem)
        elif not words or words[-1] != mark:
            words.append(mark)
    return words


def _term_marks(question: Understood) -> dict[int, str]:
    """Return the mask of each word of the schema; the best meaning wins."""
    marks: dict[int, str] = {}
    for term in sorted(question.terms, key=lambda t: t.score):
        if term.score >= 0.6:
            marks.update(dict.fromkeys(term.span, _MASKS[term.kind]))
    return marks


def _name_marks(question: Understood) -> dict[int, str]:
    """Return the mask of each word of a name or a time."""
    marks: dict[int, str] = {}
    for mention in question.mentions:
        mask = "@entity" if mention.candidates else "@unknown"
        marks.update(dict.fromkeys(mention.span, mask))
    for time in question.times:
        marks.update(dict.fromkeys(time.span, "@time"))
    return marks


def _skeleton(words: Sequence[str]) -> list[str]:
    """Return masks and function words alone, any content between them as one mark."""
    stop = general_words().stop_stems
    found: list[str] = []
    for word in words:
        kept = word if word.startswith("@") or word in stop else "@word"
        if kept != "@word" or found[-1:] != ["@word"]:
            found.append(kept)
    return found


def _n_grams(words: Sequence[str], lengths: Sequence[int]) -> Iterator[str]:
    padded = ["^", *words, "$"] if words else []
    for length in lengths:
        for first in range(len(padded) - length + 1):
            yield " ".join(padded[first : first + length])


def _gaps(words: Sequence[str]) -> Iterator[str]:
    """Give pairs of words with one or two others between them."""
    padded = ["^", *words, "$"]
    for gap in (2, 3):
        for first, second in zip(padded, padded[gap:], strict=False):
            yield f"gap {first} {second}"


@lru_cache(maxsize=8_192)
def _letters(word: str) -> tuple[str, ...]:
    """Return three and four letters in a row: of a misspelt word, or of a compound, most are right.

    >>> _letters("two"), _letters("@entity")
    (('letters <tw', 'letters two', 'letters wo>', 'letters <two', 'letters two>'), ())
    """
    if word.startswith("@"):
        return ()
    spelt = f"<{word}>"
    return tuple(
        f"letters {spelt[first : first + length]}"
        for length in (3, 4)
        for first in range(len(spelt) - length + 1)
    )


def _named(question: Understood) -> Iterator[str]:
    """Give what of the domain the question names."""
    if any(m.candidates for m in question.mentions):
        yield "entity"
    for kind, kinds in _TOLD.items():
        if any(t.score >= 0.8 for t in question.terms_of(*kinds)):
            yield kind.value


def _shape(question: Understood, words: Sequence[str]) -> Iterator[str]:
    entities = {c.id for m in question.mentions for c in m.best}
    yield f"n entities {min(len(entities), 3)}"
    types = {t.name for t in question.terms if t.kind is TermKind.TYPE and t.score >= 0.6}
    yield f"n types {min(len(types), 3)}"
    for kind, kinds in _TOLD.items():
        n = len({t.span for t in question.terms_of(*kinds) if t.score >= 0.8})
        yield f"n {kind.value} {min(n, 3)}"
    named = "+".join(_named(question)) or "nothing"
    yield f"names {named}"
    yield f"length {min(len(question.tokens) // 4, 8)}"
    marks = question.text.count(",") + question.text.count(";") + question.text.count("+")
    yield f"commas {min(marks, 3)}"
    yield f"sentences {min(sum(question.text.count(c) for c in '.?!'), 4)}"
    yield f"and {min(sum(t.lower in {'and', 'plus'} for t in question.tokens), 3)}"
    yield f"history {bool(question.question.history)}"
    stop = general_words()
    unread = [t for t in question.tokens if stop.is_content(t)]
    told = {i for t in question.terms for i in t.span}
    told |= {i for m in question.mentions for i in m.span}
    share = sum(1 for i, t in enumerate(question.tokens) if i in told) / max(1, len(unread))
    yield f"share of schema words {min(int(share * 4), 4)}"
    if words:
        yield f"first {words[0]}"
