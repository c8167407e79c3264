"""What the descriptions of a schema tell beside its names: people, and verbs that lead on."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from trivium.domain.schema import Property, RelationType
from trivium.language.text import fold, spoken, stem, stems

_PERSON: Final = re.compile(
    r"(an? |the )?(person|people|somebody|someone|who|colleague|employee)\b"
    r"|one of (our people|us)\b|.*\bwho works? (for|with) us\b"
)
"""How a type of person is described: "Somebody who ...", "One of our people"."""
_PERSONAL: Final = frozenset(
    stem(w) for w in ("pilot", "conduct", "captain", "coach", "chair", "nurse")
)
"""What people do, and no firm or group for them."""
_ENDS: Final = re.compile(r"the (?P<first>[a-z]+) .*\b(?:the|an?) (?P<last>[a-z]+)[.]?$")
_FLAG: Final = re.compile(
    r"yes (?:if|where|when) it is an? (?P<what>[a-z -]{3,40}?)(?:[,;.]| else\b|$)"
)
_LONGEST_FLAG: Final = 3
_PLAIN: Final = frozenset({"first", "second", "other", "way", "one", "same", "whole"})
_LEADING_ON: Final = frozenset({"on", "in", "to", "from", "out", "of", "into", "off", "through"})
"""Prepositions, and adverbs before them, from a verb to the noun that a description leads to."""
_ARTICLES: Final = (("the",), ("a",), ("an",))


def describes_person(description: str) -> bool:
    """Whether a type is described as one of people.

    >>> describes_person("Somebody who mends nets."), describes_person("A firm that mends nets.")
    (True, False)
    """
    return _PERSON.match(fold(description)) is not None


def is_of_people_only(phrase: Sequence[str], doers: Iterable[str]) -> bool:
    """Whether a verb is one of people, where what does it is none by its description.

    >>> is_of_people_only(["pilot"], ["A company that flies."])
    True
    """
    return phrase[0] in _PERSONAL and not any(map(describes_person, doers))


def led_on(said: Sequence[str], verbs: AbstractSet[str]) -> Iterator[tuple[str, ...]]:
    """Give the verbs of a description, as stems, that lead on to a noun.

    >>> list(led_on("the pot came out of the kiln".split(), {"came"}))
    [('came', 'out', 'of')]
    """
    for at, verb in enumerate(said):
        end = at + 1
        while end < len(said) and said[end] in _LEADING_ON:
            end += 1
        is_led = said[at + 1 : at + 2] != ("of",) and tuple(said[end : end + 1]) in _ARTICLES
        if verb in verbs and end > at + 1 and is_led:
            yield tuple(said[at:end])


def other_nouns(relation: RelationType) -> Iterator[tuple[str, str]]:
    """Give the nouns by which the description of a relation calls its ends, each with its type.

    "The guide is in charge of the walk" calls a ``Tour`` a walk, where ``LEADS`` joins guides
    to tours.
    """
    if len(relation.ends) != 1:
        return
    told = _ENDS.match(fold(relation.description))
    said = set(stems(relation.description))
    for name, end in zip(("first", "last"), relation.ends[0], strict=True):
        is_said = bool(set(stems(spoken(end))) & said)
        if told is not None and not is_said and told[name] not in _PLAIN:
            yield told[name], end


def flagged(item: Property) -> Iterator[tuple[str, str]]:
    """Give what a yes-or-no property says that something is, with the value that says so.

    "Yes if it is a listed building, else no" calls it a listed building.
    """
    told = _FLAG.match(fold(item.description))
    yes = next((value for value in item.values if fold(value) == "yes"), None)
    if told is not None and yes is not None and len(told["what"].split()) <= _LONGEST_FLAG:
        yield told["what"], yes
