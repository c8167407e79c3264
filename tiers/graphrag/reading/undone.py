"""Verbs unknown to the schema by which a question supposes that something named is gone."""

from dataclasses import replace
from typing import Final

from tiers.graphrag.reading.cueing import ASIDE
from tiers.graphrag.reading.listing import AUXILIARIES, BE
from trivium.domain.question import Cue, Span, Understood
from trivium.language.text import is_participle, stems
from trivium.language.words import general_words

_SMALL: Final = (
    BE
    | AUXILIARIES
    | {"to", "get", "gets", "got", "just", "suddenly", "altogether", "completely", "up", "off",
       "out", "down", "away", "over", "for", "good", "ever", "overnight", "one", "day", "then",
       "the", "its", "their"}
)  # fmt: skip
"""Words around such a verb that add nothing: "is wound up for good"."""
_CHANGING: Final = frozenset(
    stems(
        "double triple grow improve expand recover reopen return join win merge move change switch "
        "rise raise increase reduce halve shrink slow delay start begin open hire promote upgrade "
        "swap split rename rebuild repair fix extend renew become come stay keep happen add gain "
        "book busy agree call ask visit train free allow need say use back cut limit restrict"
    )
)
"""Verbs of what goes on, in another way."""


def with_losses(question: Understood, breaks: frozenset[int]) -> Understood:
    """Return a question with a removal where it supposes that something named is no more.

    "Say the north crew is disbanded: which ...": one verb that nothing else explains, between the
    name and the end of its clause.
    """
    if question.has("removal") or not question.has("hypothetical"):
        return question
    supposed = [c.span.first for c in question.cues_of("hypothetical")]
    for mention in question.mentions:
        end = min((b for b in breaks if b >= mention.span.last), default=0)
        start = max((b for b in breaks if b <= mention.span.first), default=0)
        if not mention.candidates or not any(start <= at < end for at in supposed):
            continue
        verbs = [i for i in range(mention.span.last, end) if not _is_small(question, i)]
        if len(verbs) == 1 and _is_ending(question, verbs[0]):
            cue = Cue(span=Span(first=verbs[0], last=verbs[0] + 1), kind="removal")
            return replace(question, cues=(*question.cues, cue))
    return question


def _is_small(question: Understood, at: int) -> bool:
    token = question.tokens[at]
    return token.lower in _SMALL or token.stem in general_words().generic


def _is_ending(question: Understood, at: int) -> bool:
    """Whether a word may say that something ends: a verb with no other meaning here."""
    token = question.tokens[at]
    told = {i for items in (question.terms, question.times, question.quantities, question.mentions)
            for item in items for i in item.span}  # fmt: skip
    told |= {i for c in question.cues if c.kind not in ASIDE for i in c.span}
    is_verb = is_participle(token.lower) or token.lower.endswith("s")
    return at not in told and is_verb and token.stem not in _CHANGING
