"""Rules that admins set: patterns that send a question to fixed tiers before the model is asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from router.model import TierSet, tier_set
from trivium.domain.errors import DataError
from trivium.domain.question import TierName
from trivium.language.text import fold


class _Entry(BaseModel):
    """One rule of the file, as it is written."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(min_length=1)]
    pattern: Annotated[str, Field(min_length=1)]
    tiers: list[TierName]


_FILE = TypeAdapter(list[_Entry])


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and where what it matches goes.

    Attributes:
        name: what the rule is shown as.
        pattern: a regular expression that must match all of the folded question, in any case.
        tiers: maybe none.
    """

    name: str
    pattern: re.Pattern[str]
    tiers: TierSet


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules in the order in which they are tried."""

    rules: Sequence[Rule] = ()

    def match(self, text: str) -> Rule | None:
        """Return the first rule that a question matches."""
        folded = fold(text)
        return next((rule for rule in self.rules if rule.pattern.fullmatch(folded)), None)

    @classmethod
    def read(cls, path: Path) -> "Rules":
        """Read a file in YAML or JSON: a list of ``{name, pattern, tiers}``.

        Raises:
            DataError: the file cannot be read, or a rule in it is wrong.
        """
        try:
            entries = _FILE.validate_python(yaml.safe_load(path.read_text("utf-8")) or [])
            return cls(tuple(_rule(entry) for entry in entries))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise DataError(f"the rules in {path.name}: {where}: {first['msg']}") from error
        except (OSError, UnicodeDecodeError, yaml.YAMLError, re.error) as error:
            raise DataError(f"the rules in {path.name} cannot be read: {error}") from error


def _rule(entry: _Entry) -> Rule:
    return Rule(entry.name, re.compile(entry.pattern, re.IGNORECASE), tier_set(entry.tiers))
