"""What a question speaks of without naming it: "where is that maker based", "the maker of X"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from trivium.domain.question import Span, TermKind, Token, Understood
from trivium.language.words import general_words

_BREAK: Final = re.compile(
    r"(?:[,;:?!\n+]|\.(?=\s|$)|\b(?:and|plus|then|with|but|as well as)\b)\s*", re.IGNORECASE
)
_ASKING: Final = frozenset(
    {"who", "whom", "whose", "which", "what", "when", "where", "why", "how", "is", "are", "was",
     "were", "does", "do", "did", "can", "has", "have", "give", "list", "show", "tell", "name",
     "find", "summarise", "summarize", "describe", "explain"}
)  # fmt: skip
_QUESTION: Final = frozenset({"who", "which", "what"})
_WITH: Final = frozenset(
    {"also", "please", "then", "and", "in", "of", "on", "for", "from", "at", "by", "to", "under",
     "into", "over", "since", "until", "with", "so", "can", "could", "you", "i", "me",
     "want", "need"}
)  # fmt: skip
"""Words that may stand before the one that asks."""
_FIGURES: Final[tuple[list[str], ...]] = (
    [],
    ["number"],
    ["numbers"],
    ["count"],
    ["counts"],
    ["total"],
    ["totals"],
)
"""What follows "their" in a list with the figures by which it is made."""
_HEADING: Final = 3
"""Words at the start of a part among which one asks."""
_OWNING: Final = frozenset({"its", "his", "her", "their"})
_OF_ONE: Final = frozenset({"it", "its", "he", "she", "him", "his"})
_ALONE: Final = frozenset({"it", "he", "she", "him", "her", "they", "them"})
_THESE: Final = frozenset({"that", "this", "those", "these"})
_MANY: Final = frozenset({"those", "these", "them"})
_THE: Final = frozenset({"the", "our"})
_OF: Final = frozenset({"of", "for", "behind"})
_POSSESSIVE: Final = frozenset({"'s", "\u2019s", "'", "\u2019"})
_ASKING_VALUE: Final = frozenset({"where", "when"})
_COMPUTED: Final = (
    "count", "sum", "average", "most", "least", "above", "below", "compare", "hypothetical",
    "removal", "negation", "single",
)  # fmt: skip
"""Cues of what is computed over all that a relation leads to."""
_BEING: Final = frozenset({"is", "are", "was", "were", "be"})
_NO_THING: Final = frozenset(
    {"take", "takes", "took", "possible", "true", "likely", "safe", "allowed", "known", "said",
     "say", "says"}
)  # fmt: skip
"""Words beside an "it" that stands for nothing: "how long does it take", "is it true"."""
_TELLING: Final = frozenset(
    {"of", "that", "which", "who", "whose", "for", "with", "in", "from", "where", "it", "they",
     "he", "she", "by", "at"}
)  # fmt: skip
"""Words after a noun that tell which one is meant."""
_AT_MOST: Final = 12
"""Entities that may stand in the place of a pronoun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
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
    places: tuple[_Place, ...]
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


def pointing(question: Understood) -> Pointing | None:
    """Return how a question falls in two where its last part points back at what the first finds.

    The first part asks for something, and the last names nothing before the word that points.
    """
    parts = list(_parts(question))
    for (_, end), (start, stop) in pairwise(parts):
        owning = next((t for t in question.tokens if t.start >= start), None)
        is_two = _asks(question, 0, end) and owning is not None and owning.lower not in _OWNING
        places = tuple(_places(question, start))
        places = places or (tuple(_named_again(question, start)) if is_two else ())
        if not places or places[0].start >= stop or not _is_lead(question, end):
            continue
        first = next((m.span for m in question.mentions if _at(question, m.span) >= start), None)
        if (first and _at(question, first) < places[0].start) or _tells_again(question, start):
            continue
        return Pointing(
            lead=question.text[parts[0][0] : end].strip(" ,;:"),
            rest=question.text[start:],
            places=tuple(replace(p, start=p.start - start, end=p.end - start) for p in places),
            is_of_one=any(question.text[p.start : p.end].lower() in _OF_ONE for p in places),
            is_two_questions=is_two,
        )
    return None


def side_by_side(question: Understood) -> Pointing | None:
    """Return how a question falls in two parts that each ask something of a name of their own."""
    parts = list(_parts(question))
    for (begin, end), (start, stop) in pairwise(parts):
        named = [_at(question, m.span) for m in question.mentions if m.candidates]
        is_each = any(begin <= at < end for at in named) and any(start <= at < stop for at in named)
        if is_each and _asks(question, begin, end) and _asks(question, start, stop):
            lead = question.text[parts[0][0] : end].strip(" ,;:")
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
        if any(general_words().is_content(t) or t.lower in _ASKING_VALUE for t in rest):
            whole = _Place(start=start, end=end)
            return Pointing(lead=lead, rest=question.text, places=(whole,))
    return None


def _descriptions(question: Understood) -> Iterator[tuple[int, int]]:
    """Give where a type stands with a name beside it: "the maker of X", "X's makers"."""
    tokens = question.tokens
    for mention in question.mentions:
        own = {c.type for c in mention.best} if mention.candidates else set()
        for term in question.terms_of(TermKind.TYPE):
            if not own or term.name in own:
                continue
            first, last = term.span.first, mention.span.last
            before = _word(tokens, first - 1)
            between = [t.lower for t in tokens[term.span.last : mention.span.first]]
            if between and between[0] in _OF and set(between[1:]) <= _THE and before in _THE:
                yield tokens[first - 1].start, tokens[last - 1].end
            joined = (
                question.text[tokens[last - 1].end : tokens[first].start] if last <= first else ""
            )
            if joined.strip() in _POSSESSIVE:
                yield tokens[mention.span.first].start, tokens[term.span.last - 1].end


def _at(question: Understood, span: Span) -> int:
    return question.tokens[span.first].start


def _parts(question: Understood) -> Iterator[tuple[int, int]]:
    """Give where each part starts and ends that asks something of its own."""
    start = end = 0
    breaks = [(m.start(), m.end()) for m in _BREAK.finditer(question.text)]
    for at, after in breaks:
        if _opens(question, after):
            yield start, at
            start = after
        end = at
    yield start, max(end, len(question.text))


def _opens(question: Understood, start: int) -> bool:
    """Whether what begins at ``start`` asks something: by its verb, or for "their rates"."""
    words = [t.lower for t in question.tokens if t.start >= start][:_HEADING]
    each = len(words) > 1 and words[0] in _WITH and words[1] == "each"
    owning = bool(words) and words[0] in _OWNING and words[1:2] not in _FIGURES
    return owning or each or _asks_first(words)


def _asks_first(words: Sequence[str]) -> bool:
    """Whether words ask from the first on, but for what may stand before: "and in which"."""
    asking = next((n for n, word in enumerate(words) if word in _ASKING), None)
    return asking is not None and all(word in _WITH for word in words[:asking])


def _asks(question: Understood, start: int, end: int) -> bool:
    """Whether a part from ``start`` to ``end`` asks something, after a topic or not."""
    text = question.text[:end]
    begins = [start, *(m.end() for m in _BREAK.finditer(text, start))]
    return any(
        _asks_first([t.lower for t in question.tokens if begin <= t.start < end][:_HEADING])
        for begin in begins
    )


def _tells_again(question: Understood, start: int) -> bool:
    """Whether what begins at ``start`` only asks for the names: "who are they", "list them"."""
    words = [t.lower for t in question.tokens if t.start >= start][:_HEADING]
    if len(words) < 2 or words[0] not in _ASKING:
        return False
    rest = words[2:] if words[1] in _BEING else words[1:]
    n_words = sum(t.start >= start for t in question.tokens)
    is_naming = words[0] not in _QUESTION or n_words <= _HEADING
    return is_naming and bool(rest) and rest[0] in {"they", "them", "those", "these"}


def _is_lead(question: Understood, end: int) -> bool:
    """Whether what stands before ``end`` asks for things: by its verb, or by their type."""
    inside = [i for i, t in enumerate(question.tokens) if t.end <= end]
    asks = any(question.tokens[i].lower in _ASKING for i in inside)
    types = question.terms_of(TermKind.TYPE)
    return asks or any(t.span.first in inside for t in types)


def _places(question: Understood, start: int) -> Iterator[_Place]:
    """Give the words from ``start`` on that point back."""
    tokens, taken = question.tokens, -1
    for index, token in enumerate(tokens):
        if token.start < start or index < taken:
            continue
        last, before, after = _pointed(question, index)
        if last is None:
            continue
        taken = last
        yield _Place(
            start=token.start,
            end=tokens[last - 1].end,
            before=before,
            after=after,
            types=_called(question, index, last),
        )


def _pointed(question: Understood, index: int) -> tuple[int | None, str, str]:
    """Return the end of the words from ``index`` that point back, and what goes around names."""
    tokens = question.tokens
    word, after = tokens[index].lower, _word(tokens, index + 1)
    noun = _noun_end(question, index + 1)
    if word in _OWNING and (word != "her" or _is_content(tokens, index + 1)):
        return index + 1, "", "'s"
    if word == "it" and _NO_THING & {after, _word(tokens, index - 1), _word(tokens, index + 2)}:
        return None, "", ""
    if word in _ALONE:
        return index + 1, "", ""
    if word == "each":
        return _each_end(question, index), "", ""
    if word == "there" and not _BEING & {after, _word(tokens, index - 1)}:
        return index + 1, "at ", ""
    if word == "the" and after == "same":
        return _noun_end(question, index + 2), "", ""
    if word in _THESE and (noun or after in {"one", "ones"}):
        return noun or index + 2, "", ""
    is_bare = word in {"those", "these"} and not _is_content(tokens, index + 1)
    return (index + 1 if is_bare else None), "", ""


def _named_again(question: Understood, start: int) -> Iterator[_Place]:
    """Give what comes again by its type alone: "who makes it, and what is the maker's rating"."""
    for index, token in enumerate(question.tokens):
        last = _noun_end(question, index + 1)
        if token.start < start or token.lower != "the" or last is None:
            continue
        if _word(question.tokens, last) not in _TELLING:
            called = _called(question, index, last)
            end = question.tokens[last - 1].end
            yield _Place(start=token.start, end=end, types=called)


def _each_end(question: Understood, index: int) -> int | None:
    """Return where "each", "each of them" or "each supplier" ends; "each other" is none."""
    tokens = question.tokens
    if _word(tokens, index + 1) == "of" and _word(tokens, index + 2) in _MANY:
        return index + 3
    if _word(tokens, index + 1) in {"one", "other"}:
        return index + 2 if tokens[index + 1].lower == "one" else None
    return _noun_end(question, index + 1) or index + 1


def _noun_end(question: Understood, index: int) -> int | None:
    """Return where a word for a type that begins at ``index`` ends."""
    ends = [t.span.last for t in question.terms_of(TermKind.TYPE) if t.span.first == index]
    return max(ends, default=None)


def _called(question: Understood, index: int, last: int) -> frozenset[str]:
    """Return the types that the words from ``index`` until ``last`` name."""
    types = question.terms_of(TermKind.TYPE)
    return frozenset(t.name for t in types if index <= t.span.first and t.span.last <= last)


def _word(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].lower if 0 <= index < len(tokens) else ""


def _is_content(tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and general_words().is_content(tokens[index])
