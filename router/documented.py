"""What documents know of a question's words, weighed into what the model says of it.

The model knows how a question is built; it was trained without documents. A word that neither the
schema nor a name explains, and that stands in documents, speaks for them; one that stands nowhere
speaks against. Fitted and tested by ``python -m bench.documented``.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from router.model import Judgement, TierSet, by_tier
from trivium.domain.question import Documented, TierName

_LEAST: Final = 1e-4
_TRUST: Final = 1.39
"""Of the model's log-odds."""
_KNOWN: Final = 2.0
"""Log-odds of each unexplained word that documents know."""
_NOWHERE: Final = -0.43
"""Of each that they do not."""
_DUTY: Final = 2.0
"""Of asking what one may or must do."""
_BIAS: Final = 0.12
_CAPPED: Final = 3
"""Words of either kind that count."""


def signs(probability: float, found: Documented) -> tuple[float, float, float, float]:
    """Return what speaks for documents: the model's log-odds, words known and nowhere, a duty."""
    sure = min(max(probability, _LEAST), 1 - _LEAST)
    n_nowhere = found.n_unread - found.n_known
    odds = math.log(sure / (1 - sure))
    return odds, min(found.n_known, _CAPPED), min(n_nowhere, _CAPPED), float(found.is_duty)


def told(found: Documented | None) -> Iterator[str]:
    """Say what documents know of the words."""
    if found is not None and found.n_known:
        words = "a word" if found.n_known == 1 else f"{found.n_known} words"
        yield f"has {words} that documents alone explain"
    if found is not None and found.is_duty:
        yield "asks what one may or must do"


def weighed(judged: Judgement, found: Documented | None) -> Judgement:
    """Return a judgement with the documents' words weighed in."""
    if found is None:
        return judged
    before = by_tier(judged.sets)[TierName.RAG]
    odds, known, nowhere, duty = signs(before, found)
    spoken = _KNOWN * known + _NOWHERE * nowhere + _DUTY * duty
    after = 1 / (1 + math.exp(-(_TRUST * odds + spoken + _BIAS)))
    sets = reweighed(judged.sets, after)
    tiers = {**judged.tiers, **by_tier(sets)}
    return replace(judged, sets=sets, tiers=tiers)


def reweighed(sets: Mapping[TierSet, float], probability: float) -> dict[TierSet, float]:
    """Return the sets' probabilities such that those with documents sum up to ``probability``."""
    before = by_tier(sets)[TierName.RAG]
    share = {
        True: probability / max(before, _LEAST),
        False: (1 - probability) / max(1 - before, _LEAST),
    }
    grown = {tiers: p * share[TierName.RAG in tiers] for tiers, p in sets.items()}
    total = sum(grown.values())
    return {tiers: p / total for tiers, p in grown.items()}
