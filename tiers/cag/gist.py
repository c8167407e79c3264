"""What a question asks, in one form for all wordings that ask the same, and for no others.

What differs in anything but the words of ``gist_words.yaml``, the inflection of words, "B of A" for
"A's B", and a passive for its active, has another gist: a number, a name, a "not", an order of two
names, a day, a unit. So opposites need no list: two words are two words.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from tiers.cag.gist_words import base_of, gist_words
from trivium.domain.question import Mention, TermKind, Token, Understood
from trivium.language.phrases import unit_of
from trivium.language.text import fold, is_participle, is_past, tokenize
from trivium.language.words import general_words

Gist: TypeAlias = tuple[str, ...]

_SURE: Final = 0.95
"""The score of a schema's own word for something; what is less sure is left as it was typed."""
_MAX_WORDS: Final = 40
_SIGNS: Final = frozenset("?!.,;:'\"’‘“”()[]{}…`´")
"""Marks that only part what is said."""
_BE: Final = frozenset({"is", "are", "am", "be", "was", "were", "been", "being"})
_DO: Final = frozenset({"do", "does", "did"})
_HAVE: Final = frozenset({"have", "has"})
_PAST: Final = frozenset({"was", "were", "did", "had"})
_ASKING: Final = frozenset({"who", "whom", "what", "which", "when", "where", "why", "how"})
_ARTICLES: Final = frozenset({"the", "a", "an", "our", "this", "these", "those", "that"})
_DONE: Final = "(ed)"
"""After the name of a relation: it was said as a participle."""
_LINKS: Final = frozenset(
    {"of", "for", "in", "on", "at", "by", "to", "from", "with", "without", "than", "before", "after",
     "until", "since", "during", "into", "about", "over", "under", "between", "within", "and", "or",
     "not", "if", "but"}
)  # fmt: skip
_PARTING: Final = _LINKS | _BE | _DO | _HAVE | _ASKING
"""Words at which a run of nouns ends."""
_THAN: Final = {w: ("more", "than") for w in ("over", "above", "exceeding")} | {
    w: ("less", "than") for w in ("under", "below")
}  # fmt: skip
"""What some words say before a number."""
_SIZES: Final = frozenset({"long", "high", "large", "big", "great", "low", "small"})


def is_personal(text: str) -> bool:
    """Whether a question is about its asker.

    >>> is_personal("What is my open order total?"), is_personal("How do I order?")
    (True, False)
    """
    said = " ".join(token.lower for token in tokenize(text) if token.text not in _SIGNS)
    return gist_words().personal.search(said) is not None


def gist(question: Understood) -> Gist | None:
    """Return what a question asks; ``None`` where it is too long, or was not read in full."""
    if question.is_shortened or len(question.tokens) > _MAX_WORDS:
        return None
    said = " ".join(_named(question))
    words = " ".join(gist_words().wordings.sub(_meant, said).split()).split()
    words = _stranded(_with_the_time_last(words))
    while words and words[0] in _ARTICLES:
        words = words[1:]
    if not words:
        return None
    tense, words = _tense(words)
    kind, words = _kind(words)
    words = _active_form(kind, _owned(kind, words))
    return _agents(kind, tense, list(_content(_turned(kind, words))))


def _with_the_time_last(words: list[str]) -> list[str]:
    """Put the one time that is named behind all else, without the "on" before it."""
    times = [i for i, word in enumerate(words) if word.startswith("<time:")]
    if len(times) != 1:
        return words
    (at,) = times
    before = words[: at - 1] if at and words[at - 1] in {"on", "in", "at"} else words[:at]
    return [*before, *words[at + 1 :], words[at]]


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
        if term.score >= _SURE and term.kind is not TermKind.VALUE:
            last = tokens[term.span.last - 1]
            form = _DONE if term.kind is TermKind.RELATION and _is_done(last.lower) else ""
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


def _is_done(word: str) -> bool:
    return word.endswith((_DONE, "ed")) or is_participle(word)


def _active(verb: str) -> str:
    return verb.removesuffix(_DONE) if verb.startswith("<") else base_of(verb)


def _stranded(words: list[str]) -> list[str]:
    """Turn "by whom is A V", "by which B is A V" and "who is A V by" into "who V A"."""
    at = next((i for i, word in enumerate(words) if word in _BE), 0)
    asked, rest = words[:at], words[at + 1 :]
    if asked[:1] == ["by"] and asked[1:2] and asked[1] in _ASKING:
        asked = asked[1:]
    elif asked[:1] in (["who"], ["whom"]) and rest[-1:] == ["by"]:
        rest = rest[:-1]
    else:
        return words
    if len(rest) < 2 or not _is_done(rest[-1]):
        return words
    tense = [words[at]] if words[at] in _PAST else []
    return [*asked, *tense, _active(rest[-1]), *rest[:-1]]


def _tense(words: list[str]) -> tuple[list[str], list[str]]:
    """Return what tells another time than the present, and the words without the perfect."""
    if _PAST.intersection(words):
        return ["(past)"], words
    helpers = (_BE | _HAVE | _DO).intersection(words)
    done = [i for i, w in enumerate(words) if is_past(w) or (len(w) > 4 and _is_done(w))]
    has = [i for i, word in enumerate(words) if word in _HAVE and done and i < done[-1]]
    if has and words[-1] not in _HAVE:
        return ["(perfect)"], [w for i, w in enumerate(words) if i != has[0] and w != "been"]
    return (["(past)"] if done and not helpers else []), words


def _kind(words: list[str]) -> tuple[str, list[str]]:
    """Return what sort of answer is asked for, and the words without those that say it."""
    match words:
        case ["how", "many", *rest]:
            return "count", rest
        case ["whether" | "if", *rest]:
            return "whether", rest
        case ["who" | "what", be, verb, *rest] if be in _BE and _is_going_on(verb):
            return "value", [words[0], verb, *rest]
        case ["what" | "who" | "which", be, *rest] if be in _BE:
            return "value", rest
        case [noun, be, told] | ["which" | "what", noun, be, told] | [noun, "that", be, told] if (
            be in _BE and not _names_one(told) and noun not in _PARTING
        ):
            return "value", [told, noun]
        case ["what", "the", *rest] if _BE.intersection(rest):
            return "value", rest
        case ["how", size, be, *rest] if size in _SIZES and be in _BE and _is_measure(rest):
            return "value", rest
        case ["how", "much", *rest] if _is_measure(rest):
            return "value", rest
        case [first, *_] if first in _BE | _DO:
            return "whether", words
        case ["what" | "which", *rest] if rest and rest[0] not in {"the", *_DO, *_HAVE}:
            return "value", rest
        case _:
            return "value", words


def _is_going_on(verb: str) -> bool:
    return verb.endswith("ing") and len(verb) > 5


def _names_one(word: str) -> bool:
    return word.startswith(("<entity:", "<type:")) or word[0].isdigit()


def _is_measure(words: Sequence[str]) -> bool:
    """Whether an attribute is named whose name tells its unit, so that its size is its value."""
    terms = [w for w in words if w.startswith(("<property:", "<fact:"))]
    name = terms[0].partition(":")[2].removesuffix(">") if len(terms) == 1 else ""
    return unit_of(name, general_words().units) is not None


def _owned(kind: str, words: list[str]) -> list[str]:
    """Turn "which B does A have", "B that A has" and "how many B has A" into A, B: what is A's.

    Of other questions, leave "do" out: the order of the words says who does what.
    """
    at = next((i for i, word in enumerate(words) if word in _DO), None)
    if at is not None:
        owned, rest = words[:at], words[at + 1 :]
        is_had = bool(owned) and len(rest) > 1 and rest[-1] in _HAVE
        owner = rest[:-1]
    elif kind == "count" and "has" in words[:-1]:
        at = words.index("has")
        is_had, owned, owner, rest = True, words[:at], words[at + 1 :], words[at:]
    else:
        is_had = len(words) > 2 and words[-1] in _HAVE
        at = next((i for i in reversed(range(len(words))) if _begins_a_name(words[i])), 0)
        owned, owner, rest = words[:at], words[at:-1], words[at:]
    if is_had and owned and owner and not _PARTING.intersection(owned + owner):
        return [*owner, *owned]
    return [*owned, *rest]


def _begins_a_name(word: str) -> bool:
    return word in _ARTICLES or word.startswith("<entity:")


def _active_form(kind: str, words: list[str]) -> list[str]:
    """Turn "O is V by S" into the order of the active: S V O, and O S V where O is asked for."""
    places = [i for i, word in enumerate(words) if word == "by"]
    if len(places) != 1 or not _BE.intersection(words):
        return words
    (at,) = places
    agent, verb = words[at + 1 :], words[at - 1] if at else ""
    if not agent or not _is_done(verb) or _LINKS.intersection(agent):
        return words
    patient = [word for word in words[: at - 1] if word not in _BE]
    turned = [*agent, _active(verb)]
    return [*turned, *patient] if kind == "whether" else [*patient, *turned]


def _turned(kind: str, words: Sequence[str]) -> list[str]:
    """Turn "B of A" into A, B, from the last "of" to the first; so too a number of B in A."""
    found = list(words)
    places = [i for i, word in enumerate(words) if word in {"of", "for"}]
    if kind == "count" and not places:
        places = [i for i, word in enumerate(words) if word in {"in", "at"}]
    for at in reversed(places):
        start, end = at, at + 1
        while start and found[start - 1] not in _PARTING and found[start - 1][:7] != "<entity":
            start -= 1
        while end < len(found) and not _ends(found, at, end):
            end += 1
        if start < at and end > at + 1:
            found[start:end] = [*found[at + 1 : end], *found[start:at]]
    return found


def _ends(words: Sequence[str], at: int, end: int) -> bool:
    """Whether the run of nouns after a place ends before another."""
    is_whole = any(word.startswith("<entity:") for word in words[at + 1 : end])
    return is_whole or words[end] in _PARTING or words[end].startswith("<time:")


def _content(words: Sequence[str]) -> Iterator[str]:
    """Give what is left without light words, each without its inflection."""
    light, same = gist_words().light, gist_words().same
    for index, word in enumerate(words):
        after = words[index + 1 : index + 2]
        is_linking = word == "who" and index > 0 and words[index - 1] not in _PARTING
        if word in light or word in _PAST - {"had"} or is_linking:
            continue
        if word in _THAN and after and after[0][0].isdigit():
            yield from _THAN[word]
            continue
        base = word.removesuffix(_DONE) if word.startswith("<") else base_of(word)
        yield same.get(base, base)


def _agents(kind: str, tense: Sequence[str], words: Sequence[str]) -> Gist:
    """Turn "who supplies A" and "which suppliers supply A" into the suppliers of A.

    Only where both words are the schema's, so that the one is known to do the other.
    """
    match words:
        case ["who", verb, one] if _are(one, verb):
            return "value", *tense, one, f"<who:{_root(verb)}>"
        case [who, verb, one] if _are(one, verb) and who.startswith("<type:"):
            if kind == "value" and _root(who) == _root(verb):
                return "value", *tense, one, f"<who:{_root(verb)}>"
        case [one, who] if one.startswith("<entity:") and who.startswith("<type:"):
            if kind == "value" and who.endswith("er>"):
                return "value", *tense, one, f"<who:{_root(who)}>"
        case _:
            pass
    return kind, *tense, *words


def _are(entity: str, verb: str) -> bool:
    return entity.startswith("<entity:") and verb.startswith("<relation:")


def _root(word: str) -> str:
    name = word.partition(":")[2].removesuffix(">")
    return name.removesuffix("er").rstrip("syei")
