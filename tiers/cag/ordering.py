"""How a ranking is asked for: by what, from which end, and how many."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tiers.cag.attributes import is_worse_when_high, measures_of
from tiers.cag.forms import degrees
from tiers.cag.matching import Match
from tiers.cag.wording import Wording
from trivium.domain.question import Quantity, Term, TermKind
from trivium.domain.schema import Property, PropertyKind
from trivium.language.words import general_words

_NEAR: Final = 3
_MAX_LIMIT: Final = 1_000
_FIRST: Final = frozenset({"first", "next", "soonest", "sooner"})
_LISTING: Final = frozenset(
    {"list", "all", "each", "every", "sorted", "ranked", "order", "ordered"}
)
_WEAK: Final = frozenset({"top", "main"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order of entities by one attribute."""

    attribute: Property
    is_ascending: bool
    limit: int | None
    is_superlative: bool
    """Whether the leader alone is asked for."""
    is_explicit: bool
    """Whether the question says "by"."""
    words: frozenset[int]


def is_ordering(wording: Wording) -> bool:
    """Whether the question asks for a ranking or for what leads one."""
    return bool(wording.cues("most", "least", "rank", "ascending")) or bool(wording.superlatives)


def order_of(
    wording: Wording, subject: Term | None, asked: Sequence[Match], taken: Collection[int]
) -> Order | None:
    """Return the order that is asked for; ``None`` when nothing says by what.

    ``taken`` are the words of conditions on what is ranked.
    """
    fit = [m for m in asked if not m.words <= set(taken) and _is_orderable(m.attribute)]
    if not fit:
        return None
    fit.sort(key=lambda m: (not _follows_by(wording, m), not m.is_named))
    chosen = fit[0]
    limit = _limit(wording, subject, taken)
    is_one = limit is None and _asks_for_one(wording, subject, chosen.attribute)
    return Order(
        attribute=chosen.attribute,
        is_ascending=_is_ascending(wording, chosen.attribute),
        limit=1 if is_one else limit,
        is_superlative=is_one,
        is_explicit=_follows_by(wording, chosen),
        words=chosen.words,
    )


def _is_orderable(attribute: Property) -> bool:
    is_grave = attribute.name in general_words().severity_properties
    return is_grave or attribute.kind in {PropertyKind.NUMBER, PropertyKind.DATE}


def _follows_by(wording: Wording, item: Match) -> bool:
    first = min(item.core)
    return any(wording.tokens[i].lower == "by" for i in range(max(0, first - _NEAR), first))


def _asks_for_one(wording: Wording, subject: Term | None, attribute: Property) -> bool:
    is_list = bool(wording.cues("rank")) or any(t.lower in _LISTING for t in wording.tokens)
    before = wording.tokens[subject.span.first - 1].lower if subject and subject.span.first else ""
    is_date = attribute.kind is PropertyKind.DATE and any(t.lower in _FIRST for t in wording.tokens)
    if is_list or before in {"by", "per", "each"} or _leading(wording, attribute):
        return False
    if not (is_ordering(wording) or is_date):
        return False
    if any(_is_singular_after(wording, i) for i in wording.superlatives):
        return True
    return subject is None or not is_plural_word(wording, subject)


def _is_singular_after(wording: Wording, index: int) -> bool:
    """Whether a type or a value in the singular follows a word: "the cheapest manual"."""
    kinds = {TermKind.TYPE, TermKind.VALUE}
    return any(
        t.span.first == index + 1 and t.kind in kinds and not is_plural_word(wording, t)
        for t in wording.question.terms
    )


def is_plural_word(wording: Wording, term: Term) -> bool:
    """Whether the last word of a term is in the plural."""
    word = wording.tokens[term.span.last - 1].lower
    return word.endswith("s") and not word.endswith("ss")


def _limit(wording: Wording, subject: Term | None, taken: Collection[int]) -> int | None:
    """Return the number that says how many: near the word that orders, or before the type."""
    anchors = {c.span.first for c in wording.cues("most", "least")}
    anchors |= wording.superlatives
    anchors |= {i for i, t in enumerate(wording.tokens) if t.lower in _FIRST}
    if subject:
        anchors.add(subject.span.first)
    leading = {i - 1 for i in _firsts(wording)}  # "best one first" is no best one
    for quantity in wording.question.quantities:
        if quantity.span.first in {*taken, *leading} or not _is_count(quantity):
            continue
        if any(abs(quantity.span.first - anchor) <= _NEAR for anchor in anchors):
            return int(quantity.number)
    return None


def _is_count(quantity: Quantity) -> bool:
    return quantity.number.is_integer() and 1 <= quantity.number <= _MAX_LIMIT


def _is_ascending(wording: Wording, attribute: Property) -> bool:
    """Read the end from which to begin: the word before "first", else the first that says it."""
    said = list(_directions(wording, attribute))
    strong = [s for s in said if wording.tokens[s[0]].lower not in _WEAK]
    chosen = (_leading(wording, attribute) or strong or said or [(0, False)])[0]
    return chosen[1]


def _leading(wording: Wording, attribute: Property) -> list[tuple[int, bool]]:
    """Return the directions that the question says come first: "worst first"."""
    firsts = _firsts(wording)
    return [
        (at, ascending)
        for at, ascending in _directions(wording, attribute)
        if any(0 < first - at <= _NEAR for first in firsts)
    ]


def _firsts(wording: Wording) -> list[int]:
    """Return where the question says what comes first: "worst first", "worst on top"."""
    words = [t.lower for t in wording.tokens]
    return [
        i
        for i, word in enumerate(words)
        if i and (word == "first" or (word == "top" and words[i - 1] == "on"))
    ]


def _directions(wording: Wording, attribute: Property) -> Iterator[tuple[int, bool]]:
    """Give each word that says an end of the order, with whether the smallest comes first."""
    measures = measures_of(attribute)
    high = {w for m in measures for w in m.high}
    low = {w for m in measures for w in m.low}
    cues = {c.span.first: c.kind for c in wording.cues("most", "least", "ascending")}
    is_worse = is_worse_when_high(attribute)
    for index, token in enumerate(wording.tokens):
        forms = set(degrees(token.lower)) if token.lower.endswith("est") else set()
        if token.lower in {"best", "worst"}:
            yield index, (token.lower == "best") == is_worse
        elif forms & high or forms & low:
            yield index, bool(forms & low)
        elif token.lower in _FIRST and attribute.kind is PropertyKind.DATE:
            yield index, True
        elif index in cues:
            yield index, cues[index] != "most"
