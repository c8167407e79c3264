"""The forms in which questions are said, turned into one: voice, tense, "of" and "have"."""

from collections.abc import Iterator, Sequence
from typing import Final

from tiers.cag.gist_amounts import asks_amount, is_measure
from tiers.cag.gist_order import (
    ARTICLES,
    ASKING,
    BE,
    DONE,
    HAVE,
    PAST,
    Gist,
    active,
    in_order,
    is_deal,
    is_done,
    joined,
)
from tiers.cag.gist_words import base_of, gist_words, singular_of
from trivium.language.text import is_past

_DO: Final = frozenset({"do", "does", "did"})
_LINKS: Final = frozenset(
    {"of", "for", "in", "on", "at", "by", "to", "from", "with", "without", "than", "before"}
    | {"after", "until", "since", "during", "into", "about", "over", "under", "between", "within"}
    | {"and", "or", "not", "if", "but"}
)
_SHARES: Final = frozenset({"percentage", "percent"})
_UTMOST: Final = {
    **dict.fromkeys(("highest", "greatest", "largest", "biggest"), "highest"),
    **dict.fromkeys(("lowest", "smallest"), "lowest"),
}
"""What tells the same of an amount."""
_PLACES: Final = frozenset({"in", "at"})
_PARTING: Final = _LINKS | BE | _DO | HAVE | ASKING
"""Words at which a run of nouns ends."""
_THAN: Final = {
    **dict.fromkeys(("over", "above", "exceeding"), ("more", "than")),
    **dict.fromkeys(("under", "below"), ("less", "than")),
}
"""What some words say before a number."""


def gist_of(words: list[str]) -> Gist:
    """Return the gist of the words of a question, entities, days and sure terms in one form each.

    What is a name or a term is written in angle brackets, with its kind before a colon.
    """
    words = in_order(words)
    while words and words[0] in ARTICLES:
        words = words[1:]
    if not words:
        return ()
    if (pair := joined(words)) is not None:
        return pair
    tense, words = _tense(words)
    kind, words = _kind(words)
    has_do = bool(_DO.intersection(words)) and kind != "count"
    words = _active_form(kind, _owned(kind, words))
    words = _turned(kind, words, is_asked_with_do=has_do and not HAVE.intersection(words[-1:]))
    return _agents(kind, tense, list(_content(words)))


def _tense(words: list[str]) -> tuple[list[str], list[str]]:
    """Return what tells another time than the present, and the words without the perfect."""
    if PAST.intersection(words):
        return ["(past)"], words
    helpers = (BE | HAVE | _DO).intersection(words)
    nexts = [*words[1:], ""]
    done = [i for i, word in enumerate(words) if _may_be_past(word) and nexts[i] != "by"]
    has = [i for i, word in enumerate(words) if word in HAVE and done and i < done[-1]]
    if has and words[-1] not in HAVE:
        return ["(past)"], [word for i, word in enumerate(words) if i != has[0]]
    return (["(past)"] if done and not helpers else []), words


def _may_be_past(word: str) -> bool:
    return is_past(word) or (word.endswith((DONE, "ed")) and len(word) > 3 and word[-3:] != "eed")


def _kind(words: list[str]) -> tuple[str, list[str]]:
    """Return what sort of answer is asked for, and the words without those that say it."""
    match words:
        case ["how", "many", *rest]:
            return "count", rest
        case ["whether" | "if", *rest]:
            return "whether", rest
        case [first, *_] if first in BE | _DO:
            return "whether", words
        case _:
            return "value", _predicated(words) or _told(words)


def _predicated(words: list[str]) -> list[str] | None:
    """Turn "which B are A" and "B that are A" into "A B", where A is one word and no name."""
    match words:
        case [noun, be, told] | ["which" | "what", noun, be, told] | [noun, "that", be, told]:
            is_one = be in BE and noun not in _PARTING
            return [told, noun] if is_one and not _names_one(told) else None
        case _:
            return None


def _told(words: list[str]) -> list[str]:
    """Return the words without a "what is" or "which" at their beginning."""
    match words:
        case ["who" | "what", be, verb, *_] if be in BE and _is_going_on(verb):
            return words
        case ["what" | "who" | "which", be, *rest] if be in BE:
            return rest
        case ["what", "the", *rest] if BE.intersection(rest):
            return rest
        case ["who", "the", *rest, be] if be in BE:
            return rest
        case ["what" | "which", *rest] if rest and not _is_embedded(rest[0]):
            return rest
        case ["how", told, be, *rest] if rest and be in BE and told.startswith("<property:"):
            return [*rest, told]
        case ["how", size, be, *rest] if be in BE and asks_amount(size, rest):
            return rest
        case _:
            return _told_otherwise(words)


def _told_otherwise(words: list[str]) -> list[str]:
    if (
        words[:1] == ["where"]
        and BE.intersection(words[1:2])
        and words[-1].startswith("<property:")
    ):
        return words[2:]  # "where is A based" asks for its place
    is_amount = words[:2] == ["how", "much"] and is_measure(words[2:])
    return words[2:] if is_amount else words


def _is_embedded(word: str) -> bool:
    """Whether a word after "what" begins what is told of it: "what A did", no kind of thing."""
    return word == "the" or word in _DO | HAVE or word.startswith("<entity:")


def _is_going_on(verb: str) -> bool:
    return verb.endswith("ing") and len(verb) > 5


def _names_one(word: str) -> bool:
    return word.startswith(("<entity:", "<type:")) or word[0].isdigit()


def _owned(kind: str, words: list[str]) -> list[str]:
    """Turn "which B does A have", "B that A has" and "how many B has A" into A, B: what is A's.

    Of other questions, leave "do" out: the order of the words says who does what.
    """
    at = next((i for i, word in enumerate(words) if word in _DO), None)
    if at is not None:
        owned, rest = words[:at], words[at + 1 :]
        is_had = bool(owned) and len(rest) > 1 and rest[-1] in HAVE
        owner = rest[:-1]
    elif kind == "count" and "has" in words[:-1]:
        words = words[:-1] if words[-1] == "got" else words
        at = words.index("has")
        is_had, owned, owner, rest = True, words[:at], words[at + 1 :], words[at:]
    else:
        is_had = len(words) > 2 and words[-1] in HAVE
        at = next((i for i in reversed(range(len(words))) if _begins_a_name(words[i])), 0)
        owned, owner, rest = words[:at], words[at:-1], words[at:]
    if is_had and owned and owner and not _PARTING.intersection(owned + owner):
        return [*owner, *owned]
    return [*owned, *rest]


def _begins_a_name(word: str) -> bool:
    return word in ARTICLES or word.startswith("<entity:")


def _active_form(kind: str, words: list[str]) -> list[str]:
    """Turn "O is V by S" into the order of the active: S V O, and O S V where O is asked for."""
    places = [i for i, word in enumerate(words) if word == "by"]
    if len(places) != 1:
        return words
    (at,) = places
    agent, verb = words[at + 1 :], words[at - 1] if at else ""
    if not (BE.intersection(words) or verb.endswith(DONE)):
        return words
    if not agent or not is_done(verb) or _LINKS.intersection(agent):
        return words
    patient = [word for word in words[: at - 1] if word not in BE]
    turned = [*agent, active(verb)]
    return [*turned, *patient] if kind == "whether" else [*patient, *turned]


def _turned(kind: str, words: Sequence[str], *, is_asked_with_do: bool) -> list[str]:
    """Turn "B of A" into A, B, from the last "of" to the first; so too a number of B in A.

    After "do", a verb may stand behind A, where nothing tells it from A but a name.
    """
    found = list(words)
    places = [i for i, word in enumerate(words) if word in {"of", "for"}]
    if kind in {"count", "value"} and not places:
        places = [i for i, word in enumerate(words) if word in _PLACES]
    for at in reversed(places):
        start, end = at, at + 1
        while start and not _begins(found[start - 1]):
            start -= 1
        while end < len(found) and not _ends(found, at, end):
            end += 1
        is_sure = not is_asked_with_do or found[end - 1].startswith("<entity:")
        if words[at] in _PLACES and kind != "count":  # all that is asked for, of one entity
            is_all = ARTICLES.issuperset(found[:start]) and end == len(found)
            is_sure = is_all and (found[end - 1].startswith("<entity:") or is_deal(found[end - 1]))
        if start < at and end > at + 1 and is_sure:
            found[start:end] = [*found[at + 1 : end], *found[start:at]]
    return found


def _begins(word: str) -> bool:
    """Whether a run of nouns begins after a word."""
    return word in _PARTING or word in ARTICLES or word.startswith("<entity:")


def _ends(words: Sequence[str], at: int, end: int) -> bool:
    """Whether the run of nouns after a place ends before another."""
    is_whole = any(word.startswith("<entity:") for word in words[at + 1 : end])
    is_whole = is_whole and not (words[end - 1].startswith("<entity:") and is_deal(words[end]))
    return is_whole or words[end] in _PARTING or words[end].startswith("<time:")


def _content(words: Sequence[str]) -> Iterator[str]:
    """Give what is left without light words, each without its inflection."""
    light, same = gist_words().light, gist_words().same
    is_passive = bool(BE.intersection(words))
    for index, word in enumerate(words):
        after = words[index + 1 : index + 2]
        is_share = index > 0 and words[index - 1].endswith(("_percent>", "_pct>"))
        if is_share and word in _SHARES:
            continue
        if word in _UTMOST and after and after[0].startswith(("<property:", "<fact:")):
            yield _UTMOST[word]
            continue
        is_linking = word == "who" and index > 0 and words[index - 1] not in _PARTING
        if word in light or word in PAST - {"had"} or is_linking:
            continue
        if word in _THAN and after and after[0][0].isdigit():
            yield from _THAN[word]
            continue
        form = _form(word, is_passive=is_passive, before=words[index - 1] if index else "")
        yield same.get(form, form)


def _form(word: str, *, is_passive: bool, before: str) -> str:
    """Return a word without what does not matter of its inflection.

    What "is closed" does not close: with a form of "be", a participle stays what it is.
    """
    if word.startswith("<"):
        return word if is_passive else word.removesuffix(DONE)
    if is_passive and word in gist_words().unchanged:
        return f"{word}{DONE}"
    is_verb = before in BE if word.endswith("ing") else not is_passive and _may_be_past(word)
    return base_of(word) if is_verb else singular_of(word)


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
    return entity.startswith("<entity:") and verb[:10] == "<relation:" and verb[-1] == ">"


def _root(word: str) -> str:
    name = word.partition(":")[2].removesuffix(">")
    return name.removesuffix("er").rstrip("syei")
