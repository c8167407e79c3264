"""What people write around a question, and that asks for nothing: a greeting, a reason, thanks.

And what they paste before one: a mail, the story of a morning.
"""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from trivium.domain.question import Cue, Mention, Span, TermKind, Token, Understood
from trivium.language.words import general_words

_ENDS: Final = re.compile(r"[.!?;:]\s|[.!?;:]$|\s[-–—]\s")
_CHATTING: Final = frozenset(
    {"i", "me", "my", "we", "us", "hi", "hello", "hey", "hiya", "morning", "afternoon", "please",
     "thanks", "thank", "cheers", "sorry", "quick", "question"}
)  # fmt: skip
"""Words of which a sentence beside a question has one."""
_ANNOUNCING: Final = frozenset({"quick", "short", "small", "another", "last", "final", "just"})
"""Words before "one" or "question" that say a question comes."""
_QUESTION_WORDS: Final = frozenset(
    {"what", "which", "who", "whom", "whose", "where", "when", "why", "how"}
)
_IDLE_KINDS: Final = frozenset({"greeting", "thanks", "assistant", "yes_no", "now", "document",
                                "contents", "profile", "narrative"})  # fmt: skip
"""Kinds of cue that may stand in it."""
_ATTRIBUTES: Final = frozenset({TermKind.PROPERTY, TermKind.FACT})
_CLOSING: Final = frozenset(
    {"best", "kind", "warm", "many", "regards", "wishes", "cheers", "thanks", "yours", "sincerely"}
)
"""Words before a signature."""
_TO_THEN: Final = frozenset({"by", "until", "till", "at", "since", "back", "up", "to"})
"""Words before a "then" that is a day named before."""
_ENOUGH: Final = 3
"""Words that a question of documents alone has."""
_LONG: Final = 12
"""Words that tell a story, and no reason."""
_SURE: Final = 0.9
"""The least score of a type, or of an attribute of several words, that a story would not name."""
_ASKING: Final = _QUESTION_WORDS | frozenset(
    {"is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "may",
     "should", "would", "will", "list", "show", "give", "name", "tell", "compare", "rank", "find",
     "count", "sort", "explain", "summarise", "summarize", "describe", "if", "suppose", "say"}
)  # fmt: skip
"""Words that a question or an order begins with."""


def asked_part(reading: Understood) -> str | None:
    """Return the text without what stands around the question; ``None`` where nothing does.

    What names something of the domain, a number or a time is never left out.
    """
    sentences = sentences_of(reading.text, reading.tokens)
    kept = sentences[:]
    while len(kept) > 1 and _is_idle(reading, kept[0]):
        kept.pop(0)
    while len(kept) > 1 and _is_idle(reading, kept[-1]) and _mark(reading, kept[-2]) != ":":
        kept.pop()
    kept = _without_story(reading, kept)
    if len(kept) == len(sentences) or not _asks(reading, kept):
        return None
    start = reading.tokens[kept[0].first].start
    ahead = reading.tokens[kept[-1].last :]
    return reading.text[start : ahead[0].start if ahead else None].strip()


def sentences_of(text: str, tokens: Sequence[Token]) -> list[Span]:
    """Return the words cut at ends of sentences, colons, semicolons and dashes."""
    found, first = [], 0
    for index in range(1, len(tokens)):
        if _ENDS.search(text[tokens[index - 1].end : tokens[index].start]):
            found.append(Span(first=first, last=index))
            first = index
    return [*found, Span(first=first, last=len(tokens))] if tokens else []


def _is_idle(reading: Understood, sentence: Span) -> bool:
    words = {reading.tokens[i].lower for i in sentence}
    untold = {TermKind.RELATION, *(_ATTRIBUTES if _announces(reading, sentence) else ())}
    telling = [
        *(m.span for m in reading.mentions),
        *(t.span for t in reading.terms if t.kind not in untold),
        *(t.span for t in reading.times),
        *(q.span for q in reading.quantities if reading.words(q.span).casefold() != "one"),
        *(c.span for c in reading.cues if not _says_nothing(reading, c)),
    ]
    is_chat = bool(words & _CHATTING) and not words & _QUESTION_WORDS
    return is_chat and not any(span.overlaps(sentence) for span in telling)


def _announces(reading: Understood, sentence: Span) -> bool:
    """Whether words say that a question comes: "Quick one before the budget round:"."""
    words = [reading.tokens[i].lower for i in sentence]
    is_opened = bool(_ANNOUNCING & set(words[:1])) and words[1:2] in (["one"], ["question"])
    return _mark(reading, sentence) == ":" and is_opened


def _says_nothing(reading: Understood, cue: Cue) -> bool:
    """Whether a cue may stand in what is left out; so may "before" without a day."""
    is_before = cue.kind == "before_now" and reading.words(cue.span).casefold() == "before"
    return cue.kind in _IDLE_KINDS or is_before


def _without_story(reading: Understood, sentences: list[Span]) -> list[Span]:
    """Leave out what stands before the first sentence that asks or names something, if it is long.

    And what follows the last one and says nothing: a signature, good wishes. What is left must say
    something by itself: "which ones qualify?" does not.
    """
    asking = [n for n, s in enumerate(sentences) if not _is_story(reading, s)]
    if not asking:
        return sentences
    first, last = asking[0], asking[-1] + 1
    while last < len(sentences) and (
        _tells(reading, sentences[last]) or _mark(reading, sentences[last - 1]) == ":"
    ):
        last += 1
    is_long = sum(len(s) for s in sentences[:first]) >= _LONG
    kept = sentences[first if is_long else 0 : last]
    return kept if _says_something(reading, kept) else sentences


def _is_story(reading: Understood, sentence: Span) -> bool:
    """Whether a sentence neither asks nor names anything of the domain.

    "My question is:", "what a day!" and "could you look into this?" ask nothing.
    """
    words = [reading.tokens[i].lower for i in sentence]
    mark = _mark(reading, sentence)
    if _is_of_then(reading, sentence):
        return False
    is_cry = len(words) > 1 and words[0] == "what" and words[1] in {"a", "an"}
    is_begun = words[0] in _ASKING and mark != ":" and not is_cry
    is_question = (is_begun or mark == "?") and bool(_content(reading, sentence))
    telling = [m.span for m in reading.mentions if _is_name(m)]
    telling += [
        t.span
        for t in reading.terms
        if t.score >= _SURE
        and (t.kind is TermKind.TYPE or (t.kind in _ATTRIBUTES and len(t.span) > 1))
    ]
    return not (is_question or any(span.overlaps(sentence) for span in telling))


def _is_of_then(reading: Understood, sentence: Span) -> bool:
    """Whether a sentence names the day that a later one speaks of: "how much was it by then?"."""
    words = [token.lower for token in reading.tokens]
    back = {i for i in range(sentence.last, len(words)) if words[i] == "then" and i}
    is_meant = any(words[i - 1] in _TO_THEN for i in back)
    return is_meant and any(time.span.overlaps(sentence) for time in reading.times)


def _mark(reading: Understood, sentence: Span) -> str:
    """Return the mark that a sentence ends with."""
    return reading.text[reading.tokens[sentence.last - 1].end :].lstrip()[:1]


def _tells(reading: Understood, sentence: Span) -> bool:
    """Whether a sentence after a question narrows it, or asks too: by a value, a time, a cue."""
    if _mark(reading, sentence) == "?":
        return True
    if _is_closing(reading, sentence):
        return False
    telling = [t.span for t in reading.terms if t.kind is not TermKind.RELATION]
    telling += [t.span for t in reading.times]
    telling += [q.span for q in reading.quantities]
    telling += [c.span for c in reading.cues if c.kind not in _IDLE_KINDS]
    return any(span.overlaps(sentence) for span in telling)


def _is_closing(reading: Understood, sentence: Span) -> bool:
    """Whether a sentence is a farewell, maybe with a signature: "Best, Tolu"."""
    words = [reading.tokens[i] for i in sentence]
    farewell = list(takewhile(lambda token: token.lower in _CLOSING, words))
    is_whole = len(farewell) == len(words)
    return bool(farewell) and (is_whole or reading.text[farewell[-1].end :].startswith(","))


def _says_something(reading: Understood, sentences: Sequence[Span]) -> bool:
    """Whether sentences name something of the domain, or have words enough."""
    telling = [t.span for t in reading.terms] + [m.span for m in reading.mentions]
    is_named = any(span.overlaps(sentence) for span in telling for sentence in sentences)
    n_words = sum(len(_content(reading, sentence)) for sentence in sentences)
    return is_named or n_words >= _ENOUGH


def _content(reading: Understood, sentence: Span) -> list[Token]:
    """Return the words of a sentence that say something."""
    general = general_words()
    tokens = (reading.tokens[i] for i in sentence)
    return [t for t in tokens if general.is_content(t) and t.stem not in general.vague_stems]


def _is_name(mention: Mention) -> bool:
    """Whether a name is meant, and no everyday word that is a part of one."""
    is_whole = any(c.score >= 1 for c in mention.candidates)
    return is_whole or any(letter.isupper() for letter in mention.text)


def _asks(reading: Understood, kept: Sequence[Span]) -> bool:
    """Whether what is kept has a word that says something."""
    tokens = (reading.tokens[i] for sentence in kept for i in sentence)
    return any(general_words().is_content(token) for token in tokens)
