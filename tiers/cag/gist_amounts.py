"""Questions for how much of something there is: "how high is the penalty" asks for the penalty."""

from collections.abc import Sequence
from typing import Final

from tiers.cag.gist_order import ARTICLES
from tiers.cag.gist_words import gist_words
from trivium.language.units import unit_of
from trivium.language.words import general_words

_GOOD: Final = frozenset({"good", "bad"})
_SIZES: Final = frozenset({"long", "high", "large", "big", "great", "low", "small"})


def asks_amount(size: str, words: Sequence[str]) -> bool:
    """Whether "how" with a size asks for no more than the amount that ``words`` begin with."""
    is_size = size in _SIZES
    return (is_size and _is_amount(words)) or ((is_size or size in _GOOD) and is_measure(words))


def is_measure(words: Sequence[str]) -> bool:
    """Whether an attribute is named whose name tells its unit, so that its size is its value."""
    terms = [w for w in words if w.startswith(("<property:", "<fact:"))]
    name = terms[0].partition(":")[2].removesuffix(">") if len(terms) == 1 else ""
    return unit_of(name, general_words().units) is not None


def _is_amount(words: Sequence[str]) -> bool:
    """Whether an amount is what is named first, so that its size is its value: "the penalty"."""
    named = [w for w in words if w not in ARTICLES][:2]
    first = [w.partition(":")[2].rstrip(">").partition("_")[0] if ":" in w else w for w in named]
    return any(w in gist_words().amounts for w in first)
