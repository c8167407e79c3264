"""Labelled questions written in other manners: what is asked stays, and so should the route."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from bench.worlds import Learned, read_again
from router.making import with_typo

Restyle: TypeAlias = Callable[[str, random.Random], str]

_EVERY: Final = 4
"""Each fourth row is written anew."""
_MAIL: Final = (
    "---- Forwarded ----\nFrom: M. Oduya\nSubject: Re: Re: your call\n\nDear all,\n"
    "as agreed on the phone I come back to you with the point that stayed open. The others were "
    "settled on Friday and need no further word.\nKind regards, M.\n----\n\n"
)
_RAMBLE: Final = (
    "right, so, it has been one of those mornings, the printer jammed twice, the meeting ran over "
    "and nobody took notes, and then I was handed this with no explanation at all. I would look "
    "for it myself but I would not know where to begin. what I am after is this: "
)


def _misspelt(text: str, dice: random.Random) -> str:
    return with_typo(with_typo(text, dice), dice)


STYLES: Final[Mapping[str, Restyle]] = {
    "as written": lambda text, _: text,
    "lower case": lambda text, _: text.lower(),
    "two typos": _misspelt,
    "a mail before": lambda text, _: _MAIL + text,
    "rambling": lambda text, _: _RAMBLE + text,
}


async def restyled(found: Sequence[Learned]) -> Mapping[str, Sequence[Learned]]:
    """Return each fourth labelled row in every style, read and encoded anew."""
    rows = [item for item in found if item.row][::_EVERY]
    return {name: await read_again(rows, partial(_seeded, style)) for name, style in STYLES.items()}


def _seeded(style: Restyle, text: str) -> str:
    """Write a text in a style, the same each time."""
    return style(text, random.Random(text))
