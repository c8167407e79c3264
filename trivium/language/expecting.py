"""What sort of value a part of a question asks for: a share, money, a day, an hour, a count.

It narrows which attribute may be meant by words that name none: "how many" asks for no price.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from trivium.domain.question import Understood
from trivium.domain.schema import Property, PropertyKind
from trivium.language.text import spoken, stems
from trivium.language.words import general_words, is_money

TIME_UNITS: Final = frozenset({"ms", "s", "minutes", "hours", "days", "weeks", "months", "years"})
"""What a length of time is counted in."""
_WHICH: Final = frozenset({"what", "which"})
_DAYS: Final = frozenset({"day", "date", "month", "year"})
_BEFORE_WHEN: Final = frozenset({"by", "since", "until", "till", "from"})
_VERBS: Final = frozenset(
    {"do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "will", "would", "can",
     "could", "must", "should", "may", "might", "s"}
)  # fmt: skip
"""Words that follow a question word which is asked by itself: "when did", "what does"."""
_LASTING: Final = frozenset({"been", "worked", "working", "existed", "owned", "had", "known"})
"""Words after "how long" that ask since when."""
_MORE: Final = frozenset({"more", "less", "fewer"})
_PERCENT: Final = frozenset({"%", "percent"})


class Sort(StrEnum):
    """The sorts of value that a question word asks for."""

    SHARE = "share"
    MONEY = "money"
    DAY = "day"
    HOUR = "hour"
    MEASURE = "measure"
    """So many of a unit that is said: "how many kilos"."""
    COUNT = "count"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Expected:
    """The sort of value that is asked for; none where any will do."""

    sort: Sort | None = None
    unit: str | None = None
    """For a measure, its unit."""
    is_past: bool = False
    """Whether it asks what was paid once, which is no rate."""

    def allows(self, attribute: Property) -> bool:
        """Whether an attribute may hold what is asked for."""
        match self.sort:
            case None:
                return True
            case Sort.SHARE:
                return is_share(attribute)
            case Sort.DAY | Sort.HOUR:
                return self._allows_time(attribute)
            case _:
                is_number = attribute.kind is PropertyKind.NUMBER
                return is_number and self._allows_unit(attribute.unit or "")

    def _allows_time(self, attribute: Property) -> bool:
        if attribute.kind is PropertyKind.NUMBER:
            is_time = attribute.unit in TIME_UNITS or is_year(attribute)
            return self.sort is Sort.DAY and is_time
        return attribute.kind is not PropertyKind.BOOLEAN

    def _allows_unit(self, unit: str) -> bool:
        match self.sort:
            case Sort.MONEY:
                is_rate = self.is_past and " per " in unit
                return not is_rate and (not unit or is_money(unit))
            case Sort.MEASURE:
                return _is_comparable(unit, self.unit or "")
            case Sort.COUNT:
                return not _is_measured(unit)
            case _:
                return True


def is_share(attribute: Property) -> bool:
    """Whether an attribute is a part of a whole: in per cent, or called so."""
    told = {*stems(spoken(attribute.name)), *stems(attribute.description)}
    is_said = attribute.kind is PropertyKind.NUMBER and bool(told & general_words().shares)
    return attribute.unit in _PERCENT or (not attribute.unit and is_said)


def is_year(attribute: Property) -> bool:
    """Whether a number is a year: of building, of foundation."""
    if attribute.kind is not PropertyKind.NUMBER or attribute.unit:
        return False
    named, told = stems(spoken(attribute.name)), stems(attribute.description)
    began = {stem for word in general_words().making for stem in stems(word)}
    return bool({*stems("year season since opened"), *began} & {*named, *told})


def _is_measured(unit: str) -> bool:
    """Whether what is in a unit is measured or paid, and not counted."""
    first = unit.split(" per ", maxsplit=1)[0]
    return is_money(unit) or unit in _PERCENT or first in set(general_words().units.values())


def _is_comparable(unit: str, said: str) -> bool:
    """Whether an amount in one unit, maybe by the hour or the day, may be asked for in another."""
    first, conversions = unit.split(" per ", maxsplit=1)[0], general_words().conversions
    is_time = {first, said} <= TIME_UNITS
    return not unit or first == said or is_time or said in conversions.get(first, {})


def expected(question: Understood, indexes: Sequence[int]) -> Expected:
    """Return what sort of value some words of a question ask for, where they ask for one."""
    return _Asked(question, tuple(indexes)).expected()


@dataclass(frozen=True)
class _Asked:
    """Some words of a question, read for what sort of answer they want."""

    question: Understood
    indexes: tuple[int, ...]

    def expected(self) -> Expected:
        """Return the one sort that is asked for; where several are, none."""
        if self._asks_share:
            return Expected(Sort.SHARE)
        found = dict.fromkeys(self._by_question_word())
        return next(iter(found)) if len(found) == 1 else Expected()

    def _by_question_word(self) -> Iterator[Expected]:
        for at, word in enumerate(self._words):
            after = self._words[at + 1 : at + 4]
            if word == "how" and (amount := self._amount(after)) is not None:
                yield amount
            elif word == "when" and self._is_asking(at):
                yield Expected(Sort.DAY)
            elif word in _WHICH and (value := self._value(word, set(after[:1]))) is not None:
                yield value

    def _value(self, word: str, after: AbstractSet[str]) -> Expected | None:
        """Return what "what" or "which" asks for with the word after it."""
        if after & _DAYS:
            return Expected(Sort.DAY)
        if "time" in after:
            return Expected(Sort.HOUR)
        is_paid = word == "what" and bool(after & _VERBS) and self._pays
        return Expected(Sort.MONEY, is_past=self._is_past) if is_paid else None

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(self.question.tokens[i].lower for i in self.indexes)

    @property
    def _asks_share(self) -> bool:
        shares = [
            i for i, word in enumerate(self._words) if set(stems(word)) & general_words().shares
        ]
        return any(i and self._words[i - 1] in {*_WHICH, "many"} for i in shares)

    @property
    def _pays(self) -> bool:
        """Whether a word says that something is paid: "charge", "sting", "set back"."""
        told = tuple(self.question.tokens[i].stem for i in self.indexes)
        return any(
            told[at : at + len(phrase)] == phrase
            for phrase in general_words().paying
            for at in range(len(told))
        )

    @property
    def _is_past(self) -> bool:
        periods = general_words().periods
        return "did" in self._words and not any(set(stems(w)) & periods for w in self._words)

    def _is_asking(self, at: int) -> bool:
        """Whether a "when" asks, and does not only join: "what is due when it ends?"."""
        before, after = self._words[max(0, at - 1) : at], self._words[at + 1 : at + 2]
        return not after or bool(set(before) & _BEFORE_WHEN or set(after) & _VERBS)

    def _amount(self, following: Sequence[str]) -> Expected | None:
        """Return what "how" asks for with the words that follow it."""
        degree, *after = following or ("",)
        noun = after[0] if after else ""
        if degree == "long":
            return Expected(Sort.DAY) if _LASTING & set(self._words) else None
        if degree not in {"many", "much"} or noun in _MORE:
            return None
        unit = self._unit(after)
        if degree == "much" and (self._pays or noun == "money"):
            return Expected(Sort.MONEY, is_past=self._is_past)
        if unit is not None and unit not in _PERCENT:
            is_paid = is_money(unit)
            return Expected(Sort.MONEY) if is_paid else Expected(Sort.MEASURE, unit)
        return Expected(Sort.COUNT if degree == "many" else Sort.NUMBER)

    def _unit(self, words: Sequence[str]) -> str | None:
        """Return the unit that words begin with: "kilos", "m2", "square metres"."""
        units = general_words().units
        if words[:1] == ["square"]:
            return units.get(f"{units.get(words[1], '')}2") if words[1:] else None
        return units.get("".join(words[:2])) or units.get("".join(words[:1]))
