"""Splits a question with several needs into the part meant for each tier."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from router.model import TierSet, by_tier
from trivium.domain.question import TierName, Understood

_CLAUSE_ENDS: Final = re.compile(
    r"\s*(?:[;?!]+|\.(?=\s|$)|,|\n|\s\+\s|\(?\b[a-c1-3][).]\s|\b(?:and|plus|then|as well as)\b)\s*",
    re.IGNORECASE,
)
_MIN_WORDS: Final = 2

Score = Callable[[str], Mapping[TierSet, float]]
"""Gives the probability of each tier set for a clause."""


def clauses(text: str) -> list[str]:
    """Cut a question into clauses; what is too short to stand alone stays with the one before.

    >>> clauses("What is its revenue, what do letters say, and who supplies it?")
    ['What is its revenue', 'what do letters say', 'who supplies it']
    """
    found: list[str] = []
    for part in _CLAUSE_ENDS.split(text):
        clause = part.strip(" :-–")
        if not clause:
            continue
        if found and len(clause.split()) < _MIN_WORDS:
            found[-1] = f"{found[-1]}, {clause}"
        else:
            found.append(clause)
    return found


def parts_of(question: Understood, tiers: TierSet, score: Score) -> dict[TierName, str]:
    """Return the text that each tier is asked: its own clauses, or all where they cannot be told.

    A clause that names nothing keeps the one name that the question has.
    """
    text = question.question.text
    cut = clauses(text)
    if len(tiers) < 2 or len(cut) < 2:
        return dict.fromkeys(tiers, text)
    owners = _owners(cut, tiers, score)
    subject = _subject(question)
    found = {}
    for tier in tiers:
        own = [clause for clause, owner in zip(cut, owners, strict=True) if owner is tier]
        joined = ", ".join(own)
        if own and subject and subject.casefold() not in joined.casefold():
            joined = f"{subject}: {joined}"
        found[tier] = joined or text
    return found


def _owners(cut: Sequence[str], tiers: TierSet, score: Score) -> list[TierName]:
    """Give each clause to the tier that wants it most; a tier left without takes its best one."""
    wants = [by_tier(score(clause)) for clause in cut]
    owners = [max(tiers, key=lambda tier: want[tier]) for want in wants]
    for tier in tiers:
        if tier not in owners:
            spare = [i for i, owner in enumerate(owners) if owners.count(owner) > 1]
            if spare:
                best = max(spare, key=lambda i: wants[i][tier] - wants[i][owners[i]])
                owners[best] = tier
    return owners


def _subject(question: Understood) -> str | None:
    """Return the name in the question, when it has just one."""
    names = {m.best[0].id: m.best[0].name for m in question.mentions if m.candidates}
    return next(iter(names.values())) if len(names) == 1 else None
