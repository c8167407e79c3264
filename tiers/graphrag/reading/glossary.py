"""The words in which a schema describes its properties, for numbers that are asked for loosely."""

from collections.abc import Iterator
from typing import Final

from tiers.graphrag.reading.people import workforce
from trivium.domain.schema import Property, PropertyKind, Schema
from trivium.language.text import spoken, stem, stems
from trivium.language.words import general_words

_COUNTING: Final = frozenset(stem(w) for w in ("number", "count", "total", "amount"))
"""Words in a description that tell only that something is counted: "number of seats"."""


class Glossary:
    """All words of one schema's names and descriptions, and those of each number property."""

    def __init__(self, schema: Schema) -> None:
        self.words: set[str] = set()
        """Stems of every word that the schema says something with."""
        self._numbers: dict[tuple[str, str], tuple[frozenset[str], frozenset[str]]] = {}
        self._whole: dict[tuple[str, str], tuple[frozenset[str], ...]] = {}
        for owner in schema.owners():
            self._take(f"{spoken(owner.name)} {owner.description}", *owner.words)
            for item in owner.properties.values():
                self._take(f"{spoken(item.name)} {item.description}", item.unit or "", *item.words)
                if item.kind is PropertyKind.NUMBER:
                    self._numbers[owner.name, item.name] = (_named(item), _told(item))
                    self._whole[owner.name, item.name] = (_parts(item.name), _told(item))
        self.measured = {w for named, told in self._numbers.values() for w in named | told}
        """Stems of the words that number properties are called or described by."""
        self.workforce = workforce(schema)
        """The type of those who work for us, where there is one."""

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Give each number property as ``(owner, property)``."""
        yield from self._numbers

    def told(self, owner: str, name: str) -> frozenset[str]:
        """Return the stems of the words that a number property is described by, and its unit."""
        return self._numbers[owner, name][1]

    def overlap(self, owner: str, name: str, said: frozenset[str]) -> float:
        """Return how many of the words ``said`` a number property is called or described by.

        A word of its name counts 1, of its unit or description 0.7.
        """
        named, told = self._numbers[owner, name]
        return len(said & named) + 0.7 * len((said & told) - named)

    def told_whole(self, said: frozenset[str]) -> list[tuple[str, str]]:
        """Return the numbers of whose name, or of what is said of them, all words are ``said``."""
        return [
            number
            for number, told in self._whole.items()
            if any(len(words) > 1 and words <= said for words in told)
        ]

    def _take(self, *texts: str) -> None:
        for text in texts:
            self.words.update(stems(text))


def _named(item: Property) -> frozenset[str]:
    measured, _, _ = spoken(item.name).partition(" per ")
    return _telling(measured, *item.words)


def _parts(name: str) -> frozenset[str]:
    return frozenset(stem(w) for w in spoken(name).split() if w not in general_words().units)


def _told(item: Property) -> frozenset[str]:
    return _telling(item.description, item.unit or "")


def _telling(*texts: str) -> frozenset[str]:
    """Return the words that tell something; a unit does, however plain: "days"."""
    units = {stem(unit) for unit in general_words().units}
    words = {w for text in texts for w in stems(text)} - _COUNTING
    return frozenset(words - (general_words().stop_stems - units))
