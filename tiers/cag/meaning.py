"""Which attribute a question means that names none: the one whose words mean nearly the same.

Names, synonyms and the words of descriptions come first (``matching``); this is for all others:
"bugs" for open defects, "coded in" for a programming language.
"""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tiers.cag.attributes import name_words, title
from tiers.cag.matching import Match
from tiers.cag.wording import TIME_UNITS, Wording
from trivium.domain.errors import DependencyError
from trivium.domain.ports import Encoder
from trivium.domain.schema import Property, PropertyKind
from trivium.language.expecting import Expected, Sort, expected
from trivium.language.text import stem, stems
from trivium.language.words import general_words, is_money

_NEAR: Final = 0.43
"""Cosine from which an attribute is meant; see ``python -m bench.meaning``."""
_NEAR_OF_KIND: Final = 0.42
"""The same where the question word has left only attributes of one kind: "when", "how many"."""
_NEAR_BY_NAME: Final = 0.6
"""The same where a word of its name stands in the question: "credit rating" is no credit."""
_NEAR_ALONE: Final = 0.3
"""The same where it alone is of the sort that is asked for, and that sort is a telling one."""
_TELLING: Final = frozenset({Sort.SHARE, Sort.MONEY, Sort.MEASURE})
"""Sorts that hardly two attributes of a type are of: those in per cent, in euros, in kilos."""
_AHEAD: Final = 0.05
"""How much nearer than the next one it must be."""
_PATIENCE_S: Final = 0.5
_MAX_KEPT: Final = 20_000
_NUMBERS: Final = frozenset({PropertyKind.NUMBER})
_DATES: Final = frozenset({PropertyKind.DATE})
_TEXTS: Final = frozenset({PropertyKind.TEXT, PropertyKind.CATEGORY})


class Meanings:
    """Vectors of what attributes are called and how they are described, made when first needed."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, NDArray[np.float64]] = {}

    async def nearest(
        self,
        wording: Wording,
        indexes: Sequence[int],
        node_type: str,
        attributes: Mapping[str, Property],
    ) -> Match | None:
        """Return the attribute of a type that some words mean, if one is clearly nearest.

        Where the encoder does not answer, none is.
        """
        sort = expected(wording.question, indexes)
        fitting = _fitting(wording, sort, attributes)
        if not fitting or not indexes:
            return None
        try:
            async with asyncio.timeout(_PATIENCE_S):
                near = await self._similarities(wording.told(indexes), fitting)
        except (DependencyError, TimeoutError):
            return None
        order = sorted(range(len(fitting)), key=lambda i: -near[i])
        best, score = fitting[order[0]], near[order[0]]
        asked = {wording.tokens[i].stem for i in wording.unread(node_type, indexes)}
        is_named = bool(asked & set(name_words(best).values()))
        is_ahead = len(order) == 1 or score - near[order[1]] >= _AHEAD
        least = _least(wording, sort, is_named=is_named, is_alone=len(order) == 1)
        if score < least or not is_ahead:
            return None
        return Match(attribute=best, words=frozenset(indexes), score=score, named=frozenset())

    async def _similarities(self, asked: str, attributes: Sequence[Property]) -> list[float]:
        """Return how near each attribute is, by whichever of its texts is nearest."""
        texts = {a.name: _texts(a) for a in attributes}
        if len(self._vectors) > _MAX_KEPT:
            self._vectors.clear()
        every = {t for found in texts.values() for t in found}
        wanted = [asked, *sorted(every - set(self._vectors))]
        first, *others = map(np.asarray, await self._encoder.encode(wanted))
        self._vectors.update(zip(wanted[1:], others, strict=True))
        return [max(float(first @ self._vectors[t]) for t in texts[a.name]) for a in attributes]


def _texts(attribute: Property) -> tuple[str, ...]:
    """Return what an attribute is called and how it is described, apart and together."""
    name = title(attribute)
    called = f"{name} ({attribute.unit})" if attribute.unit else name
    if not attribute.description:
        return (called,)
    return called, f"{name}: {attribute.description}", attribute.description


def _fitting(
    wording: Wording, sort: Expected, attributes: Mapping[str, Property]
) -> list[Property]:
    """Return the attributes that may hold what is asked for; of money, those in a currency."""
    kinds = _kinds(wording)
    fitting = [a for a in attributes.values() if _may_answer(wording, a, kinds) and sort.allows(a)]
    paid = [a for a in fitting if is_money(a.unit)]
    return paid if sort.sort is Sort.MONEY and paid else fitting


def _least(wording: Wording, sort: Expected, *, is_named: bool, is_alone: bool) -> float:
    """Return how near the nearest attribute must be to be meant."""
    if is_alone and sort.sort in _TELLING:
        return _NEAR_ALONE
    if is_named:
        return _NEAR_BY_NAME
    is_of_kind = sort.sort is not None or _kinds(wording) is not None
    return _NEAR_OF_KIND if is_of_kind and sort.sort is not Sort.COUNT else _NEAR


def _kinds(wording: Wording) -> frozenset[PropertyKind] | None:
    """Return the kinds of attribute that the question word asks for; ``None`` where any will do."""
    words = {wording.tokens[i].lower for i in wording.own}
    is_how = bool(wording.degrees_asked) and wording.degrees_asked[0] != "long"
    if is_how or words & {"more", "fewer", "most", "fewest"}:
        return _NUMBERS
    is_of_one = len({c.id for m in wording.mentions for c in m.best}) == 1
    if words & {"where", "who", "whom", "whose"} and is_of_one:  # "who has … longer, A or B"
        return _TEXTS
    return _DATES if wording.asks_when or _asks_year(wording) else None


def _asks_year(wording: Wording) -> bool:
    """Whether it asks in which year something was."""
    words = [wording.tokens[i].lower for i in wording.own]
    return any(a in {"which", "what"} and b == "year" for a, b in pairwise(words))


def _may_answer(
    wording: Wording, attribute: Property, kinds: frozenset[PropertyKind] | None
) -> bool:
    """Whether an attribute is of one of the kinds that the question word asks for.

    What is measured is not counted, unless its unit is said: "how many hours".
    """
    words = {wording.tokens[i].lower for i in wording.own}
    units = general_words().units
    if "many" in wording.degrees_asked and attribute.unit in units.values():
        return attribute.kind in _NUMBERS and any(units.get(w) == attribute.unit for w in words)
    is_length = attribute.unit in TIME_UNITS and "long" in words
    is_year = attribute.kind in _NUMBERS and stem("year") in stems(attribute.description)
    is_time = kinds == _DATES and (is_length or (is_year and attribute.unit not in TIME_UNITS))
    return kinds is None or attribute.kind in kinds or is_time
