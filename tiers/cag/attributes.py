"""What words speak for an attribute: its name, the schema's words, synonyms, its description."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz, process
from rapidfuzz.distance import DamerauLevenshtein

from tiers.cag.forms import degrees
from tiers.cag.wording import SURE, TIME_UNITS
from trivium.domain.question import Token
from trivium.domain.schema import Property, PropertyKind, RiskModel
from trivium.language.phrases import property_phrases
from trivium.language.text import fold, spoken, stem, stems
from trivium.language.units import PERIODS
from trivium.language.words import Measure, general_words, is_money

NAME: Final = 1.0
WORD: Final = 0.9
_MEASURE: Final = 0.75
_SYNONYM: Final = 0.7
SAID: Final = 0.65
_DESCRIPTION: Final = 0.6
_WHEN: Final = 0.4
"""For what only tells of which kind it is: a day, an amount of money."""
_DAY: Final = stems("when date day")
_MONEY: Final = stems("money")
VAGUE: Final = 0.3
_OTHER_FORM: Final = 0.85
_TYPO: Final = 0.8
_PLACE_WORDS: Final = frozenset(stems("where place city town country located location"))


def plain(name: str, unit: str | None = None) -> str:
    """Return an attribute's name as words, without the unit where that is known.

    >>> plain("lead_time_days", "days"), plain("hire_usd_day", "USD per day"), plain("hours")
    ('lead time', 'hire', 'hours')
    """
    parts = spoken(name).split()
    units = general_words().units if unit else {}
    if len(parts) > 2 and parts[-1] in PERIODS and parts[-2] in units:
        return " ".join(parts[:-2])
    if len(parts) > 1 and parts[-1] in units and parts[-2] != "per":
        return " ".join(parts[:-1])
    return " ".join(parts)


def title(attribute: Property) -> str:
    """Return the name by which an attribute is spoken of."""
    return plain(attribute.name, attribute.unit)


@lru_cache(maxsize=4096)
def name_words(attribute: Property) -> Mapping[str, str]:
    """Return the words of an attribute's name, with the stem of each."""
    return {word: stem(word) for word in title(attribute).split()}


@lru_cache(maxsize=4096)
def full_names(attribute: Property) -> tuple[tuple[str, ...], ...]:
    """Return the phrases, as stems, that name an attribute in full."""
    return tuple(phrase for phrase, score in property_phrases(attribute) if score >= SURE)


def is_state(name: str) -> bool:
    """Whether an attribute of that name says whether something is open, or over."""
    word = stem(RiskModel().status_property)
    return " ".join(stems(spoken(name))) in {word, *general_words().synonyms.get(word, ())}


def is_worse_when_high(attribute: Property) -> bool:
    """Whether little of an attribute is good, as of a delay."""
    name = stems(title(attribute))
    return any(phrase in _runs(name) for phrase in general_words().worse_when_high)


def ends_of(adjective: str, attribute: Property) -> list[bool]:
    """Return, for each measure that a comparative asks for, whether it means the low end."""
    forms = {adjective, *degrees(adjective)}
    measures = [m for m in measures_of(attribute) if forms & (m.high | m.low)]
    return [bool(forms & m.low) for m in measures]


def near_names(attributes: Mapping[str, Property], words: str, limit: int = 5) -> list[str]:
    """Return the spoken names of the attributes that are most like ``words``, best first."""
    names = {title(a): None for a in attributes.values()}
    ranked = process.extract(words, list(names), scorer=fuzz.WRatio, limit=limit)
    return [name for name, _, _ in ranked]


def weight(attribute: Property, token: Token) -> float:
    """Return how much a word speaks for an attribute, from 0 to 1."""
    weights = _weights(attribute)
    if token.stem in weights:
        return weights[token.stem]
    forms = [weights[form] for form in degrees(token.lower) if form in weights]
    if forms:
        return max(forms)
    if len(token.stem) < 4 or not general_words().is_content(token):
        return 0.0
    alike = [w for word, w in weights.items() if _is_other_form(token.stem, word)]
    if alike:
        return max(alike) * _OTHER_FORM
    typos = [w for word, w in _spellings(attribute).items() if is_typo(token.lower, word)]
    return max(typos, default=0.0) * _OTHER_FORM


def _is_other_form(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 3


def is_typo(a: str, b: str) -> bool:
    """Whether two words are as good as one, but for a slip.

    >>> is_typo("capcity", "capacity"), is_typo("beds", "bets")
    (True, False)
    """
    if min(len(a), len(b)) < 4 or max(len(a), len(b)) < 5 or a[0] != b[0]:
        return False
    return DamerauLevenshtein.normalized_similarity(a, b) >= _TYPO


@lru_cache(maxsize=4096)
def _spellings(attribute: Property) -> Mapping[str, float]:
    """Return the whole words by which a typo is known, with how much each speaks for it."""
    told = {w: _DESCRIPTION for w in fold(attribute.description).split() if len(w) >= 6}
    words = dict.fromkeys(fold(" ".join(attribute.words)).split(), WORD)
    return told | words | dict.fromkeys(title(attribute).split(), NAME)


@lru_cache(maxsize=4096)
def _weights(attribute: Property) -> Mapping[str, float]:
    """Return the stems that speak for an attribute, with how much."""
    general = general_words()
    name = stems(title(attribute))
    found: dict[str, float] = {}

    def add(words: Collection[str], fit: float) -> None:
        for word in words:
            found[word] = max(found.get(word, 0.0), fit)

    add(name, NAME)
    add(
        [w for phrase in attribute.words for w in stems(phrase) if w not in general.stop_stems],
        WORD,
    )
    add(
        [other for w in name for other in general.synonyms.get(w, ()) if " " not in other], _SYNONYM
    )
    for measure in measures_of(attribute):
        add(measure.high | measure.low, _MEASURE)
        add([phrase[0] for phrase in measure.said if len(phrase) == 1], SAID)
    add(stems(f"{attribute.unit or ''} {spoken(attribute.name)}"), VAGUE)
    told = [w for w in stems(attribute.description) if not w[0].isdigit()]
    empty = general.stop_stems | general.vague_stems
    add([w for w in told if w not in empty], _DESCRIPTION)
    add([w for w in told if w in general.vague_stems], VAGUE)
    if title(attribute) in general.places:
        add(["where"], WORD)
    elif "where" in told:
        add(["where"], _SYNONYM)
    elif _PLACE_WORDS & set(told):
        add(["where"], _DESCRIPTION)
    add(_DAY if attribute.kind is PropertyKind.DATE else (), _WHEN)
    add(_MONEY if is_money(attribute.unit) else (), _WHEN)
    return found


@lru_cache(maxsize=4096)
def measures_of(attribute: Property) -> tuple[Measure, ...]:
    """Return the measures that an attribute is one of, by the words of its name.

    An end date is no date at which something starts: a longer part of the name hides what it holds.
    """
    told = [title(attribute)]
    if " per " not in (attribute.unit or ""):  # what is used an hour lasts no hour
        told.append(spoken(attribute.name))
    runs = {run for name in told for run in _runs(stems(name))}
    if attribute.unit in TIME_UNITS:
        runs.add((stem(attribute.unit),))
    found = {m: max(m.of & runs, key=len) for m in general_words().measures if m.of & runs}
    inside = {part for run in found.values() for part in _runs(run) if part != run}
    return tuple(m for m, run in found.items() if run not in inside)


def _runs(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give every stretch of words.

    >>> sorted(_runs(("end", "date")))
    [('date',), ('end',), ('end', 'date')]
    """
    return (words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1))
