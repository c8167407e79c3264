"""Verbs unknown to the schema by which a question supposes that something named is gone."""

from dataclasses import replace
from typing import Final

from tiers.graphrag.reading.cueing import ASIDE
from tiers.graphrag.reading.listing import AUXILIARIES, BE
from trivium.domain.question import Cue, Span, TermKind, Understood
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
_MOVING: Final = frozenset(stems("move switch"))
"""Those of them by which somebody may be lost to us: "she moves to Spain"."""
_NOBODY: Final = frozenset(
    {"nobody", "noone", "nothing", "none", "no", "nowhere", "without", "any", "anyone", "anybody"}
)
_AFTERWARDS: Final = frozenset(
    {"then", "would", "wouldn", "will", "won", "could", "couldn", "can", "else", "other", "left"}
)
"""Words by which a question asks what is so once something is gone."""
_SURE: Final = 0.8


def with_losses(question: Understood, breaks: frozenset[int], stops: frozenset[int]) -> Understood:
    """Return a question with a removal where it tells that something named is no more.

    "Say the north crew is disbanded: which ...": one verb that nothing else explains, between the
    name and the end of its clause. "Hale is off till May. Which lots has nobody else": whatever a
    sentence before the question says of the one thing that it names.
    """
    if question.has("removal"):
        return question
    at = _told_before(question, stops)
    at = _supposed(question, breaks) if at is None else at
    if at is None:
        return question
    cue = Cue(span=Span(first=at, last=at + 1), kind="removal")
    return replace(question, cues=(*question.cues, cue))


def _supposed(question: Understood, breaks: frozenset[int]) -> int | None:
    """Return the verb by which something named is supposed to be no more."""
    supposed = [c.span.first for c in question.cues_of("hypothetical")]
    for mention in question.mentions:
        end = min((b for b in breaks if b >= mention.span.last), default=0)
        start = max((b for b in breaks if b <= mention.span.first), default=0)
        if not mention.candidates or not any(start <= at < end for at in supposed):
            continue
        verbs = [i for i in range(mention.span.last, end) if not _is_small(question, i)]
        if len(verbs) == 1 and _is_ending(question, verbs[0]):
            return verbs[0]
    return None


def _told_before(question: Understood, stops: frozenset[int]) -> int | None:
    """Return the verb said of a name in a sentence of its own, where then nobody is left."""
    named = [m for m in question.mentions if m.candidates]
    end = min((s for s in stops if named and s >= named[-1].span.last), default=None)
    if len(named) != 1 or end is None or not _asks_for_nobody(question, end):
        return None
    start, verb = max(s for s in stops if s <= named[0].span.first), named[0].span.last
    before = question.tokens[start : named[0].span.first]
    said = question.tokens[verb:end]
    is_subject = bool(said) and {t.lower for t in before} <= {"the", "our", "both", "but"}
    is_deed = any(
        verb <= t.span.first < end and t.score >= _SURE
        for t in question.terms_of(TermKind.RELATION)
    )
    goes_on = any(t.stem in _CHANGING - _MOVING for t in said)
    return verb if is_subject and not (is_deed or goes_on) else None


def _asks_for_nobody(question: Understood, start: int) -> bool:
    """Whether a question asks what has nobody, or nothing, any more."""
    words = {t.lower for t in question.tokens[start:]}
    return bool(words & _NOBODY and words & _AFTERWARDS) and question.has("negation")


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
