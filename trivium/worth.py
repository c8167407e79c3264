"""What an answer of a tier is worth to those who decide whether another is asked."""

from typing import Final

from trivium.domain.evidence import Passage, Reason, TierResult, TierStatus
from trivium.domain.question import TierName, Understood
from trivium.domain.result import Number, Result, Values
from trivium.language.relating import is_time
from trivium.language.text import stems
from trivium.language.words import general_words

_SEVERAL: Final = 2


def speaks_of(result: TierResult, subject: Understood) -> bool:
    """Whether documents say something, in a passage that names what a subject names."""
    named = {c.id for m in subject.mentions for c in m.best}
    passages = [e for e in result.evidence if isinstance(e, Passage)]
    return not gave_nothing(result) and (
        not named or any(not named.isdisjoint(p.entities) for p in passages)
    )


def says_much_of(result: TierResult, question: Understood) -> bool:
    """Whether what documents are sure of has several words of a question in one stretch."""
    asked = {t.stem for t in question.tokens if general_words().is_content(t)}
    said = (set(stems(statement.text)) for statement in result.statements)
    return not result.is_hinted and any(len(asked & words) >= _SEVERAL for words in said)


def is_no_time(result: Result | None) -> bool:
    """Whether an answer is measured in something else than time, or is words."""
    match result:
        case Number(unit=unit):
            return unit is not None and not is_time(unit)
        case Values(values):
            return all(not is_time(v.unit) and isinstance(v.value, str) for v in values)
        case _:
            return False


def is_plain(result: TierResult) -> bool:
    """Whether a tier has an answer that it neither guesses nor reads doubtfully."""
    is_doubtful = result.tier is TierName.GRAPH and result.read_as is not None
    return result.has_answer and not is_doubtful


def gave_nothing(result: TierResult) -> bool:
    """Whether a tier has no answer, and does not ask which of several is meant."""
    is_miss = result.status in {TierStatus.MISS, TierStatus.UNAVAILABLE}
    return is_miss and result.reason is not Reason.AMBIGUOUS
