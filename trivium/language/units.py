"""The unit that a schema tells of a number: by the last part of its name, or by its description."""

import re
from collections.abc import Mapping
from typing import Final

from trivium.language.text import spoken
from trivium.language.words import general_words, is_money

PERIODS: Final = frozenset({"hour", "day", "week", "month", "year"})
"""What an attribute may be told for, at the end of its name: ``hire_usd_day``."""
_CODE: Final = 3
"""Letters of a currency."""
_SCALE: Final = r"(?P<scale>thousand|million|billion)s?"
_IN: Final = re.compile(
    rf"\bin (?:{_SCALE}(?: of)? )?(?P<which>(?:US|nautical|square|cubic) )?(?P<unit>[A-Za-z%]+)"
    r"(?: (?:per|an?|each) (?P<per>[a-z]+))?"
)
"""What a number is in: "in million USD", "in thousands of euros a year", "in nautical miles"."""
_IN_SCALE: Final = re.compile(rf"\bin {_SCALE}$")
_COUNTED: Final = re.compile(rf"{_SCALE} of (?P<what>[a-z]+(?: an? [a-z]+)?)$", re.IGNORECASE)
"""What is counted in thousands: "millions of passengers a year"."""


def unit_told(name: str, description: str) -> str | None:
    """Return the unit of a number that its name tells, or its description.

    The description may tell of how many of the unit that is in the name.

    >>> unit_told("annual_revenue", "yearly revenue in million USD")
    'million USD'
    >>> unit_told("budget_eur", "budget, in thousands of euros"), unit_told("built", "year")
    ('thousand EUR', None)
    """
    by_name, told = unit_of(name, general_words().units), unit_described(description)
    if by_name is None:
        return told
    return told if told and told.endswith(f" {by_name}") else by_name


def unit_of(name: str, units: Mapping[str, str]) -> str | None:
    """Return the unit that the last part of a property name tells, with what it is counted by.

    >>> units = {"days": "days", "day": "days", "usd": "USD"}
    >>> unit_of("lead_time_days", units), unit_of("hire_usd_day", units)
    ('days', 'USD per day')
    >>> unit_of("price_usd_kg", {"usd": "USD", "kg": "kg"})
    'USD per kg'
    """
    parts = spoken(name).split()
    is_priced = len(parts) > 2 and parts[-1] in units and parts[-1] not in PERIODS
    if is_priced and is_money(units.get(parts[-2])):
        return f"{units[parts[-2]]} per {units[parts[-1]]}"
    if len(parts) > 1 and parts[-1] in PERIODS and (len(parts) > 2 or parts[0] in units):
        unit = units.get(parts[-2])
        return f"{unit} per {parts[-1]}" if unit else None
    return units.get(parts[-1]) if len(parts) > 1 else None


def unit_described(description: str) -> str | None:
    """Return the unit that a description says that a number is in.

    >>> unit_described("length in nautical miles"), unit_described("price in euros a tonne")
    ('nautical miles', 'EUR per t')
    >>> unit_described("millions of visitors a year"), unit_described("seats in the hall")
    ('million visitors a year', None)
    """
    said = description.strip().rstrip(".")
    found = [unit for match in _IN.finditer(said) if (unit := _unit(match))]
    if found:
        return found[-1]
    if scale := _IN_SCALE.search(said):
        return scale["scale"]
    counted = _COUNTED.match(said)
    return f"{counted['scale'].lower()} {counted['what']}" if counted else None


def _unit(match: re.Match[str]) -> str | None:
    word, which = match["unit"], match["which"] or ""
    units = general_words().units
    unit = word if is_money(word) and len(word) == _CODE else units.get(word.casefold())
    if unit is None or word in PERIODS:
        return None
    if which and not is_money(unit):
        unit = f"{which}{word}"
    if match["scale"]:
        unit = f"{match['scale']} {unit}"
    per = match["per"]
    if per == "second" and unit.endswith("ps"):  # gigabits a second
        return unit
    return f"{unit} per {per if per in PERIODS else units.get(per, per)}" if per else unit
