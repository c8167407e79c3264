"""What ``schema.yaml`` says, read at the edge: every key optional, unknown ones reported."""

from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from trivium.domain.errors import DataError, InputError
from trivium.domain.schema import Effect
from trivium.domain.time import parse_instant
from trivium.knowledge.files import Report, fault_of, short
from trivium.knowledge.yaml_text import read_yaml


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value or []


def _dated(value: object) -> object:
    if not isinstance(value, (str, date, datetime)):
        return value
    try:
        parse_instant(value)
    except InputError as error:
        raise ValueError(str(error)) from error
    return value if isinstance(value, str) else value.isoformat()


def _described(value: object) -> object:
    """Take ``properties`` as a mapping of descriptions, or as a list of names."""
    if isinstance(value, list):
        return {str(v["name"] if isinstance(v, dict) else v): v for v in value}
    return value or {}


Texts = Annotated[list[str], BeforeValidator(_listed)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Described = Annotated[dict[str, object], BeforeValidator(_described)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: object) -> object:
        """Read a key without a value as one that is not there."""
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if item is not None}


class DeclaredType(_Part):
    """One entry of ``node_types``."""

    name: str
    description: str = ""
    properties: Described = Field(default_factory=dict)
    words: Texts = Field(default_factory=list)


class DeclaredRelation(_Part):
    """One entry of ``relation_types``."""

    name: str
    source: Texts = Field(default_factory=list)
    target: Texts = Field(default_factory=list)
    description: str = ""
    properties: Described = Field(default_factory=dict)
    words: Texts = Field(default_factory=list)
    effect: str | None = None


class DeclaredSchema(_Part):
    """The whole file."""

    name: str | None = None
    as_of: Annotated[str | None, BeforeValidator(_dated)] = None
    node_types: list[DeclaredType] = Field(default_factory=list)
    relation_types: list[DeclaredRelation] = Field(default_factory=list)
    properties: Described = Field(default_factory=dict)
    words: dict[str, Texts] = Field(default_factory=dict)
    valid_from: Texts = Field(default_factory=list)
    valid_to: Texts = Field(default_factory=list)
    scales: dict[str, dict[str, Finite]] = Field(default_factory=dict)
    severity: dict[str, Finite] = Field(default_factory=dict)
    decay: list[Finite] = Field(default_factory=list)


def read_declared(path: Path, report: Report) -> DeclaredSchema:
    """Read ``schema.yaml``; a missing file is an empty schema.

    Raises:
        DataError: the file is there and is not a schema.
    """
    fault = fault_of(path, path.parent)
    if fault:
        raise DataError(f"{path.name} {fault}")
    if not path.is_file():
        return DeclaredSchema()
    try:
        raw = read_yaml(path.read_text("utf-8-sig")) or {}
        schema = DeclaredSchema.model_validate(raw)
    except ValidationError as error:
        faults = [(".".join(map(str, e["loc"])) or "the file", e["msg"]) for e in error.errors()]
        where, what = faults[0]
        raise DataError(f"{path.name}: {where}: {what}", faults) from error
    except (DataError, OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name} cannot be read: {short(error)}") from error
    _report_unknown(schema, path, report)
    return schema


def _report_unknown(schema: DeclaredSchema, path: Path, report: Report) -> None:
    parts: list[tuple[str, _Part]] = [("", schema)]
    parts += [(f"node_types.{t.name}: ", t) for t in schema.node_types]
    parts += [(f"relation_types.{r.name}: ", r) for r in schema.relation_types]
    for where, part in parts:
        for key in part.model_extra or {}:
            report.warn(path, 0, f"{where}unknown key {key!r} is ignored")
        for name, entry in getattr(part, "properties", {}).items():
            for key in entry if isinstance(entry, Mapping) else ():
                if key not in {"name", "description"}:
                    report.warn(path, 0, f"{where}{name}: unknown key {key!r} is ignored")
    for relation in schema.relation_types:
        if relation.effect and relation.effect not in {*map(str, Effect)}:
            where = f"relation_types.{relation.name}: "
            report.warn(path, 0, f"{where}unknown effect {relation.effect!r} is ignored")


def description_of(entry: object) -> str:
    """Return the description of a declared property, however it was written."""
    if isinstance(entry, Mapping):
        return str(entry.get("description") or "")
    return "" if entry is None else str(entry)
