"""What stands before or behind what is asked for, put where it stands in a statement."""

from typing import Final, TypeAlias

from tiers.cag.gist_words import base_of
from trivium.language.text import is_participle

Gist: TypeAlias = tuple[str, ...]
BE: Final = frozenset({"is", "are", "am", "be", "was", "were", "been", "being"})
HAVE: Final = frozenset({"have", "has"})
PAST: Final = frozenset({"was", "were", "did", "had"})
ASKING: Final = frozenset({"who", "whom", "what", "which", "when", "where", "why", "how"})
ARTICLES: Final = frozenset({"the", "a", "an", "our", "this", "these", "those", "that"})
DONE: Final = "(ed)"
"""After the name of a relation: it was said as a participle."""
_CONNECTED: Final = frozenset({"connected", "linked"})
_CONNECTS: Final = frozenset({"connects", "links"})
_CONNECTIONS: Final = frozenset({"connection", "link"})
_FRONTED: Final = frozenset({"under", "on", "at", "from", "to", "with", "about", "for", "in"})
"""Links that stand before what is asked for, or at the end."""


def in_order(words: list[str]) -> list[str]:
    """Return the words of a question in the order of a statement.

    What is a name or a term is written in angle brackets, with its kind before a colon.
    """
    return _placed(_stranded(_with_the_time_last(_fronted(words))))


def joined(words: list[str]) -> Gist | None:
    """Return the gist of what asks how two entities are connected, in any of the usual ways."""
    match [word for word in words if word not in ARTICLES]:
        case ["how", "is" | "are", one, "and", other, verb] if verb in _CONNECTED:
            pair = one, other
        case ["how", "is" | "are", one, verb, "to" | "with", other] if verb in _CONNECTED:
            pair = one, other
        case ["what", verb, one, "and" | "to" | "with", other] if verb in _CONNECTS:
            pair = one, other
        case [*before, noun, "between", one, "and", other] if noun in _CONNECTIONS:
            if before not in ([], ["what", "is"]):
                return None
            pair = one, other
        case _:
            return None
    is_sure = all(name.startswith("<entity:") for name in pair)
    return ("value", "connection", *pair) if is_sure else None


def is_done(word: str) -> bool:
    """Whether a word, or the name of a relation, is a participle."""
    return word.endswith((DONE, "ed")) or is_participle(word)


def active(verb: str) -> str:
    """Return a verb, or the name of a relation, that is no participle."""
    return verb.removesuffix(DONE) if verb.startswith("<") else base_of(verb)


def _fronted(words: list[str]) -> list[str]:
    """Turn "if A, which B" into "which B if A", "under which B does A" into "which B does A under".

    And "has A got B" into "does A have B".
    """
    if words[:1] == ["if"] and (asked := ASKING.intersection(words[2:])):
        at = next(i for i, word in enumerate(words) if word in asked)
        words = [*words[at:], *words[:at]]
    if len(words) > 3 and words[0] in _FRONTED and words[1] in {"which", "what", "whom"}:
        return [*words[1:], words[0]]
    if len(words) > 3 and words[0] in HAVE and words[2] == "got":
        return ["does", words[1], "have", *words[3:]]
    return words


def _with_the_time_last(words: list[str]) -> list[str]:
    """Put the one time that is named behind all else, without the "on" before it."""
    times = [i for i, word in enumerate(words) if word.startswith("<time:")]
    if len(times) != 1:
        return words
    (at,) = times
    before = words[: at - 1] if at and words[at - 1] in {"on", "in", "at"} else words[:at]
    return [*before, *words[at + 1 :], words[at]]


def _stranded(words: list[str]) -> list[str]:
    """Turn "by whom is A V", "by which B is A V" and "who is A V by" into "who V A"."""
    at = next((i for i, word in enumerate(words) if word in BE), 0)
    asked, rest = words[:at], words[at + 1 :]
    if asked[:1] == ["by"] and asked[1:2] and asked[1] in ASKING:
        asked = asked[1:]
    elif asked[:1] in (["who"], ["whom"]) and rest[-1:] == ["by"]:
        rest = rest[:-1]
    else:
        return words
    if len(rest) < 2 or not is_done(rest[-1]):
        return words
    tense = ["did"] if words[at] in PAST else []
    return [*asked, active(rest[-1]), *rest[:-1], *tense]


def _placed(words: list[str]) -> list[str]:
    """Turn "in which B is A made", "which B is A made in", into "which B makes A"; B is a type."""
    match [word for word in words if word not in ARTICLES]:
        case [("which" | "what") as asked, kind, be, one, verb, "in"] if be in BE:
            is_so = kind.startswith("<type:") and one.startswith("<entity:")
            if is_so and verb.startswith("<relation:") and verb.endswith(DONE):
                return [asked, kind, active(verb), one, *(["did"] if be in PAST else [])]
        case _:
            pass
    return words
