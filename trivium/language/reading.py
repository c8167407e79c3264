"""Reads a question once, for router, memory and tiers: words, mentions, terms, times, cues."""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Final

from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError
from trivium.domain.ports import Encoder
from trivium.domain.question import (
    Cue,
    Mention,
    Quantity,
    Question,
    Span,
    Term,
    TermKind,
    TimeExpression,
    Token,
    Turn,
    Understood,
)
from trivium.domain.schema import Schema
from trivium.domain.time import Moment
from trivium.language.chat import asked_part, sentences_of
from trivium.language.documented import DocumentWords
from trivium.language.following import about_named, completed
from trivium.language.names import NameIndex
from trivium.language.text import fold, is_word, shortened, tokenize, visible
from trivium.language.times import find_times, narrowed
from trivium.language.vocabulary import Vocabulary
from trivium.language.words import general_words

_ENCODE_S: Final = 2.0
"""What an encoding may take; one takes 4 to 40 ms, and waits where many are asked at once."""
_ENCODE_SHARE: Final = 0.25
"""Of the time that is left."""
_MAX_READ: Final = 4_000
"""Characters that are read of a long message: its beginning and its end, where questions stand."""
_MAX_TOKENS: Final = 240
"""Words and marks that are read of one."""

_OPENING_CLAUSE: Final = frozenset(
    {"the", "all", "its", "their", "our", "it", "they", "we", "you", "that", "this", "everything"}
)
_TYPE_NAME: Final = 0.95
"""The score of a type's own name, or of a word that its schema gives for it."""


@dataclass(slots=True)
class Lexicon:
    """What the reader knows of the domain now: the schema's words and all names.

    It is a projection of the knowledge journal; ``version`` is its watermark.
    """

    vocabulary: Vocabulary
    names: NameIndex
    documents: DocumentWords = field(default_factory=DocumentWords)
    readers: dict[str, frozenset[str]] = field(default_factory=dict)
    """By id, who alone may see an entity; of others, everybody may."""
    version: int = 0

    @classmethod
    def empty(cls) -> "Lexicon":
        """Return the lexicon of an installation with no knowledge yet."""
        return cls(Vocabulary(Schema()), NameIndex())

    def shown_to(self, principal: str, mention: Mention) -> Mention:
        """Return a mention without the entities that ``principal`` may not see.

        What is hidden is told from what does not exist by nothing.
        """
        if not self.readers:
            return mention
        everybody = frozenset({principal})
        seen = [c for c in mention.candidates if principal in self.readers.get(c.id, everybody)]
        return replace(mention, candidates=tuple(seen))

    def tag(self, text: str) -> tuple[str, ...]:
        """Return the entities that a text names, of those that everybody may see."""
        return tuple(e for e in self.names.tag(text) if e not in self.readers)

    def has_word(self, word: str) -> bool:
        """Whether a folded word stands in a name or in a document: it is no slip then."""
        return self.names.has_word(word) or self.documents.has_word(word)

    @property
    def schema(self) -> Schema:
        """The schema whose words these are."""
        return self.vocabulary.schema


class QuestionReader:
    """Implements ``Reader``: one encoder call, one linking."""

    def __init__(
        self, encoder: Encoder, lexicon: Lexicon, now: Callable[[], datetime] | None = None
    ) -> None:
        self._encoder = encoder
        self._lexicon = lexicon
        self._now = now or (lambda: datetime.now(UTC))

    async def understand(self, question: Question, deadline: Deadline) -> Understood:
        """Read ``question``; see ``Reader``."""
        try:
            async with asyncio.timeout(min(_ENCODE_S, _ENCODE_SHARE * deadline.remaining_s)):
                return await self.encoded(question)
        except TimeoutError:
            why = "the encoder took too long"
        except DependencyError as error:
            why = str(error)
        return replace(self.read(question), unencoded=f"embedding_failed: {why}")

    async def encoded(self, question: Question) -> Understood:
        """Read and encode ``question``, however long that takes.

        Raises:
            DependencyError: the encoder did not answer.
        """
        understood = self.read(question)
        (vector,) = await self._encoder.encode([understood.text])
        return replace(understood, vector=vector)

    def read(self, question: Question) -> Understood:
        """Read ``question`` without encoding it."""
        lexicon = self._lexicon
        now = question.as_of or lexicon.schema.as_of
        moment = Moment.of(now) if now else Moment.of(self._now())
        text = _shortened(question.text)
        reading = _read(visible(text), moment, lexicon)
        asked = asked_part(reading)
        reading = _read(asked, moment, lexicon) if asked else reading
        meant = about_named(reading, sentences_of(reading.text, reading.tokens))
        reading = _read(meant, moment, lexicon) if meant else reading
        before = _last_user_turn(question.history) if question.history else ""
        if before:
            reading = completed(reading, before, lambda said: _read(said, moment, lexicon))
        return replace(
            reading,
            question=replace(question, text=text),
            mentions=tuple(lexicon.shown_to(question.principal, m) for m in reading.mentions),
            documented=lexicon.documents.explain(reading),
            is_shortened=text != question.text,
            knowledge_version=lexicon.version,
        )

    @property
    def schema(self) -> Schema:
        """The schema whose words these are."""
        return self._lexicon.schema

    def name(self, entity: str) -> tuple[str, str | None]:
        """Return how an entity alone is called, and its type; see ``Reader``."""
        names = self._lexicon.names
        name = names.name(entity)
        is_own = names.called(name) == {entity}
        return name if is_own else entity, names.type(entity)


def _read(text: str, moment: Moment, lexicon: Lexicon) -> Understood:
    words = [token for token in tokenize(text) if is_word(token)]
    tokens = lexicon.vocabulary.speller.mended(words, lexicon.has_word)
    terms = lexicon.vocabulary.find(tokens)
    cues = tuple(Cue(span=s, kind=k) for s, k in general_words().cues.find(tokens))
    times = tuple(
        replace(time, moment=narrowed(time, tokens))
        for time in find_times(tokens, date.fromisoformat(moment.day), text)
    )
    known = _known_words(tokens, terms, cues, times, lexicon.vocabulary)
    mentions = lexicon.names.link(tokens, lambda index: index in known, text)
    mentions = tuple(m for m in mentions if not _is_type_word(m, terms))
    mentions, terms = _settled(mentions, terms)
    return Understood(
        question=Question(text=text),
        text=text,
        moment=moment,
        tokens=tokens,
        mentions=mentions,
        terms=terms,
        times=tuple(t for t in times if not any(t.span.overlaps(m.span) for m in mentions)),
        quantities=_quantities(tokens, mentions, times),
        cues=tuple(
            c for c in cues if not (any(_hides(m, c.span) for m in mentions) or _names(terms, c))
        ),
    )


def _names(terms: Sequence[Term], cue: Cue) -> bool:
    """Whether a cue is only part of what an attribute of facts is called: "weekly reach"."""
    facts = [t.span for t in terms if t.kind is TermKind.FACT and len(t.span) > len(cue.span)]
    return any(cue.span.overlaps(span) for span in facts)


def _known_words(
    tokens: Sequence[Token],
    terms: Sequence[Term],
    cues: Sequence[Cue],
    times: Sequence[TimeExpression],
    vocabulary: Vocabulary,
) -> frozenset[int]:
    """Return the words that mean something other than an entity."""
    spans = [t.span for t in terms if t.kind is not TermKind.VALUE or t.score >= 1]
    spans.extend(c.span for c in cues)
    spans.extend(t.span for t in times)
    spans.extend(_unit_words(tokens))
    inside = {index for span in spans for index in span}
    inside |= {i for i, t in enumerate(tokens) if t.text in general_words().numbers}
    return frozenset(inside | {i for i, t in enumerate(tokens) if vocabulary.knows(t)})


def _unit_words(tokens: Sequence[Token]) -> list[Span]:
    """Return the words right after a number, which say what it counts: "500 euros"."""
    return [
        Span(first=index + 1, last=index + 2)
        for index, token in enumerate(tokens[:-1])
        if tokens[index + 1].lower in general_words().units
        or (token.lower[0].isdigit() and tokens[index + 1].lower.isalpha()
        and tokens[index + 1].start > token.end)
    ]  # fmt: skip


def _settled(
    mentions: Sequence[Mention], terms: Sequence[Term]
) -> tuple[tuple[Mention, ...], tuple[Term, ...]]:
    """Decide where a mention and a term claim the same words; the mention holds unless beaten."""
    kept = tuple(m for m in mentions if not any(_beats(t, m) for t in terms))
    return kept, tuple(t for t in terms if not any(_hides(m, t.span) for m in kept))


def _is_type_word(mention: Mention, terms: Sequence[Term]) -> bool:
    """Whether one word names a type, and an entity by its stem alone: "customers", no "Customs"."""
    said = mention.text.casefold().removesuffix("s")
    names = {w.removesuffix("s") for c in mention.candidates for w in fold(c.name).split()}
    is_type = any(
        t.kind is TermKind.TYPE and t.span == mention.span and t.score >= _TYPE_NAME for t in terms
    )
    return is_type and len(mention.span) == 1 and bool(names) and said not in names


def _beats(term: Term, mention: Mention) -> bool:
    """Whether a value is meant rather than a part of a name.

    A whole value beats a part of a name; any value beats a guess over fewer words.
    """
    if term.kind is not TermKind.VALUE or not term.span.overlaps(mention.span):
        return False
    score = mention.candidates[0].score if mention.candidates else 0.0
    n_more = len(term.span) - len(mention.span)
    return score < 1 and n_more >= 0 and (term.score >= 1 or (n_more > 0 and score < 0.8))


def _hides(mention: Mention, span: Span) -> bool:
    return bool(mention.candidates) and mention.span.overlaps(span)


def _quantities(
    tokens: Sequence[Token], mentions: Sequence[Mention], times: Sequence[TimeExpression]
) -> tuple[Quantity, ...]:
    taken = {i for m in mentions for i in m.span} | {i for t in times for i in t.span}
    found = []
    for index, token in enumerate(tokens):
        number = general_words().numbers.get(token.lower)
        if number is None and token.lower[0].isdigit():
            number = _as_number(token.lower)
        if number is None and _is_alone(tokens, index):
            number = general_words().scales.get(token.lower)
        if number is not None and index not in taken and not _is_joint(tokens, index):
            found.append(Quantity(span=Span(first=index, last=index + 1), number=number))
    return tuple(found)


def _is_joint(tokens: Sequence[Token], index: int) -> bool:
    """Whether "once" says when, and not how often: "once the fees are added up"."""
    after = [t.lower for t in tokens[index + 1 : index + 2]]
    return tokens[index].lower == "once" and bool(_OPENING_CLAUSE & set(after))


def _is_alone(tokens: Sequence[Token], index: int) -> bool:
    """Whether "million" has no number before it: "a million", "more than a thousand"."""
    is_scale = tokens[index].lower in {"hundred", "thousand", "million", "billion"}
    return is_scale and index > 0 and tokens[index - 1].lower in {"a", "one", "half"}


def _as_number(text: str) -> float | None:
    """Read ``1,500`` and ``3.5``; a comma before other than three digits is a decimal comma."""
    grouped = text.replace(",", "") if all(len(p) == 3 for p in text.split(",")[1:]) else text
    try:
        number = float(grouped.replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _last_user_turn(history: Sequence[Turn]) -> str:
    last = next((t.content for t in reversed(history) if t.role == "user"), "")
    return visible(_shortened(last))


def _shortened(text: str) -> str:
    return shortened(text, n_characters=_MAX_READ, n_tokens=_MAX_TOKENS)
