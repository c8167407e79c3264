"""Aliases: words that people use for something known, learned beside what data sets say."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from trivium.domain.errors import InputError

MAX_ALIAS: Final = 60
"""Characters of the words of an alias, at most."""


class Meant(StrEnum):
    """The kinds of things that words may be learned for."""

    ENTITY = "entity"
    TYPE = "type"
    RELATION = "relation"
    PROPERTY = "property"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The one thing that some words mean."""

    kind: Meant
    name: str
    """The id of an entity, or the name of a type, relation or property."""
    of: str | None = None
    """The type or relation that has a property; ``None`` for all else."""

    @classmethod
    def of_json(cls, form: Mapping[str, object]) -> "Meaning":
        """Read ``{"entity": …}``, ``{"type": …}``, ``{"relation": …}``, ``{"property", "of"}``.

        Raises:
            InputError: there is not just one of them, or a property without its owner.
        """
        told = {kind: form[kind.value] for kind in Meant if form.get(kind.value) is not None}
        if len(told) != 1:
            raise InputError("say just one of entity, type, relation and property")
        ((kind, name),) = told.items()
        owner = form.get("of")
        if (owner is not None) is not (kind is Meant.PROPERTY):
            raise InputError("say with of which type or relation has a property, and only there")
        return cls(kind=kind, name=str(name), of=None if owner is None else str(owner))

    def to_json(self) -> dict[str, str]:
        """Return the form that ``of_json`` reads."""
        form = {self.kind.value: self.name}
        return form if self.of is None else {**form, "of": self.of}


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """Words, and what they mean."""

    words: str
    means: Meaning

    @classmethod
    def of_payload(cls, payload: Mapping[str, object]) -> "Alias":
        """Return the alias of a ``PUT_ALIAS``."""
        return cls(words=str(payload["words"]), means=Meaning.of_json(payload))

    def to_payload(self) -> dict[str, object]:
        """Return the JSON form of an alias."""
        return {"words": self.words, **self.means.to_json()}
