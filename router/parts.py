"""Splits a question with several needs into clauses, and into the part meant for each tier."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from router.model import TierSet, by_tier
from trivium.domain.question import (
    Cue,
    Mention,
    Quantity,
    Span,
    Term,
    TierName,
    TimeExpression,
    Understood,
)
from trivium.language.following import begins_at

_Spanned = TypeVar("_Spanned", Mention, Term, TimeExpression, Quantity, Cue)

_CLAUSE_ENDS: Final = re.compile(
    r"(?:[;?!]+|\.(?=\s|$)|,|\n|\s\+\s|\(?\b[a-c1-3][).]\s"
    r"|\b(?:and|plus|then|as well as|und|sowie|et|puis|y)\b)\s*",
    re.IGNORECASE,
)
_MIN_WORDS: Final = 2
_LEADING: Final = frozenset(
    {"by", "for", "with", "without", "in", "on", "at", "over", "from", "of", "per", "among",
     "counting", "leaving", "excluding", "including", "ignoring", "taking", "looking", "sorted",
     "ranked", "ordered", "if", "since", "during", "before", "after", "as", "both", "please"}
)  # fmt: skip
"""Words with which begins what only tells more of the clause beside it."""
_ASKING: Final = frozenset(
    {"who", "whom", "whose", "which", "what", "when", "where", "why", "how", "is", "are", "does",
     "do", "did", "can", "has", "have", "give", "list", "show", "tell", "name"}
)  # fmt: skip
_PRONOUNS: Final = frozenset(
    {"it", "its", "they", "them", "their", "he", "him", "his", "she", "her", "there"}
)
_MAX_CLAUSES: Final = 24
"""Beyond, it is no question with parts but a text, and is taken as a whole."""


def clauses(question: Understood) -> tuple[Understood, ...]:
    """Cut a question into clauses, each with what was read in it; one alone is the question.

    What is too short to stand alone stays with the clause before. Of a follow-up, only its own
    words are cut; what it was completed with belongs to none, so that one clause is told too.
    """
    found: list[Span] = []
    leads_in = False
    start = begins_at(question)
    for first, end in _pieces(question.text, start):
        inside = [i for i, token in enumerate(question.tokens) if first <= token.start < end]
        if not inside:
            continue
        words = [question.tokens[i].lower for i in inside]
        if found and (leads_in or len(inside) < _MIN_WORDS or _goes_on(words)):
            found[-1] = Span(first=found[-1].first, last=inside[-1] + 1)
        else:
            found.append(Span(first=inside[0], last=inside[-1] + 1))
        leads_in = len(found) == 1 and _goes_on(words) and not set(words) & _ASKING
    least = 1 if start else 2
    is_cut = least <= len(found) <= _MAX_CLAUSES
    return tuple(_clause(question, span) for span in found) if is_cut else ()


def _goes_on(words: Sequence[str]) -> bool:
    """Whether a piece asks nothing of its own: "for each handler", "worst first"."""
    asks = words[1:2] and words[1] in _ASKING
    return (words[0] in _LEADING and not asks) or words[-1:] == ["first"]


def _pieces(text: str, start: int) -> list[tuple[int, int]]:
    """Return where what stands between the ends of clauses starts and ends, from ``start`` on."""
    found = []
    for end in _CLAUSE_ENDS.finditer(text, start):
        found.append((start, end.start()))
        start = end.end()
    return [*found, (start, len(text))]


def _clause(question: Understood, span: Span) -> Understood:
    first, last = span.first, span.last
    start = question.tokens[first].start
    text = question.text[start : question.tokens[last - 1].end]
    return replace(
        question,
        question=replace(question.question, text=text, history=()),
        text=text,
        tokens=tuple(
            replace(token, start=token.start - start, end=token.end - start)
            for token in question.tokens[first:last]
        ),
        mentions=_within(question.mentions, span),
        terms=_within(question.terms, span),
        times=_within(question.times, span),
        quantities=_within(question.quantities, span),
        cues=_within(question.cues, span),
        vector=(),
    )


def _within(found: Sequence[_Spanned], span: Span) -> tuple[_Spanned, ...]:
    return tuple(
        replace(
            item, span=Span(first=item.span.first - span.first, last=item.span.last - span.first)
        )
        for item in found
        if span.first <= item.span.first and item.span.last <= span.last
    )


def parts_of(
    question: Understood,
    tiers: TierSet,
    cut: Sequence[Understood],
    told: Sequence[Mapping[TierSet, float]],
) -> dict[TierName, str]:
    """Return what each tier is asked: its own clauses, or all where they cannot be told apart.

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
        own = [clause.text for clause, owner in zip(cut, owners, strict=True) if owner is tier]
        joined = ", ".join(own)
        meant = subject or _pointed_at(cut, owners, tier)
        if own and meant and meant.casefold() not in joined.casefold():
            joined = f"{meant}: {joined}"
        found[tier] = joined or text
    return found


def _pointed_at(
    cut: Sequence[Understood], owners: Sequence[TierName], tier: TierName
) -> str | None:
    """Return the one name before clauses of a tier that name none, and say "it" or "them"."""
    own = [i for i, owner in enumerate(owners) if owner is tier]
    said = {token.lower for i in own for token in cut[i].tokens}
    if not own or not said & _PRONOUNS or any(_names(cut[i : i + 1]) for i in own):
        return None
    names = _names(cut[: own[0]])
    return names[0] if len(names) == 1 else None


def _names(cut: Sequence[Understood]) -> list[str]:
    """Return the names in some clauses, each once."""
    found = {m.best[0].id: m.best[0].name for c in cut for m in c.mentions if m.candidates}
    return list(found.values())


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
