"""Splits a question with several needs into the part meant for each tier."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from router.model import TierSet, by_tier
from trivium.domain.question import TierName, Understood

_CLAUSE_ENDS: Final = re.compile(
    r"(?:[;?!]+|\.(?=\s|$)|,|\n|\s\+\s|\(?\b[a-c1-3][).]\s|\b(?:and|plus|then|as well as)\b)\s*",
    re.IGNORECASE,
)
_MIN_WORDS: Final = 2


def clauses(text: str) -> list[str]:
    """Cut a question into clauses; what is too short to stand alone stays with the one before.

    >>> clauses("What is its revenue, what do letters say, and who supplies it?")
    ['What is its revenue', 'what do letters say', 'who supplies it']
    """
    found: list[str] = []
    for part in _CLAUSE_ENDS.split(text):
        clause = part.strip(" \t\r\n:-–")
        if not clause:
            continue
        if found and len(clause.split()) < _MIN_WORDS:
            found[-1] = f"{found[-1]}, {clause}"
        else:
            found.append(clause)
    return found


def parts_of(
    question: Understood,
    tiers: TierSet,
    cut: Sequence[str],
    told: Sequence[Mapping[TierSet, float]],
) -> dict[TierName, str]:
    """Return the text that each tier is asked: its own clauses, or all where they cannot be told.

    A clause that names nothing keeps the one name that the question has.

    Args:
        question: the whole question.
        tiers: those that are asked.
        cut: its clauses.
        told: for each clause, the probability of each tier set.
    """
    text = question.question.text
    if len(tiers) < 2 or len(cut) < 2:
        return dict.fromkeys(tiers, text)
    owners = _owners(tiers, [by_tier(sets) for sets in told])
    subject = _subject(question)
    found = {}
    for tier in tiers:
        own = [clause for clause, owner in zip(cut, owners, strict=True) if owner is tier]
        joined = ", ".join(own)
        if own and subject and subject.casefold() not in joined.casefold():
            joined = f"{subject}: {joined}"
        found[tier] = joined or text
    return found


def _owners(tiers: TierSet, wants: Sequence[Mapping[TierName, float]]) -> list[TierName]:
    """Give each clause to the tier that wants it most; a tier left without takes its best one."""
    owners = [_most(tiers, want) for want in wants]
    for tier in tiers:
        if tier not in owners:
            spare = [i for i, owner in enumerate(owners) if owners.count(owner) > 1]
            if spare:
                best = max(spare, key=lambda i: wants[i][tier] - wants[i][owners[i]])
                owners[best] = tier
    return owners


def _most(tiers: TierSet, want: Mapping[TierName, float]) -> TierName:
    return max(tiers, key=lambda tier: want[tier])


def _subject(question: Understood) -> str | None:
    """Return the name in the question, when it has just one."""
    names = {m.best[0].id: m.best[0].name for m in question.mentions if m.candidates}
    return next(iter(names.values())) if len(names) == 1 else None
