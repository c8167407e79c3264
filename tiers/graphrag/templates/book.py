"""The templates at hand, and which of them fit the schema in force."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog

from tiers.graphrag.templates.form import Template
from tiers.graphrag.templates.loading import (
    ReadTemplates,
    RefusedTemplate,
    general_templates,
    read_directory,
    taken,
)
from tiers.graphrag.templates.sampling import misfit
from trivium.domain.schema import Schema

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """What can be used over one schema."""

    general: tuple[Template, ...] = ()
    own: tuple[Template, ...] = ()
    refused: tuple[RefusedTemplate, ...] = ()
    """What is not used, of both."""

    @property
    def all(self) -> tuple[Template, ...]:
        """Every template that can be used, the installation's own first."""
        return self.own + self.general


class TemplateBook:
    """Holds the templates of the package and those of an installation.

    Each is checked against the schema in force; what does not fit is left out, and told once.
    """

    def __init__(
        self, own: ReadTemplates | None = None, general: Sequence[Template] | None = None
    ) -> None:
        read = own or ReadTemplates()
        self._general = tuple(general_templates() if general is None else general)
        places = {template.name: template.place for template in self._general}
        self._own = tuple(t for t in read.templates if t.name not in places)
        named_twice = [taken(t, places[t.name]) for t in read.templates if t.name in places]
        self._refused = (*read.refused, *named_twice)
        self._own_fitting: tuple[Schema | None, Fitting] = (None, Fitting())
        self._fitting: tuple[Schema | None, Fitting] = (None, Fitting())

    @property
    def is_empty(self) -> bool:
        """Whether there is no template at all."""
        return not (self._own or self._general)

    @property
    def fingerprint(self) -> str:
        """What tells the installation's own templates from any others; empty without any."""
        if not self._own:
            return ""
        return hashlib.sha256(repr(self._own).encode()).hexdigest()[:16]

    @classmethod
    def open(cls, folder: Path | None) -> "TemplateBook":
        """Return the templates of the package, and those in a folder.

        Raises:
            DataError: there is no such folder.
        """
        return cls(read_directory(folder) if folder is not None else None)

    def own(self, schema: Schema) -> tuple[Template, ...]:
        """Return those of the installation's own that can be used over ``schema``."""
        return self._of_own(schema).own

    def fitting(self, schema: Schema) -> Fitting:
        """Return what can be used over ``schema``; it is looked up once for each, in 0.1 s."""
        known, fitting = self._fitting
        if schema is not known:
            of_own = self._of_own(schema)
            general, beyond = _sorted_out(self._general, schema)
            fitting = Fitting(general=general, own=of_own.own, refused=(*of_own.refused, *beyond))
            self._fitting = (schema, fitting)
        return fitting

    def _of_own(self, schema: Schema) -> Fitting:
        known, fitting = self._own_fitting
        if schema is not known:
            own, refused = _sorted_out(self._own, schema)
            fitting = Fitting(own=own, refused=(*self._refused, *refused))
            self._own_fitting = (schema, fitting)
            for item in fitting.refused:
                _log.warning("template_refused", file=item.place, why=item.why)
        return fitting


def _sorted_out(
    templates: Sequence[Template], schema: Schema
) -> tuple[tuple[Template, ...], tuple[RefusedTemplate, ...]]:
    """Return the templates that fit a schema, and those that do not."""
    faults = [(template, misfit(template, schema)) for template in templates]
    kept = tuple(template for template, why in faults if why is None)
    refused = tuple(
        RefusedTemplate(place=template.place, why=why)
        for template, why in faults
        if why is not None
    )
    return kept, refused
