"""What a text written by a model may say: known markers, and numbers and links from the evidence.

Everything here errs on the strict side: a text refused for no reason costs only its style, because
the composed answer stands in for it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeVar

_T = TypeVar("_T")

_MARKERS: Final = re.compile(r"(?<![ \t])([ \t]*)((?:\[[0-9]{1,6}(?:\s?,\s?[0-9]{1,6})*\])+)")
"""``[2]``, ``[2][3]`` or ``[2, 3]``, with the space before it."""

_SEPARATOR: Final = "[,\u00a0\u2009\u202f]"  # a comma, or a space that does not break
_NUMBERS: Final = re.compile(
    rf"""
    (?P<date>(?<!\d)\d{{4}}-\d\d-\d\d(?!\d))
    | (?P<name>                                     # CMP-010, A320-200: an id, never a number
        (?<!\w)[A-Z]{{1,20}}(?:[-_][A-Z]{{1,20}}){{0,4}}[-_]?\d\w{{0,40}}(?:[-_][A-Z0-9]{{1,40}}(?!\w)){{0,4}})
    | (?P<number>
        (?:(?<![\w)\]])[-\u2212](?=\.?\d))?         # a sign, not a hyphen
        (?:\d{{1,3}}(?:{_SEPARATOR}\d{{3}})+(?!\d) | \d+ | (?<!\w)(?=\.\d))
        (?:\.\d+)?)
    """,
    re.VERBOSE,
)

_IMAGES_AND_TAGS: Final = re.compile(r"!\[[^\]]*\]\s?[(\[][^)\]]*[)\]]?|<[a-zA-Z/!?][^>]*>?")
_LINKS: Final = re.compile(
    r"""
    \]\(\s*<?(?P<target>[^\s)>]*)                   # [words](target)
    | (?m:^)[ ]{0,3}\[[^\]\n]+\]:[ \t]*(?P<definition>\S*)
    | (?<!\w)(?P<url>[a-z][a-z0-9+.-]{1,20}://[^\s<>"')\]]+
        | (?:mailto:|javascript:|data:[a-z]{1,20}/)[^\s<>"')\]]+
        | (?:www\.|[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.[a-z]{2,20}/)[^\s<>"')\]]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A text whose markers are all known."""

    text: str
    used: tuple[int, ...]
    """The markers that it has, in the order in which they come first."""
    removed: tuple[int, ...]
    """The unknown ones that it had."""


def check(text: str, markers: Collection[int]) -> Checked:
    """Remove from ``text`` the ``[n]`` that are not in ``markers``, with the space before them.

    >>> check("Due in 25 days [1, 9]. Late [9].", {1})
    Checked(text='Due in 25 days [1]. Late.', used=(1,), removed=(9,))
    """
    removed: list[int] = []

    def known(match: re.Match[str]) -> str:
        numbers = _members(match)
        removed.extend(n for n in numbers if n not in markers)
        kept = "".join(f"[{n}]" for n in numbers if n in markers)
        return match[1] + kept if kept else ""

    # What stands around a removed marker may close up into another one: "[[9]8]".
    while (cleaned := _MARKERS.sub(known, text)) != text:
        text = cleaned.lstrip()
    used = (n for match in _MARKERS.finditer(text) for n in _members(match))
    return Checked(text=text, used=_distinct(used), removed=_distinct(removed))


def renumbered(text: str, used: Sequence[int]) -> str:
    """Return a text with 1, 2, … in the place of the markers ``used``, which are all that it has.

    >>> renumbered("Red [7]. Blue [2][7].", [7, 2])
    'Red [1]. Blue [2][1].'
    """
    places = {marker: place for place, marker in enumerate(used, 1)}

    def placed(match: re.Match[str]) -> str:
        return match[1] + "".join(f"[{places[n]}]" for n in _members(match))

    return _MARKERS.sub(placed, text)


def numbers_supported(text: str, evidence_texts: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers, dates and numbered ids of ``text`` that no evidence text has.

    ``1,000.50`` is ``1000.5``; markers are no numbers. A date supports its year, and a negative
    number the positive one.

    >>> numbers_supported("1,200 on 2024-02-16, or 45 [7]", ["1200.0", "since 2024-02-16T10:00Z"])
    ('45',)
    """
    supported = {key for evidence in evidence_texts for key in _supported_by(evidence)}
    return _distinct(shown for shown, key in _numbers(text) if key not in supported)


def links_supported(text: str, evidence_texts: Sequence[str]) -> tuple[str, ...]:
    """Return the links, images and HTML tags of ``text`` that no evidence text has.

    An image or a tag must stand in the evidence as it is, a link with the same whole target.

    >>> links_supported("See https://a.example/x?q=1.", ["https://a.example/x"])
    ('https://a.example/x?q=1',)
    """
    markup = (match[0] for match in _IMAGES_AND_TAGS.finditer(text))
    foreign = [m for m in markup if not any(m in evidence for evidence in evidence_texts)]
    targets = {target for evidence in evidence_texts for target in _targets(evidence)}
    return _distinct([*foreign, *(t for t in _targets(text) if t not in targets)])


def _members(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall("[0-9]+", match[2]))


def _numbers(text: str) -> Iterator[tuple[str, Decimal | str]]:
    """Give each number, date and id as written, with what two writings of it have in common."""
    for match in _NUMBERS.finditer(_MARKERS.sub(" ", text)):
        shown = match[0]
        if match["number"] is None:
            yield shown, shown.casefold()
        else:
            yield shown, Decimal(re.sub(_SEPARATOR, "", shown).replace("\u2212", "-"))


def _supported_by(evidence: str) -> Iterator[Decimal | str]:
    for shown, key in _numbers(evidence):
        yield key
        if isinstance(key, Decimal):
            yield key.copy_abs()  # `abs` would round
        elif shown[:4].isdecimal():
            yield Decimal(shown[:4])


def _targets(text: str) -> Iterator[str]:
    for match in _LINKS.finditer(text):
        yield (match["target"] or match["definition"] or match["url"] or match[0]).rstrip(".,;:!?")


def _distinct(values: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(values))
