"""Reads templates from files: those of the package, and those of an installation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

import yaml

from tiers.graphrag.templates.form import Template, template_from
from trivium.domain.errors import DataError
from trivium.language.shipped import shipped

_PACKAGE: Final = "tiers.graphrag.templates"
_ENDINGS: Final = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedTemplate:
    """A template, or a file of them, that is not used, and why."""

    place: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTemplates:
    """What was read: templates, and what is none."""

    templates: tuple[Template, ...] = ()
    refused: tuple[RefusedTemplate, ...] = ()


@lru_cache(maxsize=1)
def general_templates() -> tuple[Template, ...]:
    """Return the templates of the package, which name no domain.

    Raises:
        DataError: one of them is broken.
    """
    folder = resources.files(_PACKAGE).joinpath("general")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name)
    return tuple(
        template_from(entry, file.name)
        for file in files
        for entry in _entries(shipped(_PACKAGE, f"general/{file.name}"), file.name)
    )


def read_directory(folder: Path) -> ReadTemplates:
    """Read the templates of every YAML and JSON file in a folder, in order of their names.

    Raises:
        DataError: there is no such folder.
    """
    if not folder.is_dir():
        raise DataError(f"there is no folder of templates at {folder}")
    files = sorted(file for file in folder.iterdir() if file.suffix in _ENDINGS)
    return joined([read_file(file) for file in files])


def read_file(file: Path) -> ReadTemplates:
    """Read one file: a template, or a list of them; what is wrong in it is told, not raised."""
    try:
        entries = entries_of(file.read_text("utf-8-sig"), file.name)
    except (OSError, UnicodeDecodeError) as error:
        why = f"{file.name} cannot be read: {error}"
        return ReadTemplates(refused=(RefusedTemplate(place=file.name, why=why),))
    except DataError as error:
        return ReadTemplates(refused=(RefusedTemplate(place=file.name, why=str(error)),))
    read = []
    for entry in entries:
        try:
            read.append(ReadTemplates(templates=(template_from(entry, file.name),)))
        except DataError as error:
            refused = RefusedTemplate(place=file.name, why=str(error))
            read.append(ReadTemplates(refused=(refused,)))
    return joined(read)


def entries_of(text: str, place: str) -> Sequence[object]:
    """Return the entries of a file's text.

    Raises:
        DataError: it is no YAML, or holds neither a template nor a list of them.
    """
    try:
        raw = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise DataError(f"{place} is no YAML: {error}") from error
    return _entries(raw, place)


def _entries(raw: object, place: str) -> Sequence[object]:
    if isinstance(raw, dict):
        return [raw]
    if not isinstance(raw, list) or not raw:
        raise DataError(f"{place} holds neither a template nor a list of them")
    return raw


def joined(parts: Iterable[ReadTemplates]) -> ReadTemplates:
    """Return several readings as one; of templates with one name the first stands."""
    found: dict[str, Template] = {}
    refused: list[RefusedTemplate] = []
    for part in parts:
        refused += part.refused
        for template in part.templates:
            if template.name in found:
                refused.append(taken(template, found[template.name].place))
            else:
                found[template.name] = template
    return ReadTemplates(templates=tuple(found.values()), refused=tuple(refused))


def taken(template: Template, where: str) -> RefusedTemplate:
    """Return the refusal of a template whose name another one has."""
    why = f"{template.place}: template {template.name}: one in {where} is called so"
    return RefusedTemplate(place=template.place, why=why)
