"""What an answer of a tier is worth to those who decide whether another is asked."""

from collections.abc import Mapping
from typing import Final

from trivium.domain.evidence import Passage, Reason, TierResult, TierStatus
from trivium.domain.question import TierName, Understood
from trivium.domain.result import Nodes, Number, Result, Values
from trivium.domain.schema import Property, PropertyKind
from trivium.language.expecting import Sort, expected
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


_ASKING_WHO: Final = frozenset({"who", "whom", "whose", "which", "where", "list", "name"})
_OF_VALUES: Final = frozenset({Sort.SHARE, Sort.MONEY, Sort.DAY, Sort.HOUR, Sort.MEASURE})
"""Sorts of value that no list of entities is."""


def is_of_sort(result: Result | None, question: Understood) -> bool:
    """Whether an answer is of the sort that is asked for: "how many lamps" is answered by no 5 kg.

    Where a question asks for several sorts, or for none, any is.
    """
    wanted = expected(question, range(len(question.tokens)))
    match result:
        case Number(unit=str(unit)):
            return wanted.allows(Property(name="", kind=PropertyKind.NUMBER, unit=unit))
        case Nodes():
            words = {token.lower for token in question.tokens}
            return wanted.sort not in _OF_VALUES or bool(words & _ASKING_WHO)
        case _:
            return True


def is_plain(result: TierResult) -> bool:
    """Whether a tier has an answer that it neither guesses nor reads doubtfully."""
    is_doubtful = result.tier is TierName.GRAPH and result.read_as is not None
    return result.has_answer and not is_doubtful


def gave_nothing(result: TierResult) -> bool:
    """Whether a tier has no answer, and does not ask which of several is meant."""
    is_miss = result.status in {TierStatus.MISS, TierStatus.UNAVAILABLE}
    return is_miss and result.reason is not Reason.AMBIGUOUS


def without_idle(results: Mapping[TierName, TierResult]) -> dict[TierName, TierResult]:
    """Leave out documents that tell nothing, where facts answer the same question in full."""
    facts, documents = results.get(TierName.CAG), results.get(TierName.RAG)
    is_answered = facts is not None and facts.status is TierStatus.HIT
    is_idle = is_answered and documents is not None and documents.status is TierStatus.MISS
    return {t: r for t, r in results.items() if not (is_idle and t is TierName.RAG)}
