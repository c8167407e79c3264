"""What stands before or behind what is asked for, put where it stands in a statement."""

from typing import Final, TypeAlias

from tiers.cag.gist_words import base_of, gist_words
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
_ITSELF: Final = frozenset({"it", "its"})
_FRONTED: Final = frozenset({"under", "on", "at", "from", "to", "with", "about", "for", "in"})
"""Links that stand before what is asked for, or at the end."""


def in_order(words: list[str]) -> list[str]:
    """Return the words of a question in the order of a statement.

    What is a name or a term is written in angle brackets, with its kind before a colon.
    """
    words = _topical(words)
    for ordered in (_agreed, _since, _supposed, _compared, _ranked, _said_in):
        words = ordered(words)
    return _placed(_stranded(_with_the_time_last(_fronted(words))))


def _topical(words: list[str]) -> list[str]:
    """Turn "A: which B use it" into "which B use A", and "A: what is its B" into "what is A B"."""
    rest = words[1:] if words[:1] and words[0] in ARTICLES else words
    if not rest or not rest[0].startswith("<entity:"):
        return words
    one, asked = rest[0], rest[1:]
    places = [i for i, word in enumerate(asked) if word in _ITSELF]
    is_asked = bool(asked) and (asked[0] in ASKING | BE | {"do", "does", "did"})
    if not is_asked or len(places) != 1 or any(w.startswith("<entity:") for w in asked):
        return words
    asked[places[0]] = one
    return asked


def _agreed(words: list[str]) -> list[str]:
    """Turn "the contract with A" into "A contract"."""
    found = list(words)
    for at in range(len(found) - 3, -1, -1):
        noun, link, one = found[at : at + 3]
        if is_deal(noun) and link == "with" and one.startswith("<entity:"):
            found[at : at + 3] = [one, noun]
    return found


def is_deal(word: str) -> bool:
    """Whether a word, or the name of a term, is what one has with somebody: "contract"."""
    return (word.partition(":")[2].rstrip(">") or word) in gist_words().deals


def _since(words: list[str]) -> list[str]:
    """Turn "since when has A done B", "since when is B done by A" into "since when does A do B"."""
    if words[:3] == ["from", "when", "on"]:
        words = ["since", "when", *words[3:]]
    if words[:2] != ["since", "when"]:
        return words
    rest = [w for w in words[2:] if w not in HAVE | BE | {"does", "did"}]
    done = [i for i, word in enumerate(rest) if is_done(word)]
    if len(done) > 1:
        return words
    if done and rest[done[0] + 1 : done[0] + 2] == ["by"]:
        patient, agent = rest[: done[0]], rest[done[0] + 2 :]
        rest = [*agent, active(rest[done[0]]), *patient]
    elif done:
        rest[done[0]] = active(rest[done[0]])
    return ["since", "when", "does", *rest]


def _supposed(words: list[str]) -> list[str]:
    """Turn "what would happen if A failed" and "what happens when A fails" into one."""
    if words[:3] == ["what", "happens", "when"]:
        return [*words[:2], "if", *words[3:]]
    if "would" not in words or "if" not in words or {"had", "been"} & set(words):
        return words
    at = words.index("would")
    if words[at + 1 : at + 2] == ["get"] and is_done("".join(words[at + 2 : at + 3])):
        words = [*words[: at + 1], "be", *words[at + 2 :]]
    at = words.index("if")
    unreal = [active(w) if i > at and is_done(w) else w for i, w in enumerate(words)]
    if words[:4] == ["what", "would", "happen", "if"]:
        return ["what", "happens", *unreal[3:]]
    return unreal


def _ranked(words: list[str]) -> list[str]:
    """Turn "A ranked by B" into "rank A by B"."""
    at = next((i for i in range(1, len(words)) if words[i : i + 2] == ["ranked", "by"]), None)
    if at is None or ASKING.intersection(words) or BE.intersection(words):
        return words
    return ["rank", *words[:at], *words[at + 1 :]]


def _said_in(words: list[str]) -> list[str]:
    """Turn "what is in A about B", "what is said about B in A" into "what does A say about B"."""
    match words:
        case ["what", be, "in", *rest] if be in BE and "about" in rest:
            at = rest.index("about")
            return ["what", "does", *rest[:at], "say", *rest[at:]]
        case ["what", be, "said" | "written", "about", *rest] if be in BE and "in" in rest:
            at = rest.index("in")
            return ["what", "does", *rest[at + 1 :], "say", "about", *rest[:at]]
        case _:
            return words


def _compared(words: list[str]) -> list[str]:
    """Turn "how do A and B compare" and "compare A with B" into "compare A and B"."""
    if words[:2] in (["how", "do"], ["how", "does"]) and words[-1:] == ["compare"]:
        words = ["compare", *words[2:-1]]
    if words[:1] != ["compare"]:
        return words
    rest = [w for w in words[1:] if w not in ARTICLES]
    at = next((i for i, w in enumerate(rest) if w in {"with", "to", "against"}), None)
    if at is not None and "and" not in rest and rest[at + 1 : at + 2]:
        rest[at] = "and"
    return ["compare", *rest]


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
    if words[:1] and words[0] in _FRONTED and (asked := ASKING.intersection(words[2:])):
        at = next(i for i, word in enumerate(words) if word in asked)
        words = [*words[at:], *words[:at]]
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
