"""Which of the dated versions of a fact a question is about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from trivium.domain.knowledge import Fact
from trivium.domain.question import TimeExpression, TimeRelation, Understood
from trivium.domain.time import Moment, Validity
from trivium.language.past import asks_of_the_one_before

_FROM_THEN_ON: Final = frozenset({TimeRelation.AFTER, TimeRelation.SINCE})


@dataclass(frozen=True, slots=True)
class Then:
    """The time that a question asks facts of; without one, the latest version holds."""

    until: int | None = None
    """What holds at this microsecond since 1970 was said before it."""
    is_before: bool = False
    """Whether the version before that one is asked for: "what was it before?"."""

    @classmethod
    def of(cls, question: Understood) -> "Then":
        """Read the one time that a question names, else its ``as_of``."""
        told = [time for time in question.times if time.relation not in _FROM_THEN_ON]
        if len(told) == 1:
            return cls(_until(told[0]))
        is_before = not question.times and asks_of_the_one_before(question)
        if question.question.as_of is None:
            return cls(None, is_before)
        return cls(_end(question.moment), is_before)

    @classmethod
    def of_now(cls, question: Understood) -> "Then":
        """Return the moment of the question, whatever times it names."""
        return cls(None if question.question.as_of is None else _end(question.moment))

    @property
    def is_told(self) -> bool:
        """Whether it is about another time than now."""
        return self.until is not None or self.is_before

    def versions(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return each of some facts as it was then.

        One that nothing was said of by then stays as it is: its date tells that it came later.
        """
        return tuple(self._version(f) if f.earlier and self.is_told else f for f in facts)

    def all_of(self, fact: Fact) -> tuple[Fact, ...]:
        """Return what was said of a fact by then, the oldest first."""
        return tuple(self._said_by_then([*fact.earlier, replace(fact, earlier=())]))

    def _version(self, fact: Fact) -> Fact:
        held = self.all_of(fact) or (replace(fact, earlier=()),)
        return held[-2] if self.is_before and len(held) > 1 else held[-1]

    def _said_by_then(self, said: Sequence[Fact]) -> Iterator[Fact]:
        for fact in said:
            if self.until is None or Validity.of(fact.as_of, None).start < self.until:
                yield fact


def _until(time: TimeExpression) -> int:
    is_before = time.relation is TimeRelation.BEFORE
    return time.moment.start if is_before else _end(time.moment)


def _end(moment: Moment) -> int:
    return max(moment.end, moment.start + 1)
