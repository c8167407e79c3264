"""Fills ways of asking with what a domain holds: names, types, attributes, relations."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, TypeAlias

from trivium.domain.schema import Property, PropertyKind, RelationType, Schema
from trivium.language.shipped import shipped
from trivium.language.text import spoken, stems
from trivium.language.words import general_words

Asking: TypeAlias = Mapping[str, Sequence[str]]
"""Questions of one domain, by label; ``{Type}`` stands for one of its names."""
Ways: TypeAlias = Mapping[str, Any]  # Any: YAML, of our own making

_SLOT: Final = re.compile(r"\{(\w+)\}")
_TRIES: Final = 30
_UNKNOWN_SHARE: Final = 0.05
"""Of names: those that the domain does not hold; such a question is on topic all the same."""
_UNITS: Final = frozenset(
    {"eur", "usd", "pct", "days", "minutes", "hours", "km", "kg", "t", "m", "ms", "gb", "hl", "mw",
     "kv", "cents", "m3", "months", "tonnes"}
)  # fmt: skip
"""Units at the end of a property's name, which people leave out."""


@lru_cache(maxsize=1)
def templates() -> Ways:
    """Return the ways of asking; the file is read once."""
    found: Ways = shipped("router", "made/templates.yaml")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What questions are made of.

    Attributes:
        names: what the entities of each type are called.
        asking: questions that people of this domain alone ask.
        topics: what its documents are about.
        ways: the ways of asking, as ``templates()`` gives them; maybe some of them alone.
    """

    schema: Schema
    names: Mapping[str, Sequence[str]]
    asking: Asking = field(default_factory=dict)
    topics: Sequence[str] = ()
    ways: Ways = field(default_factory=templates)


class Filler:
    """Fills the slots of one way of asking, with things that go together."""

    def __init__(self, domain: Domain, dice: random.Random) -> None:
        self._domain = domain
        self._dice = dice
        self._triples = [
            (source, relation, target)
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
        if slot in values:
            return values[slot]
        return str(self._dice.choice(self._domain.ways["fill"][slot]))

    def _values(self, wanted: set[str], whole: str) -> dict[str, str] | None:
        """Choose what the slots stand for; nothing where this choice has not all of them."""
        if not self._triples:
            return None
        source, relation, target = self._dice.choice(self._triples)
        is_forward = self._dice.random() < 0.5
        if re.search(r"\{E2?\}.*\{(do|does|doing)\} \{F\}", whole):
            is_forward = True
        elif re.search(r"\{(do|does|doing)\} \{[EF]\}", whole):
            is_forward = False
        elif "{do}" in whole:
            is_forward = True
        own, other = (source, target) if is_forward else (target, source)
        values = {
            "E": self._name(own), "E2": self._name(own), "F": self._name(other),
            "T": self._noun(own), "Ts": _plural(self._noun(own)),
            "X": self._noun(other), "Xs": _plural(self._noun(other)),
            "N": self._dice.choice(("3", "5", "10", "three", "five", "two")),
            "does": spoken(relation.name), "do": _base(spoken(relation.name)),
        }  # fmt: skip
        beyond = [
            b if a == other else a
            for a, _, b in self._triples
            if other in (a, b) and own not in (a, b)
        ]
        if beyond:
            far = self._noun(self._dice.choice(beyond))
            values |= {"Y": far, "Ys": _plural(far)}
        values |= self._properties(own) | self._of_relation(relation)
        known = set(values) | set(self._domain.ways["fill"]) | {"Q"}
        return values if wanted <= known and values["E"] != values["E2"] else None

    def _of_relation(self, relation: RelationType) -> dict[str, str]:
        """Choose attributes of a relation, and say it as it goes on."""
        values = {}
        doing = gerund(spoken(relation.name))
        if doing is not None:
            values["doing"] = doing
        items = list(relation.properties.values())
        numbers = [item for item in items if item.kind is PropertyKind.NUMBER]
        for slot, fitting in (("R", numbers), ("L", items)):
            if fitting:
                values[slot] = self._attribute(self._dice.choice(fitting))
        return values

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
                    values["W"] = self._dice.choice(fitting[-1].values)
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
        if self._dice.random() < _UNKNOWN_SHARE:
            return str(self._dice.choice(self._domain.ways["unknown"]))
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


def gerund(verb: str) -> str | None:
    """Return the form in -ing of a spoken relation; nothing where it is no verb of the present.

    >>> gerund("supplies"), gerund("runs on"), gerund("makes"), gerund("owned by")
    ('supplying', 'running on', 'making', None)
    """
    base, _, rest = _base(verb).partition(" ")
    if base == verb.partition(" ")[0]:
        return None
    if base.endswith("e") and not base.endswith("ee"):
        base = base[:-1]
    elif re.fullmatch(r"[^aeiou]+[aeiou][bdgmnprt]", base):
        base += base[-1]
    return f"{base}ing {rest}".strip()
