"""Makes training questions for any schema from phrases of no one domain."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Final

import yaml

from trivium.domain.question import TierName
from trivium.domain.schema import NodeType, Property, PropertyKind, Schema
from trivium.language.text import spoken
from trivium.language.words import general_words

_CHOICE: Final = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_NONE: Final[tuple[TierName, ...]] = ()
_CAG, _RAG, _GRAPH = TierName.CAG, TierName.RAG, TierName.GRAPH
_MIX: Final[tuple[tuple[tuple[TierName, ...], float], ...]] = (
    (_NONE, 4), ((_CAG,), 5), ((_RAG,), 5), ((_GRAPH,), 6),
    ((_CAG, _CAG), 1), ((_RAG, _RAG), 1), ((_GRAPH, _GRAPH), 1),
    ((_CAG, _RAG), 3), ((_RAG, _CAG), 1.5), ((_CAG, _GRAPH), 3), ((_GRAPH, _CAG), 1.5),
    ((_RAG, _GRAPH), 2), ((_GRAPH, _RAG), 2.5), ((_CAG, _RAG, _GRAPH), 2),
    ((_CAG, _GRAPH, _RAG), 1), ((_GRAPH, _CAG, _RAG), 0.7), ((_RAG, _CAG, _GRAPH), 0.7),
)  # fmt: skip
"""The needs that a made question has, in their order, and how often: near our labelled rows."""
_MONTHS: Final = ("January", "March", "May", "july", "September", "October", "december")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """An entity that a phrase may name."""

    id: str
    type: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeQuestion:
    """A question made from phrases, and the tiers that it needs."""

    text: str
    tiers: frozenset[TierName]
    before: str | None = None
    """The question before it in the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """What the file says."""

    by_tier: Mapping[TierName | None, tuple[str, ...]]
    """Phrases that need one tier, or none."""
    same: tuple[str, ...]
    """What asks the question before again, of something else."""
    thanks: tuple[str, ...]
    asides: tuple[str, ...]
    """Sentences around a question that ask for nothing."""
    openers: tuple[str, ...]
    closers: tuple[str, ...]
    joiners: tuple[str, ...]


@lru_cache(maxsize=1)
def phrases() -> Phrases:
    """Return the phrases of ``examples/general/phrases.yaml``; the file is read once."""
    path = resources.files("router").joinpath("examples/general/phrases.yaml")
    raw = yaml.safe_load(path.read_text("utf-8"))
    tiers: dict[TierName | None, tuple[str, ...]] = {t: tuple(raw[t]) for t in TierName}
    tiers[None] = tuple(raw["none"])
    return Phrases(
        by_tier=tiers,
        same=tuple(raw["follow_ups"]["same"]),
        thanks=tuple(raw["follow_ups"]["thanks"]),
        asides=tuple(raw["asides"]),
        openers=tuple(raw["openers"]),
        closers=tuple(raw["closers"]),
        joiners=tuple(raw["joiners"]),
    )


@dataclass(slots=True)
class QuestionMaker:
    """Makes questions over one domain; the same seed makes the same ones."""

    schema: Schema
    entities: Sequence[Entity]
    rng: random.Random
    _by_type: dict[str, list[Entity]] = field(init=False)

    def __post_init__(self) -> None:
        self._by_type = {}
        for entity in self.entities:
            self._by_type.setdefault(entity.type, []).append(entity)

    def make(self) -> MadeQuestion:
        """Return the next question, with its label."""
        needs = self.rng.choices([m for m, _ in _MIX], [w for _, w in _MIX])[0]
        if self.rng.random() < 0.1:
            return self._follow_up(needs)
        return MadeQuestion(text=self._question(needs, self._slots()), tiers=frozenset(needs))

    def _question(self, needs: Sequence[TierName], slots: Mapping[str, str]) -> str:
        if not needs:
            text = self._fill(self._phrase(None), slots)
            return text if self.rng.random() < 0.7 else self._worn(text)
        first, *rest = (self._phrase(tier) for tier in needs)
        parts = [self._fill(first, slots)]
        for phrase in rest:
            own = slots if self.rng.random() < 0.7 else self._slots()
            pointing = _pointing(phrase, self.rng) if self.rng.random() < 0.6 else phrase
            parts.append(self._fill(pointing, own))
        return self._worn(self._framed(self._joined(parts)))

    def _follow_up(self, needs: Sequence[TierName]) -> MadeQuestion:
        """Return a question after another one: the same of something else, a new one, thanks."""
        slots = self._slots()
        before = self._question(needs[:1] or (self.rng.choice(list(TierName)),), slots)
        if not needs:
            text = self._fill(expand(self.rng.choice(phrases().thanks), self.rng), slots)
            return MadeQuestion(text=self._worn(text), tiers=frozenset(), before=before)
        if len(needs) == 1 and self.rng.random() < 0.5:
            text = self._fill(expand(self.rng.choice(phrases().same), self.rng), slots)
            text += self.rng.choice(("?", "?", "", " please"))
            return MadeQuestion(text=self._worn(text), tiers=frozenset(needs), before=before)
        parts = [self._fill(_pointing(self._phrase(t), self.rng), slots) for t in needs]
        text = self._worn(self._framed(self._joined(parts)))
        before = self._question((self.rng.choice(list(TierName)),), slots)
        return MadeQuestion(text=text, tiers=frozenset(needs), before=before)

    def _phrase(self, tier: TierName | None) -> str:
        return expand(self.rng.choice(phrases().by_tier[tier]), self.rng)

    def _joined(self, parts: Sequence[str]) -> str:
        if len(parts) > 1 and self.rng.random() < 0.15:
            style = self.rng.choice(("{}. ", "{}) ", "({}) "))
            marks = "123" if style == "{}. " or self.rng.random() < 0.5 else "abc"
            return " ".join(style.format(m) + p for m, p in zip(marks, parts, strict=False))
        text = parts[0]
        for part in parts[1:]:
            text += self.rng.choice(phrases().joiners) + part
        return text

    def _framed(self, text: str) -> str:
        """Put around a question what people put around theirs."""
        roll = self.rng.random()
        if roll < 0.12:
            opener = self._fill(self.rng.choice(phrases().openers), self._slots())
            text = f"{expand(opener, self.rng)} {text}"
        elif roll < 0.3:
            text = self._asides(self.rng.choice((1, 1, 2, 3, 4))) + text
        if self.rng.random() < 0.06:
            return f"{text}. {self._asides(1)}".strip()
        return text + self.rng.choice(phrases().closers)

    def _asides(self, n_asides: int) -> str:
        told = [
            self._fill(expand(self.rng.choice(phrases().asides), self.rng), self._slots())
            + self.rng.choice((", ", ". ", ". ", " and "))
            for _ in range(n_asides)
        ]
        return "".join(told).removesuffix(" and ").rstrip(" ,.") + self.rng.choice(
            (". ", ": ", ", ")
        )

    def _worn(self, text: str) -> str:
        """Write as people do: mostly a capital first, often none, sometimes only capitals."""
        roll = self.rng.random()
        if roll < 0.55:
            return text[:1].upper() + text[1:]
        if roll < 0.58:
            return text.upper()
        return text.lower() if roll < 0.75 else text

    def _slots(self) -> dict[str, str]:
        kind = self.rng.choice(sorted(self._by_type))
        entity, twin = (self._entity(kind) for _ in range(2))
        others = [t for t in sorted(self.schema.node_types) if t != kind] or [kind]
        first, second = self.rng.choice(others), self.rng.choice(others)
        node_type = self.schema.node_types[kind]
        relation = self.rng.choice(sorted(self.schema.relation_types))
        return {
            "e": entity,
            "f": twin,
            "x": self._entity(self.rng.choice(sorted(self._by_type))),
            "p": self._property(node_type),
            "q": self._property(node_type),
            "n": self._property(self.schema.node_types[first], numeric=True),
            "s": self._noun(first),
            "s2": self._noun(second),
            "t": _plural(self._noun(first)),
            "u": _plural(self._noun(second)),
            "v": self._value(node_type),
            "r": spoken(relation),
            "y": str(self.rng.randint(2012, 2026)),
            "m": self.rng.choice(_MONTHS),
            "k": self.rng.choice(("3", "5", "10", "three", "five", "two", "ten")),
        }

    def _entity(self, kind: str) -> str:
        entity = self.rng.choice(self._by_type[kind])
        return entity.id if self.rng.random() < 0.2 else entity.name

    def _noun(self, type_name: str) -> str:
        words = (spoken(type_name), *self.schema.node_types[type_name].words)
        return words[0] if self.rng.random() < 0.6 else self.rng.choice(words)

    def _property(self, node_type: NodeType, *, numeric: bool = False) -> str:
        every = list(node_type.properties.values())
        wanted = [p for p in every if p.kind is PropertyKind.NUMBER] if numeric else every
        if not wanted:
            return "revenue" if numeric else "status"
        return _spoken_property(self.rng.choice(wanted))

    def _value(self, node_type: NodeType) -> str:
        found = [v for p in node_type.properties.values() for v in p.values]
        return self.rng.choice(found) if found else "active"

    def _fill(self, phrase: str, slots: Mapping[str, str]) -> str:
        return " ".join(_SLOT.sub(lambda m: slots[m.group(1)], phrase).split())


def expand(phrase: str, rng: random.Random) -> str:
    """Choose among the alternatives of ``phrase``, innermost first.

    >>> expand("a [] (b|b)", random.Random(1))
    'a b'
    """
    while match := _CHOICE.search(phrase):
        must, may = match.groups()
        options = must.split("|") if must is not None else [*(may or "").split("|"), ""]
        if must is None and rng.random() < 0.5:
            options = [""]
        phrase = phrase[: match.start()] + rng.choice(options) + phrase[match.end() :]
    return re.sub(r"\s+([,.?!;:])", r"\1", " ".join(phrase.split()))


def _pointing(phrase: str, rng: random.Random) -> str:
    """Put a pronoun where ``phrase`` names its entity: it was named before."""
    phrase = phrase.replace("{e}'s", rng.choice(("its", "their")))
    return phrase.replace("{e}", rng.choice(("it", "them", "that")))


def _spoken_property(item: Property) -> str:
    parts = spoken(item.name).split()
    if len(parts) > 1 and parts[-1] in general_words().units:
        parts = parts[:-1]
    return " ".join(parts)


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")
