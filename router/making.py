"""Makes labelled training questions for a domain, from its schema and names and ways of asking."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any, Final, TypeAlias

import yaml

from router.model import TierSet
from trivium.domain.question import Question, TierName, Turn
from trivium.domain.schema import Property, PropertyKind, Schema
from trivium.language.text import spoken, stems
from trivium.language.words import general_words

Asking: TypeAlias = Mapping[str, Sequence[str]]
"""Questions of one domain, by label; ``{Type}`` stands for one of its names."""

_SLOT: Final = re.compile(r"\{(\w+)\}")
_TRIES: Final = 30
_COUNTS: Final = {"cag": 95, "rag": 110, "graph": 115, "none": 55, "follow": 40, "mixed": 90}
"""Questions of a domain, by what they need; measured by ``bench.routing``."""
_MIXES: Final = (
    ("cag", "rag"), ("cag", "rag"), ("cag", "graph"), ("cag", "graph"), ("rag", "graph"),
    ("rag", "graph"), ("cag", "rag", "graph"), ("cag", "cag"), ("rag", "rag"), ("graph", "graph"),
    ("rag", "rag"),
)  # fmt: skip
_UNITS: Final = frozenset(
    {"eur", "usd", "pct", "days", "minutes", "hours", "km", "kg", "t", "m", "ms", "gb", "hl", "mw",
     "kv", "cents", "m3", "months", "tonnes"}
)  # fmt: skip
"""Units at the end of a property's name, which people leave out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What questions are made of.

    Attributes:
        names: what the entities of each type are called.
        asking: questions that people of this domain alone ask.
        topics: what its documents are about.
    """

    schema: Schema
    names: Mapping[str, Sequence[str]]
    asking: Asking = field(default_factory=dict)
    topics: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A made question, the tiers it needs, and its clauses where it has several needs."""

    question: Question
    tiers: TierSet
    clauses: tuple[tuple[str, TierName], ...] = ()


@lru_cache(maxsize=1)
def templates() -> Mapping[str, Any]:  # Any: YAML, of our own making
    """Return the ways of asking; the file is read once."""
    text = resources.files("router").joinpath("made/templates.yaml").read_text("utf-8")
    found: Mapping[str, Any] = yaml.safe_load(text)
    return found


def make(domain: Domain, seed: int) -> Iterator[Made]:
    """Give made questions for a domain; the same seed gives the same ones."""
    maker = _Maker(domain, random.Random(seed))
    for need, count in _COUNTS.items():
        for _ in range(count):
            made = maker.one(need)
            if made is not None:
                yield made


class _Maker:
    def __init__(self, domain: Domain, dice: random.Random) -> None:
        self._domain = domain
        self._dice = dice
        self._filler = _Filler(domain, dice)

    def one(self, need: str) -> Made | None:
        match need:
            case "follow":
                return self._follow()
            case "mixed":
                return self._mixed()
            case _:
                text = self._single(need)
                return self._asked(text, need)

    def _asked(self, text: str | None, *needs: str) -> Made | None:
        if text is None:
            return None
        return Made(question=Question(text=self._styled(text)), tiers=_set(*needs))

    def _single(self, need: str) -> str | None:
        own = self._domain.asking.get(need, ())
        if own and self._dice.random() < 0.2:
            return self._filler.own(self._dice.choice(own))
        return self._filler.fill(self._dice.choice(templates()[need]))

    def _follow(self) -> Made | None:
        need = self._dice.choice(("cag", "rag", "graph", "graph", "none"))
        before = need if need in {"cag", "graph"} else self._dice.choice(("cag", "graph", "rag"))
        if need == "graph" and self._dice.random() < 0.3:
            before = "cag"
        first = self._single(before)
        text = self._filler.fill(self._dice.choice(templates()["follow"][need]))
        if first is None or text is None:
            return None
        history = (Turn("user", first), Turn("assistant", "Here it is."))
        question = Question(text=self._styled(text, wrap=False), history=history)
        return Made(question=question, tiers=_set(need))

    def _mixed(self) -> Made | None:
        needs = list(self._dice.choice(_MIXES))
        self._dice.shuffle(needs)
        way = self._dice.random()
        if way < 0.1 and set(needs) == {"cag", "graph"}:
            text = self._filler.fill(self._dice.choice(templates()["leads"]["fused"]))
            return self._asked(text, *needs)
        if way < 0.25 and "cag" in needs and len(set(needs)) > 1:
            parts = self._led(needs)
        elif way < 0.5:
            parts = self._whole_then_parts(needs)
        else:
            return self._about_one(needs)
        if not all(parts):
            return None
        return self._joined("", [p for p in parts if p], needs)

    def _led(self, needs: list[str]) -> list[str | None]:
        """Make "the three largest …, and what their letters say"."""
        needs.sort(key=lambda need: need != "cag")
        leads = templates()["leads"]
        return self._filler.together([self._dice.choice(leads[need]) for need in needs])

    def _whole_then_parts(self, needs: Sequence[str]) -> list[str | None]:
        """Make a whole question, then the rest about the same thing."""
        known = templates()
        first = known["leads"]["sole_graph"] if needs[0] == "graph" else known[needs[0]]
        rest = [self._dice.choice(known["parts"][need]) for need in needs[1:]]
        return self._filler.together([self._dice.choice(first), *rest])

    def _about_one(self, needs: Sequence[str]) -> Made | None:
        """Make "X: this, that and the other"."""
        known = templates()
        parts = [self._dice.choice(known["parts"][need]) for need in needs]
        lead = self._dice.choice(("{E}: ", "{E}. ", "{E} - ", "{E}, ", "for {E}: ", "", ""))
        filled = self._filler.together([lead, *parts])
        if any(part is None for part in filled):
            return None
        texts = [part or "" for part in filled]
        if not lead:
            name = self._filler.last
            at = self._dice.randrange(len(texts) - 1) + 1
            texts[at] = re.sub(r"\b(it|they|them)\b", name, texts[at], count=1)
            if name not in texts[at]:
                texts[at] = f"{texts[at]} {self._dice.choice(('for', 'of', 'at'))} {name}"
        return self._joined(texts[0], texts[1:], needs)

    def _joined(self, lead: str, parts: Sequence[str], needs: Sequence[str]) -> Made:
        clauses = tuple((part, TierName(need)) for part, need in zip(parts, needs, strict=True))
        if self._dice.random() < 0.2:
            marks = self._dice.choice(
                (("1. ", "2. ", "3. "), ("(a) ", "(b) ", "(c) "), ("1) ", "2) ", "3) "))
            )
            text = " ".join(mark + part for mark, part in zip(marks, parts, strict=False))
        else:
            join = self._dice.choice(templates()["joins"])
            text = parts[0] + "".join(
                (", " if i + 2 < len(parts) else join) + part for i, part in enumerate(parts[1:])
            )
        text = lead + text
        if self._dice.random() < 0.25:
            before = self._filler.fill(self._dice.choice(templates()["preambles"]))
            text = (before or "") + text
        return Made(question=Question(text=self._styled(text)), tiers=_set(*needs), clauses=clauses)

    def _styled(self, text: str, *, wrap: bool = True) -> str:
        """Write a question as people do: polite, hurried, misspelt."""
        dice = self._dice
        if wrap and dice.random() < 0.15:
            around = self._filler.fill(dice.choice(templates()["wraps"]), {"Q": text})
            text = around or text
        if dice.random() < 0.1:
            text = _with_typo(text, dice)
        mood = dice.random()
        if mood < 0.25:
            text = text.lower()
        elif mood < 0.6:
            text = text[:1].upper() + text[1:]
        return text if text[-1:] in "?!." or dice.random() < 0.6 else f"{text}?"


def _set(*needs: str) -> TierSet:
    return tuple(tier for tier in TierName if tier.value in needs)


def _with_typo(text: str, dice: random.Random) -> str:
    """Return ``text`` with two letters of one longer word swapped, or one of them lost."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return text
    at = dice.choice(long)
    word = words[at]
    cut = dice.randrange(1, len(word) - 2)
    is_swap = dice.random() < 0.5
    words[at] = (
        word[:cut] + (word[cut + 1] + word[cut] if is_swap else word[cut + 1]) + word[cut + 2 :]
    )
    return " ".join(words)


class _Filler:
    """Fills the slots of one way of asking, with things that go together."""

    def __init__(self, domain: Domain, dice: random.Random) -> None:
        self._domain = domain
        self._dice = dice
        self._triples = [
            (source, relation.name, target)
            for source, relation, target in domain.schema.triples()
            if domain.names.get(source) and domain.names.get(target)
        ]
        self.last = ""
        """The name that was last put for ``{E}``."""

    def fill(self, template: str, given: Mapping[str, str] | None = None) -> str | None:
        """Return the text, or nothing where the domain has nothing to put."""
        (text,) = self.together([template], given)
        return text

    def own(self, template: str) -> str:
        """Fill a domain's own question: ``{Type}`` is a name of that type."""
        return _SLOT.sub(lambda m: self._name(m[1]), template)

    def together(
        self, parts: Sequence[str], given: Mapping[str, str] | None = None
    ) -> list[str | None]:
        """Fill several parts with the same things; each is nothing where there is no way."""
        wanted = {slot for part in parts for slot in _SLOT.findall(part)}
        for _ in range(_TRIES):
            values = self._values(wanted, " ".join(parts))
            if values is not None:
                values.update(given or {})
                self.last = values.get("E", "")
                return [self._filled(part, values) for part in parts]
        return [None for _ in parts]

    def _filled(self, part: str, values: Mapping[str, str]) -> str:
        return _SLOT.sub(lambda m: self._value(m[1], values), part)

    def _value(self, slot: str, values: Mapping[str, str]) -> str:
        if slot == "TOPIC" and self._domain.topics and self._dice.random() < 0.5:
            return self._dice.choice(self._domain.topics)
        return values[slot] if slot in values else str(self._dice.choice(templates()["fill"][slot]))

    def _values(self, wanted: set[str], whole: str) -> dict[str, str] | None:
        """Choose what the slots stand for; nothing where this choice has not all of them."""
        if not self._triples:
            return None
        source, relation, target = self._dice.choice(self._triples)
        is_forward = self._dice.random() < 0.5
        if re.search(r"\{(do|does)\} \{[EF]\}", whole):
            is_forward = False
        elif "{do}" in whole:
            is_forward = True
        own, other = (source, target) if is_forward else (target, source)
        values = {
            "E": self._name(own), "E2": self._name(own), "F": self._name(other),
            "T": self._noun(own), "Ts": _plural(self._noun(own)),
            "X": self._noun(other), "Xs": _plural(self._noun(other)),
            "N": self._dice.choice(("3", "5", "10", "three", "five", "two")),
            "does": spoken(relation), "do": _base(spoken(relation)),
        }  # fmt: skip
        beyond = [
            b if a == other else a
            for a, _, b in self._triples
            if other in (a, b) and own not in (a, b)
        ]
        if beyond:
            far = self._noun(self._dice.choice(beyond))
            values |= {"Y": far, "Ys": _plural(far)}
        values |= self._properties(own)
        known = set(values) | set(templates()["fill"]) | {"Q"}
        return values if wanted <= known and values["E"] != values["E2"] else None

    def _properties(self, type_name: str) -> dict[str, str]:
        """Choose attributes of a type, by their kind."""
        items = list(self._domain.schema.node_types[type_name].properties.values())
        self._dice.shuffle(items)
        values: dict[str, str] = {}
        for slot, kind in (
            ("Pn", PropertyKind.NUMBER), ("Pd", PropertyKind.DATE), ("Pc", PropertyKind.CATEGORY),
        ):  # fmt: skip
            fitting = [item for item in items if item.kind is kind]
            if fitting:
                values[slot] = self._attribute(fitting[0])
                if slot == "Pc":
                    values["V"] = self._dice.choice(fitting[0].values)
        for slot, item in zip(("P", "P2"), items, strict=False):
            values[slot] = self._attribute(item)
        return values

    def _attribute(self, item: Property) -> str:
        """Say an attribute: its name, without its unit, or what its description calls it."""
        description = re.split(r"[,;.:(]", item.description)[0].strip()
        if 0 < len(description.split()) <= 4 and self._dice.random() < 0.35:
            return description[:1].lower() + description[1:]
        words = spoken(item.name).split()
        while len(words) > 1 and words[-1] in _UNITS and self._dice.random() < 0.8:
            words.pop()
        return " ".join(words)

    def _name(self, type_name: str) -> str:
        names = self._domain.names.get(type_name, ())
        return self._dice.choice(names) if names else type_name

    def _noun(self, type_name: str) -> str:
        """Say a type: its name, another word of the schema, or a synonym."""
        node_type = self._domain.schema.node_types[type_name]
        own = spoken(type_name)
        others = [*node_type.words, *sorted(general_words().synonyms.get(" ".join(stems(own)), ()))]
        return self._dice.choice(others) if others and self._dice.random() < 0.15 else own


def _plural(noun: str) -> str:
    """Return a plural, right for most nouns.

    >>> _plural("brewery"), _plural("crane"), _plural("match")
    ('breweries', 'cranes', 'matches')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _base(verb: str) -> str:
    """Return the base form of a spoken relation: ``supplies`` gives ``supply``.

    >>> _base("supplies"), _base("has department"), _base("owned by")
    ('supply', 'have department', 'owned by')
    """
    first, _, rest = verb.partition(" ")
    if first == "has":
        base = "have"
    elif first.endswith("ies"):
        base = f"{first[:-3]}y"
    elif first.endswith("s") and not first.endswith(("ss", "is")):
        base = first[:-1]
    else:
        base = first
    return f"{base} {rest}".strip()
