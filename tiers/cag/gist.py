"""What a question asks, in one form for all wordings that ask the same, and for no others.

What differs in anything but the words of ``gist_words.yaml``, the inflection of words, "B of A" for
"A's B", and a passive for its active, has another gist: a number, a name, a "not", an order of two
names, a day, a unit. So opposites need no list: two words are two words.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tiers.cag.gist_forms import gist_of
from tiers.cag.gist_order import BE, DONE, Gist, is_done
from tiers.cag.gist_words import gist_words
from trivium.domain.once import once
from trivium.domain.question import Mention, Term, TermKind, Token, Understood
from trivium.language.text import fold, tokenize
from trivium.language.words import general_words

_SURE: Final = 0.95
"""The score of a schema's own word for something; what is less sure is left as it was typed."""
_MAX_WORDS: Final = 40
_SIGNS: Final = frozenset("?!.,;:'\"’‘“”()[]{}…`´")
"""Marks that only part what is said."""


def is_personal(text: str) -> bool:
    """Whether a question is about its asker.

    >>> is_personal("What is my open order total?"), is_personal("How do I order?")
    (True, False)
    """
    said = " ".join(token.lower for token in tokenize(text) if token.text not in _SIGNS)
    return gist_words().personal.search(said) is not None


@once(64)
def gist(question: Understood) -> Gist | None:
    """Return what a question asks; ``None`` where it is too long, or was not read in full."""
    if question.is_shortened or len(question.tokens) > _MAX_WORDS:
        return None
    said = gist_words().counting.sub("how many", " ".join(_named(question)))
    words = " ".join(gist_words().wordings.sub(_meant, said).split()).split()
    return gist_of(words) or None


def _meant(match: re.Match[str]) -> str:
    return f" {gist_words().phrases[match.group()]} "


def _named(question: Understood) -> Iterator[str]:
    """Give the words and signs of a question, entities, days and sure terms in one form each."""
    places, until = _places(question), -1
    for token in _without_courtesy(question.text):
        if token.start < until:
            continue
        if token.start in places:
            until, name = places[token.start]
            yield name
        else:
            yield "(a)" if token.text == "A" and token.start else _written(token)


def _without_courtesy(text: str) -> Sequence[Token]:
    """Return the words and signs of a text that mean something."""
    tokens = [t for t in tokenize(text) if t.text not in _SIGNS and not _is_hyphen(t, text)]
    said = " ".join(token.lower for token in tokens)
    while (match := gist_words().courtesy.search(said)) is not None:
        n_words = len(match.group().split())
        tokens = tokens[n_words:] if match.start() == 0 else tokens[:-n_words]
        said = " ".join(token.lower for token in tokens)
    return tokens


def _is_hyphen(token: Token, text: str) -> bool:
    """Whether a mark joins two words, and is no minus."""
    is_joined = token.start > 0 and not text[token.start - 1].isspace()
    return token.text in {"-", "‑", "–", "/"} and is_joined


def _places(question: Understood) -> dict[int, tuple[int, str]]:
    """Return by its first character what stands for a part of the text: its end, and a name."""
    tokens = question.tokens
    found: dict[int, tuple[int, str]] = {}
    for term in question.terms:
        if _is_certain_term(term, question) and not _asks_day(term, question):
            last = tokens[term.span.last - 1]
            form = DONE if term.kind is TermKind.RELATION and is_done(last.lower) else ""
            name = f"<{term.kind.value}:{fold(term.name).replace(' ', '_')}>{form}"
            found[tokens[term.span.first].start] = last.end, name
    for time in question.times:
        name = f"<time:{time.relation.value}:{time.moment.start}:{time.moment.end}>"
        found[tokens[time.span.first].start] = tokens[time.span.last - 1].end, name
    for mention in question.mentions:
        if _is_certain(mention):
            name = f"<entity:{mention.best[0].id.replace(' ', '_')}>"
            found[tokens[mention.span.first].start] = tokens[mention.span.last - 1].end, name
    return found


def _asks_day(term: Term, question: Understood) -> bool:
    """Whether a word only asks when: "on what date"."""
    words = [t.lower for t in question.tokens[max(0, term.span.first - 1) : term.span.last]]
    return len(words) == 2 and words[0] in {"what", "which"} and words[1] in {"date", "day"}


def _is_certain_term(term: Term, question: Understood) -> bool:
    """Whether a term is the schema's own word, and no noun like "building" taken for a verb."""
    if term.score < _SURE or term.kind is TermKind.VALUE:
        return False
    words = question.tokens
    if term.kind is not TermKind.RELATION or not words[term.span.last - 1].lower.endswith("ing"):
        return True
    types = {t.span.last for t in question.terms_of(TermKind.TYPE)}
    before = words[term.span.first - 1].lower if term.span.first else ""
    return before in BE or term.span.first in types


def _is_certain(mention: Mention) -> bool:
    """Whether a mention names one entity in full, with just the figures of its id or its name."""
    if len(mention.best) != 1 or mention.best[0].score < 1:
        return False
    told, best = _figures(mention.text), mention.best[0]
    return told in {_figures(best.id), _figures(best.name)}


def _figures(text: str) -> str:
    return "".join(c if c.isdigit() else " " for c in text).strip()


def _written(token: Token) -> str:
    """Return a word as it is compared: a number in one form, but with its zeros."""
    if not token.lower[0].isdigit():
        number = general_words().numbers.get(token.lower)
        is_small = number is not None and number == int(number) and number > 1
        return str(int(number)) if is_small and number is not None else token.lower
    groups = token.lower.split(",")
    return "".join(groups) if all(len(g) == 3 for g in groups[1:]) else token.lower
