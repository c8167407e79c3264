"""How a question falls in two parts, and what a description in it stands for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from trivium.domain.question import Span, TermKind, Token, Understood
from trivium.language.words import general_words

_BREAK: Final = re.compile(
    r"(?:[,;:?!\n+]|\.(?=\s|$)|\b(?:and|plus|then|with|but|as well as)\b)\s*", re.IGNORECASE
)
ASKING: Final = frozenset(
    {"who", "whom", "whose", "which", "what", "when", "where", "why", "how", "is", "are", "was",
     "were", "does", "do", "did", "can", "has", "have", "give", "list", "show", "tell", "name",
     "find", "summarise", "summarize", "describe", "explain"}
)  # fmt: skip
_WITH: Final = frozenset(
    {"also", "please", "then", "and", "in", "of", "on", "for", "from", "at", "by", "to", "under",
     "into", "over", "since", "until", "with", "so", "can", "could", "you", "i", "me",
     "want", "need"}
)  # fmt: skip
"""Words that may stand before the one that asks."""
_FIGURES: Final = frozenset({"number", "numbers", "count", "counts", "total", "totals"})
"""What follows "their" in a list with the figures by which it is made."""
HEADING: Final = 3
"""Words at the start of a part among which one asks."""
OWNING: Final = frozenset({"its", "his", "her", "their"})
_THE: Final = frozenset({"the", "our"})
_OF: Final = frozenset({"of", "for", "behind"})
_POSSESSIVE: Final = frozenset({"'s", "\u2019s", "'", "\u2019"})
_ASKING_VALUE: Final = frozenset({"where", "when"})
_SURE_TYPE: Final = 0.8
"""How well a word must name a type that is asked for."""
_COMPUTED: Final = (
    "count", "sum", "average", "most", "least", "above", "below", "compare", "hypothetical",
    "removal", "negation", "single",
)  # fmt: skip
"""Cues of what is computed over all that a relation leads to."""
_AT_MOST: Final = 12
"""Entities that may stand in the place of a pronoun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A stretch of the text that stands for entities, and how they are put there."""

    start: int
    end: int
    before: str = ""
    after: str = ""
    types: frozenset[str] = frozenset()
    """What they are called there; nothing for a pronoun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointing:
    """A question whose last part speaks of what its first part asks for."""

    lead: str
    rest: str
    places: tuple[Place, ...]
    is_of_one: bool = False
    """Whether the rest speaks of one thing alone."""
    is_two_questions: bool = False
    """Whether each part asks: "who makes it, and where are they?", but not "the makers of it:
    where are they?"."""

    def fits(self, n_entities: int) -> bool:
        """Whether so many entities can be what it speaks of."""
        return 1 <= n_entities <= (1 if self.is_of_one else _AT_MOST)

    def is_called(self, entity_type: str | None) -> bool:
        """Whether the rest may call an entity of this type so."""
        return all(not p.types or entity_type in p.types for p in self.places)

    def about(self, names: Sequence[str]) -> str:
        """Return the rest with names in the place of what points back."""
        told, start = [], 0
        if not self.places:
            return self.rest
        joined = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        for place in self.places:
            told.append(f"{self.rest[start : place.start]}{place.before}{joined}{place.after}")
            start = place.end
        return "".join([*told, self.rest[start:]])


def side_by_side(question: Understood) -> Pointing | None:
    """Return how a question falls in two parts that each ask something of a name of their own."""
    cut = list(parts(question))
    for (begin, end), (start, stop) in pairwise(cut):
        named = [at(question, m.span) for m in question.mentions if m.candidates]
        is_each = any(begin <= n < end for n in named) and any(start <= n < stop for n in named)
        if is_each and asks(question, begin, end) and asks(question, start, stop):
            lead = question.text[cut[0][0] : end].strip(" ,;:")
            return Pointing(lead=lead, rest=question.text[start:], places=(), is_two_questions=True)
    return None


def described(question: Understood) -> Pointing | None:
    """Return how a question falls in two that asks for a value of what a relation describes.

    "How old is the maker of X" first asks for the maker of X, then how old that one is.
    """
    if question.has(*_COMPUTED):
        return None
    for start, end in _descriptions(question):
        lead = question.text[start:end]
        rest = [t for t in question.tokens if t.end <= start or t.start >= end]
        if _asks_for_type(question, start):
            continue
        if any(general_words().is_content(t) or t.lower in _ASKING_VALUE for t in rest):
            whole = Place(start=start, end=end)
            return Pointing(lead=lead, rest=question.text, places=(whole,))
    return None


def _asks_for_type(question: Understood, before: int) -> bool:
    """Whether "which schools" stands before what is described: relations alone tell those."""
    tokens = question.tokens
    return any(
        word_at(tokens, term.span.first - 1) in {"which", "what"}
        and tokens[term.span.last - 1].end <= before
        for term in question.terms_of(TermKind.TYPE)
        if term.score >= _SURE_TYPE
    )


def _descriptions(question: Understood) -> Iterator[tuple[int, int]]:
    """Give where a type stands with a name beside it: "the maker of X", "X's makers"."""
    tokens = question.tokens
    for mention in question.mentions:
        own = {c.type for c in mention.best} if mention.candidates else set()
        for term in question.terms_of(TermKind.TYPE):
            if not own or term.name in own:
                continue
            first, last = term.span.first, mention.span.last
            before = word_at(tokens, first - 1)
            between = [t.lower for t in tokens[term.span.last : mention.span.first]]
            if between and between[0] in _OF and set(between[1:]) <= _THE and before in _THE:
                yield tokens[first - 1].start, tokens[last - 1].end
            joined = (
                question.text[tokens[last - 1].end : tokens[first].start] if last <= first else ""
            )
            if joined.strip() in _POSSESSIVE:
                yield tokens[mention.span.first].start, tokens[term.span.last - 1].end


def at(question: Understood, span: Span) -> int:
    """Return where words begin in the text."""
    return question.tokens[span.first].start


def parts(question: Understood) -> Iterator[tuple[int, int]]:
    """Give where each part starts and ends that asks something of its own."""
    start = end = 0
    breaks = [(m.start(), m.end()) for m in _BREAK.finditer(question.text)]
    for last, after in breaks:
        if _opens(question, after):
            yield start, last
            start = after
        end = last
    yield start, max(end, len(question.text))


def _opens(question: Understood, start: int) -> bool:
    """Whether what begins at ``start`` asks something: by its verb, or for "their rates"."""
    words = heading(question, start)
    each = len(words) > 1 and words[0] in _WITH and words[1] == "each"
    owning = bool(words) and words[0] in OWNING and not _FIGURES & set(words[1:2])
    return owning or each or _asks_first(words)


def _asks_first(words: Sequence[str]) -> bool:
    """Whether words ask from the first on, but for what may stand before: "and in which"."""
    asking = next((n for n, word in enumerate(words) if word in ASKING), None)
    return asking is not None and all(word in _WITH for word in words[:asking])


def asks(question: Understood, start: int, end: int) -> bool:
    """Whether a part from ``start`` to ``end`` asks something, after a topic or not."""
    text = question.text[:end]
    begins = [start, *(m.end() for m in _BREAK.finditer(text, start))]
    return any(_asks_first(heading(question, begin, end)) for begin in begins)


def heading(question: Understood, start: int, end: int | None = None) -> list[str]:
    """Return the first words, in lower case, of what stands from ``start`` up to ``end``."""
    last = len(question.text) if end is None else end
    return [t.lower for t in question.tokens if start <= t.start < last][:HEADING]


def word_at(tokens: Sequence[Token], index: int) -> str:
    """Return a word in lower case; nothing where there is none."""
    return tokens[index].lower if 0 <= index < len(tokens) else ""
