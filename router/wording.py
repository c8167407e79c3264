"""Says in words what in a question spoke for and against a tier, from the model's own weights."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from router.features import Features
from router.model import RouterModel
from trivium.domain.question import TierName

_N_FOR: Final = 2
_LEAST: Final = 0.05
_MIN_WORDS: Final = 2
"""A word alone says little to a person."""
_MASKS: Final = {
    "@entity": "a name",
    "@unknown": "an unknown name",
    "@type": "a type",
    "@relation": "a relation",
    "@attribute": "an attribute",
    "@value": "a value",
    "@time": "a time",
    "@number": "a number",
}
_TOLD: Final = re.compile(r"(?:cue|own|other|link) ")
_HIDDEN: Final = re.compile(
    r"(?:skeleton|gap|plain|letters|"
    r"length|commas|sentences|and \d|history|share|names|named|n |no cue|cues|first|"
    r"foreign|cue yes_no|\d entities|\d of|relation \d|link \w+ with)"
)


def for_and_against(
    model: RouterModel, found: Features, tiers: Sequence[TierName]
) -> Iterator[str]:
    """Give, for each tier that is asked, what spoke most for it and what against it."""
    for tier in tiers:
        told = [
            (pull, words)
            for pull, text in model.leaning(found, tier)
            if abs(pull) > _LEAST and (words := _said(text))
        ]
        pro = dict.fromkeys(words for pull, words in told if pull > _LEAST)
        contra = [words for pull, words in reversed(told) if pull < -_LEAST and words not in pro]
        if pro:
            yield f"for {tier.value}: {', '.join([*pro][:_N_FOR])}"
        if contra:
            yield f"against {tier.value}: {contra[0]}"


@lru_cache(maxsize=8_192)
def _said(text: str) -> str | None:
    """Return a feature as a person would say it; nothing for one that says nothing to a person.

    >>> _said("which @type @relation"), _said("cue count with 1 entities"), _said("commas 2")
    ('“which … a type … a relation”', 'count with 1 entities', None)
    """
    if _TOLD.match(text) and not _HIDDEN.match(text):
        return None if text.endswith(" 0") else text.removeprefix("cue ")
    words = text.split()
    if _HIDDEN.match(text) or not any(word.isalpha() and len(word) > 2 for word in words):
        return None
    kept = [word for word in words if word not in {"^", "$"}]
    if len(kept) < _MIN_WORDS:
        return None
    spoken = ["… " + _MASKS[w] + " …" if w in _MASKS else w for w in kept]
    return f"\u201c{' '.join(spoken).replace('… …', '…').strip('… ')}\u201d"
